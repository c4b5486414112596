//! Lints over linked hooks: what compiles but is probably not intended.
//!
//! Every claim is certain: it follows from the semantics, for every event. Lints of a single leaf
//! are in the checker, which knows the declared types; `constant` judges a condition's form,
//! `hidden` compares hooks.

mod action;
mod argv;
pub(crate) mod certain;
pub(crate) mod constant;
mod contradiction;
mod covered;
mod environment;
mod exit_status;
pub(crate) mod expansion;
mod fingerprint;
pub(crate) mod guards;
mod handler;
mod hidden;
mod holes;
mod late;
pub(crate) mod lowlevel;
mod open;
mod part;
pub(crate) mod policy;
mod stops;
pub(crate) mod text;
mod unquoted;
mod unread;

use foldhash::HashMap;
use hookc_schema::tree::SharedId;

use hookc_schema::Diagnostics;

use crate::link::Linked;

/// Runs every lint. Linear in the size of the hooks.
pub fn lint(linked: &Linked, out: &mut Diagnostics) {
    let mut compared = 0;
    for event in &linked.events {
        hidden::lint(event, &mut compared, out);
    }
}

/// What is known about conditions that several hooks share.
#[derive(Debug, Default)]
pub(crate) struct SharedFacts {
    /// Their certain values.
    values: HashMap<SharedId, Option<bool>>,
    pub(crate) prints: fingerprint::Prints,
}
