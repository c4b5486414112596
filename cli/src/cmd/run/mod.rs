//! `hookc run`: one event of an agent in, the agent's exact answer out.
//!
//! The runtime's bridge decides and answers; this module adds the arguments, the file
//! descriptors and the signals. Every failure is answered by the failure mode: denied if the
//! host allows it, or passed, but never silently.

mod background;
mod chosen;
mod lines;
mod policy;
mod record;

use std::fs::OpenOptions;
use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use hookc_runtime::adapter::{self, Adapter, Answer};
use hookc_runtime::bridge::{self, Call, EventQuotes, ExitStatuses, Finished, Invocation};
use hookc_runtime::history::{Durability, HistoryOptions};
use hookc_runtime::log::Origin;
use hookc_runtime::pause::Pause;
use hookc_runtime::probe::{self, Probe};
use hookc_runtime::process;
use hookc_schema::agents::{Agent, before_answer};
use hookc_schema::{Code, suggest, terminal};
use hookc_vm::Module;
use hookc_vm::OnFailure;

use chosen::Chosen;
use lines::Lines;

pub(crate) use background::{Background, handler};
pub(crate) use policy::module;
pub(crate) use record::record;

use crate::args::{FailureMode, Global, Run, Sources};
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::calls;
use crate::installed::version;
use crate::signals::Abort;
use crate::stdio::Incomplete;
use crate::{given, out, signals, state, stdio};

/// How long an answer may take after the handlers were terminated.
const SOON: Duration = Duration::from_millis(500);

pub(crate) fn run(global: &Global, args: &Run) -> Outcome {
    let Some(host) = adapter::by_name(&args.host) else { return Err(unknown(&args.host)) };
    let flags = args.given.any().then(|| given::of_host(&args.given, host));
    let (by_flags, event) = match flags.transpose()? {
        Some((bytes, event)) => (Some(bytes), event),
        None => (None, args.given.event.clone()),
    };
    report_doubts(args, host.agent());
    let chosen = Chosen::new(args)?;
    if args.or_starter.is_some() && chosen::is_called_by_settings(host.agent(), args.project.as_deref()) {
        return Ok(Exit::Done);
    }
    let abort = signals::abort();
    let on_status = |status| abort.set(status);
    let policies = policies(args, &chosen);
    let records_starts = || chosen::records_starts(host.agent(), args.project.as_deref(), &policies);
    let background = Background::new(&args.logging, host.name());
    let invocation = || {
        let mut invocation = with_state(by_options(args, host, &policies), args, &policies);
        invocation.event = event.clone();
        (invocation.host, invocation.records_starts) = (&background, &records_starts);
        invocation
    };
    let (policy, policies) = (Policy { args, chosen: &chosen, global }, &policies);
    if let Some(rpc) = host.agent().protocol.rpc.as_ref().filter(|_| by_flags.is_none()) {
        return Lines { host, rpc, policy, policies, invocation: &invocation }.run();
    }
    let mut invocation = invocation();
    invocation.on_status = &on_status;
    let call = Call::new(invocation);
    let (answered, given) = (AtomicBool::new(false), OnceLock::new());
    Session { policy, policies, host, by_flags, call, answered, given, abort }.run_to_end()
}

/// Warns of an event that the agent does not have, and of a call that a newer `hookc` wrote.
fn report_doubts(args: &Run, agent: &Agent) {
    if let Some(suggestion) = args.given.event.as_deref().and_then(|event| misspelled(agent, event)) {
        out::complain(&format!("hookc: {suggestion}"));
    }
    if let Some(since) = args.since.as_deref().filter(|since| version::is_older(version::OWN, since)) {
        older(since);
    }
}

/// A call with what its options say.
fn by_options<'a>(args: &Run, host: &'static dyn Adapter, policies: &[String]) -> Invocation<'a> {
    let probe = Probe::from_variable(std::env::var_os(probe::VARIABLE));
    let mut invocation = Invocation::new(host);
    invocation.failure_mode = args.on_failure.map(OnFailure::from);
    invocation.questions = args.ask.into();
    invocation.project = args.project.as_deref().and_then(|project| std::path::absolute(project).ok());
    if args.logging.log_payload {
        invocation.event_quotes = EventQuotes::Shown;
    }
    if args.given.any() {
        invocation.origin = Origin::Person;
    }
    if args.since.is_some() {
        invocation.exit_statuses = ExitStatuses::NonzeroDenies;
    }
    invocation.probe = probe.map(|probe| probe.with_policies(policies.to_vec()));
    invocation
}

