//! Random sequences of events and questions: what the monitors know is what the model says.

use std::collections::BTreeMap;

use hookc_history::{CellId, Limits, Partition, encode_settlement, fingerprint};

use crate::harness::{self, Compiled};
use crate::model::{self, Answer, Event, Said, Watched};
use crate::random::{self, Random, Style};

/// What a run counts.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    known: usize,
    unknown: usize,
    interesting: usize,
}

/// A partition, its file, and the events that it has recorded.
struct World {
    random: Random,
    style: Style,
    limits: Limits,
    partition: Partition,
    /// What a store has: a snapshot, and what was appended.
    file: Vec<u8>,
    events: Vec<Event>,
    /// All questions, and which of them the policies ask now.
    questions: Vec<Compiled>,
    asked: Vec<usize>,
    watched: BTreeMap<CellId, (Watched, bool)>,
}

/// Whether it is the answer of a selection without events.
fn is_dull(answer: &Answer) -> bool {
    let dull = [Answer::Truth(false), Answer::Count(0), Answer::Sum("0".to_owned()), Answer::Values(None)];
    dull.contains(answer)
}

impl World {
    fn new(seed: u64, style: Style, limits: Limits) -> Self {
        let mut random = Random(seed);
        let questions = (0..8).map(|_| harness::compile(&random::question(&mut random, &style))).collect();
        let mut partition = Partition::new(limits);
        let file = partition.encode();
        let (events, asked, watched) = (Vec::new(), (0..8).collect(), BTreeMap::new());
        Self { random, style, limits, partition, file, events, questions, asked, watched }
    }

    fn asked(&self) -> Vec<Compiled> {
        self.asked.iter().map(|index| self.questions[*index].clone()).collect()
    }

    /// Some questions are no longer asked, others are again.
    fn change_policies(&mut self) {
        self.asked = (0..self.questions.len()).filter(|_| !self.random.one_in(3)).collect();
        self.watch();
    }

    /// What each monitor has seen, from now on by the questions that are asked.
    fn watch(&mut self) {
        let next = self.events.len();
        let asked: Vec<CellId> =
            self.asked().iter().flat_map(|asked| &asked.watches).map(|watch| watch.shape.id).collect();
        for (id, (watched, is_used)) in &mut self.watched {
            let uses = asked.contains(id);
            if !self.partition.has(*id) && uses != *is_used {
                // Of a monitor that was never fed nothing is known: it is a new one.
                *watched = Watched { first: next, missed: Vec::new() };
            } else if *is_used && !uses {
                watched.missed.push(next..usize::MAX);
            } else if let (false, true, Some(missed)) = (*is_used, uses, watched.missed.last_mut()) {
                missed.end = next;
            }
            *is_used = uses;
        }
        for id in asked {
            let first = Watched { first: next, missed: Vec::new() };
            self.watched.entry(id).or_insert((first, true));
        }
        for compiled in &mut self.questions {
            let seen = |index: usize| {
                let id = compiled.watches.get(index).map(|watch| watch.shape.id);
                id.and_then(|id| self.watched.get(&id))
                    .map(|(watched, _)| watched.clone())
                    .unwrap_or_default()
            };
            let (main, anchors) = (seen(0), [seen(1), seen(2)]);
            compiled.question.main.watched = main;
            for (anchor, watched) in compiled.question.since.iter_mut().zip(anchors) {
                anchor.watched = watched;
            }
        }
    }

    /// A new event: asks about it, and records it.
    fn step(&mut self, must_know: bool, tally: &mut Tally) {
        let time = self.events.last().map_or(1_000_000, |event| event.time);
        let mut now = random::event(&mut self.random, &self.style, time);
        now.pending &= self.events.iter().filter(|event| event.pending).count() < 5;
        let compiled = self.asked();
        let mut record = harness::record(&compiled, &now);
        let shapes = harness::shapes(&compiled);
        for compiled in &compiled {
            let history = self.partition.at(now.time);
            let answer = harness::ask(&history, compiled, &now, &record.feeds);
            let is_found = harness::is_found(&history, fingerprint(&shapes), compiled, &now);
            assert!(
                is_found || is_dull(&answer),
                "{answer:?} is not found by its key: {:?}",
                compiled.question
            );
            self.check(&answer, compiled, &now, must_know, tally);
        }
        harness::introduce(&mut record, &shapes, &self.partition);
        let step = u64::try_from(self.events.len() + 1).unwrap();
        self.file.extend(record.encode(step));
        assert_eq!(self.partition.apply(record), step);
        assert_eq!(self.partition.change(fingerprint(&shapes), |_| None), None);
        self.events.push(now);
    }

