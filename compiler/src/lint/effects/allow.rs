//! An `allow` that does not say what an event may do (W0658): its condition can be true although no `only(...)` is.

use std::collections::BTreeSet;

use hookc_base::action::Kind;
use hookc_base::input_role::InputKind;
use hookc_schema::tree::{Cond, CondPart, Hook, Predicate};
use hookc_schema::vocab::{EventType, ToolField, inputs};
use hookc_schema::{Code, Diagnostic};

use crate::ir::CheckedEvent;
use crate::lint::guards::limit::{self, Limit, limit};
use crate::lint::guards::named::commands;

/// Kinds of what tools do, with the guard that permits it.
const PERMITS: [(&[InputKind], &str); 4] = [
    (&[InputKind::Read, InputKind::Use, InputKind::List, InputKind::Line], "reads('./**' except @secrets)"),
    (
        &[InputKind::Write, InputKind::Edit, InputKind::Delete, InputKind::Move, InputKind::Patch],
        "changes('./**')",
    ),
    (&[InputKind::Url, InputKind::Host], "contacts('docs.example.com')"),
    (&[InputKind::Line], "runs(COMMANDS)"),
];

/// Reports an `allow` at an event with effects whose condition does not imply an `only`. `tools` are those for which the
/// condition can be true.
pub(crate) fn allow<'t>(
    hook: &Hook,
    events: &[CheckedEvent],
    tools: impl FnOnce() -> Vec<&'t str>,
    limits: &mut limit::Known,
) -> Option<Diagnostic> {
    let decides = hook.action.known() == Some(Kind::Allow) && hook.is_enabled();
    let mut declared = events.iter().filter_map(|event| event.declared.as_deref());
    if !decides || !declared.any(precedes_effects) {
        return None;
    }
    let limit = hook.condition.as_ref().map(|cond| limit(cond, limits));
    if limit.is_some_and(|limit| limit > Limit::None) {
        return None;
    }
    let kinds: BTreeSet<InputKind> = tools().into_iter().flat_map(kinds).collect();
    if kinds.is_empty() {
        return None;
    }
    Some(match hook.condition.as_ref().and_then(|cond| any_only(cond)) {
        Some(only) => Diagnostic::new(Code::W0658, only.span, "this `allow` does not depend on `only`")
            .with_label("the condition can be true without it")
            .help("join it with `and`, without `not`: an `allow` is for what `only(...)` lists"),
        None => report(hook, &kinds),
    })
}

/// Whether an action decides before the event does something.
fn precedes_effects(event: &EventType) -> bool {
    event.has_tool(ToolField::Input) && !event.has_tool(ToolField::Response)
}

/// What a tool does with its inputs.
fn kinds(tool: &str) -> Vec<InputKind> {
    let does = |kind: &InputKind| {
        !matches!(kind, InputKind::Data | InputKind::Dir | InputKind::Below | InputKind::Text)
    };
    inputs(tool).map(|(_, kind)| kind).filter(does).collect()
}

/// The first `only` of a condition.
fn any_only(cond: &Cond) -> Option<&Cond> {
    let is_only = |part: &CondPart<'_>| matches!(part.predicate(), Some(Predicate::Only(_)));
    cond.walk().filter(|part| !part.is_bound).find(is_only).map(|part| part.cond)
}

fn report(hook: &Hook, kinds: &BTreeSet<InputKind>) -> Diagnostic {
    let is_line = kinds.contains(&InputKind::Line);
    let what = match is_line {
        _ if hook.condition.is_none() => "this allows everything",
        true => "this allows more than the words that the condition tests",
        false => "this allows a tool whatever file or address it is used for",
    };
    let new = Diagnostic::new(Code::W0658, hook.action.kind.span, what);
    let new = new.with_label("does not say what the event may do");
    let new = match is_line {
        true => new.note("`git status; rm -rf /` is one line, and `git log --output=FILE` writes a file"),
        false => new,
    };
    let commands = hook.condition.as_ref().and_then(commands).unwrap_or_else(|| "'cargo test'".to_owned());
    let permits = PERMITS.iter().filter(|(of, _)| of.iter().any(|kind| kinds.contains(kind)));
    let permits: Vec<&str> =
        permits.map(|(_, guard)| *guard).filter(|guard| !is_line || is_read_or_run(guard)).collect();
    let only = permits.join(", ").replace("COMMANDS", &commands);
    new.help(format!("list what it may do, with `and`: `only({only})`"))
}

/// Whether a guard is one of those that command lines need.
fn is_read_or_run(guard: &str) -> bool {
    guard.starts_with("reads") || guard.starts_with("runs")
}
