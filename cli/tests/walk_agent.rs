//! Settings of a coding agent, from the file to the answer: the document's list of properties to
//! verify, both formats, and the rules of handlers. The agent's own output (JSON, pipes) does not
//! concern hooks.

use crate::common;

use serde_json::{Value, json};

struct Agent {
    folder: tempfile::TempDir,
    host: &'static str,
}

impl Agent {
    fn new(host: &'static str, settings: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, ".claude/settings.json", settings.to_string());
        Self { folder, host }
    }

    fn script(self, name: &str, text: &str) -> Self {
        common::executable(&self.folder, name, text);
        self
    }

    /// Exit status, standard output, standard error.
    fn on(&self, event: Value) -> (i32, String, String) {
        let mut event = event;
        event["session_id"] = "s".into();
        event["cwd"] = self.folder.path().to_str().unwrap().into();
        let mut command = common::command(&self.folder);
        command.args(["run", "--host", self.host, "--log", "log", ".claude/settings.json"]);
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        common::run(&mut command, event.to_string()).parts()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn last(&self) -> Value {
        serde_json::from_str(self.read("log").lines().last().unwrap()).unwrap()
    }
}

fn bash(event: &str, command: &str) -> Value {
    json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": command}})
}

fn command(line: &str) -> Value {
    json!({"type": "command", "command": line})
}

#[test]
fn the_flat_form_is_verified() {
    let agent = Agent::new(
        "flat",
        &json!({"hooks": {
            "PreToolUse": [
                command("echo \"$TOOL_NAME $TOOL_INPUT\" >> tools.log"),
                command("case \"$TOOL_NAME $TOOL_INPUT\" in Bash*rm*) echo no rm >&2; exit 1;; esac"),
            ],
            "PostToolUse": [command("echo \"$TOOL_OUTPUT $TOOL_IS_ERROR\" >> out.log")],
            "UserPromptSubmit": [command("echo \"context: $USER_MESSAGE\""), command("grep -q . && echo \"[$USER_MESSAGE]\"")],
            "SessionStart": [command("echo started >> setup.log")],
            "Stop": [command("echo stopped >> cleanup.log")],
            "PermissionRequest": [command("echo \"$TOOL_NAME\" >> asked.log")],
        }}),
    );
    let ok = (0, String::new(), String::new());
    // A handler logs; another one denies a tool call, which is blocked.
    assert_eq!(agent.on(bash("PreToolUse", "ls")), ok);
    assert_eq!(agent.on(bash("PreToolUse", "rm -r x")), (1, String::new(), "no rm\n".into()));
    assert_eq!(agent.read("tools.log"), "Bash {\"command\":\"ls\"}\nBash {\"command\":\"rm -r x\"}\n");
    let mut post = bash("PostToolUse", "ls");
    post["tool_output"] = "a b".into();
    assert_eq!((agent.on(post), agent.read("out.log").as_str()), (ok.clone(), "a b false\n"));
    // Each handler of a prompt receives the prompt as changed by the previous one.
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"});
    assert_eq!(agent.on(prompt), (0, "[context: hi]\n".into(), String::new()));
    for (event, file, text) in
        [("SessionStart", "setup.log", "started\n"), ("Stop", "cleanup.log", "stopped\n")]
    {
        assert_eq!(
            (agent.on(json!({"hook_event_name": event})), agent.read(file).as_str()),
            (ok.clone(), text)
        );
    }
    assert_eq!(agent.on(bash("PermissionRequest", "ls")), ok);
    assert_eq!(agent.read("asked.log"), "Bash\n");
}

fn prompt(text: &str) -> Value {
    json!({"hook_event_name": "UserPromptSubmit", "prompt": text})
}

fn said(code: i32, out: &str, err: &str) -> (i32, String, String) {
    (code, out.to_owned(), err.to_owned())
}

/// Step 3: a handler with an exit status other than 0 rejects the message, and later handlers do
/// not receive it.
#[test]
fn a_message_is_rejected() {
    let agent = Agent::new(
        "flat",
        &json!({"hooks": {"UserPromptSubmit": [
            command("case $USER_MESSAGE in *password*) echo not that >&2; exit 3;; esac"),
            command("echo \"[$USER_MESSAGE]\"; echo \"$USER_MESSAGE\" >> later"),
        ]}}),
    );
    assert_eq!(agent.on(prompt("my password")), said(1, "", "not that\n"));
    assert_eq!((&agent.last()["outcome"], agent.read("later").as_str()), (&json!("deny"), ""));
    assert_eq!(agent.last()["hooks"][1]["outcome"], "skipped");
    assert_eq!(agent.on(prompt("hi")), said(0, "[hi]\n", ""));
    assert_eq!(agent.read("later"), "hi\n");
}

/// The settings of the document: programs, a shell command line, and a text that accompanies the
/// user's message after the changes of handlers.
#[test]
fn the_settings_of_the_document() {
    let text = |text: &str| json!({"type": "prompt", "prompt": text});
    let settings = |prompts: Value| {
        let hooks = json!({
            "PreToolUse": [command("./scripts/pre-tool.sh")],
            "PostToolUse": [command("echo done")],
            "UserPromptSubmit": prompts,
            "SessionStart": [command("./scripts/setup.sh")],
            "Stop": [command("./scripts/cleanup.sh")],
        });
        let mut agent = Agent::new("flat", &json!({"hooks": hooks}));
        for name in ["pre-tool", "setup", "cleanup"] {
            agent = agent.script(&format!("scripts/{name}.sh"), &format!("echo \"$HOOK_EVENT\" >> {name}"));
        }
        agent
    };
    let agent = settings(json!([text("Look for secrets.")]));
    assert_eq!(agent.on(bash("PreToolUse", "ls")), said(0, "", ""));
    assert_eq!(agent.on(bash("PostToolUse", "ls")), said(0, "done\n", ""));
    assert_eq!(agent.on(json!({"hook_event_name": "SessionStart"})), said(0, "", ""));
    assert_eq!(agent.on(json!({"hook_event_name": "Stop"})), said(0, "", ""));
    let ran = ["pre-tool", "setup", "cleanup"].map(|name| agent.read(name));
    assert_eq!(ran, ["PreToolUse\n", "SessionStart\n", "Stop\n"]);
    assert_eq!(agent.on(prompt("hi")), said(0, "hi\nLook for secrets.\n", ""));
    let more = json!([text("First."), command("echo \"<$USER_MESSAGE>\""), text("Second.")]);
    assert_eq!(settings(more).on(prompt("hi")), said(0, "<hi>\nFirst.\nSecond.\n", ""));
}

/// An agent: before each command it calls the hooks; a command can start another agent.
const AGENT: &str = r#"who=$1; shift
for line in "$@"; do
    if echo "{\"agent_id\": \"$who\", \"session_id\": \"s\"}" |
        HOOK_EVENT=PreToolUse TOOL_NAME=Bash TOOL_INPUT="{\"command\":\"$line\"}" \
        "$HOOKC" run --host flat --log "$ROOT/log" "$ROOT/.claude/settings.json"
    then sh -c "$line"
    else echo "$who may not $line"
    fi
done"#;

/// Step 11: an agent started by a tool call, in another directory, has the same hooks; its denials
/// do not stop its parent.
#[test]
fn a_sub_agent_is_under_the_hooks_of_its_parent() {
    let handler = "case $TOOL_INPUT in *'\"rm '*) echo no rm >&2; exit 1;; esac";
    let agent = Agent::new("flat", &json!({"hooks": {"PreToolUse": [command(handler)]}}));
    let agent = agent.script("agent.sh", AGENT);
    for name in ["kept", "sub/kept"] {
        common::put(&agent.folder, name, "");
    }
    let mut parent = common::program(agent.folder.path().join("agent.sh"), &agent.folder);
    parent.env("HOOKC", common::HOOKC).env("ROOT", agent.folder.path());
    parent.args(["main", "cd sub && ../agent.sh inner 'rm kept' 'touch made'", "rm kept", "touch own"]);
    let expected = said(0, "inner may not rm kept\nmain may not rm kept\n", "no rm\nno rm\n");
    assert_eq!(common::run(&mut parent, "").parts(), expected);
    let there = ["kept", "sub/kept", "sub/made", "own"].map(|name| agent.folder.path().join(name).exists());
    assert_eq!(there, [true; 4]);
    let log = agent.read("log");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<String> = lines
        .map(|line| format!("{} {}", line["agent"].as_str().unwrap(), line["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(told, ["main no opinion", "inner deny", "inner no opinion", "main deny", "main no opinion"]);
}

/// Step 12: a permission request is inspected, denied, or, if the agent supports it, granted on
/// behalf of the user.
#[test]
fn a_request_for_a_permission_is_decided() {
    let flat = Agent::new(
        "flat",
        &json!({"hooks": {"PermissionRequest": [
            command("echo \"$TOOL_NAME\" >> asked"),
            command("case $TOOL_INPUT in *rm*) echo no rm >&2; exit 1;; esac"),
        ]}}),
    );
    assert_eq!(flat.on(bash("PermissionRequest", "ls")), said(0, "", ""));
    assert_eq!(flat.on(bash("PermissionRequest", "rm x")), said(1, "", "no rm\n"));
    assert_eq!(flat.read("asked"), "Bash\nBash\n");

    let decides = |decision: Value| {
        let said =
            json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
        format!("echo '{said}'")
    };
    let handler = format!(
        "event=$(cat); case $event in *'\"rm '*) {};; *'\"ls\"'*) {};; esac",
        decides(json!({"behavior": "deny", "message": "no rm"})),
        decides(json!({"behavior": "allow"})),
    );
    let grouped = Agent::new(
        "claude",
        &json!({"hooks": {"PermissionRequest": [{"matcher": "Bash", "hooks": [command(&handler)]}]}}),
    );
    let decided = |decision: &str| {
        format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PermissionRequest\",\"decision\":{decision}}}}}\n"
        )
    };
    let on = |line: &str| grouped.on(bash("PermissionRequest", line));
    assert_eq!(on("ls"), said(0, &decided(r#"{"behavior":"allow"}"#), ""));
    assert_eq!(on("rm x"), said(0, &decided(r#"{"behavior":"deny","message":"no rm"}"#), ""));
    assert_eq!(on("pwd"), said(0, "", ""));
}

/// Merged settings: the hooks of a later file are added to the others or replace them, as
/// configured; a file without hooks changes nothing.
#[test]
fn later_settings_add_their_hooks_or_replace_all() {
    let denies = |word: &str| {
        let line = format!("case $TOOL_INPUT in *{word}*) echo no {word} >&2; exit 1;; esac");
        json!({"hooks": {"PreToolUse": [command(&line)]}})
    };
    let agent = Agent::new("flat", &denies("rm"));
    common::put(&agent.folder, ".claude/settings.local.json", denies("mv").to_string());
    common::put(&agent.folder, "last/.claude/settings.json", json!({"model": "x"}).to_string());
    let run = |merge: &str, line: &str| {
        let mut call = common::command(&agent.folder);
        call.args(["run", "--host", "flat", "--no-log", "--dialect", "settings", "--merge", merge]);
        call.args([".claude/settings.json", ".claude/settings.local.json", "last/.claude/settings.json"]);
        common::run(&mut call, bash("PreToolUse", line).to_string()).parts()
    };
    for (merge, line, expected) in [
        ("append", "rm x", said(1, "", "no rm\n")),
        ("append", "mv x", said(1, "", "no mv\n")),
        ("replace", "rm x", said(0, "", "")),
        ("replace", "mv x", said(1, "", "no mv\n")),
    ] {
        assert_eq!(run(merge, line), expected, "{merge} {line}");
    }
}

#[test]
fn the_grouped_form_is_verified() {
    let deny = "cat > event.json; echo no rm >&2; exit 2";
    let agent = Agent::new(
        "claude",
        &json!({"hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [{"type": "command", "if": "Bash(rm *)", "command": deny}]},
                {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "${CLAUDE_PROJECT_DIR}/say.sh", "args": ["${CLAUDE_PROJECT_DIR}/x"]}]},
            ],
            "UserPromptSubmit": [{"hooks": [command("echo be brief")]}],
            "SessionStart": [{"matcher": "startup", "hooks": [command("echo ready")]}],
            "Stop": [{"hooks": [command("echo '{\"decision\":\"block\",\"reason\":\"tests first\"}'")]}],
        }}),
    )
    .script("say.sh", "printf '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"%s\"}}' \"${1##*/} ${CLAUDE_PROJECT_DIR##*/}\"");
    let specific = |event: &str, rest: &str| {
        (0, format!("{{\"hookSpecificOutput\":{{\"hookEventName\":\"{event}\",{rest}}}}}\n"), String::new())
    };
    let denied = r#""permissionDecision":"deny","permissionDecisionReason":"no rm""#;
    let silent = (0, String::new(), String::new());
    assert_eq!(agent.on(bash("PreToolUse", "cd x && rm -r y")), specific("PreToolUse", denied));
    assert!(agent.read("event.json").contains("cd x && rm -r y"));
    std::fs::remove_file(agent.folder.path().join("event.json")).unwrap();
    // A rule that does not match starts nothing.
    assert_eq!(agent.on(bash("PreToolUse", "git rm x")), silent);
    assert_eq!(agent.read("event.json"), "");
    assert_eq!(agent.last()["hooks"][0]["outcome"], "skipped");
    // If a rule cannot be checked, the handler runs and decides, and the log reports it.
    assert_eq!(agent.on(bash("PreToolUse", "$TOOL x")), specific("PreToolUse", denied));
    assert!(agent.last()["hooks"][0]["remarks"][0].as_str().unwrap().contains("cannot be checked"));
    // Directories in arguments, without a shell.
    let edit =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a"}});
    let name = agent.folder.path().file_name().unwrap().to_str().unwrap();
    let asked = format!(r#""permissionDecision":"ask","permissionDecisionReason":"x {name}""#);
    assert_eq!(agent.on(edit), specific("PreToolUse", &asked));
    let context = |text: &str| format!(r#""additionalContext":"{text}""#);
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"});
    assert_eq!(agent.on(prompt), specific("UserPromptSubmit", &context("be brief")));
    let start = |source: &str| json!({"hook_event_name": "SessionStart", "source": source});
    assert_eq!(agent.on(start("startup")), specific("SessionStart", &context("ready")));
    assert_eq!(agent.on(start("resume")), silent);
    let stop = agent.on(json!({"hook_event_name": "Stop"}));
    assert_eq!(stop.1, "{\"decision\":\"block\",\"reason\":\"tests first\"}\n");
}

#[test]
fn rules_of_files_are_from_the_working_folder() {
    let rule =
        |rule: &str| json!({"type": "command", "if": rule, "command": format!("echo '{rule}' >&2; exit 2")});
    let agent = Agent::new(
        "claude",
        &json!({"hooks": {"PreToolUse": [
            {"hooks": [rule("Edit(src/**)"), rule("Read(~/.ssh/**)"), rule("WebFetch(domain:example.com)")]},
        ]}}),
    );
    let call = |tool: &str, field: &str, value: &str| {
        let event = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {field: value}});
        agent.on(event).1.contains("deny")
    };
    let path = |name: &str| agent.folder.path().join(name).to_str().unwrap().to_owned();
    assert!(call("Edit", "file_path", &path("src/a/b.rs")));
    assert!(call("Edit", "file_path", &path("docs/../src/b.rs")));
    assert!(!call("Edit", "file_path", &path("docs/b.rs")));
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(home.is_empty() || call("Read", "file_path", &format!("{home}/.ssh/id")));
    assert!(!call("Read", "file_path", &path(".ssh/id")));
    assert!(call("WebFetch", "url", "https://example.com/a"));
    assert!(!call("WebFetch", "url", "https://example.org/a"));
}
