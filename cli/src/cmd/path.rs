//! `hookc path`: one path on any JSON value.

use std::path::Path;

use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Diagnostic, Diagnostics, Sources, Span};
use hookc_shell::programs::Programs;
use hookc_syntax::expr;
use hookc_vm::Module;

use crate::args::{self, Global, PathArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::{files, load, out};

/// Bytes of lines that are written at once.
const CHUNK: usize = 64 << 10;

pub(crate) fn run(global: &Global, args: &PathArgs) -> Outcome {
    let mut sources = Sources::new();
    let source = sources.add("<path>", args.path.as_str());
    let span = Span::new(source, 0..args.path.len());
    let text = Text { value: args.path.clone(), map: TextMap::Shift(0) };
    let mut diagnostics = Diagnostics::new();
    let path = expr::path::parse_of_event(&text, span, "`hookc path`", &mut diagnostics);
    if let Some(path) = &path {
        hookc_compiler::check::path(path, &mut diagnostics);
    }
    out::diagnostics(global, &diagnostics, &sources);
    let Some(path) = path.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else {
        return Ok(Exit::Errors);
    };
    let json = json(args)?;
    let programs = match &args.policy {
        None => Programs::SHIPPED,
        Some(policy) => {
            let (mut texts, policy) = (files::Texts::default(), std::slice::from_ref(policy));
            let sources =
                args::Sources { no_fs: true, merge: "append".to_owned(), ..args::Sources::default() };
            match load::module(Module::load, policy, &mut texts, &sources, global)? {
                Some((module, _)) => module.programs().clone(),
                None => return Ok(Exit::Errors),
            }
        }
    };
    let (mut lines, mut written) = (String::new(), Ok(()));
    let found = hookc_compiler::lookup::lookup_with(&path, &json, &programs, &mut |node| {
        lines.push_str(node);
        lines.push('\n');
        if lines.len() >= CHUNK && written.is_ok() {
            written = out::json(&lines);
            lines.clear();
        }
        written.is_ok()
    });
    written?;
    found.map_err(|error| Failure::input(error.to_string()))?;
    out::json(&lines)?;
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
    let text = given.trim();
    let looks = text.starts_with(['{', '[', '"', '-'])
        || matches!(text, "true" | "false" | "null")
        || text.starts_with(|c: char| c.is_ascii_digit());
    if !looks && !path.exists() && Path::new(&args.path).is_file() {
        return Err(Failure::usage("the path comes first, then the JSON: `hookc path EXPR JSON`"));
    }
    if looks { Ok(given.clone().into_bytes()) } else { files::bytes(path, limit) }
}
