//! hookc and Dogwood decide about the same calls of tools with the same earlier ones.
//!
//! ```sh
//! cd benches/peers && cargo run --release --bin history            # or: -- 10,100 200
//! TMPDIR=/dev/shm cargo run --release --bin history -- 10,100,1000,10000 100000
//! ```
//!
//! Each policy denies a call if the same tool has had a result for the same file within an hour. First, the results of
//! earlier calls are recorded, about which nobody decides. Then a step is a call and its result; both engines decide about
//! the call and record the result. All decisions are compared before times are printed. An engine has three minutes for a
//! cell of the table: the last column says how many calls it had decided by then.
//! Dogwood takes events that are made before the clock starts, hookc takes bytes of JSON. In memory, Dogwood is the
//! `Authorizer` of its language, which rescans. On disk it is its durable engine, which syncs each event and gives it the
//! time of the machine; hookc opens, locks, reads, syncs and closes a file for each event, as `hookc run` does. `TMPDIR`
//! chooses the file system.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a measurement")]

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use dogwood_language::{
    Authorizer, Decision, Event, EventBuilder, LoweredPolicySet, PolicySchema, ServiceSchema, Value,
};
use dogwood_local_engine::{DurableTemporalEngine, Outcome};
use hookc_benches::judge;
use hookc_history::{Limits, Partition, Secret};
use hookc_oracle::generate::Rng;
use hookc_runtime::history::{Beginning, Durability, Store, reading};
use hookc_vm::{DecideOptions, Histories, Module, PartitionTag, Scratch};

/// Steps whose decision is timed, after the results of the history.
const TIMED: usize = 40;
/// What an engine may take for a history and the steps after it.
const BUDGET: Duration = Duration::from_mins(3);
/// Seconds between two steps, for the engines that are given the time.
const STEP: usize = 2;
/// Tools that are called, and files: so few that some calls repeat earlier ones.
const TOOLS: usize = 20;
const FILES: usize = 10;
/// hookc records at most 4,096 monitors for a type of events, so that results have three; Dogwood has as many actions.
const RESULTS: [&str; 3] = ["PostToolUse", "PostToolUseFailure", "PermissionRequest"];
const SCHEMA: &str = r#"
namespace App {
  type Input = { tool: String, file: String };
  entity Gateway;
  entity User;
  action "PostToolUse", "PostToolUseFailure", "PermissionRequest" appliesTo {
    principal: [User], resource: [Gateway], context: { input: Input }
  };
}
"#;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Call,
    Result,
}

/// A use of a tool for a file.
struct Step {
    tool: usize,
    file: usize,
}

impl Step {
    fn result(&self) -> &'static str {
        RESULTS[self.tool % RESULTS.len()]
    }

    fn json(&self, phase: Phase) -> String {
        let event = if phase == Phase::Call { "PreToolUse" } else { self.result() };
        let Self { tool, file } = self;
        format!(
            r#"{{"hook_event_name":"{event}","session_id":"5f0c","cwd":"/home/me/app","tool_name":"tool_{tool}","tool_input":{{"file_path":"src/module_{file}.rs"}}}}"#
        )
    }

    fn event(&self, phase: Phase) -> EventBuilder {
        let kind = if phase == Phase::Call { "request" } else { "response" };
        let (tool, file) = (format!("tool_{}", self.tool), format!("src/module_{}.rs", self.file));
        Event::builder(&format!("App::Action::{}", self.result()), kind)
            .principal("App::User::\"me\"")
            .resource("App::Gateway::\"app\"")
            .field("input", "tool", Value::String(tool.clone()))
            .field("input", "file", Value::String(file.clone()))
            .request_context("input", "tool", Value::String(tool))
            .request_context("input", "file", Value::String(file))
    }
}

