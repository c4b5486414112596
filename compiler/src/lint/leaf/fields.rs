//! Tests of a field by its name, whatever the event is: text that looks like a pattern (W0617), globs of URLs (W0622),
//! quotes and whitespace (W0624), URLs without a scheme (W0628). Templates of fields of the event (W0618).

use hookc_schema::tree::Op;
use hookc_syntax::expr::print::literal;
use hookc_vm::text::glob;

use super::Subject::{If, Named};
use super::pattern_like::{PatternLike, pattern_like};
use super::{ANY, GLOB, LITERAL, Row, Tested, WHOLE, Wrong, rows};
use crate::fields::{PATHS, URL, is_tool_name, of_host};
use crate::lint::foreign_template::hole;

/// Operators that compare the start of a text.
const STARTS: &[Op] = &[Op::Eq, Op::Ne, Op::In, Op::StartsWith];

/// The first that says something is reported.
pub(super) const ROWS: &[Row] = rows! {
    W0624 If(is_text), WHOLE, in_quotes => "the quotes are a part of this text", "compared with its quotes";
    W0624 If(is_name), LITERAL, padded => "the whitespace is a part of this text", "compared with its whitespace";
    W0628 Named(&[URL]), STARTS, without_scheme =>
        "a URL without `http://` or `https://`", "no URL of an event starts with this";
    W0622 Named(&[URL]), GLOB, never_whole =>
        "this glob is false for a URL with a `/` where it has `*`, or after it", "`*` stops at a slash";
    W0617 If(is_text), LITERAL, looks_like_glob =>
        "`{op}` compares text, and this looks like a glob", "compared character by character";
    W0617 If(is_text), LITERAL, looks_like_regex =>
        "`{op}` compares text, and this looks like a regular expression", "compared character by character";
    W0617 If(is_text), LITERAL, looks_like_names =>
        "`{op}` compares text, and this looks like several alternatives", "compared character by character";
};

/// Fields with patterns, code or prose, in which any text is plausible.
const ANYTHING: [&str; 16] = [
    "pattern",
    "glob",
    "regex",
    "query",
    "matcher",
    "include",
    "exclude",
    "content",
    "new_string",
    "old_string",
    "new_source",
    "code",
    "script",
    "patch",
    "expression",
    "format",
];

/// Whether any text is plausible in a field.
pub(super) fn holds_anything(field: &str) -> bool {
    ANYTHING.contains(&field)
}

fn is_text(tested: &Tested<'_>) -> bool {
    !tested.field.is_empty()
}

fn is_url(tested: &Tested<'_>) -> bool {
    tested.field == URL
}

/// Whether no text of the field has whitespace at its ends.
fn is_name(tested: &Tested<'_>) -> bool {
    PATHS.contains(&&*tested.field) || is_url(tested)
}

/// `"'Bash'"`
fn in_quotes(tested: &Tested<'_>) -> Option<Wrong> {
    let quote = tested.text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = tested.text.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_enclosed = !inner.is_empty() && !inner.contains(quote);
    is_enclosed.then(|| Wrong::write(format!("write the text alone: `{}`", literal(inner))))
}

fn padded(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let inner = match tested.op {
        Op::StartsWith => text.trim_start(),
        Op::EndsWith => text.trim_end(),
        Op::Eq | Op::Ne | Op::In => text.trim(),
        _ => text,
    };
    let is_padded = inner.len() < text.len() && !inner.is_empty();
    is_padded.then(|| Wrong::write(format!("write `{}`", literal(inner))))
}

/// The help to write the test for the URLs of the host in a text.
fn write_host(tested: &Tested<'_>) -> String {
    format!("write `{}`", of_host(&tested.leaf.path.text, &tested.text))
}

fn without_scheme(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let is_host = text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.contains('.');
    let is_plain = !text.contains("://") && !text.contains(['*', '|']);
    (is_host && is_plain).then(|| Wrong::write(format!("{}, or the whole URL", write_host(tested))))
}

/// A glob that is false for `https://HOST/a/b`, for each host.
fn never_whole(tested: &Tested<'_>) -> Option<Wrong> {
    is_false_below(&tested.text).then(|| Wrong::write(write_host(tested)))
}

