//! Writes one skill, whose front matter contains the hooks. A hook that a skill cannot express is
//! omitted; metadata that it cannot express is omitted from the hook. Both are losses.

use hookc_base::action;
use hookc_schema::dialect::skill::EVENTS;
use hookc_schema::tree::{Family, Hook, Policy, Section};
use hookc_schema::value::{Kind, Member, Text, Value};

use super::hooks_yaml::emit;
use super::part::{self, loss};
use super::value::member;
use super::{Loss, Written, settings};
use crate::files;
use crate::front::skill::script;

/// Writes a policy as `NAME/SKILL.md`; script paths are relative to the directory of the skill. A
/// policy that is not a skill becomes one by the namespace of its first script.
#[must_use]
pub fn write(policy: &Policy) -> (Vec<Written>, Vec<Loss>) {
    let mut losses = Vec::new();
    let Some(name) = name(policy) else {
        let what = "a skill needs a name, and no script of this policy has a `namespace`".to_owned();
        return (Vec::new(), vec![Loss { span: policy.source.span, what }]);
    };
    let folder = policy.skill.as_ref().map_or("", |skill| files::directory(&skill.path));
    let mut events: Vec<(String, Vec<Value>)> = Vec::new();
    let (agents, own): (Vec<&Hook>, Vec<&Hook>) = policy.hooks.iter().partition(|hook| of_agents(hook));
    for hook in own {
        match script(hook, &name, folder, &mut losses) {
            Ok(item) => hook.events.iter().for_each(|event| add(&mut events, &event.node, item.clone())),
            Err(loss) => losses.push(loss),
        }
    }
    let mut hooks: Vec<Member> =
        events.into_iter().map(|(event, items)| member(&event, one_or_all(items))).collect();
    hooks.extend(groups(agents, policy, &mut losses));
    let text = text(policy, &name, hooks);
    let path = part::is_file_name(&name).then(|| format!("{name}/SKILL.md"));
    (vec![Written { name: path, text }], losses)
}

/// Whether all events of a hook belong to coding agents.
fn of_agents(hook: &Hook) -> bool {
    hook.events.iter().all(|event| part::family(hook, &event.node) == Family::Agent)
}

/// Hooks of coding agents as groups of handlers, as settings have them.
fn groups(agents: Vec<&Hook>, policy: &Policy, losses: &mut Vec<Loss>) -> Vec<Member> {
    let hooks = agents.into_iter().cloned().collect();
    let (root, lost) = settings::root_of_skill(&Policy { hooks, ..Policy::empty(policy.source.span.source) });
    losses.extend(lost);
    match root.get("hooks").map(|hooks| &hooks.kind) {
        Some(Kind::Map(members)) => members.clone(),
        _ => Vec::new(),
    }
}

fn name(policy: &Policy) -> Option<String> {
    let namespace = |hook: &Hook| part::literal(&hook.action, part::param(&hook.action, "namespace")?);
    let skill = policy.skill.as_ref().map(|skill| skill.name.node.clone());
    skill.or_else(|| policy.hooks.iter().find_map(namespace))
}

fn add(events: &mut Vec<(String, Vec<Value>)>, event: &str, item: Value) {
    match events.iter_mut().find(|(name, _)| name == event) {
        Some((_, items)) => items.push(item),
        None => events.push((event.to_owned(), vec![item])),
    }
}

