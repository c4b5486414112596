//! `emit`, and the hooks of a repository.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use hookc_runtime::event::RepositoryEvent;

use super::{Logging, Sources};

#[derive(Args, Debug)]
#[command(
    after_help = "Reads the context of the event, a JSON object, from standard input, and prints one JSON object: \
                        `control`, the control message for the model (`PromptSubmit`, `PreAbilityCreate`, `PreAbilityCall`), \
                        `allowed` with `reason` and `require_human`, `logs` and `reports` of the hooks, and `hooks` with \
                        outcome, status and duration; or `error`. Exits with 0 if the operation may continue, 120: a \
                        hook denies it; 121: a human must decide; 122: no decision was possible."
)]
pub(crate) struct EmitEvent {
    /// The event: `SessionStart`, `PromptSubmit`, `PreAbilityCreate`, `PreAbilityCall`,
    /// `PostAbilityCall`, `ModelOutput` or `SessionStop`
    #[arg(value_name = "EVENT", hide_possible_values = true, value_parser = PossibleValuesParser::new(RepositoryEvent::NAMES))]
    pub(crate) event: String,
    /// The kind of host that emits it
    #[arg(long, value_name = "NAME", value_parser = ["repository"], default_value = "repository")]
    pub(crate) host: String,
    #[command(flatten)]
    pub(crate) hooks: RepositoryHooks,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

/// The hooks of a repository, and the state of a session.
#[derive(Args, Debug)]
pub(crate) struct RepositoryHooks {
    /// Policies or one module (default: the files of `.system/hooks`)
    #[arg(long = "policy", value_name = "POLICY")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Make no decision if there is no `.system/hooks` with hooks (default: there are no hooks then)
    #[arg(long)]
    pub(crate) require_hooks: bool,
    /// The state of the session: the abilities that a guard disabled. Created if missing; delete it
    /// to enable them again
    #[arg(long, value_name = "FILE")]
    pub(crate) session_file: Option<PathBuf>,
}
