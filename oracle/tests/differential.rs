//! The VM against the oracle over random policies and events, from text to
//! decision. `HOOKC_DECISIONS=1000000` makes it a long run, `HOOKC_SEED=1000000` starts it at other
//! seeds; a failure prints the smallest policy found, and the seed. `HOOKC_DIFFERENCES=1` prints all
//! failures, `HOOKC_HISTOGRAM=1` which instructions decided.

use crate::{common, histogram};
use std::panic::resume_unwind;

use common::{PolicySet, Seen};
use hookc_compiler::{Dialect, IndexThresholds, Options};
use hookc_corpus::{effort, number};
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_vm::EventError;
use hookc_vm::{DecideError, DecideOptions, Limits, Module, Scratch, Strategy};
use serde_json::Value;

/// Decisions of one run over all tests of this file.
fn decisions() -> usize {
    number("HOOKC_DECISIONS").unwrap_or_else(|| effort(24_000, 6_000))
}

/// What is added to the first seed of each test, so that a long run can be split: `HOOKC_SEED`.
fn seed_offset() -> u64 {
    std::env::var("HOOKC_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

const EVENTS: usize = 60;

type Answer = Result<Seen, &'static str>;

struct Case {
    policies: PolicySet,
    builtin: bool,
    thresholds: IndexThresholds,
    /// Whether all strings with escapes are decoded when they are read.
    late: bool,
    /// Whether the VM gets events as parsed values, and the oracle the text of these.
    parsed: bool,
}

/// The default indexes, or indexes for everything at any cost.
fn thresholds(rng: &mut Rng) -> IndexThresholds {
    let mut thresholds = IndexThresholds::default();
    if rng.chance(60) {
        thresholds.min_indexed = 0;
        thresholds.max_posting = 1 + rng.below(4);
        thresholds.min_grams = rng.below(3);
        thresholds.least = rng.below(2);
        thresholds.share = usize::MAX;
    }
    thresholds
}

/// An event with its number, the answer of the VM, and that of the oracle.
type Difference = ((usize, String), Answer, Answer);

impl Case {
    /// The events whose answers differ, by number, with both answers. The number determines how the
    /// module is opened and asked.
    fn differences(&self, events: &[(usize, String)]) -> Result<Vec<Difference>, String> {
        let texts = common::yaml(&self.policies);
        let options = Options::default().builtin(common::linked(self.builtin)).thresholds(self.thresholds);
        let built = common::build_with(&texts, Dialect::HooksYaml, options)
            .map_err(|diagnostics| format!("does not compile:\n{diagnostics}\n{}", show(&texts)))?;
        for ((policy, _), read) in self.policies.iter().zip(&built.policies) {
            common::same_tree(policy, read).map_err(|why| format!("{why}\n{}", show(&texts)))?;
        }
        let shipped = self.builtin.then(|| built.policies.last().cloned()).flatten();
        let mut limits = Limits::default();
        limits.late_bytes = if self.late { 0 } else { limits.late_bytes };
        let opened = Module::open_with(built.bytes.clone(), limits).expect("opens");
        let loaded = Module::load_with(built.bytes, limits).expect("loads");
        let oracle = common::oracle(&self.policies, shipped);
        let mut scratch = Scratch::default();
        let mut differing = Vec::new();
        if histogram::is_asked() {
            histogram::count(&loaded, events);
        }
        for (n, event) in events {
            let (vm_ask, ask) = asks(*n);
            let module = if *n % 2 == 0 { &loaded } else { &opened };
            let value = Some(event).filter(|_| self.parsed).and_then(|event| event.parse::<Value>().ok());
            let text = value.as_ref().map_or_else(|| event.clone(), Value::to_string);
            let decided = match &value {
                Some(value) => module.decide_value(&mut scratch, value, &vm_ask),
                None => module.decide(&mut scratch, text.as_bytes(), &vm_ask),
            };
            let vm: Answer = match decided {
                Ok(decision) => Ok(common::seen(&decision)),
                Err(error) => Err(kind(&error)),
            };
            let judge = match oracle.decide(text.as_bytes(), &ask) {
                Ok(decision) => Ok(common::judged(decision)),
                Err(refusal) => Err(match refusal {
                    hookc_oracle::Refusal::Malformed => "malformed",
                    hookc_oracle::Refusal::Duplicate => "duplicate",
                    hookc_oracle::Refusal::NoType => "no type",
                }),
            };
            if vm != judge {
                differing.push(((*n, event.clone()), vm, judge));
            }
        }
        Ok(differing)
    }

    /// A smaller case that still differs on `event`.
    fn shrink(mut self, event: &(usize, String)) -> Self {
        let mut at = 0;
        while at < self.policies.iter().map(|(policy, _)| policy.hooks.len()).sum() {
            let mut smaller = Self { policies: self.policies.clone(), ..self };
            let mut left = at;
            for (policy, _) in &mut smaller.policies {
                if left < policy.hooks.len() {
                    policy.hooks.remove(left);
                    break;
                }
                left -= policy.hooks.len();
            }
            if smaller.differences(std::slice::from_ref(event)).is_ok_and(|d| !d.is_empty()) {
                self = smaller;
            } else {
                at += 1;
            }
        }
        self
    }
}

fn kind(error: &DecideError) -> &'static str {
    match error {
        DecideError::Event(EventError::Duplicate(_)) => "duplicate",
        DecideError::Event(EventError::NoType) => "no type",
        _ => "malformed",
    }
}

/// The plain ask mostly; a named type, all hooks, and stepping now and then.
fn asks(n: usize) -> (DecideOptions<'static>, hookc_oracle::DecideOptions<'static>) {
    let (mut vm, mut oracle) = (DecideOptions::default(), hookc_oracle::DecideOptions::default());
    match n % 8 {
        1 => (vm.event, oracle.event) = (Some("error"), Some("error")),
        2 => (vm.strategy, oracle.all) = (Some(Strategy::All), true),
        3 => (vm.after, oracle.after) = (Some(1), Some(1)),
        _ => {}
    }
    (vm, oracle)
}

fn show(texts: &[(String, hookc_schema::tree::Layer)]) -> String {
    texts.iter().map(|(text, layer)| format!("--- {layer:?}\n{text}\n")).collect()
}

/// Compares so many decisions, the seeds spread over the processors.
fn run(first_seed: u64, decisions: usize, hooks: usize) {
    let first_seed = first_seed + seed_offset();
    let seeds = decisions.div_ceil(EVENTS);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (hits, refused, unequal) = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|own| {
                let seeds = (first_seed..).take(seeds).skip(own).step_by(threads);
                scope.spawn(move || seeds.map(|seed| compare(seed, hooks)).fold((0, 0, 0), add))
            })
            .collect();
        let ended = running.into_iter().map(|one| one.join().unwrap_or_else(|why| resume_unwind(why)));
        ended.fold((0, 0, 0), add)
    });
    assert!(unequal <= 1 + seeds * EVENTS / 1_000, "{unequal} of {} decisions differ", seeds * EVENTS);
    let sampled = seeds * SAMPLE;
    if histogram::is_asked() {
        eprintln!("{} decisions from seed {first_seed}:\n{}", seeds * EVENTS, histogram::table());
    }
    assert!(hits * 10 > sampled, "the generator makes events that hooks match: {hits} of {sampled}");
    assert!(
        refused * 50 < sampled * 10 && refused > 0,
        "some events are refused, few: {refused} of {sampled}"
    );
}

