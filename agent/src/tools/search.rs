//! Searches for files and in files.

use std::path::{Path, PathBuf};

use regex::RegexBuilder;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Tool, file_text, input, shortened, spec, walk};
use crate::message::ToolSpec;

#[derive(Debug)]
pub(super) struct Glob;

#[derive(Deserialize)]
struct GlobInput {
    pattern: String,
    path: Option<String>,
}

impl Tool for Glob {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "pattern": {"type": "string", "description": "Such as `src/**/*.rs`"},
            "path": {"type": "string", "description": "The directory; the working directory without it"},
        });
        spec("Glob", "Lists files whose path matches a pattern.", properties, &["pattern"])
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn path(&self, call: &Value, place: &Place) -> Option<PathBuf> {
        Some(root(call, place))
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let GlobInput { pattern, path } = input(call)?;
        let root = place.resolve(path.as_deref().unwrap_or("."));
        let (files, more) = walk::files(&root)?;
        let (files, hidden) = place.readable("Glob", files);
        let matching = files.iter().filter(|file| is_match(&pattern, file, &root));
        let shown: Vec<String> = matching.map(|file| relative(file, &place.cwd)).collect();
        Ok(listed(shown, more, hidden))
    }
}

#[derive(Debug)]
pub(super) struct Grep;

#[derive(Deserialize)]
struct GrepInput {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
    #[serde(default)]
    output_mode: OutputMode,
    #[serde(default, rename = "-i")]
    ignore_case: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OutputMode {
    #[default]
    FilesWithMatches,
    Content,
    Count,
}

impl Tool for Grep {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "pattern": {"type": "string", "description": "A regular expression"},
            "path": {"type": "string", "description": "A file or directory; the working directory without it"},
            "glob": {"type": "string", "description": "Only files whose path matches this"},
            "output_mode": {"type": "string", "enum": ["files_with_matches", "content", "count"]},
            "-i": {"type": "boolean", "description": "Whether letters match in both cases"},
        });
        spec("Grep", "Searches for a regular expression in files.", properties, &["pattern"])
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn path(&self, call: &Value, place: &Place) -> Option<PathBuf> {
        Some(root(call, place))
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let GrepInput { pattern, path, glob, output_mode, ignore_case } = input(call)?;
        let pattern = RegexBuilder::new(&pattern).case_insensitive(ignore_case).build();
        let pattern = pattern.map_err(|error| error.to_string())?;
        let root = place.resolve(path.as_deref().unwrap_or("."));
        let (files, more) = if root.is_file() { (vec![root.clone()], false) } else { walk::files(&root)? };
        let (files, hidden) = place.readable("Grep", files);
        let mut found = Vec::new();
        for file in files.iter().filter(|file| glob.as_ref().is_none_or(|glob| is_match(glob, file, &root))) {
            // Files that are not text have no lines.
            let Ok(text) = file_text(file) else { continue };
            let name = relative(file, &place.cwd);
            let lines = text.lines().enumerate().filter(|(_, line)| pattern.is_match(line));
            match output_mode {
                OutputMode::Content => {
                    found.extend(lines.map(|(n, line)| format!("{name}:{}:{line}", n + 1)));
                }
                OutputMode::Count => {
                    let count = lines.count();
                    found.extend((count > 0).then(|| format!("{name}:{count}")));
                }
                OutputMode::FilesWithMatches => {
                    let mut lines = lines;
                    found.extend(lines.next().map(|_| name));
                }
            }
        }
        Ok(listed(found, more, hidden))
    }
}

fn root(call: &Value, place: &Place) -> PathBuf {
    place.resolve(call.get("path").and_then(Value::as_str).unwrap_or("."))
}

/// Whether a file below `root` matches: its path, or its name for a pattern without `/`.
fn is_match(pattern: &str, file: &Path, root: &Path) -> bool {
    let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    fast_glob::glob_match(pattern, path.as_ref())
        || !pattern.contains('/') && fast_glob::glob_match(pattern, name.as_ref())
}

fn relative(file: &Path, cwd: &Path) -> String {
    file.strip_prefix(cwd).unwrap_or(file).to_string_lossy().into_owned()
}

fn listed(found: Vec<String>, more: bool, hidden: usize) -> String {
    let mut text = if found.is_empty() { "nothing found".to_owned() } else { found.join("\n") };
    if more {
        text.push_str("\n[the directory has more files than a search visits]");
    }
    let text = shortened(text);
    if hidden == 0 { text } else { format!("{text}\n[files left out by permission rules: {hidden}]") }
}
