//! The state of the sessions in memory, and what they share.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hookc_history::{Limits, Partition, Reading, Verdict};

/// Sessions of an engine, and projects: a further one replaces an eighth of them, those that were used longest ago.
const SESSIONS: usize = 10_000;
/// How long a session stays that nothing uses.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a project stays that nothing uses: the longest duration after `within`.
const SHARED_IDLE: Duration = Duration::from_millis(hookc_history::limits::WINDOW);
/// Agents of a session with a history: that of the one whose last event is oldest is dropped for a further one.
const AGENTS: usize = 256;
/// Agents of a session, with those whose history was dropped. An agent that is forgotten begins anew.
const KNOWN_AGENTS: usize = 1_024;
/// Ids of dropped entries. An id that is forgotten, because so many others were dropped after it, begins anew.
const DROPPED: usize = 100_000;
/// The name of what all sessions share.
pub(crate) const USER: &str = "u";
/// The start of the names of what the sessions of a project share.
pub(crate) const PROJECT: char = 'p';
/// The start of the names of agents.
const AGENT: char = 'a';
/// The first bytes of a snapshot.
const MAGIC: &[u8; 8] = b"hookc\0s\x01";

/// When an event happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    /// What the clocks show.
    reading: Reading,
    /// The time by a clock of the program.
    time: Option<u64>,
}

impl When {
    /// Now, by these clocks.
    pub(crate) fn now(reading: Reading) -> Self {
        Self { reading, time: None }
    }

    /// At a time of a clock of the program.
    pub(crate) fn at(reading: Reading, time: u64) -> Self {
        Self { reading, time: Some(time) }
    }

    /// What a history has of the clocks, if it follows them.
    pub(crate) fn reading(self) -> Option<Reading> {
        self.time.is_none().then_some(self.reading)
    }

    /// The time of an event before which a history has none.
    fn time(self) -> u64 {
        self.time.unwrap_or(self.reading.wall)
    }

    /// The time since the engine was made.
    fn elapsed(self) -> Duration {
        Duration::from_millis(self.reading.since_boot)
    }

    /// Settles what waits for handlers that no longer run, and returns the time of the event.
    pub(crate) fn settle_late(self, partition: &mut Partition) -> u64 {
        let time = self.time.unwrap_or_else(|| partition.clock(self.reading));
        let late: Vec<u64> = partition.late(time).collect();
        for step in late {
            partition.settle(step, Verdict::None);
        }
        time
    }
}

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

    /// The session with this id, which begins if it is not there.
    pub(crate) fn open(&mut self, id: &str, when: When) -> Arc<Mutex<State>> {
        let secret = self.secret;
        let new = |was_dropped| State::new(secret, partition(was_dropped, when));
        self.sessions.open(id, when.elapsed(), (self.most, self.idle), new)
    }

    /// The session with this id, if it is there.
    pub(crate) fn get(&mut self, id: &str) -> Option<Arc<Mutex<State>>> {
        let now = self.elapsed();
        self.sessions.get(id, now)
    }

    /// A session with this id, as it begins now.
    pub(crate) fn beginning(&self, id: &str) -> State {
        State::new(self.secret, partition(self.sessions.was_dropped(id), When::now(self.reading())))
    }

    /// The history that sessions share under a name.
    pub(crate) fn shared(&mut self, name: &str, when: When) -> Arc<Mutex<Partition>> {
        let new = |was_dropped| partition(was_dropped, when);
        self.shared.open(name, when.elapsed(), (self.most, SHARED_IDLE), new)
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

    /// Replaces what sessions share. `None` if the bytes are not a snapshot of that, or cannot be compared with what was
    /// recorded before.
    pub(crate) fn restore_shared(&mut self, snapshot: &[u8]) -> Option<()> {
        let (secret, parts) = decode(snapshot)?;
        if parts.keys().any(|name| name != USER && !name.starts_with(PROJECT)) {
            return None;
        }
        self.adopt(secret);
        if self.secret != secret {
            return None;
        }
        self.shared = Table::default();
        let now = self.elapsed();
        for (name, partition) in parts {
            self.shared.open(&name, now, (self.most, SHARED_IDLE), |_| partition);
        }
        Some(())
    }
}

impl State {
    fn new(secret: [u8; 32], session: Partition) -> Self {
        Self { secret, session, agents: BTreeMap::new(), steps: 0, pending: BTreeMap::new() }
    }

