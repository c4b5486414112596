//! Lists of patterns with the sets in them.

use super::reading::Reading;

/// Patterns of which one must match.
#[derive(Clone, Debug)]
pub(crate) struct Choice<P> {
    pub(crate) of: Vec<P>,
    /// Sets that have exceptions.
    pub(crate) parts: Vec<Part<P>>,
}

/// A set: what it has, and what it leaves out.
#[derive(Clone, Debug)]
pub(crate) struct Part<P> {
    pub(crate) of: Choice<P>,
    pub(crate) except: Choice<P>,
}

impl<P> Default for Choice<P> {
    fn default() -> Self {
        Self { of: Vec::new(), parts: Vec::new() }
    }
}

impl<P> Choice<P> {
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

    /// Every pattern, without those that sets leave out.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &P> + '_> {
        Box::new(self.of.iter().chain(self.parts.iter().flat_map(|part| part.of.iter())))
    }
}
