//! A predicate about a value: what each operation does.

use std::cmp::Ordering;

use hookc_base::text::Case;

use regex::Regex;

use super::cost;
use super::elements::Elements;
use crate::compare::{Texts, contains, ends, equal, exceeds, has, key, numbers, order, starts};
use crate::event::{Item, Kind};
use crate::module::{Tables, row};
use crate::number;
use crate::op::Op;
use crate::rows::{Row, tag};
use crate::schema;
use crate::stop::StopReason;
use crate::text::{find, fold, glob};
use crate::view::EventView;

/// Tests values; what it borrows of the machine.
pub(super) struct Test<'t, 's> {
    pub(super) view: &'t EventView<'s>,
    pub(super) texts: &'t mut Texts,
    pub(super) schema: &'t mut schema::Buffers,
}

impl<'s> Test<'_, 's> {
    /// Whether the predicate of `row` is true for a value.
    pub(super) fn holds<'r>(
        &mut self,
        op: Op,
        row: Row,
        item: Item<'_>,
        right: impl FnOnce() -> Item<'r>,
    ) -> Result<bool, StopReason> {
        let b = row.b.get();
        if let Some(truth) = test_scalar(self.view.tables, op, b, item.scalar()) {
            return Ok(truth);
        }
        let right = right();
        let (tables, texts) = (self.view.tables, &mut *self.texts);
        let compared = || numbers(item, right);
        Ok(match op {
            Op::GtSlot => compared() == Some(Ordering::Greater),
            Op::GteSlot => compared().is_some_and(Ordering::is_ge),
            Op::LtSlot => compared() == Some(Ordering::Less),
            Op::LteSlot => compared().is_some_and(Ordering::is_le),
            // Other values have been compared.
            Op::Eq => {
                !exceeds(tables, item, &[b.into()]) && order(tables, key(item, &mut texts.a), b).is_eq()
            }
            Op::EqFold => equal(item, right, Case::Ignored, texts),
            Op::EqSlot => !absent(right) && equal(item, right, Case::Respected, texts),
            Op::EqSlotFold => !absent(right) && equal(item, right, Case::Ignored, texts),
            Op::In => self.within(item, b),
            Op::InFold => self.within_folded(item, b),
            Op::InSlot => has(right, item, Case::Respected, texts),
            Op::InSlotFold => has(right, item, Case::Ignored, texts),
            Op::Contains | Op::ContainsSlot => contains(item, right, Case::Respected, texts),
            Op::ContainsFold | Op::ContainsSlotFold => contains(item, right, Case::Ignored, texts),
            Op::StartsWith | Op::StartsWithSlot => starts(item, right, Case::Respected),
            Op::StartsWithFold | Op::StartsWithSlotFold => starts(item, right, Case::Ignored),
            Op::EndsWith | Op::EndsWithSlot => ends(item, right, Case::Respected),
            Op::EndsWithFold | Op::EndsWithSlotFold => ends(item, right, Case::Ignored),
            Op::Regex => self.regex(item, b, Case::Respected)?,
            // Case is ignored if both sides are strings; the text of a number or boolean is matched
            // as it is.
            Op::RegexFold => self.regex(item, b, Case::ignored_if(matches!(item, Item::Str(_))))?,
            Op::Glob => self.glob(item, b, Case::Respected),
            Op::GlobFold => self.glob(item, b, Case::Ignored),
            Op::Matches => {
                // A node has no slot to be remembered by.
                let slot = Some(row.a.get()).filter(|slot| *slot < self.view.tables.slots);
                self.schema.valid(self.view.module, (item, slot), b)?
            }
            _ => false,
        })
    }

    /// Whether the predicate of `row`, which is tested for many nodes, is true for two values, and the steps that it takes.
    /// An array of the event that all of them search is hashed; the left value has a slot unless it is a node.
    pub(super) fn of_many(
        &mut self,
        (op, row): (Op, Row),
        (left_slot, left, right): (u32, Item<'_>, Item<'_>),
        elements: &mut Elements,
    ) -> Result<(bool, usize), StopReason> {
        let (array, item, slot) = match op {
            Op::InSlot | Op::InSlotFold => (right, left, row.b.get()),
            _ => (left, right, left_slot),
        };
        let is_searched = match op {
            Op::InSlot | Op::InSlotFold => true,
            Op::ContainsSlot | Op::ContainsSlotFold => {
                matches!(item, Item::Null | Item::Bool(_) | Item::Num(_) | Item::Str(_))
            }
            _ => false,
        };
        if is_searched && slot < self.view.tables.slots && matches!(array, Item::Array(_)) {
            let case = Case::ignored_if(matches!(op, Op::InSlotFold | Op::ContainsSlotFold));
            if let Some(truth) = elements.has((slot, case), array, item, self.texts) {
                return Ok((truth, cost::lookup(item)));
            }
        }
        Ok((self.holds(op, row, left, || right)?, cost::steps(op, left, right)))
    }

    /// Whether a value equals a constant of a list: lists are ascending.
    fn within(&mut self, item: Item<'_>, list: u32) -> bool {
        if exceeds(self.view.tables, item, self.view.tables.list(list)) {
            return false;
        }
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

    fn glob(&self, item: Item<'_>, list: u32, case: Case) -> bool {
        let Item::Str(text) = item else { return false };
        let mut globs = self.view.tables.list(list).iter();
        globs.any(|index| glob::matches(self.string(index.get()), text, case))
    }

    /// The text of a string constant.
    fn string(&self, index: u32) -> &'s str {
        let constant =
            row(self.view.tables.consts, index).filter(|constant| constant.tag.get() == tag::STRING);
        constant.map_or("", |constant| self.view.tables.str(constant.text.get()))
    }

    fn regex(&self, item: Item<'_>, index: u32, case: Case) -> Result<bool, StopReason> {
        let Some(text) = item.text() else { return Ok(false) };
        let view = self.view;
        if !case.is_ignored() && !view.module.patterns().can_match(index, || pattern(view, index), &text) {
            return Ok(false);
        }
        match built(self.view, index, case) {
            Some(Ok(regex)) => Ok(regex.is_match(&text)),
            Some(Err(_)) => Err(StopReason::Pattern { index, case }),
            None => Ok(false),
        }
    }
}

