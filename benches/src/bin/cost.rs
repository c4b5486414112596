//! Decides about events again and again, for profilers and counters of instructions:
//!
//! ```sh
//! cargo build --profile dist --config 'profile.dist.strip="none"' -p hookc-benches --bin cost
//! perf stat -e instructions:u target/dist/cost policy.hookc events.ndjson value 1000
//! ```
//!
//! The third argument is the form of the events, `bytes` or `value`, the fourth how often each is decided
//! about. It prints nanoseconds per decision, for bytes next to those of the floor in the same rounds: a
//! UTF-8 check and `IgnoredAny`. The form `scan` only reads bytes into slots. `repeat` as a fifth argument
//! decides about each event 16 times in turn. `HOOKC_SCANNER` names the instructions, as for the benchmarks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement"
)]

use std::hint::black_box;
use std::time::Instant;

use hookc_vm::format::event::{Slots, TrieIndex};
use hookc_vm::limits::Limits;
use hookc_vm::{DecideOptions, Module, Scratch};
use serde::de::IgnoredAny;
use serde_json::Value;

fn main() {
    hookc_benches::choose_scanner();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, events, form, rounds, ..] = args.as_slice() else {
        panic!("usage: cost MODULE EVENTS FORM ROUNDS [repeat]")
    };
    let repeat = if args.len() > 4 { 16 } else { 1 };
    let module = Module::load(std::fs::read(module).unwrap()).unwrap();
    let text = std::fs::read_to_string(events).unwrap();
    let events: Vec<&str> = text.lines().collect();
    let values: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    let (mut scratch, options) = (Scratch::new(), DecideOptions::default());
    let (trie, limits, mut slots) = (module.tables().unwrap().trie(), Limits::default(), Slots::default());
    let index = TrieIndex::new(&trie);
    let mut decide = |at: usize| {
        if form == "scan" {
            return slots.read(events[at].as_bytes(), &trie, &index, &limits).is_ok();
        }
        let decision = match form.as_str() {
            "value" => module.decide_value(&mut scratch, &values[at], &options),
            _ => module.decide(&mut scratch, events[at].as_bytes(), &options),
        };
        decision.unwrap().is_empty()
    };
    let mut floor = |at: usize| {
        let text = simdutf8::basic::from_utf8(events[at].as_bytes()).unwrap();
        serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok()
    };
    let (mut ours, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..rounds.parse().unwrap() {
        ours.push(pass(&mut decide, events.len(), repeat));
        if matches!(form.as_str(), "bytes" | "scan") {
            floors.push(pass(&mut floor, events.len(), repeat));
        }
    }
    let ours = median(ours);
    print!("{ours:.0} ns");
    if !floors.is_empty() {
        let floor = median(floors);
        print!(", floor {floor:.0} ns, ratio {:.2}", ours / floor);
    }
    println!();
}

/// Nanoseconds per event of one round.
fn pass(work: &mut dyn FnMut(usize) -> bool, events: usize, repeat: usize) -> f64 {
    let start = Instant::now();
    for event in 0..events {
        for _ in 0..repeat {
            black_box(work(black_box(event)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / (events * repeat) as f64
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}
