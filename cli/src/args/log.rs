//! `log`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use hookc_schema::agents;

#[derive(Args, Debug)]
#[command(
    after_help = "Shows what hooks denied or asked about, and what could not be decided, a line each: time, outcome, \
                        agent, tool, what the call does, hooks. `--format json` prints the lines of the log. A time is \
                        in UTC: 2026-11-29, 2026-11-29T08:30, or a duration until now: 30m, 12h, 7d."
)]
pub(crate) struct LogArgs {
    /// Decision logs (default: `hookc/decisions.jsonl` in the user's state directory)
    #[arg(value_name = "LOG")]
    pub(crate) logs: Vec<PathBuf>,
    /// Show what happened from this time on (default: today)
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only this agent
    #[arg(long, value_name = "NAME",
          value_parser = PossibleValuesParser::new(agents::Id::ANSWERED.iter().map(|id| id.name())))]
    pub(crate) host: Option<String>,
    /// Also show calls that were not denied
    #[arg(long)]
    pub(crate) all: bool,
    /// Continue with new lines of one log as they are written
    #[arg(long, short)]
    pub(crate) follow: bool,
}
