//! The published schemas against the decoder: documents that differ from sound
//! ones in a key or in the type of a value are accepted or rejected by both.

use std::collections::BTreeSet;

use hookc_compiler::{Dialect, Input, Options, compile, testing};
use hookc_schema::agents::Id;
use hookc_schema::decode::Object;

use hookc_schema::dialect::{self, hooks, settings};
use hookc_schema::publish::Schema;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Sources};
use hookc_syntax::front::{repository, skill};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is wrong beyond keys and types: small languages in strings, and what
/// parts of a document say of each other.
const BEYOND: &[Code] = &[
    Code::E0301,
    Code::E0302,
    Code::E0303,
    Code::E0304,
    Code::E0404,
    // A declared event or operator by a wrong name, a parameter that contradicts itself.
    Code::E0412,
    Code::E0413,
    Code::E0264,
    Code::E0252,
    Code::E0411,
    Code::E0417,
    Code::E0501,
    Code::E0419,
    // The name of an event.
    Code::E0428,
    // Patterns have a language of their own.
    Code::E0446,
    Code::E0447,
];

/// What is wrong with an action of a kind that the file itself declares.
const DECLARED: &[Code] = &[Code::E0406, Code::E0407, Code::E0408, Code::E0409];

struct Judged {
    schema: Schema,
    /// Documents that are sound and together have every key.
    seeds: Vec<Value>,
    /// The errors of a document.
    read: fn(&str) -> Vec<Code>,
    /// The tables whose keys the seeds must have.
    tables: Vec<&'static Object>,
}

fn errors(out: &[Diagnostic]) -> Vec<Code> {
    out.iter().filter(|new| new.is_error()).map(|new| new.code).collect()
}

fn compiled(text: &str, dialect: Dialect) -> Vec<Code> {
    let mut sources = Sources::new();
    let source = sources.add("file", text);
    let inputs = [Input::new(source).with_dialect(dialect)];
    errors(&compile(&mut sources, &inputs, &Options::default()).diagnostics)
}

fn hooks_file(text: &str) -> Vec<Code> {
    compiled(text, Dialect::HooksYaml)
}

fn test_file(text: &str) -> Vec<Code> {
    let mut out = Diagnostics::new();
    testing::read(text, SourceId(0), &mut out);
    errors(&out)
}

fn repository_hook(text: &str) -> Vec<Code> {
    let mut out = Diagnostics::new();
    repository::read("hook.yaml", text, SourceId(0), &mut out);
    errors(&out)
}

fn workflow_file(text: &str) -> Vec<Code> {
    compiled(text, Dialect::Workflow)
}

fn skill_file(text: &str) -> Vec<Code> {
    let mut out = Diagnostics::new();
    skill::read("s/SKILL.md", &format!("---\n{text}\n---\n"), SourceId(0), &mut out);
    errors(&out)
}

