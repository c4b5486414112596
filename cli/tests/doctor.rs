//! `doctor`: a directory with each kind of dead hook.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use common::{HOOKC, executable, put};
use serde_json::Value;

const POLICY: &str = "hooks: [{event: Stop, action: {type: allow}}]\n";

/// Exit status, standard output, standard error.
fn doctor(root: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = common::command(root);
    command.arg("doctor").args(args).env("HOME", root.join("home")).env("PATH", root.join("bin"));
    common::run(&mut command, "").parts()
}

/// The finding in a directory with one file: whether it is dead, and the message.
pub(crate) fn found(name: &str, text: &str) -> Vec<(bool, String)> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("bin")).unwrap();
    symlink(HOOKC, root.join("bin/hookc")).unwrap();
    executable(root, "ok.sh", "");
    for name in ["bash", "cat", "docker", "python3", "sh", "ssh", "uv"] {
        executable(root, &format!("bin/{name}"), "");
    }
    put(root, "plain.sh", "#!/bin/sh\n");
    put(root, "hooks.yaml", POLICY);
    put(root, "broken.txt", "hooks:\n  - event: Stop\n");
    put(root, name, text);
    let (code, out, err) = doctor(root, &["--format", "json", "."]);
    let all: Vec<(bool, String)> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .inspect(|value| assert!(value["place"].as_str().unwrap().starts_with(name), "{value}"))
        .map(|value| (value["dead"].as_bool().unwrap(), value["what"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(code, i32::from(all.iter().any(|(dead, _)| *dead)), "{out}{err}");
    all
}

/// For a command in Claude Code's settings under `Stop`.
fn command(line: &str) -> Vec<(bool, String)> {
    let line = Value::from(line);
    let handler = format!("{{\"type\": \"command\", \"command\": {line}}}");
    found(".claude/settings.json", &format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{handler}]}}]}}}}"))
}

fn dead(what: &str) -> Vec<(bool, String)> {
    vec![(true, what.to_owned())]
}

/// A finding because of which the agent does not read the file at all.
fn both(what: &str) -> Vec<(bool, String)> {
    vec![(true, what.to_owned()), (true, "unreadable".to_owned())]
}

#[test]
fn commands() {
    for line in [
        "./ok.sh",
        "\"$CLAUDE_PROJECT_DIR\"/ok.sh x",
        "\"${CLAUDE_PROJECT_DIR:-.}/ok.sh\" && ./gone.sh",
        "python3 plain.sh",
        "python3 -m thing",
        "A=1 python3 \"${UNKNOWN:-.}\"/x.py",
        "echo done",
        "echo done; ./ok.sh | ./ok.sh",
        "[ -e gone.sh ] || exit 0; ./gone.sh",
        "export PATH=$PWD/tools:$PATH; sometool",
        "exit 0; ./gone.sh",
        ". \"$CLAUDE_PROJECT_DIR\"/plain.sh; sometool",
        "if true; then ./gone.sh; fi",
        "hookc run --host claude \"$CLAUDE_PROJECT_DIR/hooks.yaml\"",
        "hookc run --host claude hooks.yaml",
        "x=\"$(cat)\"; case \"$x\" in *) exit 0;; esac",
        "cd bin && python3 ../plain.sh",
        "cd \"$(git rev-parse --show-toplevel)\" && python3 gone.py",
        "cd gone; python3 gone.py",
        "python3 -c 'print(1)' gone.py",
        "cat <<'EOF'\nRemember the tests\nEOF",
        "cat <<EOF | ./ok.sh\nRemember the tests\nEOF",
        "exec ./ok.sh; ./gone.sh",
        "hookc --version",
        "source ./gone.sh || ./ok.sh",
        "bash -c '. ./gone.sh || true'",
        "\"${X:=/d}/a.sh\"",
        "(cd bin && python3 ../plain.sh)",
        "(./gone.sh) || ./ok.sh",
        "hookc run --host claude \"${X-/d}/p.yaml\"",
    ] {
        assert_eq!(command(line), [], "{line}");
    }
    for (line, what) in [
        ("./gone.sh", "missing-file"),
        ("\"$CLAUDE_PROJECT_DIR/gone.sh\"", "missing-file"),
        ("./plain.sh", "not-executable"),
        ("python3 scripts/gone.py", "missing-file"),
        ("sometool --flag", "not-on-path"),
        ("cd -- \"${CLAUDE_PROJECT_DIR:-.}\" && sometool", "not-on-path"),
        ("cd bin && ./gone.sh", "missing-file"),
        ("cd gone && ./ok.sh", "missing-file"),
        ("sh -c \"./gone.sh x\"", "missing-file"),
        ("python3 -u gone.py", "missing-file"),
        ("uv run \"$CLAUDE_PROJECT_DIR\"/gone.py x", "missing-file"),
        ("python3 \"${CLAUDE_PLUGIN_ROOT}/x.py\"", "unset-variable"),
        ("sh -c 'echo done; ./gone.sh'", "missing-file"),
        ("echo done | ./gone.sh", "missing-file"),
        (". ./gone.sh", "missing-file"),
        (". ./gone.sh && ./ok.sh", "missing-file"),
        ("sh -c '. ./gone.sh || true'", "missing-file"),
        ("cat | ./gone.sh", "missing-file"),
        ("(cd bin; ./gone.sh)", "missing-file"),
        ("( cd bin && ./gone.sh ) 2>/dev/null", "missing-file"),
        ("{ ./gone.sh; }", "missing-file"),
        ("(sometool)", "not-on-path"),
        ("{{X}}/x.sh", "missing-file"),
        ("bash {{X}}/x.sh", "missing-file"),
        ("hookc run --help", "wrong-call"),
        ("hookc run --version", "wrong-call"),
        ("", "empty-command"),
        ("hookc run --host claude gone.yaml", "missing-policy"),
        ("hookc run --host claude broken.txt", "broken-policy"),
        ("hookc run --host gemini hooks.yaml", "wrong-host"),
        ("/gone/hookc run --host claude hooks.yaml", "missing-file"),
    ] {
        assert_eq!(command(line), dead(what), "{line}");
    }
}

