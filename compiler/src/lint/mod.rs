//! Lints: what compiles but is probably not intended, the codes W06xx. The checker (`check`) reports names and types, and
//! calls the lints about what it knows: tests, tools, patterns, agents.
//!
//! Every claim is certain: it follows from the semantics, for every event. The head of each file names its codes:
//!
//! | about | called by | files |
//! |---|---|---|
//! | a test of a condition | the checker | `leaf`, `commands` |
//! | the tools of a condition | the checker | `tools` |
//! | patterns of effects, and what an `allow` permits | the checker | `effects` |
//! | what an agent never sends, and how long it waits | the checker of agents | `hosts` |
//! | the parameters of actions | `policy` | `action`, `argv`, `environment`, `expansion`, `foreign_template` |
//! | handlers, which agents or hookc run | `policy` | `bash_only`, `calls`, `handler`, `exit_status`, `unquoted`, `unread_output` |
//! | the event, or all hooks of a policy | `policy` | `late_event`, `never_stops`, `policy` |
//! | predicates about effects, and what they should replace | `policy`, the pipeline | `guards`, `lowlevel` |
//! | conditions about the past | the checker, `policy` | `history`, `outcome` |
//! | what an `allow` or a denial leaves open | `policy` | `open_condition`, `partial_text` |
//! | a whole condition, and hooks against each other | the checker, [`linked()`] | `constant`, `hidden` (`contradiction`, `covered`, `fingerprint`) |
//!
//! What they share: `relative`, `scripts`, `text`, `verdict`. No lint removes the diagnostic of another one: a lint that depends on
//! one runs after it.

mod action;
mod argv;
mod bash_only;
mod calls;
pub(crate) mod commands;
pub(crate) mod constant;
mod contradiction;
mod covered;
pub(crate) mod effects;
mod environment;
mod exit_status;
pub(crate) mod expansion;
mod fingerprint;
mod foreign_template;
pub(crate) mod guards;
mod handler;
mod hidden;
pub(crate) mod history;
pub(crate) mod hosts;
mod late_event;
pub(crate) mod leaf;
pub(crate) mod lowlevel;
mod never_stops;
mod open_condition;
mod outcome;
mod partial_text;
pub(crate) mod policy;
mod relative;
mod scripts;
pub(crate) mod text;
pub(crate) mod tools;
mod unquoted;
mod unread_output;
mod verdict;

use foldhash::HashMap;
use hookc_schema::tree::SharedId;

use hookc_schema::Diagnostics;

use crate::link::Linked;

pub use bash_only::{Extension, bash_syntax};
pub use calls::in_script;

/// Runs the lints that compare the linked hooks of an event. Linear in the size of the hooks.
pub fn linked(linked: &Linked, out: &mut Diagnostics) {
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
