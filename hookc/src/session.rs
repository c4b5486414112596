//! Sessions in memory: what happened before, for conditions about earlier events.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hookc_base::PartitionTag;
use hookc_base::action::Kind;
use hookc_history::{Outcome, Partition, Record, Secret, Verdict};
use hookc_vm::{DecideError, DecideOptions, Histories, Module};
use serde_json::value::RawValue;

use crate::event::Form;
use crate::sessions::{PROJECT, State, USER, Waiting, When, agent_mut};
use crate::{Decision, Engine, Event};

/// How long handlers can take, in milliseconds: then the event is settled without a verdict.
const HANDLERS: u64 = 60 * 60 * 1_000;
/// Why a restored session does not use what the sessions of the engine share.
const FOREIGN: &str = "the session was restored from a snapshot of another engine";
/// Why an event has no project.
const NO_PROJECT: &str = "the event does not say which project it belongs to";

/// A session of an [`Engine`]: what happened in it decides conditions about earlier events. Clones are the same session,
/// also in other threads; its decisions are made one after the other.
///
/// Conditions `per project` and `per user` look at the events of all sessions of the engine: those with the same
/// `project_dir`, or `cwd` without one, and all.
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

/// A snapshot that cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotError(&'static str);

impl SnapshotError {
    const SESSION: Self = Self("the bytes are not a snapshot of a session, or are damaged");
    const SHARED: Self = Self(
        "the bytes are not a snapshot of what sessions share, are damaged, or belong to other sessions than the engine has",
    );
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for SnapshotError {}

impl Engine {
    /// The session with this id. One that is not known begins with its first event.
    #[must_use]
    pub fn session(&self, id: impl Into<String>) -> Session {
        Session { engine: self.clone(), id: id.into() }
    }

    /// A session from a [snapshot](Session::snapshot), in place of one with this id. Its policy may have changed.
    ///
    /// # Errors
    /// The bytes are not a snapshot of a session, or are damaged.
    pub fn restore(&self, id: impl Into<String>, snapshot: &[u8]) -> Result<Session, SnapshotError> {
        let state = State::from_snapshot(snapshot).ok_or(SnapshotError::SESSION)?;
        let id = id.into();
        self.sessions().replace(&id, state);
        Ok(Session { engine: self.clone(), id })
    }

    /// The histories of projects and of the user as bytes, for [`Engine::restore_shared`].
    #[must_use]
    pub fn shared_snapshot(&self) -> Vec<u8> {
        self.sessions().shared_snapshot()
    }

    /// Takes the histories of projects and of the user from a [snapshot](Engine::shared_snapshot). Restore them before the
    /// engine has sessions.
    ///
    /// # Errors
    /// The bytes are not a snapshot of these histories, or are damaged, or the engine already has sessions that cannot be
    /// compared with them.
    pub fn restore_shared(&self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        self.sessions().restore_shared(snapshot).ok_or(SnapshotError::SHARED)
    }

    /// Lets the engine keep at most so many sessions, 10,000 unless this is called, and each at most so long without an
    /// event, a day unless this is called.
    ///
    /// What happened in a session that was dropped, and in its agents, is unknown when it comes again. The engine knows the
    /// ids of the last 100,000 sessions that it dropped; an older one begins anew.
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
    /// The event is recorded with the verdict of the actions. If handlers decide it, a condition was unknown, or an action
    /// cannot be rendered, it waits for [`settle`](Session::settle): until then others see it as one that happened.
    ///
    /// # Errors
    /// As [`Engine::decide`]. Such an event is not recorded.
    pub fn decide<'a>(&self, event: impl Into<Event<'a>>) -> Result<Decision, DecideError> {
        self.decide_as(event, verdict)
    }

