//! Runs command lines with bash in an empty root whose programs are stubs, and compares what
//! bash started with what the reader of command lines reports.
//!
//! A line never runs outside such a root: [`base`] prepares its files, [`inside`] enters it in
//! namespaces of its own, drops every privilege, and checks from inside that nothing of the
//! machine can be reached. If any of this fails, nothing runs. Each line gets a new root.
//!
//! [`judge`] compares policies with what bash started.
//!
//! One binary has three roles, by the name that it is called by: the command, the process that
//! enters a root, and each of the stub programs there ([`stub`]).
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "a command that works with files and processes")]
#![allow(clippy::indexing_slicing, reason = "an index into a JSON value that has no such member gives null")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command that prints its result")]

mod base;
mod compare;
mod inside;
mod judge;
mod stub;
mod trace;
mod wrapper;

use std::process::ExitCode;

use base::Base;

const USAGE: &str =
    "usage: hookc-shellroot run|compare|syntax|judge|decide FILE, hookc-shellroot trace [NAME]
  run      prints what bash starts for each line
  compare  prints each difference from the view of hookc, and a summary
  syntax   compares `bash -n` with the view, and prints a summary
  judge    compares policies with what bash starts, and prints a table
  decide   the same with what FILE says, without running a line
  trace    runs plain programs, or that of a name, and prints what their rows do not say
FILE has a JSON object on each line, with the member `line`; for the last two, also `policy` and `deny`.
";

fn main() -> ExitCode {
    let mut args = std::env::args();
    let program_path = args.next().unwrap_or_default();
    let name = program_path.rsplit('/').next().unwrap_or_default();
    match name {
        inside::NAME => ended(inside::run()),
        stub::PROBE => ended(stub::probe()),
        "hookc-shellroot" => {
            let (verb, file) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
            ended(command(&verb, &file))
        }
        // The name of the file, not the one that `exec -a` chose.
        program => {
            let file = rustix::param::linux_execfn().to_string_lossy();
            let name = file.rsplit('/').next().filter(|name| !matches!(*name, "" | "stub"));
            stub::run(name.unwrap_or(program))
        }
    }
}

fn ended(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("hookc-shellroot: {why}");
            ExitCode::from(if why == USAGE { 2 } else { 3 })
        }
    }
}

fn command(verb: &str, file: &str) -> Result<(), String> {
    let work: fn(&Base, &str) -> Result<(), String> = match verb {
        "run" => compare::print,
        "compare" => compare::compare,
        "syntax" => compare::syntax,
        "judge" => return judge::judge(file, true),
        "decide" => return judge::judge(file, false),
        "trace" => return trace::trace(file),
        _ => return Err(USAGE.to_owned()),
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines = compare::lines(&text)?;
    let base = Base::new(&compare::programs(&lines))?;
    lines.iter().try_for_each(|line| work(&base, line))?;
    compare::summary(verb);
    Ok(())
}
