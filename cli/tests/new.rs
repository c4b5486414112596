//! `hookc new hook`: its output compiles without a warning, its test passes, and its handler
//! answers.

use crate::common;

use std::path::Path;
use std::time::Duration;

use common::{HOOKC, Run, put, read};
use hookc_runtime::skill::Scripts;
use hookc_runtime::turn::HookResult;
use hookc_schema::agents;
use serde_json::Value;

fn run(folder: &Path, program: &str, args: &[&str], input: &str) -> Run {
    common::run(common::program(program, folder).args(args), input)
}

fn hookc(folder: &Path, args: &[&str]) -> Run {
    common::hookc(folder, args, "")
}

/// Scaffolds a hook.
fn make(folder: &Path, args: &[&str]) -> Run {
    let all: Vec<&str> = ["new", "hook"].iter().chain(args).copied().collect();
    let got = hookc(folder, &all);
    let is_quiet =
        got.err.is_empty() || got.err.contains("warning[W0665]") && got.err.ends_with("1 warning\n");
    assert!(got.code == 0 && is_quiet, "{args:?}: {} {}", got.out, got.err);
    got
}

/// Checks all scaffolded files against the documented properties.
fn sound(folder: &Path) {
    let check = hookc(folder, &["check", "--format", "short", "."]);
    // Hooks of several calls can repeat one another, and a condition that was asked for is written as it is.
    let expected = ["[W0602]", "[W0607]", "[W0658]", "[W0665]"];
    let is_expected = |line: &&str| expected.iter().any(|code| line.contains(code));
    let others: Vec<_> = check.err.lines().filter(|line| !is_expected(line)).collect();
    assert_eq!((check.code, others), (0, vec![]));
    let test = hookc(folder, &["test", "."]);
    assert_eq!(test.code, 0, "{}{}", test.out, test.err);
}

fn new(folder: &Path, args: &[&str]) -> Run {
    let got = make(folder, args);
    sound(folder);
    got
}

fn event(folder: &Path, name: &str) -> String {
    read(folder, name).lines().next().unwrap().to_owned()
}

#[test]
fn repository_hooks_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (language, extension) in [("python", "py"), ("sh", "sh")] {
        for name in ["PromptSubmit", "PreAbilityCall", "PostAbilityCall", "SessionStop", "ModelOutput"] {
            let id = format!("{}-{extension}", name.to_lowercase());
            let flags = ["--dialect", "repository", "--id", &id, "--event", name, "--handler", language];
            let got = make(folder, &[&flags[..], &["--summary", "It's: a \"test\" # of ${all}"]].concat());
            assert!(got.out.contains(&format!("created .system/hooks/{id}.yaml\n")), "{}", got.out);
            let event = event(folder, &format!("scripts/hooks/{id}.events.ndjson"));
            let said = run(folder, &format!("./scripts/hooks/{id}.{extension}"), &[], &event);
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{id}");
            if !matches!(name, "PromptSubmit" | "PreAbilityCall") {
                assert_eq!(said.out, "", "{id}");
                continue;
            }
            let said: Value = serde_json::from_str(&said.out).unwrap();
            let read = HookResult::read(&said, name, &id);
            assert_eq!(read.failed, None);
            assert_eq!((read.signals.len(), read.reports.len()), (1, 0), "{id}: {read:?}");
        }
    }
    sound(folder);
    let sources = ["ai_session", "manual_cli"];
    for source in sources {
        let args = ["ability", "run", "--ability", "edit_file", "--source", source, "--", "echo", "ran"];
        let got = hookc(folder, &args);
        assert_eq!((got.code, got.out.as_str(), got.err.as_str()), (0, "ran\n", ""));
    }
}

#[test]
fn matches_and_their_events() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let flags = ["--dialect=repository", "--id=slow", "--event=PostAbilityCall", "--handler=sh"];
    let matches =
        ["--match", "ability_scope=edit_*", "--match", "ability_scope=b?", "--match", "min_duration_ms=500"];
    new(folder, &[&flags[..], &matches[..]].concat());
    let text = read(folder, ".system/hooks/slow.yaml");
    assert!(text.contains("  ability_scope: [\"edit_*\",\"b?\"]\n  min_duration_ms: 500\n"), "{text}");
    assert!(read(folder, "scripts/hooks/slow.test.yaml").contains("expect: slow\n"));
    let flags = ["--dialect=repository", "--id=stop", "--event=SessionStop", "--handler=python"];
    new(folder, &[&flags[..], &["--match", "only_if_changed_paths=services/**/*.rs"]].concat());
    assert!(read(folder, "scripts/hooks/stop.test.yaml").contains("expect: stop\n"));
}

