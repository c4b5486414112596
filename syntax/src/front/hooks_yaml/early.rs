//! The hooks of `hooks:`, which are read while the text is parsed.

use hookc_schema::tree::{Hook, Section};
use hookc_schema::value::Value;
use hookc_schema::{Diagnostics, Span};

use super::hook;
use crate::expr::path::PathCache;

/// The hooks read so far, with their diagnostics.
#[derive(Debug, Default)]
pub(super) struct EarlyHooks {
    /// The span of the first element, whether it is a valid hook or not.
    first: Option<Span>,
    hooks: Vec<Hook>,
    paths: PathCache,
    found: Diagnostics,
}

impl EarlyHooks {
    /// Reads the next hook.
    pub(super) fn read(&mut self, value: &Value) {
        self.first.get_or_insert(value.span);
        self.hooks.extend(hook::hook(value, Section::Hooks, &mut self.paths, &mut self.found));
    }

    /// The span of the first element.
    pub(super) fn first(&self) -> Option<Span> {
        self.first
    }

    /// Whether these are the elements of the list `items`.
    pub(super) fn are(&self, items: &[Value]) -> bool {
        self.first.is_some() && items.first().map(|item| item.span) == self.first
    }

    /// Appends the hooks to `to`, and reports what was found.
    pub(super) fn append_to(&mut self, to: &mut Vec<Hook>, out: &mut Diagnostics) {
        out.append(&mut self.found);
        if to.is_empty() {
            *to = std::mem::take(&mut self.hooks);
        } else {
            to.append(&mut self.hooks);
        }
    }
}
