//! The content of the decision logs about calls: one line in memory at a time, and per call only
//! what is shown.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hookc_runtime::log::is_torn;
use hookc_runtime::open;
use hookc_schema::agents;
use rustix::process::geteuid;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::args::Global;
use crate::cmd::replay::bar::Bar;
use crate::cmd::replay::lines::{Line, Lines};
use crate::installed::calls::{Call, Log};

/// Limits for individually counted sessions and outcome names: a hostile log must not exhaust
/// memory.
const SESSIONS: usize = 100_000;
const OUTCOMES: usize = 32;
/// The maximum length of a stored name.
const NAME: usize = 200;

/// The parts of a decision log line that are read.
#[derive(Deserialize)]
struct Logged<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    #[serde(borrow)]
    host: Cow<'l, str>,
    #[serde(borrow)]
    outcome: Cow<'l, str>,
    event: Option<Cow<'l, str>>,
    host_event: Option<Cow<'l, str>>,
    /// The agent that the call names, if another one sent the event.
    called_as: Option<Cow<'l, str>>,
    session: Option<Cow<'l, str>>,
    agent: Option<Cow<'l, str>>,
    /// The result of a background handler: no call of its own.
    #[serde(default)]
    background: bool,
    /// About an event that flags described.
    #[serde(default)]
    by_hand: bool,
    policies: Option<Vec<String>>,
    /// Why the history was unknown.
    history: Option<IgnoredAny>,
}

impl Logged<'_> {
    /// The agent whose settings have the call, and that agent's name of the event.
    fn call(&self) -> Option<(&str, &str)> {
        if let Some(named) = self.called_as.as_deref() {
            let event = self.event.as_deref()?;
            let native = agents::by_name(named).and_then(|agent| agent.native(event));
            return Some((named, native.map_or(event, |native| native.name.as_str())));
        }
        Some((&*self.host, self.host_event.as_deref().or(self.event.as_deref())?))
    }
}

/// The content of a log about a call.
#[derive(Clone, Debug, Default)]
pub(super) struct CallLog {
    pub(super) calls: u64,
    /// Those since it was installed.
    pub(super) since: u64,
    pub(super) last: Option<Last>,
    pub(super) outcomes: BTreeMap<String, u64>,
    /// Those at which the history was unknown.
    pub(super) unknown: u64,
    sessions: HashSet<u64>,
}

/// The last time.
#[derive(Clone, Debug)]
pub(super) struct Last {
    pub(super) time: String,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) outcome: String,
}

impl CallLog {
    /// The number of sessions, and whether there may be more.
    pub(super) fn sessions(&self) -> (usize, bool) {
        (self.sessions.len(), self.sessions.len() >= SESSIONS)
    }

    /// Whether it was called since its installation.
    pub(super) fn is_alive(&self, installed: Option<&str>) -> bool {
        if installed.is_some() { self.since > 0 } else { self.calls > 0 }
    }

    fn add(&mut self, logged: &Logged<'_>, installed: Option<&str>) {
        let short = |text: &str| text.chars().take(NAME).collect::<String>();
        self.calls += 1;
        self.unknown += u64::from(logged.history.is_some());
        self.since += u64::from(installed.is_some_and(|installed| *logged.time >= *installed));
        if let Some(session) = logged.session.as_ref().filter(|_| self.sessions.len() < SESSIONS) {
            let mut hasher = DefaultHasher::new();
            session.hash(&mut hasher);
            self.sessions.insert(hasher.finish());
        }
        let outcome = short(&logged.outcome);
        let known = self.outcomes.contains_key(&outcome) || self.outcomes.len() < OUTCOMES;
        *self.outcomes.entry(if known { outcome.clone() } else { "other".to_owned() }).or_default() += 1;
        if self.last.as_ref().is_none_or(|last| last.time.as_str() <= &*logged.time) {
            let (session, agent) = (logged.session.as_deref().map(short), logged.agent.as_deref().map(short));
            self.last = Some(Last { time: logged.time.clone().into_owned(), session, agent, outcome });
        }
    }
}

/// A log that was read.
#[derive(Debug, Default)]
struct Read {
    failed: Option<String>,
    missing: bool,
    owner: Option<u32>,
    /// The time of its first line.
    first: Option<String>,
    /// Lines that do not belong to a decision log.
    strange: u64,
    /// Lines without policies, by host and event of the calls: each may be one of theirs.
    unnamed: HashMap<(String, String), u64>,
}

/// All logs.
#[derive(Debug)]
pub(super) struct Tally {
    logs: HashMap<PathBuf, Read>,
    seen: HashMap<Key, Vec<(String, CallLog)>>,
}

/// Host, event and policies.
type Key = (String, String, Vec<String>);

