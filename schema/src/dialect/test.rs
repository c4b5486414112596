//! Test files (`hookc test`).

use crate::decode::{Key, Object, Others, Rule, Type, key};
use crate::tree::Layer;
pub use crate::tree::Recorded;

macro_rules! event_errors {
    ($($name:ident $word:literal $meaning:literal;)*) => {
        /// Why an event has no decision, as a test names it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum EventErrorKind {
            $(#[doc = $meaning] $name,)*
        }

        impl EventErrorKind {
            /// All errors with their names.
            pub const CHOICES: &'static [(&'static str, Self)] = &[$(($word, Self::$name),)*];

            /// Its name in a test.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// A description of one line.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

event_errors! {
    TooLarge "too_large" "the event has too many bytes";
    TooDeep "too_deep" "the event is nested too deep";
    Utf8 "utf8" "the event is not UTF-8";
    Syntax "not_json" "the event is not JSON";
    NotAnObject "not_an_object" "the event is not a JSON object";
    Surrogate "surrogate" "an escaped half of a surrogate pair";
    Exponent "exponent" "a number with an exponent beyond the limit";
    Duplicate "duplicate_key" "a duplicate key on a path that is read";
    NoType "no_type" "the event has no type";
    AmbiguousType "ambiguous_type" "several vocabularies declare the type";
    Pattern "pattern" "a pattern exceeds its size limit";
    QuerySteps "query_steps" "the paths with several results need too many steps";
    SchemaSteps "schema_steps" "the schemas need too many steps";
    SchemaDepth "schema_depth" "the schemas are nested too deep";
}

hookc_base::named_enums! {
    /// What an agent does with a call after all hooks that decide, in order of strictness.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict name {
        /// It continues without asking.
        Allow "allow";
        /// A person decides.
        Ask "ask";
        /// It does not happen.
        Deny "deny";
    }
}

impl Verdict {
    /// The verdict of an action's kind.
    #[must_use]
    pub fn of_action(kind: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verdict| verdict.name() == kind)
    }
}

