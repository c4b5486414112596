//! Conditions about the past in a hook: an `allow` because something has not happened (W0681), and a hook that fails open
//! where the history is unknown (N0682).

use hookc_base::action::Kind;
use hookc_schema::tree::{CondKind, CondPart, Hook, OnFailure, Right};
use hookc_schema::{Code, Diagnostic};

/// What a hook with conditions about the past should not leave open.
pub(crate) fn check(hook: &Hook) -> Vec<Diagnostic> {
    let Some(cond) = hook.condition.as_ref().filter(|_| hook.decides()) else { return Vec::new() };
    let allows = hook.action.known() == Some(Kind::Allow);
    let open = hook.on_failure.filter(|mode| mode.node == OnFailure::Open && !allows);
    if !allows && open.is_none() {
        return Vec::new();
    }
    let past: Vec<CondPart<'_>> = cond.whole().walk(|_| true).filter(is_past).collect();
    let absent =
        past.iter().find(|part| allows && part.negated && matches!(part.cond.kind, CondKind::Formerly(_)));
    let absent = absent.map(|part| {
        let what = "this allows because something has not happened";
        let new = Diagnostic::new(Code::W0681, part.cond.span, what).with_label("true if it was not seen");
        new.help("deny or ask if it has happened, and leave the rest to the agent")
    });
    let fails_open = open.filter(|_| !past.is_empty()).map(|open| {
        let what = "this hook lets events pass where the history is unknown";
        let new =
            Diagnostic::new(Code::N0682, open.span, what).with_label("also if its file is locked or damaged");
        new.help("to deny then, write `on_failure: closed`")
    });
    absent.into_iter().chain(fails_open).collect()
}

/// Whether a part is about the past.
fn is_past(part: &CondPart<'_>) -> bool {
    let right = part.leaf().and_then(|leaf| match &leaf.right {
        Right::Path(path) => path.recall(),
        Right::None | Right::Value(_) => None,
    });
    let is_value = right.is_some() || part.leaf().is_some_and(|leaf| leaf.path.recall().is_some());
    is_value || matches!(part.cond.kind, CondKind::Formerly(_))
}
