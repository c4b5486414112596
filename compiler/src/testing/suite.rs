//! What a test file says.

use hookc_schema::tree::Layer;
use hookc_schema::value::Value;
use hookc_schema::{Span, Spanned};

use super::keys::EventErrorKind;
use crate::Builtin;

/// A test file.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The policies to link, in order.
    pub policies: Vec<PolicyFile>,
    /// When the shipped hooks are linked: with policies of threads if not said.
    pub builtin: Builtin,
    /// The tests in order of writing.
    pub tests: Vec<Test>,
}

/// A policy that a test file names.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyFile {
    /// Its file, as written: relative to the test file.
    pub path: Spanned<String>,
    /// Its layer, if it stands under `layers`.
    pub layer: Option<Layer>,
}

/// Events, and what must come of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The type of its events, whatever they say.
    pub event_type: Option<Spanned<String>>,
    /// The events, at least one.
    pub events: Vec<EventText>,
    /// What must come of each.
    pub expect: Expect,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventText {
    /// Its JSON: byte for byte where it was written as text.
    pub json: String,
    /// Where it begins.
    pub span: Span,
    /// Where it states its type, if it is a mapping that does.
    pub stated: Option<Span>,
}

/// What must come of an event; what is `None` is not looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// The hooks that decide, all of them, in order.
    pub hooks: Option<Vec<ExpectedHook>>,
    /// The warn and shadow hooks that match, all of them, in order.
    pub reported: Option<Vec<Spanned<String>>>,
    /// Nothing is decided; the kind of error, if one is named.
    pub error: Option<Option<EventErrorKind>>,
}

/// A hook that must decide.
#[derive(Clone, Debug, PartialEq)]
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
