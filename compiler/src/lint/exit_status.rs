//! Handlers of agent settings that are to deny, and exit with a status that does not (W0629): at Claude Code, only
//! status 2 denies a `PreToolUse`.

use std::ops::Range;

use hookc_base::builtins::is_builtin;
use hookc_base::interpreters::interpreter;
use hookc_schema::agents::{self, Agent, Capability, DenyingExit};
use hookc_schema::tree::Hook;
use hookc_schema::{Code, Diagnostic};
use hookc_vm::format::shell::{self, Unit, Word};

use super::handler::{BEFORE, fails_closed, is_called_guard, is_guard, param, says_guard};

/// Words of a message about something that is denied, beside those in the name of a guard.
const DENIED: [&str; 9] = [
    "blocked",
    "denied",
    "forbidden",
    "prohibited",
    "refused",
    "rejected",
    "protected",
    "disallowed",
    "unsafe",
];

/// Programs that only read and print text. They decide nothing with their own status.
const READERS: [&str; 26] = [
    "jq", "grep", "egrep", "fgrep", "rg", "sed", "awk", "cut", "tr", "head", "tail", "cat", "sort", "uniq",
    "wc", "basename", "dirname", "realpath", "echo", "printf", "test", "[", "[[", "git", "date", "tee",
];

/// Words of other ways to deny, and of other statuses.
const OTHERS: [&str; 6] =
    ["permissionDecision", "hookSpecificOutput", "decision", "continue", "exitCode", "Exit("];

/// A command that ends a line with a status.
struct Exit {
    status: i32,
    range: Range<usize>,
}

/// Checks a handler that an agent runs.
pub(super) fn check(hook: &Hook, agent: Option<&'static str>) -> Option<Diagnostic> {
    let command = param(hook, "command")?;
    let line = command.as_str().filter(|line| line.contains("exit"))?;
    // If a handler fails closed, every failure denies.
    if hook.action.templates || fails_closed(hook) {
        return None;
    }
    let agent = agents::of(agent.or_else(|| reader(param(hook, "result")?.as_str()?))?)?;
    let (event, denying) =
        hook.events.iter().find_map(|event| Some((&event.node, denying(agent, &event.node)?)))?;
    if OTHERS.iter().any(|word| line.contains(word)) {
        return None;
    }
    let read = shell::read(line).ok()?;
    let exits = exits(line, &read.commands)?;
    let is_wrong = |exit: &&Exit| exit.status != 0 && !denying.denies(exit.status);
    if exits.iter().any(|exit| denying.denies(exit.status)) {
        return None;
    }
    let exit = exits.iter().rfind(is_wrong)?;
    if !replaces(line, exit) && !decides(hook, line, &read) {
        return None;
    }
    let what = format!("exit status {} does not deny at {}", exit.status, agent.label);
    let span = command.span_within(exit.range.clone());
    let new = Diagnostic::new(Code::W0629, span, what).with_label("the action continues");
    Some(match denying {
        DenyingExit::None => new
            .note(format!("no exit status denies `{event}` at {}", agent.label))
            .help("print an object that denies, as the agent documents it"),
        DenyingExit::Two | DenyingExit::Any => new
            .note("every other status than 0 and 2 is an error that the agent shows and ignores")
            .help("exit with 2, and write the reason to standard error"),
    })
}

/// The agent that reads a result of this form.
fn reader(result: &str) -> Option<&'static str> {
    match result {
        "agent" => Some("claude"),
        "gemini" => Some("gemini"),
        "cursor" => Some("cursor"),
        "copilot" => Some("copilot"),
        _ => None,
    }
}

/// The statuses that deny an event before an action, if the agent lets it be denied.
fn denying(agent: &Agent, event: &str) -> Option<DenyingExit> {
    let own = agent.native(event).filter(|own| BEFORE.contains(&event) && own.can(Capability::Deny))?;
    Some(own.exit())
}

