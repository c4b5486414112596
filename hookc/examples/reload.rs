//! A policy that several threads decide by while it is replaced. A policy with
//! errors replaces nothing.
//!
//! `cargo run --example reload`
#![allow(clippy::print_stdout, reason = "an example that prints")]

use hookc::{Diagnostics, Engine, Policy, Source};

fn policy(action: &str, most: u32) -> Result<Policy, Diagnostics> {
    let hook =
        format!("{{id: too_much, event: limit, when: limit_value > {most}, action: {{type: {action}}}}}");
    Policy::from_source(Source::new("limits.yaml", format!("hooks: [{hook}]\n")))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(policy("abort", 10)?);
    let workers = (1..=4_u32).map(|worker| {
        let engine = engine.clone();
        let event = format!(r#"{{"event": {{"type": "limit"}}, "limit_value": {}}}"#, worker * 5);
        std::thread::spawn(move || engine.decide(&event).map(|decision| decision.hooks().len()))
    });
    for (worker, thread) in (1..).zip(workers.collect::<Vec<_>>()) {
        println!("worker {worker}: {} hooks", thread.join().map_err(|_| "a worker panicked")??);
    }

    let event = r#"{"event": {"type": "limit"}, "limit_value": 5}"#;
    engine.reload(policy("abort", 1)?);
    println!("after a reload: {} hooks", engine.decide(event)?.hooks().len());

    match policy("abrot", 100) {
        Ok(policy) => engine.reload(policy),
        Err(diagnostics) => println!("not reloaded:\n{diagnostics}"),
    }
    println!("as before: {} hooks", engine.decide(event)?.hooks().len());
    Ok(())
}
