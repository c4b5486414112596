//! `hookc run` as the hook of each agent.

mod canary;
mod decoys;
mod doors;
mod effects;
mod facts;
mod failures;
#[cfg(target_os = "linux")]
mod faults;
mod handlers;
mod history;
mod history_sessions;
mod input;
mod kills;
mod limits;
mod log;
#[cfg(target_os = "linux")]
mod memory;
mod outputs;
mod past;
mod places;
mod rewrite;
mod sessions;
mod shell;
