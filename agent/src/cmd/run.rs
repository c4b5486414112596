//! Runs a directive as a thread.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::{Outcome, wait};
use crate::args::Common;
use crate::directive::{Call, Directive, Threads, Transcript};
use crate::failure::{Failure, NO_MODEL};
use crate::model::{self, Endpoint};
use crate::options;
use crate::session::{End, Start};
use crate::store::{DirectiveOf, Kind, Step};
use crate::values::{object, pair};

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
    let common = options::restored(args.common, args.resume.as_deref(), Kind::Directive)?;
    let project = common.project.clone().unwrap_or_else(|| ".".into());
    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", project.display()));
    let project = project.canonicalize().map_err(failed)?;
    let directive = Directive::open(&project, &args.directive)?;
    let saved = match &args.resume {
        Some(id) => saved(&common, id, &directive)?,
        None => DirectiveOf {
            directive: directive.name.clone(),
            hash: directive.hash(),
            parameters: object("--param", args.param).map_err(Failure::usage)?,
            depth: 0,
            has_rights: true,
        },
    };
    let name = common.model.as_deref();
    let name = name.ok_or_else(|| Failure::usage(NO_MODEL))?;
    let endpoint = Endpoint { base_url: common.base_url.clone(), timeout: common.model_timeout() };
    let model = model::open(name, &endpoint).map_err(Failure::usage)?;
    let transcript = OnceLock::new();
    if let Some(path) = &args.transcript {
        let opened = Transcript::open(path);
        let opened = opened.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let _ = transcript.set(opened);
    }
    let threads = Arc::new(Threads { common, project, model: Arc::from(model), transcript });
    let call = Call {
        directive: &directive,
        parameters: &saved.parameters,
        start: match &args.resume {
            Some(id) => Start::Resume(id),
            None => Start::New(args.session_id.as_deref()),
        },
        depth: saved.depth,
        has_rights: saved.has_rights,
        parent: None,
    };
    let mut ran = threads.run(call)?;
    while let (End::Waiting(_), true) = (&ran.end, threads.common.wait) {
        if !wait::answered(threads.common.state.as_deref(), &ran.thread)? {
            break;
        }
        let thread = ran.thread;
        ran = threads.run(Call { start: Start::Resume(&thread), ..call })?;
    }
    Ok(ran.end.exit_code())
}

/// How a saved thread was started. Its directive must be the same.
fn saved(common: &Common, id: &str, directive: &Directive) -> Result<DirectiveOf, Failure> {
    let steps = options::steps(common.state.as_deref(), id, Kind::Directive)?;
    let saved = steps.into_iter().find_map(|step| match step {
        Step::Directive(saved) => Some(saved),
        _ => None,
    });
    let saved = saved.ok_or_else(|| Failure::usage(format!("thread {id} has not begun: start it again")))?;
    if saved.directive != directive.name {
        return Err(Failure::usage(format!(
            "thread {id} follows the directive `{}`, not `{}`",
            saved.directive, directive.name
        )));
    }
    if saved.hash != directive.hash() {
        let name = &saved.directive;
        let text = format!("the directive `{name}` has changed since thread {id} was started");
        return Err(Failure::usage(format!("{text}: start it again, or restore the file")));
    }
    Ok(saved)
}
