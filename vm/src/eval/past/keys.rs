//! The keys of an event: its values under a row of ties.

use hookc_base::{PartitionTag, json};
use hookc_history::{CellId, Key, Keys, Secret};

use super::super::machine::Machine;
use crate::event::Item;
use crate::index::Facts;
use crate::limits::HISTORY_NODES;
use crate::module::row;
use crate::rows::{NONE, Tie, TieValue};
use crate::stop::StopReason;
use crate::text::fold;

/// Bytes of text that are written and hashed in one step.
const STEP: usize = 16;

/// The texts of the values of a row of ties, path by path.
#[derive(Debug, Default)]
pub(super) struct Texts {
    text: String,
    /// Where the text of each value ends.
    values: Vec<usize>,
    /// How many values there are up to the end of each path.
    paths: Vec<usize>,
}

impl Texts {
    fn clear(&mut self) {
        self.text.clear();
        self.values.clear();
        self.paths.clear();
    }

    /// Values of the path that is being read.
    fn current(&self) -> usize {
        self.values.len().saturating_sub(self.paths.last().copied().unwrap_or(0))
    }

    fn value(&self, at: usize) -> &str {
        let start = at.checked_sub(1).and_then(|before| self.values.get(before)).copied().unwrap_or(0);
        let end = self.values.get(at).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The first value of each path, and how many it has.
    fn paths(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let starts = std::iter::once(0).chain(self.paths.iter().copied());
        starts.zip(&self.paths).map(|(start, end)| (start, end.saturating_sub(start)))
    }

    /// The key of each combination of values; `None` if there are too many.
    fn keys(&self, secret: &Secret) -> Option<Keys> {
        let count = self.paths().map(|(_, count)| count).fold(1, usize::saturating_mul);
        let key = |number: usize| {
            let mut left = number;
            secret.key(self.paths().map(|(start, count)| {
                let at = left.checked_rem(count).unwrap_or_default();
                left = left.checked_div(count).unwrap_or_default();
                self.value(start.saturating_add(at))
            }))
        };
        match count {
            0 => Some(Vec::new().into()),
            1 => Some(key(0).into()),
            _ if count > HISTORY_NODES => None,
            _ => Some((0..count).map(key).collect::<Vec<Key>>().into()),
        }
    }
}

/// Appends the text of a value as it is hashed: canonical, with `folded` a string without regard to case.
pub(super) fn write_hashed(item: Item<'_>, folded: bool, out: &mut String) {
    match item {
        Item::Str(text) if folded => {
            let mut plain = String::with_capacity(text.len());
            fold::fold_into(text, &mut plain);
            json::push_string(&plain, out);
        }
        item => item.write_canonical(out),
    }
}

/// The hash of a value.
pub(super) fn hash(secret: &Secret, item: Item<'_>) -> Key {
    let mut text = String::new();
    item.write_canonical(&mut text);
    secret.key([text])
}

impl Facts for Machine<'_> {
    fn can_hold(&mut self, effect: u32) -> bool {
        self.actions.can_hold(&self.view, effect)
    }

    fn seen(&mut self, tie: u32, partition: u8, each: &mut dyn FnMut(CellId)) -> bool {
        let Some(key) = PartitionTag::from_number(partition) else { return false };
        let Ok((partition, time, secret)) = self.part(key) else { return false };
        let keys = match tie {
            NONE => Ok(Some(Keys::UNTIED)),
            tie => self.keys(tie, secret),
        };
        let fingerprint = self.view.module.history().fingerprint(key);
        keys.ok().flatten().is_some_and(|keys| partition.at(time).find(fingerprint, &keys, each))
    }
}

impl Machine<'_> {
    /// The keys of the event under a row of ties: each combination of its values, none if one is absent.
    pub(super) fn keys(&mut self, tie: u32, secret: &Secret) -> Result<Option<Keys>, StopReason> {
        if let Some(keys) = self.past.memory.keys.get(&tie) {
            return Ok(keys.clone());
        }
        let row = row(self.view.tables.ties, tie).ok_or(StopReason::Unverified)?;
        let keys = self.combined(&row, false, secret)?;
        if self.is_closed_tie(&row) {
            self.past.memory.keys.insert(tie, keys.clone());
        }
        Ok(keys)
    }

    /// Each combination of the values of a row of ties, without those that are null if `present`; `None` if there are
    /// too many.
    pub(super) fn combined(
        &mut self,
        tie: &Tie,
        present: bool,
        secret: &Secret,
    ) -> Result<Option<Keys>, StopReason> {
        let mut texts = std::mem::take(&mut self.past.memory.texts);
        texts.clear();
        let is_complete = self.write_texts(tie, present, &mut texts);
        let keys = is_complete.map(|is_complete| if is_complete { texts.keys(secret) } else { None });
        self.past.memory.texts = texts;
        keys
    }

    /// Writes the texts of the values of a row of ties; `false` if a path has too many.
    fn write_texts(&mut self, tie: &Tie, present: bool, texts: &mut Texts) -> Result<bool, StopReason> {
        for (at, value) in self.view.tables.indices_of(tie.values).iter().enumerate() {
            let folded =
                tie.fold.get().checked_shr(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0) & 1 != 0;
            let written = texts.text.len();
            self.each_value(TieValue::from_number(value.get()), &mut |item| {
                if matches!(item, Item::Absent) || present && matches!(item, Item::Null) {
                    return true;
                }
                write_hashed(item, folded, &mut texts.text);
                texts.values.push(texts.text.len());
                texts.current() <= HISTORY_NODES
            })?;
            self.queries.charge(texts.text.len().saturating_sub(written) / STEP)?;
            if texts.current() > HISTORY_NODES {
                return Ok(false);
            }
            texts.paths.push(texts.values.len());
        }
        Ok(true)
    }

    /// Calls `each` with the values until it returns `false`.
    pub(super) fn each_value(
        &mut self,
        value: TieValue,
        each: &mut dyn FnMut(Item<'_>) -> bool,
    ) -> Result<(), StopReason> {
        let view = self.view;
        match value {
            TieValue::Slot(slot) => {
                let item = self.queries.operand(&view, slot, &mut self.late.left);
                each(item);
                Ok(())
            }
            TieValue::Query(query) => {
                self.late.release();
                self.queries.each(&view, query, &mut |_, item| Ok(each(item)))
            }
        }
    }

    /// Whether no value of a row of ties is one of a bound node.
    pub(super) fn is_closed_tie(&self, tie: &Tie) -> bool {
        let slots = self.view.tables.slots;
        let values = self.view.tables.indices_of(tie.values).iter();
        values.map(|value| TieValue::from_number(value.get())).all(|value| match value {
            TieValue::Slot(slot) => slot < slots,
            TieValue::Query(_) => true,
        })
    }
}
