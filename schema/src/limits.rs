//! The limit of what is reported, with its reason.

/// Diagnostics of one code and one source: nobody reads more, and each takes some hundred bytes, so
/// that a text of a few bytes each would take hundreds of times its size. Others are counted. Each code has its
/// own number, so that warnings never hide an error, nor a flood another problem.
pub const DIAGNOSTICS: usize = 1_000;
