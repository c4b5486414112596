//! A replay for people.

use std::fmt::Write as _;

use comfy_table::Table;
use hookc_schema::terminal::escape;

use crate::out::plural;
use crate::screen::{Colour, Style, cut, fit, lines, table};

use super::compare::{Change, Changes};
use super::tally::{Tally, percent};

/// Names of hooks that never fired, at most.
const NEVER: usize = 50;

/// Most characters of a decision.
const LONGEST: usize = 200;

pub(super) fn report(tally: &Tally, changes: Option<&Changes>, style: Style) -> String {
    let mut out = totals(tally, style);
    if !tally.types.is_empty() {
        let _ = write!(out, "\n{}", lines(&types(tally)));
    }
    if !tally.fired().is_empty() {
        let _ = write!(out, "\n{}", lines(&hooks(tally)));
    }
    never(tally, &mut out);
    errors(tally, &mut out);
    if let Some(changes) = changes {
        compared(tally, changes, style, &mut out);
    }
    out
}

fn totals(tally: &Tally, style: Style) -> String {
    let (answered, decided, failed) = (tally.answered(), tally.decided(), tally.failed());
    let opinion = answered - decided;
    let (events, errors) = (plural(answered + failed, "event"), plural(failed, "error"));
    let errors = if failed > 0 { style.paint(&errors, Colour::Red) } else { errors };
    let mut out = format!("{events}: {decided} decided, {opinion} no opinion, {errors}\n");
    if tally.without_event > 0 {
        let lines = plural(tally.without_event, "line");
        let _ =
            writeln!(out, "{lines} of a decision log without the event: write the log with `--log-payload`");
    }
    if let Some((lines, first)) = tally.torn {
        let first = escape(&tally.place(first)).into_owned();
        let lines = plural(lines, "fragment");
        let _ = writeln!(out, "skipped {lines} of lines of a decision log, the first at line {first}");
    }
    out
}

fn types(tally: &Tally) -> Table {
    let mut table = table(["event", "events", "decided"]);
    for (name, seen) in &tally.types {
        table.add_row([escape(name).into_owned(), seen.events.to_string(), seen.decided.to_string()]);
    }
    fit(&mut table);
    table
}

fn hooks(tally: &Tally) -> Table {
    let total = tally.events();
    let mut table = table(["hook", "mode", "hits", "share", "first", "last"]);
    for hook in tally.fired() {
        let Some((first, last)) = hook.lines else { continue };
        table.add_row([
            escape(&hook.label).into_owned(),
            hook.mode.name().to_owned(),
            hook.hits.to_string(),
            format!("{:.1} %", percent(hook.hits, total)),
            escape(&tally.place(first)).into_owned(),
            escape(&tally.place(last)).into_owned(),
        ]);
    }
    fit(&mut table);
    table
}

fn never(tally: &Tally, out: &mut String) {
    let names: Vec<String> = tally.never().map(|hook| escape(&hook.label).into_owned()).collect();
    if names.is_empty() {
        return;
    }
    let shown = names.iter().take(NEVER).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(NEVER);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let _ = writeln!(out, "\nnever fired: {shown}{more}");
}

fn errors(tally: &Tally, out: &mut String) {
    if tally.errors.is_empty() {
        return;
    }
    let mut table = table(["error", "events", "first", "as"]);
    for (kind, errors) in &tally.errors {
        let first = escape(&tally.place(errors.first)).into_owned();
        table.add_row([(*kind).to_owned(), errors.events.to_string(), first, cut(&errors.message, LONGEST)]);
    }
    fit(&mut table);
    let _ = write!(out, "\n{}", lines(&table));
}

fn compared(tally: &Tally, changes: &Changes, style: Style, out: &mut String) {
    out.push('\n');
    for change in &changes.first {
        one(tally, change, style, out);
    }
    let more = changes.total.saturating_sub(changes.first.len());
    if more > 0 {
        let _ = writeln!(out, "and {more} more; `--limit N` shows more of them");
    }
    let compared = plural(changes.compared, "event");
    let _ = writeln!(out, "{} of {compared} decided differently", changes.total);
    if changes.incomparable > 0 {
        let events = plural(changes.incomparable, "event");
        let _ =
            writeln!(out, "not compared, because the decision log contains no decision for them: {events}");
    }
}

fn one(tally: &Tally, change: &Change, style: Style, out: &mut String) {
    let _ = writeln!(out, "line {}, {}", escape(&tally.place(change.at)), escape(&change.event));
    for (sign, line, colour) in
        [("-", change.before.line(), Colour::Red), ("+", change.after.line(), Colour::Green)]
    {
        let _ = writeln!(out, "  {}", style.paint(&format!("{sign} {}", cut(&line, LONGEST)), colour));
    }
}
