//! The vocabulary: what is built in, and what a file may declare.

use crate::common;

use common::json;
use hookc_base::event_names;
use hookc_schema::agents;
use hookc_schema::tree::{Declarations, Family, Op};
use hookc_schema::value::Number;
use hookc_schema::vocab::{Strategy, Type, Vocabulary, declared_strategies};
use hookc_schema::{Code, Diagnostics};

/// Declarations from an object of sections.
fn sections(text: &str) -> Declarations {
    let value = json(text);
    let section = |name: &str| value.get(name).cloned();
    Declarations {
        events: section("events"),
        operators: section("operators"),
        combinators: section("combinators"),
        action_types: section("action_types"),
        event_context_schema: section("event_context_schema"),
        return_schema: section("return_schema"),
        wrappers: section("wrappers"),
        programs: section("programs"),
        ..Declarations::default()
    }
}

/// The lists of `hookc_base::event_names` are what the data has.
#[test]
fn the_names_of_event_types_are_those_of_the_data() {
    let mut types: Vec<&str> = Vec::new();
    let vocabulary = Vocabulary::builtin();
    for (_, name) in vocabulary.events.keys() {
        if !types.contains(&name.as_str()) {
            types.push(name);
        }
    }
    assert_eq!(event_names::TYPES, types);
    let mut of_agents: Vec<(&str, &str)> = Vec::new();
    for event in agents::answered().flat_map(agents::Agent::renamed) {
        if !of_agents.iter().any(|(name, _)| *name == event.name) {
            of_agents.push((&event.name, &event.event));
        }
    }
    let mut known = event_names::OF_AGENTS.to_vec();
    known.sort_unstable();
    of_agents.sort_unstable();
    assert_eq!(known, of_agents);
}

fn declare(text: &str) -> (Vocabulary, Diagnostics) {
    let mut out = Diagnostics::new();
    let vocabulary = Vocabulary::builtin().with_declarations(&sections(text), &mut out);
    (vocabulary, out)
}

/// Codes with the text that each points at.
fn reported(text: &str) -> Vec<(Code, String)> {
    let (_, out) = declare(text);
    out.iter().map(|d| (d.code, text[d.span().unwrap().range()].to_owned())).collect()
}

fn refused(text: &str, at: &str) {
    assert_eq!(reported(text), [(Code::E0412, at.to_owned())], "{text}");
}

#[test]
fn built_in_names_are_there() {
    let vocabulary = Vocabulary::builtin();
    let limit = vocabulary.event(Family::Thread, "limit").unwrap();
    assert_eq!(limit.strategy, Strategy::First);
    assert!(limit.schema.merges("limit_code") && !limit.schema.merges("event"));
    let bash = vocabulary.event(Family::Thread, "PreToolUse").unwrap();
    assert_eq!((bash.family, bash.strategy), (Family::Agent, Strategy::All));
    assert!(bash.schema.property("session_id").is_some() && bash.schema.property("tool_input").is_some());
    assert_ne!(
        vocabulary.event(Family::Skill, "on_error").unwrap().schema,
        vocabulary.event(Family::Workflow, "on_error").unwrap().schema
    );
    assert!(vocabulary.event(Family::Thread, "nothing").is_none());
    let count = |family| vocabulary.events.keys().filter(|(of, _)| *of == family).count();
    let counts =
        [Family::Thread, Family::Agent, Family::Repository, Family::Skill, Family::Workflow].map(count);
    assert_eq!(counts, [13, 33, 7, 5, 4]);
    for op in Op::ALL {
        assert!(vocabulary.operators.contains_key(op.name()), "{}", op.name());
    }
    assert_eq!(vocabulary.operators.len(), Op::ALL.len());
}

