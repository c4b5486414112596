//! `hookc replay`: a policy over recorded events, and what would have been
//! decided.
//!
//! No action is executed. Logs are read line by line, so memory does not grow with them.

pub(super) mod bar;
mod compare;
mod json;
pub(super) mod lines;
pub(crate) mod past;
pub(super) mod record;
mod tally;
mod text;

use std::path::{Path, PathBuf};

use hookc_runtime::adapter::{self, Adapter};
use hookc_runtime::log::is_torn;
use hookc_vm::{DecideError, DecideOptions, Decision, Family, Module, Scratch};

use super::run::unknown;
use crate::args::{Format, Global, Replay};
use crate::cmd::replay::past::{Moment, Past};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::screen::Style;
use crate::unknown_events::{self, UnknownEvents};
use crate::{events, files, load, out};
use bar::Bar;
use compare::{Changes, DecisionSummary};
use lines::{Line, Lines};
use record::Record;
use tally::{Place, Tally};

/// `--against` this: what was decided when the log was written.
const LOG: &str = "log";

pub(crate) fn run(global: &Global, args: &Replay) -> Outcome {
    let mut texts = Texts::shown();
    let (policies, logs) = events::part_logs(&args.files, &mut texts)?;
    if logs.iter().filter(|path| files::is_stdin(path)).count() > 1 {
        return Err(Failure::usage("standard input can be read only once: write one `-`"));
    }
    let host =
        args.host.as_deref().map(|name| adapter::by_name(name).ok_or_else(|| unknown(name))).transpose()?;
    let Some((module, types)) = load::module(Module::load, policies, &mut texts, &args.sources, global)?
    else {
        return Ok(Exit::Errors);
    };
    // With `--host`, the name is the agent's own, which its adapter knows.
    if host.is_none() {
        unknown_events::check(&types, args.event.as_deref())?;
    }
    if let Some(why) = host.and_then(|host| adapter::misnamed(&module, host)) {
        return Err(Failure::input(why.to_string()));
    }
    let is_log = args.against.iter().any(|path| path.as_os_str() == LOG);
    if is_log && args.against.len() > 1 {
        return Err(Failure::usage("`--against log` cannot be combined with a policy"));
    }
    let old = match args.against.as_slice() {
        [] => None,
        _ if is_log => None,
        old => match other_module(global, args, old, &mut texts)? {
            Some(old) => Some(old),
            None => return Ok(Exit::Errors),
        },
    };
    let baseline = match &old {
        Some(old) => Baseline::Policy(old),
        None if is_log => Baseline::Log,
        None => Baseline::Nothing,
    };
    let mut replay = Session {
        args,
        host,
        module: &module,
        baseline,
        scratch: [Scratch::new(), Scratch::new()],
        past: [Past::default(), Past::default()],
        tally: Tally::new(&load::tables(&module)?, logs),
        changes: Changes::new(args.limit),
        unknown: UnknownEvents::new(&types),
    };
    let bar = Bar::new(global, logs);
    for (log, path) in logs.iter().enumerate() {
        let lines = Lines::open(path, &bar, &mut texts).map_err(|error| Failure::io(path, &error))?;
        replay.log(log, lines, path)?;
    }
    bar.clear();
    replay.report(global)
}

/// The other policy, to which `--layer` does not apply: a file belongs to one layer.
fn other_module(
    global: &Global,
    args: &Replay,
    paths: &[PathBuf],
    texts: &mut Texts,
) -> Result<Option<Module>, Failure> {
    let sources = crate::args::Sources { layers: Vec::new(), ..args.sources.clone() };
    Ok(load::module(Module::load, paths, texts, &sources, global)?.map(|(module, _)| module))
}

/// The source of the decisions to compare with.
#[derive(Clone, Copy)]
enum Baseline<'m> {
    Nothing,
    Policy(&'m Module),
    Log,
}

struct Session<'m> {
    args: &'m Replay,
    /// The agent that sent the events, if they are in its own format.
    host: Option<&'static dyn Adapter>,
    module: &'m Module,
    baseline: Baseline<'m>,
    scratch: [Scratch; 2],
    /// The histories of the sessions, for each policy.
    past: [Past; 2],
    tally: Tally,
    changes: Changes,
    /// Unknown types.
    unknown: UnknownEvents<'m>,
}

