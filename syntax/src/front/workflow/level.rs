//! The positions of hooks: the agent, its workflows, their steps.

use std::collections::{HashMap, HashSet};

use hookc_schema::decode::{YAML, missing};
use hookc_schema::dialect::workflow::{LEVEL, POINTS};
use hookc_schema::suggest::nearest_spelling;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Right};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use crate::expr::path;

/// A mapping that can have hooks, with the condition for them.
#[derive(Debug)]
pub(super) struct Level<'a> {
    /// `hooks`
    pub(super) hooks: Option<&'a Member>,
    /// `subscribed_artifacts`
    pub(super) subscribed: Option<&'a Member>,
    /// The workflow, if the file has several.
    workflow: Option<Spanned<String>>,
    /// The step.
    step: Option<Spanned<String>>,
}

impl Level<'_> {
    /// The condition of a hook of this level that has the condition `own`.
    pub(super) fn condition(&self, cond: Option<Cond>, out: &mut Diagnostics) -> Option<Cond> {
        let places = [("workflow", &self.workflow), ("step", &self.step)];
        let places = places.into_iter().filter_map(|(field, name)| is(field, name.as_ref()?, out));
        let mut conds: Vec<Cond> = places.collect();
        let Some(span) = conds.first().map(|first| first.span) else { return cond };
        conds.extend(cond);
        match (conds.pop(), conds.is_empty()) {
            (only, true) => only,
            (last, false) => {
                conds.extend(last);
                Some(Cond { span, kind: CondKind::All(conds.into()) })
            }
        }
    }
}

/// `field == name`
fn is(field: &str, name: &Spanned<String>, out: &mut Diagnostics) -> Option<Cond> {
    let leaf = Leaf {
        path: path::parse(&Text::plain(field), name.span, out)?,
        op: Spanned::new(Op::Eq, name.span),
        right: Right::Value(Value::string(&name.node, name.span).into()),
        ignore_case: None,
        assert_format: None,
    };
    Some(Cond { span: name.span, kind: CondKind::Leaf(leaf.into()) })
}

/// The levels of a file in the order of their hooks: the agent, then the workflows, then the steps.
pub(super) fn levels<'a>(root: &'a Value, members: &'a [Member], out: &mut Diagnostics) -> Vec<Level<'a>> {
    let workflows = workflows(root, members);
    let several = workflows.len() > 1;
    let mut levels: Vec<_> = level(members, None, None, out).into_iter().collect();
    let mut steps = Vec::new();
    for (key, workflow) in workflows {
        let Kind::Map(members) = &workflow.kind else { continue };
        let hooks = has_hooks_within(members);
        let named = if several { name(key, workflow, hooks, "workflow", out) } else { None };
        if several && named.is_none() && hooks {
            continue;
        }
        levels.extend(level(members, named.clone(), None, out));
        steps.extend(steps_of(members, named.as_ref(), out));
    }
    steps.extend(steps_of(members, None, out));
    levels.append(&mut steps);
    levels
}

/// The mappings under `workflow` and `workflows`, with their keys if those are names.
fn workflows<'a>(root: &'a Value, members: &'a [Member]) -> Vec<(Option<&'a Member>, &'a Value)> {
    let is_map = |value: &&Value| matches!(value.kind, Kind::Map(_));
    let mut levels: Vec<_> =
        root.get("workflow").filter(is_map).map(|workflow| (None, workflow)).into_iter().collect();
    let plural = members.iter().find(|member| member.key.node == "workflows");
    levels.extend(plural.map(|member| entries(&member.value)).unwrap_or_default());
    levels.retain(|(_, value)| is_map(value));
    levels
}

/// The items of a list, or the members of a mapping.
fn entries(value: &Value) -> Vec<(Option<&Member>, &Value)> {
    match &value.kind {
        Kind::Seq(items) => items.iter().map(|item| (None, item)).collect(),
        Kind::Map(members) => members.iter().map(|member| (Some(member), &member.value)).collect(),
        _ => Vec::new(),
    }
}

fn steps_of<'a>(
    members: &'a [Member],
    workflow: Option<&Spanned<String>>,
    out: &mut Diagnostics,
) -> Vec<Level<'a>> {
    let mut levels = Vec::new();
    let mut seen: HashMap<String, Span> = HashMap::new();
    for member in members.iter().filter(|member| member.key.node == "steps") {
        for (key, step) in entries(&member.value) {
            let Kind::Map(members) = &step.kind else { continue };
            near_keys(members, out);
            if !has_hooks(members) {
                continue;
            }
            let Some(name) = name(key, step, true, "step", out) else { continue };
            if let Some(first) = seen.insert(name.node.clone(), name.span) {
                out.push(twice(&name, first));
            }
            levels.extend(found(members, workflow.cloned(), Some(name)));
        }
    }
    levels
}

