//! The tools that a model can call.

mod bash;
mod edit;
mod read;
mod search;
mod walk;
mod write;

use std::path::{Path, PathBuf};

use hookc_runtime::Event;
use hookc_runtime::permission::{BaseDirs, RuleMatch, matches};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::message::ToolSpec;

/// Characters of a tool's result; the rest is counted.
pub(crate) const RESULT_CHARS: usize = 30_000;
/// Bytes of a file that a tool reads or changes.
const FILE_BYTES: u64 = 16 << 20;

/// Where a tool works.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// The root of the project.
    pub(crate) project: PathBuf,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// Permission rules about files that a search must not show.
    pub(crate) unread: Vec<String>,
}

impl Place {
    /// A path of a tool's input, from the working directory.
    pub(crate) fn resolve(&self, path: &str) -> PathBuf {
        self.cwd.join(Path::new(path))
    }

    /// The files of a search without those that a rule for reading or for the tool concerns; and
    /// how many it concerns.
    fn readable(&self, tool: &str, mut files: Vec<PathBuf>) -> (Vec<PathBuf>, usize) {
        if self.unread.is_empty() {
            return (files, 0);
        }
        let (cwd, project, home) = (self.cwd.clone(), self.project.clone(), self.home.clone());
        let places = BaseDirs { cwd, project, home };
        let concerns = |event: &Event, rule: &String| {
            matches(rule, event, &places, Default::default()) != RuleMatch::Fails
        };
        let count = files.len();
        files.retain(|file| {
            let file = file.to_string_lossy();
            let read = Event::from_value(json!({"tool_name": "Read", "tool_input": {"file_path": file}}));
            let search = Event::from_value(json!({"tool_name": tool, "tool_input": {"path": file}}));
            !self.unread.iter().any(|rule| concerns(&read, rule) || concerns(&search, rule))
        });
        let hidden = count - files.len();
        (files, hidden)
    }
}

/// A tool. `Err` is a result too: the model reads it as an error.
pub(crate) trait Tool: Send + Sync + std::fmt::Debug {
    /// As the model sees it.
    fn spec(&self) -> ToolSpec;

    /// Whether it only reads: no permission is needed inside the project, and an interrupted call
    /// can be repeated.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Whether it changes one file.
    fn is_edit(&self) -> bool {
        false
    }

    /// The file or directory that a call works on.
    fn path(&self, input: &Value, place: &Place) -> Option<PathBuf> {
        let path = input.get("file_path").or_else(|| input.get("path")).and_then(Value::as_str);
        path.map(|path| place.resolve(path))
    }

    /// Calls it.
    ///
    /// # Errors
    /// The input is not valid, or the call failed.
    fn call(&self, input: &Value, place: &Place) -> Result<String, String>;
}

/// The tools that work without a session.
pub(crate) fn all() -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(read::Read),
        Box::new(write::Write),
        Box::new(edit::Edit),
        Box::new(bash::Bash),
        Box::new(search::Glob),
        Box::new(search::Grep),
    ]
}

/// A tool as the model sees it; `properties` are those of its input.
pub(crate) fn spec(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    let input_schema = json!({"type": "object", "properties": properties, "required": required});
    ToolSpec { name: name.to_owned(), description: description.to_owned(), input_schema }
}

/// The input of a call.
pub(crate) fn input<T: DeserializeOwned>(input: &Value) -> Result<T, String> {
    T::deserialize(input).map_err(|error| format!("the input is not valid: {error}"))
}

/// A result that is not longer than [`RESULT_CHARS`].
pub(crate) fn shortened(text: String) -> String {
    match text.char_indices().nth(RESULT_CHARS) {
        None => text,
        Some((at, _)) => {
            let rest = text.chars().count() - RESULT_CHARS;
            format!("{}\n[{rest} more characters]", text.get(..at).unwrap_or_default())
        }
    }
}

/// The text of a file.
fn file_text(path: &Path) -> Result<String, String> {
    let limit = usize::try_from(FILE_BYTES).unwrap_or(usize::MAX);
    let bytes = hookc_runtime::open::read(path, limit)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    if bytes.len() > limit {
        return Err(format!("cannot read {}: it is larger than {FILE_BYTES} bytes", path.display()));
    }
    String::from_utf8(bytes).map_err(|_| format!("cannot read {}: it is not UTF-8 text", path.display()))
}

/// Replaces a file in one step, so that a reader never sees half of it.
fn save(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    // What a link points to is changed, not the link.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().ok_or_else(|| format!("{} is not a file", path.display()))?;
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mode = std::fs::metadata(&real).ok();
    if mode.as_ref().is_some_and(|about| !about.is_file()) {
        return Err(format!("cannot write {}: it is not a regular file", path.display()));
    }
    let mut new = tempfile::Builder::new();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    let mut new = new.permissions(permissions).tempfile_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut new, text.as_bytes()).map_err(failed)?;
    if let Some(about) = mode {
        new.as_file().set_permissions(about.permissions()).map_err(failed)?;
    }
    new.persist(&real).map(drop).map_err(|error| failed(error.error))
}
