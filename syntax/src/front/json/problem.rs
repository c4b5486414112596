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
        Kind::UnexpectedColon => (
            "a `:` without a key before it",
            "not allowed here",
            "put `key: value` inside \
                                                                                `{}`",
        ),
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
    let rest = text.get(range.start..).unwrap_or("");
    let words = [("True", "write `true`"), ("False", "write `false`"), ("None", "write `null`")];
    let help = words.iter().find(|(word, _)| rest.starts_with(word)).map_or(QUOTES, |(_, help)| help);
    ("an unknown word", "not a value", help)
}

fn in_string(kind: &InString) -> Words {
    match kind {
        InString::UnterminatedStringLiteral => ("a string without its end", "starts here", "write the `\"`"),
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
