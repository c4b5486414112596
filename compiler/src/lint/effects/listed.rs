//! The patterns of a list, with those of the policy's sets that it names, and what W0678 says of one.

use std::ops::Range;

use hookc_schema::tree::Pattern;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Span};

use super::Declarations;

/// A pattern as written, in a list or in a set.
pub(super) struct Listed<'l> {
    pub(super) text: &'l str,
    pub(super) span: Span,
    /// Its element of a list, or that of a set.
    written: Result<&'l Pattern, &'l Value>,
    /// Where the list names the set that has it.
    pub(super) used: Option<Span>,
}

impl Listed<'_> {
    /// The span of a part of its text.
    pub(super) fn span_within(&self, range: Range<usize>) -> Span {
        match self.written {
            Ok(pattern) => pattern.node.map.span(pattern.span, range),
            Err(value) => value.span_within(range),
        }
    }

    /// A pattern that means something else than it seems to.
    pub(super) fn diagnostic(&self, what: impl Into<String>) -> Diagnostic {
        self.also_used(Diagnostic::new(Code::W0678, self.span, what).with_label("this pattern"))
    }

    /// Adds where the list names the set that has it.
    pub(super) fn also_used(&self, new: Diagnostic) -> Diagnostic {
        match self.used {
            Some(used) => new.also(used, "used here"),
            None => new,
        }
    }
}

/// The patterns of a list, and of the sets in it.
pub(super) fn listed<'l>(patterns: &'l [Pattern], declared: &Declarations<'l>) -> Vec<Listed<'l>> {
    let mut found: Vec<Listed<'l>> = Vec::new();
    let mut seen = Vec::new();
    for pattern in patterns {
        let first = found.len();
        found.push(Listed {
            text: &pattern.node.value,
            span: pattern.span,
            written: Ok(pattern),
            used: None,
        });
        let mut next = first;
        while let Some(text) = found.get(next).map(|one| one.text) {
            next += 1;
            // Both sides of a pipe can be sets.
            for name in text.split(" | ").filter_map(|side| side.trim().strip_prefix('@')) {
                let at = declared.sets.iter().position(|set| set.name == *name);
                let Some(at) = at.filter(|_| !seen.contains(&name)) else { continue };
                seen.push(name);
                let values = declared.patterns.get(at).into_iter().flatten().flatten();
                found.extend(values.filter_map(|value| {
                    let (text, used) = (value.as_str()?, Some(pattern.span));
                    Some(Listed { text, span: value.span, written: Err(value), used })
                }));
            }
        }
    }
    found
}
