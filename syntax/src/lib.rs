//! Text to tree and back.
//!
//! ```text
//! text --front--> tree --write--> text        one dialect to another
//! text --------------fmt---------> text       the canonical format
//! ```
//!
//! [`front`] has one reader per notation and per dialect; [`expr`] reads and prints the languages
//! embedded in notations (`when`, paths, templates); [`write`](mod@write) has one writer per
//! dialect; [`fmt`] is the formatter; [`scalar`] quotes strings for YAML. Readers report diagnostics with spans and continue after an
//! error. Nothing here opens a file: a caller that wants named files to be checked passes
//! [`Files`].

#![forbid(unsafe_code)]

pub mod expr;
pub mod files;
pub mod fmt;
pub mod front;
pub mod limits;
mod line_ends;
pub mod pattern;
pub mod scalar;
pub mod write;

pub use files::Files;
pub use front::settings::merge::Merge;
pub use front::{Dialect, Input};
