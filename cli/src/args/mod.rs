//! The command line as the user types it, one file per group of verbs.

mod ability;
mod check;
mod compile;
mod convert;
mod decide;
mod emit;
mod history;
mod init;
mod install;
mod log;
mod new;
mod pause;
mod probe;
mod quick;
mod reference;
mod replay;
mod run;
mod sources;
mod starter;
mod test;

pub(crate) use ability::{Ability, AbilityRun, CallSource};
pub(crate) use check::{Check, List};
pub(crate) use compile::{Compile, Disasm, Emit, Keygen};
pub(crate) use convert::{Convert, Fmt};
pub(crate) use decide::{Bench, Effects, Eval, Explain, PathArgs};
pub(crate) use emit::{EmitEvent, RepositoryHooks};
pub(crate) use history::{ClearHistory, HistoryVerb, ShowHistory, VerifyHistory};
pub(crate) use init::Init;
pub(crate) use install::{Doctor, Install, Scope, Status, Uninstall};
pub(crate) use log::LogArgs;
pub(crate) use new::{Language, New, NewHook, NewVerb};
pub(crate) use pause::PauseArgs;
pub(crate) use probe::ProbeArgs;
pub(crate) use quick::QuickVerb;
pub(crate) use reference::{Completions, ExplainCode, Guide, SchemaArgs, VocabularyArgs};
pub(crate) use replay::Replay;
pub(crate) use run::{FailureMode, HistoryMode, Logging, Questions, Run};
pub(crate) use sources::{EventFlags, Sources};
pub(crate) use starter::{PolicyFile, StarterVerb};
pub(crate) use test::Test;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Compile, check and test policies for agent hooks.
#[derive(Debug, Parser)]
#[command(name = "hookc", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 success, 1 the input has errors, 2 wrong usage or a file that cannot be \
                        read, 3 a test or an example failed."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command line of this process.
    ///
    /// # Errors
    /// It is wrong, or asks for help.
    pub(crate) fn of_process() -> Result<Self, clap::Error> {
        quick::parse(std::env::args_os()).map_or_else(Self::try_parse, Ok)
    }
}

#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Print more details
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Print errors only
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// When to colour diagnostics
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// The format of diagnostics and tables
    #[arg(long, global = true, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Short,
    Json,
    /// JUnit XML, for `test`
    Junit,
    /// SARIF 2.1.0, for `check`
    Sarif,
    /// Annotations in a workflow, for `check`
    Github,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Parse, check and lint policies
    Check(Check),
    /// Compile policies to a module
    Compile(Compile),
    /// Create a pair of keys for signed modules
    Keygen(Keygen),
    /// Evaluate a policy on events and print one JSON line per event
    Eval(Eval),
    /// Explain for every hook why it matches an event or not
    Explain(Explain),
    /// Show what a command line or an event runs, reads, writes, deletes, sends, contacts, installs and pushes
    Effects(Effects),
    /// Run test files and inline examples
    Test(Test),
    /// Convert a policy to another dialect
    Convert(Convert),
    /// Format hooks files
    Fmt(Fmt),
    /// List the hooks of policies
    List(List),
    /// Create a new hook with its handler and a test, or a policy from a recipe
    New(New),
    /// List, show and write the policies to start from that this program contains
    #[command(subcommand)]
    Starter(StarterVerb),
    /// Evaluate a policy on recorded events and summarize the decisions
    Replay(Replay),
    /// Disassemble a module
    Disasm(Disasm),
    /// Measure the cost of a decision on this machine
    Bench(Bench),
    /// Evaluate one path on a JSON value and print one JSON line per node
    Path(PathArgs),
    /// Answer one event of a coding agent; agents call this as their hook
    Run(Run),
    /// Set up a guard in a repository: find its agents, write a tested policy, install it
    Init(Init),
    /// Add calls of `run` to an agent's settings, for the events of a policy
    Install(Install),
    /// Remove the calls that `install` added to an agent's settings
    Uninstall(Uninstall),
    /// Show when each installed call was last made
    Status(Status),
    /// Show what was denied today
    Log(LogArgs),
    /// Show and clear what is kept of earlier events
    #[command(subcommand)]
    History(HistoryVerb),
    /// Find configured hooks that can never fire or that will fail
    Doctor(Doctor),
    /// Ask each installed call whether it answers, as the agent would
    Probe(ProbeArgs),
    /// Let every call pass for a bounded time, as a person at a terminal
    Pause(PauseArgs),
    /// Emit an event of a repository, for orchestrators in any language
    Emit(EmitEvent),
    /// Call an ability, guarded by hooks
    #[command(subcommand)]
    Ability(Ability),
    /// Run a background handler (started by `run`)
    #[command(hide = true)]
    RunHandler,
    /// Print what a writer of policies needs, as Markdown
    Guide(Guide),
    /// Show the names of events, tools and actions, or the fields of one
    Vocabulary(VocabularyArgs),
    /// Print a JSON Schema for editors
    Schema(SchemaArgs),
    /// Show the page of a diagnostic code
    ExplainCode(ExplainCode),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the man page
    Man,
}
