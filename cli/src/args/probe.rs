//! `probe`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "Starts the calls of `hookc run` in the agent's settings as the agent does, with an event that no hook \
                        of a policy gets, and compares the answers with those that the agent would read. Other commands \
                        are not started: `probe` reports those that `doctor` finds dead. Exits 1 if a call is dead, or \
                        an event of a policy is not installed. With `--live` the agent's own program starts its hooks: \
                        exits 1 too if no call of `hookc run` is proved alive."
)]
pub(crate) struct ProbeArgs {
    /// The agent, as for `install`
    #[arg(value_name = "AGENT")]
    pub(crate) host: String,
    /// Also report the events of these policies that the settings have no call for
    #[arg(value_name = "POLICY")]
    pub(crate) policies: Vec<PathBuf>,
    /// Start the agent itself, with one request to its model for a harmless command, which hookc denies. It costs a
    /// call of the model on your account
    #[arg(long)]
    pub(crate) live: bool,
    /// How long to wait for an answer, in seconds, if the agent waits longer (default: 30); with `--live` for the end of
    /// the session (default: 120)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: Option<u32>,
}
