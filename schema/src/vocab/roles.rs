//! The roles of the inputs of tools: `role` in the agents' data, and `schema/data/tools-mcp.json`, which
//! declares the tools of well-known MCP servers. The build makes tables of them: to look one tool up, no data is parsed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

use hookc_base::input_role::{InputKind, InputRole};

use super::tools::members;
use super::{FieldSchema, builtin};
use crate::agents;
use crate::value::Value;

/// The tools of MCP servers.
const SERVER_DATA: &str = include_str!("../../data/tools-mcp.json");

/// [`InputRoles`] of the tables.
type Inputs = &'static [(&'static str, &'static str)];

/// [`ServerRoles`] of the tables: names, and tools.
type Server = (&'static [&'static str], &'static [(&'static str, Option<Inputs>)]);

// `TOOLS`, `SERVERS` and `MCP_NAMES`.
include!(concat!(env!("OUT_DIR"), "/roles.rs"));

/// The inputs of a tool with a role: the path of the input, `edits[*].path`, and the role, `write required`.
pub type InputRoles = Vec<(String, String)>;

/// The roles of the inputs of known tools, by a glob of the tool's name.
pub type ToolRoles = BTreeMap<String, Option<InputRoles>>;

/// The tools of a well-known MCP server.
#[derive(Debug)]
pub struct ServerRoles {
    /// The names under which it is configured.
    pub names: Vec<String>,
    /// Its tools, under the names that it has for them.
    pub tools: ToolRoles,
}

/// The roles of all known tools: of the vocabulary, of single agents, and of MCP servers in all spellings. A tool without
/// effects has an empty list; what a tool with `None` does is unknown.
#[must_use]
pub fn roles() -> &'static ToolRoles {
    static ROLES: OnceLock<ToolRoles> = OnceLock::new();
    ROLES.get_or_init(|| {
        let mut tools = roles_without_servers().clone();
        servers().iter().for_each(|server| spelled(server, &mut tools));
        tools
    })
}

/// Like [`roles`], without the tools of MCP servers.
#[must_use]
pub fn roles_without_servers() -> &'static ToolRoles {
    static ROLES: OnceLock<ToolRoles> = OnceLock::new();
    ROLES.get_or_init(|| {
        TOOLS.iter().map(|(name, inputs)| ((*name).to_owned(), Some(owned(inputs)))).collect()
    })
}

/// The roles of one tool, if it is known.
#[must_use]
pub fn roles_of(tool: &str) -> Option<Option<InputRoles>> {
    let listed = TOOLS.binary_search_by_key(&tool, |(name, _)| name).ok().and_then(|at| TOOLS.get(at));
    let inputs = match listed {
        Some((_, inputs)) => Some(*inputs),
        None => of_server(tool)?,
    };
    Some(inputs.map(owned))
}

/// The roles of a tool of an MCP server.
fn of_server(tool: &str) -> Option<Option<Inputs>> {
    spellings().into_iter().find_map(|(start, between)| {
        let rest = tool.strip_prefix(start)?;
        SERVERS.iter().find_map(|(names, tools)| {
            let tool = |name: &&str| rest.strip_prefix(*name)?.strip_prefix(between);
            names.iter().filter_map(tool).find_map(|tool| {
                let at = tools.binary_search_by_key(&tool, |(name, _)| name).ok()?;
                tools.get(at).map(|(_, inputs)| *inputs)
            })
        })
    })
}

fn owned(inputs: &[(&str, &str)]) -> InputRoles {
    inputs.iter().map(|(path, role)| ((*path).to_owned(), (*role).to_owned())).collect()
}

/// The MCP servers whose tools are known.
#[must_use]
pub fn servers() -> &'static [ServerRoles] {
    static ROLES: OnceLock<Vec<ServerRoles>> = OnceLock::new();
    ROLES.get_or_init(|| {
        let servers = SERVERS.iter().map(|(names, tools)| ServerRoles {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            tools: tools.iter().map(|(name, inputs)| ((*name).to_owned(), inputs.map(owned))).collect(),
        });
        servers.collect()
    })
}

/// How agents spell the names of tools of MCP servers: what is before the server, and what is between it and the tool.
#[must_use]
pub fn spellings() -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    for spelling in ["mcp__SERVER__TOOL"].iter().chain(MCP_NAMES) {
        let parts = spelling.strip_suffix("TOOL").and_then(|rest| rest.split_once("SERVER"));
        found.extend(parts.filter(|parts| !found.contains(parts)));
    }
    found
}

