//! The slots of one event, reusable from event to event.

use serde_json::Value;
use zerocopy::little_endian::U32;

use super::{EventError, Item};
use crate::limits::Limits;
use crate::module::format::{Derived, Edge, Node, Str};

/// The path trie of a module, verified.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the sections'")]
pub struct Trie<'m> {
    pub nodes: &'m [Node],
    pub edges: &'m [Edge],
    pub strings: &'m [Str],
    pub text: &'m [u8],
    pub derived: &'m [Derived],
    /// Slots in all.
    pub slots: u32,
}

/// What a scan captured.
#[derive(Debug, Default)]
pub struct Slots {}

impl Slots {
    /// One validating pass over `event`: all of it must be JSON, whatever is
    /// read. Captures every slot of the trie, then fills the derived ones.
    ///
    /// # Errors
    /// Everything but the errors about types and duplicates. After an error
    /// every slot is absent.
    pub fn fill(&mut self, event: &[u8], trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        let _ = (event, trie, limits);
        Ok(())
    }

    /// The same from a parsed value; only what is read is looked at. Numbers
    /// count as `Value` prints them.
    ///
    /// # Errors
    /// As [`Slots::fill`].
    pub fn fill_value(&mut self, event: &Value, trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        let _ = (event, trie, limits);
        Ok(())
    }

    /// Refuses an event with a duplicate key at one of the nodes `reads`
    /// (ascending) or anywhere inside the value of one of the slots `whole`.
    ///
    /// # Errors
    /// [`EventError::Duplicate`] with the path; the first in trie order.
    pub fn check_duplicates(
        &self,
        event: &[u8],
        trie: Trie<'_>,
        reads: &[U32],
        whole: &[U32],
    ) -> Result<(), EventError> {
        let _ = (event, trie, reads, whole);
        Ok(())
    }

    /// The value of a slot. `event` is the bytes of the fill; ignored after
    /// [`Slots::fill_value`], which keeps its own text.
    #[must_use]
    pub fn get<'a>(&'a self, slot: u32, event: &'a [u8]) -> Item<'a> {
        let _ = (slot, event);
        Item::Absent
    }
}
