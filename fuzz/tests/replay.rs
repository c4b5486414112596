//! Each target over the corpus and past findings, unchanged and mutated. `HOOKC_FUZZ=100000` makes
//! it a long run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::path::Path;

use hookc_oracle::generate::Rng;

fn mutations() -> usize {
    std::env::var("HOOKC_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

fn collect(folder: &Path, all: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, all);
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.len() < 100_000
        {
            all.push(bytes);
        }
    }
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    collect(&here.join("regressions").join(name), &mut all);
    for kind in ["eval", "reject", "parity", "fmt", "quickstart"] {
        collect(&hookc_corpus::root().join(kind), &mut all);
    }
    match name {
        "event" => {
            all.retain(|bytes| bytes.starts_with(b"{"));
            all.extend(command_lines().iter().map(|line| event_of(line)));
        }
        "settings" | "agents" => all.retain(|bytes| bytes.starts_with(b"{")),
        "test_file" => all.retain(|bytes| bytes.windows(7).any(|part| part == b"expect:")),
        "when" | "path" | "template" => all = fragments(&all),
        "module" => all = modules(&all),
        "shell" => all = command_lines(),
        "repository" => all.retain(|bytes| bytes.windows(11).any(|part| part == b"event_type:")),
        "skill" => all.retain(|bytes| bytes.starts_with(b"---")),
        "layout" => all.retain(|bytes| bytes.windows(6).any(|part| part == b"hooks:")),
        _ => {}
    }
    assert!(!all.is_empty(), "{name} has seeds");
    all
}

/// Quoted parts of policies: conditions, paths and templates among them.
fn fragments(all: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let pieces = all.iter().flat_map(|bytes| bytes.split(|b| matches!(b, b'"' | b'\n')));
    pieces.filter(|piece| (1..500).contains(&piece.len())).map(<[u8]>::to_vec).collect()
}

fn command_lines() -> Vec<Vec<u8>> {
    let lines = include_str!("../../vm/tests/shell/commands.txt").lines();
    lines
        .filter_map(|line| line.strip_prefix("$ "))
        .map(|line| line.replace('⏎', "\n").into_bytes())
        .collect()
}

/// An event with a command line.
fn event_of(line: &[u8]) -> Vec<u8> {
    let line = serde_json::Value::from(String::from_utf8_lossy(line));
    format!("{{\"a\": {line}, \"b\": {{\"c\": [\"rm\", {line}]}}, \"cwd\": \"/r\"}}").into_bytes()
}

fn modules(all: &[Vec<u8>]) -> Vec<Vec<u8>> {
    use hookc_compiler::{Dialect, Input, Options, compile};
    let compiled = all.iter().filter_map(|bytes| {
        let mut sources = hookc_schema::Sources::new();
        let source = sources.add("policy", String::from_utf8(bytes.clone()).ok()?);
        let input = Input::new(source).with_dialect(Dialect::HooksYaml);
        compile(&mut sources, &[input], &Options::default()).module
    });
    compiled.take(40).collect()
}

fn mutate(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[rng.below(seeds.len())].clone();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.insert(at, rng.pick(b"{}[]()<>'\"\\:,.$&!?*-#\n \t\x00e0\xc3")),
            3 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let other = &seeds[rng.below(seeds.len())];
                let from = rng.below(other.len() + 1);
                let to = (from + rng.below(40)).min(other.len());
                let tail = bytes.split_off(at);
                bytes.extend_from_slice(&other[from..to]);
                bytes.extend(tail);
            }
        }
    }
    bytes
}

fn run(name: &str) {
    let body = hookc_fuzz::TARGETS.iter().find(|(target, _)| *target == name).expect("a target").1;
    let seeds = seeds(name);
    for seed in seeds.iter().take(2000) {
        body(seed);
    }
    let mut rng = Rng::new(0x5eed);
    for _ in 0..mutations() {
        let bytes = mutate(&mut rng, &seeds);
        let caught = std::panic::catch_unwind(|| body(&bytes));
        assert!(caught.is_ok(), "{name}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

macro_rules! targets {
    ($($name:ident)*) => { $(#[test] fn $name() { run(stringify!($name)); })* };
}

targets! {
    hooks_yaml directive_xml settings repository skill workflow agents layout when path template module event test_file
    shell
}
