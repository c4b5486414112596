//! Patterns that are valid and mean something else than they seem to (W0678): a URL where hosts are compared, the name of a
//! tool as a program, several commands in one pattern, a manager of packages as a package.

use std::collections::HashSet;

use hookc_base::quoting::variable_at;
use hookc_schema::Diagnostic;
use hookc_schema::tree::Predicate;
use hookc_schema::vocab::Tools;
use hookc_shell::effects::PatternKind::{self, Branch, Command, Host, Package, Path, Text, Word};
use hookc_shell::effects::{List, is_known_file};
use hookc_shell::programs::{self, packages};

use super::listed::{Listed, listed};
use super::{Declarations, command_kinds, directory};

/// A pattern that means something else than it seems to.
pub(super) struct Row {
    /// The patterns that it is about.
    about: &'static [PatternKind],
    /// The message, in which `{part}` and `{kinds}` are filled in.
    message: &'static str,
    /// What is wrong with a pattern, if anything is.
    judge: fn(&Tested<'_>) -> Option<Wrong>,
}

/// A pattern in a list.
pub(super) struct Tested<'t> {
    pub(super) text: &'t str,
    /// Its first word.
    pub(super) first: &'t str,
    kind: PatternKind,
    tools: &'t Tools,
    /// The patterns of its list; none but of paths and commands.
    pub(super) list: &'t HashSet<&'t str>,
}

/// The part of a pattern that the message names, and what to write.
pub(super) struct Wrong {
    part: String,
    help: String,
}

