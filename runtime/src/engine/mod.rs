//! The engine: one policy at a time, which decides about events and executes actions.
//!
//! An action passes three stages: [`gate`](crate::gate) decides whether it is executed,
//! [`execute`](crate::execute) executes it, [`interpret`](crate::interpret) interprets the reply in
//! the event's vocabulary.
//!
//! The module is swapped atomically: a decision uses the current module from its start to its
//! end, however often the policy is reloaded meanwhile, and nothing blocks.

mod decided;
mod history;
mod order;
mod pipeline;

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use hookc_base::{Family, OnFailure};
use hookc_shell::programs::Programs;
use hookc_vm::EventError;
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

pub use decided::Decided;
pub(crate) use order::Settle;
pub(crate) use pipeline::{Nested, call_host, run_action};

use crate::context::{ActionContext, Check};
use crate::event::Event;
use crate::host::Host;
use crate::limits;
use crate::once::OnceStore;
use crate::outcome::{Effect, EventOutcome, HistoryNote};
use crate::signed::{self, ModuleError, Signed, Verifier};

/// The active policy.
///
/// ```
/// use hookc_runtime::host::NoopHost;
/// use hookc_runtime::verdict::Permission;
/// use hookc_runtime::{Engine, Event};
/// use hookc_vm::{DecideOptions, Module};
/// use serde_json::json;
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let source = sources.add("hooks.yaml", "hooks: [{event: PreToolUse, action: {type: deny, reason: not now}}]");
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// let engine = Engine::new(Module::load(bytes).unwrap());
/// let event = Event::from_value(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash"}));
/// let outcome = engine.handle(&event, &DecideOptions::default(), &NoopHost).unwrap();
/// let (verdict, conflicts) = outcome.verdict();
/// assert_eq!(verdict.permission, Some(Permission::Deny));
/// assert!(conflicts.is_empty());
/// # }
/// ```
#[derive(Debug)]
pub struct Engine {
    module: ArcSwap<Module>,
    once: OnceStore,
    /// The failure mode of hooks that have none.
    default_failure_mode: Option<OnFailure>,
    workers: usize,
    off: bool,
    /// Of an engine that accepts signed modules only.
    signatures: Option<Signatures>,
}

/// The key of an engine, and when its active module was signed.
#[derive(Debug)]
struct Signatures {
    verifier: Verifier,
    /// Locked for a whole reload, so that of two at once the older never ends as the active one.
    time: Mutex<u64>,
}

