//! Gemini CLI: `decision` and `reason` at the top. A new input is merged over the
//! old one as its documentation says and earlier versions do, or takes its place
//! as 0.61 does: a whole one is right for both.
//! <https://geminicli.com/docs/hooks/reference>

use hookc_schema::agents::{GEMINI_EVENTS, GEMINI_TOOLS, translated};
use serde_json::Value;

use super::members::Members;
use super::object::Object;
use super::{Adapter, Answer, Can, Incoming, event_of, native, put, rename, told, within};
use crate::event::EventError;
use crate::verdict::{Change, Permission, Verdict};

/// See the module.
#[derive(Debug)]
pub(super) struct Gemini;

impl Adapter for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        GEMINI_EVENTS
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let mut members = Members::read(&bytes)?;
        let native = native(&members, event, GEMINI_EVENTS)?;
        let name = translated(GEMINI_EVENTS, &native).to_owned();
        rename(&mut members, &native, &name);
        super::rename_tool(&mut members, GEMINI_TOOLS);
        let fields = super::fields::translate(&mut members)?;
        members.copy("prompt_response", "last_assistant_message");
        let (blocks, context) = (BLOCKS.contains(&native.as_str()), CONTEXT.contains(&native.as_str()));
        let incoming = Incoming { fields, ..Incoming::new(event_of(members.event()?, bytes), name, native) };
        Ok(super::answered(incoming, blocks, context))
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let tool = incoming.name == "PreToolUse";
        let changes = tool && verdict.change.as_ref().is_some_and(|change| keeps(incoming, change));
        let stops = !ADVISORY.contains(&incoming.native.as_str());
        // `ask` is read by late versions alone, and they wait for ever if nobody is there.
        let verdict = within(verdict, incoming, Can { changes, stops, ..Can::default() });
        let mut all = Object::default();
        if let Some(stop) = &verdict.stop {
            put(&mut all, "continue", Value::Bool(false));
            put(&mut all, "stopReason", told(std::slice::from_ref(stop)));
        }
        put(&mut all, "systemMessage", told(&verdict.messages));
        match verdict.permission {
            Some(Permission::Deny) => {
                put(&mut all, "decision", Value::from("deny"));
                put(&mut all, "reason", told(&verdict.reasons));
            }
            Some(Permission::Allow) => put(&mut all, "decision", Value::from("allow")),
            _ => {}
        }
        let mut specific = Object::default();
        put(&mut specific, "tool_input", verdict.change.as_ref().map(|change| incoming.changed_json(change)));
        put(&mut specific, "additionalContext", told(&verdict.contexts));
        if !specific.is_empty() {
            let mut named = Object::default();
            put(&mut named, "hookEventName", Value::from(incoming.native.as_str()));
            named.extend(specific);
            put(&mut all, "hookSpecificOutput", named);
        }
        Answer::json(all)
    }
}

/// Whether a change leaves every member of the tool's input where it is: one that is
/// left out stays in force, since the new input is merged over the old one.
fn keeps(incoming: &Incoming, change: &Change) -> bool {
    let own = |key: &&String| !super::fields::is_ours(&incoming.fields, key);
    let names = incoming.event.names_in("tool_input");
    let new = incoming.changed(change);
    let new = new.names();
    names.iter().filter(own).all(|key| new.contains(key.as_str()))
}

/// Events that a decision can refuse.
const BLOCKS: [&str; 6] =
    ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel"];

/// Events at which `continue: false` is not read.
const ADVISORY: [&str; 5] =
    ["SessionStart", "SessionEnd", "Notification", "PreCompress", "BeforeToolSelection"];

/// Events that take `additionalContext`.
const CONTEXT: [&str; 3] = ["AfterTool", "BeforeAgent", "SessionStart"];
