//! End-to-end tests of the binary, with the scripted model and with an HTTP server that plays
//! scripts in both wires.

mod agents;
mod bad_input;
mod directives;
mod hooks;
mod kill;
mod limits;
mod loops;
mod outputs;
mod permissions;
mod repository;
mod server;
mod skills;
mod turns;
mod wires;
mod workflows;
mod world;
