//! The policy of a command that answers somebody else than its user.

use std::path::PathBuf;

use hookc_vm::Module;

use crate::args::{Global, Sources};
use crate::exit::Failure;
use crate::load;

/// The module of a policy. Diagnostics would mix with what the caller reads: only
/// the first error is told, and all of them with `-v`. `what` is who does not
/// compile: `the policy does`.
pub(crate) fn module(
    global: &Global,
    files: &[PathBuf],
    sources: &Sources,
    what: &str,
) -> Result<Module, String> {
    let said = |failure: Failure| failure.to_string();
    if let Some(module) = load::ready(files, sources).map_err(said)? {
        return Ok(module);
    }
    let built = load::build(files, sources, false).map_err(said)?;
    if global.verbose > 0 {
        built.tell(global);
    }
    if let Some(bytes) = built.compiled.module {
        return Module::load(bytes).map_err(|error| error.to_string());
    }
    let first = built.compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    let first = first.map(|diagnostic| diagnostic.message.as_str()).unwrap_or_default();
    Err(format!("{what} not compile: {first} (`hookc check` tells more)"))
}
