//! `install` and `uninstall`: settings files, byte for byte.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{HOOKC, Run};
use serde_json::Value;

const POLICY: &str = "
hooks:
  - {id: a, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: no}}
  - {id: b, event: Stop, action: {type: allow}}
";

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A directory with a policy, and `hookc` in a directory of PATH.
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.put("hooks.yaml", POLICY);
        fs::create_dir_all(project.path("bin")).unwrap();
        std::os::unix::fs::symlink(HOOKC, project.path("bin/hookc")).unwrap();
        // A login shell finds it too.
        let profile = format!("PATH='{}'\n", project.path("bin").display());
        project.put("home/.profile", &profile);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        common::put(&self.folder, name, text);
    }

    fn get(&self, name: &str) -> String {
        common::read(&self.folder, name)
    }

    fn hookc(&self, args: &[&str]) -> Run {
        let mut command = common::program(self.path("bin/hookc"), &self.folder);
        command.args(args).env("PATH", self.path("bin")).env("HOME", self.path("home"));
        common::run(&mut command, "")
    }

    fn done(&self, args: &[&str]) {
        let got = self.hookc(args);
        assert_eq!(got.code, 0, "{args:?}: {}", got.err);
    }
}

const CLAUDE: &str = ".claude/settings.json";

/// What a call has after its policy: its version, and at events that can be denied what denies without the program.
const SINCE: &str = concat!(" --since ", env!("CARGO_PKG_VERSION"));
const GUARD: &str = concat!(" --since ", env!("CARGO_PKG_VERSION"), " || exit 2");

