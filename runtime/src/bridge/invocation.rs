//! A call of an agent, and how it is answered.

use std::fmt;
use std::path::PathBuf;

use hookc_base::OnFailure;

use crate::adapter::Adapter;
use crate::history::HistoryOptions;
use crate::host::{Host, NoopHost};
use crate::log::Origin;
use crate::pause::Pause;
use crate::probe::Probe;

/// What a hook that asks the user leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Questions {
    /// The agent asks the user, where it can.
    #[default]
    User,
    /// The event is denied with the reason of the question, because nobody watches the agent.
    Deny,
}

/// What reports quote of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventQuotes {
    /// None of its texts.
    #[default]
    Omitted,
    /// What explains the report.
    Shown,
}

/// What the command in the agent's settings makes of an exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExitStatuses {
    /// The agent gets the status of hookc.
    #[default]
    Unchanged,
    /// Every status except 0 denies, because the command makes 2 of it (`|| exit 2`): an event that passes undecided
    /// then ends with 0, and the user gets the reason as a message.
    NonzeroDenies,
}

/// A call of an agent, and how it is answered.
///
/// ```
/// use hookc_base::OnFailure;
/// use hookc_runtime::adapter;
/// use hookc_runtime::bridge::{Invocation, run};
///
/// let gemini = adapter::by_name("gemini").expect("an agent that hookc answers");
/// let mut invocation = Invocation::new(gemini);
/// invocation.failure_mode = Some(OnFailure::Open);
/// // Without a policy, the failure mode answers.
/// let event = br#"{"hook_event_name": "BeforeTool", "tool_name": "read_file", "tool_input": {}}"#;
/// let answer = run(invocation, event.to_vec(), || Err("the policy is missing"));
/// assert!(format!("{}{}", answer.stdout, answer.stderr).contains("the policy is missing"));
/// // 2 would deny.
/// assert_ne!(answer.code, 2);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Invocation<'a> {
    /// The agent that calls.
    pub agent: &'static dyn Adapter,
    /// The agent's name of the event, for agents that do not send it.
    pub event: Option<String>,
    /// What happens when nothing can be decided, and when a hook without a failure mode
    /// fails. Without one, each failure has its own default.
    pub failure_mode: Option<OnFailure>,
    /// What a hook that asks the user leads to.
    pub questions: Questions,
    /// The embedder.
    pub host: &'a dyn Host,
    /// The directory in which it is kept which handlers ran in a session.
    pub once_directory: Option<PathBuf>,
    /// The root of the project, if the agent does not give it: `project_dir` of the event. Without one, it is the
    /// nearest repository above `cwd`.
    pub project: Option<PathBuf>,
    /// What reports quote of the event.
    pub event_quotes: EventQuotes,
    /// Who described the event.
    pub origin: Origin,
    /// What the command in the agent's settings makes of the exit status.
    pub exit_statuses: ExitStatuses,
    /// The question of `hookc probe` that the call answers without a policy, if the event is that question.
    pub probe: Option<Probe>,
    /// The open window of `hookc pause`: the event passes undecided.
    pub pause: Option<Pause>,
    /// The directory in which results are kept for a second call about the same use of a tool.
    pub repeat_directory: Option<PathBuf>,
    /// Receives the exit status that replaces an unread answer, whenever it
    /// changes: before the handlers run, and when the answer is known.
    pub on_status: &'a (dyn Fn(u8) + Sync),
    /// Where the history of this call is. Without it, the history of every session is unknown.
    pub history: Option<HistoryOptions>,
    /// Says whether the agent calls this policy at the start of each session: then the history of a session whose start
    /// was not recorded is unknown, else it is empty. Called at most once, for a session without a history.
    pub records_starts: &'a (dyn Fn() -> bool + Sync),
}

impl fmt::Debug for Invocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, failure_mode, .. } = self;
        f.debug_struct("Invocation")
            .field("agent", &self.agent.name())
            .field("event", event)
            .field("failure_mode", failure_mode)
            .finish_non_exhaustive()
    }
}

impl<'a> Invocation<'a> {
    /// A call of this agent. Its handlers run, and no embedder helps them.
    #[must_use]
    pub fn new(agent: &'static dyn Adapter) -> Self {
        Self {
            agent,
            event: None,
            failure_mode: None,
            questions: Questions::default(),
            host: &NoopHost,
            once_directory: None,
            project: None,
            event_quotes: EventQuotes::default(),
            origin: Origin::default(),
            exit_statuses: ExitStatuses::default(),
            probe: None,
            pause: None,
            repeat_directory: None,
            on_status: &|_| {},
            history: None,
            records_starts: &|| false,
        }
    }
}
