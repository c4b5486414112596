//! Decisions and diagnostics as data for programs (feature `serde`).

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::{Decision, MatchedHook};

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Decision", 5)?;
        out.serialize_field("event", self.event_type())?;
        out.serialize_field("family", &self.family().map(hookc_base::Family::name))?;
        out.serialize_field("strategy", self.strategy().name())?;
        out.serialize_field("hooks", self.hooks())?;
        out.serialize_field("reported", self.reported())?;
        out.end()
    }
}

impl Serialize for MatchedHook {
    /// An action that cannot be rendered is `null`, and `error` says why.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let action = self.to_value();
        let mut out = serializer.serialize_struct("MatchedHook", 9)?;
        out.serialize_field("id", self.id())?;
        out.serialize_field("rank", &self.rank())?;
        out.serialize_field("mode", self.mode().name())?;
        out.serialize_field("layer", &self.layer().map(hookc_base::Layer::name))?;
        out.serialize_field("location", &self.location())?;
        out.serialize_field("on_error", &self.on_error().map(hookc_base::OnError::name))?;
        out.serialize_field("on_failure", &self.on_failure().map(hookc_base::OnFailure::name))?;
        out.serialize_field("action", &action.as_ref().ok())?;
        out.serialize_field("error", &action.as_ref().err().map(|error| crate::with_causes(error)))?;
        out.end()
    }
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
