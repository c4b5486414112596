//! The view `effects()` and the sentence `${because}`, from the policy to the rendered action.

use hookc_vm::{DecideOptions, Module, Scratch, Strategy};
use serde_json::{Value, json};

use crate::effects::{bash, hits, module, tool};

/// The actions of the hooks that match, by label.
fn actions(module: &Module, event: &Value) -> Vec<(String, Value)> {
    let mut options = DecideOptions::default();
    options.strategy = Some(Strategy::All);
    let (text, mut scratch, mut parsed_scratch) = (event.to_string(), Scratch::new(), Scratch::new());
    let decision = module.decide(&mut scratch, text.as_bytes(), &options).unwrap();
    let parsed = module.decide_value(&mut parsed_scratch, event, &options).unwrap();
    let rendered = |hooks: &mut dyn Iterator<Item = hookc_vm::MatchedHook<'_>>| {
        let one = |hook: hookc_vm::MatchedHook<'_>| {
            let mut json = String::new();
            hook.render(&mut json).unwrap();
            (hook.label().unwrap().to_owned(), serde_json::from_str(&json).unwrap())
        };
        hooks.map(one).collect::<Vec<(String, Value)>>()
    };
    let found = rendered(&mut decision.hooks());
    assert_eq!(found, rendered(&mut parsed.hooks()), "a parsed event: {event}");
    found
}

/// The reasons of the hooks that match, by label.
fn reasons(module: &Module, event: &Value) -> Vec<String> {
    let reason = |(label, action): (String, Value)| {
        format!("{label}: {}", action["reason"].as_str().unwrap_or("no reason"))
    };
    actions(module, event).into_iter().map(reason).collect()
}

#[test]
fn conditions_and_templates_read_effects() {
    let policy = r#"
hooks:
  - {id: three, event: PreToolUse, when: "exists(effects().writes[2])", action: {type: deny, reason: "It writes ${effects().writes}."}}
  - {id: env, event: PreToolUse, when: "some(e in effects().all: e.kind == 'read' and e.object ends_with '.env' and e.by == 'cat')", action: {type: ask, reason: "${effects().runs[0].name} ${effects().runs[0].words[1]}"}}
  - {id: unknown, event: PreToolUse, when: "effects().unknown != null", action: {type: ask, reason: "${effects().unknown}"}}
  - {id: guess, event: PreToolUse, when: "effects().declared == false", action: {type: ask, reason: "writes ${effects().writes[0] ?? 'nothing'}"}}
  - {id: names, event: PreToolUse, when: "exists(effects().pushes[0])", action: {type: modify, input: {runs: "${effects().runs[*].name}", view: "${effects().pushes}"}}}
"#;
    let bytes = module(&[policy]);
    for module in [Module::load(bytes.clone()).unwrap(), Module::open(bytes).unwrap()] {
        assert_eq!(
            reasons(&module, &bash("echo a > x; tee y z < w")),
            [r#"three: It writes ["/repo/x","/repo/y","/repo/z"]."#]
        );
        assert_eq!(reasons(&module, &bash("cat .env")), ["env: cat .env"]);
        assert_eq!(
            reasons(&module, &bash("$X")),
            ["unknown: the command line does not say which program starts"]
        );
        assert_eq!(reasons(&module, &tool("mcp__a__b", json!({"path": "/p/x"}))), ["guess: writes /p/x"]);
        assert_eq!(
            actions(&module, &bash("git fetch && git push -f origin HEAD:main")),
            [(
                "names".to_owned(),
                json!({"type": "modify", "mode": "merge", "input": {"runs": ["git", "git"], "view": ["origin:main"]}})
            )]
        );
        assert_eq!(hits(&module, &tool("TodoWrite", json!({"todos": []}))), [""; 0]);
        // The members of an event that are in `event`.
        let inner = json!({"event": {"type": "PreToolUse", "cwd": "/q", "tool_name": "Bash", "tool_input": {"command": "cat .env"}}});
        assert_eq!(reasons(&module, &inner), ["env: cat .env"]);
    }
}

/// The tools, sets and the project of a file are those of its own views.
#[test]
fn a_view_has_the_declarations_of_its_file() {
    let hook = |id: &str| {
        format!(
            "hooks: [{{id: {id}, event: PreToolUse, when: \"effects().writes[0] == '/p/x'\", action: {{type: ask}}}}]\n"
        )
    };
    let declared = format!("tools: {{mcp__a__put: {{where: write}}}}\n{}", hook("a"));
    let module = Module::load(module(&[&declared, &hook("b")])).unwrap();
    assert_eq!(hits(&module, &tool("mcp__a__put", json!({"where": "/p/x"}))), ["a"]);
    assert_eq!(hits(&module, &tool("Write", json!({"file_path": "/p/x", "content": ""}))), ["a", "b"]);
}

#[test]
fn a_declared_event_has_the_view_of_its_fields() {
    let policy = "
events:
  deploy: {schema: {type: object, properties: {target: {type: string, role: host}}}}
hooks:
  - {id: a, event: deploy, when: \"effects().contacts[0] == 'db.internal'\", action: {type: abort}}
";
    let module = Module::load(module(&[policy])).unwrap();
    assert_eq!(hits(&module, &json!({"event_type": "deploy", "target": "db.internal"})), ["a"]);
    assert_eq!(hits(&module, &json!({"event_type": "deploy", "target": "x"})), [""; 0]);
}

/// A duplicate of a member that the view is made from is an error.
#[test]
fn a_duplicate_is_an_error() {
    let policy = "hooks: [{event: PreToolUse, when: \"exists(effects().writes[0])\", action: {type: ask}}]\n";
    let module = Module::load(module(&[policy])).unwrap();
    for event in [
        r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_name": "Read", "tool_input": {}}"#,
        r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "a", "command": "b"}}"#,
        r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/a", "cwd": "/b", "tool_input": {}}"#,
    ] {
        let mut scratch = Scratch::new();
        assert!(module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).is_err(), "{event}");
    }
}

