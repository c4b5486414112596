//! The command line as typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use hookc_compiler::Builtin;

/// Compile, check and try agent-hook policies.
#[derive(Debug, Parser)]
#[command(name = "hookc", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 done, 1 the input has errors, 2 wrong usage or a file that cannot be \
                        read, 3 a test or example failed.")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Say only errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Colour in diagnostics
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// How diagnostics (and tables) are written
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    Tree,
    Plan,
    Asm,
    Module,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Parse, check and lint policies
    Check(Check),
    /// Compile policies to a module
    Compile(Compile),
    /// Decide about events: a JSON line each
    Eval(Eval),
    /// Tell of every hook why it did or did not match an event
    Explain(Explain),
    /// Run test files and inline examples
    Test(Test),
    /// Write a policy in another dialect
    Convert(Convert),
    /// Put hooks files in their one layout
    Fmt(Fmt),
    /// List the hooks of policies
    List(List),
    /// Write a new hook with its handler and a test
    #[command(subcommand)]
    New(New),
    /// Tell what a policy would have decided about recorded events
    Replay(Replay),
    /// List what is in a module
    Disasm(Disasm),
    /// Measure what deciding about events costs on this machine
    Bench(Bench),
    /// Evaluate one path on a JSON value: a JSON line per node
    Path(PathArgs),
    /// Answer one event of a coding agent: the hook to configure there
    Run(Run),
    /// Write into an agent's settings that it calls `run` for the events of a policy
    Install(Install),
    /// Take out of an agent's settings what `install` has put in
    Uninstall(Uninstall),
    /// Show whether the calls in the agents' settings are alive: when each was made last
    Status(Status),
    /// Find hooks that are configured and can never fire, or will fail
    Doctor(Doctor),
    /// Call an ability behind its guards
    #[command(subcommand)]
    Ability(Ability),
    /// Run a handler that is not waited for (`run` starts it)
    #[command(hide = true)]
    RunHandler,
    /// Print a JSON Schema, for editors
    Schema(SchemaArgs),
    /// Show the page of a diagnostic code
    ExplainCode(ExplainCode),
    /// Write a completion script for a shell
    Completions(Completions),
    /// Write the man page
    Man,
}

/// What is compiled, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct Sources {
    /// Put a file's hooks into a layer: managed, directive, project, user or builtin
    #[arg(long = "layer", value_name = "NAME=FILE")]
    pub(crate) layers: Vec<String>,
    /// Read every file as this dialect: hooks-yaml, directive-xml, settings, repository, skill,
    /// workflow, or the hooks of an agent: codex, gemini, cursor, copilot, windsurf, kiro
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// Link the shipped thread hooks, whatever the policies are; without, with policies of threads
    #[arg(long, conflicts_with = "no_builtin")]
    pub(crate) builtin: bool,
    /// Leave the shipped thread hooks out
    #[arg(long)]
    pub(crate) no_builtin: bool,
    /// Names that nobody declared are errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not look whether the files that hooks name are there
    #[arg(long)]
    pub(crate) no_fs: bool,
    /// Whether a later settings file adds its hooks or replaces all earlier ones
    #[arg(long, value_name = "HOW", value_parser = ["append", "replace"], default_value = "append")]
    pub(crate) merge: String,
    /// The agents that the policies are for, as `--host` and the verb have it.
    #[arg(skip)]
    pub(crate) hosts: Vec<String>,
    /// Whether `hookc run` executes the policies itself, and answers for what they cannot do.
    #[arg(skip)]
    pub(crate) executed: bool,
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

    /// As `run` has them when nothing is said.
    pub(crate) fn plain() -> Self {
        Self {
            layers: Vec::new(),
            dialect: None,
            builtin: false,
            no_builtin: false,
            strict: false,
            no_fs: false,
            merge: "append".to_owned(),
            hosts: Vec::new(),
            executed: false,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Policies, or folders with policies in them; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The agent that the policies are for: report what it cannot do; may be given again
    #[arg(long = "host", value_name = "NAME",
          value_parser = ["claude", "codex", "gemini", "cursor", "copilot", "flat"])]
    pub(crate) hosts: Vec<String>,
    /// Fail on warnings too
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    pub(crate) deny: Option<String>,
    /// Check the inline examples of hooks too
    #[arg(long)]
    pub(crate) examples: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Compile {
    /// Policies; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Where to write; `-` is standard output (the default for all but modules)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What to write
    #[arg(long, default_value = "module")]
    pub(crate) emit: Emit,
    /// Leave out names and places: two notations of one policy give the same bytes
    #[arg(long)]
    pub(crate) strip: bool,
}

