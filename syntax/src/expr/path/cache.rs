//! Paths that a policy repeats: they are parsed once.

use std::collections::HashMap;
use std::sync::Arc;

use hookc_schema::tree::{Path, PathKind, Step};
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, Span};

use super::parse_within;
use crate::limits;

/// The paths in the shorthand that were parsed, by their texts. Equal paths share text and steps.
#[derive(Debug, Default)]
pub(crate) struct PathCache(HashMap<Arc<str>, Arc<[Step]>>);

impl PathCache {
    /// Parses a path as [`parse`](super::parse) does.
    pub(crate) fn parse(&mut self, text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Path> {
        self.parse_within(text, whole, limits::NESTING, out)
    }

    /// Parses a path whose conditions about earlier events are at most `room` levels deep.
    pub(crate) fn parse_within(
        &mut self,
        text: &Text,
        whole: Span,
        room: usize,
        out: &mut Diagnostics,
    ) -> Option<Path> {
        if let Some((known, steps)) = self.0.get_key_value(text.value.as_str()) {
            let span = text.map.span(whole, 0..text.value.len());
            return Some(Path { span, text: Arc::clone(known), kind: PathKind::Short(Arc::clone(steps)) });
        }
        let path = parse_within(text, whole, room, out)?;
        if let PathKind::Short(steps) = &path.kind {
            self.0.insert(Arc::clone(&path.text), Arc::clone(steps));
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_paths_share_their_steps_and_have_their_own_spans() {
        let (mut cache, mut out) = (PathCache::default(), Diagnostics::new());
        let at = |start| Span { start, end: start + 3, ..Span::default() };
        let mut read = |text: &str, span| {
            cache.parse(&Text::plain(text), span, &mut out).map(|path| (path.span, path.kind))
        };
        let (first, second) = (read("a.b", at(0)), read("a.b", at(9)));
        let (Some((first_span, PathKind::Short(first))), Some((second_span, PathKind::Short(second)))) =
            (first, second)
        else {
            panic!("both are in the shorthand")
        };
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!((first_span, second_span), (at(0), at(9)));
        assert!(read("a..b", at(20)).is_none());
    }
}
