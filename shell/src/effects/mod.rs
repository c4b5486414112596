//! What an event does, and predicates about it.
//!
//! [`gather()`] collects the [`Actions`] of an event: the effects of its tool, of its command lines, and of its patches.
//! Predicates are evaluated on them.

mod act;
mod actions;
mod because;
mod candidates;
mod collector;
mod command;
mod compare;
mod compiled;
mod effect;
mod encoding;
mod event;
mod flow;
mod foreign;
mod gather;
mod guard;
mod hosts;
mod inputs;
mod keys;
mod line;
mod objects;
mod only;
mod patches;
mod pattern;
mod place;
pub mod predicate;
mod redirects;
mod remotes;
mod required;
mod roles;
mod sentence;
mod servers;
mod sets;
mod targets;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod variables;
mod view;

pub use act::{Act, ActFlag, ActOperand};
pub use actions::Actions;
pub use because::{Because, Cause};
pub use candidates::Candidates;
pub use command::{Anything, Doubt, DoubtKind, Meant, Runs, as_meant, doubts, runs_anything};
pub use compare::{Comparable, Relation, relation};
pub use compiled::{Compiled, check, compile};
pub use effect::{Effect, Kind, Scheme, UnknownCause};
pub use event::{Event, Input, Project, Value};
pub use gather::gather;
pub use only::Uncovered;
pub use predicate::{Guard, InSet, List, Malformed, PatternKind, Predicate, Problem, ProblemKind, Set, Verb};
pub use servers::{Server, Servers};
pub use sets::{ShippedSet, below_directory, is_known_file, shipped_sets};
pub use text::{Gap, Text};
pub use tools::{ToolRoles, Tools, matches_glob};
pub use view::write_view;

/// The most alternatives of a pattern, after braces and sets.
pub const ALTERNATIVES: usize = 1_024;
