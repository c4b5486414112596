//! Skills: their place in the system prompt, their commands, their tool, and their scripts.

use std::sync::Arc;

use hookc_base::Family;
use hookc_runtime::Event;
use hookc_runtime::action::Action;
use hookc_runtime::outcome::PendingAction;
use hookc_runtime::skill::Skill;
use serde::Deserialize;
use serde_json::{Value, json};

use super::hooks::members;
use super::{Caller, Session};
use crate::message::{ToolCall, ToolSpec};
use crate::tools;

/// The name of the tool.
pub(super) const NAME: &str = "Skill";

#[derive(Deserialize)]
struct Input {
    skill: String,
    args: Option<String>,
}

/// The tool as the model sees it.
pub(super) fn spec() -> ToolSpec {
    let properties = json!({
        "skill": {"type": "string", "description": "The name of the skill"},
        "args": {"type": "string", "description": "Its arguments"},
    });
    tools::spec(NAME, "Gives the instructions of a skill.", properties, &["skill"])
}

impl Session {
    /// Runs the scripts of a skill at an event. Scripts of other skills do not run.
    pub(super) fn fire_skill(self: &Arc<Self>, caller: &Caller, skill: &Skill, name: &str, more: Value) {
        if !self.has_hooks.has(Family::Skill, name) {
            return;
        }
        let mut object = members(json!({
            "session_id": self.id,
            "skill": skill.in_event(),
            "tools": self.tool_specs().iter().map(|tool| tool.name.clone()).collect::<Vec<_>>(),
            "config": {"model": self.model.name(), "project": self.project.to_string_lossy()},
        }));
        object.extend(members(more));
        let event = Event::from_value(Value::Object(object));
        let is_own = |pending: &PendingAction| match &pending.action {
            Ok(Action::Script(script)) => script.namespace.as_deref().is_none_or(|of| of == skill.name),
            _ => true,
        };
        self.fire_event(caller, (Family::Skill, name), &event, &is_own);
    }

    /// The tool `Skill`.
    pub(super) fn call_skill(self: &Arc<Self>, caller: &Caller, call: &ToolCall) -> Result<String, String> {
        let Input { skill: name, args } = tools::input(&call.input)?;
        let wanted = name.trim_start_matches('/');
        let found = self.skills.skills.iter().rev().find(|skill| {
            skill.name == wanted
                || skill.trigger.as_deref().is_some_and(|listed| listed.trim_start_matches('/') == wanted)
        });
        let Some(skill) = found else {
            let known: Vec<&str> = self.skills.skills.iter().map(|skill| skill.name.as_str()).collect();
            return Err(format!("there is no skill `{name}`; there are: {}", known.join(", ")));
        };
        self.fire_skill(caller, skill, "pre_execute", json!({"message": args}));
        let text = match args.filter(|args| !args.trim().is_empty()) {
            Some(args) => format!("{}\n\n{args}", skill.body.trim()),
            None => skill.body.trim().to_owned(),
        };
        self.fire_skill(caller, skill, "post_execute", json!({"result": text}));
        Ok(text)
    }

    /// The skill of a command, if a message is one.
    pub(super) fn command(&self, message: &str) -> Option<Skill> {
        self.skills.command(message).cloned()
    }

    /// The commands, as `/help` shows them.
    pub(super) fn help(&self) -> String {
        let mut lines = vec!["/help  Shows the commands.".to_owned()];
        for (trigger, skill) in self.skills.commands() {
            lines.push(format!("{trigger}  {}", skill.description.as_deref().unwrap_or_default()));
        }
        lines.join("\n")
    }
}
