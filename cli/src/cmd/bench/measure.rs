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

use hookc_runtime::history::{self, Memory};
use hookc_vm::{DecideOptions, Histories, Module, Scratch};
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
    /// For a module that reads the history.
    pub(super) recording: Option<Recording>,
}

/// Nanoseconds per event of passes over all events, which are recorded, ascending.
#[derive(Default)]
pub(super) struct Recording {
    pub(super) decide: Vec<f64>,
    pub(super) record: Vec<f64>,
}

/// An event with the history before it.
struct Prepared<'e> {
    bytes: &'e [u8],
    histories: Option<Histories<'e>>,
}

/// Measures events that can all be decided about.
pub(super) fn run(module: &Module, events: &[Event], ask: &DecideOptions<'_>) -> Modes {
    let (mut scratch, mut memory, mut time) = (Scratch::new(), Memory::default(), 0);
    let recording = module.has_history().then(|| recording(module, events, ask, &mut memory, &mut time));
    let has_history = recording.is_some();
    let prepared = events.iter().map(|event| {
        let turn = memory.turn(&hookc_runtime::Event::new(&*event.bytes), time);
        Prepared { bytes: &event.bytes, histories: has_history.then(|| memory.histories(&turn)) }
    });
    let events: Vec<Prepared<'_>> = prepared.collect();
    let mut decide = |event: &Prepared<'_>| {
        let decided = match &event.histories {
            Some(histories) => module.decide(&mut scratch, event.bytes, &ask.history(histories)),
            None => module.decide(&mut scratch, event.bytes, ask),
        };
        decided.is_ok_and(|decision| !decision.is_empty())
    };
    Modes { warm: warm(&mut decide, &events), cycling: cycling(&mut decide, &events), recording }
}

/// Decides and records: the events happen a second apart, and again in each pass.
fn recording(
    module: &Module,
    events: &[Event],
    ask: &DecideOptions<'_>,
    memory: &mut Memory,
    time: &mut u64,
) -> Recording {
    let (mut times, mut scratch, start) = (Recording::default(), Scratch::new(), Instant::now());
    for _ in 0..ROUNDS {
        let (mut deciding, mut recording) = (Duration::ZERO, Duration::ZERO);
        for event in events {
            *time = time.saturating_add(1_000);
            let turn = memory.turn(&hookc_runtime::Event::new(&*event.bytes), *time);
            let histories = memory.histories(&turn);
            let start = Instant::now();
            let Ok(decision) = module.decide(&mut scratch, &event.bytes, &ask.history(&histories)) else {
                continue;
            };
            let decided = Instant::now();
            let (records, verdict) = (turn.records(&decision), history::verdict(&decision));
            memory.record(turn, records, verdict);
            deciding += decided.duration_since(start);
            recording += decided.elapsed();
        }
        let each = |spent: Duration| spent.as_secs_f64() * 1e9 / events.len().max(1) as f64;
        times.decide.push(each(deciding));
        times.record.push(each(recording));
        if start.elapsed() > BUDGET {
            break;
        }
    }
    times.decide.sort_by(f64::total_cmp);
    times.record.sort_by(f64::total_cmp);
    times
}

fn warm(decide: &mut impl FnMut(&Prepared<'_>) -> bool, events: &[Prepared<'_>]) -> Times {
    // The warm-up: everything that is built lazily exists afterwards.
    let mut plan = |event: &Prepared<'_>| (repeats(decide, event), repeats(&mut floor, event));
    let plans: Vec<(u32, u32)> = events.iter().map(&mut plan).collect();
    let (mut times, start) = (Times::default(), Instant::now());
    for round in 0..ROUNDS {
        for (at, (event, (ours, theirs))) in events.iter().zip(&plans).enumerate() {
            let ours = || sample(decide, event, *ours);
            times.add((round + at) % 2 == 0, ours, || sample(&mut floor, event, *theirs));
        }
        if start.elapsed() > BUDGET {
            break;
        }
    }
    times.sorted()
}

fn cycling(decide: &mut impl FnMut(&Prepared<'_>) -> bool, events: &[Prepared<'_>]) -> Times {
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
fn pass(work: &mut impl FnMut(&Prepared<'_>) -> bool, events: &[Prepared<'_>], passes: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..passes {
        for event in events {
            black_box(work(black_box(event)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(passes) / events.len().max(1) as f64
}

/// Reads and validates the event without keeping anything. `IgnoredAny` accepts invalid UTF-8 in
/// strings, hence the check before.
fn floor(event: &Prepared<'_>) -> bool {
    simdutf8::basic::from_utf8(event.bytes)
        .is_ok_and(|text| serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok())
}

/// The number of repetitions of `work` in a sample.
fn repeats(work: &mut impl FnMut(&Prepared<'_>) -> bool, event: &Prepared<'_>) -> u32 {
    black_box(work(black_box(event)));
    let start = Instant::now();
    black_box(work(black_box(event)));
    let once = start.elapsed().as_nanos().max(1);
    u32::try_from(SAMPLE.as_nanos().div_ceil(once)).unwrap_or(REPEAT).clamp(1, REPEAT)
}

fn sample(work: &mut impl FnMut(&Prepared<'_>) -> bool, event: &Prepared<'_>, repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(work(black_box(event)));
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

    fn event(bytes: &[u8]) -> Prepared<'_> {
        Prepared { bytes, histories: None }
    }

    #[test]
    fn quick_work_is_repeated_and_slow_work_is_not() {
        assert!(repeats(&mut |_| true, &event(b"{}")) > 10);
        let mut slow = |_: &Prepared<'_>| {
            std::thread::sleep(SAMPLE);
            true
        };
        assert_eq!(repeats(&mut slow, &event(b"{}")), 1);
    }

    #[test]
    fn the_floor_rejects_invalid_json() {
        let texts: [&[u8]; 3] = [b"{\"a\": [1, 2]}", b"{\"a\": [1, 2}", b"{\"a\": \"\xff\"}"];
        assert_eq!(texts.map(|text| floor(&event(text))), [true, false, false]);
    }
}
