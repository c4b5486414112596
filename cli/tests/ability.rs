//! `hookc ability run`: all four sources, and its exit status.

use crate::common;

use common::{executable, put};

const POLICY: &str = r#"
hooks:
  - {id: people, event: PreAbilityCall, when: "caller.source == 'ai_session' and ability_id == 'deploy'",
     action: {type: ask, reason: look first}}
  - {id: jobs, event: PreAbilityCall, when: "caller.source == 'background_job' and caller.job_id == 'j1'",
     action: {type: deny, reason: not from j1}}
  - {id: printed, event: PreAbilityCall, when: "ability_id == 'guarded'",
     action: {type: run, result: signals, command: "cat > pre.json; echo '{\"hook_signals\": [{\"source_event\": \"PreAbilityCall\", \"hook_id\": \"printed\", \"kind\": \"ability_guard\", \"code\": \"ABILITY_DENIED\", \"payload\": {\"ability_id\": \"guarded\", \"reason\": \"guarded\", \"require_human\": true}}]}'"}}
  - {id: broken, event: PreAbilityCall, when: "ability_id == 'broken'", action: {type: run, result: signals, command: exit 3}}
  - {id: post, event: PostAbilityCall, action: {type: run, result: signals, command: "cat > post.json"}}
"#;

fn run(folder: &tempfile::TempDir, args: &[&str]) -> (i32, String, String) {
    put(folder, "hooks.yaml", POLICY);
    let mut command = common::command(folder);
    command.args(["ability", "run", "--policy", "hooks.yaml"]).args(args);
    common::run(command.env("XDG_STATE_HOME", folder.path().join("state")), "").parts()
}

#[test]
fn allowed_denied_or_for_a_human() {
    let folder = tempfile::tempdir().unwrap();
    let call = |ability: &str, source: &str, more: &[&str], command: &[&str]| {
        let mut args = vec!["--ability", ability, "--source", source];
        args.extend(more.iter().chain(&["--"]).chain(command));
        run(&folder, &args)
    };
    let ends = |code: i32, out: &str, err: &str| (code, out.to_owned(), err.to_owned());
    assert_eq!(call("deploy", "manual_cli", &[], &["echo", "ran"]), ends(0, "ran\n", ""));
    let post = common::read(&folder, "post.json");
    let post: serde_json::Value = serde_json::from_str(&post).unwrap();
    assert_eq!(
        (&post["status"], &post["input_summary"], &post["event_type"], &post["exit_code"]),
        (&"success".into(), &"echo ran".into(), &"PostAbilityCall".into(), &0.into())
    );
    assert!(post["duration_ms"].is_u64() && post.get("stdout_log_path").is_none());
    assert_eq!(call("deploy", "ci_pipeline", &[], &["sh", "-c", "exit 7"]).0, 7);
    let human = "hookc: denied until a human decides: look first\n";
    assert_eq!(call("deploy", "ai_session", &["--session", "s"], &["echo", "ran"]), ends(121, "", human));
    let denied = "hookc: denied: not from j1\n";
    assert_eq!(call("x", "background_job", &["--job", "j1"], &["echo", "ran"]), ends(120, "", denied));
    assert_eq!(call("x", "background_job", &["--job", "j2"], &["echo", "ran"]).0, 0);
    assert_eq!(call("guarded", "manual_cli", &[], &["echo", "ran"]).0, 121);
    assert!(common::read(&folder, "pre.json").contains("\"manual_cli\""));
    let (code, out, err) = call("broken", "manual_cli", &[], &["echo", "ran"]);
    assert!(code == 121 && out.is_empty() && err.contains("hook broken failed: exit status 3"), "{err}");
    assert_eq!(call("x", "manual_cli", &[], &["no-such-program-anywhere"]).0, 127);
    assert_eq!(call("x", "somewhere", &[], &["true"]).0, 2);
    let bare = ["ability", "run", "--ability", "x", "--source", "manual_cli", "--", "true"];
    assert_eq!(common::hookc(&folder, &bare, "").parts(), ends(0, "", ""));
    let strict =
        ["ability", "run", "--require-hooks", "--ability", "x", "--source", "manual_cli", "--", "true"];
    let absent = "hookc: no `.system/hooks` in this directory or above it\n";
    assert_eq!(common::hookc(&folder, &strict, "").parts(), ends(122, "", absent));
}

