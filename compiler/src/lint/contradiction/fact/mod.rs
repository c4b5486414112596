//! The assumptions about the value at one path.

mod equality;
mod numbers;
mod texts;

use hookc_schema::Span;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Value};

use super::bound::Bound;
use super::values::{holds, may_be_null};
use super::{Clash, SHARED, clash};
use crate::ir::{Test, TestRight};
use crate::lint::text;

/// A test of text, and whether it is true.
type TextTest<'c> = (&'c Test, bool, Span);

/// The assumptions about the value at one path.
#[derive(Default)]
pub(super) struct Fact<'c> {
    /// It is present and not null.
    present: Option<Span>,
    /// It is absent or null.
    missing: Option<Span>,
    equal: Option<(&'c Value, Span)>,
    /// The text that it equals whatever the case.
    folded: Option<(&'c str, Span)>,
    one_of: Vec<(&'c [Value], Span)>,
    /// Values that it does not equal.
    others: Vec<(&'c [Value], Span)>,
    /// Tests of text.
    texts: Vec<TextTest<'c>>,
    low: Option<Bound<'c>>,
    high: Option<Bound<'c>>,
    /// Bounds that are not satisfied, and whether they are lower ones.
    refuted: Vec<(Bound<'c>, bool)>,
}

impl<'c> Fact<'c> {
    pub(super) fn learn(&mut self, test: &'c Test, want: bool, span: Span) -> Result<(), Clash> {
        let literal = match &test.right {
            TestRight::Value(value) => Some(&**value),
            TestRight::None | TestRight::Path(_) | TestRight::Schema(_) => None,
        };
        let null = literal.is_some_and(|value| value.kind == Kind::Null);
        match (test.op, want) {
            // Absent equals null.
            (Op::Exists, false) => return self.missing(span),
            (Op::Eq, true) if null => self.missing(span)?,
            (Op::Eq, false) if null => return self.present(span),
            (Op::Eq | Op::In, false) if !test.case.is_ignored() => {
                let values = literal
                    .map(|value| if test.op == Op::In { value.items() } else { std::slice::from_ref(value) });
                return values.map_or(Ok(()), |values| self.other(values, span));
            }
            (_, false) if text::is_test(test) => return self.text(test, false, span),
            (Op::Gt | Op::Gte | Op::Lt | Op::Lte, false) => {
                return literal.map_or(Ok(()), |value| self.refute(test.op, value, span));
            }
            (_, false) => return Ok(()),
            (Op::Eq | Op::In, true) if may_be_null(&test.right) => {}
            // Null can be valid, and absent equals null elsewhere.
            (Op::Matches, true) => {}
            (_, true) => self.present(span)?,
        }
        match (test.op, literal.map(|value| (value, &value.kind))) {
            (Op::Eq, Some((value, _))) if !test.case.is_ignored() => self.equal(value, span),
            (Op::Eq, Some((_, Kind::Str(text)))) => self.folded(&text.value, span),
            (Op::In, Some((_, Kind::Seq(items)))) if !test.case.is_ignored() => self.one_of(items, span),
            (Op::Gt | Op::Gte | Op::Lt | Op::Lte, Some((_, Kind::Num(number)))) => {
                self.bound(test.op, number, span)
            }
            _ if text::is_test(test) => self.text(test, true, span),
            _ => Ok(()),
        }
    }

    pub(super) fn present(&mut self, span: Span) -> Result<(), Clash> {
        self.present.get_or_insert(span);
        self.missing.map_or(Ok(()), |first| Err(clash(first, span, "needs a value there")))
    }

    fn missing(&mut self, span: Span) -> Result<(), Clash> {
        self.missing.get_or_insert(span);
        self.present.map_or(Ok(()), |first| Err(clash(first, span, "needs no value there")))
    }

    /// Whether each value of a short list is excluded by some assumption.
    fn none_left(&self, items: &[Value]) -> bool {
        let bounds = [(&self.low, true), (&self.high, false)];
        let excluded = |item: &Value| {
            self.others.iter().take(SHARED).any(|(values, _)| holds(values, item))
                || self.refuted.iter().take(SHARED).any(|(bound, low)| bound.admits(item, *low))
                || bounds.iter().any(|(bound, low)| bound.is_some_and(|bound| !bound.admits(item, *low)))
                || self.texts.iter().take(SHARED).any(|test| is_wrong(test, item))
        };
        !items.is_empty() && items.len() <= SHARED && items.iter().all(excluded)
    }

    /// The list of the possible values, if each of them is excluded.
    fn exhausted(&self, span: Span) -> Result<(), Clash> {
        match self.one_of.first() {
            Some((items, first)) if self.equal.is_none() && self.none_left(items) => {
                Err(clash(*first, span, "excludes these values"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a test has another result for a text. Patterns are too expensive for each value of a list.
fn is_wrong((test, want, _): &TextTest<'_>, item: &Value) -> bool {
    test.op != Op::Regex && text::of_test(test, item) == Some(!want)
}