/// The truth of the most common predicates: about a scalar and a constant, without a buffer, and without a check
/// of UTF-8. `None` for all others, whose operand may be no constant.
#[inline(always)]
pub(super) fn test_scalar(
    tables: &Tables<'_>,
    op: Op,
    constant: u32,
    (kind, text): (Kind, &[u8]),
) -> Option<bool> {
    if op == Op::Exists {
        return Some(kind != Kind::Null);
    }
    let constant = tables.consts.get(constant as usize)?;
    let is_alike = kind.tag() == constant.tag.get();
    let constant_text = || tables.bytes(constant.text.get());
    let order = || number::compare_canonical(text, constant_text());
    Some(match (op, kind) {
        (Op::Eq, _) if !is_alike => false,
        (Op::Eq, Kind::String) => text == constant_text(),
        (Op::Eq, Kind::Number) => order().is_eq(),
        // Their keys can be in another order.
        (Op::Eq, Kind::Array | Kind::Object) => return None,
        (Op::Eq, _) => true,
        (Op::Gt, Kind::Number) if is_alike => order().is_gt(),
        (Op::Gte, Kind::Number) if is_alike => order().is_ge(),
        (Op::Lt, Kind::Number) if is_alike => order().is_lt(),
        (Op::Lte, Kind::Number) if is_alike => order().is_le(),
        (Op::Gt | Op::Gte | Op::Lt | Op::Lte, _) => false,
        (Op::StartsWith, Kind::String) if is_alike => text.starts_with(constant_text()),
        (Op::EndsWith, Kind::String) if is_alike => text.ends_with(constant_text()),
        (Op::Contains, Kind::String) if is_alike => find::contains(text, constant_text()),
        _ => return None,
    })
}

/// A pattern of the module, compiled.
pub(super) fn built<'s>(view: &EventView<'s>, index: u32, case: Case) -> Option<&'s Result<Regex, String>> {
    let limit = view.module.limits().regex_bytes;
    view.module.patterns().get(index, case, || pattern(view, index), limit)
}

/// The text of a pattern.
pub(super) fn pattern<'s>(view: &EventView<'s>, index: u32) -> &'s str {
    row(view.tables.patterns, index).map_or("", |row| view.tables.str(row.text.get()))
}

fn absent(item: Item<'_>) -> bool {
    matches!(item, Item::Absent)
}
