//! The slots of one event, reusable from event to event.

use std::ops::Range;

use hookc_base::row_number;
use zerocopy::little_endian::U32;

use super::json::{Json, Kind, Quoted};
use super::late::Stored;
use super::parsed::Values;
use super::string::Raw;
use super::tokens::{Level, Tokens};
use super::trie_index::{Child, TrieIndex};
use super::{EventError, Item, Trie, duplicate, path, scan, walk};
use crate::limits::{DENSE_BYTES, EVENT_BYTES, EVENT_DEPTH, LATE_BYTES, Limits};

/// The result of a scan. The vectors are reused, so filling allocates nothing once they are large
/// enough, and no slot is cleared for the next event. A merged field has no value of its own: where it is
/// read, that of one of two slots is.
#[derive(Debug, Default)]
pub struct Slots {
    captured: Vec<Captured>,
    /// The number of the event, above zero after a fill.
    fill: u32,
    /// Decoded strings.
    pub(super) own: String,
    /// The views, one after the other.
    pub(super) views: String,
    /// The words of a command line that is an array.
    pub(super) line: String,
    /// Per node without a slot, the event in which a key last led to it.
    entered: Vec<u32>,
    /// Nodes that a key led to twice, and those below them, ascending after a fill.
    duplicates: Vec<u32>,
    /// The positions of the elements of the arrays that are being read.
    pub(super) offsets: Vec<usize>,
    /// The nodes of the objects around the one that is being read.
    pub(super) objects: Vec<u32>,
    /// A key being decoded.
    key: String,
    /// Bytes from which on strings with escapes stay as they are written.
    late: Option<usize>,
    /// The text that is read: the event, or views.
    pub(super) holder: Holder,
    /// In a box: they are taken out while an event is read.
    tokens: Option<Box<Tokens>>,
    /// If not the best.
    level: Option<Level>,
}

/// The value of a slot: the range of its text. A string's text is its content, without quotes and
/// escapes.
#[derive(Clone, Copy, Debug)]
struct Captured {
    start: u32,
    end: u32,
    /// The event that has the value: in others the slot is absent.
    fill: u32,
    kind: Kind,
    holder: Holder,
}

impl Captured {
    const ABSENT: Self = Self { start: 0, end: 0, fill: 0, kind: Kind::Null, holder: Holder::Event };

    const fn place(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    const fn is_container(&self) -> bool {
        matches!(self.kind, Kind::Array | Kind::Object)
    }
}

/// The slots with the names of event types, which the first slots are.
pub(crate) const TYPES: u32 = 3;

/// What slots are filled from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// The text of an event.
    Text(&'a str),
    /// An event that is parsed already: its values are found when they are read.
    Parsed(&'a (dyn Values + 'a)),
}

/// What the text of a value is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Holder {
    /// The event.
    #[default]
    Event,
    /// The event, where it is a string with escapes.
    Escaped,
    /// `own`.
    Own,
    /// `views`.
    Views,
}

impl Slots {
    /// One validating pass over `event`: all of it must be JSON, whatever is read. Captures every
    /// slot of the trie. Builds the index of the trie first; [`Slots::read`] takes an existing one.
    ///
    /// # Errors
    /// Everything but the errors about types and duplicates. After an error
    /// every slot is absent.
    pub fn fill(&mut self, event: &[u8], trie: Trie<'_>, limits: &Limits) -> Result<(), EventError> {
        self.read(event, &trie, &TrieIndex::new(&trie), limits).map(drop)
    }

