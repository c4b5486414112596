//! `hookc run`: one event of a host in, the host's exact answer out.
//!
//! Whatever goes wrong here, a policy that does not compile, an event that is
//! none, a panic, is answered with the chosen polarity: refused where the host
//! lets events be refused, or passed, but never in silence.

mod background;
mod state;
pub(crate) mod within;

use std::io::{self, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use hookc_runtime::adapter::{self, Adapter, Answer, Incoming};
use hookc_runtime::carry::Once;
use hookc_runtime::effect::Due;
use hookc_runtime::log::{Entry, Log, Redaction};
use hookc_runtime::{Engine, Event, Handled, Opinion};
use hookc_schema::Code;
use hookc_vm::module::{Mode, OnFailure};
use hookc_vm::{Ask, Family, Module};

pub(crate) use background::{Process, handler};

use crate::args::{Falls, Global, Run};
use crate::exit::{Exit, Failure, Outcome};
use crate::{load, out};

pub(crate) fn run(global: &Global, args: &Run) -> Outcome {
    let Some(host) = adapter::of(&args.host) else { return Err(unknown(&args.host)) };
    let bytes = input()?;
    if super::eval::off() {
        return Ok(Exit::Host(0));
    }
    // A panic is told below, as what the host reads; not as a back trace.
    std::panic::set_hook(Box::new(|_| {}));
    let session = Session { host, args, global, start: Instant::now() };
    let read = catch_unwind(AssertUnwindSafe(|| host.read(bytes, args.event.as_deref())));
    let read = read.map_err(|panic| panicked(panic.as_ref()));
    let incoming = read.and_then(|read| read.map_err(|error| error.to_string()));
    let decided = incoming.as_ref().map_err(Clone::clone).and_then(|incoming| {
        catch_unwind(AssertUnwindSafe(|| session.answer(incoming)))
            .unwrap_or_else(|panic| Err(panicked(panic.as_ref())))
    });
    let incoming = incoming.as_ref().ok();
    let (answer, handled) = match decided {
        Ok((answer, handled)) => (answer, Ok(handled)),
        Err(why) => (session.failed(incoming, &why), Err(why)),
    };
    let exit = told(host, incoming, &answer, args);
    // Behind the answer, which nothing that goes wrong here may hold up.
    let none = Event::new("null");
    let event = incoming.map_or(&none, |incoming| &incoming.event);
    let result = handled.as_ref().map_err(String::as_str);
    let _ = catch_unwind(AssertUnwindSafe(|| session.log(event, result)));
    Ok(exit)
}

/// Gives the answer. One that nobody reads is refused or passed by the exit
/// status, as anything else that goes wrong.
fn told(host: &dyn Adapter, incoming: Option<&Incoming>, answer: &Answer, args: &Run) -> Exit {
    let written = out::answer(answer.stdout.as_bytes());
    let _ = io::stderr().write_all(answer.stderr.as_bytes());
    let Err(failure) = written else { return Exit::Host(answer.code) };
    let _ =
        writeln!(io::stderr(), "hookc: the answer could not be written: {failure}\n{}", answer.stdout.trim());
    Exit::Host(match args.on_failure {
        Some(Falls::Open) => host.pass(incoming, "").code,
        Some(Falls::Closed) | None => 2,
    })
}

/// There is no such host.
pub(crate) fn unknown(name: &str) -> Failure {
    let known = || adapter::ALL.iter().map(|adapter| adapter.name());
    let near = hookc_schema::suggest::nearest(name, known());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::usage(format!(
        "there is no host `{name}` (there are {}){near}",
        known().collect::<Vec<_>>().join(", ")
    ))
}

/// The event, one byte more than the largest at most. A terminal sends none.
fn input() -> io::Result<Vec<u8>> {
    let (mut bytes, stdin) = (Vec::new(), io::stdin());
    if !stdin.is_terminal() {
        let most = u64::try_from(hookc_vm::limits::EVENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
        stdin.lock().take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    format!("internal error: {text}")
}

struct Session<'s> {
    host: &'static dyn Adapter,
    args: &'s Run,
    global: &'s Global,
    start: Instant,
}

impl Session<'_> {
    fn answer(&self, incoming: &Incoming) -> Result<(Answer, Handled), String> {
        let module = self.module()?;
        if let Some(why) = adapter::misnamed(&module, self.host) {
            return Err(why);
        }
        let within = within::enter(module.hash(), incoming.event.bytes())?;
        let own = |family: Family| module.events().any(|e| e.family == family && e.name == incoming.name);
        let family = own(Family::Agent).then_some(Family::Agent);
        let ask = Ask { event: Some(&incoming.name), family, ..Ask::default() };
        let polarity = self.args.on_failure.map(|falls| match falls {
            Falls::Open => OnFailure::Open,
            Falls::Closed => OnFailure::Closed,
        });
        let engine = Engine::new(module).falling(polarity).remembering(once());
        let process = Process { answers: Some(incoming.answers), within };
        let handle = |event| engine.handle(event, &ask, &process).map_err(|error| error.to_string());
        let mut handled = handle(&incoming.event)?;
        for event in &incoming.others {
            handled.add(handle(event)?);
        }
        Ok((self.host.answer(incoming, &opinion(&handled)), handled))
    }

    /// Diagnostics would mix with what the host reads: only the first error is
    /// told, and all of them with `-v`.
    fn module(&self) -> Result<Module, String> {
        let (files, sources) = (&self.args.files, &self.args.sources);
        let said = |failure: Failure| failure.to_string();
        if let Some(module) = load::ready(files, sources).map_err(said)? {
            return Ok(module);
        }
        let built = load::build(files, sources, false).map_err(said)?;
        if self.global.verbose > 0 {
            built.tell(self.global);
        }
        if built.compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::W0239) {
            let _ =
                writeln!(io::stderr(), "hookc: `disableAllHooks` is on in the policy, whose hooks run here");
        }
        match built.compiled.module {
            Some(bytes) => Module::load(bytes).map_err(|error| error.to_string()),
            None => {
                let first = built.compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                let first = first.map(|diagnostic| diagnostic.message.as_str()).unwrap_or_default();
                Err(format!("the policy does not compile: {first} (`hookc check` tells more)"))
            }
        }
    }

    /// Nothing could be decided.
    fn failed(&self, incoming: Option<&Incoming>, why: &str) -> Answer {
        let reason = format!("hookc: {why}");
        match self.args.on_failure {
            Some(Falls::Open) => self.host.pass(incoming, &reason),
            Some(Falls::Closed) | None => self.host.refuse(incoming, &reason),
        }
    }

    /// What goes wrong with the log changes no decision; `-v` tells it.
    fn log(&self, event: &Event, result: Result<&Handled, &str>) {
        let Some(path) = self.log_path() else { return };
        let entry = Entry { host: self.host.name(), event, result, took: self.start.elapsed() };
        let written = Log::open(&path).and_then(|log| {
            let redaction = Redaction::new(self.args.redact.iter().map(String::as_str));
            let log = if self.args.log_payload { log.with_payload(redaction) } else { log };
            log.write(&entry)
        });
        if let Err(error) = written
            && self.global.verbose > 0
        {
            out::say(self.global, &format!("hookc: {}: {error}", path.display()));
        }
    }

    fn log_path(&self) -> Option<PathBuf> {
        if self.args.no_log {
            return None;
        }
        self.args.log.clone().or_else(|| Some(state::folder()?.join("decisions.jsonl")))
    }
}

fn once() -> Once {
    state::folder().map(|folder| Once::in_folder(folder.join("once"))).unwrap_or_default()
}

/// What all hooks say, with what the user is to be told beside: hooks of `mode:
/// warn` that matched, and what the hooks disagree about.
fn opinion(handled: &Handled) -> Opinion {
    let (mut opinion, conflicts) = handled.opinion();
    let warned = handled.reported.iter().filter(|due| due.hook.mode == Mode::Warn);
    opinion.messages.extend(warned.map(warning));
    opinion.messages.extend(conflicts);
    opinion
}

fn warning(due: &Due) -> String {
    let action = due.action.as_ref().ok();
    let text =
        action.and_then(|action| ["reason", "text", "message"].iter().find_map(|name| action.text(name)));
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    format!("hook {} (warn) would {}{text}", due.hook.label, due.hook.kind)
}
