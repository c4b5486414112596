//! Events for the hooks of coding agents, and what their hooks say.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use hookc_base::Family;
use hookc_runtime::action::{Action, ResultForm};
use hookc_runtime::engine::Decided;
use hookc_runtime::host::BackgroundHandler;
use hookc_runtime::log::Entry;
use hookc_runtime::outcome::PendingAction;
use hookc_runtime::{ActionFailure, Effect, Engine, Event, EventOutcome, Outcome, Verdict, agent};
use hookc_vm::{DecideError, DecideOptions};
use serde_json::{Map, Value, json};

use super::host::SessionHost;
use super::{Caller, Session};
use crate::id;
use crate::output;

/// The event types for which the policies have hooks.
#[derive(Debug, Default)]
pub(super) struct Known(HashSet<(Family, String)>);

impl Known {
    pub(super) fn from_engine(engine: &Engine) -> Self {
        let events = if engine.is_off() {
            HashSet::new()
        } else {
            engine.module().events().map(|event| (event.family, event.name.to_owned())).collect()
        };
        Self(events)
    }

    /// Whether there are hooks for this event type.
    pub(super) fn has(&self, family: Family, name: &str) -> bool {
        self.0.iter().any(|(listed, event)| *listed == family && event == name)
    }
}

/// The members of an event; `null` members are left out.
pub(super) fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    }
}

/// Selects the hooks of an event that run.
pub(super) type Filter<'f> = &'f dyn Fn(&PendingAction) -> bool;

impl Session {
    /// The event of an agent, as its hooks read it.
    pub(super) fn event(&self, caller: &Caller, name: &str, more: Value) -> Event {
        let mut object = members(json!({
            "session_id": self.id,
            "transcript_path": self.journal.path().to_string_lossy(),
            "cwd": self.place.cwd.to_string_lossy(),
            "permission_mode": self.permissions.mode.as_str(),
            "hook_event_name": name,
            "agent_id": caller.agent_id,
            "agent_type": caller.agent_type,
        }));
        object.extend(members(more));
        Event::from_value(Value::Object(object))
    }

    /// Runs the hooks of an event of an agent, and combines their verdicts.
    pub(super) fn fire(self: &Arc<Self>, caller: &Caller, name: &str, more: Value) -> Verdict {
        // A history begins with its session.
        let is_recorded = self.history.is_some() && name == "SessionStart";
        if !self.has_hooks.has(Family::Agent, name) && self.log.is_none() && !is_recorded {
            return Verdict::default();
        }
        let event = self.event(caller, name, more);
        self.fire_event(caller, (Family::Agent, name), &event, &|_| true)
    }

