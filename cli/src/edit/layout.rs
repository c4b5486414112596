//! The layout of a JSON text, and new values in that layout.

use serde_json::Value;

/// The line ends of a text.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// A text and its manner.
#[derive(Debug)]
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    /// The line end.
    pub(super) end: &'static str,
    /// One level of indentation.
    pub(super) unit: String,
    /// Whether everything is on one line.
    pub(super) one_line: bool,
}

impl<'t> Layout<'t> {
    /// For a text whose root value has its first member at `first`.
    pub(super) fn new(text: &'t str, first: Option<usize>) -> Self {
        let mut layout = Self { text, end: line_end(text), unit: "  ".to_owned(), one_line: false };
        if let Some(first) = first {
            match layout.own_line(first) {
                Some("") => {}
                Some(unit) => layout.unit = unit.to_owned(),
                None => layout.one_line = !text.trim().contains('\n'),
            }
        }
        layout
    }

    /// The text between two positions.
    pub(super) fn between(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The indentation of the line of a position.
    pub(super) fn indent(&self, at: usize) -> &'t str {
        let line = self.between(self.line(at), at);
        let rest = line.trim_start_matches([' ', '\t']);
        line.get(..line.len() - rest.len()).unwrap_or("")
    }

    /// The indentation, if nothing else precedes the position on its line.
    pub(super) fn own_line(&self, at: usize) -> Option<&'t str> {
        let line = self.line(at);
        let before = self.between(line, at);
        (line > 0 && before.chars().all(|c| c == ' ' || c == '\t')).then_some(before)
    }

    fn line(&self, at: usize) -> usize {
        self.between(0, at).rfind('\n').map_or(0, |end| end + 1)
    }

    /// A value whose first line is indented by `indent`. On one line if the text is, with a space
    /// after the first brackets down to `open` levels: this distinguishes an added value from one
    /// that was there but empty.
    pub(super) fn value(&self, value: &Value, indent: &str, one_line: bool, open: usize) -> String {
        let mut out = String::new();
        self.put(&mut out, value, indent, one_line, open);
        out
    }

    fn put(&self, out: &mut String, value: &Value, indent: &str, one_line: bool, open: usize) {
        let (brackets, count) = match value {
            Value::Object(members) => (['{', '}'], members.len()),
            Value::Array(items) => (['[', ']'], items.len()),
            scalar => return out.push_str(&scalar.to_string()),
        };
        let inner = format!("{indent}{}", self.unit);
        let [begin, end] = brackets;
        out.push(begin);
        let mut first = true;
        let mut next = |out: &mut String| {
            if !std::mem::take(&mut first) {
                out.push(',');
            } else if one_line && open == 0 {
                return;
            }
            match one_line {
                true => out.push(' '),
                false => out.extend([self.end, &inner]),
            }
        };
        let open_below = open.saturating_sub(1);
        match value {
            Value::Object(members) => members.iter().for_each(|(key, value)| {
                next(out);
                out.push_str(&self.key(key));
                self.put(out, value, &inner, one_line, open_below);
            }),
            Value::Array(items) => items.iter().for_each(|item| {
                next(out);
                self.put(out, item, &inner, one_line, open_below);
            }),
            _ => {}
        }
        match (one_line, count) {
            (_, 0) => {}
            (true, _) if open == 0 => {}
            (true, _) => out.push(' '),
            (false, _) => out.extend([self.end, indent]),
        }
        out.push(end);
    }

    /// A key up to its value.
    pub(super) fn key(&self, key: &str) -> String {
        format!("{}: ", Value::from(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_in_the_manner_of_the_text() {
        let tabs = "{\r\n\t\"a\": 1\r\n}";
        let layout = Layout::new(tabs, Some(4));
        assert_eq!(
            layout.value(&json!({"b": [1, "x"]}), "\t", false, 0),
            "{\r\n\t\t\"b\": [\r\n\t\t\t1,\r\n\t\t\t\"x\"\r\n\t\t]\r\n\t}"
        );
        let line = Layout::new("{\"a\": 1}\n", Some(1));
        assert!(line.one_line);
        assert_eq!(line.value(&json!({"b": [{"c": []}]}), "", true, 2), "{ \"b\": [ {\"c\": []} ] }");
    }
}
