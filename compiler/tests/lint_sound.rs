//! A claim of W0604 about a whole condition, and of W0602 about two hooks, is true for every event: random
//! conditions over two paths, each checked at every pair of values.

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
    /// `some` or `every` element of a path.
    Each(bool, usize, Box<Inner>),
}

/// A condition about an element.
#[derive(Clone, Debug)]
enum Inner {
    Leaf(&'static str, Value),
    Group(bool, Vec<Inner>),
    Not(Box<Inner>),
}

impl Inner {
    fn text(&self) -> String {
        match self {
            Self::Leaf(op, value) => text("n", op, value),
            Self::Not(part) => format!("not ({})", part.text()),
            Self::Group(all, parts) => group(*all, parts.iter().map(Self::text)),
        }
    }

    fn holds(&self, node: &Value) -> bool {
        match self {
            Self::Leaf(op, value) => leaf(Some(node), op, value),
            Self::Not(part) => !part.holds(node),
            Self::Group(true, parts) => parts.iter().all(|part| part.holds(node)),
            Self::Group(false, parts) => parts.iter().any(|part| part.holds(node)),
        }
    }
}

fn text(path: &str, op: &str, value: &Value) -> String {
    match op {
        "exists" => format!("exists({path})"),
        "nocase" => format!("{path} == {value} nocase"),
        op => format!("{path} {op} {value}"),
    }
}

fn group(all: bool, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    format!("{}({})", if all { "all" } else { "any" }, parts.join(", "))
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
        json!("ab"),
        json!("b"),
        json!(["a"]),
        json!([1, "ab"]),
        json!([]),
    ];
    some.into_iter().map(Some).chain([None]).collect()
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Leaf(path, op, value) => text(PATHS[*path], op, value),
            Self::Not(part) => format!("not ({})", part.text()),
            Self::Group(all, parts) => group(*all, parts.iter().map(Self::text)),
            Self::Each(every, path, inner) => {
                let word = if *every { "every" } else { "some" };
                format!("{word}(n in {}: {})", PATHS[*path], inner.text())
            }
        }
    }

    fn holds(&self, event: &[&Option<Value>; 2]) -> bool {
        match self {
            Self::Leaf(path, op, value) => leaf(event[*path].as_ref(), op, value),
            Self::Not(part) => !part.holds(event),
            Self::Group(true, parts) => parts.iter().all(|part| part.holds(event)),
            Self::Group(false, parts) => parts.iter().any(|part| part.holds(event)),
            Self::Each(every, path, inner) => {
                let items = event[*path].as_ref().and_then(Value::as_array);
                let mut items = items.into_iter().flatten();
                if *every { items.all(|item| inner.holds(item)) } else { items.any(|item| inner.holds(item)) }
            }
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
        "starts_with" => plain(actual).is_some_and(|text| text.starts_with(value.as_str().unwrap())),
        "ends_with" => plain(actual).is_some_and(|text| text.ends_with(value.as_str().unwrap())),
        "glob" => {
            let globs = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            let matches = |glob: &Value, text: &str| match glob.as_str().unwrap().split_once("**") {
                Some((start, end)) => text.starts_with(start) && text.ends_with(end),
                None => text == glob,
            };
            actual.and_then(Value::as_str).is_some_and(|text| globs.iter().any(|glob| matches(glob, text)))
        }
        other => panic!("{other}"),
    }
}

/// The text of a string; numbers of these values begin and end with no letter.
fn plain(actual: Option<&Value>) -> Option<&str> {
    actual.and_then(Value::as_str)
}

/// An operator and what it compares with.
fn right() -> impl Strategy<Value = (&'static str, Value)> {
    let scalar = || prop::sample::select(vec![json!(null), json!(1), json!(2), json!("a")]);
    let number = || prop::sample::select(vec![json!(1), json!(2)]);
    let texts = prop::sample::select(vec![json!("a"), json!("ab"), json!("b")]);
    let globs = prop::sample::select(vec![
        json!("a**"),
        json!("ab"),
        json!("ab**"),
        json!(["a", "b"]),
        json!(["a**", "b"]),
        json!("**b"),
    ]);
    let lists = prop::sample::select(vec![json!([1, 2]), json!([null, "a"]), json!(["a"]), json!([2, "A"])]);
    prop_oneof![
        (prop::sample::select(vec!["==", "!=", "nocase"]), scalar()),
        (prop::sample::select(vec![">", ">=", "<", "<="]), number()),
        (Just("in"), lists),
        (Just("exists"), Just(json!(null))),
        (Just("contains"), prop::sample::select(vec![json!("a"), json!("ab"), json!("b")])),
        (prop::sample::select(vec!["starts_with", "ends_with"]), texts),
        (Just("glob"), globs),
    ]
}

