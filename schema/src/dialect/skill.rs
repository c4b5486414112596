//! The front matter of a skill (dialect E).

use super::hooks::PRIORITY;
use crate::decode::{Key, Object, Others, Type, key};

/// The keys of the front matter that hookc reads.
pub static FRONT_MATTER: Object = Object {
    name: "skill",
    what: "front matter",
    keys: &[
        key("name", Type::Text, "The name of the skill; by default the name of its directory.").nullable(),
        key("description", Type::Text, "What the skill is for: agents choose it by this.").nullable(),
        key("trigger", Type::Own("{}"), "Its slash command: `/name`."),
        key("hooks", Type::Own(HOOKS), "Its hooks by event."),
    ],
    others: Others::Open,
    rules: &[],
};

/// The events of skills.
pub const EVENTS: &[&str] = &["pre_execute", "post_execute", "on_error", "pre_context", "post_context"];

/// Events of the skill with scripts; events of agents with groups.
const HOOKS: &str = r##"{"anyOf": [{"type": "null"}, {"$ref": "#/$defs/events"}]}"##;

const SECONDS: Key =
    key("timeout", Type::Number, "Its timeout in seconds.").help("write a number of seconds");

/// A script with a priority or a timeout.
pub static SCRIPT: Object = Object {
    name: "script",
    what: "a script",
    keys: &[
        key(
            "script",
            Type::Own(r##"{"$ref": "#/$defs/script_path"}"##),
            "Its path, relative to the directory of the skill.",
        )
        .needed("write the path of a Python file, relative to the directory of the skill"),
        PRIORITY,
        SECONDS,
    ],
    others: Others::Unknown,
    rules: &[],
};
