//! Why nothing could be decided.

use std::any::Any;
use std::panic;
use std::sync::{Mutex, PoisonError};

use hookc_vm::DecideError;
use hookc_vm::EventError as InvalidEvent;

use super::invocation::EventQuotes;
use super::nested::NestingError;
use crate::adapter::Incoming;
use crate::event::EventError;

/// Why nothing could be decided.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    why: String,
    /// The reason without text of the event, if `why` may quote some of it.
    bare: Option<String>,
    /// Whether it denies even if the user chose to fail open.
    pub(super) denies: bool,
    /// The type in the agent vocabulary of an event that another agent sends: it is answered as an event that cannot be
    /// read, because the answers to its name are not known.
    pub(super) meant: Option<&'static str>,
}

impl Trouble {
    fn quoting(why: impl ToString, bare: impl Into<String>) -> Self {
        Self { bare: Some(bare.into()), ..why.to_string().into() }
    }

    /// An event that another agent sends.
    pub(super) fn foreign(why: String, meant: &'static str) -> Self {
        Self { meant: Some(meant), ..why.into() }
    }

    /// Whether another agent was kept from stopping already.
    pub(super) fn stops_again(&self, incoming: Option<&Incoming>) -> bool {
        let meant = self.meant.zip(incoming);
        meant.is_some_and(|(meant, incoming)| incoming.event.stops_again(meant))
    }

    /// What is reported: the event's own words only with its payload.
    pub(super) fn text(&self, quotes: EventQuotes) -> &str {
        self.bare.as_deref().filter(|_| quotes == EventQuotes::Omitted).unwrap_or(&self.why)
    }

    /// A panic of this program.
    pub(super) fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        // Panics quote their values.
        let location = PANICKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self::quoting(
            format!("internal error at {location}: {text}"),
            format!("internal error at {location}"),
        )
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self { why, bare: None, denies: false, meant: None }
    }
}

impl From<EventError> for Trouble {
    fn from(error: EventError) -> Self {
        match &error {
            EventError::Quoting { why, bare } => Self::quoting(why, bare.as_str()),
            EventError::Invalid(why) => why.clone().into(),
        }
    }
}

impl From<DecideError> for Trouble {
    fn from(error: DecideError) -> Self {
        match &error {
            // The path may continue inside a value that a condition uses as a whole.
            DecideError::Event(InvalidEvent::Duplicate(_)) => {
                Self::quoting(&error, "the event has a duplicate key on a path that the policy reads")
            }
            _ => error.to_string().into(),
        }
    }
}

impl From<NestingError> for Trouble {
    fn from(error: NestingError) -> Self {
        // Whoever sets the variable must not choose the failure mode.
        Self { denies: true, ..error.to_string().into() }
    }
}

/// Where this process panicked last.
static PANICKED: Mutex<String> = Mutex::new(String::new());

/// Records where this process panics, for the answer, instead of printing a back trace.
/// A program that answers agents calls it once, at its start.
pub fn record_panics() {
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(|location| format!("{}:{}", location.file(), location.line()));
        *PANICKED.lock().unwrap_or_else(PoisonError::into_inner) = location.unwrap_or_default();
    }));
}
