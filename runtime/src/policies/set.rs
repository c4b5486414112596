//! Policies from files and directories, by layer.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hookc_compiler::{Builtin, Compiled, Dialect, Input, Merge, Options};
use hookc_schema::tree::Layer;
use hookc_schema::{Diagnostic, Sources};
use hookc_syntax::limits::SOURCE_BYTES;
use hookc_vm::{LoadError, Module};

use super::{Content, Contents, Unreadable};
use crate::engine::Engine;
use crate::open;
use crate::signed::ModuleError;
use crate::thread::{Returns, ReturnsError};

/// The files of a policy. A directory represents the policies in it
/// ([`policies::layer`](super::layer)), by path; test files and hidden ones are excluded.
///
/// ```no_run
/// use hookc_base::Layer;
/// use hookc_runtime::{Engine, PolicySet};
///
/// let policies = PolicySet::new()
///     .with(Layer::Managed, "/etc/hookc", None)
///     .with_optional(Layer::Project, "hooks.yaml", None);
/// let engine = Engine::new(policies.compile()?);
/// # Ok::<(), hookc_runtime::policies::PolicySetError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PolicySet {
    paths: Vec<Entry>,
    builtin: Builtin,
    merge: Merge,
}

/// Whether a path has a file, a directory or a link, or cannot be looked at: reading it fails then, so that its
/// rules are not missing in silence.
///
/// ```
/// use hookc_runtime::policies::is_there;
///
/// assert!(is_there("/".as_ref()) && !is_there("/no/such/file".as_ref()));
/// ```
#[must_use]
pub fn is_there(path: &Path) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    !matches!(path.symlink_metadata(), Err(error) if matches!(error.kind(), NotFound | NotADirectory))
}

/// A file or directory of a set.
#[derive(Clone, Debug)]
struct Entry {
    layer: Layer,
    path: PathBuf,
    dialect: Option<Dialect>,
    is_optional: bool,
}

impl Entry {
    fn is_left_out(&self) -> bool {
        self.is_optional && !is_there(&self.path)
    }
}

/// Compiled policies, with what the compiler reports about them.
#[derive(Debug)]
#[non_exhaustive]
pub struct CompiledSet {
    /// The module.
    pub module: Module,
    /// The schemas for results of thread actions.
    pub returns: Returns,
    /// The texts that `diagnostics` refers to.
    pub sources: Sources,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why policies give no module.
#[derive(Debug)]
#[non_exhaustive]
pub enum PolicySetError {
    /// A file or directory cannot be read.
    File(PathBuf, io::Error),
    /// A directory has no policy: its layer would be missing in silence.
    NoPolicy(PathBuf),
    /// A file is not UTF-8, or too large.
    Text(PathBuf),
    /// The policies have errors: the sources with their diagnostics.
    Policy(Box<Sources>, Vec<Diagnostic>),
    /// A `return_schema` cannot be honoured.
    Returns(ReturnsError),
    /// The compiler produced a module that does not verify, which is a bug.
    Module(LoadError),
    /// The engine does not accept it.
    Rejected(ModuleError),
}

impl fmt::Display for PolicySetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, _) => write!(f, "cannot read {}", path.display()),
            Self::NoPolicy(path) => write!(f, "{}: no policy in this directory", path.display()),
            Self::Text(path) => write!(f, "{} is not UTF-8, or too large", path.display()),
            Self::Policy(_, diagnostics) => {
                let errors = diagnostics.iter().filter(|d| d.is_error());
                let first = errors.clone().next().map(|d| d.message.as_str()).unwrap_or_default();
                match errors.count() {
                    1 => write!(f, "the policy has 1 error: {first}"),
                    count => write!(f, "the policy has {count} errors: {first}"),
                }
            }
            Self::Returns(error) => error.fmt(f),
            Self::Module(_) => f.write_str("the compiled policy does not verify"),
            Self::Rejected(error) => error.fmt(f),
        }
    }
}

impl Error for PolicySetError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            // Its text is this error's own.
            Self::Returns(error) => error.source(),
            Self::Module(error) => Some(error),
            Self::Rejected(error) => error.source(),
            Self::NoPolicy(_) | Self::Text(_) | Self::Policy(..) => None,
        }
    }
}

impl Engine {
    /// Compiles the policies again, and activates the result.
    ///
    /// # Errors
    /// They cannot be read or do not compile, or the engine accepts signed modules only; the module before
    /// stays.
    pub fn reload_layers(&self, layers: &PolicySet) -> Result<(), PolicySetError> {
        self.swap(layers.compile()?).map_err(PolicySetError::Rejected)
    }
}

