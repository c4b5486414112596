//! All tests of the crate in one binary, which links once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::arithmetic_side_effects,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod claims;
mod common;
mod differential;
mod dogwood;
mod effects;
mod effects_product;
mod equal;
mod fmt;
mod histogram;
mod history;
mod jsonpath;
mod metamorphic;
mod readers;
mod schema;
mod schema_suite;
mod when;