#[test]
fn hooks_yaml_with_every_action() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kinds = hookc_schema::vocab::Vocabulary::builtin();
    let mut rejected = 0;
    for (kind, event) in kinds.actions.keys().flat_map(|kind| [(kind, "error"), (kind, "PreToolUse")]) {
        let id = format!("{kind}-{event}");
        let mut flags = vec!["--dialect", "hooks-yaml", "--id", &id, "--event", event, "--action", kind];
        if kind == "run" {
            flags.extend(["--handler", "python"]);
        }
        let condition = if event == "error" {
            ["--when", "classification.category in ['transient', 'x'] or error.code == 'y'"]
        } else {
            ["--match", "tool_name=Bash"]
        };
        flags.extend(condition);
        flags.extend(["--summary", "says ${this}"]);
        // An action that no agent executes is rejected, and nothing is written.
        let got = hookc(folder, &[&["new", "hook"], &flags[..]].concat());
        if got.err.contains("W0430") {
            assert!(got.code == 1 && !folder.join(format!(".hooks/{id}.yaml")).exists(), "{id} {}", got.err);
            rejected += 1;
            continue;
        }
        assert_eq!(got.code, 0, "{id} {}", got.err);
        assert!(read(folder, &format!(".hooks/{id}.test.yaml")).contains(&format!("expect: {id}\n")), "{id}");
    }
    assert!((2..10).contains(&rejected), "{rejected}");
    sound(folder);
    let said =
        run(folder, "./scripts/hooks/run-error.py", &[], &event(folder, ".hooks/run-error.events.ndjson"));
    let said: Value = serde_json::from_str(&said.out).unwrap();
    hookc_runtime::thread::Returns::builtin().unwrap().check(&said).unwrap();
    let event = event(folder, ".hooks/run-PreToolUse.events.ndjson");
    let got =
        run(folder, HOOKC, &["run", "--no-log", "--host", "claude", ".hooks/run-PreToolUse.yaml"], &event);
    assert!(got.code == 0 && got.out.contains("\"permissionDecision\":\"ask\""), "{}{}", got.out, got.err);
}

