//! The location of an agent's settings, and the entries that `hookc install` writes.

use serde::Deserialize;

use super::load;
use crate::value::{Kind, Value};

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
    /// Further files of a project that it reads hooks from.
    pub also: Vec<String>,
    /// Like `also`, relative to the home directory.
    pub also_user: Vec<String>,
    /// Files of other agents in a project whose hooks it runs too.
    pub foreign: Vec<String>,
    /// The variable that moves the first directory of `user`.
    pub home: Option<String>,
    /// Files that only the administrator can change.
    pub managed: Vec<Managed>,
    /// Whether it reads all files in the directory of its file.
    pub whole_folder: bool,
    /// Whether its file is a directory with an executable script for each event, of the event's name.
    pub scripts: bool,
    /// The plugin that makes the calls of its file, seen from the directory of the file: [`Id::plugin`](super::Id::plugin).
    pub plugin: Option<String>,
    /// Variables with which the agent loads no plugins.
    pub off: Vec<String>,
    /// Whether its file contains other settings than hooks.
    pub shared: bool,
    /// The variable with the project's directory for handlers.
    pub root: Option<String>,
    /// Whether it fills the variable in itself, quoted, before a shell reads the command.
    pub fills_root: bool,
    /// Whether handlers of a project's settings start in the project's directory.
    pub starts_in_root: bool,
    /// Whether handlers of a user's settings start in the directory of the settings.
    pub starts_in_own_folder: bool,
    /// Whether its events do not contain their name.
    pub unnamed_events: bool,
    /// Members of a handler that `install` writes before the command.
    #[serde(deserialize_with = "load::pairs")]
    pub handler: Vec<(String, String)>,
    /// The shell that runs the command of a handler on Unix; `$SHELL` is the user's own. `None` if it is not known.
    pub shell: Option<String>,
    /// Whether its file requires `version: 1`.
    pub version: Version,
    /// Keys that disable hooks: in a file that contains only hooks these, in any other file all.
    pub switches: Vec<Switch>,
    /// Keys with a list of disabled handlers, by name or command.
    pub disabled: Vec<String>,
    /// What it silently waits for before it runs hooks.
    pub trust: Trust,
    /// The service that runs the hooks of a project too, on a machine without the programs of the user.
    pub cloud: Option<Cloud>,
}

impl Settings {
    /// Whether a path with `/` is a file of a project or a user.
    pub(super) fn is_at(&self, path: &str) -> bool {
        let files = [&self.project, &self.user].into_iter().chain(&self.local);
        let mut files = files.chain(&self.also).chain(&self.also_user);
        files.any(|file| {
            path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    }
}

/// A file of the administrator, whose location depends on the system.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Managed {
    /// Its locations. A location that ends with `/*.json` means all files of that directory.
    pub files: Vec<String>,
    /// The variable with another location.
    pub variable: Option<String>,
    /// Whether a directory `NAME.d` next to it can contain further files.
    #[serde(default)]
    pub folder: bool,
    /// Its keys that disable all hooks except managed ones; `a.b` is the key `b` of the object
    /// `a`.
    #[serde(default)]
    pub only: Vec<String>,
}

/// Whether a hooks file needs `version: 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// It has no version.
    #[default]
    None,
    /// The version is optional: a file without one has version 1.
    Assumed,
    /// The version is required.
    Required,
    /// The version is required, and it is the text `v1`.
    V1,
}

impl Version {
    /// The version of a hooks file, as JSON; `None` if it has none.
    #[must_use]
    pub fn json(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Assumed | Self::Required => Some("1"),
            Self::V1 => Some("\"v1\""),
        }
    }
}

/// A service that runs the hooks of a project.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cloud {
    /// What it is called.
    pub label: String,
    /// A variable that is set there alone.
    pub variable: String,
}

/// A key that disables all hooks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Switch {
    /// The key; `a.b` is the key `b` of the object `a`.
    pub key: String,
    /// The value that disables them.
    pub off: bool,
    /// Whether the administrator's hooks run nevertheless.
    #[serde(default)]
    pub spares_managed: bool,
}

impl Switch {
    /// The value with which a settings file disables hooks.
    #[must_use]
    pub fn disabling<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        root.at(&self.key).filter(|value| value.kind == Kind::Bool(self.off))
    }
}

/// What an agent waits for before it runs hooks.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Trust {
    /// What it waits for before it runs hooks of a project.
    pub project: Option<String>,
    /// What it waits for before it runs hooks of the user.
    pub user: Option<String>,
}
