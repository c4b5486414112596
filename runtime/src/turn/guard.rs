//! Several guards as one decision.

use hookc_base::OnFailure;
use serde_json::Value;

use super::Turn;
use crate::outcome::{Effect, Outcome};
use crate::verdict::{Permission, joined};

/// Whether an ability may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guard {
    /// Allowed.
    Allowed,
    /// Denied.
    Denied {
        /// Why: the reasons of all that deny, in order.
        reason: String,
        /// Whether a human must see the reason; otherwise the model plans around it.
        require_human: bool,
    },
}

impl Guard {
    /// Whether the ability may be called. Nothing but [`Guard::Allowed`] allows it.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        *self == Self::Allowed
    }
}

/// A denial wins, and among denials one that requires a human. A guard that failed closed denies
/// and requires one.
pub(super) fn combine(ability: &str, turn: &mut Turn) -> Guard {
    let (mut reasons, mut human, mut other) = (Vec::new(), false, Vec::new());
    for signal in &turn.signals {
        let text = |pointer: &str| signal.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (named, denies) = (text("/payload/ability_id"), text("/code") == "ABILITY_DENIED");
        if named != ability && denies {
            // A misspelled name must not turn a denial into an approval.
            let reason = text("/payload/reason");
            reasons.push(format!("a guard denies `{named}` when asked about `{ability}`: {reason}"));
            human = true;
        } else if named != ability {
            other.push(format!("a guard decides about `{named}`, not about `{ability}`"));
        } else if denies {
            reasons.push(text("/payload/reason").to_owned());
            human |= signal.pointer("/payload/require_human") == Some(&Value::Bool(true));
        }
    }
    turn.reports.extend(other);
    let refusals = refusals(&turn.handled.effects);
    human |= turn.handled.effects.iter().any(wants_human);
    reasons.extend(refusals);
    if reasons.is_empty() {
        return Guard::Allowed;
    }
    Guard::Denied { reason: reasons.join("\n"), require_human: human }
}

/// Whether the turn after a prompt is ready.
pub(super) fn of_prompt(turn: &Turn) -> Guard {
    let effects = &turn.handled.effects;
    let refusals = refusals(effects);
    if refusals.is_empty() {
        return Guard::Allowed;
    }
    let reason = joined(&refusals).unwrap_or_default();
    Guard::Denied { reason, require_human: effects.iter().any(wants_human) }
}

/// Why the operation must not continue, apart from signals: hooks that failed closed, and those
/// that deny or ask.
pub(super) fn refusals(effects: &[Effect]) -> Vec<String> {
    let refusal = |effect: &Effect| {
        let label = &effect.hook.label;
        match &effect.outcome {
            Outcome::Failed(failure) if failure.failure_mode == OnFailure::Closed => {
                Some(format!("hook {label} failed: {}", failure.why))
            }
            Outcome::Verdict(verdict) => verdict.refusal(label),
            _ => None,
        }
    };
    effects.iter().filter_map(refusal).collect()
}

/// Every denial other than a plain `deny`.
fn wants_human(effect: &Effect) -> bool {
    match &effect.outcome {
        Outcome::Failed(failure) => failure.failure_mode == OnFailure::Closed,
        Outcome::Verdict(verdict) => {
            verdict.refusal("").is_some() && verdict.permission != Some(Permission::Deny)
        }
        _ => false,
    }
}
