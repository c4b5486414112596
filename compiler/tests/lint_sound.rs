//! A claim of W0604 about a whole condition is true for every event: random conditions over two
//! paths, each checked at every pair of values.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

use crate::support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::*;

/// A condition: its text and its meaning.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(usize, &'static str, Value),
    Group(bool, Vec<Tree>),
    Not(Box<Tree>),
}

const PATHS: [&str; 2] = ["x", "y"];

fn values() -> Vec<Option<Value>> {
    let some = [
        json!(null),
        json!(0),
        json!(1),
        json!(1.5),
        json!(2),
        json!(3),
        json!("a"),
        json!("A"),
        json!(["a"]),
    ];
    some.into_iter().map(Some).chain([None]).collect()
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Leaf(path, "exists", _) => format!("exists({})", PATHS[*path]),
            Self::Leaf(path, "nocase", value) => format!("{} == {value} nocase", PATHS[*path]),
            Self::Leaf(path, op, value) => format!("{} {op} {value}", PATHS[*path]),
            Self::Not(part) => format!("not ({})", part.text()),
            Self::Group(all, parts) => {
                let parts: Vec<String> = parts.iter().map(Self::text).collect();
                format!("{}({})", if *all { "all" } else { "any" }, parts.join(", "))
            }
        }
    }

    fn holds(&self, event: &[&Option<Value>; 2]) -> bool {
        match self {
            Self::Leaf(path, op, value) => leaf(event[*path].as_ref(), op, value),
            Self::Not(part) => !part.holds(event),
            Self::Group(true, parts) => parts.iter().all(|part| part.holds(event)),
            Self::Group(false, parts) => parts.iter().any(|part| part.holds(event)),
        }
    }
}

fn leaf(actual: Option<&Value>, op: &str, value: &Value) -> bool {
    let eq = |value: &Value| match actual {
        Some(actual) => actual == value || (actual.is_number() && actual.as_f64() == value.as_f64()),
        None => value.is_null(),
    };
    let number = actual.and_then(Value::as_f64).zip(value.as_f64());
    let text = |value: &Value| value.as_str().map(str::to_lowercase);
    match op {
        "==" => eq(value),
        "!=" => !eq(value),
        "nocase" => actual.and_then(text).map_or_else(|| eq(value), |actual| Some(actual) == text(value)),
        ">" => number.is_some_and(|(a, b)| a > b),
        ">=" => number.is_some_and(|(a, b)| a >= b),
        "<" => number.is_some_and(|(a, b)| a < b),
        "<=" => number.is_some_and(|(a, b)| a <= b),
        "in" => value.as_array().unwrap().iter().any(eq),
        "exists" => actual.is_some_and(|actual| !actual.is_null()),
        "contains" => match actual {
            Some(Value::Array(items)) => items.contains(value),
            Some(actual) => actual.as_str().is_some_and(|text| text.contains(value.as_str().unwrap())),
            None => false,
        },
        other => panic!("{other}"),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let scalar = || prop::sample::select(vec![json!(null), json!(1), json!(2), json!("a")]);
    let number = || prop::sample::select(vec![json!(1), json!(2)]);
    let lists = prop::sample::select(vec![json!([1, 2]), json!([null, "a"]), json!(["a"]), json!([2, "A"])]);
    let right = prop_oneof![
        (prop::sample::select(vec!["==", "!=", "nocase"]), scalar()),
        (prop::sample::select(vec![">", ">=", "<", "<="]), number()),
        (Just("in"), lists),
        (Just("exists"), Just(json!(null))),
        (Just("contains"), Just(json!("a"))),
    ];
    let leaf = (0..2usize, right).prop_map(|(path, (op, value))| Tree::Leaf(path, op, value));
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            3 => (any::<bool>(), prop::collection::vec(inner.clone(), 0..4)).prop_map(|(all, parts)| Tree::Group(all, parts)),
            1 => inner.prop_map(|part| Tree::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn claims_hold(tree in trees()) {
        let reported = reported("error", cond(&tree.text()));
        let said = |what: &str| reported.iter().any(|d| d.notes.iter().any(|note| note.contains(what)));
        let (never, always) = (said("never matches"), said("always matches"));
        let values = values();
        for x in &values {
            for y in &values {
                let holds = tree.holds(&[x, y]);
                prop_assert!(!(never && holds), "never: {} at {x:?}, {y:?}", tree.text());
                prop_assert!(!always || holds, "always: {} at {x:?}, {y:?}", tree.text());
            }
        }
    }
}
