//! The hooks of a decision, as a test sees them.

use hookc_base::action::Kind;
use hookc_history::{Record, Verdict};
use hookc_schema::agents::Agent;
use hookc_schema::dialect::test;
use hookc_schema::tree::{OnError, OnFailure};
use hookc_vm::{Decision, MatchedHook, PartitionTag};

use super::verdict as expected;
use crate::check::hosts;
use crate::link::{LinkedEvent, LinkedHook};

/// The deciding hooks alone.
pub(super) struct Observed {
    pub(super) event: String,
    /// The event type's position among the linked ones.
    pub(super) linked: Option<usize>,
    pub(super) hooks: Vec<ObservedHook>,
    pub(super) reported: Vec<ObservedHook>,
    /// The hooks whose condition is unknown.
    pub(super) unknown: Vec<ObservedHook>,
    /// What the event adds to the histories.
    pub(super) records: Vec<(PartitionTag, Record)>,
}

impl Observed {
    /// The verdict of the hooks, as it is recorded.
    pub(super) fn recorded(&self) -> Verdict {
        strictest(self.hooks.iter().map(|hook| hook.recorded))
    }
}

/// A hook that matched.
pub(super) struct ObservedHook {
    pub(super) label: String,
    pub(super) rank: u32,
    /// Its rendered action, or why it cannot be rendered.
    pub(super) action: Result<String, String>,
    /// What the agent does after the action.
    pub(super) verdict: Option<test::Verdict>,
    /// What is recorded of it.
    pub(super) recorded: Verdict,
    /// Whether the agent changes the input.
    pub(super) changes_input: bool,
}

impl ObservedHook {
    /// A hook of the event type `linked` that decides, at an agent or at any.
    pub(super) fn deciding(
        hook: &MatchedHook<'_>,
        linked: Option<&LinkedEvent>,
        host: Option<&'static Agent>,
    ) -> Self {
        let mut action = String::new();
        let action = hook.render(&mut action).map(|()| action).map_err(|error| error.to_string());
        let kind = hook.kind();
        let (verdict, changes_input) = match (host, linked) {
            (Some(host), Some(linked)) => {
                let event = linked.name.as_str();
                let hook = usize::try_from(hook.rank()).ok().and_then(|rank| linked.hooks.get(rank));
                let verdict = hosts::verdict(host, event, kind, hook.is_some_and(fails_open));
                (verdict, kind == MODIFY && hosts::changes_input(host, event))
            }
            _ => (test::Verdict::of_action(kind), kind == MODIFY),
        };
        Self { action, verdict, recorded: recorded(kind), changes_input, ..Self::reported(hook) }
    }

    /// A hook of mode `warn` or `shadow`.
    pub(super) fn reported(hook: &MatchedHook<'_>) -> Self {
        let label = hook.label().map_or_else(|| format!("rank {}", hook.rank()), str::to_owned);
        let action = Ok(String::new());
        let (verdict, recorded) = (None, Verdict::None);
        Self { label, rank: hook.rank(), action, verdict, recorded, changes_input: false }
    }

    /// Its action; empty if it cannot be rendered.
    pub(super) fn rendered(&self) -> &str {
        self.action.as_deref().unwrap_or_default()
    }

    /// The reason of its action.
    pub(super) fn reason(&self) -> Option<String> {
        expected::member(self.rendered(), "reason")
    }
}

/// The kind of the action that changes the input of a tool.
const MODIFY: &str = "modify";

/// What an event adds to the histories.
pub(super) fn records(decision: &Decision<'_>) -> Vec<(PartitionTag, Record)> {
    let record = |tag: &PartitionTag| Some((*tag, decision.record(*tag)?));
    PartitionTag::ALL.iter().filter_map(record).collect()
}

/// What is recorded of an event about which these hooks decide.
pub(super) fn verdict(decision: &Decision<'_>) -> Verdict {
    strictest(decision.hooks().map(|hook| recorded(hook.kind())))
}

fn strictest(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let strength = |verdict: &Verdict| match verdict {
        Verdict::None => 0,
        Verdict::Allow => 1,
        Verdict::Ask => 2,
        Verdict::Deny => 3,
    };
    verdicts.max_by_key(strength).unwrap_or(Verdict::None)
}

/// What is recorded of an event about which an action decides.
fn recorded(kind: &str) -> Verdict {
    match Kind::parse(kind) {
        Some(Kind::Deny | Kind::Fail | Kind::Abort | Kind::Suspend) => Verdict::Deny,
        Some(Kind::Ask | Kind::Escalate) => Verdict::Ask,
        Some(Kind::Allow) => Verdict::Allow,
        _ => Verdict::None,
    }
}

/// Whether the event continues if the action of a hook fails.
fn fails_open(hook: &LinkedHook) -> bool {
    match (hook.on_failure, hook.on_error) {
        (Some(on), _) => on == OnFailure::Open,
        (None, Some(on)) => on == OnError::Skip,
        (None, None) => false,
    }
}
