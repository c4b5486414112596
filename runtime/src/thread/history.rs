//! The history of a thread: an event is decided and recorded, then settled by its step.

use hookc_base::{Family, OnFailure};
use hookc_history::Verdict;
use hookc_schema::vocab::Vocabulary;
use hookc_vm::{DecideError, DecideOptions};

use super::proposal::ThreadContext;
use super::{Reply, Step, Thread};
use crate::engine::Decided;
use crate::event::Event;
use crate::history::{SharedRecord, Start};
use crate::outcome::{ActionFailure, Effect, HistoryNote, Hook, Outcome};
use crate::verdict::Permission;

impl Thread<'_> {
    /// Decides about an event and records it, if the policy depends on the history or adds to it.
    pub(super) fn decide(
        &self,
        event: &Event,
        name: &str,
        options: &DecideOptions<'_>,
    ) -> Result<(Decided, SharedRecord), DecideError> {
        let request = || self.engine.request(event, name, Start::new(name, None));
        let Some((shared, request)) = self.history.as_ref().and_then(|shared| Some((shared, request()?)))
        else {
            return Ok((self.engine.decide(event, options)?, SharedRecord::default()));
        };
        shared.decide(&request, |histories| {
            let mut candidate = self.engine.decide(event, &options.history(histories))?.into_candidate();
            candidate.verdict = match candidate.verdict {
                // A thread that would have to ask fails.
                Some(Verdict::Ask | Verdict::Deny) => Some(Verdict::Deny),
                // The first hook with the strongest step decides whether it is allowed.
                Some(Verdict::Allow) | None => None,
                Some(Verdict::None) => Some(Verdict::None),
            };
            Ok(candidate)
        })
    }

    /// Settles the record of an event with what its hooks led to.
    pub(super) fn settle(&self, record: SharedRecord, reply: &Reply) -> HistoryNote {
        let Some(shared) = &self.history else { return HistoryNote::default() };
        let is_allowed = || reply.by().is_some_and(|by| by.verdict().permission == Some(Permission::Allow));
        let verdict = match reply.step {
            Step::Fail(_) | Step::Abort | Step::Suspend(_) => Verdict::Deny,
            Step::Escalate(_) => Verdict::Ask,
            _ if is_allowed() => Verdict::Allow,
            _ => Verdict::None,
        };
        record.settle(shared, verdict)
    }
}

/// The failure of an event that cannot be recorded.
pub(super) struct Unrecorded {
    failure: ActionFailure,
    /// Whether failing the thread prevents the event.
    prevents: bool,
}

/// Later hooks would take an event that is not recorded for one that never was.
pub(super) fn unrecorded(why: &str, context: &ThreadContext<'_>) -> Unrecorded {
    let failure = ActionFailure::unrecorded(why).in_mode(context.failure_mode(&Hook::history()));
    let known = Vocabulary::builtin();
    let known = context
        .family
        .and_then(|family: Family| known.event(family, context.name).map(|event| event.prevents));
    Unrecorded { failure, prevents: known.unwrap_or(true) }
}

impl Unrecorded {
    /// The step of the thread: it fails if that prevents what is not recorded.
    pub(super) fn step(&self, step: Step) -> Step {
        let fails = self.prevents && self.failure.failure_mode == OnFailure::Closed;
        if fails && step.strength() < Step::Fail(String::new()).strength() {
            return Step::Fail(self.failure.why.clone());
        }
        step
    }

    pub(super) fn into_effect(self) -> Effect {
        Effect::new(Hook::history(), Outcome::Failed(self.failure))
    }
}
