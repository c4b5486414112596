//! What directive XML cannot express.

use hookc_schema::Span;
use hookc_schema::tree::{Cond, Declarations, Family, Hook, Path, Pattern, Predicate, Section};
use hookc_schema::value::Value;

use super::super::{Loss, part};
use super::value::expressible;
use crate::expr::print;

/// The sections that only hooks files have.
pub(super) fn declarations(declarations: &Declarations) -> Vec<Loss> {
    let mut others = declarations.clone();
    let Declarations { wrappers, programs, sets, tools, project, .. } = &mut others;
    [wrappers, programs, sets, tools, project].into_iter().for_each(|section| *section = None);
    super::super::declared(&others, "directive XML")
}

/// Why a hook cannot be written, if so.
pub(super) fn hook(hook: &Hook) -> Option<Loss> {
    let (span, why) = reason(hook)?;
    Some(part::loss(hook, span, why))
}

fn reason(hook: &Hook) -> Option<(Span, String)> {
    if hook.section == Section::Builtin {
        return Some((hook.span.0, "directive XML has no `builtin_hooks`".to_owned()));
    }
    if hook.family != Family::Thread && !super::super::reachable(hook) {
        return Some((hook.span.0, "directive XML supports only hooks of threads".to_owned()));
    }
    if !hook.action.templates && hook.action.params.iter().any(|(_, value)| has_template(value)) {
        return Some((hook.action.span.0, "its `${` is literal, but a template in directive XML".to_owned()));
    }
    events(hook).or_else(|| characters(hook))
}

fn events(hook: &Hook) -> Option<(Span, String)> {
    let wrong = |name: &str| name.is_empty() || name.contains(',') || name.trim_matches(super::white) != name;
    let event = hook.events.iter().find(|event| wrong(&event.node))?;
    let why = format!("the event name `{}` contains a comma or outer whitespace", event.node.escape_debug());
    Some((event.span, why))
}

/// Characters that XML 1.0 does not allow, where no escape is possible.
fn characters(hook: &Hook) -> Option<(Span, String)> {
    let events = hook.events.iter().map(|event| (event.span, event.node.as_str()));
    let id = hook.id.iter().map(|id| (id.span, id.node.as_str()));
    let description = hook.description.iter().map(|text| (text.span, text.node.as_str()));
    let kind = &hook.action.kind;
    let kind = std::iter::once((kind.span, kind.node.as_str()));
    let names = hook.action.params.iter().map(|(name, _)| (name.span, name.node.as_str()));
    let texts = events.chain(id).chain(description).chain(kind).chain(names);
    let found = texts.into_iter().find(|(_, text)| !expressible(text)).map(|(span, _)| span);
    let span = found.or_else(|| hook.condition.as_ref().and_then(path_or_pattern))?;
    Some((span, "it contains a character that XML does not allow".to_owned()))
}

/// A path or pattern with such a character.
pub(super) fn path_or_pattern(condition: &Cond) -> Option<Span> {
    let mut inner = None;
    condition.event_patterns(&mut |past| {
        let found = past.condition.as_ref().filter(|_| inner.is_none()).and_then(in_condition);
        inner = inner.or(found);
    });
    in_condition(condition).or(inner)
}

/// Like `path_or_pattern`, without the conditions of selections.
fn in_condition(condition: &Cond) -> Option<Span> {
    let path = |path: &Path| (!expressible(&print::path(path))).then_some(path.span);
    let pattern = |pattern: &Pattern| (!expressible(&pattern.node.value)).then_some(pattern.span);
    condition.walk().find_map(|part| {
        let patterns = part.predicate().into_iter().flat_map(Predicate::patterns);
        part.paths().find_map(path).or_else(|| patterns.into_iter().find_map(pattern))
    })
}

fn has_template(value: &Value) -> bool {
    value.walk(|_| true).filter_map(Value::as_str).any(|text| text.contains("${"))
}
