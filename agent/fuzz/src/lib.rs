//! The body of the fuzz target of the agent. It accepts any bytes and panics if its property is violated. It compiles
//! on stable; `fuzz/wrappers` has its wrapper.
#![forbid(unsafe_code)]

mod wires;

// The agent is a program without a library.
#[allow(dead_code, reason = "the agent needs more of it")]
#[path = "../../src/message.rs"]
mod message;
#[allow(dead_code, clippy::disallowed_methods, reason = "the agent needs more of it")]
#[path = "../../src/model/mod.rs"]
mod model;

pub use wires::wires;
