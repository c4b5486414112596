//! Finds the front matter of a Markdown text: from `---` as the first line to the next line `---`
//! or `...`.

use std::ops::Range;

/// The front matter of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FrontMatter {
    /// No front matter; the range where it would start.
    None(Range<usize>),
    /// The start of front matter without an end.
    Open(Range<usize>),
    /// Front matter with its end.
    Found {
        /// The end of the YAML text, which starts with the first mark.
        end: usize,
        /// The start of the text after it.
        body: usize,
    },
}

impl FrontMatter {
    /// Finds it. Linear.
    pub(super) fn read(text: &str) -> Self {
        let mut lines = lines(text);
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let Some((first, line)) = lines.next() else { return Self::None(0..0) };
        let begin = bom..first.end.max(bom);
        if mark(line.strip_prefix('\u{feff}').unwrap_or(line)) != Some("---") {
            return Self::None(begin);
        }
        let next = lines.find(|(_, line)| mark(line).is_some());
        next.map_or(Self::Open(begin), |(range, line)| Self::Found {
            end: range.start,
            body: (range.start + line.len()).min(text.len()),
        })
    }
}

/// The mark in a line, if it is one.
fn mark(line: &str) -> Option<&'static str> {
    let line = line.trim_end();
    ["---", "..."].into_iter().find(|mark| line == *mark)
}

/// The lines of a text including their ends, with the range of each excluding its end. A carriage return ends
/// a line as well, with a line feed or alone.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        let (line, after) = rest.split_at(rest.find(['\r', '\n']).unwrap_or(rest.len()));
        let end = if after.starts_with("\r\n") { 2 } else { after.len().min(1) };
        at += line.len() + end;
        Some((start..start + line.len(), text.get(start..at)?))
    })
}

#[cfg(test)]
#[allow(clippy::string_slice, reason = "tests")]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, &str)> {
        match FrontMatter::read(text) {
            FrontMatter::Found { end, body } => Some((&text[..end], &text[body..])),
            _ => None,
        }
    }

    #[test]
    fn marks_are_lines() {
        assert_eq!(parts("---\na: 1\n---\nb"), Some(("---\na: 1\n", "b")));
        assert_eq!(parts("---\r\na: 1\r\n---\r\nb"), Some(("---\r\na: 1\r\n", "b")));
        assert_eq!(parts("---\ra: 1\r\r---\rb"), Some(("---\ra: 1\r\r", "b")));
        assert_eq!(parts("\u{feff}--- \na: 1\n---"), Some(("\u{feff}--- \na: 1\n", "")));
        assert_eq!(parts("---\n---\n---\n"), Some(("---\n", "---\n")));
        assert_eq!(parts("---\na: |\n  ---\n...\nb"), Some(("---\na: |\n  ---\n", "b")));
        assert_eq!(FrontMatter::read("---\na: 1\n"), FrontMatter::Open(0..3));
        assert_eq!(FrontMatter::read(""), FrontMatter::None(0..0));
        assert_eq!(FrontMatter::read("# t\n---\na: 1\n---\n"), FrontMatter::None(0..3));
        assert_eq!(FrontMatter::read("\n---\na: 1\n---\n"), FrontMatter::None(0..0));
        assert_eq!(FrontMatter::read("----\n"), FrontMatter::None(0..4));
    }
}
