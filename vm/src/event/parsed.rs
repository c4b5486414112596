//! An event that is parsed already: values are found when a condition reads them, and borrowed.
//!
//! Nothing is copied or printed in advance. The text of a number, an array or an object is written
//! only for what reads text, and compared numbers mostly need none.

use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::json::Kind;
use super::late::Stored;
use super::trie_index::Parent;
use super::{EventError, Item, Trie, TrieIndex, value};
use crate::limits::{EVENT_BYTES, EVENT_DEPTH, Limits};
use crate::number;

/// A parsed event, with the values that were found so far.
#[derive(Debug)]
pub struct ParsedEvent<'v> {
    root: &'v Value,
    trie: Trie<'v>,
    index: &'v TrieIndex,
    /// The nodes found last, each at its number modulo the length. The root has number 0, and needs
    /// no entry.
    known: [Cell<u32>; FOUND],
    /// Their values.
    found: [Cell<Option<&'v Value>>; FOUND],
    bounds: Bounds,
}

/// Nodes that a decision remembers: most read fewer.
const FOUND: usize = 16;

/// The limits of what is read, and the first of them that was reached.
#[derive(Debug)]
struct Bounds {
    bytes: usize,
    depth: usize,
    failed: OnceCell<EventError>,
}

/// The values of slots. As a trait it hides what the implementation borrows.
pub(crate) trait Values {
    /// The value of a slot of the trie.
    fn slot(&self, slot: u32) -> Stored<'_>;
    /// The slot of the trie that a slot takes its value from.
    fn source(&self, slot: u32) -> u32;
    /// The value of any slot.
    fn value(&self, slot: u32) -> Stored<'_>;
    /// The text of any slot, and into `kind` its kind, an absent value being null; `None` if the text is to be made.
    fn scalar(&self, slot: u32, kind: &mut Kind) -> Option<&[u8]>;
}

impl<'v> ParsedEvent<'v> {
    /// An event, to be read by a trie and its index.
    ///
    /// # Errors
    /// The event is not an object.
    #[inline]
    pub fn new(
        root: &'v Value,
        trie: Trie<'v>,
        index: &'v TrieIndex,
        limits: &Limits,
    ) -> Result<Self, EventError> {
        if !root.is_object() {
            return Err(EventError::NotAnObject);
        }
        let (bytes, depth) = (limits.event_bytes.min(EVENT_BYTES), limits.event_depth.min(EVENT_DEPTH));
        let bounds = Bounds { bytes, depth, failed: OnceCell::new() };
        let (known, found) = ([const { Cell::new(0) }; FOUND], [const { Cell::new(None) }; FOUND]);
        Ok(Self { root, trie, index, known, found, bounds })
    }

    /// The string of a slot of the trie, if it is one.
    pub(crate) fn string(&self, slot: u32) -> Option<&'v str> {
        self.node(self.index.node_of(slot)?)?.as_str()
    }

    /// The value of any slot; `buffer` receives a text that it needs.
    pub fn get<'b>(&'b self, slot: u32, buffer: &'b mut String) -> Item<'b> {
        self.value(slot).item(buffer)
    }

    /// The first limit that was reached by what was read.
    ///
    /// # Errors
    /// The limit.
    pub fn check(&self) -> Result<(), EventError> {
        self.bounds.failed.get().cloned().map_or(Ok(()), Err)
    }

    /// The value of a node.
    #[inline]
    fn node(&self, node: u32) -> Option<&'v Value> {
        if node == 0 {
            return Some(self.root);
        }
        let at = node as usize % FOUND;
        match (self.known.get(at), self.found.get(at)) {
            (Some(known), Some(found)) if known.get() == node => found.get(),
            _ => self.find(node),
        }
    }

    /// Searches from the value of its parent. The recursion is as deep as events may be.
    #[inline(never)]
    fn find(&self, node: u32) -> Option<&'v Value> {
        let parent = self.index.parent(node)?;
        let value = if parent.depth as usize > self.bounds.depth {
            self.too_deep(parent.node);
            None
        } else {
            self.node(parent.node).and_then(|value| child(&self.trie, value, parent))
        };
        let at = node as usize % FOUND;
        if let (Some(known), Some(found)) = (self.known.get(at), self.found.get(at)) {
            known.set(node);
            found.set(value);
        }
        value
    }

    /// Reports a node beyond the allowed depth, if the event is as deep.
    #[cold]
    fn too_deep(&self, mut node: u32) {
        while let Some(parent) = self.index.parent(node)
            && parent.depth as usize > self.bounds.depth
        {
            node = parent.node;
        }
        if self.node(node).is_some_and(|value| value.is_object() || value.is_array()) {
            self.bounds.fail(EventError::TooDeep(self.bounds.depth));
        }
    }
}

