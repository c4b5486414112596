//! A home, a project and a state directory of a test, and the program in them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The directories of a test.
pub(crate) struct World {
    root: TempDir,
}

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { root: TempDir::new().unwrap() };
        for name in ["home", "project", "state"] {
            std::fs::create_dir(world.path(name)).unwrap();
        }
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Writes a file, with its directories.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Writes the script of the model.
    pub(crate) fn script(&self, lines: &[Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.write("script.jsonl", &text);
    }

    /// Writes the project's settings: these hooks, and everything is allowed.
    pub(crate) fn hooks(&self, hooks: Value) {
        self.settings(json!({"hooks": hooks, "permissions": {"defaultMode": "bypassPermissions"}}));
    }

    pub(crate) fn settings(&self, settings: Value) {
        self.write("project/.claude/settings.json", &settings.to_string());
    }

    /// The program with the scripted model, in the project.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare(args);
        command.args(["--model", &format!("script:{}", self.path("script.jsonl").display())]);
        command
    }

    /// The program without a model.
    pub(crate) fn bare(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookc-agent"));
        command.args(args).current_dir(self.path("project")).env("HOME", self.path("home"));
        command.env("HOOKC_AGENT_STATE", self.path("state")).env_remove("HOOKC_AGENT_MODEL");
        command.env_remove("HOOKC_DISABLE").env_remove("XDG_STATE_HOME");
        command.env_remove("ANTHROPIC_API_KEY").env_remove("OPENAI_API_KEY");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the script with a prompt.
    pub(crate) fn ask(&self, prompt: &str, args: &[&str]) -> Run {
        run(self.command(&[&["-p", prompt], args].concat()))
    }

    /// The steps of the only session.
    pub(crate) fn journal(&self) -> Vec<Value> {
        let files = std::fs::read_dir(self.path("state")).unwrap().map(|file| file.unwrap().path());
        let file =
            files.into_iter().find(|file| file.extension().is_some_and(|known| known == "jsonl")).unwrap();
        lines(&std::fs::read_to_string(file).unwrap())
            .iter()
            .map(|line| line["entry"]["step"].clone())
            .collect()
    }

    /// The steps of this type.
    pub(crate) fn steps(&self, kind: &str) -> Vec<Value> {
        self.journal().into_iter().filter(|step| step["type"] == kind).collect()
    }
}

/// Runs to the end.
pub(crate) fn run(mut command: Command) -> Run {
    let output = command.output().unwrap();
    finished(output)
}

/// Runs with this standard input.
pub(crate) fn run_with(mut command: Command, input: &str) -> Run {
    let mut child: Child = command.stdin(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input ends without it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    finished(child.wait_with_output().unwrap())
}

fn finished(output: std::process::Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The JSON objects of a text, one per line.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(line).collect()
}

/// A line of a script that calls `Bash`.
pub(crate) fn bash(command: &str) -> Value {
    json!({"tool_calls": [{"name": "Bash", "input": {"command": command}}]})
}

/// A flat handler.
pub(crate) fn handler(command: &str) -> Value {
    json!({"type": "command", "command": command})
}

/// A group with one handler, as Claude Code has it.
pub(crate) fn group(matcher: &str, command: &str) -> Value {
    json!({"matcher": matcher, "hooks": [{"type": "command", "command": command}]})
}

/// Whether a process exists.
pub(crate) fn is_alive(pid: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("status"));
    status.is_ok_and(|text| !text.contains("State:\tZ"))
}