pub(super) const fn row(
    about: &'static [PatternKind],
    message: &'static str,
    judge: fn(&Tested<'_>) -> Option<Wrong>,
) -> Row {
    Row { about, message, judge }
}

pub(super) fn named(part: impl Into<String>, help: String) -> Option<Wrong> {
    Some(Wrong { part: part.into(), help })
}

pub(super) fn help(help: impl Into<String>) -> Option<Wrong> {
    named("", help.into())
}

/// Another pattern is meant.
pub(super) fn write(pattern: &str) -> Option<Wrong> {
    help(format!("write `'{pattern}'`"))
}

/// Only the first row that applies is reported.
const ROWS: &[Row] = &[
    row(
        &[Path, Host, Branch, Command, Package, Text, Word],
        "`{part}` is the name of a tool, and this is a list of {kinds}",
        |&Tested { text, first, tools, .. }| {
            let what = "remove it: an effect is seen whatever the tool; for a tool itself, write";
            let is_tool = tools.by_name.contains_key(first) || text.starts_with("mcp__");
            is_tool.then(|| named(first, format!("{what} `tool_name == '{first}'`")))?
        },
    ),
    row(
        &[Path, Host, Branch, Package, Text, Word],
        "this looks like a command, and it is compared with {kinds}",
        |&Tested { text, first, kind, .. }| {
            programs::program(first).filter(|_| text.contains(' '))?;
            help(format!("write `runs('{text}')`, or a pattern of {}", kind.plural()))
        },
    ),
    row(&[Path, Host, Branch, Package], "this is a flag, and it is compared with {kinds}", |one| {
        let what = "for a flag of a command, write it with its program, as in";
        one.text.starts_with('-').then(|| help(format!("{what} `runs('git push {}')`", one.text)))?
    }),
    row(&[Path, Host, Branch, Package, Word], "the spaces at its ends are a part of the pattern", |one| {
        write(Some(one.text.trim()).filter(|trimmed| *trimmed != one.text)?)
    }),
    row(&[Path, Host, Branch, Package, Word], "this is one pattern, with the `{part}` in it", alternatives),
    row(&[Path, Host, Branch, Package], "the spaces in the braces are a part of the names", |one| {
        let (_, list) = one.text.split_once('{').filter(|(_, list)| list.contains('}'))?;
        let is_spaced = list.contains(", ") || list.contains(" ,") || list.starts_with(' ');
        let parts: Vec<&str> = one.text.split(',').map(str::trim).collect();
        is_spaced.then(|| write(&parts.join(",").replace("{ ", "{").replace(" }", "}")))?
    }),
    row(&[Path], "no path is a variable", |one| {
        let is_part = |next: char| next.is_ascii_alphanumeric() || next == '_';
        let name = one.text.strip_prefix('$')?.trim_matches(['{', '}']);
        let is_name = !name.is_empty() && name.chars().all(is_part);
        is_name.then(|| help(format!("for the variable itself, write `'env:{name}'`")))?
    }),
    row(&[Path], "the name of a variable has no `$`", |one| {
        let name = one.text.strip_prefix("env:")?.strip_prefix('$')?;
        write(&format!("env:{}", name.trim_matches(['{', '}'])))
    }),
    row(&[Path], "variables in patterns are not expanded", |one| match directory_variable(one.text)? {
        (true, rest) => write(&format!("~{rest}")),
        (false, _) => help("write the directory itself: `~` is the home, and `./` the project"),
    }),
    row(&[Path], "patterns of paths are globs, and this is a regular expression", regex),
    row(&[Path], "paths have `/` between their names", |one| {
        write(&Some(one.text.replace('\\', "/")).filter(|path| path != one.text)?)
    }),
    row(&[Path], "this is one pattern, with the `{part}` in it", listed_globs),
    row(&[Path], "this looks like a host, and it is compared with {kinds}", |&Tested { text, .. }| {
        // Other domains are also extensions of files: `notes.org`, `main.rs`.
        let is_host = text.ends_with(".com") && !text.contains(['/', ':', '*']);
        is_host.then(|| help(format!("write `contacts('{text}')`")))?
    }),
    row(&[Path, Host, Branch, Package], "patterns of {kinds} have no `!`", excepted),
    row(&[Path], "a brace of this pattern has no partner", |one| {
        let is_open = one.text.matches('{').count() != one.text.matches('}').count();
        is_open.then(|| help("write `{a,b}`, or one pattern for each"))?
    }),
    row(&[Path], "`*` is the name of one directory of the project", |&Tested { text, .. }| {
        let rest = text.strip_prefix("*/")?;
        help(format!("write `'**/{rest}'` for any directory, or `'./{text}'` if only these are meant"))
    }),
    row(&[Path], "no path ends with `/`", |&Tested { text, .. }| {
        let is_directory = text.len() > 1 && text.ends_with('/') && !text.ends_with("//");
        is_directory.then(|| help(format!("for everything below it, write `'{text}**'`")))?
    }),
    row(&[Host], "no host starts with a dot", |one| {
        let rest = one.text.strip_prefix('.')?;
        help(format!("write `'*.{rest}'`, and `'{rest}'` for the domain itself"))
    }),
    row(&[Host], "hosts are compared without a user", |one| {
        let (_, host) = one.text.split_once('@').filter(|(user, _)| !user.is_empty())?;
        write(host_of(host))
    }),
    row(&[Host], "hosts are compared without a scheme, a port and a path", address),
    row(&[Branch], "a pattern is the branch itself, and a forced push is a push", |one| {
        let branch = one.text.strip_prefix('+')?;
        write(branch.strip_prefix(BRANCHES).unwrap_or(branch))
    }),
    row(&[Host, Branch, Package], "patterns of {kinds} are globs, and this is a regular expression", |one| {
        let inner = one.text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).unwrap_or(one.text);
        let bare = inner.trim_start_matches('^').trim_end_matches('$').replace("\\.", ".");
        let is_regex = bare != one.text && !bare.is_empty();
        is_regex.then(|| write(&bare.replace(".*", "*")))?
    }),
    row(&[Branch], "no branch ends with `/`", |&Tested { text, .. }| {
        write(&Some(format!("{text}*")).filter(|_| text.ends_with('/'))?)
    }),
    row(&[Branch], "this is the address of a remote", |&Tested { text, .. }| {
        let lacks_branch = |(_, rest): (&str, &str)| rest.starts_with("//") || rest.ends_with(".git");
        let is_address = text.rsplit_once(':').is_some_and(lacks_branch);
        is_address.then(|| help(format!("write `'{text}:*'` for each of its branches")))?
    }),
    row(&[Branch], "no branch has a space in its name", |one| write(one.text.split_once(' ')?.0)),
    row(&[Branch], "a push is compared by the branch that it moves", |one| {
        let (from, to) = one.text.split_once(':').unwrap_or((one.text, ""));
        let is_checked_out = from == "HEAD";
        match to.is_empty() {
            false => write(Some(to).filter(|to| is_checked_out || *to == from)?),
            true if is_checked_out => help("write the branch, or `pushes()` for a push of any branch"),
            true => None,
        }
    }),
    row(&[Branch], "branches are compared without `refs/heads/`", |one| {
        write(one.text.strip_prefix(BRANCHES)?)
    }),
    row(&[Branch], "this is a branch with the name of a remote", |one| {
        (one.text == ORIGIN).then(|| write("origin:*"))?
    }),
    row(&[Branch], "a remote and its branch have `:` between them", |one| {
        let (remote, branch) = one.text.split_once('/').filter(|(remote, _)| *remote == ORIGIN)?;
        write(&format!("{remote}:{branch}"))
    }),
    row(&[Package], "this is a package with the name of a program that installs packages", |one| {
        let name = Some(one.text).filter(|text| !text.contains(':'))?;
        let manager = packages::is_manager(name).then_some(name).or_else(|| packages::manager(name))?;
        help(format!(
            "write `'{manager}:*'` for all packages of `{manager}`, or `'*:{name}'` for this package"
        ))
    }),
    row(&[Package], "this is a file, and it is compared with {kinds}", |&Tested { text, .. }| {
        let is_file = [".txt", ".toml", ".lock", "package.json"].iter().any(|end| text.ends_with(end));
        let what = "what a file declares is not added: for the command, write";
        is_file.then(|| help(format!("{what} `runs('pip install -r')` or another one")))?
    }),
    row(&[Package], "no version follows the sign at the end", |&Tested { text, .. }| {
        let bare = text.trim_end_matches(['@', '=', '<', '>', '~', '!']);
        (!bare.is_empty() && bare != text)
            .then(|| help(format!("write `'{bare}'` for each of its versions")))?
    }),
    row(&[Package], "packages have their registry in front of them, and `{part}` is a program", |one| {
        let (name, package) = one.text.split_once(':').filter(|(name, _)| !packages::is_manager(name))?;
        named(name, format!("write `'{}:{package}'`", packages::manager(name)?))
    }),
];

