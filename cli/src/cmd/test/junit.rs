//! For build servers: JUnit XML, one suite per file, one case per event, and one per error that
//! prevented a file from being tested.

use std::io;

use hookc_compiler::testing::Case;
use hookc_schema::Diagnostic;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::session::Report;

type Out = Writer<Vec<u8>>;

/// The report as XML.
pub(super) fn junit(report: &Report) -> io::Result<String> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
    let errors: Vec<&Diagnostic> = report.errors().collect();
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let (tests, failures) = (report.cases.len() + errors.len(), report.failed());
    let totals = [("tests", tests), ("failures", failures), ("errors", errors.len())];
    let totals = totals.map(|(key, count)| (key, count.to_string()));
    out.create_element("testsuites")
        .with_attribute(("name", "hookc"))
        .with_attributes(totals.iter().map(|(key, count)| (*key, count.as_str())))
        .write_inner_content(|out| {
            properties(out, report)?;
            for (file, cases) in report.by_file() {
                suite(out, file, cases, report)?;
            }
            if errors.is_empty() { Ok(()) } else { broken(out, &errors, report) }
        })?;
    let mut text = String::from_utf8_lossy(&out.into_inner()).into_owned();
    text.push('\n');
    Ok(text)
}

/// The number of hooks, and of those that no test exercises.
fn properties(out: &mut Out, report: &Report) -> io::Result<()> {
    let Some(exercised) = &report.exercised else { return Ok(()) };
    let values = [("hooks", exercised.total()), ("hooks.not_exercised", exercised.missing().len())];
    out.create_element("properties").write_inner_content(|out| {
        values.iter().try_for_each(|(name, value)| {
            let value = value.to_string();
            out.create_element("property")
                .with_attribute(("name", *name))
                .with_attribute(("value", value.as_str()))
                .write_empty()
                .map(drop)
        })
    })?;
    Ok(())
}

fn suite(out: &mut Out, file: &str, cases: &[Case], report: &Report) -> io::Result<()> {
    let failed = cases.iter().filter(|case| !case.passed()).count();
    out.create_element("testsuite")
        .with_attribute(("name", clean(file).as_str()))
        .with_attribute(("tests", cases.len().to_string().as_str()))
        .with_attribute(("failures", failed.to_string().as_str()))
        .with_attribute(("errors", "0"))
        .write_inner_content(|out| cases.iter().try_for_each(|case| one(out, file, case, report)))?;
    Ok(())
}

fn one(out: &mut Out, file: &str, case: &Case, report: &Report) -> io::Result<()> {
    let (line, _) = report.sources.line_col(case.span);
    let element = out
        .create_element("testcase")
        .with_attribute(("name", clean(&case.name).as_str()))
        .with_attribute(("classname", clean(file).as_str()))
        .with_attribute(("file", clean(file).as_str()))
        .with_attribute(("line", line.to_string().as_str()));
    if case.passed() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|out| {
        for failure in &case.failures {
            let lines = [failure.message.clone()].into_iter().chain(failure.because.iter().cloned());
            let text = clean(&lines.collect::<Vec<_>>().join("\n"));
            out.create_element("failure")
                .with_attribute(("message", clean(&failure.message).as_str()))
                .write_text_content(BytesText::new(&text))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn broken(out: &mut Out, errors: &[&Diagnostic], report: &Report) -> io::Result<()> {
    let count = errors.len().to_string();
    out.create_element("testsuite")
        .with_attribute(("name", "files that could not be tested"))
        .with_attribute(("tests", count.as_str()))
        .with_attribute(("failures", "0"))
        .with_attribute(("errors", count.as_str()))
        .write_inner_content(|out| errors.iter().try_for_each(|error| one_error(out, error, report)))?;
    Ok(())
}

fn one_error(out: &mut Out, error: &Diagnostic, report: &Report) -> io::Result<()> {
    let location = error.span().map(|span| report.sources.location(span)).unwrap_or_default();
    let message = format!("{}: {}", error.code, error.message);
    out.create_element("testcase")
        .with_attribute(("name", clean(&message).as_str()))
        .with_attribute(("classname", clean(&location).as_str()))
        .write_inner_content(|out| {
            out.create_element("error")
                .with_attribute(("message", clean(&message).as_str()))
                .write_empty()?;
            Ok(())
        })?;
    Ok(())
}

/// Text that XML can represent: most control characters have no spelling.
fn clean(text: &str) -> String {
    let holds = |c: char| matches!(c, '\t' | '\n' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
    text.chars().map(|c| if holds(c) { c } else { '\u{fffd}' }).collect()
}