fn all() -> Vec<Judged> {
    [
        Judged {
            schema: Schema::Hooks,
            seeds: vec![
                json!({
                    "schema_version": "1.0.0",
                    "builtin_hooks": [{"event": "limit", "action": {"type": "abort"}, "layer": 2}],
                    "infra_hooks": [],
                    "context_hooks": null,
                    "hooks": [
                        {
                            "id": "a", "description": "d", "event": ["error"], "priority": 1.5, "enabled": true,
                            "mode": "warn", "condition": {"path": "a.b", "op": "eq", "value": 1, "ignore_case": false},
                            "when": "a.b == 1", "action": {"type": "retry", "max_attempts": 2},
                            "on_error": "skip", "on_failure": "open",
                            "examples": [{"event": {"a": {"b": 1}}, "matches": true, "history": [{"event": {"hook_event_name": "Stop"}, "at": "0s", "outcome": "denied"}], "at": "10m"}],
                        },
                        {"event": "error", "condition": {"all": [{"not": {"any": [{"path": "a", "op": "eq", "value_path": "b"}]}}, true]}, "action": {"type": "abort"}},
                        {"event": "error", "condition": {"some": {"as": "x", "in": "a", "condition": {"every": {"as": "y", "in": "x.b", "condition": true}}}}, "action": {"type": "abort"}},
                        {"event": "error", "condition": {"path": "a", "op": "matches", "value": {}, "assert_format": true}, "action": {"type": "abort"}},
                        {"event": "PreToolUse", "condition": {"any": [{"runs": ["a"]}, {"reads": ["a"]}, {"writes": ["a"]}, {"deletes": ["a"]}, {"changes": ["a"]}, {"contacts": ["a"]}, {"sends": ["a"]}, {"installs": ["a"]}, {"pushes": ["a"]}, {"may_run": ["a"]}, {"may_read": ["a"]}, {"may_write": ["a"]}, {"may_delete": ["a"]}, {"may_change": ["a"]}, {"may_contact": ["a"]}, {"may_send": ["a"]}, {"may_install": ["a"]}, {"may_push": ["a"]}
                        ]}, "action": {"type": "abort"}},
                        {"event": "PreToolUse", "condition": {"any": [{"reads": {"of": ["a"], "except": ["b"], "by": ["c"]}}, {"reads": {"not_by": ["c"]}}, {"only": [{"runs": ["a"]}]}, {"unknown": true}, {"mentions": ["/a/"]}]}, "action": {"type": "abort"}},
                        {"event": "PostToolUse", "condition": {"passed": ["a"]}, "action": {"type": "abort"}},
                        {"event": "error", "position": "after", "wrap": 1, "result": {}, "action": {"type": "abort"}},
                    ],
                    "category": "c", "tool_type": "t", "version": 1, "description": [], "action_primaries": {}, "action_item_types": null,
                }),
                json!({
                    "facts": {"edited": [{"event": ["PostToolUse"], "description": "d", "outcome": "any", "condition": true, "keep": ["tool_name"]}, {"event": "Stop", "when": "true"}]},
                    "hooks": [
                        {"event": "PreToolUse", "condition": {"all": [{"formerly": {"of": "edited"}}, {"formerly": {"of": "edited", "within": "1h", "since": {"event": "Stop", "outcome": "denied"}, "per": "agent", "including_now": true}}]}, "action": {"type": "abort"}},
                    ],
                }),
                json!({
                    "events": {"mine": {"family": "thread", "strategy": "all", "description": "d", "schema": {}, "prevents": false}},
                    "operators": {"eq": {"description": "d"}},
                    "combinators": {"and": {"syntax": {"all": []}, "description": "d"}},
                    "action_types": {"page": {"description": "d", "one_of": [["who", "what"]], "parameters": {
                        "who": {"type": "string", "optional": true, "default": "me", "enum": ["me", "you"], "description": "d"},
                        "what": {"type": ["integer", "null"], "required": false, "minimum": 1, "required_if": {"who": "you"}},
                    }}},
                    "event_context_schema": {},
                    "return_schema": {},
                    "programs": {},
                    "wrappers": ["a", {"name": "b", "options_with_values": ["-u"], "operands": 1, "description": "B."}],
                    "sets": {"a": ["b"], "c": {"of": ["d"], "except": ["e"]}},
                    "tools": {"t": {"path": "read"}, "u": "unknown"},
                    "project": "/p",
                    "hooks": [{"event": "mine", "action": {"type": "page", "who": "me"}}],
                }),
            ],
            read: hooks_file,
            tables: vec![
                &hooks::FILE,
                &hooks::HOOK,
                &hooks::EXAMPLE,
                &hooks::EARLIER,
                &dialect::history::FACT,
                &dialect::history::PATTERN,
                &dialect::history::SELECTION,
                &hooks::CONDITION,
                &dialect::predicates::GUARD,
                &dialect::predicates::SET,
                &dialect::declared::EVENT,
                &dialect::declared::COMBINATOR,
                &dialect::declared::ACTION,
                &dialect::declared::PARAMETER,
                &dialect::declared::WRAPPER,
            ],
        },
        Judged {
            schema: Schema::Test,
            seeds: vec![json!({
                "policy": ["p.yaml"],
                "layers": {"user": "u.yaml", "project": ["a", "b"]},
                "builtin": true,
                "tests": [
                    {"name": "n", "event": {"a": 1}, "type": "error", "expect": "a"},
                    {"events": [{}, "{}"], "expect": {"hook": "a", "action": {"type": "abort"}, "action_error": true, "reported": ["b"]}},
                    {"event": {}, "host": ["claude", "codex"], "expect": {"modify": {"command": "ls"}}},
                    {"event": {}, "expect": {"hooks": ["a", {"hook": "b", "action": "abort", "action_error": false}]}},
                    {"event": {}, "expect": {"error": "too_deep"}},
                    {"event": {}, "expect": {"deny": "why"}},
                    {"event": {}, "expect": {"ask": "why"}},
                    {"event": {}, "expect": {"allow": "why", "hooks": ["a"]}},
                    {"event": {}, "expect": ["a"]},
                    {"steps": [{"event": {}, "at": "10m", "outcome": "denied"}, {"event": "{}", "expect": {"unknown": ["a"]}}]},
                ],
            })],
            read: test_file,
            tables: vec![
                &dialect::test::FILE,
                &dialect::test::TEST,
                &dialect::test::STEP,
                &dialect::test::EXPECT,
                &dialect::test::EXPECTED_HOOK,
            ],
        },
        Judged {
            schema: Schema::Repository,
            seeds: vec![json!({
                "id": "a-b", "event_type": "PostAbilityCall", "enabled": true, "blocking": false, "summary": "s",
                "match": {"ability_scope": ["a/*"], "min_duration_ms": 5},
                "handler": {"kind": "script", "command": "./a.sh"}, "effects": ["x"],
            })],
            read: repository_hook,
            tables: vec![&dialect::repository::HOOK, &dialect::repository::HANDLER],
        },
        Judged {
            schema: Schema::Skill,
            seeds: vec![json!({
                "name": "s", "description": "d", "trigger": "/s",
                "hooks": {"pre_execute": "a.py", "post_execute": ["b.py", {"script": "c.py", "priority": 1, "timeout": 2}], "on_error": {"script": "d.py"}},
            })],
            read: skill_file,
            tables: vec![&dialect::skill::FRONT_MATTER, &dialect::skill::SCRIPT],
        },
        Judged {
            schema: Schema::Workflow,
            seeds: vec![json!({
                "subscribed_artifacts": ["book"],
                "hooks": {
                    "pre_decision": [{"artifact_id": "a", "method": "m", "args": {"q": "{goal}"}, "inject_as": "x", "on_error": "retry", "max_retries": 2, "condition": {"path": "a", "op": "eq", "value": 1}, "when": "a == 1"}],
                    "post_decision": [{"artifact_id": "a", "inject_as": null}],
                    "post_action": null,
                    "on_error": [],
                },
            })],
            read: workflow_file,
            tables: vec![&dialect::workflow::LEVEL, &dialect::workflow::POINTS, &dialect::workflow::HOOK],
        },
    ]
    .into_iter()
    .chain(agents())
    .collect()
}

