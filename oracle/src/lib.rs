//! The judge: a policy's tree evaluated the obvious way, written from the
//! semantics page alone. It shares no code with the compiler's plan and
//! code generation or with the VM, and is allowed to be slow.

mod decide;
mod decimal;
pub mod generate;
mod glob;
mod json;
mod leaf;
mod path;
mod query;
mod schema;
mod template;

pub use decide::{DecideOptions, Decision, MatchedHook, Oracle, Source};
pub use json::{Json, Refusal};
pub use query::{select, select_by};
pub use schema::matches;
