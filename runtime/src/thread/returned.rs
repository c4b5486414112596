//! The allowed results of actions: a JSON Schema, compiled.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::LazyLock;

use hookc_vm::{DecideOptions, LoadError, Module, Scratch};
use serde_json::{Value, json};

use crate::context::file;

/// The shipped schema, compiled; a test compares it with the vocabulary.
const BUILTIN: &[u8] = include_bytes!("returns.hookc");

/// The schema of what actions return, ready to check by.
///
/// It is compiled as the condition of a separate hook, so that the language has one implementation
/// of JSON Schema.
#[derive(Clone, Debug)]
pub struct Returns {
    module: Module,
    /// The schemas of policies, by their source: each replaces `module` for the policy's hooks.
    by_file: BTreeMap<String, Module>,
}

/// Why there is no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReturnsError {
    /// The schema is not supported; the first error.
    Schema(String),
    /// The `return_schema` of a policy cannot be honoured.
    Policy {
        /// The policy's file.
        source: String,
        /// The error.
        why: String,
    },
    /// The compiled schema does not verify.
    Module(LoadError),
    /// A value is not valid.
    Value(String),
}

impl fmt::Display for ReturnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(why) | Self::Value(why) => f.write_str(why),
            Self::Policy { source, why } => write!(f, "`return_schema` of {source}: {why}"),
            Self::Module(_) => f.write_str("the compiled schema does not verify"),
        }
    }
}

impl Error for ReturnsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Module(error) => Some(error),
            Self::Schema(_) | Self::Policy { .. } | Self::Value(_) => None,
        }
    }
}

impl Returns {
    /// The schema that the vocabulary ships, which is loaded once per process.
    ///
    /// # Errors
    /// Never, unless this crate is broken.
    pub fn builtin() -> Result<Self, ReturnsError> {
        static SHIPPED: LazyLock<Result<Module, LoadError>> =
            LazyLock::new(|| Module::load(BUILTIN.to_vec()));
        SHIPPED.clone().map(Self::from_module).map_err(ReturnsError::Module)
    }

    /// A schema of a policy's own, compiled before ([`Returns::compile`]).
    #[must_use]
    pub fn from_module(module: Module) -> Self {
        Self { module, by_file: BTreeMap::new() }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// It is not valid; why.
    pub fn check(&self, value: &Value) -> Result<(), ReturnsError> {
        check(&self.module, value).map_err(ReturnsError::Value)
    }

    /// Validates the result of a hook against its policy's schema. For a hook without a location,
    /// every schema applies.
    pub(super) fn check_of(&self, location: Option<&str>, value: &Value) -> Result<(), String> {
        match location.and_then(file) {
            Some(file) => {
                let module = file.to_str().and_then(|file| self.by_file.get(file));
                check(module.unwrap_or(&self.module), value)
            }
            None if self.by_file.is_empty() => check(&self.module, value),
            None => self.by_file.values().try_for_each(|module| check(module, value)),
        }
    }
}

#[cfg(feature = "compiler")]
mod compiled {
    use hookc_base::text::with_causes;
    use hookc_compiler::{Compiled, Dialect, Input, Options};
    use hookc_schema::Sources;
    use hookc_syntax::expr::print;

    use super::{Module, Returns, ReturnsError, Value, json};

    impl Returns {
        /// A schema of a policy's own (`return_schema:`).
        ///
        /// # Errors
        /// It cannot be honoured.
        pub fn new(schema: &Value) -> Result<Self, ReturnsError> {
            Module::load(Self::compile(schema)?).map(Self::from_module).map_err(ReturnsError::Module)
        }

        /// The module of a schema, for [`Returns::from_module`].
        ///
        /// # Errors
        /// It cannot be honoured.
        pub fn compile(schema: &Value) -> Result<Vec<u8>, ReturnsError> {
            let condition = json!({"path": "value", "op": "matches", "value": schema});
            let hook = json!({"event": "returned", "condition": condition, "action": {"type": "continue"}});
            let policy = json!({"events": {"returned": {}}, "hooks": [hook]});
            let mut sources = Sources::new();
            let source = sources.add("return_schema", policy.to_string());
            let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
            let compiled = hookc_compiler::compile(&mut sources, &inputs, &Options::default());
            compiled.module.ok_or_else(|| {
                let first = compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                ReturnsError::Schema(first.map(|diagnostic| diagnostic.message.clone()).unwrap_or_default())
            })
        }

        /// The schemas of compiled policies: a hook's own policy can declare the results of its
        /// actions (`return_schema:`), otherwise the shipped schema applies.
        ///
        /// # Errors
        /// A policy has an unsupported schema.
        pub fn from_compiled(compiled: &Compiled, sources: &Sources) -> Result<Self, ReturnsError> {
            let mut schemas = Self::builtin()?;
            for policy in &compiled.policies {
                let Some(found) = &policy.declarations.return_schema else { continue };
                let source = sources.name(found.span.source);
                let wrong = |why: String| ReturnsError::Policy { source: source.to_owned(), why };
                let value =
                    serde_json::from_str(&print::json(found)).map_err(|error| wrong(error.to_string()))?;
                let returns = Self::new(&value).map_err(|error| wrong(with_causes(&error)))?;
                schemas.by_file.insert(source.to_owned(), returns.module);
            }
            Ok(schemas)
        }
    }
}

fn check(module: &Module, value: &Value) -> Result<(), String> {
    let event = json!({"value": value});
    let mut scratch = Scratch::new();
    let options = DecideOptions::default().event("returned");
    match module.decide_value(&mut scratch, &event, &options) {
        Ok(decision) if !decision.is_empty() => Ok(()),
        Ok(_) => Err(format!("what it returned is not a return object: {}", short(value))),
        Err(error) => Err(error.to_string()),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Returns;

    #[test]
    fn the_shipped_schema_is_loaded_once() {
        let [first, second] = [(), ()].map(|()| Returns::builtin().unwrap().module);
        assert_eq!(first.bytes().as_ptr(), second.bytes().as_ptr());
    }
}
