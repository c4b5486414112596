//! The hookc virtual machine: load a module, verify it, decide about events.

mod eval;
pub mod event;
pub mod limits;
pub mod module;
pub mod number;
pub mod op;
mod render;
pub mod text;

pub use eval::{Ask, DecideError, Deciding, Decision, Fired, Scratch, Trace, Traced, Verdict};
pub use module::{Family, LoadError, Module, Strategy};
pub use render::ActionError;
