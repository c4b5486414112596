//! Shapes in the words of JSON, and the diagnostics that several parts of the
//! dialect share.

use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use crate::front::json::Repeat;
use crate::front::shape::short;

/// `what` must be `expected`, and is something else.
pub(in crate::front) fn wrong(value: &Value, what: &str, expected: &str) -> Diagnostic {
    let found = value.noun();
    let message = format!("{what} must be {expected}, not {found}");
    Diagnostic::new(Code::E0203, short(value), message).with_label(format!("this is {found}"))
}

/// The members of an object; told if it is none.
pub(in crate::front) fn object<'a>(
    value: &'a Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Option<&'a [Member]> {
    let Kind::Map(members) = &value.kind else {
        out.push(wrong(value, what, "an object").help("write `{\"key\": value}`"));
        return None;
    };
    Some(members)
}

/// The items of an array; told if it is none.
pub(in crate::front) fn array<'a>(
    value: &'a Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Option<&'a [Value]> {
    let Kind::Seq(items) = &value.kind else {
        let help = if matches!(value.kind, Kind::Map(_)) { "put it in `[` and `]`" } else { "write `[...]`" };
        out.push(wrong(value, what, "an array").help(help));
        return None;
    };
    Some(items)
}

/// A string with its places; told if it is none.
pub(in crate::front) fn text<'a>(
    value: &'a Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Option<&'a Text> {
    let Kind::Str(text) = &value.kind else {
        let scalar = matches!(value.kind, Kind::Num(_) | Kind::Bool(_));
        let help = if scalar { "put it in double quotes" } else { "write a string" };
        out.push(wrong(value, what, "a string").help(help));
        return None;
    };
    Some(text)
}

/// A string; told if it is none.
pub(in crate::front) fn string(
    value: &Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<String>> {
    text(value, what, out).map(|text| Spanned::new(text.value.clone(), value.span))
}

/// `true` or `false`; told if it is neither.
pub(in crate::front) fn boolean(
    value: &Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<bool>> {
    let Kind::Bool(truth) = value.kind else {
        let help = if value.as_str().is_some() { "remove the quotes" } else { "write `true` or `false`" };
        out.push(wrong(value, what, "`true` or `false`").help(help));
        return None;
    };
    Some(Spanned::new(truth, value.span))
}

/// A word of a list, as what it stands for; told if it is none.
pub(in crate::front) fn word<T: Copy>(
    value: &Value,
    what: &str,
    words: &[(&str, T)],
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<T>> {
    let text = text(value, what, out)?;
    if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text.value) {
        return Some(Spanned::new(*meaning, value.span));
    }
    let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
    let new = Diagnostic::new(Code::E0204, value.span, format!("{what} cannot be `{}`", text.value));
    out.push(new.with_label("not an allowed value").help(format!("write one of {}", all.join(", "))));
    None
}

/// The place of a string's text, without its quotes.
pub(in crate::front) fn inner(value: &Value) -> Span {
    value.as_str().map_or(value.span, |text| value.span_within(0..text.len()))
}

/// Whether a file's name is one of settings (`settings.local.json`,
/// `managed-settings.json`), which may be about other things than hooks.
pub(in crate::front) fn is_settings(path: &str) -> bool {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.split('.').next().is_some_and(|name| name.to_ascii_lowercase().contains("settings"))
}

/// Whether a key is a note to the reader: JSON has no other comments.
pub(in crate::front) fn is_comment(key: &str) -> bool {
    key.starts_with(['_', '#']) || key.starts_with("//") || matches!(key, "$comment" | "comment" | "comments")
}

/// The warning for such a key.
pub(in crate::front) fn comment(key: &Spanned<String>) -> Diagnostic {
    let message = format!("the key `{}` is a comment", key.node);
    let new = Diagnostic::new(Code::W0233, key.span, message).with_label("no program reads it");
    new.help("use `description` to describe a hook")
}

/// The warning for a key that an object has twice.
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

/// The warning for handlers that stand in no group.
pub(in crate::front) fn flat(span: Span, count: usize) -> Diagnostic {
    let message = match count {
        1 => "a handler is outside a group".to_owned(),
        count => format!("{count} handlers are outside a group"),
    };
    let new = Diagnostic::new(Code::W0238, span, message);
    new.with_label(if count == 1 { "this handler" } else { "the first one" })
        .note("Claude Code ignores such a handler; hookc runs it in order, and it can deny the event")
        .help("put it into a group: `{\"hooks\": [{\"type\": ...}]}`")
}

/// The thousands of a round number of them.
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
