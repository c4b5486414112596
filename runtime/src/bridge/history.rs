//! The history of a call: its partitions are locked, the event is decided and recorded, and the locks are released before
//! its handlers run.

use std::sync::RwLock;

use hookc_history::{Secret, Verdict as RecordedVerdict};
use hookc_vm::{DecideError, DecideOptions, Module};

use super::{Call, NestedHost, lock, view};
use crate::adapter::{Incoming, ProjectContext};
use crate::context;
use crate::engine::{Decided, Engine};
use crate::event::Event;
use crate::history::{self, History, Partitions, Recorded, Records, Request, Start, Turn, Waiting, views};
use crate::log::Origin;
use crate::outcome::{EventOutcome, HistoryNote};
use crate::repeat;
use crate::verdict::Verdict;

/// The history of a call, from its turn to its record.
#[derive(Default)]
pub(super) struct CallHistory {
    /// The partitions, as long as they are locked.
    turn: Option<Turn>,
    /// The partitions before the event, once they are not.
    copies: Vec<History<'static>>,
    secret: Option<Secret>,
    records: Records,
    waiting: Option<Waiting>,
    /// Whether the event is recorded.
    is_recorded: bool,
    recorded: Recorded,
    unknown: Option<&'static str>,
}

impl CallHistory {
    /// The secret of the hashes of values.
    pub(super) fn secret(&self) -> Secret {
        self.turn
            .as_ref()
            .map(Turn::secret)
            .or_else(|| self.secret.clone())
            .unwrap_or_else(|| Secret::new([0; 32]))
    }

    /// The history before the event.
    pub(super) fn histories(&self) -> Vec<History<'_>> {
        self.turn
            .as_ref()
            .map_or_else(|| self.copies.iter().map(history::borrowed).collect(), Turn::histories)
    }

    /// Decides about all events of the call, before any of them is recorded; the decision if there is only one.
    fn decide(
        &mut self,
        engine: &Engine,
        event: &RwLock<Incoming>,
        options: &DecideOptions<'_>,
    ) -> Result<Option<Decided>, DecideError> {
        let Some(turn) = self.turn.take() else { return Ok(None) };
        if !self.is_recorded {
            (self.secret, self.copies) = (Some(turn.secret()), turn.copies());
            return Ok(None);
        }
        let (secret, histories) = (turn.secret(), turn.histories());
        let views = views(&secret, &histories);
        let options = options.history(&views);
        let count = view(event).count();
        let (mut is_immediate, mut within, mut single) = (true, std::time::Duration::ZERO, None);
        for at in 0..count {
            if at > 0 {
                lock(event).select(at);
            }
            let mut decided = engine.decide(&view(event).event, &options)?;
            self.records.add_all(std::mem::take(&mut decided.records));
            is_immediate &= decided.is_immediate();
            within = within.saturating_add(decided.longest());
            single = Some(decided).filter(|_| count == 1);
        }
        if count > 1 {
            lock(event).select(0);
        }
        drop(histories);
        if is_immediate {
            self.turn = Some(turn);
        } else {
            if count > 1 {
                (self.secret, self.copies) = (Some(turn.secret()), turn.copies());
            }
            (self.recorded, self.waiting) = turn.record_pending(std::mem::take(&mut self.records), within);
        }
        Ok(single)
    }

    /// Records the event, or what its handlers made of it. The note for the log, and why it is not recorded.
    pub(super) fn finish(mut self, verdict: RecordedVerdict) -> (HistoryNote, Option<String>) {
        if let Some(turn) = self.turn.take().filter(|_| self.is_recorded) {
            self.recorded = turn.record(self.records, verdict);
        }
        let mut note = HistoryNote { step: self.recorded.step, unknown: self.unknown };
        if let Some(Err(unknown)) = self.waiting.take().map(|waiting| waiting.settle(verdict)) {
            note.unknown = note.unknown.or(Some(unknown.word));
        }
        (note, self.recorded.failure)
    }
}

impl Call<'_> {
    /// Takes the turn of an event, if the policy depends on its history or adds to it. An event that a call around this
    /// one is about is read and not recorded.
    pub(super) fn history(
        &self,
        engine: &Engine,
        event: &RwLock<Incoming>,
        options: &DecideOptions<'_>,
        host: &NestedHost<'_>,
    ) -> Result<(CallHistory, Option<Decided>), DecideError> {
        let module = engine.module();
        let incoming = view(event);
        let start = Start::new(&incoming.name, incoming.event.text("source").as_deref());
        let keys = history::keys(&module, &incoming.name, start);
        if keys.is_empty() || engine.is_off() {
            return Ok(Default::default());
        }
        let variable = |name: &str| std::env::var(name).ok();
        let recorded = self.invocation.project.as_deref();
        let project = incoming.project(&ProjectContext { variable: &variable, recorded });
        let parent = incoming.parent();
        let request = Request {
            keys,
            partitions: Partitions::new(&incoming.event, parent, project),
            start,
            tool_use: self.tool_use(&incoming.event, &module),
            starts_are_recorded: self.invocation.records_starts,
        };
        drop(incoming);
        let turn = Turn::lock(self.invocation.history.as_ref(), &request);
        let unknown = turn.unknown().map(|unknown| unknown.word);
        let is_recorded = !host.is_about_same_event();
        let mut history = CallHistory { turn: Some(turn), is_recorded, unknown, ..CallHistory::default() };
        let decided = history.decide(engine, event, options)?;
        Ok((history, decided))
    }

    /// What all calls about the same use of a tool have in common. What a person describes is a new one each time.
    fn tool_use(&self, event: &Event, module: &Module) -> Option<String> {
        repeat::key(event, &module.hash()).filter(|_| self.invocation.origin == Origin::Agent)
    }

    /// Records what the call led to: `total` if it has several events, else the first of `each`.
    pub(super) fn record(
        &self,
        history: CallHistory,
        total: Option<&mut EventOutcome>,
        each: &mut [EventOutcome],
        event: &RwLock<Incoming>,
    ) {
        let verdict = total.as_deref().or(each.first()).map(|outcome| self.verdict(outcome, event).0);
        let (note, failure) = history.finish(recorded_verdict(&verdict.unwrap_or_default(), event));
        each.iter_mut().for_each(|outcome| outcome.history = note.clone());
        let Some(why) = failure else { return };
        let incoming = view(event);
        for outcome in each.first_mut().into_iter().chain(total) {
            let again = incoming.event.stops_again(&incoming.name);
            let event = (outcome.family, incoming.name.as_str());
            outcome.effects.push(context::unrecorded(&why, event, again, self.invocation.failure_mode));
        }
    }
}

/// The verdict for the record: what the agent makes of that of the hooks.
fn recorded_verdict(verdict: &Verdict, event: &RwLock<Incoming>) -> RecordedVerdict {
    let limited = view(event).possible(verdict);
    Verdict { permission: limited.permission.or(verdict.permission), ..limited }.to_recorded()
}