/// An event by flags.
#[derive(Args, Clone, Debug)]
pub(crate) struct Given {
    /// An event by flags: its `tool_name`
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// A field of its `tool_input`, as text, or as JSON behind `:=`; dots lead inward
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) input: Vec<String>,
    /// Any other field of it, such as `cwd=/tmp` or `error.code=timeout`
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// Policies or one module, then events (JSON, NDJSON or `-`; standard input when left out)
    #[arg(value_name = "POLICY… [EVENTS]", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The type of the events, whatever they say
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) given: Given,
    /// Every hook that matches, whatever the event's strategy
    #[arg(long)]
    pub(crate) all: bool,
    /// For people instead of programs
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Tell counts and speed on standard error
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Policies or one module, then one event (JSON file or `-`)
    #[arg(value_name = "POLICY… EVENT", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The type of the event, whatever it says
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Test files (`*.test.yaml`), policies with `examples:`, or folders of both
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Only tests and examples with this in their name
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<String>,
    /// Show which hooks and leaves came out both ways
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Fail if less than this share of outcomes was seen (0 to 100)
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) coverage_fail_under: Option<u8>,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The policy
    pub(crate) file: PathBuf,
    /// The dialect to write: hooks-yaml, directive-xml, settings, repository, skill, workflow
    #[arg(long, value_name = "DIALECT")]
    pub(crate) to: String,
    /// The dialect to read
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// Where to write; standard output when left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Leave out what the target cannot say, and list it
    #[arg(long)]
    pub(crate) lossy: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Hooks files, changed in place; `-` is standard input, to standard output
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing: show what would change, and fail if anything would
    #[arg(long, conflicts_with = "stdout")]
    pub(crate) check: bool,
    /// Write to standard output and leave the files as they are
    #[arg(long)]
    pub(crate) stdout: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// Which: hooks, event, decision, test; the list of them when left out
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "With `-v`, and as JSON, each hook's command too. On a terminal the table fits the width (or \
                        `COLUMNS`): columns that say the same of every hook are left out, and long cells wrap. A module \
                        has the hooks that were linked, without their conditions."
)]
pub(crate) struct List {
    /// Policies or one module, or folders with policies in them; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
}

#[derive(Args, Debug)]
pub(crate) struct Disasm {
    /// A module; `-` is standard input
    pub(crate) module: PathBuf,
}

#[derive(Args, Debug)]
#[command(
    after_help = "After a warm-up, each event is decided about and read alone in turn, for about a second and \
                        a half. A sample is one event, repeated until 5 microseconds are over; the percentiles are of \
                        all samples. The floor is a UTF-8 check and serde_json reading into nothing, on the same \
                        bytes. Events that cannot be decided about are left out and reported once for each kind of \
                        error; exit 1."
)]
pub(crate) struct Bench {
    /// A policy or a module
    pub(crate) policy: PathBuf,
    /// Events (JSON, NDJSON or `-`)
    pub(crate) events: PathBuf,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The type of the events, whatever they say
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// One JSON line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum New {
    /// A hook, a stub of its handler, an event to try it with and a test
    Hook(NewHook),
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "On a terminal it asks for what is missing. Settings, a `SKILL.md` and the file of `--into` get the \
                        hook put in, with a copy of what was there beside them (`.bak`). Other files that are there \
                        already stay as they are: then nothing is written. A hook that does not compile is not written \
                        either; exit 1."
)]
pub(crate) struct NewHook {
    /// The notation: repository, hooks-yaml, settings or skill
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// The hook's id, or the name of the skill
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The event
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Whether the handler is waited for; as its event has it when left out
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub(crate) blocking: Option<bool>,
    /// What the hook is for: `ability_scope`, `min_duration_ms`, `only_if_changed_paths` of a
    /// repository hook, `matcher` of settings, a path of the event in hooks-yaml
    #[arg(long = "match", value_name = "KEY=VALUE")]
    pub(crate) matches: Vec<String>,
    /// A condition: hooks-yaml and settings
    #[arg(long, value_name = "EXPR")]
    pub(crate) when: Option<String>,
    /// What it is about, in a line
    #[arg(long, value_name = "TEXT")]
    pub(crate) summary: Option<String>,
    /// What it does: `run` starts the handler; `deny`, `ask`, `retry`, ... need none
    #[arg(long, value_name = "KIND")]
    pub(crate) action: Option<String>,
    /// A parameter of the action
    #[arg(long = "param", value_name = "KEY=VALUE")]
    pub(crate) params: Vec<String>,
    /// What the handler is written in
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) handler: Option<Language>,
    /// The file to put it into, from the root of the repository: hooks-yaml and settings
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
}

#[derive(Args, Debug)]
#[command(
    after_help = "LOG holds an event in each line, or is a decision log that was written with `--log-payload`; a \
                        file `*.json` that is no policy is an event or an array of them. Nothing is carried out. \
                        Exit 3: `--against` found decisions that changed; else 1: there were lines without a \
                        decision."
)]
pub(crate) struct Replay {
    /// Policies or one module, then recorded events; `-` is standard input
    #[arg(value_name = "POLICY… LOG…", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The agent that sent the events, as `run` has it; lines of a decision log need none
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// The type of the events, whatever they say; with `--host` by the agent's name
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Show what changed: since another policy or module (again for more that belong to it), or, with
    /// `log`, since the log was written
    #[arg(long, value_name = "OLD")]
    pub(crate) against: Vec<PathBuf>,
    /// How many changes to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Falls {
    /// As if there were no hooks, and said
    Open,
    /// Refused, with the reason
    Closed,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Reads the event from standard input and prints what the host reads; exits as the host has it. No \
                        opinion prints nothing and exits 0. HOOKC_DISABLE=1 turns every hook off."
)]
pub(crate) struct Run {
    /// Policies or one module; may be left out beside `--layer`
    #[arg(value_name = "POLICY", required_unless_present = "layers")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The agent: claude, flat, gemini, codex, cursor, copilot
    #[arg(long, value_name = "NAME")]
    pub(crate) host: String,
    /// The host's name of the event, for hosts that do not send it; beside `--tool`, `--input` and
    /// `--set`, which take the place of standard input, the policy's name too
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) given: Given,
    /// Which way it falls when nothing can be decided or a hook fails that does not say it itself
    #[arg(long, value_name = "WAY")]
    pub(crate) on_failure: Option<Falls>,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

