//! Leaves that contradict each other.
//!
//! A path has one value, or nothing, throughout an event. From that, and from what each operator
//! implies about the value when it is true, some sets of leaves are contradictory. `any` is judged
//! by its negation: if its parts cannot all be false, one of them is always true.

use std::cmp::Ordering;

use foldhash::HashMap;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::{Span, Spanned};
use hookc_vm::format::number;
use hookc_vm::format::text::fold;

use super::{fingerprint, text};
use crate::ir::{LowCond, ReadPath, Test, TestRight};

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
    let mut leaves = Vec::new();
    parts.iter().for_each(|part| assumed(part, want, &mut leaves));
    if !may_clash(&leaves) {
        return None;
    }
    let mut facts = Facts::default();
    leaves.into_iter().try_for_each(|(test, want)| facts.leaf(test, want)).err()
}

/// A leaf, and the result that is assumed.
type Assumed<'c> = (&'c Spanned<Test>, bool);

/// Appends the leaves whose results follow from that of a condition.
fn assumed<'c>(cond: &'c LowCond, want: bool, leaves: &mut Vec<Assumed<'c>>) {
    if cond.shared().is_some() && is_long(cond) {
        return;
    }
    match (cond, want) {
        (LowCond::Test(test), _) => leaves.push((test, want)),
        (LowCond::Not(part), _) => assumed(part, !want, leaves),
        (LowCond::All(parts), true) | (LowCond::Any(parts), false) => {
            parts.iter().for_each(|part| assumed(part, want, leaves));
        }
        (LowCond::All(_) | LowCond::Any(_) | LowCond::Const(_) | LowCond::Some(_), _) => {}
    }
}

/// As many leaves are compared one by one.
const FEW: usize = 8;

/// Whether two leaves have the same path. One leaf contradicts nothing.
fn may_clash(leaves: &[Assumed<'_>]) -> bool {
    let same = |(at, (test, _)): (usize, &Assumed<'_>)| {
        leaves.iter().take(at).any(|(other, _)| other.node.path == test.node.path)
    };
    leaves.len() > FEW || leaves.iter().enumerate().any(same)
}

/// The longest group, or list of values, of a condition that several hooks share: it is compared with
/// what each of them has besides.
const SHARED: usize = 64;

fn is_long(cond: &LowCond) -> bool {
    let length = match cond {
        LowCond::All(parts) | LowCond::Any(parts) => parts.len(),
        LowCond::Test(test) => match &test.node.right {
            TestRight::Value(value) => match &value.kind {
                Kind::Seq(items) => items.len(),
                _ => 0,
            },
            _ => 0,
        },
        LowCond::Const(_) | LowCond::Not(_) | LowCond::Some(_) => 0,
    };
    length > SHARED
}

/// The current assumptions.
#[derive(Default)]
struct Facts<'c> {
    tests: HashMap<u64, (&'c Test, bool, Span)>,
    paths: HashMap<&'c ReadPath, Fact<'c>>,
}

/// The assumptions about the value at one path.
#[derive(Default)]
struct Fact<'c> {
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
}

#[derive(Clone, Copy)]
struct Bound<'c> {
    number: &'c Number,
    /// The bound itself is allowed.
    closed: bool,
    span: Span,
}

impl<'c> Facts<'c> {
    /// Adds the assumption about a leaf.
    fn leaf(&mut self, test: &'c Spanned<Test>, want: bool) -> Result<(), Clash> {
        let (span, test) = (test.span, &test.node);
        let seen = self.tests.entry(fingerprint::test(test)).or_insert((test, want, span));
        if seen.1 != want && seen.0 == test {
            return Err(Clash { first: seen.2, second: span, why: "the opposite" });
        }
        if let ReadPath::Nodes(_) = test.path {
            // Each of two leaves can be true for a different node.
            return Ok(());
        }
        self.paths.entry(&test.path).or_default().learn(test, want, span)
    }
}

impl<'c> Fact<'c> {
    fn learn(&mut self, test: &'c Test, want: bool, span: Span) -> Result<(), Clash> {
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

    fn present(&mut self, span: Span) -> Result<(), Clash> {
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
        let bound = Bound { number, closed: matches!(op, Op::Gte | Op::Lte), span };
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
        match self.equal {
            Some((value, first)) => {
                bound.admits(value, low).then_some(()).ok_or(clash(first, span, "not that value"))
            }
            None => Ok(()),
        }
    }

    /// Compares a value that must be equal with the current bounds.
    fn within(&self, value: &Value, span: Span) -> Result<(), Clash> {
        for (bound, low) in [(&self.low, true), (&self.high, false)] {
            if let Some(bound) = bound.as_ref().filter(|bound| !bound.admits(value, low)) {
                return Err(clash(bound.span, span, "beyond that bound"));
            }
        }
        Ok(())
    }
}

impl Bound<'_> {
    /// Whether `other` is stricter than this bound.
    fn looser(&self, other: &Self, low: bool) -> bool {
        let order = number::compare(&self.number.0, &other.number.0);
        let wanted = if low { Ordering::Less } else { Ordering::Greater };
        order == wanted || (order == Ordering::Equal && self.closed && !other.closed)
    }

    /// Whether no value is between this lower bound and the upper one.
    fn above(&self, high: &Self) -> bool {
        match number::compare(&self.number.0, &high.number.0) {
            Ordering::Greater => true,
            Ordering::Equal => !(self.closed && high.closed),
            Ordering::Less => false,
        }
    }

    /// Whether a value is a number within the bound.
    fn admits(&self, value: &Value, low: bool) -> bool {
        let Kind::Num(number) = &value.kind else { return false };
        match number::compare(&number.0, &self.number.0) {
            Ordering::Equal => self.closed,
            Ordering::Greater => low,
            Ordering::Less => !low,
        }
    }
}

/// Whether `eq` or `in` can be true for an absent value.
fn may_be_null(right: &TestRight) -> bool {
    match right {
        TestRight::None | TestRight::Schema(_) => false,
        TestRight::Path(_) => true,
        TestRight::Value(value) => match &value.kind {
            Kind::Null => true,
            Kind::Seq(items) => items.iter().any(|item| item.kind == Kind::Null),
            _ => false,
        },
    }
}

/// The values of a list.
fn listed(value: &Value) -> &[Value] {
    match &value.kind {
        Kind::Seq(items) => items,
        _ => &[],
    }
}

/// The text that a test compares with, in the same case.
fn literal_text(test: &Test) -> Option<&str> {
    match &test.right {
        TestRight::Value(value) if !test.fold => value.as_str(),
        _ => None,
    }
}

fn holds(items: &[Value], value: &Value) -> bool {
    items.iter().any(|item| item.same(value))
}

fn clash(first: Span, second: Span, why: &'static str) -> Clash {
    Clash { first, second, why }
}
