//! A decision that owns its hooks and actions.

use std::time::Duration;

use hookc_base::{Family, Mode, OnFailure, Strategy};
use hookc_history::Verdict;
use hookc_shell::programs::Programs;
use hookc_vm::{Decision, Module};

use super::pipeline::longest;
use crate::context;
use crate::event::Event;
use crate::history::{Candidate, Records, SharedHistory, SharedRecord};
use crate::outcome::{Hook, PendingAction};

/// A decision that owns its hooks and actions.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decided {
    /// The event's type.
    pub event: String,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// The hooks that decide, with their actions. A hook whose condition is unknown has a failure as its action.
    pub pending: Vec<PendingAction>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// The content hash of the module.
    pub module: [u8; 32],
    /// The programs that policies describe, and the shipped ones.
    pub programs: Programs,
    /// What the event adds to each of its partitions.
    pub(crate) records: Records,
    /// Where it is recorded, until its actions are executed.
    pub(crate) recorded: Option<(SharedHistory, SharedRecord)>,
}

impl Decided {
    pub(crate) fn new(decision: &Decision<'_>, module: &Module) -> Self {
        let mut pending: Vec<_> = decision.hooks().map(|hook| PendingAction::from_match(&hook)).collect();
        let mut reported: Vec<_> = decision.reported().map(|hook| PendingAction::from_match(&hook)).collect();
        for unknown in decision.unknown() {
            let hook = PendingAction::unknown(&unknown.hook, unknown.cause.to_string());
            if hook.hook.mode == Mode::Enforce { pending.push(hook) } else { reported.push(hook) }
        }
        for hooks in [&mut pending, &mut reported] {
            hooks.sort_by_key(|pending| pending.hook.rank);
        }
        Self {
            event: decision.event().to_owned(),
            family: decision.family(),
            strategy: decision.strategy(),
            pending,
            reported,
            module: module.hash(),
            programs: module.programs().clone(),
            records: Records::new(decision),
            recorded: None,
        }
    }

    /// What a history gets to record.
    pub(crate) fn into_candidate(mut self) -> Candidate<Self> {
        let records = std::mem::take(&mut self.records);
        let verdicts = self.pending.iter().map(PendingAction::recorded_verdict);
        let verdict = verdicts.reduce(|strictest, verdict| Some(strictest?.max(verdict?)));
        let verdict = verdict.unwrap_or(Some(Verdict::None));
        Candidate { records, verdict, within: self.longest(), decided: self }
    }

    /// As if no hook had matched, and nothing was recorded.
    pub(super) fn without_hooks(self) -> Self {
        Self { pending: Vec::new(), reported: Vec::new(), records: Records::default(), ..self }
    }

    /// Under `first`, a hook whose condition is unknown and that fails closed decides: none after it is executed.
    pub(super) fn with_failures(mut self, event: &Event, by_user: Option<OnFailure>) -> Self {
        if self.strategy != Strategy::First {
            return self;
        }
        let again = self.family == Some(Family::Agent) && event.stops_again(&self.event);
        let by_user = again.then_some(OnFailure::Open).or(by_user);
        let at = (self.family, self.event.as_str());
        let decides = |pending: &PendingAction| {
            pending.fails_closed(|hook| context::failure_mode(hook, at, by_user, OnFailure::Closed))
        };
        if let Some(position) = self.pending.iter().position(decides) {
            self.pending.truncate(position.saturating_add(1));
        }
        self
    }

    /// The hooks that decide.
    pub fn hooks(&self) -> impl Iterator<Item = &Hook> {
        self.pending.iter().map(|pending| &pending.hook)
    }

    /// How long its actions can take at most.
    pub(crate) fn longest(&self) -> Duration {
        self.pending.iter().map(longest).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Whether the verdict is known without starting or asking anything.
    pub(crate) fn is_immediate(&self) -> bool {
        self.pending.iter().all(PendingAction::is_immediate)
    }
}