    fn check(&self, answer: &Answer, compiled: &Compiled, now: &Event, must_know: bool, tally: &mut Tally) {
        let (question, events) = (&compiled.question, &self.events);
        let unknowns: [&dyn Fn(usize) -> bool; 4] =
            [&|_| true, &|_| false, &|index| index % 3 == 1, &|index| {
                (0x5a36_9c17_u32 >> (index % 31)) & 1 == 1
            }];
        let unknowns = if must_know { &unknowns[..1] } else { &unknowns[..] };
        for unknowns in unknowns {
            let expected = model::answer(events, now, question, unknowns);
            let is_right = *answer == expected || (*answer == Answer::Unknown && !must_know);
            assert!(
                is_right,
                "{answer:?}, not {expected:?}, at step {}: {question:#?}\nnow {now:?}\nevents {events:#?}",
                events.len()
            );
        }
        tally.unknown += usize::from(*answer == Answer::Unknown);
        tally.known += usize::from(*answer != Answer::Unknown);
        tally.interesting += usize::from(!is_dull(answer) && *answer != Answer::Unknown);
    }

    /// Another process reads the file, and may write a new snapshot.
    fn restore(&mut self) {
        let decoded = Partition::decode(&self.file, self.limits).unwrap();
        assert_eq!(decoded.length, self.file.len());
        assert_eq!(decoded.partition, self.partition);
        self.partition = decoded.partition;
        if self.random.one_in(2) {
            self.file = self.partition.encode();
        }
    }

    /// Settles one of the pending events.
    fn settle(&mut self) {
        let pending: Vec<usize> =
            (0..self.events.len()).filter(|index| self.events[*index].pending).collect();
        if pending.is_empty() {
            return;
        }
        let index = self.random.pick(&pending);
        self.events[index].pending = false;
        if !self.partition.is_pending(u64::try_from(index + 1).unwrap()) {
            // Too many waited after it, so it was settled with what was known.
            self.events[index].said = Said::Nothing;
            return;
        }
        self.events[index].said = self.random.pick(&[Said::Nothing, Said::Allow, Said::Ask, Said::Deny]);
        let (step, verdict) = (u64::try_from(index + 1).unwrap(), harness::settled(&self.events[index]));
        self.file.extend(encode_settlement(step, verdict));
        assert!(self.partition.settle(step, verdict));
        assert!(!self.partition.settle(step, verdict), "it is settled once");
    }
}

/// How a run goes.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    name: &'static str,
    full: usize,
    short: usize,
    style: Style,
    limits: Limits,
    /// Nothing may be unknown but sums with too many digits.
    must_know: bool,
    /// The policies change.
    changes: bool,
}

impl Rounds {
    fn new(name: &'static str, style: Style) -> Self {
        let limits = Limits::default();
        Self { name, full: 250, short: 60, style, limits, must_know: false, changes: false }
    }

    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for round in 0..hookc_corpus::effort(self.full, self.short) {
            let mut world = World::new(u64::try_from(round).unwrap(), self.style, self.limits);
            world.watch();
            for _ in 0..world.random.pick(&[20, 60, 120]) {
                world.step(self.must_know, &mut tally);
                if world.random.one_in(3) {
                    world.settle();
                }
                if world.random.one_in(10) {
                    world.restore();
                }
                if self.changes && world.random.one_in(20) {
                    world.change_policies();
                }
            }
        }
        eprintln!("{}: {tally:?}", self.name);
        tally
    }
}

const PLAIN: Style = Style { values: 3, several: false, unknown: false, pending: false, long_numbers: false };

#[test]
fn the_monitors_know_what_the_model_says() {
    let tally = Rounds { must_know: true, short: 100, ..Rounds::new("plain", PLAIN) }.run();
    assert!(tally.unknown == 0 && tally.interesting > tally.known / 10, "{tally:?}");
}

#[test]
fn pending_events_have_happened_until_they_are_settled() {
    let style = Style { pending: true, ..PLAIN };
    let tally = Rounds { must_know: true, ..Rounds::new("pending", style) }.run();
    assert_eq!(tally.unknown, 0);
}

#[test]
fn paths_with_several_results_are_unknown_or_right() {
    let style = Style { several: true, pending: true, ..PLAIN };
    let tally = Rounds::new("several", style).run();
    assert!(tally.unknown < tally.known / 20, "{tally:?}");
}

#[test]
fn unknown_conditions_and_long_sums_are_unknown_or_right() {
    let style = Style { values: 4, unknown: true, long_numbers: true, pending: true, ..PLAIN };
    let tally = Rounds::new("unknown", style).run();
    assert!(tally.unknown > 0 && tally.unknown < tally.known, "{tally:?}");
}

#[test]
fn changed_policies_keep_what_they_still_watch() {
    let tally = Rounds { changes: true, ..Rounds::new("changed", PLAIN) }.run();
    assert!(tally.unknown > 0 && tally.unknown < tally.known, "{tally:?}");
}

#[test]
fn full_cells_are_unknown_or_right() {
    let style = Style { values: 30, pending: true, several: true, ..PLAIN };
    for (name, limits) in [
        ("few keys", Limits::default().keys(4).sum(3)),
        ("few cells", Limits::default().cells(12)),
        ("few bytes", Limits::default().bytes(1_500)),
        ("few keys of an event", Limits::default().event_keys(1)),
        ("one key", Limits::default().keys(1).sum(1)),
    ] {
        let tally = Rounds { limits, full: 80, short: 25, changes: true, ..Rounds::new(name, style) }.run();
        assert!(tally.known > tally.unknown, "{tally:?}");
    }
}