#[test]
fn calls_elsewhere() {
    let expected = vec![(false, "elsewhere".to_owned())];
    for line in [
        "ssh build 'hookc run --host claude hooks.yaml'",
        "docker run -i tools hookc run --host claude hooks.yaml",
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
    assert_eq!(command("timeout 5 hookc run --host claude hooks.yaml"), []);
}

#[test]
fn odd_commands() {
    for (line, what) in [
        ("\"$CLAUDE_PROJECTDIR\"/ok.sh", "unset-variable"),
        ("python3 \"$UNKNOWN\"/x.py", "unset-variable"),
        ("\"$env:CLAUDE_PROJECT_DIR\"/ok.sh", "unset-variable"),
        ("\"$UNKNOWN\"/pre-commit.sh", "unset-variable"),
        ("hookc --help", "wrong-call"),
        ("./ok.sh; ./gone.sh", "missing-file"),
        ("./ok.sh\n./gone.sh", "missing-file"),
        ("sh -c './ok.sh; ./gone.sh'", "missing-file"),
        ("./ok.sh | true; ./gone.sh", "missing-file"),
        ("echo x > gone.sh; sh gone.sh", "missing-file"),
        ("source ./gone.sh 2>/dev/null; ./ok.sh", "missing-file"),
        ("env -i PATH=\"$PATH\" hookc run --host claude hooks.yaml", "environment"),
        ("[[ -e x ]] && exit 2", "W0687"),
    ] {
        assert_eq!(command(line), vec![(false, what.to_owned())], "{line}");
    }
    assert_eq!(command("./ok.sh \"x"), dead("W0687"));
    for (options, is_dead) in [
        ("-i", true),
        ("-", true),
        ("-u X -i", true),
        ("--ignore-env", true),
        ("-i PATH=/x HOME=/y", false),
        ("-i PATH=/x XDG_STATE_HOME=/s XDG_CACHE_HOME=/c", false),
        ("-u X", false),
        ("-uhi", false),
        ("-C/srv/site", false),
    ] {
        let expected = if is_dead { dead("not-on-path") } else { Vec::new() };
        assert_eq!(
            command(&format!("env {options} hookc run --host claude hooks.yaml")),
            expected,
            "{options}"
        );
    }
}

#[test]
fn scripts_with_syntax_of_bash() {
    let test = "if [[ -e x ]]; then exit 2; fi\n";
    let reported = [("W0687", "guard.sh:2")];
    for (line, shebang, expected) in [
        ("./guard.sh", "#!/bin/sh", &reported[..]),
        ("./guard.sh", "#!/usr/bin/env sh", &reported),
        ("./guard.sh", "#!/bin/bash", &[]),
        ("sh guard.sh", "#!/bin/bash", &reported),
        ("bash guard.sh", "#!/bin/sh", &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["bash", "sh"] {
            executable(root, &format!("bin/{name}"), "");
        }
        put(root, "guard.sh", format!("{shebang}\n{test}"));
        fs::set_permissions(root.join("guard.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        let handler = format!("{{\"type\": \"command\", \"command\": \"{line}\"}}");
        put(
            root,
            ".claude/settings.json",
            format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{handler}]}}]}}}}"),
        );
        let (code, out, err) = doctor(root, &["--format", "json", ".claude"]);
        let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<(&str, &str)> =
            found.iter().map(|one| (one["what"].as_str().unwrap(), one["place"].as_str().unwrap())).collect();
        assert_eq!((code, found.as_slice()), (0, expected), "{line} {shebang}: {err}");
    }
}

