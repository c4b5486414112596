//! The state of the sessions in memory, and what they share.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hookc_history::{Limits, Partition, Reading};

/// Sessions of an engine, and projects: a further one replaces an eighth of them, those that were used longest ago.
const SESSIONS: usize = 10_000;
/// How long a session stays that nothing uses.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a project stays that nothing uses: the longest duration after `within`.
const SHARED_IDLE: Duration = Duration::from_millis(hookc_history::limits::WINDOW);
/// Agents of a session: a further one replaces the one whose last event is oldest.
const AGENTS: usize = 256;
/// Ids of dropped entries, eight bytes each.
const DROPPED: usize = 100_000;
/// The first bytes of a snapshot.
const MAGIC: &[u8; 8] = b"hookc\0s\x01";

/// The sessions of an engine.
#[derive(Debug)]
pub(crate) struct Sessions {
    sessions: Table<State>,
    /// The histories of projects, and of the user.
    shared: Table<Partition>,
    /// Of the hashes of new sessions, and of what they share.
    secret: [u8; 32],
    most: usize,
    idle: Duration,
    /// `None` in WebAssembly, which has no clock.
    started: Option<Instant>,
    /// A number that other engines do not have.
    run: u64,
}

impl Default for Sessions {
    fn default() -> Self {
        let run = RandomState::new().hash_one(0) | 1;
        let secret = random();
        let (sessions, shared) = (Table::default(), Table::default());
        let started = (!cfg!(target_family = "wasm")).then(Instant::now);
        Self { sessions, shared, secret, most: SESSIONS, idle: IDLE, started, run }
    }
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

/// An event whose outcome is not known, by its number in a partition.
#[derive(Debug)]
pub(crate) enum Waiting {
    Session(u64),
    Agent(String, u64),
    Shared(Arc<Mutex<Partition>>, u64),
}

impl Sessions {
    pub(crate) fn limit(&mut self, most: usize, idle: Duration) {
        (self.most, self.idle) = (most.max(1), idle);
    }

    /// What the clocks show.
    pub(crate) fn reading(&self) -> Reading {
        let wall = self.started.and_then(|_| SystemTime::now().duration_since(UNIX_EPOCH).ok());
        Reading { boot: self.run, since_boot: millis(self.elapsed()), wall: millis(wall.unwrap_or_default()) }
    }

    /// The time since the engine was made; zero without a clock.
    fn elapsed(&self) -> Duration {
        self.started.map(|started| started.elapsed()).unwrap_or_default()
    }

    pub(crate) fn open(&mut self, id: &str) -> Arc<Mutex<State>> {
        let (secret, wall, now) = (self.secret, self.reading().wall, self.elapsed());
        let new = |is_known| State::new(secret, partition(is_known, wall));
        self.sessions.open(id, now, (self.most, self.idle), new)
    }

    /// The history that sessions share under a name, and the secret of its hashes.
    pub(crate) fn shared(&mut self, name: &str) -> Arc<Mutex<Partition>> {
        let (now, wall) = (self.elapsed(), self.reading().wall);
        self.shared.open(name, now, (self.most, SHARED_IDLE), |is_known| partition(is_known, wall))
    }

    /// The secret of the hashes in what sessions share.
    pub(crate) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// Before anything is recorded, the engine takes the secret of what it gets, so that further parts can be compared.
    fn adopt(&mut self, secret: [u8; 32]) {
        if self.sessions.entries.is_empty() && self.shared.entries.is_empty() {
            self.secret = secret;
        }
    }

    pub(crate) fn replace(&mut self, id: &str, state: State) {
        self.sessions.entries.remove(id);
        self.adopt(state.secret);
        self.sessions.open(id, self.elapsed(), (self.most, self.idle), |_| state);
    }

    pub(crate) fn shared_snapshot(&self) -> Vec<u8> {
        let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
        for (name, entry) in &self.shared.entries {
            let mut partition = entry.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            parts.push((name.clone(), partition.encode()));
        }
        parts.sort_unstable();
        encode(&self.secret, &parts)
    }

    /// Replaces what sessions share. `false` if it cannot be compared with what was recorded before.
    pub(crate) fn restore_shared(&mut self, secret: [u8; 32], parts: BTreeMap<String, Partition>) -> bool {
        self.adopt(secret);
        if self.secret != secret {
            return false;
        }
        self.shared = Table::default();
        let now = self.elapsed();
        for (name, partition) in parts {
            self.shared.open(&name, now, (self.most, SHARED_IDLE), |_| partition);
        }
        true
    }
}

impl State {
    fn new(secret: [u8; 32], session: Partition) -> Self {
        Self { secret, session, agents: BTreeMap::new(), steps: 0, pending: BTreeMap::new() }
    }

    pub(crate) fn snapshot(&mut self) -> Vec<u8> {
        let session = (String::new(), self.session.encode());
        let agents = self.agents.iter_mut().map(|(id, agent)| (format!("a{id}"), agent.encode()));
        encode(&self.secret, &std::iter::once(session).chain(agents).collect::<Vec<_>>())
    }

