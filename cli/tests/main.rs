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

mod ability;
mod agents;
mod ahp;
mod bench;
mod cache;
mod calls;
mod cli;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod clock;
mod code_pages;
mod common;
mod counts;
mod coverage;
mod doctor;
mod doctor_settings;
mod documents;
mod effects;
mod emit;
mod english;
mod every_agent;
mod exit_statuses;
mod explain;
mod files;
mod fix;
mod fmt;
mod folders;
mod gone;
mod growth;
mod guards;
mod guide;
mod hostile;
mod hosts;
mod init;
mod install;
mod install_says;
mod limits;
mod log;
mod mistakes;
mod new;
mod new_events;
mod new_into;
mod newer;
mod one_reading;
mod pause;
mod picture;
mod pipes;
mod plugins;
mod probe;
mod probe_live;
mod repeat;
mod replay;
mod run;
mod sarif;
mod save;
mod settings_forms;
mod shipped;
mod signals;
mod signed;
mod skills;
mod starter_verb;
mod starters;
mod status;
#[path = "../../runtime/tests/support/mod.rs"]
mod support;
mod test_verb;
mod vocabulary;
mod walk_agent;
mod walk_repository;
mod widths;
mod workspace;