/// Settings and hooks files of agents.
fn agents() -> Vec<Judged> {
    let language = json!({
        "id": "a", "description": "d", "priority": 1, "enabled": true, "mode": "warn",
        "condition": {"path": "tool_name", "op": "eq", "value": "Bash"}, "when": "tool_name == 'Bash'",
        "on_error": "skip", "on_failure": "open", "examples": [{"event": {"tool_name": "Bash"}, "matches": true}],
    });
    let with_language = |own: Value| {
        let mut all = language.clone();
        all.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        all
    };
    let handlers = json!([
        {"type": "command", "command": "a", "args": ["b"], "shell": "bash", "timeout": 5, "statusMessage": "s", "once": true, "if": "Bash", "onFailure": "block"},
        {"type": "command", "command": "a", "async": true, "asyncRewake": true, "rewakeMessage": "m", "rewakeSummary": "s"},
        {"type": "prompt", "prompt": "p", "model": "m", "continueOnBlock": true},
        {"type": "agent", "prompt": "p", "model": "m"},
        {"type": "http", "url": "https://a.example", "headers": {"a": "b"}, "allowedEnvVars": ["A"], "onFailure": "continue"},
        {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": 1}},
        with_language(json!({"action": {"type": "deny", "reason": "r"}})),
    ]);
    let group = with_language(json!({"matcher": "Bash", "hooks": handlers}));
    let groups = |handler: Value| json!([{"matcher": "Bash", "hooks": [handler]}]);
    let judged = |id, seeds, read| Judged { schema: Schema::Agent(id), seeds, read, tables: Vec::new() };
    let mut claude = judged(
        Id::Claude,
        vec![
            json!({"model": 1, "disableAllHooks": false, "hooks": {"PreToolUse": [group], "_note": 1, "Unheard": [{"hooks": []}]}}),
            json!({"Stop": [{"hooks": [{"type": "command", "command": "a"}]}], "description": "d", "other": [{"type": "prompt", "prompt": "p"}]}),
            json!({"hooks": ["a.json"]}),
        ],
        |text| compiled(text, Dialect::Settings),
    );
    claude.tables = settings::HANDLERS
        .iter()
        .map(|(_, table)| *table)
        .chain([&settings::TYPED, &settings::GROUP])
        .collect();
    vec![
        claude,
        judged(
            Id::Codex,
            vec![
                json!({"hooks": {"PreToolUse": groups(json!({"type": "command", "command": "a", "timeout": 5, "statusMessage": "s", "async": false})), "Stop": groups(json!({"type": "prompt", "prompt": "p"})), "state": {}}}),
            ],
            |text| compiled(text, Dialect::Agent(Id::Codex)),
        ),
        judged(
            Id::Gemini,
            vec![
                json!({"hooksConfig": {"enabled": true}, "hooks": {"BeforeTool": groups(json!({"type": "command", "name": "n", "command": "a", "timeout": 5000, "env": {"A": "b"}}))}}),
            ],
            |text| compiled(text, Dialect::Agent(Id::Gemini)),
        ),
        judged(
            Id::Cursor,
            vec![
                json!({"version": 1, "hooks": {"preToolUse": [{"command": "a", "timeout": 5, "matcher": "Bash", "failClosed": true, "loop_limit": 1}, {"type": "prompt", "prompt": "p", "model": "m"}], "stop": groups(json!({"command": "a"}))}}),
            ],
            |text| compiled(text, Dialect::Agent(Id::Cursor)),
        ),
        judged(
            Id::Copilot,
            vec![
                json!({"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "a", "powershell": "b", "cwd": "c", "env": {"A": "b"}, "timeoutSec": 5}, {"url": "https://a.example", "headers": {"a": "b"}, "allowedEnvVars": ["A"]}]}}),
            ],
            |text| compiled(text, Dialect::Agent(Id::Copilot)),
        ),
        judged(
            Id::Windsurf,
            vec![
                json!({"hooks": {"pre_run_command": [{"command": "a", "show_output": true, "working_directory": "w"}, {"powershell": "a"}]}}),
            ],
            |text| compiled(text, Dialect::Agent(Id::Windsurf)),
        ),
        judged(
            Id::Kiro,
            vec![json!({"hooks": {"preToolUse": [{"command": "a", "matcher": "b", "timeout_ms": 5000}]}})],
            |text| compiled(text, Dialect::Agent(Id::Kiro)),
        ),
    ]
}

/// Values that take the place of others.
fn others() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(1),
        json!(1.5),
        json!(-1),
        json!(""),
        json!(" "),
        json!("word"),
        json!([]),
        json!([1]),
        json!(["word"]),
        json!({}),
        json!({"word": 1}),
    ]
}

/// Where each value of a document is.
fn pointers(value: &Value, at: &str, to: &mut Vec<String>) {
    to.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| pointers(item, &format!("{at}/{n}"), to));
        }
        Value::Object(members) => {
            for (key, member) in members {
                pointers(member, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), to);
            }
        }
        _ => {}
    }
}

