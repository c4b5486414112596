//! New YAML: members and items, a line each.

use hookc_base::json::quoted;
use serde_json::Value;

/// A value in lines indented by `indent`: below a key, or as an item of a list. Objects get one
/// line per member, lists of objects one per item; everything else stays on its line.
pub(crate) fn lines(key: Option<&str>, value: &Value, indent: &str, end: &str) -> String {
    let mut block = Block { out: String::new(), end };
    match key {
        Some(key) => block.member(key, value, indent),
        None => block.item(value, indent),
    }
    block.out
}

struct Block<'e> {
    out: String,
    end: &'e str,
}

impl Block<'_> {
    fn member(&mut self, key: &str, value: &Value, indent: &str) {
        self.out.extend([indent, &scalar(key), ":"]);
        self.below(value, indent);
    }

    fn item(&mut self, value: &Value, indent: &str) {
        let start = self.out.len();
        match value {
            Value::Object(members) if !members.is_empty() => {
                let inner = format!("{indent}  ");
                members.iter().for_each(|(key, value)| self.member(key, value, &inner));
                let dash = start + indent.len();
                self.out.replace_range(dash..=dash, "-");
            }
            value => self.out.extend([indent, "- ", &flow(value), self.end]),
        }
    }

    /// The text after a key and its colon.
    fn below(&mut self, value: &Value, indent: &str) {
        let inner = format!("{indent}  ");
        match value {
            Value::Object(members) if !members.is_empty() => {
                self.out.push_str(self.end);
                members.iter().for_each(|(key, value)| self.member(key, value, &inner));
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                self.out.push_str(self.end);
                items.iter().for_each(|item| self.item(item, &inner));
            }
            value => self.out.extend([" ", &flow(value), self.end]),
        }
    }
}

/// A value in a line.
pub(super) fn flow(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", joined(items.iter().map(flow).collect())),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{}: {}", scalar(key), flow(value));
            format!("{{{}}}", joined(members.iter().map(member).collect()))
        }
        other => other.to_string(),
    }
}

/// A string: plain if no parser reads it as anything else, even in brackets.
pub(crate) fn scalar(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | ' ');
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic()) || text.starts_with("./");
    let words = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    if (begins || text.starts_with("../")) && !words && !text.ends_with(' ') && text.chars().all(plain) {
        return text.to_owned();
    }
    quoted(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strings_that_would_be_something_else_are_quoted() {
        for plain in ["guard-paths", "Keeps it out.", "./scripts/x.py", "../x", "a b"] {
            assert_eq!(scalar(plain), plain);
        }
        for quoted in ["true", "No", "1e3", "", "a: b", "x #1", "- a", " a", "a ", "it's"] {
            assert_eq!(scalar(quoted), format!("{quoted:?}"));
        }
    }

    #[test]
    fn lines_of_all_kinds() {
        let hook = json!({"id": "x", "action": {"type": "run", "argv": ["./a b"], "env": {}}});
        let item = "  - id: x\n    action:\n      type: run\n      argv: [./a b]\n      env: {}\n";
        assert_eq!(lines(None, &hook, "  ", "\n"), item);
        assert_eq!(lines(Some("hooks"), &json!([hook]), "", "\n"), format!("hooks:\n{item}"));
        assert_eq!(lines(Some("a b"), &json!({"c": [1, "x"]}), " ", "\r\n"), " a b:\r\n   c: [1, x]\r\n");
        assert_eq!(lines(None, &json!("x: y"), "", "\n"), "- \"x: y\"\n");
    }
}
