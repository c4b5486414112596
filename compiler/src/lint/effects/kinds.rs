//! Patterns that are valid and mean something else than they seem to (W0678): a URL where hosts are compared, the name of a
//! tool as a program, several commands in one pattern.

use hookc_base::quoting::variable_at;
use hookc_schema::Diagnostic;
use hookc_schema::tree::Predicate;
use hookc_schema::vocab::Tools;
use hookc_shell::effects::{List, PatternKind};
use hookc_shell::programs;

use super::listed::listed;
use super::{Declarations, directory};
use crate::lint::lowlevel::object_of;

/// What a pattern is instead, and what to write.
struct Doubtful {
    what: String,
    help: String,
}

/// Reports the patterns of a predicate that can hardly be meant as they are read.
pub(super) fn check(predicate: &Predicate, declared: &Declarations<'_>) -> Vec<Diagnostic> {
    let mut reported = Vec::new();
    let is_only = matches!(predicate, Predicate::Only(_));
    for guard in predicate.guards() {
        let lists = [
            (List::Of, &guard.of),
            (List::Except, &guard.except),
            (List::By, &guard.by),
            (List::NotBy, &guard.not_by),
        ];
        for (list, patterns) in lists {
            let kind = PatternKind::for_list(guard.verb, list);
            let listed = listed(patterns, declared);
            for one in &listed {
                let found = doubtful(kind, one.text, declared.tools);
                let found = found.or_else(|| {
                    let is_command = !is_only && list == List::Of && kind == PatternKind::Command;
                    is_command.then(|| command(one.text))?
                });
                reported.extend(found.map(|Doubtful { what, help }| one.diagnostic(what).help(help)));
                if kind == PatternKind::Path {
                    reported.extend(directory::check(one, &listed, guard.verb, declared.sets));
                }
            }
        }
    }
    reported
}

fn doubtful(kind: PatternKind, text: &str, tools: &Tools) -> Option<Doubtful> {
    if text.starts_with('@') {
        return None;
    }
    let first = text.split_whitespace().next()?;
    if tools.by_name.contains_key(first) || text.starts_with("mcp__") {
        return Some(Doubtful {
            what: format!("`{first}` is the name of a tool, and this is a list of {}", kind.plural()),
            help: format!(
                "remove it: an effect is seen whatever the tool; for a tool itself, write `tool_name == '{first}'`"
            ),
        });
    }
    if kind != PatternKind::Command && text.contains(' ') && programs::program(first).is_some() {
        return Some(Doubtful {
            what: format!("this looks like a command, and it is compared with {}", kind.plural()),
            help: format!("write `runs('{text}')`, or a pattern of {}", kind.plural()),
        });
    }
    let is_of_objects = !matches!(kind, PatternKind::Command | PatternKind::Text);
    if is_of_objects && text.trim() != text {
        return Some(Doubtful {
            what: "the spaces at its ends are a part of the pattern".to_owned(),
            help: format!("write `'{}'`", text.trim()),
        });
    }
    if let Some(found) = is_of_objects.then(|| alternatives(kind, text)).flatten() {
        return Some(found);
    }
    match kind {
        PatternKind::Path => path(text),
        PatternKind::Host => host(text),
        PatternKind::Branch => branch(text),
        PatternKind::Command => several(text),
        PatternKind::Package | PatternKind::Text | PatternKind::Word => None,
    }
}

/// Several patterns in one: `main|master`, and `a.com,b.com` where no name has a comma.
fn alternatives(kind: PatternKind, text: &str) -> Option<Doubtful> {
    let sign = match text.contains('|') {
        true => '|',
        false if kind != PatternKind::Path && !text.contains('{') && text.contains(',') => ',',
        false => return None,
    };
    let parts: Vec<String> = text.split(sign).map(|part| format!("'{}'", part.trim())).collect();
    Some(Doubtful {
        what: format!("this is one pattern, with the `{sign}` in it"),
        help: format!("write `{}`", parts.join(", ")),
    })
}

