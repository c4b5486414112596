//! The roles of the inputs of tools: `role` in the agents' data, and `schema/data/tools-mcp.json`, which
//! declares the tools of well-known MCP servers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{FieldSchema, Vocabulary, builtin};
use crate::agents;
use crate::value::Value;

/// The tools of MCP servers.
const SERVERS: &str = include_str!("../../data/tools-mcp.json");

/// The inputs of a tool with a role: the path of the input, `edits[*].path`, and the role, `write required`.
pub type InputRoles = Vec<(String, String)>;

/// The roles of all known tools, by name. A tool without effects has none.
#[must_use]
pub fn roles() -> &'static BTreeMap<String, InputRoles> {
    static ROLES: OnceLock<BTreeMap<String, InputRoles>> = OnceLock::new();
    ROLES.get_or_init(load)
}

fn load() -> BTreeMap<String, InputRoles> {
    let vocabulary = Vocabulary::builtin();
    let inputs = |input: &Option<FieldSchema>| input.as_ref().map(FieldSchema::roles).unwrap_or_default();
    let mut tools: BTreeMap<String, InputRoles> =
        vocabulary.tools.by_name.iter().map(|(name, tool)| (name.clone(), inputs(&tool.input))).collect();
    let members: Vec<&str> = agents::patch_members().collect();
    for tool in agents::patch_tools() {
        let patch = |member: &&str| ((*member).to_owned(), "patch either".to_owned());
        let mut roles: InputRoles = members.iter().map(patch).collect();
        roles.sort();
        roles.dedup();
        tools.insert(tool.to_owned(), roles);
    }
    tools.extend(servers());
    tools
}

/// The tools of MCP servers, under the names that events have.
fn servers() -> impl Iterator<Item = (String, InputRoles)> {
    let data = builtin::data(SERVERS);
    let role =
        |input: &crate::value::Member| Some((input.key.node.clone(), input.value.as_str()?.to_owned()));
    let mut tools = Vec::new();
    for server in data.get("servers").map(Value::members).unwrap_or_default() {
        for tool in server.value.get("tools").map(Value::members).unwrap_or_default() {
            let name = format!("mcp__{}__{}", server.key.node, tool.key.node);
            tools.push((name, tool.value.members().iter().filter_map(role).filter(is_used).collect()));
        }
    }
    tools.into_iter()
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
    use hookc_base::input_role::InputRole;

    use super::*;

    fn of(tool: &str) -> Vec<(&'static str, &'static str)> {
        let roles = roles().get(tool).unwrap_or_else(|| panic!("{tool} is unknown"));
        roles.iter().map(|(path, role)| (path.as_str(), role.as_str())).collect()
    }

    #[test]
    fn every_role_can_be_read() {
        for (tool, inputs) in roles() {
            for (path, role) in inputs {
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
    fn an_unknown_role_is_reported() {
        let mut out = crate::Diagnostics::new();
        for role in ["wirte", "line tree", "read . ./x", ""] {
            let schema = builtin::data(&format!(r#"{{"role": "{role}"}}"#));
            assert_eq!(super::super::load::field(&schema, &mut out).role, None, "{role}");
        }
        assert_eq!(out.len(), 4);
        assert!(out[0].message.starts_with("`wirte` is not the role of an input"));
    }

    #[test]
    fn tools_have_roles() {
        assert_eq!(of("MultiEdit"), [("edits[*].new_string", "text"), ("file_path", "edit required")]);
        assert_eq!(
            of("apply_patch"),
            [("command", "patch either"), ("input", "patch either"), ("patch", "patch either")]
        );
        assert_eq!(of("TodoWrite"), []);
    }
}
