//! The patterns of a list, with those of the policy's sets that it names, and what W0678 says of one.

use hookc_schema::tree::Pattern;
use hookc_schema::{Code, Diagnostic, Span};

use super::Declarations;

/// A pattern as written, in a list or in a set.
pub(super) struct Listed<'l> {
    pub(super) text: &'l str,
    pub(super) span: Span,
    /// Where the list names the set that has it.
    pub(super) used: Option<Span>,
}

impl Listed<'_> {
    /// A pattern that means something else than it seems to.
    pub(super) fn diagnostic(&self, what: impl Into<String>) -> Diagnostic {
        let new = Diagnostic::new(Code::W0678, self.span, what).with_label("this pattern");
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
        found.push(Listed { text: &pattern.node.value, span: pattern.span, used: None });
        let mut next = first;
        while let Some(text) = found.get(next).map(|one| one.text) {
            next += 1;
            let Some(name) = text.strip_prefix('@').filter(|name| !seen.contains(name)) else { continue };
            seen.push(name);
            let Some(at) = declared.sets.iter().position(|set| set.name == *name) else { continue };
            let values = declared.patterns.get(at).into_iter().flatten().flatten();
            found.extend(values.filter_map(|value| {
                Some(Listed { text: value.as_str()?, span: value.span, used: Some(pattern.span) })
            }));
        }
    }
    found
}