impl Values for ParsedEvent<'_> {
    #[inline]
    fn slot(&self, slot: u32) -> Stored<'_> {
        let Some(node) = self.index.node_of(slot) else { return Stored::Item(Item::Absent) };
        Stored::Item(match self.node(node) {
            None => Item::Absent,
            Some(Value::Null) => Item::Null,
            Some(Value::Bool(truth)) => Item::Bool(*truth),
            Some(Value::String(text)) if text.len() <= self.bounds.bytes => Item::Str(text),
            Some(Value::String(_)) => {
                self.bounds.fail(EventError::TooLarge(self.bounds.bytes));
                Item::Absent
            }
            Some(value) => {
                let depth = self.index.parent(node).map_or(0, |parent| parent.depth as usize);
                return Stored::Parsed(Parsed { value, depth, bounds: &self.bounds });
            }
        })
    }

    fn value(&self, slot: u32) -> Stored<'_> {
        self.slot(self.source(slot))
    }

    fn scalar(&self, slot: u32, kind: &mut Kind) -> Option<&[u8]> {
        let node = self.index.node_of(self.source(slot));
        let text: &str;
        (*kind, text) = match node.and_then(|node| self.node(node)) {
            None | Some(Value::Null) => (Kind::Null, ""),
            Some(Value::Bool(truth)) => (if *truth { Kind::True } else { Kind::False }, ""),
            Some(Value::String(text)) if text.len() <= self.bounds.bytes => (Kind::String, text.as_str()),
            // Too long, or without a text.
            Some(_) => return None,
        };
        Some(text.as_bytes())
    }

    #[inline]
    fn source(&self, slot: u32) -> u32 {
        let has = |guard| self.index.node_of(guard).and_then(|node| self.node(node)).is_some();
        self.trie.source(slot, has)
    }
}

/// The value of a parent's child.
fn child<'v>(trie: &Trie<'_>, value: &'v Value, step: &Parent) -> Option<&'v Value> {
    match (value, step.name(trie)) {
        (Value::Object(members), Some(name)) => member(members, name),
        (Value::Array(elements), None) => {
            let index = trie.edges.get(step.edge as usize)?.index.get();
            let distance = usize::try_from(index.unsigned_abs()).ok()?;
            elements.get(if index < 0 { elements.len().checked_sub(distance)? } else { distance })
        }
        _ => None,
    }
}

/// Up to this number, keys are compared one by one: a hash costs more.
const LINEAR_KEYS: usize = 16;

fn member<'v>(members: &'v Map<String, Value>, name: &[u8]) -> Option<&'v Value> {
    if members.len() > LINEAR_KEYS {
        return members.get(std::str::from_utf8(name).ok()?);
    }
    members.iter().find(|(key, _)| same(key.as_bytes(), name)).map(|(_, value)| value)
}

/// Whether two texts are equal. Most keys are so short that a call would cost more than the comparison.
#[inline(always)]
fn same(key: &[u8], name: &[u8]) -> bool {
    if key.len() != name.len() {
        return false;
    }
    match key.len() {
        0..4 => key.iter().zip(name).all(|(a, b)| a == b),
        4..8 => ends::<4>(key) == ends(name),
        8..=16 => ends::<8>(key) == ends(name),
        _ => key == name,
    }
}

/// The first and the last bytes.
#[inline(always)]
fn ends<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    text.first_chunk().zip(text.last_chunk())
}

/// A number, an array or an object of a parsed event: what has no text of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parsed<'a> {
    value: &'a Value,
    /// The containers that it is in.
    depth: usize,
    bounds: &'a Bounds,
}

impl<'a> Parsed<'a> {
    /// The number, if it is one.
    pub(crate) fn number(self) -> Option<&'a Number> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The nearest float of a number.
    pub(crate) fn float(self) -> Option<f64> {
        let number = self.number()?;
        number.as_f64().or_else(|| number.to_string().parse().ok())
    }

    /// How the number compares with the canonical text of another; `None` if that needs its digits.
    pub(crate) fn order(self, other: &[u8]) -> Option<Ordering> {
        let number = self.number()?;
        match (number.as_i64(), number::short_integer(other)) {
            (Some(number), Some(other)) => Some(number.cmp(&other)),
            _ => {
                // Rounding is monotone: floats that differ are in the order of what was rounded.
                let other: f64 = std::str::from_utf8(other).ok()?.parse().ok()?;
                number.as_f64()?.partial_cmp(&other).filter(|order| order.is_ne() && other.is_finite())
            }
        }
    }

    /// Its kind, with no text. Enough for what does not look into a container.
    pub(crate) const fn shape(self) -> Item<'static> {
        match self.value {
            Value::Object(_) => Item::Object(""),
            _ => Item::Array(""),
        }
    }

    /// The value with the text that [`item`](Self::item) made.
    pub(super) const fn again(self, text: &str) -> Item<'_> {
        match self.value {
            Value::Object(_) => Item::Object(text),
            Value::Array(_) => Item::Array(text),
            _ => Item::Num(text),
        }
    }

    /// The value with its text in `buffer`; absent if it exceeds a limit.
    pub(crate) fn item(self, buffer: &mut String) -> Item<'_> {
        buffer.clear();
        let depth = self.bounds.depth.saturating_sub(self.depth);
        let error = match value::write(self.value, depth, self.bounds.bytes, buffer) {
            Ok(kind) => return Item::new(kind, buffer),
            Err(value::Exceeded::Depth) => EventError::TooDeep(self.bounds.depth),
            Err(value::Exceeded::Bytes) => EventError::TooLarge(self.bounds.bytes),
        };
        self.bounds.fail(error);
        Item::Absent
    }
}

impl Bounds {
    fn fail(&self, error: EventError) {
        let _ = self.failed.set(error);
    }
}