/// The tool of the event is one that has the inputs of the condition; a command line is one that the condition is about.
#[test]
fn events_about_the_inputs_of_a_condition() {
    for (condition, written) in [
        ("tool_input.file_path ends_with '.env'", r#""tool_input":{"file_path":".env"},"tool_name":"Read""#),
        ("file(tool_input.file_path).name == '.env'", r#"/.env"},"tool_name":"Read""#),
        ("file(tool_input.file_path).extension == 'pem'", r#"/example.pem"},"#),
        ("file(tool_input.file_path).inside == false", r#"{"file_path":"/etc/example.txt"}"#),
        ("file(tool_input.file_path).relative starts_with 'src/'", r#"/src/example.txt"},"#),
        (
            "file(tool_input.file_path).path starts_with '/srv/app/'",
            r#"{"file_path":"/srv/app/example.txt"}"#,
        ),
        ("tool_input.content contains 'x'", r#""tool_name":"Write""#),
        ("tool_input.url starts_with 'https://a/'", r#""tool_name":"WebFetch""#),
        (
            "some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push' and exists(c.flags.force))",
            r#""command":"git push --force""#,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let flags =
            ["--dialect=hooks-yaml", "--id=x", "--event=PreToolUse", "--action=deny", "--when", condition];
        new(folder, &[&flags[..], &["--param", "reason=no"]].concat());
        let event = event(folder, ".hooks/x.events.ndjson");
        assert!(event.contains(written), "{condition}: {event}");
        assert!(read(folder, ".hooks/x.test.yaml").contains("expect: x\n"), "{condition}");
        sound(folder);
    }
}

#[test]
fn settings_for_every_event() {
    let kinds = hookc_schema::vocab::Vocabulary::builtin();
    let family = hookc_schema::tree::Family::Agent;
    let events = kinds.events.keys().filter(|(own, _)| *own == family);
    for (_, name) in events.step_by(hookc_corpus::effort(1, 7)) {
        for (language, extension) in [("python", "py"), ("sh", "sh")] {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path();
            let flags = ["--dialect", "settings", "--id", "x", "--event", name, "--handler", language];
            let args: Vec<&str> = ["new", "hook"].iter().chain(&flags).copied().collect();
            assert_eq!(hookc(folder, &args).code, 0, "{name}");
            let settings: Value = serde_json::from_str(&read(folder, ".claude/settings.json")).unwrap();
            assert_eq!(settings["hooks"][name][0]["hooks"][0]["type"], "command");
            let event = event(folder, "scripts/hooks/x.events.ndjson");
            let said = run(folder, &format!("./scripts/hooks/x.{extension}"), &[], &event);
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
            if !said.out.is_empty() {
                let said: Value = serde_json::from_str(&said.out).unwrap();
                assert_eq!(said["hookSpecificOutput"]["hookEventName"], name.as_str());
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    new(
        folder,
        &["--dialect=settings", "--id=x", "--event=PreToolUse", "--handler=sh", "--match=matcher=Edit|Write"],
    );
    let event = event(folder, "scripts/hooks/x.events.ndjson");
    let args = ["run", "--no-log", "--host", "claude", ".claude/settings.json"];
    let got = run(folder, HOOKC, &args, &event);
    let answer = "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\
                  \"permissionDecisionReason\":\"a hook that is not written yet\"}}\n";
    assert_eq!((got.code, got.out.as_str(), got.err.as_str()), (0, answer, ""));
}

#[test]
fn skills_for_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for event in ["pre_execute", "post_execute", "on_error", "pre_context", "post_context"] {
        let id = event.replace('_', "-");
        new(folder, &["--dialect", "skill", "--id", &id, "--event", event]);
        let script = folder.join(format!(".claude/skills/{id}/hooks/{event}.py"));
        let context: Value = serde_json::from_str(&self::event(
            folder,
            &format!(".claude/skills/{id}/tests/{event}.events.ndjson"),
        ))
        .unwrap();
        let called =
            Scripts::default().execute(script.to_str().unwrap(), &id, &context, Duration::from_secs(20));
        assert_eq!(called.unwrap(), (Value::Null, String::new()));
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let flags =
        ["new", "hook", "--dialect", "repository", "--id", "x", "--event", "SessionStop", "--handler", "sh"];
    put(folder, "scripts/hooks/x.sh", "mine");
    let got = hookc(folder, &flags);
    assert_eq!(got.code, 2);
    assert!(got.err.contains("scripts/hooks/x.sh already exists: nothing was written"), "{}", got.err);
    assert!(!folder.join(".system").exists());
    assert_eq!(read(folder, "scripts/hooks/x.sh"), "mine");
    let broken =
        ["new", "hook", "--dialect", "hooks-yaml", "--id", "y", "--event", "limit", "--action", "deny"];
    let got = hookc(folder, &[&broken[..], &["--when", "cost.spend >"]].concat());
    assert_eq!(got.code, 1);
    assert!(got.err.contains("error[E0") && got.err.contains("nothing was written"), "{}", got.err);
    let got = hookc(folder, &[&broken[..], &["--param", "raeson=x"]].concat());
    assert!(got.code == 1 && got.err.contains("reason"), "{}", got.err);
    let got = hookc(folder, &[&broken[..], &["--dry-run"]].concat());
    assert!(got.code == 0 && got.out.contains("--- .hooks/y.yaml\nhooks:\n"), "{}{}", got.out, got.err);
    assert!(!folder.join(".hooks").exists());
}

/// The agents with settings.
fn hosts() -> String {
    let hosts = agents::answered().filter(|agent| agent.settings.is_some());
    hosts.map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[test]
fn without_a_terminal_the_flag_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = format!("`--host` is missing: write {}, none", hosts());
    let all = [
        ("--dialect", "repository", missing.as_str()),
        ("--id", "x", "`--id` is missing"),
        ("--event", "SessionStop", "`--event` is missing: write "),
        ("--handler", "sh", "`--handler` is missing: write python, sh or typescript"),
    ];
    for (left, _, message) in all {
        let mut args = vec!["new", "hook"];
        all.iter().filter(|(flag, ..)| *flag != left).for_each(|(flag, value, _)| args.extend([flag, value]));
        let got = hookc(folder.path(), &args);
        assert!(got.code == 2 && got.err.contains(message), "{}", got.err);
    }
    let wrong = |args: &[&str], message: &str| {
        let got = hookc(folder.path(), &[&["new", "hook"], args].concat());
        assert!(got.code == 2 && got.err.contains(message), "{args:?}: {}", got.err);
    };
    wrong(&["--dialect", "repositry"], "did you mean `repository`?");
    wrong(&["--dialect", "skill", "--handler", "sh"], "is a Python file");
    wrong(&["--dialect", "repository", "--when", "true"], "has no conditions");
    wrong(&["--dialect", "repository", "--id", "my hook"], "write `my-hook`");
    let known = ["--dialect", "repository", "--id", "x", "--event"];
    wrong(&[&known[..], &["PreAbilityCal"]].concat(), "did you mean `PreAbilityCall`?");
    let known = [&known[..], &["SessionStop", "--handler", "sh", "--match"]].concat();
    wrong(&[&known[..], &["only_if_changed_path=a"]].concat(), "did you mean `only_if_changed_paths`?");
    wrong(&[&known[..], &["a"]].concat(), "should be `--match KEY=VALUE`");
    let known = ["--dialect", "hooks-yaml", "--id", "x", "--event", "limit", "--action"];
    wrong(&[&known[..], &["suspnd"]].concat(), "did you mean `suspend`?");
    wrong(&[&known[..], &["deny", "--handler", "sh"]].concat(), "the action `deny` has no handler");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn in_another_folder_and_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let flags =
        ["--dialect=repository", "--id=x", "--event=PreAbilityCall", "--handler=python", "--dir=repo one"];
    let got = hookc(folder.path(), &[&["new", "hook", "--format=json"], &flags[..]].concat());
    assert_eq!(got.code, 0, "{}", got.err);
    let told: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!(told["created"][0], "repo one/.system/hooks/x.yaml");
    for line in told["try"].as_array().unwrap() {
        let line = line.as_str().unwrap().replace("hookc ", &format!("{HOOKC} "));
        let tried = run(&folder.path().join("repo one"), "sh", &["-c", &line], "");
        assert_eq!(tried.code, 0, "{line}: {}{}", tried.out, tried.err);
    }
}

/// A hook for a coding agent: its event, a verdict, and the command that installs it.
#[test]
fn the_wizard_asks_for_the_agent_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agents = format!("for which coding agent: {}, none [claude]: ", hosts());
    let steps = [
        (agents.as_str(), "gemini\n"),
        ("id: ", "no-push\n"),
        ("event [BeforeTool]: ", "BeforeTol\n"),
        ("did you mean `BeforeTool`?", ""),
        ("event [BeforeTool]: ", "\n"),
        ("action: deny, ask, inject, run (a handler), ... [deny]: ", "\n"),
        ("a description of one line (may be empty): ", "No push\n"),
        ("(empty: always): ", "tool_name == 'Bash'\n"),
    ];
    let Some((shown, err)) = common::terminal(folder, &steps, &["new", "hook"]) else { return };
    assert!(shown.starts_with("0\n"), "{shown}{err}");
    assert!(shown.trim_end().ends_with("`hookc install gemini .hooks/no-push.yaml`"), "{shown}");
    sound(folder);
    let install = hookc(folder, &["install", "gemini", ".hooks/no-push.yaml"]);
    assert_eq!(install.code, 0, "{}", install.err);

    let flags = ["--host", "cursor", "--id", "b", "--event", "beforeShellExecution", "--action", "deny"];
    assert!(new(folder, &flags).out.ends_with("`hookc install cursor .hooks/b.yaml`\n"));
    let flags = ["--dialect", "hooks-yaml", "--id", "c", "--event", "PreToolUse", "--action", "deny"];
    assert!(new(folder, &flags).out.ends_with("`hookc install claude .hooks/c.yaml` (or another agent)\n"));
    let wrong = |args: &[&str], message: &str| {
        let got = hookc(folder, &[&["new", "hook", "--id", "x"], args].concat());
        assert!(got.code == 2 && got.err.contains(message), "{args:?}: {}", got.err);
    };
    wrong(&["--host", "cladue"], "did you mean `claude`?");
    wrong(&["--host", "codex", "--event", "Notification"], "unknown event `Notification`");
    wrong(&["--host", "codex", "--dialect", "repository"], "is for no such agent");
    wrong(
        &["--dialect", "repository", "--event", "PreToolUse"],
        "write `--host claude` instead of `--dialect repository`",
    );
    wrong(&["--host", "none"], "`--dialect` is missing: write hooks-yaml, repository, settings, skill");
}
