//! A guard whose program is gone: what the installed calls do then, and where `install` writes no call at all.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{HOOKC, Run, put, read};
use serde_json::Value;

const POLICY: &str = "hooks:\n  - {event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: no}}\n  \
                      - {event: [Stop, SubagentStop], action: {type: allow}}\n";

/// A directory with a policy and a home.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        put(&place.0, "guard.yaml", POLICY);
        fs::create_dir(place.at("home")).unwrap();
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// The program in a place of its own.
    fn program(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::hard_link(HOOKC, &path).is_err() {
            fs::copy(HOOKC, &path).unwrap();
        }
        path
    }

    fn run(&self, program: &Path, args: &[&str], variables: &[(&str, &str)]) -> Run {
        let mut command = common::program(program, &self.0);
        command.args(args).env("HOME", self.at("home")).envs(variables.iter().copied());
        common::run(&mut command, "")
    }

    /// The command of the first call under an event.
    fn command(&self, settings: &str, event: &str) -> String {
        let value: Value = serde_json::from_str(&read(&self.0, settings)).unwrap();
        let entry = &value["hooks"][event][0];
        let handler = entry["hooks"].get(0).unwrap_or(entry);
        let command = handler.get("bash").unwrap_or(&handler["command"]);
        command.as_str().unwrap().to_owned()
    }

    /// What a command does as an agent starts it.
    fn shell(&self, shell: &str, command: &str, event: &str) -> Run {
        let mut run = common::program(shell, &self.0);
        run.args(["-c", command]).env("HOME", self.at("home"));
        for root in ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"] {
            run.env(root, self.0.path());
        }
        common::run(&mut run, event)
    }
}

/// Each agent with its settings, the event before a tool and at the end of its work, its shell, and an event.
const AGENTS: [(&str, &str, &str, &str, &str, &str); 5] = [
    (
        "claude",
        ".claude/settings.json",
        "PreToolUse",
        "Stop",
        "sh",
        r#"{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{}}"#,
    ),
    (
        "codex",
        ".codex/hooks.json",
        "PreToolUse",
        "SubagentStop",
        "bash",
        r#"{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{}}"#,
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "BeforeTool",
        "AfterAgent",
        "bash",
        r#"{"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{}}"#,
    ),
    (
        "cursor",
        ".cursor/hooks.json",
        "preToolUse",
        "subagentStop",
        "sh",
        r#"{"hook_event_name":"preToolUse","tool_name":"Read","tool_input":{}}"#,
    ),
    (
        "copilot",
        ".github/hooks/hookc.json",
        "preToolUse",
        "agentStop",
        "bash",
        r#"{"toolName":"view","toolArgs":"{}"}"#,
    ),
];

