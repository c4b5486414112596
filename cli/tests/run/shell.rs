//! `hookc run` in a folder of its own, and the events that most tests send.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

pub(crate) struct Shell {
    pub(crate) folder: tempfile::TempDir,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Got {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Shell {
    pub(crate) fn new(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hooks.yaml"), policy).unwrap();
        Self { folder }
    }

    pub(crate) fn run(&self, args: &[&str], input: &[u8], env: &[(&str, &str)]) -> Got {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookc"));
        command.arg("run").args(args).arg("hooks.yaml").current_dir(self.folder.path());
        command.env_remove("HOOKC_DISABLE").env("XDG_STATE_HOME", self.folder.path().join("state"));
        command.envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        let done = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Got { code: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    pub(crate) fn host(&self, host: &str, event: &Value) -> Got {
        self.run(&["--host", host], event.to_string().as_bytes(), &[])
    }
}

pub(crate) fn tool(event: &str, command: &str) -> Value {
    json!({"session_id": "s", "cwd": "/", "hook_event_name": event, "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t"})
}

pub(crate) fn prompt(text: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text})
}
