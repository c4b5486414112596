//! Attributes of directive XML (dialect B). A value is text; its type is that of the same key in a
//! hooks file.

use super::hooks::{DESCRIPTION, ENABLED, EVENT, ID, MODE, ON_ERROR, ON_FAILURE, PRIORITY, WHEN};
use super::test::{AT, OUTCOME};
use crate::decode::{Object, Others, Type, key};
use crate::tree::{OutcomeWord, PartitionKey};

/// How the text of a value is read.
pub const TYPES: &[(&str, ())] = &[("string", ()), ("json", ())];

const fn element(name: &'static str, what: &'static str, keys: &'static [crate::decode::Key]) -> Object {
    Object { name, what, keys, others: Others::Unknown, rules: &[] }
}

/// `<hook>`
pub static HOOK: Object = element(
    "hook",
    "`<hook>`",
    &[
        EVENT,
        WHEN.synonyms(&["condition", "if"]),
        ID.synonyms(&["name"]),
        PRIORITY,
        ENABLED,
        MODE,
        ON_ERROR,
        ON_FAILURE,
        DESCRIPTION,
    ],
);

/// `<condition>`
pub static CONDITION: Object = element(
    "condition",
    "`<condition>`",
    &[
        key("path", Type::Text, ""),
        key("op", Type::Text, ""),
        key("value", Type::Text, ""),
        key("value_path", Type::Text, ""),
        key("type", Type::Word(&TYPES), ""),
        key("ignore_case", Type::Bool, ""),
        key("assert_format", Type::Bool, ""),
    ],
);

/// `<fact>`
pub static FACT: Object = element(
    "fact",
    "`<fact>`",
    &[
        key("name", Type::Text, ""),
        EVENT,
        key("outcome", Type::Word(&OutcomeWord::CHOICES), ""),
        WHEN.synonyms(&["condition", "if", "where"]),
        DESCRIPTION,
    ],
);

/// `<of>` and `<since>` in `<formerly>`
pub static PATTERN: Object = element(
    "event_pattern",
    "a pattern of events",
    &[
        key("fact", Type::Text, ""),
        EVENT,
        key("outcome", Type::Word(&OutcomeWord::CHOICES), ""),
        WHEN.synonyms(&["condition", "if", "where"]),
    ],
);

/// `<formerly>`
pub static FORMERLY: Object = element(
    "formerly",
    "`<formerly>`",
    &[
        key("within", Type::Text, ""),
        key("per", Type::Word(&PartitionKey::CHOICES), ""),
        key("including-now", Type::Bool, "").synonyms(&["including_now"]),
    ],
);

/// `<some>` and `<every>`
pub static QUANTIFIED: Object =
    element("quantified", "a quantifier", &[key("as", Type::Text, ""), key("in", Type::Text, "")]);

/// `<wrapper>`
pub static WRAPPER: Object = element(
    "wrapper",
    "`<wrapper>`",
    &[
        key("name", Type::Text, ""),
        key("options_with_values", Type::Text, ""),
        key("operands", Type::Text, ""),
        DESCRIPTION,
    ],
);

/// `<reads>` and the other guards. An attribute has one pattern; elements have others.
pub static GUARD: Object = element(
    "guard",
    "a guard",
    &[key("except", Type::Text, ""), key("by", Type::Text, ""), key("not-by", Type::Text, "")],
);

/// `<set>`
pub static SET: Object =
    element("set", "`<set>`", &[key("name", Type::Text, ""), key("except", Type::Text, "")]);

/// `<input>` in `<tool>`
pub static TOOL_INPUT: Object =
    element("input", "`<input>`", &[key("path", Type::Text, ""), key("role", Type::Text, "")]);

/// `<project>`
pub static PROJECT: Object = element("project", "`<project>`", &[key("path", Type::Text, "")]);

/// `<example>`
pub static EXAMPLE: Object = element("example", "`<example>`", &[key("matches", Type::Bool, ""), AT]);

/// `<history>` in `<example>`
pub static EARLIER: Object = element("history", "`<history>`", &[AT, OUTCOME]);

/// `<param name="...">`
pub static PARAM: Object = element(
    "param",
    "`<param>`",
    &[key("name", Type::Text, ""), key("value", Type::Text, ""), key("type", Type::Word(&TYPES), "")],
);

/// An entry whose element name is the parameter's name.
pub static ENTRY: Object =
    element("entry", "an entry", &[key("value", Type::Text, ""), key("type", Type::Word(&TYPES), "")]);

/// `<action>` and `<execute>` in legacy syntax.
pub static LEGACY_ACTION: Object = element(
    "legacy_action",
    "`<action>`",
    &[key("primary", Type::Text, ""), key("item_type", Type::Text, ""), key("item_id", Type::Text, "")],
);

/// An element without attributes.
pub static BARE: Object = element("bare", "an element", &[]);
