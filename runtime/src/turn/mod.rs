//! Repository hooks around a session's turns: signals for the model, guards for abilities, and
//! control messages that state when it may start.
//!
//! Only events before something happens (`PromptSubmit`, `PreAbilityCall`, `PreAbilityCreate`) can change the turn;
//! answers of hooks of `PostAbilityCall`, `SessionStop` and `ModelOutput` are never passed on.
//! Invalid results are reported, never dropped silently; a failed guard is a denial that a human
//! must review.

mod emit;
mod exact;
mod guard;
mod state;

use std::collections::BTreeMap;

use hookc_base::Family;
use hookc_vm::{DecideError, DecideOptions};
use serde_json::{Map, Value, json};

pub use crate::signals::HookResult;
pub use emit::Emitted;
pub use exact::exact_object;
pub use guard::Guard;
pub use state::{SessionState, SessionStateError};

use crate::engine::Engine;
use crate::event::{Event, RepositoryEvent};
use crate::host::Host;
use crate::outcome::{EventOutcome, HistoryNote, Outcome, PendingAction};
use crate::verdict::{Verdict, joined};

/// The outcome of the hooks of an event before a decision.
#[derive(Debug)]
#[non_exhaustive]
pub struct Turn {
    /// Valid signals, in the order of the hooks.
    pub signals: Vec<Value>,
    /// Invalid results, failures, and what hooks of `mode: warn` would have done.
    pub reports: Vec<String>,
    /// Lines that hooks had for the log.
    pub logs: Vec<String>,
    /// The event as the hooks saw it.
    pub event: Event,
    /// Every hook that ran.
    pub handled: EventOutcome,
}

impl Turn {
    fn new(event: Event, handled: EventOutcome) -> Self {
        Self { signals: Vec::new(), reports: Vec::new(), logs: Vec::new(), event, handled }
    }
}

/// A session and what its guards have disabled.
///
/// ```
/// use hookc_runtime::Engine;
/// use hookc_runtime::host::NoopHost;
/// use hookc_runtime::turn::{Guard, Session};
/// use hookc_vm::Module;
/// use serde_json::{Map, json};
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let source = sources.add("hooks.yaml", "hooks: [{event: PreAbilityCall, action: {type: deny, reason: not now}}]");
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// let engine = Engine::new(Module::load(bytes).unwrap());
/// let mut session = Session::new(&engine, "s1");
/// let context = Map::from_iter([("ability_id".to_owned(), json!("deploy"))]);
/// let (_, guard, _) = session.pre_ability_call(context, &NoopHost).unwrap();
/// assert!(matches!(guard, Guard::Denied { reason, .. } if reason == "not now"));
/// # }
/// ```
#[derive(Debug)]
pub struct Session<'e> {
    engine: &'e Engine,
    id: String,
    disabled: BTreeMap<String, String>,
}

impl<'e> Session<'e> {
    /// Starts a session. An empty id means none: its events have no `session_id`.
    #[must_use]
    pub fn new(engine: &'e Engine, id: impl Into<String>) -> Self {
        Self { engine, id: id.into(), disabled: BTreeMap::new() }
    }

    /// With the abilities that guards disabled in an earlier part of the session.
    #[must_use]
    pub fn with_disabled(mut self, disabled: BTreeMap<String, String>) -> Self {
        self.disabled = disabled;
        self
    }

    /// The abilities that a guard disabled for this session, with the reason.
    #[must_use]
    pub fn disabled(&self) -> &BTreeMap<String, String> {
        &self.disabled
    }

    /// Enables an ability again; `false` if it was not disabled.
    pub fn enable(&mut self, ability: &str) -> bool {
        self.disabled.remove(ability).is_some()
    }

    /// Enables all abilities again.
    pub fn reset(&mut self) {
        self.disabled.clear();
    }

