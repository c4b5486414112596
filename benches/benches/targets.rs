//! The table of targets: each measured in this run, together with the floor on the same events, and
//! the range of eight in ten rounds. `--quick` measures more briefly; `HOOKC_RECORD=FILE` also
//! writes the table to that file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    missing_docs,
    reason = "benchmarks"
)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use hookc_benches::time::{Figure, Mode, Rounds, Work, compare, short};
use hookc_benches::{Shape, Spec, Workload, judge};
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front;
use hookc_vm::format::event::{Level, Slots, TrieIndex};
use hookc_vm::limits::Limits;
use hookc_vm::{DecideOptions, Module, Scratch};
use serde::de::IgnoredAny;
use serde_json::Value;

// The sides of a comparison.
const OURS: usize = 0;
const FLOOR: usize = 1;
const IGNORED: usize = 2;
const VALUE: usize = 3;

struct Table {
    rows: Vec<[String; 5]>,
    budget: Duration,
    level: Level,
}

/// The most that a ratio may be, by the instructions of the scanner; the portable scanner has no
/// targets of its own.
#[derive(Clone, Copy)]
struct Most {
    avx512: f64,
    avx2: f64,
}

impl Most {
    const fn both(most: f64) -> Self {
        Self { avx512: most, avx2: most }
    }

    fn at(self, level: Level) -> Option<f64> {
        match level.name() {
            "avx512" => Some(self.avx512),
            "avx2" => Some(self.avx2),
            _ => None,
        }
    }
}

impl Table {
    fn row(&mut self, what: &str, most: Option<f64>, measured: f64, shown: &str, detail: String) {
        let (target, met) = match most {
            Some(most) => (format!("at most {most}"), if measured <= most { "yes" } else { "no" }),
            None => (String::new(), ""),
        };
        let row = [what.to_owned(), target, shown.to_owned(), met.to_owned(), detail];
        println!("| {} |", row.join(" | "));
        self.rows.push(row);
    }

    fn ratio(&mut self, what: &str, most: Option<f64>, rounds: &Rounds, to: usize) {
        let ratio = rounds.ratio(OURS, to);
        let detail = format!(
            "{} ns; UTF-8 check and IgnoredAny {}, IgnoredAny {}, Value {}",
            short(rounds.of(OURS).median),
            short(rounds.of(FLOOR).median),
            short(rounds.of(IGNORED).median),
            short(rounds.of(VALUE).median)
        );
        self.row(what, most, ratio.median, &format!("{ratio}x"), detail);
    }

    /// A workload in both modes.
    fn both(&mut self, what: &str, spec: Spec, warm: Most, cycling: Option<f64>) {
        let (budget, level) = (self.budget, self.level);
        let rounds = measure(spec, Mode::Warm, budget);
        self.ratio(&format!("{what}, warm"), warm.at(level), &rounds, FLOOR);
        // More than the caches of a core hold.
        let spec = Spec { events: 4096, ..spec };
        let rounds = measure(spec, Mode::Cycling, budget);
        self.ratio(&format!("{what}, cycling"), cycling, &rounds, FLOOR);
    }
}

/// A workload's four sides, after the oracle has judged.
fn measure(spec: Spec, mode: Mode, budget: Duration) -> Rounds {
    let made = Workload::new(spec);
    let module = judge::checked(&made).expect("hookc and the oracle agree");
    let mut scratch = Scratch::new();
    let options = DecideOptions::default();
    let ours = |event: &[u8]| !module.decide(&mut scratch, event, &options).unwrap().is_empty();
    sides(ours, &made.events, mode, budget)
}

