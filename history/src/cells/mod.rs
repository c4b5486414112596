//! The cells of a monitor, by key.

mod unread;

use std::borrow::Cow;

pub(crate) use unread::{Section, Unread};

use crate::cell::Cell;
use crate::key::{Key, Map};

/// So many cells are searched one by one, which takes no longer than a hash and needs less memory.
pub(crate) const FEW: usize = 8;

/// The cells of a monitor, by key. Most monitors of a session have one.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    content: Content,
    /// So many cells, if there are more than a few, make it worth while to look for those that are out of every window.
    /// It follows from the records since the last snapshot, so that a process that reads them drops the same cells.
    limit: usize,
}

#[derive(Clone, Debug)]
enum Content {
    Few(Vec<(Key, Cell)>),
    /// In the order of their keys.
    Sorted(Vec<(Key, Cell)>),
    Many(Box<Map<Key, Cell>>),
    Unread(Box<Unread>),
}

impl Default for Cells {
    fn default() -> Self {
        Self { content: Content::Few(Vec::new()), limit: limit(0) }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, cell)| other.get(&key) == Some(cell))
    }
}

impl Eq for Cells {}

impl FromIterator<(Key, Cell)> for Cells {
    /// In the order of their keys, each once.
    fn from_iter<I: IntoIterator<Item = (Key, Cell)>>(cells: I) -> Self {
        let mut cells: Vec<_> = cells.into_iter().collect();
        cells.shrink_to_fit();
        let limit = limit(cells.len());
        let content = if cells.len() > FEW { Content::Sorted(cells) } else { Content::Few(cells) };
        Self { content, limit }
    }
}

impl From<Unread> for Cells {
    fn from(unread: Unread) -> Self {
        let limit = limit(unread.len());
        Self { content: Content::Unread(Box::new(unread)), limit }
    }
}

fn limit(length: usize) -> usize {
    length.max(FEW).saturating_mul(2)
}

impl Cells {
    pub(crate) fn len(&self) -> usize {
        match &self.content {
            Content::Few(cells) | Content::Sorted(cells) => cells.len(),
            Content::Many(cells) => cells.len(),
            Content::Unread(cells) => cells.len(),
        }
    }

