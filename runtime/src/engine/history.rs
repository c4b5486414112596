//! Events with a history: they are recorded when they are decided, and settled when their actions are executed.

use hookc_vm::{DecideError, DecideOptions, Histories};

use super::{Decided, Engine};
use crate::context;
use crate::event::Event;
use crate::history::{self, Request, SharedHistory, SharedRecord, Start};
use crate::outcome::EventOutcome;

impl Engine {
    /// Like [`Engine::decide`] with what happened before, and records the event. [`Engine::execute`] records what its
    /// actions made of it.
    ///
    /// # Errors
    /// As [`Engine::decide`]: nothing was recorded.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use hookc_runtime::history::{MemoryStore, SharedHistory};
    /// use hookc_runtime::host::NoopHost;
    /// use hookc_runtime::{Engine, Event};
    /// use hookc_vm::{DecideOptions, Module};
    /// use serde_json::json;
    ///
    /// # #[cfg(feature = "compiler")] {
    /// # use hookc_compiler::{Input, Options, compile};
    /// # let mut sources = hookc_schema::Sources::new();
    /// # let policy = "hooks: [{event: PreToolUse, when: count(PreToolUse) >= 2, action: {type: deny, reason: enough}}]";
    /// # let source = sources.add("hooks.yaml", policy);
    /// # let input = Input::new(source);
    /// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
    /// // Deny the third call.
    /// let engine = Engine::new(Module::load(bytes).unwrap());
    /// let history = SharedHistory::new(Arc::new(MemoryStore::default()), [7; 32]);
    /// let event = Event::from_value(json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"}));
    /// let denies = || {
    ///     let decided = engine.decide_with(&history, &event, &DecideOptions::default()).unwrap();
    ///     engine.execute(decided, &event, &NoopHost).verdict().0.reason().is_some()
    /// };
    /// assert_eq!([denies(), denies(), denies()], [false, false, true]);
    /// # }
    /// ```
    pub fn decide_with(
        &self,
        history: &SharedHistory,
        event: &Event,
        options: &DecideOptions<'_>,
    ) -> Result<Decided, DecideError> {
        let name = options.event.map(str::to_owned).or_else(|| event.type_name()).unwrap_or_default();
        let start = Start::new(&name, event.text("source").as_deref());
        let Some(request) = self.request(event, &name, start) else { return self.decide(event, options) };
        let decide =
            |histories: &Histories<'_>| Ok(self.decide(event, &options.history(histories))?.into_candidate());
        let (decided, record) = history.decide(&request, decide)?;
        Ok(Decided { recorded: Some((history.clone(), record)), ..decided })
    }

    /// What an event needs of its history; `None` if no hook depends on it, or all are disabled.
    pub(crate) fn request(&self, event: &Event, name: &str, start: Start) -> Option<Request<'static>> {
        let keys = history::keys(&self.module(), name, start);
        (!keys.is_empty() && !self.is_off()).then(|| Request::of_embedder(keys, event, start))
    }

    /// Records what the actions of an event made of it. An event that is not recorded has failed.
    pub(super) fn settle(
        &self,
        history: &SharedHistory,
        record: SharedRecord,
        stops_again: bool,
        outcome: &mut EventOutcome,
    ) {
        if let Some(why) = record.failure() {
            let event = (outcome.family, outcome.event.as_str());
            let failed = context::unrecorded(why, event, stops_again, self.failure_mode());
            outcome.effects.push(failed);
        }
        let verdict = outcome.verdict().0;
        outcome.history = record.settle(history, verdict.to_recorded());
    }
}