fn sides(mut ours: impl FnMut(&[u8]) -> bool, events: &[String], mode: Mode, budget: Duration) -> Rounds {
    let ours = |at: usize| ours(events[at].as_bytes());
    let floor = |at: usize| {
        let text = simdutf8::basic::from_utf8(events[at].as_bytes()).unwrap();
        serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok()
    };
    let ignored = |at: usize| serde_json::from_slice::<IgnoredAny>(events[at].as_bytes()).is_ok();
    let value = |at: usize| serde_json::from_slice::<Value>(events[at].as_bytes()).is_ok();
    let mut work: [Work<'_>; 4] = [Box::new(ours), Box::new(floor), Box::new(ignored), Box::new(value)];
    compare(&mut work, events.len(), mode, budget)
}

fn deciding(table: &mut Table) {
    let budget = table.budget;
    let spec = |shape, hooks| Spec::new(shape, hooks, 256);
    let [small, large] =
        [100, 100_000].map(|hooks| measure(spec(Shape::Selective, hooks), Mode::Warm, budget));
    let most = Most { avx512: 1.0, avx2: 1.15 }.at(table.level);
    table.ratio("`selective`, 100,000 hooks, to the floor, warm", most, &large, FLOOR);
    table.ratio("`selective`, 100,000 hooks, to a `Value`, warm", Some(0.25), &large, VALUE);
    for (hooks, avx512, avx2, cycling) in [
        (10, 0.85, 0.95, None),
        (100, 1.1, 1.25, None),
        (1000, 1.5, 2.0, Some(2.2)),
        (10_000, 2.0, 3.0, Some(3.5)),
        (100_000, 3.5, 4.3, Some(6.0)),
    ] {
        let what = format!("`mixed`, {hooks} hooks");
        table.both(&what, spec(Shape::Mixed, hooks), Most { avx512, avx2 }, cycling);
    }
    // Each in units of its own floor, so that a change of the machine's pace between the two does
    // not show.
    let growth = large.ratio(OURS, FLOOR).median / small.ratio(OURS, FLOOR).median;
    let detail = format!("{} to {} ns", short(small.of(OURS).median), short(large.of(OURS).median));
    let what = "growth of `selective` from 100 to 100,000, warm";
    table.row(what, Some(1.3), growth, &format!("{}x", short(growth)), detail);
    for (shape, hooks, warm, cycling) in [
        (Shape::Dense, 100_000, Most::both(4.0), Some(5.0)),
        (Shape::Contains, 10_000, Most { avx512: 1.6, avx2: 1.9 }, None),
        (Shape::Prefix, 10_000, Most::both(3.0), None),
        (Shape::Regex, 10_000, Most::both(2.0), Some(4.0)),
    ] {
        table.both(&format!("`{}`, {hooks} hooks", shape.name()), spec(shape, hooks), warm, cycling);
    }
    for (bytes, scan) in [(0, Some(0.6)), (10_000, Some(0.37)), (100_000, None)] {
        let spec = Spec { event_bytes: bytes, ..Spec::new(Shape::Selective, 1000, 64) };
        let size = format!("events of {} KB", (bytes / 1000).max(1));
        let what = format!("{size}, 1,000 hooks, warm");
        table.ratio(&what, Some(1.2), &measure(spec, Mode::Warm, budget), FLOOR);
        let what = format!("{size}, scan and slots alone, warm");
        table.ratio(&what, scan.filter(|_| table.level.name() == "avx512"), &scanning(spec, budget), FLOOR);
    }
}

/// Only the scan of the events of a workload, into the slots of its module.
fn scanning(spec: Spec, budget: Duration) -> Rounds {
    let made = Workload::new(spec);
    let module = judge::checked(&made).expect("hookc and the oracle agree");
    let (trie, limits) = (module.tables().unwrap().trie(), Limits::default());
    let (trie_index, mut slots) = (TrieIndex::new(&trie), Slots::default());
    let ours = |event: &[u8]| slots.read(event, &trie, &trie_index, &limits).is_ok();
    sides(ours, &made.events, Mode::Warm, budget)
}

fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed().as_secs_f64(), done)
}

