//! What hookc decides is carried out here: handlers run, hosts answered, state
//! kept, decisions logged.
//!
//! ```text
//! event ──Engine──▶ decision ──act──▶ effects ──merge──▶ the host's answer
//!                      │                │
//!                  verified module   processes, and the embedder's Host
//! ```
#![allow(clippy::disallowed_methods, reason = "files, the environment and processes belong to the runtime")]

pub mod limits;
pub mod process;
