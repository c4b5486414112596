//! Bounds of the number at a path.

use hookc_schema::Span;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Number, Value};

use super::super::bound::Bound;
use super::super::{Clash, SHARED, clash};
use super::Fact;

impl<'c> Fact<'c> {
    pub(super) fn bound(&mut self, op: Op, number: &'c Number, span: Span) -> Result<(), Clash> {
        let bound = Bound::new(op, number, span);
        let low = matches!(op, Op::Gt | Op::Gte);
        let (bound_here, other) = if low { (&mut self.low, self.high) } else { (&mut self.high, self.low) };
        match bound_here {
            Some(before) if !before.looser(&bound, low) => {}
            weaker => *weaker = Some(bound),
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
        refuted.map_or(Ok(()), |(other, _)| Err(clash(other.span, span, "excludes these numbers")))?;
        self.exhausted(span)?;
        self.number(span)
    }

    /// Whether a number is left. A value within some bound is a number, so that it is beyond each one that is not
    /// satisfied.
    fn number(&self, span: Span) -> Result<(), Clash> {
        let Some(known) = self.low.or(self.high).filter(|_| self.equal.is_none()) else { return Ok(()) };
        let beyond = |low: bool| {
            let refuted = self.refuted.iter().take(SHARED).filter(move |(_, other)| *other != low);
            let known = if low { self.low } else { self.high };
            let bounds = known.into_iter().chain(refuted.map(|(bound, _)| bound.opposite()));
            bounds.reduce(|strict, bound| if strict.looser(&bound, low) { bound } else { strict })
        };
        match (beyond(true), beyond(false)) {
            (Some(low), Some(high)) if low.above(&high) => {
                let first = if low.span == span { high.span } else { low.span };
                let first = if first == span { known.span } else { first };
                Err(clash(first, span, "no number is left"))
            }
            _ => Ok(()),
        }
    }

    /// A bound that is not satisfied: the value is beyond it, or no number.
    pub(super) fn refute(&mut self, op: Op, value: &'c Value, span: Span) -> Result<(), Clash> {
        let Kind::Num(number) = &value.kind else { return Ok(()) };
        let bound = Bound::new(op, number, span);
        let low = matches!(op, Op::Gt | Op::Gte);
        let known = if low { self.low } else { self.high };
        let inside = |items: &[Value]| items.iter().all(|item| bound.admits(item, low));
        let first = match (self.equal, known, self.one_of.first()) {
            (Some((value, first)), ..) => bound.admits(value, low).then_some(first),
            (None, Some(known), _) => (!known.looser(&bound, low)).then_some(known.span),
            (None, None, Some((items, first))) => (items.len() <= SHARED && inside(items)).then_some(*first),
            (None, None, None) => None,
        };
        self.refuted.push((bound, low));
        first.map_or(Ok(()), |first| Err(clash(first, span, "excludes these numbers")))?;
        self.exhausted(span)?;
        self.number(span)
    }

    /// Compares a value that must be equal with the current bounds.
    pub(super) fn within(&self, value: &Value, span: Span) -> Result<(), Clash> {
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
