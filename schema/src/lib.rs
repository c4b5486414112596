//! The types that every stage of hookc shares: spans over source text, diagnostics as data, the
//! typed tree of all dialects, and the vocabulary (event types, operators, action kinds) for the
//! checker.
//!
//! This crate reads no files, starts no threads and does not depend on bytecode.

#![forbid(unsafe_code)]

pub mod agents;
mod decimal;
pub mod decode;
pub mod diag;
pub mod dialect;
pub mod keyword;
pub mod limits;
pub mod publish;
pub mod source;
pub mod span;
pub mod tree;
pub mod value;
pub mod vocab;

pub use hookc_base::{suggest, terminal};

pub use diag::{Code, Diagnostic, Diagnostics, HookEffect, Severity};
pub use source::Sources;
pub use span::{SourceId, Span, Spanned};
