//! Tests of a part of a command line's text.

use hookc_schema::tree::{Leaf, Op};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::lint::text;

/// Whether a leaf is true for a text whatever else is in it.
pub(super) fn is_part(leaf: &Leaf) -> bool {
    let mut texts = leaf.texts().map(|(_, text)| text);
    match leaf.op.node {
        Op::StartsWith | Op::EndsWith | Op::Contains => texts.next().is_some(),
        Op::Glob => texts.any(|text| text.contains('*')),
        Op::Regex => texts.any(|text| !is_whole(text)),
        _ => false,
    }
}

/// Whether a leaf is true for a text with a certain start, whatever follows.
pub(super) fn is_start(leaf: &Leaf) -> bool {
    let mut texts = leaf.texts().map(|(_, text)| text);
    match leaf.op.node {
        Op::StartsWith => texts.next().is_some(),
        Op::Glob => texts.any(|text| !text.starts_with('*') && text.contains('*')),
        Op::Regex => {
            texts.any(|text| !is_whole(text) && text::anchored(text).is_some_and(|(start, _)| start))
        }
        _ => false,
    }
}

/// Characters that separate commands, or start one in another.
const SEPARATORS: [char; 6] = [';', '&', '|', '\n', '`', '$'];

/// Whether a pattern is about a whole line, and matches no line with several commands.
fn is_whole(pattern: &str) -> bool {
    let Ok(hir) = regex_syntax::parse(pattern) else { return true };
    text::anchors(&hir) == (true, true) && !has_separator(&hir)
}

fn has_separator(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(text) => text.0.iter().any(|byte| SEPARATORS.contains(&char::from(*byte))),
        HirKind::Class(Class::Unicode(class)) => {
            let within =
                |c: &char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(c));
            SEPARATORS.iter().any(within)
        }
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => has_separator(&repetition.sub),
        HirKind::Capture(capture) => has_separator(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_separator),
    }
}
