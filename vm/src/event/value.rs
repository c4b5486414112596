//! Fills slots from a parsed value: walks the trie and writes captured values as text.

use hookc_base::json::push_string;

use std::fmt::Write;

use serde_json::Value;

use super::json::Kind;
use super::slots::Slots;
use super::{EventError, Trie};
use crate::limits::{EVENT_BYTES, EVENT_DEPTH, Limits};
use crate::rows::{Edge, NONE};

/// Walks `event` into `slots`.
pub(super) fn walk(
    event: &Value,
    trie: Trie<'_>,
    limits: &Limits,
    slots: &mut Slots,
) -> Result<(), EventError> {
    if !event.is_object() {
        return Err(EventError::NotAnObject);
    }
    let bytes = limits.event_bytes.min(EVENT_BYTES);
    let depth = limits.event_depth.min(EVENT_DEPTH);
    Walk { trie, slots, bytes, depth }.value(event, 0, 0)
}

struct Walk<'t, 's> {
    trie: Trie<'t>,
    slots: &'s mut Slots,
    bytes: usize,
    depth: usize,
}

impl Walk<'_, '_> {
    /// Walks the value of a node inside `depth` containers.
    fn value(&mut self, value: &Value, node: u32, depth: usize) -> Result<(), EventError> {
        let Some(row) = self.trie.node(node) else { return Ok(()) };
        let slot = row.slot.get();
        if slot != NONE {
            let start = self.slots.own.len();
            let kind = self.write(value, depth, true)?;
            self.slots.keep_own(slot, kind, start);
        }
        let (names, indexes) = self.trie.edges_of(row);
        let edges = match value {
            Value::Object(_) => names,
            Value::Array(_) => indexes,
            _ => return Ok(()),
        };
        for edge in edges {
            let depth = self.deeper(depth)?;
            if let Some(child) = self.child(value, edge) {
                self.value(child, edge.node.get(), depth)?;
            }
        }
        Ok(())
    }

    fn child<'v>(&self, value: &'v Value, edge: &Edge) -> Option<&'v Value> {
        match value {
            Value::Object(members) => members.get(std::str::from_utf8(self.trie.name(edge)).ok()?),
            Value::Array(elements) => {
                let index = edge.index.get();
                let distance = usize::try_from(index.unsigned_abs()).ok()?;
                let place = if index < 0 { elements.len().checked_sub(distance)? } else { distance };
                elements.get(place)
            }
            _ => None,
        }
    }

    const fn deeper(&self, depth: usize) -> Result<usize, EventError> {
        if depth < self.depth { Ok(depth.saturating_add(1)) } else { Err(EventError::TooDeep(self.depth)) }
    }

    /// Writes a value as compact JSON; a `bare` string is written without quotes.
    fn write(&mut self, value: &Value, depth: usize, bare: bool) -> Result<Kind, EventError> {
        let out = &mut self.slots.own;
        let kind = match value {
            Value::Null => self.word("null", Kind::Null),
            Value::Bool(true) => self.word("true", Kind::True),
            Value::Bool(false) => self.word("false", Kind::False),
            Value::Number(number) => {
                let _ = write!(out, "{number}");
                Kind::Number
            }
            Value::String(text) if bare => self.word(text, Kind::String),
            Value::String(text) => {
                push_string(text, out);
                Kind::String
            }
            Value::Array(elements) => {
                let depth = self.deeper(depth)?;
                self.list(b"[]", elements.iter(), |this, element| {
                    this.write(element, depth, false).map(drop)
                })?;
                Kind::Array
            }
            Value::Object(members) => {
                let depth = self.deeper(depth)?;
                self.list(b"{}", members.iter(), |this, (key, value)| {
                    push_string(key, &mut this.slots.own);
                    this.slots.own.push(':');
                    this.write(value, depth, false).map(drop)
                })?;
                Kind::Object
            }
        };
        if self.slots.own.len() > self.bytes { Err(EventError::TooLarge(self.bytes)) } else { Ok(kind) }
    }

    fn word(&mut self, text: &str, kind: Kind) -> Kind {
        self.slots.own.push_str(text);
        kind
    }

    /// Writes items between two brackets, separated by commas.
    fn list<T>(
        &mut self,
        brackets: &[u8; 2],
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(&mut Self, T) -> Result<(), EventError>,
    ) -> Result<(), EventError> {
        let [open, close] = brackets.map(char::from);
        self.slots.own.push(open);
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.slots.own.push(',');
            }
            each(self, item)?;
        }
        self.slots.own.push(close);
        Ok(())
    }
}
