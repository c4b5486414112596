//! How the events of an agent reach `hookc run`.

use serde::Deserialize;

use super::Capability;
use super::load;

/// How events are read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Protocol {
    /// The agent whose answers it takes at events that its own data does not list.
    pub extends: Option<String>,
    /// Whether events are passed on byte for byte: their names and members are the
    /// vocabulary's.
    pub verbatim: bool,
    /// The members of an event that may hold its name.
    pub names: Vec<String>,
    /// How to recognise events that hold no name, the first that fits first.
    pub unnamed: Vec<Unnamed>,
    /// The agent's names of members, and those of the vocabulary.
    #[serde(deserialize_with = "load::pairs")]
    pub members: Vec<(String, String)>,
    /// Members that hold a list, and the member of the vocabulary that is its first element.
    #[serde(deserialize_with = "load::pairs")]
    pub first: Vec<(String, String)>,
    /// Whether the input of a tool may be JSON in a string.
    pub text_input: bool,
    /// The tool that applies patches.
    pub patch: Option<Patch>,
    /// Environment variables that hold members of the event.
    pub variables: Vec<Variable>,
    /// What an answer can make happen at events that are not listed.
    pub others: Vec<Capability>,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            extends: None,
            verbatim: false,
            names: vec!["hook_event_name".to_owned()],
            unnamed: Vec::new(),
            members: Vec::new(),
            first: Vec::new(),
            text_input: false,
            patch: None,
            variables: Vec::new(),
            others: Vec::new(),
        }
    }
}

/// An event that is recognised by its members.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Unnamed {
    /// The members, all of which it has.
    pub has: Vec<String>,
    /// Its name.
    pub is: String,
}

/// The tool that applies patches: each file of one becomes an event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Patch {
    /// Its name.
    pub tool: String,
    /// Members of its input, one of which holds the patch.
    pub members: Vec<String>,
}

/// An environment variable.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The member of the event that it holds.
    pub member: String,
    /// What its text is.
    #[serde(rename = "as")]
    pub kind: VariableKind,
}

/// What the text of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariableKind {
    /// Text.
    Text,
    /// A name: an empty one is no name.
    Name,
    /// Text that may be JSON; an empty one is none.
    Json,
    /// Bytes, which may be cut within a character.
    Bytes,
    /// `true` or `1`, or anything else for false.
    Flag,
}
