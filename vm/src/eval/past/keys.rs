//! The keys of an event: its values under a row of ties.

use std::sync::Arc;

use hookc_base::json;
use hookc_history::{Key, Secret};

use super::super::machine::Machine;
use super::Keys;
use crate::event::Item;
use crate::limits::HISTORY_NODES;
use crate::module::row;
use crate::rows::{Tie, TieValue};
use crate::stop::StopReason;
use crate::text::fold;

/// Bytes of text that are written and hashed in one step.
const STEP: usize = 16;

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

impl Machine<'_> {
    /// The keys of the event under a row of ties: each combination of its values, none if one is absent.
    pub(super) fn keys(&mut self, tie: u32, secret: &Secret) -> Result<Keys, StopReason> {
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

    /// Each combination of the values of a row of ties; without those that are null if `present`.
    pub(super) fn combined(&mut self, tie: &Tie, present: bool, secret: &Secret) -> Result<Keys, StopReason> {
        let mut texts: Vec<Vec<String>> = Vec::new();
        for (at, value) in self.view.tables.indices_of(tie.values).iter().enumerate() {
            let folded =
                tie.fold.get().checked_shr(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0) & 1 != 0;
            let mut found = Vec::new();
            self.each_value(TieValue::from_number(value.get()), &mut |item| {
                if matches!(item, Item::Absent) || present && matches!(item, Item::Null) {
                    return true;
                }
                let mut text = String::new();
                write_hashed(item, folded, &mut text);
                found.push(text);
                found.len() <= HISTORY_NODES
            })?;
            let written: usize = found.iter().map(String::len).sum();
            self.queries.charge(written / STEP)?;
            if found.len() > HISTORY_NODES {
                return Ok(None);
            }
            texts.push(found);
        }
        let count = texts.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if count > HISTORY_NODES {
            return Ok(None);
        }
        let mut keys: Vec<Key> = (0..count).map(|number| secret.key(combination(&texts, number))).collect();
        keys.sort_unstable();
        keys.dedup();
        Ok(Some(Arc::from(keys)))
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

/// The texts of one of the combinations.
fn combination(texts: &[Vec<String>], mut number: usize) -> Vec<&str> {
    let mut picked = Vec::with_capacity(texts.len());
    for choices in texts {
        let at = number.checked_rem(choices.len()).unwrap_or_default();
        number = number.checked_div(choices.len()).unwrap_or_default();
        picked.push(choices.get(at).map_or("", String::as_str));
    }
    picked
}
