//! Filling slots: captured values, rejected events, and `serde_json` as the reference.

use crate::common::{Asm, amount, cases, ranks};
use crate::support;

use hookc_vm::EventError;
use hookc_vm::format::event::{Item, ParsedEvent, Slots, TrieIndex};
use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::op::Op;
use hookc_vm::limits::Limits;
use hookc_vm::{DecideError, DecideOptions, Family, Mode, Module, Scratch, Strategy as Evaluation};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{Step, Tables, steps};
use zerocopy::little_endian::U32;

fn fill(event: &str, tables: &Tables) -> Result<Slots, EventError> {
    let mut slots = Slots::default();
    slots.fill(event.as_bytes(), tables.trie(), &Limits::default()).map(|()| slots)
}

/// All slots as canonical text, `-` for absent.
fn captured(event: &str, paths: &[&str]) -> Vec<String> {
    let tables = Tables::new(paths);
    let slots = fill(event, &tables).unwrap();
    (0..paths.len()).map(|slot| shown(slots.get(slot as u32, event.as_bytes(), &tables.trie()))).collect()
}

fn shown(item: Item<'_>) -> String {
    let mut out = String::new();
    match item {
        Item::Absent => out.push('-'),
        item => item.write_canonical(&mut out),
    }
    out
}

#[test]
fn captures() {
    let event = r#" { "a" : {"b": "x\u0041\n", "c\n": 1.50, "é": null}, "l": [1, "two", [3], {"k": true}], "" : {} } "#;
    let paths = [
        "a", "a.b", "a.c\n", "a.é", "a.none", "l", "l.0", "l.1", "l.-1.k", "l.-2.-1", "l.-4", "l.-5", "l.4",
        "a.0", "l.b",
    ];
    let expected = [
        r#"{"b":"xA\n","c\n":1.5,"é":null}"#,
        r#""xA\n""#,
        "1.5",
        "null",
        "-",
        r#"[1,"two",[3],{"k":true}]"#,
        "1",
        r#""two""#,
        "true",
        "3",
        "1",
        "-",
        "-",
        "-",
        "-",
    ];
    assert_eq!(captured(event, &paths), expected);
    assert_eq!(captured("{\"\\u0061\":1,\"\\ud83d\\ude00\":2}", &["a", "😀"]), ["1", "2"]);
    assert_eq!(captured("{\"a\":1}", &[""]), ["{\"a\":1}"]);
    assert_eq!(captured("{}", &[]), Vec::<String>::new());
}

#[test]
fn negative_indexes_of_long_and_nested_arrays() {
    let long: Vec<usize> = (0..1000).collect();
    let event = json!({"l": long, "n": [[1, 2], [3, [4, 5, 6]]]}).to_string();
    let paths =
        ["l.-1", "l.-3", "l.-1000", "l.-1001", "l.999", "n.-1.-1.-2", "n.1.-1.0", "n.-2.-2", "n.0.-1"];
    assert_eq!(captured(&event, &paths), ["999", "997", "0", "-", "999", "5", "4", "1", "2"]);
}

#[test]
fn slots_are_reusable_and_empty_after_an_error() {
    let tables = Tables::new(&["a", "b.c"]);
    let mut slots = Slots::default();
    let limits = Limits::default();
    let first = br#"{"a":"\u0041","b":{"c":[]}}"#;
    slots.fill(first, tables.trie(), &limits).unwrap();
    assert_eq!(shown(slots.get(0, first, &tables.trie())), "\"A\"");
    assert_eq!(shown(slots.get(2, first, &tables.trie())), "-", "no such slot");
    slots.fill(b"{\"b\":{}}", tables.trie(), &limits).unwrap();
    assert_eq!(shown(slots.get(0, b"{\"b\":{}}", &tables.trie())), "-");
    assert!(slots.fill(b"{\"a\":1,}", tables.trie(), &limits).is_err());
    assert_eq!(shown(slots.get(0, b"{\"a\":1,}", &tables.trie())), "-");
    // Bytes other than those of the fill give wrong values but no panic.
    slots.fill(first, tables.trie(), &limits).unwrap();
    assert_eq!(shown(slots.get(1, b"", &tables.trie())), "-");
}

