//! The loader of the agents' files. It reports what is invalid in them, and a test checks that it
//! reports nothing.

use serde_json::{Map, Value};

use super::{Agent, Event, Form, Handler, Key, Kind, Verdict};

const FILES: &[(&str, &str)] = &[
    ("claude", include_str!("../../data/agents/claude.json")),
    ("codex", include_str!("../../data/agents/codex.json")),
    ("gemini", include_str!("../../data/agents/gemini.json")),
    ("cursor", include_str!("../../data/agents/cursor.json")),
    ("copilot", include_str!("../../data/agents/copilot.json")),
    ("flat", include_str!("../../data/agents/flat.json")),
    ("windsurf", include_str!("../../data/agents/windsurf.json")),
    ("kiro", include_str!("../../data/agents/kiro.json")),
];

/// Every agent.
pub(super) fn all(out: &mut Vec<String>) -> Vec<Agent> {
    FILES.iter().map(|(name, text)| agent(name, text, out)).collect()
}

fn agent(name: &str, text: &str, out: &mut Vec<String>) -> Agent {
    let value = serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut read = Reader { name, out };
    let root = read.object(&value, "the file");
    read.keys(&root, &["name", "label", "host", "sources", "events", "tools", "form"]);
    if read.text(&root, "name") != name {
        read.wrong("its `name` is different");
    }
    if read.texts(&root, "sources").is_empty() {
        read.wrong("it has no source");
    }
    let members = |key: &str| root.get(key).and_then(Value::as_object);
    let events = members("events").into_iter().flatten();
    let tools = members("tools").into_iter().flatten();
    Agent {
        name: name.to_owned(),
        label: read.text(&root, "label"),
        host: root.get("host") == Some(&Value::Bool(true)),
        events: events.map(|(name, event)| read.event(name, event)).collect(),
        tools: tools.map(|(own, tool)| (own.clone(), tool.as_str().unwrap_or_default().to_owned())).collect(),
        form: root.get("form").map(|form| read.form(form)),
    }
}

struct Reader<'r> {
    name: &'r str,
    out: &'r mut Vec<String>,
}

impl Reader<'_> {
    fn wrong(&mut self, what: &str) {
        self.out.push(format!("{}: {what}", self.name));
    }

    fn object(&mut self, value: &Value, what: &str) -> Map<String, Value> {
        let object = value.as_object().cloned();
        object.unwrap_or_else(|| {
            self.wrong(&format!("{what} is not an object"));
            Map::new()
        })
    }

    fn keys(&mut self, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            self.wrong(&format!("missing key `{key}`"));
        }
    }

    fn text(&mut self, object: &Map<String, Value>, key: &str) -> String {
        let text = object.get(key).and_then(Value::as_str).map(str::to_owned);
        text.unwrap_or_else(|| {
            self.wrong(&format!("`{key}` is not a string"));
            String::new()
        })
    }

    fn texts(&mut self, object: &Map<String, Value>, key: &str) -> Vec<String> {
        let Some(value) = object.get(key) else { return Vec::new() };
        let items = value.as_array().cloned().unwrap_or_default();
        let texts: Vec<String> = items.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if texts.is_empty() || texts.len() != items.len() {
            self.wrong(&format!("`{key}` is not a list of strings"));
        }
        texts
    }

    fn event(&mut self, name: &str, value: &Value) -> Event {
        let event = self.object(value, name);
        self.keys(&event, &["is", "matcher", "tool", "part", "can"]);
        let text = |key: &str| event.get(key).and_then(Value::as_str).map(str::to_owned);
        let words = if event.get("can").is_some_and(|can| can.as_array().is_some_and(Vec::is_empty)) {
            Vec::new()
        } else {
            self.texts(&event, "can")
        };
        let can: Vec<Verdict> = words.iter().filter_map(|word| Verdict::from_name(word)).collect();
        if can.len() != words.len() {
            self.wrong(&format!("`{name}` has an unknown capability"));
        }
        Event {
            name: name.to_owned(),
            event: text("is").unwrap_or_else(|| name.to_owned()),
            matcher: text("matcher"),
            tool: text("tool"),
            part: event.get("part") == Some(&Value::Bool(true)),
            can,
        }
    }

    fn form(&mut self, value: &Value) -> Form {
        let form = self.object(value, "`form`");
        self.keys(&form, &["groups", "paths", "beside", "entry", "handler", "result"]);
        let handler = form.get("handler").cloned().unwrap_or_default();
        Form {
            groups: form.get("groups") == Some(&Value::Bool(true)),
            paths: self.texts(&form, "paths"),
            beside: self.texts(&form, "beside"),
            entry: self.texts(&form, "entry"),
            handler: self.handler(&handler),
            result: self.text(&form, "result"),
        }
    }

    fn handler(&mut self, value: &Value) -> Handler {
        let handler = self.object(value, "`handler`");
        self.keys(&handler, &["types", "untyped", "keys", "timeout"]);
        let members = |key: &str| handler.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
        let timeout = handler.get("timeout").and_then(Value::as_u64).and_then(|all| u32::try_from(all).ok());
        Handler {
            types: members("types").iter().map(|(name, kind)| self.kind(name, kind)).collect(),
            untyped: handler.get("untyped") == Some(&Value::Bool(true)),
            keys: members("keys").iter().map(|(name, key)| self.key(name, key)).collect(),
            timeout: timeout.unwrap_or_else(|| {
                self.wrong("a handler has no `timeout`");
                0
            }),
        }
    }

    fn kind(&mut self, name: &str, value: &Value) -> Kind {
        let kind = self.object(value, name);
        self.keys(&kind, &["action", "needs"]);
        Kind { name: name.to_owned(), action: self.text(&kind, "action"), needs: self.texts(&kind, "needs") }
    }

    /// `"param"`, `{"param": ..., "divide": n}`, or null.
    fn key(&mut self, name: &str, value: &Value) -> Key {
        let name = name.to_owned();
        match value {
            Value::Null => Key { name, param: None, divide: 1 },
            Value::String(param) => Key { name, param: Some(param.clone()), divide: 1 },
            _ => {
                let key = self.object(value, &name);
                self.keys(&key, &["param", "divide"]);
                let divide = key.get("divide").and_then(Value::as_u64).and_then(|by| u32::try_from(by).ok());
                Key { name, param: Some(self.text(&key, "param")), divide: divide.unwrap_or(1) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Family;
    use crate::vocab::Vocabulary;

    #[test]
    fn the_data_is_consistent() {
        let mut out = Vec::new();
        let all = all(&mut out);
        assert_eq!(out, Vec::<String>::new());
        for (name, text) in FILES {
            serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let vocabulary = Vocabulary::builtin();
        let known = |name: &str| vocabulary.events.contains_key(&(Family::Agent, name.to_owned()));
        for agent in &all {
            for event in &agent.events {
                let own = event.event == event.name;
                assert!(own || known(&event.event), "{}: {} is {}", agent.name, event.name, event.event);
            }
            let kinds = agent.form.iter().flat_map(|form| &form.handler.types);
            for kind in kinds {
                let action = vocabulary.actions.get(&kind.action);
                assert!(action.is_some(), "{}: {}", agent.name, kind.action);
            }
        }
        let claude = all.iter().find(|agent| agent.name == "claude").unwrap();
        let own = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
        for (_, name) in own {
            assert!(claude.event(name).is_some(), "claude: {name} is missing");
        }
    }
}
