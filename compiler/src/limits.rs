//! Every limit of the compiler beyond those of its sources, each with its
//! reason (semantics §11).

/// Hooks of a compilation.
pub const HOOKS: usize = 1_000_000;
/// Bytes of conditions and actions that the hooks of a policy repeat at each event
/// beyond the first that they name, beside [`EVENT_SHARE`]: each event has its own
/// reading of them.
pub const EVENT_COPIES: usize = 8 << 20;
/// What a hook may add to that for each of its own bytes, so that a large policy may
/// have many hooks with several events each.
pub const EVENT_SHARE: usize = 16;
/// Schemas that the dynamic references of one schema may make of it: its
/// subschemas, each by the scopes in which it is come to.
pub const SCHEMA_NODES: usize = 1_000_000;
/// Programs of one `argv` that start one another (`env timeout 5 sh ...`): each is
/// looked at with all that is behind it. Templates further in are rejected.
pub const PROGRAMS_IN_ONE_ANOTHER: usize = 32;
/// Tests of a condition that `explain` shows as a tree: nobody reads more, and
/// groups that conditions share would multiply without a bound.
pub const EXPLAINED: usize = 2_000;