    /// Like `fill`, with an existing index of the trie, so the cost is independent of the trie's size;
    /// returns the text of the event.
    ///
    /// # Errors
    /// As [`Slots::fill`].
    pub fn read<'e>(
        &mut self,
        event: &'e [u8],
        trie: &Trie<'_>,
        index: &TrieIndex,
        limits: &Limits,
    ) -> Result<&'e str, EventError> {
        self.late = None;
        self.read_bytes(event, trie, index, limits)
    }

    /// Like `read`, but long strings are decoded when they are read.
    pub(crate) fn read_late<'e>(
        &mut self,
        event: &'e [u8],
        trie: &Trie<'_>,
        index: &TrieIndex,
        limits: &Limits,
    ) -> Result<&'e str, EventError> {
        self.late = Some(limits.late_bytes.min(LATE_BYTES));
        let text = self.read_bytes(event, trie, index, limits);
        self.late = None;
        text
    }

    fn read_bytes<'e>(
        &mut self,
        event: &'e [u8],
        trie: &Trie<'_>,
        index: &TrieIndex,
        limits: &Limits,
    ) -> Result<&'e str, EventError> {
        self.start(trie);
        let level = self.level.unwrap_or_else(Level::best);
        let text = text(event, limits, level);
        let depth = limits.event_depth.min(EVENT_DEPTH);
        let result = text.and_then(|text| self.read_text(text, (depth, level), (trie, index)).map(|()| text));
        self.finish(result)
    }

    fn read_text(
        &mut self,
        text: &str,
        (depth, level): (usize, Level),
        trie: (&Trie<'_>, &TrieIndex),
    ) -> Result<(), EventError> {
        let mut tokens = self.tokens.take().unwrap_or_default();
        let result = if tokens.read(level, text, depth) {
            walk::walk(text, &tokens, trie, self);
            Ok(())
        } else {
            scan::scan(text, depth, trie, self)
        };
        if text.len() <= DENSE_BYTES {
            self.tokens = Some(tokens);
        }
        result
    }

    /// Reads events with these instructions, and not with the best of the processor.
    pub fn read_with(&mut self, level: Level) {
        self.level = Some(level);
    }

    /// Forgets the last event, and makes room for this trie's. A parsed event needs no more: its own
    /// values are in no slots.
    pub(crate) fn start(&mut self, trie: &Trie<'_>) {
        self.clear();
        if self.captured.len() < trie.slots as usize || self.entered.len() < trie.nodes.len() {
            self.grow(trie);
        }
    }

    #[cold]
    fn grow(&mut self, trie: &Trie<'_>) {
        let (slots, nodes) = (trie.slots as usize, trie.nodes.len());
        self.captured.resize(self.captured.len().max(slots), Captured::ABSENT);
        self.entered.resize(self.entered.len().max(nodes), 0);
    }

    fn clear(&mut self) {
        self.fill = self.fill.wrapping_add(1);
        if self.fill == 0 {
            self.captured.clear();
            self.entered.clear();
            self.fill = 1;
        }
        self.own.clear();
        self.views.clear();
        self.duplicates.clear();
        self.offsets.clear();
    }

    fn finish<T>(&mut self, result: Result<T, EventError>) -> Result<T, EventError> {
        if result.is_err() {
            self.clear();
        } else if !self.duplicates.is_empty() {
            self.duplicates.sort_unstable();
            self.duplicates.dedup();
        }
        result
    }

    /// Whether [`check_duplicates`](Self::check_duplicates) has anything to look at.
    #[inline]
    pub(crate) fn may_have_duplicates(&self, whole: &[U32]) -> bool {
        !self.duplicates.is_empty() || !whole.is_empty()
    }

    /// Rejects an event with a duplicate key at one of the nodes `reads` (ascending) or anywhere
    /// inside the value of one of the slots `whole` (ascending).
    ///
    /// # Errors
    /// [`EventError::Duplicate`] with the path; the first in trie order, those
    /// at nodes before those inside values.
    #[inline]
    pub fn check_duplicates(
        &self,
        event: &[u8],
        trie: &Trie<'_>,
        reads: &[U32],
        whole: &[U32],
    ) -> Result<(), EventError> {
        if !self.may_have_duplicates(whole) {
            return Ok(());
        }
        self.duplicate(event, trie, (reads, whole)).map_or(Ok(()), |path| Err(EventError::Duplicate(path)))
    }

    /// The path of the first duplicate key.
    #[inline(never)]
    fn duplicate(&self, event: &[u8], trie: &Trie<'_>, (reads, whole): (&[U32], &[U32])) -> Option<String> {
        let read = |node: &&u32| reads.binary_search_by_key(*node, |read| read.get()).is_ok();
        if let Some(node) = self.duplicates.iter().find(read) {
            return Some(path::of_node(*trie, *node));
        }
        let inside = |slot: &U32| Some((slot.get(), self.duplicate_inside(slot.get(), event)?));
        let (slot, steps) = whole.iter().find_map(inside)?;
        Some(path::inside_slot(*trie, slot, &steps))
    }

    fn duplicate_inside(&self, slot: u32, event: &[u8]) -> Option<Vec<duplicate::Step>> {
        let captured = self.captured(slot).filter(|captured| captured.holder == Holder::Event)?;
        if !captured.is_container() {
            return None;
        }
        duplicate::find(Level::utf8(event.get(captured.place())?)?)
    }

    /// The value of a slot. `event` and `trie` are those of the fill.
    #[must_use]
    pub fn get<'a>(&'a self, slot: u32, event: &'a [u8], trie: &Trie<'_>) -> Item<'a> {
        let lying = |place: Range<usize>| Level::utf8(event.get(place)?);
        self.captured(self.source(slot, trie)).map_or(Item::Absent, |captured| self.item(captured, lying))
    }

    /// The slot whose value a slot of a text has.
    #[inline]
    pub(crate) fn source(&self, slot: u32, trie: &Trie<'_>) -> u32 {
        trie.source(slot, |guard| self.captured(guard).is_some())
    }

    /// The value of a slot of an event in either form.
    #[inline]
    pub(crate) fn stored<'a>(&'a self, slot: u32, event: Origin<'a>, trie: &Trie<'_>) -> Stored<'a> {
        match event {
            Origin::Text(event) => self.get_in(self.source(slot, trie), event),
            Origin::Parsed(values) => self.get_of(slot, values),
        }
    }

    /// The value of a slot of a parsed event. Of slots, only those of views are filled.
    fn get_of<'a>(&'a self, slot: u32, values: &'a dyn Values) -> Stored<'a> {
        if self.views.is_empty() {
            return values.value(slot);
        }
        let slot = values.source(slot);
        match self.captured(slot) {
            Some(captured) => Stored::Item(self.item(captured, |_| None)),
            None => values.slot(slot),
        }
    }

    /// The value of a slot of the trie, of an event that is known to be UTF-8.
    #[inline]
    pub(crate) fn get_in<'a>(&'a self, slot: u32, event: &'a str) -> Stored<'a> {
        match self.captured(slot) {
            Some(captured) => self.present(captured, event),
            None => Stored::Item(Item::Absent),
        }
    }

    /// The kind and the text of a value of a text, an absent one being null; `None` for a long string with
    /// escapes.
    #[inline(always)]
    pub(crate) fn scalar<'a>(&'a self, slot: u32, event: &'a str) -> Option<(Kind, &'a [u8])> {
        let Some(captured) = self.captured(slot) else { return Some((Kind::Null, b"")) };
        let around = self.around(captured, event)?;
        Some((captured.kind, around.as_bytes().get(captured.place())?))
    }

    /// Like `scalar`, for a value of a parsed event; `None` too for what has no text of its own. The kind has a parameter
    /// of its own because a pair would be passed through memory, for texts too.
    #[inline(never)]
    pub(crate) fn scalar_of<'a>(
        &'a self,
        slot: u32,
        values: &'a dyn Values,
        kind: &mut Kind,
    ) -> Option<&'a [u8]> {
        if self.views.is_empty() {
            return values.scalar(slot, kind);
        }
        let Stored::Item(item) = self.get_of(slot, values) else { return None };
        let text;
        (*kind, text) = item.scalar();
        Some(text)
    }

    /// The string in a slot of a text; `None` for other values.
    #[inline]
    pub(crate) fn string<'a>(&'a self, slot: u32, event: &'a str) -> Option<&'a str> {
        let captured = self.captured(slot).filter(|captured| captured.kind == Kind::String)?;
        self.around(captured, event)?.get(captured.place())
    }

    /// The text that contains a captured value; `None` for a long string with escapes.
    #[inline(always)]
    fn around<'a>(&'a self, captured: &Captured, event: &'a str) -> Option<&'a str> {
        if captured.holder == Holder::Event { Some(event) } else { self.text_of(captured.holder) }
    }

    /// The texts of slots that do not lie inside the event.
    #[inline(never)]
    fn text_of(&self, holder: Holder) -> Option<&str> {
        match holder {
            Holder::Own => Some(&self.own),
            Holder::Views => Some(&self.views),
            Holder::Event | Holder::Escaped => None,
        }
    }

    fn present<'a>(&'a self, captured: &Captured, event: &'a str) -> Stored<'a> {
        if captured.holder == Holder::Escaped {
            return Stored::escaped(event.get(captured.place()).unwrap_or_default());
        }
        Stored::Item(self.item(captured, |place| event.get(place)))
    }

    #[inline]
    fn captured(&self, slot: u32) -> Option<&Captured> {
        self.captured.get(slot as usize).filter(|captured| captured.fill == self.fill)
    }

    /// A captured value; `lying` returns the text inside the event.
    fn item<'a>(
        &'a self,
        captured: &Captured,
        lying: impl FnOnce(Range<usize>) -> Option<&'a str>,
    ) -> Item<'a> {
        let place = captured.place();
        let text = match captured.holder {
            Holder::Event => lying(place),
            // Only `get_in` is asked for an escaped one.
            holder => self.text_of(holder).and_then(|text| text.get(place)),
        };
        text.map_or(Item::Absent, |text| Item::new(captured.kind, text))
    }
}

