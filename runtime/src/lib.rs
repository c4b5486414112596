//! The runtime of hookc executes the decisions of a policy: it runs handlers, answers hosts, keeps
//! state and logs decisions.
//!
//! ```text
//! event ─▶ Engine ─▶ decision ─▶ gate ─▶ execute ─▶ interpret ─▶ merge ─▶ the agent's answer
//!            │                    │        │           │
//!     verified module      once, rules   process,   the event's
//!                                        Host       vocabulary
//! ```
//!
//! | you have | use |
//! |---|---|
//! | tool events of a coding agent | [`bridge`], which `hookc run` is, or [`Engine::handle`] |
//! | a thread | [`thread::Thread`] |
//! | sessions with abilities | [`turn::Session`] |
//! | steps of a workflow | [`workflow::Workflow`] |
//! | skills | [`skill::Scripts`] |
//!
//! Without the feature `compiler` the runtime accepts modules; with it, also policies.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "files, the environment and processes belong to the runtime")]

pub mod adapter;
pub mod agent;
pub mod bridge;
mod context;
#[cfg(feature = "compiler")]
pub mod disk;
mod ended;
pub mod engine;
mod escaped;
pub mod event;
mod execute;
mod gate;
mod git;
pub mod history;
pub mod host;
#[cfg(feature = "http")]
pub mod http;
mod interpret;
mod json;
pub mod limits;
pub mod log;
pub mod once;
pub mod open;
pub mod outcome;
pub mod pause;
pub mod permission;
#[cfg(feature = "compiler")]
pub mod policies;
pub mod probe;
pub mod process;
mod repeat;
mod signals;
pub mod signed;
pub mod skill;
pub mod thread;
mod time;
pub mod turn;
pub mod verdict;
pub mod workflow;

pub use engine::Engine;
pub use event::Event;
pub use hookc_base::action;
pub use host::Host;
pub use once::OnceStore;
pub use outcome::{ActionFailure, Effect, EventOutcome, Outcome};
#[cfg(feature = "compiler")]
pub use policies::PolicySet;
pub use verdict::Verdict;
