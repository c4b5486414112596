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
//! let claude = hookc_runtime::adapter::by_name("claude").unwrap();
//! let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#;
//! let answer = bridge::run(Invocation::new(claude), event.to_vec(), || Module::load(bytes));
//! assert!(answer.stdout.to_string().contains("not now"));
//! # }
//! ```

mod history;
mod invocation;
mod nested;
mod trouble;

use std::error::Error;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Instant;

use hookc_base::action::Action;
use hookc_base::text::with_causes;
use hookc_base::{Family, OnFailure};
use hookc_vm::{DecideError, DecideOptions, Module};

pub use invocation::{EventQuotes, ExitStatuses, Invocation, Questions};
pub use nested::{NestedHost, NestingError};
pub use trouble::record_panics;

use crate::adapter::{self, Answer, Incoming, ProjectContext, Sender, Unexpected};
use crate::engine::{self, Decided, Engine};
use crate::event::Event;
use crate::history::views;
use crate::log::{Caller, Entry, Origin, rfc3339};
use crate::once::OnceStore;
use crate::outcome::{ActionFailure, Effect, EventOutcome, Outcome, PendingAction};
use crate::pause::Pause;
use crate::repeat::Turn;
use crate::verdict::{Permission, Verdict};
use trouble::Trouble;

/// Why there is no policy: any error, or a text.
pub type Cause = Box<dyn Error + Send + Sync>;

/// The result of a call.
#[derive(Debug)]
pub struct Finished {
    /// The answer.
    pub answer: Answer,
    result: Result<Vec<EventOutcome>, Trouble>,
    /// Whether it passed undecided because of `hookc pause`.
    is_paused: bool,
}

impl Finished {
    /// What each event of the call led to; none if nothing could be decided. If there were
    /// several, long texts are cut off, and reported hooks have an action at the first alone.
    #[must_use]
    pub fn outcomes(&self) -> &[EventOutcome] {
        self.result.as_deref().unwrap_or_default()
    }
}

/// Answers a call of an agent. Never panics. `HOOKC_DISABLE=1` in the environment turns
/// all hooks off.
#[must_use]
pub fn run<E: Into<Cause>>(
    invocation: Invocation<'_>,
    event: Vec<u8>,
    module: impl FnOnce() -> Result<Module, E>,
) -> Answer {
    Call::new(invocation).run(event, module).answer
}

/// A call that is being answered. Several threads may share it: one runs, and another
/// one may give up on it ([`Call::failure_answer`]).
#[derive(Debug)]
pub struct Call<'a> {
    invocation: Invocation<'a>,
    start: Instant,
    /// The beginning of what the agent sent.
    sent: OnceLock<Vec<u8>>,
    /// The agent that sent it, once it is read.
    sender: OnceLock<Sender>,
    /// The event, once it is read.
    incoming: OnceLock<RwLock<Incoming>>,
}

/// How much of an event is kept until it is read: its name is near its start.
const HEAD: usize = 4096;

impl<'a> Call<'a> {
    /// A call that begins now.
    #[must_use]
    pub fn new(invocation: Invocation<'a>) -> Self {
        let (sent, sender, incoming) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let new = Self { invocation, start: Instant::now(), sent, sender, incoming };
        new.report_status(new.unread_status());
        new
    }

    /// Decides, executes and answers; never panics. `module` has the reason if there is no policy.
    pub fn run<E: Into<Cause>>(
        &self,
        event: Vec<u8>,
        module: impl FnOnce() -> Result<Module, E>,
    ) -> Finished {
        if let Some(answered) = self.disabled() {
            return answered;
        }
        if let Some(pause) = &self.invocation.pause {
            return self.paused(pause, event);
        }
        let stages = || {
            let incoming = self.read(event)?;
            let module = module().map_err(|error| with_causes(error.into().as_ref()))?;
            self.decide(incoming, module)
        };
        let done = catch_unwind(AssertUnwindSafe(stages));
        let done = done.unwrap_or_else(|panic| Err(Trouble::of_panic(panic.as_ref())));
        self.note_probe(done.as_ref().err());
        match done {
            Ok((answer, outcomes)) => Finished { answer, result: Ok(outcomes), is_paused: false },
            Err(trouble) => self.undecided(trouble),
        }
    }

