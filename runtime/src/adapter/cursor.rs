//! Cursor: `permission` for tools, `continue` for prompts, a follow-up message at the end of a
//! turn. <https://cursor.com/docs/hooks>

use hookc_schema::agents::Id;
use serde_json::Value;

use super::abilities::{Abilities, limited};
use super::object::Object;
use super::{Adapter, Answer, Incoming, joined, put};
use crate::agent::is_stop;
use crate::verdict::{Permission, Verdict};

/// The adapter of Cursor.
#[derive(Debug)]
pub(super) struct Cursor;

impl Adapter for Cursor {
    fn id(&self) -> Id {
        Id::Cursor
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let verdict = limited(verdict, incoming, Abilities::of(incoming));
        let denied = verdict.permission == Some(Permission::Deny);
        let mut object = Object::default();
        match incoming.name.as_str() {
            "UserPromptSubmit" if denied => {
                put(&mut object, "continue", Value::Bool(false));
                put(&mut object, "user_message", joined(&reasons_and_messages(&verdict)));
            }
            name if is_stop(name) => {
                put(&mut object, "followup_message", joined(&verdict.reasons).filter(|_| denied));
            }
            "PreToolUse" | "SubagentStart" => permission(&mut object, incoming, &verdict),
            _ => {}
        }
        put(&mut object, "additional_context", joined(&verdict.contexts));
        let shown = object.has("user_message");
        let answer = Answer::json(object);
        if shown { answer } else { answer.with_messages(&verdict.messages) }
    }
}

fn permission(object: &mut Object, incoming: &Incoming, verdict: &Verdict) {
    if let Some(permission) = verdict.permission {
        put(object, "permission", Value::from(super::claude::word(permission)));
        let for_model = joined(&verdict.reasons).filter(|_| permission == Permission::Deny);
        put(object, "user_message", joined(&reasons_and_messages(verdict)));
        put(object, "agent_message", for_model);
    }
    let updated = verdict.change.as_ref().map(|change| incoming.changed_json(change));
    put(object, "updated_input", updated);
}

fn reasons_and_messages(verdict: &Verdict) -> Vec<String> {
    verdict.reasons.iter().chain(&verdict.messages).cloned().collect()
}
