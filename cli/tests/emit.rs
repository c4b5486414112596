//! `hookc emit`: a repository's events from an orchestrator that is another program.

use std::time::{Duration, Instant};

use crate::common;

use serde_json::{Value, json};
use tempfile::TempDir;

fn hook(folder: &TempDir, id: &str, event: &str, rest: &str, handler: &str) {
    let text = format!(
        "id: {id}\nevent_type: {event}\nenabled: true\n{rest}\nhandler: {{kind: script, command: ./scripts/{id}.sh}}\n"
    );
    common::put(folder, &format!(".system/hooks/{id}.yaml"), text);
    common::executable(folder, &format!("scripts/{id}.sh"), handler);
}

fn signal(event: &str, id: &str, kind: &str, code: &str, payload: Value) -> Value {
    json!({"hook_signals": [{"source_event": event, "hook_id": id, "kind": kind, "code": code,
        "payload": payload}], "logs": [format!("{id} ran")]})
}

/// Emits an event, and returns the exit status, the answer and standard error.
fn emit(folder: &TempDir, event: &str, args: &[&str], context: &Value) -> (i32, Value, String) {
    let mut all = vec!["emit", event, "--host", "repository", "--log", "log"];
    all.extend(args);
    let (code, out, err) = common::hookc(folder, &all, context.to_string()).parts();
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}")), err)
}

fn log(folder: &TempDir) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Waits for the line about the end of a background handler.
fn ended(folder: &TempDir, hook: &str) -> Value {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let own = |line: &Value| line["background"] == true && line["hooks"][0]["hook"] == hook;
        if let Some(line) = log(folder).into_iter().find(own) {
            return line;
        }
        assert!(Instant::now() < until, "{hook} has not ended: {:?}", log(folder));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A turn of the document: hints come with the message that the turn is ready, a guard allows or
/// denies each ability, and what follows a call changes nothing.
#[test]
fn a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let hint = json!({"suggested_abilities": [{"id": "refactor", "confidence": 0.9}]});
    let route = signal("PromptSubmit", "route", "routing_hint", "ROUTE", hint);
    hook(&folder, "route", "PromptSubmit", "blocking: true", &format!("cat > route.json; echo '{route}'"));
    let denied = json!({"ability_id": "deploy", "reason": "not on Sundays", "require_human": true});
    let denied = signal("PreAbilityCall", "guard", "ability_guard", "ABILITY_DENIED", denied);
    let guarded = "blocking: true\nmatch: {ability_scope: deploy}";
    hook(&folder, "guard", "PreAbilityCall", guarded, &format!("cat > /dev/null; echo '{denied}'"));
    let usage =
        r#"cat > usage.json; echo '{"usage_recorded": true, "logs": ["counted"], "hook_signals": [{}]}'"#;
    hook(&folder, "usage", "PostAbilityCall", "blocking: false", usage);
    hook(&folder, "build", "SessionStop", "match: {only_if_changed_paths: ['apps/**']}", "cat > build.json");

    let prompt = json!({"session_id": "s1", "user_raw_input": "tidy up"});
    let (code, answer, err) = emit(&folder, "PromptSubmit", &[], &prompt);
    assert_eq!((code, err.as_str(), &answer["allowed"]), (0, "", &json!(true)), "{answer}");
    let control = json!({"type": "control", "turn_ready": true, "source_event": "PromptSubmit",
        "hook_signals": route["hook_signals"]});
    assert_eq!((&answer["control"], &answer["logs"]), (&control, &json!(["route ran"])));
    assert_eq!(answer["hooks"][0]["hook"], "route");
    assert!(answer["hooks"][0]["duration_ms"].is_number());
    let seen: Value = serde_json::from_str(&common::read(&folder, "route.json")).unwrap();
    assert_eq!(seen, json!({"event_type": "PromptSubmit", "session_id": "s1", "user_raw_input": "tidy up"}));

    let call = |ability: &str| json!({"session_id": "s1", "ability_id": ability, "caller": {"source": "ai_session"}});
    let (code, answer, _) = emit(&folder, "PreAbilityCall", &[], &call("build"));
    let ready = json!({"type": "control", "turn_ready_for_ability": true, "ability_id": "build",
        "source_event": "PreAbilityCall", "hook_signals": []});
    assert_eq!((code, &answer["control"]), (0, &ready));
    let (code, answer, _) = emit(&folder, "PreAbilityCall", &[], &call("deploy"));
    assert_eq!((code, &answer["control"]["turn_ready_for_ability"]), (121, &json!(false)));
    assert_eq!((&answer["reason"], &answer["require_human"]), (&json!("not on Sundays"), &json!(true)));

    let post = json!({"session_id": "s1", "ability_id": "build", "status": "success", "duration_ms": 7});
    let (code, answer, _) = emit(&folder, "PostAbilityCall", &[], &post);
    assert_eq!((code, &answer["hooks"][0]["outcome"], answer.get("control")), (0, &json!("started"), None));
    // The result of the background handler is in the log, with what it had for it.
    let line = ended(&folder, "usage");
    assert_eq!((&line["event"], &line["session"]), (&json!("PostAbilityCall"), &json!("s1")));
    let own = &line["hooks"][0];
    assert_eq!((&own["outcome"], &own["status"]), (&json!("done"), &json!("exit status 0")));
    assert_eq!((&own["logs"], &own["remarks"]), (&json!(["counted"]), &json!(["its result has 1 mistake"])));
    assert!(own["duration_ms"].is_number());

    let stop = |files: Value| json!({"session_id": "s1", "changed_files": files});
    let (code, answer, _) = emit(&folder, "SessionStop", &[], &stop(json!(["docs/a.md"])));
    assert_eq!((code, &answer["hooks"]), (0, &json!([])));
    emit(&folder, "SessionStop", &[], &stop(json!(["apps/x.ts"])));
    ended(&folder, "build");
    assert!(common::read(&folder, "build.json").contains("apps/x.ts"));
}

