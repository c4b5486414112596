//! The machine: conditions and predicates of one event.

use std::cmp::Ordering;

use regex::Regex;

use super::error::DecideError;
use super::scratch::Memo;
use crate::compare::{Texts, contains, ends, equal, has, key, numbers, order, starts};
use crate::event::Item;
use crate::module::row;
use crate::number;
use crate::op::{Op, Operand};
use crate::query;
use crate::rows::{NODE, NONE, Row, U32, tag};
use crate::schema;
use crate::stop::StopReason;
use crate::text::{fold, glob};
use crate::view::EventView;

/// Evaluates a module's conditions over filled slots.
pub(super) struct Machine<'s> {
    pub(super) view: EventView<'s>,
    pub(super) memo: &'s mut Memo,
    pub(super) texts: &'s mut Texts,
    /// For schemas.
    pub(super) schema: &'s mut schema::Buffers,
    pub(super) queries: &'s mut query::Buffers,
    /// The predicate tested last, or [`NONE`].
    pub(super) last: u32,
}

impl<'s> Machine<'s> {
    /// Whether condition `index` is true. The recursion depth is the nesting of conditions, which
    /// the verifier bounds.
    pub(super) fn cond(&mut self, index: u32) -> Result<bool, StopReason> {
        if let Some((truth, last)) = self.memo.cond(index) {
            self.settle(last);
            return Ok(truth);
        }
        let before = std::mem::replace(&mut self.last, NONE);
        let truth = self.run(self.view.tables.block(index))?;
        let last = std::mem::replace(&mut self.last, before);
        self.memo.set_cond(index, truth, last);
        self.settle(last);
        Ok(truth)
    }

    /// A condition without tests has no deciding predicate.
    fn settle(&mut self, last: u32) {
        if last != NONE {
            self.last = last;
        }
    }

    /// Runs a block. Addresses only grow, so it ends.
    fn run(&mut self, block: &[Row]) -> Result<bool, StopReason> {
        let mut at = 0;
        while let Some(row) = block.get(at) {
            let a = row.a.get();
            let go = match Op::from_number(row.op) {
                Some(Op::Yes) => return Ok(true),
                Some(Op::Jump) => true,
                Some(Op::IfPred) => self.pred(a)?,
                Some(Op::UnlessPred) => !self.pred(a)?,
                Some(Op::IfCond) => self.cond(a)?,
                Some(Op::UnlessCond) => !self.cond(a)?,
                _ => return Ok(false),
            };
            at = if go { row.b.get() as usize } else { at.saturating_add(1) };
        }
        Ok(false)
    }

    pub(super) fn pred(&mut self, index: u32) -> Result<bool, StopReason> {
        self.last = index;
        if let Some(truth) = self.memo.pred(index) {
            return Ok(truth);
        }
        let truth = match row(self.view.tables.preds, index) {
            Some(row) => self.test(row)?,
            None => false,
        };
        self.memo.set_pred(index, truth);
        Ok(truth)
    }

