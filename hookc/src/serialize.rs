//! Decisions and diagnostics as data for programs (feature `serde`).

use std::error::Error;

use hookc_base::decision::{Detail, HookFields};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{Decision, MatchedHook};

impl Serialize for Decision {
    /// The members of [`Decision::to_json`], in their order.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.write(|hook, writer| hook.with_fields(|fields| writer.hook(fields))), serializer)
    }
}

impl Serialize for MatchedHook {
    /// A hook of [`Decision::to_json`]: an action that cannot be rendered has only its `type`, and `action_error`
    /// says why.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        self.with_fields(|fields| fields.push(Detail::Full, &mut text));
        serialize(&text, serializer)
    }
}

impl MatchedHook {
    /// Calls `add` with its members; an action that is no value is an error: one with the number `1e999`, or one that is
    /// too deep to be read inside a decision.
    fn with_fields(&self, add: impl FnOnce(&HookFields<'_>)) {
        let action = match self.to_json() {
            Ok(action) => action,
            Err(error) => return add(&self.fields(Err(error.source().unwrap_or(&error)))),
        };
        // As deep as `{"decision":[{"action": ..}]}`.
        match serde_json::from_str::<Value>(&format!("[[[{action}]]]")) {
            Ok(_) => add(&self.fields(Ok(action))),
            Err(error) => add(&self.fields(Err(&error))),
        }
    }
}

/// Serializes a JSON text, so that one writer has the list of members.
fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<Value>(text).map_err(S::Error::custom)?.serialize(serializer)
}

#[cfg(feature = "compiler")]
impl Serialize for crate::Diagnostics {
    /// A list of what `hookc check --format json` writes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let read = |line| serde_json::from_str::<Value>(line).map_err(S::Error::custom);
        let all = self.to_json_lines().lines().map(read).collect::<Result<Vec<_>, _>>()?;
        serializer.collect_seq(all)
    }
}
