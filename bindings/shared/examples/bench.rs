//! The cost of a decision in Rust: `bench MODULE EVENT`, nanoseconds each, best of five rounds.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a measurement")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use hookc::{DecideOptions, Engine, Policy, Scratch};

const ROUNDS: usize = 5;
const DECISIONS: u32 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(module), Some(event)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bench MODULE EVENT".into());
    };
    let (policy, event) = (Policy::from_module(std::fs::read(module)?)?, std::fs::read(event)?);
    let (module, options) = (policy.module().clone(), DecideOptions::default());
    let (mut scratch, mut out) = (Scratch::new(), String::new());
    let vm = best(|| {
        out.clear();
        if let Ok(decision) = module.decide(&mut scratch, black_box(&event), &options) {
            decision.write_json(&mut out);
        }
        black_box(&out);
    });
    println!("Rust, the virtual machine, JSON of the decision: {vm} ns");
    let engine = Engine::new(policy);
    let facade =
        best(|| drop(black_box(engine.decide(black_box(&event)).map(|decision| decision.to_json()))));
    println!("Rust, the facade, JSON of the decision: {facade} ns");
    let hooks = best(|| drop(black_box(engine.decide(black_box(&event)))));
    println!("Rust, the facade, hooks of the decision: {hooks} ns");
    Ok(())
}

fn best(mut decide: impl FnMut()) -> u128 {
    let round = |_| {
        let start = Instant::now();
        (0..DECISIONS).for_each(|_| decide());
        start.elapsed().as_nanos() / u128::from(DECISIONS)
    };
    (0..ROUNDS).map(round).min().unwrap_or(0)
}