    /// Like `decide`, but `answer` says what verdict the program gives.
    pub(crate) fn decide_as<'a>(
        &self,
        event: impl Into<Event<'a>>,
        answer: impl FnOnce(&Decision) -> Option<Verdict>,
    ) -> Result<Decision, DecideError> {
        let when = When::now(self.engine.sessions().reading());
        self.decide_when(event.into(), when, &DecideOptions::default(), answer)
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
        let when = When::at(self.engine.sessions().reading(), time);
        self.decide_when(event.into(), when, options, verdict)
    }

    fn decide_when(
        &self,
        event: Event<'_>,
        when: When,
        options: &DecideOptions<'_>,
        answer: impl FnOnce(&Decision) -> Option<Verdict>,
    ) -> Result<Decision, DecideError> {
        let policy = self.engine.policy();
        let names = Names::new(policy.module(), event);
        let state = self.engine.sessions().open(&self.id, when);
        let mut state = lock(&state);
        let State { secret, session, agents, steps, pending } = &mut *state;
        let shared = self.shared(&names, secret, when);
        // Locked in one order: session, project, user.
        let mut shared: Vec<_> = shared
            .iter()
            .map(|(key, partition)| (*key, partition.as_ref().map(|one| (one, lock(one)))))
            .collect();
        let secret = Secret::new(*secret);
        let time = when.settle_late(session);
        let mut histories = Histories::new(&secret).with(PartitionTag::Session, session, time);
        if let Some(id) = &names.agent {
            let agent = agent_mut(agents, id, session);
            let time = when.settle_late(agent);
            histories = histories.with(PartitionTag::Agent, agent, time);
        }
        for (key, partition) in &mut shared {
            histories = match partition {
                Ok((_, partition)) => {
                    let time = when.settle_late(partition);
                    histories.with(*key, partition, time)
                }
                Err(cause) => histories.without(*key, cause),
            };
        }
        let options = options.history(&histories);
        let (mut decision, records) = self.engine.decide_recording(&policy, event, &options)?;
        let verdict = answer(&decision);
        *steps = steps.saturating_add(1);
        for (key, record) in records {
            let record = settled(record, verdict, when);
            let common = shared.iter_mut().find(|(shared, _)| *shared == key);
            let waiting = match (key, &names.agent, common) {
                (PartitionTag::Session, ..) => Waiting::Session(session.apply(record)),
                (PartitionTag::Agent, Some(id), _) => {
                    Waiting::Agent(id.clone(), agent_mut(agents, id, session).apply(record))
                }
                (_, _, Some((_, Ok((shared, partition))))) => {
                    Waiting::Shared(Arc::clone(shared), partition.apply(record))
                }
                _ => continue,
            };
            if verdict.is_none() {
                pending.entry(*steps).or_default().push(waiting);
            }
        }
        forget_oldest(pending);
        decision.step = Some(*steps);
        Ok(decision)
    }

    /// What the session shares with others, or why it does not.
    fn shared(&self, names: &Names, secret: &[u8; 32], when: When) -> Vec<(PartitionTag, Shared)> {
        let mut sessions = self.engine.sessions();
        let is_foreign = sessions.secret() != secret;
        let mut open = |(key, name): (PartitionTag, &Option<String>)| {
            let shared = match name {
                _ if is_foreign => Err(FOREIGN),
                Some(name) => Ok(sessions.shared(name, when)),
                None => Err(NO_PROJECT),
            };
            (key, shared)
        };
        names.shared.iter().map(|(key, name)| open((*key, name))).collect()
    }

    /// Says what became of an event that waits: what its handlers decided, or the program. `false` if it does not wait.
    pub fn settle(&self, step: u64, verdict: Verdict) -> bool {
        let Some(state) = self.engine.sessions().get(&self.id) else { return false };
        let mut state = lock(&state);
        let State { session, agents, pending, .. } = &mut *state;
        let waiting = pending.remove(&step).unwrap_or_default();
        let mut settled = false;
        for waiting in waiting {
            settled |= match waiting {
                Waiting::Shared(partition, step) => lock(&partition).settle(step, verdict),
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
        let mut sessions = self.engine.sessions();
        let Some(state) = sessions.get(&self.id) else { return sessions.beginning(&self.id).snapshot() };
        drop(sessions);
        lock(&state).snapshot()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The history of a project or of the user, or why it is unknown.
type Shared = Result<Arc<Mutex<Partition>>, &'static str>;

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which partitions an event belongs to, as far as the policy asks for their histories.
struct Names {
    /// An event without an agent is of the main one.
    agent: Option<String>,
    /// In the order in which they are locked.
    shared: Vec<(PartitionTag, Option<String>)>,
}

impl Names {
    fn new(module: &Module, event: Event<'_>) -> Self {
        let reads = |key: PartitionTag| module.has_history_of(key);
        let (agent, project) = (reads(PartitionTag::Agent), reads(PartitionTag::Project));
        let text = members(event, agent || project);
        let root = || text("project_dir").or_else(|| text("cwd"));
        let project = project.then(|| (PartitionTag::Project, root().map(|root| format!("{PROJECT}{root}"))));
        let user = reads(PartitionTag::User).then(|| (PartitionTag::User, Some(USER.to_owned())));
        Self {
            agent: agent.then(|| text("agent_id").unwrap_or_default()),
            shared: project.into_iter().chain(user).collect(),
        }
    }
}

/// Finds the texts of members of an event that are not empty. Nothing else of it is parsed.
fn members(event: Event<'_>, is_read: bool) -> impl Fn(&str) -> Option<String> {
    let members: HashMap<String, &RawValue> = match event.0 {
        Form::Bytes(bytes) if is_read => serde_json::from_slice(bytes).unwrap_or_default(),
        _ => HashMap::new(),
    };
    move |name| {
        let text = match event.0 {
            Form::Bytes(_) => serde_json::from_str(members.get(name)?.get()).ok()?,
            Form::Value(value) => value.get(name)?.as_str()?.to_owned(),
        };
        Some(text).filter(|text: &String| !text.is_empty())
    }
}

/// Keeps as many waiting events as the limit admits.
fn forget_oldest(pending: &mut BTreeMap<u64, Vec<Waiting>>) {
    while pending.len() > hookc_history::limits::PENDING {
        pending.pop_first();
    }
}

/// A record with the outcome of its event; without a verdict, it waits for its handlers.
fn settled(record: Record, verdict: Option<Verdict>, when: When) -> Record {
    let until = record.time.saturating_add(HANDLERS);
    let outcome = verdict.map_or(Outcome::Pending { until }, Outcome::Settled);
    Record { outcome, reading: when.reading(), ..record }
}

/// The verdict of a decision's actions, the strictest; `None` if handlers or the program decide it.
fn verdict(decision: &Decision) -> Option<Verdict> {
    if decision.unknown().next().is_some() {
        return None;
    }
    decision.hooks().iter().try_fold(Verdict::None, |strictest, hook| {
        hook.to_json().ok()?;
        Some(strictest.max(Verdict::for_kind(Kind::parse(hook.kind())?)?))
    })
}
