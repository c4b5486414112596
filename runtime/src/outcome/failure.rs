//! Why an action could not be executed.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use hookc_base::OnFailure;
use hookc_base::action::Action;

use crate::event::EventError;
use crate::process::Status;
use crate::verdict::Verdict;

/// For an answer without usable content.
pub(crate) const UNREADABLE: &str = "its answer cannot be read";

/// Why an action could not be executed, and the consequence for the event.
///
/// ```
/// use hookc_runtime::ActionFailure;
///
/// let failure = ActionFailure::failed("the model is overloaded");
/// assert_eq!(failure.to_string(), "the model is overloaded");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActionFailure {
    /// Why.
    pub why: String,
    /// Like `why`, but without the text of handlers, hosts and events, if `why` may contain it.
    pub bare: Option<String>,
    /// Closed: as if it were denied. Open: as if no hook had matched.
    pub failure_mode: OnFailure,
    /// How the handler ended, if that is the reason.
    pub(crate) status: Option<String>,
    unsupported: bool,
    unknown: bool,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl ActionFailure {
    /// A host tried and failed. The reason may quote the event: the decision log contains it only
    /// with the payload. It fails closed unless the hook or the user declares otherwise.
    #[must_use]
    pub fn failed(why: impl Into<String>) -> Self {
        Self::closed(why).with_bare("the host failed")
    }

    /// The host does not support this.
    #[must_use]
    pub fn unsupported(action: &Action) -> Self {
        let why = format!("this host cannot execute `{}`", action.kind());
        Self { unsupported: true, ..Self::closed(why) }
    }

    /// With the error that caused it.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Whether the host does not support the action.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        self.unsupported
    }

    /// A failure that must not count as approval.
    pub(crate) fn closed(why: impl Into<String>) -> Self {
        let (why, failure_mode) = (why.into(), OnFailure::Closed);
        Self { why, bare: None, failure_mode, status: None, unsupported: false, unknown: false, source: None }
    }

    /// The condition of a hook is unknown, because the history is: no reason quotes an event.
    pub(crate) fn unknown(why: impl Into<String>) -> Self {
        Self { unknown: true, ..Self::closed(why) }
    }

    /// The event cannot be recorded: later hooks would take it for one that never was.
    pub(crate) fn unrecorded(why: &str) -> Self {
        Self::closed(format!("the event cannot be recorded: {why}"))
    }

    /// Whether the condition of the hook is unknown, because the history is.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// The verdict of `hooks` that failed so: closed denies, and open is a message for the user.
    pub(super) fn verdict(&self, hooks: &str) -> Verdict {
        let text = format!("{hooks} failed: {}", self.why);
        match self.failure_mode {
            OnFailure::Closed => Verdict::deny(text),
            OnFailure::Open => Verdict::message(text),
        }
    }

    /// A failure that agents ignore themselves.
    pub(crate) fn open(why: impl Into<String>) -> Self {
        Self::closed(why).in_mode(OnFailure::Open)
    }

    /// Closed if `closed`, otherwise open.
    pub(crate) fn closed_if(closed: bool, why: impl Into<String>) -> Self {
        Self::closed(why).in_mode(if closed { OnFailure::Closed } else { OnFailure::Open })
    }

    pub(crate) fn in_mode(self, failure_mode: OnFailure) -> Self {
        Self { failure_mode, ..self }
    }

    /// With the loggable form of a reason that quotes.
    pub(crate) fn with_bare(self, bare: impl Into<String>) -> Self {
        Self { bare: Some(bare.into()), ..self }
    }

    /// With how its handler ended.
    pub(crate) fn with_status(self, status: &Option<String>) -> Self {
        Self { status: status.clone(), ..self }
    }

    /// The failure of a handler that ended so.
    pub(crate) fn of_handler(self, status: Status) -> Self {
        let status = (!status.success()).then(|| status.to_string());
        let bare = status.clone().unwrap_or_else(|| UNREADABLE.to_owned());
        Self { status, ..self.with_bare(bare) }
    }
}

impl PartialEq for ActionFailure {
    fn eq(&self, other: &Self) -> bool {
        (&self.why, &self.bare, self.failure_mode) == (&other.why, &other.bare, other.failure_mode)
    }
}

impl fmt::Display for ActionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl Error for ActionFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn Error + 'static))
    }
}

impl From<EventError> for ActionFailure {
    fn from(error: EventError) -> Self {
        Self::failed(error.to_string()).with_source(error)
    }
}
