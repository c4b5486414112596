//! A small thread runtime under policy: `cargo run -p hookc-runtime --example thread`.
//!
//! The thread works through a plan of turns. Around each turn it passes events to [`Thread::on`]
//! and executes the [`Step`]; it never reads the policy (`thread.yaml`) itself. The work is
//! simulated, the effects are real: the thread waits, a handler process runs after each turn, log
//! lines are written, a directive is called and its result is validated against the schema, and the
//! thread's state is saved as JSON whenever the thread has to wait for an answer.
//!
//! ```text
//! before_step ─▶ work ─▶ limit ─▶ context_window_pressure ─▶ after_step
//!                 ▲ └──▶ error ──▶ retry, or a person
//!                 └─────────┘
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_runtime::action::{Action, LogLevel};
use hookc_runtime::host::{EventContext, Host};
use hookc_runtime::thread::{Returns, State, Step, Thread};
use hookc_runtime::{ActionFailure, Engine, Event, Outcome};
use hookc_schema::Sources;
use hookc_schema::diag::render;
use hookc_vm::Module;
use serde_json::{Map, Value, json};

const POLICY: &str = include_str!("thread.yaml");
/// The content of the context window.
const WINDOW: u64 = 100_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A turn of the simulated work.
struct Turn {
    what: &'static str,
    /// How often the model is overloaded before it answers.
    overloaded: u32,
    tokens: u64,
    tests_pass: bool,
}

const fn turn(what: &'static str, overloaded: u32, tokens: u64) -> Turn {
    Turn { what, overloaded, tokens, tests_pass: true }
}

const PLAN: [Turn; 6] = [
    turn("reads the task", 0, 20_000),
    turn("looks at the code", 2, 30_000),
    turn("asks another model", u32::MAX, 0),
    turn("writes the change", 0, 35_000),
    turn("writes tests", 0, 5_000),
    Turn { tests_pass: false, ..turn("tidies up", 0, 10_000) },
];
/// The cost of a turn.
const COST: f64 = 2.0;

/// The embedder's side: what only this program can do. The engine can execute hooks in parallel,
/// hence the locks.
struct Desk<'w> {
    out: Mutex<&'w mut (dyn Write + Send)>,
    compactions: Mutex<Vec<Value>>,
}

impl Desk<'_> {
    fn say(&self, line: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // If the output is closed, the thread continues.
        let _ = writeln!(out, "{line}");
    }
}

impl Host for Desk<'_> {
    fn log(&self, level: LogLevel, message: &str, _: Option<&Map<String, Value>>) {
        self.say(&format!("[{}] {message}", level.as_str()));
    }

    fn perform(
        &self,
        action: &Action,
        context: &EventContext<'_>,
    ) -> std::result::Result<Outcome, ActionFailure> {
        match action {
            // `null`: asked, but not answered yet. The thread waits.
            Action::Escalate(_) => {
                let what = context.event.value().pointer("/error/message").and_then(Value::as_str);
                self.say(&format!(
                    "  to the user: {}; go on without it?",
                    what.unwrap_or("something is wrong")
                ));
                Ok(Outcome::nothing())
            }
            Action::CallDirective(call) => self.compaction(&call.directive).map(Outcome::Value),
            other => Err(ActionFailure::unsupported(other)),
        }
    }
}

impl Desk<'_> {
    /// A real runtime starts a model here. This one has prepared answers, the first of which is not
    /// a valid result of a directive.
    fn compaction(&self, directive: &str) -> std::result::Result<Value, ActionFailure> {
        let mut answers = self.compactions.lock().unwrap_or_else(PoisonError::into_inner);
        if directive != "compact" || answers.is_empty() {
            return Err(ActionFailure::failed(format!("there is no directive `{directive}`")));
        }
        Ok(answers.remove(0))
    }
}

/// Whether the thread continues.
enum Flow {
    On,
    Ended(String),
}

/// A thread and its work.
struct Runner<'a, 'w> {
    desk: &'a Desk<'w>,
    engine: &'a Engine,
    returns: &'a Returns,
    thread: Thread<'a>,
    history: Vec<String>,
    spend: f64,
    budget: f64,
    tokens: u64,
}

