//! Compiling hooks files, compared with only parsing the same YAML to spanned values.
#![allow(clippy::unwrap_used, missing_docs, reason = "benchmarks")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hookc_benches::{Shape, Spec, Workload, judge};
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front;

fn compiling(c: &mut Criterion) {
    for shape in [Shape::Selective, Shape::Mixed] {
        let mut group = c.benchmark_group(format!("compile/{}", shape.name()));
        group.sample_size(10);
        for hooks in [100, 1000, 10_000] {
            let yaml = Workload::new(Spec::new(shape, hooks, 0)).yaml();
            group.bench_function(BenchmarkId::new("yaml alone", hooks), |b| {
                b.iter(|| front::yaml::read(&yaml, SourceId(0), &mut Diagnostics::new()).unwrap());
            });
            group.bench_function(BenchmarkId::new("all", hooks), |b| {
                b.iter(|| judge::build(&yaml).unwrap());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, compiling);
criterion_main!(benches);
