//! Finds skills: `NAME.md` or `NAME/SKILL.md` in the user's and in the project's directory of
//! skills. A project's skill replaces the user's skill of the same name.

use std::collections::BTreeMap;

use hookc_schema::tree::Layer;

use crate::files::{self, FileKind, Files};

/// The file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The name that its path determines.
    pub name: String,
    /// Its path.
    pub path: String,
    /// `user` or `project`.
    pub layer: Layer,
    /// Files that it replaces.
    pub replaces: Vec<String>,
}

/// The skills of the user's directory, then those of the project's, each sorted by name. A missing
/// directory has none. If a directory contains both `NAME/SKILL.md` and `NAME.md`, the first one is
/// used.
#[must_use]
pub fn discover(files: &dyn Files, user: Option<&str>, project: Option<&str>) -> Vec<Found> {
    let mut by_name: BTreeMap<String, Found> = BTreeMap::new();
    for (folder, layer) in [(user, Layer::User), (project, Layer::Project)] {
        for mut found in folder.map(|folder| skills(files, folder, layer)).unwrap_or_default() {
            if let Some(before) = by_name.remove(&found.name) {
                found.replaces.extend(before.replaces);
                found.replaces.push(before.path);
            }
            by_name.insert(found.name.clone(), found);
        }
    }
    let mut skills: Vec<Found> = by_name.into_values().collect();
    skills.sort_by_key(|found| found.layer == Layer::Project);
    skills
}

/// The skills of one directory; those with a directory of their own come last.
fn skills(files: &dyn Files, folder: &str, layer: Layer) -> Vec<Found> {
    let mut names = files.names(folder);
    names.sort();
    let mut found = Vec::new();
    for nested in [false, true] {
        for entry in &names {
            let path = files::join(folder, &if nested { format!("{entry}/SKILL.md") } else { entry.clone() });
            let is_file = || matches!(files.kind(&path), Some(FileKind::File { .. }));
            let Some(name) = name(&path).filter(|_| nested || entry.ends_with(".md")) else { continue };
            if is_file() {
                found.push(Found { name: name.to_owned(), path, layer, replaces: Vec::new() });
            }
        }
    }
    found
}

/// The name that a skill's path determines: `a/NAME/SKILL.md`, `a/NAME.md`.
#[must_use]
pub fn name(path: &str) -> Option<&str> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = match file {
        "SKILL.md" => folder.rsplit('/').next().unwrap_or(""),
        _ => file.strip_suffix(".md").unwrap_or(file),
    };
    (!name.is_empty()).then_some(name)
}