impl Session<'_> {
    fn log(&mut self, log: usize, mut lines: Lines<'_>, path: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::io(path, &error);
        while let Some((spot, line)) = lines.read().map_err(failed)? {
            let at = Place { log, spot };
            match line {
                Line::Whole(bytes) => self.line(at, bytes),
                Line::TooLong => {
                    self.tally.error(at, "too_large", "the line is longer than the limit of an event")
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, at: Place, bytes: &[u8]) {
        let record = Record::read(bytes);
        if record.summary.is_none() && is_torn(bytes) {
            return self.tally.torn(at);
        }
        if record.background {
            return;
        }
        if let Some(why) = &record.lost {
            return self.lost(at, why, record.name.as_deref().unwrap_or_default());
        }
        let Some(event) = record.event else { return self.tally.without_event() };
        let moment = record.moment;
        // A decision log contains events as they were decided.
        match self.host.filter(|_| record.summary.is_none()) {
            None => {
                let name = self.args.event.as_deref().or(record.name.as_deref());
                self.event(at, event, name, record.summary, moment);
            }
            Some(host) => match host.read(event.to_vec(), self.args.event.as_deref()) {
                Ok(read) if read.is_oversized() => {
                    self.tally.error(at, "too_large", "the event is larger than any event may be");
                    if !matches!(self.baseline, Baseline::Nothing) {
                        self.changes.incomparable();
                    }
                }
                // `hookc run` decides nothing about it.
                Ok(read) if read.continues_turn() => {}
                // A patch is an event per file.
                Ok(mut read) => {
                    for file in 0..read.count() {
                        read.select(file);
                        self.event(at, read.event.bytes(), Some(&read.name), None, moment);
                    }
                }
                Err(error) => {
                    self.tally.error(at, "no_event", &error.to_string());
                    if !matches!(self.baseline, Baseline::Nothing) {
                        self.changes.incomparable();
                    }
                }
            },
        }
    }

    /// A line whose event was rejected because of a duplicate key: the log contains only one of
    /// both values, so deciding again would be about another event.
    fn lost(&mut self, at: Place, why: &str, name: &str) {
        self.tally.error(at, "duplicate_key", why);
        match self.baseline {
            Baseline::Nothing => {}
            Baseline::Policy(_) => self.changes.incomparable(),
            Baseline::Log => {
                self.changes.compare(
                    at,
                    name,
                    DecisionSummary::error(why.to_owned()),
                    DecisionSummary::error(why.to_owned()),
                );
            }
        }
    }

    /// An event of a type, and what was decided about it then.
    fn event(
        &mut self,
        at: Place,
        event: &[u8],
        native: Option<&str>,
        summary: Option<DecisionSummary>,
        moment: Moment,
    ) {
        let ([now, before], [past, past_before]) = (&mut self.scratch, &mut self.past);
        let kinds = matches!(self.baseline, Baseline::Log);
        let (unknown, tally) = (&mut self.unknown, &mut self.tally);
        let look = |decided: Result<&Decision<'_>, &DecideError>| {
            match decided {
                Ok(decision) => {
                    if decision.family().is_none() {
                        unknown.note(decision.event(), at.spot.line);
                    }
                    tally.decision(at, decision);
                }
                Err(error) => {
                    let kind = hookc_compiler::testing::error_kind(error);
                    tally.error(at, kind.map_or("other", |kind| kind.name()), &error.to_string());
                }
            }
            let name = decided.map(|decision| decision.event()).ok().or(native).unwrap_or_default();
            (DecisionSummary::new(decided, kinds), name.to_owned())
        };
        let options = options(self.module, native);
        let (now, name) = past.decide(self.module, now, event, &options, moment, look);
        let before = match self.baseline {
            Baseline::Nothing => return,
            Baseline::Policy(old) => {
                let look =
                    |decided: Result<&Decision<'_>, &DecideError>| DecisionSummary::new(decided, false);
                past_before.decide(old, before, event, &self::options(old, native), moment, look)
            }
            Baseline::Log => match summary {
                Some(summary) => summary,
                None => return self.changes.incomparable(),
            },
        };
        self.changes.compare(at, &name, before, now);
    }

    fn report(&self, global: &Global) -> Outcome {
        self.unknown.report(global);
        let compared = !matches!(self.baseline, Baseline::Nothing);
        let changes = compared.then_some(&self.changes);
        match global.format {
            Format::Json => out::json(&json::report(&self.tally, changes))?,
            _ => {
                let style = Style(out::styled_stdout(global.color));
                out::styled_text(&text::report(&self.tally, changes, style))?;
            }
        }
        Ok(if self.changes.total > 0 { Exit::Failed } else { Exit::errors_if(self.tally.failed() > 0) })
    }
}

/// As in `run`: a name in several vocabularies belongs to agents, if the policy has hooks for that.
pub(super) fn options<'a>(module: &Module, name: Option<&'a str>) -> DecideOptions<'a> {
    let agents = |event: hookc_vm::EventType<'_>| event.family == Family::Agent && Some(event.name) == name;
    let family = module.events().any(agents).then_some(Family::Agent);
    DecideOptions::default().event(name).family(family)
}
