//! Writes repository hooks: one file per hook, named by its id. A hook that the format cannot
//! express is omitted; metadata that it cannot express is omitted from the hook. Both are losses.

use std::collections::{HashMap, HashSet};

use hookc_base::action::Kind as ActionKind;
use hookc_schema::tree::{Cond, CondKind, Family, Hook, Leaf, Op, Policy, Right, Section};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostics, Span};

use super::hooks_yaml::emit;
use super::part::{self, loss};
use super::value::member;
use super::{Loss, Written};
use crate::expr::path;
use crate::front::repository::event;
use crate::front::repository::matching::{CHANGED, DURATION};
use crate::front::repository::scope;

/// Writes a policy; reading a file gives an equal hook.
#[must_use]
pub fn write(policy: &Policy) -> (Vec<Written>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut ids = HashSet::new();
    let mut written = Vec::new();
    // The last id of each event by name, which is the execution order of files.
    let mut last: HashMap<&str, String> = HashMap::new();
    for hook in &policy.hooks {
        match file(hook, &mut losses) {
            Ok((id, _)) if !ids.insert(id) => {
                losses.push(loss(hook, hook.span.0, "another hook has the same id, which is the file name"));
            }
            Ok((id, text)) => {
                let event = hook.events.first().map_or("", |event| event.node.as_str());
                let name = format!("{id}.yaml");
                match last.get(event).filter(|last| **last > name) {
                    Some(last) => losses.push(loss(hook, hook.span.0, order(last))),
                    None => drop(last.insert(event, name.clone())),
                }
                written.push(Written { name: Some(name), text });
            }
            Err(loss) => losses.push(loss),
        }
    }
    (written, losses)
}

fn order(last: &str) -> String {
    format!(
        "hooks of a repository run in the order of their file names: it would run before `{last}`, \
             which precedes it here"
    )
}

/// The id and the text of a hook's file; or why it has none.
fn file<'h>(hook: &'h Hook, losses: &mut Vec<Loss>) -> Result<(&'h str, String), Loss> {
    let id = id(hook)?;
    let event = event(hook)?;
    let (command, blocking) = handler(hook)?;
    let tests = tests(hook, event)?;
    let text = |text: &str| Kind::Str(Text::plain(text));
    let mut all = vec![
        member("id", text(id)),
        member("event_type", text(event)),
        member("enabled", Kind::Bool(hook.enabled.is_none_or(|enabled| enabled.node))),
        member("blocking", Kind::Bool(blocking)),
    ];
    all.extend(hook.description.as_ref().map(|summary| member("summary", text(&summary.node))));
    if !tests.is_empty() {
        all.push(member("match", Kind::Map(tests)));
    }
    let handler = vec![member("kind", text("script")), member("command", text(&command))];
    all.push(member("handler", Kind::Map(handler)));
    if !hook.effects.is_empty() {
        all.push(member("effects", Kind::Seq(effects(hook))));
    }
    part::extras(hook, losses);
    let mut out = String::new();
    all.iter().for_each(|member| emit::member(&mut out, member, 0));
    Ok((id, out))
}

fn id(hook: &Hook) -> Result<&str, Loss> {
    let lost = |why: &str| Err(loss(hook, hook.span.0, why));
    if hook.section == Section::Builtin {
        return lost("a repository has no `builtin_hooks`");
    }
    if !part::enforces(hook) {
        return lost("a hook of a repository always enforces and has no `mode`");
    }
    let zero = Number("0".to_owned());
    if let Some(priority) = hook.priority.as_ref().filter(|priority| priority.node.compare(&zero).is_ne()) {
        return Err(loss(
            hook,
            priority.span,
            "hooks of a repository run in the order of their file names and have no `priority`",
        ));
    }
    match &hook.id {
        None => lost("a hook of a repository needs an id"),
        Some(id) if !part::is_file_name(&id.node) => {
            Err(loss(hook, id.span, "its id is not a valid file name"))
        }
        Some(id) => Ok(&id.node),
    }
}

fn event(hook: &Hook) -> Result<&str, Loss> {
    let [event] = hook.events.as_slice() else {
        return Err(loss(hook, hook.span.0, "a hook of a repository has one event"));
    };
    if part::family(hook, &event.node) != Family::Repository {
        let why = format!("`{}` is not an event of a repository", event.node.escape_debug());
        return Err(loss(hook, event.span, why));
    }
    Ok(&event.node)
}