/// Like [`ROWS`], for guards: every file matches, or files elsewhere are meant.
const GUARD_ROWS: &[Row] = &[
    row(&[Path], "this matches every file anywhere", |one| {
        let what = "remove it if that is meant, or write";
        (one.text == "*").then(|| help(format!("{what} `'./*'` for what is directly in the project")))?
    }),
    row(&[Path], "`/` is the directory of the whole system", |&Tested { text, list, .. }| {
        let name = text.strip_prefix('/').filter(|name| name.starts_with('.') && is_known_file(name))?;
        let of_project = format!(".{text}");
        let is_listed = list.contains(name) || list.contains(of_project.as_str());
        (!is_listed).then(|| help(format!("write `'{of_project}'` for the project")))?
    }),
    row(&[Path], "this is below the project", |&Tested { text, list, .. }| {
        let of_home = [".ssh/", ".gnupg/"].iter().any(|directory| text.starts_with(directory));
        let of_system = ["home/*/", "Users/*/", "etc/passwd", "etc/shadow", "etc/sudoers"];
        let of_system = || of_system.iter().any(|start| text.starts_with(start));
        let elsewhere = match of_home {
            true => format!("~/{text}"),
            false => Some(format!("/{text}")).filter(|_| of_system())?,
        };
        // A list can have both.
        (!list.contains(elsewhere.as_str())).then(|| write(&elsewhere))?
    }),
];

/// Reports the patterns of a predicate that can hardly be meant as they are read.
pub(super) fn check(predicate: &Predicate, declared: &Declarations<'_>) -> Vec<Diagnostic> {
    let mut reported = Vec::new();
    if let Predicate::Mentions(of) = predicate {
        reported.extend(listed(of, declared).iter().filter_map(whole_text));
    }
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
            let is_guard = !is_only && list == List::Of;
            let listed = listed(patterns, declared);
            let comparables = directory::comparables(&listed, kind, declared.sets);
            let texts =
                listed.iter().filter(|_| matches!(kind, Path | Command)).map(|one| one.text).collect();
            for one in &listed {
                let found = doubtful(one.text, kind, is_guard, &texts, declared.tools);
                reported.extend(found.map(|(what, help)| one.diagnostic(what).help(help)));
                if let Some(comparables) = &comparables {
                    reported.extend(directory::check(one, &listed, comparables, guard.verb, declared.sets));
                }
            }
        }
    }
    reported
}

