//! Which name of a trie node a key is.

use super::Trie;
use crate::module::format::Edge;

/// So many names are told apart by their marks; more are searched.
const FEW: usize = 16;

/// A node's names, made ready for the keys of an object.
#[derive(Debug)]
pub(super) struct Names<'t, 'm> {
    trie: &'t Trie<'m>,
    /// Ascending.
    edges: &'m [Edge],
    /// Of each name, if there are few.
    marks: [u64; FEW],
}

impl<'t, 'm> Names<'t, 'm> {
    pub(super) fn new(trie: &'t Trie<'m>, edges: &'m [Edge]) -> Self {
        let mut marks = [0; FEW];
        if edges.len() <= FEW {
            for (place, edge) in marks.iter_mut().zip(edges) {
                let (text, start, length) = trie.lying(edge);
                *place = mark(text, start, length);
            }
        }
        Self { trie, edges, marks }
    }

    /// The child that a key leads to. The key is `length` bytes of `text` from
    /// `start` on.
    #[inline]
    pub(super) fn child(&self, text: &[u8], start: usize, length: usize) -> Option<u32> {
        let key = || text.get(start..start.wrapping_add(length)).unwrap_or_default();
        if self.edges.len() > FEW {
            return self.search(key());
        }
        let wanted = mark(text, start, length);
        let mut marked = self.marks.iter().zip(self.edges).filter(|(mark, _)| **mark == wanted);
        marked.find(|(_, edge)| self.trie.name(edge) == key()).map(|(_, edge)| edge.node.get())
    }

    #[inline(never)]
    fn search(&self, key: &[u8]) -> Option<u32> {
        let found = self.edges.binary_search_by(|edge| self.trie.name(edge).cmp(key)).ok()?;
        self.edges.get(found).map(|edge| edge.node.get())
    }
}

/// A number by which most texts differ: made of a text's length and its first
/// eight bytes. What stands behind the text does not count.
#[inline]
fn mark(text: &[u8], start: usize, length: usize) -> u64 {
    let rest = text.get(start..).unwrap_or_default();
    let word = rest.first_chunk().map_or_else(|| short(rest), |chunk| u64::from_le_bytes(*chunk));
    let behind = 64_usize.saturating_sub(length.saturating_mul(8));
    let word = word.checked_shl(behind as u32).unwrap_or(0);
    word.wrapping_add(length as u64)
}

/// The first eight bytes of fewer, with zeros behind them.
#[cold]
fn short(bytes: &[u8]) -> u64 {
    let mut chunk = [0; 8];
    chunk.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    u64::from_le_bytes(chunk)
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn marks() {
        let of = |text: &str| mark(text.as_bytes(), 0, text.len());
        for text in ["", "a", "event", "tool_nam", "tool_name", "é"] {
            for (before, after) in [("", "\":1"), ("{\"", "\":1234567890"), ("x", "")] {
                let inside = format!("{before}{text}{after}");
                assert_eq!(mark(inside.as_bytes(), before.len(), text.len()), of(text), "{inside}");
            }
        }
        assert_ne!(of("ab"), of("ba"));
        assert_ne!(of("tool_name"), of("tool_names"));
        assert_ne!(of("a"), of("a\0"));
    }
}
