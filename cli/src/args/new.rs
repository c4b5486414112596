//! `new hook` and `new --recipe`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::PolicyFile;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    mut_arg("into", |arg| arg.requires("recipe")),
    mut_arg("dry_run", |arg| arg.requires("recipe"))
)]
pub(crate) struct New {
    /// Write this recipe and its tests: a small policy to change; `hookc starter list` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) recipe: Option<String>,
    #[command(flatten)]
    pub(crate) to: PolicyFile,
    #[command(subcommand)]
    pub(crate) verb: Option<NewVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NewVerb {
    /// Create a hook, a stub of its handler, a sample event and a test
    Hook(NewHook),
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "On a terminal, `new hook` asks for missing values. It adds the hook to settings, to a `SKILL.md` and \
                        to the file of `--into`, and keeps a copy of the old file (`.bak`). It never overwrites any \
                        other file: if one exists, it writes nothing. A hook that does not compile is not written; the \
                        exit code is then 1."
)]
pub(crate) struct NewHook {
    /// The coding agent: claude, codex, gemini, cursor, copilot; or none
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// The notation: hooks-yaml (default with `--host`), repository, settings or skill
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// The id of the hook, or the name of the skill
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The event
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Whether the caller waits for the handler (default: depends on the event)
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub(crate) blocking: Option<bool>,
    /// What the hook matches: `ability_scope`, `min_duration_ms`, `only_if_changed_paths` of a
    /// repository hook, `matcher` of settings, a path of the event in hooks-yaml
    #[arg(long = "match", value_name = "KEY=VALUE")]
    pub(crate) matches: Vec<String>,
    /// A condition (hooks-yaml and settings)
    #[arg(long, value_name = "EXPR")]
    pub(crate) when: Option<String>,
    /// A description of one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) summary: Option<String>,
    /// The action: `run` starts the handler; `deny`, `ask`, `retry`, ... need no handler
    #[arg(long, value_name = "KIND")]
    pub(crate) action: Option<String>,
    /// A parameter of the action
    #[arg(long = "param", value_name = "KEY=VALUE")]
    pub(crate) params: Vec<String>,
    /// The language of the handler
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) handler: Option<Language>,
    /// Add the hook to this file, relative to the root of the repository (hooks-yaml and settings)
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
    /// The root of the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Write nothing: show what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Python,
    Sh,
    /// For Node.js 22.18 or later, Deno or Bun
    Typescript,
}
