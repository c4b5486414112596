//! Hooks that ask a model, or a sub-agent, for a decision.

use std::sync::Arc;
use std::time::Instant;

use hookc_runtime::{ActionFailure, Event};
use serde_json::Value;

use super::{Caller, Conversation, End, Session};
use crate::message::Message;
use crate::model::Request;
use crate::output::Event as Report;
use crate::store::Step;

/// The instructions of a model that decides about an event.
const SYSTEM: &str = "You decide about an event of a coding agent. Answer with one JSON object and nothing else: \
{\"ok\": true} if the condition is met, or {\"ok\": false, \"reason\": \"...\"} if it is not.";

/// Tokens of a decision.
const TOKENS: u64 = 1024;

impl Session {
    /// The answer of the model to the question of a hook.
    pub(super) fn judge(&self, prompt: &str, event: &Event) -> Result<Value, ActionFailure> {
        let messages = [Message::user(question(prompt, event))];
        let request = Request { system: SYSTEM, messages: &messages, tools: &[], max_tokens: TOKENS };
        Ok(answer(&self.reply_to(&request)?))
    }

    /// The text of the model's reply, whose usage is recorded.
    fn reply_to(&self, request: &Request<'_>) -> Result<String, ActionFailure> {
        let started = Instant::now();
        let reply =
            self.model.ask(request, &mut |_| {}).map_err(|error| ActionFailure::failed(error.to_string()))?;
        self.spend(reply.usage, started);
        let spent = Step::Spent { usage: reply.usage, position: self.model.position(), thread: None };
        self.note(spent).map_err(|error| ActionFailure::failed(error.to_string()))?;
        Ok(crate::message::texts(&reply.content))
    }

    /// The answer of a sub-agent, which can use tools, to the question of a hook.
    pub(super) fn judge_by_agent(
        self: &Arc<Self>,
        caller: &Caller,
        kind: Option<&str>,
        prompt: &str,
        event: &Event,
    ) -> Result<Value, ActionFailure> {
        let failed = |why: String| ActionFailure::failed(why);
        let prompt = format!("{SYSTEM}\nYou can use tools before you answer.\n\n{}", question(prompt, event));
        let mut child: Conversation = self
            .new_agent(caller, kind.unwrap_or("hook"), None, false, &prompt)
            .map_err(|error| failed(error.to_string()))?;
        let end = self.run_agent(&mut child, &prompt).map_err(|error| failed(error.to_string()))?;
        match end {
            End::Done(text) => Ok(answer(&text)),
            other => {
                Err(failed(format!("the sub-agent of the hook ended without an answer: {}", other.text())))
            }
        }
    }

    /// A summary of a conversation, as a directive for compaction returns it.
    pub(super) fn summarize(&self, agent: &Conversation) -> Result<Value, ActionFailure> {
        let mut messages = agent.history.clone();
        messages.push(Message::user(
            "Summarize the conversation so far, so that the work can continue from the summary alone: the task, \
             what was done and found, which files matter, and what remains.",
        ));
        let request = Request {
            system: "You summarize conversations of a coding agent.",
            messages: &messages,
            tools: &self.tool_specs(),
            max_tokens: self.limits.output_tokens,
        };
        let summary = self.reply_to(&request)?;
        if summary.trim().is_empty() {
            return Err(ActionFailure::failed("the model gave no summary"));
        }
        self.output.event(&agent.caller.origin(), &Report::Log("the conversation was summarized".to_owned()));
        Ok(serde_json::json!({"compaction": {"summary": summary, "prune_before_turn": agent.turn}}))
    }
}

/// The question with the event in it: instead of `$ARGUMENTS`, or after the prompt.
fn question(prompt: &str, event: &Event) -> String {
    let json = String::from_utf8_lossy(event.bytes());
    match prompt.contains("$ARGUMENTS") {
        true => prompt.replace("$ARGUMENTS", &json),
        false => format!("{prompt}\n\n{json}"),
    }
}

/// The answer without a Markdown fence around it.
fn answer(text: &str) -> Value {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.map(|inner| inner.strip_prefix("json").unwrap_or(inner).trim());
    Value::from(inner.unwrap_or(text))
}
