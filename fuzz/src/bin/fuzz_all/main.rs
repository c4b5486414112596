//! Runs every fuzz target with coverage, one after another, and adds what they did to a record.
//!
//! ```text
//! cargo run -p hookc-fuzz --bin fuzz_all -- --minutes 5
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]
#![allow(clippy::disallowed_methods, reason = "a command starts processes and writes files")]

mod options;
mod record;
mod worker;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use options::Options;
use record::{Line, Record};

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}\n\n{}", options::HELP);
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz_all: {error}");
            ExitCode::from(2)
        }
    }
}

/// The directory of this crate, and where its runs keep what they made.
struct Places {
    crate_directory: PathBuf,
    work: PathBuf,
}

impl Places {
    fn new() -> Self {
        let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR")).to_owned();
        let work = crate_directory.join("wrappers/target/fuzz");
        Self { crate_directory, work }
    }

    fn corpus(&self, target: &str) -> PathBuf {
        self.work.join("corpus").join(target)
    }

    fn artifacts(&self, target: &str) -> PathBuf {
        self.work.join("artifacts").join(target)
    }

    fn dictionary(&self, target: &str) -> PathBuf {
        self.work.join(format!("{target}.dict"))
    }

    /// The program of a target.
    fn program(&self, target: &str, sanitizer: &str) -> PathBuf {
        self.build(sanitizer).join("x86_64-unknown-linux-gnu/release").join(target)
    }

    fn build(&self, sanitizer: &str) -> PathBuf {
        self.crate_directory.join("wrappers/target").join(format!("with-{sanitizer}"))
    }
}

/// Whether no target has a finding.
fn run(options: &Options) -> io::Result<bool> {
    let places = Places::new();
    let record = Record::open(&places.work)?;
    if options.report {
        print!("{}", record.table()?);
        return Ok(true);
    }
    if !options.no_build {
        build(&places, options)?;
    }
    for target in options.targets() {
        prepare(&places, target)?;
    }
    for _ in 0..options.rounds {
        for target in options.targets() {
            // A target with a finding stops at it; the others go on.
            if is_empty(&places.artifacts(target)) {
                let line: Line = worker::run(&places, target, options)?;
                println!("{line}");
                record.add(&line)?;
            }
        }
    }
    let found: Vec<&str> = options.targets().filter(|target| !is_empty(&places.artifacts(target))).collect();
    for target in &found {
        eprintln!("{target} has findings in {}", places.artifacts(target).display());
    }
    Ok(found.is_empty())
}

fn build(places: &Places, options: &Options) -> io::Result<()> {
    let mut cargo = Command::new("cargo");
    // Coverage is an unstable option of a compiler that is stable.
    cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(places.crate_directory.join("wrappers"));
    cargo.args(["fuzz", "build", "--fuzz-dir", ".", "--sanitizer", &options.sanitizer, "--target-dir"]);
    cargo.arg(places.build(&options.sanitizer));
    let status = cargo.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("cargo fuzz build: {status}"))) }
}

/// Writes the dictionary and the seeds of a target.
fn prepare(places: &Places, target: &str) -> io::Result<()> {
    std::fs::create_dir_all(places.artifacts(target))?;
    std::fs::write(places.dictionary(target), hookc_fuzz::dictionary::text(target))?;
    let corpus = places.corpus(target);
    if !is_empty(&corpus) {
        return Ok(());
    }
    std::fs::create_dir_all(&corpus)?;
    for (at, seed) in hookc_fuzz::seeds::seeds(target).iter().enumerate() {
        std::fs::write(corpus.join(format!("seed-{at}")), seed)?;
    }
    Ok(())
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory).map_or(true, |mut entries| entries.next().is_none())
}
