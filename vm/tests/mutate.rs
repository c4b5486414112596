//! The loader accepts any bytes: it rejects them, or the loaded module decides about any event
//! without a panic.

use crate::common;

use std::cell::Cell;

use common::{amount, cases, exercise, rehash, rich};
use hookc_vm::limits::Limits;
use hookc_vm::{LoadError, Module, Scratch};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// One change to a module's bytes.
#[derive(Clone, Debug)]
enum Change {
    /// A bit anywhere.
    Bit(usize, u8),
    /// A number replaces an aligned one: small numbers pass more checks.
    Word(usize, u32),
    /// A number in a row changes by a small amount.
    Near(usize, i8),
    /// Two aligned words are swapped.
    Swap(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<usize>(), 0..8_u8).prop_map(|(at, bit)| Change::Bit(at, bit)),
        (any::<usize>(), prop_oneof![0..40_u32, Just(u32::MAX), any::<u32>()])
            .prop_map(|(at, word)| Change::Word(at, word)),
        (any::<usize>(), -3..=3_i8).prop_map(|(at, by)| Change::Near(at, by)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

fn apply(bytes: &mut [u8], change: &Change) {
    let words = bytes.len() / 4;
    let place = |at: usize| at % words * 4;
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    match *change {
        Change::Bit(at, bit) => bytes[at % bytes.len()] ^= 1 << bit,
        Change::Word(at, word) => bytes[place(at)..place(at) + 4].copy_from_slice(&word.to_le_bytes()),
        Change::Near(at, by) => {
            let at = place(at);
            let near = word(bytes, at).wrapping_add_signed(by.into());
            bytes[at..at + 4].copy_from_slice(&near.to_le_bytes());
        }
        Change::Swap(a, b) => {
            let (a, b) = (place(a), place(b));
            let (one, two) = (word(bytes, a), word(bytes, b));
            bytes[a..a + 4].copy_from_slice(&two.to_le_bytes());
            bytes[b..b + 4].copy_from_slice(&one.to_le_bytes());
        }
    }
}

#[test]
fn changed_modules_are_rejected_or_harmless() {
    let good = rich().encode();
    let loaded = Cell::new(0_u32);
    let config = Config { failure_persistence: None, ..cases(6000) };
    let strategy = prop::collection::vec(change(), 1..4);
    let result = TestRunner::new(config).run(&strategy, |changes| {
        let mut bytes = good.clone();
        changes.iter().for_each(|change| apply(&mut bytes, change));
        rehash(&mut bytes);
        let mut limits = Limits::default();
        limits.query_steps = amount(limits.query_steps, 10_000);
        limits.schema_steps = amount(limits.schema_steps, 10_000);
        if let Ok(module) = Module::load_with(bytes, limits) {
            loaded.set(loaded.get() + 1);
            exercise(&module, &mut Scratch::new());
        }
        Ok(())
    });
    result.unwrap();
    assert!(
        loaded.get() >= amount(hookc_corpus::effort(101, 20), 0) as u32,
        "only {} mutants loaded: the test tests little",
        loaded.get()
    );
}

#[test]
fn a_changed_bit_never_passes_without_its_hash() {
    let good = rich().encode();
    for at in (0..good.len()).step_by(amount(1, 997)) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(Module::load(bytes).is_err(), "byte {at}");
    }
}

#[test]
fn cut_at_every_length() {
    let good = rich().encode();
    for length in (0..good.len()).step_by(amount(1, 499)) {
        let mut bytes = good[..length].to_vec();
        let error = Module::load(bytes.clone()).unwrap_err();
        let expected = match length {
            0..64 => matches!(error, LoadError::TooShort(found) if found == length),
            _ => matches!(error, LoadError::Length { found, .. } if found == length),
        };
        assert!(expected, "{length}: {error}");
        if length >= 64 {
            bytes[16..20].copy_from_slice(&(length as u32).to_le_bytes());
            rehash(&mut bytes);
            assert!(Module::load(bytes).is_err(), "{length} with a length and a hash that fit");
        }
    }
}

#[test]
fn random_bytes_are_rejected() {
    let config = Config { failure_persistence: None, ..cases(2000) };
    let noise = prop::collection::vec(any::<u8>(), 0..300);
    let framed = any::<bool>();
    TestRunner::new(config)
        .run(&(noise, framed), |(mut bytes, framed)| {
            if framed && bytes.len() >= 64 {
                let good = rich_header(bytes.len());
                bytes[..24].copy_from_slice(&good);
                rehash(&mut bytes);
            }
            prop_assert!(Module::load(bytes).is_err());
            Ok(())
        })
        .unwrap();
}

/// A header's first fields for so many bytes.
fn rich_header(length: usize) -> [u8; 24] {
    let mut header = [0; 24];
    header[..8].copy_from_slice(b"hookc\0m\n");
    header[8] = 1;
    header[16..20].copy_from_slice(&(length as u32).to_le_bytes());
    header[20] = (length % 7) as u8;
    header
}
