//! A hooks file (dialect A).

use super::history::{FACTS, FORMERLY};
use super::meant;
use super::predicates::{MENTIONS, ONLY, PASSED, PROGRAMS, PROJECT, SETS, TOOLS, UNKNOWN, certain, possible};
use super::test::{AT, OUTCOME};
use crate::decode::{Evidence, Key, Object, Others, Rule, Type, key};
use crate::tree::{Mode, OnError, OnFailure, Verb};
use crate::value::{Kind, Value};

/// A version of Semantic Versioning 2.0.0 with the only supported major version.
const VERSION: &str = r#"{"type": "string", "pattern": "^1\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?$"}"#;

/// Names, or a mapping of names to declarations.
const EVENTS: &str = r##"{"type": ["array", "object", "null"], "items": {"type": "string", "minLength": 1}, "propertyNames": {"type": "string", "minLength": 1}, "additionalProperties": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/declared_event"}]}}"##;
const OPERATORS: &str = r##"{"type": ["array", "object", "null"], "items": {"$ref": "#/$defs/operator_name"}, "propertyNames": {"$ref": "#/$defs/operator_name"}, "additionalProperties": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/declared_operator"}]}}"##;
const COMBINATORS: &str = r##"{"type": ["array", "object", "null"], "items": {"$ref": "#/$defs/combinator_name"}, "propertyNames": {"$ref": "#/$defs/combinator_name"}, "additionalProperties": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/declared_combinator"}]}}"##;
const ACTION_TYPES: &str = r##"{"type": ["object", "null"], "additionalProperties": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/declared_action"}]}}"##;
const WRAPPERS: &str = r##"{"type": ["array", "null"], "items": {"anyOf": [{"type": "string", "pattern": "^[^/\\s]+$"}, {"$ref": "#/$defs/declared_wrapper"}]}}"##;
const JSON_SCHEMA: &str = r#"{"type": ["object", "boolean", "null"]}"#;

const HOOKS: Type = Type::List(&Type::Object(&HOOK), "a hook");