fn path(text: &str) -> Option<Doubtful> {
    let doubtful = |what: &str, help: String| Some(Doubtful { what: what.to_owned(), help });
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
    if let Some(name) =
        text.strip_prefix('$').map(|name| name.trim_matches(['{', '}'])).filter(|name| is_name(name))
    {
        return doubtful("no path is a variable", format!("for the variable itself, write `'env:{name}'`"));
    }
    if let Some(name) = text.strip_prefix("env:").and_then(|name| name.strip_prefix('$')) {
        let name = name.trim_matches(['{', '}']);
        return doubtful("the name of a variable has no `$`", format!("write `'env:{name}'`"));
    }
    if let Some((is_home, rest)) = directory_variable(text) {
        let help = match is_home {
            true => format!("write `'~{rest}'`"),
            false => "write the directory itself: `~` is the home, and `./` the project".to_owned(),
        };
        return doubtful("variables in patterns are not expanded", help);
    }
    // After a name, `.*` is any extension.
    let has_any = text.starts_with(".*") || text.contains("/.*");
    if text.starts_with('^') || text.ends_with('$') || has_any || text.contains("\\.") {
        let glob = text.trim_matches(['^', '$']).replace("\\.", ".").replace(".*", "*");
        let glob = if glob.ends_with('/') { glob + "**" } else { glob };
        return doubtful(
            "patterns of paths are globs, and this is a regular expression",
            format!("write `'{glob}'`"),
        );
    }
    if text.contains('\\') {
        return doubtful(
            "paths have `/` between their names",
            format!("write `'{}'`", text.replace('\\', "/")),
        );
    }
    if let Some((one, other)) = text.split_once(", ") {
        return doubtful("this is one pattern, with the comma in it", format!("write `'{one}', '{other}'`"));
    }
    if let Some(rest) = text.strip_prefix('!') {
        return doubtful(
            "patterns of paths have no `!`",
            format!("write it after `except`: `except '{rest}'`"),
        );
    }
    if text.matches('{').count() != text.matches('}').count() {
        return doubtful(
            "a brace of this pattern has no partner",
            "write `{a,b}`, or one pattern for each".to_owned(),
        );
    }
    if text.len() > 1 && text.ends_with('/') && !text.ends_with("//") {
        return doubtful("no path ends with `/`", format!("for everything below it, write `'{text}**'`"));
    }
    None
}

/// Whether a path starts with the variable of the home or with another one, and what follows.
fn directory_variable(text: &str) -> Option<(bool, &str)> {
    let (name, rest) = match text.strip_prefix('%') {
        Some(rest) => rest.split_once('%')?,
        None => {
            let found = variable_at(text, 0)?;
            (found.name, text.get(found.range.end..)?)
        }
    };
    rest.starts_with('/').then_some((matches!(name, "HOME" | "USERPROFILE"), rest))
}

/// The host in a URL, or in a text with a port or a path.
fn host_of(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    host.split_once(':').map_or(host, |(host, _)| host)
}

fn host(text: &str) -> Option<Doubtful> {
    if let Some(rest) = text.strip_prefix('.') {
        return Some(Doubtful {
            what: "no host starts with a dot".to_owned(),
            help: format!("write `'*.{rest}'`, and `'{rest}'` for the domain itself"),
        });
    }
    if let Some((_, host)) = text.split_once('@').filter(|(user, _)| !user.is_empty()) {
        return Some(Doubtful {
            what: "hosts are compared without a user".to_owned(),
            help: format!("write `'{}'`", host_of(host)),
        });
    }
    let is_literal = text.starts_with("registry:")
        || text.contains(['[', '{'])
        || text.matches(':').count() > 1 && !text.contains("://");
    if is_literal || !text.contains(['/', ':']) {
        return None;
    }
    let (what, host) = ("hosts are compared without a scheme, a port and a path".to_owned(), host_of(text));
    let help = match text.contains("://") || text.contains(':') {
        true => format!("write `'{host}'`"),
        false => format!("write `'{host}'` for a host, or `reads`, `writes` or another predicate for a path"),
    };
    Some(Doubtful { what, help })
}

