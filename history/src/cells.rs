//! The cells of a monitor, by key.

use crate::cell::Cell;
use crate::key::{Key, Map};

/// So many cells are searched one by one, which takes no longer than a hash and needs less memory.
const FEW: usize = 8;

/// The cells of a monitor, by key. Most monitors of a session have one.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    Few(Vec<(Key, Cell)>),
    /// In the order of their keys, as they were read: a program that handles one event adds few.
    Sorted(Vec<(Key, Cell)>),
    Many(Box<Map<Key, Cell>>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, cell)| other.get(key) == Some(cell))
    }
}

impl Eq for Cells {}

impl FromIterator<(Key, Cell)> for Cells {
    /// In the order of their keys, each once.
    fn from_iter<I: IntoIterator<Item = (Key, Cell)>>(cells: I) -> Self {
        let mut cells: Vec<_> = cells.into_iter().collect();
        cells.shrink_to_fit();
        if cells.len() > FEW { Self::Sorted(cells) } else { Self::Few(cells) }
    }
}

impl Cells {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Few(cells) | Self::Sorted(cells) => cells.len(),
            Self::Many(cells) => cells.len(),
        }
    }

    pub(crate) fn get(&self, key: &Key) -> Option<&Cell> {
        match self {
            Self::Few(cells) => cells.iter().find(|(other, _)| other == key).map(|(_, cell)| cell),
            Self::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                cells.get(at).map(|(_, cell)| cell)
            }
            Self::Many(cells) => cells.get(key),
        }
    }

    pub(crate) fn get_mut(&mut self, key: &Key) -> Option<&mut Cell> {
        match self {
            Self::Few(cells) => cells.iter_mut().find(|(other, _)| other == key).map(|(_, cell)| cell),
            Self::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                cells.get_mut(at).map(|(_, cell)| cell)
            }
            Self::Many(cells) => cells.get_mut(key),
        }
    }

    /// Whether a further cell needs more memory.
    pub(crate) fn is_full(&self) -> bool {
        match self {
            Self::Few(cells) => cells.len() == cells.capacity(),
            Self::Sorted(_) => true,
            Self::Many(cells) => cells.len() == cells.capacity(),
        }
    }

    /// Adds the cell of a key that has none.
    pub(crate) fn insert(&mut self, key: Key, cell: Cell) {
        match self {
            Self::Few(cells) if cells.len() < FEW => {
                if cells.len() == cells.capacity() {
                    cells.reserve_exact(cells.len().max(1));
                }
                cells.push((key, cell));
            }
            Self::Few(cells) | Self::Sorted(cells) => {
                let cells = cells.drain(..).chain([(key, cell)]).collect();
                *self = Self::Many(Box::new(cells));
            }
            Self::Many(cells) => _ = cells.insert(key, cell),
        }
    }

    pub(crate) fn remove(&mut self, key: &Key) -> Option<Cell> {
        match self {
            Self::Few(cells) => {
                let at = cells.iter().position(|(other, _)| other == key)?;
                Some(cells.swap_remove(at).1)
            }
            Self::Sorted(cells) => {
                let at = cells.binary_search_by_key(key, |(other, _)| *other).ok()?;
                Some(cells.remove(at).1)
            }
            Self::Many(cells) => cells.remove(key),
        }
    }

    /// Gives back the memory of what was dropped, but for as much as is there.
    pub(crate) fn shrink(&mut self) {
        match self {
            Self::Many(cells) if cells.len() > FEW => cells.shrink_to(cells.len().saturating_mul(2)),
            Self::Many(_) | Self::Sorted(_) => self.fit(),
            Self::Few(_) => {}
        }
    }

    /// Gives back the memory that a further cell would use. The cells are then as they are when they are read from bytes,
    /// so that both drop old ones at the same events.
    pub(crate) fn fit(&mut self) {
        match self {
            Self::Few(cells) => cells.shrink_to_fit(),
            Self::Sorted(cells) => *self = std::mem::take(cells).into_iter().collect(),
            Self::Many(cells) => {
                let mut cells: Vec<_> = cells.drain().collect();
                cells.sort_unstable_by_key(|(key, _)| *key);
                *self = cells.into_iter().collect();
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, &Cell)> {
        let (few, many) = match self {
            Self::Few(cells) | Self::Sorted(cells) => (Some(cells), None),
            Self::Many(cells) => (None, Some(cells)),
        };
        let few = few.into_iter().flatten().map(|(key, cell)| (key, cell));
        few.chain(many.into_iter().flat_map(|cells| cells.iter()))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Cell> {
        self.iter().map(|(_, cell)| cell)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        let (few, many) = match self {
            Self::Few(cells) | Self::Sorted(cells) => (Some(cells), None),
            Self::Many(cells) => (None, Some(cells)),
        };
        let few = few.into_iter().flatten().map(|(_, cell)| cell);
        few.chain(many.into_iter().flat_map(|cells| cells.values_mut()))
    }

    /// Drops the cells for which `is_kept` is false.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&Cell) -> bool) {
        match self {
            Self::Few(cells) | Self::Sorted(cells) => cells.retain(|(_, cell)| is_kept(cell)),
            Self::Many(cells) => cells.retain(|_, cell| is_kept(cell)),
        }
    }
}
