//! Handlers that print an answer, or context for the model, where only their exit status is read (W0668).

use hookc_schema::agents;
use hookc_schema::tree::Hook;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs::find;
use hookc_shell::programs::interpreters::interpreter;
use hookc_shell::units;

use super::exit_status::words;

/// Commands that are started to show something: their exit status says nothing about an event.
const SHOWN: [&str; 9] = ["cat", "date", "git branch", "git log", "git status", "head", "ls", "tail", "tree"];

/// What sends the output of a command elsewhere, or makes the command a part of another one.
const ELSEWHERE: [char; 6] = ['>', '|', '`', '(', ')', '<'];

/// Members of the answers of agents that nothing else has.
const ANSWER: [&str; 2] = ["\"hookSpecificOutput\"", "\"permissionDecision\""];

pub(super) fn check(hook: &Hook) -> Option<Diagnostic> {
    let result = hook.param("result").and_then(Value::as_str);
    let in_background = hook.param("async").is_some_and(|value| value.kind == Kind::Bool(true));
    if in_background || result.is_some_and(|result| result != "status") {
        return None;
    }
    let events = || hook.events.iter().map(|event| event.node.as_str());
    // Elsewhere, other results are read.
    if !events().any(|event| !agents::capabilities(event).event.is_empty()) {
        return None;
    }
    let (value, commands) = commands(hook)?;
    if commands.iter().any(|command| prints_answer(command)) {
        let new =
            Diagnostic::new(Code::W0668, value.span, "nothing reads the answer that this command prints");
        let new = new.with_label("only its exit status counts").note("an answer that allows has no effect");
        return Some(new.help("write `result: agent`"));
    }
    let parts = value.as_str().map(parts).unwrap_or_default();
    if let Some(text) = lost_reason(&parts) {
        let new = Diagnostic::new(Code::W0668, value.span, "nothing reads the text that this command prints");
        let new = new.with_label("standard error is the reason of the denial");
        return Some(new.help(format!("write `{text} >&2`")));
    }
    let is_shown = parts.last().is_some_and(|last| is_text(last) || is_shown(last));
    let event = events().find(|event| agents::capabilities(event).text).filter(|_| is_shown)?;
    let what = format!("nothing reads what this command prints at `{event}`");
    let new = Diagnostic::new(Code::W0668, value.span, what).with_label("only its exit status counts");
    Some(new.help("write `result: agent`: the text becomes context for the model"))
}

/// The words of each command that a handler starts, with the parameter that has them.
pub(super) fn commands(hook: &Hook) -> Option<(&Value, Vec<Vec<String>>)> {
    if let Some(argv) = hook.param("argv") {
        let words = argv.items().iter().filter_map(Value::as_str).map(str::to_owned);
        return Some((argv, vec![words.collect()]));
    }
    let command = hook.param("command").filter(|_| hook.param("args").is_none())?;
    Some((command, words(&units::read(command.as_str()?).ok()?)))
}

/// Whether a command prints an answer of an agent: as an argument, or by code.
fn prints_answer(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    let has_code = || arguments.iter().any(|word| matches!(word.as_str(), "-c" | "-e"));
    let prints = prints_words(name) || interpreter(name).is_some() && has_code();
    prints
        && arguments.iter().any(|word| ANSWER.iter().any(|member| word.replace('\'', "\"").contains(member)))
}

/// The commands of a line, as far as separators show them.
fn parts(line: &str) -> Vec<&str> {
    line.split([';', '&', '\n', '{', '}']).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Whether a command prints a text to standard output.
fn is_text(part: &str) -> bool {
    prints_words(part.split_whitespace().next().unwrap_or_default()) && !part.contains(ELSEWHERE)
}

/// Whether a command shows something, and nothing else happens with it.
fn is_shown(part: &str) -> bool {
    let has_name =
        |shown: &&str| part.strip_prefix(*shown).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    SHOWN.iter().any(has_name) && !part.contains(ELSEWHERE)
}

/// The text in front of an `exit` that denies, which goes to standard output.
fn lost_reason<'t>(parts: &[&'t str]) -> Option<&'t str> {
    let denies = |part: &str| {
        part.strip_prefix("exit ").and_then(|status| status.parse().ok()).is_some_and(|status: u8| status > 0)
    };
    parts.windows(2).find_map(|pair| match pair {
        [text, exit] if is_text(text) && denies(exit) => Some(*text),
        _ => None,
    })
}

/// Whether a program prints its arguments.
fn prints_words(program: &str) -> bool {
    find(program).is_some_and(|row| row.text("prints") == Some("words"))
}
