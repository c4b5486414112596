//! Data about the agent: the keys of each handler type, and its timeouts.

use hookc_schema::decode::{Key, Object};
use hookc_schema::dialect::settings;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

/// A type of handler.
#[derive(Debug)]
pub(crate) struct HandlerType {
    /// `type`
    pub(crate) name: &'static str,
    /// The resulting action.
    pub(crate) action: &'static str,
    /// Its keys, with the parameters of the action that they set.
    pub(crate) table: &'static Object,
    /// The default timeout in seconds, unless the event has its own.
    pub(crate) timeout: u32,
}

/// The types of handlers.
pub(crate) const TYPES: &[HandlerType] = &[
    HandlerType { name: "command", action: "run", table: &settings::COMMAND, timeout: 600 },
    HandlerType { name: "prompt", action: "prompt", table: &settings::PROMPT, timeout: 30 },
    HandlerType { name: "agent", action: "agent", table: &settings::SUBAGENT, timeout: 60 },
    HandlerType { name: "http", action: "http", table: &settings::HTTP, timeout: 600 },
    HandlerType { name: "mcp_tool", action: "mcp_tool", table: &settings::MCP_TOOL, timeout: 600 },
];

impl HandlerType {
    /// The key that sets a parameter of the action.
    pub(crate) fn key_of(&self, param: &str) -> Option<&'static Key> {
        self.table.keys.iter().find(|key| key.becomes == Some(param))
    }

    /// The agent's timeout at an event, in seconds.
    pub(crate) fn seconds(&self, event: &str) -> u32 {
        match event {
            _ if self.timeout < 600 => self.timeout,
            "UserPromptSubmit" | "PreModelSwitch" | "PostModelSwitch" => 30,
            "MessageDisplay" => 10,
            _ => self.timeout,
        }
    }
}

/// Keys of hooks files and settings in addition to events.
pub(super) const BESIDE: &[&str] = &["description", "name", "version", "$schema"];

/// Events about a tool call: the agent evaluates `if` there.
pub(crate) const TOOL_EVENTS: &[&str] =
    &["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"];

/// The names of all its events.
pub(super) fn events(vocabulary: &Vocabulary) -> Vec<&str> {
    let all = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
    all.map(|(_, name)| name.as_str()).collect()
}
