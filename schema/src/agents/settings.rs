//! Where an agent keeps its settings, and what `hookc install` writes into them.

use serde::Deserialize;

use super::load;

/// The settings of an agent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// Its file, seen from a project.
    pub project: String,
    /// Its file for one person in a project.
    pub local: Option<String>,
    /// Its file, seen from the home directory.
    pub user: String,
    /// Files beside that it reads hooks from too, seen from a project and from the home
    /// directory.
    pub also: Vec<String>,
    /// The variable that moves the first directory of `user`.
    pub home: Option<String>,
    /// Files that only the administrator can change. One that ends with `/*.json` stands
    /// for all files of that directory.
    pub managed: Vec<String>,
    /// The variable that names another file of the administrator.
    pub managed_variable: Option<String>,
    /// Whether a managed file may have a directory of more beside it (`NAME.d`).
    pub managed_folder: bool,
    /// Keys of a managed file that keep all hooks but managed ones from running.
    pub managed_only: Vec<String>,
    /// Whether it reads all files of the directory that its file lies in.
    pub whole_folder: bool,
    /// Whether its file holds other things than hooks.
    pub shared: bool,
    /// The variable that holds the project's directory in handlers.
    pub root: Option<String>,
    /// Whether handlers of a project start in the project's directory.
    pub starts_in_root: bool,
    /// Whether handlers of a person start in the directory of the settings.
    pub starts_in_own_folder: bool,
    /// Whether its events do not say which they are.
    pub unnamed_events: bool,
    /// Members of a handler that `install` writes before the command.
    #[serde(deserialize_with = "load::pairs")]
    pub handler: Vec<(String, String)>,
    /// Whether its file needs `version: 1`.
    pub version: Version,
    /// Keys that switch all hooks off.
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
