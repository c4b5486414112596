//! Handlers that cannot do what they are for: a guard whose exit status is discarded (W0629) or for
//! which nothing waits (W0631), and a header whose variable stays empty (W0630).

use std::ops::Range;

use hookc_base::action;
use hookc_base::quoting::{Variable, variables};
use hookc_schema::tree::{Hook, OnFailure};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::programs::find;

use super::{bash_only, calls, exit_status, unread_output};

/// Events at which a handler can stop the agent before something happens.
pub(super) const BEFORE: [&str; 3] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/// Words in the name of a program that is there to deny, without an `s` at the end.
const GUARD: [&str; 9] =
    ["guard", "block", "deny", "denie", "protect", "forbid", "prevent", "reject", "refuse"];

/// The last command of a line that succeeds, whatever the one before does.
const SUCCEEDS: [&str; 3] = ["true", ":", "exit 0"];

/// Checks the handler of a hook. `agent` is the agent that reads its file, if that is known.
pub(super) fn check(hook: &Hook, agent: Option<&'static str>, out: &mut Diagnostics) {
    match hook.action.known() {
        Some(action::Kind::Run) => {
            if !calls::check(hook, agent, out) {
                out.extend(discarded(hook).or_else(|| exit_status::check(hook, agent)));
            }
            out.extend(bash_only::check(hook, agent));
            out.extend(not_awaited(hook));
            out.extend(unread_output::check(hook));
        }
        Some(action::Kind::Http) => out.extend(header(hook)),
        _ => {}
    }
}

pub(super) fn fails_closed(hook: &Hook) -> bool {
    hook.on_failure.is_some_and(|on| on.node == OnFailure::Closed)
}

fn precedes(hook: &Hook) -> bool {
    hook.events.iter().any(|event| BEFORE.contains(&event.node.as_str()))
}

fn discarded(hook: &Hook) -> Option<Diagnostic> {
    let command = hook.param("command")?;
    let line = command.as_str()?;
    let (last, range) = without_status(line)?;
    let guard = is_guard(last) || line.get(..range.start).is_some_and(exits_inside);
    if !precedes(hook) || !(guard || fails_closed(hook) || is_called_guard(hook)) {
        return None;
    }
    let what = "the exit status of this guard is discarded";
    let new = Diagnostic::new(Code::W0629, command.span_within(range), what).with_label("always succeeds");
    let new = new.note("a guard denies with exit status 2, and a guard that cannot start is not noticed");
    Some(new.help("remove it, so that the agent reads the status"))
}

/// The command before `|| true`, `; exit 0`, `| tee FILE` or `&` at the end of a line, and where
/// that is.
fn without_status(line: &str) -> Option<(&str, Range<usize>)> {
    let text = line.trim_end();
    let before = succeeds(text).or_else(|| passes_on(text)).or_else(|| {
        let before = text.strip_suffix('&')?;
        (!before.ends_with(['&', '>', '<', '|'])).then_some(before)
    })?;
    let start = ["||", "&&", ";", "\n"].iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max();
    let command = before.get(start.unwrap_or(0)..)?;
    Some((command, before.len()..text.len()))
}

/// The line before a command that always succeeds.
fn succeeds(text: &str) -> Option<&str> {
    let last = SUCCEEDS.iter().find_map(|last| text.strip_suffix(last))?;
    let before = last.trim_end();
    before.strip_suffix("||").or_else(|| before.strip_suffix(';'))
}

/// The line before a pipe into a program that copies its input.
fn passes_on(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once('|')?;
    let program = last.trim_start_matches('&').split_whitespace().next()?;
    let simple = !before.ends_with('|') && !last.contains(['"', '\'', ')', '`', ';']);
    (simple && find(program).is_some_and(|row| row.text("prints") == Some("input"))).then_some(before)
}

/// Whether the program, or the file name of a word, is that of a guard: `./hooks/guard-secrets.sh`.
pub(super) fn is_guard(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let first = words.clone().find(|word| !word.contains('='));
    words.any(|word| {
        let is_program = Some(word) == first;
        let word = word.trim_matches(['"', '\'']);
        let name = word.rsplit('/').next().unwrap_or(word);
        let script = is_program || word.contains('/') || name.contains('.');
        script && says_guard(name)
    })
}

/// Whether an inner shell exits with 2. Elsewhere, it would end the line with its status.
fn exits_inside(line: &str) -> bool {
    (line.trim_start().starts_with('(') || line.contains("-c ")) && line.contains("exit 2")
}

/// Whether the hook's id, or what it says to people, calls it a guard.
pub(super) fn is_called_guard(hook: &Hook) -> bool {
    let id = hook.id.as_ref().map(|id| id.node.as_str());
    let message = hook.param("status_message").and_then(Value::as_str);
    let description = hook.description.as_ref().map(|text| text.node.as_str());
    [id, message, description].into_iter().flatten().any(says_guard)
}

