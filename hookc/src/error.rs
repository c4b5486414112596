//! The errors of this crate, each with its cause as `source()`.

use std::error::Error;
use std::fmt;
#[cfg(feature = "compiler")]
use std::io;
#[cfg(feature = "compiler")]
use std::path::PathBuf;

use hookc_base::action::ParseActionError;
use hookc_vm::RenderError;

#[cfg(feature = "compiler")]
use crate::Diagnostics;

/// Why files do not make a policy.
///
/// ```
/// use hookc::{Policy, PolicyError, with_causes};
///
/// let error = Policy::from_file("no/such/file.yaml").unwrap_err();
/// assert!(matches!(error, PolicyError::File { .. }));
/// // `Display` is the error alone; its cause is `source()`.
/// assert_eq!(error.to_string(), "cannot read no/such/file.yaml");
/// assert_eq!(error.code(), "file");
/// assert!(with_causes(&error).starts_with("cannot read no/such/file.yaml: "));
/// ```
#[cfg(feature = "compiler")]
#[derive(Debug)]
#[non_exhaustive]
pub enum PolicyError {
    /// A file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No file was named: a policy without hooks would let everything through.
    NoFiles,
    /// The policy has errors.
    Policy(Diagnostics),
}

#[cfg(feature = "compiler")]
impl PolicyError {
    /// A short name of the error, for programs: `file`, or the code of the first diagnostic that is an
    /// error, such as `E0406`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::File { .. } | Self::NoFiles => "file",
            Self::Policy(diagnostics) => diagnostics.code(),
        }
    }
}

#[cfg(feature = "compiler")]
impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, .. } => write!(f, "cannot read {}", path.display()),
            Self::NoFiles => f.write_str("no file of a policy was named"),
            Self::Policy(diagnostics) => diagnostics.fmt(f),
        }
    }
}

#[cfg(feature = "compiler")]
impl Error for PolicyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            // The text of diagnostics is this error's own.
            Self::Policy(_) | Self::NoFiles => None,
        }
    }
}

#[cfg(feature = "compiler")]
impl From<Diagnostics> for PolicyError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Policy(diagnostics)
    }
}

/// Why the action of a matched hook is not available. The decision is valid all the
/// same: the hook's [`on_error`](crate::MatchedHook::on_error) and
/// [`on_failure`](crate::MatchedHook::on_failure) say what its policy wants now.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// The templates of the action cannot be filled in from this event.
    Render(RenderError),
    /// The action is not one of its kind.
    Parse(std::sync::Arc<ParseActionError>),
    /// The action does not have the shape of your type.
    #[cfg(feature = "serde")]
    Deserialize(std::sync::Arc<serde_json::Error>),
}

impl ActionError {
    /// The codes of this error next to those of [`RenderError`], each with its meaning.
    pub const CODES: &'static [(&'static str, &'static str)] = &[
        ("not_an_action", "the action is not one of its kind"),
        ("shape", "the action does not have the shape of your type (Rust)"),
    ];

    /// A short name of the error, for programs: the same in every binding and in every version.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use hookc::{ActionError, Engine, Policy};
    ///
    /// let hooks = "hooks: [{event: error, action: {type: retry, max_attempts: '${n}'}}]";
    /// let engine = Engine::new(Policy::from_yaml(hooks)?);
    /// let decision = engine.decide(r#"{"event": {"type": "error"}, "n": "many"}"#)?;
    /// let code = decision.hooks()[0].to_json().map_err(|error| error.code());
    /// assert_eq!(code, Err("parameter"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Render(error) => error.code(),
            Self::Parse(_) => "not_an_action",
            #[cfg(feature = "serde")]
            Self::Deserialize(_) => "shape",
        }
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Render(_) => "the action cannot be rendered",
            Self::Parse(_) => "the rendered action is not valid",
            #[cfg(feature = "serde")]
            Self::Deserialize(_) => "the action does not have the shape of the type",
        })
    }
}

impl Error for ActionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Render(error) => Some(error),
            Self::Parse(error) => Some(&**error),
            #[cfg(feature = "serde")]
            Self::Deserialize(error) => Some(&**error),
        }
    }
}