/// The documents that differ from this one in one place.
fn near(seed: &Value) -> Vec<Value> {
    let mut all = vec![seed.clone()];
    let mut places = Vec::new();
    pointers(seed, "", &mut places);
    for place in places {
        for other in others() {
            let mut new = seed.clone();
            *new.pointer_mut(&place).unwrap() = other;
            all.push(new);
        }
        if let Some(Value::Object(members)) = seed.pointer(&place) {
            for key in members.keys() {
                let mut less = members.clone();
                less.shift_remove(key);
                let mut more = members.clone();
                more.insert(format!("{key}x"), members[key].clone());
                for changed in [less, more] {
                    let mut new = seed.clone();
                    *new.pointer_mut(&place).unwrap() = Value::Object(changed);
                    all.push(new);
                }
            }
        }
    }
    all
}

/// What the two say of a document, where they differ.
fn differ(judged: &Judged, schema: &Validator, document: &Value) -> Option<String> {
    let text = document.to_string();
    let errors = (judged.read)(&text);
    let declares = document.get("action_types").is_some();
    let beyond = |code: &Code| BEYOND.contains(code) || declares && DECLARED.contains(code);
    let seen: Vec<Code> = errors.iter().copied().filter(|code| !beyond(code)).collect();
    let problems: Vec<String> = schema.iter_errors(document).map(|problem| problem.to_string()).collect();
    match (errors.is_empty(), seen.is_empty(), problems.is_empty()) {
        (true, _, false) => Some(format!("read, but not valid: {text}\n  {}", problems.join("\n  "))),
        (_, false, true) => Some(format!("valid, but not read: {text}\n  {seen:?}")),
        _ => None,
    }
}

