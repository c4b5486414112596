//! The text of a parsed value: compact JSON.

use std::fmt::Write;

use hookc_base::json::push_string;
use serde_json::Value;

use super::json::Kind;

/// The limit that a value exceeds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exceeded {
    Depth,
    Bytes,
}

/// Appends a value of at most `depth` nested containers and `bytes` bytes.
pub(super) fn write(value: &Value, depth: usize, bytes: usize, out: &mut String) -> Result<Kind, Exceeded> {
    let most = out.len().saturating_add(bytes);
    Writer { most, out }.value(value, depth)
}

struct Writer<'o> {
    /// The allowed length of `out`.
    most: usize,
    out: &'o mut String,
}

impl Writer<'_> {
    /// The recursion is as deep as `depth` allows.
    fn value(&mut self, value: &Value, depth: usize) -> Result<Kind, Exceeded> {
        let kind = match value {
            Value::Null => self.word("null", Kind::Null),
            Value::Bool(true) => self.word("true", Kind::True),
            Value::Bool(false) => self.word("false", Kind::False),
            Value::Number(number) => {
                let _ = write!(self.out, "{number}");
                Kind::Number
            }
            Value::String(text) => {
                push_string(text, self.out);
                Kind::String
            }
            Value::Array(elements) => {
                let depth = depth.checked_sub(1).ok_or(Exceeded::Depth)?;
                self.list(b"[]", elements.iter(), |this, element| this.value(element, depth).map(drop))?;
                Kind::Array
            }
            Value::Object(members) => {
                let depth = depth.checked_sub(1).ok_or(Exceeded::Depth)?;
                self.list(b"{}", members.iter(), |this, (key, value)| {
                    push_string(key, this.out);
                    this.out.push(':');
                    this.value(value, depth).map(drop)
                })?;
                Kind::Object
            }
        };
        if self.out.len() > self.most { Err(Exceeded::Bytes) } else { Ok(kind) }
    }

    fn word(&mut self, text: &str, kind: Kind) -> Kind {
        self.out.push_str(text);
        kind
    }

    /// Writes items between two brackets, separated by commas.
    fn list<T>(
        &mut self,
        brackets: &[u8; 2],
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(&mut Self, T) -> Result<(), Exceeded>,
    ) -> Result<(), Exceeded> {
        let [open, close] = brackets.map(char::from);
        self.out.push(open);
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            each(self, item)?;
        }
        self.out.push(close);
        Ok(())
    }
}
