//! Times whole processes in turn: a Rust program that prints a line, and `hookc eval` and `hookc run` with
//! a module and with the same policy as source. Each gets one event on standard input.
//!
//! ```sh
//! cargo build --profile dist -p hookc-cli -p hookc-benches --bins
//! target/dist/startup                  # --runs, --hooks 10,1000, --hookc PATH, --only TEXT
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a command that starts processes")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Parser;
use hookc_benches::time::{Figure, short};
use hookc_benches::{Shape, Spec, Workload, judge};

/// Compare starting hookc with starting a program that prints a line
#[derive(Parser)]
struct Args {
    /// The program of the profile `dist` (default: the one next to this program)
    #[arg(long)]
    hookc: Option<PathBuf>,
    /// Runs of each
    #[arg(long, default_value_t = 300)]
    runs: usize,
    /// Hooks of the policies
    #[arg(long, value_delimiter = ',', default_value = "10,1000")]
    hooks: Vec<usize>,
    /// Only the processes whose name contains this text
    #[arg(long, default_value = "")]
    only: String,
    /// Keep the files, and print the command lines instead of times
    #[arg(long)]
    print: bool,
}

/// A process that is measured.
struct Side {
    name: String,
    program: PathBuf,
    args: Vec<String>,
    input: PathBuf,
    millis: Vec<f64>,
    cost: Cost,
}

/// What the operating system counted.
#[derive(Clone, Copy, Default)]
struct Cost {
    faults: u64,
    /// Processor time in ticks of a hundredth of a second.
    ticks: u64,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let beside = std::env::current_exe()?.with_file_name("");
    let hookc = args.hookc.clone().unwrap_or_else(|| beside.join("hookc"));
    let folder = std::env::temp_dir().join(format!("hookc-startup-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut sides = vec![Side::new("a line printed", &beside.join("hello"), &[], Path::new("/dev/null"))];
    for hooks in &args.hooks {
        sides.extend(of_policy(&hookc, &folder, *hooks)?);
    }
    let first = sides.remove(0);
    sides.retain(|side| side.name.contains(&args.only));
    sides.insert(0, first);
    if args.print {
        sides.iter().for_each(|side| println!("{}", side.shown()));
        return Ok(());
    }
    measure(&mut sides, args.runs)?;
    fs::remove_dir_all(&folder)?;
    report(&sides, args.runs);
    Ok(())
}

/// The processes with a policy of so many hooks.
fn of_policy(hookc: &Path, folder: &Path, hooks: usize) -> io::Result<Vec<Side>> {
    let mut sides = Vec::new();
    let mixed = Workload::new(Spec::new(Shape::Mixed, hooks, 1));
    for (verb, yaml, event, more) in [
        ("eval", mixed.yaml(), mixed.events.concat(), [].as_slice()),
        ("run", agent_policy(hooks), AGENT_EVENT.to_owned(), RUN),
    ] {
        let place = |end: &str| folder.join(format!("{verb}-{hooks}{end}"));
        let (source, module, input) = (place(".yaml"), place(".hookc"), place(".json"));
        fs::write(&module, judge::build(&yaml).map_err(io::Error::other)?)?;
        fs::write(&source, yaml)?;
        fs::write(&input, event)?;
        for (form, policy) in [("module", &module), ("source", &source)] {
            let policy = policy.to_string_lossy();
            let args = [[verb, &*policy].as_slice(), more].concat();
            sides.push(Side::new(&format!("{verb}, {form}, {hooks} hooks"), hookc, &args, &input));
        }
    }
    Ok(sides)
}

/// Options of `run`.
const RUN: &[&str] = &["--host", "claude", "--no-log"];

const AGENT_EVENT: &str = r#"{"session_id":"s","transcript_path":"/t","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"u","tool_input":{"command":"rm -rf build/needle-3","description":"d"}}"#;

/// What people write for coding agents: hooks of four events, on tools, commands and files.
fn agent_policy(hooks: usize) -> String {
    let line = |n: usize| {
        let (event, when) = match n % 4 {
            0 => ("PreToolUse", format!("tool_name == 'Bash' and tool_input.command contains 'needle-{n} '")),
            1 => (
                "PreToolUse",
                format!("tool_name in ['Edit', 'Write'] and tool_input.file_path ends_with '/{n}.env'"),
            ),
            2 => (
                "PostToolUse",
                format!("tool_name == 'Bash' and tool_input.command starts_with 'deploy-{n} '"),
            ),
            _ => ("UserPromptSubmit", format!("prompt contains 'topic-{n} '")),
        };
        let action = if event == "PreToolUse" { "deny, reason" } else { "inject, text" };
        format!(
            "  - {{id: h{n}, event: {event}, when: \"{when}\", action: {{type: {action}: number {n}}}}}\n"
        )
    };
    format!("hooks:\n{}", (0..hooks).map(line).collect::<String>())
}

impl Side {
    fn new(name: &str, program: &Path, args: &[&str], input: &Path) -> Self {
        Self {
            name: name.to_owned(),
            program: program.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            input: input.to_owned(),
            millis: Vec::new(),
            cost: Cost::default(),
        }
    }

    fn shown(&self) -> String {
        format!("{} {} < {}", self.program.display(), self.args.join(" "), self.input.display())
    }

    /// Milliseconds from start to end.
    fn run(&self) -> io::Result<f64> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(File::open(&self.input)?).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status()?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        if status.success() { Ok(took) } else { Err(io::Error::other(format!("{}: {status}", self.shown()))) }
    }
}

/// Times each in turn, then counts what runs of each cost in a row: ticks are too long for one.
fn measure(sides: &mut [Side], runs: usize) -> io::Result<()> {
    for run in 0..runs + 10 {
        for side in sides.iter_mut() {
            let took = side.run()?;
            if run >= 10 {
                side.millis.push(took);
            }
        }
    }
    for side in sides.iter_mut() {
        let before = Cost::of_children()?;
        for _ in 0..runs {
            side.run()?;
        }
        let after = Cost::of_children()?;
        side.cost = Cost { faults: after.faults - before.faults, ticks: after.ticks - before.ticks };
    }
    Ok(())
}

impl Cost {
    /// That of all processes that this one has started and awaited: `proc_pid_stat(5)`.
    fn of_children() -> io::Result<Self> {
        let stat = fs::read_to_string("/proc/self/stat")?;
        // The second field may contain anything, in parentheses.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // The rest starts with field 3.
        let field = |number: usize| {
            let text = fields.get(number - 3).copied().unwrap_or_default();
            text.parse::<u64>().map_err(io::Error::other)
        };
        Ok(Self { faults: field(11)?, ticks: field(16)? + field(17)? })
    }
}

fn report(sides: &[Side], runs: usize) {
    println!("{runs} runs of each, in turn: median (a tenth below to a tenth above)");
    println!("| process | ms | to the line printed | page faults | processor time, ms |");
    println!("|---|---:|---:|---:|---:|");
    let hello = sides.first().map(|side| side.millis.clone()).unwrap_or_default();
    for side in sides {
        let ratios = side.millis.iter().zip(&hello).map(|(millis, hello)| millis / hello).collect();
        let each = |count: u64| count as f64 / runs.max(1) as f64;
        println!(
            "| {} | {} | {} | {:.0} | {} |",
            side.name,
            Figure::new(side.millis.clone()),
            Figure::new(ratios),
            each(side.cost.faults),
            short(each(side.cost.ticks) * 10.0),
        );
    }
}
