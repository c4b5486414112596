//! Why an action cannot be read.

use std::error::Error;
use std::fmt;

/// Why JSON is not an action. The error names members and types but quotes no value, because
/// substituted templates may contain secrets.
#[derive(Debug)]
#[non_exhaustive]
pub enum ParseActionError {
    /// It is not JSON.
    Json(serde_json::Error),
    /// It is not an object.
    NotAnObject,
    /// `type` is missing or is not a string.
    NoType,
    /// A parameter that the kind needs is missing.
    Missing {
        /// The kind.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter has the wrong type.
    Type {
        /// The kind.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The expected type, as text for people.
        expected: &'static str,
    },
}

impl fmt::Display for ParseActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(_) => f.write_str("the action is not JSON"),
            Self::NotAnObject => f.write_str("the action is not an object"),
            Self::NoType => f.write_str("the action has no `type`"),
            Self::Missing { kind, parameter } => write!(f, "`{kind}` needs the parameter `{parameter}`"),
            Self::Type { kind, parameter, expected } => {
                write!(f, "parameter `{parameter}` of `{kind}` must be {expected}")
            }
        }
    }
}

impl Error for ParseActionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            _ => None,
        }
    }
}