/// A hook as an item of its events.
fn script(hook: &Hook, name: &str, folder: &str, losses: &mut Vec<Loss>) -> Result<Value, Loss> {
    expressible(hook)?;
    let action = &hook.action;
    let given = |key: &str| part::param(action, key).and_then(|value| part::literal(action, value));
    let file = given("file");
    let file = file.as_deref().map(|file| file.strip_prefix(folder).unwrap_or(file));
    let Some(file) = file.filter(|file| !file.trim().is_empty() && !script::leaves(file)) else {
        return Err(loss(hook, action.span.0, "its file is not in the directory of the skill"));
    };
    if given("namespace").as_deref() != Some(name) {
        return Err(loss(hook, action.span.0, format!("its namespace is not the skill `{name}`")));
    }
    extras(hook, losses);
    let timeout = part::param(action, "timeout");
    let file = Kind::Str(Text::plain(file));
    if hook.priority.is_none() && timeout.is_none() {
        return Ok(Value::new(file, hook.span.0));
    }
    let mut members = vec![member("script", file)];
    members
        .extend(hook.priority.as_ref().map(|priority| member("priority", Kind::Num(priority.node.clone()))));
    members.extend(timeout.map(|timeout| member("timeout", timeout.kind.clone())));
    Ok(Value::new(Kind::Map(members), hook.span.0))
}

/// Whether a skill can have such a hook.
fn expressible(hook: &Hook) -> Result<(), Loss> {
    let here = hook.span.0;
    let foreign = |event: &&hookc_schema::Spanned<String>| {
        part::family(hook, &event.node) != Family::Skill || !EVENTS.contains(&event.node.as_str())
    };
    if let Some(event) = hook.events.iter().find(foreign) {
        let why = format!("`{}` is not an event of a skill", event.node.escape_debug());
        return Err(loss(hook, event.span, why));
    }
    if hook.section == Section::Builtin {
        return Err(loss(hook, here, "a skill has no `builtin_hooks`"));
    }
    if let Some(cond) = &hook.condition {
        return Err(loss(hook, cond.span, "a hook of a skill has no condition"));
    }
    if !part::enforces(hook) {
        return Err(loss(hook, here, "a hook of a skill always enforces and has no `mode`"));
    }
    if hook.enabled.is_some_and(|enabled| !enabled.node) {
        return Err(loss(hook, here, "a hook of a skill cannot be disabled"));
    }
    if !hook.action.is(action::Kind::Script) {
        let why = format!("a hook of a skill is a script, not `{}`", hook.action.kind.node.escape_debug());
        return Err(loss(hook, hook.action.kind.span, why));
    }
    let number = |value: &Value| matches!(value.kind, Kind::Num(_));
    if part::param(&hook.action, "timeout").is_some_and(|timeout| !number(timeout)) {
        return Err(loss(hook, hook.action.span.0, "its timeout depends on the event"));
    }
    Ok(())
}

/// Properties that a hook of a skill cannot express and that can be omitted.
fn extras(hook: &Hook, losses: &mut Vec<Loss>) {
    part::extras(hook, losses);
    let parts = [
        (hook.id.as_ref().map(|id| id.span), "a hook of a skill has no id"),
        (hook.description.as_ref().map(|text| text.span), "a hook of a skill has no description"),
    ];
    for (span, why) in parts {
        losses.extend(span.map(|span| loss(hook, span, why)));
    }
}

fn text(policy: &Policy, name: &str, hooks: Vec<Member>) -> String {
    let text = |text: &str| Kind::Str(Text::plain(text));
    let mut members = vec![member("name", text(name))];
    let skill = policy.skill.as_ref();
    let description = skill.and_then(|skill| skill.description.as_ref());
    members.extend(description.map(|description| member("description", text(&description.node))));
    let trigger = skill.and_then(|skill| skill.trigger.as_ref());
    members.extend(trigger.map(|trigger| member("trigger", text(&trigger.node))));
    members.extend(skill.into_iter().flat_map(|skill| skill.others.iter().cloned()));
    if !hooks.is_empty() {
        members.push(member("hooks", Kind::Map(hooks)));
    }
    let mut out = String::from("---\n");
    members.iter().for_each(|member| emit::member(&mut out, member, 0));
    out.push_str("---\n");
    match skill {
        Some(skill) => out.push_str(&skill.body.node),
        None => out.push_str(&format!("\n# {name}\n")),
    }
    out
}

fn one_or_all(mut items: Vec<Value>) -> Kind {
    match (items.pop(), items.is_empty()) {
        (Some(only), true) => only.kind,
        (last, _) => {
            items.extend(last);
            Kind::Seq(items)
        }
    }
}
