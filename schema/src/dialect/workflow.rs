//! Hooks of workflows (dialect F).

use super::hooks::{CONDITION_KEY, ON_ERROR, WHEN};
use crate::decode::{Evidence, Key, Object, Others, Type, key};
use crate::value::{Kind, Value};

const NAME: Type = Type::Filled("empty", "write a name");

/// A hook.
pub static HOOK: Object = Object {
    name: "workflow_hook",
    what: "a workflow hook",
    keys: &[
        key("artifact_id", NAME, "The artifact that is called.")
            .needed("write `artifact_id:` with its name")
            .synonyms(&["artifact", "artifact_name", "tool", "target_artifact"])
            .becomes("artifact"),
        key("method", NAME, "Its method.").synonyms(&["function", "call"]),
        key("args", Type::Map(&Type::Any), "Arguments by name; `{name}` in a string is filled in.")
            .nullable()
            .help("write named arguments: `args: {name: value}`")
            .synonyms(&["arguments", "params", "parameters", "input", "inputs", "kwargs"]),
        key(
            "inject_as",
            Type::Own(r#"{"anyOf": [{"type": "null"}, {"type": "string", "pattern": "\\S"}]}"#),
            "The name under which later hooks find the result.",
        )
        .synonyms(&["inject", "inject_into", "output_key", "save_as"]),
        ON_ERROR,
        key("max_retries", Type::Count, "How often `on_error: retry` tries again.").synonyms(&[
            "retries",
            "max_attempts",
            "retry_count",
        ]),
        CONDITION_KEY,
        WHEN,
    ],
    others: Others::Unknown,
    rules: &[],
};

/// The keys of hookc in a file, a workflow or a step.
pub static LEVEL: Object = Object {
    name: "level",
    what: "a workflow file",
    keys: &[
        key("hooks", Type::Object(&POINTS), "Hooks by timing point.").nullable(),
        key(
            "subscribed_artifacts",
            Type::List(&NAME, "a subscribed artifact"),
            "Artifacts that are read before the model decides.",
        )
        .evidence(Evidence::Alone)
        .nullable(),
    ],
    others: Others::Open,
    rules: &[],
};

/// The timing points, in the order of a step.
pub static POINTS: Object = Object {
    name: "points",
    what: "`hooks`",
    keys: &[
        point("pre_decision", "Before the model decides."),
        point("post_decision", "After the model has decided."),
        point("post_action", "After the action."),
        point("on_error", "After an error."),
    ],
    others: Others::Own,
    rules: &[],
};

const HOOKS: Type = Type::List(&Type::Object(&HOOK), "a hook");

const fn point(name: &'static str, about: &'static str) -> Key {
    key(name, HOOKS, about).nullable().expected("a list of hooks").advice(no_list)
}

fn no_list(value: &Value) -> String {
    match value.kind {
        Kind::Map(_) => "put `- ` before the hook's first key, and indent its other keys".to_owned(),
        _ => "start each item with `- `".to_owned(),
    }
}
