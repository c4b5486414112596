//! A repository hook (dialect D): one hook for each file.

use crate::decode::{Evidence, Key, Object, Others, Rule, Type, key};

const HANDLER_HELP: &str = "write `handler: {kind: script, command: ./scripts/hooks/NAME}`";

/// The key of its event; other dialects have `event`.
const EVENT_TYPE: &str = "event_type";
/// Events have this key too, but only a hook has both keys.
const WITH_EVENT: Evidence = Evidence::With(EVENT_TYPE);

/// A hook.
pub static HOOK: Object = Object {
    name: "repository_hook",
    what: "a repository hook",
    keys: &[
        key("id", Type::Filled("empty", "write a name"), "A name of its own, in kebab-case.")
            .needed("write `id:` with a unique name"),
        key(EVENT_TYPE, Type::Filled("empty", "write the name of an event"), "The event at which it runs.")
            .needed("write `event_type:` with the name of an event"),
        key("enabled", Type::Bool, "`false`: the hook does not run.").default("true"),
        key("blocking", Type::Bool, "Whether the turn waits for it; the default depends on the event.")
            .evidence(WITH_EVENT),
        key("summary", Type::Text, "What the hook is for."),
        key("match", Type::Object(&MATCH), "The events that it handles; by default all.")
            .nullable()
            .evidence(WITH_EVENT),
        key("handler", Type::Object(&HANDLER), "What runs.")
            .help(HANDLER_HELP)
            .needed(HANDLER_HELP)
            .evidence(WITH_EVENT),
        key("effects", Type::Own(EFFECTS), "What the handler does, for people."),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// Effects: names, or names with a target.
const EFFECTS: &str = r##"{"anyOf": [{"type": ["null", "string"]}, {"type": "object", "minProperties": 1, "maxProperties": 1}, {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object", "minProperties": 1, "maxProperties": 1}]}}]}"##;

/// The handler of a hook.
pub static HANDLER: Object = Object {
    name: "handler",
    what: "a handler",
    keys: &[
        key("kind", Type::Own(r#"{"const": "script"}"#), "How it is run.")
            .called("a handler's `kind`")
            .needed(HANDLER_HELP),
        key(
            "command",
            Type::Own(r#"{"type": "string", "pattern": "\\S"}"#),
            "The path of a script, from the root of the repository.",
        )
        .called("a handler's `command`")
        .help(HANDLER_HELP),
    ],
    others: Others::Unknown,
    rules: &[Rule::Own(r#"{"required": ["command"]}"#)],
};

const GLOBS: Type = Type::Own(
    r#"{"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}]}"#,
);

const fn globs(name: &'static str, about: &'static str) -> Key {
    key(name, GLOBS, about)
}

/// The match block, which restricts the events of a hook.
pub static MATCH: Object = Object {
    name: "match",
    what: "a match block",
    keys: &[
        globs("ability_scope", "Globs of abilities."),
        key("min_duration_ms", Type::Number, "The minimum duration of the call, in milliseconds.")
            .help("write a number of milliseconds"),
        globs("only_if_changed_paths", "Globs of changed files."),
    ],
    others: Others::Unknown,
    rules: &[Rule::Own(r#"{"properties": {"min_duration_ms": {"minimum": 0}}}"#)],
};
