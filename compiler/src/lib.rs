//! The hookc compiler: sources in, a verified module and diagnostics out.
//!
//! ```text
//! tree --check--> checked hooks --link--> linked events --plan--> plan --codegen--> module
//! ```
//!
//! Every stage takes the result of the previous one and a list of diagnostics to extend; it
//! continues after an error as far as possible.

#![forbid(unsafe_code)]

mod canonical;
pub mod check;
pub mod codegen;
pub mod disasm;
mod effects;
pub mod event_types;
pub mod explain;
mod fault;
mod fields;
mod format;
mod hosts;
pub mod index;
pub mod ir;
pub mod limits;
pub mod link;
pub mod lint;
pub mod lookup;
mod names;
pub mod pipeline;
pub mod plan;
mod rows;
pub mod schema;
mod shipped;
mod step_span;
pub mod testing;
mod tools;

pub use check::tool_roles;
pub use fault::Fault;
pub use format::format;
pub use hookc_syntax::{Dialect, Files, Input, Merge};
pub use hosts::Hosts;
pub use index::IndexThresholds;
pub use pipeline::{Compiled, Options, compile};
pub use shipped::Builtin;
