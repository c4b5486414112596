//! Tests of the C library: its header, and programs in C that use it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs,
    reason = "tests"
)]

mod corpus;
mod header;
mod programs;
