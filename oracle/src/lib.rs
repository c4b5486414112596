//! The judge: evaluates the tree of a policy in the obvious way, written only from the documented
//! semantics. It shares no code with the compiler's plan and code generation or with the VM, and
//! may be slow.

#![forbid(unsafe_code)]

mod acts;
mod ambiguous;
mod cond;
mod decide;
mod decimal;
pub mod effects;
mod file;
pub mod generate;
mod glob;
mod history;
mod json;
mod leaf;
mod moment;
mod path;
mod programs;
mod query;
mod render;
mod repeated;
mod schema;
mod size;
mod template;
mod truth;
mod twice;
mod view;

pub use acts::{Effects, LineReader, Sentences};
pub use decide::{DecideOptions, Decision, MatchedHook, Oracle, Source};
pub use json::{Json, Refusal};
pub use moment::{Keys, Record, Verdict};
pub use programs::Programs;
pub use query::{select, select_by};
pub use schema::matches;
pub use truth::Unknown;
pub use view::ViewOf;
