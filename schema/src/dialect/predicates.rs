//! Predicates about effects as keys, and the declarations that they use.

use crate::decode::{Key, Object, Others, Rule, Type, key};
use hookc_base::Verb;

const PATTERNS: Type = Type::List(&Type::Text, "a pattern");

/// The value of a guard.
const GUARD_VALUE: Type = Type::Either(&[PATTERNS, Type::Object(&GUARD)]);

/// The patterns of a guard by their lists.
pub static GUARD: Object = Object {
    name: "guard",
    what: "a guard",
    keys: &[
        key("of", PATTERNS, "What the effect is about; without patterns, anything."),
        key("except", PATTERNS, "What the effect is not about."),
        key("by", PATTERNS, "Only effects of these commands."),
        key("not_by", PATTERNS, "No effects of these commands."),
    ],
    others: Others::Unknown,
    rules: &[Rule::OneOf(&["by", "not_by"])],
};

/// The key of a guard whose effect is certain.
pub(super) const fn certain(verb: Verb) -> Key {
    let about = match verb {
        Verb::Run => "True if the event certainly starts one of these commands.",
        Verb::Read => "True if the event certainly reads one of these files.",
        Verb::Write => "True if the event certainly writes one of these files.",
        Verb::Delete => "True if the event certainly deletes one of these files.",
        Verb::Change => "True if the event certainly writes or deletes one of these files.",
        Verb::Contact => "True if the event certainly contacts one of these hosts.",
        Verb::Send => "True if the event certainly sends one of these files to another machine.",
        Verb::Install => "True if the event certainly installs one of these packages.",
        Verb::Push => "True if the event certainly moves one of these branches of a remote.",
    };
    guard(verb.plural(), about)
}

/// The key of a guard whose effect is possible.
pub(super) const fn possible(verb: Verb) -> Key {
    guard(verb.possible(), "True if such an effect is possible, or if part of the event is unknown.")
}

const fn guard(name: &'static str, about: &'static str) -> Key {
    key(name, GUARD_VALUE, about)
        .expected("a list of patterns, or a mapping")
        .help("write a list such as `['src/**']`, or `{of: [...], except: [...]}`")
}

const GUARDS: Type = Type::List(&Type::Object(&ONLY_GUARD), "a guard");
pub(super) const ONLY: Key =
    key("only", GUARDS, "True if the event does something, and the guards list everything that it does.");
