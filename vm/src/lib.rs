//! The hookc virtual machine: load a module, verify it, decide about events.

mod eval;
pub mod event;
pub mod limits;
pub mod module;
pub mod number;
pub mod op;
mod render;
pub mod text;

pub use eval::{Ask, DecideError, Decision, Fired, Scratch, Tested, Traced};
pub use event::EventError;
pub use limits::Limits;
pub use module::{Family, Image, LoadError, Mode, Module, Strategy};
pub use render::ActionError;