fn hookc_policy(tools: usize) -> String {
    let mut out = "hooks:\n".to_owned();
    for tool in 0..tools {
        let result = RESULTS[tool % RESULTS.len()];
        let _ = write!(
            out,
            "  - event: PreToolUse\n    when: \"formerly(any {result} where tool_name == 'tool_{tool}' and tool_name == now.tool_name and tool_input.file_path == now.tool_input.file_path within 1h)\"\n    action: {{type: deny, reason: 'Again.'}}\n"
        );
    }
    out
}

fn dogwood_policy(tools: usize) -> String {
    let mut out = "permit (principal, action, resource);\n".to_owned();
    for tool in 0..tools {
        let action = format!("App::Action::\"{}\"", RESULTS[tool % RESULTS.len()]);
        let _ = write!(
            out,
            "forbid (principal, action == {action}, resource) when {{ context.input.tool == \"tool_{tool}\" }} when temporal {{ formerly within 1h {action}::response{{ input.tool: \"tool_{tool}\", input.file: context.input.file }} }};\n"
        );
    }
    out
}

/// Loads policies for so many tools, and then takes events in turn. The answer to a call says whether it is denied.
trait Engine<'s> {
    type Input;
    fn input(step: &'s Step, phase: Phase, at: usize) -> Self::Input;
    fn submit(&mut self, input: Self::Input) -> bool;
}

struct InMemory {
    module: Module,
    scratch: Scratch,
    secret: Secret,
    partition: Partition,
}

impl InMemory {
    fn new(tools: usize) -> Self {
        let module = Module::load(judge::build(&hookc_policy(tools)).unwrap()).unwrap();
        let partition = Partition::new(Limits::default());
        Self { module, scratch: Scratch::new(), secret: Secret::new([7; 32]), partition }
    }
}

impl Engine<'_> for InMemory {
    type Input = (String, u64);

    fn input(step: &Step, phase: Phase, at: usize) -> Self::Input {
        (step.json(phase), (at * STEP * 1_000) as u64)
    }

    fn submit(&mut self, (event, time): Self::Input) -> bool {
        let Self { module, scratch, secret, partition } = self;
        let histories = Histories::new(secret).with(PartitionTag::Session, partition, time);
        let options = DecideOptions::default().history(&histories);
        let decision = module.decide(scratch, event.as_bytes(), &options).unwrap();
        assert_eq!(decision.unknown().count(), 0);
        let denied = !decision.is_empty();
        if let Some(record) = decision.record(PartitionTag::Session) {
            partition.apply(record);
        }
        denied
    }
}

struct InFile {
    module: Module,
    scratch: Scratch,
    store: Store,
}

impl InFile {
    fn new(tools: usize, folder: &Path) -> Self {
        let module = Module::load(judge::build(&hookc_policy(tools)).unwrap()).unwrap();
        let store = Store::open(folder.join("hookc"), Limits::default()).unwrap().with_durability(Durability::Machine);
        Self { module, scratch: Scratch::new(), store }
    }
}

impl Engine<'_> for InFile {
    type Input = String;

    fn input(step: &Step, phase: Phase, _at: usize) -> Self::Input {
        step.json(phase)
    }

    fn submit(&mut self, event: Self::Input) -> bool {
        let Self { module, scratch, store } = self;
        let mut locked = store.lock(store.key(["session", "5f0c"]), || Beginning::Seen).unwrap();
        let time = locked.partition().clock(reading());
        let histories = Histories::new(store.secret()).with(PartitionTag::Session, locked.partition(), time);
        let options = DecideOptions::default().history(&histories);
        let decision = module.decide(scratch, event.as_bytes(), &options).unwrap();
        assert_eq!(decision.unknown().count(), 0);
        let denied = !decision.is_empty();
        let record = decision.record(PartitionTag::Session);
        if let Some(record) = record {
            locked.record(record).unwrap();
        }
        denied
    }
}

impl Engine<'_> for Authorizer {
    type Input = Event;

    fn input(step: &Step, phase: Phase, at: usize) -> Self::Input {
        step.event(phase).timestamp((at * STEP) as i64).build()
    }

    fn submit(&mut self, input: Self::Input) -> bool {
        self.is_authorized(&input).is_some_and(|response| response.decision() == Decision::Deny)
    }
}

