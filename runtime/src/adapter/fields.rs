//! Fields of a tool's input with other names than in the vocabulary: a guard on
//! `tool_input.content` sees the written text, whichever agent writes it.

use hookc_schema::agents::Agent;
use serde_json::Value;
use serde_json::value::RawValue;

use super::failed;
use super::list::{self, List};
use super::members::Members;
use crate::event::EventError;
use crate::verdict::Change;

/// Tools that work on one file.
const TOOLS: [&str; 6] = ["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Delete"];

/// The maximum factor between the length of a value and its length as hookc writes it: every
/// character escaped, whitespace between all others.
const LONGER: usize = 12;

/// A field that the event has under the vocabulary's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    name: &'static str,
    /// The agent's name for it; `None` if the agent has no such field.
    native: Option<&'static str>,
    /// Whether the agent sent it under the vocabulary's name, too.
    both: bool,
}

impl Field {
    /// A field that the agent does not have.
    pub(super) const fn added(name: &'static str) -> Self {
        Self { name, native: None, both: false }
    }
}

/// A tool's input under the vocabulary's names.
pub(super) struct Translated<'m> {
    pub(super) input: Members<'m>,
    pub(super) fields: Vec<Field>,
    /// The list whose first element the input has.
    pub(super) list: Option<List>,
}

/// The input of a tool, with its fields under the vocabulary's names too; `None` if no field has another name.
///
/// # Errors
/// A field has two names with different values: guards would check one, and the agent could use the
/// other.
pub(super) fn translate<'m>(
    members: &'m Members<'_>,
    agent: &'static Agent,
) -> Result<Option<Translated<'m>>, EventError> {
    let tool = members.text("tool_name").unwrap_or_default();
    let given = members.get("tool_input").map(RawValue::get).unwrap_or_default();
    let names: Vec<_> = agent.input_names(&tool, TOOLS.contains(&tool.as_str())).collect();
    let lists = agent.lists.get(&tool);
    if (names.is_empty() && lists.is_none()) || !given.starts_with('{') {
        return Ok(None);
    }
    let mut input = Members::read_as(given.as_bytes(), "the tool's input")?;
    let mut fields = Vec::new();
    for (native, name) in names {
        let Some(value) = input.get(native).map(RawValue::get) else { continue };
        let both = input.get(name).map(RawValue::get);
        if both.is_some_and(|both| both != value) {
            return Err(two_values(native, name));
        }
        let sent = both.is_some() && !fields.iter().any(|field: &Field| field.name == name && !field.both);
        fields.push(Field { name, native: Some(native), both: sent });
        input.copy(native, name);
    }
    let list = list::first(&mut input, lists)?;
    fields.extend(list.iter().map(|list| Field::added(list.name())));
    Ok((!fields.is_empty()).then_some(Translated { input, fields, list }))
}

/// The tool's input has a field under two names, with different values.
pub(super) fn two_values(native: &str, name: &str) -> EventError {
    let what = if name.ends_with("_path") { "names two files" } else { "has two texts" };
    failed(format!("the tool's input {what}, as `{native}` and as `{name}`"))
}

/// The complete new input that a change produces, under the agent's names.
pub(super) fn changed<'a>(fields: &[Field], old: Members<'a>, change: &Change) -> Members<'a> {
    let is_new = |name: &str| change.fields.get(name).is_some_and(|value| !is_same(&old, name, value));
    let new: Vec<bool> = fields.iter().map(|field| is_new(field.name)).collect();
    // Moved, not copied: it can be as long as an event.
    let mut input = if change.whole { Members::default() } else { old };
    input.put_all(&change.fields);
    for (Field { name, native, both }, new) in fields.iter().zip(new) {
        let value = if *both { input.value(name) } else { input.remove(name) };
        if let (Some(value), Some(native)) = (value, native)
            && (new || !input.has(native))
        {
            input.add(native, value);
        }
    }
    input
}

/// Whether a change sets a field that the agent does not have.
pub(super) fn is_lost(fields: &[Field], old: &Members<'_>, change: &Change) -> bool {
    let added = fields.iter().filter(|field| field.native.is_none());
    added
        .map(|field| field.name)
        .any(|name| change.fields.get(name).is_some_and(|value| !is_same(old, name, value)))
}

/// Whether a member has this value. A much longer text cannot, and is not parsed.
fn is_same(old: &Members<'_>, name: &str, value: &Value) -> bool {
    let Some(old) = old.get(name).map(RawValue::get) else { return false };
    let text = value.to_string();
    old == text
        || old.len() <= text.len().saturating_mul(LONGER)
            && serde_json::from_str(old).ok().as_ref() == Some(value)
}

/// Whether the event has a field only under the vocabulary's name.
pub(super) fn is_ours(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name && !field.both)
}
