//! The walk-throughs of the documents that the dialects come from, from files
//! as people write them to what comes of them. What coding agents do stands in
//! the tests of the command line.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use hookc_compiler::Dialect;
use hookc_runtime::effect::Outcome;
use hookc_runtime::host::{Bare, Recorder};
use hookc_runtime::skill::{Scripts, Shelf};
use hookc_runtime::thread::{Returns, Step, Thread};
use hookc_runtime::turn::{Guard, Session};
use hookc_runtime::workflow::{Point, Workflow, WorkflowError};
use hookc_runtime::{Engine, Event, Layered};
use hookc_schema::tree::Layer;
use hookc_vm::{Ask, Family};
use serde_json::{Map, Value, json};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        self
    }

    fn engine(&self, name: &str, dialect: Dialect) -> Engine {
        engine(&Layered::new().with(Layer::Project, self.path().join(name), Some(dialect)))
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// Waits for a file that a handler in the background writes.
    fn wait(&self, name: &str, part: &str) -> String {
        let start = Instant::now();
        while !self.read(name).contains(part) {
            assert!(start.elapsed() < Duration::from_secs(10), "{name}: {}", self.read(name));
            std::thread::sleep(Duration::from_millis(10));
        }
        self.read(name)
    }
}

fn engine(layers: &Layered) -> Engine {
    Engine::new(layers.compile().unwrap_or_else(|refused| panic!("{refused}")))
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

// Thread policy: the builtin hooks, and a directive's.

const DIRECTIVE: &str = r#"# Review
```xml
<directive name="review">
  <hooks>
    <hook event="error" when="classification.category == 'rate_limited'">
      <directive>ops/back_off</directive>
    </hook>
  </hooks>
</directive>
```
"#;

const THREAD: &str = r#"
hooks:
  - event: limit
    condition: {all: [{path: limit_code, op: eq, value: spend_exceeded}, {path: cost.spend, op: gt, value: 10}]}
    action: {type: escalate, target: user_approval, timeout_seconds: 7200}
  - event: context_window_pressure
    condition: {path: pressure_ratio, op: gt, value: 0.85}
    action: {type: call_directive, directive: ops/summarize}
  - event: error
    condition: {path: classification.category, op: eq, value: permanent}
    action: {type: emit_event, event_type: ops/gone, payload: {kind: "${error.type}", text: "${error.message}"}}
"#;

#[test]
fn thread_policy_walks_through() {
    let folder = Folder::new().with("review.md", DIRECTIVE).with("hooks.yaml", THREAD);
    let layers = Layered::new().with(Layer::Directive, folder.path().join("review.md"), None).with(
        Layer::Project,
        folder.path().join("hooks.yaml"),
        None,
    );
    let (engine, returns) = (engine(&layers), Returns::builtin().unwrap());
    let on = |kind: &str, rest: Value, host: &Recorder| {
        let mut all = rest;
        all["event"]["type"] = kind.into();
        Thread::new(&engine, &returns).on(&Event::of(all), host).unwrap().step
    };
    let host = || Recorder::new().giving("call_directive", json!({"action": "CONTINUE"}));

    let asked = host();
    let limited = json!({"classification": {"category": "rate_limited"}});
    assert_eq!(on("error", limited, &asked), Step::Continue);
    assert_eq!(asked.asked()[0].params["directive"], "ops/back_off");

    let transient = json!({"classification": {"category": "transient"}});
    assert!(matches!(on("error", transient, &host()), Step::Retry { attempt: 1, .. }));

    let emits = host().giving("emit_event", Value::Null);
    let permanent = json!({"classification": {"category": "permanent"},
        "error": {"type": "auth", "message": "no key"}});
    on("error", permanent, &emits);
    assert_eq!(emits.asked()[0].params["payload"], json!({"kind": "auth", "text": "no key"}));

    for (spend, seconds) in [(11.5, 7200), (9.0, 3600)] {
        let open = host().giving("escalate", Value::Null);
        let over = json!({"limit_code": "spend_exceeded", "cost": {"spend": spend}});
        let step = on("limit", over, &open);
        assert!(matches!(&step, Step::Escalate(open) if open.timeout_seconds == seconds), "{step:?}");
    }

    // The builtin hook takes what the project's leaves.
    for (ratio, directive) in [(0.9, "ops/summarize"), (0.82, "rye/agent/threads/default_compaction")] {
        let compacts = json!({"compaction": {"summary": "s", "prune_before_turn": 4}});
        let asked = Recorder::new().giving("call_directive", compacts);
        let step = on("context_window_pressure", json!({"pressure_ratio": ratio}), &asked);
        assert!(format!("{step:?}").contains("Compact"), "{step:?}");
        assert_eq!(asked.asked()[0].params["directive"], directive);
    }
    assert_eq!(on("context_window_pressure", json!({"pressure_ratio": 0.5}), &host()), Step::NoOpinion);
}

// Repository hooks: the recipes.

const ROUTE: &str = "id: route\nevent_type: PromptSubmit\nenabled: true\nblocking: true\nhandler: {kind: script, command: ./scripts/hooks/route.sh}\n";
const GUARD: &str = "id: prod-guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\nmatch: {ability_scope: edit_file}\nhandler: {kind: script, command: ./scripts/hooks/guard.sh}\n";
const USAGE: &str = "id: usage\nevent_type: PostAbilityCall\nenabled: true\nblocking: false\nmatch: {ability_scope: '*'}\nhandler: {kind: script, command: ./scripts/hooks/usage.sh}\neffects: [{append_to: usage.log}]\n";
const BUILD: &str = "id: build\nevent_type: SessionStop\nenabled: true\nblocking: false\nmatch: {only_if_changed_paths: ['services/**', 'apps/**']}\nhandler: {kind: script, command: ./scripts/hooks/build.sh}\n";

fn repository() -> Folder {
    let signal = |event: &str, id: &str, kind: &str, code: &str, payload: Value| {
        json!({"hook_signals": [{"source_event": event, "hook_id": id, "kind": kind, "code": code,
            "severity": "info", "payload": payload}]})
    };
    let hint = json!({"suggested_abilities": [{"id": "refactor", "confidence": 0.9}]});
    let route = signal("PromptSubmit", "route", "routing_hint", "ROUTE", hint);
    let denied = json!({"ability_id": "edit_file", "reason": "not in prod", "require_human": true});
    let denied = signal("PreAbilityCall", "prod-guard", "ability_guard", "ABILITY_DENIED", denied);
    // Paths in the handlers show that they run at the root of the repository.
    Folder::new()
        .with(".system/hooks/route.yaml", ROUTE)
        .with(".system/hooks/guard.yaml", GUARD)
        .with(".system/hooks/usage.yaml", USAGE)
        .with(".system/hooks/build.yaml", BUILD)
        .with("scripts/hooks/route.sh", &format!("#!/bin/sh\ncat > route.json\necho '{route}'\n"))
        .with(
            "scripts/hooks/guard.sh",
            &format!("#!/bin/sh\ngrep -q config/prod && echo '{denied}' || echo '{{}}'\n"),
        )
        .with("scripts/hooks/usage.sh", "#!/bin/sh\ncat >> usage.log; echo >> usage.log\n")
        .with("scripts/hooks/build.sh", "#!/bin/sh\ncat > build.json\n")
}

#[test]
fn repository_recipes() {
    let folder = repository();
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let mut session = Session::new(&engine, "s1");

    // Activation hints reach the model with the message that it may begin.
    let (control, turn) = session.prompt_submit(map(json!({"user_raw_input": "tidy up"})), &Bare).unwrap();
    assert_eq!((&control["turn_ready"], turn.reports.as_slice()), (&json!(true), &[] as &[String]));
    assert_eq!(control["hook_signals"][0]["payload"]["suggested_abilities"][0]["id"], "refactor");
    let seen: Value = serde_json::from_str(&folder.read("route.json")).unwrap();
    assert_eq!((&seen["event_type"], &seen["session_id"]), (&json!("PromptSubmit"), &json!("s1")));

    // A safety check refuses what it is about, and nothing else.
    let call = |ability: &str, args: &str| {
        map(json!({"ability_id": ability, "args_summary": args, "caller": {"source": "ai_session"}}))
    };
    let (control, guard, _) = session.pre_ability_call(call("edit_file", "config/prod.yaml"), &Bare).unwrap();
    assert_eq!(control["turn_ready_for_ability"], false);
    assert_eq!(guard, Guard::Denied { reason: "not in prod".into(), require_human: true });
    for (ability, args) in [("edit_file", "src/a.rs"), ("read_file", "config/prod.yaml")] {
        let (control, guard, turn) = session.pre_ability_call(call(ability, args), &Bare).unwrap();
        assert_eq!((guard, &control["turn_ready_for_ability"]), (Guard::Allowed, &json!(true)), "{turn:?}");
    }

    // Telemetry is written, and says nothing to the turn.
    let post = map(json!({"ability_id": "edit_file", "status": "success", "duration_ms": 12}));
    let turn = session.post_ability_call(post, &Bare).unwrap();
    assert!(turn.signals.is_empty() && matches!(turn.handled.effects[0].outcome, Outcome::Started));
    assert!(folder.wait("usage.log", "\n").contains("\"duration_ms\":12"));

    // Builds run for what they are about.
    let none = session.session_stop(map(json!({"changed_files": ["docs/a.md"]})), &Bare).unwrap();
    assert!(none.handled.effects.is_empty());
    session.session_stop(map(json!({"changed_files": ["docs/a.md", "apps/x/y.ts"]})), &Bare).unwrap();
    assert!(folder.wait("build.json", "}").contains("apps/x/y.ts"));
}

#[test]
fn a_repository_works_with_all_hooks_off_and_with_a_missing_handler() {
    let folder = repository();
    for name in ["route", "guard", "usage", "build"] {
        let path = folder.path().join(format!(".system/hooks/{name}.yaml"));
        let text = std::fs::read_to_string(&path).unwrap().replace("enabled: true", "enabled: false");
        std::fs::write(path, text).unwrap();
    }
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let call = || map(json!({"ability_id": "edit_file", "args_summary": "config/prod.yaml"}));
    let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call(), &Bare).unwrap();
    assert_eq!((guard, turn.handled.effects.len()), (Guard::Allowed, 0));

    let folder = repository();
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    std::fs::remove_file(folder.path().join("scripts/hooks/guard.sh")).unwrap();
    let (_, guard, _) = Session::new(&engine, "s").pre_ability_call(call(), &Bare).unwrap();
    assert!(matches!(guard, Guard::Denied { require_human: true, .. }), "{guard:?}");
}

