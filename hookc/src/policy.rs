//! A policy: a verified module, and what the compiler reported about it.

#[cfg(feature = "compiler")]
mod builder;

#[cfg(feature = "compiler")]
pub use builder::PolicyBuilder;

use std::fmt;
#[cfg(feature = "compiler")]
use std::path::Path;
#[cfg(any(feature = "compiler", feature = "runtime"))]
use std::sync::Arc;

#[cfg(feature = "runtime")]
use hookc_runtime::thread::{Returns, ReturnsError};
use hookc_vm::limits::Limits;
use hookc_vm::{LoadError, Module};

#[cfg(feature = "compiler")]
use crate::{Diagnostics, PolicyError, Source};

/// Hooks that are ready to decide: immutable, and cheap to clone.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let policy = hookc::Policy::from_yaml(
///     "hooks: [{id: no_rm, event: PreToolUse, when: \"some(c in shell(tool_input.command).commands: c.name == 'rm')\", action: {type: deny}}]",
/// )?;
/// // Save the module: `Policy::from_module` loads it without the compiler.
/// let bytes: &[u8] = policy.module().bytes();
/// assert_eq!(hookc::Policy::from_module(bytes)?.module().hash(), policy.module().hash());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Policy {
    module: Module,
    #[cfg(feature = "compiler")]
    diagnostics: Arc<Diagnostics>,
    /// The schemas of the sources; `None` if they have none.
    #[cfg(all(feature = "compiler", feature = "runtime"))]
    returns: Option<Result<Arc<Returns>, ReturnsError>>,
}

impl Policy {
    /// Loads and verifies a compiled module, such as
    /// `include_bytes!("policy.hookc")`.
    ///
    /// # Errors
    /// The bytes are not a sound module. Any bytes are safe to load.
    pub fn from_module(bytes: impl Into<Vec<u8>>) -> Result<Self, LoadError> {
        Self::from_module_with(bytes, Limits::default())
    }

    /// Like `from_module`, but with lower limits for all decisions.
    ///
    /// # Errors
    /// As [`Policy::from_module`].
    pub fn from_module_with(bytes: impl Into<Vec<u8>>, limits: Limits) -> Result<Self, LoadError> {
        Module::load_with(bytes.into(), limits).map(Self::from)
    }

    /// The module. It lists its event types, and [`Module::bytes`] can be saved.
    #[must_use]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The event type that a program probably means by a name which no hook of the policy and no vocabulary knows:
    /// no hook ever matches an event of such a type.
    ///
    /// ```
    /// # #[cfg(feature = "compiler")] {
    /// use hookc::Policy;
    ///
    /// let policy = Policy::from_yaml("hooks: [{event: PreToolUse, action: {type: deny}}]")?;
    /// assert_eq!(policy.misspelt_event_type("PreToolUsed"), Some("PreToolUse"));
    /// // The name that an agent has for it.
    /// assert_eq!(policy.misspelt_event_type("BeforeTool"), Some("PreToolUse"));
    /// assert_eq!(policy.misspelt_event_type("PostToolUse"), None);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn misspelt_event_type(&self, name: &str) -> Option<&str> {
        self.module.misspelt_event_type(name)
    }

    /// The schemas of what directives and handlers return to a [`Thread`](hookc_runtime::thread::Thread): those of
    /// the sources (`return_schema:`), each for its own hooks, otherwise the shipped one. A module contains no schemas.
    ///
    /// # Errors
    /// A schema of a source is not supported.
    #[cfg(feature = "runtime")]
    pub fn returns(&self) -> Result<Arc<Returns>, ReturnsError> {
        #[cfg(feature = "compiler")]
        if let Some(returns) = &self.returns {
            return returns.clone();
        }
        Returns::builtin().map(Arc::new)
    }
}

impl fmt::Debug for Policy {
    /// Its event types with the number of their hooks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Policy ")?;
        f.debug_map().entries(self.module.events().map(|event| (event.name, event.hooks))).finish()
    }
}

impl From<Policy> for Module {
    fn from(policy: Policy) -> Self {
        policy.module
    }
}

impl From<Module> for Policy {
    fn from(module: Module) -> Self {
        Self {
            module,
            #[cfg(feature = "compiler")]
            diagnostics: Arc::default(),
            #[cfg(all(feature = "compiler", feature = "runtime"))]
            returns: None,
        }
    }
}

#[cfg(feature = "compiler")]
impl Policy {
    /// Compiles a policy in YAML, in the notation of `docs/language.md`.
    ///
    /// # Errors
    /// The policy has errors. Their `Display` is what the command line prints.
    ///
    /// ```
    /// let error = hookc::Policy::from_yaml("hooks: [{event: PreToolUse, action: {type: dney}}]").unwrap_err();
    /// assert!(error.to_string().contains("did you mean `deny`?"));
    /// let first = error.iter().next().unwrap();
    /// assert_eq!((first.code.name(), error.location(first)), ("E0406", Some(("policy.yaml", 1, 44))));
    /// ```
    pub fn from_yaml(text: &str) -> Result<Self, Diagnostics> {
        Self::from_source(Source::new("policy.yaml", text).with_dialect(hookc_compiler::Dialect::HooksYaml))
    }

    /// Compiles one source in any dialect.
    ///
    /// # Errors
    /// As [`Policy::from_yaml`].
    pub fn from_source(source: Source) -> Result<Self, Diagnostics> {
        Self::from_sources([source])
    }

    /// Compiles several sources into one policy.
    ///
    /// # Errors
    /// As [`Policy::from_yaml`]; or there is no source (E0007): the policy would let everything through.
    pub fn from_sources(sources: impl IntoIterator<Item = Source>) -> Result<Self, Diagnostics> {
        sources.into_iter().fold(Self::builder(), PolicyBuilder::source).build()
    }

    /// Reads and compiles a file. Its name and content determine the dialect.
    ///
    /// # Errors
    /// The file cannot be read, or the policy has errors.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        Self::from_files([path])
    }

    /// Reads several files and compiles them into one policy.
    ///
    /// # Errors
    /// As [`Policy::from_file`]; or there is no file: the policy would let everything through.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, PolicyError> {
        let sources = paths.into_iter().map(Source::read).collect::<Result<Vec<_>, _>>()?;
        if sources.is_empty() {
            return Err(PolicyError::NoFiles);
        }
        Ok(Self::from_sources(sources)?)
    }

    /// Starts a policy of several sources, or with options.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }

    /// The warnings and notes about a policy that compiled. A policy that was loaded
    /// from a module has none.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    pub(crate) fn new(module: Module, diagnostics: Diagnostics) -> Self {
        Self { diagnostics: Arc::new(diagnostics), ..Self::from(module) }
    }
}
