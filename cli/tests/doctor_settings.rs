//! `doctor`: settings in which a guard is dead although its program exists.
#![cfg(unix)]

use crate::common;
use crate::doctor::found;

use common::{HOOKC, executable, put};
use std::os::unix::fs::symlink;
use std::path::Path;

/// Whether `doctor` reports a dead hook, and its output.
fn doctor(root: &Path, folder: &Path) -> (i32, String) {
    let mut command = common::command(folder);
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    command.args(["doctor", "--format", "short", "."]).env("HOME", root.join("home")).env("PATH", path);
    let (code, out, _) = common::run(&mut command, "").parts();
    (code, out)
}

fn names(name: &str, text: &str) -> Vec<String> {
    let shown = |(dead, what): (bool, String)| format!("{}{what}", if dead { "" } else { "odd " });
    found(name, text).into_iter().map(shown).collect()
}

const TRUE: &str = "{\"type\": \"command\", \"command\": \"./ok.sh\"}";

#[test]
fn files_that_agents_skip() {
    let (claude, codex) = (".claude/settings.json", ".codex/hooks.json");
    let (gemini, copilot) = (".gemini/settings.json", ".github/hooks/x.json");
    let group = format!("[{{\"hooks\": [{TRUE}]}}]");
    let stop = |more: &str| format!("{{\"hooks\": {{\"Stop\": {group}{more}}}}}");
    for (file, text, is_skipped) in [
        (claude, format!("// x\n{}", stop("")), true),
        (claude, stop(","), true),
        (claude, stop(", \"PreCommit\": []"), true),
        (claude, stop(", \"PreToolUse\": [{\"matcher\": {}, \"hooks\": []}]"), true),
        (claude, stop(", \"PreToolUse\": [{\"action\": {\"type\": \"deny\", \"reason\": \"x\"}}]"), false),
        (codex, format!("// x\n{}", stop("")), true),
        (codex, stop(", \"PreCommit\": []"), false),
        (codex, stop(", \"Stop\": []"), true),
        (codex, stop(", \"PreToolUse\": {}"), true),
        (codex, stop("").replacen('{', "{\"x\": 1, ", 1), true),
        (gemini, format!("// x\n{}", stop("").replace("Stop", "AfterAgent")), false),
        (gemini, stop(",").replace("Stop", "AfterAgent"), true),
        (gemini, stop(", \"BeforeTool\": {}").replace("Stop", "AfterAgent"), false),
        (copilot, format!("// x\n{{\"version\": 1, \"hooks\": {{\"agentStop\": [{TRUE}]}}}}"), true),
        (copilot, format!("{{\"version\": 2, \"hooks\": {{\"agentStop\": [{TRUE}]}}}}"), true),
        (copilot, format!("{{\"version\": 1, \"hooks\": {{\"agentStop\": [{TRUE}, 1]}}}}"), false),
        (
            copilot,
            format!("{{\"version\": 1, \"hooks\": {{\"agentStop\": [{TRUE}], \"stop\": {{}}}}}}"),
            false,
        ),
    ] {
        let found = names(file, &text);
        assert_eq!(found.contains(&"unreadable".to_owned()), is_skipped, "{file} {text} {found:?}");
    }
}