/// The statuses with which a line, or code in it, ends; `None` if one of them is unknown.
fn exits(line: &str, commands: &[shell::Command]) -> Option<Vec<Exit>> {
    let words: Vec<Vec<String>> =
        commands.iter().map(|command| command.words.iter().map(text).collect()).collect();
    let has_command = |status: &str| {
        words.iter().any(|words| matches!(words.as_slice(), [exit, code] if exit == "exit" && code == status))
    };
    let is_code = |call: &str| {
        let of = |words: &Vec<String>| {
            let program = words.first().is_some_and(|program| interpreter(program).is_some());
            program && words.iter().skip(1).any(|word| word.contains(call))
        };
        words.iter().any(of)
    };
    let mut found = Vec::new();
    for (at, word) in line.match_indices("exit") {
        let (before, rest) = (line.get(..at)?, line.get(at + word.len()..)?);
        if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-')) {
            continue;
        }
        let (is_call, behind) = match rest.strip_prefix('(') {
            Some(behind) => (true, behind),
            None => (false, rest.strip_prefix(' ').unwrap_or_default()),
        };
        let length = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        let (status, behind) = behind.split_at_checked(length)?;
        let range = at..at + word.len() + 1 + length + usize::from(is_call);
        if status.is_empty() {
            // `exit $?`, `sys.exit(status)`
            let is_unknown = if is_call { !behind.starts_with(')') } else { behind.starts_with(['$', '"']) };
            if is_unknown {
                return None;
            }
            continue;
        }
        let is_real = match is_call {
            true => behind.starts_with(')') && is_code(line.get(range.clone())?),
            false => has_command(status),
        };
        if is_real {
            found.push(Exit { status: status.parse().ok()?, range });
        }
    }
    Some(found)
}

/// The text of a word; an unknown part is a NUL, which no word has.
fn text(word: &Word) -> String {
    let one = |unit: &Unit| match unit {
        Unit::Char(c) | Unit::Glob(c) => *c,
        Unit::Unknown => '\0',
    };
    word.iter().map(one).collect()
}

/// Whether a status at the end replaces that of a guard: `./guard.sh || exit 1`.
fn replaces(line: &str, exit: &Exit) -> bool {
    let (Some(before), Some(after)) = (line.get(..exit.range.start), line.get(exit.range.end..)) else {
        return false;
    };
    let Some(before) = before.trim_end().strip_suffix("||") else { return false };
    let last = before.rsplit(['&', ';', '|', '\n']).next().unwrap_or(before);
    after.trim().is_empty() && is_guard(last)
}

/// Whether the line itself evidently decides about the event: it says that something is denied, or it exits because of
/// what is in the event. Another program could decide with its own status.
fn decides(hook: &Hook, line: &str, read: &shell::Line) -> bool {
    let is_plain = |command: &shell::Command| {
        let name = command.words.first().map(text).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let has_code = || command.words.iter().any(|word| matches!(text(word).as_str(), "-c" | "-e"));
        name.is_empty()
            || is_builtin(name)
            || READERS.contains(&name)
            || interpreter(name).is_some_and(|_| has_code())
    };
    if read.is_opaque || !read.commands.iter().all(is_plain) {
        return false;
    }
    let words = line.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let says = says_guard(line) || words.into_iter().any(|word| DENIED.contains(&word.as_str()));
    let tests = line.contains("tool_input") && !line.contains("||");
    says || is_called_guard(hook) || tests
}

#[cfg(test)]
mod tests {
    use super::exits;

    #[test]
    fn statuses_of_lines() {
        let found = |line: &str| {
            let read = hookc_vm::format::shell::read(line).unwrap();
            let exits = exits(line, &read.commands).unwrap_or_default();
            exits.iter().map(|exit| exit.status).collect::<Vec<_>>()
        };
        assert_eq!(found("grep -q rm && exit 1"), [1]);
        assert_eq!(found("if x; then exit 2; fi; exit 0"), [2, 0]);
        assert_eq!(found("python3 -c 'import sys; sys.exit(1)'"), [1]);
        assert_eq!(found("node -e \"process.exit(2)\""), [2]);
        assert_eq!(found("sh -c 'exit 3'"), [3]);
        for line in [
            "echo exit 1",
            "echo 'sys.exit(1)'",
            "exit $x",
            "./exit 1",
            "exit",
            "x=exit_1",
            "python3 exit.py",
        ] {
            assert!(found(line).is_empty(), "{line}");
        }
    }
}
