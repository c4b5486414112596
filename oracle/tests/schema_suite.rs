//! The oracle's `matches`, which is `jsonschema` on stand-ins for numbers, checked by the required
//! tests of the JSON Schema Test Suite, draft 2020-12. Where they differ, the suite is right and
//! the difference is listed here with its reason. For schemas that the compiler accepts nothing is
//! listed: there the VM and the oracle agree.
#![allow(dead_code, reason = "tests")]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use hookc_compiler::Dialect;
use hookc_oracle::Json;
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Scratch};
use serde_json::{Value, json};

/// The suite by file: groups of tests that share a schema.
fn suite() -> Option<BTreeMap<String, Vec<Value>>> {
    let folder = hookc_corpus::suite("json-schema-draft2020-12/tests/draft2020-12")?;
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let groups = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), groups)
    };
    Some(files.filter(|path| path.extension().is_some_and(|end| end == "json")).map(read).collect())
}

/// Text as the oracle reads it.
fn json(value: &Value) -> Json {
    Json::parse(value.to_string().as_bytes()).unwrap()
}

/// The oracle's answer to each test of a group, or why it rejects the schema.
fn oracle(group: &Value) -> Result<Vec<bool>, String> {
    let schema = json(&group["schema"]);
    let tests = group["tests"].as_array().unwrap().iter();
    tests.map(|test| hookc_oracle::matches(&schema, &json(&test["data"]), false)).collect()
}

/// The VM's answer to each test, as the member `v` of an event; `None` if the compiler rejects the
/// schema.
fn vm(group: &Value) -> Option<Vec<bool>> {
    let leaf = json!({"path": "v", "op": "matches", "value": group["schema"]});
    let hook = json!({"event": "t", "condition": leaf, "action": {"type": "continue"}});
    let text = json!({"hooks": [hook]}).to_string();
    let built = common::build(&[(text, Layer::Directive)], Dialect::HooksYaml, false, false).ok()?;
    let (module, mut scratch) = (common::load(built.bytes), Scratch::new());
    let mut holds = |test: &Value| {
        let event = json!({"event_type": "t", "v": test["data"]}).to_string();
        module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap().hooks().len() == 1
    };
    Some(group["tests"].as_array().unwrap().iter().map(&mut holds).collect())
}

/// Names with what was found there.
type Found = BTreeMap<String, String>;

/// The groups with their names, which start with the file.
fn groups(suite: &BTreeMap<String, Vec<Value>>) -> impl Iterator<Item = (String, &Value)> {
    let all = suite.iter().flat_map(|(file, groups)| groups.iter().map(move |group| (file, group)));
    all.map(|(file, group)| (format!("{file}: {}", described(group)), group))
}

fn described(item: &Value) -> &str {
    item["description"].as_str().unwrap()
}

/// The listed and the found differences must be equal.
fn compare(what: &str, found: &Found, listed: &[(&str, &[&str])]) {
    let listed: Vec<&str> = listed.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let new: Vec<_> = found.iter().filter(|(name, _)| !listed.contains(&name.as_str())).collect();
    let gone: Vec<_> = listed.iter().filter(|name| !found.contains_key(**name)).collect();
    assert!(new.is_empty() && gone.is_empty(), "{what}, not listed: {new:#?}\nno longer so: {gone:#?}");
}

/// Groups of tests, by file, whose schema `jsonschema` rejects. Each reason with the groups that
/// show it.
const REFUSED: &[(&str, &[&str])] = &[(
    "a reference to another document, and nothing is fetched",
    &[
        "dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first",
        "dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first",
        "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor",
        "dynamicRef: strict-tree schema, guards against misspelled properties",
        "dynamicRef: tests for implementation dynamic anchor and reference link",
        "refRemote: $ref to $ref finds detached $anchor",
        "refRemote: Location-independent identifier in remote ref",
        "refRemote: anchor within remote ref",
        "refRemote: base URI change",
        "refRemote: base URI change - change folder",
        "refRemote: base URI change - change folder in subschema",
        "refRemote: fragment within remote ref",
        "refRemote: ref within remote ref",
        "refRemote: remote HTTP ref with different $id",
        "refRemote: remote HTTP ref with different URN $id",
        "refRemote: remote HTTP ref with nested absolute ref",
        "refRemote: remote ref",
        "refRemote: remote ref with ref to defs",
        "refRemote: retrieved nested refs resolve relative to their URI not $id",
        "refRemote: root ref in remote ref",
    ],
)];

/// Tests, by file and group, whose answer differs from the suite.
const WRONG: &[(&str, &[&str])] = &[
    (
        "the crate has the meta-schema at hand, but its numbers are not replaced: -1 stands as 0 before them",
        &["ref: remote ref, containing refs itself: remote ref invalid"],
    ),
    (
        "`$schema` names another document, which is not fetched, so all keywords count",
        &["vocabulary: schema that uses custom metaschema with with no validation vocabulary: \
             no validation: invalid number, but it still validates"],
    ),
];

#[test]
fn required_tests() {
    let Some(suite) = suite() else { return };
    let (mut count, mut refused, mut wrong) = (0, Found::new(), Found::new());
    for (name, group) in groups(&suite) {
        let tests = group["tests"].as_array().unwrap();
        count += tests.len();
        match oracle(group) {
            Ok(answers) => {
                let differing = tests.iter().zip(answers).filter(|(test, answer)| test["valid"] != *answer);
                wrong.extend(differing.map(|(test, answer)| {
                    (format!("{name}: {}", described(test)), format!("valid: {answer}"))
                }));
            }
            Err(why) => refused.extend([(name, why)]),
        }
    }
    assert!(count > 1000, "{count} tests");
    compare("refused", &refused, REFUSED);
    compare("wrong", &wrong, WRONG);
}

#[test]
fn the_vm_answers_alike() {
    let Some(suite) = suite() else { return };
    let mut count = 0;
    for (name, group) in groups(&suite) {
        let Some(vm) = vm(group) else { continue };
        count += vm.len();
        assert_eq!(Ok(vm), oracle(group), "{name}: {}", group["schema"]);
    }
    assert!(count > 1000, "{count} tests");
}
