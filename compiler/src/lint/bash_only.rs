//! Command lines that their shell does not read (W0687): one that ends inside quotes, and syntax of bash in a line that
//! `sh` gets. Where `sh` is dash, `[[ ... ]]` is a missing program.

use std::ops::Range;

use hookc_base::action::Kind;
use hookc_schema::agents;
use hookc_schema::tree::Hook;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, HookEffect};
use hookc_shell::Cause;
use hookc_shell::programs::interpreters::interpreter;
use hookc_shell::syntax::{
    self, Assignment, Command, CommandKind, Expansion, List, PartKind, Redirect, Word, parse,
};

use super::exit_status::reader;
use super::scripts::{commands, lists};

/// Syntax that a shell without the extensions of bash does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extension {
    /// Where it is.
    pub span: Range<usize>,
    /// What it is: `` `[[` ``.
    pub name: &'static str,
    /// What every shell has.
    pub instead: &'static str,
}

/// The first syntax in a line or a script that only bash and its relatives have.
#[must_use]
pub fn bash_syntax(line: &str) -> Option<Extension> {
    HINTS.iter().any(|hint| line.contains(hint)).then(|| Search { line }.list(&parse(line).ok()?))?
}

/// Without one of these, a line has no such syntax.
const HINTS: [&str; 10] = ["[[", "((", "<(", ">(", "<<<", "&>", ">&", "function ", "=(", ";&"];

/// Checks the command line of a hook. `agent` is the agent that runs it; hookc itself uses `sh`.
pub(super) fn check(hook: &Hook, agent: Option<&'static str>) -> Option<Diagnostic> {
    let has_words = ["argv", "args"].iter().any(|name| hook.param(name).is_some());
    let shell = hook.param("shell").and_then(Value::as_str);
    let by_result = || reader(hook.param("result")?.as_str()?);
    let agent = agent.or_else(by_result).and_then(agents::by_name);
    let of_agent = || match agent {
        Some(agent) => agent.settings.as_ref().and_then(|settings| settings.shell.as_deref()),
        None => Some("sh"),
    };
    let shell = shell.or_else(of_agent);
    let is_posix = |name: &str| interpreter(name).is_some_and(|row| row.is("shell"));
    if hook.action.known() != Some(Kind::Run) || has_words || !shell.is_none_or(is_posix) {
        return None;
    }
    let command = hook.param("command")?;
    let line = command.as_str()?;
    if let Some(new) = unread(hook, command, line) {
        return Some(new);
    }
    let found = bash_syntax(line).filter(|_| matches!(shell, Some("sh" | "dash")))?;
    let who = agent.map_or("hookc", |agent| agent.label.as_str());
    let what = format!("{} is syntax of bash, and {who} gives the line to `sh`", found.name);
    let new = Diagnostic::new(Code::W0687, command.span_within(found.span), what).with_label("not in `sh`");
    let new = new.note("where `sh` is dash, as on Debian and Ubuntu, the line fails or does something else");
    Some(new.help(format!("write {}, or the line in a script that starts with `#!/bin/bash`", found.instead)))
}

/// A line that every shell rejects.
fn unread(hook: &Hook, command: &Value, line: &str) -> Option<Diagnostic> {
    let problem = parse(line).err()?;
    let (label, help) = match problem.cause {
        Cause::OpenQuote => ("the line ends inside quotes", "close the quotes"),
        Cause::OpenBracket => ("an open bracket", "close the bracket"),
        Cause::OpenCompound => ("a command without its end", "write its end, such as `fi` or `done`"),
        _ => return None,
    };
    // A template can stand for a part of the syntax.
    if hook.action.templates && line.contains("${") {
        return None;
    }
    let at = problem.at.min(line.len());
    let new =
        Diagnostic::new(Code::W0687, command.span_within(at..line.len()), "no shell can read this line");
    let new = new.with_label(label).with_hook_effect(HookEffect::Dead);
    Some(new.note("the shell fails before it starts a program").help(help))
}

