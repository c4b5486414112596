//! The steps of a session, as the journal has them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{Block, Usage};

/// The version of the journal's format.
pub(crate) const VERSION: u64 = 2;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The sub-agent; empty for the session's own agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) agent: String,
    pub(crate) step: Step,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Step {
    /// The first line.
    Session { version: u64, id: String, project: String },
    /// The hooks of the session's start have run; their context for the model.
    SessionStarted { contexts: Vec<String> },
    /// A sub-agent was created.
    Agent {
        kind: String,
        depth: u32,
        tool_use_id: Option<String>,
        parent: String,
        background: bool,
        prompt: String,
    },
    /// A prompt was accepted.
    Prompt { content: Vec<Block> },
    /// Something else was added for the model; `from` is the background agent that it comes from.
    Note { text: String, from: Option<String> },
    /// The model answered. `position` is that of a scripted model.
    Reply { content: Vec<Block>, stop_reason: String, usage: Usage, position: Option<u64> },
    /// Tokens of a request that is not part of the conversation.
    Spent { usage: Usage, position: Option<u64> },
    /// A tool is about to run.
    ToolStarted { id: String, input: Value },
    /// A tool has run.
    ToolDone { id: String, content: String, is_error: bool },
    /// The hooks after a tool have run: what the model gets.
    ToolPosted { id: String, content: String, is_error: bool, contexts: Vec<String> },
    /// A hook sent the agent on when it wanted to stop.
    Continue { text: String },
    /// A summary replaces the turns before `first_kept`.
    Compacted { summary: String, first_kept: u64 },
    /// The state of the thread policies, and when the open escalation began (Unix seconds).
    Thread { policy: Value, defaults: Value, since: Option<u64> },
    /// Somebody answered the open escalation.
    Answered { approved: bool },
    /// A limit was raised, because the policy continues.
    Raised { limit: String },
    /// The agent waits at a limit.
    Waiting { limit: String },
    /// Abilities that guards have disabled, with the reasons.
    Disabled { abilities: std::collections::BTreeMap<String, String> },
    /// A record of an extension: the state of a directive or of a workflow.
    Extension { name: String, value: Value },
    /// The agent has stopped.
    Finished { subtype: String },
}
