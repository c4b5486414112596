//! Why an action could not be rendered.

use std::error::Error;
use std::fmt;

use crate::code::error_codes;
use crate::event::EventError;
use crate::module::{Module, row};
use crate::stop::StopReason;

/// A failure of the action, not of the evaluation: the decision remains valid, and the hook's
/// `on_error` applies.
///
/// ```
/// use hookc_vm::{DecideOptions, Limits, Module, RenderError, Scratch};
///
/// let mut limits = Limits::default();
/// limits.rendered_bytes = 10;
/// let module = Module::load_with(include_bytes!("../../examples/policy.hookc"), limits)?;
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let mut scratch = Scratch::new();
/// let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
/// let rendered = decision.hooks().next().map(|hook| hook.render(&mut String::new()));
/// let error = rendered.and_then(Result::err);
/// assert_eq!(error, Some(RenderError::TooLarge(10)));
/// assert_eq!(error.map(|error| error.code()), Some("action_too_large"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// More bytes than this limit.
    TooLarge(usize),
    /// The event has more values than this limit on the paths that its templates read.
    Values(usize),
    /// The queries of its templates took more steps than this limit.
    QuerySteps(usize),
    /// A pattern of the module could not be built, or not within its limit.
    Pattern(String),
    /// A value of a parsed event exceeds a limit.
    Event(EventError),
    /// A rendered parameter is invalid.
    Param {
        /// The parameter.
        name: String,
        /// The expected type, as text.
        expected: String,
        /// The type of the value, which is of the event: a log must not get the value itself.
        found: &'static str,
    },
}

error_codes! { RenderError through Event {
    TooLarge => "action_too_large" "the action has more bytes than the limit",
    Values => "values" "the event has too many values on the paths that the templates read",
    QuerySteps => "query_steps" "the queries of the templates need too many steps for the event",
    Pattern => "pattern" "a pattern of the policy cannot be built within its limit",
    Param => "parameter" "a parameter of the action is invalid",
} }

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the rendered action has more than {limit} bytes"),
            Self::Values(limit) => {
                write!(f, "the event has more than {limit} values on the paths that the templates read")
            }
            Self::QuerySteps(limit) => {
                write!(f, "the queries of the templates need more than {limit} steps for this event")
            }
            Self::Pattern(pattern) => write!(f, "the pattern `{pattern}` cannot be built"),
            Self::Event(error) => error.fmt(f),
            Self::Param { name, expected, found } => {
                write!(f, "parameter `{name}` must be {expected}, found {found}")
            }
        }
    }
}

impl Error for RenderError {}

impl From<EventError> for RenderError {
    fn from(error: EventError) -> Self {
        Self::Event(error)
    }
}

impl RenderError {
    pub(super) fn of_query(stop: StopReason, module: &Module) -> Self {
        match stop {
            StopReason::Pattern { index, .. } => {
                let tables = module.tables_in_place();
                let pattern = row(tables.patterns, index).map_or("", |row| tables.str(row.text.get()));
                Self::Pattern(pattern.to_owned())
            }
            StopReason::Values => Self::Values(module.limits().event_values),
            // Of these, only the first stops the queries of a template.
            StopReason::Queries
            | StopReason::Steps
            | StopReason::Depth
            | StopReason::Feeds
            | StopReason::Unknown(_)
            | StopReason::Unverified => Self::QuerySteps(module.limits().query_steps),
        }
    }
}

/// The type of a rendered value.
pub(super) fn type_of(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}
