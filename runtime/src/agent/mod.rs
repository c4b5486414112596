//! The possible answers to the events of coding agents.
//!
//! The answers that an event supports are data ([`hookc_schema::agents`]): those of Claude Code,
//! whose events are the agent vocabulary. Events of other agents are translated to it
//! ([`crate::adapter`]).

mod form;
mod judge;
mod lost;
mod names;
mod object;
mod read;
mod search;
mod shape;

pub(crate) use form::handler_of;
pub use hookc_schema::agents::{DenialStyle, DenyingExit, EventCapabilities, capabilities};
pub(crate) use judge::{
    NO_ANSWER, TEXT_ANSWER, UNREAD_ANSWER, denial, is_answer, is_judgement, is_text, is_unread, prompted,
    refused,
};
pub(crate) use lost::{Lost, is_answer_on_stderr, lost, unread_json};
pub(crate) use object::denies;
pub(crate) use read::prints_object;
pub(crate) use search::denies_within;

use crate::event::AgentEvent;

/// The member with the directory of a new worktree in the output of a hook.
pub(crate) const WORKTREE: &str = "worktreePath";

/// Whether the agent sends this event when it wants to stop.
pub(crate) fn is_stop(event: &str) -> bool {
    AgentEvent::from_name(event).is_stop()
}
