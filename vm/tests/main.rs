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
    clippy::arithmetic_side_effects,
    unreachable_pub,
    reason = "tests"
)]

mod alloc;
mod common;
mod decide;
mod event;
mod event_suite;
mod file;
mod glob;
mod history;
mod index;
mod item;
mod load;
mod mutate;
mod open;
mod ops;
mod quantifier;
mod query;
mod render;
mod schema;
mod support;
mod tokens;
mod view;