/// Finds the first extension of a line.
struct Search<'l> {
    line: &'l str,
}

impl Search<'_> {
    fn list(&self, list: &List) -> Option<Extension> {
        commands(list).find_map(|command| self.command(command))
    }

    fn command(&self, command: &Command) -> Option<Extension> {
        let span = || command.span.clone();
        let starts = |text: &str| {
            let written = span().and_then(|span| self.line.get(span)).unwrap_or_default();
            written.trim_start_matches("! ").starts_with(text)
        };
        let found = |length: usize, name, instead| {
            let span = span()?;
            Some(Extension { span: span.start..(span.start + length).min(span.end), name, instead })
        };
        let here = match &command.kind {
            CommandKind::Test(_) if starts("[[") => found(2, "`[[`", "`[ ... ]` or `case`"),
            CommandKind::Test(_) if starts("((") => found(2, "`((`", "`[ $((...)) -ne 0 ]`"),
            CommandKind::Count { .. } => found(3, "`for ((`", "`while`"),
            CommandKind::Function { .. } if starts("function") => found(8, "`function`", "`NAME() { ...; }`"),
            CommandKind::Case { arms, .. } if arms.iter().any(|arm| arm.continues) => {
                found(4, "`;&` of `case`", "the body in each arm")
            }
            _ => None,
        };
        here.or_else(|| command.redirects.iter().find_map(|redirect| self.redirect(redirect)))
            .or_else(|| self.in_words(&command.kind))
            .or_else(|| lists(command).into_iter().find_map(|list| self.list(list)))
    }

    fn in_words(&self, kind: &CommandKind) -> Option<Extension> {
        match kind {
            CommandKind::Simple { assignments, words } => {
                let of_value = |assignment: &Assignment| self.assignment(assignment);
                assignments.iter().find_map(of_value).or_else(|| self.words(words))
            }
            CommandKind::For { items, .. } => self.words(items.as_deref()?),
            CommandKind::Case { word, .. } => self.word(word),
            _ => None,
        }
    }

    fn assignment(&self, assignment: &Assignment) -> Option<Extension> {
        match &assignment.value {
            syntax::Value::Text(word) => self.word(word),
            syntax::Value::Array(_) | syntax::Value::Element { .. } => Some(Extension {
                span: assignment.span.clone()?,
                name: "an array",
                instead: "`set -- ...` and `\"$@\"`",
            }),
        }
    }

    fn redirect(&self, redirect: &Redirect) -> Option<Extension> {
        let is_file = !redirect.word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let (name, instead) = match redirect.operator {
            "<<<" => ("`<<<`", "`printf '%s\\n' \"...\" |` in front of the command"),
            "&>" | "&>>" => ("`&>`", "`> FILE 2>&1`"),
            ">&" if is_file && redirect.word.parts.is_empty() => ("`>&` with a file", "`> FILE 2>&1`"),
            _ => return self.word(&redirect.word).or_else(|| self.word(redirect.body.as_ref()?)),
        };
        let word = redirect.word.span.clone()?;
        let before = self.line.get(..word.start)?.trim_end().len();
        Some(Extension { span: before.saturating_sub(redirect.operator.len())..word.end, name, instead })
    }

    fn words(&self, words: &[Word]) -> Option<Extension> {
        words.iter().find_map(|word| self.word(word))
    }

    fn word(&self, word: &Word) -> Option<Extension> {
        word.parts.iter().find_map(|part| {
            let PartKind::Expansion(expansion) = &part.kind else { return None };
            match &**expansion {
                Expansion::Input(_) | Expansion::Sink(_) => Some(Extension {
                    span: word.span.clone()?,
                    name: "`<(...)`",
                    instead: "a pipe or a file",
                }),
                Expansion::Output(list) => self.list(list),
                Expansion::Parameter { words, .. } => self.words(words),
                Expansion::Arithmetic(_) | Expansion::Array(_) => None,
            }
        })
    }
}
