//! For people: a line for each file, or a table of the cases, then what failed and why, then coverage.

use std::fmt::Write;

use comfy_table::Table;
use hookc_compiler::testing::{Case, CaseKind, Coverage, HookCoverage, Outcomes};
use hookc_schema::terminal::escape;
use hookc_schema::{Sources, Span};

use super::session::Report;
use crate::out::plural;
use crate::screen::{self, Colour, Style, cut};

/// Characters of a cell.
const CELL: usize = 60;

/// Hooks that no test exercises which are named, without `-v`.
const NAMED: usize = 8;

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbosity {
    /// Only what failed.
    Quiet,
    Normal,
    /// Every hook that no test exercises, with its location.
    Verbose,
}

/// The files or the cases, and all that follows them.
pub(super) fn report(report: &Report, verbosity: Verbosity, style: Style) -> String {
    let mut text = String::new();
    let quiet = verbosity == Verbosity::Quiet;
    match verbosity {
        _ if report.cases.is_empty() => {}
        Verbosity::Quiet => {}
        Verbosity::Normal => text.push_str(&files(report, style)),
        Verbosity::Verbose => push(&table(report), &mut text),
    }
    for case in report.cases.iter().filter(|case| !case.passed()) {
        failed(case, &report.sources, style, &mut text);
    }
    if let Some(coverage) = &report.coverage {
        self::coverage(coverage, &report.sources, quiet, &mut text);
    }
    if !quiet || report.failed() > 0 {
        let _ = writeln!(text, "{}", summary(report, style));
    }
    if !quiet {
        text.push_str(&exercised(report, verbosity));
    }
    text
}

/// A line for each file with cases.
fn files(report: &Report, style: Style) -> String {
    let width = usize::from(screen::width().unwrap_or(screen::PIPE));
    let mut text = String::new();
    for (file, cases) in report.by_file() {
        let (total, failed) = (cases.len(), cases.iter().filter(|case| !case.passed()).count());
        let kind = cases.first().map_or("test", |case| case.kind.name());
        let (result, count) = match failed {
            0 => (style.paint("ok    ", Colour::Green), plural(total, kind)),
            _ => (style.paint("FAILED", Colour::Red), format!("{failed} of {}", plural(total, kind))),
        };
        // The result, and three times two spaces.
        let rest = "FAILED".len() + 4 + count.len();
        let file = screen::cut_start(file, width.saturating_sub(rest));
        let _ = writeln!(text, "{result}  {file}  {count}");
    }
    text.push('\n');
    text
}

/// A table of the cases.
fn table(report: &Report) -> Table {
    let mut table = screen::table(["", "test", "event", "outcome", "source"]);
    for case in &report.cases {
        let result = if case.passed() { "ok" } else { "FAILED" };
        let event = case.event.as_deref().unwrap_or("-");
        let source = report.sources.location(case.span);
        let cells = [result, &case.name, event, &case.outcome];
        table.add_row(cells.map(cell).into_iter().chain([screen::cut_start(&source, CELL)]));
    }
    table
}

/// The number of hooks that no test exercises, and their names.
fn exercised(report: &Report, verbosity: Verbosity) -> String {
    let Some(counts) = report.exercised.as_ref().filter(|counts| counts.total() > 0) else {
        return String::new();
    };
    let (missing, total) = (counts.missing(), counts.total());
    if missing.is_empty() {
        return format!(
            "tests exercise {}\n",
            if total == 1 { "the hook".to_owned() } else { format!("all {total} hooks") }
        );
    }
    let count = format!("no test exercises {} of {}", missing.len(), plural(total, "hook"));
    if verbosity == Verbosity::Verbose {
        let location = |span| report.sources.location(span);
        let lines = missing
            .iter()
            .map(|(label, span)| format!("  {}: `{}`\n", escape(&location(*span)), cell(label)));
        return format!("{count}:\n{}", lines.collect::<String>());
    }
    let names: Vec<String> =
        missing.iter().take(NAMED).map(|(label, _)| format!("`{}`", cell(label))).collect();
    let more = missing.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more (`-v` shows all)") } else { String::new() };
    format!("{count}: {}{more}\n", names.join(", "))
}

/// Why the coverage is too low, with the outcomes that are missing; `None` if it is not.
pub(super) fn uncovered(report: &Report, least: u8) -> Option<String> {
    let coverage = report.coverage.as_ref()?;
    let (seen, of) = coverage.outcomes();
    if seen * 100 >= of * usize::from(least) {
        return None;
    }
    let missing: String = coverage.hooks().iter().flat_map(|hook| gaps(hook, &report.sources)).collect();
    Some(format!("hookc: {}: less than {least}%; not covered:\n{missing}", share(coverage)))
}

