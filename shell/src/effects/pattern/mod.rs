//! Patterns.

pub(crate) mod braces;
pub(crate) mod choice;
pub(super) mod class;
mod ends;
pub(crate) mod glob;
pub(crate) mod machine;
pub(crate) mod name;
pub(crate) mod path;
mod positions;
pub(crate) mod reading;
pub(crate) mod regex;
mod roots;
#[cfg(test)]
mod tests;

use super::{Gap, Text};
use crate::HoleKind;
use crate::token::short;

/// A text about which nothing is known.
const UNKNOWN: Text<'static> = Text { text: "?", holes: &[Gap { from: 0, to: 1, kind: HoleKind::Text }] };

/// Calls `then` with a text without its first bytes.
fn without(text: Text<'_>, length: usize, then: impl FnOnce(Text<'_>) -> bool) -> bool {
    let rest = text.text.get(length..).unwrap_or_default();
    if text.holes.is_empty() {
        return then(Text::literal(rest));
    }
    let from = short(length);
    let moved =
        |hole: &Gap| Gap { from: hole.from.saturating_sub(from), to: hole.to.saturating_sub(from), ..*hole };
    let holes: Vec<Gap> = text.holes.iter().filter(|hole| hole.from >= from).map(moved).collect();
    then(Text { text: rest, holes: &holes })
}