/// A call with what the user's state directory has for it.
fn with_state<'a>(mut invocation: Invocation<'a>, args: &Run, policies: &[String]) -> Invocation<'a> {
    let Some(state) = state::path(&|name| std::env::var_os(name).map(PathBuf::from)) else {
        return invocation;
    };
    let mut history = HistoryOptions::new(&state.join("history"), &args.host, policies);
    history.mode = args.history.into();
    if args.history_sync {
        history.durability = Durability::Machine;
    }
    invocation.once_directory = Some(state.join("once"));
    invocation.pause = Pause::active(&state, SystemTime::now());
    invocation.repeat_directory = (!args.given.any()).then(|| state.join("repeats"));
    invocation.history = Some(history);
    invocation
}

/// The policies and layers of a call, each by its real path.
fn policies(args: &Run, chosen: &Chosen) -> Vec<String> {
    let layers = args.sources.layers.iter().map(|text| match text.split_once('=') {
        Some((layer, path)) => format!("{layer}={}", calls::name(Path::new(path))),
        None => text.clone(),
    });
    chosen.names().into_iter().chain(layers).collect()
}

impl From<FailureMode> for OnFailure {
    fn from(mode: FailureMode) -> Self {
        match mode {
            FailureMode::Open => Self::Open,
            FailureMode::Closed => Self::Closed,
        }
    }
}

/// Warns once that a newer `hookc` wrote the call.
fn older(since: &str) {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let mark = format!("older-{}-than-{}", version::OWN, since.chars().map(plain).collect::<String>());
    let marked =
        state::folder().map(|folder| OpenOptions::new().write(true).create_new(true).open(folder.join(mark)));
    if marked.is_some_and(|marked| marked.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)) {
        return;
    }
    out::complain(&format!(
        "hookc: this is hookc {}, and hookc {since} wrote the call in the settings: update this one",
        version::OWN
    ));
}

/// Unknown host.
pub(crate) fn unknown(name: &str) -> Failure {
    let known = || adapter::all().map(|adapter| adapter.name());
    let near = hookc_schema::suggest::nearest(name, known());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::usage(format!("unknown host `{name}` (known: {}){near}", known().collect::<Vec<_>>().join(", ")))
}

/// A report of an event that an agent does not have, if it has a similar one. A policy can declare
/// events of any name, so the event is decided.
fn misspelled(agent: &Agent, event: &str) -> Option<String> {
    let names = || agent.events.iter().flat_map(|known| [known.name.as_str(), known.event.as_str()]);
    let near = suggest::nearest_spelling(event, names()).filter(|_| !names().any(|name| name == event))?;
    Some(format!("{} has no event `{event}`; did you mean `{near}`?", agent.label))
}

/// The event, one byte more than the largest at most. A terminal sends none.
fn input(agent: &Agent, event: Option<&str>) -> Result<Vec<u8>, Incomplete> {
    if io::stdin().is_terminal() {
        return Ok(Vec::new());
    }
    stdio::object(hookc_vm::limits::EVENT_BYTES, patience(agent, event))
}

/// How long the event may take to arrive: so long that the answer reaches the agent. If the call does not name the event,
/// it may be the deniable one that the agent waits for least.
fn patience(agent: &Agent, event: Option<&str>) -> Option<Duration> {
    let deniable = || agent.events.iter().filter(|event| agent.capabilities(&event.name).can_deny());
    let wait = match event {
        Some(event) => agent.capabilities(event).wait,
        None => deniable().filter_map(|event| agent.capabilities(&event.name).wait).min(),
    };
    wait.map(before_answer)
}

/// The policy of a call.
#[derive(Clone, Copy)]
struct Policy<'s> {
    args: &'s Run,
    chosen: &'s Chosen,
    global: &'s Global,
}

