//! Sub-agents: conversations of their own, with the policies, permissions and log of the session.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::calls::Called;
use super::{Caller, Conversation, End, Session};
use crate::failure::Failure;
use crate::message::{Block, ToolCall, ToolSpec};
use crate::signals;
use crate::store::Step;
use crate::tools;

/// The name of the tool.
pub(super) const NAME: &str = "Agent";

#[derive(Deserialize)]
struct Input {
    prompt: String,
    subagent_type: Option<String>,
    #[serde(default)]
    run_in_background: bool,
}

/// The tool as the model sees it.
pub(super) fn spec() -> ToolSpec {
    let properties = json!({
        "description": {"type": "string", "description": "The task in a few words"},
        "prompt": {"type": "string", "description": "The task"},
        "subagent_type": {"type": "string", "description": "The kind of the sub-agent"},
        "run_in_background": {"type": "boolean", "description": "Whether to continue without its result"},
    });
    tools::spec(NAME, "Starts a sub-agent with a task; gives its last answer.", properties, &["prompt"])
}

impl Session {
    /// The tool `Agent`. A call that was interrupted continues its sub-agent.
    pub(super) fn call_agent(self: &Arc<Self>, caller: &Caller, call: &ToolCall) -> Result<Called, Failure> {
        let input: Input = match tools::input(&call.input) {
            Ok(input) => input,
            Err(why) => return Ok(Ok(Err(why))),
        };
        if caller.depth >= self.limits.depth {
            return Ok(Ok(Err(format!("sub-agents are nested deeper than {} levels", self.limits.depth))));
        }
        let kind = input.subagent_type.as_deref().unwrap_or("general-purpose");
        let mut child = match self.left_child(&call.id) {
            Some(child) => child,
            None => self.new_agent(caller, kind, Some(&call.id), input.run_in_background, &input.prompt)?,
        };
        if input.run_in_background {
            let id = child.key().to_owned();
            self.spawn(child, input.prompt)?;
            return Ok(Ok(Ok(format!("{id} was started in the background; its result will follow"))));
        }
        let end = self.run_agent(&mut child, &input.prompt)?;
        Ok(match end {
            End::Done(text) => Ok(Ok(text)),
            // The call stays open: it continues when the session is resumed.
            End::Interrupted(_) | End::Waiting(_) => Err(end),
            other => Ok(Err(format!("the sub-agent ended without a result: {}", other.text()))),
        })
    }

    /// A new sub-agent.
    pub(super) fn new_agent(
        &self,
        parent: &Caller,
        kind: &str,
        tool_use_id: Option<&str>,
        background: bool,
        prompt: &str,
    ) -> Result<Conversation, Failure> {
        if parent.depth >= self.limits.depth {
            return Err(Failure::failed(format!(
                "sub-agents are nested deeper than {} levels",
                self.limits.depth
            )));
        }
        let number = {
            let mut state = self.state();
            state.agents += 1;
            state.agents
        };
        let caller = Caller {
            agent_id: Some(format!("agent-{number}")),
            agent_type: Some(kind.to_owned()),
            parent: parent.agent_id.clone(),
            depth: parent.depth + 1,
            tool_use_id: tool_use_id.map(str::to_owned),
        };
        let step = Step::Agent {
            kind: kind.to_owned(),
            depth: caller.depth,
            tool_use_id: caller.tool_use_id.clone(),
            parent: parent.agent_id.clone().unwrap_or_default(),
            background,
            prompt: prompt.to_owned(),
        };
        let mut child = Conversation { is_background: background, ..Conversation::new(caller) };
        self.record(&mut child, step)?;
        Ok(child)
    }

    /// The sub-agent that a call had started before the session was left.
    fn left_child(&self, tool_use_id: &str) -> Option<Conversation> {
        let mut state = self.state();
        let is_own =
            |(child, _): &&(Conversation, String)| child.caller.tool_use_id.as_deref() == Some(tool_use_id);
        let key = state.children.values().find(is_own)?.0.key().to_owned();
        state.children.remove(&key).map(|(child, _)| child)
    }

    /// Runs a sub-agent to its end, from its start or where it was left.
    pub(super) fn run_agent(
        self: &Arc<Self>,
        child: &mut Conversation,
        prompt: &str,
    ) -> Result<End, Failure> {
        if child.is_finished {
            return Ok(End::Done(child.last_text.clone()));
        }
        if child.history.is_empty() {
            let verdict = self.fire(&child.caller, "SubagentStart", json!({}));
            if let Some(why) = verdict.stop {
                return Ok(End::Stopped(why));
            }
            let contexts = verdict.contexts.iter().map(Block::text);
            let content = std::iter::once(Block::text(prompt)).chain(contexts).collect();
            self.record(child, Step::Prompt { content })?;
        } else if let Some(end) = self.resumed(child)? {
            return Ok(end);
        }
        self.run(child)
    }

    /// Starts a sub-agent in the background.
    fn spawn(self: &Arc<Self>, mut child: Conversation, prompt: String) -> Result<(), Failure> {
        let (session, id) = (Arc::clone(self), child.key().to_owned());
        let work = move || session.run_agent(&mut child, &prompt);
        let started: std::io::Result<JoinHandle<_>> =
            std::thread::Builder::new().name(id.clone()).spawn(work);
        let handle = started.map_err(|error| Failure::failed(format!("{id} cannot be started: {error}")))?;
        self.state().background.push((id, handle));
        Ok(())
    }

    /// Starts the sub-agents again that ran in the background when the session was left.
    pub(super) fn restart_background(self: &Arc<Self>) -> Result<(), Failure> {
        let left: Vec<(Conversation, String)> = {
            let mut state = self.state();
            let is_own = |child: &Conversation| child.is_background && !child.is_delivered;
            let keys: Vec<String> = state
                .children
                .iter()
                .filter(|(_, (child, _))| is_own(child))
                .map(|(key, _)| key.clone())
                .collect();
            keys.iter().filter_map(|key| state.children.remove(key)).collect()
        };
        left.into_iter().try_for_each(|(child, prompt)| self.spawn(child, prompt))
    }

    /// The session's own agent gets the results that are there.
    pub(super) fn deliver_background(&self, agent: &mut Conversation) -> Result<(), Failure> {
        while agent.caller.agent_id.is_none() {
            let done = {
                let mut state = self.state();
                let at = state.background.iter().position(|(_, handle)| handle.is_finished());
                at.map(|at| state.background.remove(at))
            };
            let Some((id, handle)) = done else { return Ok(()) };
            let result = match handle.join() {
                Ok(Ok(End::Done(text))) => text,
                Ok(Ok(other)) => format!("ended without a result: {}", other.text()),
                Ok(Err(failure)) => return Err(failure),
                Err(_) => "ended without a result: an error in the agent".to_owned(),
            };
            let text = format!("The result of {id}, which ran in the background:\n\n{result}");
            self.record(agent, Step::Note { text, from: Some(id) })?;
        }
        Ok(())
    }

    /// Before the session's own agent stops, it gets the results of the background. Whether there
    /// was one.
    pub(super) fn wait_for_background(&self, agent: &mut Conversation) -> Result<bool, Failure> {
        if agent.caller.agent_id.is_some() {
            return Ok(false);
        }
        let before = agent.history.len();
        while !self.state().background.is_empty() && agent.history.len() == before {
            if signals::interrupted().is_some() {
                return Ok(true);
            }
            std::thread::sleep(Duration::from_millis(10));
            self.deliver_background(agent)?;
        }
        Ok(agent.history.len() != before)
    }
}
