//! Conditions about what happened before.

mod differential;
mod metamorphic;
mod policies;
pub(crate) mod sessions;
