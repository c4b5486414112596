//! What an event does, and predicates about it.

mod encoding;
pub mod predicate;
mod sets;

pub use predicate::{Guard, InSet, List, Malformed, PatternKind, Predicate, Problem, ProblemKind, Set, Verb};

/// The most alternatives of a pattern, after braces and sets.
pub const ALTERNATIVES: usize = 1_024;
