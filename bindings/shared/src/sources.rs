//! Sources and options of a compilation, by name.

use hookc::{Builtin, Diagnostics, Dialect, Layer, Policy};
use serde::Deserialize;

use crate::Failure;
use crate::options::named;

/// A compilation as JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    sources: Vec<Source>,
    shipped_hooks: Option<String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    strip: bool,
}

/// A source of a compilation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    name: String,
    text: String,
    dialect: Option<String>,
    layer: Option<String>,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// The bytes are not such JSON.
    pub fn read(bytes: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(bytes).map_err(|error| Failure::argument(format!("the request: {error}")))
    }

    /// Compiles it.
    ///
    /// # Errors
    /// There is no source, a name is unknown, or the policy has errors.
    pub fn compile(self) -> Result<Policy, Failure> {
        if self.sources.is_empty() {
            // A policy without hooks would let everything through.
            return Err(Failure::argument("the request has no sources"));
        }
        let mut builder = Policy::builder().strict(self.strict).strip(self.strip);
        if let Some(name) = &self.shipped_hooks {
            builder = builder.shipped_hooks(shipped_hooks(name)?);
        }
        for source in self.sources {
            builder = builder.source(source.into_source()?);
        }
        builder.build().map_err(|diagnostics| Failure::policy(&diagnostics))
    }
}

impl Source {
    fn into_source(self) -> Result<hookc::Source, Failure> {
        let mut source = hookc::Source::new(self.name, self.text);
        if let Some(name) = &self.dialect {
            source = source.with_dialect(dialect(name)?);
        }
        if let Some(name) = &self.layer {
            source = source.with_layer(layer(name)?);
        }
        Ok(source)
    }
}

/// The diagnostics as a JSON array, each as `hookc check --format json` writes it.
#[must_use]
pub fn diagnostics_json(diagnostics: &Diagnostics) -> String {
    let lines = diagnostics.to_json_lines();
    format!("[{}]", lines.lines().collect::<Vec<_>>().join(","))
}

/// The dialect of a name, such as `hooks-yaml`.
///
/// # Errors
/// There is no such dialect.
pub fn dialect(name: &str) -> Result<Dialect, Failure> {
    let choices: Vec<(&str, Dialect)> = Dialect::all().map(|one| (one.name(), one)).collect();
    named("dialect", name, &choices)
}

/// The layer of a name.
///
/// # Errors
/// There is no such layer.
pub fn layer(name: &str) -> Result<Layer, Failure> {
    named("layer", name, Layer::CHOICES)
}

/// When to link the hooks that hookc ships.
///
/// # Errors
/// There is no such choice.
pub fn shipped_hooks(name: &str) -> Result<Builtin, Failure> {
    let choices = [("never", Builtin::Never), ("threads", Builtin::Threads), ("always", Builtin::Always)];
    named("choice of shipped hooks", name, &choices)
}