impl Tally {
    /// Reads the logs of calls, and `more` logs, such as rotated ones.
    pub(super) fn read(global: &Global, calls: &[Call], more: &[PathBuf]) -> Self {
        let logs_of_calls = calls.iter().filter_map(|call| match &call.log {
            Log::File(path) => Some(path.clone()),
            _ => None,
        });
        let mut paths: Vec<PathBuf> = more.iter().cloned().chain(logs_of_calls).collect();
        let mut real = HashSet::new();
        paths.retain(|path| real.insert(crate::installed::location::real(path)));
        let records = crate::installed::records::read();
        // The installation time differs by settings file: each is counted separately.
        let mut seen: HashMap<Key, Vec<(String, CallLog)>> = HashMap::new();
        for call in calls {
            let since = records.time(call).unwrap_or_default().to_owned();
            let seen_calls = seen.entry(key(call)).or_default();
            if !seen_calls.iter().any(|(installed, _)| *installed == since) {
                seen_calls.push((since, CallLog::default()));
            }
        }
        let mut tally = Self { logs: HashMap::new(), seen };
        let bar = Bar::new(global, &paths);
        for path in paths {
            let read = tally.log(&path, &bar);
            tally.logs.insert(path, read);
        }
        bar.clear();
        tally
    }

    /// The state of a call.
    pub(super) fn log_of(&self, call: &Call, installed: Option<&str>) -> CallLog {
        let logs = self.seen.get(&key(call)).into_iter().flatten();
        let log = logs.into_iter().find(|(since, _)| since == installed.unwrap_or_default());
        log.map(|(_, seen)| seen.clone()).unwrap_or_default()
    }

    /// Whether a log exists but cannot be read.
    pub(super) fn failed(&self, path: &Path) -> bool {
        self.logs.get(path).is_some_and(|read| read.failed.is_some())
    }

    /// Notes about a log for the reader.
    pub(super) fn notes(&self, path: &Path, call: &Call, installed: Option<&str>) -> Vec<String> {
        let (Some(read), name) = (self.logs.get(path), path.display()) else { return Vec::new() };
        let mut notes = Vec::new();
        let key = (call.agent.name.clone(), call.event.clone());
        let unnamed = read.unnamed.get(&key).copied().unwrap_or_default();
        if let Some(why) = &read.failed {
            notes.push(format!("the log {name} cannot be read: {why}"));
        }
        if read.missing {
            notes.push(format!("the log {name} does not exist: it was never written, or was moved"));
        }
        if let Some(owner) = read.owner {
            notes.push(format!("the log {name} belongs to user {owner}, who can change it"));
        }
        if let (Some(first), Some(installed)) = (&read.first, installed)
            && first.as_str() > installed
            && unnamed == 0
        {
            notes.push(format!("the log {name} starts at {first}: name older logs with `--log`"));
        }
        if read.strange > 0 {
            notes.push(format!("{} lines of {name} are not from a decision log", read.strange));
        }
        if unnamed > 0 {
            let lines = if unnamed == 1 { "1 line".to_owned() } else { format!("{unnamed} lines") };
            let (agent, event) = key;
            notes.push(format!(
                "{lines} of {name} about `{event}` of {agent} without policies: of this call if it is \
                 older than that field, otherwise of another program"
            ));
        }
        notes
    }

    fn log(&mut self, path: &Path, bar: &Bar) -> Read {
        let mut read = Read::default();
        let file = match open::regular(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                read.missing = true;
                return read;
            }
            Err(error) => {
                read.failed = Some(error.to_string());
                return read;
            }
        };
        let owner = file.metadata().map(|found| found.uid()).ok();
        read.owner = owner.filter(|owner| *owner != geteuid().as_raw());
        let mut lines = Lines::stream(file, bar);
        loop {
            match lines.read() {
                Ok(None) => return read,
                Ok(Some((_, Line::Whole(line)))) => self.line(line, &mut read),
                Ok(Some((_, Line::TooLong))) => read.strange += 1,
                Err(error) => {
                    read.failed = Some(error.to_string());
                    return read;
                }
            }
        }
    }

    fn line(&mut self, line: &[u8], read: &mut Read) {
        let logged = match serde_json::from_slice::<Logged<'_>>(line) {
            Ok(logged) if is_time(&logged.time) => logged,
            // Its writer was killed, or writes now.
            _ if is_torn(line) => return,
            _ => {
                read.strange += 1;
                return;
            }
        };
        read.first.get_or_insert_with(|| logged.time.clone().into_owned());
        if logged.background || logged.by_hand {
            return;
        }
        let Some((host, event)) = logged.call() else { return };
        let Some(policies) = &logged.policies else {
            if self.seen.keys().any(|(agent, name, _)| agent == host && name == event) {
                *read.unnamed.entry((host.to_owned(), event.to_owned())).or_default() += 1;
            }
            return;
        };
        let key = (host.to_owned(), event.to_owned(), policies.clone());
        for (since, seen) in self.seen.get_mut(&key).into_iter().flatten() {
            seen.add(&logged, Some(since.as_str()).filter(|since| !since.is_empty()));
        }
    }
}

fn key(call: &Call) -> Key {
    (call.agent.name.clone(), call.event.clone(), call.policies.clone())
}

/// Whether a text is a time in the log's format, which compares as text.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00.000Z";
    let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    text.len() == form.len() && text.bytes().zip(form).all(fits)
}