impl Runner<'_, '_> {
    /// All turns; the message that the thread ended with, if it did not finish.
    fn run(&mut self) -> Result<Option<String>> {
        for (number, turn) in (1u64..).zip(&PLAN) {
            if let Flow::Ended(why) = self.turn(number, turn)? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// A turn: the work, with the events before and after it.
    fn turn(&mut self, number: u64, turn: &Turn) -> Result<Flow> {
        let before = json!({"turn_number": number, "cost": {"spend": self.spend, "turns": number}});
        if let ended @ Flow::Ended(_) = self.tell("before_step", before)? {
            return Ok(ended);
        }
        if let ended @ Flow::Ended(_) = self.work(turn)? {
            return Ok(ended);
        }
        if self.spend > self.budget {
            let code = "spend_exceeded";
            let limit = json!({"limit_code": code, "limit_value": self.spend, "limit_max": self.budget});
            if let ended @ Flow::Ended(_) = self.tell("limit", limit)? {
                return Ok(ended);
            }
        }
        let ratio = self.tokens as f64 / WINDOW as f64;
        let window = json!({"pressure_ratio": ratio, "tokens_used": self.tokens, "max_tokens": WINDOW});
        if let ended @ Flow::Ended(_) = self.tell("context_window_pressure", window)? {
            return Ok(ended);
        }
        self.tell("after_step", json!({"turn_number": number, "tests_pass": turn.tests_pass}))
    }

    /// Tries until it succeeds, or until the policy has had enough.
    fn work(&mut self, turn: &Turn) -> Result<Flow> {
        for _ in 0..turn.overloaded {
            let policy = json!({"type": "exponential", "base_ms": 10, "max_ms": 1000});
            let error = json!({
                "error": {"code": "http_529", "message": "the model is overloaded"},
                "classification": {"category": "overloaded", "retryable": true, "retry_policy": policy},
                "retries": self.thread.state().retries.values().sum::<u64>(),
            });
            match self.on("error", error)? {
                Step::Retry { after, .. } => std::thread::sleep(after),
                step => return self.obey(step),
            }
        }
        self.thread.succeeded();
        self.spend += COST;
        self.tokens += turn.tokens;
        self.history.push(turn.what.to_owned());
        self.desk.say(&format!("  it {}", turn.what));
        Ok(Flow::On)
    }

    /// Passes an event on and executes the result.
    fn tell(&mut self, name: &str, event: Value) -> Result<Flow> {
        let step = self.on(name, event)?;
        self.obey(step)
    }

    /// Passes an event to the policy and prints the result.
    fn on(&mut self, name: &str, mut event: Value) -> Result<Step> {
        if let Some(members) = event.as_object_mut() {
            members.insert("event".to_owned(), json!({"type": name, "thread_id": "example"}));
        }
        let reply = self.thread.on(&Event::from_value(event), self.desk)?;
        let Some(effect) = reply.by() else { return Ok(reply.step) };
        let hook = &effect.hook.label;
        if let Outcome::Failed(failure) = &effect.outcome {
            self.desk.say(&format!("  {hook} failed: {}", failure.why));
        }
        let came = match &reply.step {
            Step::NoOpinion | Step::Continue => return Ok(reply.step),
            Step::Retry { after, attempt } => format!("try {attempt} in {} ms", after.as_millis()),
            Step::Fail(_) => "fail".to_owned(),
            Step::Abort => "abort".to_owned(),
            Step::Suspend(suspension) => format!("suspend ({})", suspension.reason),
            Step::Escalate(escalation) => format!("ask ({})", escalation.target),
            Step::Compact { .. } => "compact".to_owned(),
            other => format!("{other:?}"),
        };
        self.desk.say(&format!("  {hook}: {came}"));
        Ok(reply.step)
    }

    /// Executes a step.
    fn obey(&mut self, step: Step) -> Result<Flow> {
        match step {
            // Only failed work is waited for.
            Step::NoOpinion | Step::Continue | Step::Retry { .. } => {}
            Step::Fail(why) => return Ok(Flow::Ended(why)),
            Step::Abort => return Ok(Flow::Ended("it was aborted".to_owned())),
            Step::Suspend(_) => {
                self.park()?;
                self.budget *= 10.0;
                self.thread.resume();
                self.desk.say(&format!("  resumed with a budget of {}", self.budget));
            }
            Step::Escalate(_) => {
                self.park()?;
                self.desk.say("  the user: yes");
                let step = self.thread.answered(true);
                self.thread.succeeded();
                return self.obey(step);
            }
            Step::Compact { summary, prune_before_turn } => self.compact(summary, prune_before_turn),
            other => return Ok(Flow::Ended(format!("this runtime cannot do it: {other:?}"))),
        }
        Ok(Flow::On)
    }

    /// Replaces the turns before the given one by a summary.
    fn compact(&mut self, summary: String, first: Option<i64>) {
        let first = first.and_then(|turn| usize::try_from(turn).ok()).unwrap_or(1);
        let gone = first.saturating_sub(1).min(self.history.len());
        self.history.splice(..gone, [summary]);
        self.tokens /= 4;
    }

    /// Saves the state and restores it as another process would.
    fn park(&mut self) -> Result<()> {
        let saved = self.thread.state().to_json().to_string();
        self.desk.say(&format!("  saved: {saved}"));
        let state = State::from_json(&serde_json::from_str(&saved)?)?;
        self.thread = Thread::restore(self.engine, self.returns, state);
        Ok(())
    }
}

fn engine() -> Result<Engine> {
    let mut sources = Sources::new();
    let source = sources.add("thread.yaml", POLICY);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default().builtin(Builtin::Threads));
    let Some(bytes) = compiled.module else {
        return Err(render::text::render(&compiled.diagnostics, &sources).into());
    };
    Ok(Engine::new(Module::load(bytes)?))
}

/// The whole session, line by line.
///
/// # Errors
/// The policy does not compile, or an event cannot be decided about.
pub(crate) fn session(out: &mut (dyn Write + Send)) -> Result<()> {
    let compactions = vec![
        json!("here is a summary"),
        json!({"compaction": {"summary": "knows the task and the code", "prune_before_turn": 3}}),
    ];
    let desk = Desk { out: Mutex::new(out), compactions: Mutex::new(compactions) };
    let (engine, returns) = (engine()?, Returns::builtin()?);
    let thread = Thread::new(&engine, &returns);
    let (history, spend, budget, tokens) = (Vec::new(), 0.0, 5.0, 0);
    let mut runner =
        Runner { desk: &desk, engine: &engine, returns: &returns, thread, history, spend, budget, tokens };
    let ended = runner.run()?;
    let history = runner.history.join("; ");
    desk.say(&ended.map_or_else(|| "done".to_owned(), |why| format!("ended: {why}")));
    desk.say(&format!("history: {history}"));
    Ok(())
}

fn main() -> Result<()> {
    session(&mut io::stdout())
}
