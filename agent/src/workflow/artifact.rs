//! Artifacts as data: what can be called, by whom, and for how much.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hookc_runtime::http;
use hookc_runtime::process::{Command, Program};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::amount::Amount;

/// Seconds of a call without `timeout`.
const TIMEOUT: f64 = 60.0;

/// An artifact.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Artifact {
    /// A program with its arguments, or a line for `sh`.
    command: Option<CommandLine>,
    /// An endpoint that gets the call as the body of a POST request.
    url: Option<String>,
    /// A workflow that runs on behalf of the caller.
    workflow: Option<PathBuf>,
    methods: BTreeMap<String, Option<Method>>,
    /// The price of a call of a method without its own.
    #[serde(default)]
    price: Amount,
    permissions: Permissions,
    /// Seconds.
    timeout: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum CommandLine {
    Shell(String),
    Argv(Vec<String>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Method {
    price: Option<Amount>,
}

/// The agents that can call an artifact.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Permissions {
    /// `*`
    All(All),
    These(Vec<String>),
}

#[derive(Clone, Debug, Deserialize)]
enum All {
    #[serde(rename = "*")]
    All,
}

/// How an artifact is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    Command,
    Url(&'a str),
    Workflow(&'a Path),
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'c> {
    pub(crate) artifact: &'c str,
    pub(crate) method: &'c str,
    pub(crate) args: &'c Map<String, Value>,
    pub(crate) caller: &'c str,
}

impl Artifact {
    /// Checks what the form of the data does not say.
    pub(crate) fn check(&self, id: &str) -> Result<(), String> {
        let ways = [self.command.is_some(), self.url.is_some(), self.workflow.is_some()];
        if ways.into_iter().filter(|way| *way).count() != 1 {
            return Err(format!("artifact `{id}` needs one of `command`, `url` and `workflow`"));
        }
        if self.methods.is_empty() {
            return Err(format!("artifact `{id}` has no methods"));
        }
        let usable = |seconds: f64| seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok();
        match (self.timeout, &self.command) {
            (Some(seconds), _) if !usable(seconds) => {
                Err(format!("artifact `{id}`: `timeout` is not a number of seconds"))
            }
            (_, Some(CommandLine::Argv(words))) if words.is_empty() => {
                Err(format!("artifact `{id}`: `command` is empty"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn target(&self) -> Target<'_> {
        match (&self.url, &self.workflow) {
            (Some(url), _) => Target::Url(url),
            (_, Some(workflow)) => Target::Workflow(workflow),
            _ => Target::Command,
        }
    }

    /// The price of a call, if this caller may make it.
    pub(crate) fn price(&self, call: &Call<'_>) -> Result<Amount, String> {
        let Call { artifact, method, caller, .. } = call;
        let allowed = match &self.permissions {
            Permissions::All(All::All) => true,
            Permissions::These(agents) => agents.iter().any(|agent| agent == caller),
        };
        if !allowed {
            return Err(format!("`{caller}` has no permission to call `{artifact}`"));
        }
        match self.methods.get(*method) {
            Some(own) => Ok(own.as_ref().and_then(|method| method.price).unwrap_or(self.price)),
            None => {
                let known: Vec<&str> = self.methods.keys().map(String::as_str).collect();
                Err(format!("`{artifact}` has no method `{method}` (known: {})", known.join(", ")))
            }
        }
    }

    /// The names of its methods.
    pub(crate) fn methods(&self) -> impl Iterator<Item = &str> {
        self.methods.keys().map(String::as_str)
    }

    fn timeout(&self) -> Duration {
        Duration::try_from_secs_f64(self.timeout.unwrap_or(TIMEOUT)).unwrap_or(Duration::MAX)
    }

    /// Runs the command of the artifact in a directory.
    pub(crate) fn run(&self, call: &Call<'_>, directory: &Path) -> Result<Value, String> {
        let program = match &self.command {
            Some(CommandLine::Shell(line)) => Program::Shell { shell: "sh".to_owned(), line: line.clone() },
            Some(CommandLine::Argv(words)) => match words.split_first() {
                Some((program, args)) => Program::Argv { program: program.clone(), args: args.to_vec() },
                None => return Err("it has no command".to_owned()),
            },
            None => return Err("it has no command".to_owned()),
        };
        let mut command = Command::new(program);
        command.stdin = Arc::new(body(call).into_bytes());
        command.cwd = Some(directory.to_owned());
        command.timeout = self.timeout();
        let ended = command.run().map_err(|error| error.to_string())?;
        if !ended.status.success() {
            let stderr = ended.stderr.text.trim();
            let more = if stderr.is_empty() { String::new() } else { format!(": {stderr}") };
            return Err(format!("{}{more}", ended.status));
        }
        match ended.stdout.remark() {
            Some(remark) => Err(format!("its output cannot be used: {remark}")),
            None => Ok(result(&ended.stdout.text)),
        }
    }

    /// Sends the call to an endpoint.
    pub(crate) fn post(&self, url: &str, call: &Call<'_>) -> Result<Value, String> {
        let body = body(call).into_bytes();
        let sent = http::Call::post(url, body, self.timeout());
        sent.send().map(|text| result(&text))
    }
}

fn body(call: &Call<'_>) -> String {
    let Call { artifact, method, args, caller } = call;
    json!({"artifact_id": artifact, "method": method, "args": args, "caller": caller}).to_string()
}

/// JSON, or text as it is; nothing is `null`.
fn result(text: &str) -> Value {
    let text = text.trim();
    if text.is_empty() {
        return Value::Null;
    }
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