#[test]
fn the_sentence_is_about_the_predicate_that_made_the_condition_true() {
    let policy = r#"
hooks:
  - id: any
    event: PreToolUse
    when: changes('ci.yml') or reads(@secrets) or pushes('main')
    action: {type: deny, reason: "No: ${because}."}
  - id: nested
    event: PreToolUse
    when: (runs('cat') and tool_name == 'Read') or (tool_name == 'Bash' and reads('*.env')) or deletes('x')
    action: {type: ask, reason: "${because}"}
  - id: listed
    event: PreToolUse
    when: tool_name == 'Bash' and not only(reads('./**' except @secrets))
    action: {type: deny}
  - id: field
    event: PreToolUse
    when: tool_name == 'Read' or writes()
    action: {type: ask, reason: "${because}"}
  - id: unwritten
    event: PreToolUse
    when: tool_name == 'Read' or writes('y')
    action: {type: ask}
  - id: written
    event: PreToolUse
    when: reads('z')
    action: {type: deny, reason: "as written"}
"#;
    let bytes = module(&[policy]);
    for module in [Module::load(bytes.clone()).unwrap(), Module::open(bytes).unwrap()] {
        assert_eq!(
            reasons(&module, &bash("cat .env")),
            [
                "any: No: cat reads ./.env, which is in @secrets.",
                "nested: cat reads ./.env, which matches `*.env`",
                "listed: cat reads ./.env, which is not listed",
            ]
        );
        assert_eq!(
            reasons(&module, &bash("git push origin main")),
            [
                "any: No: git pushes origin:main, which matches `main`.",
                "listed: `git push origin main` is not listed",
            ]
        );
        assert_eq!(
            reasons(&module, &tool("Read", json!({"file_path": "z"}))),
            ["field: the condition of the hook is true", "unwritten: no reason", "written: as written"]
        );
        assert_eq!(
            reasons(&module, &bash("echo > ci.yml")),
            [
                "any: No: echo writes ./ci.yml, which matches `ci.yml`.",
                "listed: echo writes ./ci.yml, which is not listed",
                "field: echo writes ./ci.yml",
            ]
        );
    }
}

/// Text of the event in the sentence is short and on one line, and is marked as text of the event.
#[test]
fn hostile_text_in_the_sentence_is_cut_and_marked() {
    let policy = "hooks: [{id: a, event: PreToolUse, when: deletes(), action: {type: deny, reason: 'No: ${because} $${x}'}}]\n";
    let module = Module::load(module(&[policy])).unwrap();
    let long = format!("rm '/t/\u{1b}[31m\n\u{202e}${{HOME}}{}'", "x".repeat(5_000));
    let event = bash(&long).to_string();
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
    let hook = decision.hooks().next().unwrap();
    let (mut plain, mut marked) = (String::new(), String::new());
    hook.render(&mut plain).unwrap();
    hook.render_marked(&mut marked).unwrap();
    let reason: Value = serde_json::from_str(&plain).unwrap();
    let reason = reason["reason"].as_str().unwrap();
    assert!(reason.starts_with("No: rm deletes /t/\u{241b}[31m\u{240a}\u{fffd}${HOME}xxx"), "{reason}");
    assert!(reason.ends_with("... ${x}") && reason.chars().count() < 220, "{reason}");
    assert!(marked.contains("\\u0000rm deletes") && marked.contains("$\\u0000{HOME}"), "{marked}");
}

/// Relative paths are from the working directory; `inside` and `relative` are about the project.
#[test]
fn a_file_is_inside_the_project() {
    let hooks = r#"hooks: [{id: a, event: PreToolUse, when: "file(tool_input.file_path).inside == true", action: {type: ask, reason: "${file(tool_input.file_path).relative}"}}]
"#;
    let with = |head: &str| Module::load(module(&[&format!("{head}{hooks}")])).unwrap();
    let (stated, not) = (with("project: /srv/app\n"), with(""));
    let read = |path: &str, project: Option<Value>| {
        let mut event = tool("Read", json!({"file_path": path}));
        if let Some(project) = project {
            event["project_dir"] = project;
        }
        event
    };
    // The working directory is /repo.
    for (module, path, project, expected) in [
        (&not, "x", None, &["a: x"][..]),
        (&not, "../x", None, &[]),
        (&not, "x", Some(json!("/")), &["a: repo/x"]),
        (&not, "../x", Some(json!("/")), &["a: x"]),
        (&not, "x", Some(json!("/repo/src/..")), &["a: x"]),
        (&not, "x", Some(json!("/repo/src")), &[]),
        (&not, "/repo/src", Some(json!("/repo/src")), &["a: ."]),
        (&not, "x", Some(Value::Null), &[]),
        (&not, "x", Some(json!(7)), &[]),
        (&stated, "x", Some(json!("/repo")), &[]),
        (&stated, "/srv/app/y", Some(Value::Null), &["a: y"]),
        (&stated, "../srv/app/y", None, &["a: y"]),
    ] {
        assert_eq!(reasons(module, &read(path, project.clone())), expected, "{path} {project:?}");
    }
    assert!(not.reads(&["project_dir"]) && !stated.reads(&["project_dir"]));
    // A policy that states its project has a view of its own.
    let both =
        Module::load(module(&[&format!("project: /srv/app\n{hooks}"), &hooks.replace("id: a", "id: b")]))
            .unwrap();
    assert_eq!(reasons(&both, &read("x", None)), ["b: x"]);
    assert_eq!(reasons(&both, &read("/srv/app/y", None)), ["a: y"]);
}
