//! The workloads match their descriptions: seeded, checked, and mixed as described.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

use std::collections::BTreeSet;

use hookc_benches::rule::{Cond, ranked_rules};
use hookc_benches::{Shape, Spec, Workload, judge, tree};
use hookc_vm::{DecideOptions, Module, Scratch};

/// The rank of the hook that decides, per event.
fn ranks(module: &Module, events: &[String]) -> Vec<Option<u32>> {
    let mut scratch = Scratch::new();
    let rank = |event: &String| {
        module
            .decide(&mut scratch, event.as_bytes(), &DecideOptions::default())
            .unwrap()
            .hooks()
            .next()
            .map(|h| h.rank())
    };
    events.iter().map(rank).collect()
}

#[test]
fn every_shape_compiles_and_the_oracle_agrees() {
    for &shape in Shape::ALL {
        let made = Workload::new(Spec::new(shape, 60, 100));
        let module = judge::checked(&made).unwrap_or_else(|why| panic!("{}: {why}", shape.name()));
        let hits = ranks(&module, &made.events).iter().flatten().count();
        eprintln!("{}: {hits} of 100 events match one of 60 hooks", shape.name());
        let never = [Shape::Dense, Shape::NearMiss, Shape::NoMatch].contains(&shape);
        assert!(!never || hits == 0, "{}: {hits} match", shape.name());
        let bytes = made.event_bytes();
        assert!((700..1300).contains(&bytes), "{}: events of {bytes} bytes", shape.name());
    }
}

#[test]
fn the_straight_tree_walk_agrees_too() {
    for &shape in Shape::ALL {
        let made = Workload::new(Spec::new(shape, 300, 100));
        let module = Module::load(judge::build(&made.yaml()).unwrap()).unwrap();
        let ranked = ranked_rules(&made.rules);
        for (event, ours) in made.events.iter().zip(ranks(&module, &made.events)) {
            let value: serde_json::Value = serde_json::from_str(event).unwrap();
            let kind = value["event"]["type"].as_str().unwrap();
            let mut of_event = ranked.iter().filter(|rule| rule.event == kind);
            let theirs = of_event.position(|rule| tree::holds(&rule.when, &value));
            assert_eq!(ours.map(|rank| rank as usize), theirs, "{}: {event}", shape.name());
        }
    }
}

#[test]
fn a_seed_gives_the_same_bytes() {
    for &shape in Shape::ALL {
        let [a, b] = [0, 1].map(|_| Workload::new(Spec::new(shape, 20, 20)));
        assert_eq!((a.yaml(), a.events), (b.yaml(), b.events));
    }
    let other = Workload::new(Spec { seed: 2, ..Spec::new(Shape::Mixed, 20, 20) });
    assert_ne!(other.yaml(), Workload::new(Spec::new(Shape::Mixed, 20, 20)).yaml());
}

#[test]
fn events_grow_to_their_size() {
    for bytes in [10_000, 100_000] {
        let made = Workload::new(Spec { event_bytes: bytes, ..Spec::new(Shape::Mixed, 20, 20) });
        let each = made.event_bytes();
        assert!((bytes..bytes + 1000).contains(&each), "{each} bytes");
    }
}

#[test]
fn mixed_matches_its_description() {
    let made = Workload::new(Spec::new(Shape::Mixed, 4000, 4000));
    let conds = || made.rules.iter().map(|rule| &rule.when);
    let share = |of: usize, whole: usize| of as f64 / whole as f64;
    let rooted = |test: fn(&Cond) -> bool| share(conds().filter(|cond| test(cond)).count(), made.rules.len());
    let any = rooted(|cond| matches!(cond, Cond::Any(_)));
    let not = rooted(|cond| matches!(cond, Cond::Not(_)));
    assert!((0.08..0.10).contains(&any) && (0.02..0.04).contains(&not), "any {any}, not {not}");
    let leaves: BTreeSet<usize> = conds().map(Cond::leaves).collect();
    assert_eq!(leaves, (1..=6).collect(), "leaves");
    let depths: BTreeSet<usize> = conds().map(Cond::depth).collect();
    assert_eq!(depths, (1..=4).collect(), "depths");
    let events: BTreeSet<&str> = made.rules.iter().map(|rule| rule.event).collect();
    assert_eq!(events.len(), 8);

    let module = Module::load(judge::build(&made.yaml()).unwrap()).unwrap();
    let ranks = ranks(&module, &made.events);
    let matched = share(ranks.iter().flatten().count(), ranks.len());
    // 500 hooks an event type: the first hundredth is five.
    let early = share(ranks.iter().flatten().filter(|rank| **rank < 5).count(), ranks.len());
    eprintln!("{matched} match, {early} early");
    assert!((0.27..0.33).contains(&matched), "{matched} match");
    assert!((0.015..0.035).contains(&early), "{early} match early");
}
