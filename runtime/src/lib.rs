//! What hookc decides is carried out here: handlers run, hosts answered, state
//! kept, decisions logged.
//!
//! ```text
//! event ──Engine──▶ decision ──act──▶ effects ──merge──▶ the host's answer
//!                      │                │
//!                  verified module   processes, and the embedder's Host
//! ```
#![allow(clippy::disallowed_methods, reason = "files, the environment and processes belong to the runtime")]

pub mod action;
pub mod adapter;
pub mod agent;
pub mod carry;
pub mod disk;
pub mod effect;
pub mod engine;
pub mod event;
pub mod host;
mod json;
pub mod limits;
pub mod log;
pub mod open;
pub mod policies;
pub mod process;
pub mod rule;
pub mod skill;
pub mod thread;
pub mod turn;
pub mod verdict;
pub mod workflow;

pub use effect::{Effect, Outcome};
pub use engine::{Engine, EventOutcome, PolicySet};
pub use event::Event;
pub use host::Host;
pub use verdict::Verdict;
