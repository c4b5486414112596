//! A call of an agent, and how it is answered.

use std::fmt;
use std::path::PathBuf;

use hookc_base::OnFailure;

use crate::adapter::Adapter;
use crate::history::HistoryOptions;
use crate::host::{Host, NoopHost};
use crate::pause::Pause;
use crate::probe::Probe;

/// A call of an agent, and how it is answered.
///
/// ```
/// use hookc_base::OnFailure;
/// use hookc_runtime::adapter;
/// use hookc_runtime::bridge::{Invocation, run};
///
/// let gemini = adapter::by_name("gemini").expect("an agent that hookc answers");
/// let invocation = Invocation::new(gemini).with_failure_mode(OnFailure::Open);
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
    /// Whether what a hook would ask the user about is denied, because nobody watches the agent.
    pub questions_denied: bool,
    /// The embedder.
    pub host: &'a dyn Host,
    /// The directory in which it is kept which handlers ran in a session.
    pub once_directory: Option<PathBuf>,
    /// The root of the project, if the agent does not give it: `project_dir` of the event. Without one, it is the
    /// nearest repository above `cwd`.
    pub project: Option<PathBuf>,
    /// Whether reports may quote the event.
    pub event_quotes: bool,
    /// Whether a person described the event: the log says so, and `hookc status` counts no call of the agent.
    pub by_hand: bool,
    /// Whether every exit status except 0 denies, because the command in the settings makes 2 of it (`|| exit 2`): an
    /// event that passes undecided then ends with 0, and the user gets the reason as a message.
    pub any_status_denies: bool,
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
            questions_denied: false,
            host: &NoopHost,
            once_directory: None,
            project: None,
            event_quotes: false,
            by_hand: false,
            any_status_denies: false,
            probe: None,
            pause: None,
            repeat_directory: None,
            on_status: &|_| {},
            history: None,
            records_starts: &|| false,
        }
    }

    /// Sets `event`.
    #[must_use]
    pub fn with_event(self, event: impl Into<Option<String>>) -> Self {
        Self { event: event.into(), ..self }
    }

    /// Sets `failure_mode`.
    #[must_use]
    pub fn with_failure_mode(self, failure_mode: impl Into<Option<OnFailure>>) -> Self {
        Self { failure_mode: failure_mode.into(), ..self }
    }

    /// Sets `project`.
    #[must_use]
    pub fn with_project(self, project: impl Into<Option<PathBuf>>) -> Self {
        Self { project: project.into(), ..self }
    }

    /// Sets `history`.
    #[must_use]
    pub fn with_history(self, history: impl Into<Option<HistoryOptions>>) -> Self {
        Self { history: history.into(), ..self }
    }
}
