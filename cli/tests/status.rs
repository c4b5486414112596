//! `status`: which calls in the agents' settings are alive.
#![cfg(unix)]

use crate::common;

use std::path::Path;

use common::{HOOKC, Run, put};
use serde_json::Value;

const POLICY: &str = "hooks:\n  - {event: PreToolUse, action: {type: deny, reason: no}}\n  - {event: Stop, action: {type: allow}}\n";

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "hooks.yaml", POLICY);
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink(HOOKC, folder.path().join("bin/hookc")).unwrap();
    folder
}

fn hookc(root: &Path, args: &[&str], input: &str) -> Run {
    let mut command = common::program(root.join("bin/hookc"), root);
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    command
        .args(args)
        .env("HOME", root.join("home"))
        .env("XDG_STATE_HOME", root.join("state"))
        .env("PATH", path);
    common::run(&mut command, input)
}

fn rows(root: &Path, args: &[&str]) -> (i32, Vec<Value>) {
    let run = hookc(root, &[&["status", "--json"], args].concat(), "");
    (run.code, run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn event(name: &str, session: &str) -> String {
    format!(
        "{{\"hook_event_name\": \"{name}\", \"session_id\": \"{session}\", \"tool_name\": \"Bash\", \"tool_input\": {{\"command\": \"x\"}}}}"
    )
}

#[test]
fn made_and_missing_calls() {
    let project = project();
    let root = project.path();
    let run = hookc(root, &["status"], "");
    assert!(run.code == 1 && run.err.contains("no call of `hookc run` is installed"), "{}", run.err);
    assert_eq!(hookc(root, &["install", "claude", "hooks.yaml"], "").code, 0);
    let (code, all) = rows(root, &[]);
    assert_eq!((code, all.len()), (1, 2));
    assert!(all.iter().all(|row| row["state"] == "never" && row["installed"].is_string()), "{all:?}");
    let run = hookc(root, &["status"], "");
    assert!(run.out.contains("never (installed ") && run.err.contains("2 never called"), "{}", run.out);
    // What a person tries is no call of the agent.
    let flags = ["--event", "PreToolUse", "--tool", "Bash", "--input", "command=x"];
    let tried = hookc(root, &[&["run", "--host", "claude", "hooks.yaml"][..], &flags].concat(), "");
    assert!(tried.code == 0 && tried.out.contains("deny"), "{tried:?}");
    assert!(rows(root, &[]).1.iter().all(|row| row["state"] == "never" && row["calls"] == 0));
    let policy = root.join("hooks.yaml");
    for session in ["s1", "s2"] {
        hookc(root, &["run", "--host", "claude", policy.to_str().unwrap()], &event("PreToolUse", session));
    }
    let (code, all) = rows(root, &[]);
    let [tool, stop] = &all[..] else { panic!("{all:?}") };
    assert_eq!((code, &tool["state"], &stop["state"]), (1, &"called".into(), &"never".into()));
    assert_eq!(
        (&tool["calls"], &tool["calls_since_installed"], &tool["sessions"]),
        (&2.into(), &2.into(), &2.into())
    );
    assert_eq!((&tool["outcomes"]["deny"], &tool["last"]["session"]), (&2.into(), &"s2".into()));
    hookc(root, &["run", "--host", "claude", "hooks.yaml"], &event("Stop", "s2"));
    assert_eq!(rows(root, &[]).0, 0);
    assert_eq!(rows(root, &["--host", "gemini"]), (1, Vec::new()));
    // Installed again, it has not been called since.
    hookc(root, &["uninstall", "claude"], "");
    std::thread::sleep(std::time::Duration::from_millis(5));
    hookc(root, &["install", "claude", "hooks.yaml"], "");
    let (code, all) = rows(root, &[]);
    assert!(code == 1 && all[0]["state"] == "never" && all[0]["calls"] == 2, "{all:?}");
}

#[test]
fn events_of_other_agents_and_their_options() {
    let project = project();
    let root = project.path();
    assert_eq!(hookc(root, &["install", "gemini", "hooks.yaml"], "").code, 0);
    hookc(root, &["run", "--host", "gemini", "hooks.yaml"], &event("BeforeTool", "g"));
    let (_, all) = rows(root, &["--host", "gemini"]);
    let tool = all.iter().find(|row| row["event"] == "BeforeTool").unwrap();
    assert_eq!((&tool["state"], &tool["last"]["session"]), (&"called".into(), &"g".into()));
    // Another agent that runs the hooks of this one.
    assert_eq!(hookc(root, &["install", "claude", "hooks.yaml"], "").code, 0);
    let foreign = r#"{"conversation_id": "c", "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {}}"#;
    hookc(root, &["run", "--host", "claude", "hooks.yaml"], foreign);
    let (_, all) = rows(root, &["--host", "claude"]);
    let tool = all.iter().find(|row| row["event"] == "PreToolUse").unwrap();
    assert_eq!((&tool["state"], &tool["last"]["session"]), (&"called".into(), &"c".into()));
    hookc(root, &["uninstall", "claude"], "");
    for (options, state, code) in [
        ("--no-log", "unlogged", 0),
        ("--log $ELSEWHERE/x.jsonl", "unknown", 1),
        ("--log log.jsonl", "never", 1),
    ] {
        let line = format!("cd . && hookc run --host claude {options} hooks.yaml");
        let handler = serde_json::json!({"type": "command", "command": line});
        put(
            root,
            ".claude/settings.json",
            serde_json::json!({"hooks": {"Stop": [{"hooks": [handler]}]}}).to_string(),
        );
        let (got, all) = rows(root, &["--host", "claude"]);
        assert_eq!((got, &all[0]["state"]), (code, &state.into()), "{options} {all:?}");
    }
    hookc(root, &["run", "--host", "claude", "--log", "log.jsonl", "hooks.yaml"], &event("Stop", "s"));
    assert_eq!(rows(root, &["--host", "claude"]).0, 0);
    std::fs::rename(root.join("log.jsonl"), root.join("log.1")).unwrap();
    let (code, all) = rows(root, &["--host", "claude"]);
    assert!(code == 1 && all[0]["notes"][0].as_str().unwrap().contains("does not exist"), "{all:?}");
    assert_eq!(rows(root, &["--host", "claude", "--log", "log.1"]).0, 0);
    put(root, ".claude/settings.json", "{");
    assert_eq!(rows(root, &["--host", "claude"]).0, 1);
}

#[test]
fn logs_of_other_users() {
    let project = project();
    let root = project.path();
    hookc(root, &["install", "claude", "hooks.yaml"], "");
    let policy = root.join("hooks.yaml").canonicalize().unwrap();
    let line = |session: &str, outcome: &str| {
        serde_json::json!({"time": "2999-01-01T00:00:00.000Z", "host": "claude", "session": session,
            "policies": [policy], "event": "Stop", "outcome": outcome, "hooks": []})
        .to_string()
            + "\n"
    };
    let evil = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}";
    let mut log = line(evil, evil);
    log.push_str("text\n{\"time\": 1}\n\0\0\n{\"time\":\"9\",\"host\":\"claude\",\"outcome\":\"x\"}\n");
    for number in 0..100 {
        log.push_str(&line(&format!("s{number}"), &format!("o{number}")));
    }
    log.push_str("{\"time\":\"2026-11-22T00:00:00.000Z\",\"host\":\"cla");
    put(root, "state/hookc/decisions.jsonl", &log);
    let run = hookc(root, &["status"], "");
    let shown = format!("{}{}", run.out, run.err);
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{shown}");
    assert!(shown.contains("4 lines of"), "{shown}");
    let (_, all) = rows(root, &[]);
    let stop = all.iter().find(|row| row["event"] == "Stop").unwrap();
    assert_eq!((&stop["calls"], &stop["sessions"]), (&101.into(), &101.into()));
    assert!(stop["outcomes"].as_object().unwrap().len() <= 33, "{stop}");
    std::fs::remove_file(root.join("state/hookc/decisions.jsonl")).unwrap();
    std::fs::create_dir(root.join("state/hookc/decisions.jsonl")).unwrap();
    let (code, all) = rows(root, &[]);
    assert!(code == 1 && all[0]["state"] == "unknown", "{all:?}");
}

#[test]
fn calls_in_codex_config_toml() {
    let project = project();
    let root = project.path();
    let call = "hookc run --host codex hooks.yaml";
    let toml = format!(
        "model = \"m\"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"{call}\"\n"
    );
    put(&project, ".codex/config.toml", &toml);
    put(&project, "home/.codex/config.toml", "[hooks.state.x]\nenabled = true\n");
    let (code, all) = rows(root, &[]);
    assert_eq!((code, all.len()), (1, 1), "{all:?}");
    assert_eq!((&all[0]["host"], &all[0]["event"]), (&"codex".into(), &"Stop".into()));
    assert_eq!((&all[0]["scope"], &all[0]["state"]), (&"project".into(), &"never".into()));
    assert!(all[0]["place"].as_str().unwrap().ends_with(".codex/config.toml:5:11"), "{all:?}");
    assert_eq!(hookc(root, &["run", "--host", "codex", "hooks.yaml"], &event("Stop", "s")).code, 0);
    assert_eq!(rows(root, &[]).1[0]["state"], "called");
    // Lines without policies are noted for the calls that they may be of.
    let log = root.join("state/hookc/decisions.jsonl");
    let line = std::fs::read_to_string(&log).unwrap().lines().next().unwrap().to_owned();
    let mut line: Value = serde_json::from_str(&line).unwrap();
    line.as_object_mut().unwrap().remove("policies");
    for (host, noted) in [("codex", true), ("mine", false)] {
        line["host"] = host.into();
        std::fs::write(&log, format!("{line}\n")).unwrap();
        let out = hookc(root, &["status"], "").out;
        assert_eq!(out.contains("1 line of"), noted, "{out}");
    }
}
