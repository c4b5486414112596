//! Writes hooks files: a policy as `hooks.yaml`.
//!
//! `lower.rs` turns the tree into the value that the front end would read, `emit.rs` writes a value
//! as block YAML, `scalar.rs` quotes strings. The output parses to an equal policy.

pub(crate) mod emit;
mod history;
pub(super) mod lower;

use hookc_schema::tree::{Hook, Policy, Section};
use hookc_schema::value::{Kind, Value};

use super::Loss;
use super::part::label;
use super::value::Map;
use crate::limits;

/// The policy in the dialect, and its losses: hooks with events that a hooks file cannot name, or
/// with too much nesting, are omitted.
#[must_use]
pub fn write(policy: &Policy) -> (String, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut out = String::new();
    for (key, value) in head(policy) {
        part(&mut out, key, &value);
    }
    if let Some(facts) = facts(policy, &mut losses) {
        part(&mut out, "facts", &facts);
    }
    let first = policy.hooks.first().map_or(Section::Hooks, |hook| hook.section);
    let sections = match first {
        Section::Builtin => [Section::Builtin, Section::Hooks],
        Section::Hooks => [Section::Hooks, Section::Builtin],
    };
    for section in sections {
        let in_section = policy.hooks.iter().filter(|hook| hook.section == section);
        hooks(&mut out, section, in_section, &mut losses);
    }
    (out, losses)
}

/// `schema_version` and the declarations.
fn head(policy: &Policy) -> Vec<(&'static str, Value)> {
    let version = policy.schema_version.as_ref();
    let version = version.map(|version| ("schema_version", Value::string(&version.node, version.span)));
    let sections = policy.declarations.sections().map(|(name, value)| (name, value.clone()));
    version.into_iter().chain(sections).collect()
}

/// The facts by name, if there are any.
fn facts(policy: &Policy, losses: &mut Vec<Loss>) -> Option<Value> {
    let mut map = Map::default();
    for fact in &policy.facts {
        // The pattern is in the mapping of names in the mapping of the file.
        if history::fact_levels(fact) + 2 > limits::NESTING {
            losses
                .push(super::history::loss(fact, &format!("it needs more than {} levels", limits::NESTING)));
        } else {
            map.put(&fact.name.node, history::fact(fact));
        }
    }
    (!map.0.is_empty()).then(|| map.done())
}

/// A top-level key, an empty line before it.
fn part(out: &mut String, key: &str, value: &Value) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(key);
    out.push(':');
    match key {
        "sets" => emit::member_patterns(out, value, 0),
        _ => emit::member_value(out, value, 0),
    }
}

fn hooks<'a>(
    out: &mut String,
    section: Section,
    hooks: impl Iterator<Item = &'a Hook>,
    losses: &mut Vec<Loss>,
) {
    let name = match section {
        Section::Hooks => "hooks",
        Section::Builtin => "builtin_hooks",
    };
    let values: Vec<Value> = hooks.filter_map(|hook| expressible(hook, losses)).collect();
    if values.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(name);
    out.push_str(":\n");
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        emit::item(out, value, 1);
    }
}

/// The hook as a value, unless the dialect cannot express it.
fn expressible(hook: &Hook, losses: &mut Vec<Loss>) -> Option<Value> {
    let mut lose = |why: String| {
        losses.push(Loss { span: hook.span.0, what: format!("{}: {why}", label(hook)) });
        None
    };
    if let Some(vocabulary) = lower::foreign(hook.family).filter(|_| !super::reachable(hook)) {
        return lose(format!(
            "the vocabulary has no such event of {vocabulary}, so a hooks file would mean one of threads"
        ));
    }
    // The hook is in a list in the mapping of the file.
    if lower::cond_levels(hook.condition.as_ref()) + 3 > limits::NESTING {
        return lose(format!("its condition needs more than {} levels", limits::NESTING));
    }
    let value = lower::hook(hook);
    if levels(&value) + 2 > limits::NESTING {
        return lose(format!("it needs more than {} levels", limits::NESTING));
    }
    Some(value)
}

/// Levels of lists and mappings in a value.
pub(super) fn levels(value: &Value) -> usize {
    match &value.kind {
        Kind::Seq(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Kind::Map(members) => 1 + members.iter().map(|member| levels(&member.value)).max().unwrap_or(0),
        _ => 0,
    }
}
