//! Predicates about effects, from the policy to the decision.

use hookc_compiler::{Builtin, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::diag::render;
use hookc_vm::{DecideOptions, Module, Scratch, Strategy};
use serde_json::{Value, json};

/// The module of some policies.
pub(crate) fn module(policies: &[&str]) -> Vec<u8> {
    let mut sources = Sources::new();
    let inputs: Vec<Input> = policies
        .iter()
        .enumerate()
        .map(|(at, text)| Input::new(sources.add(format!("{at}.yaml"), *text)))
        .collect();
    let compiled = compile(&mut sources, &inputs, &Options::default().builtin(Builtin::Never));
    compiled.module.unwrap_or_else(|| panic!("{}", render::short::render(&compiled.diagnostics, &sources)))
}

/// The hooks that match, whatever decides.
pub(crate) fn hits(module: &Module, event: &Value) -> Vec<String> {
    let mut options = DecideOptions::default();
    options.strategy = Some(Strategy::All);
    let (text, mut scratch) = (event.to_string(), Scratch::new());
    let labels = |hooks: &mut dyn Iterator<Item = Option<&str>>| hooks.flatten().map(str::to_owned).collect();
    let decision = module.decide(&mut scratch, text.as_bytes(), &options).unwrap();
    let found: Vec<String> = labels(&mut decision.hooks().map(|hook| hook.label()));
    let mut scratch = Scratch::new();
    let parsed = module.decide_value(&mut scratch, event, &options).unwrap();
    let again: Vec<String> = labels(&mut parsed.hooks().map(|hook| hook.label()));
    assert_eq!(found, again, "a parsed event: {event}");
    found
}

pub(crate) fn tool(name: &str, input: Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": name, "tool_input": input})
}

pub(crate) fn bash(line: &str) -> Value {
    tool("Bash", json!({"command": line}))
}

const POLICY: &str = r"
tools:
  mcp__notes__put: {where: write, body: text, 'all[*].where': write}
  'mcp__secret__*': unknown
hooks:
  - {id: ci, event: PreToolUse, when: changes('.github/**'), action: {type: deny, reason: no}}
  - {id: key, event: [PreToolUse, UserPromptSubmit], when: 'mentions(/AKIA[0-9A-Z]{16}/)', action: {type: deny, reason: no}}
  - {id: unknown, event: PreToolUse, when: unknown(), action: {type: ask}}
  - {id: harmless, event: PreToolUse, when: only(reads('./**')), action: {type: ask}}
  - {id: tested, event: PostToolUse, when: passed('cargo test'), action: {type: deny, reason: no}}
";

#[test]
fn one_predicate_for_all_tools() {
    let bytes = module(&[POLICY]);
    for module in [Module::load(bytes.clone()).unwrap(), Module::open(bytes).unwrap()] {
        let file = |tool_name: &str, path: &str| tool(tool_name, json!({"file_path": path, "content": "a"}));
        for (event, expected) in [
            (file("Write", "/repo/.github/repoflows/x.yml"), &["ci"][..]),
            (file("Write", ".github/repoflows/x.yml"), &["ci"]),
            (file("Write", "/repo/src/x.yml"), &[]),
            (file("Edit", "/repo/src/../.github/x"), &["ci"]),
            (file("Read", "/repo/.github/repoflows/x.yml"), &["harmless"]),
            (bash("cd .github && sed -i s/a/b/ workflows/x.yml"), &["ci"]),
            (bash("git rm -q .github/repoflows/x.yml"), &["ci"]),
            (bash("cat .github/repoflows/x.yml"), &["harmless"]),
            (tool("Bash", json!({"command": ["sh", "-c", "echo x > .github/y.yml"]})), &["ci"]),
            (tool("Bash", json!({"command": 7})), &["unknown"]),
            (tool("Bash", json!({})), &["unknown"]),
            (tool("Write", json!({"file_path": "x", "content": "AKIAABCDEFGHIJKLMNOP"})), &["key"]),
            (
                tool("mcp__notes__put", json!({"where": ".github/x", "body": "AKIAABCDEFGHIJKLMNOP"})),
                &["ci", "key"],
            ),
            (
                tool("mcp__notes__put", json!({"all": [{}, {"where": "/repo/.github/x"}], "where": null})),
                &["ci"],
            ),
            (tool("mcp__secret__get", json!({})), &["unknown"]),
            (tool("TodoWrite", json!({"todos": []})), &[]),
            (
                json!({"event": {"type": "PreToolUse", "cwd": "/repo", "tool_name": "Write",
                              "tool_input": {"file_path": ".github/x", "content": ""}}}),
                &["ci"],
            ),
            (json!({"hook_event_name": "UserPromptSubmit", "prompt": "use AKIAABCDEFGHIJKLMNOP"}), &["key"]),
            (json!({"event": {"type": "UserPromptSubmit", "prompt": "use AKIAABCDEFGHIJKLMNOP"}}), &["key"]),
            (json!({"hook_event_name": "UserPromptSubmit", "prompt": "hello"}), &[]),
        ] {
            assert_eq!(hits(&module, &event), expected, "{event}");
        }
        let tested = |line: &str, ok: Value| json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": line}, "tool_ok": ok});
        assert_eq!(hits(&module, &tested("cargo test -p x", json!(true))), ["tested"]);
        assert_eq!(hits(&module, &tested("cargo test -p x", json!(false))), [""; 0]);
        assert_eq!(hits(&module, &tested("cargo test | tail", json!(true))), [""; 0]);
    }
}

/// Sets, tools and the project of a file are not those of another one.
#[test]
fn declarations_hold_for_their_own_file() {
    let hook = |id: &str, when: &str| {
        format!(
            "hooks: [{{id: {id}, event: PreToolUse, when: \"{when}\", action: {{type: deny, reason: no}}}}]\n"
        )
    };
    let ours = format!("sets: {{ours: ['*.one'], secrets: ['x']}}\n{}", hook("a", "reads(@ours, @secrets)"));
    let theirs = format!(
        "sets: {{ours: ['*.two']}}\nproject: /else\n{}",
        hook("b", "reads(@ours, 'y') or reads(@secrets)")
    );
    let tools = format!("tools: {{mcp__a__get: {{where: read}}}}\n{}", hook("c", "reads('*.one')"));
    let module = Module::load(module(&[&ours, &theirs, &tools])).unwrap();
    let read = |path: &str| tool("Read", json!({"file_path": path}));
    assert_eq!(hits(&module, &read("/repo/k.one")), ["a", "c"]);
    assert_eq!(hits(&module, &read("/repo/k.two")), ["b"]);
    assert_eq!(hits(&module, &read("/repo/x")), ["a"]);
    assert_eq!(hits(&module, &tool("mcp__a__get", json!({"where": "/repo/k.one"}))), ["c"]);
}

#[test]
fn the_project_of_the_policy_replaces_that_of_the_event() {
    let hooks = "hooks: [{id: a, event: PreToolUse, when: only(reads('./**')), action: {type: ask}}]\n";
    let with = |head: &str| Module::load(module(&[&format!("{head}{hooks}")])).unwrap();
    let (stated, not) = (with("project: /srv/app\n"), with(""));
    let read = |path: &str, project: Value| {
        let mut event = tool("Read", json!({"file_path": path}));
        event["project_dir"] = project;
        event
    };
    assert_eq!(hits(&stated, &read("/srv/app/x", json!("/repo"))), ["a"]);
    assert_eq!(hits(&stated, &read("/repo/x", json!("/repo"))), [""; 0]);
    assert_eq!(hits(&not, &read("/repo/x", json!("/repo"))), ["a"]);
    assert_eq!(hits(&not, &read("/repo/x", json!("/srv"))), [""; 0]);
    assert_eq!(hits(&not, &read("/repo/x", Value::Null)), [""; 0], "no project");
    assert!(not.reads(&["project_dir"]) && not.reads(&["host_tool_name"]) && !stated.reads(&["project_dir"]));
}

/// A declared event whose fields have roles has effects.
#[test]
fn declared_events() {
    let policy = "
events:
  deploy: {schema: {type: object, properties: {target: {type: string, role: host}, files: {type: array, items: {type: string, role: send}}}}}
hooks:
  - {id: a, event: deploy, when: contacts('*.internal'), action: {type: abort}}
  - {id: b, event: deploy, when: sends(@secrets), action: {type: abort}}
";
    let module = Module::load(module(&[policy])).unwrap();
    let deploy =
        |target: &str, file: &str| json!({"event_type": "deploy", "target": target, "files": [file]});
    assert_eq!(hits(&module, &deploy("db.internal", "x")), ["a"]);
    assert_eq!(hits(&module, &deploy("example.com", ".env")), ["b"]);
}