#[test]
fn settings_of_claude_code() {
    let settings = |text: &str| found(".claude/settings.json", text);
    let ok = "{\"type\": \"command\", \"command\": \"./ok.sh\"}";
    let group =
        |event: &str, more: &str| format!("{{\"hooks\": {{\"{event}\": [{{{more}\"hooks\": [{ok}]}}]}}}}");
    assert_eq!(settings(&group("Stop", "")), []);
    assert_eq!(settings(&group("Stopp", "")), both("E0428"));
    for matcher in ["mcp__memory", "Bash(git push*)", "tools:Write AND path:x*"] {
        let group = group("PreToolUse", &format!("\"matcher\": \"{matcher}\", "));
        assert_eq!(settings(&group), dead("W0237"), "{matcher}");
    }
    assert_eq!(settings(&group("Stop", "\"matcher\": \"Bash\", ")), [(false, "W0236".to_owned())]);
    assert_eq!(settings(&format!("{{\"hooks\": {{\"Stop\": [{ok}]}}}}")), both("W0238"));
    assert_eq!(settings("{\"disableAllHooks\": true, \"hooks\": {}}"), dead("W0239"));
    assert_eq!(settings("{\"hooks\": {\"Stop\": ["), dead("E0108"));
    assert_eq!(settings("{\"hooks\": {\"custom\": {\"x\": 1}}}"), both("W0245"));
    let own = group("Stop", "").replace("./ok.sh", "$OWN/gone.sh");
    assert_eq!(settings(&own), [(false, "unset-variable".to_owned())]);
    assert_eq!(settings(&own.replacen('{', "{\"env\": {\"OWN\": \"bin\"}, ", 1)), dead("missing-file"));
    let call = "{\"type\": \"command\", \"command\": \"hookc run --host claude hooks.yaml\"}";
    assert_eq!(
        settings(&format!("{{\"hooks\": {{\"SessionEnd\": [{{\"hooks\": [{call}]}}]}}}}")),
        // The policy has hooks for `Stop` alone.
        [dead("idle-call"), dead("not-called")].concat()
    );
    assert_eq!(
        settings(&group("Stop", "").replace("ok.sh\"", "ok.sh\", \"timeout\": 30000")),
        [(false, "W0235".to_owned())]
    );
    assert_eq!(found(".claude/hooks.json", &group("Stop", "")), dead("ignored-file"));
}

#[test]
fn real_settings_files() {
    let ok = "\"command\": \"./ok.sh\"";
    let gemini = |event: &str, more: &str| {
        let text = format!(
            "{{\"hooks\": {{\"{event}\": [{{\"hooks\": [{{\"type\": \"command\", {ok}{more}}}]}}]}}}}"
        );
        found(".gemini/settings.json", &text)
    };
    assert_eq!(gemini("BeforeTool", ", \"timeout\": 5000"), []);
    assert_eq!(gemini("BeforeTool", ", \"timeout\": 5"), dead("W0286"));
    assert_eq!(gemini("PreToolUse", ""), dead("W0283"));
    assert_eq!(found(".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}"), dead("W0239"));
    let gone = "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"./gone.sh\"}]}}";
    assert_eq!(found(".cursor/hooks.json", gone), dead("missing-file"));
    assert_eq!(found(".cursor/hooks.json", &gone.replace("stop", "Stop")), dead("W0283"));
    let copilot = "{\"version\": 1, \"hooks\": {\"agentStop\": [{\"type\": \"command\", \"bash\": \"./gone.sh\", \
                   \"timeoutSec\": 30000}]}}";
    let warning = (false, "W0235".to_owned());
    assert_eq!(found(".github/hooks/any.json", copilot), [warning, dead("missing-file").remove(0)]);
    let codex =
        format!("{{\"hooks\": {{\"Notification\": [{{\"hooks\": [{{\"type\": \"command\", {ok}}}]}}]}}}}");
    assert_eq!(found(".codex/hooks.json", &codex), dead("W0283"));
}

