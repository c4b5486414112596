//! Finds the span of a path step in its source.

use std::ops::Range;

use hookc_schema::Span;
use hookc_schema::tree::{Path, ViewKind};

/// The span of step `index` of a singular path, without quotes and brackets. `None` if the path was
/// written with escapes, so that its spans are unknown.
pub(crate) fn step(path: &Path, index: usize) -> Option<Span> {
    let (span, text) = (path.span, &*path.text);
    if span.range().len() != text.len() {
        return None;
    }
    let range = pieces(text).nth(index)?;
    let start = span.range().start;
    Some(Span::new(span.source, start + range.start..start + range.end))
}

/// The ranges of the names and indices of a singular path, in order.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> {
    let argument = |kind: &ViewKind| text.strip_prefix(kind.name())?.strip_prefix('(');
    let source = ViewKind::ALL.iter().find_map(argument).map_or(text, str::trim_start);
    let mut at = text.len() - source.len() + usize::from(source.starts_with('$'));
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let skipped = rest.len() - rest.trim_start_matches(['.', ' ', '[', ']', ')']).len();
        let start = at + skipped;
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (range, next) = match rest.chars().next() {
            Some(quote @ ('\'' | '"')) => quoted(rest, quote)?,
            _ => {
                let end = rest.find(['.', '[', ']', ' ', ')']).unwrap_or(rest.len());
                (0..end, end)
            }
        };
        at = start + next;
        Some(start + range.start..start + range.end)
    })
}

/// The content of a quoted name, and the position after it.
fn quoted(text: &str, quote: char) -> Option<(Range<usize>, usize)> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some((1..at, at + 1)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn steps_of_both_spellings() {
        let texts =
            |text: &'static str| pieces(text).map(|range| text.get(range).unwrap()).collect::<Vec<_>>();
        assert_eq!(texts("a.b.c"), ["a", "b", "c"]);
        assert_eq!(texts("items[0].x[-1]"), ["items", "0", "x", "-1"]);
        assert_eq!(
            texts(r#"error.headers['retry-after'].y["a.b\"]"]"#),
            ["error", "headers", "retry-after", "y", r#"a.b\"]"#]
        );
        assert_eq!(texts("$.event['x'][ 3 ]"), ["event", "x", "3"]);
        assert_eq!(texts("$"), [""; 0]);
        assert_eq!(texts("file(a.b).path"), ["a", "b", "path"]);
        assert_eq!(texts("shell( $.a[0] ).ok"), ["a", "0", "ok"]);
        assert_eq!(texts("files.x"), ["files", "x"]);
    }
}
