//! The hookc virtual machine: load a module, verify it, decide about events. (interface draft)

pub mod event;
pub mod limits;
pub mod module;
pub mod number;
pub mod op;
pub mod text;
