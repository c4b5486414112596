//! Sessions in memory: what happened before, for conditions about earlier events.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hookc_base::PartitionTag;
use hookc_base::action::Kind;
use hookc_history::{Outcome, Partition, Record, Secret, Verdict};
use hookc_vm::{DecideError, DecideOptions, Histories};
use serde_json::Value;

use crate::event::Form;
use crate::sessions::{State, Waiting, agent_mut};
use crate::{Decision, Engine, Event};

/// How long handlers can take, in milliseconds: then the event is settled without a verdict.
const HANDLERS: u64 = 60 * 60 * 1_000;
/// Why a session has no history of other partitions.
const NOT_IN_MEMORY: &str = "a session in memory keeps the history of the session and of its agents";

/// A session of an [`Engine`]: what happened in it decides conditions about earlier events. Clones are the same session,
/// also in other threads; its decisions are made one after the other.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookc::{Engine, Policy};
///
/// let engine = Engine::new(Policy::from_yaml(r#"
/// hooks:
///   - event: PreToolUse
///     when: "tool_name == 'Bash' and count(PreToolUse where tool_name == 'Bash') >= 2"
///     action: {type: deny, reason: "Two commands are enough."}
/// "#)?);
/// let session = engine.session("s1");
/// let bash = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash"}"#;
/// assert!(session.decide(bash)?.is_empty() && session.decide(bash)?.is_empty());
/// assert_eq!(session.decide(bash)?.hooks()[0].kind(), "deny");
///
/// // The state is bytes, for another process or another day.
/// let bytes = session.snapshot();
/// let restored = engine.restore("s2", &bytes)?;
/// assert_eq!(restored.decide(bash)?.hooks().len(), 1);
/// // Another session has no such history.
/// assert!(engine.session("s3").decide(bash)?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session {
    engine: Engine,
    id: String,
}

/// A snapshot of a session that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotError;

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not a snapshot of a session, or are damaged")
    }
}

impl std::error::Error for SnapshotError {}

impl Engine {
    /// The session with this id, which begins now unless it is known.
    #[must_use]
    pub fn session(&self, id: impl Into<String>) -> Session {
        let id = id.into();
        self.sessions().open(&id);
        Session { engine: self.clone(), id }
    }

    /// A session from a [snapshot](Session::snapshot), in place of one with this id. Its policy may have changed.
    ///
    /// # Errors
    /// The bytes are not a snapshot, or are damaged.
    pub fn restore(&self, id: impl Into<String>, snapshot: &[u8]) -> Result<Session, SnapshotError> {
        let state = State::from_snapshot(snapshot).ok_or(SnapshotError)?;
        let id = id.into();
        self.sessions().replace(&id, state);
        Ok(Session { engine: self.clone(), id })
    }

    /// Lets the engine keep at most so many sessions, 10,000 unless this is called, and each at most so long without an
    /// event, a day unless this is called.
    pub fn limit_sessions(&self, sessions: usize, idle: Duration) {
        self.sessions().limit(sessions, idle);
    }
}

