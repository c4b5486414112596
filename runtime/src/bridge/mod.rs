//! The bridge between a coding agent and a policy: an event's bytes in, the bytes and the
//! exit status that the agent reads out. `hookc run` is this with a command line.
//!
//! Whatever goes wrong, a policy that does not compile, an invalid event, a panic, is
//! answered by the failure mode: the event is denied where the agent lets it be denied,
//! or it passes, but never in silence.
//!
//! ```
//! use hookc_runtime::bridge::{self, Invocation};
//! use hookc_vm::Module;
//!
//! # #[cfg(feature = "compiler")] {
//! # use hookc_compiler::{Input, Options, compile};
//! # let mut sources = hookc_schema::Sources::new();
//! # let policy = "hooks: [{event: PreToolUse, action: {type: deny, reason: not now}}]";
//! # let source = sources.add("hooks.yaml", policy);
//! # let input = Input::new(source);
//! # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
//! let claude = hookc_runtime::adapter::of("claude").unwrap();
//! let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#;
//! let module = || Module::load(bytes).map_err(|error| error.to_string());
//! let answer = bridge::run(Invocation::new(claude), event.to_vec(), module);
//! assert!(answer.stdout.to_string().contains("not now"));
//! # }
//! ```

mod nested;
mod trouble;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use hookc_base::{Family, OnFailure};
use hookc_vm::{DecideOptions, Module};

pub use nested::{NestedHost, NestingError};
pub use trouble::record_panics;

use crate::adapter::{self, Adapter, Answer, Incoming};
use crate::engine::{self, Engine};
use crate::event::Event;
use crate::host::{Host, NoopHost};
use crate::log::{Caller, Entry};
use crate::once::OnceStore;
use crate::outcome::{EventOutcome, PendingAction};
use crate::verdict::{Permission, Verdict};
use trouble::Trouble;

/// A call of an agent, and how it is answered.
#[derive(Clone)]
pub struct Invocation<'a> {
    agent: &'static dyn Adapter,
    event: Option<String>,
    failure_mode: Option<OnFailure>,
    host: &'a dyn Host,
    once: Option<PathBuf>,
    quotes: bool,
    on_status: &'a (dyn Fn(u8) + Sync),
}

impl fmt::Debug for Invocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, failure_mode, .. } = self;
        f.debug_struct("Invocation")
            .field("agent", &self.agent.name())
            .field("event", event)
            .field("failure_mode", failure_mode)
            .finish_non_exhaustive()
    }
}

impl<'a> Invocation<'a> {
    /// A call of this agent. Its handlers run, and no embedder helps them.
    #[must_use]
    pub fn new(agent: &'static dyn Adapter) -> Self {
        Self {
            agent,
            event: None,
            failure_mode: None,
            host: &NoopHost,
            once: None,
            quotes: false,
            on_status: &|_| {},
        }
    }

    /// The agent's name of the event, for agents that do not send it.
    #[must_use]
    pub fn with_event(self, event: Option<String>) -> Self {
        Self { event, ..self }
    }

    /// What happens when nothing can be decided, and when a hook without a failure mode
    /// fails. Without one, each failure has its own default.
    #[must_use]
    pub fn with_failure_mode(self, failure_mode: Option<OnFailure>) -> Self {
        Self { failure_mode, ..self }
    }

    /// The embedder.
    #[must_use]
    pub fn with_host(self, host: &'a dyn Host) -> Self {
        Self { host, ..self }
    }

    /// The directory in which it is kept which handlers ran in a session.
    #[must_use]
    pub fn with_once_directory(self, once: Option<PathBuf>) -> Self {
        Self { once, ..self }
    }

    /// Whether reports may quote the event.
    #[must_use]
    pub fn quoting(self, quotes: bool) -> Self {
        Self { quotes, ..self }
    }

    /// Hears of the exit status that stands for an answer which nobody reads, whenever it
    /// changes: before the handlers run, and when the answer is known.
    #[must_use]
    pub fn on_status(self, on_status: &'a (dyn Fn(u8) + Sync)) -> Self {
        Self { on_status, ..self }
    }
}

