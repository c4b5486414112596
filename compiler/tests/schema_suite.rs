//! The required tests of the JSON Schema Test Suite, draft 2020-12, through
//! `matches`: each instance is the member `v` of an event.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::{DecideOptions, Module, Scratch};
use serde_json::{Value, json};

/// The module of one hook that asks whether `v` matches; or the messages.
fn module(schema: &Value, formats: bool) -> Result<Module, Vec<String>> {
    let mut leaf = json!({"path": "v", "op": "matches", "value": schema});
    if formats {
        leaf["assert_format"] = json!(true);
    }
    let hook = json!({"event": "t", "condition": leaf, "action": {"type": "continue"}});
    let mut sources = Sources::new();
    let source = sources.add("policy.yaml", json!({"hooks": [hook]}).to_string());
    let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
    let compiled = compile(&mut sources, &inputs, &Options::default());
    match compiled.module {
        Some(bytes) => Ok(Module::load(bytes).expect("what is compiled loads")),
        None => {
            let errors = compiled.diagnostics.iter().filter(|d| d.is_error());
            Err(errors.map(|d| format!("{}: {}", d.code, d.message)).collect())
        }
    }
}

fn holds(module: &Module, instance: &Value) -> bool {
    let event = json!({"event_type": "t", "v": instance}).to_string();
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
    decision.unwrap_or_else(|error| panic!("{event}: {error}")).hooks().len() == 1
}

/// Runs the files of a directory: tests, wrong results, and by message the rejected ones.
fn run(folder: &Path, formats: bool, names: &[&str]) -> (usize, Vec<String>, BTreeMap<String, usize>) {
    let (mut count, mut wrong, mut refused) = (0, Vec::new(), BTreeMap::new());
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "json"));
    files.retain(|path| names.is_empty() || names.contains(&path.file_stem().unwrap().to_str().unwrap()));
    files.sort();
    for path in files {
        let groups: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        for group in groups {
            let tests = group["tests"].as_array().unwrap();
            count += tests.len();
            match module(&group["schema"], formats) {
                Ok(module) => {
                    for test in tests {
                        if Value::Bool(holds(&module, &test["data"])) != test["valid"] {
                            wrong.push(format!("{name}: {}: {}", group["description"], test["description"]));
                        }
                    }
                }
                Err(messages) => {
                    let key = format!("{name}: {}", messages.join("; "));
                    *refused.entry(key).or_insert(0) += tests.len();
                }
            }
        }
    }
    (count, wrong, refused)
}

#[test]
fn required_tests() {
    let Some(folder) = hookc_corpus::suite("json-schema-draft2020-12/tests/draft2020-12") else { return };
    let (count, wrong, refused) = run(&folder, false, &[]);
    let reported: usize = refused.values().sum();
    eprintln!("{count} tests, {} wrong, {reported} refused:", wrong.len());
    refused.iter().for_each(|(message, tests)| eprintln!("  {tests:3} {message}"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1000 && reported * 10 <= count, "{reported} of {count} refused");
    assert!(
        refused.keys().all(|message| message.contains("E0421") || message.contains("another draft")),
        "only references to other schemas and other drafts are refused"
    );
}

#[test]
fn formats_when_asserted() {
    let Some(folder) = hookc_corpus::suite("json-schema-draft2020-12/tests/draft2020-12/optional/format")
    else {
        return;
    };
    let names = ["date-time", "date", "time", "uri", "email", "uuid", "ipv4", "ipv6", "regex"];
    let (count, wrong, refused) = run(&folder, true, &names);
    assert!(count > 100 && refused.is_empty(), "{refused:?}");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn patterns_are_those_of_ecma() {
    let Some(folder) = hookc_corpus::suite("json-schema-draft2020-12/tests/draft2020-12/optional") else {
        return;
    };
    let names = ["ecmascript-regex", "non-bmp-regex", "float-overflow", "bignum"];
    let (count, wrong, refused) = run(&folder, false, &names);
    eprintln!("{count} tests, refused: {refused:#?}");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
