//! Random policies about what happened before, over random sequences of events: the VM and the oracle agree at each
//! step. With lowered limits, or after a long time, the VM may not know; it is never wrong.
//! `HOOKC_DECISIONS=10000000` makes it a long run, `HOOKC_SEED` starts it at another seed.

use std::panic::resume_unwind;

use hookc_compiler::{Dialect, Options};
use hookc_corpus::{effort, number};
use hookc_history::Limits;
use hookc_oracle::generate::{Rng, history};
use hookc_schema::tree::Policy;

use super::sessions::{Answer, Event, Sessions};
use crate::common;

/// How the events of a case are decided and recorded.
#[derive(Clone, Debug)]
struct Case {
    policy: Policy,
    events: Vec<history::Moment>,
    /// Limits so low that cells are dropped.
    is_lowered: bool,
    /// Numbers below 100 at each event: what else happens.
    dice: Vec<usize>,
}

/// How many steps agreed, how many hooks matched, and how many were unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    steps: usize,
    matched: usize,
    unknown: usize,
}

/// What went wrong.
#[derive(Debug)]
enum Failure {
    /// The policy does not compile.
    Compile(String),
    /// A step is different.
    Step(usize, String),
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut policy = history::policy(&mut rng);
        // Facts that no hook uses are checked as those of threads.
        let hooks =
            common::yaml(&vec![(Policy { facts: Vec::new(), ..policy.clone() }, history::LAYER)]).remove(0).0;
        policy.facts.retain(|fact| hooks.contains(&fact.name.node));
        let most = if rng.chance(5) { 280 } else { 60 };
        let count = 20 + rng.below(most);
        let events = history::events(&mut rng, count);
        let dice = events.iter().map(|_| rng.below(100)).collect();
        Self { policy, events, is_lowered: rng.chance(15), dice }
    }

    fn text(&self) -> String {
        common::yaml(&vec![(self.policy.clone(), history::LAYER)]).remove(0).0
    }

    fn run(&self) -> Result<Count, Failure> {
        let text = self.text();
        let options = Options::default().builtin(common::linked(false));
        let built = common::build_with(&[(text, history::LAYER)], Dialect::HooksYaml, options);
        let built = built.map_err(Failure::Compile)?;
        let read = &built.policies[0];
        if *read != self.policy && (read.facts != self.policy.facts || read.hooks != self.policy.hooks) {
            return Err(Failure::Compile(format!("reads back as\n{:#?}\nnot\n{:#?}", read, self.policy)));
        }
        let module = common::load(built.bytes);
        let oracle = common::oracle(&vec![(self.policy.clone(), history::LAYER)], None);
        let limits = if self.is_lowered { Limits::default().keys(2).sum(2) } else { Limits::default() };
        let mut sessions = Sessions::new(Some(&module), &oracle, limits);
        let (mut count, mut lacks_key) = (Count::default(), false);
        for (number, (event, dice)) in self.events.iter().zip(&self.dice).enumerate() {
            match dice {
                0..5 => sessions.settle(),
                5..8 => sessions.restore(),
                _ => {}
            }
            let waits = (90..94).contains(dice);
            let one = Event { text: event.event.clone(), at: event.at, keys: event.keys.clone() };
            let (vm, judge) = sessions.step(&one, dice % 4 == 0, waits, |_| event.verdict);
            let vm = vm.expect("there is a module");
            lacks_key |= event.keys.iter().any(Option::is_none);
            let is_so = match (&vm, &judge) {
                (Ok(vm), Ok(judge)) if self.is_lowered => is_unknown_or(vm, judge),
                // Bounds decide some conditions about past events that are unknown themselves; the oracle has none.
                (Ok(vm), Ok(judge)) if lacks_key && !judge.unknown.is_empty() => is_unknown_or(judge, vm),
                _ => vm == judge || vm.is_err() && judge.is_err(),
            };
            if !is_so {
                let why =
                    format!("{}\nat {} in {:?}\nvm     {vm:?}\noracle {judge:?}", one.text, one.at, one.keys);
                return Err(Failure::Step(number, why));
            }
            count.steps += 1;
            if let Ok(answer) = vm {
                count.matched += answer.seen.1.len() + answer.seen.2.len();
                count.unknown += answer.unknown.len();
            }
        }
        Ok(count)
    }

    /// The smallest case that still fails in the same way: fewer hooks, facts and events.
    fn shrink(mut self) -> Self {
        let fails = |case: &Self| matches!(case.run(), Err(Failure::Step(..)));
        let Err(Failure::Step(last, _)) = self.run() else { return self };
        self.events.truncate(last + 1);
        self.dice.truncate(last + 1);
        let mut at = 0;
        while at < self.policy.hooks.len() {
            let mut smaller = self.clone();
            smaller.policy.hooks.remove(at);
            if !smaller.policy.hooks.is_empty() && fails(&smaller) { self = smaller } else { at += 1 }
        }
        let mut at = 0;
        while at < self.policy.facts.len() {
            let mut smaller = self.clone();
            smaller.policy.facts.remove(at);
            if fails(&smaller) { self = smaller } else { at += 1 }
        }
        let mut at = 0;
        while at < self.events.len() {
            let mut smaller = self.clone();
            smaller.events.remove(at);
            smaller.dice.remove(at);
            if fails(&smaller) { self = smaller } else { at += 1 }
        }
        self
    }

    fn show(&self) -> String {
        let event = |(event, dice): (&history::Moment, &usize)| {
            format!("{dice} at {} in {:?} {:?}: {}\n", event.at, event.keys, event.verdict, event.event)
        };
        let events: String = self.events.iter().zip(&self.dice).map(event).collect();
        format!("{}\nlowered: {}\n{events}", self.text(), self.is_lowered)
    }
}