#[derive(Args, Debug)]
pub(crate) struct Logging {
    /// The decision log; `hookc/decisions.jsonl` in the user's state folder when left out
    #[arg(long, value_name = "FILE", conflicts_with = "no_log")]
    pub(crate) log: Option<PathBuf>,
    /// Write no decision log
    #[arg(long)]
    pub(crate) no_log: bool,
    /// Write the events into the log too
    #[arg(long, conflicts_with = "no_log")]
    pub(crate) log_payload: bool,
    /// Leave out of them what stands at a path such as `tool_input.env.*`
    #[arg(long, value_name = "PATH", requires = "log_payload", value_parser = redacted)]
    pub(crate) redact: Vec<String>,
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// Yours, for all projects
    User,
    /// Those of the project in this folder
    Project,
    /// Yours in this project (`claude` alone)
    Local,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Run it in the project's folder. The settings are edited where it is needed and nowhere else; what \
                        was there is kept beside them (`.bak`). Installed again, what is there already stays, and \
                        events that the policy has hooks for no more are taken out."
)]
pub(crate) struct Install {
    /// The agent: claude, gemini, codex, cursor, copilot; of `flat` the settings are printed
    pub(crate) host: String,
    /// Policies or one module
    #[arg(value_name = "POLICY", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Whose settings
    #[arg(long, default_value = "project")]
    pub(crate) scope: Scope,
    /// Only this event, by the agent's name or the policy's; may be given again
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,
    /// How long the agent waits for an answer, in seconds; as it does anyway when left out
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: Option<u32>,
    /// Change nothing: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Takes out every call of `hookc run` for the agent, and nothing else.")]
pub(crate) struct Uninstall {
    /// The agent: claude, gemini, codex, cursor, copilot
    pub(crate) host: String,
    /// Whose settings
    #[arg(long, default_value = "project")]
    pub(crate) scope: Scope,
    /// Change nothing: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Reads the decision log that each call writes. Exits 0 if every call was made since it was \
                        installed, or writes no log by its own wish (`--no-log`); 1 if one was never made, if its \
                        log or the settings cannot be read, or if no call is installed."
)]
pub(crate) struct Status {
    /// The project; this folder when left out
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Only this agent: claude, gemini, codex, cursor, copilot; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Another log to read, such as one that was rotated; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Vec<PathBuf>,
    /// A JSON line for each call
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Exits 1 if a hook is dead: it can never fire, or fails when it does.")]
pub(crate) struct Doctor {
    /// Settings, policies, or folders with them; without, this folder and your own settings
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Ability {
    /// Ask the guards, run the command, run the hooks behind it
    Run(AbilityRun),
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exits as the command does. 120: a guard denies; 121: a guard wants a human to look; 122: nothing \
                        could be decided; 126 and 127: the command cannot be run; 128 and the signal: a signal ended it. Standard \
                        error says why."
)]
pub(crate) struct AbilityRun {
    /// The ability
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) ability: String,
    /// Who calls it
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: CallSource,
    /// The session, of a call from one
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// The job or pipeline
    #[arg(long, value_name = "ID")]
    pub(crate) job: Option<String>,
    /// Who or what began it
    #[arg(long, value_name = "TEXT")]
    pub(crate) triggered_by: Option<String>,
    /// Policies or one module; the files of `.system/hooks` when left out
    #[arg(long = "policy", value_name = "POLICY")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Keep what the command prints in this file too, and tell the hooks behind it where
    #[arg(long, value_name = "FILE")]
    pub(crate) stdout_log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) logging: Logging,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum CallSource {
    AiSession,
    BackgroundJob,
    CiPipeline,
    ManualCli,
}

#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    /// The path: shorthand, or JSONPath from `$`
    #[arg(value_name = "EXPR")]
    pub(crate) path: String,
    /// A JSON file or a JSON text; standard input when left out
    #[arg(value_name = "JSON")]
    pub(crate) json: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainCode {
    /// A code such as E0101; all of them when left out
    pub(crate) code: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// A path that can be left out of a log. One that is none would leave nothing out,
/// which nobody would see until too late.
fn redacted(path: &str) -> Result<String, String> {
    hookc_runtime::log::Redaction::check(path).map(|()| path.to_owned())
}
