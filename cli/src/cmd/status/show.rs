//! The state of calls, as a table and as JSON lines. Names come from other people's files, so they
//! are escaped for the terminal.

use std::time::SystemTime;

use comfy_table::ContentArrangement;
use hookc_runtime::log;
use hookc_schema::terminal::escape;
use serde_json::json;

use super::{Row, State};
use crate::installed::calls::Log;
use crate::screen::{self, Colour, Style};

pub(super) fn clean(text: &str) -> String {
    escape(text).into_owned()
}

/// The header of the column with the state.
const LAST_CALLED: &str = "last called";

const COLUMNS: [&str; 8] = ["agent", "scope", "event", LAST_CALLED, "session", "calls", "outcomes", "policy"];

/// The columns that a narrow terminal does not show.
const DETAILS: [&str; 2] = ["scope", "session"];

/// The least width of a terminal that shows all columns.
const WIDE: u16 = 100;

/// The characters of a cell in a pipe.
const CELL: usize = 40;

/// One line per call, with its notes below. With `-v`, times are in full, else relative to now.
pub(super) fn table(rows: &[Row], verbose: bool, style: Style) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let width = screen::width().filter(|_| !verbose);
    let is_shown = |column: &&str| width.is_none_or(|width| width >= WIDE || !DETAILS.contains(column));
    let mut table = screen::table(COLUMNS.into_iter().filter(|column| is_shown(column)));
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let time = |text: &str| shown_time(text, verbose);
    for row in rows {
        let last = row.seen.last.as_ref();
        let session = last.map(|last| match (&last.session, &last.agent) {
            (Some(session), Some(agent)) => format!("{session} ({agent})"),
            (Some(one), None) | (None, Some(one)) => one.clone(),
            (None, None) => String::new(),
        });
        let outcomes = row.seen.outcomes.iter().map(|(name, count)| format!("{name} {count}"));
        let cells = [
            row.call.agent.name.to_owned(),
            row.call.scope.to_owned(),
            row.call.event.clone(),
            when(row, &time),
            session.unwrap_or_default(),
            row.seen.calls.to_string(),
            outcomes.collect::<Vec<_>>().join(", "),
            row.call.policies.iter().map(|policy| near(policy)).collect::<Vec<_>>().join(" "),
        ];
        let is_whole = verbose || width.is_some();
        let cell = |cell: &String| if is_whole { clean(cell) } else { screen::cut(cell, CELL) };
        let cells = cells.iter().zip(COLUMNS).filter(|(_, column)| is_shown(column));
        table.add_row(cells.map(|(one, _)| cell(one)));
    }
    let mut text = painted(&screen::lines(&table), style);
    let mut shown: Vec<&str> = Vec::new();
    for note in rows.iter().flat_map(|row| &row.notes) {
        if !shown.contains(&note.as_str()) {
            shown.push(note);
            text.push_str(&format!("{}: {}\n", style.paint("note", Colour::Yellow), clean(note)));
        }
    }
    text
}

/// The lines of the table, in which the state of each call has a colour.
fn painted(lines: &str, style: Style) -> String {
    let at = lines.find(LAST_CALLED).unwrap_or(usize::MAX);
    let paint = |line: &str| {
        let (before, last) = line.split_at_checked(at)?;
        let (cell, rest) = last.split_at(last.find("  ").unwrap_or(last.len()));
        Some(format!("{before}{}{rest}", style.paint(cell, colour(cell)?)))
    };
    lines.lines().map(|line| paint(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// The colour of a time or a state in the column [`LAST_CALLED`].
fn colour(cell: &str) -> Option<Colour> {
    match cell {
        LAST_CALLED => None,
        "now" => Some(Colour::Green),
        _ if cell.ends_with(" ago") => Some(Colour::Green),
        _ if cell.starts_with("never") || cell == "lost" => Some(Colour::Red),
        _ if cell.starts_with("unknown") => Some(Colour::Yellow),
        _ => None,
    }
}

/// A time of a log: how long ago it was, or as it is in the log.
fn shown_time(text: &str, verbose: bool) -> String {
    let time = log::parse_time(text).filter(|_| !verbose);
    time.map_or_else(|| text.to_owned(), |time| screen::ago(time, SystemTime::now()))
}

/// When it was last called, or why that is unknown.
fn when(row: &Row, time: &dyn Fn(&str) -> String) -> String {
    let last = row.seen.last.as_ref().map(|last| time(&last.time));
    match (row.state, &row.installed) {
        (State::Called, _) => last.unwrap_or_default(),
        (State::Never, Some(installed)) => {
            let before = last.map(|last| format!("; before: {last}")).unwrap_or_default();
            format!("never (installed {}{before})", time(installed))
        }
        (State::Never, None) => "never".to_owned(),
        (State::Lost, _) => "lost".to_owned(),
        (State::Unlogged | State::Unknown, _) => "unknown".to_owned(),
    }
}

/// A policy's path relative to this directory.
pub(super) fn near(policy: &str) -> String {
    let (layer, path) = policy.split_once('=').map_or(("", policy), |(layer, path)| (layer, path));
    let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
    let path =
        here.and_then(|here| std::path::Path::new(path).strip_prefix(here).ok()?.to_str()).unwrap_or(path);
    if layer.is_empty() { path.to_owned() } else { format!("{layer}={path}") }
}

/// A JSON line for each call.
pub(super) fn json(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let log = match &row.call.log {
            Log::File(path) => Some(path.to_string_lossy().into_owned()),
            Log::None | Log::Unknown(_) => None,
        };
        let last = row.seen.last.as_ref();
        let last = last.map(|last| {
            json!({"time": last.time, "session": last.session, "agent": last.agent, "outcome": last.outcome})
        });
        let (sessions, more) = row.seen.sessions();
        let line = json!({
            "host": row.call.agent.name,
            "scope": row.call.scope,
            "settings": row.call.file.to_string_lossy(),
            "place": row.call.at,
            "event": row.call.event,
            "policies": row.call.policies,
            "log": log,
            "state": word(row.state),
            "installed": row.installed,
            "last": last,
            "calls": row.seen.calls,
            "calls_since_installed": row.installed.as_ref().map(|_| row.seen.since),
            "sessions": sessions,
            "more_sessions": more,
            "outcomes": row.seen.outcomes,
            "history": row.kept,
            "unknown_history": row.seen.unknown,
            "notes": row.notes,
        });
        format!("{line}\n")
    };
    rows.iter().map(line).collect()
}

fn word(state: State) -> &'static str {
    match state {
        State::Called => "called",
        State::Never => "never",
        State::Lost => "lost",
        State::Unlogged => "unlogged",
        State::Unknown => "unknown",
    }
}

/// One line about all.
pub(super) fn summary(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "no call of `hookc run` is installed here: see `hookc install --help`".to_owned();
    }
    let count = |state: State| rows.iter().filter(|row| row.state == state).count();
    let calls = if rows.len() == 1 { "1 call".to_owned() } else { format!("{} calls", rows.len()) };
    let mut parts = vec![format!("{calls}: {} alive", count(State::Called))];
    for (state, word) in [
        (State::Never, "never called"),
        (State::Lost, "lost"),
        (State::Unlogged, "without a log"),
        (State::Unknown, "unknown"),
    ] {
        let count = count(state);
        parts.extend((count > 0).then(|| format!("{count} {word}")));
    }
    parts.join(", ")
}
