//! Handlers of agent settings that are to deny, and exit with a status that does not (W0629): at Claude Code, only
//! status 2 denies a `PreToolUse`.

use std::ops::Range;

use hookc_base::builtins::is_builtin;
use hookc_schema::agents::{self, Agent, Capability, DenyingExit};
use hookc_schema::tree::Hook;
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs::interpreters::interpreter;
use hookc_shell::programs::{If, Row, find};
use hookc_shell::syntax::{Command, CommandKind, Joint, List, Pipeline, parse};
use hookc_shell::units::{self, Line, Unit, Word};

use super::handler::{BEFORE, fails_closed, is_called_guard, is_guard, says_guard};
use super::scripts::{commands, lists};

/// Words of a message about something that is denied, besides those in the name of a guard.
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

/// Words in the name of a program whose failure is to deny, besides those of guards.
const CHECKS: [&str; 12] = [
    "audit",
    "check",
    "checker",
    "lint",
    "linter",
    "policy",
    "scan",
    "scanner",
    "secret",
    "validate",
    "validator",
    "verify",
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
    let command = hook.param("command")?;
    let line = command.as_str()?;
    if !line.contains("exit") && !line.trim_start().starts_with('!') {
        return None;
    }
    // If a handler fails closed, every failure denies.
    if hook.action.templates || fails_closed(hook) {
        return None;
    }
    let agent = agents::by_name(agent.or_else(|| reader(hook.param("result")?.as_str()?))?)?;
    let (event, denying) =
        hook.events.iter().find_map(|event| Some((&event.node, denying(agent, &event.node)?)))?;
    if OTHERS.iter().any(|word| line.contains(word)) {
        return None;
    }
    let (list, read) = (parse(line).ok()?, units::read(line).ok()?);
    let (negated, words) = (negation(&list), words(&read));
    let mut exits = exits(line, &words)?;
    let searches = || words.last().and_then(|words| words.first()).is_some_and(|name| finds_text(name));
    if let Some(range) = negated.filter(|_| searches()) {
        exits.push(Exit { status: 1, range });
    }
    let is_wrong = |exit: &&Exit| exit.status != 0 && !denying.denies(exit.status);
    if exits.iter().any(|exit| denying.denies(exit.status)) {
        return None;
    }
    let exit = exits.iter().rfind(is_wrong)?;
    if !replaces(line, &list) && !decides(hook, (line, &list), &words, read.is_opaque) {
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
pub(super) fn reader(result: &str) -> Option<&'static str> {
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
    let native =
        agent.native(event).filter(|native| BEFORE.contains(&event) && native.can(Capability::Deny))?;
    Some(native.exit())
}

/// The statuses with which a line, or code in it, ends; `None` if one of them is unknown.
fn exits(line: &str, words: &[Vec<String>]) -> Option<Vec<Exit>> {
    let has_command = |status: &str| {
        words.iter().any(|words| matches!(words.as_slice(), [exit, code] if exit == "exit" && code == status))
    };
    let is_code = |call: &str| {
        words.iter().filter_map(|words| words.split_first()).any(|(program, arguments)| {
            interpreter(program).is_some() && arguments.iter().any(|word| word.contains(call))
        })
    };
    let mut found = Vec::new();
    for (at, word) in line.match_indices("exit") {
        let (before, rest) = (line.get(..at)?, line.get(at + word.len()..)?);
        if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-')) {
            continue;
        }
        let (is_call, after) = match rest.strip_prefix('(') {
            Some(after) => (true, after),
            None => (false, rest.strip_prefix(' ').unwrap_or_default()),
        };
        let length = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (status, after) = after.split_at_checked(length)?;
        let range = at..at + word.len() + 1 + length + usize::from(is_call);
        if status.is_empty() {
            // `exit $?`, `sys.exit(status)`
            let is_unknown = if is_call { !after.starts_with(')') } else { after.starts_with(['$', '"']) };
            if is_unknown {
                return None;
            }
            continue;
        }
        let is_real = match is_call {
            true => after.starts_with(')') && is_code(line.get(range.clone())?),
            false => has_command(status),
        };
        if is_real {
            found.push(Exit { status: status.parse().ok()?, range });
        }
    }
    Some(found)
}

