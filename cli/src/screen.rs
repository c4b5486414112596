//! What the verbs print for people: colours, tables, widths and times.

use std::borrow::Cow;
use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
use std::time::{Duration, SystemTime};

use comfy_table::{ContentArrangement, Table, presets};
use hookc_schema::terminal::escape;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A colour of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Red = 31,
    Green = 32,
    Yellow = 33,
}

/// Whether texts have colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style(pub(crate) bool);

impl Style {
    /// An escaped text in a colour.
    pub(crate) fn paint(self, text: &str, colour: Colour) -> String {
        if self.0 { format!("\u{1b}[{}m{text}\u{1b}[0m", colour as u8) } else { text.to_owned() }
    }
}

/// The columns of a line in a pipe.
pub(crate) const PIPE: u16 = 120;

/// The width of standard output; `None` if it is not a terminal. `COLUMNS` overrides it.
pub(crate) fn width() -> Option<u16> {
    width_of(&stdout())
}

/// Like `width`, for standard error.
pub(crate) fn stderr_width() -> Option<u16> {
    width_of(&stderr())
}

fn width_of<S: AsFd + IsTerminal>(stream: &S) -> Option<u16> {
    if !stream.is_terminal() {
        return None;
    }
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = columns.filter(|columns| *columns > 0);
    columns.or_else(|| rustix::termios::tcgetwinsize(stream).ok().map(|size| size.ws_col).filter(|&n| n > 0))
}

/// Lets a table wrap its cells to the width of the terminal, if there is one.
pub(crate) fn fit(table: &mut Table) {
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
}

/// A table without lines.
pub(crate) fn table<'h>(header: impl IntoIterator<Item = &'h str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table
}

/// The lines of a table, without trailing whitespace.
pub(crate) fn lines(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The escaped start of a text, of at most so many columns.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let text = escape(text);
    if columns(&text) <= most {
        return text.into_owned();
    }
    let mut width = 1;
    let fits = |next: &char| {
        width += next.width().unwrap_or(0);
        width <= most
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// The escaped end of a text, of at most so many columns: the end of a location tells files apart.
pub(crate) fn cut_start(text: &str, most: usize) -> String {
    let text = escape(text);
    if columns(&text) <= most {
        return text.into_owned();
    }
    let mut width = 1;
    let too_long = text.char_indices().rev().find(|(_, next)| {
        width += next.width().unwrap_or(0);
        width > most
    });
    let start = too_long.map_or(0, |(at, next)| at + next.len_utf8());
    format!("…{}", text.get(start..).unwrap_or_default())
}

/// The columns of a text in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The least columns of a text next to what precedes it.
const NARROW: usize = 24;

/// Words after the start of a line, in lines of at most `columns`, each below the first word. Where that leaves too
/// little, the words begin on the next line.
pub(crate) fn hanging(start: &str, words: &str, columns: Option<u16>) -> String {
    let indent = self::columns(start);
    let Some(columns) = columns.map(usize::from) else {
        return format!("{start}{words}").trim_end().to_owned();
    };
    if words.is_empty() || indent + self::columns(words) <= columns {
        return format!("{start}{words}").trim_end().to_owned();
    }
    let (mut out, indent) = match columns.saturating_sub(indent) >= NARROW {
        true => (start.to_owned(), indent),
        false => (format!("{}\n{:8}", start.trim_end(), ""), 8),
    };
    let mut at = indent;
    for (number, word) in words.split_whitespace().enumerate() {
        let length = self::columns(word);
        if number > 0 && at + 1 + length > columns {
            out.push_str(&format!("\n{:indent$}", ""));
            at = indent;
        } else if number > 0 {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += length;
    }
    out
}

/// The lines of a text, in lines of at most so many columns: each continues below its first word. Lines of a source and
/// what is in backticks are not broken.
pub(crate) fn folded(text: &str, columns: Option<u16>) -> Cow<'_, str> {
    let Some(columns) = columns.map(usize::from) else { return Cow::Borrowed(text) };
    if text.lines().all(|line| self::columns(&shown(line)) <= columns) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let plain = shown(content);
        if self::columns(&plain) <= columns || is_source(&plain) {
            out.push_str(content);
        } else {
            fold(content, &plain, columns, &mut out);
        }
        out.push_str(end);
    }
    Cow::Owned(out)
}

/// Breaks a line at spaces.
fn fold(line: &str, plain: &str, columns: usize, out: &mut String) {
    let start = plain.chars().take_while(|next| *next == ' ').count();
    let label = ["= note: ", "= help: "].iter().find(|label| plain.trim_start().starts_with(**label));
    let indent = (start + label.map_or(2, |label| label.len())).min(columns / 2);
    let is_quoted = line.matches('`').count().is_multiple_of(2);
    let (mut at, mut spaces, mut word) = (0, 0, String::new());
    let mut place = |word: &mut String, spaces: usize| {
        let length = self::columns(&shown(word));
        if at > indent && at + spaces + length > columns {
            out.push_str(&format!("\n{:indent$}", ""));
            at = indent;
        } else {
            out.push_str(&" ".repeat(spaces));
            at += spaces;
        }
        out.push_str(word);
        at += length;
        word.clear();
    };
    let mut in_quotes = false;
    for next in line.chars() {
        in_quotes ^= next == '`' && is_quoted;
        if next != ' ' || in_quotes {
            word.push(next);
            continue;
        }
        if !word.is_empty() {
            place(&mut word, std::mem::take(&mut spaces));
        }
        spaces += 1;
    }
    // Spaces at the end are not kept.
    let spaces = if word.is_empty() { 0 } else { spaces };
    place(&mut word, spaces);
}

/// A line of a source, or its location.
fn is_source(plain: &str) -> bool {
    let line = plain.trim_start();
    let rest = line.trim_start_matches(|next: char| next.is_ascii_digit());
    let is_numbered =
        rest.len() < line.len() && [" | ", " - ", " + "].iter().any(|sign| rest.starts_with(sign));
    is_numbered || ["| ", "--> ", "::: "].iter().any(|sign| line.starts_with(sign))
}

/// A line without its colours.
fn shown(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text));
    Cow::Owned(rest.fold(first, |text, part| text + part))
}

