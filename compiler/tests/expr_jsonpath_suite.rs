//! The compliance suite of RFC 9535: every valid selector parses, prints and parses back; every
//! invalid one is rejected with a span.

use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Diagnostics, SourceId, Span};
use hookc_syntax::expr::{path, print};

fn parse(text: &str) -> Result<hookc_schema::tree::Path, Diagnostics> {
    let whole = Span::new(SourceId(0), 0..text.len());
    let mut out = Diagnostics::new();
    let text = Text { value: text.to_owned(), map: TextMap::Shift(0) };
    match path::parse(&text, whole, &mut out) {
        Some(path) if out.is_empty() => Ok(path),
        Some(_) => panic!("a path and a diagnostic for {}", text.value),
        None => Err(out),
    }
}

#[test]
fn every_selector_of_the_suite() {
    let Some(tests) = hookc_corpus::jsonpath_suite() else { return };
    assert!(tests.len() > 700);
    let mut wrong = Vec::new();
    for test in &tests {
        let (name, selector) = (&test["name"], test["selector"].as_str().unwrap());
        let invalid = test["invalid_selector"].as_bool().unwrap_or(false);
        match parse(selector) {
            Ok(_) if invalid => wrong.push(format!("{name}: accepted {selector:?}")),
            Ok(path) => {
                let printed = print::path(&path);
                match parse(&printed) {
                    Ok(again) if again == path => {}
                    other => wrong.push(format!("{name}: {selector:?} printed {printed:?}: {other:?}")),
                }
            }
            Err(out) if invalid => {
                assert_eq!(out.len(), 1);
                let range = out[0].span().unwrap().range();
                assert!(selector.get(range.clone()).is_some(), "{name}: {selector:?} at {range:?}");
            }
            Err(out) => wrong.push(format!("{name}: refused {selector:?}: {}", out[0].message)),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tests.len(), wrong.join("\n"));
}

/// The nodes at a selector, one JSON text each, by what `hookc path` calls.
fn nodes(selector: &str, document: &serde_json::Value) -> Result<Vec<serde_json::Value>, String> {
    let path = parse(selector).map_err(|out| out[0].message.clone())?;
    let mut nodes = Vec::new();
    let found = hookc_compiler::lookup::lookup(&path, document.to_string().as_bytes(), &mut |node| {
        nodes.push(serde_json::from_str(node).expect("a line is JSON"));
        true
    });
    found.map(|()| nodes).map_err(|error| error.to_string())
}

/// Equal but for the spelling of numbers: `1.0` is `1`.
fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value as V;
    match (a, b) {
        (V::Number(a), V::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (V::Array(a), V::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (V::Object(a), V::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn every_result_of_the_suite() {
    let Some(tests) = hookc_corpus::jsonpath_suite() else { return };
    let mut wrong = Vec::new();
    for test in &tests {
        let (name, selector) = (&test["name"], test["selector"].as_str().unwrap());
        let found = nodes(selector, &test["document"]);
        let expected: Vec<&serde_json::Value> = match test.get("results") {
            // If the order of members matters, several results are right.
            Some(results) => results.as_array().unwrap().iter().collect(),
            None => test.get("result").into_iter().collect(),
        };
        let right = match &found {
            Err(_) => test["invalid_selector"] == true,
            Ok(nodes) => {
                let nodes = serde_json::Value::Array(nodes.clone());
                expected.iter().any(|expected| same(&nodes, expected))
            }
        };
        if !right {
            wrong.push(format!("{name}: {selector:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tests.len(), wrong.join("\n"));
    eprintln!("{} of {}", tests.len(), tests.len());
}
