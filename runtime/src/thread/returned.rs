//! What an action may give back: a JSON Schema.

use std::collections::BTreeMap;

use hookc_compiler::{Compiled, Dialect, Input, Options};
use hookc_schema::Sources;
use hookc_syntax::expr::print;
use hookc_vm::{DecideOptions, Module, Scratch};
use serde_json::{Value, json};

use crate::carry::file;

/// The schema of what actions give back, ready to check by.
///
/// It is compiled as the condition of a hook of its own, so that the language
/// has one JSON Schema and not two.
#[derive(Clone, Debug)]
pub struct Returns {
    module: Module,
    /// What policies say themselves, by their source: it takes the place of
    /// `module` for their hooks.
    own: BTreeMap<String, Module>,
}

impl Returns {
    /// The schema that the vocabulary ships.
    ///
    /// # Errors
    /// Never, unless the shipped vocabulary is broken.
    pub fn builtin() -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(hookc_schema::vocab::RETURNS).map_err(|error| error.to_string())?;
        Self::new(value.get("return_schema").unwrap_or(&value))
    }

    /// A schema of a policy's own (`return_schema:`).
    ///
    /// # Errors
    /// It is no schema that can be honoured; the first thing that is wrong.
    pub fn new(schema: &Value) -> Result<Self, String> {
        let condition = json!({"path": "value", "op": "matches", "value": schema});
        let hook = json!({"event": "returned", "condition": condition, "action": {"type": "continue"}});
        let policy = json!({"events": {"returned": {}}, "hooks": [hook]});
        let mut sources = Sources::new();
        let source = sources.add("return_schema", policy.to_string());
        let inputs = [Input { source, dialect: Some(Dialect::HooksYaml), layer: None }];
        let options = Options::default();
        let compiled = hookc_compiler::compile(&mut sources, &inputs, &options);
        let Some(bytes) = compiled.module else {
            let first = compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            return Err(first.map(|diagnostic| diagnostic.message.clone()).unwrap_or_default());
        };
        let module = Module::load(bytes).map_err(|error| error.to_string())?;
        Ok(Self { module, own: BTreeMap::new() })
    }

    /// Those of policies that were compiled: a hook's own policy says what it gives
    /// back (`return_schema:`), the shipped schema where that says nothing.
    ///
    /// # Errors
    /// A policy has one that cannot be honoured.
    pub fn of(compiled: &Compiled, sources: &Sources) -> Result<Self, String> {
        let mut all = Self::builtin()?;
        for policy in &compiled.policies {
            let Some(own) = &policy.declarations.return_schema else { continue };
            let value = serde_json::from_str(&print::json(own)).map_err(|error| error.to_string())?;
            let source = sources.name(own.span.source);
            let own = Self::new(&value).map_err(|why| format!("`return_schema` of {source}: {why}"))?;
            all.own.insert(source.to_owned(), own.module);
        }
        Ok(all)
    }

    /// Holds a value against it.
    ///
    /// # Errors
    /// It is not valid.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        Self::hold(&self.module, value)
    }

    /// Holds what a hook gave back against what its policy says; `place` is where
    /// the hook stands. Of a hook that does not say where, all that is said counts.
    pub(super) fn check_of(&self, place: Option<&str>, value: &Value) -> Result<(), String> {
        match place.and_then(file) {
            Some(file) => {
                let own = file.to_str().and_then(|file| self.own.get(file));
                Self::hold(own.unwrap_or(&self.module), value)
            }
            None if self.own.is_empty() => self.check(value),
            None => self.own.values().try_for_each(|own| Self::hold(own, value)),
        }
    }

    fn hold(module: &Module, value: &Value) -> Result<(), String> {
        let event = json!({"value": value});
        let mut scratch = Scratch::new();
        let ask = DecideOptions { event: Some("returned"), ..DecideOptions::default() };
        match module.decide_value(&mut scratch, &event, &ask) {
            Ok(decision) if !decision.is_empty() => Ok(()),
            Ok(_) => Err(format!("what it returned is not a return object: {}", short(value))),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
