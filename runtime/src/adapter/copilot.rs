//! Copilot CLI: `permissionDecision` for tools, `behavior` for requests, `decision`
//! for an agent that stops. In its own format (camelCase) an event is not named,
//! so that its type is told by its members unless the caller names it.
//! <https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference>

use serde_json::{Map, Value};

use super::names::{self, COPILOT_EVENTS, COPILOT_TOOLS};
use super::{
    Adapter, Answer, Can, Incoming, capped, failed, object, put, rename, requested, stopped, told, within,
};
use crate::event::Event;
use crate::host::HostError;
use crate::opinion::{Opinion, Permission};

/// See the module.
#[derive(Debug)]
pub(super) struct Copilot;

/// Events that can be refused, in the vocabulary's names.
const BLOCKS: [&str; 4] = ["PreToolUse", "PermissionRequest", "Stop", "SubagentStop"];

/// Events that take `additionalContext`.
const CONTEXT: [&str; 4] = ["SessionStart", "SubagentStart", "Notification", "PostToolUseFailure"];

/// Members of the host's own format, and those of the vocabulary.
const MEMBERS: [(&str, &str); 9] = [
    ("sessionId", "session_id"),
    ("toolName", "tool_name"),
    ("toolArgs", "tool_input"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("transcriptPath", "transcript_path"),
    ("agentName", "agent_type"),
    ("agent_name", "agent_type"),
    ("customInstructions", "custom_instructions"),
];

/// Which member tells which event, the first that is there; `toolResult` before
/// `toolName`, which more events have.
const TELLING: [(&str, &str); 9] = [
    ("toolResult", "postToolUse"),
    ("errorContext", "errorOccurred"),
    ("toolName", "preToolUse"),
    ("prompt", "userPromptSubmitted"),
    ("trigger", "preCompact"),
    ("source", "sessionStart"),
    ("reason", "sessionEnd"),
    ("agentDescription", "subagentStart"),
    ("stopReason", "agentStop"),
];

impl Adapter for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        COPILOT_EVENTS
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
        let mut object = object(&bytes)?;
        let native = native(&object, event).ok_or_else(|| failed("nothing in the event tells its type"))?;
        let name = names::of(COPILOT_EVENTS, &native).to_owned();
        rename(&mut object, &native, &name);
        for (own, member) in MEMBERS {
            if let Some(value) = object.get(own).cloned() {
                object.entry(member).or_insert(value);
            }
        }
        super::parse_input(&mut object)?;
        super::rename_tool(&mut object, COPILOT_TOOLS);
        let blocks: &[&str] = if BLOCKS.contains(&name.as_str()) { &[&native] } else { &[] };
        Ok(super::refusable(Incoming::new(Event::of(Value::Object(object)), name, native.clone()), blocks))
    }

    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer {
        let name = incoming.name.as_str();
        let mut opinion = requested(opinion, incoming);
        if matches!(name, "PreToolUse" | "PermissionRequest") {
            opinion = stopped(opinion);
        }
        let tool = name == "PreToolUse";
        let opinion = within(&opinion, incoming, Can { asks: tool, changes: tool, ..Can::default() });
        let mut all = Map::new();
        match (name, opinion.permission) {
            ("PreToolUse", permission) => {
                let word = permission.map(|permission| Value::from(super::claude::word(permission)));
                put(&mut all, "permissionDecision", word);
                let reason = told(&opinion.reasons).filter(|_| permission.is_some());
                put(&mut all, "permissionDecisionReason", reason);
                let args = opinion.change.as_ref().map(|change| Value::Object(incoming.changed(change)));
                put(&mut all, "modifiedArgs", args);
            }
            ("PermissionRequest", Some(permission)) => {
                put(&mut all, "behavior", Value::from(super::claude::word(permission)));
                put(&mut all, "message", told(&opinion.reasons).filter(|_| permission == Permission::Deny));
            }
            ("Stop" | "SubagentStop", Some(Permission::Deny)) => {
                put(&mut all, "decision", Value::from("block"));
                put(&mut all, "reason", told(&opinion.reasons));
            }
            _ => {}
        }
        if CONTEXT.contains(&name) {
            put(&mut all, "additionalContext", told(&opinion.contexts));
        }
        super::with_messages(Answer::json(all), &opinion)
    }

    /// Any status but 0 refuses a tool here.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }

    /// A failure of a hook is passed over at other events, so that the refusal stands on
    /// standard output too.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if !incoming.answers.can_refuse() => Answer::status(1, reason),
            Some(incoming) => self.answer(incoming, &Opinion::deny(reason)),
            None => {
                let mut all = Map::new();
                put(&mut all, "permissionDecision", Value::from("deny"));
                put(&mut all, "permissionDecisionReason", Value::from(capped(reason)));
                put(&mut all, "behavior", Value::from("deny"));
                Answer { stdout: Answer::json(all).stdout, ..Answer::status(2, reason) }
            }
        }
    }
}

fn native(object: &Map<String, Value>, event: Option<&str>) -> Option<String> {
    let stated = || ["hook_event_name", "hookEventName"].iter().find_map(|name| object.get(*name)?.as_str());
    let told = || TELLING.iter().find(|(member, _)| object.contains_key(*member)).map(|(_, name)| *name);
    event.or_else(stated).or_else(told).map(str::to_owned)
}
