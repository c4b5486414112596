//! A soak: eight threads handle events, with handlers and a log, while the policy is replaced all the time.
//! Nothing is lost or mixed, and memory, descriptors and processes stay as they are.
//!
//! ```text
//! cargo run --release -p hookc-fuzz --bin soak -- --minutes 60 --plot soak.svg
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]
#![allow(clippy::disallowed_methods, reason = "a command reads files and starts processes")]
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a property that fails panics"
)]

mod plot;
mod sample;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use sample::Sample;

const HELP: &str = "Usage: soak [--minutes N] [--plot FILE.svg] [--csv FILE]";

struct Options {
    time: Duration,
    plot: Option<PathBuf>,
    csv: Option<PathBuf>,
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options { time: Duration::from_secs(10), plot: None, csv: None };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--minutes" => {
                options.time = Duration::try_from_secs_f64(args.next()?.parse::<f64>().ok()? * 60.0).ok()?
            }
            "--plot" => options.plot = Some(args.next()?.into()),
            "--csv" => options.csv = Some(args.next()?.into()),
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = parse(std::env::args().skip(1)) else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    let (samples, done) = work::run(options.time);
    let text = format!(
        "seconds,decisions,resident_kib,descriptors,children\n{}",
        samples.iter().map(Sample::csv).collect::<String>()
    );
    for (file, text) in [(&options.csv, text), (&options.plot, plot::svg(&samples))] {
        if let Some(file) = file
            && let Err(error) = std::fs::write(file, text)
        {
            eprintln!("soak: {}: {error}", file.display());
            return ExitCode::from(2);
        }
    }
    println!("{done}");
    match sample::growth(&samples) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("soak: {why}");
            ExitCode::FAILURE
        }
    }
}
