//! Facts, and conditions about earlier events.

use super::hooks::{CONDITION_KEY, DESCRIPTION, EVENT, WHEN};
use super::meant;
use crate::decode::{Evidence, Key, Object, Others, Type, key};
use crate::tree::{OutcomeWord, PartitionKey};

const FACTS_BY_NAME: &str = r##"{"type": ["object", "null"], "propertyNames": {"$ref": "#/$defs/fact_name"}, "additionalProperties": {"anyOf": [{"$ref": "#/$defs/fact"}, {"type": "array", "items": {"$ref": "#/$defs/fact"}, "minItems": 1}]}}"##;

/// `facts`
pub(super) const FACTS: Key = key(
    "facts",
    Type::Own(FACTS_BY_NAME),
    "Patterns of earlier events by name, for the conditions of this file: `formerly(edited since tested)`.",
)
.evidence(Evidence::With(super::HOOKS));

/// The name of a fact.
pub(crate) const FACT_NAME: &str = r#"{"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}"#;

const OUTCOME: Key = key(
    "outcome",
    Type::Word(&OutcomeWord::CHOICES),
    "With which outcome the event is meant (default: what was not prevented).",
);
const PAST_EVENT: Key = Key {
    about: "The event types that are meant: one, or a list; or the name of a fact.",
    ..EVENT.needed("write `event:` with an event type or a fact")
};
const PAST_CONDITION: Key = Key {
    about: "A condition about the past event; paths below `now` are the current event's.",
    ..CONDITION_KEY
};

/// A pattern of a fact.
pub static FACT: Object = Object {
    name: "fact",
    what: "a fact",
    keys: &[
        Key { about: "What the fact is for.", ..DESCRIPTION },
        PAST_EVENT,
        OUTCOME,
        PAST_CONDITION,
        WHEN,
        key("keep", Type::List(&Type::Text, "a path"), "Paths of the event whose text the history keeps."),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// The pattern of a selection.
pub static PATTERN: Object = Object {
    name: "event_pattern",
    what: "a pattern of events",
    keys: &[PAST_EVENT, OUTCOME, PAST_CONDITION, WHEN],
    others: Others::Unknown,
    rules: &[],
};

const EVENTS: Type =
    Type::Either(&[Type::Own(r#"{"type": "string", "minLength": 1}"#), Type::Object(&PATTERN)]);

/// The value of `formerly`.
pub static SELECTION: Object = Object {
    name: "selection",
    what: "`formerly`",
    keys: &[
        key("of", EVENTS, "Which events: a fact, an event type, or a pattern.")
            .expected("a name or a mapping")
            .help("write the name of a fact or an event type, or `{event: PostToolUse, condition: ...}`")
            .needed("write `of:` with a fact, an event type or a pattern")
            .synonyms(&["fact", "event", "events", "name"])
            .meant(meant::SELECTIONS),
        key(
            "within",
            Type::Own(r#"{"type": "string", "pattern": "^([0-9]+[smhd]|turn|session)$"}"#),
            "How far back: `10m`, `turn` or `session`.",
        ),
        key("since", EVENTS, "Only from the last event on that matches this.")
            .expected("a name or a mapping")
            .help("write the name of a fact or an event type, or `{event: PostToolUse, condition: ...}`"),
        key("per", Type::Word(&PartitionKey::CHOICES), "Whose events (default: those of the session)."),
        key("including_now", Type::Bool, "Whether the current event is one of them.").default("false"),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// `formerly`
pub(super) const FORMERLY: Key =
    key("formerly", Type::Object(&SELECTION), "True if an earlier event is in the selection.")
        .help("write `{of: edited, since: tested}`");