/// The names under which git keeps branches.
const BRANCHES: &str = "refs/heads/";

fn branch(text: &str) -> Option<Doubtful> {
    let doubtful = |what: &str, branch: &str| {
        Some(Doubtful { what: what.to_owned(), help: format!("write `'{branch}'`") })
    };
    if let Some(branch) = text.strip_prefix('+') {
        let branch = branch.strip_prefix(BRANCHES).unwrap_or(branch);
        return doubtful("a pattern is the branch itself, and a forced push is a push", branch);
    }
    if let Some((branch, _)) = text.split_once(' ') {
        return doubtful("no branch has a space in its name", branch);
    }
    if let Some(branch) = text.strip_prefix(BRANCHES) {
        return doubtful("branches are compared without `refs/heads/`", branch);
    }
    if text == "origin" {
        return doubtful("this is a branch with the name of a remote", "origin:*");
    }
    match text.strip_prefix("origin/") {
        Some(branch) => {
            doubtful("a remote and its branch have `:` between them", &format!("origin:{branch}"))
        }
        None => None,
    }
}

/// Several commands, redirections or quotes in a pattern of one command.
fn several(text: &str) -> Option<Doubtful> {
    let first = text.split_whitespace().next()?;
    if let Some((one, other)) =
        first.split_once('|').filter(|(one, other)| !one.is_empty() && !other.is_empty())
    {
        return Some(Doubtful {
            what: format!("`{first}` is the name of one program"),
            help: format!("write `'{one}', '{other}'` for each of them, or `'{one} | {other}'` for a pipe"),
        });
    }
    if let Some(rest) = text.strip_prefix('!') {
        return Some(Doubtful {
            what: "a command is not negated".to_owned(),
            help: format!("write it after `except`: `except '{}'`", rest.trim()),
        });
    }
    let is_joint = |word: &&str| matches!(*word, "&&" | "||" | ";" | "&" | ">" | ">>" | "<" | "2>&1");
    if let Some(joint) = text.split_whitespace().find(is_joint) {
        return Some(Doubtful {
            what: format!(
                "`{joint}` is a word here: a pattern is one command, or two with ` | ` between them"
            ),
            help:
                "write a pattern for each command; what a redirection does is `writes(...)` or `reads(...)`"
                    .to_owned(),
        });
    }
    let has_quotes = text.contains(['"', '\'']) && !text.contains('/');
    has_quotes.then(|| Doubtful {
        what: "quotes are characters in a pattern of commands".to_owned(),
        help: "write the words without quotes, and `*` for a word with spaces".to_owned(),
    })
}

/// A command whose operand is what is meant, or whose last word asks for one more operand.
fn command(text: &str) -> Option<Doubtful> {
    if text.contains(['|', '^', '!']) {
        return None;
    }
    if let Some(start) = text.strip_suffix(" *") {
        return Some(Doubtful {
            what: "`*` at the end needs an operand: the command without one does not match".to_owned(),
            help: format!("write `'{start}'`, which matches with any words, and without"),
        });
    }
    let (program, rest) = text.split_once(' ').unwrap_or((text, ""));
    let base = program.rsplit('/').next().filter(|_| program.starts_with('/'));
    if let Some(base) = base.filter(|base| programs::program(base).is_some()) {
        return Some(Doubtful {
            what: format!("this sees `{base}` by this path alone"),
            help: format!("write `'{}'`, which sees it by any path", format!("{base} {rest}").trim()),
        });
    }
    let guard = object_of(text)?;
    Some(Doubtful {
        what: "this sees one way in which the command is written".to_owned(),
        help: format!("write `{guard}`, which sees each command that does this"),
    })
}
