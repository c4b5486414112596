//! Beginnings and endings of a text, by one search in a sorted table.
//!
//! Whatever text of the table the value begins with is at most the value, and
//! everything between the two begins with it as well. So the greatest row that
//! is at most the value begins with every row that the value begins with:
//! these are on the way from it through ever shorter ones.

use std::cmp::Ordering;

use crate::module::format::{Affix, NONE};
use crate::module::{Tables, row};

/// The end at which texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Start,
    Finish,
}

impl End {
    /// The order of a table of this end.
    pub(crate) fn order(self, a: &[u8], b: &[u8]) -> Ordering {
        match self {
            Self::Start => a.cmp(b),
            Self::Finish => a.iter().rev().cmp(b.iter().rev()),
        }
    }

    /// Whether a text has another at this end.
    pub(crate) fn has(self, text: &[u8], affix: &[u8]) -> bool {
        match self {
            Self::Start => text.starts_with(affix),
            Self::Finish => text.ends_with(affix),
        }
    }
}

/// Hands the posting of every row that `text` has at the end to `each`. Costs
/// a binary search, then a step per row that shares a beginning.
pub(super) fn find(tables: &Tables<'_>, rows: &[Affix], end: End, text: &str, each: &mut dyn FnMut(u32)) {
    let text = text.as_bytes();
    let behind =
        rows.partition_point(|affix| end.order(tables.bytes(affix.text.get()), text) != Ordering::Greater);
    let mut next = behind.checked_sub(1).and_then(|at| rows.get(at)).copied();
    let mut has = false;
    while let Some(affix) = next {
        // What one row begins with, all shorter ones on its way do.
        has = has || end.has(text, tables.bytes(affix.text.get()));
        if has {
            each(affix.posting.get());
        }
        let shorter = affix.shorter.get();
        next = if shorter == NONE { None } else { row(tables.affixes, shorter) };
    }
}
