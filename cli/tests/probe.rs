//! `hookc probe`: finds dead set-ups, calls no living one dead, and its question cannot be used to get a call approved.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{HOOKC, Run, put, read};
use serde_json::{Value, json};

pub(crate) const GUARD: &str =
    "hooks:\n  - {event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: stop}}\n";
pub(crate) const CLAUDE: &str = ".claude/settings.json";
/// A call of a guard as a person may write it.
pub(crate) const CALL: &str = "hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\"";
pub(crate) const TOKEN: &str = "00112233445566778899aabbccddeeff";

/// A project with a policy, a home and a state directory.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    name: &'static str,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::named("p")
    }

    pub(crate) fn named(name: &'static str) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), name };
        fs::create_dir_all(place.folder.path().join("home")).unwrap();
        put(place.root(), "guard.yaml", GUARD);
        place
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(self.name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// `hookc` with this home, found by its name.
    pub(crate) fn run(&self, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = common::command(self.root());
        let programs = [Path::new(HOOKC).parent().unwrap(), Path::new("/usr/bin"), Path::new("/bin")];
        command.env("PATH", std::env::join_paths(programs).unwrap());
        command.env("HOME", self.folder.path().join("home")).env("XDG_STATE_HOME", self.state());
        command.env("SHELL", "/bin/sh").args(args).envs(variables.iter().copied());
        common::run(&mut command, input)
    }

    pub(crate) fn hookc(&self, args: &[&str]) -> Run {
        self.run(args, "", &[])
    }

    /// Claude Code's settings with one command before tools; `more` are further members of its handler.
    pub(crate) fn claude(&self, command: &str, matcher: Option<&str>, more: &Value) {
        let mut handler = json!({"type": "command", "command": command});
        handler.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        let mut group = json!({"hooks": [handler]});
        if let Some(matcher) = matcher {
            group["matcher"] = matcher.into();
        }
        put(self.root(), CLAUDE, json!({"hooks": {"PreToolUse": [group]}}).to_string());
    }

    /// The answers of a probe as JSON, and its exit status.
    pub(crate) fn rows(&self, agent: &str) -> (Vec<Value>, i32) {
        let (code, text, _) = self.hookc(&["-q", "probe", agent, "--format", "json"]).parts();
        (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), code)
    }
}

pub(crate) fn states(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["state"].as_str().unwrap()).collect()
}

const AGENTS: [&str; 17] = [
    "antigravity",
    "claude",
    "cline",
    "codex",
    "copilot",
    "crush",
    "cursor",
    "devin",
    "droid",
    "gemini",
    "goose",
    "kiro",
    "opencode",
    "openhands",
    "pi",
    "qwen",
    "windsurf",
];

#[test]
fn what_install_writes_is_alive_for_every_agent() {
    let places = AGENTS.iter().flat_map(|agent| [(agent, "p"), (agent, "a b")]);
    for (agent, name) in places.step_by(hookc_corpus::effort(1, 5)) {
        let place = Place::named(name);
        let policy = format!("{GUARD}  - {{event: SessionStart, action: {{type: inject, text: hello}}}}\n");
        put(place.root(), "guard.yaml", policy);
        let installed = place.hookc(&["install", agent, "guard.yaml"]);
        assert_eq!(installed.code, 0, "{agent}: {}", installed.err);
        let (rows, code) = place.rows(agent);
        let alive = rows.iter().filter(|row| row["state"] == "alive");
        assert!(code == 0 && alive.clone().count() >= 1, "{agent} in `{name}`: {rows:?}");
        assert!(rows.iter().all(|row| row["state"] != "dead"), "{agent} in `{name}`: {rows:?}");
        assert!(alive.clone().all(|row| row["ms"].as_f64().is_some()), "{agent}: {rows:?}");
    }
}

/// What is done to the call in the settings of each agent, and whether `doctor` finds it dead.
const LOST: [(&str, &str); 3] =
    [("C < /dev/null", "W0685"), ("C &", "W0685"), ("if false; then C; fi", "W0685")];

