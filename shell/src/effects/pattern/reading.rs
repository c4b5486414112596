//! How patterns are read: what guards is read widely, what permits narrowly.

use super::glob::Case;
use super::machine::Match;

/// Who asks whether an object matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// `reads(P)`: certainly, and widely.
    Guard,
    /// `may_read(P)`: possibly.
    May,
    /// `only`, and `except` of a guard: certainly, and narrowly.
    Permit,
    /// `except` in `only`: possibly.
    Exclude,
}

impl Reading {
    /// How an `except` of what is read like this is read.
    pub(crate) const fn except(self) -> Self {
        match self {
            Self::Guard | Self::May | Self::Exclude => Self::Permit,
            Self::Permit => Self::Exclude,
        }
    }

    pub(crate) const fn how(self) -> Match {
        match self {
            Self::Guard | Self::Permit => Match::Certain,
            Self::May | Self::Exclude => Match::Possible,
        }
    }

    pub(crate) const fn case(self) -> Case {
        if self.is_wide() { Case::Ignored } else { Case::Respected }
    }

    /// Whether any case, any home, and the working directory besides the project are meant.
    pub(crate) const fn is_wide(self) -> bool {
        !matches!(self, Self::Permit)
    }

    /// Whether it decides what is permitted: unknown text can then lead out of any directory.
    pub(crate) const fn is_permit(self) -> bool {
        matches!(self, Self::Permit | Self::Exclude)
    }
}
