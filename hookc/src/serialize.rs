//! Decisions and diagnostics as data for programs (feature `serde`).

use std::error::Error;

use hookc_base::{Family, Layer, OnError, OnFailure};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::{Decision, MatchedHook, with_causes};

impl Serialize for Decision {
    /// The form of [`Decision::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("event", self.event_type())?;
        out.serialize_entry("decision", self.hooks())?;
        if !self.reported().is_empty() {
            out.serialize_entry("reported", self.reported())?;
        }
        optional(&mut out, "family", self.family().map(Family::name))?;
        out.serialize_entry("strategy", self.strategy().name())?;
        out.end()
    }
}

impl Serialize for MatchedHook {
    /// A hook of [`Decision::to_json`]: an action that cannot be rendered has only its `type`, and `action_error`
    /// says why.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let location = |at: &crate::Location| format!("{}:{}:{}", at.file, at.line, at.column);
        let mut out = serializer.serialize_map(None)?;
        optional(&mut out, "hook", self.label())?;
        if self.label().is_none() {
            out.serialize_entry("rank", &self.rank())?;
        }
        optional(&mut out, "source", self.location().map(location))?;
        out.serialize_entry("mode", self.mode().name())?;
        match self.to_value() {
            Ok(action) => out.serialize_entry("action", &action)?,
            Err(error) => {
                out.serialize_entry("action", &json!({"type": self.kind()}))?;
                out.serialize_entry("action_error", &with_causes(error.source().unwrap_or(&error)))?;
            }
        }
        optional(&mut out, "on_error", self.on_error().map(OnError::name))?;
        optional(&mut out, "on_failure", self.on_failure().map(OnFailure::name))?;
        if self.label().is_some() {
            out.serialize_entry("rank", &self.rank())?;
        }
        optional(&mut out, "layer", self.layer().map(Layer::name))?;
        out.end()
    }
}

/// A member, if there is a value.
fn optional<M: SerializeMap>(out: &mut M, name: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| out.serialize_entry(name, &value))
}

#[cfg(feature = "compiler")]
impl Serialize for crate::Diagnostics {
    /// A list of what `hookc check --format json` writes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let read = |line| serde_json::from_str::<serde_json::Value>(line).map_err(serde::ser::Error::custom);
        let all = self.to_json_lines().lines().map(read).collect::<Result<Vec<_>, _>>()?;
        serializer.collect_seq(all)
    }
}
