//! `hookc bench`: the cost of deciding on this machine, compared with only reading the same events.

mod measure;
mod report;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hookc_compiler::event_types::EventTypes;
use hookc_compiler::testing::{EventErrorKind, error_kind};
use hookc_schema::terminal::escape;
use hookc_vm::{DecideOptions, Module, Scratch};

use crate::args::{Bench, Global};
use crate::events::{self, Event};
use crate::exit::{Exit, Failure, Outcome};
use crate::unknown_events::{self, UnknownEvents};
use crate::{files, load, out};
use report::Report;

/// The minimum number of timed loads; the median is reported.
const LOADS: usize = 9;

pub(crate) fn run(global: &Global, args: &Bench) -> Outcome {
    if files::is_stdin(&args.policy) && files::is_stdin(&args.events) {
        return Err(Failure::usage("policy and events cannot both come from standard input"));
    }
    let Some((module, types)) = stripped(args, global)? else { return Ok(Exit::Errors) };
    unknown_events::check(&types, args.event.as_deref())?;
    let ask = DecideOptions::default().event(args.event.as_deref());
    let given = events::read(&args.events, &mut files::Texts::default())?;
    let count = given.len();
    let events = sound(&module, &types, given, &ask, global, &args.events);
    if events.is_empty() {
        return Err(Failure::input(format!("{}: no event to measure", files::name(&args.events))));
    }
    let report = measured(&module, &events, &ask)?;
    let text = if args.json { report.json() } else { report.text() };
    out::text(&text)?;
    Ok(Exit::errors_if(events.len() < count))
}

/// The module to measure: sources are compiled without names and source locations.
fn stripped(args: &Bench, global: &Global) -> Result<Option<(Module, EventTypes)>, Failure> {
    let paths: &[PathBuf] = std::slice::from_ref(&args.policy);
    let mut texts = files::Texts::default();
    if let Some(module) = load::module_file(Module::load, paths, &mut texts, &args.sources)? {
        let types = EventTypes::of_module(&module);
        return Ok(Some((module, types)));
    }
    let built = load::build(paths, &mut texts, &args.sources, true)?;
    built.report(global);
    let types = EventTypes::of_policies(&built.compiled.policies);
    let module = built
        .compiled
        .module
        .map(|bytes| load::open(Module::load, bytes, "the compiled policy"))
        .transpose()?;
    Ok(module.map(|module| (module, types)))
}

/// The events that can be decided about. The others are reported once for each
/// kind of error, with their number and the first line.
fn sound(
    module: &Module,
    types: &EventTypes,
    events: Vec<Event>,
    ask: &DecideOptions<'_>,
    global: &Global,
    path: &Path,
) -> Vec<Event> {
    let (mut scratch, mut unknown) = (Scratch::new(), UnknownEvents::new(types));
    let mut errors: BTreeMap<&str, (usize, usize, String)> = BTreeMap::new();
    let mut sound = |event: &Event| match module.decide(&mut scratch, &event.bytes, ask) {
        Ok(decision) => {
            if decision.family().is_none() {
                unknown.note(decision.event(), event.line);
            }
            true
        }
        Err(error) => {
            let kind = error_kind(&error).map_or("other", EventErrorKind::name);
            let first = || (0, event.line, error.to_string());
            errors.entry(kind).or_insert_with(first).0 += 1;
            false
        }
    };
    let sound = events.into_iter().filter(|event| sound(event)).collect();
    let name = files::name(path);
    for (events, line, error) in errors.into_values() {
        let more = match events {
            1 => String::new(),
            _ => format!(" (and {} more with this error)", out::plural(events - 1, "event")),
        };
        out::complain(&format!("hookc: {name}:{line}: not measured: {}{more}", escape(&error)));
    }
    unknown.report(global);
    sound
}

fn measured(module: &Module, events: &[Event], ask: &DecideOptions<'_>) -> Result<Report, Failure> {
    let load_ms = loading(module)?;
    let modes = measure::run(module, events, ask);
    let hooks = load::tables(module)?.hooks.len();
    let bytes: usize = events.iter().map(|event| event.bytes.len()).sum();
    Ok(Report::new(hooks, (events.len(), bytes), &modes, stripped_bytes(module)?, load_ms))
}

/// The size of the module without the strippable parts, except for padding.
fn stripped_bytes(module: &Module) -> Result<usize, Failure> {
    let tables = load::tables(module)?;
    let named = size_of_val(tables.names)
        + size_of_val(tables.labels)
        + size_of_val(tables.locations)
        + size_of_val(tables.cell_names);
    Ok(module.bytes().len().saturating_sub(named))
}

/// The median time of decoding and verifying the module's bytes in memory.
fn loading(module: &Module) -> Result<f64, Failure> {
    let mut times = Vec::new();
    for _ in 0..LOADS {
        let bytes = module.bytes().to_vec();
        let start = Instant::now();
        let loaded = Module::load(bytes).map_err(|error| Failure::input(error.to_string()))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        drop(loaded);
    }
    times.sort_by(f64::total_cmp);
    Ok(measure::percentile(&times, 50))
}
