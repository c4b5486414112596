//! What the policies ask for: the monitors of a module.

use std::hash::{Hash, Hasher};

use crate::limits;

/// The identity of a monitor: 8 bytes of the BLAKE3 of its canonical source, that is its kind, event types, outcome,
/// conditions, tie, anchors, key and value paths. Names, windows, limits, priorities and layers are not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId(pub [u8; 8]);

impl Hash for CellId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from_le_bytes(self.0));
    }
}

impl CellId {
    /// The identity of a canonical source.
    #[must_use]
    pub fn from_source(source: &[u8]) -> Self {
        let mut id = [0; 8];
        blake3::Hasher::new().update(source).finalize_xof().fill(&mut id);
        Self(id)
    }
}

/// What a monitor keeps for each value of its tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Times of the latest matches, for `formerly`, anchors, and `count` with a literal bound: 1 for `formerly` and
    /// anchors, `n` for `count(...) >= n`, `n + 1` for the other operators.
    Recent {
        /// How many are kept.
        capacity: u16,
    },
    /// The latest matches that differ, for `formerly` and anchors with conjuncts `not (TIES and ...)`.
    Differing {
        /// How many such conjuncts.
        conjuncts: u8,
    },
    /// A number of matches, for `count` in a session, a turn or since an untied anchor.
    Counter,
    /// An exact sum, for `sum` in a session, a turn or since an untied anchor.
    Total,
    /// Times and numbers, for `sum(... within D)`, or since a tied anchor.
    Sums,
    /// Hashes of the latest different values, for `distinct ... >= n`.
    Distinct {
        /// How many are kept, as for [`Kind::Recent`].
        capacity: u16,
    },
    /// Values of the latest matches, for `last(k, ...)`.
    Last {
        /// The largest `k`.
        capacity: u8,
        /// How many value paths.
        values: u8,
    },
}

impl Kind {
    /// Whether two kinds differ in more than their capacity.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Differing { conjuncts: a }, Self::Differing { conjuncts: b }) => a == b,
            (Self::Last { values: a, .. }, Self::Last { values: b, .. }) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// The kind as a tag and two numbers.
    pub(crate) fn numbers(self) -> (u8, u16, u8) {
        match self {
            Self::Recent { capacity } => (0, capacity, 0),
            Self::Differing { conjuncts } => (1, u16::from(conjuncts), 0),
            Self::Counter => (2, 0, 0),
            Self::Total => (3, 0, 0),
            Self::Sums => (4, 0, 0),
            Self::Distinct { capacity } => (5, capacity, 0),
            Self::Last { capacity, values } => (6, u16::from(capacity), values),
        }
    }

    /// The kind of a tag and two numbers, if it is valid.
    pub(crate) fn from_numbers(tag: u8, first: u16, second: u8) -> Option<Self> {
        let kind = match (tag, first, second) {
            (0, capacity, 0) => Self::Recent { capacity },
            (1, conjuncts, 0) => Self::Differing { conjuncts: conjuncts.try_into().ok()? },
            (2, 0, 0) => Self::Counter,
            (3, 0, 0) => Self::Total,
            (4, 0, 0) => Self::Sums,
            (5, capacity, 0) => Self::Distinct { capacity },
            (6, capacity, values) => Self::Last { capacity: capacity.try_into().ok()?, values },
            _ => return None,
        };
        kind.is_valid().then_some(kind)
    }

    /// Whether its numbers are within the limits.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        match *self {
            Self::Recent { capacity } | Self::Distinct { capacity } => {
                (1..=limits::COUNT).contains(&usize::from(capacity))
            }
            Self::Differing { conjuncts } => (1..=limits::CONJUNCTS).contains(&usize::from(conjuncts)),
            Self::Last { capacity, values } => {
                (1..=limits::LAST).contains(&usize::from(capacity))
                    && (1..=limits::VALUES).contains(&usize::from(values))
            }
            Self::Counter | Self::Total | Self::Sums => true,
        }
    }
}

/// A monitor as the module has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its identity.
    pub id: CellId,
    /// What it keeps.
    pub kind: Kind,
    /// The untied [`Kind::Recent`] monitors of its anchors, for [`Kind::Counter`] and [`Kind::Total`], which start
    /// again at them. The other kinds apply anchors when they are read.
    pub anchors: Vec<CellId>,
    /// The longest `within` of its readers in milliseconds; `None` if one has no `within`.
    pub retention: Option<u64>,
}

impl Shape {
    /// Whether its numbers are within the limits.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.kind.is_valid() && self.anchors.len() <= limits::ANCHORS
    }
}

/// A hash of the monitors of a module, by which a partition recognizes it.
#[must_use]
pub fn fingerprint<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for shape in shapes {
        let (tag, first, second) = shape.kind.numbers();
        let [low, high] = first.to_le_bytes();
        hasher.update(&shape.id.0);
        hasher.update(&[tag, low, high, second, u8::try_from(shape.anchors.len()).unwrap_or(u8::MAX)]);
        for anchor in &shape.anchors {
            hasher.update(&anchor.0);
        }
        hasher.update(&shape.retention.unwrap_or(u64::MAX).to_le_bytes());
    }
    let mut hash = [0; 8];
    hasher.finalize_xof().fill(&mut hash);
    u64::from_le_bytes(hash)
}
