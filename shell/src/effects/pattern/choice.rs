//! Lists of patterns with the sets in them.

use super::reading::Reading;
use crate::effects::keys::{Index, Key, Keyed, Keys};

/// Patterns of which one must match.
#[derive(Clone, Debug)]
pub(crate) struct Choice<P> {
    pub(crate) of: Vec<P>,
    /// Sets that have exceptions.
    pub(crate) parts: Vec<Part<P>>,
    /// The patterns by their keys, once all of them are there.
    index: Option<Index>,
}

/// A set: what it has, and what it leaves out.
#[derive(Clone, Debug)]
pub(crate) struct Part<P> {
    pub(crate) of: Choice<P>,
    pub(crate) except: Choice<P>,
}

impl<P> Default for Choice<P> {
    fn default() -> Self {
        Self { of: Vec::new(), parts: Vec::new(), index: None }
    }
}

impl<P> Choice<P> {
    /// Patterns without sets.
    pub(crate) fn new(of: Vec<P>) -> Self {
        Self { of, ..Self::default() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.of.is_empty() && self.parts.is_empty()
    }

    /// Whether a pattern matches that no set leaves out.
    pub(crate) fn matches(&self, reading: Reading, test: &dyn Fn(&P, Reading) -> bool) -> bool {
        self.find(reading, test).is_some()
    }

    /// The first pattern that matches, and that no set leaves out.
    pub(crate) fn find(&self, reading: Reading, test: &dyn Fn(&P, Reading) -> bool) -> Option<&P> {
        let of = self.of.iter().find(|pattern| test(pattern, reading));
        of.or_else(|| {
            self.parts.iter().find_map(|part| {
                let found = part.of.find(reading, test)?;
                (!part.except.matches(reading.except(), test)).then_some(found)
            })
        })
    }

    /// Like `matches`, for a test that is true only of patterns with one of some keys.
    pub(crate) fn matches_near(
        &self,
        keys: Keys<'_>,
        reading: Reading,
        test: &dyn Fn(&P, Reading) -> bool,
    ) -> bool {
        self.find_near(keys, reading, test).is_some()
    }

    /// Like `find`, for a test that is true only of patterns with one of some keys.
    pub(crate) fn find_near(
        &self,
        near: Keys<'_>,
        reading: Reading,
        test: &dyn Fn(&P, Reading) -> bool,
    ) -> Option<&P> {
        let Some(index) = &self.index else { return self.find(reading, test) };
        let keys = near.read(reading);
        if !index.can_match(keys) {
            return None;
        }
        let of = index.find(keys, &self.of, &|pattern| test(pattern, reading));
        of.or_else(|| {
            self.parts.iter().find_map(|part| {
                let found = part.of.find_near(near, reading, test)?;
                (!part.except.matches_near(near, reading.except(), test)).then_some(found)
            })
        })
    }

    /// Bits of the keys of all patterns; all bits without an index.
    pub(crate) fn mask(&self) -> u64 {
        self.index.as_ref().map_or(u64::MAX, Index::mask)
    }

    /// The keys of which each object has one that a pattern matches; none if a pattern has no keys.
    pub(crate) fn keys(&self) -> Option<Vec<Key>> {
        let mut keys = self.index.as_ref()?.keys()?;
        for part in &self.parts {
            keys.extend(part.of.keys()?);
        }
        Some(keys)
    }

    /// Every pattern, without those that sets leave out.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &P> + '_> {
        Box::new(self.of.iter().chain(self.parts.iter().flat_map(|part| part.of.iter())))
    }
}

impl<P: Keyed> Choice<P> {
    /// The list with an index of its patterns.
    pub(crate) fn indexed(mut self) -> Self {
        let parts = self.parts.into_iter();
        self.parts =
            parts.map(|part| Part { of: part.of.indexed(), except: part.except.indexed() }).collect();
        let inner = self.parts.iter().fold(0, |mask, part| mask | part.of.mask());
        self.index = Some(Index::new(self.of.iter(), inner));
        self
    }
}