    pub(crate) fn from_snapshot(bytes: &[u8]) -> Option<Self> {
        let (secret, mut parts) = decode(bytes)?;
        let session = parts.remove("")?;
        let agent = |(id, agent): (String, Partition)| Some((id.strip_prefix('a')?.to_owned(), agent));
        let agents: BTreeMap<_, _> = parts.into_iter().map(agent).collect::<Option<_>>()?;
        (agents.len() <= AGENTS).then_some(Self { agents, ..Self::new(secret, session) })
    }
}

/// Entries by id. Those that were used longest ago are dropped.
#[derive(Debug)]
struct Table<T> {
    entries: HashMap<String, Entry<T>>,
    /// Hashes of the ids of dropped entries: one that comes again does not begin.
    dropped: HashSet<u64>,
    /// Whether there were too many of them.
    is_full: bool,
    hasher: RandomState,
    swept: Duration,
}

#[derive(Debug)]
struct Entry<T> {
    state: Arc<Mutex<T>>,
    used: Duration,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        let (entries, dropped, hasher) = Default::default();
        Self { entries, dropped, is_full: false, hasher, swept: Duration::ZERO }
    }
}

impl<T> Table<T> {
    /// The entry of an id. `new` makes a missing one; its argument says whether an earlier entry may have been dropped.
    fn open(
        &mut self,
        id: &str,
        now: Duration,
        (most, idle): (usize, Duration),
        new: impl FnOnce(bool) -> T,
    ) -> Arc<Mutex<T>> {
        if now.saturating_sub(self.swept) > idle / 8 {
            self.swept = now;
            self.retain(|entry| now.saturating_sub(entry.used) <= idle);
        }
        if let Some(entry) = self.entries.get_mut(id) {
            entry.used = now;
            return Arc::clone(&entry.state);
        }
        if self.entries.len() >= most {
            self.shrink(most);
        }
        let is_known = self.dropped.remove(&self.hasher.hash_one(id)) || self.is_full;
        let state = Arc::new(Mutex::new(new(is_known)));
        self.entries.insert(id.to_owned(), Entry { state: Arc::clone(&state), used: now });
        state
    }

    /// Drops the eighth that was used longest ago.
    fn shrink(&mut self, most: usize) {
        let keep = most.saturating_sub(most.div_ceil(8));
        let mut used: Vec<Duration> = self.entries.values().map(|entry| entry.used).collect();
        used.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = used.get(keep.saturating_sub(1)).copied().filter(|_| keep > 0);
        self.retain(|entry| oldest.is_some_and(|oldest| entry.used > oldest));
    }

    fn retain(&mut self, stays: impl Fn(&Entry<T>) -> bool) {
        let (entries, dropped, hasher) = (&mut self.entries, &mut self.dropped, &self.hasher);
        entries.retain(|id, entry| {
            let stays = stays(entry);
            if !stays {
                dropped.insert(hasher.hash_one(id));
            }
            stays
        });
        if dropped.len() > DROPPED {
            self.is_full = true;
            dropped.clear();
        }
    }
}

/// A history that begins now. If earlier events may have been dropped, they are unknown.
fn partition(is_known: bool, wall: u64) -> Partition {
    if is_known { Partition::unseen(Limits::default(), wall) } else { Partition::new(Limits::default()) }
}

pub(crate) fn agent_mut<'a>(agents: &'a mut BTreeMap<String, Partition>, id: &str) -> &'a mut Partition {
    if !agents.contains_key(id) && agents.len() >= AGENTS {
        let oldest = agents.iter().min_by_key(|(_, agent)| agent.time()).map(|(id, _)| id.clone());
        oldest.and_then(|oldest| agents.remove(&oldest));
    }
    agents.entry(id.to_owned()).or_insert_with(|| Partition::new(Limits::default()))
}

fn random() -> [u8; 32] {
    let word = |at: usize| RandomState::new().hash_one(at).to_le_bytes();
    let mut bytes = [0; 32];
    bytes.chunks_exact_mut(8).enumerate().for_each(|(at, chunk)| chunk.copy_from_slice(&word(at)));
    bytes
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Partitions with their names, and the secret of their hashes.
fn encode(secret: &[u8; 32], parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut out = [MAGIC.as_slice(), secret].concat();
    for bytes in parts.iter().flat_map(|(name, partition)| [name.as_bytes(), partition]) {
        out.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        out.extend(bytes);
    }
    out
}

/// What `encode` wrote.
pub(crate) fn decode(bytes: &[u8]) -> Option<([u8; 32], BTreeMap<String, Partition>)> {
    let (secret, mut rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
    let mut next = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (part, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        Some(part)
    };
    let mut parts = BTreeMap::new();
    while let Some(name) = next() {
        let partition = Partition::decode(next()?, Limits::default()).ok()?.partition;
        parts.insert(std::str::from_utf8(name).ok()?.to_owned(), partition);
    }
    rest.is_empty().then_some((*secret, parts))
}