// Skills.

fn python() -> bool {
    let python = std::process::Command::new("python3").arg("--version").output();
    let there = python.is_ok_and(|done| done.status.success());
    if !there {
        eprintln!("skipped: there is no python3");
    }
    there
}

fn skill(name: &str, trigger: &str, hooks: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n{trigger}{hooks}---\n\n{body}\n")
}

#[test]
fn skills_of_user_and_project_and_their_commands() {
    let folder = Folder::new()
        .with("user/commit.md", &skill("commit", "trigger: /commit\n", "", "the user's"))
        .with("user/notes.md", &skill("notes", "trigger: /notes\n", "", "take notes"))
        .with("user/plain.md", &skill("plain", "", "", "no command"))
        .with(
            "project/commit/SKILL.md",
            &skill("commit", "trigger: /commit\n", "", "# Commit\n\nthe project's"),
        )
        .with("project/readme.txt", "nothing");
    let shelf = Shelf::read(Some(&folder.path().join("user")), Some(&folder.path().join("project")));
    let commands: Vec<_> = shelf.commands().map(|(trigger, skill)| (trigger, skill.layer)).collect();
    assert_eq!(commands, [("/notes", Layer::User), ("/commit", Layer::Project)]);
    let commit = shelf.command("/commit all of it").unwrap();
    assert_eq!(
        (commit.body.trim(), commit.description.as_deref()),
        ("# Commit\n\nthe project's", Some("about commit"))
    );
    assert!(
        shelf.command("commit").is_none() && shelf.command("/plain").is_none() && shelf.command("").is_none()
    );
    assert_eq!((shelf.skills.len(), shelf.told.len(), shelf.unread.len()), (3, 0, 0));
    assert_eq!((commit.title(), commit.in_event()["name"].as_str()), ("Commit", Some("commit")));

    // Of one name by the front matter: the project's, wherever they lie.
    let folder = folder.with("project/other.md", &skill("notes", "trigger: /n\n", "", "the project's notes"));
    let shelf = Shelf::read(Some(&folder.path().join("user")), Some(&folder.path().join("project")));
    let commands: Vec<_> = shelf.commands().map(|(trigger, skill)| (trigger, skill.layer)).collect();
    assert_eq!(commands, [("/commit", Layer::Project), ("/n", Layer::Project)]);
    assert!(Shelf::read(None, Some(&folder.path().join("nowhere"))).skills.is_empty());
}

