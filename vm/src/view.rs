//! A scanned event with its module: the input of conditions, queries, indexes and templates.

use crate::event::{Kind, Origin, Slots, Stored};
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

    /// The kind and the text of the value of a slot, an absent one being null; `None` if its text is to be made.
    #[inline(always)]
    pub(crate) fn scalar(&self, slot: u32) -> Option<(Kind, &'a [u8])> {
        match self.event {
            Origin::Text(text) => self.slots.scalar(self.slots.source(slot, &self.tables.trie()), text),
            Origin::Parsed(values) => {
                let mut kind = Kind::Null;
                self.slots.scalar_of(slot, values, &mut kind).map(|text| (kind, text))
            }
        }
    }
}
