//! Which hooks the tests exercise: those that match an event of a test or an example, including
//! those after the deciding one.

use foldhash::fast::RandomState;
use hookc_schema::Span;
use indexmap::IndexMap;

use crate::Compiled;

/// The hooks of all policies that were tested, and whether a case matched them.
#[derive(Debug, Default)]
pub struct Exercised {
    hooks: IndexMap<Span, (String, bool), RandomState>,
}

impl Exercised {
    /// The number of hooks.
    #[must_use]
    pub fn total(&self) -> usize {
        self.hooks.len()
    }

    /// The labels and spans of the hooks that no case matched, sorted by source and span.
    #[must_use]
    pub fn missing(&self) -> Vec<(&str, Span)> {
        let mut missing: Vec<_> = self
            .hooks
            .iter()
            .filter(|(_, (_, matched))| !matched)
            .map(|(span, (label, _))| (label.as_str(), *span))
            .collect();
        missing.sort_by_key(|(_, span)| *span);
        missing
    }

    /// Adds the enabled hooks of a compilation, without the shipped ones.
    pub(super) fn register(&mut self, compiled: &Compiled) {
        for hook in compiled.linked.events.iter().flat_map(|event| &event.hooks) {
            if Some(hook.span.source) != compiled.shipped {
                self.hooks.entry(hook.span).or_insert_with(|| (hook.label.clone(), false));
            }
        }
    }

    /// A case matched the hook.
    pub(super) fn mark(&mut self, hook: Span) {
        if let Some((_, matched)) = self.hooks.get_mut(&hook) {
            *matched = true;
        }
    }
}
