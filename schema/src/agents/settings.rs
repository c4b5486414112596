//! The location of an agent's settings, and the entries that `hookc install` writes.

use serde::Deserialize;

use super::load;

/// The settings of an agent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// Its file, relative to a project.
    pub project: String,
    /// Its file for one user of a project, relative to the project.
    pub local: Option<String>,
    /// Its file, relative to the home directory.
    pub user: String,
    /// Other files with hooks that it reads, relative to a project and to the home directory.
    pub also: Vec<String>,
    /// The variable that replaces the first directory of `user`.
    pub home: Option<String>,
    /// Files that only the administrator can change. A path that ends with `/*.json` means all
    /// files of that directory.
    pub managed: Vec<String>,
    /// The variable with the path of another file of the administrator.
    pub managed_variable: Option<String>,
    /// Whether a managed file can have a directory of more files (`NAME.d`).
    pub managed_folder: bool,
    /// Keys of a managed file that disable all other hooks.
    pub managed_only: Vec<String>,
    /// Whether it reads all files of the directory of its file.
    pub whole_folder: bool,
    /// Whether its file contains other settings than hooks.
    pub shared: bool,
    /// The variable with the project's directory for handlers.
    pub root: Option<String>,
    /// Whether handlers of a project's settings start in the project's directory.
    pub starts_in_root: bool,
    /// Whether handlers of a user's settings start in the directory of the settings.
    pub starts_in_own_folder: bool,
    /// Whether its events do not contain their name.
    pub unnamed_events: bool,
    /// Members of a handler that `install` writes before the command.
    #[serde(deserialize_with = "load::pairs")]
    pub handler: Vec<(String, String)>,
    /// Whether its file requires `version: 1`.
    pub version: Version,
    /// Keys that disable all hooks.
    pub switches: Vec<Switch>,
    /// What it waits for, without a word, before it runs hooks.
    pub trust: Trust,
}

/// Whether a hooks file needs `version: 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// It has none.
    #[default]
    None,
    /// It has one, and 1 is meant without.
    Assumed,
    /// It must have one.
    Required,
}

/// A key that switches all hooks off.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Switch {
    /// The key; one of an object inside follows a dot.
    pub key: String,
    /// The value that switches them off.
    pub off: bool,
}

/// What an agent waits for before it runs hooks.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Trust {
    /// Those of a project.
    pub project: Option<String>,
    /// Those of a person.
    pub user: Option<String>,
}