/// What a call came to.
#[derive(Debug)]
pub struct Finished {
    /// The answer.
    pub answer: Answer,
    result: Result<Vec<EventOutcome>, Trouble>,
}

impl Finished {
    /// What each event of the call led to; none if nothing could be decided.
    #[must_use]
    pub fn outcomes(&self) -> &[EventOutcome] {
        self.result.as_deref().unwrap_or_default()
    }
}

/// Answers a call of an agent. Never panics. `HOOKC_DISABLE=1` in the environment turns
/// all hooks off.
#[must_use]
pub fn run(
    invocation: Invocation<'_>,
    event: Vec<u8>,
    module: impl FnOnce() -> Result<Module, String>,
) -> Answer {
    Call::new(invocation).run(Ok(event), module).answer
}

/// A call that is being answered. Several threads may share it: one runs, and another
/// one may give up on it ([`Call::give_up`]).
#[derive(Debug)]
pub struct Call<'a> {
    invocation: Invocation<'a>,
    start: Instant,
    /// The event, once it is read.
    incoming: OnceLock<Incoming>,
}

impl<'a> Call<'a> {
    /// A call that begins now.
    #[must_use]
    pub fn new(invocation: Invocation<'a>) -> Self {
        let new = Self { invocation, start: Instant::now(), incoming: OnceLock::new() };
        new.report_status(new.unread_status());
        new
    }

    /// Decides, executes and answers; never panics. `event` is why the event could not be
    /// read, if it could not.
    pub fn run(
        &self,
        event: Result<Vec<u8>, String>,
        module: impl FnOnce() -> Result<Module, String>,
    ) -> Finished {
        if engine::disabled() {
            return Finished { answer: Answer::silent(), result: Ok(Vec::new()) };
        }
        let stages = || {
            let incoming = self.read(event?)?;
            self.decide(incoming, module()?)
        };
        let done = catch_unwind(AssertUnwindSafe(stages));
        match done.unwrap_or_else(|panic| Err(Trouble::of_panic(panic.as_ref()))) {
            Ok((answer, outcomes)) => Finished { answer, result: Ok(outcomes) },
            Err(trouble) => self.undecided(trouble),
        }
    }

    /// The answer if nothing can be decided, for this reason.
    pub fn give_up(&self, why: impl Into<String>) -> Finished {
        self.undecided(why.into().into())
    }

    /// What is reported of a panic outside of [`Call::run`].
    pub fn panicked(&self, panic: &(dyn std::any::Any + Send)) -> String {
        Trouble::of_panic(panic).text(self.invocation.quotes).to_owned()
    }

    /// The exit status that replaces an unreadable answer.
    #[must_use]
    pub fn unread_status(&self) -> u8 {
        let incoming = self.incoming.get();
        // An agent that was kept from stopping already may stop.
        let again = || incoming.is_some_and(|incoming| incoming.event.stops_again(&incoming.name));
        match self.invocation.failure_mode {
            Some(OnFailure::Open) => self.invocation.agent.pass(incoming, "").code,
            Some(OnFailure::Closed) | None if again() => self.invocation.agent.pass(incoming, "").code,
            Some(OnFailure::Closed) | None => 2,
        }
    }

