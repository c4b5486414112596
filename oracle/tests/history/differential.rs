//! Random policies about what happened before, over random sequences of events: the VM and the oracle agree at each
//! step. With lowered limits, or other windows than before, the VM may not know; it is never wrong.
//! `HOOKC_DECISIONS=10000000` makes it a long run, `HOOKC_SEED` starts it at another seed, `HOOKC_SEQUENCES` is how many
//! sequences of events each policy has in it, and `HOOKC_HISTOGRAM=1` prints what decided.

use std::cell::OnceCell;
use std::panic::resume_unwind;

use hookc_compiler::{Dialect, IndexThresholds, Options};
use hookc_corpus::{effort, number};
use hookc_history::Limits;
use hookc_oracle::Oracle;
use hookc_oracle::generate::{Rng, history, variants};
use hookc_schema::tree::Policy;
use hookc_vm::Module;

use super::sessions::{Answer, Event, Sessions};
use crate::{common, histogram};

/// How the events of a case are decided and recorded.
#[derive(Clone, Debug)]
struct Case {
    policy: Policy,
    /// The next version of the policy, and the event from which on it decides.
    next: Option<(Policy, usize)>,
    events: Vec<history::Moment>,
    /// Limits so low that cells are dropped.
    lowered: Option<Limits>,
    /// Numbers below 100 at each event: what else happens.
    dice: Vec<usize>,
}

/// How many steps agreed, how many hooks matched, and how many were unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    steps: usize,
    matched: usize,
    unknown: usize,
    /// Steps at which the oracle knows more than the VM, although nothing was dropped.
    imprecise: usize,
}

/// What went wrong.
#[derive(Debug)]
enum Failure {
    /// The policy does not compile.
    Compile(String),
    /// A step is different.
    Step(usize, String),
}

/// What all sequences of events of a policy have in common.
struct Compiled {
    /// With an index for each event, and without indexes.
    modules: [Module; 2],
    oracle: Oracle,
    next: Option<[Module; 2]>,
}