/// What an orchestrator adds to a context reaches the hooks.
#[test]
fn contexts_are_passed_whole() {
    let folder = tempfile::tempdir().unwrap();
    hook(&folder, "route", "PromptSubmit", "blocking: true", "cat > route.json; echo '{}'");
    let prompt =
        json!({"session_id": "s1", "user_raw_input": "tidy", "current_files": ["a.rs"], "branch": "main"});
    assert_eq!(emit(&folder, "PromptSubmit", &[], &prompt).0, 0);
    let seen: Value = serde_json::from_str(&common::read(&folder, "route.json")).unwrap();
    assert_eq!((&seen["current_files"], &seen["branch"]), (&json!(["a.rs"]), &json!("main")));
}

/// A denial without a human disables the ability for the session, also for `ability run`.
#[test]
fn a_session_file_remembers_disabled_abilities() {
    let folder = tempfile::tempdir().unwrap();
    let denied = json!({"ability_id": "deploy", "reason": "frozen", "require_human": false});
    let denied = signal("PreAbilityCall", "guard", "ability_guard", "ABILITY_DENIED", denied);
    let scope = "blocking: true\nmatch: {ability_scope: deploy}";
    let handler = format!("cat > /dev/null; echo ran >> ran; echo '{denied}'");
    hook(&folder, "guard", "PreAbilityCall", scope, &handler);
    let call = |file: &str, session: &str| {
        let context = json!({"session_id": session, "ability_id": "deploy"});
        let (code, answer, _) = emit(&folder, "PreAbilityCall", &["--session-file", file], &context);
        (code, answer["reason"].as_str().or(answer["error"].as_str()).unwrap_or_default().to_owned())
    };
    assert_eq!(call("s1.json", "s1"), (120, "frozen".to_owned()));
    let state: Value = serde_json::from_str(&common::read(&folder, "s1.json")).unwrap();
    assert_eq!(state, json!({"version": 1, "session": "s1", "disabled": {"deploy": "frozen"}}));
    // The hook is not asked again.
    assert_eq!(call("s1.json", "s1"), (120, "disabled for this session: frozen".to_owned()));
    assert_eq!(common::read(&folder, "ran"), "ran\n");
    let ability = |session: &str, file: &str| {
        let args = [
            "ability",
            "run",
            "--ability",
            "deploy",
            "--source",
            "manual_cli",
            "--session",
            session,
            "--session-file",
            file,
            "--",
            "echo",
            "ran",
        ];
        common::hookc(&folder, &args, "").parts()
    };
    let disabled = "hookc: denied: disabled for this session: frozen\n".to_owned();
    assert_eq!(ability("s1", "s1.json"), (120, String::new(), disabled));
    assert_eq!(ability("s2", "s2.json").0, 120);
    assert!(common::read(&folder, "s2.json").contains("\"s2\""));
    // State that is torn, of another version or of another session decides nothing.
    let wrong = [
        ("{\"version\": 1, \"sess", "EOF"),
        (r#"{"version": 2, "session": "s1", "disabled": {}}"#, "`version` is not 1"),
        (r#"{"version": 1, "session": "s1", "disabled": ["deploy"]}"#, "`disabled` is not"),
        (r#"{"version": 1, "session": "s1", "disabled": {}, "enabled": {}}"#, "a member other than"),
        (r#"{"version": 1, "session": "s9", "disabled": {}}"#, "about the session `s9`, not `s1`"),
        ("", "EOF"),
    ];
    for (text, why) in wrong {
        common::put(&folder, "torn.json", text);
        let (code, said) = call("torn.json", "s1");
        assert!(code == 122 && said.contains(why), "{text}: {code} {said}");
        assert_eq!(common::read(&folder, "torn.json"), text);
        assert_eq!(ability("s1", "torn.json").0, 122);
    }
    // Deleting it enables the ability again: the hook decides.
    std::fs::remove_file(folder.path().join("s1.json")).unwrap();
    assert_eq!(call("s1.json", "s1"), (120, "frozen".to_owned()));
}

/// Calls of one session at the same time lose no disabled ability.
#[test]
fn calls_at_the_same_time_keep_all_disabled_abilities() {
    let folder = tempfile::tempdir().unwrap();
    let policy = "hooks: [{event: PreAbilityCall, action: {type: deny, reason: no}}]";
    common::put(&folder, "policy.yaml", policy);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                let context = json!({"session_id": "s", "ability_id": format!("a{n}")});
                let args = ["--policy", "policy.yaml", "--session-file", "s.json"];
                assert_eq!(emit(folder, "PreAbilityCall", &args, &context).0, 120);
            });
        }
    });
    let state: Value = serde_json::from_str(&common::read(&folder, "s.json")).unwrap();
    assert_eq!(state["disabled"].as_object().unwrap().len(), 8, "{state}");
}