#[test]
fn skills_register_run_fail_and_stay_apart() {
    if !python() {
        return;
    }
    let count = "count = 0\ndef execute(context):\n    global count\n    count += 1\n    return [context.skill.title, count]\n";
    let folder = Folder::new()
        .with("skills/a/SKILL.md", &skill("a", "", "hooks:\n  pre_execute: hooks/pre.py\n  on_error: hooks/error.py\n", ""))
        .with("skills/a/hooks/pre.py", "from gptme.lessons.hooks import HookContext\ndef execute(context: HookContext) -> None:\n    raise RuntimeError('a is broken')\n")
        .with("skills/a/hooks/error.py", count)
        .with("skills/b/SKILL.md", &skill("b", "", "hooks:\n  pre_execute: [hooks/one.py, {script: hooks/first.py, priority: 5}]\n", ""))
        .with("skills/b/hooks/one.py", count)
        .with("skills/b/hooks/first.py", "def execute(context):\n    return 'first'\n");
    let shelf = Shelf::read(None, Some(&folder.path().join("skills")));
    let engine = engine(&shelf.layered());
    let scripts = Scripts::default();
    let run = |name: &str| {
        let event = Event::of(json!({"skill": {"name": "x", "title": "X"}, "message": "m"}));
        let ask = Ask { event: Some(name), family: Some(Family::Skill), ..Ask::default() };
        let handled = engine.handle(&event, &ask, &scripts).unwrap();
        handled.effects.into_iter().map(|effect| effect.outcome).collect::<Vec<_>>()
    };
    let outcomes = run("pre_execute");
    assert_eq!(outcomes[0], Outcome::Value(json!("first")));
    assert!(matches!(&outcomes[1], Outcome::Failed(failure) if failure.why.contains("a is broken")));
    assert_eq!(outcomes[2], Outcome::Value(json!(["X", 1])));
    assert_eq!(run("pre_execute")[2], Outcome::Value(json!(["X", 2])));
    assert_eq!(run("on_error"), [Outcome::Value(json!(["X", 1]))]);
    assert!(run("post_context").is_empty());
}

