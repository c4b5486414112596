//! The JSON test suite (RFC 8259 parsers, by N. Seriot) against `serde_json`:
//! an event is accepted where a value is, but for what the language says otherwise.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "tests"
)]
#![allow(clippy::disallowed_methods, reason = "reads the suite")]
#![allow(clippy::print_stderr, reason = "says that it skips")]

mod support;

use std::path::PathBuf;

use hookc_vm::event::{EventError, Slots};
use hookc_vm::limits::Limits;
use serde_json::Value;
use support::Tables;

/// Why the scan judges a file differently from `serde_json`.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// A number has its exact value (semantics §1): one beyond `f64` is no error.
    Exact,
    /// An exponent beyond ±10,000 is an error (semantics §1).
    Exponent,
}

/// All others are judged alike, save that an event is an object (semantics
/// §10): lone surrogates, byte order marks and deep nesting both refuse.
const DIFFERENT: &[(&str, Why)] = &[
    ("i_number_neg_int_huge_exp.json", Why::Exact),
    ("i_number_pos_double_huge_exp.json", Why::Exact),
    ("i_number_real_underflow.json", Why::Exponent),
];

fn suite() -> Option<PathBuf> {
    let shared = std::env::var("HOOKC_SHARED")
        .map_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")), PathBuf::from);
    Some(shared.join("suites/json-test-suite/test_parsing")).filter(|folder| folder.is_dir())
}

#[test]
fn accepts_what_serde_json_accepts() {
    let Some(folder) = suite() else {
        eprintln!("skipped: no JSON test suite (set HOOKC_SHARED)");
        return;
    };
    let tables = Tables::new(&["v", "v.0", "v.-1", "v.a", ""]);
    let bare = Tables::new(&[]);
    let mut slots = Slots::default();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        files += 1;
        // The file as it is, and inside an object and an array, with and without a node there.
        let wrapped = [b"{\"v\":".as_slice(), &bytes, b"}"].concat();
        let listed = [b"{\"v\":[0,".as_slice(), &bytes, b"]}"].concat();
        for event in [&bytes, &wrapped, &listed] {
            let with = slots.fill(event, tables.trie(), &Limits::default());
            let without = slots.fill(event, bare.trie(), &Limits::default());
            assert_eq!(with, without, "{name}: a trie changes no judgement");
            judge(name, event, &with);
        }
    }
    assert!(files > 300, "{files} files");
}

fn judge(name: &str, event: &[u8], result: &Result<(), EventError>) {
    let value = serde_json::from_slice::<Value>(event);
    let expected = match &value {
        Ok(value) => value.is_object(),
        Err(_) => false,
    };
    let value_is_list = value.as_ref().is_ok_and(|value| !value.is_object());
    let alike = result.is_ok() == expected && (*result == Err(EventError::NotAnObject)) == value_is_list;
    let Some((_, why)) = DIFFERENT.iter().find(|(file, _)| *file == name) else {
        assert!(alike, "{name}: {result:?}, {value:?}");
        return;
    };
    assert!(!alike, "{name}: is judged alike");
    let as_said = match why {
        Why::Exact => matches!(result, Ok(()) | Err(EventError::NotAnObject)),
        Why::Exponent => matches!(result, Err(EventError::Exponent(_))),
    };
    assert!(as_said, "{name} ({why:?}): {result:?}");
}