/// Compiling, loading and keeping.
fn policies(table: &mut Table) {
    let mut per_hook = Vec::new();
    for (shape, hooks) in [(Shape::Mixed, 10_000), (Shape::Mixed, 100_000), (Shape::Selective, 100_000)] {
        let yaml = Workload::new(Spec::new(shape, hooks, 0)).yaml();
        let runs = if hooks > 10_000 { 3 } else { 9 };
        let (mut parse, mut whole, mut ratio, mut module) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..runs {
            let (p, _) = seconds(|| front::yaml::read(&yaml, SourceId(0), &mut Diagnostics::new()).unwrap());
            // What either makes is freed when the clock has stopped.
            let (w, (done, _sources)) = seconds(|| judge::compiled(&yaml));
            parse.push(p * 1e3);
            whole.push(w * 1e3);
            ratio.push(w / p);
            module = done.module.unwrap();
        }
        let (ratio, whole) = (Figure::new(ratio), Figure::new(whole));
        let what = format!("compiling {hooks} `{}` hooks, to parsing the YAML", shape.name());
        let detail =
            format!("{} ms; the YAML alone {}", short(whole.median), short(Figure::new(parse).median));
        table.row(&what, Some(2.0), ratio.median, &format!("{ratio}x"), detail);
        per_hook.push(whole.median / hooks as f64);
        if shape == Shape::Selective {
            loading(table, &module, whole.median, hooks);
        }
    }
    let growth = per_hook[1] / per_hook[0];
    let detail = format!("{} to {} us a hook", short(per_hook[0] * 1e3), short(per_hook[1] * 1e3));
    table.row(
        "compiling is linear: a hook of 100,000 to one of 10,000",
        Some(1.2),
        growth,
        &format!("{}x", short(growth)),
        detail,
    );
}

fn loading(table: &mut Table, module: &[u8], compile_ms: f64, hooks: usize) {
    let one = |_| {
        let bytes = module.to_vec();
        let (took, loaded) = seconds(|| Module::load(bytes).unwrap());
        drop(loaded);
        took * 1e3
    };
    let load = Figure::new((0..21).map(one).collect());
    table.row(
        "load and verify 100,000 `selective` hooks, ms",
        Some(12.0),
        load.median,
        &load.to_string(),
        String::new(),
    );
    let part = load.median / compile_ms;
    table.row("the same, to compiling them", Some(0.02), part, &short(part), String::new());
    let each = module.len() as f64 / hooks as f64;
    table.row(
        "bytes of a `selective` hook, stripped",
        Some(146.0),
        each,
        &short(each),
        format!("{} bytes", module.len()),
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selective.hookc");
    std::fs::write(&file, module).unwrap();
    let events = Workload::new(Spec::new(Shape::Selective, hooks, 1000)).events;
    std::fs::write(file.with_extension("ndjson"), events.join("\n")).unwrap();
    let child =
        Command::new(std::env::current_exe().unwrap()).arg("--footprint").arg(&file).output().unwrap();
    let kilobytes: f64 = String::from_utf8(child.stdout).unwrap().trim().parse().unwrap();
    let each = kilobytes * 1024.0 / hooks as f64;
    let detail = "growth of a process by reading, loading and deciding about 1,000 events".to_owned();
    table.row("memory of a `selective` hook, loaded, bytes", Some(150.0), each, &short(each), detail);
}

/// In a separate process, which has no freed memory to reuse: resident kilobytes that the module
/// adds.
fn footprint(file: &str) {
    let events = std::fs::read_to_string(Path::new(file).with_extension("ndjson")).unwrap();
    let before = resident();
    let module = Module::load(std::fs::read(file).unwrap()).unwrap();
    let mut scratch = Scratch::new();
    for event in events.lines() {
        assert!(module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).is_ok());
    }
    println!("{}", resident() - before);
}

fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn main() {
    hookc_benches::choose_scanner();
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--footprint") {
        return footprint(&args[at + 1]);
    }
    let quick = args.iter().any(|arg| arg == "--quick");
    let budget = Duration::from_millis(if quick { 500 } else { 3000 });
    let level = Level::best();
    let mut table = Table { rows: Vec::new(), budget, level };
    println!("instructions of the scanner: {}\n", level.name());
    let head = "| what | target | measured (8 of 10 rounds) | met | |\n|---|---:|---:|---|---|\n";
    print!("{head}");
    deciding(&mut table);
    policies(&mut table);
    if let Ok(file) = std::env::var("HOOKC_RECORD") {
        let rows: String = table.rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
        std::fs::write(file, format!("{head}{rows}")).unwrap();
    }
}
