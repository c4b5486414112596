//! The schemas of agents' settings and hooks files.
//!
//! The agents own these formats: a schema describes the hooks in a file and accepts everything
//! else. Unknown keys are valid; `hookc check` warns about them.

use serde_json::{Map, Value, json};

use super::{action, condition, members, object};
use crate::agents::{Agent, Form, Key, Kind, Listed};
use crate::decode::{Definitions, Object, object_schema};
use crate::dialect::hooks;
use crate::dialect::settings::{GROUP, HANDLERS, TYPED};
use crate::tree::Family;
use crate::vocab::{Type, Vocabulary};

/// Keys that are notes for people.
const COMMENT: &str = "^(_|#|//|\\$comment$|comments?$)";

/// The schema of an agent's files.
pub(super) fn schema(agent: &Agent) -> Value {
    agent.form.as_ref().map_or_else(|| claude(agent), |form| of_form(agent, form))
}

/// The files that the schema of an agent describes.
pub(super) fn files(agent: &Agent) -> String {
    let path = agent.settings.as_ref().map(|settings| settings.project.as_str());
    let path = path.or_else(|| agent.form.as_ref()?.paths.first().map(String::as_str));
    format!("`{}` of {}", path.unwrap_or_default(), agent.label)
}

/// Claude Code's settings: events of groups of handlers, under `hooks` or at the root of a file
/// without that key.
fn claude(agent: &Agent) -> Value {
    let mut definitions = Definitions::default();
    condition::define_without_history(&mut definitions);
    for kind in &agent.handlers {
        if let Some((_, table)) = HANDLERS.iter().find(|(name, _)| *name == kind.name) {
            let handler = handler_of_type(table, &kind.action, &mut definitions);
            definitions.put(table.name, handler);
        }
    }
    let mut typed = object_schema(&TYPED, &mut definitions);
    put(&mut typed, &["properties", "action"], json!({"$ref": "#/$defs/known_action"}));
    put(&mut typed, &["patternProperties"], json!({(COMMENT): true}));
    put(&mut typed, &["additionalProperties"], json!(false));
    definitions.put(TYPED.name, typed.clone());
    put(&mut typed, &["properties", "matcher"], json!({"type": "string"}));
    definitions.put(FLAT, typed);
    definitions.object(&hooks::ACTION);
    let vocabulary = Vocabulary::builtin();
    definitions.put("known_action", action::known(&vocabulary));
    definitions.put("types", action::types());
    for (name, kind) in action::kinds(&vocabulary) {
        definitions.put(name, kind);
    }
    let mut group = object_schema(&GROUP, &mut definitions);
    put(&mut group, &["properties", "hooks", "items"], json!({"$ref": "#/$defs/handler"}));
    put(&mut group, &["properties", "action"], json!(false));
    definitions.put("group", group);
    definitions.put("handler", claude_handler(TYPED.name));
    definitions.put("lone_handler", claude_handler(FLAT));
    let kinds: Vec<&str> = HANDLERS.iter().map(|(name, _)| *name).collect();
    // At the root, a list under another name contains hooks if an item looks like one.
    let like = json!({"type": "array", "contains": {"type": "object", "anyOf": [
        {"required": ["hooks"], "properties": {"hooks": {"type": "array"}}},
        {"required": ["type"], "properties": {"type": {"enum": kinds}}},
        {"required": ["action"], "properties": {"action": {"type": "object"}}},
    ]}});
    let other = json!({"if": {"type": "array"}, "then": {"$ref": "#/$defs/entries"}});
    definitions.put("entry", entry(json!({"$ref": "#/$defs/lone_handler"})));
    definitions.put("entries", json!({"type": "array", "items": {"$ref": "#/$defs/entry"}}));
    definitions.put("events", events(agent, &agent.beside, other));
    let at_root = json!({"if": like, "then": {"$ref": "#/$defs/entries"}});
    let root = events(agent, &agent.beside, at_root);
    // Hooks can be in other files, which a string or a list of strings names.
    let hooks = json!({
        "description": "Groups of handlers by event.",
        "type": ["object", "string", "array"],
        "if": {"type": "object"},
        "then": {"$ref": "#/$defs/events"},
        "else": {"items": {"type": "string"}},
    });
    object([
        json!({"type": "object", "properties": object([switches(agent), json!({"hooks": hooks})])}),
        json!({"if": {"not": {"required": ["hooks"]}}, "then": root}),
        json!({"$defs": definitions.into_value()}),
    ])
}

/// The name of the definition of an action of the language outside a group.
const FLAT: &str = "typed_entry";