/// How long ago a time was: `3 minutes ago`.
pub(crate) fn ago(time: SystemTime, now: SystemTime) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let seconds = now.duration_since(time).unwrap_or(Duration::ZERO).as_secs();
    let unit = UNITS.iter().find(|(length, _)| seconds >= *length);
    let Some((length, name)) = unit else { return "now".to_owned() };
    let count = seconds / length;
    format!("{count} {name}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_relative() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (seconds, expected) in [
            (0, "now"),
            (1, "1 second ago"),
            (119, "1 minute ago"),
            (7200, "2 hours ago"),
            (86_400 * 3 + 5, "3 days ago"),
        ] {
            assert_eq!(ago(now - Duration::from_secs(seconds), now), expected);
        }
        assert_eq!(ago(now + Duration::from_secs(9), now), "now");
    }

    #[test]
    fn words_hang_below_one_another() {
        assert_eq!(hanging("a  ", "b c", None), "a  b c");
        assert_eq!(hanging("a  ", "b c", Some(40)), "a  b c");
        let words = "one two three four five six seven";
        assert_eq!(hanging("name  ", words, Some(30)), "name  one two three four five\n      six seven");
        assert_eq!(
            hanging(&"n".repeat(20), words, Some(30)),
            format!("{}\n        one two three four\n        five six seven", "n".repeat(20))
        );
        assert_eq!(hanging("name  ", "", Some(3)), "name");
    }

    #[test]
    fn lines_are_folded() {
        let cases = [
            ("  one two three", "  one two\n    three"),
            ("one  two\nx", "one  two\nx"),
            ("one two `three four`", "one two\n  `three four`"),
            ("1 | one two three four", "1 | one two three four"),
            ("\u{1b}[31mone\u{1b}[0m two three", "\u{1b}[31mone\u{1b}[0m two\n  three"),
            ("a-word-that-is-long and", "a-word-that-is-long\n  and"),
            ("one 'two` three", "one 'two`\n  three"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(folded(text, Some(11)), expected, "{text}");
            assert_eq!(folded(text, None), text);
        }
    }

    #[test]
    fn cut_texts_keep_the_end_that_matters() {
        assert_eq!((cut("abcdef", 4), cut_start("abcdef", 4)), ("abc…".to_owned(), "…def".to_owned()));
        assert_eq!((cut("ab\n", 4), cut_start("abc", 3)), (escape("ab\n").into_owned(), "abc".to_owned()));
        assert_eq!((cut("日本語", 4), cut_start("日本語", 4)), ("日…".to_owned(), "…語".to_owned()));
    }
}
