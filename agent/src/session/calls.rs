//! The calls of an answer: each passes its gates, runs, and has its result looked at by hooks.

use std::sync::Arc;
use std::time::Instant;

use hookc_base::Family;
use hookc_runtime::verdict::Permission;
use serde_json::{Value, json};

use super::conversation::{OpenCall, Phase};
use super::gates::Gate;
use super::hooks::is_flat;
use super::{Conversation, End, Session, skills, subagent};
use crate::failure::Failure;
use crate::message::ToolCall;
use crate::output::Event;
use crate::signals;
use crate::store::Step;
use crate::tools::shortened;

/// What a call gave, or why the conversation ends within it.
pub(super) type Called = Result<Result<String, String>, End>;

/// The result of a call whose process was killed.
const UNKNOWN: &str = "the session ended while this call ran; whether it took effect is not known";

impl Session {
    /// Runs the open calls of a conversation in order.
    pub(super) fn run_calls(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        loop {
            let next = agent.calls.iter().find(|open| !matches!(open.phase, Phase::Posted { .. }));
            let Some(open) = next.cloned() else { return Ok(None) };
            if let Some(code) = signals::interrupted() {
                return Ok(Some(End::Interrupted(code)));
            }
            if let Some(end) = self.run_call(agent, open)? {
                return Ok(Some(end));
            }
        }
    }

    fn run_call(self: &Arc<Self>, agent: &mut Conversation, open: OpenCall) -> Result<Option<End>, Failure> {
        let OpenCall { mut call, phase } = open;
        let (mut contexts, mut duration) = (Vec::new(), None);
        let result = match phase {
            Phase::Planned => match self.gate(agent, &call)? {
                Gate::Blocked(reason) => {
                    self.posted(agent, &call, reason, true, contexts)?;
                    return Ok(None);
                }
                Gate::End(end, reason) => {
                    self.posted(agent, &call, reason, true, contexts)?;
                    self.skip_others(agent)?;
                    return Ok(Some(end));
                }
                Gate::Run { input, contexts: more } => {
                    (call.input, contexts) = (input, more);
                    let start = Step::ToolStarted { id: call.id.clone(), input: call.input.clone() };
                    self.record(agent, start)?;
                    let begin = Instant::now();
                    let called = self.call(agent, &call)?;
                    duration = Some(begin.elapsed());
                    called
                }
            },
            Phase::Started if self.is_repeatable(&call) => self.call(agent, &call)?,
            Phase::Started => Ok(Err(UNKNOWN.to_owned())),
            Phase::Done { content, is_error } => Ok(if is_error { Err(content) } else { Ok(content) }),
            Phase::Posted { .. } => return Ok(None),
        };
        let result = match result {
            Ok(result) => result,
            Err(end) => return Ok(Some(end)),
        };
        if signals::interrupted().is_some() && result.is_err() {
            // It was ended by the signal: its result is not known.
            return Ok(signals::interrupted().map(End::Interrupted));
        }
        let (is_error, content) = (result.is_err(), shortened(result.unwrap_or_else(|why| why)));
        self.record(agent, Step::ToolDone { id: call.id.clone(), content: content.clone(), is_error })?;
        let duration = duration.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let (content, end) = self.post(agent, &call, content, is_error, duration, &mut contexts);
        self.posted(agent, &call, content, is_error, contexts)?;
        if end.is_some() {
            self.skip_others(agent)?;
        }
        Ok(end)
    }

    /// A call has its final result.
    fn posted(
        &self,
        agent: &mut Conversation,
        call: &ToolCall,
        content: String,
        is_error: bool,
        contexts: Vec<String>,
    ) -> Result<(), Failure> {
        let report = Event::ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            content: content.clone(),
            is_error,
        };
        self.record(agent, Step::ToolPosted { id: call.id.clone(), content, is_error, contexts })?;
        self.output.event(&agent.caller.origin(), &report);
        Ok(())
    }

    /// The other calls of an answer do not run after one has ended the conversation.
    fn skip_others(&self, agent: &mut Conversation) -> Result<(), Failure> {
        let open = agent.calls.iter().filter(|open| !matches!(open.phase, Phase::Posted { .. }));
        for call in open.map(|open| open.call.clone()).collect::<Vec<_>>() {
            self.posted(agent, &call, "not run: the agent was stopped before".to_owned(), true, Vec::new())?;
        }
        Ok(())
    }

    /// Whether an interrupted call can be repeated: it only reads, or continues where it was.
    fn is_repeatable(&self, call: &ToolCall) -> bool {
        let tool_called = self.tools.iter().find(|tool| tool.spec().name == call.name);
        tool_called
            .map_or(matches!(call.name.as_str(), subagent::NAME | skills::NAME), |tool| tool.is_read_only())
    }

    /// Calls a tool.
    fn call(self: &Arc<Self>, agent: &Conversation, call: &ToolCall) -> Result<Called, Failure> {
        let (id, name, input) = (call.id.clone(), call.name.clone(), call.input.clone());
        self.output.event(&agent.caller.origin(), &Event::ToolStart { id, name, input });
        match call.name.as_str() {
            subagent::NAME => return self.call_agent(&agent.caller, call),
            skills::NAME => return Ok(Ok(self.call_skill(&agent.caller, call))),
            _ => {}
        }
        let tool_called = self.tools.iter().find(|tool| tool.spec().name == call.name);
        Ok(Ok(match tool_called {
            Some(tool) => tool.call(&call.input, &self.place),
            None => Err(format!("there is no tool `{}`", call.name)),
        }))
    }

    /// The hooks after a call: what the model gets, and the end if a hook stops the agent.
    fn post(
        self: &Arc<Self>,
        agent: &Conversation,
        call: &ToolCall,
        mut content: String,
        is_error: bool,
        duration: Option<u64>,
        contexts: &mut Vec<String>,
    ) -> (String, Option<End>) {
        let caller = &agent.caller;
        let common = |more: Value| {
            let mut object = super::hooks::members(json!({"tool_name": call.name, "tool_input": call.input,
                "tool_use_id": call.id, "duration_ms": duration}));
            object.extend(super::hooks::members(more));
            Value::Object(object)
        };
        let verdict = if is_error {
            // Handlers of the flat format read failures at `PostToolUse`.
            let flat = common(json!({"tool_response": content, "is_error": true}));
            let event = self.event(caller, "PostToolUse", flat);
            if self.has_hooks.has(Family::Agent, "PostToolUse") {
                self.fire_again(caller, (Family::Agent, "PostToolUse"), &event, &is_flat);
            }
            self.fire(caller, "PostToolUseFailure", common(json!({"error": content, "is_interrupt": false})))
        } else {
            self.fire(caller, "PostToolUse", common(json!({"tool_response": content})))
        };
        if let Some(output) = verdict.output {
            content = output.as_str().map_or_else(|| output.to_string(), str::to_owned);
        }
        contexts.extend(verdict.contexts.iter().cloned());
        if verdict.permission >= Some(Permission::Ask) {
            contexts.extend(hookc_runtime::verdict::joined(&verdict.reasons));
        }
        self.ability_called(caller, call, &content, is_error, duration);
        (content, verdict.stop.map(End::Stopped))
    }
}