/// A repository works without hooks; `--require-hooks` is for those that must have them.
#[test]
fn no_directory_of_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let context = json!({"ability_id": "x"});
    for empty in [false, true] {
        if empty {
            common::put(&folder, ".system/hooks/README.md", "# Hooks\n");
        }
        let (code, answer, err) = emit(&folder, "PreAbilityCall", &[], &context);
        assert_eq!((code, &answer["control"]["turn_ready_for_ability"], err.as_str()), (0, &json!(true), ""));
        let (code, _, err) = emit(&folder, "PreAbilityCall", &["-v"], &context);
        assert!(code == 0 && err.ends_with("there are no hooks\n"), "{err}");
        let (code, answer, err) = emit(&folder, "PreAbilityCall", &["--require-hooks"], &context);
        assert_eq!((code, &answer["control"]["turn_ready_for_ability"]), (122, &json!(false)));
        assert!(err.contains(".system/hooks"), "{err}");
    }
    // Something else in its place must not pass for no hooks.
    let other = tempfile::tempdir().unwrap();
    common::put(&other, ".system/hooks", "");
    assert_eq!(emit(&other, "PreAbilityCall", &[], &context).0, 122);
    let broken = tempfile::tempdir().unwrap();
    std::fs::create_dir(broken.path().join(".system")).unwrap();
    std::os::unix::fs::symlink("nowhere", broken.path().join(".system/hooks")).unwrap();
    assert_eq!(emit(&broken, "PreAbilityCall", &[], &context).0, 122);
}