/// `$` represents the call at an event that can be denied, `%` that at another one.
fn claude(text: &str) -> String {
    let call = |end: &str| {
        let line = format!(r#"hookc run --host claude \"=CLAUDE_PROJECT_DIR/hooks.yaml\"{end}"#);
        format!(r#"{{"type": "command", "command": "{line}"}}"#)
    };
    text.replace('$', &call(GUARD)).replace('%', &call(SINCE)).replace('=', "$")
}

/// The text with our calls; installing again does not change it, and uninstalling restores the
/// original.
fn round_trip(before: &str) -> String {
    let project = Project::new();
    project.put(CLAUDE, before);
    project.done(&["install", "claude", "hooks.yaml"]);
    let after = project.get(CLAUDE);
    assert_eq!(project.get(".claude/settings.json.bak"), before);
    project.done(&["install", "claude", "hooks.yaml"]);
    assert_eq!(project.get(CLAUDE), after, "a second time");
    assert!(!project.path(".claude/settings.json.bak2").exists());
    project.done(&["uninstall", "claude"]);
    assert_eq!(project.get(CLAUDE), before, "taken out of\n{after}");
    after
}

#[test]
fn a_file_that_is_not_there() {
    let project = Project::new();
    project.done(&["install", "claude", "hooks.yaml"]);
    let entry = |event: &str, end: &str| {
        let command = format!(r#"hookc run --host claude \"$CLAUDE_PROJECT_DIR/hooks.yaml\"{end}"#);
        format!(
            "    \"{event}\": [\n      {{\n        \"hooks\": [\n          {{\n            \"type\": \"command\",\n            \
             \"command\": \"{command}\"\n          }}\n        ]\n      }}\n    ]"
        )
    };
    let entries = [entry("PreToolUse", GUARD), entry("Stop", SINCE)].join(",\n");
    let expected = format!("{{\n  \"hooks\": {{\n{entries}\n  }}\n}}\n");
    assert_eq!(project.get(CLAUDE), expected);
    project.done(&["uninstall", "claude"]);
    assert_eq!(project.get(CLAUDE), "{}\n");
    project.put(".claude/settings.local.json", "");
    project.done(&["install", "claude", "hooks.yaml", "--scope", "local"]);
    assert_eq!(project.get(".claude/settings.local.json"), expected);
    project.done(&["install", "claude", "hooks.yaml", "--scope", "user"]);
    assert!(project.get("home/.claude/settings.json").contains(project.path("hooks.yaml").to_str().unwrap()));
}

#[test]
fn comments_order_and_layout_stay() {
    let before = "// mine\n{\n    // first\n    \"model\": \"opus\", // why\n    \"hooks\": {\n        \"Stop\": [\n            \
                  {\"hooks\": [{\"type\": \"command\", \"command\": \"make\"}]} // theirs\n        ]\n        /* more */\n    \
                  },\n    \"z\": [1,\n  2]\n}\n";
    let after = round_trip(before);
    assert!(
        after.starts_with("// mine\n{\n    // first\n    \"model\": \"opus\", // why\n    \"hooks\": {\n"),
        "{after}"
    );
    assert!(
        after.contains("\"make\"}]}, // theirs\n            {\n                \"hooks\": [\n"),
        "{after}"
    );
    assert!(after.contains("        ],\n        \"PreToolUse\": [\n            {\n"), "{after}");
    assert!(after.ends_with("        ]\n        /* more */\n    },\n    \"z\": [1,\n  2]\n}\n"), "{after}");
}

#[test]
fn line_ends_tabs_and_no_last_line_end() {
    let after = round_trip("{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}");
    assert!(
        after.starts_with(
            "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t},\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n"
        ),
        "{after:?}"
    );
    assert!(after.ends_with("\r\n\t}\r\n}"), "{after:?}");
    assert!(!after.replace("\r\n", "").contains(['\r', '\n']), "{after:?}");
}

#[test]
fn one_line() {
    let after = round_trip("{\"a\": 1, \"hooks\": {\"Stop\": [{\"hooks\": []}]}}");
    let expected = claude(
        "{\"a\": 1, \"hooks\": {\"Stop\": [{\"hooks\": []}, {\"hooks\": [%]}], \"PreToolUse\": [ {\"hooks\": [$]} ]}}",
    );
    assert_eq!(after, expected);
    let after = round_trip("{\"a\":1}\n");
    assert!(after.starts_with("{\"a\":1, \"hooks\": { \"PreToolUse\": [ {\"hooks\": [{\"type\""), "{after}");
}

#[test]
fn empty_values_stay_empty() {
    for before in [
        "{}",
        "{}\n",
        "{\n  // nothing yet\n}\n",
        "{\"hooks\": {}}",
        "{\n  \"hooks\": {}\n}\n",
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\n  \"hooks\": {\"Stop\": []}\n}\n",
        "{\n  \"hooks\": {\n    \"Stop\": [ ], // none\n    \"PreToolUse\": [ // none\n    ],\n  },\n}\n",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"matcher\": \"\", \"hooks\": []},\n    ],\n  },\n}\n",
        "\u{feff}{\n  \"a\": [] // x\n}\n",
        "{\n  \"a\": \"\\ud83d\\ude00 // no comment\" /* é */ // x\n\n}\n",
    ] {
        round_trip(before);
    }
}

#[test]
fn text_that_is_not_json_is_unchanged() {
    for (text, told) in [
        ("{\"a\": 1,, }", "E0108"),
        ("{\"hooks\": []}", "E0203"),
        ("[]", "E0203"),
        ("{\"hooks\": {\"Stop\": {}}}", "E0203"),
        ("model: opus\n", "E0108"),
    ] {
        let project = Project::new();
        project.put(CLAUDE, text);
        let got = project.hookc(&["install", "claude", "hooks.yaml"]);
        assert!(got.code == 1 && got.err.contains(told), "{text}: {}", got.err);
        assert_eq!(project.get(CLAUDE), text);
        assert!(!project.path(".claude/settings.json.bak").exists());
    }
    let project = Project::new();
    project.put(CLAUDE, "{ no");
    assert_eq!(project.hookc(&["uninstall", "claude"]).code, 1);
    fs::write(project.path(CLAUDE), b"{\"a\": \"\xff\"}").unwrap();
    assert_eq!(project.hookc(&["install", "claude", "hooks.yaml"]).code, 1);
}

#[test]
fn a_dry_run_changes_nothing() {
    let project = Project::new();
    project.put(CLAUDE, "{\n  \"a\": 1\n}\n");
    let got = project.hookc(&["install", "claude", "hooks.yaml", "--dry-run", "--event", "Stop"]);
    let diff = "--- .claude/settings.json\n+++ .claude/settings.json\n@@ -1,3 +1,15 @@\n {\n-  \"a\": 1\n+  \"a\": 1,\n+  \"hooks\": {\n";
    assert!(got.code == 0 && got.out.starts_with(diff), "{}", got.out);
    assert_eq!(project.get(CLAUDE), "{\n  \"a\": 1\n}\n");
    assert!(!project.path(".claude/settings.json.bak").exists());
    let got = project.hookc(&["install", "gemini", "hooks.yaml", "--dry-run"]);
    assert!(got.code == 0 && got.out.contains("+        \"hooks\""), "{}", got.out);
    assert!(!project.path(".gemini").exists());
    project.done(&["install", "claude", "hooks.yaml"]);
    let there = project.get(CLAUDE);
    let got = project.hookc(&["uninstall", "claude", "--dry-run"]);
    assert!(got.out.contains("-  \"hooks\": {"), "{}", got.out);
    assert_eq!(project.get(CLAUDE), there);
}

#[test]
fn events_follow_the_policy() {
    let project = Project::new();
    project.put("other.yaml", "hooks: [{event: Notification, action: {type: allow}}]\n");
    project.done(&["install", "claude", "other.yaml"]);
    let other = project.get(CLAUDE);
    project.done(&["install", "claude", "hooks.yaml"]);
    let both = project.get(CLAUDE);
    project.put("hooks.yaml", &POLICY.replace("event: Stop", "event: SessionStart"));
    project.done(&["install", "claude", "hooks.yaml"]);
    let events = |text: &str| -> Vec<String> {
        let value: Value = serde_json::from_str(text).unwrap();
        value["hooks"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(events(&both), ["Notification", "PreToolUse", "Stop"]);
    assert_eq!(events(&project.get(CLAUDE)), ["Notification", "PreToolUse", "SessionStart"]);
    // Options that the user added stay; another program's path is corrected.
    let own = project.get(CLAUDE).replace("--host claude \\\"", "--host claude --on-failure open \\\"");
    project.put(CLAUDE, &own);
    project.done(&["install", "claude", "hooks.yaml"]);
    assert_eq!(project.get(CLAUDE), own);
    project.put(CLAUDE, &own.replace("\"hookc run", "\"/gone/hookc run"));
    project.done(&["install", "claude", "hooks.yaml"]);
    assert_eq!(project.get(CLAUDE).matches("\"hookc run").count(), 2);
    assert_eq!(project.get(CLAUDE).matches("/gone/hookc run").count(), 1, "that of the other policy");
    project.put(CLAUDE, &other);
    project.done(&["uninstall", "claude"]);
    assert_eq!(project.get(CLAUDE), "{}\n");
}

#[test]
fn only_our_entries_are_removed() {
    let project = Project::new();
    let theirs = "{\"hooks\": {\"Stop\": [{\"matcher\": \"x\", \"hooks\": [\n  {\"type\": \"command\", \"command\": \"a\"},\n  $,\n  \
                  {\"type\": \"command\", \"command\": \"hookc run --host gemini p\"}\n]}, $,\n {\"type\": \"command\", \
                  \"command\": \"hookc run --host claude p | tee x\"}]}}";
    project.put(CLAUDE, &claude(theirs));
    project.done(&["uninstall", "claude"]);
    assert_eq!(project.get(CLAUDE), theirs.replace("\n  $,", "").replace(" $,", ""));
}

/// Agents that silently ignore hooks until they are trusted.
#[test]
fn required_trust_is_reported() {
    let project = Project::new();
    let said = |args: &[&str]| project.hookc(&[&["install"], args, &["hooks.yaml"]].concat()).err;
    assert!(said(&["codex"]).ends_with("trust the hooks; until then it ignores them\n"));
    assert!(said(&["codex", "--scope", "user"]).contains("trust the hooks"));
    assert!(said(&["copilot"]).contains("trust the directory (with `-p`: `--trust-folder`)"));
    for args in [&["copilot", "--scope", "user"][..], &["claude"], &["gemini"], &["codex"]] {
        assert!(!said(args).contains("trust"), "{args:?}");
    }
}

/// A service without hookc runs the hooks of a repository too.
#[test]
fn the_cloud_agent_of_copilot() {
    let project = Project::new();
    let got = project.hookc(&["install", "copilot", "hooks.yaml"]);
    assert!(got.code == 0 && format!("{}{}", got.out, got.err).contains("`--cloud`"), "{got:?}");
    project.done(&["uninstall", "copilot"]);
    project.done(&["install", "copilot", "hooks.yaml", "--cloud"]);
    let settings: Value = serde_json::from_str(&project.get(".github/hooks/hookc.json")).unwrap();
    let line = settings["hooks"]["preToolUse"][0]["bash"].as_str().unwrap().to_owned();
    assert!(line.contains("COPILOT_AGENT_PROMPT") && line.contains("command -v hookc"), "{line}");
    // Where the program is absent, the call passes there, and only there.
    let shell = |path: &str, cloud: bool| {
        let mut command = std::process::Command::new("/bin/sh");
        command.args(["-c", &line]).env_clear().env("PATH", path).current_dir(project.folder.path());
        command.env("HOME", project.path("home")).stdin(std::process::Stdio::null());
        if cloud {
            command.env("COPILOT_AGENT_PROMPT", "do it");
        }
        command.output().unwrap()
    };
    let bin = project.path("bin").display().to_string();
    assert_eq!(shell("/nowhere", true).status.code(), Some(0));
    assert!(String::from_utf8_lossy(&shell("/nowhere", true).stderr).contains("without the policy"));
    assert_ne!(shell("/nowhere", false).status.code(), Some(0));
    // An event that cannot be read is denied.
    assert_ne!(shell(&bin, true).status.code(), Some(0));
    let again = project.hookc(&["install", "copilot", "hooks.yaml", "--cloud"]);
    assert!(format!("{}{}", again.out, again.err).contains("already"), "{again:?}");
    project.done(&["uninstall", "copilot"]);
    assert!(!project.path(".github/hooks/hookc.json").exists());
    for (args, why) in [
        (["install", "claude", "hooks.yaml", "--cloud"], "no cloud agent"),
        (["install", "vscode", "hooks.yaml", "--dry-run"], "use `copilot`"),
    ] {
        let got = project.hookc(&args);
        assert!(got.code == 2 && got.err.contains(why), "{got:?}");
    }
}

/// Codex CLI cuts longer timeouts at some events, with a warning at each start.
#[test]
fn a_timeout_that_the_agent_cuts() {
    let project = Project::new();
    project.put(
        "hooks.yaml",
        "hooks: [{event: [SessionEnd, PreToolUse], action: {type: run, command: 'true', timeout: 0.5}}]",
    );
    project.done(&["install", "codex", "hooks.yaml", "--timeout", "30"]);
    let settings: Value = serde_json::from_str(&project.get(".codex/hooks.json")).unwrap();
    let timeout = |event: &str| settings["hooks"][event][0]["hooks"][0]["timeout"].clone();
    assert_eq!((timeout("SessionEnd"), timeout("PreToolUse")), (3.into(), 30.into()));
    let keys: Vec<&String> = settings.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hooks"]);
    // A guard in a file that the agent ignores would be dead.
    let ignored = r#"{"$schema": "x", "hooks": {}}"#;
    project.put(".codex/hooks.json", ignored);
    let got = project.hookc(&["install", "codex", "hooks.yaml"]);
    assert!(got.code == 1 && got.err.contains("ignores a file with the key `$schema`"), "{got:?}");
    assert_eq!(project.get(".codex/hooks.json"), ignored);
}

#[test]
fn other_hosts() {
    let entry = |project: &Project, file: &str, event: &str| -> Value {
        let value: Value = serde_json::from_str(&project.get(file)).unwrap();
        value["hooks"][event][0].clone()
    };
    let project = Project::new();
    for (host, file, event, expected) in [
        (
            "gemini",
            ".gemini/settings.json",
            "BeforeTool",
            "{'hooks':[{'name':'hookc','type':'command','command':'hookc run --host gemini hooks.yaml $','timeout':9000}]}",
        ),
        (
            "cursor",
            ".cursor/hooks.json",
            "preToolUse",
            "{'command':'hookc run --host cursor hooks.yaml $','timeout':9,'failClosed':true}",
        ),
        (
            "copilot",
            ".github/hooks/hookc.json",
            "agentStop",
            "{'type':'command','bash':'hookc run --host copilot --event agentStop --project . hooks.yaml %','timeoutSec':9}",
        ),
    ] {
        project.done(&["install", host, "hooks.yaml", "--timeout", "9"]);
        let expected = expected.replace('\'', "\"").replace(" %", SINCE).replace(" $", GUARD);
        assert_eq!(entry(&project, file, event).to_string(), expected);
        let there = project.get(file);
        project.done(&["install", host, "hooks.yaml", "--timeout", "9"]);
        assert_eq!(project.get(file), there);
        project.done(&["uninstall", host]);
        assert_eq!(project.path(file).exists(), host == "gemini", "{host}");
    }
    // A call of an earlier version, which the agent ignored if it failed.
    let open =
        r#"{"version": 1, "hooks": {"preToolUse": [{"command": "hookc run --host cursor hooks.yaml"}]}}"#;
    project.put(".cursor/hooks.json", open);
    let doctor = project.hookc(&["doctor"]);
    assert!(doctor.out.contains("odd[fails-open]: Cursor lets the action pass"), "{}", doctor.out);
    project.done(&["install", "cursor", "hooks.yaml"]);
    let expected = format!(r#"{{"command":"hookc run --host cursor hooks.yaml{GUARD}","failClosed":true}}"#);
    assert_eq!(entry(&project, ".cursor/hooks.json", "preToolUse").to_string(), expected);
    assert!(!project.hookc(&["doctor"]).out.contains("fails-open"));
    project.put(".cursor/hooks.json", &open.replace("yaml\"", "yaml\", \"failClosed\": false"));
    project.done(&["install", "cursor", "hooks.yaml"]);
    let expected = expected.replace("true", "false");
    assert_eq!(entry(&project, ".cursor/hooks.json", "preToolUse").to_string(), expected);
    fs::remove_file(project.path(".cursor/hooks.json")).unwrap();
    project.done(&["install", "codex", "hooks.yaml", "--event", "Stop"]);
    let command = entry(&project, ".codex/hooks.json", "Stop")["hooks"][0]["command"].clone();
    let folder = project.folder.path().canonicalize().unwrap();
    let command = command.as_str().unwrap();
    assert!(
        command.ends_with(&format!("/hooks.yaml{SINCE}"))
            && command.contains(&format!(" --project {} {}/", folder.display(), folder.display())),
        "{command}"
    );
    project.done(&["install", "cursor", "hooks.yaml", "--event", "beforeShellExecution"]);
    assert!(
        project
            .get(".cursor/hooks.json")
            .starts_with("{\n  \"version\": 1,\n  \"hooks\": {\n    \"beforeShellExecution\": [\n      {")
    );
    let got = project.hookc(&["install", "flat", "hooks.yaml"]);
    assert!(got.code == 0 && got.out.contains("hookc run --host flat "), "{got:?}");
}

#[test]
fn paths_are_quoted() {
    let project = Project::new();
    project.put("my policies/it's $5.yaml", POLICY);
    project.done(&["install", "cursor", "my policies/it's $5.yaml"]);
    let value: Value = serde_json::from_str(&project.get(".cursor/hooks.json")).unwrap();
    let command = value["hooks"]["stop"][0]["command"].as_str().unwrap();
    assert_eq!(command, format!("hookc run --host cursor 'my policies/it'\\''s $5.yaml'{SINCE}"));
    let mut shell = common::program("/bin/sh", &project.folder);
    shell.args(["-c", &format!("{command} --no-log")]).env("PATH", project.path("bin"));
    let run = common::run(&mut shell, "{\"hook_event_name\":\"stop\"}\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn wrong_usage_is_reported() {
    let project = Project::new();
    project.put("thread.yaml", "hooks: [{event: error, action: {type: fail}}]\n");
    project.put("bad.yaml", "hooks: [{event: error}]\n");
    for (args, code, told) in [
        (&["install", "cloude", "hooks.yaml"][..], 2, "did you mean `claude`"),
        (&["install", "claude", "gone.yaml"], 2, "gone.yaml"),
        (&["install", "claude", "bad.yaml"], 1, "E0202"),
        (&["install", "claude", "thread.yaml"], 1, "no hook for an event of Claude Code"),
        (&["install", "claude", "hooks.yaml", "--event", "Stopp"], 2, "did you mean `Stop`"),
        (&["install", "claude", "hooks.yaml", "--event", "SessionEnd"], 2, "no hook for `SessionEnd`"),
        (&["install", "codex", "hooks.yaml", "--scope", "local"], 2, "personal settings"),
        (&["install", "claude", "-"], 2, "name a file"),
        (&["uninstall", "flat"], 2, "flat"),
        (&["uninstall", "claude"], 0, "does not exist"),
    ] {
        let got = project.hookc(args);
        assert!(got.code == code && got.err.contains(told), "{args:?}: {} {}", got.code, got.err);
        assert!(!project.path(".claude").exists(), "{args:?}");
    }
}

#[test]
fn backups_of_others_stay() {
    let project = Project::new();
    project.put(CLAUDE, "{}\n");
    project.put(".claude/settings.json.bak", "mine\n");
    project.done(&["install", "claude", "hooks.yaml"]);
    assert_eq!(project.get(".claude/settings.json.bak"), "mine\n");
    assert_eq!(project.get(".claude/settings.json.bak2"), "{}\n");
}

/// Published settings: install and uninstall restores the same bytes.
#[test]
fn wild_settings_come_back() {
    let Some(shared) = hookc_corpus::shared() else { return };
    let project = Project::new();
    let mut seen = 0;
    let short = hookc_corpus::effort(1, 5);
    for path in wild(&shared.join("wild/claude")).into_iter().step_by(short) {
        let Ok(before) = fs::read_to_string(&path) else { continue };
        project.put(CLAUDE, &before);
        let got = project.hookc(&["install", "claude", "hooks.yaml"]);
        if got.code != 0 {
            assert!(got.code == 1 && got.err.contains("error"), "{}: {}", path.display(), got.err);
            assert_eq!(project.get(CLAUDE), before);
            continue;
        }
        let after = project.get(CLAUDE);
        assert_ne!(after, before, "{}", path.display());
        project.done(&["uninstall", "claude"]);
        assert_eq!(project.get(CLAUDE), before, "{}", path.display());
        fs::remove_dir_all(project.path(".claude")).unwrap();
        seen += 1;
    }
    assert!(seen > 50 / short, "{seen}");
}

fn wild(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn a_timeout_is_put_into_calls_that_are_there() {
    for (host, file, key, unit) in [
        ("claude", CLAUDE, "timeout", 1),
        ("gemini", ".gemini/settings.json", "timeout", 1000),
        ("copilot", ".github/hooks/hookc.json", "timeoutSec", 1),
    ] {
        let project = Project::new();
        project.done(&["install", host, "hooks.yaml"]);
        let before = project.get(file);
        for seconds in [30, 40] {
            project.done(&["install", host, "hooks.yaml", "--timeout", &seconds.to_string()]);
            let after = project.get(file);
            assert_eq!(after.matches(&format!("\"{key}\": {}", seconds * unit)).count(), 2, "{after}");
            assert_eq!(after.matches("hookc run").count(), 2, "{after}");
        }
        let timed = project.get(file);
        project.done(&["install", host, "hooks.yaml"]);
        assert_eq!(project.get(file), timed, "what is not said stays");
        assert_eq!(timed.lines().count(), before.lines().count() + 2);
    }
}

#[test]
fn whom_the_calls_ask() {
    let project = Project::new();
    project.done(&["install", "claude", "hooks.yaml", "--ask", "deny"]);
    let unattended = project.get(CLAUDE);
    assert_eq!(unattended.matches("--host claude --ask deny ").count(), 2, "{unattended}");
    project.done(&["install", "claude", "hooks.yaml"]);
    assert_eq!(project.get(CLAUDE), unattended, "what is not said stays");
    project.done(&["install", "claude", "hooks.yaml", "--ask", "user"]);
    let attended = project.get(CLAUDE);
    assert_eq!((attended.matches("--ask user ").count(), attended.matches("hookc run").count()), (2, 2));
    let wrong = project.hookc(&["install", "claude", "hooks.yaml", "--ask", "nobody"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}

#[test]
fn one_policy_by_several_paths() {
    let project = Project::new();
    let name = project.folder.path().file_name().unwrap().to_str().unwrap().to_owned();
    std::os::unix::fs::symlink("hooks.yaml", project.path("link.yaml")).unwrap();
    std::os::unix::fs::symlink(".", project.path("here")).unwrap();
    let whole = project.path("hooks.yaml");
    let paths = [
        "hooks.yaml",
        &format!("../{name}/hooks.yaml"),
        "here/hooks.yaml",
        "link.yaml",
        whole.to_str().unwrap(),
    ];
    for path in paths {
        project.done(&["install", "claude", path]);
        assert_eq!(project.get(CLAUDE).matches("$CLAUDE_PROJECT_DIR/hooks.yaml").count(), 2, "{path}");
        assert_eq!(project.get(CLAUDE).matches("hookc run").count(), 2, "{path}");
    }
}

#[test]
fn calls_at_once_lose_nothing() {
    let project = Project::new();
    for n in 0..8 {
        project.put(&format!("p{n}.yaml"), POLICY);
    }
    std::thread::scope(|scope| {
        for n in 0..8 {
            let project = &project;
            scope.spawn(move || project.done(&["install", "claude", &format!("p{n}.yaml")]));
        }
    });
    assert_eq!(project.get(CLAUDE).matches("hookc run").count(), 16, "{}", project.get(CLAUDE));
}

#[test]
fn an_added_version_is_removed_again() {
    for (host, file) in [("cursor", ".cursor/hooks.json"), ("copilot", ".github/hooks/hookc.json")] {
        for before in [
            "{}\n",
            "{\n  \"hooks\": {\"x\": []}\n}\n",
            "{\"hooks\": {}}",
            "{\n  \"version\": 1,\n  \"hooks\": {\"x\": []}\n}\n",
            "{\"hooks\": {\"x\": []}, \"version\": 1}\n",
        ] {
            let project = Project::new();
            project.put(file, before);
            project.done(&["install", host, "hooks.yaml"]);
            project.done(&["uninstall", host]);
            assert_eq!(project.get(file), before, "{host}");
        }
    }
}

#[test]
fn files_that_are_read_only_stay() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    project.done(&["install", "claude", "hooks.yaml"]);
    let there = project.get(CLAUDE);
    fs::set_permissions(project.path(CLAUDE), fs::Permissions::from_mode(0o444)).unwrap();
    for args in [&["install", "claude", "hooks.yaml", "--timeout", "9"][..], &["uninstall", "claude"]] {
        let got = project.hookc(args);
        assert!(got.code == 2 && got.err.contains("read-only"), "{args:?}: {}", got.err);
        assert_eq!(project.get(CLAUDE), there);
        assert!(!project.path(".claude/settings.json.bak").exists());
    }
    project.put("fmt.yaml", "hooks:   []\n");
    fs::set_permissions(project.path("fmt.yaml"), fs::Permissions::from_mode(0o444)).unwrap();
    let got = project.hookc(&["fmt", "fmt.yaml"]);
    assert!(got.code == 2 && got.err.contains("read-only"), "{}", got.err);
}

#[test]
fn a_module_is_checked_for_the_agent_too() {
    let project = Project::new();
    for (name, policy, why) in [
        (
            "a",
            "hooks: [{event: PreToolUse, action: {type: escalate}}]\n",
            "cannot execute `escalate` at `PreToolUse`",
        ),
        (
            "b",
            "hooks: [{event: SessionStart, action: {type: deny, reason: r}}]\n",
            "cannot deny `SessionStart`",
        ),
    ] {
        project.put(&format!("{name}.yaml"), policy);
        let module = format!("{name}.hookc");
        assert_eq!(project.hookc(&["compile", &format!("{name}.yaml"), "-q", "-o", &module]).code, 0);
        let got = project.hookc(&["install", "claude", &module]);
        assert!(got.code == 1 && got.err.contains(why), "{got:?}");
        assert!(!project.path(".claude/settings.json").exists());
    }
    let shadow = "hooks: [{event: PreToolUse, mode: shadow, action: {type: escalate}}, {event: Stop, action: {type: allow}}]\n";
    project.put("c.yaml", shadow);
    assert_eq!(project.hookc(&["compile", "c.yaml", "-q", "-o", "c.hookc"]).code, 0);
    assert_eq!(project.hookc(&["install", "claude", "c.hookc"]).code, 0);
}
