//! The state of the sessions in memory.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hookc_history::{Limits, Partition};

/// Sessions of an engine: a further one replaces an eighth of them, those that were used longest ago.
const SESSIONS: usize = 10_000;
/// How long a session stays that nothing uses.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// Agents of a session: a further one replaces the one whose last event is oldest.
const AGENTS: usize = 256;
/// The first bytes of a snapshot.
const MAGIC: &[u8; 8] = b"hookc\0s\x01";
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
pub(crate) struct State {
    pub(crate) secret: [u8; 32],
    pub(crate) session: Partition,
    /// By `agent_id`; the main agent has the empty one.
    pub(crate) agents: BTreeMap<String, Partition>,
    /// Decisions so far, and those that wait for their outcome.
    pub(crate) steps: u64,
    pub(crate) pending: BTreeMap<u64, Vec<Waiting>>,
}

impl Sessions {
    pub(crate) fn limit(&mut self, most: usize, idle: Duration) {
        (self.most, self.idle) = (most.max(1), idle);
    }

    /// The time since the first session; always zero in WebAssembly, which has no clock.
    pub(crate) fn now(&mut self) -> Duration {
        if cfg!(target_family = "wasm") {
            return Duration::ZERO;
        }
        self.started.get_or_insert_with(Instant::now).elapsed()
    }

    pub(crate) fn open(&mut self, id: &str) -> Arc<Mutex<State>> {
        let now = self.now();
        if let Some(entry) = self.by_id.get_mut(id) {
            entry.used = now;
            return Arc::clone(&entry.state);
        }
        self.insert(id, State::new(), now)
    }

    pub(crate) fn replace(&mut self, id: &str, state: State) {
        self.by_id.remove(id);
        let now = self.now();
        self.insert(id, state, now);
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

    pub(crate) fn snapshot(&mut self) -> Vec<u8> {
        let mut out = [MAGIC.as_slice(), &self.secret].concat();
        push(&mut out, &self.session.encode());
        for (id, agent) in &mut self.agents {
            push(&mut out, id.as_bytes());
            push(&mut out, &agent.encode());
        }
        out
    }

    pub(crate) fn from_snapshot(bytes: &[u8]) -> Option<Self> {
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
        rest.is_empty().then_some(State {
            secret: *secret,
            session,
            agents,
            steps: 0,
            pending: BTreeMap::new(),
        })
    }
}

/// An event whose outcome is not known, by its number in a partition.
#[derive(Debug)]
pub(crate) enum Waiting {
    Session(u64),
    Agent(String, u64),
}

pub(crate) fn agent_mut<'a>(agents: &'a mut BTreeMap<String, Partition>, id: &str) -> &'a mut Partition {
    if !agents.contains_key(id) && agents.len() >= AGENTS {
        let oldest = agents.iter().min_by_key(|(_, agent)| agent.time()).map(|(id, _)| id.clone());
        oldest.and_then(|oldest| agents.remove(&oldest));
    }
    agents.entry(id.to_owned()).or_insert_with(|| Partition::new(Limits::default()))
}

fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
    out.extend(bytes);
}
