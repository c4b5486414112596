//! Tests of the facade.
#![cfg(feature = "compiler")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    missing_docs,
    reason = "tests"
)]

mod agent_hooks;
mod documents;
mod engine;
mod policy;
#[cfg(feature = "serde")]
mod serde;
mod session;
