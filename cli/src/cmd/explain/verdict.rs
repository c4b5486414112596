//! The last line of `explain`: what the agent gets.

use hookc_schema::dialect::test::Verdict;
use hookc_schema::terminal::escape;
use hookc_vm::Decision;
use serde_json::Value;

/// `=> ask: Run git push?`: the strictest action of the hooks that decide, with its reason; without a verdict, their
/// kinds of actions.
pub(super) fn line(decision: &Decision<'_>, styled: bool) -> String {
    let mut strictest: Option<(Verdict, String)> = None;
    let mut kinds: Vec<&str> = Vec::new();
    for hook in decision.hooks() {
        let Some(verdict) = Verdict::of_action(hook.kind()) else {
            if !kinds.contains(&hook.kind()) {
                kinds.push(hook.kind());
            }
            continue;
        };
        if strictest.as_ref().is_none_or(|(found, _)| *found < verdict) {
            let mut action = String::new();
            let reason = match hook.render(&mut action) {
                Ok(()) => reason(&action),
                Err(error) => format!("the reason cannot be made: {error}"),
            };
            strictest = Some((verdict, reason));
        }
    }
    let Some((verdict, reason)) = strictest else {
        let what = if kinds.is_empty() { "no opinion".to_owned() } else { kinds.join(", ") };
        return format!("=> {}\n", escape(&what));
    };
    let colour = match verdict {
        Verdict::Deny => 31,
        Verdict::Ask => 33,
        Verdict::Allow => 32,
    };
    let name = verdict.name();
    let name = if styled { format!("\u{1b}[{colour}m{name}\u{1b}[0m") } else { name.to_owned() };
    let reason = if reason.is_empty() { reason } else { format!(": {}", escape(&reason)) };
    format!("=> {name}{reason}\n")
}

/// The reason of a rendered action.
fn reason(action: &str) -> String {
    let action: Value = serde_json::from_str(action).unwrap_or_default();
    action.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned()
}