#[test]
fn built_in_actions_are_there() {
    let vocabulary = Vocabulary::builtin();
    let kinds: Vec<&str> = vocabulary.actions.keys().map(String::as_str).collect();
    let wanted = "abort agent allow ask call_directive continue deny emit_event escalate fail http inject \
                  invoke log mcp_tool modify prompt retry run script suspend";
    assert_eq!(kinds, wanted.split_whitespace().collect::<Vec<_>>());
    let retry = &vocabulary.actions["retry"].params;
    assert_eq!(retry["max_attempts"].default, Some(json("3")));
    assert_eq!(retry["delay"].required_if, Some(("backoff_policy".to_owned(), json("\"fixed\""))));
    assert!(vocabulary.actions["suspend"].params["suspend_reason"].required);
    assert_eq!(vocabulary.actions["run"].one_of, [["command", "argv"]]);
    assert_eq!(vocabulary.actions["call_directive"].params["parameters"].default, Some(json("{}")));
}

/// The declarations that hooks.yaml files repeat.
const REFERENCE: &str = r#"{
  "operators": {
    "eq": {"description": "a", "types": ["string", "number", "boolean"]},
    "ne": {"description": "a", "types": ["string", "number", "boolean"]},
    "gt": {"types": ["number"]}, "gte": {"types": ["number"]}, "lt": {"types": ["number"]},
    "lte": {"types": ["number"]}, "in": {"types": ["array"]}, "contains": {"types": ["string"]},
    "starts_with": {"types": ["string"]}, "ends_with": {"types": ["string"]}, "regex": {"types": ["string"]},
    "exists": {"types": ["any"]}, "matches": {"types": ["object"]}
  },
  "combinators": {
    "and": {"description": "a", "syntax": {"all": [{"condition": null}, {"condition": null}]}},
    "or": {"description": "a", "syntax": {"any": [{"condition": null}]}},
    "not": {"description": "a", "syntax": {"not": {"condition": null}}}
  },
  "action_types": {
    "retry": {"description": "a", "parameters": {
      "max_attempts": {"type": "integer", "default": 3},
      "backoff_policy": {"type": "string", "enum": ["exponential", "fixed", "inherit"], "default": "inherit"},
      "delay": {"type": "number", "description": "a"}}},
    "fail": {"parameters": {"error_message": {"type": "string", "optional": true}}},
    "abort": {"parameters": {}},
    "escalate": {"parameters": {
      "target": {"type": "string", "enum": ["user_approval", "parent_notification", "both"]},
      "timeout_seconds": {"type": "integer", "default": 3600}}},
    "call_directive": {"parameters": {
      "directive": {"type": "string", "required": true},
      "parameters": {"type": "object", "default": {}},
      "inherit_token": {"type": "boolean", "default": true}}},
    "suspend": {"parameters": {
      "suspend_reason": {"type": "string", "enum": ["limit", "error", "budget", "approval"], "required": true}}},
    "emit_event": {"parameters": {
      "event_type": {"type": "string", "required": true}, "payload": {"type": "object", "default": {}}}}
  },
  "event_context_schema": {"type": "object", "properties": {
    "event": {"type": "object", "properties": {"type": {"type": "string"}}},
    "limit_code": {"type": "string"}, "cost": {"type": "object"}}},
  "return_schema": {"oneOf": [
    {"type": "object", "properties": {"action": {"type": "string", "enum": ["RETRY"]}}, "required": ["action"]},
    {"type": "object", "properties": {"action": {"type": "string", "const": "CALL"}}}]}
}"#;

#[test]
fn repeated_declarations_are_valid() {
    let (vocabulary, out) = declare(REFERENCE);
    assert!(out.is_empty(), "{out:?}");
    let builtin = Vocabulary::builtin();
    assert_eq!(vocabulary.actions["retry"].params["delay"].required_if.as_ref().unwrap().0, "backoff_policy");
    assert_eq!(vocabulary.actions.len(), builtin.actions.len());
    let limit = vocabulary.event(Family::Thread, "limit").unwrap();
    assert!(limit.schema.property("limit_code").is_some() && limit.schema.property("limit_max").is_none());
    assert_eq!(limit.strategy, Strategy::First);
    assert_eq!(vocabulary.returns, sections(REFERENCE).return_schema);
}