    /// The answer if all hooks are disabled: no opinion.
    fn disabled(&self) -> Option<Finished> {
        let answer = || self.sender().adapter.without_opinion(self.invocation.event.as_deref());
        engine::disabled().then(|| Finished { answer: answer(), result: Ok(Vec::new()), is_paused: false })
    }

    /// The answer in a window of `hookc pause`: no opinion.
    fn paused(&self, pause: &Pause, event: Vec<u8>) -> Finished {
        let read = catch_unwind(AssertUnwindSafe(|| self.read(event).map(|_| ())));
        if let Some(probe) = &self.invocation.probe {
            let failure = format!("every guard is paused until {}", rfc3339(pause.until()));
            probe.note(Some(&failure), self.incoming().as_deref());
        }
        let name = self.incoming().map(|incoming| incoming.native.clone());
        let name = name.as_deref().or(self.invocation.event.as_deref());
        let answer = self.sender().adapter.without_opinion(name);
        let result = match read {
            Ok(Err(trouble)) => Err(trouble),
            _ => Ok(Vec::new()),
        };
        Finished { answer, result, is_paused: true }
    }

    /// Notes for `hookc probe` that its question arrived, or why it could not be decided about.
    fn note_probe(&self, trouble: Option<&Trouble>) {
        let Some(probe) = &self.invocation.probe else { return };
        let incoming = self.incoming().filter(|incoming| probe.is_event(&incoming.event));
        if trouble.is_some() || incoming.is_some() {
            probe.note(trouble.map(|trouble| trouble.text(EventQuotes::Shown)), incoming.as_deref());
        }
    }

    /// The answer to an event that could not be read beyond `bytes`.
    pub fn incomplete(&self, bytes: &[u8], why: impl Display) -> Finished {
        self.keep_head(bytes);
        if let Some(answered) = self.disabled() {
            return answered;
        }
        if let Some(pause) = &self.invocation.pause {
            return self.paused(pause, bytes.to_vec());
        }
        self.failure_answer(format!("the event cannot be read: {why}"))
    }

    /// The answer if nothing can be decided, for this reason.
    pub fn failure_answer(&self, why: impl Into<String>) -> Finished {
        self.disabled().unwrap_or_else(|| self.undecided(why.into().into()))
    }

    /// What is reported of a panic outside of [`Call::run`].
    pub fn panicked(&self, panic: &(dyn std::any::Any + Send)) -> String {
        Trouble::of_panic(panic).text(self.invocation.event_quotes).to_owned()
    }

    /// The exit status that replaces an unreadable answer.
    #[must_use]
    pub fn unread_status(&self) -> u8 {
        if engine::disabled() {
            return 0;
        }
        let incoming = self.incoming();
        let incoming = incoming.as_deref();
        // An agent that was kept from stopping already may stop.
        let again = || incoming.is_some_and(|incoming| incoming.event.stops_again(&incoming.name));
        match self.invocation.failure_mode {
            Some(OnFailure::Open) => self.pass(incoming, "").code,
            Some(OnFailure::Closed) | None if again() => self.sender().adapter.pass(incoming, "").code,
            Some(OnFailure::Closed) | None => 2,
        }
    }

    /// Hands what is to be logged to `write`, one entry for each event; `policies` are those
    /// of the call, as [`Caller::policies`] has them.
    pub fn log(&self, finished: &Finished, policies: Vec<String>, mut write: impl FnMut(&Entry<'_>)) {
        let took = self.start.elapsed();
        let caller = self.caller(self.incoming().as_deref(), policies);
        let host = self.sender().adapter.name();
        let mut entry = |event: &Event, result| {
            write(&Entry::new(host, event, result, took).with_caller(&caller));
        };
        match (&finished.result, self.incoming.get()) {
            (_, incoming) if finished.is_paused => {
                let none = Event::new("null");
                let read = incoming.map(view);
                let event = read.as_ref().map_or(&none, |incoming| &incoming.event);
                write(&Entry::of_pause(host, event, took).with_caller(&caller));
            }
            (Ok(outcomes), Some(incoming)) => {
                for (at, outcome) in outcomes.iter().enumerate() {
                    lock(incoming).select(at);
                    entry(&view(incoming).event, Ok(outcome));
                }
            }
            (Ok(_), None) => {}
            (Err(trouble), Some(incoming)) => {
                lock(incoming).select(0);
                entry(&view(incoming).event, Err(trouble.text(self.invocation.event_quotes)));
            }
            (Err(trouble), None) => {
                entry(&Event::new("null"), Err(trouble.text(self.invocation.event_quotes)));
            }
        }
    }

    /// The agent that sent the event; until it is read, the one that the call names.
    fn sender(&self) -> Sender {
        self.sender.get().copied().unwrap_or_else(|| Sender::named(self.invocation.agent))
    }

    fn incoming(&self) -> Option<RwLockReadGuard<'_, Incoming>> {
        self.incoming.get().map(view)
    }