/// The interface between the slots and both the scan and the walk over a value.
impl Slots {
    /// Captures a value inside the text that is read.
    #[inline]
    pub(super) fn keep(&mut self, slot: u32, kind: Kind, place: Range<usize>) {
        self.keep_span(slot, kind, row_number(place.start), row_number(place.end));
    }

    /// Keeps a value between two positions.
    #[inline(always)]
    pub(super) fn keep_span(&mut self, slot: u32, kind: Kind, start: u32, end: u32) {
        self.set(slot, Captured { start, end, fill: self.fill, kind, holder: self.holder });
    }

    /// Captures a string of the text.
    #[inline]
    pub(super) fn keep_string(&mut self, slot: u32, json: &Json<'_>, quoted: Quoted) {
        if quoted.escaped {
            self.keep_escaped(slot, json, quoted);
        } else {
            self.keep(slot, Kind::String, quoted.start..quoted.end);
        }
    }

    #[inline(never)]
    fn keep_escaped(&mut self, slot: u32, json: &Json<'_>, quoted: Quoted) {
        let Quoted { start, end, .. } = quoted;
        let is_late = self.late.is_some_and(|least| end.saturating_sub(start) >= least);
        if is_late && slot >= TYPES {
            let (start, end) = (row_number(start), row_number(end));
            let (kind, holder) = (Kind::String, Holder::Escaped);
            return self.set(slot, Captured { start, end, fill: self.fill, kind, holder });
        }
        let start = self.own.len();
        json.raw(quoted).decode_into(&mut self.own);
        self.keep_own(slot, Kind::String, start);
    }

