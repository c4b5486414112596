//! Why a call of a binding failed.

use std::fmt::Write;

use hookc::{DecideError, LoadError, Location, SnapshotError, with_causes};
use serde_json::json;

/// The kind of a failure. Its number is the same in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[non_exhaustive]
pub enum Status {
    /// An argument is null, not UTF-8, out of range or has an unknown name.
    Argument = 1,
    /// A handle is not one of this kind.
    Handle = 2,
    /// There is not enough memory.
    Memory = 3,
    /// The bytes are not a module that this version can load.
    Module = 4,
    /// Nothing can be decided about the event.
    Event = 5,
    /// The policy has errors.
    Policy = 6,
    /// A fault of hookc itself.
    Internal = 7,
    /// The bytes are not a snapshot of a session.
    Snapshot = 8,
}

impl Status {
    /// Its name, which is the `kind` of an error. It is also the `code` of an error that no table of hookc
    /// has a code for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Handle => "handle",
            Self::Memory => "memory",
            Self::Module => "module",
            Self::Event => "event",
            Self::Policy => "policy",
            Self::Internal => "internal",
            Self::Snapshot => "snapshot",
        }
    }
}

/// A failure: what every binding gives as an error or an exception.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// Its kind.
    pub status: Status,
    /// Its short name, for programs: of an event [`DecideError::code`], of a module [`LoadError::code`], of
    /// a policy the code of the first error, otherwise the name of its kind.
    pub code: &'static str,
    /// The problem in one line.
    pub message: String,
    /// Where it is, in a policy or an event, if it is in a text.
    pub location: Option<Box<Location>>,
    /// As the command line shows it; of a policy with the lines of its text.
    pub rendered: String,
    /// The diagnostics of a policy: a JSON array. Of anything else `[]`.
    pub diagnostics: String,
}

impl Failure {
    /// A failure that is in no text.
    #[must_use]
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Self::with_code(status, status.name(), message.into())
    }

    fn with_code(status: Status, code: &'static str, message: String) -> Self {
        let rendered = message.clone();
        Self { status, code, message, location: None, rendered, diagnostics: "[]".to_owned() }
    }

    /// An argument that cannot be used.
    #[must_use]
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Status::Argument, message)
    }

    /// Why bytes are not a module.
    #[must_use]
    pub fn module(error: &LoadError) -> Self {
        Self::with_code(Status::Module, error.code(), with_causes(error))
    }

    /// Why nothing can be decided about an event.
    #[must_use]
    pub fn event(error: &DecideError, event: &[u8]) -> Self {
        let offset = if let DecideError::Event(error) = error { error.offset() } else { None };
        let mut failure = Self::with_code(Status::Event, error.code(), with_causes(error));
        failure.location = offset.map(|offset| Box::new(location(event, offset)));
        failure
    }

    /// Why bytes are not a snapshot of a session.
    #[must_use]
    pub fn snapshot(error: &SnapshotError) -> Self {
        Self::new(Status::Snapshot, error.to_string())
    }

    /// Why sources are not a policy.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn policy(diagnostics: &hookc::Diagnostics) -> Self {
        let first = diagnostics.first_error();
        let mut failure = match first {
            Some(first) => Self::with_code(Status::Policy, diagnostics.code(), first.message.clone()),
            None => Self::new(Status::Internal, with_causes(diagnostics)),
        };
        failure.location = first
            .and_then(|first| diagnostics.location(first))
            .map(|(file, line, column)| Box::new(Location::new(file, line, column)));
        failure.rendered = diagnostics.to_string();
        failure.diagnostics = crate::diagnostics_json(diagnostics);
        failure
    }

    /// `{"kind", "code", "message", "location", "rendered", "diagnostics"}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = |text: &str| json!(text).to_string();
        let location = self
            .location
            .as_ref()
            .map(|location| json!({"file": location.file, "line": location.line, "column": location.column}));
        let (kind, code) = (text(self.status.name()), text(self.code));
        let mut out = format!("{{\"kind\":{kind},\"code\":{code},\"message\":{}", text(&self.message));
        let _ = write!(out, ",\"location\":{}", json!(location));
        let _ = write!(out, ",\"rendered\":{},\"diagnostics\":{}}}", text(&self.rendered), self.diagnostics);
        out
    }
}

/// The line and the column (from 1, in characters) of an offset. Bytes that are not UTF-8 count as
/// one character for each invalid sequence.
fn location(event: &[u8], offset: usize) -> Location {
    let before = event.get(..offset).unwrap_or(event);
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
    Location::new("event", number(line), number(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_has_a_line_and_a_column() {
        let at = |text: &str, offset| {
            let Location { line, column, .. } = location(text.as_bytes(), offset);
            (line, column)
        };
        assert_eq!(at("{}", 0), (1, 1));
        assert_eq!(at("{\n \"é\" x", 8), (2, 6));
        assert_eq!(at("{", 9), (1, 2));
    }

    #[test]
    fn the_json_of_a_failure_is_json() {
        let failure = Failure::argument("a \"quoted\"\nname");
        let value: serde_json::Value = serde_json::from_str(&failure.to_json()).unwrap();
        assert_eq!((&value["kind"], &value["code"]), (&json!("argument"), &json!("argument")));
        assert_eq!(value["message"], "a \"quoted\"\nname");
        assert!(value["location"].is_null());
    }
}
