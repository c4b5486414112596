//! Runs a workflow.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::Outcome;
use crate::args::{MODEL_TIMEOUT, OUTPUT_TOKENS};
use crate::failure::{FAILED, Failure, NO_MODEL, complain, open_log};
use crate::model::{self, Endpoint};
use crate::options::{absolute_model, steps};
use crate::output::Format;
use crate::store::{self, Journal, Kind, Mark, Step};
use crate::values::{base_url, object, pair, positive, seconds};
use crate::workflow::{Effects, Ledger, Market, Run, WorkflowFile};
use crate::{id, signals};

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
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Seconds for one answer of the model [default: 900].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    model_timeout: Option<u64>,
    /// Most tokens of one answer [default: 8192].
    #[arg(long, value_name = "N", value_parser = positive)]
    max_output_tokens: Option<u64>,
    /// The format of the output.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,
    /// A value of the context: text after `=`, JSON after `:=`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, Value)>,
    /// The ledger of all agents (default: in the directory of saved state).
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    ledger: Option<PathBuf>,
    /// Continue a run that was left.
    #[arg(long, value_name = "ID", conflicts_with = "set")]
    resume: Option<String>,
    /// The id of the new run.
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    session_id: Option<String>,
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

pub(crate) fn run(args: Args) -> Outcome {
    let file = WorkflowFile::read(&args.file)?;
    let opened = open(&args, &file)?;
    let endpoint = Endpoint { base_url: opened.base_url, timeout: opened.timeout };
    let model = model::open(&opened.model, &endpoint).map_err(Failure::usage)?;
    if let Some(position) = opened.position {
        model.seek(position);
    }
    let log = open_log(args.log.as_deref())?;
    let ledger = Ledger::open(&opened.ledger).map_err(Failure::usage)?;
    let opened_run = (opened.id, opened.effects);
    let market = Arc::new(Market::new(model, opened.max_tokens, ledger, opened_run, &file, args.verbose));
    let mut output = RunOutput { format: args.output_format, broken: None };
    output.start(&market.id, &file.agent, args.verbose);
    let run = Run { market: &market, file: &file, depth: 0, log: log.as_ref() };
    let ran = run.steps(opened.given, &mut |record| output.record(record));
    let balance = market.balance().map_err(Failure::failed)?;
    let error = ran.failure();
    let status = match &error {
        None => "done",
        Some(_) if ran.is_left => "left",
        Some(_) if ran.is_aborted() => "aborted",
        Some(_) => "failed",
    };
    if ran.is_left {
        let file = args.file.display();
        complain(&format!("continue with `hookc-agent workflow {file} --resume {}`", market.id));
    } else {
        market.effects.end(status).map_err(Failure::failed)?;
    }
    let hooks = market.summary();
    output.print(&match args.output_format {
        Format::Text => table(&hooks, &file.agent, &balance.to_string()),
        Format::Json | Format::StreamJson => json!({
            "type": "workflow", "id": market.id, "agent": file.agent, "status": status, "error": error,
            "steps": ran.records, "hooks": hooks, "balance": balance.to_value(),
        })
        .to_string(),
    });
    if let Some(error) = output.broken {
        return Err(Failure::failed(format!("the output cannot be written: {error}")));
    }
    let status = if error.is_some() { FAILED } else { 0 };
    Ok(signals::interrupted().unwrap_or(status))
}

/// What a run prints. After the first failure it prints nothing more.
struct RunOutput {
    format: Format,
    broken: Option<std::io::Error>,
}

impl RunOutput {
    fn start(&mut self, id: &str, agent: &str, is_verbose: bool) {
        if self.format == Format::StreamJson {
            self.print(&json!({"type": "init", "id": id, "agent": agent}).to_string());
        } else if is_verbose {
            complain(&format!("run {id}"));
        }
    }

    fn record(&mut self, record: &Value) {
        match self.format {
            Format::Text => self.print(&as_text(record)),
            Format::StreamJson => self.print(&record.to_string()),
            Format::Json => {}
        }
    }

    fn print(&mut self, text: &str) {
        if self.broken.is_none() {
            self.broken = print(text).err();
        }
    }
}

/// A run that is ready to start, or to continue.
struct Opened {
    id: String,
    effects: Effects,
    position: Option<u64>,
    given: Map<String, Value>,
    model: String,
    base_url: Option<String>,
    timeout: Duration,
    max_tokens: u64,
    ledger: PathBuf,
}

