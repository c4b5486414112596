//! Lists the agents: each file of `data/agents` is one. What recognizes an event, and the roles of inputs of tools, are
//! part of the program, so that a process parses only the files that it needs. Tests compare these tables with what the
//! files say.

#![allow(clippy::disallowed_methods, reason = "a script of the build")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{env, fmt, fs, io};

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
    fs::write(Path::new(&out).join("agents.rs"), text)?;
    let shared = serde_json::from_str(&fs::read_to_string(Path::new(&root).join("data/tools-agent.json"))?)?;
    let parsed: Result<Vec<Value>, _> = agents.iter().map(|(_, data)| serde_json::from_str(data)).collect();
    fs::write(Path::new(&out).join("roles.rs"), roles(shared, &parsed?, &servers))
}

/// Paths of inputs, each with its role.
type InputRoles = Vec<(String, String)>;

/// The tables of the roles of inputs: of tools, and of the tools of MCP servers; and how agents spell the names of the latter.
fn roles(shared: Value, agents: &[Value], servers: &Value) -> String {
    let answered = || agents.iter().filter(|agent| agent.get("answered").is_some());
    let tools = tool_roles(shared, agents);
    let rows: Vec<_> = tools.iter().map(|(name, inputs)| (name, Slice(inputs))).collect();
    let mut text = format!("const TOOLS: &[(&str, Inputs)] = {:?};\n", Slice(&rows));
    text.push_str("const SERVERS: &[Server] = &[");
    for (name, server) in members(servers, "servers") {
        let names = server.get("names").map_or_else(|| vec![name.as_str()], texts);
        let tools = members(server, "tools").map(|(tool, inputs)| {
            let pairs = |inputs: &Map<String, Value>| inputs.iter().map(pair).collect::<InputRoles>();
            (tool.as_str(), inputs.as_object().map(pairs))
        });
        let tools: BTreeMap<&str, Option<InputRoles>> = tools.collect();
        let tools: Vec<_> =
            tools.iter().map(|(name, inputs)| (name, inputs.as_ref().map(|it| Slice(it)))).collect();
        let _ = write!(text, "({:?}, {:?}), ", Slice(&names), Slice(&tools));
    }
    let spellings: Vec<&str> =
        answered().filter_map(|agent| agent.get("mcp_names").and_then(Value::as_str)).collect();
    let _ = writeln!(text, "];\nconst MCP_NAMES: &[&str] = {:?};", Slice(&spellings));
    text
}

/// The roles of the tools of the vocabulary, and of single agents.
fn tool_roles(mut shared: Value, agents: &[Value]) -> BTreeMap<String, InputRoles> {
    let sends = || agents.iter().filter_map(|agent| agent.get("sends"));
    let mut tools =
        shared.get_mut("tools").and_then(Value::as_object_mut).map(std::mem::take).unwrap_or_default();
    for (name, tool) in sends().flat_map(|sends| members(sends, "tools")) {
        tools.insert(name.clone(), tool.clone());
    }
    let mut sent = BTreeSet::new();
    for (name, input, schema) in
        sends().flat_map(|sends| members(sends, "inputs")).flat_map(|(name, inputs)| {
            inputs.as_object().into_iter().flatten().map(move |(input, schema)| (name, input, schema))
        })
    {
        let target =
            tools.get_mut(name).and_then(|tool| tool.get_mut("input")).and_then(Value::as_object_mut);
        let properties = target.map(|target| target.entry("properties").or_insert_with(|| Map::new().into()));
        if let Some(properties) = properties.and_then(Value::as_object_mut)
            && sent.insert((name, input))
        {
            properties.insert(input.clone(), schema.clone());
        }
    }
    let mut found = BTreeMap::new();
    for (name, tool) in &tools {
        let mut roles = InputRoles::new();
        tool.get("input").into_iter().for_each(|input| add_roles(input, "", &mut roles));
        found.insert(name.clone(), roles);
    }
    let patches = || agents.iter().filter(|agent| agent.get("answered").is_some());
    let patches = || patches().filter_map(|agent| agent.get("protocol")?.get("patch"));
    let list = |key: &'static str| patches().filter_map(move |patch| patch.get(key)).flat_map(texts);
    for tool in list("tools") {
        list("members").for_each(|member| add_role(&mut found, tool, member, "patch either"));
    }
    for (tool, inputs) in agents.iter().flat_map(|agent| members(agent, "roles")) {
        found.entry(tool.clone()).or_default();
        let inputs: BTreeMap<_, _> = inputs.as_object().into_iter().flatten().collect();
        inputs
            .into_iter()
            .for_each(|(path, role)| add_role(&mut found, tool, path, role.as_str().unwrap_or_default()));
    }
    found
}

/// Adds the members of a schema that do something, with their paths.
fn add_roles(schema: &Value, path: &str, found: &mut InputRoles) {
    let role = schema.get("role").and_then(Value::as_str).filter(|role| *role != "data");
    found.extend(role.map(|role| (path.to_owned(), role.to_owned())));
    let properties: BTreeMap<_, _> = members(schema, "properties").collect();
    for (name, field) in properties {
        let dot = if path.is_empty() { "" } else { "." };
        add_roles(field, &format!("{path}{dot}{name}"), found);
    }
    schema.get("items").into_iter().for_each(|items| add_roles(items, &format!("{path}[*]"), found));
}

/// Adds an input of a tool, if it is not known.
fn add_role(tools: &mut BTreeMap<String, InputRoles>, tool: &str, path: &str, role: &str) {
    let roles = tools.entry(tool.to_owned()).or_default();
    if !roles.iter().any(|(known, _)| known == path) {
        roles.push((path.to_owned(), role.to_owned()));
    }
}

fn pair((path, role): (&String, &Value)) -> (String, String) {
    (path.clone(), role.as_str().unwrap_or_default().to_owned())
}

fn members<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    value.get(key).and_then(Value::as_object).into_iter().flatten()
}

/// A list as the source text of a slice.
struct Slice<'l, T>(&'l [T]);

impl<T: fmt::Debug> fmt::Debug for Slice<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "&{:?}", self.0)
    }
}

/// The plugins: what all of them have, and for each agent the file with its name.
fn plugins(folder: &Path, agents: &[(String, String)]) -> String {
    let mut text =
        "\nimpl Id {\n    /// The text of its plugin ([`Settings::plugin`]).\n    #[must_use]\n".to_owned();
    text.push_str("    pub const fn plugin(self) -> Option<&'static str> {\n        match self {\n");
    let data = |file: &str| format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/{file}\"))");
    for (name, agent) in agents.iter().filter(|(name, _)| folder.join(format!("{name}.js")).exists()) {
        let (shared, of_agent) = (data("plugin.js"), data(&format!("agents/{name}.js")));
        let folder_constant = format!(
            "\n/** The directory of a project with its calls. */\nconst FOLDER = {:?};\n",
            project_folder(agent)
        );
        let _ = writeln!(
            text,
            "            Self::{} => Some(concat!({shared}, {folder_constant:?}, {of_agent})),",
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
