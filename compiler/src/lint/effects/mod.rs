//! Patterns of predicates about effects, declarations of tools, and an `allow` without a limit.
//!
//! | file | codes |
//! |---|---|
//! | [`allow()`] | W0658 |
//! | `command_kinds`, `directory`, `kinds` | W0678 |
//! | `doubts` | W0661 |
//! | `known_tools` | W0666 |

mod allow;
mod command_kinds;
mod directory;
mod doubts;
mod kinds;
mod known_tools;
mod listed;

use hookc_schema::Diagnostic;
use hookc_schema::tree::Predicate;
use hookc_schema::value::Value;
use hookc_schema::vocab::Tools;
use hookc_shell::effects::Set;
use hookc_shell::programs::Programs;

pub(crate) use allow::allow;
pub(crate) use known_tools::known_tools;

/// What a policy declares about the patterns of predicates.
pub(crate) struct Declarations<'d> {
    pub(crate) sets: &'d [Set],
    /// By set, its patterns as written: `of`, and `except`.
    pub(crate) patterns: &'d [[Vec<Value>; 2]],
    pub(crate) programs: &'d Programs,
    pub(crate) tools: &'d Tools,
}

/// Reports the patterns of a predicate that nothing matches, or that can hardly be meant as they are read.
pub(crate) fn patterns(predicate: &Predicate, declared: &Declarations<'_>) -> Vec<Diagnostic> {
    let mut found = doubts::check(predicate, declared);
    found.extend(kinds::check(predicate, declared));
    found
}
