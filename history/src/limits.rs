//! Every limit of the state, each with its reason. [`Limits`] lowers them.

/// Keys of a monitor: a further one replaces the key that was seen longest ago.
pub const KEYS: usize = 4_096;
/// Cells of a partition.
pub const CELLS: usize = 65_536;
/// Bytes of a partition in its file, about: reading its file takes a few milliseconds at most.
pub const BYTES: usize = 1 << 20;
/// The largest `n` of `count(... within D) >= n`, and one more for the other operators: 12 KiB a cell.
pub const COUNT: usize = 1_001;
/// Events of `sum(... within D)`: 96 KiB a cell.
pub const SUM: usize = 4_096;
/// The largest `k` of `last(k, ...)`.
pub const LAST: usize = 16;
/// Value paths of one `last` monitor.
pub const VALUES: usize = 16;
/// Negated conjuncts of a selection: twice as many matches are kept for each.
pub const CONJUNCTS: usize = 3;
/// Keys that one event excludes in one conjunct: bounds the search for what to keep.
pub const EXCLUDED: usize = 4;
/// Bytes of a kept value.
pub const TEXT: usize = 256;
/// Events that wait for the outcome of their handlers, and those after the first of them, which are not folded into the
/// cells before it is settled.
pub const PENDING: usize = 64;
/// Keys of one event for one monitor. An event with more of them might match any key.
pub const EVENT_KEYS: usize = 64;
/// Milliseconds for which a monitor stays that the policies no longer have.
pub const UNUSED: u64 = 7 * 24 * 60 * 60 * 1_000;
/// Milliseconds of the longest `within`.
pub const WINDOW: u64 = 30 * 24 * 60 * 60 * 1_000;
/// Monitors of a partition.
pub const MONITORS: usize = 65_536;
/// Anchors of a selection: `within turn`, and `since`.
pub const ANCHORS: usize = 2;

/// The limits of a partition. They can be lowered; a lower limit makes more reads unknown, never different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// See [`KEYS`].
    pub keys: usize,
    /// See [`CELLS`].
    pub cells: usize,
    /// See [`BYTES`].
    pub bytes: usize,
    /// See [`SUM`].
    pub sum: usize,
    /// See [`PENDING`].
    pub pending: usize,
    /// See [`EVENT_KEYS`].
    pub event_keys: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { keys: KEYS, cells: CELLS, bytes: BYTES, sum: SUM, pending: PENDING, event_keys: EVENT_KEYS }
    }
}

impl Limits {
    /// At most so many keys in each monitor.
    #[must_use]
    pub fn keys(mut self, keys: usize) -> Self {
        self.keys = keys.clamp(1, KEYS);
        self
    }

    /// At most so many cells in a partition.
    #[must_use]
    pub fn cells(mut self, cells: usize) -> Self {
        self.cells = cells.clamp(1, CELLS);
        self
    }

    /// At most so many bytes in a partition.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes.clamp(1, BYTES);
        self
    }

    /// At most so many events in each windowed sum.
    #[must_use]
    pub fn sum(mut self, events: usize) -> Self {
        self.sum = events.clamp(1, SUM);
        self
    }

    /// At most so many events that wait for an outcome.
    #[must_use]
    pub fn pending(mut self, events: usize) -> Self {
        self.pending = events.clamp(1, PENDING);
        self
    }

    /// At most so many keys of one event for one monitor.
    #[must_use]
    pub fn event_keys(mut self, keys: usize) -> Self {
        self.event_keys = keys.clamp(1, EVENT_KEYS);
        self
    }
}
