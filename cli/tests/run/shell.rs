//! `hookc run` in its own directory, and the events that most tests send.

use serde_json::{Value, json};

use crate::common::{self, Run};

pub(crate) struct Shell {
    pub(crate) folder: tempfile::TempDir,
}

impl Shell {
    pub(crate) fn new(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, "hooks.yaml", policy);
        Self { folder }
    }

    pub(crate) fn run(&self, args: &[&str], input: &[u8], env: &[(&str, &str)]) -> Run {
        let mut command = common::command(&self.folder);
        command.arg("run").args(args).arg("hooks.yaml");
        command.env("XDG_STATE_HOME", self.folder.path().join("state")).envs(env.iter().copied());
        common::run(&mut command, input)
    }

    pub(crate) fn host(&self, host: &str, event: &Value) -> Run {
        self.run(&["--host", host], event.to_string().as_bytes(), &[])
    }
}

pub(crate) fn tool(event: &str, command: &str) -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": event, "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t"})
}

pub(crate) fn prompt(text: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text})
}
