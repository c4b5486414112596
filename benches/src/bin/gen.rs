//! Writes a workload: `hooks.yaml` and `events.ndjson`.
#![allow(clippy::disallowed_methods, reason = "a command that writes files")]

use std::path::PathBuf;
use std::{fs, io};

use clap::Parser;
use hookc_benches::{Shape, workload};

/// Write a seeded workload to a folder
#[derive(Parser)]
struct Args {
    /// Hooks of the policy
    #[arg(long)]
    hooks: usize,
    /// Events
    #[arg(long, default_value_t = 1000)]
    events: usize,
    /// selective or mixed
    #[arg(long, value_parser = shape)]
    shape: Shape,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write
    #[arg(long)]
    out: PathBuf,
}

fn shape(name: &str) -> Result<Shape, String> {
    let known = || Shape::ALL.iter().map(|shape| shape.name()).collect::<Vec<_>>().join(", ");
    Shape::ALL.iter().copied().find(|shape| shape.name() == name).ok_or_else(|| format!("one of {}", known()))
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let made = workload(args.shape, args.hooks, args.events, args.seed);
    fs::create_dir_all(&args.out)?;
    fs::write(args.out.join("hooks.yaml"), made.yaml)?;
    fs::write(args.out.join("events.ndjson"), made.events.join("\n") + "\n")
}
