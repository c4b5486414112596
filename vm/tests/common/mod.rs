//! What the tests share: an assembler of modules ([`Asm`]), a module with something of everything
//! ([`rich`]), and decisions compared between bytes and values.

#![allow(dead_code, unused_imports, reason = "each test file uses its part of it")]

mod asm;
mod finish;
mod indexed;
mod rich;

pub use hookc_corpus::amount;

pub use asm::{Asm, BOUND, Step, T, instr, range, selector, slice};
pub use indexed::{equal_keys, index_within_index, nested_indexes, two_buckets};
pub use rich::{EVENTS, every_keyword, every_query, exercise, quantified, rich};

use hookc_vm::format::Image;
use hookc_vm::{DecideError, DecideOptions, Decision, LoadError, Module, Scratch};
use proptest::prelude::ProptestConfig;
use serde_json::Value;

/// A property is tested with so many cases, with a fourth of them in a short run, or with few under Miri.
pub fn cases(all: usize) -> ProptestConfig {
    let all = hookc_corpus::effort(all, all / 4);
    let failure_persistence = if cfg!(miri) { None } else { ProptestConfig::default().failure_persistence };
    ProptestConfig { cases: amount(all, 3) as u32, failure_persistence, ..ProptestConfig::default() }
}

/// The ranks that decide and that are reported.
pub fn ranks(decision: &Decision<'_>) -> (Vec<u32>, Vec<u32>) {
    (decision.hooks().map(|f| f.rank()).collect(), decision.reported().map(|f| f.rank()).collect())
}

/// Whether all numbers are short enough for a `Value` to preserve them.
fn preserved(event: &str) -> bool {
    !event.split(|c: char| !c.is_ascii_digit() && c != '.').any(|number| number.len() > 15)
}

/// Decides with a fresh scratch, and compares the result from bytes with that from a value.
pub fn decide(module: &Module, event: &str, ask: &DecideOptions<'_>) -> Result<(Vec<u32>, Vec<u32>), String> {
    let (mut a, mut b) = (Scratch::new(), Scratch::new());
    let bytes = module.decide(&mut a, event.as_bytes(), ask).map(|d| ranks(&d)).map_err(|e| e.to_string());
    if let Ok(value) = serde_json::from_str::<Value>(event) {
        let value = module.decide_value(&mut b, &value, ask).map(|d| ranks(&d)).map_err(|e| e.to_string());
        if bytes.is_ok() && preserved(event) {
            assert_eq!(bytes, value, "bytes and value: {event}");
        }
    }
    bytes
}

/// Opens a module and decides about each of its event types: whether it, or a type, is invalid.
pub fn opened(bytes: &[u8]) -> Result<(), LoadError> {
    let module = Module::open(bytes)?;
    for kind in module.events() {
        let ask = DecideOptions::default().event(kind.name).family(kind.family);
        if let Err(DecideError::Module(error)) = module.decide(&mut Scratch::new(), b"{}", &ask).map(drop) {
            return Err(error);
        }
    }
    Ok(())
}

/// States the hash of the bytes in their header.
pub fn rehash(bytes: &mut [u8]) {
    let field = std::mem::offset_of!(hookc_vm::format::Header, hash);
    bytes[field..field + 32].fill(0);
    let hash = blake3::hash(bytes);
    bytes[field..field + 32].copy_from_slice(hash.as_bytes());
}

/// Messages about rows that no event type leads to, and about the order of rows that none compares.
const UNREACHED: &[&str] =
    &["not above the constant before it", "consts row 2: not above the constant before it"];

/// The number that is just too large to be one of the rows.
pub fn end<T>(rows: &[T]) -> u32 {
    rows.len() as u32
}

/// A change to a valid module, and the loader's message.
pub type Break = (fn(&mut Image), &'static str);

/// Every change to a valid module is rejected with its message. If the module is opened instead, the change is
/// found as well, or no event type leads to it.
pub fn refused(sound: fn() -> Image, breaks: &[Break]) {
    let mut wrong = Vec::new();
    for (at, (damage, expected)) in breaks.iter().enumerate().step_by(amount(1, breaks.len().div_ceil(3))) {
        let mut image = sound();
        damage(&mut image);
        let found = Module::load(image.encode()).map_or_else(|e| e.to_string(), |_| "nothing".to_owned());
        if !found.contains(expected) {
            wrong.push(format!("{at}: expected `{expected}`, found `{found}`"));
        }
        if opened(&image.encode()).is_ok() && !UNREACHED.contains(expected) {
            wrong.push(format!("{at}: an opened module does not report `{expected}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
