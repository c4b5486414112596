//! An action with its templates filled in.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::limits;

/// A rendered action: its kind and its parameters, defaults included. The
/// compiler has checked them by the vocabulary; what is missing here was left
/// out there.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its kind: `run`, `deny`, `retry`, ...
    pub kind: String,
    /// Its parameters.
    pub params: Map<String, Value>,
}

impl Action {
    /// From the JSON that the VM renders.
    ///
    /// # Errors
    /// It is no object with a `type`.
    pub fn parse(json: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let Value::Object(mut params) = value else { return Err("an action is an object".to_owned()) };
        match params.shift_remove("type") {
            Some(Value::String(kind)) => Ok(Self { kind, params }),
            _ => Err("an action has a `type`".to_owned()),
        }
    }

    /// A parameter, unless it is absent or `null`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.params.get(name).filter(|value| !value.is_null())
    }

    /// A text parameter.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// A truth parameter; `default` when it is not there.
    #[must_use]
    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    /// An object parameter.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Map<String, Value>> {
        self.get(name).and_then(Value::as_object)
    }

    /// A count.
    #[must_use]
    pub fn count(&self, name: &str) -> Option<u64> {
        count(self.get(name)?)
    }

    /// A list parameter, each element as the text that a program is given.
    #[must_use]
    pub fn words(&self, name: &str) -> Option<Vec<String>> {
        Some(self.get(name)?.as_array()?.iter().map(word).collect())
    }

    /// `timeout`, in seconds; 0 and absent mean `default`.
    #[must_use]
    pub fn timeout(&self, default: Duration) -> Duration {
        let seconds = self.get("timeout").and_then(Value::as_f64).filter(|seconds| *seconds > 0.0);
        let own = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        own.unwrap_or(default).min(limits::LONGEST_TIMEOUT)
    }

    /// The whole action again, `type` first.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut all = Map::new();
        all.insert("type".to_owned(), Value::from(self.kind.as_str()));
        all.extend(self.params.clone());
        Value::Object(all)
    }
}

/// A whole number, however it is written: JSON Schema takes `3.0` for one, too.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    let exact = |float: &f64| float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    value.as_i64().or_else(|| value.as_f64().filter(exact).map(|float| float as i64))
}

/// The same, from 0 on.
pub(crate) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| u64::try_from(whole(value)?).ok())
}

/// A value as a program is given it: a string as it is, anything else as JSON.
pub(crate) fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
