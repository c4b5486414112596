//! What is known of the agent: the fields of each type of handler, how long
//! it lets a handler run, and the names that other agents have for its
//! events.

use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

/// A type of handler.
#[derive(Debug)]
pub(crate) struct HandlerType {
    /// `type`
    pub(crate) name: &'static str,
    /// The action that it becomes.
    pub(crate) action: &'static str,
    /// Fields that must be there.
    pub(crate) needs: &'static [&'static str],
    /// Its fields, beside those of all.
    pub(crate) fields: &'static [Field],
    /// Seconds that it may take, unless the event says otherwise.
    pub(crate) timeout: u32,
}

/// A field of a handler.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its key.
    pub(crate) key: &'static str,
    /// The parameter of the action.
    pub(crate) param: &'static str,
    /// What its value is.
    pub(crate) shape: Shape,
}

/// What the value of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A string.
    Text,
    /// `true`, `false`
    Flag,
    /// A number of seconds.
    Seconds,
    /// Strings.
    Texts,
    /// An object.
    Object,
}

const fn field(key: &'static str, param: &'static str, shape: Shape) -> Field {
    Field { key, param, shape }
}

/// The fields that every handler may have. `if` and `args` are read apart.
pub(crate) const COMMON: &[Field] = &[
    field("timeout", "timeout", Shape::Seconds),
    field("statusMessage", "status_message", Shape::Text),
    field("once", "once", Shape::Flag),
];

/// The types of handlers.
pub(crate) const TYPES: &[HandlerType] = &[
    HandlerType {
        name: "command",
        action: "run",
        needs: &["command"],
        fields: &[
            field("command", "command", Shape::Text),
            field("args", "argv", Shape::Texts),
            field("async", "async", Shape::Flag),
            field("asyncRewake", "rewake", Shape::Flag),
            field("rewakeMessage", "rewake_message", Shape::Text),
            field("rewakeSummary", "rewake_summary", Shape::Text),
            field("shell", "shell", Shape::Text),
        ],
        timeout: 600,
    },
    HandlerType {
        name: "prompt",
        action: "prompt",
        needs: &["prompt"],
        fields: &[
            field("prompt", "prompt", Shape::Text),
            field("model", "model", Shape::Text),
            field("continueOnBlock", "continue_on_block", Shape::Flag),
        ],
        timeout: 30,
    },
    HandlerType {
        name: "agent",
        action: "agent",
        needs: &["prompt"],
        fields: &[field("prompt", "prompt", Shape::Text), field("model", "model", Shape::Text)],
        timeout: 60,
    },
    HandlerType {
        name: "http",
        action: "http",
        needs: &["url"],
        fields: &[
            field("url", "url", Shape::Text),
            field("headers", "headers", Shape::Object),
            field("allowedEnvVars", "allowed_env", Shape::Texts),
        ],
        timeout: 600,
    },
    HandlerType {
        name: "mcp_tool",
        action: "mcp_tool",
        needs: &["server", "tool"],
        fields: &[
            field("server", "server", Shape::Text),
            field("tool", "tool", Shape::Text),
            field("input", "input", Shape::Object),
        ],
        timeout: 600,
    },
];

impl HandlerType {
    /// The field of a key.
    pub(crate) fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().chain(COMMON).find(|field| field.key == key)
    }

    /// Whether `onFailure` is one of its fields.
    pub(crate) fn may_fail_closed(&self) -> bool {
        matches!(self.name, "command" | "http")
    }

    /// Seconds that the agent lets it run at an event.
    pub(crate) fn seconds(&self, event: &str) -> u32 {
        match event {
            _ if self.timeout < 600 => self.timeout,
            "UserPromptSubmit" | "PreModelSwitch" | "PostModelSwitch" => 30,
            "MessageDisplay" => 10,
            _ => self.timeout,
        }
    }
}

/// Keys that hooks files and settings have beside their events.
pub(super) const BESIDE: &[&str] = &["description", "name", "version", "$schema"];

/// Events at which a tool is used: where `if` is looked at.
pub(crate) const TOOL_EVENTS: &[&str] =
    &["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"];

/// What other agents call an event that this one has too.
const FOREIGN: &[(&str, &str)] = &[
    ("AfterAgent", "Stop"),
    ("AfterTool", "PostToolUse"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("BeforeTool", "PreToolUse"),
    ("PostAbilityCall", "PostToolUse"),
    ("PreAbilityCall", "PreToolUse"),
    ("PreCompress", "PreCompact"),
    ("PromptSubmit", "UserPromptSubmit"),
    ("SessionStop", "Stop"),
    ("afterAgentResponse", "Stop"),
    ("afterFileEdit", "PostToolUse"),
    ("afterMCPExecution", "PostToolUse"),
    ("afterShellExecution", "PostToolUse"),
    ("agentSpawn", "SessionStart"),
    ("agentStop", "Stop"),
    ("beforeMCPExecution", "PreToolUse"),
    ("beforeReadFile", "PreToolUse"),
    ("beforeShellExecution", "PreToolUse"),
    ("beforeSubmitPrompt", "UserPromptSubmit"),
    ("userPromptSubmitted", "UserPromptSubmit"),
];

/// The event that another agent's event is like.
#[must_use]
pub fn like(event: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == event).map(|(_, own)| *own)
}

/// The names of all its events.
pub(super) fn events(vocabulary: &Vocabulary) -> Vec<&str> {
    let all = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
    all.map(|(_, name)| name.as_str()).collect()
}