impl PolicySet {
    /// Without files and without the shipped hooks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file or directory to a layer. A directory must have a policy.
    #[must_use]
    pub fn with(mut self, layer: Layer, path: impl Into<PathBuf>, dialect: Option<Dialect>) -> Self {
        self.paths.push(Entry { layer, path: path.into(), dialect, is_optional: false });
        self
    }

    /// Like `with` for an optional one, which can be absent, or a directory without policies.
    #[must_use]
    pub fn with_optional(mut self, layer: Layer, path: impl Into<PathBuf>, dialect: Option<Dialect>) -> Self {
        self.paths.push(Entry { layer, path: path.into(), dialect, is_optional: true });
        self
    }

    /// Links the shipped thread hooks, always or with policies of threads.
    #[must_use]
    pub fn with_builtin(mut self, builtin: Builtin) -> Self {
        self.builtin = builtin;
        self
    }

    /// Sets how several settings files of agents are merged.
    #[must_use]
    pub fn with_merge(mut self, merge: Merge) -> Self {
        self.merge = merge;
        self
    }

    /// Whether it has no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Reads, compiles and verifies.
    ///
    /// # Errors
    /// Errors; warnings are ignored. A set without files is valid, and has no hooks.
    pub fn compile(&self) -> Result<Module, PolicySetError> {
        self.build().map(|(module, ..)| module)
    }

    /// Like `compile`, but with the `return_schema:` of the policies for results of thread actions, which the
    /// module does not contain.
    ///
    /// # Errors
    /// As [`PolicySet::compile`], and a schema that cannot be honoured.
    pub fn compile_for_threads(&self) -> Result<(Module, Returns), PolicySetError> {
        let (module, compiled, sources) = self.build()?;
        let returns = Returns::from_compiled(&compiled, &sources).map_err(PolicySetError::Returns)?;
        Ok((module, returns))
    }

    /// Like `compile_for_threads`, but with the warnings and notes of the policies.
    ///
    /// # Errors
    /// As [`PolicySet::compile_for_threads`].
    pub fn compile_and_report(&self) -> Result<CompiledSet, PolicySetError> {
        let (module, compiled, sources) = self.build()?;
        let returns = Returns::from_compiled(&compiled, &sources).map_err(PolicySetError::Returns)?;
        Ok(CompiledSet { module, returns, sources, diagnostics: compiled.diagnostics })
    }

    fn build(&self) -> Result<(Module, Compiled, Sources), PolicySetError> {
        let (mut sources, mut inputs) = (Sources::new(), Vec::new());
        for entry in self.paths.iter().filter(|entry| !entry.is_left_out()) {
            let Entry { layer, path, dialect, is_optional } = entry;
            let contents = contents(path)?;
            if contents.is_empty() && !is_optional {
                return Err(PolicySetError::NoPolicy(path.clone()));
            }
            for (file, content) in contents {
                let name = file.display().to_string();
                let source = sources.add(name, text(file, content.bytes)?);
                inputs.push(Input::new(source).with_dialect(dialect.or(content.dialect)).with_layer(*layer));
            }
        }
        let options = Options::default().builtin(self.builtin).merge(self.merge);
        let mut compiled = hookc_compiler::compile(&mut sources, &inputs, &options);
        let Some(bytes) = compiled.module.take() else {
            return Err(PolicySetError::Policy(Box::new(sources), compiled.diagnostics));
        };
        let module = Module::load(bytes).map_err(PolicySetError::Module)?;
        Ok((module, compiled, sources))
    }
}

impl PolicySet {
    /// The current files; an unreadable path represents itself.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let each = |entry: &Entry| files(&entry.path).unwrap_or_else(|_| vec![entry.path.clone()]);
        self.paths.iter().flat_map(each).collect()
    }
}

/// The paths of the file, or of the policies of the directory.
fn files(path: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    if path.is_dir() { super::layer_paths(path) } else { Ok(vec![path.to_owned()]) }
}

/// What was read of the file, or of the policies of the directory.
fn contents(path: &Path) -> Result<Contents, PolicySetError> {
    if path.is_dir() {
        return super::layer(path).map_err(|Unreadable { path, error }| PolicySetError::File(path, error));
    }
    let bytes =
        open::read(path, SOURCE_BYTES).map_err(|error| PolicySetError::File(path.to_owned(), error))?;
    Ok(Contents::from([(path.to_owned(), Content::from_bytes(bytes))]))
}

fn text(path: PathBuf, bytes: Vec<u8>) -> Result<String, PolicySetError> {
    if bytes.len() > SOURCE_BYTES {
        return Err(PolicySetError::Text(path));
    }
    String::from_utf8(bytes).map_err(|_| PolicySetError::Text(path))
}
