//! The text between two values of a JSON text: whitespace, a comma, comments.

/// A gap, by offsets into the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gap {
    /// The position of its comma.
    pub(super) comma: Option<usize>,
    /// The end of its last comment.
    pub(super) comments: Option<usize>,
    /// The end of the last comma or comment.
    pub(super) solid: usize,
    /// Whether that is a comment up to the end of its line.
    pub(super) line_comment: bool,
}

/// Reads the gap between two offsets.
pub(super) fn read_gap(text: &str, start: usize, end: usize) -> Gap {
    let mut gap = Gap { solid: start, ..Gap::default() };
    let mut rest = text.get(start..end).unwrap_or("");
    while let Some(c) = rest.chars().next() {
        let at = end - rest.len();
        let length = match c {
            '/' => comment(rest),
            c => c.len_utf8(),
        };
        if c == '/' {
            (gap.comments, gap.line_comment) = (Some(at + length), rest.starts_with("//"));
        } else if c == ',' {
            gap.comma.get_or_insert(at);
            gap.line_comment = false;
        }
        if matches!(c, '/' | ',') {
            gap.solid = at + length;
        }
        rest = rest.get(length..).unwrap_or("");
    }
    gap
}

/// The length of a comment at the start of a text, without its line end.
fn comment(text: &str) -> usize {
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let line = text.find('\n').map_or(text, |end| text.get(..end).unwrap_or(text));
    line.strip_suffix('\r').unwrap_or(line).len()
}

/// The end of a comment on the same line after an offset; the offset itself without one.
pub(super) fn after(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or("");
    let trimmed = rest.trim_start_matches([' ', '\t']);
    if !trimmed.starts_with("//") && !trimmed.starts_with("/*") {
        return at;
    }
    let length = comment(trimmed);
    let one_line = trimmed.get(..length).is_some_and(|comment| !comment.contains('\n'));
    if one_line { after(text, at + (rest.len() - trimmed.len()) + length) } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_comments() {
        let text = "1 /* , */ , // x, y\r\n 2";
        let gap = read_gap(text, 1, text.len() - 1);
        assert_eq!((gap.comma, gap.line_comment), (Some(10), true));
        assert_eq!(text.get(..gap.solid), Some("1 /* , */ , // x, y"));
        assert_eq!(after(text, 11), gap.solid);
        assert_eq!(after("1, 2", 1), 1);
        assert_eq!(read_gap("[]", 1, 1), Gap { solid: 1, ..Gap::default() });
    }
}