    /// Runs the hooks of an event that `filter` selects, and records the event.
    pub(super) fn fire_event(
        self: &Arc<Self>,
        caller: &Caller,
        of_type: (Family, &str),
        event: &Event,
        filter: Filter<'_>,
    ) -> Verdict {
        let decide = |options: &DecideOptions<'_>| match &self.history {
            Some(history) => self.engine.decide_with(history, event, options),
            None => self.engine.decide(event, options),
        };
        self.fire_decided(caller, of_type, event, filter, decide)
    }

    /// Runs the hooks that `filter` selects at another form of an event that is fired too.
    pub(super) fn fire_again(
        self: &Arc<Self>,
        caller: &Caller,
        of_type: (Family, &str),
        event: &Event,
        filter: Filter<'_>,
    ) -> Verdict {
        self.fire_decided(caller, of_type, event, filter, |options| self.engine.decide(event, options))
    }

    fn fire_decided(
        self: &Arc<Self>,
        caller: &Caller,
        (family, name): (Family, &str),
        event: &Event,
        filter: Filter<'_>,
        decide: impl FnOnce(&DecideOptions<'_>) -> Result<Decided, DecideError>,
    ) -> Verdict {
        let start = Instant::now();
        let options = DecideOptions::default().event(name).family(family);
        let mut decided = match decide(&options) {
            Ok(decided) => decided,
            Err(error) => {
                let why = format!("nothing can be decided about {name}: {error}");
                self.write_log(&Entry::new("agent", event, Err(&why), start.elapsed()));
                self.output.event(&caller.origin(), &output::Event::Notice(why.clone()));
                let denies = family == Family::Agent && agent::capabilities(name).can_deny();
                return if denies { Verdict::deny(why) } else { Verdict::default() };
            }
        };
        decided.pending.retain(filter);
        let running =
            self.started(caller, name, decided.pending.iter().map(|pending| pending.hook.label.as_str()));
        let host = SessionHost { session: self, caller, conversation: None };
        let outcome = self.engine.execute(decided, event, &host);
        self.ended(caller, name, running, &outcome.effects);
        self.report(caller, &outcome);
        self.write_log(&Entry::new("agent", event, Ok(&outcome), start.elapsed()));
        let (verdict, conflicts) = outcome.verdict();
        for message in conflicts.into_iter().chain(verdict.messages.iter().cloned()) {
            self.output.event(&caller.origin(), &output::Event::Notice(message));
        }
        verdict
    }

    /// Reports that hooks start; returns the ids of their reports.
    pub(super) fn started<'l>(
        &self,
        caller: &Caller,
        event: &str,
        labels: impl Iterator<Item = &'l str>,
    ) -> Vec<(String, String)> {
        let mut running = Vec::new();
        for label in labels {
            let id_of_hook = id::uuid();
            let report = output::Event::HookStarted {
                id: id_of_hook.clone(),
                event: event.to_owned(),
                name: label.to_owned(),
            };
            self.output.event(&caller.origin(), &report);
            running.push((label.to_owned(), id_of_hook));
        }
        running
    }

    /// Reports the end of hooks.
    pub(super) fn ended(
        &self,
        caller: &Caller,
        event: &str,
        running: Vec<(String, String)>,
        effects: &[Effect],
    ) {
        for (label, id) in running {
            let effect = effects.iter().find(|effect| effect.hook.label == label);
            let detail = effect.and_then(|effect| {
                let verdict = effect.verdict();
                let texts = [verdict.reasons, verdict.contexts, verdict.messages].concat();
                (!texts.is_empty()).then(|| texts.join("\n"))
            });
            let report = output::Event::HookEnded {
                id,
                event: event.to_owned(),
                name: label,
                outcome: effect.map_or("skipped", |effect| effect.outcome.as_str()).to_owned(),
                status: effect.and_then(|effect| effect.status.clone()),
                detail,
            };
            self.output.event(&caller.origin(), &report);
        }
    }

    /// Reports what warn hooks would have done.
    fn report(&self, caller: &Caller, outcome: &EventOutcome) {
        for warning in PendingAction::warnings(&outcome.reported) {
            self.output.event(&caller.origin(), &output::Event::Notice(warning));
        }
    }

    /// Runs a handler that nothing waits for before the end of the session; its result is logged.
    pub(super) fn in_background(
        self: &Arc<Self>,
        caller: &Caller,
        handler: BackgroundHandler,
    ) -> Result<(), ActionFailure> {
        let session = Arc::clone(self);
        let origin = caller.origin();
        let work = move || {
            let ended = handler.run();
            session.write_log(&Entry::of_background("agent", &ended));
            for effect in &ended.outcome.effects {
                let (label, outcome) = (&effect.hook.label, effect.outcome.as_str());
                let status = effect.status.as_deref().unwrap_or("it did not run");
                let millis = ended.took.as_millis();
                let text = format!("background hook {label}: {outcome} ({status}, {millis} ms)");
                session.output.event(&origin, &output::Event::Log(text));
                if let Outcome::Signals(result) = &effect.outcome {
                    for line in &result.logs {
                        session.output.event(&origin, &output::Event::Log(format!("{label}: {line}")));
                    }
                }
            }
        };
        let started = std::thread::Builder::new().name("handler".to_owned()).spawn(work);
        let handle = started.map_err(|error| ActionFailure::failed(error.to_string()))?;
        let mut state = self.state();
        state.handlers.retain(|handle| !handle.is_finished());
        state.handlers.push(handle);
        Ok(())
    }

    /// Waits for the handlers in the background.
    pub(super) fn finish_handlers(&self) {
        let handlers = std::mem::take(&mut self.state().handlers);
        for handle in handlers {
            // A handler that panicked has ended.
            let _ = handle.join();
        }
    }

    /// A log that cannot be written changes nothing.
    pub(super) fn write_log(&self, entry: &Entry<'_>) {
        if let Some(Err(error)) = self.log.as_ref().map(|log| log.write(entry)) {
            self.output.event(
                &Caller::default().origin(),
                &output::Event::Notice(format!("the log cannot be written: {error}")),
            );
        }
    }
}

/// Whether a hook is a handler of the flat format, which runs after failures too.
pub(super) fn is_flat(pending: &PendingAction) -> bool {
    match &pending.action {
        Ok(Action::Run(run)) => run.result == ResultForm::Flat,
        Ok(Action::Inject(_)) => true,
        _ => false,
    }
}
