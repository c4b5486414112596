//! End-to-end tests of the binary, with the scripted model and with an HTTP server that plays
//! scripts in both wires.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::type_complexity,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod agents;
mod bad_input;
mod directives;
mod endpoints;
mod escalations;
mod history;
mod hooks;
mod http;
mod kill;
mod kill_threads;
mod kill_workflows;
mod limits;
mod loops;
mod mistakes;
mod options;
mod outputs;
mod permissions;
mod repository;
mod server;
mod skills;
mod turns;
mod wires;
mod workflows;
mod world;
