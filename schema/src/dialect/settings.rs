//! Groups and handlers of agent settings (dialect C). The agent ignores unknown keys, so they are
//! not errors.

use super::hooks::{
    CONDITION_KEY, DESCRIPTION, ENABLED, EXAMPLES, ID, MODE, ON_ERROR, ON_FAILURE, PRIORITY, WHEN,
};
use crate::decode::{Key, Object, Others, Type, key};

/// A key that sets the parameter of the same name.
const fn param(name: &'static str, kind: Type, about: &'static str) -> Key {
    key(name, kind, about).becomes(name)
}

use crate::tree::OnFailure;

/// The keys of the language in a handler or a group, in addition to its own.
macro_rules! keys {
    ($($key:expr),* $(,)?) => {
        &[
            $($key,)*
            ID, DESCRIPTION, PRIORITY, ENABLED, MODE, CONDITION_KEY, WHEN, ON_ERROR, ON_FAILURE, EXAMPLES,
        ]
    };
}

/// The keys of a handler of a type.
macro_rules! handler {
    ($($key:expr),* $(,)?) => { keys![TYPE, $($key,)* TIMEOUT, STATUS, ONCE, IF] };
}

const TYPE: Key = key("type", Type::Text, "The type of the handler.").called("a handler's `type`");
const TIMEOUT: Key = param("timeout", Type::Number, "Its timeout in seconds.")
    .expected("a number of seconds")
    .help("write a number such as `30`");
const STATUS: Key =
    param("statusMessage", Type::Text, "What the user sees while it runs.").becomes("status_message");
const ONCE: Key = param("once", Type::Bool, "Whether it runs once per session; only skills have it.");
const IF: Key = key("if", Type::Text, "A permission rule that must match.");
const ON_FAILURE_OF_AGENT: Key = key("onFailure", Type::Word(&FAILS), "The failure mode of the handler.");
const MODEL: Key = param("model", Type::Text, "The model.");
const PROMPT_TEXT: Key =
    param("prompt", Type::Text, "The question to the model.").needed("add `\"prompt\": \"...\"`");

/// The agent's words for `on_failure`.
pub const FAILS: &[(&str, OnFailure)] = &[("continue", OnFailure::Open), ("block", OnFailure::Closed)];

const fn handler(name: &'static str, what: &'static str, keys: &'static [Key]) -> Object {
    Object { name, what, keys, others: Others::Open, rules: &[] }
}

/// A handler that runs a command.
pub static COMMAND: Object = handler(
    "command",
    "a `command` handler",
    handler![
        param("command", Type::Text, "The command line.").needed("add `\"command\": \"...\"`"),
        param("args", Type::List(&Type::Text, "an item of `args`"), "Arguments; no shell reads them.")
            .becomes("argv"),
        param("async", Type::Bool, "Whether the agent continues meanwhile."),
        param("asyncRewake", Type::Bool, "Whether its result wakes the agent.").becomes("rewake"),
        param("rewakeMessage", Type::Text, "The message to the agent when it wakes.")
            .becomes("rewake_message"),
        param("rewakeSummary", Type::Text, "The message to the user when the agent wakes.")
            .becomes("rewake_summary"),
        param("shell", Type::Text, "The shell that reads the command line."),
        ON_FAILURE_OF_AGENT,
    ],
);

/// A handler that asks a model.
pub static PROMPT: Object = handler(
    "prompt",
    "a `prompt` handler",
    handler![
        PROMPT_TEXT,
        MODEL,
        param("continueOnBlock", Type::Bool, "Whether the agent continues after a denial.")
            .becomes("continue_on_block"),
    ],
);

/// A handler that asks a sub-agent.
pub(crate) static SUBAGENT: Object = handler("agent", "an `agent` handler", handler![PROMPT_TEXT, MODEL]);

/// The keys of each type of handlers, by the name of the type.
pub static HANDLERS: [(&str, &Object); 5] = [
    ("command", &COMMAND),
    ("prompt", &PROMPT),
    ("agent", &SUBAGENT),
    ("http", &HTTP),
    ("mcp_tool", &MCP_TOOL),
];

/// A handler that sends the event to a server.
pub static HTTP: Object = handler(
    "http",
    "an `http` handler",
    handler![
        param("url", Type::Text, "The address of the server.").needed("add `\"url\": \"...\"`"),
        param("headers", Type::Map(&Type::Any), "Headers by name."),
        param(
            "allowedEnvVars",
            Type::List(&Type::Text, "an item of `allowedEnvVars`"),
            "Variables that headers may use."
        )
        .becomes("allowed_env"),
        ON_FAILURE_OF_AGENT,
    ],
);

/// A handler that calls a tool of an MCP server.
pub(crate) static MCP_TOOL: Object = handler(
    "mcp_tool",
    "an `mcp_tool` handler",
    handler![
        param("server", Type::Text, "The server.").needed("add `\"server\": \"...\"`"),
        param("tool", Type::Text, "Its tool.").needed("add `\"tool\": \"...\"`"),
        param("input", Type::Map(&Type::Any), "The input of the tool."),
    ],
);

/// An action of the language with its sibling keys.
pub static TYPED: Object = Object {
    name: "typed",
    what: "a hook",
    keys: &[
        ID,
        DESCRIPTION,
        PRIORITY,
        ENABLED,
        MODE,
        CONDITION_KEY,
        WHEN,
        key("action", Type::Map(&Type::Any), "An action of the language."),
        ON_ERROR,
        ON_FAILURE,
        EXAMPLES,
    ],
    others: Others::Open,
    rules: &[],
};

/// The keys of the language alone.
pub static LANGUAGE: Object =
    Object { name: "language", what: "a hook", keys: keys![], others: Others::Open, rules: &[] };

/// A group of handlers.
pub static GROUP: Object = Object {
    name: "group",
    what: "a group",
    keys: keys![
        key("matcher", Type::Text, "The pattern that the subject of the event must match."),
        key("hooks", Type::List(&Type::Any, "a handler"), "Its handlers.").called("a group's `hooks`"),
    ],
    others: Others::Open,
    rules: &[],
};