fn validator(schema: Schema) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(&schema.text()).unwrap()).unwrap()
}

#[test]
fn the_schemas_accept_what_the_decoder_accepts() {
    let mut wrong = Vec::new();
    for judged in all() {
        let schema = validator(judged.schema);
        let mut count = 0;
        for seed in &judged.seeds {
            assert_eq!((judged.read)(&seed.to_string()), [], "{}: {seed}", judged.schema.name());
            let documents = near(seed);
            count += documents.len();
            for document in documents.iter().step_by(hookc_corpus::effort(1, 24)) {
                wrong.extend(differ(&judged, &schema, document));
            }
        }
        assert!(count > 100, "{}: {count}", judged.schema.name());
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_seeds_have_every_key() {
    fn keys(value: &Value, to: &mut BTreeSet<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| keys(item, to)),
            Value::Object(members) => members.iter().for_each(|(key, member)| {
                to.insert(key.clone());
                keys(member, to);
            }),
            _ => {}
        }
    }
    for judged in all() {
        let mut found = BTreeSet::new();
        judged.seeds.iter().for_each(|seed| keys(seed, &mut found));
        for key in judged.tables.iter().flat_map(|table| table.keys.iter()) {
            assert!(found.contains(key.name), "{} lacks {}", judged.schema.name(), key.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(hookc_corpus::effort(300, 8) as u32))]

    /// Two changes at once.
    #[test]
    fn two_changes_are_judged_alike(at in any::<prop::sample::Index>(), first in any::<prop::sample::Index>(), second in any::<prop::sample::Index>()) {
        let all = all();
        let judged = at.get(&all);
        let schema = validator(judged.schema);
        for seed in &judged.seeds {
            let once = near(seed);
            let twice = near(first.get(&once));
            let document = second.get(&twice);
            prop_assert_eq!(differ(judged, &schema, document), None);
        }
    }
}

/// What a table spells out as JSON Schema is JSON.
#[test]
fn the_schemas_of_tables_are_json() {
    for schema in Schema::all() {
        assert!(jsonschema::meta::is_valid(&serde_json::from_str(&schema.text()).unwrap()));
    }
}
