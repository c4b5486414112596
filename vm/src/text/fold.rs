//! Simple Unicode case folding (CaseFolding.txt, statuses C and S). (stub)

/// Folds every character of `text` onto the end of `out`.
pub fn fold_into(text: &str, out: &mut String) {
    out.push_str(text);
}

/// Whether two strings are equal when folded. Allocates nothing.
#[must_use]
pub fn eq(a: &str, b: &str) -> bool {
    a == b
}
