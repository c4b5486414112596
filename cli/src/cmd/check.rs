//! `hookc check`

use std::collections::BTreeMap;

use comfy_table::{ContentArrangement, Table, presets};
use hookc_compiler::testing;
use hookc_schema::{Severity, diag};
use serde::Serialize;

use crate::args::{Check, Format, Global, Sources};
use crate::exit::{Exit, Failure, Outcome};
use crate::load::Built;
use crate::{discover, load, out};

pub(crate) fn run(global: &Global, args: &Check) -> Outcome {
    let sources = Sources { hosts: args.hosts.clone(), ..args.sources.clone() };
    if !args.files.iter().any(|path| path.is_dir()) {
        let mut built = load::build(&args.files, &sources, false)?;
        return unit(global, args, &mut built);
    }
    let mut ends = Vec::new();
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for found in discover::units(&args.files)? {
        let mut built = load::unit(&found, &sources)?;
        ends.push(unit(global, args, &mut built)?);
        let dialect = found.dialect.map_or("as named", |dialect| dialect.name());
        counts.entry(dialect).or_default().add(&built, found.paths.len());
    }
    let text = if global.format == Format::Json { json(&counts) } else { table(&counts) };
    if global.format == Format::Json { out::json(&text) } else { out::text(&text) }?;
    let worst = [Exit::Errors, Exit::Failed].into_iter().find(|worst| ends.contains(worst));
    Ok(worst.unwrap_or(Exit::Done))
}

/// Tells the diagnostics of policies that are linked, and of their examples.
fn unit(global: &Global, args: &Check, built: &mut Built) -> Outcome {
    let least = if args.deny.is_some() { Severity::Warning } else { Severity::Error };
    let bad = built.compiled.diagnostics.iter().any(|d| d.severity >= least);
    let mut failed = false;
    if args.examples && !built.compiled.failed() {
        let cases = testing::examples(&built.compiled, &|_| true, None);
        let told = testing::told(&cases.map_err(|error| Failure::input(error.to_string()))?);
        failed = !told.is_empty();
        built.compiled.diagnostics.extend(told);
        diag::sort(&mut built.compiled.diagnostics);
    }
    built.tell(global);
    Ok(if failed && !bad { Exit::Failed } else { Exit::errors_if(bad) })
}

/// What was found of a dialect.
#[derive(Default, Serialize)]
struct Count {
    files: usize,
    hooks: usize,
    errors: usize,
    warnings: usize,
}

impl Count {
    fn add(&mut self, built: &Built, files: usize) {
        let told = |severity| built.compiled.diagnostics.iter().filter(|d| d.severity == severity).count();
        self.files += files;
        self.hooks += built.written().map(|(policy, _)| policy.hooks.len()).sum::<usize>();
        self.errors += told(Severity::Error);
        self.warnings += told(Severity::Warning);
    }
}

fn json(counts: &BTreeMap<&str, Count>) -> String {
    counts
        .iter()
        .map(|count| serde_json::json!({"dialect": count.0, "found": count.1}).to_string() + "\n")
        .collect()
}

fn table(counts: &BTreeMap<&str, Count>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["dialect", "files", "hooks", "errors", "warnings"]);
    for (dialect, count) in counts {
        let numbers = [count.files, count.hooks, count.errors, count.warnings].map(|n| n.to_string());
        table.add_row(std::iter::once((*dialect).to_owned()).chain(numbers));
    }
    format!("{table}\n")
}
