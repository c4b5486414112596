//! The content of a test file.

use hookc_schema::tree::Layer;
use hookc_schema::value::Value;
use hookc_schema::{Span, Spanned};

use crate::Builtin;
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
    /// The events, at least one.
    pub events: Vec<EventText>,
    /// The expected result of each.
    pub expect: Expect,
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
    /// The hooks that decide, all of them, in order.
    pub hooks: Option<Vec<ExpectedHook>>,
    /// The warn and shadow hooks that match, all of them, in order.
    pub reported: Option<Vec<Spanned<String>>>,
    /// No decision; the kind of error, if given.
    pub error: Option<Option<EventErrorKind>>,
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
    /// The name of the case of event `index`.
    pub(super) fn case(&self, index: usize) -> String {
        match self.events.len() {
            0 | 1 => self.name.clone(),
            _ => format!("{} [{}]", self.name, index + 1),
        }
    }
}
