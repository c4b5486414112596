//! Renderer `json` (stub).

use crate::{Diagnostic, Sources};

/// Renders all `diagnostics`, each ending in a newline.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let _ = (diagnostics, sources);
    String::new()
}