#[test]
fn policies() {
    let hook = "id: tests\nevent_type: SessionStop\nenabled: true\nblocking: false\n\
                handler: {kind: script, command: ./gone.sh}\n";
    assert_eq!(found(".system/hooks/tests.yaml", hook), dead("E0258"));
    assert_eq!(found(".system/hooks/tests.yaml", &hook.replace("gone", "plain")), dead("E0259"));
    assert_eq!(found(".system/hooks/tests.yaml", &hook.replace("gone", "ok")), []);
    let never =
        "hooks: [{event: Stop, when: \"session_id == 'a' and session_id == 'b'\", action: {type: allow}}]\n";
    assert_eq!(found("more/hooks.yaml", never), dead("W0604"));
    assert_eq!(found("more/hooks.yaml", "hooks: [{event: Stop}]\n"), dead("E0202"));
}

#[test]
fn hookc_itself_and_the_words() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "hooks.yaml", POLICY);
    let call = "{\"type\": \"command\", \"command\": \"hookc run --host claude hooks.yaml\"}";
    put(root, ".claude/settings.json", format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{call}]}}]}}}}\n"));
    let (code, out, err) = doctor(root, &[]);
    let expected = ".claude/settings.json:1:63: dead[not-on-path]: `hookc` is not on PATH\n    help: add \
                    it to PATH, or run `hookc install` again\n";
    assert_eq!((code, out.as_str(), err.as_str()), (1, expected, "1 dead in 2 files\n"));
    let settings = fs::read_to_string(root.join(".claude/settings.json")).unwrap();
    put(root, ".claude/settings.json", settings.replace("hookc run", "env -i hookc run"));
    assert_eq!(doctor(root, &["--format", "short"]).1.lines().count(), 1);
    put(root, ".claude/settings.json", settings);
    fs::create_dir_all(root.join("bin")).unwrap();
    symlink(HOOKC, root.join("bin/hookc")).unwrap();
    assert_eq!(doctor(root, &[]), (0, String::new(), "no dead hooks in 2 files\n".to_owned()));
    assert_eq!(doctor(root, &[".claude/settings.json"]).0, 0);
    assert_eq!(doctor(root, &["gone.json"]).0, 2);
    put(root, "home/.gemini/settings.json", "{");
    let (code, out, _) = doctor(root, &[]);
    assert!(code == 1 && out.contains("home/.gemini/settings.json:1:1: dead[E0108]"), "{out}");
}

#[test]
fn keys_that_agents_do_not_read() {
    let run = "{\"type\": \"command\", \"command\": \"./ok.sh\"";
    let claude = |entry: &str| {
        found(".claude/settings.json", &format!("{{\"hooks\": {{\"PreToolUse\": [{entry}]}}}}"))
    };
    let not_read = dead("not-read");
    let when = "\"when\": \"tool_name == 'Bash'\"";
    assert_eq!(claude(&format!("{{{when}, \"hooks\": [{run}}}]}}")), not_read);
    assert_eq!(claude(&format!("{{\"hooks\": [{run}, {when}}}]}}")), not_read);
    assert_eq!(
        claude(&format!(
            "{{\"condition\": {{\"path\": \"tool_name\", \"op\": \"eq\", \"value\": \"Bash\"}}, \"hooks\": [{run}}}]}}"
        )),
        not_read
    );
    assert_eq!(claude("{\"action\": {\"type\": \"deny\", \"reason\": \"no\"}}"), not_read);
    assert_eq!(
        claude(&format!("{{\"hooks\": [{run}, \"enabled\": false}}]}}")),
        [(false, "not-read".to_owned())]
    );
    let gemini = format!("{{\"hooks\": {{\"BeforeTool\": [{{{when}, \"hooks\": [{run}}}]}}]}}}}");
    assert_eq!(found(".gemini/settings.json", &gemini), not_read);
    let codex = format!("{{\"hooks\": {{\"PreToolUse\": [{{{when}, \"hooks\": [{run}}}]}}]}}}}");
    assert_eq!(found(".codex/hooks.json", &codex), not_read);
    // A policy in the same format may have them.
    let policy = "{\"hooks\": {\"PreToolUse\": [{\"action\": {\"type\": \"deny\", \"reason\": \"no\"}}]}}";
    assert_eq!(found("more/guard.json", policy), []);
}

