//! The text of a policy with one hook, per dialect.

use hookc_base::action::Kind;
use hookc_compiler::Dialect;
use serde_json::{Map, Value, json};

use super::action;
use super::spec::{self, Spec};
use crate::edit::{lines, scalar};

/// The policy; `handler` is the path of its script, from the root.
pub(super) fn text(spec: &Spec, handler: Option<&str>) -> String {
    match spec.dialect {
        Dialect::Repository => repository(spec, handler.unwrap_or_default()),
        Dialect::Settings => {
            let document = json!({"hooks": {spec.event.as_str(): [piece(spec, handler)]}});
            format!("{document:#}\n")
        }
        Dialect::Skill => skill(spec),
        _ => {
            let text = lines(Some("hooks"), &json!([piece(spec, handler)]), "", "\n");
            // As `fmt` has it.
            hookc_syntax::fmt::canonical(&text).unwrap_or(text)
        }
    }
}

/// The hook in its context: an entry of its event in settings, a script of its event in a skill, an
/// item of the list in hooks-yaml.
pub(super) fn piece(spec: &Spec, handler: Option<&str>) -> Value {
    match spec.dialect {
        Dialect::Settings => settings(spec, handler),
        Dialect::Skill => script(spec).into(),
        _ => hooks_yaml(spec, handler),
    }
}

/// A script, relative to the directory of its skill.
fn script(spec: &Spec) -> String {
    format!("hooks/{}.py", spec.event)
}

fn repository(spec: &Spec, handler: &str) -> String {
    let blocking = spec.blocking.unwrap_or_else(|| spec.waits());
    let mut out = format!(
        "id: {}\nevent_type: {}\nenabled: true\nblocking: {blocking}\n",
        scalar(&spec.id),
        scalar(&spec.event)
    );
    if !spec.summary.is_empty() {
        out.push_str(&format!("summary: {}\n", scalar(&spec.summary)));
    }
    out.push_str(&matches(spec));
    out.push_str(&format!("handler:\n  kind: script\n  command: {}\n", scalar(&format!("./{handler}"))));
    out
}

/// The match block; a repeated key becomes a list.
fn matches(spec: &Spec) -> String {
    let mut keys: Vec<(&str, Vec<Value>)> = Vec::new();
    for (key, text) in &spec.matches {
        let value = if key == "min_duration_ms" { spec::scalar(text) } else { listed(text) };
        match keys.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(value),
            None => keys.push((key, vec![value])),
        }
    }
    if keys.is_empty() {
        return String::new();
    }
    let line = |(key, values): &(&str, Vec<Value>)| match values.as_slice() {
        [one] => format!("  {key}: {one}\n"),
        several => format!("  {key}: {}\n", Value::from(several)),
    };
    format!("match:\n{}", keys.iter().map(line).collect::<String>())
}

/// A glob is text, even if it looks like another value, or a JSON list of globs.
fn listed(text: &str) -> Value {
    match spec::scalar(text) {
        Value::Array(items) => Value::Array(items),
        _ => Value::from(text),
    }
}

fn hooks_yaml(spec: &Spec, handler: Option<&str>) -> Value {
    let mut hook = Map::new();
    hook.insert("id".to_owned(), spec.id.as_str().into());
    hook.insert("event".to_owned(), spec.event.as_str().into());
    if !spec.summary.is_empty() {
        hook.insert("description".to_owned(), spec.summary.as_str().into());
    }
    if let Some(when) = condition(spec) {
        hook.insert("when".to_owned(), when.into());
    }
    let mut members = Map::new();
    members.insert("type".to_owned(), spec.action.as_str().into());
    members.extend(action::params(spec, handler));
    hook.insert("action".to_owned(), members.into());
    hook.into()
}

/// `--match PATH=VALUE` of hooks-yaml, and `--when`.
fn condition(spec: &Spec) -> Option<String> {
    let yaml = spec.dialect == Dialect::HooksYaml;
    let leaf = |(path, text): &(String, String)| format!("{path} == {}", literal(&spec::scalar(text)));
    let mut parts: Vec<String> = spec.matches.iter().filter(|_| yaml).map(leaf).collect();
    match &spec.when {
        Some(when) if parts.is_empty() => return Some(when.clone()),
        Some(when) => parts.push(format!("({when})")),
        None => {}
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// A value in an expression: in single quotes if that has the same meaning.
fn literal(value: &Value) -> String {
    let plain = |c: char| !c.is_control() && !matches!(c, '\'' | '\\');
    match value.as_str() {
        Some(text) if text.chars().all(plain) => format!("'{text}'"),
        _ => value.to_string(),
    }
}

/// Kinds of actions that agents have handlers for themselves.
const NATIVE: [Kind; 4] = [Kind::Prompt, Kind::Agent, Kind::Http, Kind::McpTool];

/// Whether the agent reads the hook without hookc: it uses no extension of hookc.
pub(super) fn is_native(spec: &Spec) -> bool {
    spec.when.is_none() && (spec.action == Kind::Run || NATIVE.contains(&spec.action))
}

fn settings(spec: &Spec, handler: Option<&str>) -> Value {
    let mut entry = Map::new();
    if let Some((_, matcher)) = spec.matches.last() {
        entry.insert("matcher".to_owned(), matcher.as_str().into());
    }
    if !is_native(spec) {
        entry.insert("id".to_owned(), spec.id.as_str().into());
        if !spec.summary.is_empty() {
            entry.insert("description".to_owned(), spec.summary.as_str().into());
        }
    }
    if let Some(when) = condition(spec) {
        entry.insert("when".to_owned(), when.into());
    }
    let mut members = Map::new();
    match spec.action {
        Kind::Run => {
            // Agents start handlers in any directory and provide the project directory.
            let command = format!("\"${{CLAUDE_PROJECT_DIR:-.}}\"/{}", handler.unwrap_or_default());
            members.insert("type".to_owned(), "command".into());
            members.insert("command".to_owned(), command.into());
            if spec.blocking == Some(false) {
                members.insert("async".to_owned(), true.into());
            }
            members.extend(spec.params.iter().cloned());
            entry.insert("hooks".to_owned(), json!([members]));
        }
        kind => {
            members.insert("type".to_owned(), kind.as_str().into());
            members.extend(action::params(spec, handler));
            let (key, value) = match NATIVE.contains(&kind) {
                true => ("hooks", json!([members])),
                false => ("action", Value::Object(members)),
            };
            entry.insert(key.to_owned(), value);
        }
    }
    entry.into()
}

fn skill(spec: &Spec) -> String {
    let said = if spec.summary.is_empty() { "Describe the skill here." } else { &spec.summary };
    format!(
        "---\nname: {}\ndescription: {}\n{}---\n\n# {}\n\n{said}\n",
        scalar(&spec.id),
        scalar(said),
        hooks(spec),
        spec.id,
    )
}

fn hooks(spec: &Spec) -> String {
    lines(Some("hooks"), &json!({spec.event.as_str(): script(spec)}), "", "\n")
}

/// Front matter for a skill without one: unknown values are omitted.
pub(super) fn front_matter(spec: &Spec) -> String {
    let said = (!spec.summary.is_empty()).then(|| format!("description: {}\n", scalar(&spec.summary)));
    format!("---\nname: {}\n{}{}---\n\n", scalar(&spec.id), said.unwrap_or_default(), hooks(spec))
}
