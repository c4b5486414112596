//! Renderers, a file each: `text` for people, `short` a line each, `json`. `group.rs` makes one of equal ones for people.

pub mod group;
pub mod json;
pub mod short;
pub mod text;
mod window;

use crate::diag::{Diagnostic, Severity};

/// One line of what was found: `2 errors, 1 warning`; `no problems` for none.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (count(severity), severity))
        .filter(|&(count, _)| count > 0)
        .map(|(count, severity)| format!("{count} {}{}", severity.name(), if count == 1 { "" } else { "s" }))
        .collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}
