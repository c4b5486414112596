//! Strings and values.

use std::fmt::Write as _;

use hookc_schema::value::{Kind, Value};

use super::Operators;
use crate::expr::reader::is_hidden;

/// The style of strings and lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    quote: char,
    /// Whether `<`, `&` and `"` are escaped.
    xml: bool,
    /// After a comma and a colon.
    gap: &'static str,
}

impl Style {
    /// Compact JSON.
    pub(super) const JSON: Self = Self { quote: '"', xml: false, gap: "" };
    /// As expressions have it: paths with the escapes of RFC 9535 in single
    /// quotes, values raw.
    pub(super) const SINGLE: Self = Self { quote: '\'', xml: false, gap: " " };
    /// Like `SINGLE`, for paths without characters that XML would have to escape.
    pub(super) const XML: Self = Self { quote: '\'', xml: true, gap: " " };

    /// How comparisons next to such strings are written.
    pub(super) const fn operators(self) -> Operators {
        if self.xml { Operators::Words } else { Operators::Symbols }
    }
}

/// A string as a literal: raw in single quotes, in double quotes with JSON's
/// escapes where characters would not be seen.
pub(super) fn literal(out: &mut String, text: &str) {
    if text.chars().any(is_hidden) {
        return string(out, text, Style::JSON);
    }
    out.push('\'');
    for part in text.split_inclusive('\'') {
        out.push_str(part);
        if part.ends_with('\'') {
            out.push('\'');
        }
    }
    out.push('\'');
}

/// A quoted string with escapes: of JSON, or of a path.
pub(super) fn string(out: &mut String, text: &str, style: Style) {
    out.push(style.quote);
    for c in text.chars() {
        character(out, c, style);
    }
    out.push(style.quote);
}

fn character(out: &mut String, c: char, style: Style) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '<' | '&' | '"' if style.xml => escape(out, c),
        c if c == style.quote => out.extend(['\\', c]),
        c if is_hidden(c) => escape(out, c),
        c => out.push(c),
    }
}

fn escape(out: &mut String, c: char) {
    let _infallible = write!(out, "\\u{:04x}", u32::from(c));
}

/// A value of any kind.
pub(super) fn value(out: &mut String, value: &Value, style: Style) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Num(number) => out.push_str(&number.0),
        Kind::Str(text) => text_of(out, &text.value, style),
        Kind::Seq(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                comma(out, at, style);
                self::value(out, item, style);
            }
            out.push(']');
        }
        Kind::Map(members) => {
            out.push('{');
            for (at, member) in members.iter().enumerate() {
                comma(out, at, style);
                text_of(out, &member.key.node, style);
                out.push(':');
                out.push_str(style.gap);
                self::value(out, &member.value, style);
            }
            out.push('}');
        }
    }
}

fn text_of(out: &mut String, text: &str, style: Style) {
    match style.quote {
        '"' => string(out, text, style),
        _ => literal(out, text),
    }
}

fn comma(out: &mut String, at: usize, style: Style) {
    if at > 0 {
        out.push(',');
        out.push_str(style.gap);
    }
}