    /// The value of a slot.
    pub(super) fn slot(&self, slot: U32) -> Item<'s> {
        self.view.item(slot.get())
    }

    /// The right operand of a predicate, if it is one value.
    pub(super) fn right(&self, op: Op, row: Row) -> Item<'s> {
        match op.operands().1 {
            Operand::Const => self.view.tables.constant(row.b.get()),
            Operand::Slot => self.slot(row.b),
            _ => Item::Absent,
        }
    }

    fn test(&mut self, row: Row) -> Result<bool, StopReason> {
        match Op::from_number(row.op) {
            Some(Op::Any) => self.any(row),
            Some(op) => self.holds(op, row, self.slot(row.a)),
            None => Ok(false),
        }
    }

    /// Whether a predicate is true for a node of a query. The result for a node is not cached.
    fn any(&mut self, any: Row) -> Result<bool, StopReason> {
        let Some(test) = row(self.view.tables.preds, any.b.get()) else { return Ok(false) };
        let Some(op) = Op::from_number(test.op) else { return Ok(false) };
        let view = self.view;
        let mut queries = std::mem::take(self.queries);
        let mut found = false;
        let walked = queries.each(&view, any.a.get(), &mut |node| {
            found = self.holds(op, test, node)?;
            Ok(!found)
        });
        *self.queries = queries;
        walked.map(|()| found)
    }

    /// Whether a predicate other than `any` is true for a value.
    pub(super) fn holds(&mut self, op: Op, row: Row, item: Item<'_>) -> Result<bool, StopReason> {
        let b = row.b.get();
        // The most common operations do not check the constant's UTF-8.
        match op {
            Op::Exists => return Ok(!matches!(item, Item::Absent | Item::Null)),
            Op::Gt | Op::Gte | Op::Lt | Op::Lte => return Ok(self.ordered(op, item, b)),
            Op::Eq => return Ok(order(&self.view.tables, key(item, &mut self.texts.a), b).is_eq()),
            _ => {}
        }
        let right = self.right(op, row);
        let texts = &mut *self.texts;
        let compared = || numbers(item, right);
        Ok(match op {
            Op::GtSlot => compared() == Some(Ordering::Greater),
            Op::GteSlot => compared().is_some_and(Ordering::is_ge),
            Op::LtSlot => compared() == Some(Ordering::Less),
            Op::LteSlot => compared().is_some_and(Ordering::is_le),
            Op::EqFold => equal(item, right, true, texts),
            Op::EqSlot => !absent(right) && equal(item, right, false, texts),
            Op::EqSlotFold => !absent(right) && equal(item, right, true, texts),
            Op::In => self.within(item, b),
            Op::InFold => self.within_folded(item, b),
            Op::InSlot => has(right, item, false, texts),
            Op::InSlotFold => has(right, item, true, texts),
            Op::Contains | Op::ContainsSlot => contains(item, right, false, texts),
            Op::ContainsFold | Op::ContainsSlotFold => contains(item, right, true, texts),
            Op::StartsWith | Op::StartsWithSlot => starts(item, right, false),
            Op::StartsWithFold | Op::StartsWithSlotFold => starts(item, right, true),
            Op::EndsWith | Op::EndsWithSlot => ends(item, right, false),
            Op::EndsWithFold | Op::EndsWithSlotFold => ends(item, right, true),
            Op::Regex => self.regex(item, b, false)?,
            // Case is ignored if both sides are strings; the text of a number or boolean is matched
            // as it is.
            Op::RegexFold => self.regex(item, b, matches!(item, Item::Str(_)))?,
            Op::Glob => self.glob(item, b, false),
            Op::GlobFold => self.glob(item, b, true),
            Op::Matches => {
                // A node has no slot to be remembered by.
                let slot = Some(row.a.get()).filter(|slot| *slot != NODE);
                self.schema.valid(self.view.module, (item, slot), b)?
            }
            _ => false,
        })
    }

    /// Whether a value is a number that satisfies the comparison with a constant.
    fn ordered(&self, op: Op, item: Item<'_>, index: u32) -> bool {
        let constant =
            row(self.view.tables.consts, index).filter(|constant| constant.tag.get() == tag::NUMBER);
        let (Item::Num(text), Some(constant)) = (item, constant) else { return false };
        let order = number::against(text, self.view.tables.bytes(constant.text.get()));
        match op {
            Op::Gt => order.is_gt(),
            Op::Gte => order.is_ge(),
            Op::Lt => order.is_lt(),
            _ => order.is_le(),
        }
    }

    /// Whether a value equals a constant of a list: lists are ascending.
    fn within(&mut self, item: Item<'_>, list: u32) -> bool {
        let key = key(item, &mut self.texts.a);
        let tables = &self.view.tables;
        tables.list(list).binary_search_by(|index| order(tables, key, index.get()).reverse()).is_ok()
    }

    fn within_folded(&mut self, item: Item<'_>, list: u32) -> bool {
        let Item::Str(text) = item else { return self.within(item, list) };
        let constants =
            self.view.tables.list(list).iter().map(|index| self.view.tables.constant(index.get()));
        constants.into_iter().any(|constant| matches!(constant, Item::Str(c) if fold::eq(text, c)))
    }

    fn glob(&self, item: Item<'_>, list: u32, fold: bool) -> bool {
        let Item::Str(text) = item else { return false };
        let mut globs = self.view.tables.list(list).iter();
        globs.any(|index| glob::matches(self.string(index.get()), text, fold))
    }

    /// The text of a string constant.
    fn string(&self, index: u32) -> &'s str {
        let constant =
            row(self.view.tables.consts, index).filter(|constant| constant.tag.get() == tag::STRING);
        constant.map_or("", |constant| self.view.tables.str(constant.text.get()))
    }

    fn regex(&self, item: Item<'_>, index: u32, fold: bool) -> Result<bool, StopReason> {
        let Some(text) = item.text() else { return Ok(false) };
        match self.built(index, fold) {
            Some(Ok(regex)) => Ok(regex.is_match(&text)),
            Some(Err(_)) => Err(StopReason::Pattern { index, fold }),
            None => Ok(false),
        }
    }

    fn built(&self, index: u32, fold: bool) -> Option<&'s Result<Regex, String>> {
        let limit = self.view.module.limits().regex_bytes;
        self.view.module.patterns().get(index, fold, self.pattern(index), limit)
    }

    fn pattern(&self, index: u32) -> &'s str {
        row(self.view.tables.patterns, index).map_or("", |row| self.view.tables.str(row.text.get()))
    }

    /// The error in full.
    pub(super) fn explain(&self, stop: StopReason) -> DecideError {
        let limits = self.view.module.limits();
        match stop {
            StopReason::Pattern { index, fold } => {
                let built = self.built(index, fold);
                let why = built.and_then(|built| built.as_ref().err()).cloned().unwrap_or_default();
                DecideError::Pattern { pattern: self.pattern(index).to_owned(), why }
            }
            StopReason::Values => DecideError::Values(limits.event_values),
            StopReason::Queries => DecideError::QuerySteps(limits.query_steps),
            StopReason::Steps => DecideError::SchemaSteps(limits.schema_steps),
            StopReason::Depth => DecideError::SchemaDepth(limits.schema_depth),
        }
    }
}

fn absent(item: Item<'_>) -> bool {
    matches!(item, Item::Absent)
}
