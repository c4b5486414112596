//! Events of the thread vocabulary: errors, limits, pressure and steps. The policies decide; what
//! they have no opinion about, the agent's own defaults decide (`data/defaults.yaml`).

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use hookc_base::Family;
use hookc_runtime::Event;
use hookc_runtime::log::{Entry, rfc3339};
use hookc_runtime::outcome::PendingAction;
use hookc_runtime::thread::{State, Step as Next, Thread, ThreadError};
use serde_json::{Map, Value, json};

use super::host::SessionHost;
use super::{Conversation, Session};
use crate::failure::Failure;
use crate::store::Step;
use crate::{output, signals};

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map(|time| time.as_secs()).unwrap_or_default()
}

/// How long a question is open. If the clock is before the time when it was asked, or that time is
/// unknown, it is open too long: a clock that was set back does not extend an approval.
pub(crate) fn waited(since: Option<u64>, now: u64) -> Duration {
    let waited = since.and_then(|since| now.checked_sub(since));
    waited.map_or(Duration::MAX, Duration::from_secs)
}

impl Session {
    /// What the policies, and then the defaults, want at an event of a thread.
    pub(super) fn thread_event(
        self: &Arc<Self>,
        agent: &mut Conversation,
        name: &str,
        more: Map<String, Value>,
    ) -> Result<Next, Failure> {
        let is_own = self.has_hooks.has(Family::Thread, name);
        let default = matches!(name, "error" | "context_window_pressure");
        if !is_own && !default {
            return Ok(Next::NoOpinion);
        }
        let event = self.thread_event_of(agent, name, more);
        let mut step = Next::NoOpinion;
        if is_own {
            step = self.decide_thread(agent, name, &event, false)?;
        }
        let undecided = match step {
            Next::NoOpinion => true,
            Next::Continue => name == "error",
            _ => false,
        };
        if undecided && default { self.decide_thread(agent, name, &event, true) } else { Ok(step) }
    }

    /// The event: its own members are at the top and in `event`.
    fn thread_event_of(&self, agent: &Conversation, name: &str, more: Map<String, Value>) -> Event {
        let mut event = more.clone();
        event.extend(super::hooks::members(json!({
            "type": name,
            "timestamp": rfc3339(SystemTime::now()),
            "thread_id": self.id,
            "agent_id": agent.caller.agent_id,
        })));
        if let Some(extension) = &self.extension {
            event.extend(extension.event_members(&agent.caller));
        }
        let mut object = Map::new();
        object.insert("event".to_owned(), Value::Object(event));
        object.extend(more);
        object.insert("cost".to_owned(), self.cost_value(agent));
        object.insert("project_dir".to_owned(), self.project.to_string_lossy().into());
        Event::from_value(Value::Object(object))
    }

    /// The `cost` of an event.
    pub(super) fn cost_value(&self, agent: &Conversation) -> Value {
        let tokens = self.state().usage.total();
        json!({"spend": self.cost().unwrap_or_default(), "turns": agent.turn, "tokens": tokens})
    }

    fn decide_thread(
        self: &Arc<Self>,
        agent: &mut Conversation,
        name: &str,
        event: &Event,
        by_defaults: bool,
    ) -> Result<Next, Failure> {
        let (engine, returns, saved) = match by_defaults {
            true => (&self.defaults, &self.default_returns, &agent.default_state),
            false => (&self.engine, &self.returns, &agent.policy_state),
        };
        let mut thread = Thread::restore(engine, returns, state(saved.as_ref())?);
        if let Some(history) = self.history.as_ref().filter(|_| !by_defaults) {
            thread = thread.with_history(history.clone());
        }
        let before = thread.state().clone();
        let (host, start) =
            (SessionHost { session: self, caller: &agent.caller, conversation: Some(agent) }, Instant::now());
        let reply = match thread.on(event, &host) {
            Ok(reply) => reply,
            Err(ThreadError::Waiting) => return Ok(Next::Fail("the thread waits".to_owned())),
            Err(error) => return Ok(Next::Fail(format!("nothing can be decided about {name}: {error}"))),
        };
        let outcome = reply.to_event_outcome(name, engine.module().hash());
        self.write_log(&Entry::new("agent", event, Ok(&outcome), start.elapsed()));
        let labels = reply.effects.iter().map(|effect| effect.hook.label.as_str());
        let running = self.started(&agent.caller, name, labels);
        self.ended(&agent.caller, name, running, &reply.effects);
        for warning in PendingAction::warnings(&reply.reported) {
            self.output.event(&agent.caller.origin(), &output::Event::Notice(warning));
        }
        let new = thread.state().clone();
        let (threads, waits) = self.threads_called(agent.key());
        if signals::interrupted().is_some() {
            // What hooks were doing has no result: they are called again.
            return Ok(reply.step);
        }
        let mut steps = Vec::new();
        if new != before {
            steps.push(thread_step(agent, &new, by_defaults));
        }
        match &reply.step {
            // A summary is used when it replaces the conversation.
            Next::Compact { .. } => self.state().compacting = threads,
            _ if waits || threads.is_empty() => {}
            _ => {
                self.state().children_done(&threads);
                steps.push(Step::ChildrenDone { threads });
            }
        }
        self.record_all(agent, steps)?;
        Ok(reply.step)
    }

    /// A request succeeded: the counters of retries are reset.
    pub(super) fn thread_succeeded(&self, agent: &mut Conversation) -> Result<(), Failure> {
        let (mut policy, mut defaults) =
            (state(agent.policy_state.as_ref())?, state(agent.default_state.as_ref())?);
        if policy.retries.is_empty() && defaults.retries.is_empty() {
            return Ok(());
        }
        policy.retries.clear();
        defaults.retries.clear();
        let (policy, defaults) = (policy.to_json(), defaults.to_json());
        self.record(agent, Step::Thread { policy, defaults, since: agent.escalated })
    }

    /// What a resumed session waits for: its suspension ends, and the open escalation has an
    /// answer, has expired, or is asked again.
    pub(super) fn thread_resumed(&self, agent: &mut Conversation) -> Result<Next, Failure> {
        let mut thread = Thread::restore(&self.engine, &self.returns, state(agent.policy_state.as_ref())?);
        let before = thread.state().clone();
        let mut step = if thread.resume() { Next::Continue } else { Next::NoOpinion };
        if let Some(open) = before.escalation.clone() {
            let waited = waited(agent.escalated, now());
            let asked = || crate::permission::ask(&format!("{} asks for an approval.\nContinue?", open.hook));
            step = match thread.expire_escalation(waited) {
                Some(step) => step,
                None => match agent.answer.or_else(asked) {
                    Some(approved) => thread.answered(approved),
                    None => Next::Escalate(open),
                },
            };
        }
        let state = thread.state().clone();
        if state != before {
            let step = thread_step(agent, &state, false);
            self.record(agent, step)?;
        }
        Ok(step)
    }
}

/// The step that saves a state.
fn thread_step(agent: &Conversation, state: &State, by_defaults: bool) -> Step {
    let since = state.escalation.is_some().then(now);
    let value = state.to_json();
    let other = |saved: &Option<Value>| saved.clone().unwrap_or_else(|| State::default().to_json());
    let (policy, defaults) = match by_defaults {
        true => (other(&agent.policy_state), value),
        false => (value, other(&agent.default_state)),
    };
    Step::Thread { policy, defaults, since }
}

fn state(saved: Option<&Value>) -> Result<State, Failure> {
    let state = saved.map_or_else(|| Ok(State::default()), State::from_json);
    state.map_err(|error| Failure::usage(format!("the saved state of the thread is not valid: {error}")))
}
