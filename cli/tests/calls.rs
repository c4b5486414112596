//! Calls of `hookc run` in settings: those that start themselves, invalid ones, and their owner.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use common::{HOOKC, Run, put, read};
use serde_json::{Value, json};

const POLICY: &str = "hooks: [{id: s, event: Stop, action: {type: deny, reason: go on}}]\n";
const CLAUDE: &str = ".claude/settings.json";

/// A user with a home directory, a project in it, and `hookc` on PATH.
struct Person {
    home: tempfile::TempDir,
}

impl Person {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        put(&home, "proj/policy.yaml", POLICY);
        fs::create_dir(home.path().join("bin")).unwrap();
        symlink(HOOKC, home.path().join("bin/hookc")).unwrap();
        Self { home }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Calls a program in a directory of the home directory.
    fn call(&self, program: &Path, folder: &str, args: &[&str], env: &[(&str, &str)]) -> Run {
        let mut command = common::program(program, self.at(folder));
        command.args(args).env("HOME", self.home.path()).env("XDG_STATE_HOME", self.at("state"));
        for name in ["COPILOT_HOME", "HOOKC_WITHIN"] {
            command.env_remove(name);
        }
        command.env("PATH", format!("{}:/usr/bin:/bin", self.at("bin").display())).envs(env.iter().copied());
        common::run(&mut command, "")
    }

    fn hookc(&self, folder: &str, args: &[&str]) -> Run {
        self.call(&self.at("bin/hookc"), folder, args, &[])
    }

    /// The findings of `doctor` in a directory: whether a hook is dead, and the message.
    fn doctor(&self, folder: &str, args: &[&str], env: &[(&str, &str)]) -> Vec<(bool, String)> {
        let args = [&["doctor", "--format", "json"], args].concat();
        let run = self.call(&self.at("bin/hookc"), folder, &args, env);
        assert!(run.code < 2, "{}", run.err);
        let told = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        told.map(|one| (one["dead"] == true, one["what"].as_str().unwrap().to_owned())).collect()
    }

    /// A command under `Stop` in the project's settings.
    fn command(&self, line: &str) -> Vec<(bool, String)> {
        put(&self.home, "proj/.claude/settings.json", settings(line));
        self.doctor("proj", &[CLAUDE], &[])
    }
}

fn settings(line: &str) -> String {
    json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}).to_string()
}

fn dead(what: &str) -> Vec<(bool, String)> {
    vec![(true, what.to_owned())]
}

