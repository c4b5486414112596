//! Declarations of a vocabulary, in a hooks file and in the shipped data.

use crate::decode::{Key, Object, Others, Rule, Type, key};
use crate::tree::Family;
use hookc_base::Strategy;

const DESCRIPTION: Key = key("description", Type::Text, "One line.");
const FAMILY: Key =
    key("family", Type::Word(&Family::CHOICES), "The vocabulary that it belongs to.").default("\"thread\"");
const STRATEGY: Key = key(
    "strategy",
    Type::Word(&Strategy::CHOICES),
    "Whether the first matching hook decides, or all of them in order.",
);
const SCHEMA: Key =
    key("schema", Type::Own(r#"{"type": ["object", "boolean"]}"#), "The JSON Schema of the event.");
const PREVENTS: Key = key(
    "prevents",
    Type::Bool,
    "Whether a denial keeps what the event is about from happening: a pattern about earlier events then does not match it.",
);

/// An event type, as a file declares it.
pub static EVENT: Object = Object {
    name: "declared_event",
    what: "the declaration of an event",
    keys: &[FAMILY, STRATEGY, DESCRIPTION, SCHEMA, PREVENTS],
    others: Others::Unknown,
    rules: &[],
};

/// An event type of the shipped data, with the field that a matcher tests.
pub(crate) static BUILTIN_EVENT: Object = Object {
    name: "builtin_event",
    what: "the declaration of an event",
    keys: &[
        FAMILY,
        STRATEGY,
        DESCRIPTION,
        SCHEMA,
        PREVENTS,
        key("matcher", Type::Any, "The field that a matcher tests."),
        key("comes", Type::Text, "When it comes, if not before each use of a tool."),
    ],
    others: Others::Unknown,
    rules: &[],
};

const TYPES: Type = Type::Own(r##"{"$ref": "#/$defs/types"}"##);

/// A file's declaration of an operator.
pub static OPERATOR: Object = Object {
    name: "declared_operator",
    what: "the declaration of an operator",
    keys: &[key("types", TYPES, "The types of its operands."), DESCRIPTION],
    others: Others::Unknown,
    rules: &[],
};

/// A file's declaration of a combinator.
pub static COMBINATOR: Object = Object {
    name: "declared_combinator",
    what: "the declaration of a combinator",
    keys: &[
        key(
            "syntax",
            Type::Own(r#"{"type": "object", "minProperties": 1, "maxProperties": 1}"#),
            "Its syntax: a mapping with one key.",
        ),
        DESCRIPTION,
    ],
    others: Others::Unknown,
    rules: &[],
};

/// An action kind.
pub static ACTION: Object = Object {
    name: "declared_action",
    what: "an action kind",
    keys: &[
        DESCRIPTION,
        key("parameters", Type::Map(&Type::Object(&PARAMETER)), "Its parameters by name.").nullable(),
        key(
            "one_of",
            Type::Own(
                r#"{"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1, "items": {"type": "string"}}}"#,
            ),
            "Groups of parameters; exactly one parameter of a group is required.",
        ),
    ],
    others: Others::Unknown,
    rules: &[Rule::Own(r#"{"properties": {"parameters": {"propertyNames": {"not": {"const": "type"}}}}}"#)],
};

/// A program that runs the command in its arguments.
pub static WRAPPER: Object = Object {
    name: "declared_wrapper",
    what: "a wrapper",
    keys: &[
        key(
            "name",
            Type::Own(r#"{"type": "string", "pattern": "^[^/\\s]+$"}"#),
            "The name of the program, without a directory.",
        )
        .needed("write `name:` with the name of the program"),
        key(
            "options_with_values",
            Type::List(&Type::Text, "an option"),
            "Its options whose value is the next word, with their dashes.",
        ),
        key("operands", Type::Count, "How many operands of its own precede the command.").default("0"),
        DESCRIPTION,
    ],
    others: Others::Unknown,
    rules: &[],
};

/// A parameter of an action kind.
pub static PARAMETER: Object = Object {
    name: "declared_parameter",
    what: "a parameter",
    keys: &[
        key("type", TYPES, "The name of a type, or a list of names."),
        key("required", Type::Bool, "Required."),
        key("optional", Type::Bool, "Optional."),
        key("default", Type::Any, "The value if it is not given."),
        key("enum", Type::Own(r#"{"type": "array", "minItems": 1}"#), "The allowed values."),
        key("minimum", Type::Number, "The least number."),
        DESCRIPTION,
        key(
            "required_if",
            Type::Own(r#"{"type": "object", "minProperties": 1, "maxProperties": 1}"#),
            "Required when another parameter has this value.",
        ),
    ],
    others: Others::Unknown,
    rules: &[],
};
