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

/// The limits that can be lowered: each has a field, and a function that sets it.
macro_rules! limits {
    ($($field:ident $most:ident $meaning:literal;)*) => {
        /// The limits of a partition. They can be lowered; a lower limit makes more reads unknown, never different.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $(#[doc = concat!("See [`", stringify!($most), "`].")] pub $field: usize,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $most,)* }
            }
        }

        impl Limits {
            $(#[doc = $meaning] #[must_use] pub fn $field(mut self, most: usize) -> Self {
                self.$field = most.clamp(1, $most);
                self
            })*
        }
    };
}

limits! {
    keys KEYS "At most so many keys in each monitor.";
    cells CELLS "At most so many cells in a partition.";
    bytes BYTES "At most so many bytes in a partition.";
    sum SUM "At most so many events in each windowed sum.";
    pending PENDING "At most so many events that wait for an outcome.";
    event_keys EVENT_KEYS "At most so many keys of one event for one monitor.";
}
