//! Lints: what compiles but is probably not intended. The checker (`check`) reports names, types and the texts of single
//! leaves, for which it needs the declarations of the event.
//!
//! Every claim is certain: it follows from the semantics, for every event. The head of each file names its codes:
//!
//! | about | files |
//! |---|---|
//! | the parameters of actions | `action`, `argv`, `environment`, `expansion`, `foreign_template` |
//! | handlers, which agents or hookc run | `handler`, `exit_status`, `unquoted`, `unread_output` |
//! | the event, or all hooks of a policy | `late_event`, `never_stops`, `policy` |
//! | predicates about effects, and what they should replace | `guards`, `lowlevel` |
//! | what an `allow` or a denial leaves open | `open_condition`, `partial_text` |
//! | a whole condition, and hooks against each other | `constant`, `hidden` (`contradiction`, `covered`, `fingerprint`) |
//!
//! No lint removes the diagnostic of another one: a lint that depends on one runs after it.

mod action;
mod argv;
pub(crate) mod constant;
mod contradiction;
mod covered;
mod environment;
mod exit_status;
pub(crate) mod expansion;
mod fingerprint;
mod foreign_template;
pub(crate) mod guards;
mod handler;
mod hidden;
mod late_event;
pub(crate) mod leaf;
pub(crate) mod lowlevel;
mod never_stops;
mod open_condition;
mod partial_text;
pub(crate) mod policy;
mod relative;
pub(crate) mod text;
mod unquoted;
mod unread_output;
mod verdict;

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