/// Whether `HOOKC_DISABLE=1` disables all hooks.
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
            default_failure_mode: None,
            workers: limits::WORKERS,
            off: disabled(),
            signatures: None,
        }
    }

    /// An engine that accepts only modules with a valid signature: this one, and in
    /// [`Engine::reload_signed`] others that are not older.
    ///
    /// # Errors
    /// The first module is rejected.
    pub fn signed(verifier: Verifier, module: Vec<u8>, signature: &str) -> Result<Self, ModuleError> {
        let signed = verifier.verify(&module, signature, signed::now())?;
        let mut engine = Self::new(Module::load(module).map_err(ModuleError::Load)?);
        engine.signatures = Some(Signatures { verifier, time: Mutex::new(signed.time) });
        Ok(engine)
    }

    /// The failure mode of hooks that have none themselves.
    #[must_use]
    pub fn default_failure_mode(mut self, mode: Option<OnFailure>) -> Self {
        self.default_failure_mode = mode;
        self
    }

    /// The failure mode that the user chose.
    pub(crate) fn failure_mode(&self) -> Option<OnFailure> {
        self.default_failure_mode
    }

    /// Records which handlers ran in a session.
    #[must_use]
    pub fn once_store(mut self, once: OnceStore) -> Self {
        self.once = once;
        self
    }

    /// The maximum number of handlers of one event that run in parallel.
    #[must_use]
    pub fn max_parallel(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Whether its hooks are disabled.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.off
    }

    /// The active module.
    #[must_use]
    pub fn module(&self) -> Arc<Module> {
        self.module.load_full()
    }

    /// Replaces the module for decisions that start from now on.
    ///
    /// # Errors
    /// The engine accepts signed modules only ([`Engine::signed`]). The one before stays.
    pub fn swap(&self, module: Module) -> Result<(), ModuleError> {
        if self.signatures.is_some() {
            return Err(ModuleError::Unsigned);
        }
        self.activate(module);
        Ok(())
    }

    fn activate(&self, module: Module) {
        self.module.store(Arc::new(module));
    }

    /// Loads, verifies and activates a module.
    ///
    /// # Errors
    /// It is not sound, or the engine accepts signed modules only. The one before stays.
    pub fn reload(&self, module: Vec<u8>) -> Result<(), ModuleError> {
        if self.signatures.is_some() {
            return Err(ModuleError::Unsigned);
        }
        Module::load(module).map(|module| self.activate(module)).map_err(ModuleError::Load)
    }

    /// Like `reload` for a module with a signature, in an engine of [`Engine::signed`].
    ///
    /// # Errors
    /// The signature is not valid, it has expired, or it is older than that of the active module;
    /// the module is not sound; the engine has no key. The module before stays, even after the end
    /// of its own time.
    pub fn reload_signed(&self, module: Vec<u8>, signature: &str) -> Result<Signed, ModuleError> {
        let Some(Signatures { verifier, time }) = &self.signatures else { return Err(ModuleError::NoKey) };
        let signed = verifier.verify(&module, signature, signed::now())?;
        let mut time = time.lock().unwrap_or_else(PoisonError::into_inner);
        signed.check_age(*time)?;
        self.activate(Module::load(module).map_err(ModuleError::Load)?);
        *time = signed.time;
        Ok(signed)
    }

    /// Decides about an event without executing anything.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn decide(&self, event: &Event, options: &DecideOptions<'_>) -> Result<Decided, DecideError> {
        if event.is_oversized() {
            return Err(EventError::TooLarge(hookc_vm::limits::EVENT_BYTES).into());
        }
        let module = self.module();
        let mut scratch = Scratch::new();
        let decision = module.decide(&mut scratch, event.bytes(), options)?;
        let decided = Decided::new(&decision, &module);
        Ok(if self.off { decided.without_hooks() } else { decided.with_failures(event, self.failure_mode()) })
    }

    /// Decides about an event and executes the actions. One hook under `first`; under
    /// `all` in order, or, where all handlers are of the grouped form of agents, in
    /// parallel; the effects are in order either way.
    ///
    /// # Errors
    /// As [`Module::decide`]: nothing was executed, and the caller's failure mode applies.
    pub fn handle(
        &self,
        event: &Event,
        options: &DecideOptions<'_>,
        host: &dyn Host,
    ) -> Result<EventOutcome, DecideError> {
        let decided = self.decide(event, options)?;
        Ok(self.execute(decided, event, host))
    }

    /// Executes what was decided.
    #[must_use]
    pub fn execute(&self, decided: Decided, event: &Event, host: &dyn Host) -> EventOutcome {
        let effects = self.effects(&decided, event, host, None, &mut |_, _| {});
        let Decided { event: name, family, reported, module, recorded, .. } = decided;
        let history = HistoryNote::default();
        let mut outcome = EventOutcome { event: name, family, effects, reported, module, history };
        if let Some((history, record)) = recorded {
            let stops_again = event.stops_again(&outcome.event);
            self.settle(&history, record, stops_again, &mut outcome);
        }
        outcome
    }

    /// The effects of what was decided; what `check` rejects is a failure, and `settle` receives each of them in the order
    /// of the hooks.
    pub(crate) fn effects(
        &self,
        decided: &Decided,
        event: &Event,
        host: &dyn Host,
        check: Option<Check<'_>>,
        settle: Settle<'_>,
    ) -> Vec<Effect> {
        let Decided { event: name, family, strategy, pending, module, programs, .. } = decided;
        let loaded = (*module, programs);
        let _event = Nested::event();
        let context = ActionContext { check, ..self.context(event, (*family, name), host, loaded) };
        if !order::is_parallel(pending, *family, *strategy) {
            return order::in_order(pending, &context, settle);
        }
        let mut effects = order::in_parallel(pending, &context, self.workers);
        pending.iter().zip(&mut effects).for_each(|(pending, effect)| settle(pending, effect));
        effects
    }

    /// State shared by the actions of a decision.
    pub(crate) fn context<'a>(
        &'a self,
        event: &'a Event,
        (family, name): (Option<Family>, &'a str),
        host: &'a dyn Host,
        (module, programs): ([u8; 32], &'a Programs),
    ) -> ActionContext<'a> {
        let (once, default_failure_mode) = (&self.once, self.default_failure_mode);
        ActionContext { event, name, family, host, once, module, programs, default_failure_mode, check: None }
    }
}
