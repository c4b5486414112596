//! Lists the agents: each file of `data/agents` is one. What recognizes an event is part of the program, so that a
//! process parses only the files of the agents that it needs. Tests compare this list with what the files say.

#![allow(clippy::disallowed_methods, reason = "a script of the build")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

use serde_json::{Map, Value};

fn main() -> io::Result<()> {
    let missing = |name: &str| io::Error::other(format!("{name} is not set"));
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|_| missing("CARGO_MANIFEST_DIR"))?;
    let out = env::var("OUT_DIR").map_err(|_| missing("OUT_DIR"))?;
    let folder = Path::new(&root).join("data/agents");
    println!("cargo::rerun-if-changed=data");
    let mut agents = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|ending| ending == "json") {
            agents.push((name, fs::read_to_string(&path)?));
        }
    }
    // The agent with the events of the vocabulary is the first.
    agents.sort_by_key(|(name, data)| (!data.contains("\n  \"vocabulary\": true"), name.clone()));
    let mut text = "agents! {\n".to_owned();
    for (name, data) in &agents {
        let label = data.split("\"label\": \"").nth(1).and_then(|rest| rest.split('"').next());
        let _ = writeln!(text, "    /// {}.\n    {} = {name:?},", label.unwrap_or_default(), variant(name));
    }
    let list = |key: &str| {
        let having = agents.iter().filter(|(_, data)| data.contains(key));
        having.map(|(name, _)| format!("Self::{}, ", variant(name))).collect::<String>()
    };
    let _ = writeln!(
        text,
        "}}\n\nimpl Id {{\n    \
         /// Those that `hookc run` supports (see [`Agent::answered`]): they are known without reading the data.\n    \
         pub const ANSWERED: &[Self] = &[{}];\n    \
         /// Those with hooks files in a form of their own (see [`Agent::form`]).\n    \
         pub const FORMED: &[Self] = &[{}];\n}}",
        list("\n  \"answered\": true"),
        list("\n  \"form\": {"),
    );
    text.push_str("\nimpl Id {\n    /// What recognizes its events.\n    #[must_use]\n");
    text.push_str("    pub const fn marks(self) -> Marks {\n        match self {\n");
    for (name, data) in &agents {
        let _ =
            writeln!(text, "            Self::{} => {},", variant(name), marks(&serde_json::from_str(data)?));
    }
    text.push_str("        }\n    }\n}\n");
    text.push_str(&plugins(&folder, &agents));
    let servers: Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&root).join("data/tools-mcp.json"))?)?;
    let _ = writeln!(
        text,
        "\n/// The names of the MCP servers whose tools are known.\nconst MCP_SERVERS: &[&str] = &{:?};",
        server_names(&servers)
    );
    fs::write(Path::new(&out).join("agents.rs"), text)
}

/// The plugins: what all of them have, and for each agent the file with its name.
fn plugins(folder: &Path, agents: &[(String, String)]) -> String {
    let mut text =
        "\nimpl Id {\n    /// The text of its plugin ([`Settings::plugin`]).\n    #[must_use]\n".to_owned();
    text.push_str("    pub const fn plugin(self) -> Option<&'static str> {\n        match self {\n");
    let data = |file: &str| format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/{file}\"))");
    for (name, agent) in agents.iter().filter(|(name, _)| folder.join(format!("{name}.js")).exists()) {
        let (shared, of_agent) = (data("plugin.js"), data(&format!("agents/{name}.js")));
        let own = format!(
            "\n/** The directory of a project with its calls. */\nconst FOLDER = {:?};\n",
            project_folder(agent)
        );
        let _ = writeln!(
            text,
            "            Self::{} => Some(concat!({shared}, {own:?}, {of_agent})),",
            variant(name)
        );
    }
    text.push_str("            _ => None,\n        }\n    }\n}\n");
    text
}

/// The directory of a project in which an agent has its settings.
fn project_folder(agent: &str) -> String {
    let agent: Value = serde_json::from_str(agent).unwrap_or_default();
    let file = agent.pointer("/settings/project").and_then(Value::as_str).unwrap_or_default();
    file.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default()
}

/// The value of an agent's `Marks`.
fn marks(agent: &Value) -> String {
    let protocol = agent.get("protocol").and_then(Value::as_object).cloned().unwrap_or_default();
    let names = protocol.get("names").map_or_else(|| vec!["hook_event_name"], texts);
    let sets = protocol.get("signatures").and_then(Value::as_array).into_iter().flatten();
    let sets: String = sets.map(|set| format!("&{:?}, ", texts(set))).collect();
    let events = agent.get("events").and_then(Value::as_object).into_iter().flatten();
    let events: Vec<(&str, &str)> = events
        .map(|(name, event)| (name.as_str(), event.get("is").and_then(Value::as_str).unwrap_or(name)))
        .collect();
    let tools = tools(agent, &protocol);
    let variables = protocol.get("variables").and_then(Value::as_array);
    let has_variables = variables.is_some_and(|list| !list.is_empty());
    format!(
        "Marks {{ names: &{names:?}, signatures: &[{sets}], events: &{events:?}, tools: &{tools:?}, \
         has_variables: {has_variables} }}"
    )
}

/// The names that an agent or the vocabulary has for the agent's tools.
fn tools<'a>(agent: &'a Value, protocol: &'a Map<String, Value>) -> Vec<&'a str> {
    let named =
        ["tools", "undocumented_tools"].into_iter().filter_map(|key| agent.get(key)?.as_object()).flatten();
    let named = named.flat_map(|(name, tool)| [Some(name.as_str()), tool.as_str()]).flatten();
    let several = protocol.get("several").and_then(Value::as_array).into_iter().flatten();
    let several = several.filter_map(|one| one.get("tool")?.as_str());
    let patch = protocol.get("patch").and_then(|patch| patch.get("tools")).into_iter().flat_map(texts);
    let local = agent.get("own_tools").into_iter().flat_map(texts);
    let names: BTreeSet<&str> = named.chain(several).chain(patch).chain(local).collect();
    names.into_iter().collect()
}

/// The names of MCP servers, the longest first.
fn server_names(data: &Value) -> Vec<&str> {
    let servers = data.get("servers").and_then(Value::as_object).into_iter().flatten();
    let mut names: Vec<&str> = servers
        .flat_map(|(name, server)| server.get("names").map_or_else(|| vec![name.as_str()], texts))
        .collect();
    names.sort_by_key(|name| (usize::MAX - name.len(), *name));
    names
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The variant of an agent: its name with a capital.
fn variant(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