    pub(crate) fn snapshot(&mut self) -> Vec<u8> {
        let session = (String::new(), self.session.encode());
        let agents = self.agents.iter_mut().map(|(id, agent)| (format!("{AGENT}{id}"), agent.encode()));
        encode(&self.secret, &std::iter::once(session).chain(agents).collect::<Vec<_>>())
    }

    pub(crate) fn from_snapshot(bytes: &[u8]) -> Option<Self> {
        let (secret, mut parts) = decode(bytes)?;
        let session = parts.remove("")?;
        let agent = |(id, agent): (String, Partition)| Some((id.strip_prefix(AGENT)?.to_owned(), agent));
        let agents: BTreeMap<_, _> = parts.into_iter().map(agent).collect::<Option<_>>()?;
        (agents.len() <= KNOWN_AGENTS).then_some(Self { agents, ..Self::new(secret, session) })
    }
}

/// Entries by id. Those that were used longest ago are dropped.
#[derive(Debug)]
struct Table<T> {
    entries: HashMap<String, Entry<T>>,
    dropped: Dropped,
    hasher: RandomState,
    /// Uses of all entries so far.
    uses: u64,
    swept: Duration,
}

#[derive(Debug)]
struct Entry<T> {
    state: Arc<Mutex<T>>,
    /// When it was used last, and which use of all entries that was.
    used: (Duration, u64),
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        let (entries, dropped, hasher) = Default::default();
        Self { entries, dropped, hasher, uses: 0, swept: Duration::ZERO }
    }
}

impl<T> Table<T> {
    /// The entry of an id. `new` makes a missing one; its argument says whether an earlier entry was dropped.
    fn open(
        &mut self,
        id: &str,
        now: Duration,
        (most, idle): (usize, Duration),
        new: impl FnOnce(bool) -> T,
    ) -> Arc<Mutex<T>> {
        if now.saturating_sub(self.swept) > idle / 8 {
            self.swept = now;
            self.retain(|(used, _)| now.saturating_sub(used) <= idle);
        }
        if let Some(state) = self.get(id, now) {
            return state;
        }
        if self.entries.len() >= most {
            self.shrink(most);
        }
        let state = Arc::new(Mutex::new(new(self.was_dropped(id))));
        self.dropped.remove(self.hasher.hash_one(id));
        self.entries.insert(id.to_owned(), Entry { state: Arc::clone(&state), used: (now, self.uses) });
        state
    }

    /// The entry of an id, which is used now.
    fn get(&mut self, id: &str, now: Duration) -> Option<Arc<Mutex<T>>> {
        self.uses = self.uses.saturating_add(1);
        let entry = self.entries.get_mut(id)?;
        entry.used = (now, self.uses);
        Some(Arc::clone(&entry.state))
    }

    fn was_dropped(&self, id: &str) -> bool {
        self.dropped.places.contains_key(&self.hasher.hash_one(id))
    }

    /// Drops the eighth that was used longest ago.
    fn shrink(&mut self, most: usize) {
        let mut uses: Vec<u64> = self.entries.values().map(|entry| entry.used.1).collect();
        let surplus = uses.len().saturating_sub(most).saturating_add(most.div_ceil(8));
        uses.sort_unstable();
        let last = uses.get(surplus.saturating_sub(1)).copied().unwrap_or(u64::MAX);
        self.retain(|(_, used)| used > last);
    }

    fn retain(&mut self, stays: impl Fn((Duration, u64)) -> bool) {
        let (entries, dropped, hasher) = (&mut self.entries, &mut self.dropped, &self.hasher);
        entries.retain(|id, entry| {
            let stays = stays(entry.used);
            if !stays {
                dropped.add(hasher.hash_one(id));
            }
            stays
        });
    }
}

/// Hashes of the ids of dropped entries, the last [`DROPPED`] of them: one that comes again does not begin.
#[derive(Debug, Default)]
struct Dropped {
    places: HashMap<u64, u64>,
    by_place: BTreeMap<u64, u64>,
}

impl Dropped {
    fn add(&mut self, id: u64) {
        self.remove(id);
        let place = self.by_place.last_key_value().map_or(0, |(place, _)| place.saturating_add(1));
        self.places.insert(id, place);
        self.by_place.insert(place, id);
        if self.by_place.len() > DROPPED
            && let Some((_, oldest)) = self.by_place.pop_first()
        {
            self.places.remove(&oldest);
        }
    }

    fn remove(&mut self, id: u64) {
        if let Some(place) = self.places.remove(&id) {
            self.by_place.remove(&place);
        }
    }
}

