//! Implausible parameters of an action: commands that run nothing (W0614), empty texts (W0621), URLs without a scheme
//! (W0628), timeouts (W0615, W0235), attempts and delays (W0616) beyond reason, and NUL characters (E0314).

use hookc_base::action;
use hookc_schema::tree::{Action, Family, Hook};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

/// The longest plausible timeout or delay in seconds: a day. A longer one was most likely written
/// in milliseconds, or by mistake.
const LONGEST_SECONDS: &str = "86400";
/// The maximum plausible number of attempts or retries: a hundred, which with any backoff take
/// hours. More is effectively an endless loop.
const MOST_ATTEMPTS: &str = "100";

/// Parameters that name what an action starts or asks, by kind.
const START_PARAMETERS: [Row; 6] = [
    (action::Kind::Run, "command", "a command that runs nothing"),
    (action::Kind::Run, "argv", "a command that runs nothing"),
    (action::Kind::Script, "file", "a script without a file"),
    (action::Kind::Http, "url", "a request without a URL"),
    (action::Kind::Prompt, "prompt", "an empty prompt"),
    (action::Kind::Agent, "prompt", "an empty prompt"),
];

/// Parameters with a text for people or for the model, by kind.
const TEXT_PARAMETERS: [Row; 8] = [
    (action::Kind::Deny, "reason", "the model does not learn why the event is denied"),
    (action::Kind::Ask, "reason", "the user does not learn what the question is about"),
    (action::Kind::Allow, "reason", "the reason says nothing"),
    (action::Kind::Modify, "reason", "the reason says nothing"),
    (action::Kind::Inject, "text", "nothing is added to the context"),
    (action::Kind::Inject, "file", "no file is named"),
    (action::Kind::Log, "message", "the line in the log says nothing"),
    (action::Kind::Fail, "error_message", "the reason for the failure is missing"),
];

/// Kinds of actions that start a program: the system accepts no NUL in their parameters.
const PROCESSES: [action::Kind; 2] = [action::Kind::Run, action::Kind::Script];

/// Their parameters that reach the system.
const REACHES: [&str; 7] = ["command", "argv", "args", "shell", "env", "cwd", "file"];

/// A parameter of a kind of action, and what is wrong with an empty one.
type Row = (action::Kind, &'static str, &'static str);

fn row(rows: &[Row], action: &Action, name: &Spanned<String>) -> Option<&'static str> {
    let known = action.known();
    let mut rows = rows.iter().filter(|(kind, param, _)| Some(*kind) == known && *param == name.node);
    rows.next().map(|(.., what)| *what)
}

/// Checks the action of a hook.
pub(super) fn check(hook: &Hook, out: &mut Diagnostics) {
    let action = &hook.action;
    for (name, value) in &action.params {
        out.extend(starts_nothing(action, name, value));
        out.extend(says_nothing(action, name, value));
        out.extend(without_scheme(action, name, value));
        out.extend(timeout(hook, name, value));
        out.extend(beyond(action, name, value));
        if action.known().is_some_and(|kind| PROCESSES.contains(&kind))
            && REACHES.contains(&name.node.as_str())
        {
            nul(name, value, out);
        }
    }
}

fn starts_nothing(action: &Action, name: &Spanned<String>, value: &Value) -> Option<Diagnostic> {
    let what = row(&START_PARAMETERS, action, name)?;
    let (span, why) = match &value.kind {
        Kind::Str(text) if text.value.trim().is_empty() => (value.span, "empty"),
        Kind::Str(text) if name.node == "command" && is_comment(&text.value) => (value.span, "only comments"),
        Kind::Seq(items) => match items.first() {
            None => (value.span, "an empty list"),
            Some(first) if first.as_str().is_some_and(|text| text.trim().is_empty()) => {
                (first.span, "an empty program name")
            }
            Some(_) => return None,
        },
        _ => return None,
    };
    let new = Diagnostic::new(Code::W0614, span, what).with_label(why);
    Some(match name.node.as_str() {
        "command" => new
            .note(
                "a shell that runs nothing succeeds, so a guard with this command lets everything \
                   through",
            )
            .help("write the command, or remove the hook"),
        "argv" => new
            .note("it cannot be started: the action fails at every event")
            .help("write the program first, then its arguments: `argv: [./check.sh, --fast]`"),
        other => new.help(format!("write the `{other}`, or remove the hook")),
    })
}

fn says_nothing(action: &Action, name: &Spanned<String>, value: &Value) -> Option<Diagnostic> {
    let note = row(&TEXT_PARAMETERS, action, name)?;
    let text = value.as_str().filter(|text| text.trim().is_empty())?;
    let label = if text.is_empty() { "empty" } else { "only whitespace" };
    let new = Diagnostic::new(Code::W0621, value.span, format!("an empty `{}`", name.node));
    Some(new.with_label(label).note(note).help(format!("write the text, or remove `{}`", name.node)))
}