    fn report_status(&self, status: u8) {
        (self.invocation.on_status)(status);
    }

    fn keep_head(&self, bytes: &[u8]) {
        self.sent.get_or_init(|| bytes.get(..HEAD).unwrap_or(bytes).to_vec());
    }

    fn read(&self, bytes: Vec<u8>) -> Result<&RwLock<Incoming>, Trouble> {
        self.keep_head(&bytes);
        let event = self.invocation.event.as_deref();
        // An event from flags belongs to the named agent.
        let (sender, event) = match self.invocation.origin {
            Origin::Person => (Sender::named(self.invocation.agent), event.map(str::to_owned)),
            Origin::Agent => Sender::recognize(self.invocation.agent, &bytes, event),
        };
        let sender = self.sender.get_or_init(|| sender);
        let incoming = sender.adapter.read(bytes, event.as_deref())?;
        let incoming = self.incoming.get_or_init(|| RwLock::new(incoming));
        self.report_status(self.unread_status());
        Ok(incoming)
    }

    /// The answer, and what each of its events led to.
    fn decide(
        &self,
        event: &RwLock<Incoming>,
        module: Module,
    ) -> Result<(Answer, Vec<EventOutcome>), Trouble> {
        let variable = |name: &str| std::env::var(name).ok();
        let context = ProjectContext { variable: &variable, recorded: self.invocation.project.as_deref() };
        add_members(event, &module, &context);
        let incoming = view(event);
        let warning = self.check_expected(&module, &incoming)?;
        if let Some(probe) = self.invocation.probe.as_ref().filter(|probe| probe.is_event(&incoming.event)) {
            return Ok((probe.answer(self.sender(), &incoming), Vec::new()));
        }
        if incoming.continues_turn() {
            let answer = self.sender().adapter.without_opinion(Some(&incoming.native));
            return Ok((answer, Vec::new()));
        }
        let sender = self.sender().adapter.agent();
        let project = |event: &Event| context.root(sender, event);
        let host = NestedHost::enter(self.invocation.host, module.hash(), incoming.event.bytes())?
            .with_capabilities(incoming.capabilities)
            .with_project(&project);
        drop(incoming);
        let (outcomes, verdict) = self.execute_all(event, module, &host)?;
        let answer = self.sender().answer(&view(event), &verdict);
        Ok((warning.into_iter().fold(answer, |answer, warning| answer.with_messages(&[warning])), outcomes))
    }

    /// Rejects an event that the module does not expect of this agent. A warning about one that is new there.
    fn check_expected(&self, module: &Module, incoming: &Incoming) -> Result<Option<String>, Trouble> {
        let agent = self.sender().adapter;
        if let Some(why) = adapter::misnamed(module, agent) {
            return Err(why.to_string().into());
        }
        match adapter::unexpected(module, agent, incoming) {
            Some(Unexpected::Foreign { meant, why }) => Err(Trouble::foreign(why, meant)),
            Some(Unexpected::Member(why)) => Err(why.into()),
            Some(Unexpected::New(why)) => Ok(Some(format!("hookc: {why}"))),
            None => Ok(None),
        }
    }

    /// The engine of the call.
    fn engine(&self, module: Module, incoming: &Incoming) -> Engine {
        let once = self.invocation.once_directory.clone().map(OnceStore::in_folder).unwrap_or_default();
        Engine::new(module)
            .default_failure_mode(self.invocation.failure_mode)
            .once_store(if incoming.has_several() { once.deferred() } else { once })
    }

