//! Writes a dialect. (stub)

use hookc_schema::tree::Policy;

use super::Loss;

/// The policy in the dialect, and what of it could not be said.
#[must_use]
pub fn write(policy: &Policy) -> (String, Vec<Loss>) {
    let _ = policy;
    (String::new(), Vec::new())
}
