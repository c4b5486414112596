//! Diagnostics of several parts of the dialect.

use hookc_schema::agents::{self, Fault, Id};
use hookc_schema::value::Number;
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use crate::front::json::Repeat;

/// Whether a file's name is that of settings (`settings.local.json`, `managed-settings.json`),
/// which may have no hooks.
pub(in crate::front) fn is_settings(path: &str) -> bool {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.split('.').next().is_some_and(|name| name.to_ascii_lowercase().contains("settings"))
}

/// Whether a key is a note for people: JSON has no comments.
pub(in crate::front) fn is_comment(key: &str) -> bool {
    key.starts_with(['_', '#']) || key.starts_with("//") || matches!(key, "$comment" | "comment" | "comments")
}

/// The warning for such keys: the first one, and their number.
pub(in crate::front) fn comments(key: &Spanned<String>, count: usize) -> Diagnostic {
    let message = match count {
        1 => format!("the agent does not read the key `{}`", key.node),
        count => format!("the agent does not read {count} keys: the first is `{}`", key.node),
    };
    let new =
        Diagnostic::new(Code::W0233, key.span, message).with_label("a note for people or other programs");
    new.help("use `description` to describe a hook; an installer finds its own entries by such a key")
}

/// The warning for a repeated key of an object.
pub(in crate::front) fn repeated(repeat: &Repeat, kept: bool) -> Diagnostic {
    let key = &repeat.again;
    let message = format!("duplicate key `{}`", key.node);
    let new = Diagnostic::new(Code::W0231, key.span, message).with_label("again here");
    let new = new.also(repeat.first, "first here");
    let (note, help) = match kept {
        true => ("the agent reads only the last one; hookc keeps the content of both", "merge the two"),
        false => ("hookc uses the last one, as the agent does", "remove one of the two"),
    };
    new.note(note).help(help)
}

/// The warning for handlers outside a group.
pub(in crate::front) fn flat(span: Span, count: usize) -> Diagnostic {
    let message = match count {
        1 => "a handler is outside a group".to_owned(),
        count => format!("{count} handlers are outside a group"),
    };
    let new = Diagnostic::new(Code::W0238, span, message);
    let mut new = new.with_label(if count == 1 { "this handler" } else { "the first one" });
    new.notes.extend(Id::Claude.agent().rejects(Fault::Alone));
    new.note("hookc runs it in order, and it can deny the event")
        .help("put it into a group: `{\"hooks\": [{\"type\": ...}]}`")
}

/// The thousands of a number that is a multiple of 1000.
pub(in crate::front) fn thousands(number: &Number) -> Option<&str> {
    let digits = number.0.strip_suffix("000")?;
    let round = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (round && digits != "0").then_some(digits)
}

/// The warning for timeouts that look like milliseconds.
pub(in crate::front) fn long(first: &Spanned<Number>, count: usize) -> Diagnostic {
    let seconds = first.node.text();
    let message = match count {
        1 => format!("a `timeout` of {seconds} seconds looks like milliseconds"),
        count => format!("{count} timeouts look like milliseconds: the first is {seconds} seconds"),
    };
    let new = Diagnostic::new(Code::W0235, first.span, message).with_label("milliseconds?");
    let new = new.note("the agent reads it in seconds");
    match thousands(&first.node) {
        Some(meant) => new.did_you_mean(Some(meant), first.span),
        None => new.help("write it in seconds"),
    }
}

/// What to do with a key of a handler that the agent of the file does not read.
pub(in crate::front) fn remove(key: &str) -> String {
    let readers: Vec<&str> = agents::with_key(key).map(|agent| agent.label.as_str()).collect();
    match readers.as_slice() {
        [] => "remove it".to_owned(),
        [only] => format!("{only} reads it: write the hook into its own hooks file, or remove the key"),
        _ => format!(
            "{} read it: write the hook into their own hooks files, or remove the key",
            readers.join(", ")
        ),
    }
}
