//! Several guards as one decision.

use hookc_vm::module::OnFailure;
use serde_json::Value;

use super::Turn;
use crate::effect::{Effect, Outcome};
use crate::opinion::{Opinion, Permission};

/// Whether an ability may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It may.
    Allowed,
    /// It may not.
    Denied {
        /// Why: the reasons of all that deny, in order.
        reason: String,
        /// Whether a human is to be shown the reason; without, the model plans
        /// around it.
        require_human: bool,
    },
}

/// Deny wins, and among denies the one that requires a human. A guard that
/// failed closed denies and requires one.
pub(super) fn combine(ability: &str, turn: &mut Turn) -> Guard {
    let (mut reasons, mut human, mut other) = (Vec::new(), false, Vec::new());
    for signal in &turn.signals {
        let text = |pointer: &str| signal.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (named, denies) = (text("/payload/ability_id"), text("/code") == "ABILITY_DENIED");
        if named != ability && denies {
            // A name that is spelled in another way must not make a refusal a yes.
            let reason = text("/payload/reason");
            reasons.push(format!("a guard denies `{named}` when asked about `{ability}`: {reason}"));
            human = true;
        } else if named != ability {
            other.push(format!("a guard speaks of `{named}`, not of `{ability}`"));
        } else if denies {
            reasons.push(text("/payload/reason").to_owned());
            human |= signal.pointer("/payload/require_human") == Some(&Value::Bool(true));
        }
    }
    turn.reports.extend(other);
    for effect in &turn.handled.effects {
        match &effect.outcome {
            Outcome::Failed(failure) if failure.falls == OnFailure::Closed => {
                reasons.push(format!("hook {} failed: {}", effect.hook.label, failure.why));
                human = true;
            }
            Outcome::Opinion(opinion) if opinion.permission >= Some(Permission::Ask) => {
                reasons
                    .push(opinion.reason().unwrap_or_else(|| format!("hook {} refuses", effect.hook.label)));
                human |= opinion.permission != Some(Permission::Deny);
            }
            _ => {}
        }
    }
    if reasons.is_empty() {
        return Guard::Allowed;
    }
    Guard::Denied { reason: reasons.join("\n"), require_human: human }
}

/// A refusal by a signal, as an opinion.
pub(super) fn spell_out(effect: &mut Effect) {
    let Outcome::Value(value) = &effect.outcome else { return };
    let signals = value.get("hook_signals").and_then(Value::as_array).into_iter().flatten();
    let denials = signals.filter(|signal| signal.get("code").is_some_and(|code| code == "ABILITY_DENIED"));
    let human = denials.map(|signal| signal.pointer("/payload/require_human") == Some(&Value::Bool(true)));
    let permission = human.max().map(|human| if human { Permission::Ask } else { Permission::Deny });
    if let Some(permission) = permission {
        effect.outcome = Outcome::Opinion(Box::new(Opinion::of(permission, None)));
    }
}
