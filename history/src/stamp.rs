//! When events happened, and which of them a selection looks at.

/// When an event was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Stamp {
    /// Its number in the partition; the first is 1.
    pub number: u64,
    /// Its time in milliseconds of the history clock.
    pub time: u64,
}

/// The part of the history that a selection looks at. The number of its first event can be uncertain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The number of the last certain anchor, else 0.
    pub(crate) low: u64,
    /// The number of the last possible anchor, at least `low`.
    pub(crate) high: u64,
    /// The earliest time.
    pub(crate) not_before: u64,
}

impl Scope {
    /// Whether the event is in the scope, wherever the scope starts.
    pub(crate) fn surely_contains(&self, stamp: Stamp) -> bool {
        stamp.number >= self.high && stamp.time >= self.not_before
    }

    /// Whether the event can be in the scope.
    pub(crate) fn may_contain(&self, stamp: Stamp) -> bool {
        stamp.number >= self.low && stamp.time >= self.not_before
    }

    /// The number of events in it: at least and at most so many are kept.
    pub(crate) fn bounds(&self, low: usize, high: usize, possible: Option<Stamp>) -> Bounds {
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Bounds { low: number(low), high: (!self.may_reach(possible)).then_some(number(high)) }
    }

    /// Whether an event can be in it, if only the latest time at which it can have happened is known.
    pub(crate) fn may_reach(&self, possible: Option<Stamp>) -> bool {
        possible.is_some_and(|stamp| self.may_contain(stamp))
    }
}

/// The value of a history leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is false.
    False,
    /// It is true.
    True,
    /// The state does not decide.
    Unknown,
}

/// A number that is known, or only between bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least so many.
    pub low: u64,
    /// At most so many; `None` if any number of events can be missing.
    pub high: Option<u64>,
}

impl Bounds {
    /// A known number.
    #[must_use]
    pub fn exact(number: u64) -> Self {
        Self { low: number, high: Some(number) }
    }

    /// The number, if it is known.
    #[must_use]
    pub fn known(self) -> Option<u64> {
        self.high.filter(|high| *high == self.low)
    }

    /// Whether the number is at least `n`. The other comparisons with a number follow from it.
    #[must_use]
    pub fn at_least(self, n: u64) -> Truth {
        if self.low >= n {
            Truth::True
        } else if self.high.is_some_and(|high| high < n) {
            Truth::False
        } else {
            Truth::Unknown
        }
    }
}
