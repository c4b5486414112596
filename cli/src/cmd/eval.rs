//! `hookc eval`: a decision per event, a JSON line each.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::time::{Duration, Instant};

use hookc_base::json::quoted;
use hookc_compiler::event_types::EventTypes;
use hookc_schema::terminal::{self, escape};
use hookc_vm::{DecideError, DecideOptions, Decision, Module, Scratch, Strategy};

use crate::args::{Eval, Global};
use crate::cmd::replay::past::{Moment, Past};
use crate::events::{self, Event};
use crate::exit::{Exit, Outcome};
use crate::files::Texts;
use crate::installed::hooked;
use crate::unknown_events::{self, SHOWN, UnknownEvents};
use crate::{load, out, screen, state};

pub(crate) fn run(global: &Global, args: &Eval) -> Outcome {
    let mut texts = Texts::shown();
    let (policies, input) = events::from_args(&args.files, &args.given, &mut texts)?;
    let Some((module, types)) = load::module(Module::open, &policies, &mut texts, &args.sources, global)?
    else {
        return Ok(Exit::Errors);
    };
    unknown_events::check(&types, args.given.event.as_deref())?;
    input.report_names(global, &args.given);
    let ask = DecideOptions::default()
        .event(args.given.event.as_deref())
        .strategy(args.all.then_some(Strategy::All));
    let mut session = Session {
        module: &module,
        scratch: Scratch::new(),
        ask,
        pretty: args.pretty,
        off: state::report_disabled(),
        unknown: UnknownEvents::new(&types),
        past: Past::default(),
    };
    let mut stats = Stats::default();
    let width = screen::width();
    let mut stdout = BufWriter::new(out::Stdout);
    for event in input.read(&mut texts)? {
        let line = session.decide(&event, &mut stats);
        if args.pretty {
            stdout.write_all(screen::folded(&terminal::escape_block(&line), width).as_bytes())?;
        } else {
            stdout.write_all(terminal::escape_json(&line).as_bytes())?;
        }
    }
    stdout.flush()?;
    session.unknown.report(global);
    report_idle(global, &module, &types, &stats);
    if stats.events == 0 {
        out::say(global, &format!("hookc: {}: no events", input.name()));
    }
    if args.stats {
        out::say(global, &stats.line());
    }
    Ok(Exit::errors_if(stats.errors > 0))
}

struct Session<'m> {
    module: &'m Module,
    scratch: Scratch,
    ask: DecideOptions<'m>,
    pretty: bool,
    off: bool,
    unknown: UnknownEvents<'m>,
    past: Past,
}

impl Session<'_> {
    fn decide(&mut self, event: &Event, stats: &mut Stats) -> String {
        let Self { module, scratch, ask, pretty, off, unknown, past } = self;
        let start = Instant::now();
        let look = |decided: Result<&Decision<'_>, &DecideError>| {
            stats.time += start.elapsed();
            stats.events += 1;
            match decided {
                Ok(decision) => {
                    let decision = if *off { decision.without_hooks() } else { *decision };
                    match decision.family() {
                        None => unknown.note(decision.event(), event.line),
                        Some(_) => stats.handled += 1,
                    }
                    if stats.first.is_empty() {
                        decision.event().clone_into(&mut stats.first);
                    }
                    stats.hits += usize::from(!decision.is_empty());
                    if *pretty { self::pretty(&decision) } else { line(&decision) }
                }
                Err(error) => {
                    stats.errors += 1;
                    if *pretty {
                        format!("line {}: no decision: {}\n", event.line, escape(&error.to_string()))
                    } else {
                        format!("{{\"error\":{},\"line\":{}}}\n", quoted(&error.to_string()), event.line)
                    }
                }
            }
        };
        past.decide(module, scratch, &event.bytes, ask, Moment::default(), look)
    }
}

/// Reports that no event had a type that the policy has hooks for: the policy may be about another moment.
fn report_idle(global: &Global, module: &Module, types: &EventTypes, stats: &Stats) {
    if stats.handled > 0 || !types.knows(&stats.first) {
        return;
    }
    let handled = hooked(module);
    let names: Vec<String> = handled.iter().take(SHOWN).map(|name| format!("`{}`", escape(name))).collect();
    let more = if handled.len() > SHOWN { ", ..." } else { "" };
    let has = match names.is_empty() {
        true => "it has none".to_owned(),
        false => format!("its hooks are for {}{more}", names.join(", ")),
    };
    out::say(global, &format!("hookc: the policy has no hook for `{}`: {has}", escape(&stats.first)));
}

fn line(decision: &Decision<'_>) -> String {
    let mut line = String::new();
    decision.write_short_json(&mut line);
    line.push('\n');
    line
}

fn pretty(decision: &Decision<'_>) -> String {
    let mut text = String::new();
    if decision.is_empty() {
        let _ = writeln!(text, "{}: no opinion", escape(decision.event()));
    }
    for (word, fired) in
        decision.hooks().map(|f| ("", f)).chain(decision.reported().map(|f| ("reported: ", f)))
    {
        let label = fired.label().map_or_else(|| format!("rank {}", fired.rank()), str::to_owned);
        let mut action = String::new();
        let action =
            fired.render(&mut action).map_or_else(|error| format!("{} ({error})", fired.kind()), |()| action);
        let (event, label, action) = (escape(decision.event()), escape(&label), escape(&action));
        let _ = writeln!(text, "{event}: {word}{label} -> {action}");
        if let Some((file, row, column)) = fired.location() {
            let _ = writeln!(text, "    at {}:{row}:{column}, {}", escape(file), fired.mode());
        }
    }
    for unknown in decision.unknown() {
        let hook = unknown.hook;
        let label = hook.label().map_or_else(|| format!("rank {}", hook.rank()), str::to_owned);
        let (event, label) = (escape(decision.event()), escape(&label));
        let _ = writeln!(text, "{event}: unknown: {label}: {}", escape(&unknown.cause.to_string()));
    }
    text
}

#[derive(Default)]
struct Stats {
    events: usize,
    /// Those of a type that the policy has hooks for.
    handled: usize,
    /// The type of the first one.
    first: String,
    hits: usize,
    errors: usize,
    time: Duration,
}

impl Stats {
    fn line(&self) -> String {
        let each = self.time.as_nanos().checked_div(self.events as u128).unwrap_or(0);
        let (events, hits, errors) = (self.events, self.hits, self.errors);
        format!(
            "{}: {hits} decided, {}; {each} ns each from bytes to ranks",
            out::plural(events, "event"),
            out::plural(errors, "error")
        )
    }
}