/// Reports a regular expression that a text has to match from its start to its end.
fn whole_text(one: &Listed<'_>) -> Option<Diagnostic> {
    let (inner, flags) = one.text.strip_prefix("/^")?.rsplit_once('/')?;
    if !inner.ends_with('$') || inner.ends_with("\\$") || inner.contains('|') || flags.contains('m') {
        return None;
    }
    let new = one.diagnostic("`^` and `$` are the ends of a whole text: a line, or the content of a file");
    Some(new.help("write the pattern without them, or with `(?m)` for a line of a text"))
}

/// What a pattern is instead, and what to write.
fn doubtful(
    text: &str,
    kind: PatternKind,
    is_guard: bool,
    list: &HashSet<&str>,
    tools: &Tools,
) -> Option<(String, String)> {
    let first = text.split_whitespace().next().filter(|_| !text.starts_with('@'))?;
    let tested = Tested { text, first, kind, tools, list };
    let is_guard = is_guard && !text.contains(['|', '^', '!']);
    let always = ROWS.iter().chain(command_kinds::ROWS);
    let guards = GUARD_ROWS.iter().chain(command_kinds::GUARD_ROWS);
    let rows = always.chain(guards.filter(|_| is_guard));
    let found = rows.filter(|row| row.about.contains(&kind));
    let (row, wrong) = found.into_iter().find_map(|row| Some((row, (row.judge)(&tested)?)))?;
    Some((row.message.replace("{part}", &wrong.part).replace("{kinds}", kind.plural()), wrong.help))
}

/// Several patterns in one: `main|master`, and `a.com,b.com` where no name has a comma.
fn alternatives(&Tested { text, kind, .. }: &Tested<'_>) -> Option<Wrong> {
    let sign = match text.contains('|') {
        true => '|',
        false if kind != Path && !text.contains('{') && text.contains(',') => ',',
        false => return None,
    };
    let parts: Vec<String> = text.split(sign).map(|part| format!("'{}'", part.trim())).collect();
    named(sign, format!("write `{}`", parts.join(", ")))
}

/// Several globs in one: `*.js,*.ts`, `*.js *.ts`, and `a, b`.
fn listed_globs(&Tested { text, .. }: &Tested<'_>) -> Option<Wrong> {
    if text.contains(['{', '[']) {
        return None;
    }
    let split = |sign: char| text.split(sign).map(str::trim).filter(|part| !part.is_empty());
    // `**/Application Support/**` is one directory with a space in its name.
    let is_glob =
        |part: &str| part.starts_with('*') && part.rsplit('/').next().is_some_and(|name| name.contains('*'));
    let has_star = |(one, other): (&str, &str)| one.contains('*') && other.contains('*');
    let is_comma = text.contains(", ") || text.split_once(',').is_some_and(has_star);
    let sign = match is_comma {
        true => ',',
        false if split(' ').count() > 1 && split(' ').all(is_glob) => ' ',
        false => return None,
    };
    let parts: Vec<String> = split(sign).map(|part| format!("'{part}'")).collect();
    named(sign, format!("write `{}`", parts.join(", ")))
}

/// `!x`, in a list
pub(super) fn excepted(one: &Tested<'_>) -> Option<Wrong> {
    let rest = one.text.strip_prefix('!')?;
    help(format!("write it after `except`: `except '{}'`", rest.trim()))
}

/// `^src/.*\.env$`
fn regex(&Tested { text, .. }: &Tested<'_>) -> Option<Wrong> {
    // After a name, `.*` is any extension.
    let has_any = text.starts_with(".*") || text.contains("/.*");
    if !(text.starts_with('^') || text.ends_with('$') || has_any || text.contains("\\.")) {
        return None;
    }
    let glob = text.trim_matches(['^', '$']).replace("\\.", ".").replace(".*", "*");
    write(&if glob.ends_with('/') { glob + "**" } else { glob })
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

/// A URL, or a host with a port or a path.
fn address(&Tested { text, .. }: &Tested<'_>) -> Option<Wrong> {
    let is_literal = text.starts_with("registry:")
        || text.contains(['[', '{'])
        || text.matches(':').count() > 1 && !text.contains("://");
    if is_literal || !text.contains(['/', ':']) {
        return None;
    }
    let host = host_of(text);
    match text.contains(':') {
        true => write(host),
        false => {
            help(format!("write `'{host}'` for a host, or `reads`, `writes` or another predicate for a path"))
        }
    }
}

/// The remote that `git clone` adds.
const ORIGIN: &str = "origin";

/// The names under which git keeps branches.
const BRANCHES: &str = "refs/heads/";
