//! Each target over the corpus, and over mutations of it. `HOOKC_FUZZ=100000` makes it a long run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use hookc_bindings_fuzz::TARGETS;
use hookc_oracle::generate::Rng;

fn mutations() -> usize {
    std::env::var("HOOKC_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// Policies, events and requests.
fn seeds() -> Vec<Vec<u8>> {
    let folders = ["eval", "reject", "quickstart"].map(|kind| hookc_corpus::root().join(kind));
    let files = folders.iter().flat_map(|folder| hookc_corpus::files(folder));
    let mut all: Vec<Vec<u8>> = files.map(|path| std::fs::read(path).unwrap()).collect();
    let events =
        all.iter().filter(|bytes| bytes.starts_with(b"{")).flat_map(|all| all.split(|b| *b == b'\n'));
    let events: Vec<Vec<u8>> = events.map(<[u8]>::to_vec).collect();
    all.extend(events);
    all.push(br#"{"event": "Stop", "family": "agent", "strategy": "all", "after": 0}"#.to_vec());
    all.push(
        br#"{"sources": [{"name": "a.yaml", "text": "hooks: []", "dialect": "hooks-yaml", "layer": "user"}], "strip": true}"#
            .to_vec(),
    );
    all.retain(|bytes| bytes.len() < 20_000);
    assert!(all.len() > 200, "{} seeds", all.len());
    all
}

fn mutate(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[rng.below(seeds.len())].clone();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.insert(at, rng.pick(b"{}[]\"\\:,.$ \n\x00\x01\x80\xc3\xff")),
            _ => {
                let other = &seeds[rng.below(seeds.len())];
                let from = rng.below(other.len() + 1);
                bytes.extend_from_slice(&other[from..(from + rng.below(40)).min(other.len())]);
            }
        }
    }
    bytes
}

fn run(name: &str) {
    let body = TARGETS.iter().find(|(target, _)| *target == name).expect("a target").1;
    let seeds = seeds();
    let mut rng = Rng::new(0xb1d);
    for _ in 0..mutations() {
        let bytes = mutate(&mut rng, &seeds);
        let caught = std::panic::catch_unwind(|| body(&bytes));
        assert!(caught.is_ok(), "{name}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn c() {
    run("c");
}

#[test]
fn wasm() {
    run("wasm");
}
