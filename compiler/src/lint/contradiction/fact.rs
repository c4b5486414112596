//! The assumptions about the value at one path.

use hookc_schema::Span;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Number, Value};
use hookc_vm::format::text::fold;

use super::bound::Bound;
use super::values::{holds, listed, literal_text, may_be_null};
use super::{Clash, SHARED, clash};
use crate::ir::{Test, TestRight};
use crate::lint::text;

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
    /// Tests of text, and whether they are true.
    texts: Vec<(&'c Test, bool, Span)>,
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
            (Op::Eq | Op::In, false) if !test.fold => {
                let values = literal
                    .map(|value| if test.op == Op::In { listed(value) } else { std::slice::from_ref(value) });
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
            (Op::Eq, Some((value, _))) if !test.fold => self.equal(value, span),
            (Op::Eq, Some((_, Kind::Str(text)))) => self.folded(&text.value, span),
            (Op::In, Some((_, Kind::Seq(items)))) if !test.fold => self.one_of(items, span),
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

    fn equal(&mut self, value: &'c Value, span: Span) -> Result<(), Clash> {
        if let Some((before, first)) = self.equal {
            return if before.same(value) { Ok(()) } else { Err(clash(first, span, "another value")) };
        }
        self.equal = Some((value, span));
        if let Some((_, first)) = self.one_of.iter().find(|(items, _)| !holds(items, value)) {
            return Err(clash(*first, span, "not in that list"));
        }
        if let Some((_, first)) = self.others.iter().find(|(items, _)| holds(items, value)) {
            return Err(clash(*first, span, "excludes that value"));
        }
        if let (Some((text, first)), Some(value)) = (self.folded, value.as_str())
            && !fold::eq(text, value)
        {
            return Err(clash(first, span, "another value"));
        }
        let wrong = |(test, want, _): &&(&Test, bool, Span)| text::of_test(test, value) == Some(!want);
        if let Some((_, _, first)) = self.texts.iter().find(wrong) {
            return Err(clash(*first, span, "not true for that text"));
        }
        self.within(value, span)
    }

    fn folded(&mut self, text: &'c str, span: Span) -> Result<(), Clash> {
        let same = |other: &str| fold::eq(text, other);
        let exact = self.equal.and_then(|(value, first)| Some((value.as_str()?, first)));
        if let Some((_, first)) = self.folded.or(exact).filter(|(other, _)| !same(other)) {
            return Err(clash(first, span, "another value"));
        }
        self.folded.get_or_insert((text, span));
        Ok(())
    }

    /// Values that it does not equal, beside the one or the short list that it does.
    fn other(&mut self, values: &'c [Value], span: Span) -> Result<(), Clash> {
        if let Some((_, first)) = self.equal.filter(|(value, _)| holds(values, value)) {
            return Err(clash(first, span, "excludes that value"));
        }
        if values.len() <= SHARED {
            self.others.push((values, span));
        }
        match self.one_of.first() {
            Some((items, first)) if self.none_left(items) => {
                Err(clash(*first, span, "excludes these values"))
            }
            _ => Ok(()),
        }
    }

    /// Whether each value of a short list is excluded.
    fn none_left(&self, items: &[Value]) -> bool {
        let excluded = |item: &Value| self.others.iter().any(|(values, _)| holds(values, item));
        !self.others.is_empty() && items.len() <= SHARED && items.iter().all(excluded)
    }

    /// Two prefixes, or two suffixes, of which none contains the other.
    fn apart(&self, test: &Test) -> Option<Span> {
        let own = literal_text(test)?;
        let excludes = |(other, want, _): &&(&Test, bool, Span)| {
            let Some(text) = literal_text(other).filter(|_| *want && other.op == test.op) else {
                return false;
            };
            match test.op {
                Op::StartsWith => !own.starts_with(text) && !text.starts_with(own),
                Op::EndsWith => !own.ends_with(text) && !text.ends_with(own),
                _ => false,
            }
        };
        self.texts.iter().take(SHARED).find(excludes).map(|(.., span)| *span)
    }

    /// A test with the other result that decides this one.
    fn implied(&self, test: &Test, want: bool) -> Option<Span> {
        let decides = |(other, other_want, _): &&(&Test, bool, Span)| {
            let (given, then) = if want { (test, *other) } else { (*other, test) };
            *other_want != want && text::implies(given, then)
        };
        self.texts.iter().take(SHARED).find(decides).map(|(.., span)| *span)
    }

    /// A test of text beside the text that the value equals, or a short list of texts.
    fn text(&mut self, test: &'c Test, want: bool, span: Span) -> Result<(), Clash> {
        let wrong = |value: &Value| text::of_test(test, value) == Some(!want);
        match (self.equal, self.one_of.first()) {
            (Some((value, first)), _) if wrong(value) => Err(clash(first, span, "not true for that text")),
            (None, Some((items, first))) if items.len() <= SHARED && items.iter().all(wrong) => {
                Err(clash(*first, span, "not true for these texts"))
            }
            (Some(_), _) => Ok(()),
            (None, _) => {
                if let Some(first) = self.apart(test).filter(|_| want) {
                    return Err(clash(first, span, "no text has both"));
                }
                if let Some(first) = self.implied(test, want) {
                    return Err(clash(first, span, "true for each such text"));
                }
                self.texts.push((test, want, span));
                Ok(())
            }
        }
    }

    fn one_of(&mut self, items: &'c [Value], span: Span) -> Result<(), Clash> {
        match self.equal {
            Some((value, first)) if !holds(items, value) => {
                Err(clash(first, span, "does not contain that value"))
            }
            Some(_) => Ok(()),
            None => {
                if let Some((before, first)) = self.one_of.first()
                    && before.len().max(items.len()) <= SHARED
                    && !items.iter().any(|item| holds(before, item))
                {
                    return Err(clash(*first, span, "no value is in both lists"));
                }
                if let Some((_, first)) = self.others.first().filter(|_| self.none_left(items)) {
                    return Err(clash(*first, span, "excludes these values"));
                }
                if let (true, Some((_, _, first))) = (items.len() <= SHARED, self.excluded(items)) {
                    return Err(clash(*first, span, "not true for these texts"));
                }
                self.one_of.push((items, span));
                Ok(())
            }
        }
    }

    /// A test that is wrong for every text of the first list.
    fn excluded(&self, items: &[Value]) -> Option<&(&'c Test, bool, Span)> {
        let wrong = |(test, want, _): &&(&Test, bool, Span)| {
            items.iter().all(|item| text::of_test(test, item) == Some(!want))
        };
        self.texts.iter().filter(|_| self.one_of.is_empty()).find(wrong)
    }

    fn bound(&mut self, op: Op, number: &'c Number, span: Span) -> Result<(), Clash> {
        let bound = Bound::new(op, number, span);
        let low = matches!(op, Op::Gt | Op::Gte);
        let (own, other) = if low { (&mut self.low, self.high) } else { (&mut self.high, self.low) };
        match own {
            Some(before) if !before.looser(&bound, low) => {}
            own => *own = Some(bound),
        }
        if let Some(other) = other {
            let (low, high) = if low { (&bound, &other) } else { (&other, &bound) };
            if low.above(high) {
                return Err(clash(other.span, span, "no number is both"));
            }
        }
        if let Some((value, first)) = self.equal {
            return bound.admits(value, low).then_some(()).ok_or(clash(first, span, "not that value"));
        }
        let outside = |items: &[Value]| !items.iter().any(|item| bound.admits(item, low));
        if let Some((_, first)) =
            self.one_of.first().filter(|(items, _)| items.len() <= SHARED && outside(items))
        {
            return Err(clash(*first, span, "not true for these values"));
        }
        let refuted =
            self.refuted.iter().find(|(other, other_low)| *other_low == low && !bound.looser(other, low));
        refuted.map_or(Ok(()), |(other, _)| Err(clash(other.span, span, "excludes these numbers")))
    }

    /// A bound that is not satisfied: the value is beyond it, or no number.
    fn refute(&mut self, op: Op, value: &'c Value, span: Span) -> Result<(), Clash> {
        let Kind::Num(number) = &value.kind else { return Ok(()) };
        let bound = Bound::new(op, number, span);
        let low = matches!(op, Op::Gt | Op::Gte);
        let own = if low { self.low } else { self.high };
        let inside = |items: &[Value]| items.iter().all(|item| bound.admits(item, low));
        let first = match (self.equal, own, self.one_of.first()) {
            (Some((value, first)), ..) => bound.admits(value, low).then_some(first),
            (None, Some(own), _) => (!own.looser(&bound, low)).then_some(own.span),
            (None, None, Some((items, first))) => (items.len() <= SHARED && inside(items)).then_some(*first),
            (None, None, None) => None,
        };
        self.refuted.push((bound, low));
        first.map_or(Ok(()), |first| Err(clash(first, span, "excludes these numbers")))
    }

    /// Compares a value that must be equal with the current bounds.
    fn within(&self, value: &Value, span: Span) -> Result<(), Clash> {
        for (bound, low) in [(&self.low, true), (&self.high, false)] {
            if let Some(bound) = bound.as_ref().filter(|bound| !bound.admits(value, low)) {
                return Err(clash(bound.span, span, "beyond that bound"));
            }
        }
        let wrong = |(bound, low): &&(Bound<'_>, bool)| bound.admits(value, *low);
        let refuted = self.refuted.iter().find(wrong);
        refuted.map_or(Ok(()), |(bound, _)| Err(clash(bound.span, span, "excludes that value")))
    }
}
