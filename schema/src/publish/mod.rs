//! The JSON Schemas that hookc publishes (2020-12), for editors and for programs that write events
//! or read decisions. They are made from the vocabulary and from the tables in
//! [`dialect`](crate::dialect) that decode files; `hookc schema NAME` prints one.
//!
//! A schema accepts every file that compiles. `hookc check` checks the rest: paths, expressions,
//! patterns, ids across hooks.

mod action;
mod agent;
mod condition;
mod decision;
mod dialects;
mod event;
mod hooks;
mod test;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::agents::Id;
use crate::tree::print;
use crate::value;
use crate::vocab::Vocabulary;

/// A published schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// A hooks file.
    Hooks,
    /// An event.
    Event,
    /// A line that `hookc eval` writes.
    Decision,
    /// A test file.
    Test,
    /// A repository hook.
    Repository,
    /// The front matter of a skill.
    Skill,
    /// A file with hooks of workflows.
    Workflow,
    /// Settings, or a hooks file, of an agent.
    Agent(Id),
}

impl Schema {
    /// The schemas of hookc's own files, events and decisions.
    const OWN: &[Self] = &[
        Self::Hooks,
        Self::Event,
        Self::Decision,
        Self::Test,
        Self::Repository,
        Self::Skill,
        Self::Workflow,
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let has_files = |id: &&Id| id.agent().form.is_some() || !id.agent().handlers.is_empty();
        let agents = Id::ALL.iter().filter(has_files).map(|id| Self::Agent(*id));
        Self::OWN.iter().copied().chain(agents)
    }

    /// `hooks`, ...; for an agent its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hooks => "hooks",
            Self::Event => "event",
            Self::Decision => "decision",
            Self::Test => "test",
            Self::Repository => "repository",
            Self::Skill => "skill",
            Self::Workflow => "workflow",
            Self::Agent(id) => id.name(),
        }
    }

    /// The schema of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|schema| schema.name() == name)
    }

    /// A description of one line.
    #[must_use]
    pub fn about(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Hooks => "a hooks file: thread policy in YAML",
            Self::Event => "an event that a policy decides about",
            Self::Decision => "a line that `hookc eval` writes",
            Self::Test => "a test file, `*.test.yaml`",
            Self::Repository => "a repository hook, `.system/hooks/*.yaml`",
            Self::Skill => "the front matter of a skill, `SKILL.md`",
            Self::Workflow => "a YAML or JSON file with hooks of workflows",
            Self::Agent(id) => return Cow::Owned(format!("the hooks in {}", agent::files(id.agent()))),
        })
    }

    /// The schema as JSON with an indentation of two spaces and a final newline.
    #[must_use]
    pub fn text(self) -> String {
        let vocabulary = Vocabulary::builtin();
        let body = match self {
            Self::Hooks => hooks::schema(&vocabulary),
            Self::Event => event::schema(&vocabulary),
            Self::Decision => decision::schema(),
            Self::Test => test::schema(),
            Self::Repository => dialects::repository(),
            Self::Skill => dialects::skill(),
            Self::Workflow => dialects::workflow(),
            Self::Agent(id) => agent::schema(id.agent()),
        };
        let head = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("hookc: {}", self.about()),
        });
        // The head comes first for the order of keys, and last because its title must win.
        let whole = object([head.clone(), body, head]);
        serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
    }
}

/// The members of all `parts` as one object.
fn object(parts: impl IntoIterator<Item = Value>) -> Value {
    let mut object = Map::new();
    for part in parts {
        if let Value::Object(members) = part {
            object.extend(members);
        }
    }
    Value::Object(object)
}

/// Names with their schemas.
fn members(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.into_iter().collect())
}

/// A value of a declaration as JSON.
fn plain(value: &value::Value) -> Value {
    serde_json::from_str(&print::json(value)).unwrap_or_default()
}

/// `types` as `type` has them: one name, or an array; none for any.
fn types(types: crate::vocab::TypeSet) -> Option<Value> {
    let names: Vec<&str> = types.types().map(crate::vocab::Type::name).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(json!(one)),
        several => Some(json!(several)),
    }
}