    /// Captures the content of `own` from `start` on.
    pub(super) fn keep_own(&mut self, slot: u32, kind: Kind, start: usize) {
        let (start, end) = (row_number(start), row_number(self.own.len()));
        self.set(slot, Captured { start, end, fill: self.fill, kind, holder: Holder::Own });
    }

    #[inline(always)]
    fn set(&mut self, slot: u32, captured: Captured) {
        if let Some(place) = self.captured.get_mut(slot as usize) {
            *place = captured;
        }
    }

    /// Captures a scalar inside the event between two positions, to which a key led.
    #[inline(always)]
    pub(super) fn keep_member(&mut self, child: Child, kind: Kind, start: u32, end: u32) {
        let Some(place) = self.captured.get_mut(child.slot as usize) else {
            return self.enter_node(child.node);
        };
        let is_second = place.fill == self.fill;
        *place = Captured { start, end, fill: self.fill, kind, holder: Holder::Event };
        if is_second {
            self.note_duplicate(child.node);
        }
    }

    /// Notes that a key led to a child, before its value is captured. One path leads to a node, so that a node
    /// that has a value in this event was led to by another key, or is below one that was.
    #[inline(always)]
    pub(super) fn enter(&mut self, child: Child) {
        match self.captured.get(child.slot as usize) {
            Some(place) if place.fill == self.fill => self.note_duplicate(child.node),
            Some(_) => {}
            None => self.enter_node(child.node),
        }
    }

    /// Like `enter`, for a node without a slot. A missing node is not noted.
    #[inline(always)]
    fn enter_node(&mut self, node: u32) {
        let Some(last) = self.entered.get_mut(node as usize) else { return };
        if std::mem::replace(last, self.fill) == self.fill {
            self.note_duplicate(node);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_duplicate(&mut self, node: u32) {
        self.duplicates.push(node);
    }

    /// A key without its escapes.
    pub(super) fn decoded(&mut self, key: Raw<'_>) -> &[u8] {
        self.key.clear();
        key.decode_into(&mut self.key);
        self.key.as_bytes()
    }
}

/// An event's text, if it is not too large and UTF-8.
fn text<'e>(event: &'e [u8], limits: &Limits, level: Level) -> Result<&'e str, EventError> {
    let bytes = limits.event_bytes.min(EVENT_BYTES);
    if event.len() > bytes {
        return Err(EventError::TooLarge(bytes));
    }
    if let Some(text) = level.ascii(event) {
        return Ok(text);
    }
    Level::utf8(event).ok_or_else(|| match std::str::from_utf8(event) {
        Err(error) => EventError::Utf8(error.valid_up_to()),
        Ok(_) => EventError::Utf8(0),
    })
}
