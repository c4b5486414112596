//! Linking: layers, replacement by id, order within an event (semantics §6).
//! (stub)

use hookc_schema::Diagnostic;
use hookc_schema::Span;
use hookc_schema::tree::{Family, Layer, Mode, OnError, OnFailure};
use hookc_schema::vocab::Strategy;

use crate::check::{Checked, CheckedAction, LowCond};

/// All hooks that take part, by event type, ascending by family and name.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// The event types that have hooks.
    pub events: Vec<LinkedEvent>,
}

/// An event type and its hooks.
#[derive(Clone, Debug)]
pub struct LinkedEvent {
    /// Its vocabulary.
    pub family: Family,
    /// Its name.
    pub name: String,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// The enabled hooks in rank order.
    pub hooks: Vec<LinkedHook>,
}

/// A hook at its rank.
#[derive(Clone, Debug)]
pub struct LinkedHook {
    /// Its id, or `<event>#<n>`.
    pub label: String,
    /// Its place.
    pub span: Span,
    /// Its layer.
    pub layer: Layer,
    /// Its mode.
    pub mode: Mode,
    /// On its action's error.
    pub on_error: Option<OnError>,
    /// On failure.
    pub on_failure: Option<OnFailure>,
    /// Its condition.
    pub cond: LowCond,
    /// Its action.
    pub action: CheckedAction,
}

/// Links checked policies, given in argument order.
pub fn link(policies: Vec<Checked>, out: &mut Vec<Diagnostic>) -> Linked {
    let _ = (policies, out);
    Linked::default()
}
