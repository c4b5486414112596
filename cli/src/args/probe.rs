//! `probe`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "Starts the calls of `hookc run` in the agent's settings as the agent does, with an event that no hook \
                        of a policy gets, and compares the answers with those that the agent would read. Other commands \
                        are not started: `probe` reports those that `doctor` finds dead. Exits 1 if a call is dead, or \
                        an event of a policy is not installed."
)]
pub(crate) struct ProbeArgs {
    /// The agent, as for `install`
    #[arg(value_name = "AGENT")]
    pub(crate) host: String,
    /// Also report the events of these policies that the settings have no call for
    #[arg(value_name = "POLICY")]
    pub(crate) policies: Vec<PathBuf>,
    /// How long to wait for an answer, in seconds, if the agent waits longer
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: u32,
}
