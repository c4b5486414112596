//! The tables of a module: fixed-width rows, little-endian, with an alignment of one, so that a
//! section can be used in place.
//!
//! # Layout
//! Header, directory, sections: each section starts at the next multiple of 8 after the previous
//! one, padding bytes are zero, and the file ends with the last section. Empty sections are
//! omitted. Equal tables give equal bytes.
//!
//! # Type paths
//! Slots 0, 1 and 2 always exist, for the paths `event.type`, `hook_event_name` and `event_type`:
//! they are read before the event type is known. Duplicates on these paths are rejected for every
//! event, whether or not an event type lists them in `reads`.
//!
//! # Sharing
//! Equal ranges can be shared, with four exceptions: an edge belongs to one node, a code row to one
//! condition, a keyword to one schema, and a hook to one event type. Every row of these tables has
//! an owner.

#![allow(
    missing_debug_implementations,
    reason = "the rows have it; hidden types of zerocopy's derives do not"
)]

mod form;
mod history;
pub mod index;
pub mod keyword;
mod row;
mod section;
mod short;

use hookc_base::ConstTag;

pub use form::{HookTest, ParamValue, SelectorForm, TemplateForm};
pub use history::{CellForm, Compared, Comparison, TieValue};
pub use row::*;
pub use section::SectionKind;
pub use short::{U8, U24};
pub use zerocopy::little_endian::{U32, U64};

/// The absent value of an optional index.
pub const NONE: u32 = u32::MAX;

/// The slot of a predicate that tests the current node.
pub const NODE: u32 = u32::MAX;

/// The bit of a posting that is a rank itself.
pub const INLINE_RANK: u32 = 1 << 31;

/// The bit of a hook's condition that is a predicate itself, and of a parameter's value that is a
/// constant.
pub const INLINE: u32 = 1 << 31;

/// The feature bit of a module that reads or records history.
pub const HISTORY: u32 = 1;

/// First bytes of a module.
pub const MAGIC: [u8; 8] = *b"hookc\0m\n";
/// The version of the format; a reader rejects any other.
pub const VERSION: u32 = 5;

/// The bytes of string `index`: from the end of the one before to its own. None of an unknown one.
#[inline]
#[must_use]
pub fn string<'m>(ends: &[U32], text: &'m [u8], index: u32) -> &'m [u8] {
    let place = place(ends, index).and_then(|(start, end)| text.get(start as usize..end as usize));
    place.unwrap_or_default()
}

/// The positions of string `index` in the text.
#[inline]
pub(crate) fn place(ends: &[U32], index: u32) -> Option<(u32, u32)> {
    let index = index as usize;
    let end = ends.get(index)?.get();
    Some((index.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| end.get()), end))
}

/// The type of a constant: the numbers of [`ConstTag`] as [`Const`]'s tags.
#[allow(missing_docs, reason = "the names say it")]
pub mod tag {
    use super::ConstTag;

    pub const NULL: u32 = ConstTag::Null as u32;
    pub const FALSE: u32 = ConstTag::False as u32;
    pub const TRUE: u32 = ConstTag::True as u32;
    pub const NUMBER: u32 = ConstTag::Number as u32;
    pub const STRING: u32 = ConstTag::String as u32;
    pub const ARRAY: u32 = ConstTag::Array as u32;
    pub const OBJECT: u32 = ConstTag::Object as u32;
}
