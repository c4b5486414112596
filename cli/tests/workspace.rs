//! The agents of a project are the hosts of `hookc check` by default.

use std::path::Path;

use crate::common;

/// Codex CLI has no tool `Read`, and Claude Code has.
const GUARD: &str = "hooks:\n  - event: PreToolUse\n    when: tool_name == 'Read' and tool_input.file_path contains 'x'\n    action: {type: deny, reason: No.}\n";

fn check(folder: &Path, args: &[&str]) -> String {
    let args: Vec<&str> = ["check", "--format", "short"].iter().chain(args).copied().collect();
    common::hookc(folder, &args, "").parts().2
}

#[test]
fn the_agents_with_settings_in_the_project_are_the_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    common::put(&folder, "guard.yaml", GUARD);
    let outside = common::put(&other, "guard.yaml", GUARD);
    assert!(!check(folder.path(), &["guard.yaml"]).contains("W0634"), "no settings");
    common::put(&folder, ".codex/hooks.json", "{}");
    assert!(check(folder.path(), &["guard.yaml"]).contains("W0634"), "settings of Codex CLI");
    assert!(check(folder.path(), &["."]).contains("W0634"), "a directory");
    assert!(!check(folder.path(), &["guard.yaml", "--host", "claude"]).contains("W0634"), "a named host");
    assert!(!check(folder.path(), &[outside.to_str().unwrap()]).contains("W0634"), "not of this project");
}

#[test]
fn an_agent_that_calls_hookc_comes_before_one_that_only_has_settings() {
    let folder = tempfile::tempdir().unwrap();
    common::put(&folder, "guard.yaml", GUARD);
    common::put(&folder, ".codex/hooks.json", "{}");
    let call = r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "hookc run --host claude guard.yaml"}]}]}}"#;
    common::put(&folder, ".claude/settings.json", call);
    assert!(!check(folder.path(), &["guard.yaml"]).contains("W0634"));
}

#[test]
fn a_policy_that_enforces_nothing_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let hook = |more: &str| {
        format!("  - {{event: PreToolUse, when: runs('rm'), {more}action: {{type: deny, reason: No.}}}}\n")
    };
    let check = |hooks: &[&str]| {
        let policy = format!("hooks:\n{}", hooks.iter().map(|more| hook(more)).collect::<String>());
        common::put(&folder, "guard.yaml", policy);
        common::hookc(&folder, &["check", "guard.yaml"], "").out
    };
    assert!(check(&["mode: warn, ", "mode: shadow, "]).contains("no hook is enforced: 1 warn, 1 shadow\n"));
    assert!(check(&["enabled: false, "]).contains("no hook is enforced: 1 disabled\n"));
    assert!(!check(&["mode: warn, ", ""]).contains("enforced"));
    let noted = "hooks:\n  - {event: PreToolUse, mode: warn, when: runs('rm'), action: {type: deny, reason: No.}}\n  - {event: PreToolUse, action: {type: log, message: seen}}\n";
    common::put(&folder, "guard.yaml", noted);
    let out = common::hookc(&folder, &["check", "guard.yaml"], "").out;
    assert!(out.contains("no hook that decides is enforced: 1 warn\n"), "{out}");
}
