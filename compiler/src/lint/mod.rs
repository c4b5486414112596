//! Lints over linked hooks: what compiles but is hardly meant. (stub)

use hookc_schema::Diagnostic;

use crate::link::Linked;

/// Runs every lint.
pub fn lint(linked: &Linked, out: &mut Vec<Diagnostic>) {
    let _ = (linked, out);
}
