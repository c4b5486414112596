//! Runs a workflow.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hookc_runtime::log::Log;
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::failure::{FAILED, Failure};
use crate::model::{self, Endpoint};
use crate::output::Format;
use crate::workflow::{Ledger, Market, Run, WorkflowFile};
use crate::{signals, store};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// `anthropic:NAME`, `openai:NAME` or `script:FILE`.
    #[arg(long, value_name = "MODEL", env = "HOOKC_AGENT_MODEL")]
    model: Option<String>,
    /// The endpoint of the model, such as `http://localhost:11434`.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Seconds for one answer of the model.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    model_timeout: u64,
    /// Most tokens of one answer.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    max_output_tokens: u64,
    /// The format of the output.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,
    /// A value of the context: text after `=`, JSON after `:=`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, Value)>,
    /// The ledger of all agents (default: in the directory of saved state).
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The directory of saved state.
    #[arg(long, value_name = "DIR", env = "HOOKC_AGENT_STATE")]
    state: Option<PathBuf>,
    /// The decision log.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Show each call as it happens.
    #[arg(short, long)]
    verbose: bool,
}

/// `NAME=TEXT` or `NAME:=JSON`.
pub(super) fn pair(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(value).map_err(|error| format!("not JSON: {error}"))?;
            Ok((name.to_owned(), value))
        }
        None => Ok((name.to_owned(), value.into())),
    }
}

pub(crate) fn run(args: Args) -> Outcome {
    let file = WorkflowFile::read(&args.file)?;
    let name = args.model.as_deref();
    let name =
        name.ok_or_else(|| Failure::usage("no model: name one with `--model`, such as `anthropic:NAME`"))?;
    let timeout = Duration::from_secs(args.model_timeout.max(1));
    let endpoint = Endpoint { base_url: args.base_url.clone(), timeout };
    let model = model::open(name, &endpoint).map_err(Failure::usage)?;
    let log = args
        .log
        .as_ref()
        .map(|path| Log::open(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display()))));
    let log = log.transpose()?;
    let ledger = Ledger::open(&ledger(&args)?).map_err(Failure::usage)?;
    let market = Arc::new(Market::new(model, args.max_output_tokens, ledger, &file, args.verbose));
    let mut broken = None;
    let mut each = |record: &Value| {
        let text = match args.output_format {
            Format::Text => as_text(record),
            Format::StreamJson => record.to_string(),
            Format::Json => return,
        };
        broken = broken.take().or(print(&text).err());
    };
    let run = Run { market: &market, file: &file, depth: 0, log: log.as_ref() };
    let ran = run.steps(args.set.iter().cloned().collect::<Map<_, _>>(), &mut each);
    let balance = market.balance().map_err(Failure::failed)?;
    let error = ran.failure();
    let hooks = market.summary();
    let summary = json!({
        "type": "workflow", "agent": file.agent, "status": match &error {
            None => "done",
            Some(_) if ran.is_aborted() => "aborted",
            Some(_) => "failed",
        },
        "error": error, "steps": ran.records, "hooks": hooks, "balance": balance.to_value(),
    });
    let text = match args.output_format {
        Format::Text => table(&hooks, &file.agent, &balance.to_string()),
        Format::Json | Format::StreamJson => summary.to_string(),
    };
    broken = broken.or(print(&text).err());
    if let Some(error) = broken {
        return Err(Failure::failed(format!("the output cannot be written: {error}")));
    }
    let status = if error.is_some() { FAILED } else { 0 };
    Ok(signals::interrupted().unwrap_or(status))
}

fn ledger(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.ledger {
        return Ok(path.clone());
    }
    let directory = store::directory(args.state.as_deref()).map_err(Failure::usage)?;
    let made = std::fs::create_dir_all(&directory);
    made.map_err(|error| Failure::usage(format!("{}: {error}", directory.display())))?;
    Ok(directory.join("ledger.jsonl"))
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", hookc_schema::terminal::escape_block(text))?;
    out.flush()
}

/// A line about an action.
fn as_text(record: &Value) -> String {
    let member = |name: &str| record.get(name).map(hookc_base::action::word).unwrap_or_default();
    match record.get("error") {
        Some(_) => format!("{}: {}: {}", member("step"), member("status"), member("error")),
        None => format!("{}: {}", member("step"), member("result")),
    }
}

/// The calls by hook.
fn table(hooks: &[Value], agent: &str, balance: &str) -> String {
    let cell = |row: &Value, name: &str| row.get(name).map(hookc_base::action::word).unwrap_or_default();
    let widest = hooks.iter().map(|row| cell(row, "hook").chars().count()).max().unwrap_or(0).max(4);
    let line = |hook: &str, calls: &str, failures: &str, cost: &str| {
        format!("{hook:widest$}  {calls:>5}  {failures:>8}  {cost:>8}\n")
    };
    let mut text = line("hook", "calls", "failures", "cost");
    for row in hooks {
        text.push_str(&line(
            &cell(row, "hook"),
            &cell(row, "calls"),
            &cell(row, "failures"),
            &cell(row, "cost"),
        ));
    }
    text + &format!("balance of {agent}: {balance}")
}
