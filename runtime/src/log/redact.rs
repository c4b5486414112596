//! What of an event does not go into the log.

use serde_json::Value;

/// What stands in place of a redacted value.
const REDACTED: &str = "[redacted]";

/// Paths whose values are not logged: names separated by dots, `*` for every
/// member or element, as in `tool_input.env.*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    paths: Vec<Vec<String>>,
}

impl Redaction {
    /// From paths.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        Self { paths: paths.into_iter().map(path).collect() }
    }

    /// The value without what is redacted.
    #[must_use]
    pub fn apply(&self, mut value: Value) -> Value {
        for path in &self.paths {
            let mut places = vec![&mut value];
            for name in path {
                places = places.into_iter().flat_map(|place| members(place, name)).collect();
            }
            for place in places {
                *place = REDACTED.into();
            }
        }
        value
    }
}

fn members<'v>(value: &'v mut Value, name: &str) -> Vec<&'v mut Value> {
    match (value, name) {
        (Value::Object(members), "*") => members.values_mut().collect(),
        (Value::Object(members), name) => members.get_mut(name).into_iter().collect(),
        (Value::Array(items), "*") => items.iter_mut().collect(),
        (Value::Array(items), name) => {
            name.parse::<usize>().ok().and_then(|at| items.get_mut(at)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Redaction;
    use serde_json::json;

    #[test]
    fn by_path() {
        let redaction = Redaction::new(["a.b", "list.*.key", "list.1.x", "gone.x"]);
        let value = json!({"a": {"b": {"c": 1}, "d": 2}, "list": [{"key": 1}, {"key": 2, "x": 3}]});
        let expected = json!({"a": {"b": "[redacted]", "d": 2},
            "list": [{"key": "[redacted]"}, {"key": "[redacted]", "x": "[redacted]"}]});
        assert_eq!(redaction.apply(value), expected);
    }
}
