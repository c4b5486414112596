//! Every limit of the compiler, each with its reason (semantics §11).

/// Bytes of a source: offsets are 32 bits, and no one writes more.
pub const SOURCE_BYTES: usize = 256 << 20;
/// Nesting of a source's values and conditions: bounds the recursion of every stage.
pub const NESTING: usize = 128;
/// Nodes that aliases and merge keys may add: refuses exponential expansion.
pub const ALIAS_NODES: usize = 1_000_000;
/// Hooks of a compilation.
pub const HOOKS: usize = 1_000_000;
/// Bytes of one `when` expression, path or template.
pub const EXPRESSION_BYTES: usize = 64 << 10;
/// `<` and `=` of an XML source, each: the reader reserves memory by their number.
pub const XML_MARKUP: usize = 16 << 20;
/// Attributes of one XML element: they are compared pair by pair.
pub const XML_ATTRIBUTES: usize = 256;
/// Namespace declarations of an XML source: each is copied to the elements within.
pub const XML_NAMESPACES: usize = 256;
/// Notation errors told of one XML source: after so many it is not XML at all.
pub const XML_PROBLEMS: usize = 50;
/// Names that did-you-mean compares in one source: a file that misspells and
/// declares names by the hundred thousand still compiles in linear time.
pub const SUGGESTIONS: usize = 4_000_000;
/// Bytes of what groups of a settings file say (matchers, conditions, examples)
/// that their handlers beyond the first repeat: each has a copy.
pub const GROUP_COPIES: usize = 8 << 20;
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
/// Magnitude of a written exponent: the VM's limit, which events meet too.
pub const EXPONENT: u32 = hookc_vm::limits::EXPONENT;
/// Programs of one `argv` that start one another (`env timeout 5 sh ...`): each is
/// looked at with all that is behind it. Templates further in are rejected.
pub const PROGRAMS_IN_ONE_ANOTHER: usize = 32;
/// Tests of a condition that `explain` shows as a tree: nobody reads more, and
/// groups that conditions share would multiply without a bound.
pub const EXPLAINED: usize = 2_000;
