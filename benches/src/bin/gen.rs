//! Writes a workload: `hooks.yaml` and `events.ndjson`, if asked for `policy.hookc`, the stripped module, and
//! for other engines `rules.json`.
#![allow(clippy::disallowed_methods, reason = "a command that writes files")]

use std::path::PathBuf;
use std::{fs, io};

use clap::Parser;
use hookc_benches::judge;
use hookc_benches::{Shape, Spec, Workload, rule};

/// Write a seeded workload to a directory
#[derive(Parser)]
#[command(after_help = shapes())]
struct Args {
    /// Hooks of the policy
    #[arg(long)]
    hooks: usize,
    /// Events
    #[arg(long, default_value_t = 1000)]
    events: usize,
    /// The kind of workload, see below
    #[arg(long)]
    shape: Shape,
    /// Least bytes of an event: smaller ones get a history that no hook reads
    #[arg(long, default_value_t = 0)]
    event_bytes: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also write the rules as neutral JSON, in the order in which they decide
    #[arg(long)]
    neutral: bool,
    /// Also write the stripped module
    #[arg(long)]
    module: bool,
    /// The output directory
    #[arg(long)]
    out: PathBuf,
}

fn shapes() -> String {
    let lines = Shape::ALL.iter().map(|shape| format!("  {:<10} {}\n", shape.name(), shape.meaning()));
    format!("Shapes:\n{}", lines.collect::<String>())
}

fn main() -> io::Result<()> {
    let Args { hooks, events, shape, event_bytes, seed, neutral, module, out } = Args::parse();
    let made = Workload::new(Spec { shape, hooks, events, seed, event_bytes });
    fs::create_dir_all(&out)?;
    fs::write(out.join("hooks.yaml"), made.yaml())?;
    fs::write(out.join("events.ndjson"), made.events.join("\n") + "\n")?;
    if module {
        let module = judge::build(&made.yaml()).map_err(io::Error::other)?;
        fs::write(out.join("policy.hookc"), module)?;
    }
    if neutral {
        fs::write(out.join("rules.json"), rule::neutral(&made.rules).to_string())?;
    }
    Ok(())
}
