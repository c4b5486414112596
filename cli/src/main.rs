//! `hookc`: the command line over the compiler and the VM.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "the command line is where files and the environment are read")]

mod annotations;
mod args;
mod ask;
mod cache;
mod cmd;
mod discover;
mod edit;
mod events;
mod exit;
mod files;
mod given;
mod inside;
mod installed;
mod load;
mod location;
mod out;
mod report;
mod screen;
mod signals;
mod signed;
mod starters;
mod state;
mod stdio;
mod unknown_events;

use std::process::ExitCode;

use args::QuickVerb;

fn main() -> ExitCode {
    // First, before anything else can fail: reading the command line too.
    match QuickVerb::of_process() {
        // It starts no processes.
        Some(QuickVerb::Eval) => signals::survive_writes(),
        Some(QuickVerb::Run) => {
            signals::survive();
            signals::abort();
        }
        None => signals::survive(),
    }
    let cli = match args::Cli::of_process() {
        Ok(cli) => cli,
        Err(error) => return report::usage(error),
    };
    match cmd::run(&cli) {
        Ok(exit) => exit.code(),
        Err(failure) => report::failure(&failure),
    }
}
