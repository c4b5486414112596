//! What `hookc run` adds to events when a policy reads it: the time, and facts about the repository; and files for the
//! model.

use serde_json::{Value, json};

use super::shell::{Shell, tool};
use crate::common;

const POLICY: &str = "\
hooks:
  - id: weekend
    event: PreToolUse
    when: time.weekday in ['saturday', 'sunday'] or time.hour < 8 or time.hour >= 0
    action: {type: inject, text: 'It is ${time.hour} on a ${time.weekday}.'}
  - id: main
    event: PreToolUse
    when: git.branch == 'main' and runs('git commit')
    action: {type: deny, reason: 'Not on ${git.branch}.'}
";

/// A policy in a repository whose branch is `main`.
fn repository(policy: &str) -> Shell {
    let shell = Shell::new(policy);
    for name in ["objects", "refs"] {
        std::fs::create_dir_all(shell.folder.path().join(".git").join(name)).unwrap();
    }
    common::put(&shell.folder, ".git/HEAD", "ref: refs/heads/main\n");
    shell
}

fn event(shell: &Shell, command: &str) -> Value {
    let mut event = tool("PreToolUse", command);
    event["cwd"] = json!(shell.folder.path());
    event
}

#[test]
fn a_policy_reads_the_time_and_the_branch() {
    let shell = repository(POLICY);
    let run = shell.host("claude", &event(&shell, "git commit -m x"));
    assert!(run.out.contains("Not on main."), "{run:?}");
    assert!(run.out.contains("day."), "{run:?}");
    common::put(&shell.folder, ".git/HEAD", "ref: refs/heads/feature\n");
    let run = shell.host("claude", &event(&shell, "git commit -m x"));
    assert!(!run.out.contains("deny"), "{run:?}");
    // A test gives them like any other member.
    common::put(
        &shell.folder,
        "hooks.test.yaml",
        "policy: hooks.yaml\ntests:\n  - {name: on main, type: PreToolUse, event: {tool_name: Bash, tool_input: {command: git commit}, git: {branch: main}, time: {hour: 9, weekday: monday}}, expect: {hooks: [weekend, main]}}\n",
    );
    let run = common::hookc(&shell.folder, &["test", "hooks.test.yaml"], "");
    assert_eq!(run.code, 0, "{run:?}");
    // Another time is a slip.
    let wrong = POLICY.replace("git.branch", "git.brnch").replace("'sunday'", "'Sunday'");
    common::put(&shell.folder, "wrong.yaml", wrong);
    let run = common::hookc(&shell.folder, &["check", "wrong.yaml", "--format", "short"], "");
    assert!(run.err.contains("brnch") && run.err.contains("`time.weekday` never has this value"), "{run:?}");
}

#[test]
fn what_a_policy_reads_is_in_the_log_and_can_be_replayed() {
    let shell = repository(POLICY);
    let input = event(&shell, "git commit -m x").to_string();
    let run = shell.run(&["--host", "claude", "--log", "log.jsonl", "--log-payload"], input.as_bytes(), &[]);
    assert!(run.out.contains("Not on main."), "{run:?}");
    let log = common::read(&shell.folder, "log.jsonl");
    assert!(
        log.contains(r#""branch":"main""#) && log.contains(r#""weekday":"#) && !log.contains("staged"),
        "{log}"
    );
    let run = common::hookc(&shell.folder, &["replay", "hooks.yaml", "log.jsonl", "--against", "log"], "");
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn a_file_is_added_to_the_context() {
    let policy = "\
hooks:
  - {event: SessionStart, action: {type: inject, file: NOTES.md, as: Notes}}
";
    let shell = repository(policy);
    common::put(&shell.folder, "NOTES.md", "Use pnpm.\n");
    std::fs::create_dir(shell.folder.path().join("sub")).unwrap();
    let mut event = json!({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"});
    event["cwd"] = json!(shell.folder.path().join("sub"));
    let run = shell.host("claude", &event);
    assert!(run.code == 0 && run.out.contains("Notes: Use pnpm."), "{run:?}");
    std::fs::remove_file(shell.folder.path().join("NOTES.md")).unwrap();
    let run = shell.host("claude", &event);
    assert!(run.code == 0 && run.out.contains("NOTES.md: No such file"), "{run:?}");
    // What would wait for a writer is not read, and neither is a file of somebody else.
    let notes = shell.folder.path().join("NOTES.md");
    assert!(std::process::Command::new("mkfifo").arg(&notes).status().unwrap().success());
    let run = shell.host("claude", &event);
    assert!(run.code == 0 && run.out.contains("not a regular file"), "{run:?}");
    std::fs::remove_file(&notes).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    common::put(&elsewhere, "secret", "aws_secret\n");
    std::os::unix::fs::symlink(elsewhere.path().join("secret"), &notes).unwrap();
    let run = shell.host("claude", &event);
    assert!(run.out.contains("outside of the project") && !run.out.contains("aws_secret"), "{run:?}");
}

#[test]
fn the_file_is_in_the_project_that_the_agent_names() {
    let policy = "\
hooks:
  - {event: SessionStart, action: {type: inject, file: NOTES.md}}
";
    let shell = Shell::new(policy);
    let project = shell.folder.path().join("project");
    common::put(&shell.folder, "project/NOTES.md", "Use pnpm.\n");
    let event = json!({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", "cwd": "/", "transcript_path": "/t"});
    let args = ["--host", "claude"];
    let root = project.to_str().unwrap();
    let run = shell.run(&args, event.to_string().as_bytes(), &[("CLAUDE_PROJECT_DIR", root)]);
    assert!(run.out.contains("Use pnpm."), "{run:?}");
}

#[test]
fn an_agent_without_a_directory_has_the_branch_of_its_project() {
    let shell = repository(POLICY);
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "exec", "tool_input": {"command": "git commit -m x"}});
    let root = shell.folder.path().to_str().unwrap();
    let run = |variables: &[(&str, &str)]| {
        shell.run(&["--host", "devin"], event.to_string().as_bytes(), variables).out
    };
    assert!(run(&[("DEVIN_PROJECT_DIR", root)]).contains("Not on main."));
    assert!(!run(&[]).contains("Not on main."));
}

#[test]
fn facts_are_found_only_for_events_whose_hooks_read_them() {
    let policy = "\
hooks:
  - {event: PreToolUse, when: git.branch == 'main', action: {type: deny}}
  - {event: UserPromptSubmit, action: {type: run, command: 'cat >&2; exit 2'}}
";
    let shell = repository(policy);
    let event = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": shell.folder.path(), "transcript_path": "/t", "prompt": "x"});
    let run = shell.host("claude", &event);
    assert!(run.out.contains("prompt") && !run.out.contains("branch"), "{run:?}");
}

#[test]
fn a_guard_on_a_branch_denies_where_none_is_known() {
    let policy = "\
hooks:
  - {event: PreToolUse, when: \"git.branch in ['main', null] and runs('git commit')\", action: {type: deny, reason: guarded}}
";
    let shell = repository(policy);
    for (head, denies) in [
        ("ref: refs/heads/main\n", true),
        ("ref: refs/heads/feature\n", false),
        ("ref: refs/heads/.invalid\n", true),
        ("ab7c33e0aa30a4d0fcb1fa4e1b0f35b4c25d9df4\n", true),
    ] {
        common::put(&shell.folder, ".git/HEAD", head);
        let run = shell.host("claude", &event(&shell, "git commit -m x"));
        assert_eq!(run.out.contains("guarded"), denies, "{head}: {run:?}");
    }
}
