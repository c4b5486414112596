//! What a call passes before it runs: hooks, guards, permissions.

use std::sync::Arc;

use hookc_runtime::Verdict;
use hookc_runtime::verdict::Permission as Word;
use serde_json::{Map, Value, json};

use super::{Caller, Conversation, End, Session, skills, subagent};
use crate::failure::Failure;
use crate::message::ToolCall;
use crate::output::Event;
use crate::permission::{self, Call, Permission};

/// Whether a call runs.
pub(super) enum Gate {
    /// It runs with this input; with context for the model.
    Run { input: Value, contexts: Vec<String> },
    /// It does not: the model gets this as an error.
    Blocked(String),
    /// The agent ends here; the model gets this as an error.
    End(End, String),
}

impl Session {
    pub(super) fn gate(self: &Arc<Self>, agent: &Conversation, call: &ToolCall) -> Result<Gate, Failure> {
        let caller = &agent.caller;
        if let Some(why) = &call.invalid {
            return Ok(Gate::Blocked(format!("the call was not run: {why}")));
        }
        let known: Vec<String> = self.tool_specs().into_iter().map(|tool| tool.name).collect();
        if !known.contains(&call.name) {
            return Ok(Gate::Blocked(format!(
                "there is no tool `{}`; there are {}",
                call.name,
                known.join(", ")
            )));
        }
        let verdict = self.fire(caller, "PreToolUse", members(call, &call.input));
        if let Some(why) = verdict.stop.clone() {
            return Ok(Gate::End(End::Stopped(why.clone()), format!("stopped by a hook: {why}")));
        }
        if verdict.permission >= Some(Word::Defer) {
            let reason = verdict.reason().unwrap_or_else(|| "denied".to_owned());
            return Ok(self.denied(
                caller,
                call,
                &call.input,
                format!("Hook blocked tool execution: {reason}"),
            ));
        }
        let input = changed(&call.input, &verdict);
        if let Some(gate) = self.guard(caller, call, &input)? {
            return Ok(gate);
        }
        self.permission(caller, call, input, &verdict)
    }

    /// The rules, the mode, hooks of `PermissionRequest`, and the user.
    fn permission(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        input: Value,
        verdict: &Verdict,
    ) -> Result<Gate, Failure> {
        let about = self.about(call, &input);
        let event = self.event(caller, "PreToolUse", members(call, &input));
        let mut permission = self.permissions.check(&event, &about, verdict.permission == Some(Word::Allow));
        if verdict.permission == Some(Word::Ask) && permission == Permission::Allow {
            permission = Permission::Ask(verdict.reason().unwrap_or_else(|| "a hook asks".to_owned()));
        }
        let contexts = verdict.contexts.clone();
        match permission {
            Permission::Allow => Ok(Gate::Run { input, contexts }),
            Permission::Deny(why) => Ok(self.denied(caller, call, &input, format!("denied: {why}"))),
            Permission::Ask(why) => self.asked(caller, call, input, contexts, &why),
        }
    }

    /// A call, as far as permissions depend on it.
    fn about<'c>(&'c self, call: &'c ToolCall, input: &Value) -> Call<'c> {
        let tool = self.tools.iter().find(|tool| tool.spec().name == call.name);
        // Sub-agents and skills act by calls of their own.
        let is_indirect = [subagent::NAME, skills::NAME].contains(&call.name.as_str());
        Call {
            tool: &call.name,
            cwd: &self.place.cwd,
            project: &self.project,
            is_read_only: tool.map_or(is_indirect, |tool| tool.is_read_only()),
            is_edit: tool.is_some_and(|tool| tool.is_edit()),
            path: tool.and_then(|tool| tool.path(input, &self.place)),
        }
    }

    /// Whether something denies the input that a hook of `PermissionRequest` made: guards, rules
    /// and the mode have seen another one.
    fn recheck(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        input: &Value,
    ) -> Result<Option<Gate>, Failure> {
        if let Some(gate) = self.guard(caller, call, input)? {
            return Ok(Some(gate));
        }
        let event = self.event(caller, "PreToolUse", members(call, input));
        Ok(match self.permissions.check(&event, &self.about(call, input), true) {
            Permission::Deny(why) => Some(self.denied(caller, call, input, format!("denied: {why}"))),
            Permission::Allow | Permission::Ask(_) => None,
        })
    }

    fn asked(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        input: Value,
        mut contexts: Vec<String>,
        why: &str,
    ) -> Result<Gate, Failure> {
        let request = self.fire(caller, "PermissionRequest", members(call, &input));
        contexts.extend(request.contexts.iter().cloned());
        let by_hook = match request.permission {
            Some(Word::Allow) => Some(true),
            Some(Word::Deny | Word::Defer) => Some(false),
            _ => None,
        };
        if let Some(why) = request.stop.clone() {
            return Ok(Gate::End(End::Stopped(why.clone()), format!("stopped by a hook: {why}")));
        }
        let input = changed(&input, &request);
        if request.change.is_some()
            && by_hook != Some(false)
            && let Some(gate) = self.recheck(caller, call, &input)?
        {
            return Ok(gate);
        }
        let reason = || request.reason().unwrap_or_else(|| "a hook denies it".to_owned());
        let question = || format!("{} {}\n({why})\nAllow?", call.name, summary(&input));
        Ok(match by_hook {
            Some(true) => Gate::Run { input, contexts },
            Some(false) => self.denied(caller, call, &input, format!("denied: {}", reason())),
            None => match self.ask_user(caller, &question()) {
                Some(true) => Gate::Run { input, contexts },
                Some(false) => self.denied(caller, call, &input, "denied by the user".to_owned()),
                None => {
                    let text = format!("denied: {why}, and there is no terminal to ask on");
                    self.denied(caller, call, &input, text)
                }
            },
        })
    }

    /// Asks on the terminal, which hooks of `Notification` can announce.
    pub(super) fn ask_user(self: &Arc<Self>, caller: &Caller, question: &str) -> Option<bool> {
        let details = json!({"message": question, "notification_type": "permission_prompt"});
        self.fire(caller, "Notification", details);
        permission::ask(question)
    }

    /// A denial is reported, to the hooks too.
    pub(super) fn denied(
        self: &Arc<Self>,
        caller: &Caller,
        call: &ToolCall,
        input: &Value,
        reason: String,
    ) -> Gate {
        let denial = json!({"tool_name": call.name, "tool_use_id": call.id, "tool_input": input});
        self.state().denials.push(denial);
        let mut object = match members(call, input) {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        object.insert("reason".to_owned(), reason.as_str().into());
        self.fire(caller, "PermissionDenied", Value::Object(object));
        self.output.event(&caller.origin(), &Event::Log(format!("{} {reason}", call.name)));
        Gate::Blocked(reason)
    }
}

/// The members of an event about a call.
fn members(call: &ToolCall, input: &Value) -> Value {
    json!({"tool_name": call.name, "tool_input": input, "tool_use_id": call.id})
}

/// The input with the changes of hooks.
fn changed(input: &Value, verdict: &Verdict) -> Value {
    let Some(change) = &verdict.change else { return input.clone() };
    let mut fields = match input {
        Value::Object(fields) if !change.whole => fields.clone(),
        _ => Map::new(),
    };
    fields.extend(change.fields.clone());
    Value::Object(fields)
}

/// Characters of an input in a question or an event.
const SUMMARY: usize = 1000;

/// An input in short.
pub(super) fn summary(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match text.char_indices().nth(SUMMARY) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
