//! `hookc check`

use hookc_compiler::testing;
use hookc_schema::Severity;

use crate::args::{Check, Global};
use crate::exit::{Exit, Failure, Outcome};
use crate::{load, out};

pub(crate) fn run(global: &Global, args: &Check) -> Outcome {
    let mut built = load::build(&args.files, &args.sources, false)?;
    let least = if args.deny.is_some() { Severity::Warning } else { Severity::Error };
    let bad = built.compiled.diagnostics.iter().any(|d| d.severity >= least);
    let mut failed = false;
    if args.examples && !built.compiled.failed() {
        let cases = testing::examples(&built.compiled, &|_| true, None);
        let told = testing::told(&cases.map_err(|error| Failure::input(error.to_string()))?);
        failed = !told.is_empty();
        built.compiled.diagnostics.extend(told);
        hookc_schema::diag::sort(&mut built.compiled.diagnostics);
    }
    out::diagnostics(global, &built.compiled.diagnostics, &built.sources);
    Ok(if failed && !bad { Exit::Failed } else { Exit::errors_if(bad) })
}
