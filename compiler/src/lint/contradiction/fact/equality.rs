//! Values that the value at a path equals, or does not equal.

use hookc_schema::Span;
use hookc_schema::value::Value;
use hookc_vm::text::fold;

use super::super::values::holds;
use super::super::{Clash, SHARED, clash};
use super::{Fact, TextTest, is_wrong};
use crate::lint::text;

impl<'c> Fact<'c> {
    pub(super) fn equal(&mut self, value: &'c Value, span: Span) -> Result<(), Clash> {
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
        let wrong = |(test, want, _): &&TextTest<'_>| text::of_test(test, value) == Some(!want);
        if let Some((_, _, first)) = self.texts.iter().find(wrong) {
            return Err(clash(*first, span, "not true for that text"));
        }
        self.within(value, span)
    }

    pub(super) fn folded(&mut self, text: &'c str, span: Span) -> Result<(), Clash> {
        let same = |other: &str| fold::eq(text, other);
        let exact = self.equal.and_then(|(value, first)| Some((value.as_str()?, first)));
        if let Some((_, first)) = self.folded.or(exact).filter(|(other, _)| !same(other)) {
            return Err(clash(first, span, "another value"));
        }
        self.folded.get_or_insert((text, span));
        Ok(())
    }

    /// Values that it does not equal, next to the one or the short list that it does.
    pub(super) fn other(&mut self, values: &'c [Value], span: Span) -> Result<(), Clash> {
        if let Some((_, first)) = self.equal.filter(|(value, _)| holds(values, value)) {
            return Err(clash(first, span, "excludes that value"));
        }
        if values.len() <= SHARED {
            self.others.push((values, span));
        }
        self.exhausted(span)
    }

    pub(super) fn one_of(&mut self, items: &'c [Value], span: Span) -> Result<(), Clash> {
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
                if let (true, Some((_, _, first))) = (items.len() <= SHARED, self.excluded(items)) {
                    return Err(clash(*first, span, "not true for these texts"));
                }
                if let Some(first) = self.excluding(items) {
                    return Err(clash(first, span, "excludes these values"));
                }
                self.one_of.push((items, span));
                Ok(())
            }
        }
    }

    /// The first assumption of those that together exclude a list.
    fn excluding(&self, items: &[Value]) -> Option<Span> {
        if !self.none_left(items) {
            return None;
        }
        let any = |excludes: &dyn Fn(&Value) -> bool| items.iter().any(excludes);
        let others = self.others.iter().filter(|(values, _)| any(&|item| holds(values, item)));
        let refuted = self.refuted.iter().filter(|(bound, low)| any(&|item| bound.admits(item, *low)));
        let bounds = [(&self.low, true), (&self.high, false)];
        let bounds = bounds.into_iter().filter_map(|(bound, low)| Some((bound.as_ref()?, low)));
        let bounds = bounds.filter(|(bound, low)| any(&|item| !bound.admits(item, *low)));
        let texts = self.texts.iter().filter(|test| any(&|item| is_wrong(test, item)));
        let numbers = refuted.map(|(bound, _)| bound.span).chain(bounds.map(|(bound, _)| bound.span));
        others.map(|(_, span)| *span).chain(numbers).chain(texts.map(|(.., span)| *span)).next()
    }
}