    pub(crate) fn get(&self, key: &Key) -> Option<Cow<'_, Cell>> {
        let cell = match &self.content {
            Content::Few(cells) => cells.iter().find(|(other, _)| other == key).map(|(_, cell)| cell),
            Content::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                cells.get(at).map(|(_, cell)| cell)
            }
            Content::Many(cells) => cells.get(key),
            Content::Unread(cells) => return cells.get(key),
        };
        cell.map(Cow::Borrowed)
    }

    pub(crate) fn get_mut(&mut self, key: &Key) -> Option<&mut Cell> {
        match &mut self.content {
            Content::Few(cells) => cells.iter_mut().find(|(other, _)| other == key).map(|(_, cell)| cell),
            Content::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                cells.get_mut(at).map(|(_, cell)| cell)
            }
            Content::Many(cells) => cells.get_mut(key),
            Content::Unread(cells) => cells.get_mut(key),
        }
    }

    /// Whether to look for cells that are out of every window before one is added.
    pub(crate) fn is_full(&self) -> bool {
        match &self.content {
            Content::Few(cells) => cells.len() == cells.capacity(),
            _ => self.len() >= self.limit,
        }
    }

    /// Whether each of them can be read.
    pub(crate) fn is_readable(&self) -> bool {
        match &self.content {
            Content::Unread(cells) => cells.is_readable(),
            _ => true,
        }
    }

    /// Bytes that they take in a file, about.
    pub(crate) fn bytes(&self) -> usize {
        let unread = match &self.content {
            Content::Unread(cells) => cells.unchanged_bytes(),
            _ => None,
        };
        unread.unwrap_or_else(|| self.iter().map(|(_, cell)| cell.bytes()).fold(0, usize::saturating_add))
    }

    /// Adds the cell of a key that has none.
    pub(crate) fn insert(&mut self, key: Key, cell: Cell) {
        match &mut self.content {
            Content::Few(cells) if cells.len() < FEW => {
                if cells.len() == cells.capacity() {
                    cells.reserve_exact(cells.len().max(1));
                }
                cells.push((key, cell));
            }
            Content::Few(cells) | Content::Sorted(cells) => {
                let cells = cells.drain(..).chain([(key, cell)]).collect();
                self.content = Content::Many(Box::new(cells));
            }
            Content::Many(cells) => _ = cells.insert(key, cell),
            Content::Unread(cells) => cells.insert(key, cell),
        }
    }

    pub(crate) fn remove(&mut self, key: &Key) -> Option<Cell> {
        match &mut self.content {
            Content::Few(cells) => {
                let at = cells.iter().position(|(other, _)| other == key)?;
                Some(cells.swap_remove(at).1)
            }
            Content::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                Some(cells.remove(at).1)
            }
            Content::Many(cells) => cells.remove(key),
            Content::Unread(cells) => cells.remove(key),
        }
    }

    /// Gives back the memory of what was dropped, but for as much as is there.
    pub(crate) fn shrink(&mut self) {
        let length = self.len();
        match &mut self.content {
            Content::Few(_) => {}
            Content::Many(cells) if length > FEW => {
                self.limit = limit(length);
                cells.shrink_to(self.limit);
            }
            _ => self.fit(),
        }
    }

    /// Gives back the memory that a further cell would use. The cells are then as they are when they are read from bytes,
    /// so that both drop old ones at the same events.
    pub(crate) fn fit(&mut self) {
        let mut cells = match &mut self.content {
            Content::Few(cells) => return cells.shrink_to_fit(),
            Content::Sorted(cells) => std::mem::take(cells),
            Content::Many(cells) => cells.drain().collect(),
            Content::Unread(cells) => cells.iter().map(|(key, cell)| (key, cell.into_owned())).collect(),
        };
        cells.sort_unstable_by_key(|(key, _)| *key);
        *self = cells.into_iter().collect();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, Cow<'_, Cell>)> {
        let (few, many, unread) = match &self.content {
            Content::Few(cells) | Content::Sorted(cells) => (Some(cells), None, None),
            Content::Many(cells) => (None, Some(cells), None),
            Content::Unread(cells) => (None, None, Some(cells)),
        };
        let few = few.into_iter().flatten().map(|(key, cell)| (*key, Cow::Borrowed(cell)));
        let many = many.into_iter().flat_map(|cells| cells.iter());
        let many = many.map(|(key, cell)| (*key, Cow::Borrowed(cell)));
        few.chain(many).chain(unread.into_iter().flat_map(|cells| cells.iter()))
    }

    /// All cells, which are read for it.
    fn read_all(&mut self) -> &mut Content {
        if let Content::Unread(cells) = &self.content {
            let mut cells: Vec<_> = cells.iter().map(|(key, cell)| (key, cell.into_owned())).collect();
            cells.sort_unstable_by_key(|(key, _)| *key);
            self.content = Content::Sorted(cells);
        }
        &mut self.content
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        let (few, many) = match self.read_all() {
            Content::Few(cells) | Content::Sorted(cells) => (Some(cells), None),
            Content::Many(cells) => (None, Some(cells)),
            Content::Unread(_) => (None, None),
        };
        let few = few.into_iter().flatten().map(|(_, cell)| cell);
        few.chain(many.into_iter().flat_map(|cells| cells.values_mut()))
    }

    /// Drops the cells for which `is_kept` is false.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&Cell) -> bool) {
        match self.read_all() {
            Content::Few(cells) | Content::Sorted(cells) => cells.retain(|(_, cell)| is_kept(cell)),
            Content::Many(cells) => cells.retain(|_, cell| is_kept(cell)),
            Content::Unread(_) => {}
        }
    }
}
