//! The steps of a session, as the journal has them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::saved::Saved;
use crate::message::{Block, Usage};

/// The version of the journal's format.
pub(crate) const VERSION: u64 = 3;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The sub-agent; empty for the session's own agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) agent: String,
    pub(crate) step: Step,
}

/// What a journal belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Session,
    Directive,
    Workflow,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Session => "a session",
            Self::Directive => "the thread of a directive",
            Self::Workflow => "the run of a workflow",
        }
    }

    /// How it is continued.
    pub(crate) fn command(self, id: &str) -> String {
        match self {
            Self::Session => format!("hookc-agent --resume {id}"),
            Self::Directive => format!("hookc-agent run DIRECTIVE --resume {id}"),
            Self::Workflow => format!("hookc-agent workflow FILE --resume {id}"),
        }
    }
}

/// A directive that a hook calls, as a thread of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Child {
    /// The id of the thread.
    pub(crate) thread: String,
    /// The label of the hook.
    pub(crate) hook: String,
    pub(crate) directive: String,
    pub(crate) parameters: serde_json::Map<String, Value>,
    /// The event.
    pub(crate) event: Value,
    pub(crate) position: Option<u64>,
}

/// Which directive a thread follows, and how it was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DirectiveOf {
    pub(crate) directive: String,
    /// The hash of its text.
    pub(crate) hash: String,
    pub(crate) parameters: serde_json::Map<String, Value>,
    /// 0 for a thread that no hook has started.
    pub(crate) depth: u32,
    /// Whether it has the rights that the user gave to the first thread.
    pub(crate) has_rights: bool,
}

/// A record of the run of a workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Mark {
    /// The run starts, with the values of `--set`.
    Start {
        path: PathBuf,
        /// The hash of the file, and of the file with its artifacts.
        hash: String,
        given: serde_json::Map<String, Value>,
        model: String,
        base_url: Option<String>,
        model_timeout: Option<u64>,
        max_output_tokens: Option<u64>,
        ledger: PathBuf,
    },
    /// Something is about to happen: the first effect has the number 0.
    Begun { effect: u64, what: String },
    /// It has happened. `next` is the number of the effect that follows: a workflow has effects of its
    /// own.
    Done { effect: u64, next: u64, result: Result<Value, String>, position: Option<u64> },
    /// The run has ended.
    Ended { status: String },
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Step {
    /// The first line.
    Session { version: u64, id: String, kind: Kind, project: String },
    /// The options of the command line that apply until others follow.
    Options { options: Box<Saved> },
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
    /// Tokens of a request that is not part of the conversation, or of a thread that a hook started.
    Spent {
        usage: Usage,
        position: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thread: Option<String>,
    },
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
    /// A hook starts a directive as a thread, at this event. `position` is that of a scripted model.
    Child(Child),
    /// The results of the threads that an event's hooks have started were used.
    ChildrenDone { threads: Vec<String> },
    /// The hooks after a step have run.
    HooksEnded {},
    /// A sub-agent, or a thread that a hook started, notifies the agent `to`.
    Notified { to: String, text: String },
    /// A notification was added for the model.
    Delivered { text: String },
    /// Somebody answered the open escalation.
    Answered { approved: bool },
    /// A limit was raised, because the policy continues.
    Raised { limit: String },
    /// The agent waits at a limit.
    Waiting { limit: String },
    /// Abilities that guards have disabled, with the reasons.
    Disabled { abilities: std::collections::BTreeMap<String, String> },
    /// Which directive a thread follows.
    Directive(DirectiveOf),
    /// A record of the run of a workflow.
    Workflow(Mark),
    /// The agent has stopped.
    Finished { subtype: String },
}
