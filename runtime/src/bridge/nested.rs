//! Calls of hookc by its own handlers. A call that decides about the event of its own
//! handler would recurse forever.

use std::error::Error;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use hookc_base::action::{Action, LogLevel};
use serde_json::{Map, Value};

use crate::agent::{self, EventCapabilities};
use crate::event::Event;
use crate::host::{BackgroundHandler, EventContext, Host};
use crate::limits::NESTED_ACTIONS;
use crate::outcome::{ActionFailure, Outcome};

/// The variable in which handlers find the calls that they run within.
const VARIABLE: &str = "HOOKC_WITHIN";

/// Why a call must not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NestingError {
    /// A handler of the same policy makes it for the same event.
    Endless,
    /// This many calls are made within one another.
    Deep(usize),
}

impl fmt::Display for NestingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless => f.write_str(
                "a handler of this policy calls `hookc` with the same policy for the same event: this would \
                 never end",
            ),
            Self::Deep(depth) => {
                write!(f, "this call of `hookc` is nested in handlers of {depth} other calls")
            }
        }
    }
}

impl Error for NestingError {}

/// A host whose handlers know the calls that they run within, so that a handler that
/// calls hookc for the same event is stopped.
pub struct NestedHost<'h> {
    host: &'h dyn Host,
    /// What handlers find in [`VARIABLE`].
    within: String,
    /// What the event can be answered with, if an agent sent it.
    capabilities: Option<EventCapabilities>,
    /// Whether a call that it is nested in is about this event.
    about_same_event: bool,
    /// Finds the root of the project of an event.
    project: Option<FindProject<'h>>,
}

/// Finds the root of the project of an event.
pub(super) type FindProject<'h> = &'h (dyn Fn(&Event) -> Option<PathBuf> + Sync);

impl fmt::Debug for NestedHost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NestedHost").field("within", &self.within).finish_non_exhaustive()
    }
}

impl<'h> NestedHost<'h> {
    /// A host for one event that a module decides about.
    ///
    /// # Errors
    /// A handler of this module makes the call for the same event, or calls are made
    /// within one another without end.
    pub fn enter(host: &'h dyn Host, module: [u8; 32], event: &[u8]) -> Result<Self, NestingError> {
        let outer = std::env::var(VARIABLE).unwrap_or_default();
        let name = Name::new(module, event);
        let about_same_event = name.has_event_of(&outer);
        Ok(Self { host, within: join(&outer, &name.0)?, capabilities: None, about_same_event, project: None })
    }

    pub(super) fn with_project(self, project: FindProject<'h>) -> Self {
        Self { project: Some(project), ..self }
    }

    pub(super) fn with_capabilities(self, capabilities: EventCapabilities) -> Self {
        Self { capabilities: Some(capabilities), ..self }
    }

    /// Whether a handler of another policy makes the call for the event that this one is about.
    pub(super) fn is_about_same_event(&self) -> bool {
        self.about_same_event
    }
}

impl Host for NestedHost<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        self.host.perform(action, context)
    }

    fn capabilities(&self, event: &str) -> EventCapabilities {
        self.capabilities.unwrap_or_else(|| agent::capabilities(event))
    }

    fn project(&self, event: &Event) -> Option<PathBuf> {
        self.project.map_or_else(|| self.host.project(event), |project| project(event))
    }

    fn invoked(
        &self,
        action: &Action,
        context: &EventContext<'_>,
        caller: &str,
        reply: Result<&Value, &str>,
    ) {
        self.host.invoked(action, context, caller, reply);
    }

    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        self.host.log(level, message, fields);
    }

    fn background(&self, handler: BackgroundHandler) -> Result<(), ActionFailure> {
        self.host.background(handler)
    }

    fn environment(&self) -> Vec<(String, Option<String>)> {
        let mut variables = self.host.environment();
        variables.push((VARIABLE.to_owned(), Some(self.within.clone())));
        variables
    }
}

/// A policy and an event.
struct Name(String);

impl Name {
    fn new(module: [u8; 32], event: &[u8]) -> Self {
        let hash = |value: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            value(&mut hasher);
            hasher.finish()
        };
        let (both, event) =
            (hash(&|hasher| (module, event).hash(hasher)), hash(&|hasher| event.hash(hasher)));
        Self(format!("{both:016x}-{event:016x}"))
    }

    /// Whether one of these calls is about the event.
    fn has_event_of(&self, outer: &str) -> bool {
        let event = |name: &str| name.split_once('-').map(|(_, event)| event.to_owned());
        outer.split_whitespace().any(|call| event(call).is_some() && event(call) == event(&self.0))
    }
}

fn join(outer: &str, inner: &str) -> Result<String, NestingError> {
    let depth = outer.split_whitespace().count();
    if outer.split_whitespace().any(|call| call == inner) {
        return Err(NestingError::Endless);
    }
    if depth >= NESTED_ACTIONS {
        return Err(NestingError::Deep(depth));
    }
    Ok(format!("{outer} {inner}").trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_call_and_too_many() {
        let (a, b) = (Name::new([1; 32], b"{}").0, Name::new([1; 32], b"[]").0);
        let both = join(&join("", &a).unwrap(), &b).unwrap();
        assert_eq!(both, format!("{a} {b}"));
        assert!(join(&both, &a).is_err() && join(&both, &b).is_err());
        let other = Name::new([2; 32], b"[]");
        assert!(other.has_event_of(&both) && !other.has_event_of(&a) && join(&both, &other.0).is_ok());
        let many = (0..NESTED_ACTIONS).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        assert!(join(&many, &a).is_err());
    }
}