#[test]
fn values_of_the_wrong_type_matchers_and_versions() {
    for (file, event) in [
        (".gemini/settings.json", "BeforeTool"),
        (".cursor/hooks.json", "stop"),
        (".github/hooks/x.json", "agentStop"),
    ] {
        let text = |hooks: &str| format!("{{\"version\": 1, \"hooks\": {hooks}}}");
        for hooks in [format!("{{\"{event}\": {{}}}}"), format!("{{\"{event}\": [1]}}"), "[]".to_owned()] {
            assert!(found(file, &text(&hooks)).contains(&dead("E0203").remove(0)), "{file} {hooks}");
        }
    }
    let own = "{\"hooks\": {\"stop\": [{\"command\": \"./ok.sh\"}]}}";
    assert_eq!(found(".cursor/hooks.json", own), [], "Cursor assumes version 1");
    let own = "{\"hooks\": {\"agentStop\": [{\"type\": \"command\", \"bash\": \"./ok.sh\"}]}}";
    assert_eq!(found(".github/hooks/x.json", own), [(false, "W0639".to_owned())]);
    let matched = |event: &str, matcher: &str| {
        let run = "{\"type\": \"command\", \"command\": \"./ok.sh\"}";
        let group = format!("{{\"matcher\": \"{matcher}\", \"hooks\": [{run}]}}");
        found(".claude/settings.json", &format!("{{\"hooks\": {{\"{event}\": [{group}]}}}}"))
    };
    assert_eq!(matched("SessionStart", "startp"), dead("W0627"));
    assert_eq!(matched("PreCompact", "Bash"), [(false, "W0637".to_owned())]);
    assert_eq!(matched("PreToolUse", "bash"), dead("W0426"));
    for matcher in ["Bash(git *)", "Bash(git push *)"] {
        assert_eq!(matched("PreToolUse", matcher), dead("W0237"), "{matcher}");
    }
    for (event, matcher) in
        [("SessionStart", "startup|resume"), ("PreCompact", "auto"), ("PreToolUse", "Bash|my_tool")]
    {
        assert_eq!(matched(event, matcher), [], "{event} {matcher}");
    }
}

#[test]
fn handlers_in_policies() {
    let run = |action: &str| {
        found("hooks.yml", &format!("hooks: [{{event: Stop, action: {{type: run, {action}}}}}]\n"))
    };
    for action in [
        "command: ./ok.sh",
        "command: 'python3 plain.sh'",
        "command: echo x, cwd: '${cwd}'",
        "argv: [./ok.sh, gone.sh]",
        "argv: [./ok.sh, '${cwd}/x.py']",
        "argv: [sh, -c, ./ok.sh]",
        "command: sometool, env: {PATH: /opt}",
        "command: ./sh, cwd: bin",
        "command: '$UNKNOWN/x.sh'",
    ] {
        assert_eq!(run(action), [], "{action}");
    }
    for (action, what) in [
        ("command: ./gone.sh", "missing-file"),
        ("command: 'python3 scripts/gone.py'", "missing-file"),
        ("command: ./plain.sh", "not-executable"),
        ("command: sometool", "not-on-path"),
        ("command: x, shell: sometool", "not-on-path"),
        ("command: ./ok.sh, cwd: gone", "missing-file"),
        ("command: ./ok.sh, cwd: bin", "missing-file"),
        ("argv: [./gone.sh]", "missing-file"),
        ("argv: [./plain.sh]", "not-executable"),
        ("argv: [sometool, x]", "not-on-path"),
        ("argv: [python3, gone.py]", "missing-file"),
        ("argv: [sh, -c, ./gone.sh]", "missing-file"),
        ("command: 'hookc run --bogus'", "wrong-call"),
    ] {
        assert!(run(action).contains(&(true, what.to_owned())), "{action} {:?}", run(action));
    }
    assert_eq!(
        found(
            "hooks.yml",
            "hooks: [{event: Stop, enabled: false, action: {type: run, command: ./gone.sh}}]\n"
        ),
        []
    );
    let directive = "<directive name=\"x\"><hooks><hook><event>error</event><action type=\"run\"><param name=\"command\">./gone.sh</param></action></hook></hooks></directive>\n";
    let told = found("x.xml", directive);
    assert!(told.iter().any(|(_, what)| what == "missing-file" || what.starts_with('E')), "{told:?}");
    let settings = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"\\\"$CLAUDE_PLUGIN_ROOT\\\"/gone.sh\"}]}]}}";
    assert_eq!(found("hooks/hooks.json", settings), [(false, "missing-file".to_owned())]);
    assert_eq!(found("hooks/hooks.json", &settings.replace("gone", "ok")), []);
}

