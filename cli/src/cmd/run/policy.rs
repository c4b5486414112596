//! The policy of a command that answers a program other than its user.

use std::path::PathBuf;

use hookc_vm::Module;

use super::record::no_conflict;
use crate::args::Sources;
use crate::cache::Entry;
use crate::exit::Failure;
use crate::files::Texts;
use crate::load::{self, Built, Reader};
use crate::out;

/// The module of a policy, read by `reader`; the error is the first one, and `tell` can report more from the
/// compiler.
pub(crate) fn module(
    reader: Reader,
    files: &[PathBuf],
    texts: &mut Texts,
    sources: &Sources,
    tell: impl FnOnce(&Built),
) -> Result<Module, String> {
    let said = |failure: Failure| failure.to_string();
    if let Some(module) = load::module_file(reader, files, texts, sources).map_err(said)? {
        return Ok(module);
    }
    let built = load::build(files, texts, sources, false).map_err(said)?;
    tell(&built);
    if let Some(bytes) = built.compiled.module {
        return reader(bytes).map_err(|error| error.to_string());
    }
    Err(format!("the policy does not compile: {}", first_error(&built, files)))
}

/// Like `module`, from the cache if it is there; a compilation about which `tell` says something is not kept. Whether the
/// history keeps what is redacted is checked once: a module that is in the cache for these options keeps none of it.
pub(super) fn cached(
    files: &[PathBuf],
    texts: &mut Texts,
    sources: &Sources,
    tell: impl FnOnce(&Built) -> bool,
) -> Result<Module, String> {
    let said = |failure: Failure| failure.to_string();
    let fits = |module: Module| no_conflict(&module, &sources.redacted).map(|()| module);
    if let Some(module) = load::module_file(Module::open, files, texts, sources).map_err(said)? {
        return fits(module);
    }
    let accept = |entry: Entry| Module::open(entry.module).ok().map(Ok);
    let compiled = |built: Built| {
        let has_said = tell(&built);
        let Some(bytes) = &built.compiled.module else {
            return (None, Err(format!("the policy does not compile: {}", first_error(&built, files))));
        };
        let module = Module::open(bytes.clone()).map_err(|error| error.to_string()).and_then(fits);
        (built.entry().filter(|_| !has_said && module.is_ok()), module)
    };
    load::cached(files, texts, sources, accept, compiled).map_err(said)?
}

/// The first error with its location, the number of the others, and the command that shows them.
pub(crate) fn first_error(built: &Built, files: &[PathBuf]) -> String {
    let mut errors = built.compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let Some(first) = errors.next() else { return String::new() };
    let location = first.span().map(|span| format!("{}: ", built.sources.location(span)));
    let others = match errors.count() {
        0 => String::new(),
        count => format!(" (and {})", out::plural(count, "other error")),
    };
    let names = files.iter().map(|file| file.to_string_lossy());
    let checked = first.span().map(|span| built.sources.name(span.source).into());
    let checked = if files.is_empty() { checked.into_iter().collect() } else { names.collect::<Vec<_>>() };
    let words = std::iter::once("hookc check").chain(checked.iter().map(|name| name.as_ref()));
    let command = words.collect::<Vec<_>>().join(" ");
    format!("{}{}{others}; run `{command}`", location.unwrap_or_default(), first.message)
}
