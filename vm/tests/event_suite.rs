//! The JSON test suite (RFC 8259 parsers, by N. Seriot) against `serde_json`: both accept the same
//! documents with the same values at every path, except for documented differences. The same
//! applies to mutated documents.

use crate::common::amount;
use crate::support;

use std::path::PathBuf;

use hookc_vm::EventError;
use hookc_vm::format::event::{Item, Slots};
use hookc_vm::limits::Limits;
use serde_json::{Map, Value};
use support::{Step, Tables};

/// Why the scan judges a file differently from `serde_json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// A number has its exact value: one beyond `f64` is valid.
    Exact,
    /// An exponent beyond ±10,000 is an error.
    Exponent,
    /// An event can be nested 128 deep, a `Value` 127.
    Depth,
}

/// All others agree, except that an event must be an object: both reject lone surrogates, byte
/// order marks and deep nesting.
const DIFFERENT: &[(&str, Why)] = &[
    ("i_number_neg_int_huge_exp.json", Why::Exact),
    ("i_number_pos_double_huge_exp.json", Why::Exact),
    ("i_number_real_underflow.json", Why::Exponent),
];

/// The bytes of a file that is read.
const MOST_BYTES: usize = amount(16 << 20, 2_000);

fn suite() -> Option<PathBuf> {
    hookc_corpus::suite("json-test-suite/test_parsing")
}

#[test]
fn accepts_what_serde_json_accepts() {
    let Some(folder) = suite() else { return };
    let tables = Tables::new(&["v", "v.0", "v.-1", "v.a", ""]);
    let bare = Tables::new(&[]);
    let mut slots = Slots::default();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap().step_by(amount(1, 12)) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > MOST_BYTES {
            continue;
        }
        files += 1;
        // The document itself, and inside an object and an array, with and without a node there.
        let wrapped = [b"{\"v\":".as_slice(), &bytes, b"}"].concat();
        let listed = [b"{\"v\":[0,".as_slice(), &bytes, b"]}"].concat();
        for event in [&bytes, &wrapped, &listed] {
            let with = slots.fill(event, tables.trie(), &Limits::default());
            let without = slots.fill(event, bare.trie(), &Limits::default());
            assert_eq!(with, without, "{name}: a trie changes no judgement");
            judge(name, event, &with);
        }
    }
    assert!(files > amount(300, 20), "{files} files");
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
        Why::Depth => false,
    };
    assert!(as_said, "{name} ({why:?}): {result:?}");
}

/// Every path of a value, starting with the root, with its value; and for each container one path
/// to an absent member.
fn paths(value: &Value) -> Vec<(Vec<Step>, Option<&Value>)> {
    let mut found = vec![(Vec::new(), Some(value))];
    let mut next = 0;
    while let Some((path, value)) = found.get(next).cloned() {
        let below = |step| path.iter().cloned().chain([step]).collect::<Vec<_>>();
        match value {
            Some(Value::Object(members)) => {
                let named = |(key, value)| (below(Step::Name(String::clone(key))), Some(value));
                found.extend(members.iter().map(named));
                let absent =
                    members.keys().fold(String::new(), |longest, key| longest.max(key.clone())) + "x";
                found.push((below(Step::Name(absent)), None));
            }
            Some(Value::Array(elements)) => {
                let length = elements.len() as i64;
                for (place, value) in elements.iter().enumerate() {
                    found.push((below(Step::Index(place as i64)), Some(value)));
                    found.push((below(Step::Index(place as i64 - length)), Some(value)));
                }
                found.extend([length, -length - 1].map(|place| (below(Step::Index(place)), None)));
            }
            _ => {}
        }
        next += 1;
        // Each element occurs twice, so the number of paths doubles with the depth.
        if found.len() > 500 {
            break;
        }
    }
    found
}

fn is(item: Item<'_>, value: Option<&Value>) -> bool {
    match (item, value) {
        (Item::Absent, None) => true,
        (Item::Str(text), Some(Value::String(string))) => text == string,
        (Item::Null, Some(value)) => value.is_null(),
        (Item::Bool(b), Some(value)) => *value == Value::Bool(b),
        (Item::Num(text), Some(Value::Number(_)))
        | (Item::Array(text), Some(Value::Array(_)))
        | (Item::Object(text), Some(Value::Object(_))) => {
            serde_json::from_str::<Value>(text).is_ok_and(|own| Some(&own) == value)
        }
        _ => false,
    }
}

