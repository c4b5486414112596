//! Times whole processes, alternating: a Rust program that prints a line, and `hookc eval` of a
//! module with an event on standard input.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a command that starts processes")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Parser;
use hookc_benches::time::Figure;
use hookc_benches::{Shape, Spec, Workload, judge};

/// Compare starting hookc with starting a program that prints a line
#[derive(Parser)]
struct Args {
    /// The release binary (default: the one next to this program)
    #[arg(long)]
    hookc: Option<PathBuf>,
    /// Runs of each
    #[arg(long, default_value_t = 500)]
    runs: usize,
    /// Hooks of the module
    #[arg(long, default_value_t = 1000)]
    hooks: usize,
    /// The kind of workload
    #[arg(long, default_value = "mixed")]
    shape: Shape,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let beside = std::env::current_exe()?.with_file_name("");
    let hello = beside.join("hello");
    let hookc = args.hookc.unwrap_or_else(|| beside.join("hookc"));
    let folder = std::env::temp_dir().join(format!("hookc-startup-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (module, event) = (folder.join("policy.hookc"), folder.join("event.json"));
    let made = Workload::new(Spec::new(args.shape, args.hooks, 1));
    fs::write(&module, judge::build(&made.yaml()).map_err(io::Error::other)?)?;
    fs::write(&event, made.events.concat())?;
    let (mut greeting, mut deciding, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..args.runs + 20 {
        let a = time(Command::new(&hello), &event)?;
        let mut eval = Command::new(&hookc);
        eval.arg("eval").arg(&module);
        let b = time(eval, &event)?;
        if run >= 20 {
            greeting.push(a);
            deciding.push(b);
            ratios.push(b / a);
        }
    }
    fs::remove_dir_all(&folder)?;
    println!("{} runs of each, in turn, milliseconds: median (a tenth below to a tenth above)", args.runs);
    println!("a line printed         {}", Figure::new(greeting));
    println!("hookc eval, {:>6} hooks {}", args.hooks, Figure::new(deciding));
    println!("ratio                  {}", Figure::new(ratios));
    Ok(())
}

/// Milliseconds from start to end of a process.
fn time(mut command: Command, input: &Path) -> io::Result<f64> {
    command.stdin(File::open(input)?).stdout(Stdio::null()).stderr(Stdio::inherit());
    let start = Instant::now();
    let status = command.status()?;
    let took = start.elapsed().as_secs_f64() * 1e3;
    if status.success() { Ok(took) } else { Err(io::Error::other(format!("{command:?}: {status}"))) }
}
