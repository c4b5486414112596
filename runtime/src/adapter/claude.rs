//! Claude Code (2.1): grouped hooks, answered in JSON.
//!
//! The event passes through byte by byte, so that handlers read what the agent sent.
//! <https://code.claude.com/docs/en/hooks>

use hookc_schema::agents::{DenialStyle, Id};
use serde_json::Value;

use super::abilities::{Abilities, limited, without_question};
use super::object::Object;
use super::{Adapter, Answer, Incoming, Printed, cut, joined, put};
use crate::agent::WORKTREE;
use crate::event::Event;
use crate::verdict::{Permission, Verdict};

/// The adapter of Claude Code.
#[derive(Debug)]
pub(super) struct Claude;

impl Adapter for Claude {
    fn id(&self) -> Id {
        Id::Claude
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let mut verdict = without_question(verdict.clone(), incoming);
        verdict.output = verdict.output.map(|output| shaped(incoming, output));
        let mut can = Abilities::for_event(incoming);
        // The decision about a request contains its new input: without a decision, the input stays as it is.
        can.changes |= incoming.capabilities.denial == DenialStyle::Request
            && verdict.permission == Some(Permission::Allow);
        can.outputs &= verdict.output.as_ref().is_some_and(|output| takes(incoming, output));
        let mut verdict = limited(verdict, incoming, can);
        if !incoming.discards_messages() {
            return answer(incoming, &verdict);
        }
        // Where the agent discards them, a message is at least in its debug log.
        let messages = std::mem::take(&mut verdict.messages);
        answer(incoming, &verdict).with_messages(&messages)
    }

    /// No exit status denies a request for a permission, so the answer also has its decision. At other events the
    /// agent denies by the status.
    fn refuse_unread(&self, event: Option<&str>, sent: &[u8], reason: &str) -> Answer {
        let denied = self.refuse(None, reason);
        if !event.map_or_else(|| names_request(sent), |event| event == REQUEST) {
            return denied;
        }
        let request = Incoming::new(self.agent(), Event::new("{}"), REQUEST.to_owned(), REQUEST.to_owned());
        Answer { stdout: answer(&request, &Verdict::deny(reason)).stdout, ..denied }
    }
}

const REQUEST: &str = "PermissionRequest";

/// Whether the first name of an event in a text that cannot be read is that of a request for a permission. A tool's
/// input, which comes later, can have any text.
fn names_request(sent: &[u8]) -> bool {
    let sent = String::from_utf8_lossy(sent);
    let Some((_, rest)) = sent.split_once("\"hook_event_name\"") else { return false };
    let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
    value.is_some_and(|value| value.starts_with(&format!("\"{REQUEST}\"")))
}

/// Another output with the structure of the tool's own: text replaces the printed text of a
/// command.
fn shaped(incoming: &Incoming, output: Value) -> Value {
    let value = incoming.event.member("tool_response").ok().flatten();
    match (value, &output) {
        (Some(Value::Object(own)), Value::String(_)) if own.contains_key("stdout") => {
            let mut shaped = own;
            shaped.insert("stdout".to_owned(), output);
            shaped.insert("stderr".to_owned(), Value::from(""));
            Value::Object(shaped)
        }
        _ => output,
    }
}

/// Whether the agent accepts an output in place of the tool's: it silently ignores one of another
/// type.
fn takes(incoming: &Incoming, output: &Value) -> bool {
    let alike = |name: &str| match output {
        Value::Null => name == "null",
        Value::Bool(_) => name.starts_with(['t', 'f']),
        Value::Number(_) => name.starts_with(|first: char| first == '-' || first.is_ascii_digit()),
        Value::String(_) => name.starts_with('"'),
        Value::Array(_) => name.starts_with('['),
        Value::Object(_) => name.starts_with('{'),
    };
    incoming.event.raw("tool_response").is_none_or(alike)
}

/// The answer for a verdict that the event supports.
pub(super) fn answer(incoming: &Incoming, verdict: &Verdict) -> Answer {
    let denial = incoming.capabilities.denial;
    let denied = verdict.permission == Some(Permission::Deny);
    if incoming.name == "WorktreeCreate" && !denied {
        return worktree(verdict);
    }
    let mut members = Object::default();
    if let Some(stop) = &verdict.stop {
        put(&mut members, "continue", Value::Bool(false));
        put(&mut members, "stopReason", joined(std::slice::from_ref(stop)));
    }
    put(&mut members, "systemMessage", joined(&verdict.messages));
    put(&mut members, "terminalSequence", verdict.terminal.clone().map(Value::from));
    if denial == DenialStyle::Decision && denied {
        put(&mut members, "decision", Value::from("block"));
        put(&mut members, "reason", joined(&verdict.reasons));
    }
    let specific = specific(incoming, verdict);
    if !specific.is_empty() {
        let mut named = Object::default();
        put(&mut named, "hookEventName", Value::from(incoming.native.as_str()));
        named.extend(specific);
        put(&mut members, "hookSpecificOutput", named);
    }
    let answer = Answer::json(members);
    if denial == DenialStyle::Status && denied {
        // The agent reads the object in addition to the exit status.
        let denied = Answer::status(2, &verdict.reason().unwrap_or_default());
        return Answer { stdout: answer.stdout, ..denied };
    }
    answer
}

/// The hook creates the worktree instead of the agent, which reads the directory as plain text and
/// treats any other answer as a failure.
fn worktree(verdict: &Verdict) -> Answer {
    let path = verdict.more.get(WORKTREE).and_then(Value::as_str).filter(|path| !path.is_empty());
    let answer = match path {
        Some(path) => Answer { stdout: Printed::line(path.to_owned()), ..Answer::default() },
        None => Answer::status(1, "no hook created the worktree and printed its directory"),
    };
    answer.with_messages(&verdict.messages)
}

/// The members of `hookSpecificOutput` after the event's name.
fn specific(incoming: &Incoming, verdict: &Verdict) -> Object {
    let mut object = Object::default();
    let updated = || verdict.change.as_ref().map(|change| incoming.changed_json(change));
    match incoming.capabilities.denial {
        DenialStyle::Permission => {
            if let Some(permission) = verdict.permission {
                put(&mut object, "permissionDecision", Value::from(word(permission)));
                put(&mut object, "permissionDecisionReason", joined(&verdict.reasons));
            }
            put(&mut object, "updatedInput", updated());
        }
        DenialStyle::Request => {
            if let Some(permission) = verdict.permission {
                let mut decision = Object::default();
                put(&mut decision, "behavior", Value::from(word(permission)));
                put(&mut decision, "updatedInput", updated());
                let denied = permission == Permission::Deny;
                put(&mut decision, "message", joined(&verdict.reasons).filter(|_| denied));
                decision.fill(&verdict.decision, cut);
                put(&mut object, "decision", decision);
            }
        }
        DenialStyle::None | DenialStyle::Decision | DenialStyle::Status => {}
    }
    if incoming.capabilities.context {
        put(&mut object, "additionalContext", joined(&verdict.contexts));
    }
    put(&mut object, "updatedToolOutput", verdict.output.clone());
    object.fill(&verdict.more, cut);
    object
}

pub(super) fn word(permission: Permission) -> &'static str {
    match permission {
        Permission::Allow => "allow",
        Permission::Ask => "ask",
        Permission::Defer => "defer",
        Permission::Deny => "deny",
    }
}
