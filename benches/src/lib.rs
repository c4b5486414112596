//! The workloads of the benchmarks: policies and events generated from a seed, checked by the
//! oracle, and the ways to time them.
//!
//! A policy is generated as neutral rules ([`rule`]) and written as YAML for hookc and as JSON for
//! the engines it is compared with, so that both read the same rules.

#![forbid(unsafe_code)]

pub mod event;
pub mod judge;
pub mod past;
pub mod read;
pub mod rule;
mod shape;
mod text;
pub mod time;
pub mod tree;

use hookc_oracle::generate::Rng;
use hookc_vm::format::event::Level;

use rule::Rule;
pub use shape::Shape;

/// Reads events with the instructions that `HOOKC_SCANNER` names (`portable`, `avx2` or `avx512`), if it
/// is set: to be called first.
///
/// # Panics
/// The processor does not have them.
#[allow(clippy::disallowed_methods, clippy::expect_used, reason = "a switch of measurements")]
pub fn choose_scanner() {
    if let Ok(name) = std::env::var("HOOKC_SCANNER") {
        let level = Level::named(&name).expect("`HOOKC_SCANNER` is `portable`, or what this processor has");
        assert!(level.choose(), "an event was read before");
    }
}

/// The workload to generate.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The kind of workload.
    pub shape: Shape,
    /// Hooks of the policy.
    pub hooks: usize,
    /// The number of events.
    pub events: usize,
    /// Equal seeds give equal bytes.
    pub seed: u64,
    /// Least bytes of an event: smaller ones get a history of messages.
    pub event_bytes: usize,
}

impl Spec {
    /// `events` events of about a kilobyte from seed 1.
    #[must_use]
    pub fn new(shape: Shape, hooks: usize, events: usize) -> Self {
        Self { shape, hooks, events, seed: 1, event_bytes: 0 }
    }
}

/// A policy and events for it.
#[derive(Clone, Debug)]
pub struct Workload {
    /// In the order of writing.
    pub rules: Vec<Rule>,
    /// One JSON object each, on one line.
    pub events: Vec<String>,
}

impl Workload {
    /// The workload of a specification.
    #[must_use]
    pub fn new(spec: Spec) -> Self {
        let mut rng = Rng::new(spec.seed);
        let rules: Vec<Rule> = (0..spec.hooks).map(|n| spec.shape.rule(&mut rng, n, spec.hooks)).collect();
        let mut events = spec.shape.events(&mut rng, &rules, spec.events);
        events.iter_mut().for_each(|event| event::grow(event, &mut rng, spec.event_bytes));
        Self { rules, events: events.iter().map(ToString::to_string).collect() }
    }

    /// The policy as a hooks file.
    #[must_use]
    pub fn yaml(&self) -> String {
        rule::yaml(&self.rules)
    }

    /// Bytes of an event on average.
    #[must_use]
    pub fn event_bytes(&self) -> usize {
        self.events.iter().map(String::len).sum::<usize>() / self.events.len().max(1)
    }
}
