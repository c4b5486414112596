//! What the events of coding agents can be answered with.
//!
//! The table is that of Claude Code 2.1, whose vocabulary the agent family has;
//! other agents' events are translated to it ([`crate::adapter`]).

mod read;

pub use read::{handler, is_judgement, prompted, refused};

/// How an event is refused.
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
    /// How it is refused.
    pub refusal: Refusal,
    /// Whether the model can be told something.
    pub context: bool,
    /// Whether plain text on standard output tells the model something.
    pub text: bool,
    /// Whether exit status 2 of a handler refuses.
    pub status: bool,
}

macro_rules! events {
    ($($event:literal $refusal:ident $context:literal $text:literal $status:literal;)*) => {
        /// The table.
        pub const EVENTS: &[Answers] = &[$(Answers {
            event: $event, refusal: Refusal::$refusal, context: $context == 1, text: $text == 1, status: $status == 1,
        },)*];
    };
}

// event               refusal    context text status
events! {
    "SessionStart"        None       1 1 0;
    "Setup"               None       1 0 0;
    "UserPromptSubmit"    Decision   1 1 1;
    "UserPromptExpansion" Decision   1 1 1;
    "PreToolUse"          Permission 1 0 1;
    "PermissionRequest"   Request    0 0 0;
    "PermissionDenied"    None       0 0 0;
    "PostToolUse"         Decision   1 0 1;
    "PostToolUseFailure"  Decision   1 0 1;
    "PostToolBatch"       Decision   1 0 1;
    "Notification"        None       1 0 0;
    "MessageDisplay"      None       0 0 0;
    "SubagentStart"       None       1 0 0;
    "SubagentStop"        Decision   1 0 1;
    "TaskCreated"         Status     0 0 1;
    "TaskCompleted"       Status     0 0 1;
    "Stop"                Decision   1 0 1;
    "StopFailure"         None       0 0 0;
    "TeammateIdle"        Status     0 0 1;
    "InstructionsLoaded"  None       0 0 0;
    "ConfigChange"        Decision   0 0 1;
    "CwdChanged"          None       0 0 0;
    "DirectoryAdded"      None       0 0 0;
    "FileChanged"         None       0 0 0;
    "WorktreeCreate"      None       0 0 0;
    "WorktreeRemove"      None       0 0 0;
    "PreCompact"          Decision   0 0 1;
    "PostCompact"         None       0 0 0;
    "Elicitation"         Status     0 0 1;
    "ElicitationResult"   Status     0 0 1;
    "SessionEnd"          None       0 0 0;
}

/// An event type that nobody knows: nothing but passing it is right.
const UNKNOWN: Answers =
    Answers { event: "", refusal: Refusal::None, context: false, text: false, status: false };

/// What an event type can be answered with.
#[must_use]
pub fn answers(event: &str) -> Answers {
    EVENTS.iter().copied().find(|answers| answers.event == event).unwrap_or(UNKNOWN)
}

impl Answers {
    /// Whether the event can be refused.
    #[must_use]
    pub fn can_refuse(&self) -> bool {
        self.refusal != Refusal::None
    }
}