/// Hooks of a repository, called from one of its directories.
#[test]
fn the_hooks_of_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("deep/down")).unwrap();
    let hook = |id: &str, event: &str, scope: &str, blocking: bool| {
        let text = format!(
            "id: {id}\nevent_type: {event}\nenabled: true\nblocking: {blocking}\nmatch: {{ability_scope: '{scope}'}}\nhandler: {{kind: script, command: ./scripts/{id}.sh}}\n"
        );
        put(&folder, &format!(".system/hooks/{id}.yaml"), text);
    };
    let script = |id: &str, text: &str| drop(executable(&folder, &format!("scripts/{id}.sh"), text));
    hook("guard", "PreAbilityCall", "deploy*", true);
    hook("usage", "PostAbilityCall", "*", true);
    put(&folder, ".system/hooks/README.md", "# Hooks\n");
    let denied = r#"{"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "guard", "kind": "ability_guard", "code": "ABILITY_DENIED", "payload": {"ability_id": "deploy_prod", "reason": "not on Sundays", "require_human": false}}]}"#;
    script("guard", &format!("cat > guard.json; echo '{denied}'"));
    script("usage", "cat > usage.json; echo '{\"usage_recorded\": true}'");
    let call = |place: &str, ability: &str| {
        let args = [
            "ability",
            "run",
            "--ability",
            ability,
            "--source",
            "ci_pipeline",
            "--job",
            "j",
            "--",
            "echo",
            "ran",
        ];
        common::hookc(at(place), &args, "").parts()
    };
    for place in [".", "deep/down"] {
        let (code, out, err) = call(place, "deploy_prod");
        assert_eq!((code, out.as_str()), (120, ""));
        assert!(err.ends_with("\nhookc: denied: not on Sundays\n"), "{err}");
        let (code, out, err) = call(place, "build");
        assert_eq!((code, out.as_str()), (0, "ran\n"));
        assert!(err.starts_with("hookc: warning: a blocking hook of `PostAbilityCall`"), "{err}");
        let guard = common::read(&folder, "guard.json");
        assert!(guard.contains("\"ci_pipeline\"") && guard.contains("\"job_id\":\"j\""), "{guard}");
        let usage = common::read(&folder, "usage.json");
        assert!(usage.contains("\"status\":\"success\"") && usage.contains("\"build\""), "{usage}");
        std::fs::remove_file(at("guard.json")).unwrap();
        std::fs::remove_file(at("usage.json")).unwrap();
    }
    // A missing handler means no decision: the command does not run.
    std::fs::remove_file(at("scripts/guard.sh")).unwrap();
    let (code, out, _) = call(".", "build");
    assert_eq!((code, out.as_str()), (122, ""));
}

fn post(folder: &tempfile::TempDir) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path().join("post.json")).unwrap()).unwrap()
}

#[test]
fn the_commands_output_is_kept_at_the_announced_path() {
    let folder = tempfile::tempdir().unwrap();
    let call = |log: &str, line: &str| {
        let args =
            ["--ability", "x", "--source", "background_job", "--stdout-log", log, "--", "sh", "-c", line];
        run(&folder, &args)
    };
    // Processes that are left behind delay nothing.
    let start = std::time::Instant::now();
    let (code, out, err) =
        call("out.log", "echo one; echo err >&2; sleep 60 2>/dev/null & printf two; exit 3");
    assert_eq!((code, out.as_str(), err.as_str()), (3, "one\ntwo", "err\n"));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    let kept = post(&folder);
    let path = kept["stdout_log_path"].as_str().unwrap();
    assert!(path.starts_with('/') && std::fs::read_to_string(path).unwrap() == "one\ntwo");
    assert_eq!((&kept["exit_code"], &kept["status"]), (&3.into(), &"failure".into()));
    let (code, out, _) = call("out.log", "head -c 5000000 /dev/zero; kill -9 $$");
    assert_eq!((code, out.len(), std::fs::metadata(path).unwrap().len()), (137, 5_000_000, 5_000_000));
    assert_eq!(post(&folder)["exit_code"], 137);
    let (code, out, err) = call("no/such/folder", "echo ran");
    assert!(code == 126 && out.is_empty() && err.contains("no/such/folder: No such file"), "{err}");
    if std::path::Path::new("/dev/full").exists() {
        let (code, out, err) = call("/dev/full", "echo ran");
        assert!(code == 0 && out == "ran\n" && err.contains("/dev/full: No space left"), "{err}");
        assert!(post(&folder).get("stdout_log_path").is_none());
    }
}

#[test]
fn every_call_is_in_the_decision_log() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |log: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(folder.path().join(log)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let call = |ability: &str, more: &[&str]| {
        let mut args = vec!["--ability", ability, "--source", "ai_session", "--session", "s"];
        args.extend(more.iter().chain(&["--", "echo", "a secret"]));
        run(&folder, &args).0
    };
    let own = "state/hookc/decisions.jsonl";
    assert_eq!((call("x", &["--no-log"]), lines(own).len()), (0, 0));
    assert_eq!(
        (call("x", &[]), call("deploy", &[]), call("guarded", &[]), call("broken", &[])),
        (0, 121, 121, 121)
    );
    let told: Vec<String> = lines(own)
        .iter()
        .map(|line| format!("{} {} {} {}", line["host"], line["session"], line["event"], line["outcome"]))
        .map(|line| line.replace('"', ""))
        .collect();
    let expected = [
        "ability s PreAbilityCall no opinion",
        "ability s PostAbilityCall done",
        "ability s PreAbilityCall ask",
        "ability s PreAbilityCall ask",
        "ability s PreAbilityCall failed",
    ];
    assert_eq!(told, expected);
    assert!(!std::fs::read_to_string(folder.path().join(own)).unwrap().contains("secret"));
    assert_eq!(call("x", &["--log", "log", "--log-payload", "--redact", "args_summary"]), 0);
    let payloads = lines("log");
    assert_eq!(payloads[0]["payload"]["args_summary"], "[redacted]");
    assert_eq!(payloads[1]["payload"]["input_summary"], "echo a secret");
    std::fs::write(folder.path().join("bad.yaml"), "hooks: [").unwrap();
    assert_eq!(call("x", &["--log", "bad", "--policy", "bad.yaml"]), 122);
    assert_eq!(
        (&lines("bad")[0]["outcome"], &lines("bad")[0]["event"]),
        (&"error".into(), &"PreAbilityCall".into())
    );
}