/// The words of each command of a line.
pub(super) fn words(line: &Line) -> Vec<Vec<String>> {
    line.commands.iter().map(|command| command.words.iter().map(text).collect()).collect()
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
fn replaces(line: &str, list: &List) -> bool {
    let [.., before, last] = list.pipelines.as_slice() else { return false };
    let guard = before.commands.last().and_then(|command| line.get(command.span.clone()?));
    last.joint == Joint::Or
        && matches!(last.commands.as_slice(), [command] if name(command) == Some("exit"))
        && guard.is_some_and(|guard| is_guard(guard) || is_check(guard))
}

/// The name of the program of a command.
fn name(command: &Command) -> Option<&str> {
    let CommandKind::Simple { words, .. } = &command.kind else { return None };
    words.first().map(|word| word.text.as_str())
}

/// Whether a command runs a script that checks something, by its name: `python3 check.py`, `./scan_secrets`.
fn is_check(command: &str) -> bool {
    let is_script = |word: &&str| word.contains('/') || word.contains('.');
    let names = command.split_whitespace().filter(is_script).filter_map(|word| word.rsplit('/').next());
    let words = |name: &str| {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
        words.into_iter().any(|word| CHECKS.contains(&word.strip_suffix('s').unwrap_or(&word)))
    };
    names.into_iter().any(words)
}

/// Whether the line itself evidently decides about the event: it says that something is denied, or it exits because of
/// what is in the event. Another program could decide with its own status.
fn decides(hook: &Hook, (line, list): (&str, &List), commands: &[Vec<String>], is_opaque: bool) -> bool {
    let is_plain = |words: &Vec<String>| {
        let name = words.first().map_or("", String::as_str);
        let name = name.rsplit('/').next().unwrap_or_default();
        let has_code = || words.iter().any(|word| matches!(word.as_str(), "-c" | "-e"));
        name.is_empty()
            || is_builtin(name)
            || find(name).is_some_and(only_reads)
            || interpreter(name).is_some_and(|_| has_code())
    };
    if is_opaque || !commands.iter().all(is_plain) {
        return false;
    }
    let words = || line.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let says = says_guard(line) || words().any(|word| DENIED.contains(&word.as_str()));
    let tests = line.contains("tool_input") && !line.contains("||");
    let is_all = line.trim().strip_prefix("exit").is_some_and(|status| status.trim().parse::<u8>().is_ok());
    says || is_called_guard(hook) || tests || is_all || negation(list).is_some() || follows_search(list)
}

/// The `!` that negates the only pipeline of a line: its status is 0 or 1.
fn negation(list: &List) -> Option<Range<usize>> {
    let [pipeline] = list.pipelines.as_slice() else { return None };
    let start = pipeline.commands.first()?.span.as_ref()?.start;
    let is_one = pipeline.is_negated
        && !pipeline.is_background
        && pipeline.commands.iter().all(|one| name(one).is_some());
    is_one.then_some(start..start + 1)
}

/// Whether the words of a program can tell all that it does, so that it does not decide with a status of its own.
fn only_reads(row: &Row) -> bool {
    let is_plain = |condition: &If| condition.is("plain");
    row.is_plain() || row.ifs().iter().any(is_plain) || row.subs().iter().any(only_reads)
}

/// Whether the status of a program says whether a text contains something.
fn finds_text(program: &str) -> bool {
    find(program).is_some_and(|row| row.is("finds"))
}

/// Whether an `exit` follows if a text contains something: `grep -q x && exit 1`, `if grep -q x; then exit 1; fi`.
fn follows_search(list: &List) -> bool {
    let is_next = |pair: &[Pipeline]| matches!(pair, [search, exit] if exit.joint == Joint::And && searches(search) && exit.commands.iter().all(exits_at_once));
    let is_branch = |(condition, body): &(List, List)| {
        condition.pipelines.last().is_some_and(searches) && prints_and_exits(body)
    };
    let branches = |command: &Command| match &command.kind {
        CommandKind::If { branches, .. } => branches.iter().any(is_branch),
        _ => false,
    };
    list.pipelines.windows(2).any(is_next)
        || commands(list).any(|command| branches(command) || lists(command).into_iter().any(follows_search))
}

fn searches(pipeline: &Pipeline) -> bool {
    pipeline.commands.last().and_then(name).is_some_and(finds_text)
}

/// Whether a command is an `exit`, or prints before it ends.
fn exits_at_once(command: &Command) -> bool {
    match &command.kind {
        CommandKind::Group(list) => prints_and_exits(list),
        _ => name(command) == Some("exit"),
    }
}

fn prints_and_exits(list: &List) -> bool {
    let mut names = commands(list).map(name);
    let is_print = |name: Option<&str>| name.and_then(find).is_some_and(|row| row.text("prints").is_some());
    names.find(|name| !is_print(*name)) == Some(Some("exit"))
}

#[cfg(test)]
mod tests {
    use super::{exits, follows_search, negation, parse, words};

    #[test]
    fn exits_after_a_search() {
        for (line, expected) in [
            ("grep -q secret && exit 1", true),
            ("cat | grep -q secret && { echo no >&2; exit 1; }", true),
            ("if grep -q secret; then echo no >&2; exit 1; fi", true),
            ("if ! jq -r .x | grep -q ok; then exit 1; fi", true),
            ("if [ -f x ]; then exit 1; fi", false),
            ("grep -q x && sync && exit 1", false),
            ("grep -q x || exit 1", false),
            ("grep -q x f && ./run; exit 1", false),
            ("command -v grep && exit 1", false),
        ] {
            assert_eq!(follows_search(&parse(line).unwrap()), expected, "{line}");
        }
        for (line, expected) in [
            ("! grep -q x", true),
            (" ! jq -r .x | grep -q y ", true),
            ("! grep -q x && y", false),
            ("!grep", false),
        ] {
            assert_eq!(negation(&parse(line).unwrap()).is_some(), expected, "{line}");
        }
    }

    #[test]
    fn statuses_of_lines() {
        let found = |line: &str| {
            let read = hookc_shell::units::read(line).unwrap();
            let exits = exits(line, &words(&read)).unwrap_or_default();
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
