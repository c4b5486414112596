//! Which policies a verb compiles, and an event that flags describe.

use std::path::PathBuf;

use clap::Args;
use hookc_compiler::Builtin;

/// Options of every verb that compiles policies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Sources {
    /// Assign a file's hooks to a layer: managed, directive, project, user or builtin
    #[arg(long = "layer", value_name = "NAME=FILE")]
    pub(crate) layers: Vec<String>,
    /// Read every file as this dialect: hooks-yaml, directive-xml, settings, repository, skill,
    /// workflow, or the hooks of an agent: codex, gemini, cursor, copilot, windsurf, kiro
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// Always link the shipped thread hooks (default: only with thread policies)
    #[arg(long, conflicts_with = "no_builtin")]
    pub(crate) builtin: bool,
    /// Never link the shipped thread hooks
    #[arg(long)]
    pub(crate) no_builtin: bool,
    /// Report undeclared names as errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not check that the files named by hooks exist
    #[arg(long)]
    pub(crate) no_fs: bool,
    /// Whether a later settings file adds its hooks or replaces those of all earlier files
    #[arg(long, value_name = "HOW", value_parser = ["append", "replace"], default_value = "append")]
    pub(crate) merge: String,
    /// Accept only a module that was signed with this public key, has not expired, and is not older
    /// than the last one; the signature is in MODULE.minisig
    #[arg(long, value_name = "FILE")]
    pub(crate) verify_key: Option<PathBuf>,
    /// The agents that the policies are for: `--host`, or the agent of the verb.
    #[arg(skip)]
    pub(crate) hosts: Vec<String>,
    /// Whether `hookc run` itself executes the policies, so that what it cannot execute is reported.
    #[arg(skip)]
    pub(crate) executed: bool,
    /// The timeout of the installed call, in seconds.
    #[arg(skip)]
    pub(crate) timeout: Option<u32>,
    /// The paths that the history must not keep: those that the log leaves out.
    #[arg(skip)]
    pub(crate) redacted: Vec<String>,
}

impl Sources {
    /// When the shipped thread hooks are linked.
    pub(crate) fn linked(&self) -> Builtin {
        match (self.builtin, self.no_builtin) {
            (true, _) => Builtin::Always,
            (false, true) => Builtin::Never,
            (false, false) => Builtin::Threads,
        }
    }

    /// The defaults of `run`.
    pub(crate) fn plain() -> Self {
        Self {
            layers: Vec::new(),
            dialect: None,
            builtin: false,
            no_builtin: false,
            strict: false,
            no_fs: false,
            merge: "append".to_owned(),
            verify_key: None,
            hosts: Vec::new(),
            executed: false,
            timeout: None,
            redacted: Vec::new(),
        }
    }
}

/// An event that flags describe, or its type alone.
#[derive(Args, Clone, Debug)]
pub(crate) struct EventFlags {
    /// Treat every event as this type, whatever the event itself states
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Build an event from flags: its `tool_name`
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// A field of its `tool_input`: text after `=`, JSON after `:=`; dots separate nested keys
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) input: Vec<String>,
    /// Any other field of the event, such as `cwd=/tmp` or `error.code=timeout`
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
}
