//! The sets that ship with the program, `data/sets.toml`.

use super::super::PatternKind;

/// A set that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSet {
    /// Its name, without `@`.
    pub name: &'static str,
    /// The number of its version, which grows with each change.
    pub version: u32,
    /// What its patterns are about.
    pub kind: PatternKind,
    /// Patterns of which one must match.
    pub of: &'static [&'static str],
    /// Patterns of what does not count.
    pub except: &'static [&'static str],
    /// Lines for tests that match patterns with regular expressions.
    pub lines: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// The sets that ship with the program, by name.
#[must_use]
pub const fn shipped_sets() -> &'static [ShippedSet] {
    SETS
}

/// The directories that patterns of the shipped sets name files in, as patterns.
pub(super) const fn directories() -> &'static [&'static str] {
    DIRECTORIES
}