#[test]
fn hooks_in_a_wrong_place() {
    let group = format!("[{{\"hooks\": [{TRUE}]}}]");
    for (file, text) in [
        (".gemini/settings.json", format!("{{\"BeforeTool\": {group}}}")),
        (".gemini/settings.json", format!("{{\"hook\": {{\"BeforeTool\": {group}}}}}")),
        (".gemini/settings.json", format!("{{\"general\": {{\"hooks\": {{\"BeforeTool\": {group}}}}}}}")),
        (".codex/hooks.json", format!("{{\"PreToolUse\": {group}}}")),
        (".cursor/hooks.json", format!("{{\"version\": 1, \"beforeShellExecution\": [{TRUE}]}}")),
        (".github/hooks/x.json", format!("{{\"version\": 1, \"preToolUse\": [{TRUE}]}}")),
        (".windsurf/hooks.json", "{\"pre_run_command\": [{\"command\": \"./ok.sh\"}]}".to_owned()),
    ] {
        assert!(names(file, &text).contains(&"W0246".to_owned()), "{text} {:?}", names(file, &text));
    }
    let beside = format!("{{\"hooks\": {{\"Stop\": {group}}}, \"PreToolUse\": {group}}}");
    assert_eq!(names(".claude/settings.json", &beside), ["W0232"]);
    let twice = format!("{{\"hooks\": {{\"PreToolUse\": {group}}}, \"hooks\": {{\"Stop\": []}}}}");
    assert!(names(".claude/settings.json", &twice).contains(&"W0231".to_owned()));
}

#[test]
fn matchers_that_no_tool_has() {
    let claude = |matcher: &str| {
        let group = format!("{{\"matcher\": \"{matcher}\", \"hooks\": [{TRUE}]}}");
        names(".claude/settings.json", &format!("{{\"hooks\": {{\"PreToolUse\": [{group}]}}}}"))
    };
    for matcher in ["PreToolUse", "Terminal", "Edit:*.py", "file_path:*.ts", "Bash|PreToolUse"] {
        assert_eq!(claude(matcher), ["odd W0634"], "{matcher}");
    }
    for matcher in ["Wirte", "Bsh", "^bash$", "run_shell_command"] {
        assert_eq!(claude(matcher), ["W0426"], "{matcher}");
    }
    for matcher in ["Bash|Edit", "mcp__x__.*", ".*", "Task(Create|Update)", "Edit.*"] {
        assert_eq!(claude(matcher), [""; 0], "{matcher}");
    }
    let cursor = |matcher: &str| {
        let entry = format!("{{\"matcher\": \"{matcher}\", \"command\": \"./ok.sh\"}}");
        names(".cursor/hooks.json", &format!("{{\"version\": 1, \"hooks\": {{\"preToolUse\": [{entry}]}}}}"))
    };
    assert_eq!(cursor("Bash"), ["W0237"]);
    assert_eq!(cursor("mcp__github__.*"), ["W0237"]);
    for matcher in ["Shell", "MCP:query", "Shell|Write"] {
        assert_eq!(cursor(matcher), [""; 0], "{matcher}");
    }
    assert_eq!(cursor("Wirte"), ["odd W0634"]);
    let other = |file: &str, event: &str, matcher: &str| {
        let group = format!("{{\"matcher\": \"{matcher}\", \"hooks\": [{TRUE}]}}");
        names(file, &format!("{{\"hooks\": {{\"{event}\": [{group}]}}}}"))
    };
    for (file, event, unknown, known) in [
        (
            ".codex/hooks.json",
            "PreToolUse",
            [("Bsh", true), ("Wirte", true), ("Terminal", false)],
            ["Bash", "apply_patch", "mcp__x__y"],
        ),
        (
            ".gemini/settings.json",
            "BeforeTool",
            [("Wirte", false), ("Shell", false), ("Terminal", false)],
            ["write_file", "read.*", "mcp_x_y"],
        ),
        (
            ".qwen/settings.json",
            "PreToolUse",
            [("Wirte", false), ("Shell", false), ("Terminal", false)],
            ["write_file", "edit|write_file", "mcp__x__y"],
        ),
    ] {
        for (matcher, is_misspelt) in unknown {
            let expected = if is_misspelt { &["odd W0634", "W0426"][..] } else { &["odd W0634"] };
            assert_eq!(other(file, event, matcher), expected, "{file} {matcher}");
        }
        for matcher in known {
            assert_eq!(other(file, event, matcher), [""; 0], "{file} {matcher}");
        }
    }
}

