//! `hookc status`: whether the guard is alive. Lists the calls of `hookc run` in the agents'
//! settings, and what the decision logs contain about each.
//!
//! `calls.rs` finds the calls, `installed.rs` their installation times, `tally.rs` reads the logs
//! line by line, `uncalled.rs` finds events that no call is for, `workspace.rs` the agents of a project,
//! `kept.rs` the histories of the calls, and `show.rs` writes the result.

mod kept;
mod show;
mod tally;
pub(crate) mod uncalled;
pub(crate) mod workspace;

use std::path::PathBuf;

use hookc_compiler::lint::in_script;
use hookc_schema::Code;

use crate::args::{Format, Global, Status};
use crate::cmd::pause;
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::calls::{Call, Log};
use crate::installed::{self, calls, location, program, records, target};
use crate::out;
use crate::screen::Style;
use tally::{CallLog, Tally};

/// The state of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was called since it was installed.
    Called,
    /// It was not.
    Never,
    /// Its line keeps the event from it, or its answer from the agent.
    Lost,
    /// Unknown, as the author of the call chose.
    Unlogged,
    /// The log cannot be read, or is unknown.
    Unknown,
}

/// A call with its state.
struct Row {
    call: Call,
    state: State,
    /// When `install` wrote it, if known.
    installed: Option<String>,
    seen: CallLog,
    /// Whether its program is missing now.
    is_gone: bool,
    /// The histories that it keeps.
    kept: Option<kept::Kept>,
    notes: Vec<String>,
}

pub(crate) fn run(global: &Global, args: &Status) -> Outcome {
    let project = args.folder.clone().unwrap_or_else(installed::project);
    let root = project.as_path();
    if !root.is_dir() {
        return Err(Failure::usage(format!("{}: this is not a directory", root.display())));
    }
    let only = args.host.iter().map(|name| installed::host(name)).collect::<Result<Vec<_>, _>>()?;
    let (mut found, mut broken) = (Vec::new(), false);
    for agent in
        target::all().filter(|agent| only.is_empty() || only.iter().any(|one| one.name == agent.name))
    {
        for (scope, file) in calls::files(agent, root) {
            let project = (scope == "project" || scope == "local").then(|| location::real(root));
            match calls::of_file(agent, scope, &file, project.as_deref()) {
                Ok(calls) => found.extend(calls),
                Err(why) => {
                    broken = true;
                    out::say(global, &show::clean(&format!("hookc: {}: {why}", file.display())));
                }
            }
        }
    }
    let tally = Tally::read(global, &found, &args.log);
    let records = records::read();
    let mut rows: Vec<Row> = found.into_iter().map(|call| row(call, &tally, &records, &args.log)).collect();
    add_histories(&mut rows);
    uncalled::add_notes(&mut rows);
    if let Some(pause) = pause::active() {
        rows.iter_mut().for_each(|row| row.notes.push(pause::text(&pause)));
    }
    if args.json || global.format == Format::Json {
        out::json(&show::json(&rows))?;
    } else {
        let style = Style(out::styled_stdout(global.color));
        out::styled_lines(&show::table(&rows, global.verbose > 0, style))?;
    }
    out::say(global, &show::summary(&rows));
    let dead = |row: &Row| row.is_gone || matches!(row.state, State::Never | State::Lost | State::Unknown);
    Ok(Exit::errors_if(broken || rows.is_empty() || rows.iter().any(dead)))
}

/// Adds the histories that calls keep, with a note at the first call of each policy.
fn add_histories(rows: &mut [Row]) {
    let histories = kept::Histories::read();
    let unknown: Vec<u64> = (rows.iter())
        .map(|row| {
            let same = |other: &&Row| {
                other.call.agent.name == row.call.agent.name && other.call.policies == row.call.policies
            };
            rows.iter().filter(same).map(|row| row.seen.unknown).fold(0, u64::saturating_add)
        })
        .collect();
    for (row, unknown) in rows.iter_mut().zip(unknown) {
        row.kept = histories.kept_for(&row.call);
        let policies: Vec<String> = row.call.policies.iter().map(|policy| show::near(policy)).collect();
        row.notes.extend(row.kept.iter().flat_map(|kept| kept.notes(&policies.join(" "), unknown)));
    }
}

fn row(call: Call, tally: &Tally, records: &records::Records, more: &[PathBuf]) -> Row {
    let installed = records.time(&call).map(str::to_owned);
    let seen = tally.log_of(&call, installed.as_deref());
    let (mut state, mut notes) = (State::Never, Vec::new());
    match &call.log {
        Log::None if more.is_empty() => {
            state = State::Unlogged;
            notes.push("the call has `--no-log`: its state is unknown".to_owned());
        }
        Log::Unknown(why) if more.is_empty() => {
            state = State::Unknown;
            notes.push(why.clone());
        }
        Log::File(path) => {
            // For a call that was made, the start of the log does not matter.
            let since = installed.as_deref().filter(|installed| !seen.is_alive(Some(installed)));
            notes.extend(tally.notes(path, &call, since));
            if tally.failed(path) {
                state = State::Unknown;
            }
        }
        Log::None | Log::Unknown(_) => {}
    }
    if seen.is_alive(installed.as_deref()) {
        state = State::Called;
    }
    let line = Some(&call.start.line).filter(|_| call.start.args.is_none());
    let lost = line.and_then(|line| in_script(line, call.agent.agent(), &call.event));
    if let Some(lost) = lost.filter(|lost| lost.code == Code::W0685) {
        state = State::Lost;
        let help = lost.help.unwrap_or_default();
        notes.push(format!("{}: {}: {help} ({})", call.at, lost.message, lost.code.name()));
    }
    let trouble = program::trouble(&call.program);
    let is_gone = trouble.as_ref().is_some_and(|trouble| trouble.is_gone);
    notes.extend(trouble.map(|trouble| format!("{}: {}", trouble.message, trouble.help)));
    Row { call, state, installed, seen, is_gone, kept: None, notes }
}
