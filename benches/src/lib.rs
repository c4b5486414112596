//! The workloads that benchmarks run: policies and events made from a seed.

mod mixed;
mod selective;

use hookc_oracle::generate::Rng;

/// A kind of workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An equality on a path with as many values as hooks, in every hook.
    Selective,
    /// What people write: several event types, one to six leaves, groups,
    /// pieces of text, ranges, patterns.
    Mixed,
}

impl Shape {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Selective, Self::Mixed];

    /// As on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Selective => "selective",
            Self::Mixed => "mixed",
        }
    }
}

/// A policy and events for it.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Dialect A.
    pub yaml: String,
    /// About a kilobyte each.
    pub events: Vec<String>,
}

/// The workload of a shape: the same bytes for the same seed.
#[must_use]
pub fn workload(shape: Shape, hooks: usize, events: usize, seed: u64) -> Workload {
    let mut rng = Rng::new(seed);
    let mut yaml = String::from("schema_version: \"1.0.0\"\nhooks:\n");
    for n in 0..hooks {
        match shape {
            Shape::Selective => selective::hook(&mut rng, n, &mut yaml),
            Shape::Mixed => mixed::hook(&mut rng, n, &mut yaml),
        }
    }
    let event = |rng: &mut Rng| match shape {
        Shape::Selective => selective::event(rng, hooks),
        Shape::Mixed => mixed::event(rng),
    };
    let events = (0..events).map(|_| event(&mut rng)).collect();
    Workload { yaml, events }
}

/// A thread's message of filler text, so that events weigh about a kilobyte.
fn filler(rng: &mut Rng, words: usize) -> String {
    const WORDS: &[&str] = &[
        "the",
        "request",
        "was",
        "not",
        "finished",
        "in",
        "time",
        "because",
        "upstream",
        "closed",
        "its",
        "connection",
        "while",
        "reading",
        "headers",
        "retry",
        "later",
        "or",
        "ask",
        "an",
        "operator",
    ];
    let words: Vec<&str> = (0..words).map(|_| rng.pick(WORDS)).collect();
    words.join(" ")
}
