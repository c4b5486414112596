//! Histories for verbs that decide about many events: each event sees those before it of its session.

use std::path::Path;
use std::time::UNIX_EPOCH;

use hookc_history::Verdict;
use hookc_runtime::history::{self, Memory};
use hookc_runtime::{Event, log};
use hookc_vm::{DecideError, DecideOptions, Decision, Module, Scratch};

use super::bar::Bar;
use super::lines::{Line, Lines};
use super::record::Record;
use crate::exit::Failure;
use crate::files::Texts;

/// What has happened so far.
#[derive(Debug, Default)]
pub(crate) struct Past {
    memory: Memory,
    /// The time of the last event, in milliseconds.
    time: u64,
}

/// When an event was, and what became of it, if that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// In milliseconds; else a second after the last event.
    pub(crate) time: Option<u64>,
    /// Else that of the decision.
    pub(crate) verdict: Option<Verdict>,
}

impl Past {
    /// Decides about an event, passes the decision to `look`, and records the event.
    pub(crate) fn decide<R>(
        &mut self,
        module: &Module,
        scratch: &mut Scratch,
        bytes: &[u8],
        options: &DecideOptions<'_>,
        moment: Moment,
        look: impl FnOnce(Result<&Decision<'_>, &DecideError>) -> R,
    ) -> R {
        if !module.has_history() {
            return look(module.decide(scratch, bytes, options).as_ref());
        }
        self.time = moment.time.unwrap_or_else(|| self.time.saturating_add(SECOND));
        let turn = self.memory.turn(&Event::new(bytes), self.time);
        let histories = self.memory.histories(&turn);
        let decided = module.decide(scratch, bytes, &options.history(&histories));
        let result = look(decided.as_ref());
        if let Ok(decision) = &decided {
            let verdict = moment.verdict.unwrap_or_else(|| history::verdict(decision));
            let records = turn.records(decision);
            self.memory.record(turn, records, verdict);
        }
        result
    }

    /// The histories before an event that is not recorded.
    pub(crate) fn before<R>(&self, bytes: &[u8], look: impl FnOnce(&hookc_vm::Histories<'_>) -> R) -> R {
        let turn = self.memory.turn(&Event::new(bytes), self.time.saturating_add(SECOND));
        look(&self.memory.histories(&turn))
    }
}

/// Milliseconds between events without times.
const SECOND: u64 = 1_000;

impl Moment {
    /// The time and the outcome of a line of a decision log.
    pub(crate) fn logged(time: &str, outcome: &str) -> Self {
        let since = log::parse_time(time).and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let verdict = match outcome {
            "deny" | "stop" => Verdict::Deny,
            "ask" | "defer" => Verdict::Ask,
            "allow" => Verdict::Allow,
            _ => Verdict::None,
        };
        let time = since.and_then(|since| u64::try_from(since.as_millis()).ok());
        Self { time, verdict: Some(verdict) }
    }
}

/// Adds the events of a decision log with payload, or of a file of events.
pub(crate) fn read(past: &mut Past, module: &Module, log: &Path, texts: &mut Texts) -> Result<(), Failure> {
    let bar = Bar::none();
    let failed = |error: std::io::Error| Failure::io(log, &error);
    let mut lines = Lines::open(log, &bar, texts).map_err(failed)?;
    let mut scratch = Scratch::new();
    while let Some((_, line)) = lines.read().map_err(failed)? {
        let Line::Whole(bytes) = line else { continue };
        let record = Record::read(bytes);
        let Some(event) = record.event.filter(|_| !record.background) else { continue };
        let options = super::options(module, record.name.as_deref());
        past.decide(module, &mut scratch, event, &options, record.moment, |_| {});
    }
    Ok(())
}
