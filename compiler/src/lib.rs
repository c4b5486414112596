//! The hookc compiler: sources in, a verified module and diagnostics out.
//!
//! ```text
//! text --front--> tree --check--> checked hooks --link--> linked events --plan--> plan --codegen--> module
//! ```
//!
//! Every stage takes what the one before made and a list to add diagnostics
//! to; it goes on after an error as far as sense can be made of the rest.

pub mod check;
pub mod codegen;
pub mod disasm;
pub mod event_types;
pub mod explain;
pub mod expr;
pub mod files;
pub mod fmt;
pub mod front;
pub mod index;
pub mod limits;
pub mod link;
pub mod lint;
pub mod lookup;
pub mod pipeline;
pub mod plan;
pub mod schema;
mod shipped;
pub mod testing;
pub mod write;

pub use check::Hosts;
pub use files::Files;
pub use front::Dialect;
pub use front::settings::merge::Merge;
pub use index::Thresholds;
pub use pipeline::{Compiled, Input, Options, compile};
pub use shipped::Builtin;