/// The inputs of a known tool, each with what the tool does with it.
pub fn inputs(tool: &str) -> impl Iterator<Item = (&'static str, InputKind)> {
    let inputs = roles().get(tool).and_then(Option::as_ref).into_iter().flatten();
    inputs.filter_map(|(path, role)| Some((path.as_str(), InputRole::parse(role).ok()?.kind)))
}

/// The tools with an input, each with what it does with that.
pub fn owners(input: &str) -> &'static [(&'static str, InputKind)] {
    type Owners = BTreeMap<&'static str, Vec<(&'static str, InputKind)>>;
    static OWNERS: OnceLock<Owners> = OnceLock::new();
    let owners = OWNERS.get_or_init(|| {
        let mut owners = Owners::new();
        for tool in roles().keys() {
            for (path, kind) in inputs(tool) {
                owners.entry(path).or_default().push((tool, kind));
            }
        }
        owners
    });
    owners.get(input).map_or(&[], Vec::as_slice)
}

/// Adds the tools of a server, under the names that events have.
fn spelled(server: &ServerRoles, tools: &mut ToolRoles) {
    for ((start, between), name) in
        spellings().into_iter().flat_map(|spelling| server.names.iter().map(move |name| (spelling, name)))
    {
        let named = server.tools.iter();
        tools.extend(named.map(|(tool, roles)| (format!("{start}{name}{between}{tool}"), roles.clone())));
    }
}

/// The tools of MCP servers, and those of agents that the vocabulary does not have, with their roles.
pub(super) fn page(out: &mut String) {
    out.push_str(
        "\n## Tools outside of the vocabulary\n\n\
         What the inputs of other tools are. Other inputs, and tools without a row, do nothing that has a role.\n",
    );
    for agent in agents::all().filter(|agent| !agent.roles.is_empty()) {
        let _ = write!(out, "\n### Tools of {}\n\n", agent.label);
        let inputs = agent.roles.iter().map(|(tool, inputs)| (tool.as_str(), Some(inputs.iter().collect())));
        table(inputs, out);
    }
    for server in members(&builtin::data(SERVER_DATA), "servers") {
        let source = server.value.get("source").and_then(Value::as_str).unwrap_or_default();
        let _ = write!(out, "\n### MCP server `{}`\n\nSource: {source}.\n\n", server.key.node);
        let known = |tool: &str| roles().get(&format!("mcp__{}__{tool}", server.key.node));
        let tools = members(&server.value, "tools").iter().map(|tool| tool.key.node.as_str());
        let inputs = tools.filter_map(|tool| Some((tool, known(tool)?.as_ref())));
        table(
            inputs.map(|(tool, inputs)| {
                (tool, inputs.map(|pairs| pairs.iter().map(|(a, b)| (a, b)).collect()))
            }),
            out,
        );
    }
}

/// The inputs of tools; `None` of a tool whose effects are unknown.
fn table<'t>(
    tools: impl Iterator<Item = (&'t str, Option<Vec<(&'t String, &'t String)>>)>,
    out: &mut String,
) {
    let mut inert: Vec<String> = Vec::new();
    let mut rows = String::new();
    for (tool, inputs) in tools {
        match inputs.as_deref() {
            None => drop(writeln!(rows, "| `{tool}` | unknown |")),
            Some([]) => inert.push(format!("`{tool}`")),
            Some(inputs) => {
                let inputs: Vec<String> =
                    inputs.iter().map(|(path, role)| format!("`{path}`: `{role}`")).collect();
                let _ = writeln!(rows, "| `{tool}` | {} |", inputs.join(", "));
            }
        }
    }
    if !rows.is_empty() {
        let _ = write!(out, "| tool | inputs |\n|---|---|\n{rows}");
    }
    if !inert.is_empty() {
        let separator = if rows.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{separator}Without effects: {}.", inert.join(", "));
    }
}

/// Whether the role is more than `data`.
fn is_used((_, role): &(String, String)) -> bool {
    role != "data"
}

impl FieldSchema {
    /// The members with a role, with their paths: `file_path`, `edits[*].path`.
    #[must_use]
    pub fn roles(&self) -> InputRoles {
        let mut found = Vec::new();
        self.add_roles("", &mut found);
        found
    }

