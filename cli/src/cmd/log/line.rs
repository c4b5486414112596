//! A line of the log for people. All of it comes from events and from files of others, so it is escaped.

use std::borrow::Cow;

use hookc_schema::terminal::escape;
use serde::Deserialize;

use crate::args::{Format, Global};
use crate::exit::Failure;
use crate::{out, screen};

/// The parts of a line that are shown.
#[derive(Deserialize)]
struct Logged<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    #[serde(borrow)]
    host: Cow<'l, str>,
    #[serde(borrow)]
    outcome: Cow<'l, str>,
    event: Option<Cow<'l, str>>,
    session: Option<Cow<'l, str>>,
    tool: Option<Cow<'l, str>>,
    summary: Option<Cow<'l, str>>,
    error: Option<Cow<'l, str>>,
    /// Why a person paused the guards.
    reason: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    hooks: Vec<Hook<'l>>,
}

#[derive(Deserialize)]
struct Hook<'l> {
    #[serde(borrow)]
    hook: Cow<'l, str>,
    #[serde(borrow)]
    outcome: Cow<'l, str>,
}

/// Outcomes that prevent a call, with their colours on a terminal: red and yellow.
const PREVENTED: [(&str, u8); 4] = [("deny", 31), ("ask", 33), ("stop", 31), ("error", 31)];

/// Outcomes of calls in a window of `hookc pause`, and of its start and its end: these lines are shown too.
const PAUSED: [&str; 3] = ["paused", "pause", "resume"];

/// The lines that are shown.
pub(super) struct Selection {
    /// The start of the times.
    pub(super) since: String,
    pub(super) session: Option<String>,
    pub(super) host: Option<String>,
    /// Whether it also has calls that no hook prevented.
    pub(super) has_all: bool,
}

/// Prints the selected lines of logs, and counts them.
pub(super) struct Printer {
    selection: Selection,
    is_json: bool,
    is_quiet: bool,
    is_styled: bool,
    /// The day of the last line.
    day: String,
    calls: usize,
    /// Lines of a decision log, also those that are not selected.
    lines: usize,
    counts: [usize; PREVENTED.len()],
    strange: usize,
}

impl Printer {
    pub(super) fn new(global: &Global, selection: Selection) -> Self {
        let is_styled = out::styled_stdout(global.color);
        let (is_json, is_quiet) = (global.format == Format::Json, global.quiet);
        let counts = [0; PREVENTED.len()];
        Self {
            selection,
            is_json,
            is_quiet,
            is_styled,
            day: String::new(),
            calls: 0,
            lines: 0,
            counts,
            strange: 0,
        }
    }

    /// Prints a line if it is selected.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), Failure> {
        let Ok(logged) = serde_json::from_slice::<Logged<'_>>(line) else {
            self.strange += 1;
            return Ok(());
        };
        self.lines += 1;
        let is_asked = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
        };
        let Selection { since, session, host, has_all } = &self.selection;
        if *logged.time < **since
            || !is_asked(session, logged.session.as_deref())
            || !is_asked(host, Some(&logged.host))
        {
            return Ok(());
        }
        let is_paused = PAUSED.contains(&&*logged.outcome);
        // A person made the start and the end of a window.
        self.calls += usize::from(!is_paused || logged.outcome == "paused");
        let prevented = PREVENTED.iter().position(|(name, _)| *name == logged.outcome);
        if let Some(count) = prevented.and_then(|at| self.counts.get_mut(at)) {
            *count += 1;
        } else if !has_all && !is_paused {
            return Ok(());
        }
        if self.is_json {
            return out::json(&format!("{}\n", String::from_utf8_lossy(line).trim_end()));
        }
        let colour = prevented.and_then(|at| PREVENTED.get(at)).map(|(_, colour)| *colour);
        let text = self.shown(&logged, colour);
        out::styled_lines(&text)
    }

    /// The line for people, after the day if that is another one.
    fn shown(&mut self, logged: &Logged<'_>, colour: Option<u8>) -> String {
        let (day, time) = logged.time.split_once('T').unwrap_or((&logged.time, ""));
        let mut text = String::new();
        if day != self.day {
            text = format!("{}\n", escape(day));
            day.clone_into(&mut self.day);
        }
        let clock: String = time.chars().take("00:00:00".len()).collect();
        let outcome = format!("{:<5}", escape(&logged.outcome));
        let tool = logged.tool.as_deref().or(logged.event.as_deref()).unwrap_or_default();
        let about = logged.summary.as_deref().or(logged.error.as_deref()).or(logged.reason.as_deref());
        let about = about.unwrap_or_default();
        let decided = logged.hooks.iter().filter(|hook| hook.outcome == logged.outcome);
        let hooks: Vec<&str> = decided.map(|hook| &*hook.hook).collect();
        let hooks = if hooks.is_empty() { String::new() } else { format!("  [{}]", hooks.join(", ")) };
        let who = escape(&format!("{:<7} {tool:<12} ", logged.host)).into_owned();
        let start = format!("  {}  {outcome}  {who}", escape(&clock));
        let line = screen::hanging(&start, &escape(&format!("{about}{hooks}")), screen::width());
        let line = match colour.filter(|_| self.is_styled) {
            Some(colour) => line.replacen(&*outcome, &format!("\u{1b}[{colour}m{outcome}\u{1b}[0m"), 1),
            None => line,
        };
        format!("{text}{line}\n")
    }

    /// Whether there were lines, but none of a decision log.
    pub(super) const fn is_foreign(&self) -> bool {
        self.lines == 0 && self.strange > 0
    }

    /// Prints how many calls were prevented.
    pub(super) fn summary(&self) -> Result<(), Failure> {
        if self.is_json || self.is_quiet {
            return Ok(());
        }
        let named = PREVENTED.iter().zip(self.counts).filter(|(_, count)| *count > 0);
        let named: Vec<String> = named.map(|((name, _), count)| format!("{count} {name}")).collect();
        let prevented = if named.is_empty() { "nothing was denied".to_owned() } else { named.join(", ") };
        let calls = out::plural(self.calls, "call");
        let mut text = format!("{prevented} of {calls} since {} (UTC)\n", self.selection.since);
        if self.strange > 0 {
            text += &format!("{} not of a decision log\n", out::plural(self.strange, "line"));
        }
        out::lines(&text)
    }
}
