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
pub struct Invocation<'a> {
    pub(super) agent: &'static dyn Adapter,
    pub(super) event: Option<String>,
    pub(super) failure_mode: Option<OnFailure>,
    pub(super) questions_denied: bool,
    pub(super) host: &'a dyn Host,
    pub(super) once: Option<PathBuf>,
    pub(super) project: Option<PathBuf>,
    pub(super) quotes: bool,
    pub(super) by_hand: bool,
    pub(super) any_status_denies: bool,
    pub(super) probe: Option<Probe>,
    pub(super) pause: Option<Pause>,
    pub(super) repeats: Option<PathBuf>,
    pub(super) on_status: &'a (dyn Fn(u8) + Sync),
    pub(super) history: Option<HistoryOptions>,
    pub(super) records_starts: &'a (dyn Fn() -> bool + Sync),
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
            once: None,
            project: None,
            quotes: false,
            by_hand: false,
            any_status_denies: false,
            probe: None,
            pause: None,
            repeats: None,
            on_status: &|_| {},
            history: None,
            records_starts: &|| false,
        }
    }

    /// The agent's name of the event, for agents that do not send it.
    #[must_use]
    pub fn with_event(self, event: impl Into<Option<String>>) -> Self {
        Self { event: event.into(), ..self }
    }

    /// What happens when nothing can be decided, and when a hook without a failure mode
    /// fails. Without one, each failure has its own default.
    #[must_use]
    pub fn with_failure_mode(self, failure_mode: impl Into<Option<OnFailure>>) -> Self {
        Self { failure_mode: failure_mode.into(), ..self }
    }

    /// Whether what a hook would ask the user about is denied, because nobody watches the agent.
    #[must_use]
    pub fn with_questions_denied(self, questions_denied: bool) -> Self {
        Self { questions_denied, ..self }
    }

    /// The embedder.
    #[must_use]
    pub fn with_host(self, host: &'a dyn Host) -> Self {
        Self { host, ..self }
    }

    /// The directory in which it is kept which handlers ran in a session.
    #[must_use]
    pub fn with_once_directory(self, once: impl Into<Option<PathBuf>>) -> Self {
        Self { once: once.into(), ..self }
    }

    /// The root of the project, if the agent does not give it: `project_dir` of the event. Without one, it is the
    /// nearest repository above `cwd`.
    #[must_use]
    pub fn with_project(self, project: impl Into<Option<PathBuf>>) -> Self {
        Self { project: project.into(), ..self }
    }

    /// Whether reports may quote the event.
    #[must_use]
    pub fn with_event_quotes(self, quotes: bool) -> Self {
        Self { quotes, ..self }
    }

    /// Whether a person described the event: the log says so, and `hookc status` counts no call of the agent.
    #[must_use]
    pub fn by_hand(self, by_hand: bool) -> Self {
        Self { by_hand, ..self }
    }

    /// Whether every exit status except 0 denies, because the command in the settings makes 2 of it (`|| exit 2`): an
    /// event that passes undecided then ends with 0, and the user gets the reason as a message.
    #[must_use]
    pub fn any_status_denies(self, any_status_denies: bool) -> Self {
        Self { any_status_denies, ..self }
    }

    /// Where the history of this call is. Without it, the history of every session is unknown.
    #[must_use]
    pub fn with_history(self, history: impl Into<Option<HistoryOptions>>) -> Self {
        Self { history: history.into(), ..self }
    }

    /// Says whether the agent calls this policy at the start of each session: then the history of a session whose start
    /// was not recorded is unknown, else it is empty. Called at most once, for a session without a history.
    #[must_use]
    pub fn records_starts(self, records_starts: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { records_starts, ..self }
    }

    /// The question of `hookc probe` that the call answers without a policy, if the event is that question.
    #[must_use]
    pub fn with_probe(self, probe: impl Into<Option<Probe>>) -> Self {
        Self { probe: probe.into(), ..self }
    }

    /// The open window of `hookc pause`: the event passes undecided.
    #[must_use]
    pub fn with_pause(self, pause: impl Into<Option<Pause>>) -> Self {
        Self { pause: pause.into(), ..self }
    }

    /// The directory in which results are kept for a second call about the same use of a tool.
    #[must_use]
    pub fn with_repeat_directory(self, repeats: impl Into<Option<PathBuf>>) -> Self {
        Self { repeats: repeats.into(), ..self }
    }

    /// Receives the exit status that replaces an unread answer, whenever it
    /// changes: before the handlers run, and when the answer is known.
    #[must_use]
    pub fn on_status(self, on_status: &'a (dyn Fn(u8) + Sync)) -> Self {
        Self { on_status, ..self }
    }
}
