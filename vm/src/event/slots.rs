//! The slots of one event, reusable from event to event.

use std::ops::Range;

use serde_json::Value;
use zerocopy::little_endian::U32;

use super::lex::Kind;
use super::string::Raw;
use super::{EventError, Item, duplicate, path, scan, value};
use crate::limits::{EVENT_BYTES, EVENT_DEPTH, Limits};
use crate::module::format::{Derived, Edge, NONE, Node, Str};

/// The path trie of a module, verified: a tree, in which every node but the
/// first is the child of one edge.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the sections'")]
pub struct Trie<'m> {
    pub nodes: &'m [Node],
    pub edges: &'m [Edge],
    pub strings: &'m [Str],
    pub text: &'m [u8],
    pub derived: &'m [Derived],
    /// Slots in all.
    pub slots: u32,
}

impl<'m> Trie<'m> {
    pub(super) fn node(&self, number: u32) -> Option<&'m Node> {
        self.nodes.get(usize::try_from(number).ok()?)
    }

    /// The edges of a node: those by name, those by index.
    pub(super) fn edges_of(&self, node: &Node) -> (&'m [Edge], &'m [Edge]) {
        let edges = part(self.edges, node.edges.start, node.edges.length);
        let names = edges.partition_point(|edge| edge.name.get() != NONE);
        edges.split_at_checked(names).unwrap_or_default()
    }

    /// The name of an edge.
    pub(super) fn name(&self, edge: &Edge) -> &'m [u8] {
        self.place(edge).map_or(&[], |place| part(self.text, place.offset, place.length))
    }

    fn place(&self, edge: &Edge) -> Option<&'m Str> {
        self.strings.get(usize::try_from(edge.name.get()).ok()?)
    }

    fn is_named(&self, edge: &Edge, key: &[u8]) -> bool {
        let same_length = |place: &&Str| usize::try_from(place.length.get()) == Ok(key.len());
        self.place(edge)
            .filter(same_length)
            .is_some_and(|place| part(self.text, place.offset, place.length) == key)
    }

    /// The child that a key leads to, by one of a node's names.
    pub(super) fn child(&self, names: &'m [Edge], key: &str) -> Option<u32> {
        let key = key.as_bytes();
        let edge = if names.len() <= FEW {
            names.iter().find(|edge| self.is_named(edge, key))
        } else {
            names.binary_search_by(|edge| self.name(edge).cmp(key)).ok().and_then(|place| names.get(place))
        };
        edge.map(|edge| edge.node.get())
    }
}

/// So many names are tried one by one: most differ by their length already.
const FEW: usize = 8;

fn part<T>(all: &[T], start: U32, length: U32) -> &[T] {
    let place = || {
        let start = usize::try_from(start.get()).ok()?;
        all.get(start..start.checked_add(usize::try_from(length.get()).ok()?)?)
    };
    place().unwrap_or_default()
}

/// What a scan captured. The vectors stay from fill to fill, so that filling
/// allocates nothing once they are large enough.
#[derive(Debug, Default)]
pub struct Slots {
    captured: Vec<Captured>,
    /// Decoded strings; after [`Slots::fill_value`] the text of every slot.
    pub(super) own: String,
    /// Per node, the object in which it was last entered.
    entered: Vec<u64>,
    /// Objects read under a node so far, in all fills.
    visits: u64,
    /// Nodes that a key led to twice, ascending after a fill.
    duplicates: Vec<u32>,
    /// Where the elements of the arrays being read begin.
    pub(super) offsets: Vec<usize>,
    /// A key being decoded.
    key: String,
}

/// A slot's value: where its text lies. A string's is what it means, without
/// quotes and escapes.
#[derive(Clone, Copy, Debug, Default)]
struct Captured {
    /// `None`: absent.
    kind: Option<Kind>,
    /// Whether the text lies in `own`, not in the event.
    own: bool,
    start: usize,
    end: usize,
}

impl Slots {
    /// One validating pass over `event`: all of it must be JSON, whatever is
    /// read. Captures every slot of the trie, then fills the derived ones.
    ///
    /// # Errors
    /// Everything but the errors about types and duplicates. After an error
    /// every slot is absent.
    pub fn fill(&mut self, event: &[u8], trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        self.reset(trie);
        let result = self.scan(event, trie, limits);
        self.finish(trie, result)
    }

    fn scan(&mut self, event: &[u8], trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        let bytes = limits.event_bytes.min(EVENT_BYTES);
        if event.len() > bytes {
            return Err(EventError::TooLarge(bytes));
        }
        let utf8 = |_| match simdutf8::compat::from_utf8(event) {
            Err(error) => EventError::Utf8(error.valid_up_to()),
            Ok(_) => EventError::Utf8(0),
        };
        let text = simdutf8::basic::from_utf8(event).map_err(utf8)?;
        scan::scan(text, limits.event_depth.min(EVENT_DEPTH), trie, self)
    }

    /// The same from a parsed value; only what is read is looked at. Numbers
    /// count as `Value` prints them.
    ///
    /// # Errors
    /// As [`Slots::fill`]; the limits count for what is read.
    pub fn fill_value(&mut self, event: &Value, trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        self.reset(trie);
        let result = value::walk(event, trie, limits, self);
        self.finish(trie, result)
    }

