//! One hook: its parts that need no event, then the hook at each of its events.

use foldhash::{HashMap, HashSet};
use hookc_base::action::Kind;
use hookc_schema::tree::{Hook, Layer, Section};
use hookc_schema::value::Number;
use hookc_schema::{Code, Diagnostic, Spanned};

use super::action::{self, Draft};
use super::event::{self, Scope};
use super::shared::Fields;
use super::tool_names::Conditions;
use super::{Cx, cond, value, view};
use crate::ir::{CheckedEvent, CheckedHook, LowCond};
use crate::limits;
use crate::lint::{self, constant, leaf};
use crate::tools;

/// Checks a hook; `None` when it has an error.
pub(super) fn check<'a>(hook: &'a Hook, layer: Option<Layer>, cx: &mut Cx<'a>) -> Option<CheckedHook> {
    cx.hook_family = hook.family;
    let id = id(hook, cx);
    let priority = priority(hook, cx);
    let sound = hook.condition.as_ref().is_none_or(|cond| cond::check(cond, cx));
    let action = action::read(&hook.action, cx);
    cx.conditions = Conditions::new(&hook.condition);
    cx.narrowed = tools::narrow(hook.condition.as_ref(), &mut cx.tools);
    let absolute = |cond| leaf::absolute(cond, &mut cx.shared.absolute);
    cx.absolute = hook.condition.as_ref().map(absolute).unwrap_or_default();
    let events = if affords(hook, cx) { events(hook, action.as_ref(), cx) } else { None };
    let (true, true, Some(priority), Some(mut events)) = (id, sound, priority, events) else {
        return None;
    };
    judge(hook, &mut events, cx);
    check_tools(hook, &events, cx);
    let tools = || cx.tools.names_in(cx.narrowed.whole());
    let unlimited = lint::effects::allow(hook, &events, tools, &mut cx.effects.limits);
    cx.report_all_once(unlimited);
    cx.report_all_once(leaf::event_name(hook, &events));
    cx.report_all_once(lint::history::check(hook, &events, cx.vocabulary));
    Some(CheckedHook {
        span: hook.span.0,
        id: hook.id.clone(),
        layer: if hook.section == Section::Builtin {
            Layer::Builtin
        } else {
            layer.unwrap_or(Layer::Directive)
        },
        priority,
        enabled: hook.is_enabled(),
        mode: hook.mode.map(|mode| mode.node).unwrap_or_default(),
        on_error: hook.on_error.map(|on| on.node),
        on_failure: hook.on_failure.map(|on| on.node),
        events,
    })
}

/// A hook's own ids and the labels of hooks without one never meet: a label
/// has a `#`.
fn id(hook: &Hook, cx: &mut Cx<'_>) -> bool {
    let Some(id) = hook.id.as_ref().filter(|id| id.node.contains('#') || id.node.is_empty()) else {
        return true;
    };
    if !cx.was_reported(Code::E0210, id.span) {
        let (what, label) = match id.node.is_empty() {
            true => ("an empty id".to_owned(), "write a name, or remove `id`"),
            false => {
                (format!("the id `{}` contains a `#`", id.node), "`#` is reserved for hooks without an id")
            }
        };
        let help = "write an id without `#`; a hook without an id is labelled `<event>#<n>`";
        cx.report(Diagnostic::new(Code::E0210, id.span, what).with_label(label).help(help));
    }
    false
}

fn priority(hook: &Hook, cx: &mut Cx<'_>) -> Option<Number> {
    match &hook.priority {
        None => Some(Number("0".to_owned())),
        Some(Spanned { node, span }) => value::number(node, *span, cx.out).then(|| node.clone()),
    }
}

/// Whether the hook can be repeated for each of its events: the product grows faster than the file.
/// A condition is lowered for each declared type; what an event type reads is a list of its own.
fn affords(hook: &Hook, cx: &mut Cx<'_>) -> bool {
    let size = hook.span.0.range().len();
    let names: usize = hook.events.iter().map(|name| name.span.range().len()).sum();
    let body = size.saturating_sub(names);
    let copies = body.saturating_mul(hook.events.len().saturating_sub(1));
    cx.copies = cx.copies.saturating_add(size.saturating_mul(limits::EVENT_ALLOWANCE));
    if let Some(rest) = cx.copies.checked_sub(copies) {
        cx.copies = rest;
        return true;
    }
    let count = hook.events.len();
    let message = format!("{count} events each repeat the {body}-byte hook");
    let first = hook.events.first().map_or(hook.span.0, |name| name.span);
    let new = Diagnostic::new(Code::E0703, first, message).with_label("the first one");
    let limit = format!(
        "the hooks of a policy can expand by at most {} bytes and {} times their size",
        limits::EVENT_COPIES,
        limits::EVENT_ALLOWANCE
    );
    cx.report(new.note(limit).help("list fewer events, or write a shorter condition"));
    false
}

