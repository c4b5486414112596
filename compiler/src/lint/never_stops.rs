//! A hook that never lets the agent stop (W0645): a denial at its end, without a condition.

use hookc_schema::tree::{CondKind, Family, Hook};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

/// The events at which a denial continues the agent's work.
const ENDS: [&str; 2] = ["Stop", "SubagentStop"];

/// Checks a hook.
pub(super) fn check(hook: &Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    let always = hook.condition.as_ref().is_none_or(|cond| matches!(cond.kind, CondKind::Const(true)));
    if hook.action.kind.node != "deny" || !always || !hook.decides() {
        return;
    }
    let of_agent =
        |name: &str| vocabulary.event(hook.family, name).is_some_and(|event| event.family == Family::Agent);
    let ends = |event: &&Spanned<String>| ENDS.contains(&event.node.as_str()) && of_agent(&event.node);
    let Some(event) = hook.events.iter().find(ends) else { return };
    let what = format!("this denies every `{}`", event.node);
    let new = Diagnostic::new(Code::W0645, hook.action.kind.span, what).with_label("the agent never stops");
    let new = new.note("a denial at this event continues the work, at whose end the event comes again");
    out.push(new.help("add a condition that becomes false, such as `stop_hook_active == false`"));
}
