//! The Local agent of VS Code: it supports some of the answers of Claude Code. A denial at the end of a turn is
//! also in `hookSpecificOutput`, and a prompt is denied by stopping the agent.
//! <https://code.visualstudio.com/docs/agents/reference/hooks-reference>

use hookc_schema::agents::Id;
use serde_json::{Map, Value};

use super::{Adapter, Answer, Incoming, claude, joined};
use crate::verdict::{Permission, Verdict};

/// The adapter of VS Code.
#[derive(Debug)]
pub(super) struct Vscode;

impl Adapter for Vscode {
    fn id(&self) -> Id {
        Id::Vscode
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let mut verdict = incoming.limited(verdict);
        (verdict.more, verdict.decision, verdict.terminal) = (Map::new(), Map::new(), None);
        if verdict.permission == Some(Permission::Deny) {
            match incoming.name.as_str() {
                "UserPromptSubmit" => {
                    verdict.stop = verdict.stop.take().or_else(|| verdict.reason());
                    verdict.permission = None;
                }
                "Stop" => {
                    verdict.more.insert("decision".to_owned(), Value::from("block"));
                    let reason = joined(&verdict.reasons).unwrap_or_default();
                    verdict.more.insert("reason".to_owned(), reason);
                }
                _ => {}
            }
        }
        claude::answer(incoming, &verdict)
    }
}