/// Reads an event with both and, if both accept it, compares the values at every path. Returns the
/// reason for a difference.
fn compare(event: &[u8], slots: &mut Slots) -> Option<Why> {
    let shown = || String::from_utf8_lossy(event);
    let bare = slots.fill(event, Tables::new(&[]).trie(), &Limits::default());
    let value = match serde_json::from_slice::<Value>(event) {
        Err(error) if matches!(bare, Ok(()) | Err(EventError::NotAnObject)) => {
            let message = error.to_string();
            let range = message.starts_with("number out of range");
            assert!(range || message.starts_with("recursion limit"), "{message}: {}", shown());
            return Some(if range { Why::Exact } else { Why::Depth });
        }
        Err(_) => return None,
        Ok(_) if matches!(bare, Err(EventError::Exponent(_))) => return Some(Why::Exponent),
        Ok(value) => value,
    };
    let expected = if value.is_object() { Ok(()) } else { Err(EventError::NotAnObject) };
    let paths = paths(&value);
    let steps: Vec<Vec<Step>> = paths.iter().map(|(path, _)| path.clone()).collect();
    let tables = Tables::of_steps(&steps);
    assert_eq!(bare, expected, "{}", shown());
    assert_eq!(slots.fill(event, tables.trie(), &Limits::default()), expected, "{}", shown());
    // A `Value` keeps the last of several members of one key; hookc rejects them if they are read.
    if let Err(error) = slots.check_duplicates(event, &tables.trie(), &tables.all_nodes(), &[0.into()]) {
        let colons = |text: &[u8]| text.iter().filter(|byte| **byte == b':').count();
        let lost = colons(value.to_string().as_bytes()) < colons(event);
        assert!(matches!(error, EventError::Duplicate(_)) && lost, "{error}: {}", shown());
        return None;
    }
    for (slot, (path, value)) in paths.iter().enumerate() {
        let item = slots.get(slot as u32, event, &tables.trie());
        let value = value.filter(|_| expected.is_ok());
        assert!(is(item, value), "{path:?}: {item:?}, {value:?} in {}", shown());
    }
    None
}

/// Changes up to three bytes, determined by the seed.
fn mutate(event: &[u8], seed: &mut u64) -> Vec<u8> {
    const BYTES: &[u8] = b"{}[]\",:\\u0dD8-9.eE+ tfn\x00\x1f\x7f\x80\xc3\n";
    let mut random = |below: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % below
    };
    let mut event = event.to_vec();
    for _ in 0..=random(3) {
        let byte = BYTES[random(BYTES.len())];
        let place = random(event.len() + 1);
        match random(4) {
            0 => event.insert(place, byte),
            1 if place < event.len() => drop(event.remove(place)),
            2 => event.truncate(place.max(1)),
            _ if place < event.len() => event[place] = byte,
            _ => {}
        }
    }
    event
}

const EVENT: &str = r#"{"event": {"type": "tool\u005fcall", "n": [1, -0.5e+3, [], {}, [[null]]]}, "text": "long enough to be looked at many bytes at a time, \"escapes\\\n\ud83d\ude00 é\" and all, and then on for as long again", "": true, "a very long key of an event": 9007199254740993, "last": [false, "x"]}"#;

#[test]
fn values_equal_those_of_serde_json() {
    let mut documents = vec![EVENT.as_bytes().to_vec(); 20];
    let object = serde_json::from_str::<Map<String, Value>>(EVENT).unwrap();
    documents.extend(vec![serde_json::to_vec_pretty(&object).unwrap(); 20]);
    if let Some(folder) = suite() {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = files.map(|file| std::fs::read(file).unwrap());
        documents.extend(read.filter(|bytes| bytes.len() <= MOST_BYTES));
    }
    let mut slots = Slots::default();
    let (mut seed, mut differing) = (1, Vec::new());
    for document in documents.iter().step_by(amount(1, 61)) {
        let wrapped = [b"{\"v\":", document.as_slice(), b"}"].concat();
        for event in [document, &wrapped] {
            differing.extend(compare(event, &mut slots));
            for _ in 0..if event.len() < 1000 { amount(50, 2) } else { 0 } {
                differing.extend(compare(&mutate(event, &mut seed), &mut slots));
            }
        }
    }
    let number = |why| differing.iter().filter(|found| **found == why).count();
    eprintln!(
        "{} exact, {} exponents, {} deep",
        number(Why::Exact),
        number(Why::Exponent),
        number(Why::Depth)
    );
}