    /// Decides about each event of the call and executes its actions: what each led to, and the verdict about all.
    fn execute_all(
        &self,
        event: &RwLock<Incoming>,
        module: Module,
        host: &NestedHost<'_>,
    ) -> Result<(Vec<EventOutcome>, Verdict), Trouble> {
        let (name, count, has_several) = {
            let incoming = view(event);
            (incoming.name.clone(), incoming.count(), incoming.has_several())
        };
        let is_known = module.events().any(|event| event.family == Family::Agent && event.name == name);
        let options = DecideOptions::default().event(name.as_str()).family(is_known.then_some(Family::Agent));
        let engine = self.engine(module, &view(event));
        let (history, mut decided) = self.history(&engine, event, &options, host)?;
        let (secret, histories) = (history.secret(), history.histories());
        let views = views(&secret, &histories);
        let options = options.history(&views);
        let (mut each, mut total) = (Vec::new(), None);
        let (mut is_denied, mut warnings) = (false, Vec::new());
        for at in 0..count {
            if at > 0 {
                lock(event).select(at);
            }
            let mut outcome =
                match self.execute_one(&engine, decided.take(), is_denied, event, &options, host) {
                    Ok(outcome) => outcome,
                    // The call is denied already.
                    Err(_) if is_denied => break,
                    Err(error) => return Err(error.into()),
                };
            add_warnings(&mut warnings, &outcome);
            if has_several {
                outcome.shorten(adapter::TEXT);
                total = Some(joined(total, &mut outcome));
            }
            is_denied |= self.verdict(&outcome, event).0.permission == Some(Permission::Deny);
            each.push(outcome);
        }
        if has_several {
            lock(event).select(0);
        }
        drop(histories);
        self.record(history, total.as_mut(), &mut each, event);
        let outcome = total.as_ref().or(each.first());
        let (mut verdict, conflicts) = outcome.map(|total| self.verdict(total, event)).unwrap_or_default();
        verdict.messages.extend(warnings.into_iter().chain(conflicts));
        Ok((each, verdict))
    }

    /// The outcome of the selected event; `decided` is its decision, if there is one already. In a call that is
    /// denied, only what needs no handler is executed.
    fn execute_one(
        &self,
        engine: &Engine,
        decided: Option<Decided>,
        is_denied: bool,
        event: &RwLock<Incoming>,
        options: &DecideOptions<'_>,
        host: &NestedHost<'_>,
    ) -> Result<EventOutcome, DecideError> {
        let incoming = view(event);
        let event = &incoming.event;
        match decided {
            Some(decided) => Ok(self.execute(engine, decided, event, host)),
            None if is_denied => verdicts(engine, event, options, host),
            None => Ok(self.execute(engine, engine.decide(event, options)?, event, host)),
        }
    }

    /// Executes the actions of a decision. Handlers do not run again for a use of a tool that another call of hookc was
    /// about just now.
    fn execute(
        &self,
        engine: &Engine,
        decided: Decided,
        event: &Event,
        host: &NestedHost<'_>,
    ) -> EventOutcome {
        let is_verdict = |one: &PendingAction| one.action.as_ref().map_or(true, Action::is_verdict);
        let folder =
            self.invocation.repeat_directory.as_deref().filter(|_| !decided.pending.iter().all(is_verdict));
        match folder.and_then(|folder| Turn::take(folder, event, &decided.module)) {
            None => engine.execute(decided, event, host),
            Some(Turn::First(keeper)) => {
                let outcome = engine.execute(decided, event, host);
                keeper.keep(&outcome);
                outcome
            }
            Some(Turn::Again(results)) => {
                without_handlers(engine, decided, event, host, |one| results.effect(one))
            }
        }
    }

    /// The verdict of an outcome, and its conflicts. Where nobody can be asked, a question is a denial.
    fn verdict(&self, outcome: &EventOutcome, event: &RwLock<Incoming>) -> (Verdict, Vec<String>) {
        let (verdict, conflicts) = outcome.verdict();
        match self.invocation.questions {
            Questions::Deny => (view(event).without_asking(verdict), conflicts),
            Questions::User => (verdict, conflicts),
        }
    }

    /// Lets an event pass that the user wants to pass.
    fn pass(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        let agent = self.sender().adapter;
        let answer = agent.pass(incoming, reason);
        if self.invocation.exit_statuses == ExitStatuses::Unchanged || answer.code == 0 {
            return answer;
        }
        let message = Verdict { messages: vec![reason.to_owned()], ..Verdict::default() };
        let shown = incoming.map(|incoming| agent.answer(incoming, &message));
        Answer { code: 0, stdout: shown.unwrap_or_default().stdout, ..answer }
    }

