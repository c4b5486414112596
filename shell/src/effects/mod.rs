//! What an event does, and predicates about it.
//!
//! [`gather`] collects the [`Actions`] of an event: the effects of its tool, of its command lines, and of its patches.
//! Predicates are evaluated on them.

mod act;
mod actions;
mod effect;
mod encoding;
mod event;
mod gather;
pub mod predicate;
mod sets;
mod text;
mod tools;

pub use act::{Act, ActFlag, ActOperand};
pub use actions::Actions;
pub use effect::{Effect, Kind, Scheme, UnknownCause};
pub use event::{Event, Input, Project, Value};
pub use gather::gather;
pub use predicate::{Guard, InSet, List, Malformed, PatternKind, Predicate, Problem, ProblemKind, Set, Verb};
pub use text::{Gap, Text};
pub use tools::{ToolRoles, Tools};

/// The most alternatives of a pattern, after braces and sets.
pub const ALTERNATIVES: usize = 1_024;
