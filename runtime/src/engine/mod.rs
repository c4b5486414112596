//! The engine: one policy at a time, decided by and carried out.
//!
//! The module lies behind an atomic swap: a decision takes the module that is
//! there when it begins and keeps it to its end, however often the policy is
//! reloaded meanwhile, and nobody waits for anybody. A reload that does not
//! compile or verify changes nothing.

mod act;
mod source;
mod watch;

use std::sync::Arc;

use arc_swap::ArcSwap;
use hookc_vm::event::EventError;
use hookc_vm::module::OnFailure;
use hookc_vm::{DecideError, DecideOptions, Family, LoadError, MatchedHook, Module, Scratch, Strategy};

pub use source::{PolicySet, Refused};
pub use watch::{EVERY, Watch};

use crate::carry::{ActionContext, Check, OnceStore};
use crate::effect::{Effect, Hook, PendingAction};
use crate::event::Event;
use crate::host::Host;
use crate::limits;
use crate::verdict::{self, Verdict};

/// A policy in force.
#[derive(Debug)]
pub struct Engine {
    module: ArcSwap<Module>,
    once: OnceStore,
    /// Which way failures fall of hooks that do not say it.
    polarity: Option<OnFailure>,
    workers: usize,
    off: bool,
}

/// What came of an event.
#[derive(Clone, Debug)]
pub struct EventOutcome {
    /// Its type.
    pub event: String,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// The hooks that decided, in order, with what their actions came to.
    pub effects: Vec<Effect>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// The content hash of the module that decided.
    pub module: [u8; 32],
}

impl EventOutcome {
    /// What all hooks together say, and what they disagree about.
    #[must_use]
    pub fn verdict(&self) -> (Verdict, Vec<String>) {
        let all: Vec<Verdict> = self.effects.iter().map(Effect::verdict).collect();
        verdict::merge(&all)
    }

    /// Adds what came of the same event about something else, but for what was
    /// said already.
    pub fn add(&mut self, other: Self) {
        for effect in other.effects {
            let same = |own: &Effect| own.hook.label == effect.hook.label && own.outcome == effect.outcome;
            if !self.effects.iter().any(same) {
                self.effects.push(effect);
            }
        }
        for due in other.reported {
            if !self.reported.iter().any(|own| own.hook.label == due.hook.label) {
                self.reported.push(due);
            }
        }
    }
}

/// Whether `HOOKC_DISABLE=1` turns every hook off.
#[must_use]
pub fn disabled() -> bool {
    std::env::var("HOOKC_DISABLE").is_ok_and(|value| value == "1")
}

impl Engine {
    /// An engine with a module. `HOOKC_DISABLE=1` in the environment turns its
    /// hooks off.
    #[must_use]
    pub fn new(module: Module) -> Self {
        Self {
            module: ArcSwap::from_pointee(module),
            once: OnceStore::default(),
            polarity: None,
            workers: limits::WORKERS,
            off: disabled(),
        }
    }

    /// Which way failures fall of hooks that do not say it themselves.
    #[must_use]
    pub fn default_failure_mode(mut self, polarity: Option<OnFailure>) -> Self {
        self.polarity = polarity;
        self
    }

    /// The same, as it was said.
    pub(crate) fn polarity(&self) -> Option<OnFailure> {
        self.polarity
    }

    /// Where it is kept what ran already.
    #[must_use]
    pub fn once_store(mut self, once: OnceStore) -> Self {
        self.once = once;
        self
    }

    /// How many handlers may run at once for one event.
    #[must_use]
    pub fn max_parallel(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Whether its hooks are off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.off
    }

    /// Where it is kept what ran already.
    pub(crate) fn once(&self) -> &OnceStore {
        &self.once
    }

    /// The module in force.
    #[must_use]
    pub fn module(&self) -> Arc<Module> {
        self.module.load_full()
    }

    /// Puts another module in force, for decisions that begin from now on.
    pub fn swap(&self, module: Module) {
        self.module.store(Arc::new(module));
    }

    /// Loads and verifies a module, and puts it in force.
    ///
    /// # Errors
    /// It is not sound; the one before stays.
    pub fn reload(&self, bytes: Vec<u8>) -> Result<(), LoadError> {
        Module::load(bytes).map(|module| self.swap(module))
    }

    /// Compiles the layers anew, and puts the result in force.
    ///
    /// # Errors
    /// They cannot be read or do not compile; the module before stays.
    pub fn reload_layers(&self, layers: &PolicySet) -> Result<(), Refused> {
        layers.compile().map(|module| self.swap(module))
    }

    /// Decides about an event without carrying anything out.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn decide(&self, event: &Event, ask: &DecideOptions<'_>) -> Result<Decided, DecideError> {
        if event.is_oversized() {
            return Err(EventError::TooLarge(hookc_vm::limits::EVENT_BYTES).into());
        }
        let module = self.module();
        let mut scratch = Scratch::new();
        let decision = module.decide(&mut scratch, event.bytes(), ask)?;
        let on = |fired: &MatchedHook<'_>| (!self.off).then(|| PendingAction::of(fired));
        Ok(Decided {
            event: decision.event().to_owned(),
            family: decision.family(),
            strategy: decision.strategy(),
            due: decision.hooks().filter_map(|fired| on(&fired)).collect(),
            reported: decision.reported().filter_map(|fired| on(&fired)).collect(),
            module: module.hash(),
        })
    }

    /// Decides about an event and carries the actions out. One hook under
    /// `first`; under `all` in order, or, where all handlers are of the grouped
    /// form of agents, in parallel; what comes of it is in order either way.
    ///
    /// # Errors
    /// As [`Module::decide`]: nothing was carried out, and the caller's polarity
    /// applies.
    pub fn handle(
        &self,
        event: &Event,
        ask: &DecideOptions<'_>,
        host: &dyn Host,
    ) -> Result<EventOutcome, DecideError> {
        let decided = self.decide(event, ask)?;
        Ok(self.carry_out(decided, event, host))
    }

    /// Carries out what was decided.
    #[must_use]
    pub fn carry_out(&self, decided: Decided, event: &Event, host: &dyn Host) -> EventOutcome {
        self.carry_out_if(decided, event, host, None)
    }

    /// The same; what is not as `check` has it is a failure.
    pub(crate) fn carry_out_if(
        &self,
        decided: Decided,
        event: &Event,
        host: &dyn Host,
        check: Option<Check<'_>>,
    ) -> EventOutcome {
        let Decided { event: name, family, strategy, due, reported, module } = decided;
        let (once, polarity) = (&self.once, self.polarity);
        let context = ActionContext { event, name: &name, family, host, once, module, polarity, check };
        let effects = if act::together(&due, family, strategy) {
            act::in_parallel(&due, &context, self.workers)
        } else {
            act::in_order(&due, &context)
        };
        EventOutcome { event: name, family, effects, reported, module }
    }
}

/// A decision that owns what it says.
#[derive(Debug)]
pub struct Decided {
    /// The event's type.
    pub event: String,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// How hooks were searched.
    pub strategy: Strategy,
    /// The hooks that decide, with their actions.
    pub due: Vec<PendingAction>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// The content hash of the module.
    pub module: [u8; 32],
}

impl Decided {
    /// The hooks that decide.
    pub fn hooks(&self) -> impl Iterator<Item = &Hook> {
        self.due.iter().map(|due| &due.hook)
    }
}
