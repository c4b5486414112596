//! The limits of what is reported and of how long handlers of agents take, with their reasons.

use std::time::Duration;

/// Diagnostics of one code and one source: nobody reads more, and each takes some hundred bytes, so
/// that a text of a few bytes each would take hundreds of times its size. Others are counted. Each code has its
/// own number, so that warnings never hide an error, nor a flood another problem.
pub const DIAGNOSTICS: usize = 1_000;
/// A handler without a timeout of its own, and the wait for the rest of an event, end this long before the agent stops
/// waiting. In this time outputs are read, and the answer is written.
pub const ANSWER_TIME: Duration = Duration::from_secs(5);