pub(super) const UNKNOWN: Key =
    key("unknown", Type::Own(r#"{"const": true}"#), "True if part of what the event does is unknown.");
pub(super) const MENTIONS: Key =
    key("mentions", PATTERNS, "True if a text of the event matches: `/regex/`, `/regex/i` or a set.");
pub(super) const PASSED: Key =
    key("passed", PATTERNS, "True after the event if one of these commands certainly succeeded.");

/// An item of `only`: one guard.
pub static ONLY_GUARD: Object = Object {
    name: "only_guard",
    what: "a guard",
    keys: &[
        certain(Verb::Run),
        certain(Verb::Read),
        certain(Verb::Write),
        certain(Verb::Delete),
        certain(Verb::Change),
        certain(Verb::Contact),
        certain(Verb::Send),
        certain(Verb::Install),
        certain(Verb::Push),
    ],
    others: Others::Unknown,
    rules: &[Rule::Own(r#"{"minProperties": 1, "maxProperties": 1}"#)],
};

const SET_PATTERNS: &str = r##"{"type": ["object", "null"], "propertyNames": {"$ref": "#/$defs/set_name"}, "additionalProperties": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"$ref": "#/$defs/declared_set"}]}}"##;
const TOOL_INPUTS: &str = r#"{"type": ["object", "null"], "propertyNames": {"minLength": 1}, "additionalProperties": {"anyOf": [{"const": "unknown"}, {"type": "object", "propertyNames": {"minLength": 1}, "additionalProperties": {"type": "string", "minLength": 1}}]}}"#;

const PROGRAM_TABLES: &str = r##"{"type": ["object", "null"], "propertyNames": {"pattern": "^[^/\\s]+$"}, "additionalProperties": {"$ref": "#/$defs/declared_program"}}"##;

/// `sets`
pub(super) const SETS: Key = key(
    "sets",
    Type::Own(SET_PATTERNS),
    "Named sets of patterns for predicates about effects: `@name`. They are valid in this file.",
);
/// `programs`
pub(super) const PROGRAMS: Key = key(
    "programs",
    Type::Own(PROGRAM_TABLES),
    "What programs do with their arguments, in addition to the programs that hookc knows; see docs/programs.md.",
);
/// `tools`
pub(super) const TOOLS: Key = key(
    "tools",
    Type::Own(TOOL_INPUTS),
    "What tools do: roles by input, or `unknown`, for globs of tool names. They are valid in this file.",
);
/// `project`
pub(super) const PROJECT: Key = key(
    "project",
    Type::Own(r#"{"type": ["string", "null"], "minLength": 1}"#),
    "The directory to which relative patterns of paths refer, in place of the one that the event names.",
);

/// The name of a set, without `@`.
pub(crate) const SET_NAME: &str = r#"{"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_-]*$"}"#;

/// A program, or a subcommand. Its keys are those of the rows of programs.
pub const PROGRAM: &str = r##"{"type": "object", "properties": {"names": {"type": "string"}, "also": {"type": "string"}, "options": {"type": "string"}, "operands": {"type": "string"}, "after": {"type": "string"}, "hosts": {"type": "string"}, "implied": {"type": "string"}, "stdin": {"type": "string"}, "outputs": {"type": "string"}, "pairs": {"type": "string"}, "fields": {"type": "string"}, "signs": {"type": "string"}, "narrow": {"type": "string"}, "groups": {"type": "string"}, "same_group": {"type": "string"}, "verbs": {"type": "string"}, "rest": {"type": "string"}, "hidden": {"type": "string"}, "shows": {"type": "string"}, "complete": {"type": "string"}, "others": {"type": "string"}, "extensible": {"type": "boolean"}, "addresses": {"type": "string"}, "strip": {"type": "string"}, "prints": {"type": "string"}, "numbers": {"type": "string"}, "endings": {"type": "string"}, "finds": {"type": "boolean"}, "reads_lines": {"type": "boolean"}, "starts_bins": {"type": "boolean"}, "starts_programs": {"type": "boolean"}, "bin": {"type": "boolean"}, "versions": {"type": "boolean"}, "stops": {"type": "boolean"}, "plain": {"type": "boolean"}, "executes": {"type": "boolean"}, "follows": {"type": "boolean"}, "tree": {"type": "boolean"}, "silent": {"type": "boolean"}, "pathspecs": {"type": "boolean"}, "dry": {"type": "boolean"}, "long_dash": {"type": "boolean"}, "bundle_first": {"type": "boolean"}, "exact": {"type": "boolean"}, "gnu": {"type": "boolean"}, "elsewhere": {"type": "boolean"}, "shell": {"type": "boolean"}, "interpreter": {"type": "boolean"}, "passes_input": {"type": "boolean"}, "takes_input": {"type": "string"}, "starts": {"type": "boolean"}, "fills": {"type": "boolean"}, "copies": {"type": "boolean"}, "aliases": {"type": "boolean"}, "assigns": {"type": "boolean"}, "variables": {"type": "string"}, "settings": {"type": "string"}, "placeholders": {"type": "string"}, "setup": {"type": "string"}, "one_is_line": {"type": "boolean"}, "appends": {"type": "boolean"}, "option_code": {"type": "string"}, "default_shell": {"type": "boolean"}, "added_code": {"type": "boolean"}, "status": {"type": "string"}, "checks": {"type": "string"}, "reports": {"type": "boolean"}, "escapes": {"type": ["string", "array"], "items": {"type": "string"}}, "source": {"type": ["string", "array"], "items": {"type": "string"}}, "if": {"anyOf": [{"$ref": "#/$defs/program_condition"}, {"type": "array", "items": {"$ref": "#/$defs/program_condition"}}]}}, "additionalProperties": {"$ref": "#/$defs/declared_program"}}"##;

/// What is different for some commands of a program.
pub const PROGRAM_CONDITION: &str = r#"{"type": "object", "properties": {"flag": {"type": "string"}, "unless": {"type": "string"}, "words": {"type": "string"}, "first": {"type": "string"}, "operands": {"type": "string"}, "two": {"type": "string"}, "options": {"type": "string"}, "implied": {"type": "string"}, "outputs": {"type": "string"}, "hosts": {"type": "string"}, "hidden": {"type": "string"}, "expr": {"type": "string"}, "expr_not": {"type": "string"}, "stdin": {"type": "string"}, "numbers": {"type": "string"}, "prints": {"type": "string"}, "nothing": {"type": "boolean"}, "dry": {"type": "boolean"}, "silent": {"type": "boolean"}, "tree": {"type": "boolean"}, "links": {"type": "boolean"}, "plain": {"type": "boolean"}, "executes": {"type": "boolean"}, "status": {"type": "string"}, "reports": {"type": "boolean"}}, "additionalProperties": false}"#;

/// A set with exceptions.
pub static SET: Object = Object {
    name: "declared_set",
    what: "a set",
    keys: &[
        key("of", PATTERNS, "Its patterns.").needed("write `of:` with a list of patterns"),
        key("except", PATTERNS, "What it does not contain."),
    ],
    others: Others::Unknown,
    rules: &[],
};
