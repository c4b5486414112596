//! Words for what is not JSON.

use std::ops::Range;

use hookc_schema::{Code, Diagnostic, Span};
use jsonc_parser::ParseStringErrorKind as InString;
use jsonc_parser::errors::ParseErrorKind as Kind;

/// The diagnostic for what the parser stumbled over at `range` of `text`.
pub(super) fn diagnostic(
    kind: &Kind,
    text: &str,
    range: Range<usize>,
    span: impl Fn(Range<usize>) -> Span,
) -> Diagnostic {
    let at = span(place(kind, text, range.clone()));
    if let Kind::NestingDepthExceeded = kind {
        let message = format!("values are nested more than {} deep", crate::limits::NESTING);
        return Diagnostic::new(Code::E0103, at, message).with_label("one level too many");
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
    ("a placeholder of a template is no JSON", "begins here", "fill the template in first");

/// Whether a placeholder such as `{{ x }}` stands there.
fn is_template(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or("").trim_start();
    ["{{", "{%", "<%", "${"].iter().any(|begin| rest.starts_with(begin))
}

/// What is underlined: of something unfinished its beginning.
fn place(kind: &Kind, text: &str, range: Range<usize>) -> Range<usize> {
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
        Kind::UnterminatedObject => ("an object that does not end", "begins here", "write its `}`"),
        Kind::UnterminatedArray => ("an array that does not end", "begins here", "write its `]`"),
        Kind::UnterminatedCommentBlock => ("a comment that does not end", "begins here", "write its `*/`"),
        Kind::MultipleRootJsonValues => (
            "more behind the end of the value",
            "not part of it",
            "remove it, or what closes the value early",
        ),
        Kind::UnexpectedCloseBrace => ("a `}` that closes nothing", "not here", "remove it, or write `]`"),
        Kind::UnexpectedCloseBracket => ("a `]` that closes nothing", "not here", "remove it, or write `}`"),
        Kind::UnexpectedColon => ("a `:` without a key before it", "not here", "`key: value` stands in `{}`"),
        Kind::UnexpectedComma => ("a comma too many", "nothing stands before it", "remove it"),
        Kind::UnexpectedTokenInObject => {
            ("something that is no key in an object", "a key is wanted here", "write `\"key\": value`")
        }
        Kind::HexadecimalNumbersNotAllowed => ("a hexadecimal number", "not JSON's", DIGITS),
        Kind::UnaryPlusNumbersNotAllowed => ("a number with a `+`", "this sign", "remove it"),
        Kind::BareDecimalPointNumbersNotAllowed => {
            ("a number without a digit beside its point", "here", DIGITS)
        }
        Kind::NonFiniteNumbersNotAllowed => ("a number that JSON cannot say", "this", DIGITS),
        _ => ("a number that is not finished", "here", DIGITS),
    }
}

/// A word or character that begins no value.
fn unexpected(text: &str, range: Range<usize>) -> Words {
    let rest = text.get(range.start..).unwrap_or("");
    let words = [("True", "write `true`"), ("False", "write `false`"), ("None", "write `null`")];
    let help = words.iter().find(|(word, _)| rest.starts_with(word)).map_or(QUOTES, |(_, help)| help);
    ("a word that is no JSON", "no value", help)
}

fn in_string(kind: &InString) -> Words {
    match kind {
        InString::UnterminatedStringLiteral => {
            ("a string that does not end", "begins here", "write its `\"`")
        }
        InString::InvalidUnicodeEscapeSequence(_) | InString::ExpectedFourHexDigits => (
            "an escape that stands for no character",
            "this escape",
            "write `\\u` with four hexadecimal digits; what is beyond them takes a pair",
        ),
        _ => (
            "an escape that JSON does not have",
            "this escape",
            "to mean the backslash itself, write `\\\\`; JSON has `\\\" \\\\ \\/ \\b \\f \\n \\r \\t` and `\\uXXXX`",
        ),
    }
}
