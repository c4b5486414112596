//! What every stage of hookc speaks: spans over source text, diagnostics as
//! data, the one typed tree that all dialects are read into, and the
//! vocabulary (event types, operators, action kinds) that it is checked by.
//!
//! Nothing here reads a file, starts a thread or knows bytecode.

pub mod agent;
pub mod agents;
mod decimal;
pub mod diag;
pub mod keys;
pub mod publish;
pub mod source;
pub mod span;
pub mod suggest;
pub mod terminal;
pub mod tree;
pub mod value;
pub mod vocab;

pub use diag::{Code, Diagnostic, Severity};
pub use source::Sources;
pub use span::{SourceId, Span, Spanned};
