//! A scanned event with its module: the input of conditions, queries, indexes and templates.

use crate::event::{Origin, Slots, Stored};
use crate::module::{Module, Tables};

/// A scanned event with its module.
#[derive(Clone, Copy)]
pub(crate) struct EventView<'a> {
    pub(crate) module: &'a Module,
    pub(crate) tables: &'a Tables<'a>,
    pub(crate) slots: &'a Slots,
    pub(crate) event: Origin<'a>,
}

impl<'a> EventView<'a> {
    /// The value of a slot.
    #[inline]
    pub(crate) fn stored(&self, slot: u32) -> Stored<'a> {
        self.slots.stored(slot, self.event, &self.tables.trie())
    }
}
