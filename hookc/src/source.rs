//! A source: a text with a name.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use hookc_base::Layer;
use hookc_syntax::{Dialect, limits};

use crate::PolicyError;

/// The text of a policy, a name for diagnostics, and what you know about it.
///
/// ```
/// use hookc::{Dialect, Layer, Policy, Source};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let settings = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}"#;
/// let source = Source::new("settings.json", settings).with_dialect(Dialect::Settings).with_layer(Layer::Project);
/// let policy = Policy::from_source(source)?;
/// assert_eq!(policy.module().events().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) layer: Option<Layer>,
}

impl Source {
    /// A source with a name for diagnostics. Unless [`Source::with_dialect`] sets the dialect, the
    /// name and the content of the text determine it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), dialect: None, layer: None }
    }

    /// Reads a file, whose path becomes the name.
    ///
    /// # Errors
    /// It cannot be read, is not a regular file, is too large, or is not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        let path = path.as_ref();
        let text = read(path).map_err(|source| PolicyError::File { path: path.to_owned(), source })?;
        Ok(Self::new(path.display().to_string(), text))
    }

    /// The dialect, which is then not detected.
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Sets the layer of the source's hooks, which determines their order; the default is
    /// [`Layer::Directive`].
    pub fn with_layer(mut self, layer: Layer) -> Self {
        self.layer = Some(layer);
        self
    }
}

#[allow(clippy::disallowed_methods, reason = "the function that reads files")]
fn read(path: &Path) -> io::Result<String> {
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let most = limits::SOURCE_BYTES as u64;
    let mut text = String::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    Ok(text)
}
