//! The published schemas against what compiles and what does not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests, which may read files"
)]

use hookc_compiler::front::yaml;
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::publish::Schema;
use hookc_schema::tree::print;
use hookc_schema::{Code, Diagnostic, SourceId, Sources};
use jsonschema::Validator;
use serde_json::Value;

/// What no schema can see: whether the notation is sound, small languages in
/// strings, and what parts of a file (or files) say of each other.
const BEYOND: &[Code] = &[
    Code::E0102,
    Code::E0301,
    Code::E0302,
    Code::E0303,
    Code::E0304,
    Code::E0305,
    Code::E0306,
    Code::E0307,
    Code::E0308,
    Code::E0404,
    Code::E0410,
    Code::E0411,
    Code::E0412,
    Code::E0417,
    Code::E0419,
    Code::E0420,
    Code::E0421,
    Code::E0501,
    Code::E0502,
    Code::E0503,
];

fn validator(schema: Schema) -> Validator {
    let schema: Value = serde_json::from_str(&schema.text()).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

/// A YAML text as JSON; `None` if it is not YAML.
fn json(text: &str) -> Option<Value> {
    let mut told = Vec::new();
    let value = yaml::read(text, SourceId(0), &mut told)?;
    serde_json::from_str(&print::json(&value)).ok().filter(|_| !told.iter().any(Diagnostic::is_error))
}

fn problems(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn errors(name: &str, text: &str) -> Vec<Code> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input { source, dialect: Some(Dialect::HooksYaml), layer: None }];
    let compiled = compile(&mut sources, &inputs, &Options { builtin: false, ..Options::default() });
    compiled.diagnostics.iter().filter(|told| told.is_error()).map(|told| told.code).collect()
}

/// Every YAML text of the corpus: its name and itself.
fn corpus() -> Vec<(String, String)> {
    let kinds = ["eval", "stages", "parity", "fmt", "reject"];
    let mut texts = Vec::new();
    for kind in kinds {
        for case in hookc_corpus::cases(kind).unwrap() {
            let yaml = case.files.iter().filter(|file| file.ends_with(".yaml"));
            texts.extend(yaml.map(|file| (format!("{kind}/{}/{file}", case.name), case.text(file).unwrap())));
        }
    }
    texts
}

#[test]
fn what_compiles_is_valid_and_most_of_the_rest_is_not() {
    let schema = validator(Schema::Hooks);
    let (mut valid, mut refused, mut wrong) = (0, 0, Vec::new());
    for (name, text) in corpus() {
        let Some(value) = json(&text) else { continue };
        let (errors, problems) = (errors(&name, &text), problems(&schema, &value));
        let seen = errors.iter().any(|code| !BEYOND.contains(code));
        match (errors.is_empty(), problems.is_empty()) {
            (true, true) => valid += 1,
            (true, false) => wrong.push(format!("{name} compiles:\n  {}", problems.join("\n  "))),
            (false, true) if seen => wrong.push(format!("{name} is valid, but: {errors:?}")),
            (false, _) => refused += usize::from(seen),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(valid > 20 && refused > 15, "{valid} valid, {refused} refused");
}

/// The YAML fences of a Markdown text that say hooks.
fn blocks(text: &str) -> Vec<String> {
    let fences =
        text.split("```yaml\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0.to_owned()));
    fences.filter(|block| block.contains("hooks:\n") && block.contains("event:")).collect()
}

#[test]
fn policies_of_others_are_valid_where_they_compile() {
    let Some(root) = hookc_corpus::shared() else { return };
    let schema = validator(Schema::Hooks);
    let mut policies = 0;
    for entry in std::fs::read_dir(root.join("seeds")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        for block in blocks(&text) {
            let Some(value) = json(&block) else { continue };
            let errors = errors("seed", &block);
            if errors.is_empty() || errors.iter().all(|code| BEYOND.contains(code)) {
                policies += 1;
                let problems = problems(&schema, &value);
                assert!(problems.is_empty(), "{}:\n{block}", problems.join("\n"));
            }
        }
    }
    eprintln!("{policies} policies");
}

#[test]
fn events_of_the_corpus_are_valid_where_their_fields_are_as_declared() {
    let schema = validator(Schema::Event);
    let event = |text: &str| problems(&schema, &serde_json::from_str(text).unwrap());
    assert!(event(r#"{"event": {"type": "limit"}, "limit_code": "x", "other": 1}"#).is_empty());
    assert!(event(r#"{"event": {"type": "limit", "limit_value": 1.5}}"#).is_empty());
    assert!(event(r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#).is_empty());
    assert!(event(r#"{"event_type": "made_up", "limit_code": 1}"#).is_empty());
    // `event.type` is the type, whatever `event_type` says.
    assert!(event(r#"{"event": {"type": "error"}, "event_type": "limit", "limit_code": 1}"#).is_empty());
    assert!(!event(r#"{"event": {"type": "limit"}, "limit_code": 1}"#).is_empty());
    assert!(!event(r#"{"event": {"type": "limit", "limit_code": 1}}"#).is_empty());
    assert!(!event(r#"{"limit_code": "x"}"#).is_empty());
    assert!(!event("[]").is_empty());
}

#[test]
fn each_action_kind_takes_its_parameters_alone() {
    let schema = validator(Schema::Hooks);
    let action = |text: &str| {
        let file = format!("hooks: [{{event: error, action: {text}}}]");
        (errors("x", &file).is_empty(), problems(&schema, &json(&file).unwrap()).is_empty())
    };
    let good = [
        "{type: retry, max_attempts: 2}",
        "{type: retry, max_attempts: '${limit_value}'}",
        "{type: retry, backoff_policy: fixed, delay: 1.5}",
        "{type: retry, backoff_policy: '${limit_code}'}",
        "{type: run, argv: [ls]}",
        "{type: emit_event, event_type: 'a ${turn_number}', payload: {a: [1]}}",
        "{type: inject, value: null}",
    ];
    let bad = [
        "{type: retry, max_attempts: 0}",
        "{type: retry, max_attempts: 1.5}",
        "{type: retry, max_attempts: '2'}",
        "{type: retry, max_attempts: 'n${limit_value}'}",
        "{type: retry, backoff_policy: fixed}",
        "{type: retry, backoff_policy: slow}",
        "{type: run, argv: [ls], command: ls}",
        "{type: run}",
        "{type: emit_event}",
        "{type: unheard_of}",
        "{type: abort, why: x}",
        "{}",
    ];
    for text in good {
        assert_eq!(action(text), (true, true), "{text}");
    }
    for text in bad {
        assert_eq!(action(text), (false, false), "{text}");
    }
    let own = "action_types: {page: {parameters: {who: {type: string}}}, abort: {parameters: {why: {type: string}}}}\n\
               hooks: [{event: error, action: {type: page, who: me}}, {event: error, action: {type: abort, why: x}}]";
    assert_eq!(errors("x", own), []);
    assert_eq!(problems(&schema, &json(own).unwrap()), Vec::<String>::new());
}
