//! Leaves that contradict each other.
//!
//! A path has one value, or nothing, throughout an event. From that, and from what each operator
//! implies about the value when it is true, some sets of leaves are contradictory. `any` is judged
//! by its negation: if its parts cannot all be false, one of them is always true. A condition
//! implies another one if it contradicts its negation.

mod bound;
mod fact;
mod facts;
mod implied;
mod past;
mod values;

use hookc_schema::{Span, Spanned};

use crate::ir::{LowCond, Quantified, Test, TestRight};

use facts::Facts;
pub(super) use implied::{implies, implies_one_of};

/// Two spans that exclude each other.
pub(super) struct Clash {
    /// The one written, or found, first.
    pub(super) first: Span,
    /// The other.
    pub(super) second: Span,
    /// Why.
    pub(super) why: &'static str,
}

/// Leaves among `parts` that cannot all be `want`, including equivalent groups. Linear in the
/// leaves.
pub(super) fn find(parts: &[LowCond], want: bool) -> Option<Clash> {
    let mut assumed = Assumed::default();
    parts.iter().for_each(|part| assumed.add(part, want));
    // A history can be unknown: of two tests that cannot both be false, none need be true.
    let past = if want { past::find(&assumed.pasts) } else { None };
    past.or_else(|| if assumed.may_clash() { assumed.clash() } else { None })
}

/// Leaves and quantifiers, each with the result that is assumed.
#[derive(Default)]
struct Assumed<'c> {
    tests: Vec<(&'c Spanned<Test>, bool)>,
    somes: Vec<(&'c Spanned<Quantified>, bool)>,
    pasts: Vec<past::Past<'c>>,
}

/// As many leaves are compared one by one.
const FEW: usize = 8;

impl<'c> Assumed<'c> {
    /// Adds what follows from the result of a condition.
    fn add(&mut self, cond: &'c LowCond, want: bool) {
        if cond.shared().is_some() && is_long(cond) {
            return;
        }
        match (cond, want) {
            (LowCond::Test(test), _) => self.tests.push((test, want)),
            (LowCond::Some(some), _) => self.somes.push((some, want)),
            (LowCond::Past(past), _) => self.pasts.push((past, want)),
            (LowCond::Not(part), _) => self.add(part, !want),
            (LowCond::All(parts), true) | (LowCond::Any(parts), false) => {
                parts.iter().for_each(|part| self.add(part, want));
            }
            (LowCond::All(_) | LowCond::Any(_) | LowCond::Const(_) | LowCond::Effects(_), _) => {}
        }
    }

    /// Whether two leaves have the same path. One leaf contradicts nothing.
    fn may_clash(&self) -> bool {
        let paths = || {
            let tests = self.tests.iter().map(|(test, _)| &test.node.path);
            tests.chain(self.somes.iter().map(|(some, _)| &some.node.path))
        };
        let count = self.tests.len() + self.somes.len();
        count > FEW || paths().enumerate().any(|(at, path)| paths().take(at).any(|other| other == path))
    }

    fn clash(self) -> Option<Clash> {
        let mut facts = Facts::default();
        let tests = self.tests.into_iter().try_for_each(|(test, want)| facts.test(test, want));
        tests.and_then(|()| self.somes.into_iter().try_for_each(|(some, want)| facts.some(some, want))).err()
    }
}

/// The longest group, or list of values, of a condition that several hooks share: it is compared with
/// what each of them has besides.
const SHARED: usize = 64;

fn is_long(cond: &LowCond) -> bool {
    let length = match cond {
        LowCond::All(parts) | LowCond::Any(parts) => parts.len(),
        LowCond::Test(test) => match &test.node.right {
            TestRight::Value(value) => value.items().len(),
            _ => 0,
        },
        LowCond::Const(_) | LowCond::Not(_) | LowCond::Some(_) | LowCond::Effects(_) | LowCond::Past(_) => 0,
    };
    length > SHARED
}

fn clash(first: Span, second: Span, why: &'static str) -> Clash {
    Clash { first, second, why }
}
