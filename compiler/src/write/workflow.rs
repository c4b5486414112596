//! Dialect workflow: not there yet.

use hookc_schema::tree::Policy;

use super::{Loss, Written};

/// Writes a policy.
#[must_use]
pub fn write(policy: &Policy) -> (Vec<Written>, Vec<Loss>) {
    let _ = policy;
    (Vec::new(), Vec::new())
}