/// A project in `folder` with a settings file, a policy and a script.
fn project(root: &Path, folder: &str, settings: &str) -> (i32, String) {
    let folder = root.join(folder);
    std::fs::create_dir_all(root.join("bin")).unwrap();
    let _ = symlink(HOOKC, root.join("bin/hookc"));
    executable(root, "home/x.sh", "");
    executable(&folder, "x.sh", "");
    put(
        &folder,
        "guard.yaml",
        "hooks:\n  - {event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: x}}\n",
    );
    put(&folder, ".claude/settings.json", settings);
    doctor(root, &folder)
}

#[test]
fn paths_that_the_shell_reads_in_another_way() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let settings = |line: &str| {
        let line = serde_json::Value::from(line);
        format!(
            "{{\"hooks\": {{\"PreToolUse\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": {line}}}]}}]}}}}"
        )
    };
    for (folder, line, expected) in [
        ("sp ace", "$CLAUDE_PROJECT_DIR/x.sh", "dead[split-path]"),
        ("sp ace", "sh $CLAUDE_PROJECT_DIR/x.sh", "dead[split-path]"),
        ("sp ace", "cd $CLAUDE_PROJECT_DIR && ./x.sh", "dead[split-path]"),
        ("sp ace", "\"$CLAUDE_PROJECT_DIR\"/x.sh", ""),
        ("plain", "$CLAUDE_PROJECT_DIR/x.sh", "odd[W0667]"),
        ("plain", "\"$CLAUDE_PROJECT_DIR/x.sh\"", ""),
        ("plain", "~/x.sh", ""),
        ("plain", "\"~/x.sh\"", "dead[missing-file]"),
        ("plain", "'$HOME/x.sh'", "dead[missing-file]"),
        ("plain", "\\$HOME/x.sh", "dead[missing-file]"),
        ("plain", "sh '~/x.sh'", "dead[missing-file]"),
        ("plain", "sh -c '\"$CLAUDE_PROJECT_DIR\"/x.sh'", ""),
    ] {
        let (_, out) = project(root, folder, &settings(line));
        match expected {
            "" => assert_eq!(out, "", "{line}"),
            expected => assert!(out.contains(expected), "{line} {out}"),
        }
    }
}

#[test]
fn calls_that_are_narrowed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let call = |matcher: &str, more: &str| {
        let line = "hookc run --host claude \\\"$CLAUDE_PROJECT_DIR/guard.yaml\\\"";
        let handler = format!("{{\"type\": \"command\", \"command\": \"{line}\"{more}}}");
        format!("{{\"hooks\": {{\"PreToolUse\": [{{\"matcher\": \"{matcher}\", \"hooks\": [{handler}]}}]}}}}")
    };
    for (matcher, more, expected) in [
        ("", "", ""),
        ("Bash", "", ""),
        ("Bash|Edit", "", ""),
        ("Edit", "", "dead[idle-call]"),
        ("", ", \"async\": true", "dead[narrowed]"),
        ("", ", \"if\": \"Bash(git *)\"", "odd[narrowed]"),
    ] {
        let (_, out) = project(root, "p", &call(matcher, more));
        match expected {
            "" => assert_eq!(out, "", "{matcher}"),
            expected => assert!(out.contains(expected), "{matcher} {more} {out}"),
        }
    }
    let more =
        "hooks:\n  - {event: PreToolUse, action: {type: allow}}\n  - {event: Stop, action: {type: allow}}\n";
    put(root.join("p"), "guard.yaml", more);
    put(root.join("p"), ".claude/settings.json", call("", ""));
    let (code, out) = doctor(root, &root.join("p"));
    assert!(code == 1 && out.contains("dead[not-called]"), "{out}");
}

