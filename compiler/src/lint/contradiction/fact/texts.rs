//! Tests of the text at a path.

use hookc_schema::Span;
use hookc_schema::tree::Op;
use hookc_schema::value::Value;

use super::super::values::literal_text;
use super::super::{Clash, SHARED, clash};
use super::{Fact, TextTest};
use crate::ir::Test;
use crate::lint::text;

impl<'c> Fact<'c> {
    /// Two prefixes, or two suffixes, that no text can have both.
    fn incompatible(&self, test: &Test) -> Option<Span> {
        let given = literal_text(test)?;
        let excludes = |(other, want, _): &&TextTest<'_>| {
            let Some(text) = literal_text(other).filter(|_| *want && other.op == test.op) else {
                return false;
            };
            match test.op {
                Op::StartsWith => !given.starts_with(text) && !text.starts_with(given),
                Op::EndsWith => !given.ends_with(text) && !text.ends_with(given),
                _ => false,
            }
        };
        self.texts.iter().take(SHARED).find(excludes).map(|(.., span)| *span)
    }

    /// A test with the other result that decides this one.
    fn implied(&self, test: &Test, want: bool) -> Option<Span> {
        let decides = |(other, other_want, _): &&TextTest<'_>| {
            let (given, then) = if want { (test, *other) } else { (*other, test) };
            *other_want != want && text::implies(given, then)
        };
        self.texts.iter().take(SHARED).find(decides).map(|(.., span)| *span)
    }

    /// A test of text next to the text that the value equals, or a short list of texts.
    pub(super) fn text(&mut self, test: &'c Test, want: bool, span: Span) -> Result<(), Clash> {
        let wrong = |value: &Value| text::of_test(test, value) == Some(!want);
        match (self.equal, self.one_of.first()) {
            (Some((value, first)), _) if wrong(value) => Err(clash(first, span, "not true for that text")),
            (None, Some((items, first))) if items.len() <= SHARED && items.iter().all(wrong) => {
                Err(clash(*first, span, "not true for these texts"))
            }
            (Some(_), _) => Ok(()),
            (None, _) => {
                if let Some(first) = self.incompatible(test).filter(|_| want) {
                    return Err(clash(first, span, "no text has both"));
                }
                if let Some(first) = self.implied(test, want) {
                    return Err(clash(first, span, "true for each such text"));
                }
                self.texts.push((test, want, span));
                self.exhausted(span)
            }
        }
    }

    /// A test that is wrong for every text of the first list.
    pub(super) fn excluded(&self, items: &[Value]) -> Option<&TextTest<'c>> {
        let wrong = |(test, want, _): &&TextTest<'_>| {
            items.iter().all(|item| text::of_test(test, item) == Some(!want))
        };
        self.texts.iter().filter(|_| self.one_of.is_empty()).find(wrong)
    }
}
