//! Options that a command has several times with different values: a test of `c.flags.d` is about each of them.
//!
//! `flags` has the last value, `repeated` has all of them. A condition of a denial is true if some value makes it true;
//! one that allows is true only if each value makes it true. So a further option neither evades a denial, also where the
//! test is negated, nor is it allowed by the test of another one.

use std::sync::Arc;

use hookc_schema::Spanned;
use hookc_schema::tree::{Op, Query, Segment, Selector, Step};
use hookc_schema::vocab::ViewMember;

use crate::check::quantified;
use crate::ir::{LowCond, Nodes, Quantified, ReadPath, Test, TestRight};

/// Whether the position of a test is in what allows, and in a negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::check) struct Polarity {
    pub(in crate::check) allows: bool,
    pub(in crate::check) negated: bool,
}

/// The condition of a test: about each value if it is one of an option.
pub(in crate::check) fn of_test(test: Spanned<Test>, member: Option<ViewMember>, place: Polarity) -> LowCond {
    let is_flag = member == Some(ViewMember::Flags) && test.node.op != Op::Exists;
    let values = Some(&test.node).filter(|_| is_flag).and_then(|test| values(&test.path));
    let Some((path, children)) = values else { return quantified::of_test(test) };
    let right = match test.node.right.clone() {
        TestRight::Path(ReadPath::Bound(up, steps)) => TestRight::Path(ReadPath::Bound(up + 1, steps)),
        right => right,
    };
    let span = test.span;
    let test_of_each = Test { path: ReadPath::Bound(0, Arc::new([])), right, ..test.node.clone() };
    let test_of_each = LowCond::Test(Arc::new(Spanned::new(test_of_each, span)));
    let is_any = place.negated == place.allows;
    let cond = if is_any { test_of_each } else { LowCond::Not(test_of_each.into()) };
    let some = LowCond::Some(Arc::new(Spanned::new(Quantified { path, children, cond }, span)));
    let last = quantified::of_test(test);
    match is_any {
        true => LowCond::Any([last, some].into()),
        false => LowCond::All([last, LowCond::Not(some.into())].into()),
    }
}

/// The path of all values of an option that has several, and whether these are its children.
fn values(path: &ReadPath) -> Option<(ReadPath, bool)> {
    Some(match path {
        ReadPath::Plain(steps) => (ReadPath::Plain(renamed(steps)?.into()), true),
        ReadPath::Merged(steps) => (ReadPath::Merged(renamed(steps)?.into()), true),
        ReadPath::Bound(up, steps) => (ReadPath::Bound(*up, renamed(steps)?.into()), true),
        ReadPath::Declared(..) | ReadPath::Recall(_) => return None,
        ReadPath::Nodes(nodes) => {
            let mut segments = nodes.rest().segments.clone();
            let at = segments.len().checked_sub(2)?;
            match segments.get_mut(at)? {
                Segment::Child(selectors) => match selectors.as_mut_slice() {
                    [Selector::Name(name)] if name == "flags" => *name = "repeated".to_owned(),
                    _ => return None,
                },
                Segment::Descendant(_) => return None,
            }
            segments.push(Segment::Child(vec![Selector::Wildcard]));
            let values = Nodes::below(nodes.start().clone(), Query { segments });
            (ReadPath::Nodes(values.into()), false)
        }
    })
}

/// The steps of `flags.X` as those of `repeated.X`.
fn renamed(steps: &[Step]) -> Option<Vec<Step>> {
    let mut steps = steps.to_vec();
    let at = steps.len().checked_sub(2)?;
    match steps.get_mut(at)? {
        Step::Name(name) if name == "flags" => *name = "repeated".to_owned(),
        _ => return None,
    }
    Some(steps)
}