impl Policy<'_> {
    fn module(&self) -> Result<Module, String> {
        let (sources, redacted) = (&self.args.sources, self.args.logging.redact.clone());
        let hosts = vec![self.args.host.clone()];
        let sources = Sources { hosts, executed: true, redacted, ..sources.clone() };
        let (files, mut texts) = (&self.chosen.files, self.chosen.texts());
        if self.global.verbose > 0 {
            // More would mix with what the host reads.
            let module =
                module(Module::open, files, &mut texts, &sources, |built| built.report(self.global))?;
            return record::no_conflict(&module, &sources.redacted).map(|()| module);
        }
        policy::cached(files, &mut texts, &sources, |built| {
            let is_off = built.compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::W0239);
            if is_off {
                out::complain("hookc: `disableAllHooks` is on in the policy, but its hooks run here");
            }
            is_off
        })
    }
}

struct Session<'s> {
    policy: Policy<'s>,
    /// Its policies and layers, each by its real path.
    policies: &'s [String],
    host: &'static dyn Adapter,
    /// The event of the flags.
    by_flags: Option<Vec<u8>>,
    call: Call<'s>,
    /// Whether the answer is being written.
    answered: AtomicBool,
    /// The exit status of the answer, once it is written.
    given: OnceLock<u8>,
    /// The exit status without any answer.
    abort: &'static Abort,
}

impl Session<'_> {
    /// Answers, and ends the process.
    fn run_to_end(self) -> Outcome {
        let end = |signal, over: &_| self.terminate_handlers(signal, over);
        signals::watched(signals::ENDING, end, || {
            // The answer itself may have failed.
            let done = catch_unwind(AssertUnwindSafe(|| self.run()));
            let status = done.unwrap_or_else(|panic| {
                out::complain(&format!("hookc: {}", self.call.panicked(panic.as_ref())));
                self.status()
            });
            // Here, because the agent has its answer: no failure of what follows, such as the end of a thread, may change
            // the status.
            std::process::exit(status.into())
        })
    }

    fn run(&self) -> u8 {
        let event = match &self.by_flags {
            Some(bytes) => Ok(bytes.clone()),
            None => input(self.host.agent(), self.policy.args.given.event.as_deref()),
        };
        state::report_disabled();
        bridge::record_panics();
        let finished = match event {
            Ok(event) => self.call.run(event, || self.policy.module()),
            Err(incomplete) => self.call.incomplete(&incomplete.bytes, &incomplete),
        };
        if self.answered.swap(true, Ordering::SeqCst) {
            // The other thread answers and ends this process, unless it fails.
            std::thread::sleep(2 * SOON);
            return self.status();
        }
        self.give(&finished)
    }

    /// Terminates the handlers. Their results are then failures, which determine the answer; if
    /// there is no answer soon, because the event never arrived or nothing reads the output, there
    /// was no decision.
    fn terminate_handlers(&self, signal: i32, over: &Receiver<()>) {
        process::terminate_all();
        let late = || over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout);
        if !late() {
            return;
        }
        if !self.answered.swap(true, Ordering::SeqCst) {
            let code = self.give(&self.call.failure_answer(signals::describe(signal)));
            std::process::exit(code.into());
        }
        if late() {
            std::process::exit(self.status().into());
        }
    }

    /// Writes the answer, and then the log, so that a failing log does not delay the answer.
    fn give(&self, finished: &Finished) -> u8 {
        let code = *self.given.get_or_init(|| self.written(&finished.answer));
        self.abort.set(code);
        let log = || {
            record(self.policy.global, &self.policy.args.logging, |write| {
                self.call.log(finished, self.policies.to_vec(), write);
            });
        };
        let _ = catch_unwind(AssertUnwindSafe(log));
        code
    }

    /// Writes the answer. If it cannot be read, the exit status denies or passes, as for any other
    /// failure.
    fn written(&self, answer: &Answer) -> u8 {
        let written = out::answer(&answer.stdout);
        out::message(terminal::escape_block(&answer.stderr).as_bytes());
        let Err(failure) = written else { return answer.code };
        let text = answer.stdout.to_string();
        out::complain(&format!("hookc: the answer could not be written: {failure}\n{}", text.trim()));
        self.call.unread_status()
    }

    /// The exit status of the answer, or the one that replaces it.
    fn status(&self) -> u8 {
        self.given.get().copied().unwrap_or_else(|| self.call.unread_status())
    }
}
