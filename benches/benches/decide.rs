//! Deciding from an event's bytes, beside reading them alone in the same run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "benchmarks"
)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hookc_benches::{Shape, workload};
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::{Ask, Module, Scratch};

fn module(yaml: &str) -> Module {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let input = Input { source, dialect: Some(Dialect::HooksYaml), layer: None };
    let compiled = compile(&mut sources, &[input], &Options { builtin: false, ..Options::default() });
    Module::load(compiled.module.expect("the workload compiles")).unwrap()
}

fn decide(c: &mut Criterion) {
    for &shape in Shape::ALL {
        let mut group = c.benchmark_group(format!("decide/{}", shape.name()));
        for hooks in [10, 100, 1000, 10_000, 100_000] {
            let made = workload(shape, hooks, 512, 1);
            let module = module(&made.yaml);
            let mut scratch = Scratch::default();
            group.throughput(Throughput::Elements(1));
            let mut at = 0;
            group.bench_function(BenchmarkId::from_parameter(hooks), |b| {
                b.iter(|| {
                    at = (at + 1) % made.events.len();
                    let decision =
                        module.decide(&mut scratch, made.events[at].as_bytes(), &Ask::default()).unwrap();
                    black_box(decision.hooks().count())
                });
            });
        }
        group.finish();
    }
}

fn floor(c: &mut Criterion) {
    let made = workload(Shape::Mixed, 1, 512, 1);
    let mut group = c.benchmark_group("read");
    let mut at = 0;
    group.bench_function("IgnoredAny", |b| {
        b.iter(|| {
            at = (at + 1) % made.events.len();
            serde_json::from_slice::<serde::de::IgnoredAny>(made.events[at].as_bytes()).unwrap()
        });
    });
    group.bench_function("Value", |b| {
        b.iter(|| {
            at = (at + 1) % made.events.len();
            serde_json::from_slice::<serde_json::Value>(made.events[at].as_bytes()).unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, decide, floor);
criterion_main!(benches);
