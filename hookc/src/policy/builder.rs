//! Compiling with options.

use hookc_compiler::{Builtin, Input, Options};
use hookc_schema::{Code, Diagnostic, Sources};
use hookc_vm::Module;
use hookc_vm::limits::Limits;

use super::Policy;
use crate::{Diagnostics, Source};

/// Collects sources and options, and compiles them.
///
/// ```
/// use hookc::{Builtin, Layer, Policy, Source};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let user = "hooks: [{id: log_errors, event: error, action: {type: log, message: \"${error.code}\"}}]";
/// let policy = Policy::builder()
///     .source(Source::new("user.yaml", user).with_layer(Layer::User))
///     .shipped_hooks(Builtin::Threads)
///     .strict(true)
///     .build()?;
/// assert!(policy.module().events().any(|event| event.name == "limit"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct PolicyBuilder {
    sources: Vec<Source>,
    options: Options,
    limits: Limits,
}

impl PolicyBuilder {
    /// Adds a source.
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Whether to link the thread hooks that hookc ships; never, if you do not ask.
    pub fn shipped_hooks(mut self, shipped: Builtin) -> Self {
        self.options.builtin = shipped;
        self
    }

    /// Whether undeclared names are errors instead of warnings.
    pub fn strict(mut self, strict: bool) -> Self {
        self.options.strict = strict;
        self
    }

    /// Whether to leave the hooks' ids and locations out of the module.
    pub fn strip(mut self, strip: bool) -> Self {
        self.options.strip = strip;
        self
    }

    /// Lower limits for all decisions.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Compiles and verifies.
    ///
    /// # Errors
    /// The sources have errors; or there is no source, and the shipped hooks are not [`Builtin::Always`] linked: the
    /// policy would let everything through.
    pub fn build(self) -> Result<Policy, Diagnostics> {
        let mut sources = Sources::new();
        if self.sources.is_empty() && self.options.builtin != Builtin::Always {
            let none = Diagnostic::global(Code::E0007, "the policy has no source").help(
                "add a source with `PolicyBuilder::source`, or load a module with `Policy::from_module`",
            );
            return Err(Diagnostics::new(vec![none], sources));
        }
        let inputs: Vec<Input> = self
            .sources
            .into_iter()
            .map(|one| {
                Input::new(sources.add(one.name, one.text)).with_dialect(one.dialect).with_layer(one.layer)
            })
            .collect();
        let mut compiled = hookc_compiler::compile(&mut sources, &inputs, &self.options);
        let module = compiled.module.take();
        #[cfg(feature = "runtime")]
        let returns =
            compiled.policies.iter().any(|policy| policy.declarations.return_schema.is_some()).then(|| {
                hookc_runtime::thread::Returns::from_compiled(&compiled, &sources).map(std::sync::Arc::new)
            });
        let diagnostics = Diagnostics::new(compiled.diagnostics, sources);
        match module.map(|bytes| Module::load_with(bytes, self.limits)) {
            Some(Ok(module)) => Ok(Policy {
                #[cfg(feature = "runtime")]
                returns,
                ..Policy::new(module, diagnostics)
            }),
            Some(Err(error)) => Err(diagnostics.with_internal_error(error)),
            None => Err(diagnostics),
        }
    }
}