    /// Hands what is to be logged to `write`, a line for each event; `policies` are those
    /// of the call, as [`Caller::policies`] has them.
    pub fn log(&self, finished: &Finished, policies: Vec<String>, write: impl FnOnce(&[Entry<'_>])) {
        let took = self.start.elapsed();
        let (none, incoming) = (Event::new("null"), self.incoming.get());
        let caller = self.caller(incoming, policies);
        let host = self.invocation.agent.name();
        let entry = |event, result| Entry::new(host, event, result, took).with_caller(&caller);
        match (&finished.result, incoming) {
            (Ok(outcomes), Some(incoming)) => {
                let each = incoming.events().zip(outcomes);
                write(&each.map(|(event, outcome)| entry(event, Ok(outcome))).collect::<Vec<_>>());
            }
            (Ok(_), None) => {}
            (Err(trouble), incoming) => {
                let event = incoming.map_or(&none, |incoming| &incoming.event);
                write(&[entry(event, Err(trouble.text(self.invocation.quotes)))]);
            }
        }
    }

    fn report_status(&self, status: u8) {
        (self.invocation.on_status)(status);
    }

    fn read(&self, bytes: Vec<u8>) -> Result<&Incoming, Trouble> {
        let incoming = self.invocation.agent.read(bytes, self.invocation.event.as_deref())?;
        let incoming = self.incoming.get_or_init(|| incoming);
        self.report_status(self.unread_status());
        Ok(incoming)
    }

    /// The answer, and what each of its events led to.
    fn decide(&self, incoming: &Incoming, module: Module) -> Result<(Answer, Vec<EventOutcome>), Trouble> {
        let Invocation { agent, host, .. } = self.invocation;
        if let Some(why) = adapter::misnamed(&module, agent) {
            return Err(why.into());
        }
        let host = NestedHost::enter(host, module.hash(), incoming.event.bytes())?
            .with_capabilities(incoming.capabilities);
        let known = |family: Family| module.events().any(|e| e.family == family && e.name == incoming.name);
        let family = known(Family::Agent).then_some(Family::Agent);
        let options = DecideOptions::default().event(incoming.name.as_str()).family(family);
        let once = self.invocation.once.clone().map(OnceStore::in_folder).unwrap_or_default();
        let engine = Engine::new(module)
            .default_failure_mode(self.invocation.failure_mode)
            .once_store(if incoming.others.is_empty() { once } else { once.deferred() });
        let mut each = Vec::new();
        for event in incoming.events() {
            let outcome = engine.handle(event, &options, &host)?;
            // The other files of a patch change nothing any more, and take time.
            let denied = || outcome.verdict().0.permission == Some(Permission::Deny);
            let over = !incoming.others.is_empty() && denied();
            each.push(outcome);
            if over {
                break;
            }
        }
        let verdict = match each.as_slice() {
            [one] => reported_verdict(one),
            several => {
                several.iter().cloned().reduce(joined).as_ref().map(reported_verdict).unwrap_or_default()
            }
        };
        Ok((agent.answer(incoming, &verdict), each))
    }

    fn undecided(&self, trouble: Trouble) -> Finished {
        let reason = format!("hookc: {}", trouble.text(self.invocation.quotes));
        let (agent, incoming) = (self.invocation.agent, self.incoming.get());
        let answer = match self.invocation.failure_mode.filter(|_| !trouble.denies) {
            Some(OnFailure::Open) => agent.pass(incoming, &reason),
            Some(OnFailure::Closed) | None => agent.refuse(incoming, &reason),
        };
        Finished { answer, result: Err(trouble) }
    }

    /// Which call in the agent's settings this is.
    fn caller(&self, incoming: Option<&Incoming>, policies: Vec<String>) -> Caller {
        let named = incoming.and_then(|incoming| incoming.event.text("host_event_name"));
        // The agent's own name, not a text that only looks like one.
        let event = self
            .invocation
            .agent
            .agent()
            .renamed()
            .find(|event| Some(event.name.as_str()) == named.as_deref());
        Caller { policies, event: event.map(|event| event.name.clone()) }
    }
}

/// The outcome of two events of one call as one.
fn joined(mut first: EventOutcome, second: EventOutcome) -> EventOutcome {
    first.add(second);
    first
}

/// The verdict of all hooks, with what is reported to the user beside: hooks of `mode:
/// warn` that matched, and what the hooks disagree about.
fn reported_verdict(outcome: &EventOutcome) -> Verdict {
    let (mut verdict, conflicts) = outcome.verdict();
    verdict.messages.extend(outcome.reported.iter().filter_map(PendingAction::warning));
    verdict.messages.extend(conflicts);
    verdict
}
