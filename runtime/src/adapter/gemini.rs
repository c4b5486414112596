//! Gemini CLI: `decision` and `reason` at the top. The documentation and earlier versions merge a
//! new input over the old one; version 0.61 replaces it. A complete input is right for both.
//! <https://geminicli.com/docs/hooks/reference>

use hookc_schema::agents::Id;
use serde_json::Value;

use super::abilities::{Abilities, limited};
use super::object::Object;
use super::{Adapter, Answer, Incoming, fields, joined, put};
use crate::verdict::{Change, Permission, Verdict};

/// The adapter of Gemini CLI.
#[derive(Debug)]
pub(super) struct Gemini;

impl Adapter for Gemini {
    fn id(&self) -> Id {
        Id::Gemini
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let mut can = Abilities::of(incoming);
        can.changes &= verdict.change.as_ref().is_some_and(|change| keeps_all_members(incoming, change));
        // Only recent versions read `ask`, and they wait forever if no user is present.
        let verdict = limited(verdict, incoming, can);
        let mut object = Object::default();
        if let Some(stop) = &verdict.stop {
            put(&mut object, "continue", Value::Bool(false));
            put(&mut object, "stopReason", joined(std::slice::from_ref(stop)));
        }
        put(&mut object, "systemMessage", joined(&verdict.messages));
        match verdict.permission {
            Some(Permission::Deny) => {
                put(&mut object, "decision", Value::from("deny"));
                put(&mut object, "reason", joined(&verdict.reasons));
            }
            Some(Permission::Allow) => put(&mut object, "decision", Value::from("allow")),
            _ => {}
        }
        let mut specific = Object::default();
        put(&mut specific, "tool_input", verdict.change.as_ref().map(|change| incoming.changed_json(change)));
        put(&mut specific, "additionalContext", joined(&verdict.contexts));
        if !specific.is_empty() {
            let mut named = Object::default();
            put(&mut named, "hookEventName", Value::from(incoming.native.as_str()));
            named.extend(specific);
            put(&mut object, "hookSpecificOutput", named);
        }
        Answer::json(object)
    }
}

/// Whether a change keeps every member of the tool's input: an omitted one stays in effect, because
/// the new input is merged over the old one.
fn keeps_all_members(incoming: &Incoming, change: &Change) -> bool {
    let is_own = |key: &&String| !fields::is_ours(&incoming.fields, key);
    let names = incoming.event.names_in("tool_input");
    let new = incoming.changed(change);
    let new = new.names();
    names.iter().filter(is_own).all(|key| new.contains(key.as_str()))
}