impl Engine<'_> for DurableTemporalEngine {
    type Input = EventBuilder;

    fn input(step: &Step, phase: Phase, _at: usize) -> Self::Input {
        step.event(phase)
    }

    fn submit(&mut self, input: Self::Input) -> bool {
        match self.submit(input).unwrap().outcome {
            Outcome::Decision(verdict) => !verdict.allowed(),
            Outcome::Recorded => false,
        }
    }
}

/// The milliseconds of the step in the middle.
fn median(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).map_or_else(|| "none".to_owned(), |time| format!("{time:.4}"))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// One workload, and what the engine that decided most calls answered.
struct Workload {
    tools: usize,
    history: usize,
    steps: Vec<Step>,
    denied: Vec<bool>,
}

impl Workload {
    fn new(tools: usize, history: usize) -> Self {
        let mut rng = Rng::new(7);
        let called = TOOLS.min(tools);
        let step = |_| Step { tool: rng.below(called) * (tools / called), file: rng.below(FILES) };
        Self { tools, history, steps: (0..history + TIMED).map(step).collect(), denied: vec![] }
    }

    fn run<'s, E: Engine<'s>>(&'s mut self, name: &str, load: impl FnOnce() -> E) {
        let start = Instant::now();
        let mut engine = load();
        let loaded = milliseconds(start);
        let (mut denied, mut calls, mut results) = (vec![], vec![], vec![]);
        let start = Instant::now();
        let mut recorded = 0;
        for (at, step) in self.steps.iter().enumerate() {
            if start.elapsed() > BUDGET {
                break;
            }
            let mut submit = |phase| {
                let input = E::input(step, phase, at);
                let start = Instant::now();
                (engine.submit(input), milliseconds(start))
            };
            if at < self.history {
                submit(Phase::Result);
                recorded += 1;
                continue;
            }
            let (is_denied, time) = submit(Phase::Call);
            denied.push(is_denied);
            calls.push(time);
            results.push(submit(Phase::Result).1);
        }
        let same = self.denied.iter().zip(&denied).all(|(other, this)| other == this);
        assert!(same, "{name} decides differently");
        let (decided, count) = (denied.len(), denied.iter().filter(|denied| **denied).count());
        println!(
            "| {name} | {} | {recorded} | {} | {} | {loaded:.0} | {count} of {decided} |",
            self.tools,
            median(calls),
            median(results)
        );
        if denied.len() > self.denied.len() {
            self.denied = denied;
        }
    }
}

fn dogwood(tools: usize) -> Authorizer {
    let schema = PolicySchema::from_cedarschema_str(SCHEMA).unwrap();
    Authorizer::new(
        LoweredPolicySet::from_str(&dogwood_policy(tools), &ServiceSchema::defaults(), &schema).unwrap(),
    )
}

fn durable(tools: usize, folder: &Path) -> DurableTemporalEngine {
    let mut engine = DurableTemporalEngine::open(folder.join("dogwood"), 1000).unwrap();
    engine.install(&dogwood_policy(tools), SCHEMA, None, None).unwrap();
    engine
}

fn main() {
    hookc_benches::choose_scanner();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers = |at: usize, default: &str| -> Vec<usize> {
        let word = words.get(at).map_or(default, String::as_str);
        word.split(',').map(|number| number.parse().unwrap()).collect()
    };
    println!(
        "| engine | policies | events before | call, ms | result, ms | loading, ms | denied |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    for tools in numbers(0, "10,100,1000,10000") {
        for history in numbers(1, "200") {
            let folder = tempfile::tempdir().unwrap();
            let mut workload = Workload::new(tools, history);
            workload.run("hookc, in memory", || InMemory::new(tools));
            workload.run("Dogwood, reference", || dogwood(tools));
            workload.run("hookc, in a file", || InFile::new(tools, folder.path()));
            workload.run("Dogwood, durable", || durable(tools, folder.path()));
        }
    }
}
