//! The monitors next to a model that rescans all events; their limits and bytes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests of files and processes"
)]

mod agree;
mod damage;
mod harness;
mod limits;
mod model;
mod partition;
mod random;
mod sections;
