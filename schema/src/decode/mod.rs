//! The decoder of all dialects. A table lists the keys of an object and their types; the same
//! table decodes a value with its diagnostics, orders keys for the formatter
//! and becomes a part of a published JSON Schema.
//!
//! ```text
//! Object, Key, Type ──read──▶ Fields, diagnostics
//!         │────────names────▶ order of keys, lists in messages
//!         └──────publish────▶ JSON Schema
//! ```
//!
//! `table.rs` defines the tables, `read.rs` decodes by them, `report.rs` words
//! what is wrong in the nouns of the notation, `publish.rs` makes schemas. The
//! tables themselves are in [`dialect`](crate::dialect). A value whose meaning
//! only its dialect knows has [`Type::Own`]: the table gives its JSON Schema, the
//! dialect's code reads it.

mod publish;
mod read;
mod report;
mod table;

pub use publish::Definitions;
pub(crate) use publish::object_schema;
pub use read::{Fields, misspelled};
pub use report::{DECLARED, JSON, Style, YAML, intended, listed, missing, misspelt, short};
pub use table::{Evidence, Key, Meant, Object, Others, Rule, Type, Words, key};