/// A handler of a type, whose keys set parameters of an action.
fn handler_of_type(table: &'static Object, kind: &str, definitions: &mut Definitions) -> Value {
    let mut schema = object_schema(table, definitions);
    let vocabulary = Vocabulary::builtin();
    let params = vocabulary.actions.get(kind).map(|action| &action.params);
    for key in table.keys {
        let param = key.becomes.and_then(|name| params?.get(name));
        if let Some(minimum) = param.and_then(action::minimum) {
            put(&mut schema, &["properties", key.name, "minimum"], minimum);
        }
    }
    put(&mut schema, &["properties", "if", "pattern"], json!(r"\S"));
    schema
}

/// A handler by its type, or an action of the language, by the definition `typed`.
fn claude_handler(typed: &str) -> Value {
    let kinds: Vec<&str> = HANDLERS.iter().map(|(name, _)| *name).collect();
    let table = |kind: &&str| {
        json!({
            "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
            "then": {"$ref": format!("#/$defs/{kind}")},
        })
    };
    let typed = json!({
        "if": {"required": ["action"]},
        "then": {"$ref": format!("#/$defs/{typed}")},
    });
    json!({
        "type": "object",
        "oneOf": [{"required": ["type"]}, {"required": ["action"]}],
        "properties": {"type": {"enum": kinds}},
        "allOf": kinds.iter().map(table).chain([typed]).collect::<Vec<_>>(),
    })
}

/// An entry of an event: a group, or what `alone` describes.
fn entry(alone: Value) -> Value {
    json!({
        "type": "object",
        "if": {"required": ["hooks"]},
        "then": {"$ref": "#/$defs/group"},
        "else": alone,
    })
}

/// Events with lists of entries; `beside` are keys that are not events.
fn events(agent: &Agent, beside: &[String], other: Value) -> Value {
    let entries = |about: Option<&str>| match about {
        Some(about) => json!({"description": about, "$ref": "#/$defs/entries"}),
        None => json!({"$ref": "#/$defs/entries"}),
    };
    let vocabulary = Vocabulary::builtin();
    let native = agent.events.iter().map(|event| {
        let known = vocabulary.events.get(&(Family::Agent, event.event.clone()));
        (event.name.clone(), entries(known.map(|known| known.description.as_str())))
    });
    let mut members: Map<String, Value> = native.collect();
    members.extend(beside.iter().map(|key| (key.clone(), json!(true))));
    json!({
        "type": "object",
        "properties": members,
        "patternProperties": {(COMMENT): true},
        "additionalProperties": other,
    })
}

/// The keys next to `hooks` that disable hooks.
fn switches(agent: &Agent) -> Value {
    let keys = agent.settings.iter().flat_map(|settings| &settings.switches);
    let whole = keys.filter(|switch| !switch.key.contains('.'));
    members(whole.map(|switch| {
        (switch.key.clone(), json!({"description": format!("`{}` disables all hooks.", switch.off)}))
    }))
}

/// A hooks file of an agent with a format of its own.
fn of_form(agent: &Agent, form: &Form) -> Value {
    let mut definitions = Definitions::default();
    definitions.put("handler", handler(form));
    let handlers = json!({"type": "array", "items": {"$ref": "#/$defs/handler"}});
    definitions.put("group", json!({"type": "object", "properties": {"hooks": handlers}}));
    let alone = if agent.groups { json!(true) } else { json!({"$ref": "#/$defs/handler"}) };
    definitions.put("entry", entry(alone));
    definitions.put("entries", json!({"type": "array", "items": {"$ref": "#/$defs/entry"}}));
    definitions.put("events", events(agent, &form.beside, json!(true)));
    let mut hooks = json!({
        "description": if agent.groups { "Groups of handlers by event." } else { "Handlers by event." },
        "type": ["object", "string"],
        "if": {"type": "object"},
        "then": {"$ref": "#/$defs/events"},
    });
    if let Some(listed) = &form.listed {
        put(&mut hooks, &["type"], json!(["object", "string", "array"]));
        put(&mut hooks, &["else"], json!({"items": in_list(listed)}));
    }
    if form.named.is_some() {
        return object([
            json!({"type": "object", "additionalProperties": hooks}),
            json!({"$defs": definitions.into_value()}),
        ]);
    }
    let properties = object([switches(agent), json!({"hooks": hooks})]);
    let mut root = json!({"type": "object", "properties": properties});
    if !form.bare.is_empty() || form.bare_too {
        let events = json!({"$ref": "#/$defs/events"});
        put(&mut root, &["if"], json!({"not": {"required": ["hooks"]}}));
        put(&mut root, &["then"], events);
    }
    if let Some(keys) = &form.root {
        keys.iter().for_each(|key| put(&mut root, &["properties", key.as_str()], json!(true)));
        put(&mut root, &["additionalProperties"], json!(false));
    }
    object([root, json!({"$defs": definitions.into_value()})])
}

