//! The event of a question, as the agent would send it. All names are from the agent's data.

use std::path::Path;

use hookc_runtime::probe;
use hookc_schema::agents::{Agent, Event};
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;
use serde_json::{Map, Value, json};

/// The text of members whose content does not matter.
const TEXT: &str = "hookc probe";

/// A tool of an agent, under the agent's own name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tool {
    /// The name of the vocabulary.
    pub(super) name: String,
    native: String,
    input: Map<String, Value>,
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// A tool.
    Tool(Tool),
    /// A value of the member that matchers of the event test.
    Value(String),
}

/// Whether events of a type are about a tool.
pub(super) fn has_tool(event: &Event) -> bool {
    let vocabulary = Vocabulary::builtin();
    let declared = vocabulary.event(Family::Agent, &event.event);
    event.tool.is_some() || declared.is_some_and(|known| known.schema.property("tool_name").is_some())
}

/// The tools with which an agent would do what a tool of the vocabulary does; none if it has no such tool.
pub(super) fn tools(agent: &Agent, name: &str) -> Vec<Tool> {
    let tool = |native: &str, input: Map<String, Value>| Tool {
        name: name.to_owned(),
        native: native.to_owned(),
        input,
    };
    let is_patch = |native: &String| agent.protocol.patch.iter().any(|patch| patch.tools.contains(native));
    let named = agent.all_tools().filter(|(native, known)| known == name && !is_patch(native));
    let mut found: Vec<Tool> = named.map(|(native, _)| tool(native, Map::new())).collect();
    for one in &agent.protocol.several {
        let values = one.tools.iter().filter(|(_, known)| known == name);
        found.extend(
            values.map(|(value, _)| tool(&one.tool, Map::from_iter([(one.input.clone(), json!(value))]))),
        );
    }
    if let Some((patch, text)) = agent.protocol.patch.as_ref().zip(patch(name)) {
        let input = patch.members.first().map(|member| (member.clone(), json!(text)));
        found.extend(patch.tools.first().map(|native| tool(native, input.into_iter().collect())));
    }
    if found.is_empty() && agent.sends_tool(name) {
        found.push(tool(name, Map::new()));
    }
    found
}

/// A patch that does what a tool of the vocabulary does.
fn patch(name: &str) -> Option<&'static str> {
    match name {
        "Write" => Some("*** Begin Patch\n*** Add File: hookc-probe\n+probe\n*** End Patch\n"),
        "Edit" => Some("*** Begin Patch\n*** Update File: hookc-probe\n@@\n-a\n+b\n*** End Patch\n"),
        _ => None,
    }
}

/// The bytes of the event.
pub(super) fn event(agent: &Agent, event: &Event, subject: &Subject, root: &Path, token: &str) -> Vec<u8> {
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| put(&mut members, &native(agent, event, name), value);
    put("session_id", json!(TEXT));
    put("cwd", json!(root.to_string_lossy()));
    match subject {
        Subject::Tool(tool) if event.tool.is_none() => {
            put("tool_name", json!(tool.native));
            put("tool_input", Value::Object(tool.input.clone()));
        }
        Subject::Tool(_) => {
            event.input.iter().filter(|name| *name != "cwd").for_each(|name| put(name, json!(TEXT)))
        }
        Subject::Value(value) => {
            if let Some(member) = event.matcher.as_deref().filter(|member| *member != "tool_name") {
                put(member, json!(value));
            }
        }
    }
    if event.event == "UserPromptSubmit" {
        put("prompt", json!(TEXT));
    }
    let agents_names = agent.protocol.names.first();
    let is_named = agent.settings.as_ref().is_some_and(|settings| !settings.unnamed_events);
    if let Some(name) = agents_names.filter(|_| is_named) {
        members.insert(name.clone(), json!(event.name));
    }
    let recognized = agent.protocol.unnamed.iter().find(|unnamed| unnamed.is == event.name);
    for member in recognized.iter().flat_map(|unnamed| &unnamed.has) {
        if !members.contains_key(member) {
            // The event may have the member under another name of the agent.
            let known = agent.protocol.members.iter().find(|(name, _)| name == member);
            let other = known.and_then(|(_, name)| members.remove(&native(agent, event, name)));
            members.insert(member.clone(), other.unwrap_or_else(|| json!(TEXT)));
        }
    }
    members.insert(probe::MEMBER.to_owned(), json!(token));
    Value::Object(members).to_string().into_bytes()
}

/// The agent's name of a member of the vocabulary: of several in objects, the one in the object of the event.
fn native(agent: &Agent, event: &Event, name: &str) -> String {
    let known =
        || agent.protocol.members.iter().filter(|(_, member)| member == name).map(|(native, _)| native);
    let of_event = |path: &&String| {
        path.split_once('.').is_some_and(|(object, _)| object.eq_ignore_ascii_case(&event.name))
    };
    let path = known().find(of_event).or_else(|| known().next());
    path.map_or_else(|| name.to_owned(), Clone::clone)
}

/// Sets a member; `a.b` is the member `b` of the object `a`.
fn put(members: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            members.insert(path.to_owned(), value);
        }
        Some((object, member)) => {
            let inner = members.entry(object.to_owned()).or_insert_with(|| json!({}));
            if let Value::Object(inner) = inner {
                inner.insert(member.to_owned(), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hookc_runtime::adapter;

    use super::*;
    use crate::installed::target;

    /// Every agent reads its events, as the type that they are, and about the tool that they are about.
    #[test]
    fn every_agent_reads_its_questions() {
        let mut read = 0;
        for target in target::all() {
            let (agent, adapter) = (target.agent(), adapter::by_name(&target.name).unwrap());
            for known in &agent.events {
                let names = ["Bash", "Edit", "Write", "Read"].map(|name| tools(agent, name));
                let fits = |tool: &Tool| known.tool.as_ref().is_none_or(|only| *only == tool.name);
                let subjects: Vec<Subject> = match has_tool(known) {
                    true => names.into_iter().flatten().filter(fits).map(Subject::Tool).collect(),
                    false => vec![Subject::Value(TEXT.to_owned())],
                };
                for subject in subjects {
                    let bytes = event(agent, known, &subject, Path::new("/p"), "token");
                    let text = String::from_utf8(bytes.clone()).unwrap();
                    let incoming = adapter.read(bytes, Some(&known.name));
                    let incoming = incoming.unwrap_or_else(|error| panic!("{} {text}: {error}", agent.name));
                    assert_eq!(incoming.name, known.event, "{} {text}", agent.name);
                    assert_eq!(incoming.event.text(probe::MEMBER).as_deref(), Some("token"), "{text}");
                    // An event for the tools of MCP servers alone is about none of these.
                    let is_about = known.tool.is_some() || !known.part;
                    if let (Subject::Tool(Tool { name: tool, .. }), true) = (&subject, is_about) {
                        assert_eq!(
                            incoming.event.text("tool_name").as_deref(),
                            Some(tool.as_str()),
                            "{} {text}",
                            agent.name
                        );
                    }
                    read += 1;
                }
            }
        }
        assert!(read > 200, "{read} events were read");
    }
}
