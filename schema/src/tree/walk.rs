//! Walks over conditions: their parts with their polarity, and values that follow from those of the parts.

use std::collections::HashMap;

use super::{Cond, CondKind, Leaf, Op, Path, Predicate, Quantified, Quantifier, Right, Selection, SharedId};
use crate::value::Kind;

/// A part of a condition.
#[derive(Clone, Copy, Debug)]
pub struct CondPart<'c> {
    /// The part as written.
    pub cond: &'c Cond,
    /// Whether an odd number of `not` is around it.
    pub negated: bool,
    /// Whether it is inside a quantifier: the name of a node can hide that of a field.
    pub is_bound: bool,
}

/// What a part demands, after its negation: `not (a and b)` is `Any` of negated parts.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'c> {
    /// Always true, or never.
    Const(bool),
    /// Each part must be true.
    All,
    /// One part must be true.
    Any,
    /// The part in it, which is negated once more.
    Not,
    /// A test, or its negation.
    Leaf(&'c Leaf),
    /// The condition must be true of some node.
    Some(&'c Quantified),
    /// The condition must be true of every node.
    Every(&'c Quantified),
    /// A predicate, or its negation.
    Predicate(&'c Predicate),
    /// An earlier event must be in the selection, or none.
    Formerly(&'c Selection),
}

impl<'c> CondPart<'c> {
    /// What it demands.
    #[must_use]
    pub fn demand(self) -> Demand<'c> {
        let Self { cond, negated, .. } = self;
        match &cond.kind {
            CondKind::Const(value) => Demand::Const(*value != negated),
            CondKind::All(_) if !negated => Demand::All,
            CondKind::Any(_) if negated => Demand::All,
            CondKind::All(_) | CondKind::Any(_) => Demand::Any,
            CondKind::Not(_) => Demand::Not,
            CondKind::Leaf(leaf) => Demand::Leaf(leaf),
            CondKind::Quantified(inner) if (inner.quantifier == Quantifier::Some) != negated => {
                Demand::Some(inner)
            }
            CondKind::Quantified(inner) => Demand::Every(inner),
            CondKind::Predicate(predicate) => Demand::Predicate(predicate),
            CondKind::Formerly(selection) => Demand::Formerly(selection),
        }
    }

    /// Its direct parts: those of a group, and the condition of a quantifier or of `not`. The conditions of a selection
    /// are about other events, so they are not parts.
    pub fn parts(self) -> impl DoubleEndedIterator<Item = Self> {
        let (conds, negated, is_bound): (&'c [Cond], bool, bool) = match &self.cond.kind {
            CondKind::All(parts) | CondKind::Any(parts) => (parts, self.negated, self.is_bound),
            CondKind::Not(inner) => (std::slice::from_ref(inner), !self.negated, self.is_bound),
            CondKind::Quantified(inner) => (std::slice::from_ref(&inner.cond), self.negated, true),
            CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => {
                (&[], false, false)
            }
        };
        conds.iter().map(move |cond| Self { cond, negated, is_bound })
    }

    /// It, and the parts in it for which `enter` is true, in the order of writing.
    pub fn walk(self, mut enter: impl FnMut(Self) -> bool) -> impl Iterator<Item = Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            loop {
                let next = open.pop()?;
                if enter(next) {
                    open.extend(next.parts().rev());
                    return Some(next);
                }
            }
        })
    }

    /// The path of its test, or of its nodes.
    #[must_use]
    pub fn path(self) -> Option<&'c Path> {
        match &self.cond.kind {
            CondKind::Leaf(leaf) => Some(&leaf.path),
            CondKind::Quantified(inner) => Some(&inner.path),
            _ => None,
        }
    }

    /// Its [`path`](Self::path), and that of the right operand of its test.
    pub fn paths(self) -> impl Iterator<Item = &'c Path> {
        self.path().into_iter().chain(self.leaf().and_then(Leaf::right_path))
    }

    /// Its test.
    #[must_use]
    pub fn leaf(self) -> Option<&'c Leaf> {
        match &self.cond.kind {
            CondKind::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// Its predicate.
    #[must_use]
    pub fn predicate(self) -> Option<&'c Predicate> {
        match &self.cond.kind {
            CondKind::Predicate(predicate) => Some(predicate),
            _ => None,
        }
    }
}

impl Cond {
    /// The whole condition as a part.
    #[must_use]
    pub fn whole(&self) -> CondPart<'_> {
        CondPart { cond: self, negated: false, is_bound: false }
    }

    /// All of its parts, in the order of writing.
    pub fn walk(&self) -> impl Iterator<Item = CondPart<'_>> {
        self.whole().walk(|_| true)
    }

    /// Its tests, also those of nodes.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.walk().filter_map(CondPart::leaf)
    }

    /// Its predicate, if it is one.
    #[must_use]
    pub fn predicate(&self) -> Option<&Predicate> {
        self.whole().predicate()
    }
}

/// Values of conditions that follow from those of their parts. Conditions that several hooks share have theirs once.
#[derive(Clone, Debug)]
pub struct Fold<T>(HashMap<(SharedId, bool), T>);

impl<T> Default for Fold<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Clone> Fold<T> {
    /// The value of a part: `value` gets it and the values of its direct parts. A `not` has the value of what it negates.
    /// The recursion depth is the nesting of the condition.
    pub fn value<'c>(&mut self, part: CondPart<'c>, value: &mut impl FnMut(CondPart<'c>, Vec<T>) -> T) -> T {
        let key = part.cond.shared().map(|id| (id, part.negated));
        if let Some(known) = key.and_then(|key| self.0.get(&key)) {
            return known.clone();
        }
        let mut parts: Vec<T> = part.parts().map(|inner| self.value(inner, value)).collect();
        let new = match (&part.cond.kind, parts.pop()) {
            (CondKind::Not(_), Some(inner)) => inner,
            (_, last) => {
                parts.extend(last);
                value(part, parts)
            }
        };
        self.0.extend(key.map(|key| (key, new.clone())));
        new
    }
}

impl Leaf {
    /// Whether it is the negation of its test: `ne`, and `exists: false`.
    #[must_use]
    pub fn is_negated(&self) -> bool {
        self.op.node == Op::Ne || self.is_absence()
    }

    /// Whether it is `exists: false`, true for an absent value only.
    #[must_use]
    pub(crate) fn is_absence(&self) -> bool {
        self.op.node == Op::Exists && self.right.truth() == Some(false)
    }

    /// Its result for an absent value, if that is certain.
    #[must_use]
    pub fn if_absent(&self) -> Option<bool> {
        let is_null = |value: &crate::value::Value| value.kind == Kind::Null;
        match (self.op.node, &self.right) {
            (Op::Exists, _) => Some(self.is_absence()),
            (Op::Matches, _) => Some(false),
            (_, Right::None) | (Op::Eq | Op::Ne | Op::In, Right::Path(_)) => None,
            (Op::Eq | Op::Contains, Right::Value(value)) => (!is_null(value)).then_some(false),
            (Op::Ne, Right::Value(value)) => (!is_null(value)).then_some(true),
            (Op::In, Right::Value(value)) => match &value.kind {
                Kind::Seq(items) => (!items.iter().any(is_null)).then_some(false),
                _ => None,
            },
            _ => Some(false),
        }
    }
}

impl Right {
    /// The truth value that it is.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Value(value) => match value.kind {
                Kind::Bool(truth) => Some(truth),
                _ => None,
            },
            Self::None | Self::Path(_) => None,
        }
    }

    /// The text that it is.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Value(value) => value.as_str(),
            Self::None | Self::Path(_) => None,
        }
    }
}
