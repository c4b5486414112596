//! The policy of a command that answers a program other than its user.

use std::path::PathBuf;

use hookc_vm::Module;

use crate::args::Sources;
use crate::exit::Failure;
use crate::files::Texts;
use crate::load::{self, Built, Reader};

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
    if let Some(module) = load::ready_by(reader, files, texts, sources).map_err(said)? {
        return Ok(module);
    }
    let built = load::build(files, texts, sources, false).map_err(said)?;
    tell(&built);
    if let Some(bytes) = built.compiled.module {
        return reader(bytes).map_err(|error| error.to_string());
    }
    let first = built.compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    let first = first.map(|diagnostic| diagnostic.message.as_str()).unwrap_or_default();
    Err(format!("the policy does not compile: {first} (run `hookc check` for details)"))
}
