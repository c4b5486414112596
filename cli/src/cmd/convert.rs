//! `hookc convert`

use std::path::Path;

use hookc_compiler::{Dialect, Input};
use hookc_schema::agents::Agent;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics, Sources};
use hookc_syntax::front;
use hookc_syntax::write::{self, Loss, Written};

use crate::args::{Convert, Global};
use crate::edit::save;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{self, NamedDirectories};
use crate::{load, out};

pub(crate) fn run(global: &Global, args: &Convert) -> Outcome {
    let target = load::target(&args.to)?;
    if let Some(agent) = target.agent() {
        return Err(read_only(agent));
    }
    if let Some(output) = &args.output {
        files::reject_input(output, [&args.file])?;
    }
    let dialect = args.dialect.as_deref().map(load::dialect).transpose()?;
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = match files::source(&args.file)? {
        Ok(text) => text,
        Err(diagnostic) => return Ok(report(global, &[diagnostic], &sources)),
    };
    NamedDirectories::new([&args.file]).reject_elsewhere(&args.file)?;
    let source = sources.add(files::name(&args.file), text);
    let input = Input::new(source).with_dialect(dialect);
    let policy = front::read(&sources, &input, &Vocabulary::builtin(), &mut diagnostics).policy;
    let (policy, inert) = write::executed(&policy, target);
    diagnostics.extend(inert.into_iter().map(|new| allowed(new, args.lossy)));
    let (written, losses) = write::write(&policy, target);
    diagnostics.extend(losses.iter().map(|loss| loss_diagnostic(loss, target, args.lossy)));
    let exit = report(global, &diagnostics.finish(), &sources);
    if exit == Exit::Done {
        put(args.output.as_deref(), &written)?;
    }
    Ok(exit)
}

/// One text goes to the file or to standard output; several go to a directory.
fn put(output: Option<&Path>, written: &[Written]) -> Result<(), Failure> {
    let folder = output.filter(|path| path.is_dir());
    for one in written {
        match (&one.name, folder) {
            (Some(name), Some(folder)) => save::create(&folder.join(name), one.text.as_bytes())?,
            _ if written.len() > 1 => {
                return Err(Failure::usage(
                    "the result is several files: name an existing directory with `-o`",
                ));
            }
            _ => files::write(output.unwrap_or(Path::new("-")), one.text.as_bytes())?,
        }
    }
    Ok(())
}

/// A dialect that is read only.
fn read_only(agent: &Agent) -> Failure {
    let (name, label) = (&agent.name, &agent.label);
    let text = format!("hookc can read but not write hooks files of {label}");
    Failure::usage(match agent.answered {
        true => format!("{text}: `hookc install {name} POLICY` adds a call of the policy to its settings"),
        false => text,
    })
}

/// What a writer cannot express, as a warning if the caller accepts losses.
fn loss_diagnostic(loss: &Loss, target: Dialect, lossy: bool) -> Diagnostic {
    allowed(write::diagnostic(loss, target), lossy)
}

fn allowed(mut new: Diagnostic, lossy: bool) -> Diagnostic {
    if lossy {
        new.severity = hookc_schema::Severity::Warning;
    }
    new
}

fn report(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) -> Exit {
    out::diagnostics(global, diagnostics, sources);
    Exit::errors_if(diagnostics.iter().any(Diagnostic::is_error))
}
