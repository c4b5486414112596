//! `replay`.

use std::path::PathBuf;

use clap::Args;

use super::Sources;

#[derive(Args, Debug)]
#[command(
    after_help = "LOG contains one event per line, or is a decision log written with `--log-payload`. A `*.json` file \
                        that is not a policy is one event or an array of events. No action is executed. Exit code 3: \
                        `--against` found changed decisions; otherwise 1: some lines have no decision."
)]
pub(crate) struct Replay {
    /// Policies or one module, then recorded events; `-` is standard input
    #[arg(value_name = "POLICY… LOG…", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The agent that sent the events, as for `run`; lines of a decision log do not need it
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Treat every event as this type; with `--host`, the agent's own name of the event
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Show what changed compared with another policy or module (repeat for more of its files), or,
    /// with `log`, compared with the recorded decisions
    #[arg(long, value_name = "OLD")]
    pub(crate) against: Vec<PathBuf>,
    /// The number of changes to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
}