    fn reset(&mut self, trie: Trie<'_>) {
        self.captured.clear();
        self.captured.resize(usize::try_from(trie.slots).unwrap_or(0), Captured::default());
        self.entered.resize(trie.nodes.len(), 0);
        self.own.clear();
        self.duplicates.clear();
        self.offsets.clear();
    }

    fn finish(&mut self, trie: Trie<'_>, result: Result<(), EventError>) -> Result<(), EventError> {
        if result.is_err() {
            self.reset(trie);
            return result;
        }
        self.duplicates.sort_unstable();
        self.duplicates.dedup();
        let trie_slots = self.captured.len().saturating_sub(trie.derived.len());
        for (row, place) in trie.derived.iter().zip(trie_slots..) {
            let chosen = if self.captured(row.guard.get()).kind.is_some() { row.root } else { row.nested };
            let chosen = self.captured(chosen.get());
            if let Some(slot) = self.captured.get_mut(place) {
                *slot = chosen;
            }
        }
        result
    }

    /// Refuses an event with a duplicate key at one of the nodes `reads`
    /// (ascending) or anywhere inside the value of one of the slots `whole`.
    ///
    /// # Errors
    /// [`EventError::Duplicate`] with the path; the first in trie order, those
    /// at nodes before those inside values.
    pub fn check_duplicates(
        &self,
        event: &[u8],
        trie: Trie<'_>,
        reads: &[U32],
        whole: &[U32],
    ) -> Result<(), EventError> {
        let read = |node: &&u32| reads.binary_search_by_key(*node, |read| read.get()).is_ok();
        if let Some(node) = self.duplicates.iter().find(read) {
            return Err(EventError::Duplicate(path::of_node(trie, *node)));
        }
        for slot in whole {
            let captured = self.captured(slot.get());
            // A parsed value holds no key twice.
            if captured.own {
                continue;
            }
            if let Item::Array(text) | Item::Object(text) = self.get(slot.get(), event)
                && let Some(steps) = duplicate::find(text)
            {
                return Err(EventError::Duplicate(path::inside_slot(trie, slot.get(), &steps)));
            }
        }
        Ok(())
    }

    /// The value of a slot. `event` is the bytes of the fill; ignored after
    /// [`Slots::fill_value`], which keeps its own text.
    #[must_use]
    pub fn get<'a>(&'a self, slot: u32, event: &'a [u8]) -> Item<'a> {
        let lying = |place: Range<usize>| simdutf8::basic::from_utf8(event.get(place)?).ok();
        self.item(self.captured(slot), lying)
    }

    /// The same where the event is known to be UTF-8.
    pub(crate) fn get_in<'a>(&'a self, slot: u32, event: &'a str) -> Item<'a> {
        self.item(self.captured(slot), |place| event.get(place))
    }

    fn captured(&self, slot: u32) -> Captured {
        let place = usize::try_from(slot).ok();
        place.and_then(|slot| self.captured.get(slot)).copied().unwrap_or_default()
    }

    /// A captured value; `lying` gives the text that lies in the event.
    fn item<'a>(
        &'a self,
        captured: Captured,
        lying: impl FnOnce(Range<usize>) -> Option<&'a str>,
    ) -> Item<'a> {
        let Some(kind) = captured.kind else { return Item::Absent };
        let place = captured.start..captured.end;
        let text = if captured.own { self.own.get(place) } else { lying(place) };
        text.map_or(Item::Absent, |text| Item::new(kind, text))
    }
}

/// What the scan and the walk over a value call.
impl Slots {
    /// Keeps a value that lies in the event.
    pub(super) fn keep(&mut self, slot: u32, kind: Kind, place: Range<usize>) {
        self.set(slot, Captured { kind: Some(kind), own: false, start: place.start, end: place.end });
    }

    /// Keeps a string whose content lies in the event from `start` on.
    pub(super) fn keep_string(&mut self, slot: u32, raw: Raw<'_>, start: usize) {
        if raw.escaped {
            let start = self.own.len();
            raw.decode_into(&mut self.own);
            self.keep_own(slot, Kind::String, start);
        } else {
            self.keep(slot, Kind::String, start..start.saturating_add(raw.text.len()));
        }
    }

    /// Keeps what `own` holds from `start` on.
    pub(super) fn keep_own(&mut self, slot: u32, kind: Kind, start: usize) {
        self.set(slot, Captured { kind: Some(kind), own: true, start, end: self.own.len() });
    }

    fn set(&mut self, slot: u32, captured: Captured) {
        let place = usize::try_from(slot).ok().and_then(|slot| self.captured.get_mut(slot));
        if let Some(place) = place {
            *place = captured;
        }
    }

    /// A number for an object about to be read.
    pub(super) fn visit(&mut self) -> u64 {
        self.visits = self.visits.saturating_add(1);
        self.visits
    }

    /// Notes that a key of the object led to a node.
    pub(super) fn enter(&mut self, node: u32, visit: u64) {
        let entered = usize::try_from(node).ok().and_then(|node| self.entered.get_mut(node));
        match entered {
            Some(last) if *last == visit => self.duplicates.push(node),
            Some(last) => *last = visit,
            None => {}
        }
    }

    /// Hands a key to `look` without its escapes.
    pub(super) fn decoded<T>(&mut self, key: Raw<'_>, look: impl Fn(&str) -> T) -> T {
        self.key.clear();
        key.decode_into(&mut self.key);
        look(&self.key)
    }
}