/// A hook of a list.
fn in_list(listed: &Listed) -> Value {
    let Listed { event, handler, .. } = listed;
    json!({
        "type": "object",
        "required": [event, handler],
        "properties": {(event): {"type": "string"}, (handler): {"$ref": "#/$defs/handler"}},
    })
}

/// A handler by its type; without one, its keys determine the type if the agent allows that.
fn handler(form: &Form) -> Value {
    let handler = &form.handler;
    let names = handler.types.iter().map(|kind| &kind.name).chain(&handler.unconverted).collect::<Vec<_>>();
    let mut rules = Vec::new();
    let mut earlier = Vec::new();
    for kind in &handler.types {
        let needs = any_of(&kind.needs);
        let typed = json!({"properties": {"type": {"const": kind.name}}, "required": ["type"]});
        rules.push(json!({"if": typed, "then": needs}));
        let untyped = object([json!({"not": any(earlier.iter().copied().chain(["type"]))}), needs.clone()]);
        let of_kind = match handler.untyped && !kind.needs.is_empty() {
            true => json!({"anyOf": [typed, untyped]}),
            false => typed,
        };
        if !kind.skipped {
            rules.push(json!({"if": of_kind, "then": {"properties": properties(form, kind)}}));
            rules.extend(powershell(kind).map(|then| json!({"if": of_kind, "then": then})));
        }
        earlier.extend(kind.needs.iter().map(String::as_str));
    }
    let mut whole = json!({
        "type": "object",
        "properties": {"type": {"enum": names}},
        "allOf": rules,
    });
    match handler.untyped {
        true => put(&mut whole, &["anyOf"], requires(earlier.into_iter().chain(["type"]))),
        false => put(&mut whole, &["required"], json!(["type"])),
    }
    whole
}

/// The types of the keys that set a parameter of the action of a type of handlers.
fn properties(form: &Form, kind: &Kind) -> Value {
    let vocabulary = Vocabulary::builtin();
    let params = vocabulary.actions.get(&kind.action).map(|action| &action.params);
    let value_of = |key: &Key| {
        let param = key.param.as_deref()?;
        if param == "fail_closed" {
            let kind = if key.yes.is_some() { "string" } else { "boolean" };
            return Some(json!({"type": kind}));
        }
        let param = params?.get(param)?;
        Some(match param.types.types().next()? {
            Type::Number if key.divide > 1 => json!({"type": "integer", "minimum": 0}),
            Type::Number => {
                let is_whole = form.handler.whole && key.param.as_deref() == Some("timeout");
                let kind = if is_whole { "integer" } else { "number" };
                json!({"type": kind, "minimum": action::minimum(param).unwrap_or(json!(0))})
            }
            Type::Boolean => json!({"type": "boolean"}),
            Type::Object => json!({"type": "object"}),
            Type::Array => json!({"type": "array"}),
            _ => json!({"type": "string"}),
        })
    };
    members(form.handler.keys.iter().filter_map(|key| Some((key.name.clone(), value_of(key)?))))
}

/// `powershell` is the command of a handler without another one.
fn powershell(kind: &Kind) -> Option<Value> {
    let (own, others): (Vec<_>, Vec<_>) = kind.needs.iter().partition(|key| *key == "powershell");
    let text = json!({"properties": {"powershell": {"type": "string"}}});
    let others = any(others.into_iter().map(String::as_str));
    (!own.is_empty()).then(|| json!({"if": {"not": others}, "then": text}))
}

/// One of these keys is present; any object if the list is empty.
fn any_of(keys: &[String]) -> Value {
    if keys.is_empty() { json!({}) } else { any(keys.iter().map(String::as_str)) }
}

fn any<'k>(keys: impl IntoIterator<Item = &'k str>) -> Value {
    json!({"anyOf": requires(keys)})
}

fn requires<'k>(keys: impl IntoIterator<Item = &'k str>) -> Value {
    keys.into_iter().map(|key| json!({"required": [key]})).collect()
}

/// Sets a member of nested objects, which are created as needed.
fn put(schema: &mut Value, path: &[&str], value: Value) {
    let mut at = schema;
    for name in path {
        if !at.is_object() {
            *at = json!({});
        }
        let Value::Object(members) = at else { return };
        at = members.entry(*name).or_insert(Value::Null);
    }
    *at = value;
}
