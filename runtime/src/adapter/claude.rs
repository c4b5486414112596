//! Claude Code (2.1): grouped hooks, answered in JSON.
//!
//! The event passes through byte by byte, so that handlers read what the agent
//! sent. <https://code.claude.com/docs/en/hooks>

use serde_json::{Map, Value};

use super::{Adapter, Answer, Incoming, failed, native, object, put, told, within};
use crate::agent::Refusal;
use crate::event::Event;
use crate::host::HostError;
use crate::opinion::{Opinion, Permission};

/// See the module.
#[derive(Debug)]
pub(super) struct Claude;

impl Adapter for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
        incoming(bytes, event)
    }

    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer {
        let asks = incoming.answers.refusal == Refusal::Permission;
        let changes = asks || incoming.answers.refusal == Refusal::Request;
        answer(incoming, &within(&request(opinion, incoming), incoming, asks, changes))
    }
}

/// An event that is named as the vocabulary names it.
pub(super) fn incoming(bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
    let mut object = object(&bytes)?;
    let name = native(&object, event)?;
    if object.get("hook_event_name").and_then(Value::as_str) == Some(&name) {
        return Ok(Incoming::new(Event::new(bytes), name.clone(), name));
    }
    if object.contains_key("hook_event_name") {
        return Err(failed(format!("the event is not a `{name}`")));
    }
    object.insert("hook_event_name".to_owned(), name.as_str().into());
    Ok(Incoming::new(Event::of(Value::Object(object)), name.clone(), name))
}

/// Asking about a request for a permission is what the agent does anyway.
fn request(opinion: &Opinion, incoming: &Incoming) -> Opinion {
    let mut opinion = opinion.clone();
    let asked = matches!(opinion.permission, Some(Permission::Ask | Permission::Defer));
    if incoming.answers.refusal == Refusal::Request && asked {
        opinion.permission = None;
        opinion.reasons.clear();
    }
    opinion
}

/// The answer to an opinion that the event can be answered with.
pub(super) fn answer(incoming: &Incoming, opinion: &Opinion) -> Answer {
    let refusal = incoming.answers.refusal;
    if refusal == Refusal::Status && opinion.permission == Some(Permission::Deny) {
        return Answer::status(2, &opinion.reason().unwrap_or_else(|| "refused".to_owned()));
    }
    let mut all = Map::new();
    if let Some(stop) = &opinion.stop {
        put(&mut all, "continue", Value::Bool(false));
        put(&mut all, "stopReason", told(std::slice::from_ref(stop)));
    }
    put(&mut all, "systemMessage", told(&opinion.messages));
    if refusal == Refusal::Decision && opinion.permission == Some(Permission::Deny) {
        put(&mut all, "decision", Value::from("block"));
        put(&mut all, "reason", told(&opinion.reasons).unwrap_or_else(|| "refused by a hook".into()));
    }
    let specific = specific(incoming, opinion);
    if !specific.is_empty() {
        let mut named = Map::new();
        put(&mut named, "hookEventName", Value::from(incoming.native.as_str()));
        named.extend(specific);
        put(&mut all, "hookSpecificOutput", Value::Object(named));
    }
    Answer::json(all)
}

/// What stands in `hookSpecificOutput` beside the event's name.
fn specific(incoming: &Incoming, opinion: &Opinion) -> Map<String, Value> {
    let mut all = Map::new();
    let updated = opinion.change.as_ref().map(|change| Value::Object(incoming.changed(change)));
    match incoming.answers.refusal {
        Refusal::Permission => {
            if let Some(permission) = opinion.permission {
                put(&mut all, "permissionDecision", Value::from(word(permission)));
                put(&mut all, "permissionDecisionReason", told(&opinion.reasons));
            }
            put(&mut all, "updatedInput", updated);
        }
        Refusal::Request => {
            if let Some(permission) = opinion.permission {
                let mut decision = Map::new();
                put(&mut decision, "behavior", Value::from(word(permission)));
                put(&mut decision, "updatedInput", updated);
                let denied = permission == Permission::Deny;
                put(&mut decision, "message", told(&opinion.reasons).filter(|_| denied));
                put(&mut all, "decision", Value::Object(decision));
            }
        }
        Refusal::None | Refusal::Decision | Refusal::Status => {}
    }
    if incoming.answers.context {
        put(&mut all, "additionalContext", told(&opinion.contexts));
    }
    put(&mut all, "updatedToolOutput", opinion.output.clone().filter(|_| incoming.name == "PostToolUse"));
    all.extend(opinion.more.clone());
    all
}

pub(super) fn word(permission: Permission) -> &'static str {
    match permission {
        Permission::Allow => "allow",
        Permission::Ask => "ask",
        Permission::Defer => "defer",
        Permission::Deny => "deny",
    }
}