/// Without a decision, whatever waits must not continue, and the answer stays one JSON object.
#[test]
fn what_cannot_be_decided_is_not_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |event: &str, args: &[&str], input: &[u8]| {
        let mut all = vec!["emit", event, "--no-log"];
        all.extend(args);
        let (code, out, err) = common::hookc(&folder, &all, input).parts();
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(err, format!("hookc: {}\n", answer["error"].as_str().unwrap()), "{answer}");
        (code, answer)
    };
    for input in ["", "{\"a\":", "[1]", "{\"event_type\": \"PromptSubmit\"}", "{\"a\": 1} {}"] {
        let (code, answer) = run("PreAbilityCall", &[], input.as_bytes());
        assert_eq!((code, &answer["allowed"]), (122, &json!(false)), "{input}");
    }
    // What two readers would understand differently, and a number that would be rounded.
    for input in [
        r#"{"ability_id": "deploy", "ability_id": "build"}"#,
        r#"{"ability_id": "build", "input": {"n": 1, "n": 2}}"#,
        r#"{"ability_id": "build", "input": {"n": 12345678901234567890123}}"#,
    ] {
        let (code, answer) = run("PreAbilityCall", &[], input.as_bytes());
        assert_eq!((code, &answer["allowed"]), (122, &json!(false)), "{input}");
    }
    // A guard of one ability does not see a call without a name.
    for (event, input) in [
        ("PreAbilityCall", "{}"),
        ("PreAbilityCall", r#"{"ability": "deploy"}"#),
        ("PreAbilityCall", r#"{"ability_id": ["deploy"]}"#),
        ("PreAbilityCall", r#"{"ability_id": ""}"#),
        ("PreAbilityCall", r#"{"ability_id": "x", "session_id": 5}"#),
        ("PreAbilityCreate", r#"{"ability_ref": "deploy"}"#),
    ] {
        let (code, answer) = run(event, &[], input.as_bytes());
        assert_eq!((code, &answer["allowed"]), (122, &json!(false)), "{input}");
    }
    let (code, answer) = run("PostAbilityCall", &[], b"no");
    assert_eq!((code, answer.get("control"), answer.get("allowed")), (122, None, None));
    common::put(&folder, "bad.yaml", "hooks: [");
    let args = ["--policy", "bad.yaml"];
    let mut command = common::command(&folder);
    command.args(["emit", "PromptSubmit", "--no-log"]).args(args);
    let (code, out, _) = common::run(&mut command, "{}").parts();
    assert_eq!(code, 122);
    assert!(out.contains("\"turn_ready\":false"), "{out}");
    // An unknown event is wrong usage.
    assert_eq!(common::hookc(&folder, &["emit", "PreAbilityCal"], "{}").code, 2);
    // A handler that emits its own event again does not recurse.
    let again = format!("{} emit PreAbilityCall --no-log < again.json", common::HOOKC);
    common::put(&folder, "again.json", "{\"ability_id\": \"x\"}");
    hook(&folder, "again", "PreAbilityCall", "blocking: true", &format!("cat > again.json; {again} >&2"));
    let (code, answer, _) = emit(&folder, "PreAbilityCall", &[], &json!({"ability_id": "x"}));
    assert_eq!((code, &answer["allowed"]), (121, &json!(false)));
    assert!(answer["reason"].as_str().unwrap().contains("exit status 122"), "{answer}");
}

/// A background handler that fails or cannot be read is in the log; without a log nothing is
/// written.
#[test]
fn ends_of_background_handlers() {
    let folder = tempfile::tempdir().unwrap();
    hook(&folder, "fails", "PostAbilityCall", "blocking: false", "cat > /dev/null; echo secret >&2; exit 3");
    hook(&folder, "prints", "PostAbilityCall", "blocking: false", "cat > /dev/null; echo nonsense");
    let context = json!({"ability_id": "x", "input_summary": "secret"});
    let (code, _, _) = emit(&folder, "PostAbilityCall", &[], &context);
    assert_eq!(code, 0);
    let (fails, prints) = (ended(&folder, "fails"), ended(&folder, "prints"));
    assert_eq!(
        (&fails["outcome"], &fails["hooks"][0]["status"]),
        (&json!("failed"), &json!("exit status 3"))
    );
    assert_eq!(prints["hooks"][0]["error"], "its answer cannot be read");
    assert!(!common::read(&folder, "log").contains("secret"));
    std::fs::remove_file(folder.path().join("log")).unwrap();
    emit(&folder, "PostAbilityCall", &["--log-payload"], &context);
    let line = ended(&folder, "fails");
    assert_eq!(line["hooks"][0]["error"], "exit status 3: secret");
    assert!(line.get("payload").is_none());
    // Neither `replay` nor `status` takes the ends for events.
    ended(&folder, "prints");
    let replay = common::hookc(&folder, &["replay", ".system/hooks", "log", "--format", "json"], "");
    let counts: Value = serde_json::from_str(replay.out.lines().last().unwrap()).unwrap();
    assert_eq!(counts["events"], 1, "{}", replay.out);
}

/// `list` shows the hooks of the repository with what they are for.
#[test]
fn list_shows_summaries_and_effects() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "blocking: false\nsummary: >\n  Track each call.\n  Slow ones too.\neffects:\n  - run_checks\n  - append_to: .system/logs/slow.log";
    hook(&folder, "usage", "PostAbilityCall", rest, "cat > /dev/null");
    std::fs::create_dir_all(folder.path().join("deep/down")).unwrap();
    for place in [".", "deep/down"] {
        let run = common::hookc(folder.path().join(place), &["list", "-v"], "");
        let text = "Track each call. Slow ones too.  run_checks, append_to: .system/logs/slow.log";
        assert!(run.code == 0 && run.out.contains(text), "{}{}", run.out, run.err);
    }
    let run = common::hookc(&folder, &["list", "--format", "json"], "");
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(row["effects"], json!(["run_checks", {"append_to": ".system/logs/slow.log"}]));
    assert_eq!(row["summary"], "Track each call. Slow ones too.");
    let empty = tempfile::tempdir().unwrap();
    let run = common::hookc(&empty, &["list"], "");
    assert!(run.code == 2 && run.err.contains("no `.system/hooks`"), "{}", run.err);
}

/// The stub in TypeScript: it is valid, and Node.js runs it as it is.
#[test]
fn a_stub_in_typescript() {
    let folder = tempfile::tempdir().unwrap();
    for (id, event) in [("guard", "PreAbilityCall"), ("route", "PromptSubmit"), ("usage", "PostAbilityCall")]
    {
        let args = [
            "new",
            "hook",
            "--dialect",
            "repository",
            "--id",
            id,
            "--event",
            event,
            "--handler",
            "typescript",
            "--summary",
            "Looks at it",
        ];
        let run = common::hookc(&folder, &args, "");
        assert_eq!(run.code, 0, "{}", run.err);
        let stub = common::read(&folder, &format!("scripts/hooks/{id}.ts"));
        assert!(stub.starts_with("#!/usr/bin/env node\n// Looks at it\n"), "{stub}");
    }
    assert_eq!(common::hookc(&folder, &["check", "--deny", "warnings", "."], "").code, 0);
    assert_eq!(common::hookc(&folder, &["test", "."], "").code, 0);
    let mut node = common::program("node", &folder);
    if !node.arg("scripts/hooks/usage.ts").stdin(std::process::Stdio::null()).output().is_ok_and(|done| {
        let err = String::from_utf8_lossy(&done.stderr);
        done.status.success() || err.contains("JSON")
    }) {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "skipped: there is no node that runs TypeScript");
        return;
    }
    let (code, answer, _) = emit(&folder, "PreAbilityCall", &[], &json!({"ability_id": "x"}));
    assert_eq!((code, &answer["control"]["hook_signals"][0]["payload"]["ability_id"]), (0, &json!("x")));
    let (_, answer, _) = emit(&folder, "PromptSubmit", &[], &json!({"user_raw_input": "x"}));
    assert_eq!(answer["control"]["hook_signals"][0]["kind"], "routing_hint", "{answer}");
}

/// A signal ends the handlers and the call; a handler that ignores it does not outlive the call.
#[test]
fn a_signal_ends_the_call() {
    let folder = tempfile::tempdir().unwrap();
    hook(&folder, "slow", "PreAbilityCall", "blocking: true", "cat > /dev/null; echo $$ > pid; sleep 60");
    common::put(&folder, "context.json", "{\"ability_id\": \"x\"}");
    let mut command = common::command(&folder);
    command.args(["emit", "PreAbilityCall", "--no-log"]);
    command.stdin(std::fs::File::open(folder.path().join("context.json")).unwrap());
    let mut child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while !std::fs::read_to_string(folder.path().join("pid")).is_ok_and(|pid| pid.ends_with('\n')) {
        assert!(Instant::now() < until, "the handler did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let handler = common::read(&folder, "pid");
    assert!(!std::path::Path::new(&format!("/proc/{}", handler.trim())).exists());
}

/// A guard about the caller does not see a call that names none.
#[test]
fn a_guard_of_callers_needs_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let policy = "hooks: [{id: ci, event: PreAbilityCall, when: \"caller.source == 'ci_pipeline'\", action: {type: deny, reason: no}}]";
    common::put(&folder, "hooks.yaml", policy);
    let call = |context: Value| emit(&folder, "PreAbilityCall", &["--policy", "hooks.yaml"], &context);
    assert_eq!(call(json!({"ability_id": "x", "caller": {"source": "ci_pipeline"}})).0, 120);
    assert_eq!(call(json!({"ability_id": "x", "caller": {"source": "ai_session"}})).0, 0);
    for context in [json!({"ability_id": "x"}), json!({"ability_id": "x", "caller": "ci_pipeline"})] {
        let (code, answer, _) = call(context);
        assert_eq!((code, &answer["allowed"]), (122, &json!(false)));
        assert!(answer["error"].as_str().unwrap().contains("has no `caller`"), "{answer}");
    }
}
