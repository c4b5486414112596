//! Values of slots: their text, their canonical form, equality, elements.

use crate::common::cases;
use hookc_vm::format::event::Item;
use proptest::prelude::*;
use serde_json::{Value, json};

fn canonical(item: Item<'_>) -> String {
    let mut out = String::new();
    item.write_canonical(&mut out);
    out
}

#[test]
fn texts() {
    assert_eq!(Item::Num("1e3").text().as_deref(), Some("1000"));
    assert_eq!(Item::Num("-0.0").text().as_deref(), Some("0"));
    assert_eq!(Item::Num("-0").text().as_deref(), Some("0"));
    assert_eq!(Item::Num("12.50").text().as_deref(), Some("12.5"));
    assert_eq!(Item::Num("0.0000001").text().as_deref(), Some("1e-7"));
    assert_eq!(Item::Bool(true).text().as_deref(), Some("true"));
    assert_eq!(Item::Str("x").text().as_deref(), Some("x"));
    for item in [Item::Absent, Item::Null, Item::Array("[]"), Item::Object("{}")] {
        assert_eq!(item.text(), None);
    }
}

#[test]
fn canonical_forms() {
    let rows = [
        (Item::Absent, "null"),
        (Item::Num("1.0"), "1"),
        (Item::Str("a\"\\\u{8}\u{c}\n\r\t\u{1f}/\u{7f}é"), "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u001f/\u{7f}é\""),
        (Item::Array(" [ 1e2 , \"\\u0041\\/\" , { } , [ ] ] ".trim()), "[100,\"A/\",{},[]]"),
        (Item::Object(r#"{"b": 1, "a": {"d": null, "c": true}}"#), r#"{"a":{"c":true,"d":null},"b":1}"#),
        // RFC 8785 §3.2.3.
        (
            Item::Object(r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}",
        ),
        // Invalid text cannot come from an event; it stays unchanged.
        (Item::Array("[1,"), "[1,"),
        (Item::Object("{\"a\" 1}"), "{\"a\" 1}"),
        (Item::Num("x"), "x"),
    ];
    for (item, expected) in rows {
        assert_eq!(canonical(item), expected, "{item:?}");
    }
}

#[test]
fn equality() {
    assert!(Item::Absent.equals(Item::Null) && !Item::Absent.equals(Item::Bool(false)));
    assert!(Item::Num("1").equals(Item::Num("1.0")) && !Item::Num("1").equals(Item::Bool(true)));
    assert!(!Item::Num("1").equals(Item::Str("1")));
    assert!(Item::Object(r#"{"a":[1.0],"b":"\u0041"}"#).equals(Item::Object(r#"{ "b":"A", "a":[1e0] }"#)));
    assert!(!Item::Array("[1,2]").equals(Item::Array("[2,1]")));
    assert!(!Item::Array("[]").equals(Item::Object("{}")));
    assert!(!Item::Str("Ä").equals(Item::Str("ä")));
}

#[test]
fn elements_and_members() {
    let mut seen = Vec::new();
    Item::Array(r#"[ "a\n", 1 , [2,"]"], {"k":0}, null, true, false ]"#).elements(&mut |item| {
        seen.push(format!("{item:?}"));
        seen.len() < 6
    });
    let expected = [
        r#"Str("a\n")"#,
        r#"Num("1")"#,
        r#"Array("[2,\"]\"]")"#,
        r#"Object("{\"k\":0}")"#,
        "Null",
        "Bool(true)",
    ];
    assert_eq!(seen, expected);

    let mut seen = Vec::new();
    Item::Object(r#"{"a" : 1, "\u0062":"x"}"#).members(&mut |key, item| {
        seen.push(format!("{key} {item:?}"));
        true
    });
    assert_eq!(seen, [r#"a Num("1")"#, r#"b Str("x")"#]);
    Item::Array("[]").elements(&mut |_| panic!("empty"));
    Item::Object("{}").elements(&mut |_| panic!("no array"));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,4}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// Canonical text by way of `Value`.
fn reference(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(reference).collect::<Vec<_>>().join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.encode_utf16().collect::<Vec<_>>());
            let member = |(key, value): (&String, &Value)| format!("{}:{}", json!(key), reference(value));
            format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn canonical_is_that_of_values(value in value(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let item = match &value {
            Value::Array(_) => Item::Array(&text),
            Value::Object(_) => Item::Object(&text),
            _ => return Ok(()),
        };
        let canon = canonical(item);
        prop_assert_eq!(&canon, &reference(&value));
        let again = if value.is_array() { Item::Array(&canon) } else { Item::Object(&canon) };
        prop_assert!(item.equals(again));
    }

    #[test]
    fn bad_text_never_panics(text in "[\\[\\]{}\",:\\\\u0d8a1 .eE+-]{0,24}") {
        for item in [Item::Array(&text), Item::Object(&text), Item::Num(&text)] {
            let _ = (canonical(item), item.text(), item.equals(Item::Array("[]")));
            item.elements(&mut |_| true);
            item.members(&mut |_, _| true);
        }
    }
}
