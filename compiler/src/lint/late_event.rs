//! Guards at events that come too late, or not for each use of a tool (W0675): an agent sends `PermissionRequest` only if it
//! would ask, and `PostToolUse` after the tool has run.

use std::collections::HashSet;

use hookc_base::action::Kind;
use hookc_schema::tree::{Cond, CondPart, Hook, Predicate, Step};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};

/// The event at which a guard sees each use of a tool.
const BEFORE: &str = "PreToolUse";

/// Reports the events of a hook that denies what a tool does, or asks about it, if none of its events sees each use.
pub(super) fn check(hook: &Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    let what = match hook.action.known().filter(|_| hook.enforces()) {
        Some(Kind::Deny) => "denial does not prevent",
        Some(Kind::Ask) => "question does not come before",
        _ => return,
    };
    let Some(cond) = hook.condition.as_ref() else { return };
    let names: HashSet<&str> = hook.events.iter().map(|event| event.node.as_str()).collect();
    if names.contains(BEFORE) || !is_only_about_tool(cond) {
        return;
    }
    for name in &hook.events {
        let event = vocabulary.event(hook.family, &name.node);
        if let Some(comes) = event.and_then(|event| event.comes.as_ref()) {
            let what = format!("this {what} each such action: `{}` comes {comes}", name.node);
            let new = Diagnostic::new(Code::W0675, name.span, what).with_label("at this event");
            out.push(new.help(format!("write `event: {BEFORE}`, which comes before each use of a tool")));
        }
    }
}

/// Whether a condition is about a tool or its input, and about nothing that comes later.
fn is_only_about_tool(cond: &Cond) -> bool {
    // The condition of a quantifier starts at its nodes.
    let fields = || cond.walk().filter(|part| !part.is_bound).filter_map(field);
    let is_early =
        |field: &str| matches!(field, "tool_input" | "tool_name" | "cwd" | "project_dir" | "permission_mode");
    let is_about_tool = |field: String| matches!(field.as_str(), "tool_input" | "tool_name");
    fields().any(is_about_tool) && fields().all(|field| is_early(&field))
}

/// The field of the event that a part reads, empty for several.
fn field(part: CondPart<'_>) -> Option<String> {
    match part.predicate() {
        Some(Predicate::Passed(_)) => return Some("tool_ok".to_owned()),
        Some(_) => return Some("tool_input".to_owned()),
        None => {}
    }
    let path = part.path()?;
    Some(match path.source().singular().as_deref().and_then(<[Step]>::first) {
        Some(Step::Name(name)) => name.clone(),
        _ if path.is_in("tool_input") => "tool_input".to_owned(),
        _ => String::new(),
    })
}
