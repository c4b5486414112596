//! All tests of the crate in one binary, which links once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests"
)]

mod directive_xml;
mod expr_errors;
mod expr_roundtrip;
mod expr_speed;
mod expr_when;
mod history;
mod hooks_yaml;
mod predicates;
mod wild;
mod xml;
mod yaml;