/// The top level. `hooks` and `builtin_hooks` keep the order of the text.
pub static FILE: Object = Object {
    name: "file",
    what: "a hooks file",
    keys: &[
        key("schema_version", Type::Own(VERSION), "The version of the language that the file is written in.")
            .default("\"1.0.0\"")
            .evidence(Evidence::With(super::HOOKS)),
        key(
            "events",
            Type::Own(EVENTS),
            "Event types that the file declares: a list of names, or a mapping of names to declarations.",
        ),
        key("operators", Type::Own(OPERATORS), "The operators that the file relies on; it cannot add any."),
        key(
            "combinators",
            Type::Own(COMBINATORS),
            "The combinators that the file relies on; it cannot add any.",
        ),
        key("action_types", Type::Own(ACTION_TYPES), "Action kinds that the file declares or narrows.")
            .evidence(Evidence::Alone),
        key(
            "event_context_schema",
            Type::Own(JSON_SCHEMA),
            "A JSON Schema that replaces the known schemas of all events.",
        )
        .evidence(Evidence::Alone),
        key("return_schema", Type::Own(JSON_SCHEMA), "A JSON Schema of the results of actions.")
            .evidence(Evidence::Alone),
        key(
            "wrappers",
            Type::Own(WRAPPERS),
            "Programs that run the command in their arguments, for the views of command lines (`shell(...)`).",
        )
        .evidence(Evidence::With(super::HOOKS)),
        PROGRAMS.evidence(Evidence::With(super::HOOKS)),
        SETS.evidence(Evidence::With(super::HOOKS)),
        TOOLS.evidence(Evidence::With(super::HOOKS)),
        PROJECT.evidence(Evidence::With(super::HOOKS)),
        FACTS,
        key(
            "builtin_hooks",
            HOOKS,
            "Hooks of the builtin layer, which is the farthest; they replace shipped hooks of the same id.",
        )
        .evidence(Evidence::Alone)
        .nullable()
        .expected("a list of hooks")
        .advice(no_list),
        key("hooks", HOOKS, "The hooks of the file's layer, in source order unless a priority ranks them.")
            .nullable()
            .expected("a list of hooks")
            .advice(no_list),
        legacy_list("infra_hooks"),
        legacy_list("context_hooks"),
        key("category", Type::Any, "").legacy(),
        key("tool_type", Type::Any, "").legacy(),
        key("version", Type::Any, "").legacy(),
        key("description", Type::Any, "").legacy(),
        key("action_primaries", Type::Any, "").legacy(),
        key("action_item_types", Type::Any, "").legacy(),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// A legacy list of hooks, which is read as `builtin_hooks`.
const fn legacy_list(name: &'static str) -> Key {
    key(name, HOOKS, "Read as `builtin_hooks`.")
        .nullable()
        .expected("a list of hooks")
        .advice(no_list)
        .legacy()
        .becomes("builtin_hooks")
}

/// The help for a value of `hooks:` that is not a list.
fn no_list(value: &Value) -> String {
    let list = || "write a list; start each hook with `- `".to_owned();
    let Kind::Map(members) = &value.kind else { return list() };
    let is_hook = members.iter().any(|member| matches!(member.key.node.as_str(), "event" | "action"));
    let by_event = members.iter().all(|member| matches!(member.value.kind, Kind::Seq(_)));
    match members.first() {
        Some(_) if is_hook => "put `- ` before the hook's first key, and indent its other keys".to_owned(),
        Some(first) if by_event => format!(
            "lists under event names are the format of agent settings; here each hook names its event: `- event: {}`",
            first.key.node
        ),
        _ => list(),
    }
}

/// `id`, in every notation.
pub(super) const ID: Key = key(
    "id",
    Type::Own(r#"{"type": "string", "pattern": "^[^#]*[^#\\s][^#]*$"}"#),
    "A unique name in its layer; a nearer layer replaces the hook by this name.",
)
.called("an id")
.meant(meant::IDS);
pub(super) const DESCRIPTION: Key = key("description", Type::Text, "What the hook is for.");
pub(super) const EVENT: Key = key(
    "event",
    Type::Own(r##"{"anyOf": [{"$ref": "#/$defs/event"}, {"type": "array", "items": {"$ref": "#/$defs/event"}, "minItems": 1, "uniqueItems": true}]}"##),
    "The event types that the hook handles: one, or a list.",
)
.needed("write `event:` with an event type");
/// `priority`, in every notation.
pub(crate) const PRIORITY: Key = key("priority", Type::Number, "A higher priority goes first.")
    .default("0")
    .help("write a number; a higher priority goes first");
pub(super) const ENABLED: Key =
    key("enabled", Type::Bool, "`false` removes the hook and the farther hooks of its id.").default("true");
pub(super) const MODE: Key =
    key("mode", Type::Word(&Mode::CHOICES), "Whether it decides, warns the user, or is only logged.");
pub(super) const CONDITION_KEY: Key = key(
    "condition",
    Type::Own(r##"{"$ref": "#/$defs/condition"}"##),
    "When the hook matches (default without `when`: always).",
);
pub(super) const WHEN: Key = key(
    "when",
    Type::Own(r#"{"type": "string", "minLength": 1}"#),
    "The condition as an expression: `error.code == 'x' and cost.spend > 10`. `'...'` is raw, with `''` for a quote; `\"...\"` has JSON's escapes; `/.../` and `/.../i` are allowed after `=~`. With `condition`, both must be true.",
)
.synonyms(&["if", "where"])
.meant(meant::CONDITIONS);
pub(super) const ACTION_KEY: Key =
    key("action", Type::Own(r##"{"$ref": "#/$defs/action"}"##), "The action to execute.")
        .needed("write `action:` with a mapping that has a `type`")
        .meant(meant::ACTIONS);
pub(super) const ON_ERROR: Key =
    key("on_error", Type::Word(&OnError::CHOICES), "How an error of the action is handled.");
pub(super) const ON_FAILURE: Key =
    key("on_failure", Type::Word(&OnFailure::CHOICES), "The failure mode when its action fails.");
const EXAMPLE_LIST: Type = Type::List(&Type::Object(&EXAMPLE), "an example");
pub(super) const EXAMPLES: Key =
    key("examples", EXAMPLE_LIST, "Events that must match or must not match; `hookc test` checks them.");

/// A hook.
pub static HOOK: Object = Object {
    name: "hook",
    what: "a hook",
    keys: &[
        ID,
        DESCRIPTION,
        EVENT,
        PRIORITY,
        ENABLED,
        MODE,
        CONDITION_KEY,
        WHEN,
        ACTION_KEY.evidence(Evidence::Alone),
        ON_ERROR,
        ON_FAILURE,
        EXAMPLES,
        key(
            "layer",
            Type::Own(r#"{"enum": [0, 1, 2, 3, 4, "0", "1", "2", "3", "4", "user", "directive", "builtin", "project", "infra"]}"#),
            "",
        )
        .legacy(),
        key("position", Type::Word(&POSITIONS), "").legacy(),
        key("wrap", Type::Any, "").legacy(),
        key("result", Type::Any, "").legacy(),
    ],
    others: Others::Unknown,
    rules: &[],
};

const POSITIONS: &[(&str, ())] = &[("before", ()), ("after", ())];

/// An example of a hook.
pub static EXAMPLE: Object = Object {
    name: "example",
    what: "an example",
    keys: &[
        key("event", Type::Map(&Type::Any), "The event; its type is optional.")
            .called("an example's `event`")
            .needed("write the event as a mapping"),
        key("matches", Type::Bool, "Whether the condition is true for it.")
            .needed("write `matches: true` or `matches: false`"),
        key(
            "history",
            Type::List(&Type::Object(&EARLIER), "an earlier event"),
            "The events before it, in order, for conditions about the past.",
        )
        .expected("a list of earlier events")
        .synonyms(&["steps", "before", "earlier"]),
        AT,
    ],
    others: Others::Unknown,
    rules: &[],
};

/// An event before that of an example.
pub static EARLIER: Object = Object {
    name: "earlier_event",
    what: "an earlier event",
    keys: &[
        key("event", Type::Map(&Type::Any), "The event, with its type.")
            .called("an earlier `event`")
            .needed("write the event as a mapping, with `hook_event_name`"),
        AT,
        OUTCOME,
    ],
    others: Others::Unknown,
    rules: &[],
};

const CONDITIONS: &str = r##"{"type": "array", "items": {"$ref": "#/$defs/condition"}}"##;
const PATH: &str = r#"{"type": "string", "minLength": 1}"#;

/// A condition: a leaf's keys, then those of the combinators.
pub static CONDITION: Object = Object {
    name: "condition",
    what: "a condition",
    keys: &[
        key("path", Type::Own(PATH), "The field to test: `error.code`, `items[0]`, or JSONPath from `$`."),
        key("op", Type::Own(r##"{"$ref": "#/$defs/operator_name"}"##), "How to compare (default: `eq`)."),
        key("value", Type::Any, "What to compare with."),
        key("value_path", Type::Own(PATH), "The field whose value to compare with."),
        key("ignore_case", Type::Bool, "Compare text case-insensitively."),
        key("assert_format", Type::Bool, "Assert `format` in the schema of `matches`."),
        key("all", Type::Own(CONDITIONS), "True if all of these are true; an empty list is true."),
        key("any", Type::Own(CONDITIONS), "True if one of these is true; an empty list is false."),
        key("not", Type::Own(r##"{"$ref": "#/$defs/condition"}"##), "True if this is false."),
        key("some", Type::Object(&QUANTIFIED), "True if the condition is true for one of the nodes."),
        key("every", Type::Object(&QUANTIFIED), "True if the condition is true for all of the nodes."),
        FORMERLY,
        certain(Verb::Run),
        certain(Verb::Read),
        certain(Verb::Write),
        certain(Verb::Delete),
        certain(Verb::Change),
        certain(Verb::Contact),
        certain(Verb::Send),
        certain(Verb::Install),
        certain(Verb::Push),
        possible(Verb::Run),
        possible(Verb::Read),
        possible(Verb::Write),
        possible(Verb::Delete),
        possible(Verb::Change),
        possible(Verb::Contact),
        possible(Verb::Send),
        possible(Verb::Install),
        possible(Verb::Push),
        ONLY,
        UNKNOWN,
        MENTIONS,
        PASSED,
    ],
    others: Others::Unknown,
    rules: &[Rule::Own(
        r#"{"if": {"required": ["path"]}, "then": {"propertyNames": {"enum": ["path", "op", "value", "value_path", "ignore_case", "assert_format"]}}, "else": {"minProperties": 1, "maxProperties": 1, "propertyNames": {"not": {"enum": ["op", "value", "value_path", "ignore_case", "assert_format"]}}}}"#,
    )],
};

/// The value of `some` and `every`.
pub static QUANTIFIED: Object = Object {
    name: "quantified",
    what: "a quantifier",
    keys: &[
        key("as", Type::Own(NAME), "The name of the node in the condition: `c`, whose fields are `c.name`.")
            .needed("write `as:` with a name for the node"),
        key(
            "in",
            Type::Own(PATH),
            "The nodes: `$.edits[*]`; of a path to one value, its elements or members.",
        )
        .needed("write `in:` with a path"),
        key("condition", Type::Own(r##"{"$ref": "#/$defs/condition"}"##), "The condition about the node.")
            .needed("write `condition:` with a condition about the node"),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// A name that a quantifier can bind.
const NAME: &str = r#"{"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}"#;

/// An action of any kind; the vocabulary has its parameters.
pub static ACTION: Object = Object {
    name: "action",
    what: "an action",
    keys: &[key("type", Type::Own(r#"{"type": "string", "minLength": 1}"#), "The action kind.")
        .called("the `type` of an action")
        .needed("write `type:` with an action kind")],
    others: Others::Open,
    rules: &[],
};

/// An action in legacy syntax.
pub static LEGACY_ACTION: Object = Object {
    name: "legacy_action",
    what: "an action in legacy syntax",
    keys: &[
        key("primary", Type::Text, ""),
        key("item_type", Type::Text, ""),
        key("item_id", Type::Text, "").help("put it in quotes"),
        key("params", Type::Map(&Type::Any), ""),
        key("thread", Type::Any, "").legacy(),
    ],
    others: Others::Unknown,
    rules: &[],
};