fn twice(name: &Spanned<String>, first: Span) -> Diagnostic {
    let message = format!("two steps with hooks have the name `{}`", name.node);
    let new =
        Diagnostic::new(Code::W0280, name.span, message).with_label("again here").also(first, "first here");
    new.note("the hooks of both run at both: an event contains only the name of its step")
        .help("give one of them another name")
}

/// The name of a workflow or step: its key, otherwise its `name`, otherwise its `id`. A level with
/// hooks needs a name.
fn name(
    key: Option<&Member>,
    value: &Value,
    hooks: bool,
    what: &str,
    out: &mut Diagnostics,
) -> Option<Spanned<String>> {
    if let Some(member) = key {
        return Some(member.key.clone());
    }
    match value.get("name").or_else(|| value.get("id")) {
        Some(name) if hooks => YAML.string(name, &format!("the name of a {what}"), out),
        Some(name) => name.as_str().map(|text| Spanned::new(text.to_owned(), name.span)),
        None if hooks => {
            let new = missing(value, &format!("a {what} with hooks"), "name");
            let note = format!("its hooks run if the event's `{what}` is that name");
            out.push(new.note(note).help("write `name:` next to its `hooks:`"));
            None
        }
        None => None,
    }
}

/// Whether a level has a key of this dialect.
fn has_hooks(members: &[Member]) -> bool {
    members.iter().any(|member| LEVEL.key(&member.key.node).is_some())
}

/// Whether a workflow or one of its steps has such a key.
fn has_hooks_within(members: &[Member]) -> bool {
    let is_ours = |step: &Value| matches!(&step.kind, Kind::Map(members) if has_hooks(members));
    let mut steps = members.iter().filter(|member| member.key.node == "steps");
    has_hooks(members) || steps.any(|member| entries(&member.value).iter().any(|(_, step)| is_ours(step)))
}

fn level<'a>(
    members: &'a [Member],
    workflow: Option<Spanned<String>>,
    step: Option<Spanned<String>>,
    out: &mut Diagnostics,
) -> Option<Level<'a>> {
    near_keys(members, out);
    found(members, workflow, step)
}

fn found(
    members: &[Member],
    workflow: Option<Spanned<String>>,
    step: Option<Spanned<String>>,
) -> Option<Level<'_>> {
    let find = |key: &str| members.iter().find(|member| member.key.node == key);
    let (hooks, subscribed) = (find("hooks"), find("subscribed_artifacts"));
    (hooks.is_some() || subscribed.is_some()).then_some(Level { hooks, subscribed, workflow, step })
}

/// Reports keys that are probably misspelled; others belong to other programs.
fn near_keys(members: &[Member], out: &mut Diagnostics) {
    for Member { key, value } in members.iter().filter(|member| LEVEL.key(&member.key.node).is_none()) {
        let near = nearest_spelling(&key.node, LEVEL.names());
        let alike = match (near, &value.kind) {
            (Some("hooks"), kind) => matches!(kind, Kind::Map(_)),
            (Some(_), kind) => matches!(kind, Kind::Seq(_)),
            (None, _) => false,
        };
        if alike {
            let new = Diagnostic::new(Code::W0282, key.span, format!("`{}` is not read", key.node));
            out.push(new.with_label("unknown key").did_you_mean(near, key.span));
        }
    }
}

/// Reports `hooks` with timing points, and subscriptions, in positions that are not read.
pub(super) fn unread(root: &Value, levels: &[Level<'_>], out: &mut Diagnostics) {
    let read: HashSet<Span> = levels
        .iter()
        .flat_map(|level| [level.hooks, level.subscribed])
        .flatten()
        .map(|ours| ours.key.span)
        .collect();
    each_member(root, |member| {
        let is_read = read.contains(&member.key.span);
        let is_lost = !is_read && is_meant(member);
        if is_lost {
            out.push(lost(&member.key));
        }
        !is_read && !is_lost
    });
}

/// Calls `enters` with the members of the mappings in a value, and looks into those for which it is true.
pub(super) fn each_member<'v>(root: &'v Value, mut enters: impl FnMut(&'v Member) -> bool) {
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        match &value.kind {
            Kind::Seq(items) => left.extend(items),
            Kind::Map(members) => {
                left.extend(members.iter().filter(|member| enters(member)).map(|member| &member.value));
            }
            _ => {}
        }
    }
}

/// Whether the value of a member, not only its name, belongs to this dialect.
fn is_meant(member: &Member) -> bool {
    match member.key.node.as_str() {
        "hooks" => POINTS.names().any(|point| member.value.get(point).is_some()),
        "subscribed_artifacts" => matches!(member.value.kind, Kind::Seq(_)),
        _ => false,
    }
}

fn lost(key: &Spanned<String>) -> Diagnostic {
    let what = if key.node == "hooks" { "hooks" } else { "subscriptions" };
    let new = Diagnostic::new(Code::W0282, key.span, format!("these {what} are not read"));
    let new = new.with_label("not read here");
    new.help(format!("put {what} at the top level, in `workflow:`, or in one of its named `steps:`"))
}
