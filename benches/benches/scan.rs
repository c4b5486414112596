//! Only reading an event: the scan with a dozen paths and with none, compared with `serde_json`,
//! which reads into nothing (after a UTF-8 check, which it skips in ignored strings) and into a
//! value.
//!
//! Most of an event is never used, so the scan should cost less than `IgnoredAny`, although it
//! checks more: exponents, surrogates, depth.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "benchmarks")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_oracle::generate::Rng;
use hookc_schema::Sources;
use hookc_vm::Module;
use hookc_vm::format::event::{Slots, TrieIndex};
use hookc_vm::limits::Limits;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

const WORDS: &[&str] =
    &["the", "request", "was", "not", "finished", "in", "time", "upstream", "closed", "its", "connection"];

/// Paths of the module, in addition to the three with the event's type.
const PATHS: &[&str] = &[
    "event.directive",
    "error.code",
    "error.type",
    "error.message",
    "turn_number",
    "cost.spend",
    "classification.category",
    "tool_name",
    "tool_input.command",
];

fn words(rng: &mut Rng, count: usize) -> String {
    let words: Vec<&str> = (0..count).map(|_| rng.pick(WORDS)).collect();
    words.join(" ")
}

/// An event with so many steps of history: about a kilobyte with three.
fn event(rng: &mut Rng, steps: usize) -> Value {
    let step = |rng: &mut Rng, n: usize| {
        json!({"step": n, "name": words(rng, 1), "ok": rng.below(2) == 0, "ms": rng.below(9000) as f64 / 8.0,
               "tags": ["a", words(rng, 2)], "note": words(rng, 3).replace(' ', if n.is_multiple_of(5) { "\n" } else { " " })})
    };
    let history: Vec<Value> = (0..steps).map(|n| step(rng, n)).collect();
    json!({
        "event": {"type": "error", "timestamp": "2026-11-21T10:00:00Z", "thread_id": format!("t-{}", rng.below(1_000_000)),
                  "directive": format!("team/directive_{}", rng.below(1000))},
        "error": {"type": "http", "code": format!("http_{}", rng.below(600)), "message": words(rng, 12)},
        "tool_name": "Bash",
        "tool_input": {"command": "git push --force origin main", "description": words(rng, 6), "timeout": rng.below(100_000)},
        "classification": {"category": "transient", "retryable": true, "confidence": 0.25},
        "turn_number": rng.below(300),
        "cost": {"spend": 0.25, "tokens": rng.below(10_000)},
        "history": history,
    })
}

fn module() -> Module {
    let mut yaml = String::from("schema_version: \"1.0.0\"\nhooks:\n");
    for path in PATHS {
        yaml += &format!(
            "  - event: error\n    condition: {{path: {path}, op: eq, value: none}}\n    action: {{type: abort}}\n"
        );
    }
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml.as_str());
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default());
    Module::load(compiled.module.expect("the hooks compile")).unwrap()
}

fn scan(c: &mut Criterion) {
    hookc_benches::choose_scanner();
    let (with, without) = (module(), Module::load(hookc_vm::format::Image::minimal().encode()).unwrap());
    for (size, steps, events) in [("1k", 3, 64), ("10k", 95, 16), ("100k", 1000, 4)] {
        for pretty in [false, true] {
            let mut rng = Rng::new(7);
            let text = |value: Value| {
                if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() }
            };
            let events: Vec<String> = (0..events).map(|_| text(event(&mut rng, steps))).collect();
            let form = if pretty { "pretty" } else { "compact" };
            let mut group = c.benchmark_group(format!("scan/{size}-{form}"));
            let bytes = events.iter().map(String::len).sum::<usize>() / events.len();
            group.throughput(Throughput::Bytes(bytes as u64));
            let mut events = events.iter().map(String::as_bytes).cycle();
            let mut next = || black_box(events.next().unwrap_or_default());
            group.bench_function(BenchmarkId::from_parameter("simdutf8 + IgnoredAny"), |b| {
                b.iter(|| {
                    let event = next();
                    simdutf8::basic::from_utf8(event).unwrap();
                    serde_json::from_slice::<IgnoredAny>(event).unwrap()
                });
            });
            for (name, module) in [("paths", &with), ("no paths", &without)] {
                let (trie, limits) = (module.tables().unwrap().trie(), Limits::default());
                let trie_index = TrieIndex::new(&trie);
                let mut slots = Slots::default();
                group.bench_function(BenchmarkId::from_parameter(name), |b| {
                    b.iter(|| slots.read(next(), &trie, &trie_index, &limits).unwrap().len());
                });
            }
            group.bench_function(BenchmarkId::from_parameter("Value"), |b| {
                b.iter(|| serde_json::from_slice::<Value>(next()).unwrap());
            });
            group.finish();
        }
    }
}

criterion_group!(benches, scan);
criterion_main!(benches);
