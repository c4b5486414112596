//! `eval`, `explain`, `effects`, `bench` and `path`.

use std::path::PathBuf;

use clap::Args;

use super::{EventFlags, Sources};

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// Policies or one module, then events (JSON, NDJSON or `-`; default: standard input)
    #[arg(value_name = "POLICY… [EVENTS]", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    #[command(flatten)]
    pub(crate) given: EventFlags,
    /// Print every hook that matches, whatever the strategy of the event
    #[arg(long)]
    pub(crate) all: bool,
    /// Print text for people instead of JSON
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Print counts and speed to standard error
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Policies or one module, then one event (JSON file or `-`), or with conditions about earlier events several: the
    /// last is explained
    #[arg(value_name = "POLICY… EVENT", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// With the history of this session, as the installed call of these policies has it
    #[arg(long, value_name = "ID", conflicts_with = "history")]
    pub(crate) session: Option<String>,
    /// With the history that the events of this decision log with payload, or of this file of events, make
    #[arg(long, value_name = "LOG")]
    pub(crate) history: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    #[command(flatten)]
    pub(crate) given: EventFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Effects {
    /// A command line, or a file of events (JSON, NDJSON or `-`; default: standard input)
    #[arg(value_name = "LINE | EVENTS")]
    pub(crate) what: Option<PathBuf>,
    /// The directory in which the command line runs (default: this one)
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<String>,
    #[command(flatten)]
    pub(crate) given: EventFlags,
}

#[derive(Args, Debug)]
#[command(
    after_help = "After a warm-up, bench alternates between deciding about each event and only parsing it, for \
                        about 1.5 seconds. A sample is one event, repeated for at least 5 microseconds; the percentiles \
                        cover all samples. The floor is a UTF-8 check and serde_json parsing into nothing, on the same \
                        bytes. Events that cannot be evaluated are skipped and reported once per kind of error; the \
                        exit code is then 1."
)]
pub(crate) struct Bench {
    /// A policy or a module
    pub(crate) policy: PathBuf,
    /// Events (JSON, NDJSON or `-`)
    pub(crate) events: PathBuf,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Treat every event as this type, whatever the event itself states
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Print one JSON line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    /// The path: shorthand, or JSONPath from `$`
    #[arg(value_name = "EXPR")]
    pub(crate) path: String,
    /// A JSON file or a JSON text (default: standard input)
    #[arg(value_name = "JSON")]
    pub(crate) json: Option<String>,
    /// A policy or module whose `programs` and `wrappers` apply in views of command lines
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
}
