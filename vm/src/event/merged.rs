//! The merged fields of a module, by the slots that they are made of, so that
//! an event costs only those that it has.

use super::Trie;

/// Per slot of the trie, the derived rows whose value it may be.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// Where a slot's rows begin; they end where the next slot's begin.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Merged {
    /// Costs a pass over the derived rows and one over the slots; nothing where
    /// nothing is merged.
    pub(crate) fn new(trie: &Trie<'_>) -> Self {
        if trie.derived.is_empty() {
            return Self::default();
        }
        let uses = || {
            let both = trie.derived.iter().zip(0_u32..);
            both.flat_map(|(row, number)| [(row.root.get(), number), (row.nested.get(), number)])
        };
        let slots = trie.slots as usize;
        let mut starts = vec![0_u32; slots.saturating_add(1)];
        for (slot, _) in uses() {
            if let Some(count) = starts.get_mut(slot as usize) {
                *count = count.saturating_add(1);
            }
        }
        let mut sum = 0_u32;
        for start in &mut starts {
            sum = sum.saturating_add(*start);
            *start = sum;
        }
        // Each slot's rows are written from their end; its start then is one.
        let mut rows = vec![0; sum as usize];
        for (slot, number) in uses() {
            let Some(start) = starts.get_mut(slot as usize) else { continue };
            *start = start.saturating_sub(1);
            if let Some(row) = rows.get_mut(*start as usize) {
                *row = number;
            }
        }
        Self { starts, rows }
    }

    /// The derived rows whose value a slot may be.
    pub(super) fn of(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        let place = self.starts.get(slot).zip(self.starts.get(slot.saturating_add(1)));
        place.and_then(|(start, end)| self.rows.get(*start as usize..*end as usize)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::format::Derived;

    #[test]
    fn by_slot() {
        let row = |guard: u32, root: u32, nested: u32| Derived {
            guard: guard.into(),
            root: root.into(),
            nested: nested.into(),
        };
        let derived = [row(0, 0, 1), row(0, 2, 3), row(0, 2, 1)];
        let trie = Trie { nodes: &[], edges: &[], strings: &[], text: &[], derived: &derived, slots: 7 };
        let merged = Merged::new(&trie);
        let mut of: Vec<Vec<u32>> = (0..9).map(|slot| merged.of(slot).to_vec()).collect();
        of.iter_mut().for_each(|rows| rows.sort_unstable());
        assert_eq!(of, [vec![0], vec![0, 2], vec![1, 2], vec![1], vec![], vec![], vec![], vec![], vec![]]);
        assert!(Merged::default().of(0).is_empty());
    }
}
