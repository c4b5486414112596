//! The object for an agent, and how it is printed.
//!
//! A tool's new input can be as long as an event. The object contains it as written, and control
//! sequences for terminals are escaped while the text is printed: an answer needs no more memory
//! than its input.

use std::fmt;

use hookc_base::json;
use hookc_schema::terminal;
use serde_json::{Map, Value};

/// The size of the pieces in which an answer is printed, in bytes.
const CHUNK: usize = 64 << 10;

/// A value of an object.
#[derive(Debug)]
pub(super) enum Json {
    Value(Value),
    /// JSON text.
    Raw(String),
    Object(Object),
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

/// An optional value of a member.
pub(super) trait Member {
    fn into_json(self) -> Option<Json>;
}

impl<T: Into<Json>> Member for T {
    fn into_json(self) -> Option<Json> {
        Some(self.into())
    }
}

impl<T: Into<Json>> Member for Option<T> {
    fn into_json(self) -> Option<Json> {
        self.map(Into::into)
    }
}

/// Members in order. An answer has about ten, so a list is searched.
#[derive(Debug, Default)]
pub(super) struct Object(Vec<(String, Json)>);

impl Object {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(listed, _)| listed == name)
    }

    /// Sets a member; `None` sets nothing.
    pub(super) fn put(&mut self, name: &str, value: impl Member) {
        let Some(value) = value.into_json() else { return };
        match self.0.iter_mut().find(|(listed, _)| listed == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Sets a member by its path: `a.b` is the member `b` of the object `a`.
    pub(super) fn put_at(&mut self, path: &str, value: Json) {
        let Some((outer, inner)) = path.split_once('.') else { return self.put(path, value) };
        if !self.has(outer) {
            self.put(outer, Self::default());
        }
        if let Some((_, Json::Object(object))) = self.0.iter_mut().find(|(listed, _)| listed == outer) {
            object.put_at(inner, value);
        }
    }

    /// Adds the members of another object.
    pub(super) fn extend(&mut self, other: Self) {
        other.0.into_iter().for_each(|(name, value)| self.put(&name, value));
    }

    /// Adds the missing fields, with values from `value`.
    pub(super) fn fill(&mut self, more: &Map<String, Value>, value: impl Fn(&Value) -> Value) {
        for (name, new) in more {
            if !self.has(name) {
                self.put(name, value(new));
            }
        }
    }

    /// As JSON, in pieces: existing JSON text is one of them.
    fn pieces(self, out: &mut Vec<String>) {
        let mut text = "{".to_owned();
        for (at, (name, value)) in self.0.into_iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            json::push_string(&name, &mut text);
            text.push(':');
            match value {
                Json::Value(value) => text.push_str(&value.to_string()),
                Json::Raw(raw) => out.extend([std::mem::take(&mut text), raw]),
                Json::Object(object) => {
                    out.push(std::mem::take(&mut text));
                    object.pieces(out);
                }
            }
        }
        text.push('}');
        out.push(text);
    }
}

/// The output for an agent. [`fmt::Display`] writes JSON without control sequences for terminals,
/// and other text unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pieces: Vec<String>,
    json: bool,
}

impl Printed {
    /// A text and a line end.
    pub(super) fn line(text: String) -> Self {
        Self { pieces: vec![text, "\n".to_owned()], json: false }
    }

    /// A JSON object and a line end, or nothing for an empty one.
    pub(super) fn object(object: Object) -> Self {
        if object.is_empty() {
            return Self::default();
        }
        let mut pieces = Vec::new();
        object.pieces(&mut pieces);
        pieces.push("\n".to_owned());
        Self { pieces, json: true }
    }

    /// Whether nothing is printed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Writes it in pieces, without copying the whole output.
    ///
    /// # Errors
    /// Errors of `write`.
    pub fn each<E>(&self, mut write: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        for piece in &self.pieces {
            let mut rest = piece.as_str();
            while !rest.is_empty() {
                let (chunk, after) = rest.split_at(hookc_base::text::floor_char_boundary(rest, CHUNK));
                match self.json {
                    true => write(&terminal::escape_json(chunk))?,
                    false => write(chunk)?,
                }
                rest = after;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.each(|piece| f.write_str(piece))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CHUNK, Json, Object, Printed};

    fn object(members: Vec<(&str, Json)>) -> Object {
        let mut object = Object::default();
        members.into_iter().for_each(|(name, value)| object.put(name, value));
        object
    }

    #[test]
    fn members_in_order_once() {
        let mut inner = object(vec![("a\"", json!([1]).into()), ("b", Json::Raw("{\"x\": 1}".to_owned()))]);
        inner.put("a\"", json!(2));
        inner.put("none", None::<Value>);
        let more = json!({"b": 0, "c": "d"});
        inner.fill(more.as_object().unwrap(), Clone::clone);
        let mut outer = object(vec![("in", Json::from(inner))]);
        outer.extend(object(vec![("e", Json::Raw("null".to_owned()))]));
        let text = "{\"in\":{\"a\\\"\":2,\"b\":{\"x\": 1},\"c\":\"d\"},\"e\":null}\n";
        assert_eq!(Printed::object(outer).to_string(), text);
        assert!(Printed::object(Object::default()).is_empty());
    }

    #[test]
    fn long_text_goes_out_in_pieces_that_keep_its_value() {
        let long = format!("{}\u{9b}é\u{202e}", "é".repeat(CHUNK));
        let raw = Json::Raw(json!({ "x": long }).to_string());
        let printed = Printed::object(object(vec![("a", json!("b").into()), ("input", raw)]));
        let (mut pieces, mut text) = (0, String::new());
        let done: Result<(), ()> = printed.each(|piece| {
            pieces += 1;
            text.push_str(piece);
            Ok(())
        });
        assert!(done.is_ok() && pieces > 2 && !text.contains(['\u{9b}', '\u{202e}']));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value, json!({"a": "b", "input": {"x": long}}));
        assert_eq!(Printed::line("a\u{9b}".to_owned()).to_string(), "a\u{9b}\n");
    }
}
