//! Sessions in memory: what happened before, for conditions about earlier events.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hookc_base::PartitionTag;
use hookc_base::action::Kind;
use hookc_history::{Limits, Outcome, Partition, Record, Secret, Verdict};
use hookc_vm::{DecideError, DecideOptions, Histories};
use serde_json::Value;

use crate::event::Form;
use crate::{Decision, Engine, Event};

/// Sessions of an engine: a further one replaces an eighth of them, those that were used longest ago.
const SESSIONS: usize = 10_000;
/// How long a session stays that nothing uses.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// Agents of a session: a further one replaces the one whose last event is oldest.
const AGENTS: usize = 256;
/// How long handlers can take, in milliseconds: then the event is settled without a verdict.
const HANDLERS: u64 = 60 * 60 * 1_000;
/// The first bytes of a snapshot.
const MAGIC: &[u8; 8] = b"hookc\0s\x01";
/// Why a session has no history of other partitions.
const NOT_IN_MEMORY: &str = "a session in memory keeps the history of the session and of its agents";

/// The sessions of an engine.
#[derive(Debug)]
pub(crate) struct Sessions {
    by_id: HashMap<String, Entry>,
    most: usize,
    idle: Duration,
    started: Option<Instant>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { by_id: HashMap::new(), most: SESSIONS, idle: IDLE, started: None }
    }
}

#[derive(Debug)]
struct Entry {
    state: Arc<Mutex<State>>,
    used: Duration,
}

/// What a session remembers.
#[derive(Debug)]
struct State {
    secret: [u8; 32],
    session: Partition,
    /// By `agent_id`; the main agent has the empty one.
    agents: BTreeMap<String, Partition>,
    /// Decisions so far, and those that wait for their outcome.
    steps: u64,
    pending: BTreeMap<u64, Vec<Waiting>>,
}

impl Sessions {
    pub(crate) fn limit(&mut self, most: usize, idle: Duration) {
        (self.most, self.idle) = (most.max(1), idle);
    }

    /// Milliseconds since the first session.
    fn now(&mut self) -> Duration {
        self.started.get_or_insert_with(Instant::now).elapsed()
    }

    fn open(&mut self, id: &str) -> Arc<Mutex<State>> {
        let now = self.now();
        if let Some(entry) = self.by_id.get_mut(id) {
            entry.used = now;
            return Arc::clone(&entry.state);
        }
        self.insert(id, State::new(), now)
    }

    fn insert(&mut self, id: &str, state: State, now: Duration) -> Arc<Mutex<State>> {
        if self.by_id.len() >= self.most {
            self.shrink(now);
        }
        let state = Arc::new(Mutex::new(state));
        self.by_id.insert(id.to_owned(), Entry { state: Arc::clone(&state), used: now });
        state
    }

    /// Drops idle sessions, and if all are in use, those that were used longest ago.
    fn shrink(&mut self, now: Duration) {
        let idle = self.idle;
        self.by_id.retain(|_, entry| now.saturating_sub(entry.used) <= idle);
        let keep = self.most.saturating_sub(self.most.div_ceil(8));
        if self.by_id.len() <= keep {
            return;
        }
        let mut used: Vec<Duration> = self.by_id.values().map(|entry| entry.used).collect();
        used.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = used.get(keep.saturating_sub(1)).copied().filter(|_| keep > 0);
        self.by_id.retain(|_, entry| oldest.is_some_and(|oldest| entry.used > oldest));
    }
}

impl State {
    fn new() -> Self {
        let word = |at: usize| RandomState::new().hash_one(at).to_le_bytes();
        let mut secret = [0; 32];
        secret.chunks_exact_mut(8).enumerate().for_each(|(at, bytes)| bytes.copy_from_slice(&word(at)));
        let session = Partition::new(Limits::default());
        Self { secret, session, agents: BTreeMap::new(), steps: 0, pending: BTreeMap::new() }
    }
}

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
        let state = read_snapshot(snapshot).ok_or(SnapshotError)?;
        let id = id.into();
        let mut sessions = self.sessions();
        sessions.by_id.remove(&id);
        let now = sessions.now();
        sessions.insert(&id, state, now);
        drop(sessions);
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
        let mut state = lock(&state);
        let State { secret, session, agents, .. } = &mut *state;
        let mut out = [MAGIC.as_slice(), secret].concat();
        push(&mut out, &session.encode());
        for (id, agent) in agents {
            push(&mut out, id.as_bytes());
            push(&mut out, &agent.encode());
        }
        out
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

/// An event whose outcome is not known, by its number in a partition.
#[derive(Debug)]
enum Waiting {
    Session(u64),
    Agent(String, u64),
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn agent_mut<'a>(agents: &'a mut BTreeMap<String, Partition>, id: &str) -> &'a mut Partition {
    if !agents.contains_key(id) && agents.len() >= AGENTS {
        let oldest = agents.iter().min_by_key(|(_, agent)| agent.time()).map(|(id, _)| id.clone());
        oldest.and_then(|oldest| agents.remove(&oldest));
    }
    agents.entry(id.to_owned()).or_insert_with(|| Partition::new(Limits::default()))
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
    let reads = |name: &str| module.observes(name, options.family).contains(&PartitionTag::Agent);
    if !module.events().any(|event| reads(event.name)) {
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

fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
    out.extend(bytes);
}

fn read_snapshot(bytes: &[u8]) -> Option<State> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (secret, mut rest) = rest.split_first_chunk::<32>()?;
    let mut next = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (part, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        Some(part)
    };
    let partition = |bytes: &[u8]| Some(Partition::decode(bytes, Limits::default()).ok()?.partition);
    let session = partition(next()?)?;
    let mut agents = BTreeMap::new();
    while let Some(id) = next() {
        let id = std::str::from_utf8(id).ok()?.to_owned();
        agents.insert(id, partition(next()?)?);
        if agents.len() > AGENTS {
            return None;
        }
    }
    rest.is_empty().then_some(State { secret: *secret, session, agents, steps: 0, pending: BTreeMap::new() })
}
