//! Runs a directive as a thread.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;

use super::Outcome;
use super::workflow::pair;
use crate::args::Common;
use crate::directive::{Call, Directive, Threads, Transcript};
use crate::failure::Failure;
use crate::model::{self, Endpoint};
use crate::session::Start;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file, or a name in `.ai/directives` of the project.
    #[arg(value_name = "DIRECTIVE")]
    directive: String,
    #[command(flatten)]
    common: Common,
    /// A parameter: text after `=`, JSON after `:=`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    param: Vec<(String, Value)>,
    /// Continue a thread that waits.
    #[arg(long, value_name = "ID", conflicts_with = "param")]
    resume: Option<String>,
    /// The id of the new thread.
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    session_id: Option<String>,
    /// The transcript (default: next to the saved thread).
    #[arg(long, value_name = "FILE")]
    transcript: Option<std::path::PathBuf>,
}

pub(crate) fn run(args: Args) -> Outcome {
    let common = args.common;
    let project = common.project.clone().unwrap_or_else(|| ".".into());
    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", project.display()));
    let project = project.canonicalize().map_err(failed)?;
    let directive = Directive::open(&project, &args.directive)?;
    let name = common.model.as_deref();
    let name =
        name.ok_or_else(|| Failure::usage("no model: name one with `--model`, such as `anthropic:NAME`"))?;
    let timeout = Duration::from_secs(common.model_timeout.max(1));
    let endpoint = Endpoint { base_url: common.base_url.clone(), timeout };
    let model = model::open(name, &endpoint).map_err(Failure::usage)?;
    let transcript = OnceLock::new();
    if let Some(path) = &args.transcript {
        let opened = Transcript::open(path);
        let opened = opened.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let _ = transcript.set(opened);
    }
    let threads = Arc::new(Threads { common, project, model: Arc::from(model), transcript });
    let start = match &args.resume {
        Some(id) => Start::Resume(id),
        None => Start::New(args.session_id.as_deref()),
    };
    let parameters = args.param.into_iter().collect();
    let call = Call { directive: &directive, parameters: &parameters, start, depth: 0, has_rights: true };
    let ran = threads.run(call)?;
    Ok(ran.end.exit_code())
}
