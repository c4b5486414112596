//! Every limit of the VM, each with its reason. [`Limits`] lowers them.

/// Bytes of an event: a larger one is a data set rather than an event.
pub const EVENT_BYTES: usize = 16 << 20;
/// Nesting of an event, its root object being depth 1: bounds the scanner's stack.
pub const EVENT_DEPTH: usize = 128;
/// Bytes of an event from which on tokens must be rare to be kept: less than one in [`DENSE_TOKEN`]
/// bytes. They take nine bytes each, and an event must not take more than a small multiple of its
/// size. For the same reason what the tokens of such an event took is freed when it has been read.
pub const DENSE_BYTES: usize = 128 << 10;
/// See [`DENSE_BYTES`].
pub const DENSE_TOKEN: usize = 6;
/// Magnitude of a written exponent: beyond it the text of a number would be out of proportion to
/// its spelling.
pub const EXPONENT: u32 = hookc_base::number::EXPONENT;
/// Bytes of all that one action renders.
pub const RENDERED_BYTES: usize = 1 << 20;
/// Bytes of one compiled regular expression.
pub const REGEX_BYTES: usize = 1 << 20;
/// Bytes of a glob: with the text's length it bounds the time of a match.
pub const GLOB_BYTES: usize = 64 << 10;
/// Nesting of a glob's alternatives: deeper ones are unreadable.
pub const GLOB_DEPTH: usize = 16;
/// Bytes of a module: offsets are 32 bits.
pub const MODULE_BYTES: usize = 1 << 30;
/// Nesting of conditions, constants and action values in a module: bounds the evaluator's stack.
pub const MODULE_DEPTH: usize = 256;
/// Steps of all schemas of one decision: a step is a keyword on a value, a visited member or
/// element, or some text. A large event needs some millions; the rest is for schemas with many
/// alternatives.
pub const SCHEMA_STEPS: usize = 1 << 26;
/// Nesting of schemas during validation: bounds the evaluator's stack. Four for each level of an
/// event.
pub const SCHEMA_DEPTH: usize = 512;
/// Steps of all queries of one decision, and of one rendered action: a step is a visited node or
/// selector, a row of a filter, or some text. Parsing the largest event and visiting all of it
/// needs fewer; the limit stops queries that visit every descendant of every descendant.
pub const QUERY_STEPS: usize = 1 << 26;
/// Filter expressions within one another, those of queries within filters
/// included: bounds the evaluator's stack.
pub const QUERY_DEPTH: usize = 512;
/// Bytes of a compiled I-Regexp from the event: the author of the event chooses them, and each is
/// compiled during the decision.
pub const EVENT_REGEX_BYTES: usize = 256 << 10;
/// Values, including members and elements, that the queries of a decision parse, and that its
/// schemas parse at one time: about 70 bytes each, so a decision needs less than four times the
/// size of the largest event.
pub const EVENT_VALUES: usize = 7 << 16;
/// Significant digits of a `multipleOf`: so many that the remainder of a
/// division stays within 128 bits.
pub use hookc_base::number::DIVISOR_DIGITS;

/// Bytes from which on a string with escapes is decoded when it is read, instead of once: shorter
/// ones take little memory, however often an event has their text.
pub const LATE_BYTES: usize = 64 << 10;

/// Bytes of the path of a file, and of the working directory: a longer one leads nowhere. No system has paths of more
/// than 32,767 characters.
pub const FILE_PATH_BYTES: usize = 1 << 15;
/// Views of one event type: bounds the time of a decision. A policy has a few places of command lines and
/// of paths, each at the root and in `event`.
pub const EVENT_VIEWS: usize = 16;

/// Bytes of the predicates about effects of a module, and of the roles of inputs: each is compiled when a module
/// loads, and a pattern can have many alternatives.
pub const EFFECT_BYTES: usize = 4 << 20;

/// Nesting of conditions about past events: each level reads the history before the event of the level above.
pub const HISTORY_DEPTH: u8 = 4;
/// Values of a tie, or of a tuple whose different values are counted.
pub const HISTORY_TIE_PATHS: usize = 4;
/// Values that a monitor keeps of an event.
pub const HISTORY_VALUES: usize = hookc_history::limits::VALUES;
/// Nodes that the queries of a tie give for an event, and combinations of values: more of them can be any.
pub const HISTORY_NODES: usize = hookc_history::limits::EVENT_KEYS;
/// Milliseconds of the longest window: the store keeps no more.
pub const HISTORY_WINDOW: u32 = 30 * 24 * 60 * 60 * 1_000;
/// Monitors that one event adds to: bounds the size of a record.
pub const HISTORY_FEEDS: usize = 4_096;

/// Nesting of indexes: an index for the hooks that share a key of another index. Enough to narrow
/// the search, and small enough for its stack.
pub const INDEX_DEPTH: usize = 8;

/// Rows and positions are stored as 32 bits: within the limits, each of them fits.
const _: () = assert!(MODULE_BYTES < u32::MAX as usize);
const _: () = assert!(EVENT_BYTES < u32::MAX as usize);

/// The limits that an embedder can lower. Values above the constants have no effect.
///
/// ```
/// use hookc_vm::{DecideError, DecideOptions, EventError, Limits, Module, Scratch};
///
/// let mut limits = Limits::default();
/// limits.event_bytes = 1000;
/// let module = Module::load_with(include_bytes!("../examples/policy.hookc"), limits)?;
/// let event = format!(r#"{{"event_type": "Stop", "text": "{}"}}"#, "a".repeat(1000));
/// let error = module.decide(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).unwrap_err();
/// assert_eq!(error, DecideError::Event(EventError::TooLarge(1000)));
/// # Ok::<(), hookc_vm::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// See [`EVENT_BYTES`].
    pub event_bytes: usize,
    /// See [`EVENT_DEPTH`].
    pub event_depth: usize,
    /// See [`EVENT_VALUES`].
    pub event_values: usize,
    /// See [`LATE_BYTES`].
    pub late_bytes: usize,
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
            late_bytes: LATE_BYTES,
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
            late_bytes: self.late_bytes.min(LATE_BYTES),
            rendered_bytes: self.rendered_bytes.min(RENDERED_BYTES),
            regex_bytes: self.regex_bytes.min(REGEX_BYTES),
            query_steps: self.query_steps.min(QUERY_STEPS),
            schema_steps: self.schema_steps.min(SCHEMA_STEPS),
            schema_depth: self.schema_depth.min(SCHEMA_DEPTH),
        }
    }
}