#[test]
fn handlers_of_policies_that_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("bin")).unwrap();
    symlink(HOOKC, root.join("bin/hookc")).unwrap();
    executable(root, "bin/sh", "");
    let policy =
        |command: &str| format!("hooks: [{{event: Stop, action: {{type: run, command: {command}}}}}]\n");
    executable(root, "policies/here.sh", "");
    put(root, "policies/guard.yaml", policy("./here.sh"));
    put(root, "policies/user.yaml", policy("./also_gone.sh"));
    // In its own directory the handler exists; where the call runs it does not.
    assert_eq!(doctor(root, &["policies/guard.yaml"]).0, 0);
    let call = "hookc run --host claude --layer user=policies/user.yaml policies/guard.yaml";
    let handler = format!("{{\"type\": \"command\", \"command\": \"{call}\"}}");
    put(
        root,
        ".claude/settings.json",
        format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{handler}]}}]}}}}\n"),
    );
    let (code, out, _) = doctor(root, &["--format", "short", ".claude/settings.json"]);
    let expected = "policies/guard.yaml:1:52: dead[missing-file]: the handler `./here.sh` does not exist\n\
                    policies/user.yaml:1:52: dead[missing-file]: the handler `./also_gone.sh` does not exist\n";
    assert_eq!((code, out.as_str()), (1, expected));
    // In a directory, equal findings are reported once.
    let (_, out, err) = doctor(root, &["--format", "short", "."]);
    assert_eq!(out.lines().count(), 2, "{out}{err}");
}

#[test]
fn ways_around_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let root = root.as_path();
    executable(root, "ok.sh", "");
    let settings = |command: &str| {
        format!(
            "{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{command}\"}}]}}]}}}}"
        )
    };
    put(root, ".claude/settings.json", settings("./ok.sh"));
    put(root, ".codex/hooks.json", settings("./ok.sh"));
    put(root, ".gemini/settings.json", settings("./ok.sh").replace("Stop", "AfterAgent"));
    let copilot =
        "{\"version\": 1, \"hooks\": {\"agentStop\": [{\"type\": \"command\", \"bash\": \"./ok.sh\"}]}}";
    put(root, ".github/hooks/x.json", copilot);
    let told = || {
        let (_, out, _) = doctor(root, &["--format", "json", "."]);
        let all = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        all.map(|one| format!("{} {}", one["what"].as_str().unwrap(), one["dead"])).collect::<Vec<_>>()
    };
    assert_eq!(told(), Vec::<String>::new());
    let here = root.to_str().unwrap();
    let state = |rest: &str| format!("[hooks.state.\"{here}/.codex/hooks.json:stop:0:0\"]\n{rest}\n");
    let reviewed = state("trusted_hash = \"sha256:0\"");
    for (file, text, expected) in [
        (
            ".claude.json",
            format!("{{\"projects\": {{\"{here}\": {{\"hasTrustDialogAccepted\": false}}}}}}"),
            "untrusted false",
        ),
        (".codex/config.toml", format!("model = \"x\"\n{reviewed}"), "untrusted false"),
        (".codex/config.toml", format!("projects.\"{here}\".trust_level = \"trusted\"\n"), "untrusted false"),
        (
            ".codex/config.toml",
            format!("projects.\"{here}\".trust_level = \"trusted\"\n{}", state("enabled = false")),
            "switched-off true",
        ),
        (
            ".codex/config.toml",
            format!("[projects.\"{here}\"]\ntrust_level = \"untrusted\"\n{reviewed}"),
            "untrusted true",
        ),
        (
            ".codex/config.toml",
            format!(
                "[features]\nhooks = false\n[projects.\"{here}\"]\ntrust_level = \"trusted\"\n{reviewed}"
            ),
            "W0239 true",
        ),
        (
            ".copilot/config.json",
            "// x\n{\"trusted_folders\": [\"/elsewhere\"]}".to_owned(),
            "untrusted false",
        ),
        (".gemini/trustedFolders.json", format!("{{\"{here}\": \"DO_NOT_TRUST\"}}"), "untrusted true"),
        (".claude/settings.json", "{\"disableAllHooks\": true}".to_owned(), "W0239 true"),
        (
            ".claude/dev-mods/s/m/hooks/hooks.json",
            "{\"modules\": [\"./register.js\"]}".to_owned(),
            "mod false",
        ),
    ] {
        let path = put(root.join("home"), file, text);
        assert_eq!(told(), [expected], "{file}");
        fs::remove_file(path).unwrap();
    }
    for (file, text) in [
        (".claude.json", format!("{{\"projects\": {{\"{here}\": {{\"hasTrustDialogAccepted\": true}}}}}}")),
        (".codex/config.toml", format!("projects.\"{here}\".trust_level = \"trusted\"\n{reviewed}")),
        (".copilot/config.json", format!("{{\"trusted_folders\": [\"{here}\"]}}")),
        (".gemini/trustedFolders.json", format!("{{\"{here}\": \"TRUST_FOLDER\"}}")),
        (".claude/dev-mods/s/m/hooks/hooks.json", "{\"hooks\": {}}".to_owned()),
    ] {
        let path = put(root.join("home"), file, text);
        assert_eq!(told(), Vec::<String>::new(), "{file}");
        fs::remove_file(path).unwrap();
    }
    let installed = put(root, "plugin/hooks/hooks.json", "{\"modules\": [\"./register.js\"]}");
    let plugins =
        format!("{{\"version\": 2, \"plugins\": {{\"p@m\": [{{\"installPath\": \"{here}/plugin\"}}]}}}}");
    put(root, "home/.claude/plugins/installed_plugins.json", plugins);
    assert_eq!(told(), Vec::<String>::new());
    put(root, "home/.claude/settings.json", "{\"enabledPlugins\": {\"p@m\": true}}");
    assert_eq!(told(), ["mod false"]);
    fs::remove_file(installed).unwrap();
}

