//! Codex CLI: some of the events and answers of Claude Code.
//!
//! `PreToolUse` accepts `deny`, `additionalContext`, and `allow` with `updatedInput`. `ask`, and
//! `allow` alone, are rejected, and after a rejected answer the call runs. A request for a
//! permission accepts no new input. An unknown field invalidates the whole answer, so none is
//! passed through, and context is sent only at events that support it.
//! <https://developers.openai.com/codex/hooks>

use hookc_schema::agents::{DenialStyle, Id};
use serde_json::Map;

use super::{Adapter, Answer, Incoming, claude};
use crate::verdict::{Permission, Verdict};

/// The adapter of Codex CLI.
#[derive(Debug)]
pub(super) struct Codex;

impl Adapter for Codex {
    fn id(&self) -> Id {
        Id::Codex
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let mut verdict = incoming.limited(verdict);
        (verdict.more, verdict.decision, verdict.terminal) = (Map::new(), Map::new(), None);
        let permission = incoming.capabilities.denial == DenialStyle::Permission;
        if permission && verdict.permission != Some(Permission::Deny) {
            verdict.permission = verdict.change.as_ref().map(|_| Permission::Allow);
        }
        if incoming.name == "PreCompact" && verdict.permission == Some(Permission::Deny) {
            // The event accepts no decision, but the agent can be stopped.
            verdict.stop = verdict.stop.take().or_else(|| verdict.reason());
            verdict.permission = None;
        }
        claude::answer(incoming, &verdict)
    }

    /// Exit status 2 does not deny at every event and in every version: the answer is JSON.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if incoming.capabilities.can_deny() => {
                self.answer(incoming, &Verdict::deny(reason))
            }
            Some(_) => Answer::status(1, reason),
            None => Answer::status(2, reason),
        }
    }
}
