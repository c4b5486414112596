//! The tools that a model can call.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::message::ToolSpec;

/// Where a tool works.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// The root of the project.
    pub(crate) project: PathBuf,
}

impl Place {
    /// A path of a tool's input, from the working directory.
    pub(crate) fn resolve(&self, path: &str) -> PathBuf {
        self.cwd.join(Path::new(path))
    }
}

/// A tool. `Err` is a result too: the model reads it as an error.
pub(crate) trait Tool: Send + Sync + std::fmt::Debug {
    /// As the model sees it.
    fn spec(&self) -> ToolSpec;

    /// Whether it only reads, so that no permission is needed inside the project.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Calls it.
    ///
    /// # Errors
    /// The input is not valid, or the call failed.
    fn call(&self, input: &Value, place: &Place) -> Result<String, String>;
}
