//! The conversation of one agent.

use super::Caller;
use crate::message::{Message, Usage};

/// The conversation of one agent with the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversation {
    /// Whose it is.
    pub(crate) caller: Caller,
    /// The messages, each with the turn in which it was added.
    pub(crate) history: Vec<(u64, Message)>,
    /// How many answers the model gave.
    pub(crate) turn: u64,
    pub(crate) usage: Usage,
}
