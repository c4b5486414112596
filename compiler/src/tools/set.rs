//! Sets of tools.

/// The maximum number of declared tools in a set.
pub(crate) const CAPACITY: usize = 128;

/// The possible tools of an event: declared ones, and whether it may be an undeclared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ToolSet {
    /// A bit for each declared tool.
    known: u128,
    others: Others,
}

/// Undeclared tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Others {
    /// None of them.
    Excluded,
    /// Nothing is known about them.
    Unstated,
    /// The condition names one, or a pattern that only such tools match.
    Named,
}

impl ToolSet {
    /// Any tool.
    pub(crate) const ALL: Self = Self { known: u128::MAX, others: Others::Unstated };
    /// No tool.
    pub(crate) const NONE: Self = Self { known: 0, others: Others::Excluded };

    pub(crate) fn new(known: u128, others: Others) -> Self {
        Self { known, others }
    }

    /// These declared tools.
    pub(crate) fn declared(known: u128) -> Self {
        Self { known, others: Others::Excluded }
    }

    pub(crate) fn bit(index: usize) -> u128 {
        u32::try_from(index).ok().and_then(|index| 1u128.checked_shl(index)).unwrap_or(0)
    }

    pub(crate) fn has(self, index: usize) -> bool {
        self.known & Self::bit(index) != 0
    }

    /// The declared tools.
    pub(crate) fn known(self) -> u128 {
        self.known
    }

    pub(crate) fn others(self) -> Others {
        self.others
    }

    /// Whether the condition names a tool that nobody declares.
    pub(crate) fn names_others(self) -> bool {
        self.others == Others::Named
    }

    /// Tools of both.
    pub(crate) fn and(self, other: Self) -> Self {
        let others = match (self.others, other.others) {
            (Others::Excluded, _) | (_, Others::Excluded) => Others::Excluded,
            (a, b) => a.max(b),
        };
        Self { known: self.known & other.known, others }
    }

    /// Tools of either.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { known: self.known | other.known, others: self.others.max(other.others) }
    }
}