// Workflows: the criteria of success.

const AGENT: &str = r#"
id: builder
subscribed_artifacts: [handbook]
hooks:
  pre_decision:
    - {artifact_id: search, method: find, args: {query: "{current_goal}"}, inject_as: found}
    - {artifact_id: prompts, method: get, args: {about: "{found}"}, inject_as: _prompt}
    - {artifact_id: flaky, method: go}
    - {artifact_id: rules, method: get, inject_as: _system_prompt}
  post_decision:
    - {artifact_id: validator, method: check, args: {action: "{proposed_action}"}, inject_as: valid, on_error: fail}
    - {artifact_id: never, method: go}
  post_action:
    - {artifact_id: logger, method: log, args: {what: "{last_action}", came: "{last_result}"}, inject_as: null}
  on_error:
    - {artifact_id: rescue, method: go, args: {why: "{error_message}"}, inject_as: recovery, on_error: retry}
"#;

#[test]
fn workflow_criteria() {
    let folder = Folder::new().with("agent.yaml", AGENT);
    let engine = folder.engine("agent.yaml", Dialect::Workflow);
    let workflow = Workflow::new(&engine);
    let run = |point, context: Value, host: &Recorder| workflow.run(point, map(context), 0, host).unwrap();
    let called = |host: &Recorder| {
        let all = host.asked().into_iter().filter(|one| one.kind == "invoke");
        all.map(|one| one.params["artifact"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    // Results reach the context, later hooks and the prompts; a subscription is
    // a hook; one that fails without `on_error` is passed over.
    let host = Recorder::new()
        .giving("invoke", json!("the handbook"))
        .giving("invoke", json!(["a", "b"]))
        .giving("invoke", json!("say it well"))
        .failing("invoke", "out of order")
        .giving("invoke", json!("be kind"));
    let ran = run(Point::PreDecision, json!({"current_goal": "eat", "agent_id": "builder"}), &host);
    assert_eq!(called(&host), ["handbook", "search", "prompts", "flaky", "rules"]);
    let invoked: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoke").collect();
    assert_eq!(
        (&invoked[0].params["method"], &invoked[1].params["args"]["query"]),
        (&json!("read_content"), &json!("eat"))
    );
    assert_eq!(invoked[2].params["args"]["about"], json!(["a", "b"]));
    assert_eq!(
        (&ran.context["subscribed_handbook"], &ran.context["found"]),
        (&json!("the handbook"), &json!(["a", "b"]))
    );
    assert_eq!((ran.prompt.as_deref(), ran.system_prompt.as_deref()), (Some("say it well"), Some("be kind")));
    assert!(ran.failed.is_none() && ran.warnings[0].contains("out of order"), "{:?}", ran.warnings);

    // Every call is told, with who is to pay.
    let told: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoked").collect();
    assert!(told.len() == 5 && told.iter().all(|one| one.params["caller"] == "builder"));
    assert!(told[3].params.contains_key("error"));

    // One that must hold ends the step, and nothing runs behind it.
    let host = Recorder::new().failing("invoke", "not allowed");
    let ran = run(Point::PostDecision, json!({"proposed_action": "burn"}), &host);
    assert!(ran.failed.is_some_and(|why| why.contains("not allowed")));
    assert_eq!(called(&host), ["validator"]);

    // A side effect alone injects nothing.
    let host = Recorder::new().giving("invoke", json!("ignored"));
    let before = json!({"last_action": "buy", "last_result": {"ok": true}});
    assert_eq!(run(Point::PostAction, before.clone(), &host).context, map(before));

    // Retried, and then there.
    let host = Recorder::new().failing("invoke", "busy").giving("invoke", json!("wait a little"));
    let ran = run(Point::OnError, json!({"error_message": "boom"}), &host);
    assert_eq!((&ran.context["recovery"], ran.effects[0].tries), (&json!("wait a little"), 2));
    let told: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoked").collect();
    assert_eq!(
        (&told[0].params["error"], &told[1].params["reply"]),
        (&json!("busy"), &json!("wait a little"))
    );

    // Hooks that lead to hooks end somewhere.
    let deep = |depth| workflow.run(Point::PostAction, Map::new(), depth, &Recorder::new());
    assert!(deep(4).is_ok());
    assert_eq!(deep(5).unwrap_err(), WorkflowError::Depth(5));
}
