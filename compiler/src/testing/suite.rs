//! The content of a test file.

use std::fmt::Write as _;

use hookc_schema::agents::Agent;
use hookc_schema::tree::{Layer, Recorded};
use hookc_schema::value::Value;
use hookc_schema::{Span, Spanned};

use crate::Builtin;
use hookc_schema::dialect::moment::Moment;
use hookc_schema::dialect::test::{EventErrorKind, Verdict};

/// A test file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Suite {
    /// The policies to link, in order.
    pub policies: Vec<PolicyFile>,
    /// When the shipped hooks are linked (default: with thread policies).
    pub builtin: Builtin,
    /// The tests in order of writing.
    pub tests: Vec<Test>,
}

/// A policy that a test file names.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolicyFile {
    /// Its file, as written: relative to the test file.
    pub path: Spanned<String>,
    /// Its layer, if it is under `layers`.
    pub layer: Option<Layer>,
}

/// Events with their expected decisions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The type of its events, whatever the events themselves state.
    pub event_type: Option<Spanned<String>>,
    /// The agents that send the events; empty if no agent is named.
    pub hosts: Vec<&'static Agent>,
    /// The events, each of which is a case of its own; none if there are steps.
    pub events: Vec<EventText>,
    /// The expected result of each.
    pub expect: Expect,
    /// Events of one history, in order.
    pub steps: Vec<Step>,
}

/// An event of a history.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The event.
    pub event: EventText,
    /// When it happens: a second after the step before it if absent.
    pub at: Option<Moment>,
    /// What handlers or the host made of it: what the hooks decide if absent.
    pub outcome: Option<Recorded>,
    /// The expected result. A step without one is not a case.
    pub expect: Option<Expect>,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventText {
    /// Its JSON: byte for byte where it was written as text.
    pub json: String,
    /// Its start.
    pub span: Span,
    /// The location of its type, if it is a mapping with one.
    pub stated: Option<Span>,
    /// The event as written, if it is a mapping.
    pub tree: Option<Value>,
}

/// The expected result of an event; `None` is not compared.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Expect {
    /// What the deciding hooks do together.
    pub verdict: Option<ExpectedVerdict>,
    /// Members that the input has after the hooks that decide changed it.
    pub modify: Option<Vec<(String, Value)>>,
    /// The hooks that decide, all of them, in order.
    pub hooks: Option<Vec<ExpectedHook>>,
    /// The warn and shadow hooks that match, all of them, in order.
    pub reported: Option<Vec<Spanned<String>>>,
    /// The hooks whose condition the history does not decide, all of them, in order.
    pub unknown: Option<Vec<Spanned<String>>>,
    /// No decision, because of an error.
    pub error: Option<ExpectedError>,
}

/// An error in place of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedError {
    /// Any error.
    Any,
    /// An error of this kind.
    Kind(EventErrorKind),
}

/// The strictest action of the hooks that decide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExpectedVerdict {
    /// Its kind.
    pub verdict: Verdict,
    /// A text that its reason contains.
    pub reason: Option<String>,
}

/// A hook that must decide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExpectedHook {
    /// Its id or label.
    pub id: Spanned<String>,
    /// Fields that its action must have, each deeply equal.
    pub action: Vec<(String, Value)>,
    /// Whether rendering its action must fail.
    pub fails: bool,
}

impl Test {
    /// The name of the case of event `index` at an agent.
    pub(super) fn case(&self, index: usize, host: Option<&Agent>) -> String {
        let mut name = self.name.clone();
        if self.events.len() > 1 || !self.steps.is_empty() {
            let _ = write!(name, " [{}]", index + 1);
        }
        if let Some(host) = host.filter(|_| self.hosts.len() > 1) {
            let _ = write!(name, " [{}]", host.name);
        }
        name
    }

    /// The agents of the cases of each event: `None` without an agent.
    pub(super) fn each_host(&self) -> impl Iterator<Item = Option<&'static Agent>> {
        let without = self.hosts.is_empty().then_some(None);
        without.into_iter().chain(self.hosts.iter().copied().map(Some))
    }
}
