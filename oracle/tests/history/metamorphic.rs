//! Changes that change no answer about the past: an event that no pattern names, other partitions next to the one in
//! question, a window that is longer than the sequence, other names, and a policy that is there twice.

use hookc_compiler::{Dialect, Options};
use hookc_corpus::effort;
use hookc_history::Limits;
use hookc_oracle::Oracle;
use hookc_oracle::generate::history::{self, Moment};
use hookc_oracle::generate::{Rng, variants};
use hookc_schema::tree::{Layer, Policy};
use hookc_vm::Module;

use super::differential::{text, without_unused_facts};
use super::sessions::{Answer, Event, Sessions};
use crate::common;

/// A compiled policy, and the oracle.
struct Judges {
    module: Module,
    oracle: Oracle,
}

impl Judges {
    fn new(policies: &[Policy]) -> Self {
        let texts: Vec<(String, Layer)> =
            policies.iter().map(|policy| (text(policy), history::LAYER)).collect();
        let options = Options::default().builtin(common::linked(false));
        let built = common::build_with(&texts, Dialect::HooksYaml, options);
        let built = built.unwrap_or_else(|why| panic!("{why}\n{texts:?}"));
        let policies = policies.iter().map(|policy| (policy.clone(), history::LAYER)).collect();
        Self { module: common::load(built.bytes), oracle: common::oracle(&policies, None) }
    }

    fn sessions(&self) -> Sessions<'_> {
        Sessions::new(Some(&self.module), &self.oracle, Limits::default())
    }

    /// The answers to a sequence of events.
    fn answers(&self, events: &[Moment]) -> Vec<Result<Answer, String>> {
        let mut sessions = self.sessions();
        events.iter().map(|event| step(&mut sessions, event)).collect()
    }
}

/// The answer of the VM, which is that of the oracle where the oracle has one.
fn step(sessions: &mut Sessions<'_>, event: &Moment) -> Result<Answer, String> {
    let one = Event { text: event.event.clone(), at: event.at, keys: event.keys.clone() };
    let (vm, judge) = sessions.step(&one, true, false, |_| event.verdict);
    let vm = vm.expect("there is a module").map_err(|_| "an invalid event".to_owned());
    assert_eq!(vm.as_ref().ok(), judge.as_ref().ok(), "{}", one.text);
    vm
}

/// A policy, and events that each have all keys.
fn case(seed: u64, most: usize) -> (Rng, Policy, Vec<Moment>) {
    let mut rng = Rng::new(seed);
    let policy = without_unused_facts(history::policy(&mut rng));
    let count = 20 + rng.below(most);
    let mut events = history::events(&mut rng, count);
    for event in &mut events {
        for (key, name) in event.keys.iter_mut().zip(["s1", "s1/main", "p1", "u1"]) {
            key.get_or_insert_with(|| name.to_owned());
        }
    }
    (rng, policy, events)
}

fn seeds() -> std::ops::Range<u64> {
    0..effort(600, 60) as u64
}

/// How many of the hooks match: a test of policies that never match shows nothing.
#[derive(Default)]
struct Tally {
    steps: usize,
    matched: usize,
}

impl Tally {
    fn add(&mut self, answers: &[Result<Answer, String>]) {
        let matched = |answer: &Answer| answer.seen.1.len() + answer.seen.2.len();
        self.steps += answers.len();
        self.matched += answers.iter().flatten().map(matched).sum::<usize>();
    }

    fn check(&self) {
        assert!(self.steps > 1_000 && self.matched * 5 > self.steps, "{} of {}", self.matched, self.steps);
    }
}

#[test]
fn an_event_that_no_pattern_names_changes_nothing() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let (mut rng, policy, events) = case(seed, 60);
        if text(&policy).contains('*') {
            continue;
        }
        let judges = Judges::new(std::slice::from_ref(&policy));
        let mut more = Vec::new();
        for event in &events {
            if rng.chance(30) {
                let other = event.event.replace(&kind(event), "Notification");
                more.push((false, Moment { event: other, ..event.clone() }));
            }
            more.push((true, event.clone()));
        }
        let (is_old, more): (Vec<bool>, Vec<Moment>) = more.into_iter().unzip();
        let with = judges.answers(&more).into_iter().zip(is_old).filter(|(_, is_old)| *is_old);
        let with: Vec<_> = with.map(|(answer, _)| answer).collect();
        let without = judges.answers(&events);
        assert_eq!(with, without, "seed {seed}\n{}", text(&policy));
        tally.add(&without);
    }
    tally.check();
}