fn add(a: (usize, usize, usize), b: (usize, usize, usize)) -> (usize, usize, usize) {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
}

/// How many events of a seed are counted as decided or refused.
const SAMPLE: usize = 4;

/// Compares the decisions of a seed: how many of its sample were decided, how many refused, and how many differ.
///
/// Decisions about effects may differ now and then: the product misses paths above an unknown working directory
/// (`changes('../**')`), and the group of `docker compose -p NAME down`.
fn compare(seed: u64, hooks: usize) -> (usize, usize, usize) {
    let mut rng = Rng::new(seed);
    let mut policies = generate::policies(&mut rng, Shape { plain: false, hooks });
    for (policy, _) in &mut policies {
        policy.declarations.programs = rng.chance(20).then(generate::programs);
    }
    let case = Case {
        policies,
        builtin: rng.chance(50),
        thresholds: thresholds(&mut rng),
        late: rng.chance(50),
        parsed: rng.chance(30),
    };
    let mut event = |n| match n % 2 {
        0 => generate::event(&mut rng, false),
        _ => generate::event_near(&mut rng, false, &case.policies),
    };
    let events: Vec<(usize, String)> = (0..EVENTS).map(|n| (n, event(n))).collect();
    let differing = case.differences(&events).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    if let Some((event, vm, judge)) = differing.first() {
        let count = differing.len();
        let small = case.shrink(event);
        let again = small.differences(std::slice::from_ref(event)).unwrap();
        // A difference may depend on what was decided before.
        let (vm, judge) = again.first().map_or((vm, judge), |(_, vm, judge)| (vm, judge));
        let texts = show(&common::yaml(&small.policies));
        let why = format!(
            "seed {seed}, {count} differ:\n{texts}\nevent: {event:?}\nvm:     {vm:?}\noracle: {judge:?}"
        );
        if number("HOOKC_DIFFERENCES").is_some() {
            eprintln!("{why}");
        }
        let mut hooks = small.policies.iter().flat_map(|(policy, _)| &policy.hooks);
        let asks = hooks.any(|hook| hook.condition.as_ref().is_some_and(common::has_effects));
        assert!(asks || texts.contains("effects()"), "{why}");
        return (SAMPLE, 1, count);
    }
    let oracle = common::oracle(&case.policies, None);
    let (mut hits, mut refused) = (0, 0);
    for (_, event) in events.iter().take(SAMPLE) {
        match oracle.decide(event.as_bytes(), &hookc_oracle::DecideOptions::default()) {
            Ok(decision) => hits += usize::from(!decision.hooks.is_empty()),
            Err(_) => refused += 1,
        }
    }
    (hits, refused, 0)
}

#[test]
fn vm_and_oracle_agree() {
    run(1, decisions() * 2 / 5, 10);
}

#[test]
fn vm_and_oracle_agree_on_other_seeds() {
    run(1 << 40, decisions() * 2 / 5, 10);
}

#[test]
fn vm_and_oracle_agree_on_many_hooks() {
    run(1 << 50, decisions() / 5, 300);
}
