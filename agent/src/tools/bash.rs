//! Runs a command line.

use std::time::Duration;

use hookc_runtime::process::{Command, Program, Status};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Tool, input, shortened, spec};
use crate::message::ToolSpec;

/// Without a `timeout`, and the longest one.
const TIMEOUT_MS: u64 = 120_000;
const LONGEST_MS: u64 = 600_000;

#[derive(Debug)]
pub(super) struct Bash;

#[derive(Deserialize)]
struct Input {
    command: String,
    timeout: Option<u64>,
}

impl Tool for Bash {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "command": {"type": "string", "description": "The command line"},
            "timeout": {"type": "integer", "description": "Milliseconds; at most 600000"},
            "description": {"type": "string", "description": "What it does, in a few words"},
        });
        spec("Bash", "Runs a command line in bash, in the working directory.", properties, &["command"])
    }

    fn path(&self, _: &Value, _: &Place) -> Option<std::path::PathBuf> {
        None
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let Input { command, timeout } = input(call)?;
        if command.contains('\0') {
            return Err("the command line contains U+0000".to_owned());
        }
        let mut run = Command::new(Program::Shell { shell: "bash".to_owned(), line: command });
        run.cwd = Some(place.cwd.clone());
        run.timeout = Duration::from_millis(timeout.unwrap_or(TIMEOUT_MS).min(LONGEST_MS));
        let ended = run.run().map_err(|error| error.to_string())?;
        let mut text = String::new();
        for output in [&ended.stdout, &ended.stderr] {
            let printed = output.text.trim_end();
            if !printed.is_empty() {
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(printed);
            }
            text.extend(output.remark().map(|remark| format!("\n[{remark}]")));
        }
        let text = shortened(text);
        match ended.status {
            Status::Exited(0) => Ok(text),
            status if text.is_empty() => Err(status.to_string()),
            status => Err(format!("{status}\n{text}")),
        }
    }
}
