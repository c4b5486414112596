//! Times several ways of doing the same work in one run, alternating between them.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One side of a comparison: does the work for the event of a number.
pub type Work<'a> = Box<dyn FnMut(usize) -> bool + 'a>;

/// The order in which a pass visits the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each event several times in a row: caches have what it needs.
    Warm,
    /// Each event once: caches have what the other events left there.
    Cycling,
}

impl Mode {
    /// How often a pass repeats each event.
    const fn repeats(self) -> u32 {
        match self {
            Self::Warm => 16,
            Self::Cycling => 1,
        }
    }
}

/// Nanoseconds per event: a row per side, a column per round.
#[derive(Clone, Debug)]
pub struct Rounds(Vec<Vec<f64>>);

/// A figure of many rounds: their median, and the range of eight in ten of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Half of the rounds are below.
    pub median: f64,
    /// A tenth of the rounds are below.
    pub low: f64,
    /// A tenth of the rounds are above.
    pub high: f64,
}

/// Runs each side over events `0..events`, alternating, until `budget` is exhausted; at least three
/// rounds, after a warm-up round.
#[must_use]
pub fn compare(sides: &mut [Work<'_>], events: usize, mode: Mode, budget: Duration) -> Rounds {
    let mut rounds = vec![Vec::new(); sides.len()];
    for side in sides.iter_mut() {
        pass(side, events, mode);
    }
    let start = Instant::now();
    for round in 0.. {
        for at in 0..sides.len() {
            // Each round starts with another side.
            let turn = (at + round) % sides.len();
            if let (Some(side), Some(times)) = (sides.get_mut(turn), rounds.get_mut(turn)) {
                times.push(pass(side, events, mode));
            }
        }
        if round >= 2 && start.elapsed() > budget {
            break;
        }
    }
    Rounds(rounds)
}

fn pass(side: &mut Work<'_>, events: usize, mode: Mode) -> f64 {
    let start = Instant::now();
    for event in 0..events {
        for _ in 0..mode.repeats() {
            black_box(side(black_box(event)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / events.max(1) as f64 / f64::from(mode.repeats())
}

impl Rounds {
    /// Nanoseconds per event of a side.
    #[must_use]
    pub fn of(&self, side: usize) -> Figure {
        Figure::new(self.0.get(side).cloned().unwrap_or_default())
    }

    /// One side as a multiple of another, round by round.
    #[must_use]
    pub fn ratio(&self, side: usize, to: usize) -> Figure {
        let pairs = self.0.get(side).into_iter().flatten().zip(self.0.get(to).into_iter().flatten());
        Figure::new(pairs.map(|(a, b)| a / b).collect())
    }
}

impl Figure {
    /// Of single measurements.
    #[must_use]
    pub fn new(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let place = (samples.len() * percent).div_ceil(100).saturating_sub(1);
            samples.get(place).copied().unwrap_or(f64::NAN)
        };
        Self { median: at(50), low: at(10), high: at(90) }
    }

    /// All three in another unit.
    #[must_use]
    pub fn scaled(self, by: f64) -> Self {
        Self { median: self.median * by, low: self.low * by, high: self.high * by }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median, low, high } = self;
        write!(f, "{} ({} to {})", short(*median), short(*low), short(*high))
    }
}

/// Three significant digits.
#[must_use]
pub fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
