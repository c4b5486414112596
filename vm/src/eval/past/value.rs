//! Values of the history, and predicates about them.

use hookc_history::{Key, Secret, Value};

use super::super::machine::Machine;
use super::super::test::Test;
use super::keys::hash;
use crate::event::Item;
use crate::history::{Cause, Why};
use crate::module::row;
use crate::op::{Op, Operand};
use crate::rows::{NODE, Recall, Row};
use crate::stop::StopReason;

/// A value of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::eval) enum Recalled {
    /// No value.
    Absent,
    /// A number.
    Number(String),
    /// Another scalar whose text is kept, as canonical JSON in brackets.
    Text(String),
    /// A value whose text is not kept, and that is not a number.
    Hash(Key),
}

impl Recalled {
    pub(super) fn new(value: &Value) -> Self {
        match value.text() {
            Some(text) if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                Self::Number(text.to_owned())
            }
            Some(text) => Self::Text(format!("[{text}]")),
            None => Self::Hash(value.hash()),
        }
    }

    /// Calls `see` with the value; `None` if its text is not kept.
    pub(in crate::eval) fn with<T>(&self, see: &mut dyn FnMut(Item<'_>) -> T) -> Option<T> {
        match self {
            Self::Absent => Some(see(Item::Absent)),
            Self::Number(text) => Some(see(Item::Num(text))),
            Self::Text(text) => {
                let mut seen = None;
                Item::Array(text).elements(&mut |item| {
                    seen = Some(see(item));
                    false
                });
                seen
            }
            Self::Hash(_) => None,
        }
    }

    /// The hash of the value, absent being null.
    fn hash(&self, secret: &Secret) -> Key {
        match self {
            Self::Hash(hash) => *hash,
            _ => self.with(&mut |item| hash(secret, item)).unwrap_or(Key::UNTIED),
        }
    }
}

/// An operand of a predicate.
enum Side {
    Recalled(Recalled),
    /// A value of the event.
    Slot(u32),
}

