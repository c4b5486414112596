//! Operators on strings: folding, globs, patterns of other languages.

pub mod ecma;
pub mod find;
pub mod fold;
pub mod glob;
