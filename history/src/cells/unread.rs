//! The cells of a snapshot that are read when a key asks for them.
//!
//! A process that handles one event asks for few of the cells that a file has. The others stay the bytes that they are.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::cell::Cell;
use crate::key::{Key, Map};
use crate::shape::Kind;
use crate::stamp::Stamp;

/// Bytes of a key, and of the end of a cell.
const KEY: usize = 16;
const END: usize = 4;

/// Reads a cell of this kind; the stamp is that of the last event of the snapshot.
pub(crate) type ReadCell = fn(&[u8], Kind, Stamp) -> Option<Cell>;

/// The cells of a snapshot, and those that have been read, added or removed since.
///
/// ```text
/// keys, in order   the end of each cell, 4 bytes   cells
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    section: Section,
    count: usize,
    kind: Kind,
    last: Stamp,
    read: ReadCell,
    /// Bytes of the cells in a file, about.
    bytes: usize,
    /// `None` is a cell that was removed.
    changed: Map<Key, Option<Cell>>,
    length: usize,
}

/// Part of the bytes of a partition, which all of its monitors share.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Section {
    pub(crate) fn new(bytes: &Arc<Vec<u8>>, range: Range<usize>) -> Self {
        Self { bytes: Arc::clone(bytes), range }
    }

    fn as_slice(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}

impl Unread {
    /// The cells of a section; `None` if its keys are not in order, or its ends are not those of so many cells.
    pub(crate) fn new(
        section: Section,
        (count, bytes): (usize, usize),
        (kind, last): (Kind, Stamp),
        read: ReadCell,
    ) -> Option<Self> {
        let unread = Self { section, count, kind, last, read, bytes, changed: Map::default(), length: count };
        let (keys, rest) = unread.section.as_slice().split_at_checked(count.checked_mul(KEY)?)?;
        let (_, cells) = rest.split_at_checked(count.checked_mul(END)?)?;
        let is_ordered = keys.chunks_exact(KEY).is_sorted_by(|a, b| a < b);
        let is_complete = unread.end(count.checked_sub(1)?)? == cells.len();
        (is_ordered && is_complete).then_some(unread)
    }

    /// The bytes of a section with these cells, in the order of their keys.
    pub(crate) fn write<'a>(cells: impl Iterator<Item = (Key, &'a [u8])> + Clone) -> Vec<u8> {
        let mut section: Vec<u8> = cells.clone().flat_map(|(key, _)| *key.as_bytes()).collect();
        let mut end = 0_usize;
        for (_, cell) in cells.clone() {
            end = end.saturating_add(cell.len());
            section.extend_from_slice(&hookc_base::row_number(end).to_le_bytes());
        }
        cells.for_each(|(_, cell)| section.extend_from_slice(cell));
        section
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Bytes of the cells in a file, about, if all of them are as they were read.
    pub(crate) fn unchanged_bytes(&self) -> Option<usize> {
        self.changed.is_empty().then_some(self.bytes)
    }

    pub(crate) fn get(&self, key: &Key) -> Option<Cow<'_, Cell>> {
        match self.changed.get(key) {
            Some(cell) => cell.as_ref().map(Cow::Borrowed),
            None => self.position(key).map(|at| Cow::Owned(self.cell(at))),
        }
    }

    pub(crate) fn get_mut(&mut self, key: &Key) -> Option<&mut Cell> {
        if !self.changed.contains_key(key) {
            let cell = self.cell(self.position(key)?);
            self.changed.insert(*key, Some(cell));
        }
        self.changed.get_mut(key)?.as_mut()
    }

    /// Adds the cell of a key that has none.
    pub(crate) fn insert(&mut self, key: Key, cell: Cell) {
        self.length = self.length.saturating_add(1);
        self.changed.insert(key, Some(cell));
    }

    pub(crate) fn remove(&mut self, key: &Key) -> Option<Cell> {
        let cell = self.get(key)?.into_owned();
        self.length = self.length.saturating_sub(1);
        self.changed.insert(*key, None);
        Some(cell)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, Cow<'_, Cell>)> {
        let unchanged = (0..self.count).filter_map(|at| {
            let key = self.key(at).filter(|key| !self.changed.contains_key(key))?;
            Some((key, Cow::Owned(self.cell(at))))
        });
        let changed = self.changed.iter();
        unchanged.chain(changed.filter_map(|(key, cell)| Some((*key, Cow::Borrowed(cell.as_ref()?)))))
    }

    fn position(&self, key: &Key) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.key(middle)?.cmp(key) {
                Ordering::Less => low = middle.saturating_add(1),
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn key(&self, at: usize) -> Option<Key> {
        self.section.as_slice().get(at.checked_mul(KEY)?..)?.first_chunk().map(|key| Key(*key))
    }

    /// The end of a cell among the bytes of the cells.
    fn end(&self, at: usize) -> Option<usize> {
        let ends = self.section.as_slice().get(self.count.checked_mul(KEY)?..)?;
        let end = ends.get(at.checked_mul(END)?..)?.first_chunk()?;
        usize::try_from(u32::from_le_bytes(*end)).ok()
    }

    /// Whether each cell of the snapshot can be read.
    pub(crate) fn is_readable(&self) -> bool {
        (0..self.count).all(|at| self.readable(at).is_some())
    }

    /// A cell. Of one that cannot be read, although the checksum of the snapshot is right, nothing is known.
    fn cell(&self, at: usize) -> Cell {
        self.readable(at).unwrap_or_else(|| Cell::new(self.kind, self.last, Some(self.last)))
    }

    fn readable(&self, at: usize) -> Option<Cell> {
        (self.read)(self.bytes(at)?, self.kind, self.last)
    }

    fn bytes(&self, at: usize) -> Option<&[u8]> {
        let cells = self.section.as_slice().get(self.count.checked_mul(KEY.checked_add(END)?)?..)?;
        let start = at.checked_sub(1).map_or(Some(0), |before| self.end(before))?;
        cells.get(start..self.end(at)?)
    }
}
