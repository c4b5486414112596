//! Codex CLI: the events and answers of Claude Code, of which fewer count.
//!
//! `PreToolUse` takes `deny`, `additionalContext`, and an `allow` that comes with
//! `updatedInput`; `ask` and an `allow` alone are rejected, and a rejected answer
//! lets the call happen. A request for a permission takes no new input. Unknown
//! fields are rejected too, with all that stands beside them: none is passed through,
//! and a context stands where there is a place for it.
//! <https://developers.openai.com/codex/hooks>

use serde_json::Map;

use super::members::Members;
use super::{Adapter, Answer, Can, Incoming, claude, patch, requested, within};
use crate::agent::{Refusal, Statuses};
use crate::event::{Event, EventError};
use crate::verdict::{Permission, Verdict};

/// See the module.
#[derive(Debug)]
pub(super) struct Codex;

impl Adapter for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let mut incoming = claude::incoming(bytes, event)?;
        if incoming.event.text("tool_name").as_deref() == Some("apply_patch") {
            let members = Members::read(incoming.event.bytes())?;
            let files = patch::changes(&members, &["command"])?;
            if !files.is_empty() {
                let made = patch::events(members, files)?;
                let sent = || (Event::oversized(incoming.event.bytes().to_vec()), Vec::new());
                (incoming.event, incoming.others) = made.unwrap_or_else(sent);
                incoming.fields = patch::FIELDS.to_vec();
            }
        }
        if incoming.answers.can_refuse() {
            incoming.answers.status = Statuses::Two;
        }
        incoming.answers.context = CONTEXT.contains(&incoming.native.as_str());
        Ok(incoming)
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let refusal = incoming.answers.refusal;
        let mut verdict = requested(verdict, incoming);
        (verdict.more, verdict.decision) = (Map::new(), Map::new());
        let tool = matches!(refusal, Refusal::Permission | Refusal::Request);
        let can = Can { changes: refusal == Refusal::Permission, stops: !tool, ..Can::default() };
        let mut verdict = within(&verdict, incoming, can);
        if refusal == Refusal::Permission && verdict.permission != Some(Permission::Deny) {
            verdict.permission = verdict.change.as_ref().map(|_| Permission::Allow);
        }
        if incoming.name == "PreCompact" && verdict.permission == Some(Permission::Deny) {
            // It takes no decision, but can be stopped.
            verdict.stop = verdict.stop.take().or_else(|| verdict.reason());
            verdict.permission = None;
        }
        claude::answer(incoming, &verdict)
    }

    /// Exit status 2 is no refusal at every event and in every version: it is said.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if incoming.answers.can_refuse() => self.answer(incoming, &Verdict::deny(reason)),
            Some(_) => Answer::status(1, reason),
            None => Answer::status(2, reason),
        }
    }
}

/// Events that take `additionalContext`.
const CONTEXT: [&str; 5] = ["SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];