    /// The user has submitted a prompt: the context for the model before it plans, and the control
    /// message that it may start. It may not, with the reason, if a hook returns `deny` or `ask`,
    /// or has failed closed, which at this event happens only if the hook or the user declares it.
    ///
    /// # Errors
    /// No decision was possible; the turn is not ready then.
    pub fn prompt_submit(
        &self,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<(Value, Turn), DecideError> {
        let turn = self.collect(RepositoryEvent::PromptSubmit, context, host)?;
        let refusals = guard::refusals(&turn.handled.effects);
        let mut control = json!({
            "type": "control",
            "turn_ready": refusals.is_empty(),
            "source_event": "PromptSubmit",
            "hook_signals": turn.signals,
        });
        if let (Some(reason), Some(members)) = (joined(&refusals), control.as_object_mut()) {
            members.insert("reason".to_owned(), reason.into());
        }
        Ok((control, turn))
    }

    /// An ability is about to be called: whether it may be, and the control message for it. A
    /// denial without a human disables the ability for the session; a disabled one is denied
    /// without asking the hooks again.
    ///
    /// # Errors
    /// No decision was possible; the ability must not be called then.
    pub fn pre_ability_call(
        &mut self,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<(Value, Guard, Turn), DecideError> {
        let ability = context.get("ability_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (guard, turn) = match self.disabled.get(&ability) {
            Some(reason) => {
                let reason = format!("disabled for this session: {reason}");
                (
                    Guard::Denied { reason, require_human: false },
                    self.unasked(RepositoryEvent::PreAbilityCall.as_str(), context),
                )
            }
            None => {
                let mut turn = self.collect(RepositoryEvent::PreAbilityCall, context, host)?;
                (guard::combine(&ability, &mut turn), turn)
            }
        };
        if let Guard::Denied { reason, require_human: false } = &guard {
            self.disabled.entry(ability.clone()).or_insert_with(|| reason.clone());
        }
        let control = json!({
            "type": "control",
            "turn_ready_for_ability": guard == Guard::Allowed,
            "ability_id": ability,
            "source_event": "PreAbilityCall",
            "hook_signals": turn.signals,
        });
        Ok((control, guard, turn))
    }

    /// A task for an ability is about to be made (`ability_ref`): whether it may be, and the control
    /// message for it. A denial is about this task alone, and disables no ability.
    ///
    /// # Errors
    /// No decision was possible; the task must not be made then.
    pub fn pre_ability_create(
        &self,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<(Value, Guard, Turn), DecideError> {
        let reference = context.get("ability_ref").cloned().unwrap_or_default();
        let ability = reference.get("value").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut turn = self.collect(RepositoryEvent::PreAbilityCreate, context, host)?;
        let guard = guard::combine(&ability, &mut turn);
        let control = json!({
            "type": "control",
            "turn_ready_for_ability_create": guard.is_allowed(),
            "ability_ref": reference,
            "source_event": "PreAbilityCreate",
            "hook_signals": turn.signals,
        });
        Ok((control, guard, turn))
    }

    /// An ability was called. The outcome does not reach the turn.
    ///
    /// # Errors
    /// No decision was possible, which changes nothing.
    pub fn post_ability_call(
        &self,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<Turn, DecideError> {
        self.collect(RepositoryEvent::PostAbilityCall, context, host)
    }

    /// The session ends. The outcome reaches no turn.
    ///
    /// # Errors
    /// No decision was possible, which changes nothing.
    pub fn session_stop(&self, context: Map<String, Value>, host: &dyn Host) -> Result<Turn, DecideError> {
        self.collect(RepositoryEvent::SessionStop, context, host)
    }

    /// The model has answered. The outcome reaches no turn.
    ///
    /// # Errors
    /// No decision was possible, which changes nothing.
    pub fn model_output(&self, context: Map<String, Value>, host: &dyn Host) -> Result<Turn, DecideError> {
        self.collect(RepositoryEvent::ModelOutput, context, host)
    }

    /// An event that no hook handles.
    fn unasked(&self, name: &str, context: Map<String, Value>) -> Turn {
        let handled = EventOutcome {
            event: name.to_owned(),
            family: Some(Family::Repository),
            effects: Vec::new(),
            reported: Vec::new(),
            module: self.engine.module().hash(),
            history: HistoryNote::default(),
        };
        Turn::new(event(name, &self.id, context), handled)
    }

    fn collect(
        &self,
        kind: RepositoryEvent,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<Turn, DecideError> {
        let (name, family) = (Some(kind.as_str()), Some(Family::Repository));
        let event = event(kind.as_str(), &self.id, context);
        let options = DecideOptions::default().event(name).family(family);
        let handled = self.engine.handle(&event, &options, host)?;
        let mut turn = Turn::new(event, handled);
        turn.reports.extend(PendingAction::warnings(&turn.handled.reported));
        for effect in &turn.handled.effects {
            let label = &effect.hook.label;
            match &effect.outcome {
                Outcome::Signals(result) => {
                    turn.signals.extend(result.signals.iter().cloned());
                    turn.logs.extend(result.logs.iter().cloned());
                    turn.reports.extend(result.reports.iter().map(|why| format!("hook {label}: {why}")));
                    turn.reports.extend(result.failed.iter().map(|why| failed(label, why)));
                }
                Outcome::Failed(failure) => turn.reports.push(failed(label, &failure.why)),
                Outcome::Verdict(verdict) => {
                    turn.reports
                        .extend(unread_verdict(verdict, kind).map(|why| format!("hook {label}: {why}")));
                }
                _ => {}
            }
        }
        Ok(turn)
    }
}

/// The event of that name in a session, as the hooks would see it; an empty id means none.
#[must_use]
pub fn event(name: &str, session: &str, mut context: Map<String, Value>) -> Event {
    context.insert("event_type".to_owned(), name.into());
    if !session.is_empty() {
        context.entry("session_id").or_insert_with(|| session.into());
    }
    Event::from_value(Value::Object(context))
}

/// The parts of a verdict that are lost.
fn unread_verdict(verdict: &Verdict, event: RepositoryEvent) -> Option<String> {
    let name = event.as_str();
    if !event.is_awaited() {
        return verdict.refusal("").map(|_| format!("it denies, but nothing waits for it at {name}"));
    }
    let adds = Verdict { permission: None, reasons: vec![], stop: None, ..verdict.clone() };
    (!adds.is_silent()).then(|| format!("its text is ignored: {name} accepts signals"))
}

fn failed(label: &str, why: &str) -> String {
    format!("hook {label} failed: {why}")
}