fn kind(event: &Moment) -> String {
    let event: serde_json::Value = serde_json::from_str(&event.event).unwrap();
    event["hook_event_name"].as_str().unwrap().to_owned()
}

/// Two users with projects and sessions of their own.
#[test]
fn each_partition_is_as_it_is_alone() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let (mut rng, policy, mut events) = case(seed ^ 0x5917, 60);
        for event in &mut events {
            let user = rng.pick(&["a", "b"]);
            event.keys = event.keys.clone().map(|key| key.map(|key| format!("{user} {key}")));
        }
        let judges = Judges::new(std::slice::from_ref(&policy));
        let together = judges.answers(&events);
        for user in ["a", "b"] {
            let is_of = |event: &Moment| event.keys[0].as_ref().is_some_and(|key| key.starts_with(user));
            let alone: Vec<Moment> = events.iter().filter(|event| is_of(event)).cloned().collect();
            let filtered = together.iter().zip(&events).filter(|(_, event)| is_of(event));
            let filtered: Vec<_> = filtered.map(|(answer, _)| answer.clone()).collect();
            assert_eq!(filtered, judges.answers(&alone), "seed {seed}\n{}", text(&policy));
        }
        tally.add(&together);
    }
    tally.check();
}

#[test]
fn a_window_longer_than_the_sequence_is_none() {
    let (mut tally, mut differing) = (Tally::default(), 0);
    for seed in seeds() {
        let (_, policy, events) = case(seed ^ 0x3140, 60);
        let [with, without] = variants::windows(&policy);
        differing += usize::from(with != without);
        let [with, without] = [with, without].map(|policy| Judges::new(&[policy]).answers(&events));
        assert_eq!(with, without, "seed {seed}\n{}", text(&policy));
        tally.add(&with);
    }
    tally.check();
    assert!(differing * 3 > seeds().count(), "only {differing} have a window");
}

/// The state of the policy is that of the one with other names, too: they take turns.
#[test]
fn names_change_nothing() {
    let mut tally = Tally::default();
    let without_labels = |answer: Result<Answer, String>| {
        let actions = |hooks: Vec<(usize, String, Option<String>)>| -> Vec<(usize, Option<String>)> {
            hooks.into_iter().map(|(rank, _, action)| (rank, action)).collect()
        };
        answer.map(|Answer { seen: (_, hooks, reported), unknown }| {
            (actions(hooks), actions(reported), unknown.len())
        })
    };
    for seed in seeds() {
        let (mut rng, policy, events) = case(seed ^ 0x8a3e, 60);
        let judges = [Judges::new(std::slice::from_ref(&policy)), Judges::new(&[variants::renamed(&policy)])];
        let answers = judges[0].answers(&events);
        tally.add(&answers);
        let mut sessions = judges[0].sessions();
        for (event, answer) in events.iter().zip(answers) {
            let Judges { module, oracle } = &judges[rng.below(2)];
            sessions.change(module, oracle);
            let other = without_labels(step(&mut sessions, event));
            assert_eq!(without_labels(answer), other, "seed {seed}\n{}", text(&policy));
        }
    }
    tally.check();
}

/// Equal facts and selections of two files have one monitor, and each hook decides as its copy does.
#[test]
fn a_policy_that_is_there_twice_shares_its_monitors() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let (_, policy, events) = case(seed ^ 0x2222, 40);
        let once = Judges::new(std::slice::from_ref(&policy));
        let mut copy = variants::renamed(&policy);
        copy.hooks.iter_mut().for_each(|hook| hook.id = None);
        let twice = Judges::new(&[policy.clone(), copy]);
        let cells = |judges: &Judges| judges.module.tables().unwrap().cells.len();
        assert_eq!(cells(&once), cells(&twice), "seed {seed}\n{}", text(&policy));
        let watches = |judges: &Judges| judges.module.tables().unwrap().watches.len();
        assert_eq!(watches(&once), watches(&twice), "seed {seed}\n{}", text(&policy));
        let answers = once.answers(&events);
        for (one, two) in answers.iter().zip(twice.answers(&events)) {
            let count = |answer: &Result<Answer, String>| {
                answer
                    .as_ref()
                    .map(|answer| (answer.seen.1.len(), answer.seen.2.len(), answer.unknown.len()))
                    .ok()
            };
            let doubled = count(one).map(|(hooks, reported, unknown)| (2 * hooks, 2 * reported, 2 * unknown));
            assert_eq!(doubled, count(&two), "seed {seed}\n{}", text(&policy));
        }
        tally.add(&answers);
    }
    tally.check();
}
