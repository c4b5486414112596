//! `hookc check`

use hookc_schema::Severity;

use crate::args::{Check, Global};
use crate::exit::{Exit, Outcome};
use crate::load;

pub(crate) fn run(global: &Global, args: &Check) -> Outcome {
    let built = load::build(&args.files, &args.sources, false)?;
    built.tell(global);
    let least = if args.deny.is_some() { Severity::Warning } else { Severity::Error };
    Ok(Exit::errors_if(built.compiled.diagnostics.iter().any(|d| d.severity >= least)))
}