fn trees() -> impl Strategy<Value = Tree> {
    let inner = right().prop_map(|(op, value)| Inner::Leaf(op, value)).prop_recursive(2, 4, 3, |inner| {
        prop_oneof![
            3 => (any::<bool>(), prop::collection::vec(inner.clone(), 1..3)).prop_map(|(all, parts)| Inner::Group(all, parts)),
            1 => inner.prop_map(|part| Inner::Not(Box::new(part))),
        ]
    });
    let leaf = prop_oneof![
        4 => (0..2usize, right()).prop_map(|(path, (op, value))| Tree::Leaf(path, op, value)),
        1 => (any::<bool>(), 0..2usize, inner)
            .prop_map(|(every, path, inner)| Tree::Each(every, path, Box::new(inner))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            3 => (any::<bool>(), prop::collection::vec(inner.clone(), 0..4)).prop_map(|(all, parts)| Tree::Group(all, parts)),
            1 => inner.prop_map(|part| Tree::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: hookc_corpus::effort(4000, 200) as u32, failure_persistence: None, ..ProptestConfig::default() })]

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

    #[test]
    fn covered_hooks_are_covered(one in trees(), extra in trees(), alone in any::<bool>()) {
        // Often the second hook has the condition of the first one, and more.
        let two = if alone { extra } else { Tree::Group(true, vec![one.clone(), extra]) };
        let hook = |tree: &Tree| json!({"event": "error", "when": tree.text(), "action": {"type": "abort"}});
        let policy = json!({"hooks": [hook(&one), hook(&two)]}).to_string();
        let mut sources = hookc_schema::Sources::new();
        let source = sources.add("hooks.yaml", policy);
        let built = hookc_compiler::compile(&mut sources, &[hookc_compiler::Input::new(source)], &hookc_compiler::Options::default());
        let hidden = built.diagnostics.iter().any(|new| {
            matches!(new.code, hookc_schema::Code::W0602 | hookc_schema::Code::W0607)
        });
        let values = values();
        for x in values.iter().filter(|_| hidden) {
            for y in &values {
                let event = [x, y];
                prop_assert!(!two.holds(&event) || one.holds(&event), "{} hides {} at {event:?}", one.text(), two.text());
            }
        }
    }

    /// A hook that several others hide together: often it has their conditions as alternatives, and more.
    #[test]
    fn hooks_covered_together_are_covered(
        others in prop::collection::vec(trees(), 2..4),
        extra in trees(),
        form in 0..3usize,
    ) {
        let last = match form {
            0 => extra,
            1 => Tree::Group(false, others.clone()),
            _ => Tree::Group(true, vec![Tree::Group(false, others.clone()), extra]),
        };
        covered(others, last)?;
    }

    /// Values and bounds of one path, with which a few hooks cover much.
    #[test]
    fn values_covered_together_are_covered(
        others in prop::collection::vec((right(), prop::option::of(right())), 2..5),
        last in (right(), prop::option::of(right())),
    ) {
        let tree = |((op, value), more): ((&'static str, Value), Option<(&'static str, Value)>)| {
            let more = more.map(|(op, value)| Tree::Leaf(1, op, value));
            Tree::Group(true, std::iter::once(Tree::Leaf(0, op, value)).chain(more).collect())
        };
        covered(others.into_iter().map(tree).collect(), tree(last))?;
    }
}

/// Whether some of the first hooks match whenever a hidden one does.
fn covered(mut trees: Vec<Tree>, last: Tree) -> Result<(), TestCaseError> {
    trees.push(last);
    let hook = |(at, tree): (usize, &Tree)| json!({"id": format!("h{at}"), "event": "error", "when": tree.text(), "action": {"type": "abort"}});
    let hooks: Vec<Value> = trees.iter().enumerate().map(hook).collect();
    let mut sources = hookc_schema::Sources::new();
    let source = sources.add("hooks.yaml", json!({"hooks": hooks}).to_string());
    let input = [hookc_compiler::Input::new(source)];
    let built = hookc_compiler::compile(&mut sources, &input, &hookc_compiler::Options::default());
    let hides = |at: usize| {
        built.diagnostics.iter().any(|new| {
            matches!(new.code, hookc_schema::Code::W0602 | hookc_schema::Code::W0607)
                && new.message.starts_with(&format!("hook `h{at}`"))
        })
    };
    let values = values();
    for at in (1..trees.len()).filter(|at| hides(*at)) {
        for x in &values {
            for y in &values {
                let event = [x, y];
                let earlier = trees[..at].iter().any(|tree| tree.holds(&event));
                prop_assert!(
                    !trees[at].holds(&event) || earlier,
                    "{} is hidden at {event:?}",
                    trees[at].text()
                );
            }
        }
    }
    Ok(())
}
