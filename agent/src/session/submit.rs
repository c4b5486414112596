//! Prompts: what happens before the loop, and after it.

use std::sync::Arc;
use std::time::Instant;

use hookc_runtime::thread::Step as Next;
use hookc_runtime::verdict::{Permission, joined};
use serde_json::json;

use super::{Conversation, End, Session};
use crate::failure::Failure;
use crate::message::Block;
use crate::output::{Event, Summary};
use crate::store::Step;

impl Session {
    /// Reports the session, and fires the hooks of its start.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn start(self: &Arc<Self>, agent: &Conversation) -> Result<Option<End>, Failure> {
        let commands = self.skills.commands().map(|(trigger, _)| trigger.trim_start_matches('/').to_owned());
        let init = Event::Init {
            session_id: self.id.clone(),
            model: self.model.name().to_owned(),
            cwd: self.place.cwd.to_string_lossy().into_owned(),
            tools: self.tool_specs().into_iter().map(|tool| tool.name).collect(),
            commands: commands.collect(),
            permission_mode: self.permissions.mode.as_str().to_owned(),
        };
        self.output.event(&agent.caller.origin(), &init);
        let source = if self.state().is_started { "resume" } else { "startup" };
        let verdict =
            self.fire(&agent.caller, "SessionStart", json!({"source": source, "model": self.model.name()}));
        let mut contexts = self.state().start.take().unwrap_or_default();
        contexts.extend(verdict.contexts.iter().cloned());
        self.note(Step::SessionStarted { contexts: contexts.clone() })?;
        {
            let mut state = self.state();
            (state.is_started, state.start) = (true, Some(contexts));
        }
        self.restart_background()?;
        Ok(verdict.stop.map(End::Stopped))
    }

    /// Whether a saved conversation has something to do without another prompt.
    pub(crate) fn has_work(&self, agent: &Conversation) -> bool {
        agent.is_open() || !self.state().background.is_empty()
    }

    /// Continues a saved conversation to the end of its prompt.
    ///
    /// # Errors
    /// The state cannot be saved, or the output cannot be written.
    pub(crate) fn proceed(self: &Arc<Self>, agent: &mut Conversation) -> Result<End, Failure> {
        let start = Instant::now();
        let end = match self.resumed(agent)? {
            Some(end) => end,
            None => self.run(agent)?,
        };
        self.summarize_end(agent, &end, start);
        Ok(end)
    }

    /// What an agent waited for has happened, or it still waits.
    pub(super) fn resumed(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let step = self.thread_resumed(agent)?;
        if step == Next::Continue
            && let Some(limit) = agent.limit.clone()
        {
            self.raise(agent, &limit)?;
        }
        Ok(self.step_end(&step))
    }

    /// Submits a prompt and runs the loop until the model stops.
    ///
    /// # Errors
    /// The state cannot be saved, or the output cannot be written. How the conversation ended,
    /// also by an error of the model, is an [`End`].
    pub(crate) fn submit(self: &Arc<Self>, agent: &mut Conversation, prompt: &str) -> Result<End, Failure> {
        let start = Instant::now();
        let end = self.submitted(agent, prompt)?;
        if let End::Rejected(reason) = &end {
            self.output.event(&agent.caller.origin(), &Event::Rejected { reason: reason.clone() });
        }
        self.summarize_end(agent, &end, start);
        Ok(end)
    }

    fn submitted(self: &Arc<Self>, agent: &mut Conversation, prompt: &str) -> Result<End, Failure> {
        if prompt.split_whitespace().next() == Some("/help") {
            return Ok(End::Done(self.help()));
        }
        let skill = self.command(prompt);
        if skill.is_none()
            && let Some(unknown) = unknown_command(prompt)
        {
            return Ok(End::Rejected(format!("there is no command `{unknown}`; `/help` lists them")));
        }
        let content = match self.accepted(agent, prompt) {
            Ok(content) => content,
            Err(end) => return Ok(end),
        };
        if let Some(skill) = &skill {
            self.fire_skill(&agent.caller, skill, "pre_execute", json!({"message": prompt}));
        }
        self.record(agent, Step::Prompt { content })?;
        self.state().start = None;
        let end = self.run(agent)?;
        if let Some(skill) = &skill {
            match &end {
                End::Done(text) => {
                    self.fire_skill(
                        &agent.caller,
                        skill,
                        "post_execute",
                        json!({"message": prompt, "result": text}),
                    );
                }
                End::Failed(why) | End::Limit(_, why) => {
                    self.fire_skill(
                        &agent.caller,
                        skill,
                        "on_error",
                        json!({"message": prompt, "error": why}),
                    );
                }
                _ => {}
            }
        }
        Ok(end)
    }

    /// What enters the history for a prompt, unless a hook rejects it. A rejected prompt is
    /// stored neither in the history nor on disk.
    fn accepted(self: &Arc<Self>, agent: &Conversation, prompt: &str) -> Result<Vec<Block>, End> {
        let verdict = self.fire(&agent.caller, "UserPromptSubmit", json!({"prompt": prompt}));
        if let Some(why) = verdict.stop {
            return Err(End::Stopped(why));
        }
        if verdict.permission >= Some(Permission::Ask) {
            let reason = joined(&verdict.reasons).unwrap_or_else(|| "a hook rejected the prompt".to_owned());
            return Err(End::Rejected(reason));
        }
        let prompt = verdict.prompt.unwrap_or_else(|| prompt.to_owned());
        let control = self.prompt_submit(&agent.caller, &prompt).map_err(End::Rejected)?;
        let prompt = self.skills.prompt(&prompt).unwrap_or(prompt);
        let mut content: Vec<Block> = self.state().start.iter().flatten().map(Block::text).collect();
        content.push(Block::text(prompt));
        content.extend(verdict.contexts.iter().map(Block::text));
        content.extend(control.map(|control| Block::text(control.to_string())));
        Ok(content)
    }

    /// Reports an end that comes before any prompt.
    pub(crate) fn finish(&self, agent: &Conversation, end: End) -> End {
        self.summarize_end(agent, &end, Instant::now());
        end
    }

    /// The session ends.
    pub(crate) fn close(self: &Arc<Self>, agent: &Conversation, reason: &str) {
        self.session_stop(&agent.caller);
        self.fire(&agent.caller, "SessionEnd", json!({"reason": reason}));
        self.finish_handlers();
    }

    fn summarize_end(&self, agent: &Conversation, end: &End, start: Instant) {
        let cost = self.cost();
        let state = self.state();
        let content: Vec<Block> = match end {
            End::Done(text) => vec![Block::text(text)],
            _ => Vec::new(),
        };
        let summary = Summary {
            session_id: self.id.clone(),
            subtype: end.subtype().to_owned(),
            text: end.text().to_owned(),
            content,
            model: self.model.name().to_owned(),
            stop_reason: agent.stop_reason.clone(),
            usage: state.usage,
            turns: agent.turn,
            duration_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            model_ms: state.model_ms,
            cost,
            denials: state.denials.clone(),
        };
        drop(state);
        self.output.event(&agent.caller.origin(), &Event::Result(Box::new(summary)));
    }
}

/// The command that a message is, if it looks like one: `/name`, not a path.
fn unknown_command(prompt: &str) -> Option<&str> {
    let first = prompt.split_whitespace().next()?;
    let name = first.strip_prefix('/')?;
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'));
    is_name.then_some(first)
}
