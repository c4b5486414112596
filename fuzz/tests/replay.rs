//! Each target over the corpus and past findings, unchanged and mutated. `HOOKC_FUZZ=100000` makes
//! it a long run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use hookc_corpus::{effort, number};
use hookc_oracle::generate::Rng;

fn mutations() -> usize {
    number("HOOKC_FUZZ").unwrap_or_else(|| effort(400, 40))
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
    let seeds = hookc_fuzz::seeds::seeds(name);
    assert!(!seeds.is_empty(), "{name} has seeds");
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
    shell effects programs notation rules hosts messages decisions schema written partition sessions store shared
}

#[test]
fn every_target_is_replayed_and_wrapped() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(here.join("tests/replay.rs")).unwrap();
    let targets = source.split_once("targets! {").unwrap().1.split_once('}').unwrap().0;
    let manifest = std::fs::read_to_string(here.join("wrappers/Cargo.toml")).unwrap();
    let read_me = std::fs::read_to_string(here.join("README.md")).unwrap();
    for (name, _) in hookc_fuzz::TARGETS {
        assert!(targets.split_whitespace().any(|word| word == *name), "{name} is not replayed");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} has no wrapper");
        assert!(read_me.contains(&format!("`{name}`")), "{name} is not in the README");
        let wrapper = std::fs::read_to_string(here.join(format!("wrappers/fuzz_targets/{name}.rs"))).unwrap();
        assert!(wrapper.contains(&format!("hookc_fuzz::{name}(bytes)")), "{name} wraps another body");
    }
}

/// Each word of a dictionary is one that libFuzzer can read.
#[test]
fn dictionaries_have_words() {
    for (name, _) in hookc_fuzz::TARGETS {
        let is_made =
            ["decisions", "schema", "written", "module", "partition", "sessions", "store", "shared"]
                .contains(name);
        let words = hookc_fuzz::dictionary::words(name);
        assert!(is_made == words.is_empty(), "{name}: {} words", words.len());
        let text = hookc_fuzz::dictionary::text(name);
        for line in text.lines() {
            let inner = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap();
            assert!(!inner.is_empty() && !inner.contains('"') && inner.is_ascii(), "{name}: {line}");
        }
    }
}