/// `doctor`, `status` and `probe` agree about calls that the line cuts off.
#[test]
fn a_line_that_cuts_off_its_call() {
    for agent in AGENTS.into_iter().step_by(hookc_corpus::effort(1, 6)) {
        let place = Place::new();
        assert_eq!(place.hookc(&["install", agent, "guard.yaml"]).code, 0, "{agent}");
        let rows = place.hookc(&["-q", "status", "--json"]).out;
        let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        let file = place.root().join(row["settings"].as_str().unwrap());
        let text = fs::read_to_string(&file).unwrap();
        // Of an agent with an event for each tool, the one for commands.
        let event = text.find("pre_run_command").unwrap_or(0);
        let start = text[event..].find("hookc run").map(|at| {
            let before = text[..event + at].trim_end_matches(|c: char| !"\"'( \n".contains(c));
            before.len()
        });
        let (start, version) = (start.unwrap(), event + text[event..].find(" --since ").unwrap());
        let end = version + " --since ".len();
        let end = end + text[end..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap();
        let call = &text[start..end];
        let quote = text[..start].rfind('"').map_or(0, |at| at + 1);
        for (form, code) in LOST {
            let line = form.replace('C', call);
            let changed = match text.starts_with("#!") {
                true => format!("#!/bin/sh\n{line}\n"),
                false => {
                    let quotes = text[end..].match_indices('"').map(|(at, _)| end + at);
                    let rest = quotes.into_iter().find(|at| !text[..*at].ends_with('\\')).unwrap();
                    format!("{}{line}{}", &text[..quote], &text[rest..])
                }
            };
            fs::write(&file, changed).unwrap();
            let found = place.hookc(&["doctor"]);
            assert!(
                found.out.contains(&format!("dead[{code}]")),
                "{agent} {form}: {} {}",
                found.out,
                found.err
            );
            let (rows, status) = place.rows(agent);
            assert!(status == 1 && rows.iter().any(|row| row["state"] == "dead"), "{agent} {form}: {rows:?}");
            let status = place.hookc(&["status", "--json"]);
            assert!(status.code == 1 && status.out.contains("\"lost\""), "{agent} {form}: {}", status.out);
        }
    }
}

#[test]
fn settings_of_the_user_are_alive_too() {
    for agent in ["claude", "codex", "cursor", "gemini"] {
        let place = Place::named("a b");
        let installed = place.hookc(&["install", agent, "guard.yaml", "--scope", "user"]);
        assert_eq!(installed.code, 0, "{agent}: {}", installed.err);
        let (rows, code) = place.rows(agent);
        assert!(code == 0 && states(&rows).contains(&"alive"), "{agent}: {rows:?}");
    }
}

/// Nothing of the policy runs, nothing else in the settings runs, and nothing stays.
#[test]
fn the_question_runs_no_hook_and_no_other_command() {
    let place = Place::new();
    let policy = "hooks:\n  - {event: PreToolUse, action: {type: run, command: \"touch handler.ran\"}}\n";
    put(place.root(), "guard.yaml", policy);
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    let mut settings: Value = serde_json::from_str(&read(place.root(), CLAUDE)).unwrap();
    let other = json!({"hooks": [{"type": "command", "command": "touch other.ran"}]});
    settings["hooks"]["PreToolUse"].as_array_mut().unwrap().push(other);
    put(place.root(), CLAUDE, settings.to_string());
    let (rows, code) = place.rows("claude");
    assert_eq!((states(&rows), code), (vec!["alive"], 0), "{rows:?}");
    for file in ["handler.ran", "other.ran"] {
        assert!(!place.root().join(file).exists(), "{file}");
    }
    assert_eq!(fs::read_to_string(place.state().join("hookc/decisions.jsonl")).unwrap_or_default(), "");
    assert_eq!(fs::read_dir(place.state().join("hookc/probe")).unwrap().count(), 0);
    let status = place.hookc(&["status"]);
    assert!(status.out.contains("never"), "a probe is no call of the agent: {}", status.out);
}

/// How the command of a call leads to its state, and a part of the reason.
const COMMANDS: [(&str, &str, &str); 14] = [
    (CALL, "alive", ""),
    ("cd \"$CLAUDE_PROJECT_DIR\" && hookc run --host claude guard.yaml", "alive", ""),
    ("hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\" || true", "alive", ""),
    ("hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\" 2>/dev/null", "alive", ""),
    ("hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\" >/dev/null", "dead", "standard output"),
    ("echo starting; hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\"", "dead", "other text"),
    (
        "hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\"; exit 1",
        "dead",
        "exit status 1 in place of 0",
    ),
    ("hookc run --host claude '$CLAUDE_PROJECT_DIR/guard.yaml'", "dead", "cannot decide"),
    ("hookc run --host claude $CLAUDE_PROJECT_DIR/guard.yaml", "dead", "cannot decide"),
    ("hookc run --host claude \"~/guard.yaml\"", "dead", "cannot decide"),
    ("gone/hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\"", "dead", "127"),
    (
        "gone/hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\" || exit 2",
        "dead",
        "every call is denied",
    ),
    ("HOOKC_DISABLE=1 hookc run --host claude \"$CLAUDE_PROJECT_DIR/guard.yaml\"", "dead", "HOOKC_DISABLE"),
    ("hookc run --host claude --bogus \"$CLAUDE_PROJECT_DIR/guard.yaml\"", "", ""),
];

#[test]
fn commands_of_calls() {
    for (command, state, reason) in COMMANDS {
        let place = Place::named("sp ace");
        place.claude(command, None, &json!({}));
        let (rows, code) = place.rows("claude");
        if state.is_empty() {
            assert_eq!(code, 1, "{command}: {rows:?}");
            continue;
        }
        let row = rows.iter().find(|row| row["event"] == "PreToolUse").unwrap();
        assert_eq!(row["state"], state, "{command}: {rows:?}");
        assert!(row["reason"].as_str().unwrap_or_default().contains(reason), "{command}: {rows:?}");
        assert_eq!(code, i32::from(state == "dead"), "{command}: {rows:?}");
    }
}

/// Lines that a shell reads alike everywhere, with their call as `C`: `doctor` calls dead what `probe` does.
const LINES: [(&str, bool); 47] = [
    ("C", false),
    ("C || exit 2", false),
    ("C; exit 0", false),
    ("C | cat", false),
    ("cat | C", false),
    ("event=$(cat); printf '%s' \"$event\" | C", false),
    ("answer=$(C); code=$?; printf '%s' \"$answer\"; exit $code", false),
    ("f() { C; }; f", false),
    ("C > /dev/stdout", false),
    ("C > out.json; cat out.json", false),
    ("exec C", false),
    ("C > /dev/null", true),
    ("C 2>&1 > /dev/null", true),
    ("C >&2", true),
    ("C < /dev/null", true),
    ("C &", true),
    ("nohup C &", true),
    ("echo '{}' | C", true),
    ("cat > /dev/null; C", true),
    ("echo checking; C", true),
    ("f() { C; }", true),
    ("false && C", true),
    ("true || C", true),
    ("exit 0; C", true),
    ("if false; then C; fi", true),
    ("exec > /dev/null; C", true),
    ("(C) > /dev/null", true),
    ("! C", true),
    ("timeout 0.001 C", true),
    ("C 3>&1 1>&2 2>&3", true),
    ("xargs C", true),
    ("xargs -n 1 C", true),
    ("cat | xargs -I{} C", true),
    ("case a in b) C;; esac", true),
    ("case a in a) ;; *) C;; esac", true),
    ("case a in a) C;; esac", false),
    ("case b in a|b) C;; esac", false),
    ("case b in a) ;; *) C;; esac", false),
    ("case \"$HOME\" in '') ;; *) C;; esac", false),
    ("trap 'C' EXIT", false),
    ("trap 'C' INT", true),
    ("trap 'C || exit 2' 0", false),
    ("trap 'C > /dev/null' EXIT", true),
    ("cat > /dev/null; trap 'C' EXIT", true),
    ("read event; C", true),
    ("read event < /dev/null; C", false),
    ("read event; printf '%s' \"$event\" | C", false),
];

#[test]
fn lines_with_a_call() {
    for (line, is_dead) in LINES {
        let place = Place::new();
        place.claude(&line.replace('C', CALL), None, &json!({}));
        let (rows, _) = place.rows("claude");
        assert_eq!(rows.iter().any(|row| row["state"] == "dead"), is_dead, "{line}: {rows:?}");
        let found = place.hookc(&["doctor", CLAUDE]).out;
        assert_eq!(found.contains("dead[W0685]"), is_dead, "{line}: {found}");
    }
}

#[test]
fn handlers_that_are_narrowed() {
    for (matcher, more, expected, reason) in [
        (Some("Bash"), json!({}), "alive", ""),
        (Some("Bash|Edit"), json!({}), "alive", ""),
        (Some("*"), json!({}), "alive", ""),
        (Some("Edit"), json!({}), "dead", "does not let `Bash` through"),
        (Some("bash"), json!({}), "dead", "does not let `Bash` through"),
        (None, json!({"async": true}), "dead", "nothing waits"),
        (None, json!({"if": "Bash(git *)"}), "alive", "most events"),
        (None, json!({"timeout": 20}), "alive", ""),
    ] {
        let place = Place::new();
        place.claude(CALL, matcher, &more);
        let (rows, _) = place.rows("claude");
        let row = rows.iter().find(|row| row["event"] == "PreToolUse").unwrap();
        assert_eq!(row["state"], expected, "{matcher:?} {more}: {rows:?}");
        assert!(row["reason"].as_str().unwrap_or_default().contains(reason), "{matcher:?} {more}: {rows:?}");
    }
}

/// Keys that narrow a handler where the agent reads them, and do nothing elsewhere.
#[test]
fn keys_that_an_agent_does_not_read_narrow_nothing() {
    let narrowed = |agent: &str, file: &str, key: &str| {
        let place = Place::new();
        assert_eq!(place.hookc(&["install", agent, "guard.yaml"]).code, 0, "{agent}");
        let settings = common::read(place.root(), file);
        put(place.root(), file, settings.replace("\"type\": \"command\"", key));
        states(&place.rows(agent).0).contains(&"dead")
    };
    let key = "\"type\": \"command\", \"async\": true";
    assert!(!narrowed("gemini", ".gemini/settings.json", key));
    assert!(narrowed("qwen", ".qwen/settings.json", key));
    assert!(narrowed("codex", ".codex/hooks.json", key));
}

/// The event of a call that names an agent which has the tool under another name is recognized.
#[test]
fn a_call_for_another_agent() {
    for other in ["qwen", "flat", "openhands"] {
        let place = Place::new();
        assert_eq!(place.hookc(&["install", "qwen", "guard.yaml"]).code, 0);
        let file = ".qwen/settings.json";
        let settings = common::read(place.root(), file).replace("--host qwen", &format!("--host {other}"));
        put(place.root(), file, settings);
        let (rows, _) = place.rows("qwen");
        let row = rows.iter().find(|row| row["event"] == "PreToolUse").unwrap();
        assert_eq!(row["state"], "alive", "{other}: {rows:?}");
    }
}

/// A tool that one hook is for and no matcher lets through, although the call gets another one.
#[test]
fn a_tool_that_the_matcher_leaves_out() {
    let place = Place::new();
    let policy = format!("{GUARD}{}", GUARD.replace("hooks:\n", "").replace("Bash", "WebFetch"));
    put(place.root(), "guard.yaml", policy);
    place.claude(CALL, Some("Bash"), &json!({}));
    let (rows, code) = place.rows("claude");
    assert_eq!((states(&rows), code), (vec!["alive", "dead"], 1), "{rows:?}");
    assert!(rows[1]["reason"].as_str().unwrap().contains("`WebFetch`"), "{rows:?}");
}

#[test]
fn a_call_that_the_agent_stops() {
    let place = Place::new();
    place.claude(&format!("sleep 30; {CALL}"), None, &json!({"timeout": 1}));
    let (rows, code) = place.rows("claude");
    assert_eq!((states(&rows), code), (vec!["dead"], 1));
    assert!(rows[0]["reason"].as_str().unwrap().contains("when the agent stops waiting"), "{rows:?}");
    place.claude(&format!("sleep 30; {CALL}"), None, &json!({}));
    let text = place.hookc(&["probe", "claude", "--timeout", "1"]).out;
    assert!(text.contains("no answer after 1 s; the agent waits 600 s"), "{text}");
}

/// What only the files show: the agent does not run a hook that would answer.
#[test]
fn files_that_the_agent_does_not_run() {
    let entry = format!("[{{\"hooks\": [{{\"type\": \"command\", \"command\": {}}}]}}]", json!(CALL));
    for (text, what) in [
        (format!("{{\"hooks\": {{\"PreToolUse\": {entry}}}}}"), ""),
        (format!("{{/* mine */ \"hooks\": {{\"PreToolUse\": {entry}}}}}"), "unreadable"),
        (format!("{{\"hooks\": {{\"PreToolUse\": {entry},}}}}"), "unreadable"),
        (format!("{{\"hooks\": {{\"PreToolUse\": {entry}, \"BeforeLunch\": {entry}}}}}"), "unreadable"),
        // A handler of another event.
        (
            format!(
                "{{\"hooks\": {{\"PreToolUse\": {entry}, \"Stop\": {}}}}}",
                entry.replace("\"type\"", "\"timeout\": 0, \"type\"").replace("guard.yaml", "gone.yaml")
            ),
            "a timeout of 0 (unreadable)",
        ),
        (format!("{{\"hooks\": {{\"PreToolUse\": {entry}}}, \"hooks\": {{}}}}"), "W0231"),
        (format!("{{\"disableAllHooks\": true, \"hooks\": {{\"PreToolUse\": {entry}}}}}"), ""),
        (
            format!("{{\"env\": {{\"HOOKC_DISABLE\": \"1\"}}, \"hooks\": {{\"PreToolUse\": {entry}}}}}"),
            "switched-off",
        ),
        (format!("{{\"PreToolUse\": {entry}}}"), "W02"),
    ] {
        let place = Place::new();
        put(place.root(), CLAUDE, &text);
        let probe = place.hookc(&["probe", "claude"]);
        let alive = what.is_empty() && !text.contains("disableAllHooks");
        assert_eq!(probe.code, i32::from(!alive), "{text}: {}", probe.out);
        assert!(probe.out.contains(what), "{text}: {}", probe.out);
        assert_eq!(probe.out.contains("alive"), alive, "{text}: {}", probe.out);
    }
}

#[test]
fn events_at_the_wrong_level_of_other_agents() {
    for (agent, file, text) in [
        (
            "gemini",
            ".gemini/settings.json",
            r#"{"BeforeTool": [{"hooks": [{"type": "command", "command": "true"}]}]}"#,
        ),
        (
            "gemini",
            ".gemini/settings.json",
            r#"{"hoks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#,
        ),
        (
            "copilot",
            ".github/hooks/mine.json",
            r#"{"version": 1, "preToolUse": [{"type": "command", "bash": "true"}]}"#,
        ),
        (
            "codex",
            ".codex/hooks.json",
            r#"{"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}"#,
        ),
        ("cursor", ".cursor/hooks.json", r#"{"version": 1, "beforeShellExecution": [{"command": "true"}]}"#),
        (
            "cursor",
            ".cursor/hooks.json",
            r#"{"version": 1, "hooks": {"preToolUse": [{"matcher": "Bash", "command": "true"}]}}"#,
        ),
    ] {
        let place = Place::new();
        put(place.root(), file, text);
        let probe = place.hookc(&["probe", agent]);
        assert!(probe.code == 1 && probe.out.contains("dead"), "{agent} {text}: {}", probe.out);
    }
}

/// What an agent's own program reads in another spelling is alive, and what it does not start with is dead.
#[test]
fn spellings_of_events_and_matchers() {
    let hooks = |event: &str, entries: &Value| json!({"hooks": {event: entries}});
    let grouped = |matcher: &str, entries: &Value| {
        let mut entries = entries.clone();
        entries[0]["matcher"] = matcher.into();
        hooks("PreToolUse", &entries)
    };
    let (openhands, crush) = ((".openhands/hooks.json", "openhands"), ("crush.json", "crush"));
    let goose = (".agents/plugins/hookc/hooks/hooks.json", "goose");
    let qwen = (".qwen/settings.json", "qwen");
    let spellings = [
        (openhands, true, &(|own: &Value| hooks("pre_tool_use", own)) as &dyn Fn(&Value) -> Value),
        (openhands, true, &|own| json!({"pre_tool_use": own})),
        (openhands, true, &|own| json!({"PreToolUse": own})),
        (openhands, false, &|own| hooks("PRETOOLUSE", own)),
        (openhands, false, &|own| json!({"hooks": {"PreToolUse": own, "pre_tool_use": own}})),
        (openhands, false, &|own| json!({"hooks": {"PreToolUse": own, "BrandNew": []}})),
        (openhands, false, &|own| json!({"hooks": {"PreToolUse": own, "Stop": {}}})),
        (openhands, false, &|own| json!({"hooks": {"PreToolUse": [own[0], 1]}})),
        (openhands, false, &|own| json!({"PreToolUse": own, "version": 1})),
        (openhands, true, &|own| grouped("term.*", own)),
        (openhands, true, &|own| grouped("/terminal/", own)),
        (openhands, true, &|own| grouped("terminal|file_editor", own)),
        (openhands, false, &|own| grouped("term", own)),
        (openhands, false, &|own| grouped("erminal.*", own)),
        (openhands, false, &|own| grouped("/term/", own)),
        (openhands, false, &|own| grouped("bash", own)),
        (qwen, true, &|own| grouped("run_shell_command", own)),
        (qwen, true, &|own| grouped("Bash", own)),
        (qwen, true, &|own| grouped("ShellTool", own)),
        (qwen, true, &|own| grouped(" run_shell_command ", own)),
        (qwen, true, &|own| grouped("Shell | edit", own)),
        (qwen, true, &|own| grouped("run_shell", own)),
        (qwen, true, &|own| grouped("run_shell_command|", own)),
        (qwen, true, &|own| grouped(".* | read_file", own)),
        (qwen, true, &|own| grouped("Read|*", own)),
        (qwen, true, &|own| grouped("(edit|)", own)),
        (qwen, false, &|own| grouped("edit|", own)),
        (qwen, false, &|own| grouped("|", own)),
        (qwen, false, &|own| grouped("^Shell$", own)),
        (qwen, true, &|own| grouped("^run_shell_command$", own)),
        (qwen, false, &|own| grouped("Edit|Write", own)),
        (qwen, false, &|own| grouped("^edit | run_shell_command", own)),
        (qwen, false, &|own| grouped("bash", own)),
        (crush, true, &|own| hooks("pre_tool_use", own)),
        (crush, true, &|own| hooks("PRETOOLUSE", own)),
        (crush, true, &|own| json!({"hooks": {"PreToolUse": own}, "version": 9})),
        (crush, true, &|own| grouped("as", own)),
        (crush, true, &|own| grouped("(?i)BASH", own)),
        (crush, true, &|own| grouped("^bash$", own)),
        (crush, false, &|own| grouped("BASH", own)),
        (crush, false, &|own| grouped("*", own)),
        (crush, false, &|own| grouped("(", own)),
        (crush, false, &|own| json!({"hooks": {"PreToolUse": own, "PreCompact": {}}})),
        (crush, false, &|own| json!({"hooks": {"PreToolUse": [own[0], {"matcher": "edit"}]}})),
        (goose, true, &|own| json!({"hooks": {"PreToolUse": own}, "version": 9})),
        (goose, true, &|own| grouped("shell", own)),
        (goose, true, &|own| grouped("(?i)SHELL", own)),
        (goose, false, &|own| grouped("*", own)),
        (goose, false, &|own| hooks("pre_tool_use", own)),
        (goose, false, &|own| json!({"hooks": {"PreToolUse": own, "Stop": {}}})),
        (goose, false, &|own| json!({"hooks": {"PreToolUse": [own[0], 1]}})),
    ];
    let short = hookc_corpus::effort(1, 7);
    for ((file, agent), is_alive, change) in spellings.into_iter().step_by(short) {
        let place = Place::new();
        assert_eq!(place.hookc(&["install", agent, "guard.yaml"]).code, 0, "{agent}");
        let settings: Value = serde_json::from_str(&read(place.root(), file)).unwrap();
        let changed = change(&settings["hooks"]["PreToolUse"]).to_string();
        put(place.root(), file, &changed);
        let (rows, _) = place.rows(agent);
        let alive = states(&rows).contains(&"alive") && !states(&rows).contains(&"not installed");
        let doctor = place.hookc(&["doctor", "--format", "short", "."]);
        let dead = states(&rows).contains(&"dead") || doctor.code == 1;
        assert_eq!(!dead, is_alive, "{agent} {changed}: {rows:?} {}", doctor.out);
        assert!(alive || !is_alive, "{agent} {changed}: {rows:?}");
        // Its own program does not read the others either, and a person decides what they should be.
        if is_alive {
            assert_eq!(place.hookc(&["uninstall", agent]).code, 0, "{agent} {changed}");
            let left = fs::read_to_string(place.root().join(file)).unwrap_or_default();
            assert!(!left.contains("run --host"), "{agent}: {left}");
        }
    }
}

#[test]
fn names_that_no_tool_has() {
    for (matcher, state) in
        [("Trminal9", "doubtful"), ("Wriet", "dead"), ("^read$", "dead"), ("Read:*.rs", "doubtful")]
    {
        let place = Place::new();
        place.claude("true", Some(matcher), &json!({}));
        let (rows, _) = place.rows("claude");
        assert!(states(&rows).contains(&state), "{matcher}: {rows:?}");
    }
}

#[test]
fn events_that_the_settings_do_not_call() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    put(
        place.root(),
        "guard.yaml",
        format!("{GUARD}  - {{event: Stop, action: {{type: deny, reason: wait}}}}\n"),
    );
    let (rows, code) = place.rows("claude");
    assert_eq!((states(&rows), code), (vec!["alive", "not installed"], 1), "{rows:?}");
    assert_eq!(rows[1]["event"], "Stop");
    // Without any call, the events of a policy that is named.
    let bare = Place::new();
    assert_eq!(bare.hookc(&["probe", "claude"]).code, 1);
    let named = bare.hookc(&["probe", "gemini", "guard.yaml"]);
    assert!(named.code == 1 && named.out.starts_with("BeforeTool: not installed"), "{}", named.out);
}

#[test]
fn tools_that_an_agent_does_not_have() {
    let place = Place::new();
    put(
        place.root(),
        "guard.yaml",
        format!("{GUARD}{}", GUARD.replace("hooks:\n", "").replace("Bash", "Read")),
    );
    assert_eq!(place.hookc(&["install", "codex", "guard.yaml"]).code, 0);
    let (rows, code) = place.rows("codex");
    assert!(code == 0 && states(&rows).contains(&"alive") && states(&rows).contains(&"not sent"), "{rows:?}");
    put(place.root(), "guard.yaml", GUARD.replace("Bash", "Read"));
    let probe = place.hookc(&["probe", "codex"]);
    assert!(probe.code == 1 && probe.out.contains("no such tool"), "{}", probe.out);
}

#[test]
fn a_policy_that_cannot_decide() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    for (policy, reason) in [
        ("hooks:\n  - {event: PreToolUse, oops: 1}\n", "does not compile"),
        (
            "hooks:\n  - {event: PreToolUse, when: \"toolInput.command == 'x'\", action: {type: deny, reason: stop}}\n",
            "W0416",
        ),
    ] {
        put(place.root(), "guard.yaml", policy);
        let probe = place.hookc(&["probe", "claude"]);
        assert!(probe.code == 1 && probe.out.contains(reason), "{policy}: {}", probe.out);
    }
    fs::remove_file(place.root().join("guard.yaml")).unwrap();
    let probe = place.hookc(&["probe", "claude"]);
    assert!(probe.code == 1 && probe.out.contains("every call is denied"), "{}", probe.out);
}