impl Session {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Decides about an event and records it, at the time of the system's clock.
    ///
    /// The event is recorded with the verdict of the actions. If handlers decide it, or a condition was unknown, it
    /// waits for [`settle`](Session::settle): until then others see it as one that happened.
    ///
    /// # Errors
    /// As [`Engine::decide`]. Such an event is not recorded.
    pub fn decide<'a>(&self, event: impl Into<Event<'a>>) -> Result<Decision, DecideError> {
        let now = self.engine.sessions().now();
        let wall = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        self.decide_at(event, wall, &DecideOptions::default())
    }

    /// Like `decide`, at a time in milliseconds of a clock of your own, and with options. A time before that of the last
    /// event is raised to it.
    ///
    /// # Errors
    /// As [`Session::decide`].
    pub fn decide_at<'a>(
        &self,
        event: impl Into<Event<'a>>,
        time: u64,
        options: &DecideOptions<'_>,
    ) -> Result<Decision, DecideError> {
        let (policy, event) = (self.engine.policy(), event.into());
        let state = self.engine.sessions().open(&self.id);
        let mut state = lock(&state);
        let agent = agent_of(policy.module(), options, event);
        let State { secret, session, agents, steps, pending } = &mut *state;
        let secret = Secret::new(*secret);
        settle_late(session, time);
        let mut histories = Histories::new(&secret).with(PartitionTag::Session, session, time);
        for key in [PartitionTag::Project, PartitionTag::User] {
            histories = histories.without(key, NOT_IN_MEMORY);
        }
        if let Some(id) = &agent {
            let agent = agent_mut(agents, id);
            settle_late(agent, time);
            histories = histories.with(PartitionTag::Agent, agent, time);
        }
        let options = options.history(&histories);
        let (mut decision, records) = self.engine.decide_recording(&policy, event, &options)?;
        let verdict = verdict(&decision);
        let outcome =
            verdict.map_or(Outcome::Pending { until: time.saturating_add(HANDLERS) }, Outcome::Settled);
        *steps = steps.saturating_add(1);
        for (key, record) in records {
            let record = Record { outcome, ..record };
            let waiting = match (key, &agent) {
                (PartitionTag::Agent, Some(id)) => {
                    Waiting::Agent(id.clone(), agent_mut(agents, id).apply(record))
                }
                (PartitionTag::Session, _) => Waiting::Session(session.apply(record)),
                _ => continue,
            };
            if verdict.is_none() {
                pending.entry(*steps).or_default().push(waiting);
            }
        }
        while pending.len() > hookc_history::limits::PENDING {
            pending.pop_first();
        }
        decision.step = Some(*steps);
        Ok(decision)
    }

    /// Says what became of an event that waits: what its handlers decided, or the program. `false` if it does not wait.
    pub fn settle(&self, step: u64, verdict: Verdict) -> bool {
        let state = self.engine.sessions().open(&self.id);
        let mut state = lock(&state);
        let State { session, agents, pending, .. } = &mut *state;
        let waiting = pending.remove(&step).unwrap_or_default();
        let mut settled = false;
        for waiting in waiting {
            settled |= match waiting {
                Waiting::Session(step) => session.settle(step, verdict),
                Waiting::Agent(id, step) => {
                    agents.get_mut(&id).is_some_and(|agent| agent.settle(step, verdict))
                }
            };
        }
        settled
    }

    /// The state as bytes, for [`Engine::restore`]. They have hashes of values, with the key of these hashes, and the
    /// numbers and texts that the policy keeps. Events that wait are settled by time alone after they are restored.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = self.engine.sessions().open(&self.id);
        lock(&state).snapshot()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Settles what waits for handlers that no longer run.
fn settle_late(partition: &mut Partition, time: u64) {
    let late: Vec<u64> = partition.late(time).collect();
    for step in late {
        partition.settle(step, Verdict::None);
    }
}

/// The agent of an event, if the policy asks for its history. An event without one is of the main agent.
fn agent_of(module: &hookc_vm::Module, options: &DecideOptions<'_>, event: Event<'_>) -> Option<String> {
    if !module.has_history_of(PartitionTag::Agent) {
        return None;
    }
    let value = match event.0 {
        Form::Bytes(bytes) => &serde_json::from_slice::<Value>(bytes).unwrap_or_default(),
        Form::Value(value) => value,
    };
    Some(value.get("agent_id").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// The verdict of a decision's actions, the strictest; `None` if handlers or the program decide it.
fn verdict(decision: &Decision) -> Option<Verdict> {
    let mut strictest = Verdict::None;
    if decision.unknown().next().is_some() {
        return None;
    }
    for hook in decision.hooks() {
        let verdict = match Kind::parse(hook.kind())? {
            Kind::Deny | Kind::Fail | Kind::Abort | Kind::Suspend => Verdict::Deny,
            Kind::Ask | Kind::Escalate => Verdict::Ask,
            Kind::Allow => Verdict::Allow,
            Kind::Continue | Kind::Retry | Kind::EmitEvent | Kind::Modify | Kind::Inject | Kind::Log => {
                Verdict::None
            }
            _ => return None,
        };
        strictest = strictest.max(verdict);
    }
    Some(strictest)
}
