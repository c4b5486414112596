//! `hookc replay`: a policy over recorded events, and what would have been
//! decided.
//!
//! Nothing is carried out. Logs are read line by line: what is kept does not
//! grow with them.

mod bar;
mod compare;
mod json;
mod lines;
mod record;
mod tally;
mod text;

use std::path::{Path, PathBuf};

use hookc_vm::{Ask, DecideError, Decision, Family, Module, Scratch};

use crate::args::{Format, Global, Replay};
use crate::exit::{Exit, Failure, Outcome};
use crate::{files, load, out};
use bar::Bar;
use compare::{Changes, Said};
use lines::{Line, Lines};
use record::Record;
use tally::{Place, Tally};

/// `--against` this: what was decided when the log was written.
const LOG: &str = "log";

pub(crate) fn run(global: &Global, args: &Replay) -> Outcome {
    if args.logs.iter().filter(|path| files::is_stdin(path)).count() > 1 {
        return Err(Failure::usage("standard input can be read once: name `-` once"));
    }
    let Some(module) = module(global, args, &args.policy)? else { return Ok(Exit::Errors) };
    let old = match args.against.as_ref().filter(|path| path.as_os_str() != LOG) {
        None => None,
        Some(path) => match module_beside(global, args, path)? {
            Some(old) => Some(old),
            None => return Ok(Exit::Errors),
        },
    };
    let against = match (&args.against, &old) {
        (None, _) => Against::Nothing,
        (Some(_), Some(old)) => Against::Policy(old),
        (Some(_), None) => Against::Log,
    };
    let mut replay = Session {
        args,
        module: &module,
        against,
        scratch: [Scratch::new(), Scratch::new()],
        tally: Tally::new(&module, &args.logs),
        changes: Changes::new(args.limit),
    };
    let bar = Bar::new(global, &args.logs);
    for (log, path) in args.logs.iter().enumerate() {
        replay.log(log, path, &bar)?;
    }
    bar.clear();
    replay.tell(global)
}

fn module(global: &Global, args: &Replay, path: &PathBuf) -> Result<Option<Module>, Failure> {
    load::module(std::slice::from_ref(path), &args.sources, global)
}

/// The other policy, for which `--layer` says nothing: a file is of one layer.
fn module_beside(global: &Global, args: &Replay, path: &PathBuf) -> Result<Option<Module>, Failure> {
    let sources = crate::args::Sources { layers: Vec::new(), ..args.sources.clone() };
    load::module(std::slice::from_ref(path), &sources, global)
}

/// What decisions are compared with.
#[derive(Clone, Copy)]
enum Against<'m> {
    Nothing,
    Policy(&'m Module),
    Log,
}

struct Session<'m> {
    args: &'m Replay,
    module: &'m Module,
    against: Against<'m>,
    scratch: [Scratch; 2],
    tally: Tally,
    changes: Changes,
}

impl Session<'_> {
    fn log(&mut self, log: usize, path: &Path, bar: &Bar) -> Result<(), Failure> {
        let told = |error: std::io::Error| Failure::file(path, &error);
        let mut lines = Lines::open(path, bar).map_err(told)?;
        while let Some((number, line)) = lines.read().map_err(told)? {
            let at = Place { log, line: number };
            match line {
                Line::Whole(bytes) => self.line(at, bytes),
                Line::TooLong => self.tally.error(at, "too_large", "the line is longer than any event"),
            }
        }
        Ok(())
    }

    fn line(&mut self, at: Place, bytes: &[u8]) {
        let record = Record::read(bytes);
        if record.said.is_none() && record::is_torn(bytes) {
            return self.tally.torn(at);
        }
        let Some(event) = record.event else { return self.tally.without_event() };
        let own = self.args.event.as_deref().or(record.name.as_deref());
        let [now, before] = &mut self.scratch;
        let decided = decide(self.module, now, event, own);
        match &decided {
            Ok(decision) => self.tally.decision(at, decision),
            Err(error) => {
                let kind = hookc_compiler::testing::EventErrorKind::of(error);
                self.tally.error(at, kind.map_or("other", |kind| kind.name()), &error.to_string());
            }
        }
        let kinds = matches!(self.against, Against::Log);
        let before = match self.against {
            Against::Nothing => return,
            Against::Policy(old) => Said::of(&decide(old, before, event, own), false),
            Against::Log => match record.said {
                Some(said) => said,
                None => return self.changes.incomparable(),
            },
        };
        let now = Said::of(&decided, kinds);
        let name = decided.as_ref().map(|decision| decision.event()).ok().or(own).unwrap_or_default();
        self.changes.compare(at, name, before, now);
    }

    fn tell(&self, global: &Global) -> Outcome {
        let compared = !matches!(self.against, Against::Nothing);
        let changes = compared.then_some(&self.changes);
        let told = match global.format {
            Format::Json => json::report(&self.tally, changes),
            _ => text::report(&self.tally, changes),
        };
        out::stdout(told.as_bytes())?;
        Ok(if self.changes.total > 0 { Exit::Failed } else { Exit::errors_if(self.tally.failed() > 0) })
    }
}

/// As `run` decides: a name that several vocabularies know is the agent's, if
/// the policy has hooks for that.
fn decide<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    event: &'a [u8],
    name: Option<&'a str>,
) -> Result<Decision<'a>, DecideError> {
    let agents =
        |event: hookc_vm::module::EventType<'_>| event.family == Family::Agent && Some(event.name) == name;
    let family = module.events().any(agents).then_some(Family::Agent);
    module.decide(scratch, event, &Ask { event: name, family, ..Ask::default() })
}