/// A timeout of 0 is reported as dead only where the agent was tried.
#[test]
fn timeouts_of_zero() {
    let handler = |agent: &str, timeout: &str| {
        let key = if agent == "copilot" { "timeoutSec" } else { "timeout" };
        let line = format!("hookc run --host {agent} hooks.yaml || exit 2");
        format!("{{\"type\": \"command\", \"command\": \"{line}\", \"{key}\": {timeout}}}")
    };
    let is_dead = |agent: &str, timeout: &str| {
        let (file, event) = match agent {
            "claude" => (".claude/settings.json", "Stop"),
            "codex" => (".codex/hooks.json", "Stop"),
            "copilot" => (".github/hooks/x.json", "agentStop"),
            "cursor" => (".cursor/hooks.json", "stop"),
            "gemini" => (".gemini/settings.json", "AfterAgent"),
            "qwen" => (".qwen/settings.json", "Stop"),
            _ => (".factory/settings.json", "Stop"),
        };
        let handler = handler(agent, timeout);
        let entry = match agent {
            "copilot" | "cursor" => handler,
            _ => format!("{{\"hooks\": [{handler}]}}"),
        };
        let version = if matches!(agent, "copilot" | "cursor") { "\"version\": 1, " } else { "" };
        let found = names(file, &format!("{{{version}\"hooks\": {{\"{event}\": [{entry}]}}}}"));
        found.iter().any(|what| what == "W0685" || what == "unreadable")
    };
    let other = "{\"type\": \"command\", \"command\": \"true\", \"timeout\": 0}";
    let call = handler("claude", "60");
    let text = format!(
        "{{\"hooks\": {{\"PreToolUse\": [{{\"hooks\": [{call}]}}], \"Stop\": [{{\"hooks\": [{other}]}}]}}}}"
    );
    assert!(names(".claude/settings.json", &text).contains(&"unreadable".to_owned()));
    for agent in ["claude", "copilot", "gemini"] {
        assert!(is_dead(agent, "0") && !is_dead(agent, "60000"), "{agent}");
    }
    for agent in ["codex", "cursor", "droid", "qwen"] {
        assert!(!is_dead(agent, "0") && !is_dead(agent, "-1"), "{agent}");
    }
    assert!(is_dead("codex", "0.05") && is_dead("codex", "1.5") && !is_dead("codex", "1"));
}

#[test]
fn policies_that_never_match() {
    let policy = |when: &str| {
        names(
            "more/hooks.yaml",
            &format!(
                "hooks:\n  - {{event: PreToolUse, when: \"{when}\", action: {{type: deny, reason: x}}}}\n"
            ),
        )
    };
    assert_eq!(policy("toolInput.command contains 'sudo'"), ["W0416"]);
    assert_eq!(policy("tool_name == 'bash'"), ["W0426"]);
    assert_eq!(policy("tool_name in ['bash', 'Edit']"), ["odd W0426"]);
    assert_eq!(policy("tool_name == 'Bash' or toolInput.command contains 'sudo'"), [""; 0]);
    assert_eq!(policy("tool_name == 'Bash'"), [""; 0]);
}

/// Without paths, `doctor` in a directory of a project looks at the settings of the project, as `status` and `probe` do.
#[test]
fn settings_of_the_project_from_below() {
    let folder = tempfile::tempdir().unwrap();
    let (root, home) = (folder.path().join("p"), folder.path().join("home"));
    for below in [".git", "a/b"] {
        std::fs::create_dir_all(root.join(below)).unwrap();
    }
    for (file, text) in [
        (
            ".claude/settings.json",
            "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"gone/x\"}]}]}}",
        ),
        (".gemini/settings.json", "{\"hooks\": {\"BeforeTol\": []}}"),
        (".github/hooks/mine.json", "{\"version\": 1, \"hooks\": {\"hooks\": {}}}"),
        (".cursor/hooks.json", "{\"version\": 1, \"hooks\": {\"preToolUse\": {}}}"),
    ] {
        put(&root, file, text);
        let doctor = |place: &str| {
            let mut command = common::command(root.join(place));
            common::run(command.arg("doctor").env("HOME", &home), "")
        };
        let (here, below) = (doctor("."), doctor("a/b"));
        assert_eq!((here.code, below.code), (1, 1), "{file}: {} {}", here.out, below.out);
        assert!(below.out.contains("dead[") && below.out.contains(file), "{file}: {}", below.out);
        std::fs::remove_file(root.join(file)).unwrap();
    }
}