/// The files of a policy.
pub(crate) const FILES: Type = Type::Own(
    r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}"#,
);
const HOSTS: Type = Type::Own(
    r##"{"anyOf": [{"$ref": "#/$defs/agent"}, {"type": "array", "items": {"$ref": "#/$defs/agent"}, "minItems": 1}]}"##,
);
const EVENT: Type = Type::Either(&[Type::Map(&Type::Any), Type::Text]);
const ACTION: Type = Type::Either(&[Type::Text, Type::Map(&Type::Any)]);
const EXPECTED_HOOKS: Type = Type::List(&Type::Own(r##"{"$ref": "#/$defs/hook"}"##), "a hook");

/// A test file.
pub static FILE: Object = Object {
    name: "test_file",
    what: "a test file",
    keys: &[
        key("policy", FILES, "The policies in order, relative to this file.")
            .expected("a file or a list of files"),
        key("layers", Type::Own(LAYERS), "Policies of other layers.")
            .expected("a mapping of layers to files"),
        key("builtin", Type::Bool, "Whether to link the shipped hooks (default: with thread policies)."),
        key("tests", Type::List(&Type::Object(&TEST), "a test"), "The tests.")
            .expected("a list of tests")
            .needed("write `tests:` with a list of tests")
            .synonyms(&["cases", "test", "examples"]),
    ],
    others: Others::Unknown,
    rules: &[Rule::AnyOf(&["policy", "layers"], "write `policy:` with a file, relative to this one")],
};

/// Files by layer.
const LAYERS: &str = r##"{"type": "object", "propertyNames": {"$ref": "#/$defs/layer"}, "additionalProperties": {"$ref": "#/$defs/files"}}"##;

/// The names of layers.
pub(crate) const LAYER: Type = Type::Word(&Layer::CHOICES);

/// A test.
pub static TEST: Object = Object {
    name: "test",
    what: "a test",
    keys: &[
        key("name", Type::Text, "The name of the test (default: `test N`)."),
        key("event", EVENT, "The event: a mapping, or its JSON text, taken byte for byte.")
            .called("an event")
            .expected("a mapping, or its JSON as a string")
            .help("write the event as a mapping")
            .synonyms(&["input", "given", "payload"]),
        key("events", Type::List(&EVENT, "an event"), "Several events, one case each.")
            .expected("a list of events"),
        key(
            "steps",
            Type::List(&Type::Object(&STEP), "a step"),
            "Events of one history, in order; each with `expect` is a case.",
        )
        .expected("a list of steps"),
        key("type", Type::Text, "The event type, whatever the event itself states.").synonyms(&[
            "event_type",
            "hook_event_name",
            "event_name",
        ]),
        key("host", HOSTS, "The agents that send the event and take the verdict, one case each.")
            .expected("the name of an agent or a list of names")
            .synonyms(&["agent", "agents", "hosts"]),
        key("expect", Type::Own(r##"{"$ref": "#/$defs/expect"}"##), "The expected result.")
            .expected("a verdict, a hook, `none`, a list of hooks, or a mapping")
            .synonyms(&["expected", "expects", "want", "outcome", "decision", "verdict"]),
    ],
    others: Others::Unknown,
    rules: &[
        Rule::AnyOf(&["event", "events", "steps"], "write `event:` with the event as a mapping"),
        Rule::OneOf(&["event", "events", "steps"]),
        Rule::AnyOf(
            &["expect", "steps"],
            "write `expect:` with `deny`, `ask`, `allow`, `none`, or the id of the hook that decides",
        ),
        Rule::OneOf(&["expect", "steps"]),
        Rule::Own(
            r#"{"properties": {"events": {"minItems": 1}, "steps": {"minItems": 1, "contains": {"required": ["expect"]}}}}"#,
        ),
    ],
};

/// When an event happens.
pub(super) const AT: Key = key(
    "at",
    Type::Own(r#"{"type": "string", "pattern": "^([0-9]{1,11}(ms|s|m|h|d)|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}Z)$"}"#),
    "When it happens: an offset from the start, as in `10m`, or a time (default: a second after the event before it).",
)
.expected("a string")
.synonyms(&["time", "after", "timestamp"]);

/// What became of an event.
pub(super) const OUTCOME: Key = key(
    "outcome",
    Type::Word(&Recorded::CHOICES),
    "What handlers or the host made of it (default: what the hooks decide).",
);

/// A step of a test.
pub static STEP: Object = Object {
    name: "step",
    what: "a step",
    keys: &[
        key("event", EVENT, "The event: a mapping, or its JSON text, taken byte for byte.")
            .called("an event")
            .expected("a mapping, or its JSON as a string")
            .help("write the event as a mapping")
            .needed("write `event:` with the event as a mapping")
            .synonyms(&["input", "given", "payload"]),
        AT,
        OUTCOME,
        key("expect", Type::Own(r##"{"$ref": "#/$defs/expect"}"##), "The expected result.")
            .expected("a verdict, a hook, `none`, a list of hooks, or a mapping")
            .synonyms(&["expected", "expects", "want", "decision", "verdict"]),
    ],
    others: Others::Unknown,
    rules: &[],
};

/// The expected result of an event, as a mapping.
pub static EXPECT: Object = Object {
    name: "expectation",
    what: "`expect`",
    keys: &[
        key("deny", Type::Text, "The event is denied, with this text in the reason.")
            .synonyms(&["block", "verdict", "decision", "reason"]),
        key("ask", Type::Text, "A person decides, with this text in the reason."),
        key("allow", Type::Text, "The event is allowed, with this text in the reason."),
        key("modify", Type::Map(&Type::Any), "The input is changed: members that the new values have.")
            .expected("a mapping of members of the input to values")
            .synonyms(&["input", "tool_input"]),
        key("hook", Type::Text, "The one hook that decides, or `none`."),
        key("hooks", EXPECTED_HOOKS, "All hooks that decide, in order.").expected("a list of hooks"),
        key("action", ACTION, "The action of `hook`: fields that it must have.")
            .expected("an action's kind or a mapping of its fields")
            .help("write the fields to compare; other fields are ignored"),
        key("action_error", Type::Bool, "Whether the action of `hook` cannot be rendered."),
        key(
            "reported",
            Type::List(&Type::Text, "a hook's id"),
            "The warn and shadow hooks that match, in order.",
        )
        .expected("a list of ids"),
        key(
            "unknown",
            Type::List(&Type::Text, "a hook's id"),
            "The hooks whose condition the history does not decide, in order.",
        )
        .expected("a list of ids"),
        key(
            "error",
            Type::Either(&[Type::Own(r#"{"const": true}"#), Type::Word(&EventErrorKind::CHOICES)]),
            "The reason why there is no decision, or `true` for any reason.",
        )
        .expected("a kind of error, or `true`"),
    ],
    others: Others::Unknown,
    rules: &[
        Rule::OneOf(&["hook", "hooks"]),
        Rule::OneOf(&["deny", "ask", "allow"]),
        Rule::Own(
            r#"{"minProperties": 1, "dependentRequired": {"action": ["hook"], "action_error": ["hook"]}, "if": {"required": ["error"]}, "then": {"maxProperties": 1}}"#,
        ),
    ],
};

/// An expected hook, in a list.
pub static EXPECTED_HOOK: Object = Object {
    name: "expected_hook",
    what: "an expected hook",
    keys: &[
        key("hook", Type::Text, "The hook's id.").needed("write `hook:` with the id of the hook"),
        key("action", ACTION, "Fields that its action must have.")
            .expected("an action's kind or a mapping of its fields")
            .help("write the fields to compare; other fields are ignored"),
        key("action_error", Type::Bool, "Whether its action cannot be rendered."),
    ],
    others: Others::Unknown,
    rules: &[],
};
