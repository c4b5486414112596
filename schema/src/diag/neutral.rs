//! Text from files on its way to a terminal: nothing in it may move the
//! cursor, change colours, or reorder what is shown.

use std::borrow::Cow;

/// Whether a character may trick a terminal or its reader: controls (the tab
/// and the newline too), direction marks, invisible spaces, tags.
#[must_use]
pub fn hostile(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// `text` on one line: hostile characters made visible, line ends too.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    neutral(text, |_| false)
}

/// `text` with its line ends and tabs, all other hostile characters made
/// visible.
#[must_use]
pub fn block(text: &str) -> Cow<'_, str> {
    neutral(text, |c| matches!(c, '\n' | '\t'))
}

fn neutral(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let bad = |c: char| hostile(c) && !keep(c);
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if bad(c) { picture(c) } else { c }).collect())
}

/// The visible stand-in: the Unicode control picture where there is one.
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
        assert_eq!(line("a\u{1b}[31mb"), "a\u{241b}[31mb");
        assert_eq!(line("a\nb\tc"), "a\u{240a}b\u{2409}c");
        assert_eq!(block("a\nb\r"), "a\nb\u{240d}");
        assert_eq!(line("x\u{202e}y\u{9b}z"), "x\u{fffd}y\u{fffd}z");
        assert!(matches!(line("plain, ä, 漢"), Cow::Borrowed(_)));
    }
}
