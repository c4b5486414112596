//! Reading and writing one parameter.

use std::time::Duration;

use serde_json::{Map, Number, Value};

use super::error::ParseActionError;

/// The type of a parameter.
pub(super) trait Field: Sized {
    /// The expected type, as text for people.
    const EXPECTED: &'static str;

    /// The value of an absent parameter; `None` if the parameter is required.
    fn absent() -> Option<Self> {
        None
    }

    /// From JSON that is not `null`; `None` if it has another type.
    fn read(value: Value) -> Option<Self>;

    /// As JSON; `None` if it is not set.
    fn write(&self) -> Option<Value>;
}

/// The parameters of an action that is being read.
pub(super) struct Fields {
    kind: &'static str,
    members: Map<String, Value>,
}

impl Fields {
    pub(super) fn new(kind: &'static str, members: Map<String, Value>) -> Self {
        Self { kind, members }
    }

    /// Removes and returns a parameter; `null` is treated as absent.
    pub(super) fn take<T: Field>(
        &mut self,
        parameter: &'static str,
        default: Option<T>,
    ) -> Result<T, ParseActionError> {
        let kind = self.kind;
        match self.members.shift_remove(parameter).filter(|value| !value.is_null()) {
            Some(value) => {
                T::read(value).ok_or(ParseActionError::Type { kind, parameter, expected: T::EXPECTED })
            }
            None => default.or_else(T::absent).ok_or(ParseActionError::Missing { kind, parameter }),
        }
    }

    /// The parameters that nothing has removed.
    pub(super) fn rest(self) -> Map<String, Value> {
        self.members
    }
}

impl<T: Field> Field for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn read(value: Value) -> Option<Self> {
        T::read(value).map(Some)
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().and_then(T::write)
    }
}

impl Field for Value {
    const EXPECTED: &'static str = "a value";

    fn read(value: Value) -> Option<Self> {
        Some(value)
    }

    fn write(&self) -> Option<Value> {
        Some(self.clone())
    }
}

impl Field for String {
    const EXPECTED: &'static str = "a string";

    fn read(value: Value) -> Option<Self> {
        if let Value::String(text) = value { Some(text) } else { None }
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(self.as_str()))
    }
}

impl Field for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(value: Value) -> Option<Self> {
        value.as_bool()
    }

    fn write(&self) -> Option<Value> {
        Some(Value::Bool(*self))
    }
}

impl Field for u64 {
    const EXPECTED: &'static str = "a whole number of at least 0";

    fn read(value: Value) -> Option<Self> {
        count(&value)
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(*self))
    }
}

impl Field for f64 {
    const EXPECTED: &'static str = "a number of at least 0";

    fn read(value: Value) -> Option<Self> {
        value.as_f64().filter(|number| *number >= 0.0)
    }

    fn write(&self) -> Option<Value> {
        let number = Number::from_f64(*self)?;
        Some(whole_number(&Value::Number(number.clone())).map_or(Value::Number(number), Value::from))
    }
}

impl Field for Duration {
    const EXPECTED: &'static str = "a number of seconds";

    fn read(value: Value) -> Option<Self> {
        Self::try_from_secs_f64(value.as_f64()?).ok()
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(self.as_secs_f64()))
    }
}

impl Field for Map<String, Value> {
    const EXPECTED: &'static str = "an object";

    fn read(value: Value) -> Option<Self> {
        if let Value::Object(members) = value { Some(members) } else { None }
    }

    fn write(&self) -> Option<Value> {
        Some(Value::Object(self.clone()))
    }
}

impl Field for Vec<String> {
    const EXPECTED: &'static str = "a list";

    fn read(value: Value) -> Option<Self> {
        if let Value::Array(items) = value { Some(items.iter().map(word).collect()) } else { None }
    }

    fn write(&self) -> Option<Value> {
        Some(self.iter().map(String::as_str).collect())
    }
}

impl Field for Vec<u64> {
    const EXPECTED: &'static str = "a list of whole numbers of at least 0";

    fn read(value: Value) -> Option<Self> {
        if let Value::Array(items) = value { items.into_iter().map(u64::read).collect() } else { None }
    }

    fn write(&self) -> Option<Value> {
        Some(self.iter().copied().collect())
    }
}

/// Variables of an environment; `null` is a variable that is removed.
impl Field for Vec<(String, Option<String>)> {
    const EXPECTED: &'static str = "an object";

    fn read(value: Value) -> Option<Self> {
        let Value::Object(members) = value else { return None };
        Some(
            members
                .iter()
                .map(|(name, value)| (name.clone(), (!value.is_null()).then(|| word(value))))
                .collect(),
        )
    }

    fn write(&self) -> Option<Value> {
        Some(self.iter().map(|(name, value)| (name.clone(), Value::from(value.as_deref()))).collect())
    }
}

/// A whole number in any notation: JSON Schema also accepts `3.0`.
#[must_use]
pub fn whole_number(value: &Value) -> Option<i64> {
    let exact = |float: &f64| float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    value.as_i64().or_else(|| value.as_f64().filter(exact).map(|float| float as i64))
}

/// A non-negative whole number in any notation.
#[must_use]
pub fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| u64::try_from(whole_number(value)?).ok())
}

/// A value as a program receives it: the content of a string, otherwise JSON.
#[must_use]
pub fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
