//! Lints are right about a leaf: the oracle, which does not know lints, evaluates the leaf on many
//! values (W0610, W0611).

use crate::common;

use hookc_compiler::{Input, Options, compile};
use hookc_oracle::Oracle;
use hookc_schema::tree::Layer;
use hookc_schema::{Code, Sources};
use serde_json::{Value, json};

/// A policy with this condition: the diagnostics, and the oracle over it.
fn built(condition: &Value) -> (Vec<Code>, Oracle) {
    let hook = json!({"id": "h", "event": "PreToolUse", "condition": condition, "action": {"type": "deny", "reason": "r"}});
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", json!({"hooks": [hook]}).to_string());
    let compiled = compile(&mut sources, &[Input::new(source)], &Options::default());
    assert!(compiled.module.is_some(), "{condition}: {:?}", compiled.diagnostics);
    let codes = compiled.diagnostics.iter().map(|told| told.code).collect();
    let policies = compiled.policies.into_iter().map(|policy| (policy, Layer::Directive)).collect();
    (codes, common::oracle(&policies, None))
}

/// Whether the hook matches if `x` has this value or is absent.
fn holds(oracle: &Oracle, x: Option<&Value>) -> bool {
    let input = x.map_or(json!({}), |x| json!({"x": x}));
    let event = json!({"hook_event_name": "PreToolUse", "tool_input": input}).to_string();
    !oracle.decide(event.as_bytes(), &hookc_oracle::DecideOptions::default()).unwrap().hooks.is_empty()
}

fn values() -> Vec<Option<Value>> {
    let some = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-1.5),
        json!(1e300),
        json!(""),
        json!("a"),
        json!("a/b/c"),
        json!("b\na"),
        json!("\n"),
        json!("é😀"),
        json!([]),
        json!([""]),
        json!(["a"]),
        json!([["a"], null]),
        json!({}),
        json!({"a": "b"}),
        json!({"x": ["a"]}),
    ];
    some.into_iter().map(Some).chain([None]).collect()
}

fn is_text(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.is_string() || value.is_number() || value.is_boolean())
}

#[test]
fn vacuous_operators_are_true_for_every_text() {
    let patterns = [
        "", ".*", "a*", "^", "$", "^.*", ".*$", "(?s)^.*$", "^$", "^.*$", "a?", "a", ".+", r"\b", r"\B",
        "(|a)$", "(?m)^",
    ];
    let leaves = patterns.iter().map(|pattern| ("regex", json!(pattern)));
    let texts = ["", "a"]
        .iter()
        .flat_map(|text| ["starts_with", "ends_with", "contains"].map(|op| (op, json!(text))));
    let globs =
        [json!("**"), json!("*"), json!("**/*"), json!(["a", "**"]), json!(["a"])].map(|glob| ("glob", glob));
    let mut told = 0;
    for (op, value) in leaves.chain(texts).chain(globs) {
        for fold in [false, true] {
            let (codes, oracle) =
                built(&json!({"path": "tool_input.x", "op": op, "value": value, "ignore_case": fold}));
            if !codes.contains(&Code::W0610) {
                continue;
            }
            told += 1;
            for x in values() {
                let expected = match &x {
                    Some(Value::Array(items)) => op == "contains" && items.contains(&json!("")),
                    x if op == "glob" => x.as_ref().is_some_and(Value::is_string),
                    x => is_text(x.as_ref()),
                };
                assert_eq!(holds(&oracle, x.as_ref()), expected, "{op} {value} of {x:?}");
            }
        }
    }
    assert!(told >= 20, "only {told} claims");
}

#[test]
fn a_field_compared_with_itself_is_reported_exactly() {
    for op in ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "starts_with", "ends_with"] {
        let (codes, oracle) = built(&json!({"path": "tool_input.x", "op": op, "value_path": "tool_input.x"}));
        assert!(codes.contains(&Code::W0610), "{op}");
        for x in values() {
            let value = x.as_ref();
            let expected = match op {
                "eq" => value.is_some(),
                "ne" => value.is_none(),
                "gte" | "lte" => value.is_some_and(Value::is_number),
                "starts_with" | "ends_with" => value.is_some_and(Value::is_string),
                "contains" => is_text(value),
                _ => false,
            };
            assert_eq!(holds(&oracle, value), expected, "{op} of {x:?}");
        }
    }
    let (codes, _) = built(&json!({"path": "tool_input.x", "op": "eq", "value_path": "tool_input.y"}));
    assert!(!codes.contains(&Code::W0610));
}

/// Every query of up to three of these steps: a reported one selects nothing at any event.
#[test]
fn steps_into_scalars_select_nothing() {
    let steps = [
        "[*]",
        "[0]",
        "[0:]",
        ".x",
        "..a",
        "[?@ == 'a']",
        "[?@ == 'a' || @ == 'b']",
        "[?@ == 'a' || @[0] == 'a']",
        "[?@[0] == 'a']",
        "[?search(@, 'a') && @ != 'q']",
        "[?@.a == 'b']",
        "[?@[?@ == 'a'][?@ == 'b']]",
        "[0, 1]",
    ];
    let (mut told, mut all) = (0, 0);
    for one in steps {
        for two in steps {
            for three in ["", "[*]", "[?@ == 'a']", ".x", "[0]", "..*"] {
                let path = format!("$.tool_input.x{one}{two}{three}");
                let (codes, oracle) = built(&json!({"path": path, "op": "exists"}));
                all += 1;
                if codes.contains(&Code::W0611) {
                    told += 1;
                    for x in values() {
                        assert!(!holds(&oracle, x.as_ref()), "{path} of {x:?}");
                    }
                }
            }
        }
    }
    assert!(told > 100 && told < all, "{told} of {all}");
}
