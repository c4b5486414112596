//! Untrusted text for a terminal: it must not move the cursor, change colours, forge a line, or
//! reorder or hide text.
//!
//! All text for people passes through this module: [`escape`] for a value within a line,
//! [`escape_block`] for text of several lines, [`escape_styled`] for text with our own colours,
//! [`escape_json`] for JSON.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character may mislead a terminal or its reader: controls (C0, DEL and C1, including
/// tab and newline), bidirectional controls, zero-width characters, line separators, fillers that
/// look like a space, and tags.
#[must_use]
pub fn is_hostile(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// `text` on one line: hostile characters are replaced by visible ones, line ends too.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    replaced(text, |_| false)
}

/// `text` with its line ends and tabs; all other hostile characters are replaced by
/// visible ones.
#[must_use]
pub fn escape_block(text: &str) -> Cow<'_, str> {
    replaced(text, |c| matches!(c, '\n' | '\t'))
}

/// As [`escape_block`], for text that hookc composed: sequences that set colours and weights (SGR)
/// stay. Untrusted parts must pass through [`escape`] first, otherwise they could set colours too.
#[must_use]
pub fn escape_styled(text: &str) -> Cow<'_, str> {
    let mut parts = text.split("\u{1b}[");
    let first = escape_block(parts.next().unwrap_or_default());
    let mut out = match (first, text.contains('\u{1b}')) {
        (Cow::Borrowed(first), false) => return Cow::Borrowed(first),
        (first, _) => first.into_owned(),
    };
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(part.len());
        match part.get(end..).and_then(|rest| rest.strip_prefix('m')) {
            Some(rest) if !part.get(..end).is_some_and(conceals) => {
                out.push_str("\u{1b}[");
                out.push_str(part.get(..=end).unwrap_or_default());
                out.push_str(&escape_block(rest));
            }
            _ => {
                out.push_str("\u{241b}[");
                out.push_str(&escape_block(part));
            }
        }
    }
    Cow::Owned(out)
}

/// Whether the parameters of an SGR sequence hide what follows.
fn conceals(parameters: &str) -> bool {
    parameters.split(';').any(|parameter| parameter.trim_start_matches('0') == "8")
}

/// JSON text of the same value that is safe for a terminal: hostile characters in strings become
/// `\uXXXX`. Whitespace between values stays.
#[must_use]
pub fn escape_json(json: &str) -> Cow<'_, str> {
    // Valid JSON contains controls below U+0020 only as whitespace between values.
    let bad = |c: char| c > '\u{1f}' && is_hostile(c);
    if !json.contains(bad) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut units = [0; 2];
    for c in json.chars() {
        if bad(c) {
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn replaced(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let bad = |c: char| is_hostile(c) && !keep(c);
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if bad(c) { picture(c) } else { c }).collect())
}

/// The visible replacement: the Unicode control picture if one exists.
fn picture(c: char) -> char {
    match u32::from(c) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_marks_are_shown() {
        assert_eq!(escape("a\u{1b}[31mb"), "a\u{241b}[31mb");
        assert_eq!(escape("a\nb\tc"), "a\u{240a}b\u{2409}c");
        assert_eq!(escape_block("a\nb\r"), "a\nb\u{240d}");
        assert_eq!(escape("x\u{202e}y\u{9b}z"), "x\u{fffd}y\u{fffd}z");
        assert_eq!(escape("\u{200b}\u{200d}\u{ad}\u{2028}\u{e0041}"), "\u{fffd}".repeat(5));
        assert!(matches!(escape("plain, ä, 漢, 🚀\u{fe0f}"), Cow::Borrowed(_)));
    }

    #[test]
    fn only_colours_stay() {
        let ours = "\u{1b}[1;31merror\u{1b}[0m: x\n";
        assert_eq!(escape_styled(ours), ours);
        assert!(matches!(escape_styled("a\tb\n"), Cow::Borrowed(_)));
        for (bad, shown) in [
            ("a\u{1b}[2Jb", "a\u{241b}[2Jb"),
            ("\u{1b}]0;t\u{7}\u{1b}[0m", "\u{241b}]0;t\u{2407}\u{1b}[0m"),
            ("\u{1b}[0;08mx\u{1b}[0m", "\u{241b}[0;08mx\u{1b}[0m"),
            ("\u{1b}[1\u{1b}[31m\u{9b}8m", "\u{241b}[1\u{1b}[31m\u{fffd}8m"),
            ("\u{1b}[?1049hx\u{1b}", "\u{241b}[?1049hx\u{241b}"),
        ] {
            assert_eq!(escape_styled(bad), shown);
        }
    }

    #[test]
    fn json_keeps_its_value() {
        let json = "{\n  \"a\u{9b}\u{7f}\": \"\u{202e}\u{e0041}ä\\u001b\"\n}";
        let shown = escape_json(json);
        assert!(!shown.contains(|c: char| is_hostile(c) && c != '\n'), "{shown}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&shown), value(json));
        assert!(matches!(escape_json("[1,\n\t2]"), Cow::Borrowed(_)));
    }
}
