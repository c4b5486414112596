//! `hookc run`: one event of a host in, the host's exact answer out.
//!
//! Every failure, such as a policy that does not compile, an invalid event or a panic, is answered
//! by the chosen failure mode: denied if the host allows it, or passed, but never silently.

mod background;
mod policy;
mod record;
pub(crate) mod state;
pub(crate) mod within;

use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hookc_runtime::adapter::{self, Adapter, Answer, Incoming};
use hookc_runtime::log::{Caller, Entry};
use hookc_runtime::outcome::PendingAction;
use hookc_runtime::verdict::Permission;
use hookc_runtime::{Engine, Event, EventOutcome, OnceStore, Verdict, process};
use hookc_schema::{Code, terminal};
use hookc_vm::event::EventError;
use hookc_vm::module::OnFailure;
use hookc_vm::{DecideError, DecideOptions, Family};

pub(crate) use background::{Process, handler};
pub(crate) use policy::module;
pub(crate) use record::record;

use crate::args::{FailureMode, Global, Run, Sources};
use crate::cmd::status::calls::name;
use crate::exit::{Exit, Failure, Outcome};
use crate::load::Built;
use crate::signals::Abort;
use crate::{files, given, out, signals};

/// How long an answer may take after the handlers were terminated.
const SOON: Duration = Duration::from_millis(500);

pub(crate) fn run(global: &Global, args: &Run) -> Outcome {
    let Some(host) = adapter::of(&args.host) else { return Err(unknown(&args.host)) };
    let (incoming, answered) = (OnceLock::new(), AtomicBool::new(false));
    let flags = args.given.any().then(|| given::of_host(&args.given, args.event.as_deref(), host));
    let by_flags = flags.transpose()?;
    let (start, given, abort) = (Instant::now(), OnceLock::new(), signals::abort());
    let session = Session { host, args, global, start, by_flags, incoming, answered, given, abort };
    session.abort.set(session.unread());
    let end = |signal, over: &_| session.told_to_end(signal, over);
    signals::watched(signals::ENDING, end, || {
        // The answer itself may have failed.
        let done = catch_unwind(AssertUnwindSafe(|| session.run()));
        Ok(Exit::Host(done.unwrap_or_else(|panic| {
            let trouble = panicked(panic.as_ref());
            out::complain(&format!("hookc: {}", trouble.said(session.args.logging.log_payload)));
            session.given.get().copied().unwrap_or_else(|| session.unread())
        })))
    })
}

/// Why there is no decision.
struct Trouble {
    why: String,
    /// Without the content of the event, if `why` may contain it.
    bare: Option<String>,
    /// It denies, whatever the user chooses.
    refuses: bool,
}

impl Trouble {
    fn quoting(why: impl ToString, bare: impl Into<String>) -> Self {
        Self { bare: Some(bare.into()), ..why.to_string().into() }
    }

    /// The message: the event's own text only together with its payload.
    fn said(&self, payload: bool) -> &str {
        self.bare.as_deref().filter(|_| !payload).unwrap_or(&self.why)
    }
}

impl From<hookc_runtime::event::EventError> for Trouble {
    fn from(error: hookc_runtime::event::EventError) -> Self {
        match &error {
            hookc_runtime::event::EventError::Quoting { why, bare } => Self::quoting(why, bare.as_str()),
            _ => error.to_string().into(),
        }
    }
}

impl From<DecideError> for Trouble {
    fn from(error: DecideError) -> Self {
        match &error {
            // The path may continue inside a value that a condition uses as a whole.
            DecideError::Event(EventError::Duplicate(_)) => {
                Self::quoting(&error, "the event has a duplicate key on a path that the policy reads")
            }
            _ => error.to_string().into(),
        }
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self { why, bare: None, refuses: false }
    }
}

/// Unknown host.
pub(crate) fn unknown(name: &str) -> Failure {
    let known = || adapter::ALL.iter().map(|adapter| adapter.name());
    let near = hookc_schema::suggest::nearest(name, known());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::usage(format!("unknown host `{name}` (known: {}){near}", known().collect::<Vec<_>>().join(", ")))
}

/// The event, one byte more than the largest at most. A terminal sends none.
fn input() -> io::Result<Vec<u8>> {
    if io::stdin().is_terminal() {
        return Ok(Vec::new());
    }
    files::stdin(u64::try_from(hookc_vm::limits::EVENT_BYTES).unwrap_or(u64::MAX).saturating_add(1))
}

/// The location of the last panic.
static PANICKED: Mutex<String> = Mutex::new(String::new());

