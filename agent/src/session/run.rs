//! The loop: the model answers, its calls run, until it stops.

use std::sync::Arc;

use hookc_base::Family;
use hookc_runtime::thread::Step as Next;
use hookc_runtime::verdict::Permission;
use serde_json::{Map, Value, json};

use super::{Conversation, End, Session};
use crate::failure::Failure;
use crate::message::ToolSpec;
use crate::output::Event;
use crate::signals;
use crate::store::Step;

/// How often hooks can prevent an agent from stopping, for one prompt.
const CONTINUES: u64 = 25;

impl Session {
    /// Runs the loop of a conversation until it ends.
    pub(super) fn run(self: &Arc<Self>, agent: &mut Conversation) -> Result<End, Failure> {
        let tools = self.tool_specs();
        loop {
            if let Some(end) = self.step(agent, &tools)? {
                return Ok(end);
            }
        }
    }

    /// One step of the loop; `Some` if it ends.
    fn step(self: &Arc<Self>, agent: &mut Conversation, tools: &[ToolSpec]) -> Result<Option<End>, Failure> {
        if let Some(code) = signals::interrupted() {
            return Ok(Some(End::Interrupted(code)));
        }
        if let Some(error) = self.output.broken() {
            return Err(Failure::failed(format!("the output cannot be written: {error}")));
        }
        if !agent.calls.is_empty() {
            return self.run_calls(agent);
        }
        if agent.owes_step_end {
            return self.end_step(agent);
        }
        if agent.wants_to_stop() {
            return self.stop(agent);
        }
        if let Some(end) = self.check_limits(agent)? {
            return Ok(Some(end));
        }
        self.deliver_background(agent)?;
        self.deliver_notices(agent)?;
        if let Some(end) = self.before_step(agent)? {
            return Ok(Some(end));
        }
        if let Some(end) = self.relieve(agent)? {
            return Ok(Some(end));
        }
        let reply = match self.ask(agent, tools)? {
            Ok(reply) => reply,
            Err(end) => return Ok(Some(end)),
        };
        let step = Step::Reply {
            content: reply.content.clone(),
            stop_reason: reply.stop_reason.clone(),
            usage: reply.usage,
            position: self.model.position(),
        };
        self.record(agent, step)?;
        let text = agent.last_text.clone();
        self.output.event(&agent.caller.origin(), &Event::Reply(reply));
        self.model_output(&agent.caller, &text);
        Ok(None)
    }

    fn before_step(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let number = agent.turn + 1;
        self.around_step(agent, "before_step", number)
    }

    fn after_step(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let number = agent.turn;
        self.around_step(agent, "after_step", number)
    }

    fn around_step(
        self: &Arc<Self>,
        agent: &mut Conversation,
        name: &str,
        number: u64,
    ) -> Result<Option<End>, Failure> {
        if agent.has_passed(name) {
            return Ok(None);
        }
        let mut more = Map::new();
        more.insert("turn_number".to_owned(), number.into());
        let step = self.thread_event(agent, name, more)?;
        let end = self.step_end(&step);
        self.waits_at(agent, name, end.as_ref())?;
        Ok(end)
    }

    /// If an agent waits, the wait is over when it is resumed: the event does not recur. A thread
    /// that a hook has started and that waits itself is another matter: its result is still needed.
    pub(super) fn waits_at(
        &self,
        agent: &mut Conversation,
        event: &str,
        end: Option<&End>,
    ) -> Result<(), Failure> {
        let is_own = !self.state().child_waits;
        if matches!(end, Some(End::Waiting(_))) && is_own {
            self.record(agent, Step::Waiting { limit: event.to_owned() })?;
        }
        Ok(())
    }

    /// The hooks after a step whose calls are done. They are called again if the session is left
    /// meanwhile.
    fn end_step(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let end = self.after_step(agent)?;
        if end.is_none() && self.has_hooks.has(Family::Thread, "after_step") {
            self.record(agent, Step::HooksEnded {})?;
        }
        if end.is_none() {
            agent.owes_step_end = false;
        }
        Ok(end)
    }

    /// The hooks of `Stop` or `SubagentStop`: they let the agent stop, or send it on.
    fn stop(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        if self.wait_for_background(agent)? {
            return Ok(None);
        }
        let name = if agent.caller.agent_id.is_some() { "SubagentStop" } else { "Stop" };
        let members = json!({"stop_hook_active": agent.continued > 0,
            "last_assistant_message": agent.last_text});
        let verdict = self.fire(&agent.caller, name, members);
        if let Some(why) = verdict.stop {
            self.record(agent, Step::Finished { subtype: "stopped".to_owned() })?;
            return Ok(Some(End::Stopped(why)));
        }
        if verdict.permission >= Some(Permission::Ask) {
            if agent.continued < CONTINUES {
                let reason = verdict.refusal(name).unwrap_or_default();
                self.record(agent, Step::Continue { text: reason })?;
                return Ok(None);
            }
            let text =
                format!("{name} hooks prevented the agent from stopping {CONTINUES} times: it stops now");
            self.output.event(&agent.caller.origin(), &Event::Notice(text));
        }
        if let Some(end) = self.after_step(agent)? {
            return Ok(Some(end));
        }
        self.record(agent, Step::Finished { subtype: "success".to_owned() })?;
        Ok(Some(End::Done(agent.last_text.clone())))
    }

    /// The end, if a limit is reached and the policy does not raise it.
    fn check_limits(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let (tokens, raised_tokens, raised_budget) = {
            let state = self.state();
            (state.usage.total(), state.raised_tokens, state.raised_budget)
        };
        let turns = agent.turn - agent.turn_of_prompt;
        let limits = self.limits;
        let most_tokens = limits.tokens.map(|most| most.saturating_mul(raised_tokens + 1));
        let most_budget = limits.budget.map(|most| most * (raised_budget + 1) as f64);
        let reached = match (limits.turns, most_tokens, most_budget, self.cost()) {
            (Some(most), ..) if turns >= most => {
                Some(("turns_exceeded", "error_max_turns", json!(turns), json!(most)))
            }
            (_, Some(most), ..) if tokens >= most => {
                Some(("tokens_exceeded", "error_max_tokens", json!(tokens), json!(most)))
            }
            (_, _, Some(most), Some(cost)) if cost >= most => {
                Some(("spend_exceeded", "error_max_budget_usd", json!(cost), json!(most)))
            }
            _ => None,
        };
        let Some((code, subtype, value, most)) = reached else { return Ok(None) };
        let text = format!("{code}: {value} of {most}");
        let members = json!({"limit_code": code, "limit_value": value, "limit_max": most});
        let step = match members {
            Value::Object(members) => self.thread_event(agent, "limit", members)?,
            _ => Next::NoOpinion,
        };
        match step {
            Next::Continue => self.raise(agent, code).map(|()| None),
            step => {
                let end = self.step_end(&step).unwrap_or(End::Limit(subtype, text));
                self.waits_at(agent, code, Some(&end))?;
                Ok(Some(end))
            }
        }
    }

    /// Raises a limit by itself.
    pub(super) fn raise(&self, agent: &mut Conversation, limit: &str) -> Result<(), Failure> {
        self.state().raise(limit);
        self.record(agent, Step::Raised { limit: limit.to_owned() })
    }

    /// The tools as the model sees them.
    pub(super) fn tool_specs(&self) -> Vec<ToolSpec> {
        let specs = self.tools.iter().map(|tool| tool.spec());
        specs.chain([super::subagent::spec(), super::skills::spec()]).collect()
    }
}