/// A history that begins. If an earlier one was dropped, what happened before is unknown.
fn partition(was_dropped: bool, when: When) -> Partition {
    began(was_dropped.then(|| when.time()))
}

/// A history that is unknown before a time, if there is one.
fn began(unseen: Option<u64>) -> Partition {
    let limits = Limits::default();
    unseen.map_or_else(|| Partition::new(limits), |time| Partition::unseen(limits, time))
}

/// An agent of a session. One that is not there begins as its session did: if what happened in the session before a time is
/// unknown, so is what happened in the agent.
pub(crate) fn agent_mut<'a>(
    agents: &'a mut BTreeMap<String, Partition>,
    id: &str,
    session: &Partition,
) -> &'a mut Partition {
    let is_empty = |agent: &Partition| agent.step() == 0;
    let oldest = |agents: &BTreeMap<String, Partition>, empty: bool| {
        let found = agents.iter().filter(|(_, agent)| is_empty(agent) == empty);
        found.min_by_key(|(_, agent)| agent.time()).map(|(id, _)| id.clone())
    };
    if agents.get(id).is_none_or(is_empty)
        && agents.values().filter(|agent| !is_empty(agent)).count() >= AGENTS
        && let Some(agent) = oldest(agents, false).and_then(|id| agents.get_mut(&id))
    {
        *agent = began(Some(agent.time()));
    }
    if !agents.contains_key(id) && agents.len() >= KNOWN_AGENTS {
        oldest(agents, true).and_then(|id| agents.remove(&id));
    }
    agents.entry(id.to_owned()).or_insert_with(|| began(session.unseen_before()))
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
fn decode(bytes: &[u8]) -> Option<([u8; 32], BTreeMap<String, Partition>)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens entries at one time, and keeps at most eight. Returns for each whether it was dropped before.
    fn open(table: &mut Table<()>, ids: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut dropped = Vec::new();
        for id in ids {
            let id = id.to_string();
            dropped.push(table.was_dropped(&id));
            table.open(&id, Duration::ZERO, (8, IDLE), |_| ());
        }
        dropped
    }

    #[test]
    fn the_entries_that_were_used_longest_ago_are_dropped() {
        let mut table = Table::default();
        open(&mut table, 0..8);
        // They are used at the same time, one after the other.
        assert!(table.get("0", Duration::ZERO).is_some());
        open(&mut table, 8..10);
        let left = |table: &Table<()>| {
            let mut ids: Vec<usize> = table.entries.keys().map(|id| id.parse().unwrap()).collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(left(&table), [0, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(open(&mut table, [1, 2, 0, 10].into_iter()), [true, true, false, false]);
        table.open("11", Duration::ZERO, (2, IDLE), |_| ());
        assert_eq!(left(&table), [10, 11], "a lower limit");
    }

    #[test]
    fn ids_are_known_until_many_others_were_dropped() {
        let mut table = Table::default();
        let dropped = open(&mut table, 0..DROPPED + 100);
        assert!(dropped.iter().all(|dropped| !dropped), "an id that was never there is new");
        let known = [0, 91, 92, DROPPED + 91].map(|id| table.was_dropped(&id.to_string()));
        assert_eq!(known, [false, false, true, true]);
        assert_eq!(table.dropped.places.len(), table.dropped.by_place.len());
    }

    #[test]
    fn the_history_of_the_oldest_agent_is_dropped_and_not_forgotten() {
        let (session, mut agents) = (Partition::new(Limits::default()), BTreeMap::new());
        for number in 0..u64::try_from(KNOWN_AGENTS).unwrap() {
            let agent = agent_mut(&mut agents, &number.to_string(), &session);
            assert_eq!((agent.step(), agent.unseen_before()), (0, None), "{number}");
            agent.apply(hookc_history::Record::new(1_000 + number));
        }
        let recorded = agents.values().filter(|agent| agent.step() > 0).count();
        assert_eq!((recorded, agents.len()), (AGENTS, KNOWN_AGENTS));
        assert_eq!(agent_mut(&mut agents, "7", &session).unseen_before(), Some(1_007));
        assert_eq!(agent_mut(&mut agents, "new", &session).unseen_before(), None);
        assert_eq!(agents.len(), KNOWN_AGENTS);
        assert_eq!(
            agent_mut(&mut agents, "0", &session).unseen_before(),
            None,
            "so many others came after it"
        );
    }
}
