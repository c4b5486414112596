//! `hookc path`: one path on any JSON value.

use std::path::Path;

use hookc_compiler::expr;
use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Code, Diagnostic, Sources, Span};

use crate::args::{Global, PathArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::{files, out};

pub(crate) fn run(global: &Global, args: &PathArgs) -> Outcome {
    let mut sources = Sources::new();
    let source = sources.add("<path>", args.path.as_str());
    let span = Span::new(source, 0..args.path.len());
    let text = Text { value: args.path.clone(), map: TextMap::Shift(0) };
    let mut diagnostics = Vec::new();
    let path = expr::path::parse(&text, span, &mut diagnostics);
    let steps = path.as_ref().and_then(hookc_schema::tree::Path::singular);
    if let (Some(_), None) = (&path, &steps) {
        diagnostics.push(Diagnostic::new(
            Code::E0701,
            span,
            "a path with several results is not supported yet",
        ));
    }
    out::diagnostics(global, &diagnostics, &sources);
    let Some(steps) = steps.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else {
        return Ok(Exit::Errors);
    };
    let json = json(args)?;
    match hookc_compiler::lookup::lookup(&steps, &json) {
        Ok(Some(node)) => out::stdout((node + "\n").as_bytes())?,
        Ok(None) => {}
        Err(error) => return Err(Failure::input(error.to_string())),
    }
    Ok(Exit::Done)
}

/// The JSON of the argument: a file, `-`, or the text itself.
fn json(args: &PathArgs) -> Result<Vec<u8>, Failure> {
    let limit = hookc_vm::limits::EVENT_BYTES;
    let Some(given) = &args.json else { return files::bytes(Path::new("-"), limit) };
    let path = Path::new(given);
    if files::is_stdin(path) || path.is_file() {
        return files::bytes(path, limit);
    }
    let looks = given.trim_start().starts_with(['{', '[', '"', '-', 't', 'f', 'n'])
        || given.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if looks { Ok(given.clone().into_bytes()) } else { files::bytes(path, limit) }
}