fn is_false_below(glob: &str) -> bool {
    let ends = |text: &str| text.ends_with("**") || !text.ends_with('*') && text.contains('/');
    match glob.split_once("://") {
        Some((_, rest)) => !ends(rest) || rest.ends_with('/') && rest.matches('/').count() == 1,
        None => !glob.starts_with("**") || glob::stars(glob).iter().any(|star| star + 1 == glob.len()),
    }
}

/// Whether a text is written as such a pattern. The names of tools are judged elsewhere (W0426).
fn looks_like(tested: &Tested<'_>, like: PatternLike) -> bool {
    pattern_like(tested.op, &tested.field, &tested.text) == Some(like) && !is_tool_name(&tested.leaf.path)
}

fn looks_like_glob(tested: &Tested<'_>) -> Option<Wrong> {
    let help = || match is_url(tested) {
        true => write_host(tested),
        false => format!("write `{}`", tested.test("glob", &whole(tested.op, &tested.text))),
    };
    looks_like(tested, PatternLike::Glob).then(|| Wrong::write(help()))
}

fn looks_like_regex(tested: &Tested<'_>) -> Option<Wrong> {
    let help = || format!("write `{}`", tested.test("=~", &tested.text));
    looks_like(tested, PatternLike::Regex).then(|| Wrong::write(help()))
}

fn looks_like_names(tested: &Tested<'_>) -> Option<Wrong> {
    if !looks_like(tested, PatternLike::Names) {
        return None;
    }
    let names = tested.text.split('|');
    let help = match WHOLE.contains(&tested.op) {
        true => {
            format!("{} in [{}]", tested.leaf.path.text, names.map(literal).collect::<Vec<_>>().join(", "))
        }
        false => names.map(|name| tested.test(tested.op.name(), name)).collect::<Vec<_>>().join(" or "),
    };
    Some(Wrong::write(format!("write `{help}`")))
}

/// Each that says something is reported: `file_path starts_with '${cwd}/src'` compares with the text itself.
pub(super) const TEMPLATES: &[Row] = rows! {
    W0618 If(is_literal), ANY, template =>
        "`{part}` is text here: conditions have no templates", "compared character by character";
};

/// Whether a text has no braces of its own: those of regular expressions and of command lines have.
fn is_literal(tested: &Tested<'_>) -> bool {
    tested.leaf.op.node != Op::Regex && !tested.leaf.path.is_command_line() && !holds_anything(&tested.field)
}

/// The first template of a field of the event.
fn template(tested: &Tested<'_>) -> Option<Wrong> {
    let (event, text) = (tested.place?.event?, &*tested.text);
    let (range, path) = hole(text, &[("${", "}"), ("{{", "}}")], |path| {
        let first = path.split(['.', '[']).next().unwrap_or_default();
        first == "event" || event.schema.property(first).is_some()
    })?;
    let written = text.get(range)?;
    let (left, op) = (&tested.leaf.path.text, tested.op);
    let takes_path = op.takes_path() && !matches!(op, Op::In | Op::Contains);
    let symbol = if takes_path { op.symbol() } else { "==" };
    Some(Wrong::new(
        written,
        match takes_path && text == written {
            true => format!("write `{left} {symbol} {path}`"),
            false => {
                format!("compare with the field, as in `{left} {symbol} {path}`, or write the text itself")
            }
        },
    ))
}

/// The glob for the whole text that a part of it was to be.
fn whole(op: Op, text: &str) -> String {
    match op {
        Op::StartsWith if !text.ends_with('*') => format!("{text}**"),
        Op::EndsWith if text.starts_with("**") => text.to_owned(),
        Op::EndsWith if text.starts_with('*') => format!("**/{text}"),
        Op::EndsWith => format!("**{text}"),
        Op::Contains => {
            let stars = |is_there: bool| if is_there { "" } else { "**" };
            format!("{}{text}{}", stars(text.starts_with('*')), stars(text.ends_with('*')))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_false_below;

    #[test]
    fn globs_that_no_url_with_a_path_matches() {
        for glob in [
            "*.example.com/*",
            "*.example.com/**",
            "example.com/**",
            "https://*.example.com",
            "https://*example.com*",
            "https://example.com/*",
            "https://example.com/",
            "*://example.com/*",
            "**example.com*",
        ] {
            assert!(is_false_below(glob), "{glob}");
        }
        for glob in [
            "https://*.example.com/**",
            "**/*.pdf",
            "https://example.com/a/*.pdf",
            "**example.com**",
            "*://*/**",
        ] {
            assert!(!is_false_below(glob), "{glob}");
        }
    }
}
