//! The allocations of a decision with an index once its scratch has grown: none.

use std::fmt::Write;

use hookc_compiler::index::IndexThresholds;
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::{DecideOptions, Module, Scratch, Strategy};

/// Hooks that need every kind of probe and of exclusion.
fn module(thresholds: IndexThresholds) -> Module {
    let mut yaml = String::from("schema_version: \"1.0.0\"\nhooks:\n");
    for n in 0..200 {
        for (kind, when) in [
            format!("directive == 'team/{n}' and turn > {}", n % 7),
            format!("code in ['http_{n}', 'http_{}', {n}]", n + 1),
            format!("code == 'HTTP_{n}' nocase"),
            format!("spend > {n}.5 and turn < {}", n / 2),
            format!("command starts_with 'make t{n}'"),
            format!("command ends_with '-{n}.rs'"),
            format!("command contains 'needle-{n}'"),
            format!("command =~ 'cargo (test|run) -p c{n}$'"),
            format!("not exists(seen{}) and code == {n}", n % 3),
            format!("directive != 'team/{n}' and spend < {n} and turn == {}", n % 9),
        ]
        .iter()
        .enumerate()
        {
            writeln!(yaml, "  - {{id: h{n}-{kind}, event: e, when: \"{when}\", action: {{type: abort}}}}")
                .unwrap();
        }
    }
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let options = Options::default().thresholds(thresholds);
    Module::load(compile(&mut sources, &[input], &options).module.unwrap()).unwrap()
}

const EVENTS: &[&str] = &[
    r#"{"event_type": "e", "directive": "team/7", "turn": 9, "code": "http_12", "spend": 3.5}"#,
    r#"{"event_type": "e", "directive": "team\/41", "command": "make t77 -- needle-55 x-9.rs", "turn": 3e0}"#,
    r#"{"event_type": "e", "command": "cargo test -p c30", "code": 12, "spend": 150.25, "turn": -0.50}"#,
    r#"{"event_type": "e", "code": "\u0048ttp_9", "seen1": null, "seen2": [], "unread": ["\u00e9", {}]}"#,
];

#[test]
fn a_search_allocates_nothing() {
    let mut eager = IndexThresholds::default();
    (eager.min_indexed, eager.max_posting, eager.min_grams, eager.least, eager.share) =
        (0, 2, 0, 0, usize::MAX);
    for thresholds in [IndexThresholds::default(), eager] {
        let module = module(thresholds);
        assert!(!module.tables().unwrap().probes.is_empty() && !module.tables().unwrap().dims.is_empty());
        for strategy in [Strategy::First, Strategy::All] {
            let mut scratch = Scratch::new();
            let ask = DecideOptions::default().strategy(strategy);
            let mut hits =
                |event: &str| module.decide(&mut scratch, event.as_bytes(), &ask).unwrap().hooks().count();
            let known: Vec<usize> = EVENTS.iter().map(|event| hits(event)).collect();
            assert!(known.iter().all(|hits| *hits > 0), "{known:?}");
            for (event, known) in EVENTS.iter().zip(known) {
                let mut again = 0;
                let info = allocation_counter::measure(|| again = hits(event));
                assert_eq!((info.count_total, again), (0, known), "{event}");
            }
        }
    }
}
