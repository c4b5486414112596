//! The cost of predicates about effects: all starters about what agents do, on the judged lines.
//!
//! ```sh
//! cargo build --profile dist --config 'profile.dist.strip="none"' -p hookc-benches --bin effects
//! target/dist/effects                 # times, the least of 15 rounds for each line
//! for rounds in 2 6; do valgrind --tool=callgrind target/dist/effects --rounds $rounds; done
//! ```
//!
//! The difference of the two, divided by four times the number of decisions, is what a decision costs in a process that
//! has decided before. `--rounds 1 --lines 1` is a process that decides once. Call it in the root of the repository.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_shell::effects::{Actions, Event, Input as EventInput, Project, ToolRoles, Tools, Value, gather};
use hookc_shell::{Context, with_commands};
use hookc_vm::{DecideOptions, Module, Scratch};

/// Times decisions about command lines.
#[derive(Parser)]
struct Args {
    /// How often each line is decided about.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// How many lines.
    #[arg(long, default_value_t = usize::MAX)]
    lines: usize,
    /// Nothing but decisions, for counters of instructions.
    #[arg(long)]
    decide: bool,
    /// Policies or a module in place of the starters.
    policies: Vec<PathBuf>,
}

/// The starters about commands and files.
const STARTERS: [&str; 5] =
    ["destructive-commands", "network", "protected-branches", "publish-and-deploy", "secrets"];
const DIRECTORY: &str = "/home/me/project";

fn main() {
    let args = Args::parse();
    let starters =
        || STARTERS.map(|name| PathBuf::from(format!("corpus/starters/{name}/hooks.yaml"))).to_vec();
    let policies = if args.policies.is_empty() { starters() } else { args.policies };
    let module = Module::open(module(&policies)).unwrap();
    let lines = lines(&std::fs::read_to_string("corpus/shell/policies.ndjson").unwrap(), args.lines);
    let events: Vec<String> = lines.iter().map(|line| event(line)).collect();
    let mut scratch = Scratch::new();
    let mut matches = 0;
    let mut decide = |at: usize| {
        let decided =
            module.decide(&mut scratch, events.get(at).unwrap().as_bytes(), &DecideOptions::default());
        matches += decided.unwrap().hooks().len();
    };
    let decisions = least(&mut decide, lines.len(), args.rounds);
    println!("{} decisions, {} hooks match", lines.len(), matches / args.rounds);
    show("the decision, from the bytes of the event", decisions);
    if args.decide {
        return;
    }
    let context = Context { cwd: Some(DIRECTORY), ..Context::default() };
    let mut read = |at: usize| {
        let _ = black_box(with_commands(lines.get(at).unwrap(), &context, |commands| commands.len()));
    };
    show("reading the line", least(&mut read, lines.len(), args.rounds));
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let mut actions = Actions::default();
    let mut gathered = |at: usize| {
        let event = Event {
            tool: "Bash",
            host_tool: None,
            cwd: Some(DIRECTORY),
            project: Project::Absent,
            tools: &tools,
            programs: Default::default(),
        };
        gather(&event, &Line(lines.get(at).unwrap()), &mut actions);
    };
    show("gathering its effects, with reading", least(&mut gathered, lines.len(), args.rounds));
}

/// A tool whose input is a command line.
struct Line<'l>(&'l str);

impl EventInput for Line<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(self.0));
        }
    }
}

/// The bytes of a module, or of the module of some policies.
fn module(policies: &[PathBuf]) -> Vec<u8> {
    let read =
        |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let [module] = policies
        && module.extension().is_some_and(|extension| extension == "hookc")
    {
        return read(module);
    }
    let mut sources = Sources::new();
    let inputs: Vec<Input> = policies
        .iter()
        .map(|path| {
            let text = String::from_utf8(read(path)).unwrap();
            Input::new(sources.add(path.display().to_string(), text)).with_dialect(Dialect::HooksYaml)
        })
        .collect();
    compile(&mut sources, &inputs, &Options::default()).module.expect("the policies compile")
}

fn lines(text: &str, most: usize) -> Vec<String> {
    let line = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        row.get("line").unwrap().as_str().unwrap().to_owned()
    };
    text.lines().map(line).take(most).collect()
}

fn event(line: &str) -> String {
    serde_json::json!({
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": DIRECTORY,
        "tool_name": "Bash",
        "tool_input": {"command": line},
    })
    .to_string()
}

/// The least nanoseconds for each line, ascending.
fn least(work: &mut dyn FnMut(usize), lines: usize, rounds: usize) -> Vec<f64> {
    let mut times = vec![f64::INFINITY; lines];
    for _ in 0..rounds {
        for (at, time) in times.iter_mut().enumerate() {
            let start = Instant::now();
            work(black_box(at));
            *time = time.min(start.elapsed().as_secs_f64() * 1e9);
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

fn show(name: &str, times: Vec<f64>) {
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(f64::NAN) / 1e3;
    let mean = times.iter().sum::<f64>() / times.len() as f64 / 1e3;
    println!("{name}: p50 {:.2} us, p99 {:.1} us, on average {mean:.2} us", at(50), at(99));
}
