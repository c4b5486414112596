//! Describes text that is not JSON.

use std::ops::Range;

use hookc_schema::{Code, Diagnostic, Span};
use jsonc_parser::ParseStringErrorKind as InString;
use jsonc_parser::errors::ParseErrorKind as Kind;

/// The diagnostic for the parser's error at `range` of `text`.
pub(super) fn diagnostic(
    kind: &Kind,
    text: &str,
    range: Range<usize>,
    span: impl Fn(Range<usize>) -> Span,
) -> Diagnostic {
    if let Some(open) = unclosed_string(text, range.start) {
        let new = Diagnostic::new(Code::E0108, span(open..open + 1), NO_END.0);
        return new.with_label(NO_END.1).help(NO_END.2);
    }
    let at = span(error_range(kind, text, range.clone()));
    if let Kind::NestingDepthExceeded = kind {
        let message = format!("values are nested deeper than {}", crate::limits::NESTING);
        return Diagnostic::new(Code::E0103, at, message).with_label("exceeds the limit");
    }
    let (message, label, help) = match kind {
        _ if is_template(text, range.start) => TEMPLATE,
        Kind::String(kind) => in_string(kind),
        Kind::UnexpectedWord | Kind::UnexpectedToken => unexpected(text, range),
        kind => words(kind),
    };
    let new = Diagnostic::new(Code::E0108, at, message).with_label(label).help(help);
    match kind {
        Kind::UnterminatedArray | Kind::UnterminatedObject => {
            let end = text.trim_end().len();
            new.also(span(end..end), "the text ends here")
        }
        _ => new,
    }
}

/// The opening quote of the first string before `end` that continues on the next line: its own
/// closing quote is missing, and it ends at a quote that opens another string.
fn unclosed_string(text: &str, end: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..end)?.find(['"', '/']) {
        let start = at + found;
        let rest = text.get(start..)?;
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find(['\n', '\r']),
            [b'/', b'*', ..] => rest.find("*/").map(|at| at + 2),
            [b'/', ..] => Some(1),
            _ => {
                let inner = rest.get(1..)?;
                let string = quoted(inner);
                if string.contains(['\n', '\r']) {
                    return Some(start);
                }
                Some(string.len() + 2)
            }
        };
        at = start + length?;
    }
    None
}

/// The text up to the next quote that is not escaped.
fn quoted(text: &str) -> &str {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

const TEMPLATE: Words =
    ("a template placeholder is not JSON", "starts here", "substitute the template first");

/// Whether there is a placeholder such as `{{ x }}`.
fn is_template(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or("").trim_start();
    ["{{", "{%", "<%", "${"].iter().any(|begin| rest.starts_with(begin))
}

/// The underlined range: for something incomplete, its start.
fn error_range(kind: &Kind, text: &str, range: Range<usize>) -> Range<usize> {
    let one = |at: usize| {
        let next = text.get(at..).and_then(|rest| rest.chars().next());
        at..at + next.map_or(0, char::len_utf8)
    };
    match kind {
        Kind::UnterminatedArray | Kind::UnterminatedObject | Kind::NestingDepthExceeded => one(range.start),
        Kind::UnterminatedCommentBlock => range.start..(range.start + 2).min(text.len()),
        Kind::String(InString::UnterminatedStringLiteral) => one(range.start),
        Kind::ExpectedComma => range,
        _ if range.end <= range.start => one(range.start),
        _ if text.get(range.clone()).is_none_or(|part| part.contains('\n')) => one(range.start),
        _ => range,
    }
}

type Words = (&'static str, &'static str, &'static str);

const NO_END: Words =
    ("a string without its end", "starts here", "write the `\"`; a line break inside a string is `\\n`");
const AFTER_STRING: Words = (
    "text after a closing quote",
    "the string ends before this",
    "close the string where it ends; a quote inside it is `\\\"`",
);
const QUOTES: &str = "put it in double quotes";
const DIGITS: &str = "write a number such as `5`, `0.5` or `1e3`";

fn words(kind: &Kind) -> Words {
    match kind {
        Kind::ExpectedComma => ("a comma is missing", "before what follows", "write `,` here"),
        Kind::ExpectedColonAfterObjectKey => ("a `:` is missing after a key", "instead of this", "write `:`"),
        Kind::ExpectedObjectValue => ("a key without a value", "its value is missing", "write a value"),
        Kind::ExpectedStringObjectProperty => ("a key without quotes", "this key", QUOTES),
        Kind::SingleQuotedStringsNotAllowed => ("a string in single quotes", "this quote", QUOTES),
        Kind::UnterminatedObject => ("an object without its end", "starts here", "write the `}`"),
        Kind::UnterminatedArray => ("an array without its end", "starts here", "write the `]`"),
        Kind::UnterminatedCommentBlock => ("a comment without its end", "starts here", "write the `*/`"),
        Kind::MultipleRootJsonValues => (
            "more text after the end of the value",
            "not part of it",
            "remove it, or the bracket that closes the value too early",
        ),
        Kind::UnexpectedCloseBrace => ("an unmatched `}`", "not allowed here", "remove it, or write `]`"),
        Kind::UnexpectedCloseBracket => ("an unmatched `]`", "not allowed here", "remove it, or write `}`"),
        Kind::UnexpectedColon => {
            ("a `:` without a key before it", "not allowed here", "put `key: value` inside `{}`")
        }
        Kind::UnexpectedComma => ("an extra comma", "no element before it", "remove it"),
        Kind::UnexpectedTokenInObject => {
            ("an object needs a key here", "expected a key", "write `\"key\": value`")
        }
        Kind::HexadecimalNumbersNotAllowed => ("a hexadecimal number", "not JSON", DIGITS),
        Kind::UnaryPlusNumbersNotAllowed => ("a number with a `+`", "this sign", "remove it"),
        Kind::BareDecimalPointNumbersNotAllowed => {
            ("a number needs digits on both sides of its point", "here", DIGITS)
        }
        Kind::NonFiniteNumbersNotAllowed => ("a number that JSON cannot represent", "this", DIGITS),
        _ => ("an incomplete number", "here", DIGITS),
    }
}

/// A word or character that starts no value.
fn unexpected(text: &str, range: Range<usize>) -> Words {
    let (before, rest) = text.split_at_checked(range.start).unwrap_or(("", ""));
    if before.ends_with('"') {
        return AFTER_STRING;
    }
    let words = [("True", "write `true`"), ("False", "write `false`"), ("None", "write `null`")];
    let help = words.iter().find(|(word, _)| rest.starts_with(word)).map_or(QUOTES, |(_, help)| help);
    ("an unknown word", "not a value", help)
}

fn in_string(kind: &InString) -> Words {
    match kind {
        InString::UnterminatedStringLiteral => NO_END,
        InString::InvalidUnicodeEscapeSequence(_) | InString::ExpectedFourHexDigits => (
            "an escape for an invalid character",
            "this escape",
            "write `\\u` with four hexadecimal digits, or a surrogate pair for higher characters",
        ),
        _ => (
            "an escape that JSON does not have",
            "this escape",
            "for a literal backslash, write `\\\\`; JSON has `\\\" \\\\ \\/ \\b \\f \\n \\r \\t` and \
             `\\uXXXX`",
        ),
    }
}
