//! Tests of the facade.
#![cfg(feature = "compiler")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, missing_docs, reason = "tests")]

mod agent_hooks;
mod documents;
mod engine;
mod policy;
#[cfg(feature = "serde")]
mod serde;
mod session;