    fn undecided(&self, trouble: Trouble) -> Finished {
        let reason = format!("hookc: {}", trouble.text(self.invocation.event_quotes));
        let (agent, incoming) = (self.sender().adapter, self.incoming());
        let incoming = incoming.as_deref();
        let answer = match self.invocation.failure_mode.filter(|_| !trouble.denies) {
            Some(OnFailure::Open) => self.pass(incoming, &reason),
            Some(OnFailure::Closed) | None if trouble.stops_again(incoming) => agent.pass(incoming, &reason),
            Some(OnFailure::Closed) | None => match incoming.filter(|_| trouble.meant.is_none()) {
                Some(incoming) => self.sender().refuse(incoming, &reason),
                None => {
                    let sent = self.sent.get().map(Vec::as_slice).unwrap_or_default();
                    agent.refuse_unread(self.invocation.event.as_deref(), sent, &reason)
                }
            },
        };
        Finished { answer, result: Err(trouble), is_paused: false }
    }

    /// Which call in the agent's settings this is.
    fn caller(&self, incoming: Option<&Incoming>, policies: Vec<String>) -> Caller {
        let named = incoming.and_then(|incoming| incoming.event.text("host_event_name"));
        // The agent's own name, not a text that only looks like one.
        let sender = self.sender();
        let event =
            sender.adapter.agent().renamed().find(|event| Some(event.name.as_str()) == named.as_deref());
        let event = event.map(|event| event.name.clone());
        Caller { policies, event, called_as: sender.called_as(), origin: self.invocation.origin }
    }
}

/// Adds what the policy reads and the agent does not send.
fn add_members(event: &RwLock<Incoming>, module: &Module, context: &ProjectContext<'_>) {
    let mut incoming = lock(event);
    let name = incoming.name.clone();
    incoming.add_facts(&|path| module.event_reads(&name, path), context);
    if module.reads(&[adapter::PROJECT]) {
        incoming.add_project(context);
    }
    if module.reads(&[adapter::SUCCESS]) {
        incoming.add_success();
    }
    if module.reads(&[adapter::SERVER]) {
        incoming.add_server();
    }
}

fn view(incoming: &RwLock<Incoming>) -> RwLockReadGuard<'_, Incoming> {
    incoming.read().unwrap_or_else(PoisonError::into_inner)
}

fn lock(incoming: &RwLock<Incoming>) -> RwLockWriteGuard<'_, Incoming> {
    incoming.write().unwrap_or_else(PoisonError::into_inner)
}

/// The outcome of all events of a call until now and of another one. That one does not keep
/// what only the first needs: an action, which may be as long as its event.
fn joined(outcome: Option<EventOutcome>, one: &mut EventOutcome) -> EventOutcome {
    let Some(mut outcome) = outcome else { return one.clone() };
    outcome.add(one);
    for pending in &mut one.reported {
        pending.action = Err(ActionFailure::closed("only that of the first event is kept"));
    }
    outcome
}

/// Adds the messages of hooks of `mode: warn` that matched, without duplicates.
fn add_warnings(warnings: &mut Vec<String>, outcome: &EventOutcome) {
    for warning in PendingAction::warnings(&outcome.reported) {
        let warning = adapter::capped(&warning);
        if !warnings.iter().any(|name| name == warning) {
            warnings.push(warning.to_owned());
        }
    }
}

/// The outcome of an event of a call that is denied already: hooks that need nothing else have their verdicts, for
/// the reasons. The others do not run, since the call changes nothing any more.
fn verdicts(
    engine: &Engine,
    event: &Event,
    options: &DecideOptions<'_>,
    host: &NestedHost<'_>,
) -> Result<EventOutcome, DecideError> {
    let decided = engine.decide(event, options)?;
    let skipped =
        |one: PendingAction| Effect::new(one.hook, Outcome::Skipped("the call is denied already".to_owned()));
    Ok(without_handlers(engine, decided, event, host, skipped))
}

/// Executes what needs no handler; `other` has the effects of the rest.
fn without_handlers(
    engine: &Engine,
    mut decided: Decided,
    event: &Event,
    host: &NestedHost<'_>,
    other: impl Fn(PendingAction) -> Effect,
) -> EventOutcome {
    let pending = std::mem::take(&mut decided.pending);
    let (ready, others): (Vec<_>, Vec<_>) =
        pending.into_iter().partition(|one| one.action.as_ref().map_or(true, Action::is_verdict));
    decided.pending = ready;
    let mut outcome = engine.execute(decided, event, host);
    outcome.effects.extend(others.into_iter().map(other));
    outcome
}
