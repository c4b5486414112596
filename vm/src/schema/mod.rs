//! Validity against a JSON Schema, draft 2020-12 (`matches`).
//!
//! The slot's value is parsed once ([`Tree`](crate::event)); a schema is then a walk over blocks of
//! [`Keyword`](crate::rows::Keyword) rows and nodes of the value. Inner schemas have lower numbers and child schemas go
//! down into the value, so every walk ends; [`SCHEMA_STEPS`](crate::limits::SCHEMA_STEPS) and
//! [`SCHEMA_DEPTH`](crate::limits::SCHEMA_DEPTH) bound its time and depth.
//!
//! The `unevaluated...` keywords depend on which elements or members other keywords have evaluated.
//! The walk keeps this as marks, only if such a keyword needs it (JSON Schema core §11).

mod array;
mod buffers;
mod email;
mod formats;
mod object;
mod run;
mod uri;

pub(crate) use buffers::Buffers;