#[test]
fn a_file_declares_events() {
    let text = r#"{"events": {
        "build_done": {"strategy": "all", "description": "A build has ended.",
            "schema": {"type": "object", "additionalProperties": false, "properties": {"status": {"type": "string"}}},
            "prevents": false},
        "PreToolUse": {"family": "agent", "strategy": "first"},
        "PostToolUse": {"family": "agent"},
        "bare": null}}"#;
    let (vocabulary, out) = declare(text);
    assert!(out.is_empty(), "{out:?}");
    let done = vocabulary.event(Family::Thread, "build_done").unwrap();
    assert_eq!((done.strategy, done.schema.closed), (Strategy::All, true));
    assert!(done.schema.property("event").unwrap().property("thread_id").is_some(), "as all thread events");
    let tool = vocabulary.event(Family::Agent, "PreToolUse").unwrap();
    assert_eq!(tool.strategy, Strategy::First);
    assert!(tool.schema.property("tool_name").is_some());
    let bare = vocabulary.event(Family::Thread, "bare").unwrap();
    assert_eq!(bare.strategy, Strategy::First);
    let report = vocabulary.event(Family::Agent, "PostToolUse").unwrap();
    let prevents = [&done.prevents, &tool.prevents, &bare.prevents, &report.prevents];
    assert_eq!(
        prevents,
        [&false, &true, &true, &false],
        "new ones can be prevented, others stay as they are"
    );
    let (vocabulary, out) = declare(r#"{"events": ["one", "two"]}"#);
    assert!(out.is_empty(), "{out:?}");
    assert!(vocabulary.event(Family::Thread, "two").is_some());
    let reported = declared_strategies(&sections(text));
    let reported: Vec<_> =
        reported.iter().map(|(family, name, s)| (*family, name.node.as_str(), *s)).collect();
    let wanted =
        [(Family::Thread, "build_done", Strategy::All), (Family::Agent, "PreToolUse", Strategy::First)];
    assert_eq!(reported, wanted);
}

