//! Runs one stage again and again, for a counter of instructions: parsing the YAML of a policy, compiling the
//! policy, or loading a module.
//!
//! ```sh
//! cargo build --profile dist --config profile.dist.lto=false --config 'profile.dist.strip="none"' -p hookc-benches --bin stages --bin gen
//! target/dist/gen --module --hooks 2000 --shape mixed --events 1 --out /tmp/mixed
//! valgrind --tool=callgrind target/dist/stages compile /tmp/mixed/hooks.yaml 1
//! ```
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a command that reads the files of its arguments and prints times"
)]

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use hookc_benches::judge;
use hookc_benches::time::Figure;
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front;
use hookc_vm::Module;

/// Run one stage of compiling or loading
#[derive(Parser)]
struct Args {
    stage: Stage,
    /// A hooks file in YAML, or a module for `load`
    file: PathBuf,
    rounds: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// Parse the YAML to spanned values
    Parse,
    /// Compile, from the text to a stripped module
    Compile,
    /// Load and verify
    Load,
    /// Parse and compile in turn, and print the times and their ratio as the targets measure them
    Ratio,
}

fn main() -> io::Result<()> {
    let Args { stage, file, rounds } = Args::parse();
    let bytes = std::fs::read(file)?;
    if let Stage::Ratio = stage {
        return ratio(std::str::from_utf8(&bytes).map_err(io::Error::other)?, rounds);
    }
    for _ in 0..rounds {
        match stage {
            Stage::Parse => {
                let text = std::str::from_utf8(&bytes).map_err(io::Error::other)?;
                black_box(front::yaml::read(text, SourceId(0), &mut Diagnostics::new()));
            }
            Stage::Compile => {
                let text = std::str::from_utf8(&bytes).map_err(io::Error::other)?;
                black_box(judge::build(text).map_err(io::Error::other)?);
            }
            Stage::Load => {
                black_box(Module::load(bytes.clone()).map_err(io::Error::other)?);
            }
            Stage::Ratio => {}
        }
    }
    Ok(())
}

/// Prints the milliseconds of parsing and of compiling, and the ratio of both in each round.
fn ratio(text: &str, rounds: usize) -> io::Result<()> {
    let (mut parse, mut compile, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        let value = front::yaml::read(text, SourceId(0), &mut Diagnostics::new());
        let parsed = start.elapsed().as_secs_f64() * 1e3;
        drop(black_box(value));
        let start = Instant::now();
        let made = judge::compiled(text);
        let compiled = start.elapsed().as_secs_f64() * 1e3;
        drop(black_box(made));
        parse.push(parsed);
        compile.push(compiled);
        ratio.push(compiled / parsed);
    }
    let [parse, compile, ratio] = [parse, compile, ratio].map(Figure::new);
    println!("parse {parse} ms, compile {compile} ms, ratio {ratio}");
    Ok(())
}
