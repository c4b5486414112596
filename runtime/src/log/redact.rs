//! What of an event does not go into the log.

use serde_json::Value;

/// What stands in place of a redacted value.
const REDACTED: &str = "[redacted]";

/// Names that hosts have for members of the vocabulary, whose values may stand in
/// the event under both.
const ALIASES: [(&[&str], &[&str]); 5] = [
    (&["tool_input"], &["toolArgs"]),
    (&["tool_response"], &["toolResult"]),
    (&["tool_input", "command"], &["command"]),
    (&["tool_input", "file_path"], &["file_path"]),
    (&["tool_response"], &["output"]),
];

/// Paths whose values are not logged: names separated by dots, `*` for every
/// member or element, as in `tool_input.env.*`. What a path leads into and not
/// through, a string that holds JSON for one, is not logged at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    paths: Vec<Vec<String>>,
}

impl Redaction {
    /// From paths.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        let given: Vec<Vec<String>> = paths.into_iter().map(path).collect();
        let paths = given.iter().flat_map(|path| other_names(path)).chain(given.iter().cloned()).collect();
        Self { paths }
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

fn other_names(path: &[String]) -> Vec<Vec<String>> {
    let other = |(own, other): &(&[&str], &[&str])| {
        let (front, rest) = path.split_at_checked(own.len())?;
        let other = other.iter().map(|name| (*name).to_owned());
        (front == *own).then(|| other.chain(rest.iter().cloned()).collect::<Vec<_>>())
    };
    // All that a tool is given: what stands beside it, too.
    let whole =
        ALIASES.iter().filter(|(own, _)| own.len() > path.len() && own.iter().zip(path).all(|(a, b)| a == b));
    let whole = whole.map(|(_, other)| other.iter().map(|name| (*name).to_owned()).collect());
    ALIASES.iter().filter_map(other).chain(whole).collect()
}

fn members<'v>(value: &'v mut Value, name: &str) -> Vec<&'v mut Value> {
    match (value, name) {
        (Value::Object(members), "*") => members.values_mut().collect(),
        (Value::Object(members), name) => members.get_mut(name).into_iter().collect(),
        (Value::Array(items), "*") => items.iter_mut().collect(),
        (Value::Array(items), name) => {
            name.parse::<usize>().ok().and_then(|at| items.get_mut(at)).into_iter().collect()
        }
        (Value::Null, _) => Vec::new(),
        // The path ends before it is over: here lies what it is about.
        (scalar, _) => vec![scalar],
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

    #[test]
    fn under_other_names_and_in_strings() {
        let redaction = Redaction::new(["tool_input.command", "prompt.x"]);
        let value = json!({"tool_input": {"command": 1, "cwd": 2}, "toolArgs": "{\"command\": 1}", "command": 1,
            "prompt": "text", "cwd": 2});
        let expected = json!({"tool_input": {"command": "[redacted]", "cwd": 2}, "toolArgs": "[redacted]",
            "command": "[redacted]", "prompt": "[redacted]", "cwd": 2});
        assert_eq!(redaction.apply(value), expected);
        let whole =
            Redaction::new(["tool_input"]).apply(json!({"tool_input": {}, "command": 1, "file_path": 2}));
        assert_eq!(
            whole,
            json!({"tool_input": "[redacted]", "command": "[redacted]", "file_path": "[redacted]"})
        );
    }
}