#[test]
fn a_handler_that_is_the_same_call_again() {
    let person = Person::new();
    let policy =
        settings("echo >>calls; [ $(wc -l <calls) -gt 9 ] || exec hookc run --host claude loop.json");
    put(&person.home, "proj/loop.json", policy);
    let mut command = common::program(person.at("bin/hookc"), person.at("proj"));
    command.args(["run", "--host", "claude", "--no-log", "loop.json"]).env_remove("HOOKC_WITHIN");
    command.env("PATH", format!("{}:/usr/bin:/bin", person.at("bin").display()));
    command.env("XDG_STATE_HOME", person.at("state"));
    let run = common::run(&mut command, r#"{"hook_event_name":"Stop","stop_hook_active":false}"#);
    assert_eq!(read(&person.home, "proj/calls"), "\n", "once: {run:?}");
    assert!(run.out.contains("never end") || run.err.contains("never end"), "{run:?}");
    assert!(run.code == 2 || run.out.contains("\"block\""), "{run:?}");
}

#[test]
fn a_guard_of_an_ability_that_calls_the_ability() {
    let person = Person::new();
    let again = "hookc ability run --ability a --source manual_cli --policy guard.yaml -- true";
    let line = format!("echo >>calls; [ $(wc -l <calls) -gt 9 ] || exec {again}");
    let policy = json!({"hooks": [{"id": "g", "event": "PreAbilityCall",
        "action": {"type": "run", "result": "signals", "command": line}}]});
    put(&person.home, "proj/guard.yaml", policy.to_string());
    let run = person.hookc("proj", &again.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(read(&person.home, "proj/calls"), "\n", "{run:?}");
    assert_ne!(run.code, 0);
}

#[test]
fn settings_cannot_be_their_own_policy() {
    let person = Person::new();
    put(&person.home, "proj/.claude/settings.json", POLICY_IN_SETTINGS);
    for policy in [".claude/settings.json", "../proj/.claude/settings.json", ".claude", "."] {
        let run = person.hookc("proj", &["install", "claude", policy]);
        assert!(run.code == 2 && run.err.contains("start itself"), "{policy}: {run:?}");
        assert_eq!(read(&person.home, "proj/.claude/settings.json"), POLICY_IN_SETTINGS);
    }
    assert_eq!(person.command("hookc run --host claude .claude/settings.json"), dead("calls-itself"));
    assert_eq!(person.command("hookc run --host claude \"$CLAUDE_PROJECT_DIR\""), dead("calls-itself"));
}

const POLICY_IN_SETTINGS: &str =
    r#"{"hooks": {"Stop": [{"id": "x", "action": {"type": "deny", "reason": "no"}}]}}"#;

#[test]
fn next_steps_of_new_hook_work() {
    let person = Person::new();
    let args = [
        "new",
        "hook",
        "--dialect",
        "settings",
        "--id",
        "guard",
        "--event",
        "PreToolUse",
        "--action",
        "deny",
        "--when",
        "tool_input.command contains 'rm -rf'",
        "--format",
        "json",
    ];
    let run = person.hookc("proj", &args);
    let told: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    let next = told["next"].as_array().unwrap().iter().filter_map(Value::as_str);
    let install =
        next.clone().find_map(|next| next.split('`').find(|code| code.starts_with("hookc install")));
    let install = install.unwrap_or_else(|| panic!("{told}"));
    assert_eq!(install, "hookc install claude .hooks/guard.json");
    let run = person.hookc("proj", &install.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(person.doctor("proj", &[], &[]), []);
}

#[test]
fn calls_that_hookc_does_not_take() {
    let person = Person::new();
    for line in [
        "hookc run --host claude --bogus policy.yaml",
        "hookc run --host claude --on-failure opne policy.yaml",
        "hookc run policy.yaml",
        "hookc rnu --host claude policy.yaml",
        "hookc run --host claude --bogus policy.yaml 2>/dev/null",
        "A=1 exec hookc run --host claude --bogus policy.yaml || true",
    ] {
        assert_eq!(person.command(line), dead("wrong-call"), "{line}");
    }
    for (line, what) in [
        ("hookc run --host claude --layer managed=gone.yaml policy.yaml", "missing-policy"),
        ("hookc run --host claude --layer mangaed=policy.yaml policy.yaml", "broken-policy"),
        ("hookc run --host claude --dialect nonsense policy.yaml", "broken-policy"),
        ("hookc run --host claude --event PreToolUse policy.yaml", "wrong-event"),
        ("HOOKC_DISABLE=1 hookc run --host claude policy.yaml", "switched-off"),
    ] {
        assert_eq!(person.command(line), dead(what), "{line}");
    }
    put(&person.home, "proj/other.yaml", POLICY.replace("Stop", "SessionEnd").replace("id: s", "id: e"));
    // Nothing calls hookc for `SessionEnd`.
    let both = "hookc run --host claude --layer managed=policy.yaml other.yaml";
    assert_eq!(person.command(both), dead("not-called"));
    for line in [
        "hookc run --host claude policy.yaml 2>>log",
        "hookc run --host claude $OPTIONS policy.yaml",
        "hookc run --host claude $(ls policy.yaml)",
        "hookc check policy.yaml",
        "hookc --version",
    ] {
        assert_eq!(person.command(line), [], "{line}");
    }
    let idle = person.command("hookc run --host claude other.yaml");
    assert_eq!(idle, [dead("idle-call"), dead("not-called")].concat());
}

#[test]
fn a_binary_of_another_name() {
    let person = Person::new();
    let own = person.at("hookc-0.1");
    hookc_corpus::write_program(&own, &fs::read(HOOKC).unwrap()).unwrap();
    for _ in 0..2 {
        assert_eq!(person.call(&own, "proj", &["install", "claude", "policy.yaml"], &[]).code, 0);
    }
    let there = read(&person.home, "proj/.claude/settings.json");
    assert_eq!(there.matches("hookc-0.1 run").count(), 1, "{there}");
    assert_eq!(person.doctor("proj", &[CLAUDE], &[]), []);
    assert_eq!(person.hookc("proj", &["uninstall", "claude"]).code, 0);
    assert_eq!(read(&person.home, "proj/.claude/settings.json"), "{}\n");
}

#[test]
fn in_the_home_folder_paths_are_whole() {
    let person = Person::new();
    put(&person.home, "policy.yaml", POLICY);
    for (host, file) in
        [("claude", CLAUDE), ("gemini", ".gemini/settings.json"), ("cursor", ".cursor/hooks.json")]
    {
        let run = person.hookc(".", &["install", host, "policy.yaml"]);
        assert_eq!(run.code, 0, "{run:?}");
        let there = read(&person.home, file);
        let whole = person.home.path().canonicalize().unwrap().join("policy.yaml");
        assert!(there.contains(whole.to_str().unwrap()), "{there}");
        assert_eq!(person.doctor("proj", &[&format!("../{file}")], &[]), [], "{host}");
    }
    for policy in ["\"$CLAUDE_PROJECT_DIR/policy.yaml\"", "policy.yaml"] {
        put(&person.home, CLAUDE, settings(&format!("hookc run --host claude {policy}")));
        assert_eq!(person.doctor("proj", &[], &[]), dead("project-path"), "{policy}");
    }
    for line in ["\"$CLAUDE_PROJECT_DIR\"/x.sh", "sh scripts/x.sh"] {
        put(&person.home, CLAUDE, settings(line));
        assert_eq!(person.doctor("proj", &[], &[]), [(false, "project-path".to_owned())], "{line}");
    }
}

#[test]
fn moved_settings_and_their_siblings() {
    let person = Person::new();
    let gone = settings("/gone/x.sh");
    put(&person.home, "moved/settings.json", &gone);
    put(&person.home, "moved/hooks.json", &gone);
    let copilot = r#"{"version": 1, "hooks": {"agentStop": [{"type": "command", "bash": "/gone/x.sh"}]}}"#;
    put(&person.home, "moved/hooks/mine.json", copilot);
    put(&person.home, ".copilot/hooks/mine.json", copilot);
    let moved = person.at("moved");
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"] {
        let found = person.doctor("proj", &[], &[(name, moved.to_str().unwrap())]);
        // Copilot CLI reads hooks in `settings.json` too, also in the form that the file has.
        assert_eq!(found, [dead("missing-file"), dead("missing-file")].concat(), "{name}");
    }
    assert_eq!(person.doctor("proj", &[], &[]), dead("missing-file"));
}

#[test]
fn hooks_that_are_off_or_cannot_be_read() {
    let person = Person::new();
    let off = [("HOOKC_DISABLE", "1")];
    assert_eq!(person.doctor("proj", &[], &off), dead("switched-off"));
    let mut text: Value = serde_json::from_str(&settings("hookc run --host claude policy.yaml")).unwrap();
    text["env"] = json!({"HOOKC_DISABLE": "1"});
    put(&person.home, "proj/.claude/settings.json", text.to_string());
    assert_eq!(person.doctor("proj", &[], &[]), dead("switched-off"));
    fs::remove_file(person.at("proj/.claude/settings.json")).unwrap();
    fs::create_dir(person.at("proj/.claude/settings.json")).unwrap();
    assert_eq!(person.doctor("proj", &[], &[]), dead("unreadable"));
    assert_eq!(person.doctor("proj", &[CLAUDE], &[]), dead("unreadable"));
    fs::remove_dir(person.at("proj/.claude/settings.json")).unwrap();
    symlink("gone.json", person.at("proj/.claude/settings.json")).unwrap();
    assert_eq!(person.doctor("proj", &[], &[]), dead("unreadable"));
    let run = person.hookc("proj", &["install", "claude", "policy.yaml"]);
    assert!(run.code == 2 && run.err.contains("symbolic link is broken"), "{run:?}");
    fs::remove_file(person.at("proj/.claude/settings.json")).unwrap();
    symlink("gone.yaml", person.at("proj/link.yaml")).unwrap();
    put(&person.home, "proj/.claude/settings.json", settings("/gone"));
    assert_eq!(person.doctor("proj", &[], &[]), [dead("missing-file"), dead("unreadable")].concat());
}

/// Root can read such a directory, so there is nothing to find.
#[test]
fn an_unreadable_directory_is_reported_and_skipped() {
    let person = Person::new();
    put(&person.home, "proj/.claude/settings.json", settings("/gone"));
    let closed = person.at("proj/closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let all = fs::read_dir(&closed).is_ok();
    let found = person.doctor("proj", &[], &[]);
    let told = if all { Vec::new() } else { vec![(false, "unreadable".to_owned())] };
    assert_eq!(found, [dead("missing-file"), told].concat());
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}
