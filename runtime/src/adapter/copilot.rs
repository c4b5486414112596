//! Copilot CLI: `permissionDecision` for tools, `behavior` for requests, `decision`
//! for prompts and for an agent that stops; a tool's result is changed or hidden by
//! `modifiedResult`. In its own format (camelCase) an event is not named, so that its
//! type is told by its members unless the caller names it.
//! <https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference>

use hookc_schema::agents::{COPILOT_EVENTS, COPILOT_TOOLS, translated};
use serde_json::{Value, json};

use super::members::Members;
use super::object::Object;
use super::{Adapter, Answer, Can, Incoming, capped, failed, patch, put, rename, requested, told, within};
use crate::event::{Event, EventError};
use crate::verdict::{Permission, Verdict};

/// See the module.
#[derive(Debug)]
pub(super) struct Copilot;

/// Events that can be refused, in the vocabulary's names.
const BLOCKS: [&str; 6] =
    ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SubagentStop"];

/// Events that take `additionalContext`.
const CONTEXT: [&str; 7] = [
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
];

/// Members of the host's own format, and those of the vocabulary.
const MEMBERS: [(&str, &str); 15] = [
    ("sessionId", "session_id"),
    ("toolName", "tool_name"),
    ("toolArgs", "tool_input"),
    ("toolInput", "tool_input"),
    ("permissionSuggestions", "permission_suggestions"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("transcriptPath", "transcript_path"),
    ("agentId", "agent_id"),
    ("agentType", "agent_type"),
    ("agentName", "agent_type"),
    ("agent_name", "agent_type"),
    ("customInstructions", "custom_instructions"),
    ("response", "last_assistant_message"),
    ("stopReason", "stop_reason"),
];

/// Which members tell which event: the first whose members are all there.
const TELLING: [(&[&str], &str); 13] = [
    (&["toolResult"], "postToolUse"),
    (&["errorContext"], "errorOccurred"),
    (&["toolName", "error"], "postToolUseFailure"),
    (&["toolName", "toolInput"], "permissionRequest"),
    (&["toolName"], "preToolUse"),
    (&["transformedPrompt"], "userPromptTransformed"),
    (&["prompt"], "userPromptSubmitted"),
    (&["trigger"], "preCompact"),
    (&["source"], "sessionStart"),
    (&["reason"], "sessionEnd"),
    (&["agentName", "stopReason"], "subagentStop"),
    (&["agentName"], "subagentStart"),
    (&["stopReason"], "agentStop"),
];

impl Adapter for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        COPILOT_EVENTS
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let mut members = Members::read(&bytes)?;
        let native = native(&members, event)?.ok_or_else(|| failed("the event does not contain its type"))?;
        let name = translated(COPILOT_EVENTS, &native).to_owned();
        rename(&mut members, &native, &name);
        for (own, member) in MEMBERS {
            members.copy(own, member);
        }
        super::parse_input(&mut members)?;
        super::rename_tool(&mut members, COPILOT_TOOLS);
        let patch = patch::changes(&members, &["input", "patch", "command"])?;
        let fields =
            if patch.is_empty() { super::fields::translate(&mut members)? } else { patch::FIELDS.to_vec() };
        let (blocks, context) = (BLOCKS.contains(&name.as_str()), CONTEXT.contains(&name.as_str()));
        let made = patch::events(members, patch)?;
        let (event, others) = made.unwrap_or_else(|| (Event::oversized(bytes), Vec::new()));
        let incoming = Incoming { others, fields, ..Incoming::new(event, name, native) };
        Ok(super::answered(incoming, blocks, context))
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let name = incoming.name.as_str();
        let verdict = requested(verdict, incoming);
        let (tool, prompts) = (name == "PreToolUse", name == "UserPromptSubmit");
        let can =
            Can { asks: tool, changes: tool, prompts, outputs: name == "PostToolUse", ..Can::default() };
        let verdict = within(&verdict, incoming, can);
        let mut all = Object::default();
        match (name, verdict.permission) {
            ("PreToolUse", permission) => {
                let word = permission.map(|permission| Value::from(super::claude::word(permission)));
                put(&mut all, "permissionDecision", word);
                let reason = told(&verdict.reasons).filter(|_| permission.is_some());
                put(&mut all, "permissionDecisionReason", reason);
                let args = verdict.change.as_ref().map(|change| incoming.changed_json(change));
                put(&mut all, "modifiedArgs", args);
            }
            ("PermissionRequest", Some(permission)) => {
                put(&mut all, "behavior", Value::from(super::claude::word(permission)));
                put(&mut all, "message", told(&verdict.reasons).filter(|_| permission == Permission::Deny));
            }
            ("PostToolUse", Some(Permission::Deny)) => {
                // There is no refusing what has happened; the model reads the reason in its place.
                let text = told(&verdict.reasons).unwrap_or_default();
                put(&mut all, "modifiedResult", json!({"resultType": "denied", "textResultForLlm": text}));
            }
            ("PostToolUse", _) => put(&mut all, "modifiedResult", verdict.output.as_ref().map(result)),
            ("UserPromptSubmit" | "Stop" | "SubagentStop", Some(Permission::Deny)) => {
                put(&mut all, "decision", Value::from("block"));
                put(&mut all, "reason", told(&verdict.reasons));
            }
            _ => {}
        }
        put(&mut all, "modifiedPrompt", verdict.prompt.clone().map(Value::from));
        put(&mut all, "additionalContext", told(&verdict.contexts));
        super::with_messages(Answer::json(all), &verdict)
    }

    /// Any status but 0 refuses a tool here.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }

    /// A failure of a hook is passed over at other events, so that the refusal stands on
    /// standard output too.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if !incoming.answers.can_refuse() => Answer::status(1, reason),
            Some(incoming) => self.answer(incoming, &Verdict::deny(reason)),
            None => {
                let mut all = Object::default();
                put(&mut all, "permissionDecision", Value::from("deny"));
                put(&mut all, "permissionDecisionReason", Value::from(capped(reason)));
                put(&mut all, "behavior", Value::from("deny"));
                Answer { stdout: Answer::json(all).stdout, ..Answer::status(2, reason) }
            }
        }
    }
}

/// Another output of a tool as a result of this host: one that is none yet is its text.
fn result(output: &Value) -> Value {
    if output.get("textResultForLlm").is_some() {
        return output.clone();
    }
    let text = output.as_str().map_or_else(|| output.to_string(), str::to_owned);
    json!({"resultType": "success", "textResultForLlm": text})
}

fn native(members: &Members<'_>, event: Option<&str>) -> Result<Option<String>, EventError> {
    let stated =
        || ["hook_event_name", "hookEventName", "hookName"].iter().find_map(|name| members.text(name));
    let all = |(telling, _): &&(&[&str], _)| telling.iter().all(|member| members.has(member));
    let told = || TELLING.iter().find(all).map(|(_, name)| (*name).to_owned());
    Ok(super::named(stated(), event, COPILOT_EVENTS)?.or_else(told))
}
