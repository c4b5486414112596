//! The entries of an event: groups of handlers, or handlers.

use hookc_schema::decode::{JSON, intended, misspelt, short};
use hookc_schema::tree::{Cond, CondKind, Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, HookEffect, Span, Spanned};

use super::file::At;
use super::{Cx, Hooks, handler, matcher};
use crate::front::settings::words;

/// Reads one item of an event's array.
pub(super) fn entry(at: &At<'_>, value: &Value, cx: &mut Cx<'_>) -> Hooks {
    let Kind::Map(members) = &value.kind else {
        let what = format!("an entry of `{}`", at.key.node);
        let help = match cx.agent.groups {
            true => "write a group: `{\"matcher\": ..., \"hooks\": [...]}`",
            false => "write a handler: `{\"command\": ...}`",
        };
        let new = JSON.wrong(value, &what, "an object").help(help);
        cx.emit(new);
        return Hooks::new();
    };
    let nested = value.get("hooks").is_some();
    let is_grouped = cx.agent.groups && !cx.agent.event(&at.key.node).is_some_and(|event| event.alone);
    match (is_grouped, nested) {
        (_, true) => group(at, members, cx),
        (true, false) => {
            cx.emit(alone(at, value, cx));
            Hooks::new()
        }
        (false, false) => {
            let cond = conditions(at, members, cx);
            let hook = hook(at, value, members, cond.as_ref(), cx);
            ignored(hook.is_some(), cx);
            hook.into_iter().collect()
        }
    }
}

/// The diagnostic for a handler outside a group, of an agent that reads only groups.
fn alone(at: &At<'_>, value: &Value, cx: &Cx<'_>) -> Diagnostic {
    let known: Vec<&str> = cx.form.entry.iter().map(String::as_str).collect();
    if let Some(written) = intended(value, "hooks", &known) {
        return misspelt(written, &format!("a group of `{}`", at.key.node), "hooks");
    }
    let message = format!("{} ignores a handler outside a group", cx.agent.label);
    let new = Diagnostic::new(Code::W0285, short(value), message).with_label("ignored");
    let event = &at.key.node;
    new.help(format!("put it into a group: `\"{event}\": [{{\"hooks\": [{{\"type\": ...}}]}}]`"))
}

fn group(at: &At<'_>, members: &[Member], cx: &mut Cx<'_>) -> Hooks {
    let start = cx.out.errors();
    let mut items = Vec::new();
    for member in members {
        let (key, span) = (member.key.node.as_str(), member.key.span);
        if key == "hooks" {
            cx.kept.insert(span);
            if !cx.agent.groups && !cx.agent.groups_too {
                let message =
                    format!("the documentation of {} does not mention groups of handlers", cx.agent.label);
                let new = Diagnostic::new(Code::W0285, span, message).with_label("hookc reads its handlers");
                let new = new.with_hook_effect(HookEffect::Doubtful);
                cx.emit(new.help("write the handlers themselves under the event"));
            }
            items.extend(JSON.list(&member.value, "a group's `hooks`", cx.out).unwrap_or_default());
        } else if !cx.form.entry.iter().any(|known| known == key) && !is_note(key) {
            let near = cx.near(key, cx.form.entry.iter().map(String::as_str));
            let new = Diagnostic::new(Code::W0232, span, format!("a group has no key `{key}`"));
            let keys = cx.form.entry.join("`, `");
            cx.emit(
                new.with_label("not read").help(format!("its keys are `{keys}`")).did_you_mean(near, span),
            );
        }
    }
    let cond = conditions(at, members, cx);
    let mut hooks = Hooks::new();
    for item in items {
        let Some(members) = JSON.mapping(item, "a handler", cx.out) else { continue };
        hooks.extend(hook(at, item, members, cond.as_ref(), cx));
    }
    ignored(!hooks.is_empty() || cx.out.errors() == start, cx);
    hooks
}

/// Reports a matcher that the agent ignores, unless the entry has no valid handler, which was reported.
fn ignored(applies: bool, cx: &mut Cx<'_>) {
    if let Some(new) = cx.ignored.take().filter(|_| applies) {
        cx.emit(new);
    }
}

/// Whether a key of a group is a note for people.
fn is_note(key: &str) -> bool {
    words::is_comment(key) || matches!(key, "description" | "id" | "name")
}

/// The conditions of the handlers of an entry.
struct Conditions {
    span: Span,
    conds: Vec<Cond>,
    /// A matcher that never matches.
    never: Option<Span>,
}

/// The conditions of an entry; `None` after an invalid matcher was reported: without it, the handlers
/// would run for other events.
fn conditions(at: &At<'_>, members: &[Member], cx: &mut Cx<'_>) -> Option<Conditions> {
    let start = cx.out.errors();
    let mut found = Conditions { span: at.key.span, conds: Vec::new(), never: None };
    found.conds.extend(matcher::of_event(at, cx.agent));
    for member in members.iter().filter(|member| member.key.node == "matcher") {
        found.span = member.value.span;
        found.conds.extend(matcher::lower(at, &member.value, cx));
    }
    found.never = cx.never.take();
    (cx.out.errors() == start).then_some(found)
}

fn hook(
    at: &At<'_>,
    value: &Value,
    members: &[Member],
    cond: Option<&Conditions>,
    cx: &mut Cx<'_>,
) -> Option<Hook> {
    let (read, cond) = (handler::handler(at, value, members, cx)?, cond?);
    let mut hook = Hook::new(value.span, vec![at.event.clone()], Family::Agent, read.action);
    hook.description = read.description;
    hook.on_failure = read.on_failure;
    hook.enabled = read.enabled.or(cond.never.map(|span| Spanned::new(false, span)));
    let mut conds = cond.conds.clone();
    hook.condition = match conds.len() {
        0 | 1 => conds.pop(),
        _ => Some(Cond { span: cond.span, kind: CondKind::All(conds.into()) }),
    };
    Some(hook)
}