    fn add_roles(&self, path: &str, found: &mut InputRoles) {
        found.extend(self.role.iter().map(|role| (path.to_owned(), role.node.clone())).filter(is_used));
        for (name, field) in &self.properties {
            let dot = if path.is_empty() { "" } else { "." };
            field.add_roles(&format!("{path}{dot}{name}"), found);
        }
        if let Some(items) = &self.items {
            items.add_roles(&format!("{path}[*]"), found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;
    use crate::vocab::Vocabulary;

    fn pairs_of(tool: &str) -> Vec<(&'static str, &'static str)> {
        let roles = roles().get(tool).and_then(Option::as_ref).unwrap_or_else(|| panic!("{tool}"));
        roles.iter().map(|(path, role)| (path.as_str(), role.as_str())).collect()
    }

    #[test]
    fn the_table_of_tools_is_what_the_data_says() {
        let mut tools = ToolRoles::new();
        for (name, tool) in &Vocabulary::builtin().tools.by_name {
            let inputs = tool.input.as_ref().map(FieldSchema::roles);
            tools.insert(name.clone(), Some(inputs.unwrap_or_default()));
        }
        let mut add = |tool: &str, path: &str, role: &str| {
            let roles = tools.entry(tool.to_owned()).or_insert_with(|| Some(Vec::new())).as_mut().unwrap();
            if !path.is_empty() && !roles.iter().any(|(known, _)| known == path) {
                roles.push((path.to_owned(), role.to_owned()));
            }
        };
        for tool in agents::patch_tools() {
            agents::patch_members().for_each(|member| add(tool, member, "patch either"));
        }
        for (tool, inputs) in agents::all().flat_map(|agent| &agent.roles) {
            add(tool, "", "");
            inputs.iter().for_each(|(path, role)| add(tool, path, role));
        }
        assert_eq!(roles_without_servers(), &tools);
        assert!(TOOLS.is_sorted() && SERVERS.iter().all(|(_, tools)| tools.is_sorted()));
        let named = agents::answered().filter_map(|agent| agent.mcp_names.as_deref());
        assert_eq!(named.collect::<Vec<_>>(), MCP_NAMES);
    }

    #[test]
    fn one_tool_has_the_roles_of_all_tools() {
        for (tool, inputs) in roles() {
            assert_eq!(super::roles_of(tool).as_ref(), Some(inputs), "{tool}");
        }
        for tool in ["", "bash", "mcp__", "mcp__filesystem__", "mcp__filesystem__nothing", "Bash "] {
            assert_eq!(super::roles_of(tool), None, "{tool}");
        }
    }

    #[test]
    fn every_role_can_be_read() {
        for (tool, inputs) in roles() {
            for (path, role) in inputs.iter().flatten() {
                InputRole::parse(role)
                    .unwrap_or_else(|invalid| panic!("{tool}: {path}: {role}: {invalid:?}"));
            }
        }
    }

    /// The members of an input without a role, in which none has a role either.
    fn without_role(schema: &Value, path: &str, found: &mut Vec<String>) {
        if schema.get("role").is_some() {
            return;
        }
        let inner = schema.get("items").unwrap_or(schema);
        if inner.get("role").is_some() {
            return;
        }
        match inner.get("properties").map(Value::members) {
            Some(members) => members.iter().for_each(|member| {
                without_role(&member.value, &format!("{path}.{}", member.key.node), found);
            }),
            None => found.push(path.to_owned()),
        }
    }

    #[test]
    fn every_input_of_every_tool_has_a_role() {
        let mut found = Vec::new();
        let shared = builtin::data(super::super::tools::FILE);
        let is_inert = |tool: &Value| tool.get("effects").is_some();
        let mut tools = |tools: &Value| {
            for tool in tools.members().iter().filter(|tool| !is_inert(&tool.value)) {
                let input =
                    tool.value.get("input").unwrap_or_else(|| panic!("{} has no input", tool.key.node));
                assert!(input.get("properties").is_some(), "{} has `effects: false`", tool.key.node);
                without_role(input, &tool.key.node, &mut found);
            }
        };
        let shared_tools = shared.get("tools").unwrap();
        tools(shared_tools);
        let agents: Vec<Value> = agents::Id::ALL.iter().map(|id| builtin::data(id.text())).collect();
        let sends = || agents.iter().filter_map(|agent| agent.get("sends"));
        sends().filter_map(|sends| sends.get("tools")).for_each(tools);
        for inputs in sends().filter_map(|sends| sends.get("inputs")) {
            let effective =
                |tool: &&crate::value::Member| !shared_tools.get(&tool.key.node).is_some_and(is_inert);
            for tool in inputs.members().iter().filter(effective) {
                for input in tool.value.members() {
                    without_role(&input.value, &format!("{}.{}", tool.key.node, input.key.node), &mut found);
                }
            }
        }
        assert!(found.is_empty(), "inputs without a role (`data` if they do nothing): {found:#?}");
    }

    #[test]
    fn the_data_of_servers_is_read_whole() {
        let data: serde_json::Value = serde_json::from_str(SERVER_DATA).unwrap();
        for (name, server) in data["servers"].as_object().unwrap() {
            let keys: Vec<&String> = server.as_object().unwrap().keys().collect();
            assert!(
                keys.iter().all(|key| ["source", "names", "tools"].contains(&key.as_str())),
                "{name}: {keys:?}"
            );
            assert!(server["source"].as_str().is_some_and(|source| source.contains(' ')), "{name}");
            for (tool, inputs) in server["tools"].as_object().unwrap() {
                let is_read = |inputs: &serde_json::Map<_, serde_json::Value>| {
                    inputs.values().all(|role| role.is_string())
                };
                assert!(inputs == "unknown" || inputs.as_object().is_some_and(is_read), "{name}: {tool}");
            }
        }
    }

    #[test]
    fn an_agent_can_add_inputs_and_not_change_them() {
        for agent in agents::all() {
            for (tool, inputs) in &agent.roles {
                let known = roles().get(tool).and_then(Option::as_ref).unwrap();
                for input in inputs {
                    assert!(
                        known.iter().any(|(path, role)| (path, role) == input),
                        "{}: {tool}: {input:?}",
                        agent.name
                    );
                }
            }
        }
    }

    #[test]
    fn an_unknown_role_is_reported() {
        let mut out = crate::Diagnostics::new();
        for role in ["wirte", "line tree", "read . ./x", ""] {
            let schema = builtin::data(&format!(r#"{{"role": "{role}"}}"#));
            assert_eq!(super::super::load::field(&schema, &mut out).role, None, "{role}");
        }
        assert_eq!(out.len(), 4);
        assert!(out[0].message.starts_with("`wirte` is not the role of an input"));
    }

    /// Another agent's name for an input would make each event without it unknown.
    #[test]
    fn one_of_several_inputs_is_not_required_as_well() {
        use hookc_base::input_role::Presence;
        for (tool, inputs) in roles().iter().filter_map(|(tool, inputs)| Some((tool, inputs.as_ref()?))) {
            let roles: Vec<InputRole<'_>> =
                inputs.iter().map(|(_, role)| InputRole::parse(role).unwrap()).collect();
            let kinds = |presence: Presence| {
                roles.iter().filter(move |role| role.presence == presence).map(|role| role.kind)
            };
            for kind in kinds(Presence::Required) {
                assert!(kinds(Presence::Either).all(|other| other != kind), "{tool}: {kind:?}");
            }
        }
    }

    #[test]
    fn tools_have_roles() {
        assert_eq!(pairs_of("MultiEdit"), [("edits[*].new_string", "text"), ("file_path", "edit required")]);
        assert_eq!(
            pairs_of("apply_patch"),
            [
                ("input", "patch either"),
                ("command", "patch either"),
                ("patch", "patch either"),
                ("patchText", "patch either")
            ]
        );
        assert_eq!(pairs_of("TodoWrite"), []);
        assert_eq!(pairs_of("view_image"), [("path", "read either"), ("filePath", "read either")]);
        assert_eq!(
            pairs_of("multi_replace_string_in_file"),
            [("replacements[*].filePath", "edit required"), ("replacements[*].newString", "text")]
        );
        let moved = [("source", "move required"), ("destination", "write required")];
        for name in ["mcp__filesystem__move_file", "mcp_filesystem_move_file", "filesystem-move_file"] {
            assert_eq!(pairs_of(name), moved, "{name}");
        }
        assert_eq!(pairs_of("github-mcp-server-get_*"), []);
        assert_eq!(roles().get("mcp__github__merge_pull_request"), Some(&None));
    }
}
