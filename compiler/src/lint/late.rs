//! Guards at events that come too late, or not for each use of a tool (W0675): an agent sends `PermissionRequest` only if it
//! would ask, and `PostToolUse` after the tool has run.

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondKind, Hook, Mode, Predicate, Step};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};

/// The event of which a guard sees each use of a tool.
const BEFORE: &str = "PreToolUse";

/// Reports the events of a hook that denies what a tool does, if none of its events sees each use.
pub(super) fn check(hook: &Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    let decides = hook.mode.is_none_or(|mode| mode.node == Mode::Enforce);
    let Some(cond) = hook.condition.as_ref().filter(|_| decides && hook.action.kind.node == "deny") else {
        return;
    };
    let names: HashSet<&str> = hook.events.iter().map(|event| event.node.as_str()).collect();
    if names.contains(BEFORE) || !is_only_about_input(cond) {
        return;
    }
    for name in &hook.events {
        let event = vocabulary.event(hook.family, &name.node);
        if let Some(comes) = event.and_then(|event| event.comes.as_ref()) {
            let what =
                format!("this denial does not prevent each such action: `{}` comes {comes}", name.node);
            let new = Diagnostic::new(Code::W0675, name.span, what).with_label("at this event");
            out.push(new.help(format!("write `event: {BEFORE}`, which comes before each use of a tool")));
        }
    }
}

/// Whether a condition is about the input of a tool, and about nothing that comes later. The recursion depth is the
/// nesting.
fn is_only_about_input(cond: &Cond) -> bool {
    let (mut has_input, mut is_early) = (false, true);
    read(cond, &mut |field| match field {
        "tool_input" => has_input = true,
        "tool_name" | "cwd" | "project_dir" | "permission_mode" => {}
        _ => is_early = false,
    });
    has_input && is_early
}

/// Calls `each` with the fields of the event that a condition reads.
fn read(cond: &Cond, each: &mut impl FnMut(&str)) {
    match &cond.kind {
        CondKind::Const(_) => {}
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().for_each(|part| read(part, each)),
        CondKind::Not(part) => read(part, each),
        CondKind::Leaf(leaf) => first(&leaf.path, each),
        // The condition of a quantifier starts at its nodes.
        CondKind::Quantified(inner) => first(&inner.path, each),
        CondKind::Predicate(predicate) => match &**predicate {
            Predicate::Passed(_) => each("tool_ok"),
            Predicate::Guard(_) | Predicate::Only(_) | Predicate::Unknown | Predicate::Mentions(_) => {
                each("tool_input")
            }
        },
    }
}

fn first(path: &hookc_schema::tree::Path, each: &mut impl FnMut(&str)) {
    let steps = path.source().singular();
    match steps.as_deref().and_then(<[Step]>::first) {
        Some(Step::Name(name)) => each(name),
        _ if path.is_in("tool_input") => each("tool_input"),
        _ => each(""),
    }
}
