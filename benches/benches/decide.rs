//! Deciding from an event's bytes over all shapes and sizes, compared with only reading them in the
//! same run. Every answer is checked against the oracle before timing. `--quick` omits the largest
//! policies of the shapes with many leaves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs,
    reason = "benchmarks"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use criterion::{Throughput, measurement::WallTime};
use hookc_benches::{Shape, Spec, Workload, judge};
use hookc_vm::{DecideOptions, Module, Scratch};
use serde_json::Value;
use serde_json::from_slice as read;

const EVENTS: usize = 256;

/// A quick run omits what takes long to compile and to check.
fn sizes(shape: Shape) -> &'static [usize] {
    let quick = std::env::args().any(|arg| arg == "--quick");
    match shape {
        Shape::Regex | Shape::NearMiss | Shape::Negation | Shape::Absent | Shape::InList if quick => {
            &[10, 100, 1000, 10_000]
        }
        _ => &[10, 100, 1000, 10_000, 100_000],
    }
}

/// A benchmark that compiles its policy only if it is not filtered out.
fn bench(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, spec: Spec) {
    let mut ready: Option<(Module, Vec<String>)> = None;
    let (mut scratch, mut at) = (Scratch::new(), 0);
    group.throughput(Throughput::Elements(1));
    group.bench_function(id, |b| {
        let (module, events) = ready.get_or_insert_with(|| {
            let made = Workload::new(spec);
            let module = judge::checked(&made).expect("hookc and the oracle agree");
            // The scratch grows and patterns are built once, not per decision.
            for event in &made.events {
                let _ = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
            }
            (module, made.events)
        });
        b.iter(|| {
            at = (at + 1) % events.len();
            let decision =
                module.decide(&mut scratch, events[at].as_bytes(), &DecideOptions::default()).unwrap();
            black_box(decision.is_empty())
        });
    });
}

fn shapes(c: &mut Criterion) {
    for &shape in Shape::ALL {
        let mut group = c.benchmark_group(format!("decide/{}", shape.name()));
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(2))
            .warm_up_time(Duration::from_millis(500));
        for &hooks in sizes(shape) {
            bench(&mut group, BenchmarkId::from_parameter(hooks), Spec::new(shape, hooks, EVENTS));
        }
        group.finish();
    }
}

/// Events of 1, 10 and 100 KB, decided and only read.
fn large(c: &mut Criterion) {
    for bytes in [1000, 10_000, 100_000] {
        let mut group = c.benchmark_group(format!("event-bytes/{bytes}"));
        let spec = Spec { event_bytes: bytes, ..Spec::new(Shape::Selective, 1000, 64) };
        bench(&mut group, BenchmarkId::from_parameter("decide"), spec);
        let events = Workload::new(spec).events;
        reading(&mut group, &events);
        group.finish();
    }
}

fn reading(group: &mut BenchmarkGroup<'_, WallTime>, events: &[String]) {
    let mut at = 0;
    let mut next = || {
        at = (at + 1) % events.len();
        events[at].as_bytes()
    };
    group.bench_function("floor: UTF-8 check and IgnoredAny", |b| {
        b.iter(|| {
            let text = simdutf8::basic::from_utf8(next()).unwrap();
            read::<serde::de::IgnoredAny>(text.as_bytes()).unwrap()
        });
    });
    group.bench_function("IgnoredAny", |b| b.iter(|| read::<serde::de::IgnoredAny>(next()).unwrap()));
    group.bench_function("Value", |b| b.iter(|| read::<Value>(next()).unwrap()));
}

fn alone(c: &mut Criterion) {
    hookc_benches::choose_scanner();
    for shape in [Shape::Selective, Shape::Mixed] {
        let mut group = c.benchmark_group(format!("read/{}", shape.name()));
        reading(&mut group, &Workload::new(Spec::new(shape, 1000, EVENTS)).events);
        group.finish();
    }
}

/// Rendering the action of a decision, with its templates, compared with deciding.
fn rendering(c: &mut Criterion) {
    let mut group = c.benchmark_group("render/selective");
    let made = Workload::new(Spec::new(Shape::Selective, 1000, EVENTS));
    let module = judge::checked(&made).expect("hookc and the oracle agree");
    let (mut scratch, mut action) = (Scratch::new(), String::new());
    let decides = |event: &&String| {
        let mut scratch = Scratch::new();
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
        decision.is_ok_and(|decision| !decision.is_empty())
    };
    let event = made.events.iter().find(decides).expect("some event matches");
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
    let hook = decision.hooks().next().unwrap();
    group.bench_function("its action", |b| {
        b.iter(|| {
            action.clear();
            hook.render(&mut action).unwrap();
            action.len()
        });
    });
    group.finish();
}

criterion_group!(benches, alone, shapes, large, rendering);
criterion_main!(benches);
