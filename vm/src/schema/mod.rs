//! Validity against a JSON Schema, draft 2020-12 (`matches`).
//!
//! The slot's value is taken apart once ([`Tree`](crate::event)); a schema is
//! then a walk over blocks of [`Keyword`] rows and nodes of the value. Inner
//! schemas have lower numbers and child schemas go down into the value, so
//! every walk ends; how long it may take and how deep it may go is bounded by
//! [`SCHEMA_STEPS`](crate::limits::SCHEMA_STEPS) and
//! [`SCHEMA_DEPTH`](crate::limits::SCHEMA_DEPTH).
//!
//! What `unevaluated...` needs to know, which elements or members other
//! keywords have looked at, is kept as marks beside the walk, only where such
//! a keyword asks for it (JSON Schema core §11).

mod array;
mod buffers;
mod email;
mod formats;
pub mod keyword;
mod object;
mod run;
mod uri;

pub(crate) use buffers::Buffers;
pub use formats::Format;
pub use keyword::{Keyword, Shape};
