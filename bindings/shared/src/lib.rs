//! What the C and WebAssembly bindings share: a [`Failure`] with its JSON, and options that are
//! given by name. It has no state and no unsafe code.

#![forbid(unsafe_code)]

mod failure;
mod options;
#[cfg(feature = "compiler")]
mod sources;

pub use failure::{Failure, Status};
pub use options::{Options, family, strategy, verdict};
#[cfg(feature = "compiler")]
pub use sources::{Request, Source, diagnostics_json, dialect, layer, shipped_hooks};
