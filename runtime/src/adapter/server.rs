//! The server of an MCP tool: its name is in that of the tool, `mcp__SERVER__TOOL` or as the agent has it, and not every
//! agent sends it as a member.

use serde_json::json;

use super::Incoming;

/// The member of the vocabulary.
pub(crate) const SERVER: &str = "mcp_server";

/// The server in the name of a tool.
fn server(tool: &str) -> Option<&str> {
    let (server, _) = tool.strip_prefix("mcp__")?.split_once("__")?;
    Some(server).filter(|server| !server.is_empty())
}

impl Incoming {
    /// Adds the server of the tool, if it has one. A member of that name stays.
    pub(crate) fn add_server(&mut self) {
        self.add_member(SERVER, |incoming| {
            let tool = incoming.event.text("tool_name")?;
            let name = server(&tool).or_else(|| incoming.agent.mcp_server(&tool))?;
            Some(json!({"name": name}))
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::adapter;

    fn added(event: &Value) -> Value {
        let read = adapter::by_name("claude").unwrap().read(event.to_string().into_bytes(), None);
        let mut incoming = read.unwrap();
        incoming.add_server();
        let event: Value = serde_json::from_slice(incoming.event.bytes()).unwrap();
        event[SERVER].clone()
    }

    #[test]
    fn the_name_of_a_tool_has_its_server() {
        let event =
            |tool: &str| json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {}});
        assert_eq!(added(&event("mcp__github__create_issue")), json!({"name": "github"}));
        assert_eq!(added(&event("mcp__plugin_a_b__c")), json!({"name": "plugin_a_b"}));
        for tool in ["Bash", "mcp__github", "mcp____x", "mcp_github_x"] {
            assert_eq!(added(&event(tool)), Value::Null, "{tool}");
        }
        // Some agents have the server in another form, whose end is known only of known servers.
        let crush = |tool: &str| {
            let event = json!({"event": "PreToolUse", "cwd": "/", "tool_name": tool, "tool_input": {}});
            let read = adapter::by_name("crush").unwrap().read(event.to_string().into_bytes(), None);
            let mut incoming = read.unwrap();
            incoming.add_server();
            let event: Value = serde_json::from_slice(incoming.event.bytes()).unwrap();
            event[SERVER].clone()
        };
        assert_eq!(crush("mcp_github_create_issue"), json!({"name": "github"}));
        assert_eq!(crush("mcp_mine_create_issue"), Value::Null);
        let mut event = event("mcp__github__create_issue");
        event[SERVER] = json!({"name": "x", "source": "y"});
        assert_eq!(added(&event), json!({"name": "x", "source": "y"}));
    }
}
