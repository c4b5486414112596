//! The current assumptions.

use foldhash::HashMap;
use hookc_schema::{Span, Spanned};

use super::fact::Fact;
use super::{Clash, clash, implied};
use crate::ir::{Quantified, ReadPath, Test};
use crate::lint::fingerprint::fingerprint;

/// What is assumed about an event.
#[derive(Default)]
pub(super) struct Facts<'c> {
    tests: HashMap<u64, (&'c Test, bool, Span)>,
    paths: HashMap<&'c ReadPath, Fact<'c>>,
    /// Quantifiers, and whether some node satisfies them.
    somes: Vec<(&'c Quantified, bool, Span)>,
}

/// As many quantifiers are compared with each other.
const QUANTIFIERS: usize = 8;

impl<'c> Facts<'c> {
    /// Adds the assumption about a leaf.
    pub(super) fn test(&mut self, test: &'c Spanned<Test>, want: bool) -> Result<(), Clash> {
        let (span, test) = (test.span, &test.node);
        let seen = self.tests.entry(fingerprint(test)).or_insert((test, want, span));
        if seen.1 != want && seen.0 == test {
            return Err(clash(seen.2, span, "the opposite"));
        }
        if let ReadPath::Nodes(_) | ReadPath::Recall(_) = test.path {
            // Each of two leaves can be true for a different node, and a value of the history can be unknown.
            return Ok(());
        }
        self.paths.entry(&test.path).or_default().learn(test, want, span)
    }

    /// Adds the assumption about a quantifier.
    pub(super) fn some(&mut self, some: &'c Spanned<Quantified>, want: bool) -> Result<(), Clash> {
        let (span, some) = (some.span, &some.node);
        if want && some.children {
            // Nothing has no children.
            self.paths.entry(&some.path).or_default().present(span)?;
        }
        let excludes = |(other, other_want, _): &&(&Quantified, bool, Span)| {
            let (one, none) = if want { (some, *other) } else { (*other, some) };
            *other_want != want
                && one.path == none.path
                && one.children == none.children
                && implied::implies(&one.cond, &none.cond)
        };
        if let Some((.., first)) = self.somes.iter().find(excludes) {
            let why = if want { "true for an element that is excluded" } else { "excludes that element" };
            return Err(clash(*first, span, why));
        }
        if self.somes.len() < QUANTIFIERS {
            self.somes.push((some, want, span));
        }
        Ok(())
    }
}