impl Machine<'_> {
    /// The operand of a slot, or why it is unknown.
    fn operand(&mut self, slot: u32) -> Result<Side, StopReason> {
        let recall = self.recall_of(slot);
        let Some(recall) = recall else { return Ok(Side::Slot(slot)) };
        self.value_of(recall)?.map(Side::Recalled).map_err(StopReason::Unknown)
    }

    /// The recall of a slot.
    pub(super) fn recall_of(&self, slot: u32) -> Option<u32> {
        let bounds = u32::try_from(self.view.tables.bounds.len()).unwrap_or(u32::MAX);
        slot.checked_sub(self.view.tables.slots.saturating_add(bounds)).filter(|_| slot != NODE)
    }

    /// Whether a predicate about values of the history, and of the event, is true.
    pub(super) fn test_recalled(&mut self, op: Op, test: Row) -> Result<bool, StopReason> {
        let left = self.operand(test.a.get())?;
        let right = match op.operands().1 {
            Operand::Slot => Some(self.operand(test.b.get())?),
            _ => None,
        };
        if let Some(truth) = self.by_hash(op, test, (&left, right.as_ref()))? {
            return Ok(truth);
        }
        self.with_side(&left, &mut |machine, left| match &right {
            None => {
                let constant = machine.view.tables.constant(test.b.get());
                machine.test_items(op, test, left, constant)
            }
            Some(right) => {
                machine.with_side(right, &mut |machine, right| machine.test_items(op, test, left, right))
            }
        })
    }

    /// Whether a predicate about a value of the history is true for a node of a query.
    pub(super) fn any_recalled(&mut self, any: Row) -> Result<bool, StopReason> {
        let test = row(self.view.tables.preds, any.b.get()).ok_or(StopReason::Unverified)?;
        let op = Op::from_number(test.op).ok_or(StopReason::Unverified)?;
        let right = self.operand(test.b.get())?;
        let (view, mut nodes) = (self.view, Vec::new());
        self.late.release();
        self.queries.each(&view, any.a.get(), &mut |budget, node| {
            let mut text = "[".to_owned();
            node.write_canonical(&mut text);
            text.push(']');
            budget.charge(text.len())?;
            nodes.push(text);
            Ok(true)
        })?;
        for text in nodes {
            let node = Side::Recalled(Recalled::Text(text));
            let truth = match self.by_hash(op, test, (&node, Some(&right)))? {
                Some(truth) => truth,
                None => self.with_side(&node, &mut |machine, left| {
                    machine.with_side(&right, &mut |machine, right| machine.test_items(op, test, left, right))
                })?,
            };
            if truth {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The truth of a predicate about a value whose text is not kept; `None` if all texts are known.
    fn by_hash(
        &mut self,
        op: Op,
        test: Row,
        (left, right): (&Side, Option<&Side>),
    ) -> Result<Option<bool>, StopReason> {
        let is_hash = |side: &Side| matches!(side, Side::Recalled(Recalled::Hash(_)));
        if !is_hash(left) && !right.is_some_and(is_hash) {
            return Ok(None);
        }
        let Some(secret) = self.past.histories.map(|histories| histories.secret) else {
            return Err(StopReason::Unverified);
        };
        let left_hash = self.hash_of(left, secret)?;
        let constant = |number: u32| hash(secret, self.view.tables.constant(number));
        let truth = match op {
            Op::Exists => left_hash != hash(secret, Item::Null),
            Op::Eq => left_hash == constant(test.b.get()),
            Op::In => {
                let list = self.view.tables.list(test.b.get());
                self.queries.charge(list.len())?;
                list.iter().any(|number| left_hash == hash(secret, self.view.tables.constant(number.get())))
            }
            Op::EqSlot => match right {
                // An absent right side is equal to nothing.
                Some(right) => !self.is_absent(right) && left_hash == self.hash_of(right, secret)?,
                None => false,
            },
            // Not a number.
            Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::GtSlot | Op::GteSlot | Op::LtSlot | Op::LteSlot => {
                false
            }
            // What the policy keeps, and has no text, is a container, or too long: it is absent, except that it may be equal.
            _ if !self.is_kept(test) => return Err(StopReason::Unknown(self.not_kept(test))),
            Op::EqFold => left_hash == constant(test.b.get()),
            Op::EqSlotFold => match right {
                Some(right) => !self.is_absent(right) && left_hash == self.hash_of(right, secret)?,
                None => false,
            },
            _ => false,
        };
        Ok(Some(truth))
    }

    /// Whether the policy keeps the texts of the values of recalls that a predicate reads.
    fn is_kept(&self, test: Row) -> bool {
        let recalls = [test.a.get(), test.b.get()].into_iter().filter_map(|slot| self.recall_of(slot));
        let mut recalls = recalls.filter_map(|recall| row(self.view.tables.recalls, recall));
        recalls.all(|recall| {
            let kept = row(self.view.tables.cells, recall.cell.get()).map_or(0, |cell| cell.kept.get());
            kept.checked_shr(recall.value.get()).unwrap_or_default() & 1 != 0
        })
    }

    fn not_kept(&self, test: Row) -> Cause {
        let recalls = [test.a.get(), test.b.get()].into_iter().filter_map(|slot| self.recall_of(slot));
        let mut cells = recalls.filter_map(|recall| row(self.view.tables.recalls, recall));
        let partition = |recall: &Recall| {
            let cell = row(self.view.tables.cells, recall.cell.get())?;
            hookc_base::PartitionTag::from_number(cell.partition)
        };
        let key = cells.find_map(|recall| partition(&recall)).unwrap_or(hookc_base::PartitionTag::Session);
        Cause { key, why: Why::NotKept }
    }

    fn hash_of(&mut self, side: &Side, secret: &Secret) -> Result<Key, StopReason> {
        match side {
            Side::Recalled(value) => Ok(value.hash(secret)),
            Side::Slot(_) => self.with_side(side, &mut |_, item| Ok(hash(secret, item))),
        }
    }

    fn is_absent(&mut self, side: &Side) -> bool {
        self.with_side(side, &mut |_, item| Ok(matches!(item, Item::Absent))).unwrap_or_default()
    }

    /// Calls `see` with the value of an operand whose text is kept.
    fn with_side<T>(
        &mut self,
        side: &Side,
        see: &mut dyn FnMut(&mut Self, Item<'_>) -> Result<T, StopReason>,
    ) -> Result<T, StopReason> {
        match side {
            Side::Recalled(value) => {
                value.with(&mut |item| see(self, item)).unwrap_or(Err(StopReason::Unverified))
            }
            Side::Slot(slot) => {
                let mut text = String::new();
                let view = self.view;
                let value = {
                    let mut late = std::mem::take(&mut self.late.left);
                    let item = self.queries.operand(&view, *slot, &mut late);
                    let absent = matches!(item, Item::Absent);
                    text.push('[');
                    if !absent {
                        item.write_canonical(&mut text);
                    }
                    text.push(']');
                    self.late.left = late;
                    self.queries.charge(text.len())?;
                    if absent { Recalled::Absent } else { Recalled::Text(text) }
                };
                value.with(&mut |item| see(self, item)).unwrap_or(Err(StopReason::Unverified))
            }
        }
    }

    fn test_items(&mut self, op: Op, test: Row, left: Item<'_>, right: Item<'_>) -> Result<bool, StopReason> {
        let Self { view, texts, schema, .. } = self;
        Test { view, texts, schema }.holds(op, test, left, || right)
    }

    /// The values that a template reads; unknown ones are absent.
    pub(in crate::eval) fn recall_for_template(&mut self, slot: u32) -> Result<(), StopReason> {
        let is_known = self.past.memory.values.contains_key(&slot);
        let Some(recall) = self.recall_of(slot).filter(|_| !is_known) else { return Ok(()) };
        let value = self.value_of(recall)?.unwrap_or(Recalled::Absent);
        self.past.memory.values.insert(slot, value);
        Ok(())
    }
}
