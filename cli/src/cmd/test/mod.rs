//! `hookc test`: test files and inline examples of policies.
//!
//! `gather.rs` finds the files, `session.rs` runs them, and each format has a
//! file: `text.rs`, `json.rs`, `junit.rs`. `watch.rs` runs them again.

mod gather;
mod json;
mod junit;
mod session;
mod text;
mod watch;

use std::path::PathBuf;

use session::Session;
use text::Verbosity;

use crate::args::{Format, Global, Test};
use crate::exit::{Exit, Failure, Outcome};
use crate::out;
use crate::screen::Style;

pub(crate) fn run(global: &Global, args: &Test) -> Outcome {
    if args.watch {
        return watch::run(global, args);
    }
    Ok(once(global, args)?.0)
}

/// Runs the tests once; also returns the files that they read.
fn once(global: &Global, args: &Test) -> Result<(Exit, Vec<PathBuf>), Failure> {
    let mut session = Session::new(args);
    for found in gather::gather(&args.paths)? {
        session.file(&found)?;
    }
    let report = session.report();
    out::diagnostics(global, &report.shown_diagnostics(global.verbose > 0), &report.sources);
    if report.cases.is_empty() && report.errors().next().is_none() {
        let why = match &args.filter {
            Some(filter) => format!(
                "no test and no example has `{filter}` in its name: without `--filter`, `hookc test -v` shows all names"
            ),
            None => "no test and no example found: add `examples:` to a hook, or write a `*.test.yaml` file"
                .to_owned(),
        };
        return Err(Failure::usage(why));
    }
    let verbosity = if global.quiet {
        Verbosity::Quiet
    } else if global.verbose > 0 {
        Verbosity::Verbose
    } else {
        Verbosity::Normal
    };
    let style = Style(out::styled_stdout(global.color));
    let text = match global.format {
        Format::Text => text::report(&report, verbosity, style),
        Format::Short | Format::Sarif | Format::Github => text::short(&report),
        Format::Json => json::json(&report),
        Format::Junit => junit::junit(&report)?,
    };
    match global.format {
        Format::Json => out::json(&text),
        Format::Text => out::styled_lines(&text),
        _ => out::text(&text),
    }?;
    let missing = args.coverage_fail_under.and_then(|least| text::uncovered(&report, least));
    if let Some(missing) = &missing {
        // `-q` also prints why the run fails.
        out::complain(missing.trim_end());
    }
    Ok((exit(&report, missing.is_none()), report.files))
}

fn exit(report: &session::Report, covered: bool) -> Exit {
    match () {
        () if report.errors().next().is_some() => Exit::Errors,
        () if report.failed() > 0 || !covered => Exit::Failed,
        () => Exit::Done,
    }
}
