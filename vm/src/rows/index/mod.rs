//! Indexes in a module: what their probes and dimensions look for, and the hash, the
//! grams and the sets that their tables are made of.

pub mod gram;
pub mod hash;
pub mod set;

/// What a probe looks for: the numbers of [`Probe`](super::Probe)'s kinds.
#[allow(missing_docs, reason = "the names say it")]
pub mod kind {
    pub const EQUAL: u8 = 0;
    pub const EQUAL_FOLD: u8 = 1;
    pub const PRESENT: u8 = 2;
    pub const BEGINS: u8 = 3;
    pub const BEGINS_FOLD: u8 = 4;
    pub const ENDS: u8 = 5;
    pub const ENDS_FOLD: u8 = 6;
    pub const HAS: u8 = 7;
    pub const HAS_FOLD: u8 = 8;
}

/// How a dimension excludes: the numbers of [`Dim`](super::Dim)'s kinds.
#[allow(missing_docs, reason = "the names say it")]
pub mod exclude {
    pub const BY_RANGE: u8 = 0;
    pub const BY_VALUE: u8 = 1;
}
