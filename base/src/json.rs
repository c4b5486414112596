//! Canonical JSON (RFC 8785): how strings are escaped, how keys are ordered.

use std::cmp::Ordering;
use std::fmt::Write;

/// Appends a string in quotes, escaped as RFC 8785 §3.2.2.2 does.
pub fn push_string(text: &str, out: &mut String) {
    let special = |c: char| c < ' ' || c == '"' || c == '\\';
    out.push('"');
    let mut rest = text;
    while let Some((before, after)) = rest.find(special).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let mut chars = after.chars();
        chars.next().into_iter().for_each(|c| push_char(c, out));
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Appends a character of a string, escaped as RFC 8785 §3.2.2.2 does.
pub fn push_char(c: char, out: &mut String) {
    match c {
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '"' | '\\' => out.extend(['\\', c]),
        c if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
        c => out.push(c),
    }
}

/// The bytes that [`push_char`] appends.
#[must_use]
pub fn char_length(c: char) -> usize {
    match c {
        '\u{8}' | '\t' | '\n' | '\u{c}' | '\r' | '"' | '\\' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

/// A string in quotes, as [`push_string`] writes it.
///
/// ```
/// assert_eq!(hookc_base::json::quoted("a \"b\""), r#""a \"b\"""#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(text, &mut out);
    out
}

/// The order of keys of RFC 8785 §3.2.3: by UTF-16 code units. It is the order
/// of the bytes, except that surrogates precede U+E000 to U+FFFF.
#[must_use]
pub fn key_order(a: &str, b: &str) -> Ordering {
    let differing = a.bytes().zip(b.bytes()).find(|(a, b)| a != b);
    match differing {
        Some((a @ 0xee.., b @ 0xee..)) if (a >= 0xf0) != (b >= 0xf0) => b.cmp(&a),
        _ => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_by_utf16_code_units() {
        let keys =
            ["", "a", "ab", "b", "\u{e9}", "\u{d7ff}", "\u{e000}", "\u{fb33}", "\u{ffff}", "\u{1f600}"];
        for a in keys {
            for b in keys {
                assert_eq!(key_order(a, b), a.encode_utf16().cmp(b.encode_utf16()), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn strings_escape_what_must_be() {
        let mut out = String::new();
        push_string("a\"\\\n\u{1}\u{7f}/é", &mut out);
        assert_eq!(out, "\"a\\\"\\\\\\n\\u0001\u{7f}/é\"");
        for c in ('\0'..'\u{400}').chain(['\u{ffff}', '\u{10000}']) {
            assert_eq!(char_length(c) + 2, quoted(&c.to_string()).len(), "{c:?}");
        }
    }
}
