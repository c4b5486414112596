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
        let mut actions = Vec::new();
        let text = self.write(|hook, cause, writer| {
            actions.push(hook.with_fields(cause, |fields| writer.hook(fields)));
        });
        let mut value: Value = serde_json::from_str(&text).map_err(S::Error::custom)?;
        let mut actions = actions.into_iter();
        for list in ["decision", "reported", "unknown"] {
            let hooks = value.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
            hooks.zip(&mut actions).for_each(|(hook, action)| set_action(hook, action));
        }
        value.serialize(serializer)
    }
}

impl Serialize for MatchedHook {
    /// A hook of [`Decision::to_json`]: an action that cannot be rendered has only its `type`, and `action_error`
    /// says why.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        let action = self.with_fields(None, |fields| fields.push(Detail::Full, &mut text));
        let mut value = serde_json::from_str(&text).map_err(S::Error::custom)?;
        set_action(&mut value, action);
        value.serialize(serializer)
    }
}

impl MatchedHook {
    /// Calls `add` with its members, of which `action` is `null`, and returns the action. An action that is not a value
    /// (such as one with the number `1e999`, or one that is nested too deep) is an error of this hook.
    fn with_fields(&self, cause: Option<&str>, add: impl FnOnce(&HookFields<'_>)) -> Option<Value> {
        match self.to_value() {
            Ok(action) => {
                add(&self.fields(Ok("null"), cause));
                Some(action)
            }
            Err(error) => {
                add(&self.fields(Err(error.source().unwrap_or(&error)), cause));
                None
            }
        }
    }
}

/// Sets the action of a hook, which is parsed alone: within a decision it is nested deeper than a parser may read.
fn set_action(hook: &mut Value, action: Option<Value>) {
    if let (Some(slot), Some(action)) = (hook.get_mut("action"), action) {
        *slot = action;
    }
}

#[cfg(feature = "compiler")]
impl Serialize for crate::Diagnostics {
    /// A list of what `hookc check --format json` writes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let read = |line| serde_json::from_str::<Value>(line).map_err(S::Error::custom);
        let values = self.to_json_lines().lines().map(read).collect::<Result<Vec<_>, _>>()?;
        serializer.collect_seq(values)
    }
}
