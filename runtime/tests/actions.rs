//! The typed actions are those of the vocabulary.

use std::collections::BTreeSet;

use hookc_runtime::action::Action;
use hookc_schema::value::{self as schema, Kind};
use hookc_schema::vocab::{ActionKind, ParamType, Type, Vocabulary};
use serde_json::{Map, Value, json};

/// Members that the runtime adds to actions for hosts; policies do not write them.
const ADDED: [(&str, &str); 4] =
    [("escalate", "message"), ("retry", "attempt"), ("retry", "wait_seconds"), ("suspend", "resume_hint")];

/// Parameters for which a directive may return other values.
const OPEN: [(&str, &str); 2] = [("escalate", "target"), ("suspend", "suspend_reason")];

/// A valid value of a parameter.
fn sample(param: &ParamType) -> Value {
    if let Some(Kind::Str(first)) = words(param).first().map(|value| &value.kind) {
        return first.value.as_str().into();
    }
    let types = param.types.to_string();
    match types.as_str() {
        "boolean" => json!(true),
        "integer" => json!(7),
        "number" => json!(2.5),
        "array" => json!(["1"]),
        "object" => json!({"a": "b"}),
        _ => json!("text"),
    }
}

fn words(param: &ParamType) -> &[schema::Value] {
    param.allowed.as_deref().unwrap_or_default()
}

/// All parameters of a kind.
fn sampled(kind: &ActionKind) -> Map<String, Value> {
    kind.params.iter().map(|(name, param)| (name.clone(), sample(param))).collect()
}

#[test]
fn every_kind_and_parameter_of_the_vocabulary_is_typed() {
    let vocabulary = Vocabulary::builtin();
    let kinds: BTreeSet<&str> = Action::KINDS.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, vocabulary.actions.keys().map(String::as_str).collect());
    for (name, kind) in &vocabulary.actions {
        let (_, typed) = Action::KINDS.iter().find(|(listed, _)| listed == name).unwrap();
        let typed: BTreeSet<&str> =
            typed.iter().copied().filter(|parameter| !ADDED.contains(&(name.as_str(), *parameter))).collect();
        assert_eq!(typed, kind.params.keys().map(String::as_str).collect(), "{name}");
        let mut parameters = sampled(kind);
        parameters.remove("trusted_args");
        let action =
            Action::from_parameters(name, parameters.clone()).unwrap_or_else(|error| panic!("{error}"));
        assert!(action.more().is_empty() && !matches!(action, Action::Declared { .. }), "{action:?}");
        assert_eq!(action.parameters(), parameters, "{name}");
    }
}

#[test]
fn every_word_and_every_required_parameter_is_the_vocabularys() {
    for (name, kind) in &Vocabulary::builtin().actions {
        for (parameter, declared) in &kind.params {
            let with = |value: Value| {
                let mut parameters = sampled(kind);
                parameters.remove("trusted_args");
                parameters.insert(parameter.clone(), value);
                Action::from_parameters(name, parameters)
            };
            for word in words(declared) {
                let Kind::Str(word) = &word.kind else { continue };
                assert!(with(word.value.as_str().into()).is_ok(), "{name}.{parameter}: {word:?}");
            }
            let closed = !words(declared).is_empty() && !OPEN.contains(&(name.as_str(), parameter.as_str()));
            let wrong = closed || !declared.types.has(Type::String);
            assert_eq!(with("nobody's word".into()).is_err(), wrong, "{name}.{parameter}");
            // A default replaces an absent value.
            let missing = declared.required && declared.default.is_none();
            assert_eq!(with(Value::Null).is_err(), missing, "{name}.{parameter}");
        }
    }
}
