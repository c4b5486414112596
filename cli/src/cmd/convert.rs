//! `hookc convert`

use std::path::Path;

use hookc_compiler::write::{self, Loss, Written};
use hookc_compiler::{Dialect, Input, front};
use hookc_schema::diag;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Sources};

use crate::args::{Convert, Global};
use crate::exit::{Exit, Failure, Outcome};
use crate::{files, load, out};

pub(crate) fn run(global: &Global, args: &Convert) -> Outcome {
    let target = load::dialect(&args.to)?;
    let dialect = args.dialect.as_deref().map(load::dialect).transpose()?;
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = match files::source(&args.file)? {
        Ok(text) => text,
        Err(diagnostic) => return Ok(tell(global, &[diagnostic], &sources)),
    };
    let input = Input { source: sources.add(files::name(&args.file), text), dialect, layer: None };
    let policy = front::read(&sources, &input, &Vocabulary::builtin(), &mut diagnostics);
    let (written, losses) = write::write(&policy, target);
    diagnostics.extend(losses.iter().map(|loss| told(loss, target, args.lossy)));
    diag::sort(&mut diagnostics);
    let exit = tell(global, &diagnostics, &sources);
    if exit == Exit::Done {
        put(args.output.as_deref(), &written)?;
    }
    Ok(exit)
}

/// One text goes to the file or to standard output; several into a folder.
fn put(output: Option<&Path>, written: &[Written]) -> Result<(), Failure> {
    let folder = output.filter(|path| path.is_dir());
    for one in written {
        match (&one.name, folder) {
            (Some(name), Some(folder)) => files::create(&folder.join(name), one.text.as_bytes())?,
            _ if written.len() > 1 => {
                return Err(Failure::usage(
                    "this becomes several files: name a folder that is there with `-o`",
                ));
            }
            _ => files::write(output.unwrap_or(Path::new("-")), one.text.as_bytes())?,
        }
    }
    Ok(())
}

fn told(loss: &Loss, target: Dialect, lossy: bool) -> Diagnostic {
    let mut told = write::diagnostic(loss, target);
    if lossy {
        told.severity = hookc_schema::Severity::Warning;
    }
    told
}

fn tell(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) -> Exit {
    out::diagnostics(global, diagnostics, sources);
    Exit::errors_if(diagnostics.iter().any(Diagnostic::is_error))
}
