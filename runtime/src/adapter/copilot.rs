//! Copilot CLI: `permissionDecision` for tools, `behavior` for requests, `decision` for prompts and
//! at the end of a turn; `modifiedResult` changes or hides a tool's result. An event in its own
//! format (camelCase) has no name: its members determine its type, unless the caller specifies it.
//! <https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference>

use hookc_schema::agents::Id;
use serde_json::{Value, json};

use super::object::Object;
use super::{Adapter, Answer, Incoming, capped, joined, put};
use crate::verdict::{Permission, Verdict};

/// The adapter of Copilot CLI.
#[derive(Debug)]
pub(super) struct Copilot;

impl Adapter for Copilot {
    fn id(&self) -> Id {
        Id::Copilot
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let name = incoming.name.as_str();
        let verdict = incoming.limited(verdict);
        let mut object = Object::default();
        match (name, verdict.permission) {
            ("PreToolUse", permission) => {
                let word = permission.map(|permission| Value::from(super::claude::word(permission)));
                put(&mut object, "permissionDecision", word);
                let reason = joined(&verdict.reasons).filter(|_| permission.is_some());
                put(&mut object, "permissionDecisionReason", reason);
                let args = verdict.change.as_ref().map(|change| incoming.changed_json(change));
                put(&mut object, "modifiedArgs", args);
            }
            ("PermissionRequest", Some(permission)) => {
                put(&mut object, "behavior", Value::from(super::claude::word(permission)));
                put(
                    &mut object,
                    "message",
                    joined(&verdict.reasons).filter(|_| permission == Permission::Deny),
                );
            }
            ("PostToolUse", Some(Permission::Deny)) => {
                // The tool has already run: the model reads the reason instead of the result.
                let text = joined(&verdict.reasons).unwrap_or_default();
                put(&mut object, "modifiedResult", json!({"resultType": "denied", "textResultForLlm": text}));
            }
            ("PostToolUse", _) => put(&mut object, "modifiedResult", verdict.output.as_ref().map(result)),
            ("UserPromptSubmit" | "Stop" | "SubagentStop", Some(Permission::Deny)) => {
                put(&mut object, "decision", Value::from("block"));
                put(&mut object, "reason", joined(&verdict.reasons));
            }
            _ => {}
        }
        // One event is about what the model reads, the other about what the user wrote.
        let member = match incoming.native.as_str() {
            "userPromptTransformed" => "modifiedTransformedPrompt",
            _ => "modifiedPrompt",
        };
        put(&mut object, member, verdict.prompt.clone().map(Value::from));
        put(&mut object, "additionalContext", joined(&verdict.contexts));
        Answer::json(object).with_messages(&verdict.messages)
    }

    /// Any status except 0 denies a tool call.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }

    /// At other events the agent ignores a failed hook, so the denial is also on standard output.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if !incoming.capabilities.can_deny() => Answer::status(1, reason),
            Some(incoming) => self.answer(incoming, &Verdict::deny(reason)),
            None => {
                let mut object = Object::default();
                put(&mut object, "permissionDecision", Value::from("deny"));
                put(&mut object, "permissionDecisionReason", Value::from(capped(reason)));
                put(&mut object, "behavior", Value::from("deny"));
                Answer { stdout: Answer::json(object).stdout, ..Answer::status(2, reason) }
            }
        }
    }
}

/// Another output of a tool as a result of this agent: other values become its text.
fn result(output: &Value) -> Value {
    if output.get("textResultForLlm").is_some() {
        return output.clone();
    }
    let text = output.as_str().map_or_else(|| output.to_string(), str::to_owned);
    json!({"resultType": "success", "textResultForLlm": text})
}