/// A URL that no agent can send a request to.
fn without_scheme(action: &Action, name: &Spanned<String>, value: &Value) -> Option<Diagnostic> {
    if (action.known(), name.node.as_str()) != (Some(action::Kind::Http), "url") {
        return None;
    }
    let url = value
        .as_str()
        .filter(|url| !url.trim().is_empty() && !url.contains("${") && !url.starts_with('$'))?;
    let (scheme, _) = url.split_once("://").unwrap_or_default();
    if matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return None;
    }
    let new = Diagnostic::new(Code::W0628, value.span, "a URL without `http://` or `https://`");
    let new = new.with_label("no request can be sent");
    Some(match scheme {
        "" => new.help(format!("write `https://{url}`")),
        _ => new.help("write an `http://` or `https://` URL"),
    })
}

/// Whether every line of a command is empty or a comment of the shell.
fn is_comment(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#'))
}

fn timeout(hook: &Hook, name: &Spanned<String>, value: &Value) -> Option<Diagnostic> {
    let Kind::Num(number) = &value.kind else { return None };
    if !matches!(name.node.as_str(), "timeout" | "timeout_seconds") {
        return None;
    }
    let what = &name.node;
    if compare(number, "0").is_eq() {
        let new = Diagnostic::new(Code::W0615, value.span, format!("a `{what}` of 0 seconds"));
        let new = new.with_label("expires immediately");
        return Some(new.help(format!("write a number of seconds, or remove `{what}`")));
    }
    // Long timeouts of an agent's own handlers are reported once a file (W0235).
    if hook.family == Family::Agent && !hook.action.templates {
        return None;
    }
    if !compare(number, LONGEST_SECONDS).is_gt() {
        return milliseconds(name, value, number);
    }
    let new = Diagnostic::new(Code::W0615, value.span, format!("a `{what}` of {} seconds", number.0));
    let new = new.with_label("more than a day");
    Some(new.note(format!("`{what}` is in seconds")).help("if you mean milliseconds, divide it by 1000"))
}

/// A multiple of 1000 that is not a multiple of half an hour.
fn milliseconds(name: &Spanned<String>, value: &Value, number: &Number) -> Option<Diagnostic> {
    let seconds: u64 = number.0.parse().ok()?;
    if seconds < 1000 || !seconds.is_multiple_of(1000) || seconds.is_multiple_of(1800) {
        return None;
    }
    let what = format!("a `{}` of {seconds} seconds looks like milliseconds", name.node);
    let new = Diagnostic::new(Code::W0235, value.span, what).with_label("milliseconds?");
    let new = new.note(format!("`{}` is in seconds", name.node));
    Some(new.did_you_mean(Some(&(seconds / 1000).to_string()), value.span))
}

fn beyond(action: &Action, name: &Spanned<String>, value: &Value) -> Option<Diagnostic> {
    let Kind::Num(number) = &value.kind else { return None };
    let (limit, label, help) = match (action.known()?, name.node.as_str()) {
        (action::Kind::Retry, "max_attempts") | (action::Kind::Invoke, "max_retries") => {
            (MOST_ATTEMPTS, "more than a hundred", "write a small number, such as 3")
        }
        (action::Kind::Retry, "delay") => (
            LONGEST_SECONDS,
            "more than a day",
            "`delay` is in seconds: if you mean milliseconds, divide it by 1000",
        ),
        _ => return None,
    };
    if name.node == "max_retries" && compare(number, "0").is_eq() {
        let new =
            Diagnostic::new(Code::W0616, value.span, "a `max_retries` of 0").with_label("never retries");
        return Some(new.note("it is the number of calls in total").help("write at least 2, or remove it"));
    }
    if name.node == "delay" && !compare(number, limit).is_gt() {
        return milliseconds(name, value, number);
    }
    let what = format!("a `{}` of {}", name.node, number.0);
    compare(number, limit)
        .is_gt()
        .then(|| Diagnostic::new(Code::W0616, value.span, what).with_label(label).help(help))
}

fn compare(number: &Number, other: &str) -> std::cmp::Ordering {
    number.compare(&Number(other.to_owned()))
}

/// Reports the first NUL of each text in a value.
fn nul(name: &Spanned<String>, value: &Value, out: &mut Diagnostics) {
    let report = |span: Span| {
        let what = format!("a NUL character in `{}`", name.node);
        let new = Diagnostic::new(Code::E0314, span, what).with_label("not allowed in arguments");
        new.note("the operating system ends every string at the first NUL").help("remove the NUL")
    };
    for value in value.walk(|_| true) {
        let at = value.as_str().and_then(|text| text.find('\0'));
        out.extend(at.map(|at| report(value.span_within(at..at + 1))));
        let keys = value.members().iter().map(|member| &member.key).filter(|key| key.node.contains('\0'));
        out.extend(keys.map(|key| report(key.span)));
    }
}
