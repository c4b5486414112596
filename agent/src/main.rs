//! `hookc-agent`: a small coding agent that fires every hook where a policy expects it.
//!
//! ```text
//! args ─▶ cmd ─▶ session (the loop) ─▶ model      asks a model
//!                   │    │      └─────▶ tools      change files, run commands
//!                   │    └────────────▶ hooks      the runtime's engine, and its host
//!                   └─────────────────▶ store, output
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_methods,
    reason = "an agent reads files and the environment, and starts processes"
)]

mod args;
mod classify;
mod cmd;
mod directive;
mod failure;
mod id;
mod message;
mod model;
mod options;
mod output;
mod permission;
mod policy;
mod session;
mod signals;
mod store;
mod tools;
mod values;
mod workflow;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = match cmd::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::USAGE } else { 0 });
        }
    };
    signals::watch();
    let code = cmd::run(args).unwrap_or_else(|failure| failure.report());
    hookc_runtime::process::terminate_all();
    ExitCode::from(code)
}
