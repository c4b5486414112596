//! Mutants of the corpus's modules, with the hash repaired: each is rejected, or decides within bounds of
//! time and memory. `HOOKC_MUTANTS=10000000` in release makes it a long run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hookc_corpus::{effort, number};
use hookc_fuzz::mutant::Parts;
use hookc_oracle::generate::Rng;
use hookc_vm::{LoadError, Module};

/// What a mutant may allocate at one time: the buffers of a small module and of a small event.
const PEAK: u64 = 64 << 20;

/// How long one may take. A debug build on a busy machine takes milliseconds.
const TIME: Duration = Duration::from_secs(20);

fn mutants() -> usize {
    number("HOOKC_MUTANTS").unwrap_or_else(|| effort(12_000, 1_000))
}

/// What came of mutants.
#[derive(Debug, Default)]
struct Seen {
    loaded: u64,
    peak: u64,
    slowest: Duration,
    rejected: BTreeMap<String, u64>,
}

impl Seen {
    fn add(mut self, other: Self) -> Self {
        self.loaded += other.loaded;
        self.peak = self.peak.max(other.peak);
        self.slowest = self.slowest.max(other.slowest);
        for (why, count) in other.rejected {
            *self.rejected.entry(why).or_default() += count;
        }
        self
    }

    fn look(&mut self, seed: u64, bytes: Vec<u8>) {
        let begin = Instant::now();
        let mut loaded = Ok(());
        let info = allocation_counter::measure(|| {
            loaded = Module::load(bytes.clone()).map(drop);
            if loaded.is_ok() {
                hookc_fuzz::module(&bytes);
            }
        });
        let took = begin.elapsed();
        assert!(info.bytes_max < PEAK, "seed {seed}: {} bytes at one time", info.bytes_max);
        assert!(took < TIME, "seed {seed}: {took:?}");
        (self.peak, self.slowest) = (self.peak.max(info.bytes_max), self.slowest.max(took));
        match loaded {
            Ok(()) => self.loaded += 1,
            Err(error) => *self.rejected.entry(kind(&error)).or_default() += 1,
        }
    }
}

/// The error without its numbers.
fn kind(error: &LoadError) -> String {
    let text = format!("{error:?}");
    text.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}

#[test]
fn mutants_are_rejected_or_bounded() {
    let mut seeds = hookc_fuzz::seeds::seeds("module");
    // Past findings can be invalid; their target replays them.
    seeds.retain(|bytes| Module::load(bytes.clone()).is_ok());
    let parsed: Vec<Parts> = seeds.iter().filter_map(|bytes| Parts::read(bytes)).collect();
    let whole = seeds.iter().zip(&parsed).all(|(bytes, parts)| parts.module() == *bytes);
    assert!(parsed.len() > 20 && whole, "parts of {} modules of {}", parsed.len(), seeds.len());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let seen = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|worker| {
                let parsed = &parsed;
                scope.spawn(move || {
                    let mut seen = Seen::default();
                    for seed in (0..mutants() as u64).skip(worker).step_by(threads) {
                        let mut rng = Rng::new(seed ^ 0x6d75_7461);
                        let parts = &parsed[rng.below(parsed.len())];
                        seen.look(seed, parts.mutant(&mut rng));
                    }
                    seen
                })
            })
            .collect();
        let ended =
            running.into_iter().map(|one| one.join().unwrap_or_else(|why| std::panic::resume_unwind(why)));
        ended.fold(Seen::default(), Seen::add)
    });
    eprintln!("{} mutants of {} modules: {seen:#?}", mutants(), parsed.len());
    let rejected: u64 = seen.rejected.values().sum();
    assert_eq!(seen.loaded + rejected, mutants() as u64);
    assert!(seen.loaded * 20 > mutants() as u64, "only {} load: the test tests little", seen.loaded);
    assert!(rejected * 4 > mutants() as u64, "only {rejected} are rejected: the test changes little");
}
