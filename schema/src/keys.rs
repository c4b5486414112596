//! The keys of a hooks file by mapping, in canonical order. The front end, the formatter and the
//! published schema use this table.

/// The top level. `hooks` and `builtin_hooks` keep the order that they were
/// written in.
pub const FILE: &[&str] = &[
    "schema_version",
    "events",
    "operators",
    "combinators",
    "action_types",
    "event_context_schema",
    "return_schema",
    "builtin_hooks",
    "hooks",
];

/// A hook.
pub const HOOK: &[&str] = &[
    "id",
    "description",
    "event",
    "priority",
    "enabled",
    "mode",
    "condition",
    "when",
    "action",
    "on_error",
    "on_failure",
    "examples",
];

/// An example of a hook.
pub const EXAMPLE: &[&str] = &["event", "matches"];

/// A leaf of a condition.
pub const LEAF: &[&str] = &["path", "op", "value", "value_path", "ignore_case", "assert_format"];

/// A condition: a leaf's keys, then those of the combinators.
pub const CONDITION: &[&str] =
    &["path", "op", "value", "value_path", "ignore_case", "assert_format", "all", "any", "not"];