/// The hook at each event that it names; `None` after an error at any of them.
fn events<'a>(hook: &'a Hook, action: Option<&Draft>, cx: &mut Cx<'a>) -> Option<Vec<CheckedEvent>> {
    if let [name] = hook.events.as_slice() {
        let scope = cx.scope(hook.family, name);
        let cond = condition(hook, &scope, cx);
        return event(hook, name, &scope, cond, action, cx).map(|event| vec![event]);
    }
    let (mut seen, mut lowered) = (HashSet::default(), HashMap::default());
    let mut checked = Some(Vec::with_capacity(hook.events.len()));
    for name in &hook.events {
        let scope = cx.scope(hook.family, name);
        if !seen.insert(scope.id) {
            cx.report(repeated(name));
            continue;
        }
        let fields = Fields::from_scope(&scope);
        let cond = match lowered.get(&fields) {
            Some(known) => Option::clone(known),
            None => {
                cx.history.names_event = false;
                let cond = condition(hook, &scope, cx);
                if scope.declared.is_some() || !cx.history.names_event {
                    lowered.insert(fields, cond.clone());
                }
                cond
            }
        };
        match (event(hook, name, &scope, cond, action, cx), &mut checked) {
            (Some(event), Some(checked)) => checked.push(event),
            _ => checked = None,
        }
    }
    checked
}

fn condition<'a>(hook: &'a Hook, scope: &Scope, cx: &mut Cx<'a>) -> Option<LowCond> {
    let Some(cond) = &hook.condition else { return Some(LowCond::Const(true)) };
    let narrowed = cx.narrowed.clone();
    cx.polarity = view::Polarity { allows: hook.action.known() == Some(Kind::Allow), negated: false };
    cond::lower(cond, narrowed.place(), scope, cx)
}

fn event<'a>(
    hook: &'a Hook,
    name: &Spanned<String>,
    scope: &Scope,
    cond: Option<LowCond>,
    action: Option<&Draft>,
    cx: &mut Cx<'a>,
) -> Option<CheckedEvent> {
    cx.here = cx.narrowed.whole();
    cx.lowered.clone_from(&cond);
    let action = action.and_then(|action| action::resolve(action, hook.family, &name.node, scope, cx));
    let declared = scope.declared.clone();
    Some(CheckedEvent {
        family: scope.family,
        name: name.clone(),
        declared,
        cond: cond?,
        certain: None,
        print: 0,
        action: action?,
    })
}

fn repeated(name: &Spanned<String>) -> Diagnostic {
    let what = format!("the hook lists event `{}` twice", name.node);
    Diagnostic::new(Code::W0607, name.span, what).with_label("the second entry has no effect")
}

/// Reports names of tools without effect, and tools that an `allow` does not restrict.
fn check_tools(hook: &Hook, events: &[CheckedEvent], cx: &mut Cx<'_>) {
    let mut declared = events.iter().filter_map(|event| event.declared.as_ref());
    let event = declared.find(|event| event::has_tools(event));
    let (Some(cond), Some(event)) = (&hook.condition, event) else { return };
    let kind = hook.action.kind.node.as_str();
    let effects = &cx.effects;
    let is_declared = |tool: &str| effects.replaces(tool);
    let (tools, known) = (&mut cx.tools, &mut cx.tool_lints);
    for new in lint::tools::check(cond, kind, event, &cx.narrowed, tools, known, &is_declared) {
        let is_of_name = matches!(new.code, Code::W0672 | Code::W0673);
        if !is_of_name || !cx.reported_matcher(&new) {
            cx.report_once(new);
        }
    }
}

/// What follows from the form of the condition, while it is in the cache. What makes it constant is reported for the
/// first event only: the form is the same at all.
fn judge(hook: &Hook, events: &mut [CheckedEvent], cx: &mut Cx<'_>) {
    for (at, event) in events.iter_mut().enumerate() {
        event.certain = match &hook.condition {
            Some(tree) if hook.is_enabled() && at == 0 => {
                constant::report(&event.cond, tree, &mut cx.facts, cx.out)
            }
            _ => constant::value(&event.cond, &mut cx.facts),
        };
        event.print = cx.facts.prints.condition(&event.cond);
    }
}
