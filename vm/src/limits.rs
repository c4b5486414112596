//! Every limit of the VM, each with its reason. [`Limits`] lowers them.

/// Bytes of an event: a larger one is no event but a data set.
pub const EVENT_BYTES: usize = 16 << 20;
/// Nesting of an event, its root object being depth 1: bounds the scanner's stack.
pub const EVENT_DEPTH: usize = 128;
/// Magnitude of a written exponent: beyond it a number's text would be out of
/// proportion to its spelling (semantics §1).
pub const EXPONENT: u32 = 10_000;
/// Bytes of all that one action renders.
pub const RENDERED_BYTES: usize = 1 << 20;
/// Bytes of one compiled regular expression.
pub const REGEX_BYTES: usize = 1 << 20;
/// Bytes of a glob: with the text's length it bounds the time of a match.
pub const GLOB_BYTES: usize = 64 << 10;
/// Nesting of a glob's alternatives: more is no longer readable.
pub const GLOB_DEPTH: usize = 16;
/// Bytes of a module: offsets are 32 bits.
pub const MODULE_BYTES: usize = 1 << 30;
/// Nesting of conditions, constants and action values in a module: bounds the evaluator's stack.
pub const MODULE_DEPTH: usize = 256;
/// Steps of all schemas of one decision: a step is a keyword on a value, a
/// member or element that is looked at, or some text. A large event takes
/// some millions; the rest is for schemas that try many ways.
pub const SCHEMA_STEPS: usize = 1 << 26;
/// Schemas within one another while a value is looked at: bounds the
/// evaluator's stack. Four for each level of an event.
pub const SCHEMA_DEPTH: usize = 512;
/// Steps of all queries of one decision, and of one rendered action: a step is
/// a node or a selector that is looked at, a row of a filter, or some text.
/// Taking the largest event apart and looking at all of it takes fewer;
/// queries that look at everything below everything are what it stops.
pub const QUERY_STEPS: usize = 1 << 26;
/// Filter expressions within one another, those of queries within filters
/// included: bounds the evaluator's stack.
pub const QUERY_DEPTH: usize = 512;
/// Bytes of a compiled I-Regexp that a query finds in the event: whoever
/// writes the event chooses them, and each is built while it decides.
pub const EVENT_REGEX_BYTES: usize = 256 << 10;
/// Values, members and elements included, of what the queries of a decision take
/// apart, and of what its schemas do at one time: some 70 bytes each, so that a
/// decision takes less than four times the largest event.
pub const EVENT_VALUES: usize = 7 << 16;
/// Significant digits of a `multipleOf`: so many that the remainder of a
/// division stays within 128 bits.
pub const DIVISOR_DIGITS: usize = 37;

/// Bytes of a command line that is read: longer ones are programs, which nobody judges
/// by their commands.
pub const SHELL_BYTES: usize = 64 << 10;
/// Nesting of a command line's brackets, substitutions and compound commands: bounds
/// the reader's stack.
pub const SHELL_DEPTH: usize = 32;
/// Simple commands of a command line: bounds what conditions about them look at.
pub const SHELL_COMMANDS: usize = 1_024;
/// Words that the braces of one word expand to; more are one unknown word.
pub const SHELL_WORDS: usize = 64;

/// Indexes in one another: an index for the hooks that share a key of another
/// one. Enough for what narrows, and what keeps a search's stack small.
pub const INDEX_DEPTH: usize = 8;

/// What an embedder may lower; raising past the constants has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// See [`EVENT_BYTES`].
    pub event_bytes: usize,
    /// See [`EVENT_DEPTH`].
    pub event_depth: usize,
    /// See [`EVENT_VALUES`].
    pub event_values: usize,
    /// See [`RENDERED_BYTES`].
    pub rendered_bytes: usize,
    /// See [`REGEX_BYTES`].
    pub regex_bytes: usize,
    /// See [`QUERY_STEPS`].
    pub query_steps: usize,
    /// See [`SCHEMA_STEPS`].
    pub schema_steps: usize,
    /// See [`SCHEMA_DEPTH`].
    pub schema_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            event_bytes: EVENT_BYTES,
            event_depth: EVENT_DEPTH,
            event_values: EVENT_VALUES,
            rendered_bytes: RENDERED_BYTES,
            regex_bytes: REGEX_BYTES,
            query_steps: QUERY_STEPS,
            schema_steps: SCHEMA_STEPS,
            schema_depth: SCHEMA_DEPTH,
        }
    }
}

impl Limits {
    /// Each limit, or its constant where that is less.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self {
            event_bytes: self.event_bytes.min(EVENT_BYTES),
            event_depth: self.event_depth.min(EVENT_DEPTH),
            event_values: self.event_values.min(EVENT_VALUES),
            rendered_bytes: self.rendered_bytes.min(RENDERED_BYTES),
            regex_bytes: self.regex_bytes.min(REGEX_BYTES),
            query_steps: self.query_steps.min(QUERY_STEPS),
            schema_steps: self.schema_steps.min(SCHEMA_STEPS),
            schema_depth: self.schema_depth.min(SCHEMA_DEPTH),
        }
    }
}
