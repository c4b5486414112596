//! Globs (semantics §3): matched against a whole string, no build step. (stub)

/// Why a pattern is no glob: the byte offset, what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobError {
    /// Byte offset in the pattern.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// Checks a pattern.
///
/// # Errors
/// See [`GlobError`].
pub fn check(pattern: &str) -> Result<(), GlobError> {
    let _ = pattern;
    Ok(())
}

/// Whether `text` as a whole matches `pattern`; with `fold`, characters
/// compare folded. An invalid pattern matches nothing. Time is bounded by the
/// product of both lengths and the braces' alternatives.
#[must_use]
pub fn matches(pattern: &str, text: &str, fold: bool) -> bool {
    let _ = fold;
    pattern == text
}