/// Each hook has the answer of the oracle, or is unknown.
fn is_unknown_or(vm: &Answer, judge: &Answer) -> bool {
    type Hooks = [(usize, String, Option<String>)];
    let is_unknown = |label: &String| vm.unknown.contains(label);
    let known =
        |hooks: &Hooks| hooks.iter().filter(|(_, label, _)| !is_unknown(label)).cloned().collect::<Vec<_>>();
    // A hook that decides ends the search, so that an unknown one before it only hides it from the oracle's answer.
    known(&judge.seen.1) == known(&vm.seen.1) && known(&judge.seen.2) == known(&vm.seen.2)
        || judge.seen.1.first().is_some_and(|(_, label, _)| is_unknown(label))
}

fn compare(seed: u64) -> Count {
    let case = Case::new(seed);
    match case.run() {
        Ok(count) => count,
        Err(Failure::Compile(why)) => panic!("seed {seed}: {why}\n{}", case.text()),
        Err(Failure::Step(..)) => {
            let small = case.shrink();
            let Err(Failure::Step(number, why)) = small.run() else { panic!("seed {seed}") };
            panic!("seed {seed}, step {number}: {why}\n{}", small.show())
        }
    }
}

#[test]
fn vm_and_oracle_agree_about_the_past() {
    let steps = number("HOOKC_DECISIONS").unwrap_or_else(|| effort(60_000, 3_000));
    let first = std::env::var("HOOKC_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(1);
    let seeds = steps.div_ceil(50);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let add = |a: Count, b: Count| Count {
        steps: a.steps + b.steps,
        matched: a.matched + b.matched,
        unknown: a.unknown + b.unknown,
    };
    let count = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                let seeds = (first..).take(seeds).skip(thread).step_by(threads);
                scope.spawn(move || seeds.map(compare).fold(Count::default(), add))
            })
            .collect();
        let ended = running.into_iter().map(|one| one.join().unwrap_or_else(|why| resume_unwind(why)));
        ended.fold(Count::default(), add)
    });
    assert!(count.matched * 5 > count.steps, "the generator makes events that hooks match: {count:?}");
    assert!(count.unknown > 0 && count.unknown < count.steps, "some histories are unknown, few: {count:?}");
}