impl Compiled {
    fn new(case: &Case) -> Result<Self, Failure> {
        let next = case.next.as_ref().map(|(next, _)| compile(next)).transpose()?;
        Ok(Self { modules: compile(&case.policy)?, oracle: oracle(&case.policy), next })
    }
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let policy = without_unused_facts(history::policy(&mut rng));
        let (events, dice, lowered) = sequence(&mut rng);
        let next = rng.chance(30).then(|| {
            let next = without_unused_facts(variants::changed(&mut rng, &policy));
            (next, rng.below(events.len()))
        });
        Self { policy, next, events, lowered, dice }
    }

    /// A case of these policies with other events.
    fn with_sequence(&self, rng: &mut Rng) -> Self {
        let (events, dice, lowered) = sequence(rng);
        let next = self.next.as_ref().map(|(next, _)| (next.clone(), rng.below(events.len())));
        Self { policy: self.policy.clone(), next, events, lowered, dice }
    }

    /// The clock of the program goes back now and then. The events of one session have one clock; with other partitions
    /// the oracle, which has one list, would need several.
    fn times(&self) -> Vec<u64> {
        let texts = [Some(&self.policy), self.next.as_ref().map(|(next, _)| next)];
        let is_session = texts.into_iter().flatten().all(|policy| {
            let text = text(policy);
            !text.contains(" per ") && !text.contains("per: ")
        });
        let time = |(event, dice): (&history::Moment, &usize)| match dice {
            95..98 if is_session => event.at - 1 - event.at % 20_000,
            _ => event.at,
        };
        self.events.iter().zip(&self.dice).map(time).collect()
    }

    fn run(&self) -> Result<Count, Failure> {
        self.run_with(&Compiled::new(self)?)
    }

    fn run_with(&self, compiled: &Compiled) -> Result<Count, Failure> {
        let [module, unindexed] = &compiled.modules;
        let (next_oracle, times) = (OnceCell::new(), self.times());
        let limits = self.lowered.unwrap_or_default();
        let mut sessions = Sessions::new(Some(module), &compiled.oracle, limits).with_unindexed(unindexed);
        let (mut count, mut lacks_key, mut is_exact) = (Count::default(), false, self.lowered.is_none());
        for (number, (event, dice)) in self.events.iter().zip(&self.dice).enumerate() {
            if let (Some((next, at)), Some([module, unindexed])) = (&self.next, &compiled.next)
                && *at == number
            {
                let is_new = |label: &str| label.starts_with(variants::NEW);
                let next = || oracle(next).with_new_hooks(is_new, sessions.recorded());
                let next = next_oracle.get_or_init(next);
                sessions.change(module, next);
                sessions = sessions.with_unindexed(unindexed);
                is_exact &= !self.changes_windows();
            }
            match dice {
                0..3 => sessions.settle(0),
                3..5 => sessions.settle(number),
                5..8 => sessions.restore(),
                _ => {}
            }
            let waits = (90..94).contains(dice);
            let one = Event { text: event.event.clone(), at: times[number], keys: event.keys.clone() };
            let (vm, judge) = sessions.step(&one, dice % 4 == 0, waits, |_| event.verdict);
            let vm = vm.expect("there is a module");
            lacks_key |= event.keys.iter().any(Option::is_none);
            // Bounds decide some conditions about past events that are unknown themselves; the oracle has none. And the
            // state does not keep everything that negated ties with uncertain events, or with several values, need.
            let is_so = match (&vm, &judge) {
                (Ok(vm), Ok(judge)) if vm != judge => {
                    count.imprecise += usize::from(is_exact && vm.unknown.len() > judge.unknown.len());
                    agrees([vm, judge], lacks_key, dice % 4 == 0)
                }
                _ => vm.is_err() == judge.is_err(),
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

    /// Whether hooks of the next version have other windows than before: a longer one can miss what was not kept.
    fn changes_windows(&self) -> bool {
        let mut hooks = self.next.iter().flat_map(|(next, _)| &next.hooks);
        hooks.any(|hook| hook.id.is_none() && !self.policy.hooks.contains(hook))
    }

    /// The smallest case that still fails in the same way: fewer hooks, facts and events.
    fn shrink(mut self) -> Self {
        let fails = |case: &Self| matches!(case.run(), Err(Failure::Step(..)));
        let Err(Failure::Step(last, _)) = self.run() else { return self };
        self.events.truncate(last + 1);
        self.dice.truncate(last + 1);
        let unchanged = Self { next: None, ..self.clone() };
        if fails(&unchanged) {
            self = unchanged;
        }
        let mut at = 0;
        // What the next version keeps is in both.
        while at < self.decides_last().hooks.len() {
            let mut smaller = self.clone();
            smaller.next.as_mut().map_or(&mut smaller.policy, |(next, _)| next).hooks.remove(at);
            if !smaller.decides_last().hooks.is_empty() && fails(&smaller) { self = smaller } else { at += 1 }
        }
        let mut at = 0;
        while self.next.is_none() && at < self.policy.facts.len() {
            let mut smaller = self.clone();
            smaller.policy.facts.remove(at);
            if fails(&smaller) { self = smaller } else { at += 1 }
        }
        let mut at = 0;
        while at < self.events.len() {
            let mut smaller = self.clone();
            smaller.events.remove(at);
            smaller.dice.remove(at);
            if let Some((_, number)) = &mut smaller.next
                && *number > at
            {
                *number -= 1;
            }
            if fails(&smaller) { self = smaller } else { at += 1 }
        }
        self
    }

    /// The policy at the last event.
    fn decides_last(&self) -> &Policy {
        self.next.as_ref().map_or(&self.policy, |(next, _)| next)
    }

    fn show(&self) -> String {
        let event = |(event, dice): (&history::Moment, &usize)| {
            format!("{dice} at {} in {:?} {:?}: {}\n", event.at, event.keys, event.verdict, event.event)
        };
        let events: String = self.events.iter().zip(&self.dice).map(event).collect();
        let next = self.next.as_ref().map(|(next, at)| format!("from event {at} on\n{}", text(next)));
        let next = next.unwrap_or_default();
        format!("{}\n{next}\nlimits: {:?}\n{events}", text(&self.policy), self.lowered)
    }
}

pub(super) fn text(policy: &Policy) -> String {
    common::yaml(&vec![(policy.clone(), history::LAYER)]).remove(0).0
}

/// Facts that no hook uses are checked as those of threads.
pub(super) fn without_unused_facts(mut policy: Policy) -> Policy {
    let hooks = text(&Policy { facts: Vec::new(), ..policy.clone() });
    policy.facts.retain(|fact| hooks.contains(&fact.name.node));
    policy
}

/// Events, and what happens at each.
fn sequence(rng: &mut Rng) -> (Vec<history::Moment>, Vec<usize>, Option<Limits>) {
    let most = if rng.chance(5) { 280 } else { 60 };
    let count = 20 + rng.below(most);
    let events = history::events(rng, count);
    let dice = events.iter().map(|_| rng.below(100)).collect();
    let lowered = rng.chance(15).then(|| {
        let limits = Limits::default();
        rng.pick(&[
            limits.keys(2).sum(2),
            limits.keys(1).sum(1),
            limits.cells(6),
            limits.bytes(600),
            limits.event_keys(1),
        ])
    });
    (events, dice, lowered)
}

fn oracle(policy: &Policy) -> Oracle {
    common::oracle(&vec![(policy.clone(), history::LAYER)], None)
}

/// The module of a policy with an index for each event, and one without indexes.
fn compile(policy: &Policy) -> Result<[Module; 2], Failure> {
    let build = |min_indexed: usize| {
        let mut thresholds = IndexThresholds::default();
        (thresholds.min_indexed, thresholds.max_posting) = (min_indexed, 1);
        let options = Options::default().builtin(common::linked(false)).thresholds(thresholds);
        common::build_with(&[(text(policy), history::LAYER)], Dialect::HooksYaml, options)
            .map_err(Failure::Compile)
    };
    let (built, unindexed) = (build(0)?, build(usize::MAX)?);
    let read = &built.policies[0];
    if *read != *policy && (read.facts != policy.facts || read.hooks != policy.hooks) {
        return Err(Failure::Compile(format!("reads back as\n{read:#?}\nnot\n{policy:#?}")));
    }
    Ok([common::load(built.bytes), common::load(unindexed.bytes)])
}

/// The VM has the answer of the oracle for each hook that it knows, and with `judge_may` that the oracle knows.
fn agrees([vm, judge]: [&Answer; 2], judge_may: bool, all: bool) -> bool {
    type Hooks = [(usize, String, Option<String>)];
    let is_open = |label: &String| vm.unknown.contains(label) || judge_may && judge.unknown.contains(label);
    let known =
        |hooks: &Hooks| hooks.iter().filter(|(_, label, _)| !is_open(label)).cloned().collect::<Vec<_>>();
    let unknown = |answer: &Answer| -> Vec<String> {
        answer.unknown.iter().filter(|label| !is_open(label)).cloned().collect()
    };
    let parts = |answer: &Answer| (known(&answer.seen.1), known(&answer.seen.2), unknown(answer));
    // A hook that decides can end the search: the other one has looked at more hooks.
    let ends_early = |answer: &Answer| answer.seen.1.first().is_some_and(|(_, label, _)| is_open(label));
    parts(vm) == parts(judge) || !all && (ends_early(vm) || ends_early(judge))
}

/// The policies of a seed, over this number of sequences of events.
fn compare(seed: u64, sequences: usize) -> Count {
    let mut case = Case::new(seed);
    let compiled = match Compiled::new(&case) {
        Ok(compiled) => compiled,
        Err(Failure::Compile(why) | Failure::Step(_, why)) => panic!("seed {seed}: {why}\n{}", case.show()),
    };
    let (mut rng, mut sum) = (Rng::new(!seed), Count::default());
    for sequence in 1..=sequences {
        match case.run_with(&compiled) {
            Ok(count) => sum = add(sum, count),
            Err(_) => {
                let small = case.shrink();
                let Err(Failure::Step(number, why)) = small.run() else { panic!("seed {seed}") };
                panic!("seed {seed}, sequence {sequence}, step {number}: {why}\n{}", small.show())
            }
        }
        case = case.with_sequence(&mut rng);
    }
    sum
}

fn add(a: Count, b: Count) -> Count {
    Count {
        steps: a.steps + b.steps,
        matched: a.matched + b.matched,
        unknown: a.unknown + b.unknown,
        imprecise: a.imprecise + b.imprecise,
    }
}

#[test]
fn vm_and_oracle_agree_about_the_past() {
    let steps = number("HOOKC_DECISIONS").unwrap_or_else(|| effort(60_000, 3_000));
    let first = std::env::var("HOOKC_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(1);
    let sequences = number("HOOKC_SEQUENCES").unwrap_or(1);
    let seeds = steps.div_ceil(50 * sequences);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let count = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                let seeds = (first..).take(seeds).skip(thread).step_by(threads);
                scope.spawn(move || seeds.map(|seed| compare(seed, sequences)).fold(Count::default(), add))
            })
            .collect();
        let ended = running.into_iter().map(|one| one.join().unwrap_or_else(|why| resume_unwind(why)));
        ended.fold(Count::default(), add)
    });
    if number("HOOKC_DECISIONS").is_some() {
        eprintln!("{count:?} from seed {first}");
    }
    if histogram::is_asked() {
        eprintln!("{}", histogram::table());
    }
    assert!(count.imprecise <= 1 + count.steps / 20_000, "the VM knows what the oracle knows: {count:?}");
    assert!(count.matched * 5 > count.steps, "the generator makes events that hooks match: {count:?}");
    assert!(count.unknown > 0 && count.unknown < count.steps, "some histories are unknown, few: {count:?}");
}
