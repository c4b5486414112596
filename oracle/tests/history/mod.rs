//! Conditions about what happened before.

mod differential;
mod policies;
pub(crate) mod sessions;
