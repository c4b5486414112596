//! Decisions with conditions about earlier events: what a decision with its record costs.
//!
//! ```sh
//! cargo run --profile bench -p hookc-benches --bin history
//! ```
//!
//! For each number of policies and length of the history it prints nanoseconds of a decision from the bytes of the event
//! with its record, of a decision of as many hooks without a history, the size of the session, and loading. `--quick`
//! leaves out long histories; other words choose a workload or a number of policies. `memory` prints what sessions take
//! instead.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement"
)]

use std::time::Instant;

use hookc_benches::judge;
use hookc_benches::past::{Past, STEP};
use hookc_benches::time::{Figure, short};
use hookc_history::{Limits, Partition, Secret};
use hookc_oracle::generate::Rng;
use hookc_vm::{DecideOptions, Histories, Module, PartitionTag, Scratch};

/// Events of a measured chunk, and chunks.
const CHUNK: usize = 1_000;
const CHUNKS: usize = 40;

struct Session<'m> {
    module: &'m Module,
    scratch: Scratch,
    secret: Secret,
    partition: Partition,
    time: u64,
    matched: usize,
    unknown: usize,
}

impl Session<'_> {
    fn decide(&mut self, event: &str) {
        self.time += STEP;
        let histories = Histories::new(&self.secret).with(PartitionTag::Session, &self.partition, self.time);
        let options = DecideOptions::default().history(&histories);
        let decision = self.module.decide(&mut self.scratch, event.as_bytes(), &options).unwrap();
        self.matched += decision.hooks().len();
        self.unknown += decision.unknown().count();
        let record = decision.record(PartitionTag::Session);
        if let Some(record) = record {
            self.partition.apply(record);
        }
    }
}

fn events(rng: &mut Rng, hooks: usize, count: usize) -> Vec<String> {
    (0..count).map(|_| Past::event(rng, hooks)).collect()
}

/// Nanoseconds per event.
fn timed(events: &[String], mut decide: impl FnMut(&str)) -> f64 {
    let start = Instant::now();
    events.iter().for_each(|event| decide(event));
    start.elapsed().as_secs_f64() * 1e9 / events.len() as f64
}

fn module(policy: &str) -> (Module, Figure, usize) {
    let bytes = judge::build(policy).unwrap();
    let load = || {
        let bytes = bytes.clone();
        let start = Instant::now();
        let module = Module::load(bytes).unwrap();
        (start.elapsed().as_secs_f64() * 1e6, module)
    };
    let times: Vec<f64> = (0..9).map(|_| load().0).collect();
    (load().1, Figure::new(times), bytes.len())
}

fn plain(hooks: usize, rng: &mut Rng) -> (Figure, Figure) {
    let (module, load, _) = module(&Past::plain(hooks));
    let mut scratch = Scratch::new();
    let mut decide = |event: &str| {
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        assert!(decision.is_empty());
    };
    let times = (0..CHUNKS).map(|_| timed(&events(rng, hooks, CHUNK), &mut decide)).collect();
    (Figure::new(times), load)
}

fn row(workload: Past, hooks: usize, length: usize) {
    let mut rng = Rng::new(7);
    let (module, load, bytes) = module(&workload.policy(hooks));
    let (without, load_without) = plain(hooks, &mut rng);
    let (scratch, secret) = (Scratch::new(), Secret::new([7; 32]));
    let partition = Partition::new(Limits::default());
    let mut session =
        Session { module: &module, scratch, secret, partition, time: 0, matched: 0, unknown: 0 };
    for event in events(&mut rng, hooks, length) {
        session.decide(&event);
    }
    (session.matched, session.unknown) = (0, 0);
    let times = (0..CHUNKS).map(|_| timed(&events(&mut rng, hooks, CHUNK), |event| session.decide(event)));
    let with = Figure::new(times.collect());
    let each = |count: usize| short(count as f64 / (CHUNK * CHUNKS) as f64);
    println!(
        "| {} | {hooks} | {length} | {} | {with} | {without} | {} | {} | {} | {} KiB | {} | {} | {} |",
        workload.name(),
        short(with.median - without.median),
        each(session.matched),
        each(session.unknown),
        session.partition.cells(),
        session.partition.encode().len() / 1024,
        short(load.median / hooks as f64),
        short(load_without.median / hooks as f64),
        bytes / hooks,
    );
}

/// Resident memory in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// Prints what sessions of 200 events take in memory, and as bytes.
fn memory(workload: Past, hooks: usize, count: usize) {
    let (mut rng, (module, ..)) = (Rng::new(7), module(&workload.policy(hooks)));
    let (mut scratch, mut sessions) = (Scratch::new(), Vec::with_capacity(count));
    let (mut before, mut bytes) = (0, 0);
    for number in 0..=count {
        // The first one also pays for what all share.
        if number == 1 {
            before = resident();
        }
        let (secret, partition) = (Secret::new([7; 32]), Partition::new(Limits::default()));
        let mut session =
            Session { module: &module, scratch, secret, partition, time: 0, matched: 0, unknown: 0 };
        for _ in 0..200 {
            session.decide(&Past::event(&mut rng, hooks));
        }
        scratch = session.scratch;
        sessions.push(session.partition);
    }
    let after = resident();
    for session in sessions.iter_mut().skip(1) {
        bytes += session.encode().len();
    }
    println!(
        "| {} | {hooks} | {count} | {} | {} |",
        workload.name(),
        (after - before) / count,
        bytes / count
    );
}

/// Each row in a process of its own, whose memory nothing has used before.
fn memories() {
    println!(
        "| workload | policies | sessions | bytes of a session in memory | as a snapshot |\n|---|---:|---:|---:|---:|"
    );
    for workload in Past::ALL {
        for (hooks, count) in [(10, 10_000), (100, 10_000), (1_000, 10_000), (10_000, 2_000)] {
            let words = ["memory", workload.name(), &hooks.to_string(), &count.to_string()];
            let program = std::env::current_exe().unwrap();
            assert!(std::process::Command::new(program).args(words).status().unwrap().success());
        }
    }
}

fn main() {
    hookc_benches::choose_scanner();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, rest @ ..] = words.as_slice()
        && word == "memory"
    {
        return match rest {
            [workload, hooks, count] => {
                let workload = Past::ALL.iter().find(|other| other.name() == workload);
                memory(*workload.unwrap(), hooks.parse().unwrap(), count.parse().unwrap());
            }
            _ => memories(),
        };
    }
    let named = |word: &str| words.iter().any(|other| other == word);
    let chosen = |names: &[&str], name: &str| named(name) || !names.iter().any(|name| named(name));
    println!(
        "| workload | policies | history | it adds, ns | decision with record, ns | without a history, ns | matches an event | unknown | cells | session | loading, us a hook | without | bytes a hook |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for workload in Past::ALL {
        for hooks in [10, 100, 1_000, 10_000] {
            for length in [200, 100_000] {
                let is_chosen = chosen(&["formerly", "mixed"], workload.name())
                    && chosen(&["10", "100", "1000", "10000"], &hooks.to_string());
                if is_chosen && !(named("--quick") && length > 200) {
                    row(*workload, hooks, length);
                }
            }
        }
    }
}
