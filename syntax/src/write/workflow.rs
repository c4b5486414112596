//! Writes a workflow file with all hooks at the top level; the condition of a hook for one step
//! names the step. The output parses to equal hooks.

mod raise;

use hookc_base::action::Kind as ActionKind;
use hookc_schema::Span;
use hookc_schema::dialect::workflow::POINTS;
use hookc_schema::tree::{Action, Cond, Family, Hook, Mode, Policy, Section};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::Vocabulary;

use super::hooks_yaml::{emit, levels};
use super::part::label;
use super::value::member;
use super::{Loss, Written, declared};
use crate::expr::print;
use crate::limits;

/// Why a part has no equivalent, and its span.
type LossReason = (Span, String);

/// Writes a policy. A hook with more meaning than a workflow can express is omitted and reported;
/// an id, a description and examples are omitted from their hook. `schema_version` belongs to
/// another notation and is not a loss.
#[must_use]
pub fn write(policy: &Policy) -> (Vec<Written>, Vec<Loss>) {
    let mut losses = declared(&policy.declarations, "a workflow file");
    let mut points: Vec<_> = POINTS.names().map(|point| (point, Vec::new())).collect();
    for hook in &policy.hooks {
        let lose = |(span, why): LossReason| Loss { span, what: format!("{}: {why}", label(hook)) };
        losses.extend(remarks(hook).map(lose));
        match value(hook) {
            Ok(value) => {
                for (point, hooks) in &mut points {
                    let times = hook.events.iter().filter(|event| event.node == *point);
                    hooks.extend(times.map(|_| value.clone()));
                }
            }
            Err(why) => losses.push(lose(why)),
        }
    }
    let points = points.into_iter().filter(|(_, hooks)| !hooks.is_empty());
    let points: Vec<Member> = points.map(|(point, hooks)| member(point, Kind::Seq(hooks))).collect();
    let mut text = String::new();
    if !points.is_empty() {
        text.push_str("hooks:");
        emit::member_value(&mut text, &Value::new(Kind::Map(points), Span::default()), 0);
    }
    (vec![Written { name: None, text }], losses)
}

fn string(text: impl Into<String>) -> Kind {
    Value::string(text, Span::default()).kind
}

/// The omitted parts of a hook that is still written.
fn remarks(hook: &Hook) -> impl Iterator<Item = LossReason> {
    let remark = |span, what: &str| (span, format!("a workflow's hooks have no {what}"));
    let id = hook.id.as_ref().map(|id| remark(id.span, "`id`"));
    let description = hook.description.as_ref().map(|text| remark(text.span, "`description`"));
    let examples = hook.examples.first().map(|example| remark(example.event.span, "`examples`"));
    [id, description, examples].into_iter().flatten()
}

/// The hook as the front end would read it.
fn value(hook: &Hook) -> Result<Value, LossReason> {
    if let Some(why) = settings(hook).or_else(|| event(hook)) {
        return Err(why);
    }
    let mut members = invoke(&hook.action)?;
    if let Some(on_error) = hook.on_error {
        members.push(member("on_error", string(on_error.node.name())));
    }
    if let Some(condition) = &hook.condition {
        members.push(member("when", when(condition)?));
    }
    let value = Value::new(Kind::Map(members), hook.span.0);
    // The hook is in a list in a mapping in the mapping of the file.
    match levels(&value) + 3 > limits::NESTING {
        true => Err((hook.span.0, format!("it needs more than {} levels", limits::NESTING))),
        false => Ok(value),
    }
}

/// A key of the hook that changes its meaning.
fn settings(hook: &Hook) -> Option<LossReason> {
    let none = |span, what: &str| Some((span, format!("a workflow's hooks have no {what}")));
    if hook.section == Section::Builtin {
        return Some((hook.span.0, "a workflow file has no `builtin_hooks`".to_owned()));
    }
    if let Some(priority) = hook.priority.as_ref().filter(|priority| priority.node.0 != "0") {
        return none(priority.span, "`priority`: they run in source order");
    }
    if let Some(enabled) = hook.enabled.filter(|enabled| !enabled.node) {
        return none(enabled.span, "`enabled: false`");
    }
    if let Some(mode) = hook.mode.filter(|mode| mode.node != Mode::Enforce) {
        return none(mode.span, "`mode`");
    }
    hook.on_failure.and_then(|on| none(on.span, "`on_failure`"))
}

fn event(hook: &Hook) -> Option<LossReason> {
    let vocabulary = Vocabulary::builtin();
    let family = |name: &str| vocabulary.event(hook.family, name).map(|event| event.family);
    let ours = |name: &str| POINTS.key(name).is_some() && family(name) == Some(Family::Workflow);
    let other = hook.events.iter().find(|event| !ours(&event.node))?;
    Some((other.span, format!("`{}` is not a timing point of a workflow", other.node)))
}

fn when(condition: &Cond) -> Result<Kind, LossReason> {
    let text = print::when(condition, print::Operators::Symbols);
    match text.len() > limits::EXPRESSION_BYTES {
        true => Err((condition.span, "its condition is longer than the limit of an expression".to_owned())),
        false => Ok(string(text)),
    }
}

/// An `invoke` as keys of the hook, in the order of the dialect.
fn invoke(action: &Action) -> Result<Vec<Member>, LossReason> {
    if !action.is(ActionKind::Invoke) {
        let why = format!("a workflow invokes artifacts; it has no action `{}`", action.kind.node);
        return Err((action.kind.span, why));
    }
    let mut members = Vec::new();
    for (name, key) in [
        ("artifact", "artifact_id"),
        ("method", "method"),
        ("args", "args"),
        ("inject_as", "inject_as"),
        ("max_retries", "max_retries"),
    ] {
        if let Some((_, value)) = action.params.iter().find(|(param, _)| param.node == name) {
            members.push(member(key, param(name, value, action.templates)?));
        }
    }
    let known = |name: &str| ["artifact", "method", "args", "inject_as", "max_retries"].contains(&name);
    match action.params.iter().find(|(param, _)| !known(&param.node)) {
        Some((other, _)) => Err((other.span, format!("a workflow's hooks have no `{}`", other.node))),
        None => Ok(members),
    }
}

fn param(name: &str, value: &Value, templates: bool) -> Result<Kind, LossReason> {
    match (name, &value.kind) {
        ("args", Kind::Map(_)) => Ok(raise::args(value, templates)?.kind),
        ("artifact" | "method" | "inject_as", Kind::Str(_)) => {
            let text = raise::text(value, templates)?;
            match name == "inject_as" && text == "null" {
                true => Err((value.span, "a result cannot have the name `null`".to_owned())),
                false if text.trim().is_empty() => Err((value.span, format!("its `{name}` is empty"))),
                false => Ok(string(text)),
            }
        }
        ("inject_as", Kind::Null) => Ok(Kind::Null),
        ("max_retries", Kind::Num(number)) if number.0.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(value.kind.clone())
        }
        _ => Err((value.span, format!("its `{name}` is {}", value.noun()))),
    }
}
