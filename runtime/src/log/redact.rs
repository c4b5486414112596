//! Removes parts of an event from the log.

#[cfg(feature = "compiler")]
mod paths;

#[cfg(feature = "compiler")]
pub use paths::RedactionError;

use hookc_schema::agents;
use serde_json::Value;

/// The replacement of a redacted value.
const REDACTED: &str = "[redacted]";

/// Members with the input of a tool.
const INPUTS: [&str; 3] = ["tool_input", "toolArgs", "toolInput"];

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "compiler"), allow(dead_code, reason = "made of the language's paths"))]
enum Part {
    /// A member; of a list, the element of that number.
    Name(String),
    /// An element; negative from the end.
    Index(i64),
    /// Every member or element.
    Any,
}

/// Paths whose values are not logged: paths of the language, in either spelling, with `*` for every
/// member or element, as in `tool_input.env.*`. If a path leads into a value that it cannot
/// traverse, such as a string with JSON, the whole value is redacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    paths: Vec<Vec<Part>>,
    /// Whether the fields that contain patches are redacted.
    patches: bool,
}

impl Redaction {
    /// The value without its redacted parts.
    #[must_use]
    pub fn apply(&self, mut value: Value) -> Value {
        if self.patches && value.get("host_tool_name").is_some_and(|name| name == "apply_patch") {
            for (input, name) in
                INPUTS.iter().flat_map(|input| agents::patch_members().map(|name| (*input, name)))
            {
                if let Some(patch) = value.get_mut(input).and_then(|input| input.get_mut(name)) {
                    *patch = REDACTED.into();
                }
            }
        }
        for path in &self.paths {
            let mut places = vec![&mut value];
            for part in path {
                places = places.into_iter().flat_map(|place| members(place, part)).collect();
            }
            for place in places {
                *place = REDACTED.into();
            }
        }
        value
    }
}

fn members<'v>(value: &'v mut Value, part: &Part) -> Vec<&'v mut Value> {
    match (value, part) {
        (Value::Object(members), Part::Any) => members.values_mut().collect(),
        (Value::Object(members), Part::Name(name)) => members.get_mut(name).into_iter().collect(),
        (Value::Object(_), Part::Index(_)) => Vec::new(),
        (Value::Array(items), Part::Any) => items.iter_mut().collect(),
        (Value::Array(items), part) => {
            let at = match part {
                Part::Name(name) => name.parse().ok(),
                Part::Index(at) if *at < 0 => {
                    usize::try_from(at.unsigned_abs()).ok().and_then(|back| items.len().checked_sub(back))
                }
                Part::Index(at) => usize::try_from(*at).ok(),
                Part::Any => None,
            };
            at.and_then(|at| items.get_mut(at)).into_iter().collect()
        }
        (Value::Null, _) => Vec::new(),
        // The path continues, but the value has no children: it contains what the path refers to.
        (scalar, _) => vec![scalar],
    }
}

#[cfg(all(test, feature = "compiler"))]
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

    #[test]
    fn in_the_spellings_of_the_language() {
        let value = || json!({"tool_input": {"command": 1, "env": {"a": 2, "b*": 3}, "x": [4, {"y": 5}]}, "command": 1});
        let hidden = |path: &str| {
            let text = Redaction::new([path]).apply(value()).to_string();
            (1..=5)
                .filter(|n| !text.contains(&format!(":{n}")) && !text.contains(&format!("[{n}")))
                .collect::<Vec<_>>()
        };
        for (path, gone) in [
            ("$.tool_input.command", vec![1]),
            ("$['tool_input']['command']", vec![1]),
            ("tool_input[\"command\"]", vec![1]),
            ("tool_input[\"env\"]", vec![2, 3]),
            ("tool_input.env.*", vec![2, 3]),
            ("$.tool_input.env[*]", vec![2, 3]),
            ("tool_input.env['b*']", vec![3]),
            ("tool_input[*].a", vec![1, 2]),
            ("tool_input.x[0]", vec![4]),
            ("tool_input.x[-1].y", vec![5]),
            ("tool_input.x.*.y", vec![4, 5]),
            ("tool_input.x[*]['y']", vec![4, 5]),
            ("*.env", vec![2, 3]),
            ("no path", vec![1, 2, 3, 4, 5]),
        ] {
            assert_eq!(hidden(path), gone, "{path}");
        }
        for wrong in ["", "a b", "a.", "a[", "a.b*", "a**", "$..a", "$.a[0,1]", "$[?@.a]", "$.a[1:2]", "a[*"]
        {
            assert!(Redaction::check(wrong).is_err(), "{wrong}");
        }
    }
}
