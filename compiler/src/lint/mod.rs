//! Lints over linked hooks: what compiles but is hardly meant.
//!
//! Every claim is certain: it follows from the semantics alone, for every
//! event. Lints of a single leaf stand with the checker, which knows the
//! declared types; a condition's form is judged in `constant`, hooks against
//! each other in `hidden`.

mod action;
pub(crate) mod constant;
mod contradiction;
mod fingerprint;
mod hidden;
pub(crate) mod policy;

use hookc_schema::Diagnostic;

use crate::link::Linked;

/// Runs every lint. Linear in the size of the hooks.
pub fn lint(linked: &Linked, out: &mut Vec<Diagnostic>) {
    for event in &linked.events {
        hidden::lint(event, out);
    }
}