/// Stores panics for [`panicked`] instead of printing a back trace.
fn keep_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!("{}:{}", place.file(), place.line()));
        *PANICKED.lock().unwrap_or_else(PoisonError::into_inner) = place.unwrap_or_default();
    }));
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Trouble {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    // Panics quote their values.
    let place = PANICKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Trouble::quoting(format!("internal error at {place}: {text}"), format!("internal error at {place}"))
}

struct Session<'s> {
    host: &'static dyn Adapter,
    args: &'s Run,
    global: &'s Global,
    start: Instant,
    /// The event of the flags, and the host's name of it.
    by_flags: Option<(Vec<u8>, Option<String>)>,
    /// The event, once it is read.
    incoming: OnceLock<Incoming>,
    /// Whether the answer is being written.
    answered: AtomicBool,
    /// The exit status of the answer, once it is written.
    given: OnceLock<u8>,
    /// The exit status without any answer.
    abort: &'static Abort,
}

impl Session<'_> {
    fn run(&self) -> u8 {
        let bytes = match &self.by_flags {
            Some((bytes, _)) => Ok(bytes.clone()),
            None => input().map_err(|error| Trouble::from(format!("the event cannot be read: {error}"))),
        };
        if super::eval::off() {
            return 0;
        }
        keep_panics();
        let decided = bytes.and_then(|bytes| self.read(bytes)).and_then(|incoming| {
            catch_unwind(AssertUnwindSafe(|| self.answer(incoming)))
                .unwrap_or_else(|panic| Err(panicked(panic.as_ref())))
        });
        if self.answered.swap(true, Ordering::SeqCst) {
            // The other thread has answered, and ends this process.
            loop {
                std::thread::park();
            }
        }
        self.give(decided)
    }

    /// Terminates the handlers. Their results are then failures, which determine the answer; if
    /// there is no answer soon, because the event never arrived or nothing reads the output, there
    /// was no decision.
    fn told_to_end(&self, signal: i32, over: &Receiver<()>) {
        process::end_all();
        let late = || over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout);
        if !late() {
            return;
        }
        if hookc_runtime::engine::disabled() {
            std::process::exit(0);
        }
        if !self.answered.swap(true, Ordering::SeqCst) {
            let code = self.give(Err(signals::told(signal).into()));
            std::process::exit(code.into());
        }
        if late() {
            let code = self.given.get().copied().unwrap_or_else(|| self.unread());
            std::process::exit(code.into());
        }
    }

    fn read(&self, bytes: Vec<u8>) -> Result<&Incoming, Trouble> {
        let name = match &self.by_flags {
            Some((_, name)) => name.as_deref(),
            None => self.args.event.as_deref(),
        };
        let read = catch_unwind(AssertUnwindSafe(|| self.host.read(bytes, name)));
        let read = read.map_err(|panic| panicked(panic.as_ref()))?;
        let incoming = read?;
        let incoming = self.incoming.get_or_init(|| incoming);
        self.abort.set(self.unread());
        Ok(incoming)
    }

    /// The answer, and what came of each of its events.
    fn answer(&self, incoming: &Incoming) -> Result<(Answer, Vec<EventOutcome>), Trouble> {
        // More would mix with what the host reads.
        let tell = |built: &Built| {
            if self.global.verbose > 0 {
                built.tell(self.global);
            }
            if built.compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::W0239) {
                let told = "`disableAllHooks` is on in the policy, but its hooks run here";
                out::complain(&format!("hookc: {told}"));
            }
        };
        let sources = &self.args.sources;
        let sources = Sources { hosts: vec![self.args.host.clone()], executed: true, ..sources.clone() };
        let module = module(&self.args.files, &sources, tell)?;
        if let Some(why) = adapter::misnamed(&module, self.host) {
            return Err(why.into());
        }
        let within = within::enter(module.hash(), incoming.event.bytes());
        // The setter of the variable must not choose the failure mode.
        let within = within.map_err(|why| Trouble { refuses: true, ..why.into() })?;
        let own = |family: Family| module.events().any(|e| e.family == family && e.name == incoming.name);
        let family = own(Family::Agent).then_some(Family::Agent);
        let ask = DecideOptions { event: Some(&incoming.name), family, ..DecideOptions::default() };
        let polarity = self.args.on_failure.map(|falls| match falls {
            FailureMode::Open => OnFailure::Open,
            FailureMode::Closed => OnFailure::Closed,
        });
        let engine = Engine::new(module)
            .default_failure_mode(polarity)
            .once_store(if incoming.others.is_empty() { once() } else { once().deferred() });
        let process = Process { answers: Some(incoming.answers), within };
        let handle = |event| engine.handle(event, &ask, &process).map_err(Trouble::from);
        let mut each = Vec::new();
        for event in incoming.events() {
            let handled = handle(event)?;
            let refused = handled.verdict().0.permission == Some(Permission::Deny);
            each.push(handled);
            // The other files of a patch change nothing any more, and take time.
            if refused {
                break;
            }
        }
        let all = each.iter().cloned().reduce(|mut all, one| {
            all.add(one);
            all
        });
        let verdict = all.as_ref().map(verdict).unwrap_or_default();
        Ok((self.host.answer(incoming, &verdict), each))
    }

    /// Writes the answer, and then the log, so that a failing log does not delay the answer.
    fn give(&self, decided: Result<(Answer, Vec<EventOutcome>), Trouble>) -> u8 {
        let (answer, each) = match decided {
            Ok((answer, each)) => (answer, Ok(each)),
            Err(trouble) => (self.failed(&trouble), Err(trouble)),
        };
        let code = *self.given.get_or_init(|| self.written(&answer));
        self.abort.set(code);
        let _ = catch_unwind(AssertUnwindSafe(|| self.log(each)));
        code
    }

    /// A line for each event.
    fn log(&self, each: Result<Vec<EventOutcome>, Trouble>) {
        let took = self.start.elapsed();
        let (none, incoming) = (Event::new("null"), self.incoming.get());
        let caller = self.caller(incoming);
        let entry =
            |event, result| Entry { host: self.host.name(), event, result, took, caller: Some(&caller) };
        match (each, incoming) {
            (Ok(each), Some(incoming)) => {
                let entries: Vec<_> =
                    incoming.events().zip(&each).map(|(event, handled)| entry(event, Ok(handled))).collect();
                record(self.global, &self.args.logging, &entries);
            }
            (Ok(_), None) => {}
            (Err(trouble), incoming) => {
                let event = incoming.map_or(&none, |incoming| &incoming.event);
                let entry = entry(event, Err(trouble.said(self.args.logging.log_payload)));
                record(self.global, &self.args.logging, &[entry]);
            }
        }
    }

    /// Which call in the agent's settings this is.
    fn caller(&self, incoming: Option<&Incoming>) -> Caller {
        let named = incoming.and_then(|incoming| incoming.event.text("host_event_name"));
        // The agent's own name, not a text that only looks like one.
        let event = self.host.renamed().iter().find(|(own, _)| Some(*own) == named.as_deref());
        let policies = self.args.files.iter().map(|path| name(path));
        let layers = self.args.sources.layers.iter().map(|text| match text.split_once('=') {
            Some((layer, path)) => format!("{layer}={}", name(Path::new(path))),
            None => text.clone(),
        });
        Caller { policies: policies.chain(layers).collect(), event: event.map(|(own, _)| (*own).to_owned()) }
    }

    /// No decision was possible.
    fn failed(&self, trouble: &Trouble) -> Answer {
        let reason = format!("hookc: {}", trouble.said(self.args.logging.log_payload));
        match self.args.on_failure.filter(|_| !trouble.refuses) {
            Some(FailureMode::Open) => self.host.pass(self.incoming.get(), &reason),
            Some(FailureMode::Closed) | None => self.host.refuse(self.incoming.get(), &reason),
        }
    }

    /// Writes the answer. If it cannot be read, the exit status denies or passes, as for any other
    /// failure.
    fn written(&self, answer: &Answer) -> u8 {
        let written = out::answer(&answer.stdout);
        out::message(terminal::escape_block(&answer.stderr).as_bytes());
        let Err(failure) = written else { return answer.code };
        let text = answer.stdout.to_string();
        out::complain(&format!("hookc: the answer could not be written: {failure}\n{}", text.trim()));
        self.unread()
    }

    /// The exit status that replaces an unreadable answer.
    fn unread(&self) -> u8 {
        let incoming = self.incoming.get();
        match self.args.on_failure {
            Some(FailureMode::Open) => self.host.pass(incoming, "").code,
            Some(FailureMode::Closed) | None if self.stops_again() => self.host.pass(incoming, "").code,
            Some(FailureMode::Closed) | None => 2,
        }
    }

    /// An agent that was already prevented from stopping may stop.
    fn stops_again(&self) -> bool {
        self.incoming.get().is_some_and(|incoming| incoming.event.stops_again(&incoming.name))
    }
}

fn once() -> OnceStore {
    state::folder().map(|folder| OnceStore::in_folder(folder.join("once"))).unwrap_or_default()
}

/// The combined result of all hooks, with further messages for the user: matching hooks of `mode:
/// warn`, and disagreements between hooks.
fn verdict(handled: &EventOutcome) -> Verdict {
    let (mut verdict, conflicts) = handled.verdict();
    verdict.messages.extend(handled.reported.iter().filter_map(PendingAction::warning));
    verdict.messages.extend(conflicts);
    verdict
}
