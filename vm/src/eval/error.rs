//! Errors of a decision.

use std::error::Error;
use std::fmt;

use crate::code::error_codes;
use crate::event::EventError;
use crate::module::LoadError;

/// The reason why an event has no decision; the caller's failure mode applies.
///
/// ```
/// use hookc_vm::{DecideError, DecideOptions, EventError, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// let mut scratch = Scratch::new();
/// let decided = module.decide(&mut scratch, b"{\"tool_name\": \"Bash\"}", &DecideOptions::default());
/// let error = decided.err();
/// assert_eq!(error, Some(DecideError::Event(EventError::NoType)));
/// assert_eq!(error.map(|error| error.code()), Some("no_type"));
/// # Ok::<(), hookc_vm::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecideError {
    /// The event is at fault.
    Event(EventError),
    /// The part of an [opened](crate::Module::open) module for the event's type is invalid.
    Module(LoadError),
    /// A pattern of the module could not be built, or not within its limit.
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        why: String,
    },
    /// The event has more values than this limit on the paths that the hooks read.
    Values(usize),
    /// The queries of the decision took more steps than this limit.
    QuerySteps(usize),
    /// The schemas of the decision took more steps than this limit.
    SchemaSteps(usize),
    /// A schema went deeper into schemas than this limit.
    SchemaDepth(usize),
    /// The event adds to more monitors of the history than this limit.
    Feeds(usize),
    /// The condition is unknown, because the history is; why. A decision does not fail by it: it lists such hooks.
    History(String),
}

error_codes! { DecideError through Event Module {
    Pattern => "pattern" "a pattern of the policy cannot be built within its limit",
    Values => "values" "the event has too many values on the paths that the hooks read",
    QuerySteps => "query_steps" "the queries of the conditions need too many steps for the event",
    SchemaSteps => "schema_steps" "the schemas of the conditions need too many steps for the event",
    SchemaDepth => "schema_depth" "the event nests schemas deeper than the limit",
    Feeds => "feeds" "the event adds to too many monitors of the history",
    History => "history" "a condition about earlier events is unknown",
} }

impl From<LoadError> for DecideError {
    fn from(error: LoadError) -> Self {
        Self::Module(error)
    }
}

impl From<EventError> for DecideError {
    fn from(error: EventError) -> Self {
        Self::Event(error)
    }
}

impl fmt::Display for DecideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(error) => error.fmt(f),
            Self::Module(error) => write!(f, "the module is damaged: {error}"),
            Self::Pattern { pattern, why } => write!(f, "the pattern `{pattern}` cannot be built: {why}"),
            Self::Values(limit) => {
                write!(f, "the event has more than {limit} values on the paths that the hooks read")
            }
            Self::QuerySteps(limit) => {
                write!(f, "the queries need more than {limit} steps for this event")
            }
            Self::SchemaSteps(limit) => {
                write!(f, "the schemas need more than {limit} steps for this event")
            }
            Self::SchemaDepth(limit) => {
                write!(f, "the event nests schemas deeper than {limit}")
            }
            Self::Feeds(limit) => write!(f, "the event adds to more than {limit} monitors of the history"),
            Self::History(cause) => f.write_str(cause),
        }
    }
}

impl Error for DecideError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Its text is this error's own.
            Self::Event(error) => error.source(),
            _ => None,
        }
    }
}