#[test]
fn a_program_that_cannot_start_denies_at_every_agent() {
    for (host, settings, before, end, shell, event) in AGENTS {
        let place = Place::new();
        let program = place.program("opt/hookc");
        let install = place.run(&program, &["install", host, "guard.yaml"], &[("SHELL", "/bin/bash")]);
        assert_eq!(install.code, 0, "{host}: {}", install.err);
        assert!(
            install.err.contains(&format!("  {before}: 1 hook (deny 1); denied if hookc cannot start\n")),
            "{}",
            install.err
        );
        assert!(
            install.err.contains(&format!("  {end}: 1 hook (allow 1); not denied if hookc cannot start\n")),
            "{}",
            install.err
        );
        let (guard, last) = (place.command(settings, before), place.command(settings, end));
        assert!(guard.ends_with(" || exit 2") && !last.contains("||"), "{guard} {last}");
        assert!(guard.starts_with(program.to_str().unwrap()), "{guard}");
        let of = |command: &str| place.shell(shell, command, event).code;
        assert_eq!(of(&guard), 0, "{host}: no opinion");
        let put_away = place.at("opt/away");
        fs::rename(&program, &put_away).unwrap();
        assert_eq!((of(&guard), of(&last)), (2, 127), "{host}: deleted");
        fs::create_dir(&program).unwrap();
        assert_eq!((of(&guard), of(&last)), (2, 126), "{host}: a directory");
        fs::remove_dir(&program).unwrap();
        fs::copy(&put_away, &program).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(of(&guard), 2, "{host}: not executable");
        fs::remove_file(&program).unwrap();
        for (how, text) in [
            ("killed", "kill -9 $$"),
            ("terminated", "kill $$"),
            ("status 127", "exit 127"),
            ("status 1", "exit 1"),
        ] {
            common::executable(&place.0, "opt/hookc", text);
            assert_eq!(of(&guard), 2, "{host}: {how}");
            fs::remove_file(&program).unwrap();
        }
        put(&place.0, "opt/hookc", "not a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(of(&guard), 2, "{host}: another file");
        fs::rename(&put_away, &program).unwrap();
        fs::remove_file(place.at("guard.yaml")).unwrap();
        assert_ne!(
            place.shell(shell, &guard, event),
            Run { code: 0, out: String::new(), err: String::new() },
            "{host}: no policy"
        );
        assert_eq!(place.run(&program, &["uninstall", host], &[]).code, 0);
        assert!(!fs::read_to_string(place.at(settings)).unwrap_or_default().contains("hookc"), "{host}");
    }
}

/// An agent that ignores exit statuses gets its own answer in place of one of hookc, and never two.
#[test]
fn where_no_exit_status_denies_an_answer_does() {
    let place = Place::new();
    let program = place.program("opt/hookc");
    let install = || place.run(&program, &["install", "cline", "guard.yaml"], &[]);
    let installed = install();
    assert!(
        installed.err.contains("  PreToolUse: 1 hook (deny 1); denied if hookc cannot start"),
        "{installed:?}"
    );
    let hooks = place.at(".clinerules/hooks");
    assert!(hooks.join("PreToolUse").is_file(), "{installed:?}");
    let event = |tool: &str, input: &str| {
        format!(
            r#"{{"hookName":"tool_call","taskId":"t","clineVersion":"3","workspaceRoots":[{:?}],"preToolUse":{{"toolName":"{tool}","parameters":{input}}}}}"#,
            place.at("")
        )
    };
    let (denied, passed) =
        (event("execute_command", r#"{"command":"ls"}"#), event("read_file", r#"{"path":"x"}"#));
    let run = |event: &str| {
        let mut script = common::program("/bin/sh", &place.0);
        common::run(script.arg(hooks.join("PreToolUse")).env("HOME", place.at("home")), event)
    };
    let reason = |run: &Run| {
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|why| panic!("{why}: {run:?}"));
        assert_eq!(answer["cancel"], true, "{run:?}");
        answer["errorMessage"].as_str().unwrap().to_owned()
    };
    assert_eq!((run(&passed).out.as_str(), run(&passed).code), ("", 0));
    assert_eq!(reason(&run(&denied)), "no");
    let probe = || {
        let run = place.run(HOOKC.as_ref(), &["probe", "cline"], &[]);
        run.out + &run.err
    };
    assert!(probe().contains("alive"), "{}", probe());

    let put_away = place.at("opt/away");
    fs::rename(&program, &put_away).unwrap();
    let gone = |how: &str| {
        let run = run(&passed);
        assert!(run.code == 2 && reason(&run).contains("did not start"), "{how}: {run:?}");
    };
    gone("deleted");
    assert!(probe().contains("every call is denied"), "{}", probe());
    fs::create_dir(&program).unwrap();
    gone("a directory");
    fs::remove_dir(&program).unwrap();
    put(&place.0, "opt/hookc", "not a program");
    gone("not executable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    gone("another file");
    for text in [
        "kill -9 $$",
        "kill $$",
        "exit 127",
        "exit 1",
        "echo help; exit 2",
        "printf '{\"cancel\":'; kill -9 $$",
    ] {
        fs::remove_file(&program).unwrap();
        common::executable(&place.0, "opt/hookc", text);
        gone(text);
    }
    fs::remove_file(&program).unwrap();
    common::executable(&place.0, "opt/hookc", r#"echo '{"cancel":true,"errorMessage":"whole"}'; kill -9 $$"#);
    assert_eq!(reason(&run(&passed)), "whole");
    fs::rename(&put_away, &program).unwrap();
    put(&place.0, "guard.yaml", "hooks: 1");
    assert!(reason(&run(&passed)).contains("guard.yaml"), "one answer of hookc");
    put(&place.0, "guard.yaml", POLICY);

    // What an earlier version wrote.
    let script = hooks.join("PreToolUse");
    let new = fs::read_to_string(&script).unwrap();
    let call = new.split("answer=$(").nth(1).unwrap().split(");").next().unwrap();
    fs::write(&script, format!("#!/bin/sh\n{call} || exit 2\n")).unwrap();
    let doctor = || place.run(&program, &["doctor"], &[]).out;
    assert!(doctor().contains("fails-open"), "{}", doctor());
    fs::rename(&program, &put_away).unwrap();
    assert!(probe().contains("every call passes in its command line"), "{}", probe());
    fs::rename(&put_away, &program).unwrap();
    install();
    assert_eq!(fs::read_to_string(&script).unwrap(), new);
    assert!(!doctor().contains("fails-open"), "{}", doctor());
    assert_eq!(place.run(&program, &["uninstall", "cline"], &[]).code, 0);
    assert!(!script.exists());
}

/// A decision is the same with and without what follows the call.
#[test]
fn the_end_of_a_call_changes_no_answer() {
    let place = Place::new();
    put(
        &place.0,
        "all.yaml",
        "hooks:\n  - {event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: no}}\n  \
         - {event: PreToolUse, when: \"tool_name == 'Write'\", action: {type: ask, reason: sure?}}\n  \
         - {event: PreToolUse, when: \"tool_name == 'Edit'\", action: {type: modify, set: {file_path: x}}}\n  \
         - {event: UserPromptSubmit, action: {type: inject, text: more}}\n",
    );
    let tool = |name: &str| {
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{name}","tool_input":{{"file_path":"y"}}}}"#)
    };
    let events = [
        tool("Bash"),
        tool("Write"),
        tool("Edit"),
        tool("Read"),
        r#"{"hook_event_name":"UserPromptSubmit","prompt":"x"}"#.to_owned(),
    ];
    for event in events.iter().map(String::as_str).chain(["{", ""]) {
        let line = format!("{HOOKC} run --host claude all.yaml --no-log");
        let (bare, guarded) =
            (place.shell("sh", &line, event), place.shell("sh", &format!("{line} || exit 2"), event));
        assert_eq!(bare, guarded, "{event}");
    }
    // Wrong usage denies, as it did.
    for line in
        ["run --host claude", "run --host nobody all.yaml", "run --host claude all.yaml --bogus", "rum"]
    {
        assert_eq!(place.shell("sh", &format!("{HOOKC} {line} || exit 2"), "{}").code, 2, "{line}");
    }
    // A call that fails open passes: with 1, or with 0 and a message where 1 would deny.
    let open = format!("{HOOKC} run --host claude gone.yaml --no-log --on-failure open");
    assert_eq!(place.shell("sh", &open, &tool("Bash")).code, 1);
    let run = place.shell("sh", &format!("{open} --since 0.1.0 || exit 2"), &tool("Bash"));
    assert!(run.code == 0 && run.out.contains("systemMessage") && run.err.contains("gone.yaml"), "{run:?}");
    let run = place.shell("sh", &format!("{open} --since 0.1.0 || exit 2"), "{");
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn a_program_that_will_be_gone_is_not_installed() {
    let place = Place::new();
    let refuse = ("HOOKC_ALLOW_TEMPORARY", "");
    for (path, what, install) in [
        ("home/.cache/uv/archive-v0/x/bin/hookc", "the cache of uv", "`uv tool install hookc`"),
        ("home/.cache/pip/x/hookc", "the cache of pip", "pipx install hookc"),
        (
            "home/.npm/_npx/1/node_modules/@hookc/cli-linux-x64/bin/hookc",
            "the cache of npx",
            "`npm i -g hookc`",
        ),
        ("x/target/debug/hookc", "a build directory of Cargo", "cargo install"),
        ("opt/hookc", "/tmp", "uv tool install"),
    ] {
        let program = place.program(path);
        for args in [
            &["install", "claude", "guard.yaml"][..],
            &["install", "claude", "guard.yaml", "--dry-run"],
            &["install", "flat", "guard.yaml"],
        ] {
            let run = place.run(&program, args, &[refuse]);
            assert_eq!(run.code, 1, "{path}: {}", run.err);
            assert!(
                run.err.contains(install) && run.err.contains("nothing was written"),
                "{path}: {}",
                run.err
            );
            assert!(run.err.contains(what) || !place.0.path().starts_with("/tmp"), "{path}: {}", run.err);
            assert!(!place.at(".claude").exists());
        }
        let bin = program.parent().unwrap().to_str().unwrap().to_owned();
        let run = place.run(&program, &["install", "claude", "guard.yaml"], &[refuse, ("PATH", &bin)]);
        assert_eq!(run.code, 1, "on PATH, as `uvx` has it: {}", run.err);
        assert_eq!(
            place.run(&program, &["install", "claude", "guard.yaml", "--allow-temporary"], &[refuse]).code,
            0
        );
        for verb in ["doctor", "status"] {
            let run = place.run(&program, &[verb, "."], &[refuse]);
            assert!(run.out.contains("install it for good"), "{path} {verb}: {run:?}");
        }
        let run = place.run(&program, &["doctor", "--format", "short", "."], &[refuse]);
        assert!(run.out.contains("odd[temporary]: the program `"), "{path}: {run:?}");
        let run = place.run(&program, &["doctor", "."], &[]);
        assert!(!run.out.contains("temporary"), "accepted: {path}: {run:?}");
        assert_eq!(place.run(&program, &["uninstall", "claude"], &[refuse]).code, 0);
        fs::remove_dir_all(place.at(".claude")).unwrap();
    }
}

#[test]
fn a_copy_stays() {
    let place = Place::new();
    let program = place.program("opt/hookc");
    let install = ["install", "claude", "guard.yaml", "--copy"];
    let run = place.run(&program, &[&install[..], &["--dry-run"]].concat(), &[]);
    assert!(run.code == 0 && run.out.contains("/home/.local/bin/hookc run --host claude"), "{run:?}");
    assert!(!place.at("home/.local").exists());
    let run = place.run(&program, &install, &[]);
    let copy = place.at("home/.local/bin/hookc");
    assert!(
        run.code == 0 && run.err.contains(&format!("copied this program to {}", copy.display())),
        "{run:?}"
    );
    assert!(fs::read(&copy).unwrap() == fs::read(&program).unwrap());
    assert_eq!(fs::read_dir(copy.parent().unwrap()).unwrap().count(), 1);
    fs::remove_file(&program).unwrap();
    let call = place.command(".claude/settings.json", "PreToolUse");
    assert!(call.starts_with(copy.to_str().unwrap()), "{call}");
    let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#;
    assert!(place.shell("sh", &call, event).out.contains("\"deny\""));
    let run = place.run(&copy, &install, &[]);
    assert!(run.code == 0 && !run.err.contains("copied"), "again: {}", run.err);
    // Another path, a directory, and what is no place for a program.
    let elsewhere = place.at("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let copies = |to: &str| place.run(&copy, &install, &[("HOOKC_BIN", to)]);
    assert_eq!(copies(elsewhere.to_str().unwrap()).code, 0);
    assert!(elsewhere.join("hookc").is_file());
    std::os::unix::fs::symlink("hookc", elsewhere.join("link")).unwrap();
    let run = copies(elsewhere.join("link").to_str().unwrap());
    assert!(run.code == 2 && run.err.contains("not a regular file"), "{run:?}");
    assert!(copies("bin/hookc").err.contains("write an absolute path"));
    let run = copies("/proc/hookc");
    assert!(run.code == 2 && run.err.contains("/proc/hookc"), "{run:?}");
}

#[test]
fn doctor_reports_a_name_that_a_login_shell_does_not_find() {
    let place = Place::new();
    let program = place.program("opt/hookc");
    let bin = place.at("opt").to_str().unwrap().to_owned();
    let refuse = ("HOOKC_ALLOW_TEMPORARY", "0");
    put(&place.0, "home/.profile", format!("PATH={bin}:$PATH\n"));
    assert_eq!(place.run(&program, &["install", "claude", "guard.yaml"], &[]).code, 0);
    let path = format!("{bin}:/usr/bin:/bin");
    let doctor =
        || place.run(&program, &["doctor", "--format", "short", "."], &[refuse, ("PATH", &path)]).out;
    assert!(!doctor().contains("login shell"), "{}", doctor());
    put(&place.0, "home/.profile", "");
    assert!(doctor().contains("odd[temporary]: a login shell does not find `hookc`"), "{}", doctor());
}

#[test]
fn the_bare_name_is_for_a_login_shell_that_finds_it() {
    let place = Place::new();
    let program = place.program("opt/hookc");
    let bin = place.at("opt").to_str().unwrap().to_owned();
    let command = |variables: &[(&str, &str)]| {
        let run = place.run(&program, &["install", "claude", "guard.yaml"], variables);
        assert_eq!(run.code, 0, "{}", run.err);
        let command = place.command(".claude/settings.json", "PreToolUse");
        fs::remove_file(place.at(".claude/settings.json")).unwrap();
        command
    };
    let absolute = format!("{} run --host claude ", program.display());
    assert!(command(&[("PATH", &bin)]).starts_with(&absolute), "only this shell has it");
    put(&place.0, "home/.profile", format!("PATH={bin}:$PATH\necho welcome\n"));
    assert!(command(&[]).starts_with("hookc run --host claude "), "only a login shell has it");
    put(&place.0, "home/.profile", format!("PATH={}:$PATH\n", place.at("other").display()));
    place.program("other/hookc");
    assert!(command(&[("PATH", &bin)]).starts_with(&absolute), "a login shell has another one");
    put(&place.0, "home/.profile", "exec sleep 60\n");
    let start = std::time::Instant::now();
    assert!(command(&[("PATH", &bin)]).starts_with(&absolute), "start-up files that do not end");
    assert!(start.elapsed().as_secs() < 40);
}

/// A call of an earlier version gets what it lacks, and keeps what its user added.
#[test]
fn older_calls_are_upgraded_and_removed() {
    let place = Place::new();
    let program = place.program("opt/hookc");
    let line =
        |more: &str| format!("{} run --host claude{more} $CLAUDE_PROJECT_DIR/guard.yaml", program.display());
    for (old, new) in [
        (line(""), Some(format!("{} --since {} || exit 2", line(""), env!("CARGO_PKG_VERSION")))),
        (
            line(" --no-log"),
            Some(format!("{} --since {} || exit 2", line(" --no-log"), env!("CARGO_PKG_VERSION"))),
        ),
        (
            line(" --on-failure open"),
            Some(format!("{} --since {}", line(" --on-failure open"), env!("CARGO_PKG_VERSION"))),
        ),
        (format!("{} || exit 2", line(" --since 999.0.0")), None),
    ] {
        let settings = |command: &str| {
            serde_json::json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]}}).to_string()
        };
        let before = settings(&old);
        put(&place.0, ".claude/settings.json", &before);
        assert_eq!(
            place.run(&program, &["install", "claude", "guard.yaml", "--event", "PreToolUse"], &[]).code,
            0
        );
        assert_eq!(read(&place.0, ".claude/settings.json"), settings(new.as_ref().unwrap_or(&old)), "{old}");
        assert_eq!(place.run(&program, &["uninstall", "claude"], &[]).code, 0);
        assert!(!read(&place.0, ".claude/settings.json").contains("hookc"), "{old}");
    }
}

#[test]
fn a_program_older_than_its_call_warns_once() {
    let place = Place::new();
    let state = place.at("state");
    let call = |since: &str| {
        let mut run = common::command(&place.0);
        run.args(["run", "--host", "claude", "--since", since, "--no-log", "guard.yaml"]);
        common::run(run.env("XDG_STATE_HOME", &state), r#"{"hook_event_name":"Stop"}"#)
    };
    let first = call("99.1.0");
    assert!(first.code == 0 && first.err.contains("hookc 99.1.0 wrote the call"), "{first:?}");
    assert_eq!(call("99.1.0").err, "");
    assert!(call("99.2.0").err.contains("99.2.0"));
    for since in ["0.0.1", env!("CARGO_PKG_VERSION"), "x", "../../y"] {
        assert_eq!(call(since).err, "", "{since}");
    }
    assert!(call("99.0.0-../../../up").err.contains("update this one"));
    assert!(!place.at("up").exists());
}
