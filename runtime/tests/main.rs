//! All tests of the crate in one binary, which links once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests"
)]

mod actions;
mod agents;
mod answers;
mod common;
mod deeds;
mod documents;
mod doors;
mod effects;
mod engine;
mod example_thread;
mod fields;
mod history_shared;
mod history_store;
mod log;
mod marked;
mod memory;
mod process;
mod reach;
mod signed;
mod skill;
mod support;
mod thread;
mod thread_cases;
mod turn;
mod unread;
mod watch;
mod workflow;
