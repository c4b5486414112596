//! What the verbs print for people: colours, tables, widths and times.

use std::io::IsTerminal;
use std::time::{Duration, SystemTime};

use comfy_table::{ContentArrangement, Table, presets};
use hookc_schema::terminal::escape;

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

/// The width of the terminal; `None` if the output goes elsewhere. `COLUMNS` overrides it.
pub(crate) fn width() -> Option<u16> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = columns.filter(|columns| *columns > 0);
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    columns.or_else(|| rustix::termios::tcgetwinsize(&stdout).ok().map(|size| size.ws_col).filter(|&n| n > 0))
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

/// The escaped start of a text, of at most so many characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let text = escape(text);
    match text.char_indices().nth(most) {
        None => text.into_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The escaped end of a text, of at most so many characters: the end of a location tells files apart.
pub(crate) fn cut_start(text: &str, most: usize) -> String {
    let text = escape(text);
    match text.chars().count().checked_sub(most) {
        None | Some(0) => text.into_owned(),
        Some(over) => std::iter::once('…').chain(text.chars().skip(over + 1)).collect(),
    }
}

/// The least columns of a text next to what precedes it.
const NARROW: usize = 24;

/// Words after the start of a line, in lines of at most `columns`, each below the first word. Where that leaves too
/// little, the words begin on the next line.
pub(crate) fn hanging(start: &str, words: &str, columns: Option<u16>) -> String {
    let indent = start.chars().count();
    let Some(columns) = columns.map(usize::from) else {
        return format!("{start}{words}").trim_end().to_owned();
    };
    if words.is_empty() || indent + words.chars().count() <= columns {
        return format!("{start}{words}").trim_end().to_owned();
    }
    let (mut out, indent) = match columns.saturating_sub(indent) >= NARROW {
        true => (start.to_owned(), indent),
        false => (format!("{}\n{:8}", start.trim_end(), ""), 8),
    };
    let mut at = indent;
    for (number, word) in words.split_whitespace().enumerate() {
        let length = word.chars().count();
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
    fn cut_texts_keep_the_end_that_matters() {
        assert_eq!((cut("abcdef", 4), cut_start("abcdef", 4)), ("abc…".to_owned(), "…def".to_owned()));
        assert_eq!((cut("ab\n", 4), cut_start("abc", 3)), (escape("ab\n").into_owned(), "abc".to_owned()));
    }
}
