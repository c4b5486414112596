//! What single agents send in addition to the shared vocabulary: `sends` in an agent's file.
//!
//! | section | contains |
//! |---|---|
//! | `fields` | root fields, by event type; those of every event under `all` |
//! | `inputs` | members of tool inputs, by tool |
//! | `responses` | members of tool responses, by tool; those of every tool under `all` |
//! | `tools` | tools that no other agent has |
//!
//! Several agents can send the same field. A description that ends with `(earlier)` is about earlier
//! versions of the agent.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::load::field;
use super::tools::{members, object, tool};
use super::{FieldSchema, Tools, builtin};
use crate::agents::Id;
use crate::diag::Diagnostics;

/// The sections with fields.
const SECTIONS: [&str; 3] = ["fields", "inputs", "responses"];

/// A field with the labels of the agents that send it.
type Sent = (FieldSchema, Vec<String>);

/// What is read of an agent's file.
#[derive(Deserialize)]
struct Sending {
    label: String,
    sends: Option<builtin::Data>,
}

/// Adds what each agent sends to `tools`.
pub(super) fn load(tools: &mut Tools, out: &mut Diagnostics) {
    let mut sent: BTreeMap<(&'static str, String, String), Sent> = BTreeMap::new();
    for id in Id::ALL {
        let Ok(Sending { label, sends: Some(builtin::Data(sends)) }) = serde_json::from_str(id.text()) else {
            continue;
        };
        let (sends, label) = (&sends, label.strip_prefix("the ").unwrap_or(&label).to_owned());
        for section in SECTIONS {
            for (key, value) in members(sends, section).iter().map(|member| (&member.key.node, &member.value))
            {
                for (name, schema) in value.members().iter().map(|entry| (&entry.key.node, &entry.value)) {
                    let new = field(schema, out);
                    let known = sent.entry((section, key.clone(), name.clone()));
                    let known = known.or_insert_with(|| (new, Vec::new()));
                    known.1.push(label.clone());
                }
            }
        }
        for member in members(sends, "tools") {
            let mut added = tool(&member.value, out);
            added.description = with_agents(&added.description, std::slice::from_ref(&label));
            tools.by_name.insert(member.key.node.clone(), added);
        }
    }
    for ((section, key, name), (mut field, labels)) in sent {
        field.description = with_agents(&field.description, &labels);
        let target = match (section, key.as_str()) {
            ("fields", "all") => Some(tools.some_agents.entry(String::new()).or_insert_with(object)),
            ("fields", event) => Some(tools.some_agents.entry(event.to_owned()).or_insert_with(object)),
            ("responses", "all") => Some(&mut tools.any_response),
            ("inputs", tool_name) => tools.by_name.get_mut(tool_name).and_then(|tool| tool.input.as_mut()),
            (_, tool_name) => tools.by_name.get_mut(tool_name).and_then(|tool| tool.response.as_mut()),
        };
        if let Some(target) = target {
            target.properties.insert(name, field);
        }
    }
}

/// A description with the agents to which it applies, before its full stop.
fn with_agents(text: &str, labels: &[String]) -> String {
    let sentence = text.strip_suffix('.').filter(|text| !text.ends_with('.'));
    let (text, stop) = sentence.map_or((text, ""), |text| (text, "."));
    let (text, earlier) = text.strip_suffix(" (earlier)").map_or((text, ""), |text| (text, ", earlier"));
    format!("{text} ({}{earlier}){stop}", labels.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Family;
    use crate::value::Value;
    use crate::vocab::Vocabulary;

    #[test]
    fn descriptions_name_their_agents() {
        let labels = ["A".to_owned(), "B".to_owned()];
        assert_eq!(with_agents("the path", &labels), "the path (A, B)");
        assert_eq!(with_agents("the path (earlier)", &labels[..1]), "the path (A, earlier)");
        assert_eq!(with_agents("Lists (earlier).", &labels[..1]), "Lists (A, earlier).");
        assert_eq!(with_agents("a, b, ...", &labels[..1]), "a, b, ... (A)");
    }

    #[test]
    fn every_section_is_read_and_has_a_target() {
        let mut out = Diagnostics::new();
        let base = builtin::data(super::super::tools::FILE);
        let vocabulary = Vocabulary::builtin();
        for id in Id::ALL {
            let data = builtin::data(id.text());
            for section in data.get("sends").map(Value::members).unwrap_or_default() {
                let name = section.key.node.as_str();
                assert!(name == "tools" || SECTIONS.contains(&name), "{id:?}: {name}");
                for member in section.value.members() {
                    let shared = base.get("tools").and_then(|tools| tools.get(&member.key.node));
                    let key = member.key.node.as_str();
                    match name {
                        "fields" => {
                            let known = vocabulary.events.contains_key(&(Family::Agent, key.to_owned()));
                            assert!(key == "all" || known, "{key}");
                        }
                        "inputs" => assert!(shared.is_some_and(|tool| tool.get("input").is_some()), "{key}"),
                        "responses" => {
                            let known = shared.is_some_and(|tool| tool.get("response").is_some());
                            assert!(key == "all" || known, "{key}");
                        }
                        _ => assert!(shared.is_none(), "{key} is a tool of all agents"),
                    }
                }
            }
        }
        // A field of several agents has one meaning.
        let mut seen: BTreeMap<(&str, String, String), FieldSchema> = BTreeMap::new();
        for id in Id::ALL {
            let data = builtin::data(id.text());
            let Some(sends) = data.get("sends") else { continue };
            for section in SECTIONS {
                for member in members(sends, section) {
                    for one in member.value.members() {
                        let new = field(&one.value, &mut out);
                        let key = (section, member.key.node.clone(), one.key.node.clone());
                        let known = seen.entry(key.clone()).or_insert_with(|| new.clone());
                        assert_eq!(*known, new, "{key:?}");
                    }
                }
            }
        }
        assert!(out.is_empty(), "{out:?}");
    }
}
