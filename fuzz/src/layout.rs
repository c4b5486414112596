//! Formatting: a hooks file that compiles has a formatted form with the same meaning and all its
//! comments, which formatting again does not change.

use hookc_schema::{Code, Diagnostic};
use hookc_syntax::fmt;

/// A formatted hooks file.
#[allow(clippy::panic, reason = "a property that fails panics")]
pub fn layout(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = fmt::canonical(text);
    let once = match hookc_compiler::format("policy", text) {
        Ok(once) => once,
        Err((_, diagnostics)) => {
            let changed = |diagnostic: &Diagnostic| diagnostic.code == Code::E0802;
            assert!(!diagnostics.iter().any(changed), "means something else: {:?}", fmt::canonical(text));
            return;
        }
    };
    assert_eq!(fmt::comments(&once), fmt::comments(text), "comments:\n{once}");
    assert_eq!(fmt::canonical(&once).as_ref(), Some(&once), "the second time");
}
