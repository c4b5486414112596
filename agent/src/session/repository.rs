//! Repository hooks (`.system/hooks`) around prompts, calls and the end of a session. A tool is an
//! ability; its id is the name of the tool.

use std::sync::Arc;

use hookc_base::Family;
use hookc_runtime::EventOutcome;
use hookc_runtime::turn::{self, Guard, Turn};
use serde_json::{Map, Value, json};

use super::gates::{Gate, summary};
use super::hooks::members;
use super::host::SessionHost;
use super::{Caller, End, Session, subagent};
use crate::failure::Failure;
use crate::message::ToolCall;
use crate::output::Event;
use crate::store::Step;

impl Session {
    fn repository(&self) -> turn::Session<'_> {
        turn::Session::new(&self.engine, self.id.clone()).with_disabled(self.state().disabled.clone())
    }

    /// The user submits a prompt: the control message for the model if it may start, `None` without
    /// repository hooks; or the reason why it may not.
    pub(super) fn prompt_submit(
        self: &Arc<Self>,
        caller: &Caller,
        prompt: &str,
    ) -> Result<Option<Value>, String> {
        if !self.has_repository_hooks {
            return Ok(None);
        }
        let context = members(json!({"user_raw_input": prompt}));
        let host = SessionHost { session: self, caller, conversation: None };
        let decided = self.repository().prompt_submit(context, &host);
        let (control, turn) = decided.map_err(|error| format!("nothing can be decided: {error}"))?;
        self.report_turn(caller, "PromptSubmit", &turn);
        self.output.event(&caller.origin(), &Event::Record(control.clone()));
        if control.get("turn_ready") == Some(&Value::Bool(true)) {
            return Ok(Some(control));
        }
        let reason = control.get("reason").and_then(Value::as_str).unwrap_or("a hook denies it");
        Err(reason.to_owned())
    }

    /// The guards of a call; `None` if it may run.
    pub(super) fn guard(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        input: &Value,
    ) -> Result<Option<Gate>, Failure> {
        let known = self.has_hooks.has(Family::Repository, "PreAbilityCall");
        if !known && !self.state().disabled.contains_key(&call.name) {
            return Ok(None);
        }
        let context = self.ability(caller, call, input);
        let host = SessionHost { session: self, caller, conversation: None };
        let mut session = self.repository();
        let before = session.disabled().len();
        let (control, guard, turn) = match session.pre_ability_call(context, &host) {
            Ok(decided) => decided,
            Err(error) => {
                let reason = format!("nothing can be decided about this call: {error}");
                return Ok(Some(self.denied(caller, call, input, reason)));
            }
        };
        self.report_turn(caller, "PreAbilityCall", &turn);
        self.output.event(&caller.origin(), &Event::Record(control));
        if session.disabled().len() != before {
            let abilities = session.disabled().clone();
            self.state().disabled = abilities.clone();
            self.note(Step::Disabled { abilities })?;
        }
        let Guard::Denied { reason, require_human } = guard else { return Ok(None) };
        if !require_human {
            return Ok(Some(self.denied(caller, call, input, format!("denied by a guard: {reason}"))));
        }
        let question =
            format!("{} {}\n(a guard wants a person: {reason})\nAllow?", call.name, summary(input));
        Ok(match self.ask_user(caller, &question) {
            Some(true) => None,
            Some(false) => Some(self.denied(caller, call, input, format!("denied by the user: {reason}"))),
            None => {
                let text = format!("a person must look at this call: {reason}");
                let _ = self.denied(caller, call, input, text.clone());
                Some(Gate::End(End::Waiting(text.clone()), text))
            }
        })
    }

    /// A call has ended.
    pub(super) fn ability_called(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        output: &str,
        is_error: bool,
        duration: Option<u64>,
    ) {
        {
            let mut state = self.state();
            state.abilities_used.insert(call.name.clone());
            let tool = self.tools.iter().find(|tool| tool.spec().name == call.name);
            let path = tool.filter(|tool| tool.is_edit() && !is_error);
            if let Some(path) = path.and_then(|tool| tool.path(&call.input, &self.place)) {
                let path = path.strip_prefix(&self.project).unwrap_or(&path).to_string_lossy().into_owned();
                state.changed_files.insert(path);
            }
        }
        if !self.has_hooks.has(Family::Repository, "PostAbilityCall") {
            return;
        }
        let mut context = self.ability(caller, call, &call.input);
        context.extend(members(json!({
            "status": if is_error { "failure" } else { "success" },
            "duration_ms": duration,
            "tool_call_path": path_of(caller, call),
            "input_summary": summary(&call.input),
            "output_summary": summary(&output.into()),
            "error_message": is_error.then(|| summary(&output.into())),
        })));
        let host = SessionHost { session: self, caller, conversation: None };
        match self.repository().post_ability_call(context, &host) {
            Ok(turn) => self.report_turn(caller, "PostAbilityCall", &turn),
            Err(error) => self.undecided(caller, "PostAbilityCall", &error.to_string()),
        }
    }

    /// The model has answered.
    pub(super) fn model_output(self: &Arc<Self>, caller: &Caller, text: &str) {
        if !self.has_hooks.has(Family::Repository, "ModelOutput") {
            return;
        }
        let host = SessionHost { session: self, caller, conversation: None };
        match self.repository().model_output(members(json!({"output": text})), &host) {
            Ok(turn) => self.report_turn(caller, "ModelOutput", &turn),
            Err(error) => self.undecided(caller, "ModelOutput", &error.to_string()),
        }
    }

    /// The session ends.
    pub(super) fn session_stop(self: &Arc<Self>, caller: &Caller) {
        if !self.has_hooks.has(Family::Repository, "SessionStop") {
            return;
        }
        let context = {
            let state = self.state();
            members(json!({"changed_files": state.changed_files, "abilities_used": state.abilities_used}))
        };
        let host = SessionHost { session: self, caller, conversation: None };
        match self.repository().session_stop(context, &host) {
            Ok(turn) => self.report_turn(caller, "SessionStop", &turn),
            Err(error) => self.undecided(caller, "SessionStop", &error.to_string()),
        }
    }

    /// The context of an ability's event.
    fn ability(&self, caller: &Caller, call: &ToolCall, input: &Value) -> Map<String, Value> {
        let tool = self.tools.iter().find(|tool| tool.spec().name == call.name);
        let path = tool.and_then(|tool| tool.path(input, &self.place));
        members(json!({
            "ability_id": call.name,
            "args_summary": summary(input),
            "args": input,
            "target_path": path.map(|path| path.to_string_lossy().into_owned()),
            "caller": members(json!({"source": "ai_session", "session_id": self.id,
                "triggered_by": caller.agent_id})),
        }))
    }

    fn report_turn(&self, caller: &Caller, event: &str, turn: &Turn) {
        let labels = turn.handled.effects.iter().map(|effect| effect.hook.label.as_str());
        let running = self.started(caller, event, labels);
        self.ended(caller, event, running, &turn.handled.effects);
        for text in &turn.reports {
            self.output.event(&caller.origin(), &Event::Notice(text.clone()));
        }
        for text in &turn.logs {
            self.output.event(&caller.origin(), &Event::Log(text.clone()));
        }
        let outcome: &EventOutcome = &turn.handled;
        let took = outcome.effects.iter().map(|effect| effect.took).sum();
        self.write_log(&hookc_runtime::log::Entry::new("agent", &turn.event, Ok(outcome), took));
    }

    fn undecided(&self, caller: &Caller, event: &str, why: &str) {
        let text = format!("nothing can be decided about {event}: {why}");
        self.output.event(&caller.origin(), &Event::Notice(text));
    }
}

/// The calls that lead to a call of a sub-agent; `None` for the session's own agent.
fn path_of(caller: &Caller, call: &ToolCall) -> Option<Vec<String>> {
    let depth = usize::try_from(caller.depth).ok().filter(|depth| *depth > 0)?;
    let around = std::iter::repeat_n(subagent::NAME.to_owned(), depth);
    Some(around.chain([call.name.clone()]).collect())
}