pub(super) fn says_guard(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.map(str::to_ascii_lowercase).any(|word| GUARD.contains(&word.trim_end_matches('s')))
}

fn not_awaited(hook: &Hook) -> Option<Diagnostic> {
    let truth = |name: &str| hook.param(name).filter(|value| value.kind == Kind::Bool(true));
    let background = truth("async")?;
    let waits = truth("blocking");
    if waits.is_none() && !(precedes(hook) && (fails_closed(hook) || runs_guard(hook))) {
        return None;
    }
    let what = "nothing waits for this handler, so it cannot deny";
    let new = Diagnostic::new(Code::W0631, background.span, what).with_label("runs in the background");
    let new = match (waits, hook.on_failure) {
        (Some(waits), _) => new.also(waits.span, "to deny, it must be awaited"),
        (None, Some(closed)) => new.also(closed.span, "its failure is not noticed"),
        (None, None) => new.note("the agent continues before the handler ends"),
    };
    Some(new.help("remove `async`"))
}

/// Whether the handler is named as a guard, or exits with the status that denies.
fn runs_guard(hook: &Hook) -> bool {
    let line = hook.param("command").and_then(Value::as_str).unwrap_or_default();
    let words = hook.param("argv").map(Value::items).unwrap_or_default();
    let guard = words.iter().filter_map(Value::as_str).any(is_guard) || is_guard(line);
    guard || line.contains("exit 2") || is_called_guard(hook)
}

fn header(hook: &Hook) -> Option<Diagnostic> {
    let Kind::Map(headers) = &hook.param("headers")?.kind else { return None };
    let allowed = hook.param("allowed_env").map(Value::items).unwrap_or_default();
    let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    headers.iter().find_map(|header| {
        let text = header.value.as_str()?;
        let (range, name) = variable(text, hook.action.templates, &allowed)?;
        let key = if hook.action.templates { "allowed_env" } else { "allowedEnvVars" };
        let what = format!("`{key}` does not contain `{name}`, so this header has no value for it");
        let new = Diagnostic::new(Code::W0630, header.value.span_within(range), what);
        let list: Vec<String> = allowed.iter().copied().chain([name]).map(|one| format!("{one:?}")).collect();
        Some(new.with_label("always empty").help(format!("write `{key}: [{}]`", list.join(", "))))
    })
}

/// The first variable of the environment that is not allowed. In a policy, `${name}` is a template.
fn variable<'t>(text: &'t str, templates: bool, allowed: &[&str]) -> Option<(Range<usize>, &'t str)> {
    variables(text).find_map(|found| {
        let Variable { range, name, is_braced, after } = found;
        let constant = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && !name.contains(|c: char| c.is_ascii_lowercase());
        let is_variable = constant && !(is_braced && (templates || !after.starts_with('}')));
        (is_variable && !allowed.contains(&name)).then_some((range, name))
    })
}

#[cfg(test)]
mod tests {
    use super::{exits_inside, is_guard, variable, without_status};

    #[test]
    fn guards_without_status() {
        let guard = |line: &str| {
            without_status(line).is_some_and(|(last, range)| {
                is_guard(last) || line.get(..range.start).is_some_and(exits_inside)
            })
        };
        for line in [
            "./guard.sh || true",
            "python3 \"$CLAUDE_PROJECT_DIR/.claude/hooks/block_secrets.py\" || true",
            "cd x; ./protect-main.sh || :",
            "./hooks/deny.sh 2>/dev/null || exit 0 ",
            "./guard.sh; true",
            "./guard.sh; exit 0",
            "LOG=1 block-pushes || true",
            "./guard.sh 2>&1 | tee -a /tmp/log",
            "./guard.sh &",
            "sh -c 'grep -q rm && exit 2' || true",
            "(grep -q rm && exit 2) || true",
        ] {
            assert!(guard(line), "{line}");
        }
        for line in [
            "./guard.sh",
            "./format.sh || true",
            "grep -q rm && exit 2 || true",
            "./guard.sh && ./log.sh || true",
            "echo guard || true",
            "./guard.sh | jq -r '.x'",
            "./guard.sh >&2",
            "./guard.sh | (cat; exit 2)",
            "log --blocks=3 || true",
        ] {
            assert!(!guard(line), "{line}");
        }
    }

    #[test]
    fn variables_of_headers() {
        let found = |text| variable(text, false, &["KNOWN"]).map(|(_, name)| name);
        assert_eq!(found("Bearer $TOKEN"), Some("TOKEN"));
        assert_eq!(found("${KNOWN} ${API_KEY}!"), Some("API_KEY"));
        for text in ["$KNOWN", "$5", "cost $", "$name", "${TOKEN"] {
            assert_eq!(found(text), None, "{text}");
        }
        assert_eq!(variable("${TOKEN}", true, &[]), None);
    }
}
