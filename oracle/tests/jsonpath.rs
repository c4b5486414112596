//! The oracle's JSONPath, which is `jsonpath-rust` on stand-ins for numbers, checked by the
//! compliance suite of RFC 9535. Where they differ, the suite is right, the difference is listed
//! here with its reason, and the generator of the differential tests avoids it.

use std::collections::BTreeMap;

use hookc_schema::tree::{PathKind, Query};
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr;
use serde_json::Value;

/// Whether nodes are one of the allowed results of a test.
fn right(test: &Value, nodes: &[String]) -> bool {
    let results = test.get("results").and_then(Value::as_array).cloned();
    let allowed = results.unwrap_or_else(|| test.get("result").cloned().into_iter().collect());
    let canonical = |list: &Value| -> Vec<String> {
        // The canonical text of a node is what the identity selects.
        let nodes = list.as_array().unwrap().iter();
        nodes.flat_map(|node| hookc_oracle::select("$", node.to_string().as_bytes()).unwrap()).collect()
    };
    allowed.iter().any(|list| canonical(list) == nodes)
}

/// Cases that the suite does not cover: a path, a value, and the nodes according to RFC 9535 and
/// the VM.
const BEYOND: &[(&str, &str, &[&str])] = &[
    // The count of no nodes gives nothing instead of 0.
    ("$[?count(@.x) == 0]", r#"[{}, {"x": 1}]"#, &["{}"]),
    ("$[?count(@.x) < 1]", r#"[{}, {"x": 1}]"#, &["{}"]),
    // Text that is not an I-Regexp is still used as a regular expression.
    (r"$[?match(@, '\\d')]", r#"["1", "\\d"]"#, &[]),
    ("$[?search(@, '(?i)a')]", r#"["A"]"#, &[]),
    ("$[?search(@, $[0])]", r#"["\\'", "'"]"#, &[]),
];

#[test]
fn differences_beyond_the_suite() {
    for (selector, value, expected) in BEYOND {
        assert_ne!(hookc_oracle::select(selector, value.as_bytes()).unwrap(), *expected, "{selector}");
        assert_eq!(looked_up(selector, value), *expected, "{selector}");
    }
}

/// Cases that are rare in the suite, on which both agree.
const ALIKE: &[(&str, &str, &[&str])] = &[
    ("$[?(@.a || @.b) && @.c]", r#"[{"a": 0, "c": 1}, {"a": 1}, {"c": 1}]"#, &[r#"{"a":0,"c":1}"#]),
    ("$[?!(@.a || @.b) && @.c]", r#"[{"a": 0, "c": 1}, {"a": 1}, {"c": 1}]"#, &[r#"{"c":1}"#]),
    ("$[?@.a && (@.b || !@.c)]", r#"[{"a": 0, "c": 1}, {"a": 1}]"#, &[r#"{"a":1}"#]),
    ("$[?@ == 0.1]", "[0.1, 0.10000000000000001, 1e-1]", &["0.1", "0.1"]),
    (
        "$[?@ > 9007199254740991]",
        "[9007199254740992, 9007199254740993]",
        &["9007199254740992", "9007199254740993"],
    ),
    ("$[?@ == $[0]]", "[9007199254740993, 9007199254740992]", &["9007199254740993"]),
    ("$[?length(@) == length($[0])]", r#"["é", "x", [0], 1]"#, &[r#""é""#, r#""x""#, "[0]"]),
    ("$[?length(@.x) == length(@.y)]", r#"[{"x": 1}, {"x": "a"}]"#, &[r#"{"x":1}"#]),
    ("$[?@ <= null]", "[null, 1, false]", &["null"]),
    ("$[?@ <= @.x]", "[1, {}]", &[]),
];

#[test]
fn the_rest_is_alike() {
    for (selector, value, expected) in ALIKE {
        assert_eq!(looked_up(selector, value), *expected, "{selector}");
        assert_eq!(hookc_oracle::select(selector, value.as_bytes()).unwrap(), *expected, "{selector}");
        let read = read(selector).unwrap();
        assert_eq!(hookc_oracle::select_by(&read, value.as_bytes()).unwrap(), *expected, "{selector}");
    }
}

/// The nodes as `hookc path` has them.
fn looked_up(selector: &str, value: &str) -> Vec<String> {
    let path = expr::path::parse(&Text::plain(selector), Span::default(), &mut Diagnostics::new()).unwrap();
    let mut nodes = Vec::new();
    let found = hookc_compiler::lookup::lookup(&path, value.as_bytes(), &mut |node| {
        nodes.push(node.to_owned());
        true
    });
    found.unwrap();
    nodes
}

/// Differences from the suite, by the names of its tests.
fn differing(nodes: impl Fn(&Value) -> Option<Vec<String>>) -> BTreeMap<String, String> {
    let mut differing = BTreeMap::new();
    for test in hookc_corpus::jsonpath_suite().unwrap_or_default() {
        let invalid = test["invalid_selector"] == true;
        let found = nodes(&test);
        let as_it_should = match &found {
            None => invalid,
            Some(nodes) => !invalid && right(&test, nodes),
        };
        if !as_it_should {
            let name = test["name"].as_str().unwrap().to_owned();
            differing.insert(name, format!("{}: {found:?}", test["selector"]));
        }
    }
    differing
}

/// The listed and the found differences must be equal.
fn compare(found: &BTreeMap<String, String>, listed: &[(&str, &[&str])]) {
    if hookc_corpus::jsonpath_suite().is_none() {
        return;
    }
    let listed: Vec<&str> = listed.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let new: Vec<_> = found.iter().filter(|(name, _)| !listed.contains(&name.as_str())).collect();
    let gone: Vec<_> = listed.iter().filter(|name| !found.contains_key(**name)).collect();
    assert!(new.is_empty() && gone.is_empty(), "not listed: {new:#?}\nno longer so: {gone:#?}");
}

/// A valid selector as the compiler reads it.
fn read(selector: &str) -> Option<Query> {
    let path = expr::path::parse(&Text::plain(selector), Span::default(), &mut Diagnostics::new())?;
    match path.kind {
        PathKind::Query(query) => Some(query),
        PathKind::Short(_) | PathKind::View(_) | PathKind::Recall(_) => None,
    }
}

/// For paths parsed by the compiler, which judge conditions. Each reason with the tests that show
/// it.
const EVALUATION: &[(&str, &[&str])] = &[
    (
        "several selectors below everything: selector by selector, not node by node",
        &[
            "basic, descendant segment, multiple selectors",
            "basic, descendant segment, object traversal, multiple selectors",
        ],
    ),
    ("a filter right behind `@` is never true", &["filter, nested"]),
];

#[test]
fn evaluation() {
    let found = differing(|test| {
        let selector = test["selector"].as_str().unwrap();
        hookc_oracle::select_by(&read(selector)?, test["document"].to_string().as_bytes())
    });
    compare(&found, EVALUATION);
}

/// For paths parsed by the crate, which judge templates.
const READING: &[(&str, &[&str])] = &[
    (
        "a function that gives a value is taken for a test",
        &[
            "functions, count, result must be compared",
            "functions, length, result must be compared",
            "functions, value, result must be compared",
        ],
    ),
    (
        "a query with several results is taken for a value",
        &[
            "functions, length, non-singular query arg",
            "functions, length, non-singular query arg, multiple index selectors",
            "functions, length, non-singular query arg, multiple name selectors",
        ],
    ),
];

#[test]
fn reading() {
    let whole = differing(|test| {
        let selector = test["selector"].as_str().unwrap();
        hookc_oracle::select(selector, test["document"].to_string().as_bytes())
    });
    let evaluated: Vec<&str> = EVALUATION.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let found = whole.into_iter().filter(|(name, _)| !evaluated.contains(&name.as_str())).collect();
    compare(&found, READING);
}
