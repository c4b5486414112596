//! Every limit of the readers, each with its reason.

/// Bytes of a source: offsets are 32 bits, and nobody writes larger files.
pub const SOURCE_BYTES: usize = 256 << 20;
/// Nesting of a source's values and conditions: bounds the recursion of every stage.
pub const NESTING: usize = 128;
/// Nodes that aliases and merge keys may add to a source of any size: rejects exponential expansion.
pub const ALIAS_NODES: usize = 1_000_000;
/// Nodes that they may add to a small source: each takes up to 300 bytes in later stages. Real files add some 100.
pub const ALIAS_NODES_AT_LEAST: usize = 10_000;
/// Nodes that they may add for each byte of a larger source, so that time and memory follow its size. Real files add less
/// than 0.1.
pub const ALIAS_NODES_PER_BYTE: usize = 2;
/// Bytes of one `when` expression, path or template.
pub const EXPRESSION_BYTES: usize = 64 << 10;
/// `<` and `=` of an XML source, each: the reader reserves memory by their number.
pub const XML_MARKUP: usize = 16 << 20;
/// Attributes of one XML element: they are compared pair by pair.
pub const XML_ATTRIBUTES: usize = 256;
/// Namespace declarations of an XML source: each is copied to the elements within.
pub const XML_NAMESPACES: usize = 256;
/// Notation errors reported of one XML source: after so many it is not XML at all.
pub const XML_PROBLEMS: usize = 50;
/// Names that did-you-mean compares in one source: a file that misspells and declares hundreds of
/// thousands of names still compiles in linear time.
pub const SUGGESTIONS: usize = 4_000_000;
/// Bytes of group properties of a settings file (descriptions, examples) that are repeated for
/// handlers beyond the first, because each handler has a copy. Conditions are shared.
pub const GROUP_COPIES: usize = 8 << 20;
/// Magnitude of a written exponent: the VM's limit, which events meet too.
pub const EXPONENT: u32 = hookc_vm::limits::EXPONENT;
/// Days of a window of history: the store keeps no event longer.
pub const HISTORY_DAYS: u64 = 30;
/// How far back `last` counts: the state keeps so many values.
pub const HISTORY_LAST: u64 = 16;
