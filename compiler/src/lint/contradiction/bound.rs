//! Bounds of numbers.

use std::cmp::Ordering;

use hookc_schema::Span;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Number, Value};
use hookc_vm::format::number;

/// A lower or an upper bound.
#[derive(Clone, Copy)]
pub(super) struct Bound<'c> {
    number: &'c Number,
    /// The bound itself is allowed.
    closed: bool,
    pub(super) span: Span,
}

impl<'c> Bound<'c> {
    /// The bound of an operator.
    pub(super) fn new(op: Op, number: &'c Number, span: Span) -> Self {
        Self { number, closed: matches!(op, Op::Gte | Op::Lte), span }
    }

    /// The bound of the numbers beyond this one.
    pub(super) fn opposite(self) -> Self {
        Self { closed: !self.closed, ..self }
    }

    /// Whether `other` is stricter than this bound.
    pub(super) fn looser(&self, other: &Self, low: bool) -> bool {
        let order = number::compare(&self.number.0, &other.number.0);
        let wanted = if low { Ordering::Less } else { Ordering::Greater };
        order == wanted || (order == Ordering::Equal && self.closed && !other.closed)
    }

    /// Whether no value is between this lower bound and the upper one.
    pub(super) fn above(&self, high: &Self) -> bool {
        match number::compare(&self.number.0, &high.number.0) {
            Ordering::Greater => true,
            Ordering::Equal => !(self.closed && high.closed),
            Ordering::Less => false,
        }
    }

    /// Whether a value is a number within the bound.
    pub(super) fn admits(&self, value: &Value, low: bool) -> bool {
        let Kind::Num(number) = &value.kind else { return false };
        match number::compare(&number.0, &self.number.0) {
            Ordering::Equal => self.closed,
            Ordering::Greater => low,
            Ordering::Less => !low,
        }
    }
}