#[test]
fn events_that_do_not_hold() {
    refused(r#"{"events": 5}"#, "5");
    refused(r#"{"events": ["a", 5]}"#, "5");
    refused(r#"{"events": {"a": []}}"#, "[]");
    refused(r#"{"events": {"a": {"strategy": "last"}}}"#, "\"last\"");
    refused(r#"{"events": {"a": {"family": "threads"}}}"#, "\"threads\"");
    refused(r#"{"events": {"a": {"schema": {"type": "strnig"}}}}"#, "\"strnig\"");
    refused(r#"{"events": {"a": {"schema": {"properties": {"x": {"enum": []}}}}}}"#, "[]");
    refused(r#"{"events": {"a": {"schema": {"required": [1]}}}}"#, "1");
    refused(r#"{"event_context_schema": "any"}"#, "\"any\"");
    refused(r#"{"return_schema": {"oneOf": {}}}"#, "{}");
    let text = r#"{"events": {"a": {"stragety": "all"}}}"#;
    assert_eq!(reported(text), [(Code::E0201, "\"stragety\"".to_owned())]);
    let (_, out) = declare(text);
    assert_eq!(out[0].help.as_deref(), Some("did you mean `strategy`?"));
}

#[test]
fn operators_are_believed_not_added() {
    let text = r#"{"operators": {"equals": {"types": ["string"]}}}"#;
    assert_eq!(reported(text), [(Code::E0413, "\"equals\"".to_owned())]);
    let (_, out) = declare(text);
    assert_eq!(out[0].help.as_deref(), Some("did you mean `eq`?"));
    assert_eq!(
        reported(r#"{"operators": {"gt": {"types": ["number", "string"]}}}"#),
        [(Code::W0414, "[\"number\", \"string\"]".to_owned())]
    );
    assert_eq!(reported(r#"{"operators": {"gt": {"types": ["numbr"]}}}"#)[0].0, Code::E0412);
    assert_eq!(reported(r#"{"combinators": {"xor": {}}}"#), [(Code::E0413, "\"xor\"".to_owned())]);
    assert_eq!(
        reported(r#"{"combinators": {"and": {"syntax": {"any": []}}}}"#),
        [(Code::W0414, "\"any\"".to_owned())]
    );
    assert_eq!(reported(r#"{"operators": ["eq", "ne"], "combinators": ["and"]}"#), []);
}

fn kind(parameters: &str) -> String {
    format!(r#"{{"action_types": {{"mine": {{"parameters": {parameters}}}}}}}"#)
}

#[test]
fn a_file_declares_action_kinds() {
    let text = r#"{"action_types": {"page": {"description": "Call someone.", "one_of": [["who", "team"]],
        "parameters": {"who": {"type": "string"}, "team": {"type": ["string", "null"], "optional": true},
            "tries": {"type": "integer", "minimum": 1, "default": 2},
            "delay": {"type": "number", "required_if": {"tries": 3}}, "any": {}}}}}"#;
    let (vocabulary, out) = declare(text);
    assert!(out.is_empty(), "{out:?}");
    let page = &vocabulary.actions["page"];
    assert_eq!(page.description, "Call someone.");
    assert_eq!(page.one_of, [["who", "team"]]);
    assert_eq!(page.params["tries"].minimum, Some(Number("1".to_owned())));
    assert_eq!(page.params["delay"].required_if, Some(("tries".to_owned(), json("3"))));
    assert!(page.params["team"].types.has(Type::Null) && !page.params["team"].types.has(Type::Object));
}

#[test]
fn parameters_that_do_not_hold() {
    refused(r#"{"action_types": []}"#, "[]");
    refused(&kind("7"), "7");
    refused(&kind(r#"{"a": "string"}"#), "\"string\"");
    refused(&kind(r#"{"a": {"type": "int"}}"#), "\"int\"");
    refused(&kind(r#"{"a": {"type": []}}"#), "[]");
    refused(&kind(r#"{"a": {"type": "integer", "default": "x"}}"#), "\"x\"");
    refused(&kind(r#"{"a": {"type": "integer", "default": 1.5}}"#), "1.5");
    refused(&kind(r#"{"a": {"enum": []}}"#), "[]");
    refused(&kind(r#"{"a": {"enum": ["x"], "default": "y"}}"#), "\"y\"");
    refused(&kind(r#"{"a": {"type": "string", "enum": ["x", 2]}}"#), "2");
    refused(&kind(r#"{"a": {"type": "string", "minimum": 2}}"#), "2");
    refused(&kind(r#"{"a": {"type": "number", "minimum": "2"}}"#), "\"2\"");
    refused(&kind(r#"{"a": {"type": "number", "minimum": 2, "default": 1}}"#), "1");
    refused(&kind(r#"{"a": {"required": 1}}"#), "1");
    refused(&kind(r#"{"a": {"required": true, "optional": true}}"#), "true");
    refused(&kind(r#"{"a": {"required": true, "default": 1}}"#), "1");
    refused(&kind(r#"{"a": {"required_if": {"b": 1}}}"#), "\"b\"");
    refused(&kind(r#"{"a": {"required_if": {}}}"#), "{}");
    refused(&kind(r#"{"a": {"required_if": {"b": 1}}, "b": {"type": "string"}}"#), "1");
    refused(&kind(r#"{"type": {}}"#), "\"type\"");
    refused(r#"{"action_types": {"mine": {"one_of": [["a"]]}}}"#, "\"a\"");
    assert_eq!(reported(&kind(r#"{"a": {"types": "string"}}"#)), [(Code::E0201, "\"types\"".to_owned())]);
    assert_eq!(
        reported(r#"{"action_types": {"m": {"params": {}}}}"#),
        [(Code::E0201, "\"params\"".to_owned())]
    );
}

fn retry(parameters: &str) -> String {
    format!(r#"{{"action_types": {{"retry": {{"parameters": {parameters}}}}}}}"#)
}

#[test]
fn known_kinds_are_narrowed_only() {
    let narrow = r#"{"backoff_policy": {"type": "string", "enum": ["fixed"], "default": "fixed"},
        "max_attempts": {"type": "integer", "minimum": 2}, "delay": {"type": "integer", "required": true}}"#;
    let (vocabulary, out) = declare(&retry(narrow));
    assert!(out.is_empty(), "{out:?}");
    let params = &vocabulary.actions["retry"].params;
    assert_eq!(params["backoff_policy"].allowed, Some(vec![json("\"fixed\"")]));
    assert_eq!(params["max_attempts"].default, Some(json("3")));
    assert!(params["delay"].required && !params["delay"].types.has(Type::Number));
    refused(&retry(r#"{"max_attempts": {"type": "number"}}"#), "\"number\"");
    refused(&retry(r#"{"max_attempts": {"type": ["integer", "null"]}}"#), "[\"integer\", \"null\"]");
    refused(&retry(r#"{"max_attempts": {"minimum": 0}}"#), "0");
    refused(&retry(r#"{"max_attempts": {"minimum": 9}}"#), "9");
    refused(&retry(r#"{"backoff_policy": {"enum": ["inherit", "linear"]}}"#), "\"linear\"");
    refused(&retry(r#"{"backoff_policy": {"enum": ["fixed"]}}"#), "[\"fixed\"]");
    refused(
        r#"{"action_types": {"suspend": {"parameters": {"suspend_reason": {"optional": true}}}}}"#,
        "true",
    );
    let (vocabulary, _) = declare(&retry(r#"{"max_attempts": {"type": "string"}}"#));
    assert!(!vocabulary.actions["retry"].params["max_attempts"].types.has(Type::String), "stays as it was");
    let (vocabulary, out) = declare(&retry(r#"{"jitter": {"type": "boolean", "default": false}}"#));
    assert_eq!((out.len(), vocabulary.actions["retry"].params.len()), (0, 4));
}

#[test]
fn schemas_of_alternatives() {
    let text = r#"{"events": {"e": {"schema": {"type": "object", "minProperties": 1, "properties": {
        "x": {"oneOf": [{"type": "string", "const": "a"}, {"type": "null"}]},
        "y": {"anyOf": [{"properties": {"p": {"type": "string"}}}, {"properties": {"p": {"type": "integer"}}}]},
        "z": {"allOf": [{"type": "array"}, {"items": {"type": "string"}}]}}}}}}"#;
    let (vocabulary, out) = declare(text);
    assert!(out.is_empty(), "{out:?}");
    let schema = &vocabulary.event(Family::Thread, "e").unwrap().schema;
    let types = |field: &str| schema.property(field).unwrap().types.to_string();
    assert_eq!(types("x"), "null or string");
    assert_eq!(schema.property("y").unwrap().property("p").unwrap().types.to_string(), "integer or string");
    assert_eq!(types("z"), "array");
    assert!(schema.property("x").unwrap().allowed.is_none());
}

/// No declared tool has a name that is translated away.
#[test]
fn declared_tools_arrive_under_their_names() {
    use hookc_schema::agents;

    let vocabulary = Vocabulary::builtin();
    assert!(vocabulary.tools.by_name.len() <= 128, "a set of tools in the checker has room for them");
    let arrives = |name: &str| agents::tools_called(name).is_empty() || name == "ask_user";
    assert_eq!(
        vocabulary.tools.by_name.keys().filter(|name| !arrives(name)).collect::<Vec<_>>(),
        [] as [&String; 0]
    );
}

/// Root fields that only some agents send are not declared for all.
#[test]
fn fields_of_some_agents_are_only_theirs() {
    let vocabulary = Vocabulary::builtin();
    let common = &vocabulary.common[&Family::Agent];
    for (event, fields) in &vocabulary.tools.some_agents {
        let declared = vocabulary.events.get(&(Family::Agent, event.clone()));
        assert!(event.is_empty() || declared.is_some(), "{event}");
        for name in fields.properties.keys() {
            let schema = declared.map_or(common, |event| &event.schema);
            assert!(schema.property(name).is_none(), "{event}.{name} is declared for all agents");
        }
    }
}
