//! Compiling hooks files, beside parsing the same YAML to spanned values alone.
#![allow(clippy::unwrap_used, missing_docs, reason = "benchmarks")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hookc_benches::{Shape, workload};
use hookc_compiler::{Dialect, Input, Options, compile, front};
use hookc_schema::{SourceId, Sources};

fn compiling(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile/mixed");
    group.sample_size(10);
    for hooks in [1000, 10_000] {
        let yaml = workload(Shape::Mixed, hooks, 0, 1).yaml;
        group.bench_function(BenchmarkId::new("yaml alone", hooks), |b| {
            b.iter(|| front::yaml::read(&yaml, SourceId(0), &mut Vec::new()).unwrap());
        });
        group.bench_function(BenchmarkId::new("all", hooks), |b| {
            b.iter(|| {
                let mut sources = Sources::new();
                let source = sources.add("hooks.yaml", yaml.as_str());
                let input = Input { source, dialect: Some(Dialect::HooksYaml), layer: None };
                compile(&mut sources, &[input], &Options::default()).module.unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, compiling);
criterion_main!(benches);
