//! Every limit of the compiler beyond those of its sources, each with its reason.

/// Hooks of a compilation.
pub const HOOKS: usize = 1_000_000;
/// Bytes of conditions and actions that the hooks of a policy repeat for each event after the
/// first, in addition to [`EVENT_ALLOWANCE`]: what an event type reads is a list of its own in the module.
pub const EVENT_COPIES: usize = 8 << 20;
/// The allowance that a hook adds per byte of its own, so that a large policy can have many hooks
/// with several events each.
pub const EVENT_ALLOWANCE: usize = 16;
/// Schemas that the dynamic references of one schema can expand to: its subschemas in each of their
/// scopes.
pub const SCHEMA_NODES: usize = 1_000_000;
/// Tests of a condition that `explain` shows as a tree: more are unreadable, and groups shared by
/// conditions would multiply without bound.
pub const EXPLAINED_TESTS: usize = 2_000;