/// Slots serve any trie, also one with more slots and fewer nodes than the last.
#[test]
fn slots_grow_with_the_trie() {
    let event = br#"{"a":1,"b":2,"c":3,"d":4}"#;
    let (deep, wide) = (Tables::new(&["a.b.c.d.e.f"]), Tables::new(&["a", "b", "c", "d"]));
    let mut slots = Slots::default();
    for (tables, expected) in [(&deep, &["-"][..]), (&wide, &["1", "2", "3", "4"]), (&deep, &["-"])] {
        slots.fill(event, tables.trie(), &Limits::default()).unwrap();
        let found: Vec<String> =
            (0..expected.len() as u32).map(|slot| shown(slots.get(slot, event, &tables.trie()))).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn merged_fields() {
    let tables = || Tables::new(&["f", "f.x", "event.f", "event.f.x"]).derive(0, 0, 2).derive(0, 1, 3);
    let both = |event: &str| {
        let tables = tables();
        let slots = fill(event, &tables).unwrap();
        [4, 5].map(|slot| shown(slots.get(slot, event.as_bytes(), &tables.trie())))
    };
    assert_eq!(both(r#"{"f":{"x":1},"event":{"f":{"x":2}}}"#), [r#"{"x":1}"#, "1"]);
    assert_eq!(both(r#"{"event":{"f":{"x":2}}}"#), [r#"{"x":2}"#, "2"]);
    assert_eq!(both(r#"{"f":null,"event":{"f":{"x":2}}}"#), ["null", "-"]);
    assert_eq!(both(r#"{"f":{},"event":{"f":{"x":2}}}"#), ["{}", "-"]);
    assert_eq!(both("{}"), ["-", "-"]);
    let parsed = |value: &Value| [4, 5].map(|slot| parsed(value, &tables(), slot));
    assert_eq!(parsed(&json!({"event": {"f": {"x": 2}}})), [r#"{"x":2}"#, "2"]);
    assert_eq!(parsed(&json!({"f": {"x": 1}, "event": {"f": {"x": 2}}})), [r#"{"x":1}"#, "1"]);
    assert_eq!(parsed(&json!({"f": null, "event": {"f": {"x": 2}}})), ["null", "-"]);
}

#[test]
fn errors() {
    use EventError::*;
    let rows: &[(&[u8], EventError)] = &[
        (b"", Syntax(0, "a value")),
        (b"  ", Syntax(2, "a value")),
        (b"\xef\xbb\xbf{}", Syntax(0, "a value")),
        (b"[1]", NotAnObject),
        (b"null", NotAnObject),
        (b"[1] x", Syntax(4, "the end of the event")),
        (b"{} {}", Syntax(3, "the end of the event")),
        (b"{\"a\" 1}", Syntax(5, "`:` after a key")),
        (b"{\"a\":1,}", Syntax(7, "a key in quotes")),
        (b"{a:1}", Syntax(1, "a key in quotes")),
        (b"{\"a\":[1 2]}", Syntax(8, "`,` or `]`")),
        (b"{\"a\":01}", Syntax(6, "`,` or `}`")),
        (b"{\"a\":1 234567}", Syntax(7, "`,` or `}`")),
        (b"{\"a\":nullnull}", Syntax(9, "`,` or `}`")),
        (b"{\"a\":abcdefgh}", Syntax(5, "a value")),
        (b"{\"a\":1.}", Syntax(7, "a digit")),
        (b"{\"a\":-}", Syntax(6, "a digit")),
        (b"{\"a\":tru}", Syntax(5, "`true`")),
        (b"{\"a\":\"\\x\"}", Syntax(7, "one of `\"\\/bfnrtu` after `\\`")),
        (b"{\"a\":\"\\u00g0\"}", Syntax(8, "four hexadecimal digits after `\\u`")),
        (b"{\"a\":\"\t\"}", Syntax(6, "an escape instead of a control character")),
        (b"{\"a\":\"b", Syntax(7, "`\"` at the end of a string")),
        (b"{\"a\":\"\xff\"}", Utf8(6)),
        (b"{\"a\" \"\xff\"}", Utf8(6)),
        (b"{\"a\":\"\\ud800\"}", Surrogate(6)),
        (b"{\"a\":\"x\\udc00\"}", Surrogate(7)),
        (b"{\"a\":\"\\ud800\\u0041\"}", Surrogate(6)),
        (b"{\"a\":\"\\ud800xxdc00\"}", Surrogate(6)),
        (b"{\"a\":\"\\ud800xudc00\"}", Surrogate(6)),
        (b"{\"a\":\"\\ud800\\ndc00\"}", Surrogate(6)),
        (b"{\"\\ud800\":1}", Surrogate(2)),
        (b"{\"a\":[1e10001]}", Exponent(6)),
        (b"{\"a\":0e-99999999999999999999}", Exponent(5)),
        (b"{\"a\":1e10001,}", Exponent(5)),
        (b"{\"a\":1,\"b\":\"\\udfff\",", Surrogate(12)),
    ];
    for tables in [Tables::new(&[]), Tables::new(&["a", "a.0", "a.-1", "b"])] {
        for (event, expected) in rows {
            let mut slots = Slots::default();
            let result = slots.fill(event, tables.trie(), &Limits::default());
            assert_eq!(result.as_ref(), Err(expected), "{}", String::from_utf8_lossy(event));
        }
        assert!(fill("{\"a\":1e-10000,\"b\":\"\\ud83d\\ude00\"}", &tables).is_ok());
    }
    for error in [Syntax(0, "a value"), Utf8(0), Surrogate(0), Exponent(0)] {
        assert_eq!(error.offset(), Some(0), "{error}");
    }
    assert_eq!(Exponent(6).offset(), Some(6));
    for error in [TooLarge(1), TooDeep(1), NotAnObject, Duplicate("a".to_owned()), NoType] {
        assert_eq!(error.offset(), None, "{error}: the event as a whole");
    }
}

#[test]
fn limits() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let deep = steps(&format!("a{}", ".0".repeat(126)));
    for tables in [Tables::new(&[]), Tables::new(&["a"]), Tables::of_steps(&[deep])] {
        assert!(fill(&nested(128), &tables).is_ok());
        assert_eq!(fill(&nested(129), &tables).unwrap_err(), EventError::TooDeep(128));
        assert!(fill(&nested(amount(100_000, 1_000)), &tables).is_err());
        let mut lower = Limits::default();
        lower.event_depth = 2;
        lower.event_bytes = 7;
        let mut slots = Slots::default();
        assert_eq!(slots.fill(b"{\"a\":[]}", tables.trie(), &lower), Err(EventError::TooLarge(7)));
        lower.event_bytes = 8;
        assert_eq!(slots.fill(b"{\"a\":[]}", tables.trie(), &lower), Ok(()), "as large as is allowed");
        lower.event_bytes = usize::MAX;
        assert_eq!(slots.fill(b"{\"a\":[]}", tables.trie(), &lower), Ok(()));
        assert_eq!(slots.fill(b"{\"a\":[{}]}", tables.trie(), &lower), Err(EventError::TooDeep(2)));
    }
    // Every array of the longest chain is read again for its last element.
    let last = Tables::of_steps(&[steps(&format!("a{}", ".-1".repeat(127)))]);
    assert_eq!(shown(fill(&nested(128), &last).unwrap().get(0, nested(128).as_bytes(), &last.trie())), "-");
}

#[test]
fn duplicates() {
    let check = |event: &str, reads: Option<&[u32]>, whole: &[u32]| {
        let tables = Tables::new(&["a", "a.b", "c.x-y.0", "c", "l.-1.k", "l.0.k"]);
        let slots = fill(event, &tables).unwrap();
        let numbers = |list: &[u32]| list.iter().map(|n| U32::new(*n)).collect::<Vec<_>>();
        let reads = reads.map_or_else(|| tables.all_nodes(), numbers);
        match slots.check_duplicates(event.as_bytes(), &tables.trie(), &reads, &numbers(whole)) {
            Ok(()) => "ok".to_owned(),
            Err(EventError::Duplicate(path)) => path,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(check(r#"{"a":{"b":1},"z":1,"z":2}"#, None, &[0, 1, 2, 3]), "ok");
    assert_eq!(check(r#"{"a":1,"\u0061":1}"#, None, &[]), "a");
    assert_eq!(check(r#"{"a":1,"a":1}"#, Some(&[]), &[]), "ok");
    assert_eq!(check(r#"{"a":{"b":1,"b":1}}"#, None, &[]), "a.b");
    assert_eq!(check(r#"{"c":{"x-y":[1],"x-y":[]}}"#, None, &[]), "c['x-y']");
    assert_eq!(check(r#"{"l":[{"k":1,"k":2},{}]}"#, None, &[]), "l[0].k");
    assert_eq!(check(r#"{"l":[{"k":1},{},{"k":1,"k":2}]}"#, None, &[]), "l[-1].k");
    assert_eq!(check(r#"{"l":[{"k":1},{"k":1,"k":2},{}]}"#, None, &[]), "ok", "not on a path");
    assert_eq!(check(r#"{"a":{"u":1,"u":2}}"#, None, &[]), "ok", "read, but not whole");
    assert_eq!(check(r#"{"a":{"u":1,"\u0075":2}}"#, None, &[0]), "a.u");
    assert_eq!(check(r#"{"c":{"p":[{"q'":{"r":1,"r":1}}]}}"#, None, &[0, 3]), r"c.p[0]['q\''].r");
    assert_eq!(check(r#"{"c":{"1a":{"_":1,"_":1}}}"#, None, &[3]), "c['1a']._");
    assert_eq!(check(r#"{"c":[{"x":1},{"x":1}]}"#, None, &[3]), "ok", "two objects");
    // First in trie order: nodes level by level, here.
    assert_eq!(check(r#"{"c":{"x-y":1,"x-y":1},"a":1,"a":2}"#, None, &[]), "a");
}

/// The value of a slot of a parsed event.
fn parsed(value: &Value, tables: &Tables, slot: u32) -> String {
    let index = TrieIndex::new(&tables.trie());
    let event = ParsedEvent::new(value, tables.trie(), &index, &Limits::default()).unwrap();
    let first = shown(event.get(slot, &mut String::new()));
    assert_eq!(first, shown(event.get(slot, &mut String::from("text before"))), "read again");
    first
}

#[test]
fn values() {
    let value = json!({"a": {"b": "x\"\n", "n": [1.5, -0.0, 1e300, null, true, {"k": []}]}, "s": "x\"y"});
    let paths = ["a", "a.b", "a.n.-1.k", "a.n.1", "a.n.2", "s", "none.x", "a.n.9"];
    let tables = Tables::new(&paths);
    let shown: Vec<String> = (0..paths.len()).map(|slot| parsed(&value, &tables, slot as u32)).collect();
    let expected = [
        r#"{"b":"x\"\n","n":[1.5,0,1e+300,null,true,{"k":[]}]}"#,
        r#""x\"\n""#,
        "[]",
        "0",
        "1e+300",
        r#""x\"y""#,
        "-",
        "-",
    ];
    assert_eq!(shown, expected);
}

/// Limits apply to what is read.
#[test]
fn limits_of_parsed_events() {
    let value = json!({"a": {"b": "xyz", "n": [1.5, {"k": []}]}, "s": "x", "long": "0123456789"});
    let tables = Tables::new(&["a", "a.b", "a.n.-1.k", "s", "long", "a.n.1.k.0", "a.b.x.y"]);
    let index = TrieIndex::new(&tables.trie());
    let read = |depth: usize, bytes: usize, slots: &[u32]| {
        let mut limits = Limits::default();
        (limits.event_depth, limits.event_bytes) = (depth, bytes);
        let event = ParsedEvent::new(&value, tables.trie(), &index, &limits)?;
        for slot in slots {
            let _ = event.get(*slot, &mut String::new());
        }
        event.check()
    };
    assert_eq!(read(5, 100, &[0, 1, 2, 3, 4, 5]), Ok(()));
    assert_eq!(read(4, 100, &[0]), Err(EventError::TooDeep(4)));
    assert_eq!(read(4, 100, &[2]), Err(EventError::TooDeep(4)));
    assert_eq!(read(3, 100, &[2]), Err(EventError::TooDeep(3)));
    assert_eq!(read(2, 100, &[1, 3, 4]), Ok(()), "the depth of what is read");
    assert_eq!(read(2, 100, &[6]), Ok(()), "a path that is deeper than the event");
    let size = value["a"].to_string().len();
    assert_eq!(read(9, size, &[0]), Ok(()), "as large as is allowed");
    assert_eq!(read(9, size - 1, &[0]), Err(EventError::TooLarge(size - 1)));
    assert_eq!(read(9, 20, &[0]), Err(EventError::TooLarge(20)));
    assert_eq!(read(9, 9, &[1, 3, 2]), Ok(()), "the size of what is read");
    assert_eq!(read(9, 9, &[4]), Err(EventError::TooLarge(9)));
    assert_eq!(read(9, 9, &[0, 4]), Err(EventError::TooLarge(9)), "the first limit");
    let array = json!([]);
    let refused = ParsedEvent::new(&array, tables.trie(), &index, &Limits::default()).map(drop);
    assert_eq!(refused, Err(EventError::NotAnObject));
}

const PATHS: &[&str] = &["a", "a.b", "a.0", "a.-1", "b.a", "b.-1.a", "b.1.b", "b.-2", "c", "c.a.-1.b", "d\n"];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1000..1000).prop_map(|n| json!(f64::from(n) / 8.0)),
        "[a\"\\\\\né😀/]{0,3}".prop_map(Value::from),
    ];
    let key = prop_oneof!["[abc]", "d\n", "[a-e]{0,2}"];
    let inner = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            members(key.clone(), inner),
        ]
    });
    members(prop_oneof!["[abc]", "d\n"], inner)
}

fn members(
    key: impl Strategy<Value = String>,
    value: impl Strategy<Value = Value>,
) -> impl Strategy<Value = Value> {
    proptest::collection::vec((key, value), 0..5)
        .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into())
}

/// The value at a path, the obvious way.
fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match (step, value) {
        (Step::Name(name), Value::Object(members)) => members.get(name),
        (Step::Index(index), Value::Array(elements)) if *index < 0 => {
            elements.len().checked_sub(index.unsigned_abs() as usize).and_then(|place| elements.get(place))
        }
        (Step::Index(index), Value::Array(elements)) => elements.get(*index as usize),
        _ => None,
    })
}

fn agrees(value: &Value, slots: &Slots, event: &[u8], tables: &Tables) {
    each_agrees(value, |slot| shown(slots.get(slot, event, &tables.trie())));
}

fn each_agrees(value: &Value, got: impl Fn(u32) -> String) {
    for (slot, path) in PATHS.iter().enumerate() {
        let got = got(slot as u32);
        let expected = at(value, &steps(path));
        let same = match expected {
            None => got == "-",
            Some(expected) => serde_json::from_str::<Value>(&got).is_ok_and(|got| same(&got, expected)),
        };
        assert!(same, "{path}: {got}, expected {expected:?} in {value}");
    }
}

/// Equality but for how numbers are spelled: `serde_json` reads some spellings of a number as its neighbour.
fn same(a: &Value, b: &Value) -> bool {
    let near = |a: f64, b: f64| a == b || ((a - b) / b).abs() < 1e-15;
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| near(a, b)),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Writes every character of every string as an escape.
fn escaped(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                inside = !inside;
                out.push(c);
            }
            '\\' => out.extend([Some(c), chars.next()].into_iter().flatten()),
            c if inside => c.encode_utf16(&mut [0; 2]).iter().for_each(|u| out += &format!("\\u{u:04X}")),
            c => out.push(c),
        }
    }
    out
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn captures_present_values(value in value(), form in 0..3) {
        let event = match form {
            0 => value.to_string(),
            1 => serde_json::to_string_pretty(&value).unwrap(),
            _ => escaped(&value.to_string()),
        };
        let tables = Tables::new(PATHS);
        let slots = fill(&event, &tables).unwrap();
        agrees(&value, &slots, event.as_bytes(), &tables);
        slots.check_duplicates(event.as_bytes(), &tables.trie(), &tables.all_nodes(), &[0.into(), 8.into()]).unwrap();
        each_agrees(&value, |slot| parsed(&value, &tables, slot));
    }

    #[test]
    fn mutated_events_give_equal_results(
        value in value(),
        pretty: bool,
        flips in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\u0-9.eE tfn\x00\x1f\x80".to_vec())], 0..3), 1..4),
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let mut event = text.unwrap().into_bytes();
        for (place, byte, how) in flips {
            let place = place.index(event.len());
            match how {
                0 => event[place] = byte,
                1 => event.insert(place, byte),
                _ if event.len() > 1 => drop(event.remove(place)),
                _ => {}
            }
        }
        let tables = Tables::new(PATHS);
        let mut slots = Slots::default();
        let result = slots.fill(&event, tables.trie(), &Limits::default());
        match serde_json::from_slice::<Value>(&event) {
            // serde_json reads `1e-10000000` as 0; the language has a limit.
            Ok(_) if matches!(result, Err(EventError::Exponent(_))) => {}
            Ok(value) if value.is_object() => {
                prop_assert_eq!(&result, &Ok(()));
                // For duplicate keys `Value` keeps the last one, so both may differ below it.
                let whole = [U32::new(0), U32::new(8)];
                if slots.check_duplicates(&event, &tables.trie(), &tables.all_nodes(), &whole).is_ok()
                    && twice(&event) == twice(value.to_string().as_bytes()) {
                    agrees(&value, &slots, &event, &tables);
                }
            }
            Ok(_) => prop_assert_eq!(result, Err(EventError::NotAnObject)),
            // serde_json rejects numbers beyond `f64`.
            Err(error) if error.to_string().starts_with("number out of range") => {}
            Err(error) => prop_assert!(result.is_err(), "{error}: {}", String::from_utf8_lossy(&event)),
        }
    }
}

/// Colons in a text: fewer after a round trip where a key came twice.
fn twice(text: &[u8]) -> usize {
    text.iter().filter(|b| **b == b':').count()
}

/// A key of a parsed event is its whole name.
#[test]
fn keys_of_every_length_in_parsed_events() {
    for length in (1..24).step_by(amount(1, 4)) {
        let name = "k".repeat(length);
        for twin in [format!("x{}", &name[1..]), format!("{}x", &name[1..]), format!("{name}k")] {
            let value = json!({twin.as_str(): 1, name.as_str(): 2});
            assert_eq!(parsed(&value, &Tables::new(&[&name]), 0), "2", "{value}");
            let value = json!({twin.as_str(): 1});
            assert_eq!(parsed(&value, &Tables::new(&[&name]), 0), "-", "{name} in {value}");
        }
    }
}

/// Many names under one object, so that rows of the index are taken, short ones, and long ones that
/// differ between the bytes that the index holds.
#[test]
fn every_name_is_found_and_no_other() {
    let short = (0..amount(1000, 60)).map(|number| format!("n{}{number}", "n".repeat(number % 15)));
    let long = (0..amount(200, 20)).map(|number| format!("begin---{number:03}---the end"));
    let names: Vec<String> = short.chain(long).collect();
    let tables = Tables::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let event = |other: &str| {
        let members = names.iter().zip(0..).map(|(name, value)| format!("\"{name}{other}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    };
    let (own, others) = (event(""), event("x"));
    let slots = fill(&own, &tables).unwrap();
    for slot in 0..names.len() as u32 {
        assert_eq!(shown(slots.get(slot, own.as_bytes(), &tables.trie())), slot.to_string());
    }
    let (value, index) = (serde_json::from_str(&own).unwrap(), TrieIndex::new(&tables.trie()));
    let event = ParsedEvent::new(&value, tables.trie(), &index, &Limits::default()).unwrap();
    for slot in 0..names.len() as u32 {
        assert_eq!(shown(event.get(slot, &mut String::new())), slot.to_string(), "parsed");
    }
    let slots = fill(&others, &tables).unwrap();
    for slot in 0..names.len() as u32 {
        assert_eq!(shown(slots.get(slot, others.as_bytes(), &tables.trie())), "-");
    }
}

/// A module with one hook of the event type `e` for each condition.
fn module(mut asm: Asm, conds: &[u32], limits: Limits) -> Module {
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Evaluation::All);
    conds.iter().for_each(|cond| asm.hook(*cond, action, Mode::Enforce));
    Module::load_with(asm.finish().encode(), limits).unwrap()
}

/// Several predicates read the text of one value, and the next event has another.
#[test]
fn texts_of_parsed_values_are_those_of_their_event() {
    let mut asm = Asm::new();
    let rows = [
        ("l", Op::Eq, "[1]"),
        ("l", Op::Eq, "[1,2]"),
        ("o", Op::Eq, r#"{"a":1}"#),
        ("o", Op::Eq, r#"{"a":2}"#),
        ("n", Op::Contains, "\"7\""),
        ("n", Op::EndsWith, "\"2\""),
    ];
    let conds = rows.map(|(path, op, constant)| {
        let (slot, constant) = (asm.slot(path), asm.constant(constant));
        asm.when(op, slot, constant)
    });
    let module = module(asm, &conds, Limits::default());
    let mut scratch = Scratch::new();
    for (event, expected) in [
        (json!({"l": [1], "o": {"a": 2}, "n": 17}), &[0, 3, 4][..]),
        (json!({"l": [1, 2], "o": {"a": 1}, "n": 72}), &[1, 2, 4, 5]),
        (json!({"l": [2], "o": {"b": 1}, "n": 12}), &[5]),
        (json!({"l": {"a": 1}, "o": [1], "n": [7]}), &[]),
        (json!({}), &[]),
    ] {
        let mut event = event;
        event["event_type"] = "e".into();
        let decision = module.decide_value(&mut scratch, &event, &DecideOptions::default()).unwrap();
        assert_eq!(ranks(&decision).0, expected, "{event}");
    }
}

/// Whatever random number the sums of two strings are made with, a string is found in another.
#[test]
fn late_strings_contain_each_of_their_characters() {
    let mut asm = Asm::new();
    let (text, part) = (asm.slot("text"), asm.slot("part"));
    let cond = asm.when(Op::ContainsSlot, text, part);
    let mut limits = Limits::default();
    limits.late_bytes = 1;
    let module = module(asm, &[cond], limits);
    let mut scratch = Scratch::new();
    let chars = (1..32_u8).map(|c| format!("\\u{c:04x}"));
    let text: String = chars.clone().collect();
    for (part, expected) in chars.map(|c| (c, 1)).chain([("\\u0020".to_owned(), 0)]) {
        let event = format!(r#"{{"event_type":"e","text":"{text}","part":"{part}"}}"#);
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        assert_eq!(decision.hooks().len(), expected, "{event}");
    }
}

/// A schema costs a step for each value that is parsed, and steps for each long string that is decoded.
#[test]
fn schemas_are_charged_for_what_they_read() {
    let error = |value: &str, make: fn(&mut Asm) -> u32| {
        let mut asm = Asm::new();
        let (slot, schema) = (asm.slot("v"), make(&mut asm));
        let cond = asm.when(Op::Matches, slot, schema);
        let mut limits = Limits::default();
        (limits.schema_steps, limits.late_bytes) = (50, 1);
        let module = module(asm, &[cond], limits);
        let event = format!(r#"{{"event_type":"e","v":{value}}}"#);
        module.decide(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).map(drop).err()
    };
    let any = |asm: &mut Asm| asm.schema(&[(Keyword::Type, 127, 0, 0)]);
    assert_eq!(error(&format!("[{}1]", "1,".repeat(40)), any), None);
    assert_eq!(error(&format!("[{}1]", "1,".repeat(60)), any), Some(DecideError::SchemaSteps(50)));
    let listed = |asm: &mut Asm| {
        let list = asm.list(&["\"x\""]);
        let element = asm.schema(&[(Keyword::Enum, list, 0, 0)]);
        asm.schema(&[(Keyword::Items, element, 0, 0)])
    };
    assert_eq!(error(&format!(r#"["{}"]"#, "\\n".repeat(200)), listed), None);
    assert_eq!(error(&format!(r#"["{}"]"#, "\\n".repeat(500)), listed), Some(DecideError::SchemaSteps(50)));
}
