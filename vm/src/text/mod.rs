//! What operators do with strings: folding, globs.

pub mod fold;
pub mod glob;