fn open(args: &Args, file: &WorkflowFile) -> Result<Opened, Failure> {
    let state = store::directory(args.state.as_deref()).map_err(Failure::usage)?;
    std::fs::create_dir_all(&state)
        .map_err(|error| Failure::usage(format!("{}: {error}", state.display())))?;
    match &args.resume {
        Some(id) => left(args, file, &state, id),
        None => new(args, file, &state),
    }
}

/// Names of the context that the run sets itself.
const OWN: [&str; 4] = ["agent_id", "balance", "step", "workflow"];

fn new(args: &Args, file: &WorkflowFile, state: &Path) -> Result<Opened, Failure> {
    let given = object("--set", args.set.clone()).map_err(Failure::usage)?;
    let is_own = |name: &&String| {
        OWN.contains(&name.as_str()) || (name.as_str() == "current_goal" && file.goal.is_some())
    };
    if let Some(name) = given.keys().find(is_own) {
        return Err(Failure::usage(format!("`--set {name}=...`: the run sets `{name}` itself")));
    }
    let model = args.model.as_deref().map(absolute_model).ok_or_else(|| Failure::usage(NO_MODEL))?;
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let ledger = args.ledger.as_deref().map_or_else(|| absolute(&state.join("ledger.jsonl")), absolute);
    let id = args.session_id.clone().unwrap_or_else(id::uuid);
    if !id::is_session(&id) {
        return Err(Failure::usage(id::wrong(&id)));
    }
    // Nothing is saved of a run that cannot start.
    let endpoint = Endpoint { base_url: args.base_url.clone(), timeout: Duration::from_secs(1) };
    model::open(&model, &endpoint).map_err(Failure::usage)?;
    Ledger::open(&ledger).map_err(Failure::usage)?;
    let directory = file.directory.to_string_lossy();
    let start = Mark::Start {
        path: absolute(&args.file),
        hash: file.hash.clone(),
        given: given.clone(),
        model: model.clone(),
        base_url: args.base_url.clone(),
        model_timeout: args.model_timeout,
        max_output_tokens: args.max_output_tokens,
        ledger: ledger.clone(),
    };
    let about = (Kind::Workflow, &*directory);
    let journal = Journal::create(state, &id, about, vec![Step::Workflow(start)])
        .map_err(|error| Failure::usage(error.to_string()))?;
    Ok(Opened {
        id,
        effects: Effects::from_journal(journal, &[]).0,
        position: None,
        given,
        model,
        base_url: args.base_url.clone(),
        timeout: Duration::from_secs(args.model_timeout.unwrap_or(MODEL_TIMEOUT)),
        max_tokens: args.max_output_tokens.unwrap_or(OUTPUT_TOKENS),
        ledger,
    })
}

fn left(args: &Args, file: &WorkflowFile, state: &Path, id: &str) -> Result<Opened, Failure> {
    let steps = steps(args.state.as_deref(), id, Kind::Workflow)?;
    let start = steps.iter().find_map(|step| match step {
        Step::Workflow(mark @ Mark::Start { .. }) => Some(mark.clone()),
        _ => None,
    });
    let Some(Mark::Start { path, hash, given, model, base_url, model_timeout, max_output_tokens, ledger }) =
        start
    else {
        return Err(Failure::usage(format!("run {id} has not begun: start it again")));
    };
    let ended = steps.iter().find_map(|step| match step {
        Step::Workflow(Mark::Ended { status }) => Some(status.clone()),
        _ => None,
    });
    if let Some(status) = ended {
        return Err(Failure::usage(format!("run {id} has ended ({status}): there is nothing to continue")));
    }
    if hash != file.hash {
        let what = format!("{} is not the workflow of run {id}", args.file.display());
        return Err(Failure::usage(format!(
            "{what}: it was {}, or the file or its artifacts have changed since",
            path.display()
        )));
    }
    let (journal, _, removed) =
        Journal::open(state, id).map_err(|error| Failure::usage(error.to_string()))?;
    removed.iter().for_each(|why| complain(why));
    let (effects, position) = Effects::from_journal(journal, &steps);
    Ok(Opened {
        id: id.to_owned(),
        effects,
        position,
        given,
        base_url: args.base_url.clone().or_else(|| base_url.filter(|_| args.model.is_none())),
        model: args.model.clone().unwrap_or(model),
        timeout: Duration::from_secs(args.model_timeout.or(model_timeout).unwrap_or(MODEL_TIMEOUT)),
        max_tokens: args.max_output_tokens.or(max_output_tokens).unwrap_or(OUTPUT_TOKENS),
        ledger,
    })
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
