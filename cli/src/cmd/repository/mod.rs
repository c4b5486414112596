//! The hooks of a repository, as `emit` and `ability run` use them.

mod session;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hookc_compiler::{Builtin, Options};
use hookc_runtime::policies;
use hookc_runtime::turn::Guard;
use hookc_schema::{Diagnostic, Severity};
use hookc_vm::Module;

pub(crate) use session::{keep, state};

use crate::args::{Global, RepositoryHooks};
use crate::cmd::run;
use crate::files::Texts;
use crate::out;

/// A guard denies.
pub(crate) const DENIED: u8 = 120;
/// A guard requires a human decision.
pub(crate) const HUMAN: u8 = 121;
/// No decision was possible.
pub(crate) const UNDECIDED: u8 = 122;
/// The directory of repository hooks.
const FOLDER: &str = ".system/hooks";

/// The exit status of a guard. Nothing but an allowed operation gives 0.
pub(crate) fn status(guard: &Guard) -> u8 {
    match guard {
        Guard::Allowed => 0,
        Guard::Denied { require_human: false, .. } => DENIED,
        _ => HUMAN,
    }
}

/// The module of the hooks.
pub(crate) fn module(global: &Global, args: &RepositoryHooks) -> Result<Module, String> {
    let (mut sources, mut texts) = (args.sources.clone(), Texts::default());
    let files = if args.files.is_empty() {
        match nearest(&mut texts)? {
            Found::Hooks(files) => {
                // A guard for an unknown event would let everything through.
                sources.strict = true;
                files
            }
            Found::Nothing(why) if args.require_hooks => return Err(why),
            Found::Nothing(why) => {
                if global.verbose > 0 {
                    out::say(global, &format!("hookc: {why}: there are no hooks"));
                }
                return nothing();
            }
        }
    } else {
        args.files.clone()
    };
    run::module(Module::load, &files, &mut texts, &sources, |built| match built.compiled.module {
        Some(_) => warned(&built.compiled.diagnostics),
        None => built.report(global),
    })
}

/// The module without hooks.
pub(crate) fn nothing() -> Result<Module, String> {
    let options = Options::default().builtin(Builtin::Never);
    let compiled = hookc_compiler::compile(&mut hookc_schema::Sources::new(), &[], &options);
    Module::load(compiled.module.unwrap_or_default()).map_err(|error| error.to_string())
}

/// The files of the hooks in this repository.
pub(crate) enum Found {
    Hooks(Vec<PathBuf>),
    /// No hooks, and why.
    Nothing(String),
}

/// The hooks of this repository: those of the nearest parent directory that has the directory of
/// hooks.
pub(crate) fn nearest(texts: &mut Texts) -> Result<Found, String> {
    let Some(folder) = folder()? else {
        return Ok(Found::Nothing(absent()));
    };
    let found = policies::layer(&folder).map_err(|one| format!("{}: {}", one.path.display(), one.error))?;
    if found.is_empty() {
        return Ok(Found::Nothing(format!("{}: no hooks in this directory", folder.display())));
    }
    let paths = found.keys().cloned().collect();
    texts.add(found);
    Ok(Found::Hooks(paths))
}

/// The message for a missing directory of hooks.
pub(crate) fn absent() -> String {
    format!("no `{FOLDER}` in this directory or above it")
}

/// The nearest directory of hooks. Something else in its place is an error, because its hooks would
/// be missing silently.
pub(crate) fn folder() -> Result<Option<PathBuf>, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let above = here.ancestors().skip(1).map(|folder| folder.join(FOLDER));
    for folder in std::iter::once(PathBuf::from(FOLDER)).chain(above) {
        if is_folder(&folder)? {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}

fn is_folder(path: &Path) -> Result<bool, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(_) => Err(wrong(&"it is not a directory")),
        Err(_) if path.is_symlink() => Err(wrong(&"the symbolic link is broken")),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(wrong(&error)),
    }
}

/// A line only, since it comes with every call.
fn warned(diagnostics: &[Diagnostic]) {
    let is_warning = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Warning;
    if let Some(first) = diagnostics.iter().find(is_warning) {
        let count = diagnostics.iter().filter(is_warning).count();
        let more = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
        say(&format!("warning: {}{more} (run `hookc check` for details)", first.message));
    }
}

/// A message, regardless of `-q`.
pub(crate) fn say(text: &str) {
    out::complain(&format!("hookc: {text}"));
}