#[test]
fn hooks_in_settings_that_hold_other_things_too() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let root = root.as_path();
    let told = |path: &str| doctor(root, &["--format", "short", path]).1;
    put(
        root,
        ".codex/config.toml",
        "[[hooks.PreToolUse]]\nmatcher = \"bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\n\
         command = \"./gone.sh\"\n[[hooks.Stpo]]\nhooks = []\n[hooks.state.x]\nenabled = true\n",
    );
    let out = told(".codex/config.toml");
    let expected = [
        ".codex/config.toml:2:11: dead[W0237]:",
        ".codex/config.toml:5:11: dead[missing-file]: the handler `./gone.sh` does not exist",
        ".codex/config.toml:6:9: dead[W0283]: Codex CLI has no event `Stpo`",
    ];
    assert!(expected.iter().all(|line| out.contains(line)) && !out.contains("state"), "{out}");
    put(root, ".codex/config.toml", "[[hooks.Stop\n");
    assert!(told(".codex").contains("dead[E0440]"), "{}", told(".codex"));
    put(
        root,
        ".github/copilot/settings.json",
        "{\"hooks\": {\"agentStop\": [{\"exec\": \"./gone\", \"args\": [\"-x\"]}]}}",
    );
    let out = told(".github/copilot/settings.json");
    assert!(out.contains("`./gone` does not exist") && !out.contains("W0639"), "{out}");
    let hooks = "{\"version\": 1, \"hooks\": {\"agentStop\": [{\"bash\": \"true\"}]}}";
    put(root, ".github/hooks/x.json", hooks);
    put(root, ".github/copilot/settings.local.json", "{\"disableAllHooks\": true}");
    let out = told(".github/hooks");
    assert!(out.contains("settings.local.json:1:21: dead[switched-off]"), "{out}");
    put(
        root,
        ".gemini/settings.json",
        "{\"hooks\": {\"AfterAgent\": [{\"hooks\": [{\"name\": \"n\", \"type\": \"command\", \"command\": \"true\"}]}]}}",
    );
    put(root, "home/.gemini/settings.json", "{\"hooksConfig\": {\"disabled\": [\"n\"]}}");
    assert!(
        told(".gemini").contains(".gemini/settings.json:1:47: dead[switched-off]"),
        "{}",
        told(".gemini")
    );
}
