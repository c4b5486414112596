//! `expect: deny`: the strictest action of the hooks that decide, as an agent takes it.

use hookc_schema::dialect::test::Verdict;
use hookc_schema::tree::Step;

use super::result::Failure;
use super::suite::ExpectedVerdict;
use crate::disasm::describe::short;
use crate::link::LinkedEvent;
use crate::lookup;

/// Compares the verdict of hooks, each with its label and its rendered action; `None` if it is the expected one.
pub(super) fn judge<'h>(
    expected: &ExpectedVerdict,
    hooks: impl Iterator<Item = (&'h str, &'h str)>,
) -> Option<Failure> {
    let hooks: Vec<(&str, &str, Option<Verdict>)> =
        hooks.map(|(label, action)| (label, action, of_action(action))).collect();
    let strictest = hooks.iter().filter_map(|(.., verdict)| *verdict).max();
    let wanted = expected.verdict.name();
    let Some(found) = strictest else {
        return Some(Failure::new(format!("expected the verdict `{wanted}`, but no hook has one")));
    };
    let from = || hooks.iter().filter(|(.., verdict)| *verdict == Some(found));
    let labels: Vec<String> = from().map(|(label, ..)| format!("`{label}`")).collect();
    if found != expected.verdict {
        let message =
            format!("expected the verdict `{wanted}`, but it is `{}` of {}", found.name(), labels.join(", "));
        return Some(Failure::new(message));
    }
    let text = expected.reason.as_ref()?;
    let reasons: Vec<String> = from().filter_map(|(_, action, _)| member(action, "reason")).collect();
    if reasons.iter().any(|reason| reason.contains(text)) {
        return None;
    }
    let found =
        if reasons.is_empty() { "missing".to_owned() } else { short(&format!("{:?}", reasons.join("\n"))) };
    Some(Failure::new(format!("expected a reason with {}, but it is {found}", short(&format!("{text:?}")))))
}

/// The hooks of an event type whose action is a verdict.
pub(super) fn hooks_with(verdict: Verdict, event: Option<&LinkedEvent>) -> Vec<&str> {
    let hooks = event.map_or(&[][..], |event| &event.hooks);
    let is_it = |kind: &str| Verdict::of_action(kind) == Some(verdict);
    hooks.iter().filter(|hook| is_it(&hook.action.kind)).map(|hook| hook.label.as_str()).collect()
}

/// The verdict of a rendered action.
pub(super) fn of_action(action: &str) -> Option<Verdict> {
    Verdict::of_action(&member(action, "type")?)
}

/// A string of a rendered action.
fn member(action: &str, name: &str) -> Option<String> {
    serde_json::from_str(&lookup::one(vec![Step::Name(name.to_owned())], action)?).ok()
}
