//! The context window fills up: a summary replaces the beginning of the conversation.

use std::sync::Arc;

use hookc_runtime::thread::Step as Next;
use hookc_runtime::verdict::Permission;
use serde_json::{Map, json};

use super::{Conversation, End, Session};
use crate::failure::Failure;
use crate::output::Event;
use crate::store::Step;

/// From this part of the window on, the policies are asked before each request.
const PRESSURE: f64 = 0.5;

impl Session {
    /// Reports the pressure, and compacts the conversation if a policy wants it.
    pub(super) fn relieve(self: &Arc<Self>, agent: &mut Conversation) -> Result<Option<End>, Failure> {
        let (used, window) = (agent.context_tokens, self.limits.context_window);
        let ratio = used as f64 / window as f64;
        if ratio < PRESSURE || agent.has_passed("context_window_pressure") {
            return Ok(None);
        }
        let mut more = Map::new();
        more.insert("tokens_used".to_owned(), used.into());
        more.insert("max_tokens".to_owned(), window.into());
        more.insert("pressure_ratio".to_owned(), json!(ratio.min(1.0)));
        match self.thread_event(agent, "context_window_pressure", more)? {
            Next::Compact { summary, prune_before_turn } => {
                self.compact(agent, summary, prune_before_turn)?;
                Ok(None)
            }
            step => {
                let end = self.step_end(&step);
                self.waits_at(agent, "context_window_pressure", end.as_ref())?;
                Ok(end)
            }
        }
    }

    fn compact(
        self: &Arc<Self>,
        agent: &mut Conversation,
        summary: String,
        prune_before_turn: Option<i64>,
    ) -> Result<(), Failure> {
        let verdict = self.fire(&agent.caller, "PreCompact", json!({"trigger": "auto"}));
        if let Some(reason) = verdict.refusal("PreCompact") {
            let text = format!("the conversation is not compacted: {reason}");
            self.output.event(&agent.caller.origin(), &Event::Notice(text));
            return self.record_all(agent, self.compaction_done().into_iter().collect());
        }
        debug_assert!(verdict.permission < Some(Permission::Ask));
        let kept = prune_before_turn.map_or(agent.turn, |turn| u64::try_from(turn).unwrap_or(0));
        let first_kept = kept.min(agent.turn);
        let compacted = Step::Compacted { summary: summary.clone(), first_kept };
        let steps = std::iter::once(compacted).chain(self.compaction_done()).collect();
        self.record_all(agent, steps)?;
        let details = json!({"trigger": "auto", "compact_summary": summary});
        self.fire(&agent.caller, "PostCompact", details);
        Ok(())
    }
}
