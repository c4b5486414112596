//! Codex CLI: the events and answers of Claude Code, of which fewer count.
//!
//! `PreToolUse` takes `deny`, `additionalContext`, and an `allow` that comes with
//! `updatedInput`; `ask` and an `allow` alone are rejected, and a rejected answer
//! lets the call happen. A request for a permission takes no new input. Unknown
//! fields are rejected too, so none is passed through. <https://developers.openai.com/codex/hooks>

use serde_json::Map;

use super::{Adapter, Answer, Can, Incoming, claude, requested, stopped, within};
use crate::agent::Refusal;
use crate::host::HostError;
use crate::opinion::{Opinion, Permission};

/// See the module.
#[derive(Debug)]
pub(super) struct Codex;

impl Adapter for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
        claude::incoming(bytes, event)
    }

    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer {
        let refusal = incoming.answers.refusal;
        let mut opinion = requested(opinion, incoming);
        (opinion.more, opinion.decision) = (Map::new(), Map::new());
        let can = Can { changes: refusal == Refusal::Permission, ..Can::default() };
        let mut opinion = within(&opinion, incoming, can);
        if refusal == Refusal::Permission && opinion.permission != Some(Permission::Deny) {
            opinion.permission = opinion.change.as_ref().map(|_| Permission::Allow);
        }
        if matches!(refusal, Refusal::Permission | Refusal::Request) {
            // `continue: false` is not read here; a refusal is what comes next to it.
            opinion = stopped(opinion);
        }
        claude::answer(incoming, &opinion)
    }
}
