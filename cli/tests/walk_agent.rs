//! Settings of a coding agent, from the file to the answer: the document's list
//! of what to verify, both forms, and the rules of handlers. What its agent
//! prints (JSON output, pipes) is no matter of hooks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod common;

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
    // A handler logs; a tool call that another one refuses is blocked.
    assert_eq!(agent.on(bash("PreToolUse", "ls")), ok);
    assert_eq!(agent.on(bash("PreToolUse", "rm -r x")), (1, String::new(), "no rm\n".into()));
    assert_eq!(agent.read("tools.log"), "Bash {\"command\":\"ls\"}\nBash {\"command\":\"rm -r x\"}\n");
    let mut post = bash("PostToolUse", "ls");
    post["tool_output"] = "a b".into();
    assert_eq!((agent.on(post), agent.read("out.log").as_str()), (ok.clone(), "a b false\n"));
    // Each handler of a prompt sees what the one before made of it.
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
    // Hooks are those of a sub-agent's tool calls too.
    let mut inner = bash("PreToolUse", "rm -r y");
    inner["agent_id"] = "sub".into();
    assert_eq!(agent.on(inner).0, 1);
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
    // A rule that does not hold starts nothing.
    assert_eq!(agent.on(bash("PreToolUse", "git rm x")), silent);
    assert_eq!(agent.read("event.json"), "");
    assert_eq!(agent.last()["hooks"][0]["outcome"], "skipped");
    // One that cannot be judged lets the handler look, and the log says so.
    assert_eq!(agent.on(bash("PreToolUse", "$TOOL x")), specific("PreToolUse", denied));
    assert!(agent.last()["hooks"][0]["remarks"][0].as_str().unwrap().contains("cannot be judged"));
    // Places in arguments, without a shell.
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