/// A line per case that failed, and the summary.
pub(super) fn short(report: &Report) -> String {
    let mut text = String::new();
    for case in report.cases.iter().filter(|case| !case.passed()) {
        for failure in &case.failures {
            let (location, name) = (report.sources.location(case.span), escape(&case.name));
            let location = escape(&location);
            let _ = writeln!(text, "{location}: {name}: {}", escape(&failure.message));
        }
    }
    if let Some(coverage) = &report.coverage {
        let _ = writeln!(text, "{}", share(coverage));
    }
    let _ = writeln!(text, "{}", summary(report, Style(false)));
    text.push_str(&exercised(report, Verbosity::Normal));
    text
}

/// A table and an empty line.
fn push(table: &Table, text: &mut String) {
    text.push_str(&screen::lines(table));
    text.push('\n');
}

fn cell(text: &str) -> String {
    cut(text, CELL)
}

fn failed(case: &Case, sources: &Sources, style: Style, text: &mut String) {
    let head = style.paint(&format!("{} failed", case.kind.name()), Colour::Red);
    let _ = writeln!(text, "{head}: {}", escape(&case.name));
    let _ = writeln!(text, "  at {}", escape(&sources.location(case.span)));
    for failure in &case.failures {
        let _ = writeln!(text, "  {}", escape(&failure.message));
        for why in &failure.because {
            let _ = writeln!(text, "    {}", escape(why));
        }
    }
    text.push('\n');
}

fn summary(report: &Report, style: Style) -> String {
    let (failed, count) = (report.failed(), report.cases.len());
    let (tests, examples) = (report.count(CaseKind::Test), report.count(CaseKind::Example));
    let kinds = format!("{}, {}", plural(tests, "test"), plural(examples, "example"));
    let colour = if failed == 0 { Colour::Green } else { Colour::Red };
    let mut line =
        style.paint(&format!("{} passed, {failed} failed", count - failed), colour) + &format!(" ({kinds})");
    let errors = report.errors().count();
    if errors > 0 {
        let _ = write!(line, "; {}", plural(errors, "error"));
    }
    line
}

fn share(coverage: &Coverage) -> String {
    let (seen, of) = coverage.outcomes();
    let percent = (seen * 100).checked_div(of).unwrap_or(100);
    format!("coverage: {seen} of {of} outcomes ({percent}%)")
}

fn coverage(counts: &Coverage, sources: &Sources, quiet: bool, text: &mut String) {
    let hooks = counts.hooks();
    if !quiet && !hooks.is_empty() {
        let mut table =
            screen::table(["hook", "matched", "not matched", "leaves both true and false", "source"]);
        for hook in &hooks {
            let both = hook.leaves.iter().filter(|leaf| leaf.held.seen() == 2).count();
            let leaves = format!("{both} of {}", hook.leaves.len());
            let (yes, no) = (hook.matched.yes.to_string(), hook.matched.no.to_string());
            let source = sources.location(hook.span);
            table.add_row([hook.label.as_str(), &yes, &no, &leaves, &source].map(cell));
        }
        push(&table, text);
    }
    if !quiet {
        let missing: String = hooks.iter().flat_map(|hook| gaps(hook, sources)).collect();
        if !missing.is_empty() {
            let _ = writeln!(text, "not covered:\n{missing}");
        }
        let _ = writeln!(text, "{}", share(counts));
    }
}

/// A line for each outcome of a hook that was not seen.
fn gaps(hook: &HookCoverage, sources: &Sources) -> Vec<String> {
    let mut lines = Vec::new();
    let outcomes = Outcomes { no: if hook.conditional { hook.matched.no } else { 1 }, ..hook.matched };
    let words = ["was never tested", "never matched", "always matched"];
    lines.extend(gap(&hook.label, hook.span, outcomes, hook.matched.seen() == 0, words, sources));
    for leaf in hook.leaves.iter().filter(|_| hook.matched.seen() > 0) {
        let words = ["was never tested", "never true", "always true"];
        lines.extend(gap(&leaf.text, leaf.span, leaf.held, leaf.held.seen() == 0, words, sources));
    }
    for pattern in hook.patterns.iter().filter(|_| hook.matched.seen() > 0) {
        let words = ["was never tested", "never in the history", "always in the history"];
        // Only the start of a selection has to be absent once.
        let no = if pattern.is_anchor { pattern.happened.no } else { 1 };
        let happened = Outcomes { no, ..pattern.happened };
        lines.extend(gap(&pattern.text, pattern.span, happened, false, words, sources));
    }
    lines
}

fn gap(
    what: &str,
    span: Span,
    outcomes: Outcomes,
    untested: bool,
    [never, no, always]: [&str; 3],
    sources: &Sources,
) -> Option<String> {
    let word = match outcomes {
        _ if untested => never,
        Outcomes { yes: 0, .. } => no,
        Outcomes { no: 0, .. } => always,
        _ => return None,
    };
    Some(format!("  {}: `{}` {word}\n", escape(&sources.location(span)), cell(what)))
}
