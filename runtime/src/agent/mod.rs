//! The possible answers to the events of coding agents.
//!
//! The table is that of Claude Code 2.1, whose vocabulary the agent family has; other agents'
//! events are translated to it ([`crate::adapter`]).

mod form;
mod judge;
mod object;
mod read;
mod shape;

pub use form::handler_of;
pub(crate) use judge::is_text;
pub use judge::{is_judgement, prompted, refused};
pub(crate) use read::unread_decision;
pub use read::{NoAnswer, handler};

use crate::event::AgentEvent;

/// How an event is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not at all.
    None,
    /// `permissionDecision: deny`, which can also allow, ask and change the input.
    Permission,
    /// `decision: {behavior: deny}`, which can also allow and change the input.
    Request,
    /// `decision: block` and a reason.
    Decision,
    /// Exit status 2 and the reason on standard error.
    Status,
}

/// An event type and its answers.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// Its name.
    pub event: &'static str,
    /// How it is denied.
    pub refusal: Refusal,
    /// Whether the model can receive context.
    pub context: bool,
    /// Whether plain text on standard output is context for the model.
    pub text: bool,
    /// The exit statuses of a handler that deny.
    pub status: Statuses,
}

/// The exit statuses of a handler that deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statuses {
    /// None.
    None,
    /// 2.
    Two,
    /// Every one but 0.
    All,
}

impl Statuses {
    /// Whether this one denies.
    #[must_use]
    pub fn refuses(self, code: i32) -> bool {
        match self {
            Self::None => false,
            Self::Two => code == 2,
            Self::All => code != 0,
        }
    }
}

/// The location of a new worktree's directory in the output of a hook.
pub const WORKTREE: &str = "worktreePath";

macro_rules! events {
    ($($event:literal $refusal:ident $context:literal $text:literal $status:ident;)*) => {
        /// The table.
        pub const EVENTS: &[Answers] = &[$(Answers {
            event: $event, refusal: Refusal::$refusal, context: $context == 1, text: $text == 1,
            status: Statuses::$status,
        },)*];
    };
}

// event               refusal    context text status
events! {
    "SessionStart"        None       1 1 None;
    "Setup"               None       0 0 None;
    "UserPromptSubmit"    Decision   1 1 Two;
    "UserPromptExpansion" Decision   1 1 Two;
    "PreToolUse"          Permission 1 0 Two;
    "PermissionRequest"   Request    0 0 None;
    "PermissionDenied"    None       0 0 None;
    "PostToolUse"         Decision   1 0 Two;
    "PostToolUseFailure"  Decision   1 0 Two;
    "PostToolBatch"       Decision   1 0 Two;
    "Notification"        None       0 0 None;
    "MessageDisplay"      None       0 0 None;
    "SubagentStart"       None       1 0 None;
    "SubagentStop"        Decision   1 0 Two;
    "TaskCreated"         Status     0 0 Two;
    "TaskCompleted"       Status     0 0 Two;
    "Stop"                Decision   1 0 Two;
    "StopFailure"         None       0 0 None;
    "TeammateIdle"        Status     0 0 Two;
    "InstructionsLoaded"  None       0 0 None;
    "ConfigChange"        Decision   0 0 Two;
    "CwdChanged"          None       0 0 None;
    "DirectoryAdded"      None       0 0 None;
    "FileChanged"         None       0 0 None;
    "WorktreeCreate"      Status     0 1 All;
    "WorktreeRemove"      Status     0 0 All;
    "PreCompact"          Decision   0 0 Two;
    "PostCompact"         None       0 0 None;
    "PreModelSwitch"      Permission 0 0 Two;
    "PostModelSwitch"     None       1 1 None;
    "Elicitation"         Status     0 0 Two;
    "ElicitationResult"   Status     0 0 Two;
    "SessionEnd"          None       0 0 None;
}

/// An unknown event type: passing it is the only correct answer.
const UNKNOWN: Answers =
    Answers { event: "", refusal: Refusal::None, context: false, text: false, status: Statuses::None };

/// Whether it is the event of an agent that wants to stop.
#[must_use]
pub fn is_stop(event: &str) -> bool {
    AgentEvent::from_name(event).is_stop()
}

/// The possible answers to an event type.
#[must_use]
pub fn answers(event: &str) -> Answers {
    EVENTS.iter().copied().find(|answers| answers.event == event).unwrap_or(UNKNOWN)
}

impl Answers {
    /// Whether the event can be denied.
    #[must_use]
    pub fn can_refuse(&self) -> bool {
        self.refusal != Refusal::None
    }
}