/// The handler's path and whether it blocks.
fn handler(hook: &Hook) -> Result<(String, bool), Loss> {
    let action = &hook.action;
    let lost = |span: Span, why: String| Err(loss(hook, span, why));
    if !action.is(ActionKind::Run) {
        return lost(
            action.kind.span,
            format!("a handler is a script, not `{}`", action.kind.node.escape_debug()),
        );
    }
    // `signals` is the default at these events.
    let signals = part::param(action, "result").is_none_or(|form| form.as_str() == Some("signals"));
    if !signals {
        return lost(
            action.span.0,
            "the result of a handler is read as `signals`, not from its exit status".to_owned(),
        );
    }
    let (mut command, mut blocking) = (None, true);
    for (name, value) in &action.params {
        match (name.node.as_str(), &value.kind) {
            ("result", _) | ("async" | "once", Kind::Bool(false)) => {}
            ("blocking", Kind::Bool(truth)) => blocking = *truth,
            ("argv", Kind::Seq(items)) if items.len() == 1 => {
                command = items
                    .first()
                    .and_then(|item| part::literal(action, item))
                    .filter(|path| path.contains('/'));
            }
            ("command", Kind::Str(text)) if is_path(&text.value) => command = Some(text.value.clone()),
            ("argv" | "command", _) => {}
            (other, _) => return lost(name.span, format!("a handler has no `{}`", other.escape_debug())),
        }
    }
    match command {
        Some(path) => Ok((path, blocking)),
        None => lost(action.span.0, "a handler is the path of a script, not a command line".to_owned()),
    }
}

/// Whether the shell would read a command line as a single path.
fn is_path(line: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    line.contains('/') && line.chars().all(plain)
}

fn effects(hook: &Hook) -> Vec<Value> {
    let effect = |effect: &hookc_schema::tree::Effect| {
        let kind = match &effect.detail {
            None => Kind::Str(Text::plain(&effect.name.node)),
            Some(detail) => Kind::Map(vec![Member { key: effect.name.clone(), value: detail.clone() }]),
        };
        Value::new(kind, effect.name.span)
    };
    hook.effects.iter().map(effect).collect()
}

/// The condition as a match block.
fn tests(hook: &Hook, event: &str) -> Result<Vec<Member>, Loss> {
    let mut keys: Vec<Member> = Vec::new();
    let Some(cond) = &hook.condition else { return Ok(keys) };
    let leaves: &[Cond] = match &cond.kind {
        CondKind::Const(true) => &[],
        CondKind::All(items) => items,
        _ => std::slice::from_ref(cond),
    };
    for test in leaves {
        let key = key(test, event).filter(|key| keys.iter().all(|other| other.key.node != key.key.node));
        let why = "a match block cannot express this part of its condition";
        keys.push(key.ok_or_else(|| loss(hook, test.span, why))?);
    }
    Ok(keys)
}

/// The key of a match block that is equivalent to a condition.
fn key(test: &Cond, event: &str) -> Option<Member> {
    let CondKind::Leaf(leaf) = &test.kind else { return None };
    let Right::Value(right) = &leaf.right else { return None };
    if leaf.ignore_case.is_some() || leaf.assert_format.is_some() {
        return None;
    }
    let vocabulary = Vocabulary::builtin();
    if event::ability(&vocabulary, event).is_some_and(|field| is_at(leaf, field)) {
        return Some(member("ability_scope", ability(leaf.op.node, right)?));
    }
    let positive = |number: &Number| number.compare(&Number("0".to_owned())).is_gt();
    match (leaf.op.node, &right.kind) {
        (Op::Gte, Kind::Num(number)) if positive(number) && is_at(leaf, DURATION) => {
            let applies = event::has_field(&vocabulary, event, "duration_ms");
            applies.then(|| member("min_duration_ms", right.kind.clone()))
        }
        (Op::Glob, Kind::Str(_) | Kind::Seq(_)) if is_at(leaf, CHANGED) => {
            let said = event::has_field(&vocabulary, event, "changed_files") && !is_empty(right);
            said.then(|| member("only_if_changed_paths", right.kind.clone()))
        }
        _ => None,
    }
}

fn is_at(leaf: &Leaf, path: &str) -> bool {
    let at = path::parse(&Text::plain(path), Span::default(), &mut Diagnostics::new());
    at.is_some_and(|at| at == leaf.path)
}

fn is_empty(globs: &Value) -> bool {
    match &globs.kind {
        Kind::Seq(items) => items.is_empty() || items.iter().any(is_empty),
        _ => globs.as_str().is_none_or(str::is_empty),
    }
}

/// A test of the ability as a glob or a list of them.
fn ability(op: Op, right: &Value) -> Option<Kind> {
    let glob = |value: &Value| {
        let text = value.as_str().filter(|text| !text.is_empty())?;
        let glob = match op {
            Op::Glob => scope::raise(text).filter(|glob| !scope::is_any(glob))?,
            _ => scope::quote(text),
        };
        Some(Value::new(Kind::Str(Text::plain(glob)), value.span))
    };
    match (op, &right.kind) {
        (Op::Eq | Op::Glob, Kind::Str(_)) => glob(right).map(|glob| glob.kind),
        (Op::In | Op::Glob, Kind::Seq(items)) if !items.is_empty() => {
            items.iter().map(glob).collect::<Option<Vec<_>>>().map(Kind::Seq)
        }
        _ => None,
    }
}