#[test]
fn a_script_that_is_not_executable() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "cline", "guard.yaml"]).code, 0);
    let script = place.root().join(".clinerules/hooks/PreToolUse");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    let probe = place.hookc(&["probe", "cline"]);
    assert!(probe.code == 1 && probe.out.contains("not executable"), "{}", probe.out);
}

/// The file of a question, as an attacker could create it.
fn question(place: &Place, name: &str, mode: u32) -> String {
    let file = put(place.state(), name, format!("{TOKEN}\n"));
    fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    file.to_str().unwrap().to_owned()
}

/// A forged question denies at best; without its file the policy decides.
#[test]
fn a_forged_question_approves_nothing() {
    let place = Place::new();
    put(place.root(), "guard.yaml", format!("{GUARD}  - {{event: PreToolUse, action: {{type: allow}}}}\n"));
    let event = |tool: &str, token: &str| {
        json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {}, "hookc_probe": token})
            .to_string()
    };
    let run = |tool: &str, token: &str, variable: Option<&str>| {
        let variables: Vec<_> = variable.iter().map(|file| ("HOOKC_PROBE", *file)).collect();
        let args = ["run", "--host", "claude", "guard.yaml"];
        place.run(&args, &event(tool, token), &variables).out
    };
    let file = question(&place, TOKEN, 0o600);
    let open = question(&place, &format!("open/{TOKEN}"), 0o644);
    let other = question(&place, "other/ffeeddccbbaa99887766554433221100", 0o600);
    for tool in ["Bash", "Edit"] {
        let decided =
            if tool == "Bash" { "\"deny\",\"permissionDecisionReason\":\"stop\"" } else { "\"allow\"" };
        for (token, variable) in [
            (TOKEN, None),
            (TOKEN, Some("1")),
            (TOKEN, Some("/dev/null")),
            (TOKEN, Some(open.as_str())),
            (TOKEN, Some(other.as_str())),
            ("", Some(file.as_str())),
            ("ffeeddccbbaa99887766554433221100", Some(file.as_str())),
        ] {
            let answer = run(tool, token, variable);
            assert!(answer.contains(decided), "{tool} {token} {variable:?}: {answer}");
        }
        let answer = run(tool, TOKEN, Some(&file));
        assert!(answer.contains("\"deny\"") && answer.contains(TOKEN), "{tool}: {answer}");
        assert!(!answer.contains("allow"), "{tool}: {answer}");
    }
}

#[test]
fn mistakes_of_usage() {
    let place = Place::new();
    for args in
        [&["probe"][..], &["probe", "nobody"], &["probe", "flat"], &["probe", "claude", "--timeout", "0"]]
    {
        assert_eq!(place.hookc(args).code, 2, "{args:?}");
    }
}
