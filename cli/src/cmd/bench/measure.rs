//! Timing: decision and floor alternate, in two modes.
//!
//! *Warm*: a sample is one event, read several times in a row so that the clock is only read every
//! few microseconds, and divided by that number: neither the resolution nor the cost of the clock
//! shows. *Cycling*: a sample is a pass over all events, each once, so that the caches have what
//! the other events left there; a program that serves different events gets these times.
//!
//! The two sides are sampled next to each other in alternating order, so that a slower machine slows
//! down both. A sample includes whatever the machine did meanwhile.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hookc_vm::{DecideOptions, Module, Scratch};
use serde::de::IgnoredAny;

use crate::events::Event;

/// Least duration of a sample: some two hundred times what asking the clock costs.
const SAMPLE: Duration = Duration::from_micros(5);
/// Most repetitions in a sample.
const REPEAT: u32 = 1000;
/// In each mode, rounds over the events start during this time; at least one is finished.
const BUDGET: Duration = Duration::from_millis(1500);
/// Rounds over the events at most: a single event is not measured forever.
const ROUNDS: usize = 20_000;

/// Nanoseconds of each sample, ascending.
#[derive(Default)]
pub(super) struct Times {
    pub(super) decide: Vec<f64>,
    pub(super) floor: Vec<f64>,
}

/// The times of both modes.
pub(super) struct Modes {
    pub(super) warm: Times,
    pub(super) cycling: Times,
}

/// Measures events that can all be decided about.
pub(super) fn run(module: &Module, events: &[Event], ask: &DecideOptions<'_>) -> Modes {
    let mut scratch = Scratch::new();
    let mut decide = |bytes: &[u8]| module.decide(&mut scratch, bytes, ask).is_ok_and(|d| !d.is_empty());
    Modes { warm: warm(&mut decide, events), cycling: cycling(&mut decide, events) }
}

fn warm(decide: &mut impl FnMut(&[u8]) -> bool, events: &[Event]) -> Times {
    // The warm-up: everything that is built lazily exists afterwards.
    let mut plan = |event: &Event| (repeats(decide, &event.bytes), repeats(&mut floor, &event.bytes));
    let plans: Vec<(u32, u32)> = events.iter().map(&mut plan).collect();
    let (mut times, start) = (Times::default(), Instant::now());
    for round in 0..ROUNDS {
        for (at, (event, (ours, theirs))) in events.iter().zip(&plans).enumerate() {
            let ours = || sample(decide, &event.bytes, *ours);
            times.add((round + at) % 2 == 0, ours, || sample(&mut floor, &event.bytes, *theirs));
        }
        if start.elapsed() > BUDGET {
            break;
        }
    }
    times.sorted()
}

fn cycling(decide: &mut impl FnMut(&[u8]) -> bool, events: &[Event]) -> Times {
    // Few events are passed over several times, for the sake of the clock.
    let (start, _) = (Instant::now(), pass(decide, events, 1));
    let passes =
        u32::try_from(SAMPLE.as_nanos().div_ceil(start.elapsed().as_nanos().max(1))).unwrap_or(REPEAT);
    let (mut times, start) = (Times::default(), Instant::now());
    for round in 0..ROUNDS {
        times.add(round % 2 == 0, || pass(decide, events, passes), || pass(&mut floor, events, passes));
        if start.elapsed() > BUDGET {
            break;
        }
    }
    times.sorted()
}

impl Times {
    /// Adds a sample of either side, the decision first or last.
    fn add(&mut self, is_first: bool, decide: impl FnOnce() -> f64, floor: impl FnOnce() -> f64) {
        if is_first {
            self.decide.push(decide());
            self.floor.push(floor());
        } else {
            self.floor.push(floor());
            self.decide.push(decide());
        }
    }

    fn sorted(mut self) -> Self {
        self.decide.sort_by(f64::total_cmp);
        self.floor.sort_by(f64::total_cmp);
        self
    }
}

/// Nanoseconds per event of passes over all events.
fn pass(work: &mut impl FnMut(&[u8]) -> bool, events: &[Event], passes: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..passes {
        for event in events {
            black_box(work(black_box(&event.bytes)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(passes) / events.len().max(1) as f64
}

/// Reads and validates the event without keeping anything. `IgnoredAny` accepts invalid UTF-8 in
/// strings, hence the check before.
fn floor(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes)
        .is_ok_and(|text| serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok())
}

/// The number of repetitions of `work` in a sample.
fn repeats(work: &mut impl FnMut(&[u8]) -> bool, bytes: &[u8]) -> u32 {
    black_box(work(black_box(bytes)));
    let start = Instant::now();
    black_box(work(black_box(bytes)));
    let once = start.elapsed().as_nanos().max(1);
    u32::try_from(SAMPLE.as_nanos().div_ceil(once)).unwrap_or(REPEAT).clamp(1, REPEAT)
}

fn sample(work: &mut impl FnMut(&[u8]) -> bool, bytes: &[u8], repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(work(black_box(bytes)));
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats)
}

/// The least of `sorted` that at least `percent` of it do not exceed.
pub(super) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!([50, 99, 100].map(|p| percentile(&hundred, p)), [50.0, 99.0, 100.0]);
        assert_eq!([50, 99].map(|p| percentile(&[7.0], p)), [7.0, 7.0]);
        assert!(percentile(&[], 50).is_nan());
    }

    #[test]
    fn quick_work_is_repeated_and_slow_work_is_not() {
        assert!(repeats(&mut |_| true, b"{}") > 10);
        let mut slow = |_: &[u8]| {
            std::thread::sleep(SAMPLE);
            true
        };
        assert_eq!(repeats(&mut slow, b"{}"), 1);
    }

    #[test]
    fn the_floor_rejects_invalid_json() {
        assert!(floor(b"{\"a\": [1, 2]}") && !floor(b"{\"a\": [1, 2}") && !floor(b"{\"a\": \"\xff\"}"));
    }
}
