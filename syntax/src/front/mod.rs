//! Front ends: one directory per notation and per dialect. All of them produce the typed tree.

pub mod agent;
mod common;
pub mod detect;
pub mod directive_xml;
mod history;
pub mod hooks_yaml;
pub mod json;
mod leaf;
mod legacy;
pub mod markdown;
pub mod repository;
pub mod settings;
pub mod shape;
pub mod skill;
mod text_map;
pub mod toml;
pub mod undeclared;
mod unread;
pub mod workflow;
pub mod xml;
pub mod yaml;

use hookc_schema::agents::{self, Agent, Id};
use hookc_schema::tree::{Layer, Policy};
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostics, SourceId, Sources, Span};

pub use settings::known_tools::unknown as unknown_tool;
pub use unread::{Unread, unread};

use crate::Files;

/// A configuration format that hookc reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// A: thread policy.
    HooksYaml,
    /// B: directive XML, bare or in Markdown.
    DirectiveXml,
    /// C: settings of coding agents, and hooks files of their plugins.
    Settings,
    /// D: repository hooks, a file each.
    Repository,
    /// E: front matter of skills.
    Skill,
    /// F: workflow hooks.
    Workflow,
    /// Hooks of an agent with a form of its own, as [`Id::FORMED`] lists them.
    Agent(Id),
}

impl Dialect {
    /// The dialects that hookc can write.
    pub(crate) const WRITTEN: &[Self] =
        &[Self::HooksYaml, Self::DirectiveXml, Self::Settings, Self::Repository, Self::Skill, Self::Workflow];

    /// All dialects.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::written().chain(Id::FORMED.iter().map(|id| Self::Agent(*id)))
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HooksYaml => "hooks-yaml",
            Self::DirectiveXml => "directive-xml",
            Self::Settings => "settings",
            Self::Repository => "repository",
            Self::Skill => "skill",
            Self::Workflow => "workflow",
            Self::Agent(id) => id.name(),
        }
    }

    /// Whether this is a file of an agent, whose handlers the agent runs.
    #[must_use]
    pub fn is_of_agent(self) -> bool {
        self == Self::Settings || self.agent().is_some()
    }

    /// The agent whose own hooks file this is, if hookc only reads it.
    #[must_use]
    pub fn agent(self) -> Option<&'static Agent> {
        match self {
            Self::Agent(id) => Some(id.agent()),
            Self::HooksYaml
            | Self::DirectiveXml
            | Self::Settings
            | Self::Repository
            | Self::Skill
            | Self::Workflow => None,
        }
    }

    /// The dialects that hookc can write.
    pub fn written() -> impl Iterator<Item = Self> {
        Self::WRITTEN.iter().copied()
    }
}

/// One source to read. Its text is in the [`Sources`].
///
/// ```
/// use hookc_schema::Sources;
/// use hookc_syntax::{Dialect, Input};
///
/// let mut sources = Sources::new();
/// let source = sources.add("guard.yaml", "hooks: []");
/// let input = Input::new(source).with_dialect(Dialect::HooksYaml);
/// assert_eq!(input.layer, None);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    /// The source.
    pub source: SourceId,
    /// The dialect, if the caller specifies it; otherwise it is detected from name and shape.
    pub dialect: Option<Dialect>,
    /// The layer of the source's hooks; `directive` when not set.
    pub layer: Option<Layer>,
}

impl Input {
    /// A source whose dialect is detected, with the hooks in the layer `directive`.
    #[must_use]
    pub fn new(source: SourceId) -> Self {
        Self { source, dialect: None, layer: None }
    }

    /// Sets the dialect, which is then not detected.
    #[must_use]
    pub fn with_dialect(mut self, dialect: impl Into<Option<Dialect>>) -> Self {
        self.dialect = dialect.into();
        self
    }

    /// Sets the layer of the source's hooks.
    #[must_use]
    pub fn with_layer(mut self, layer: impl Into<Option<Layer>>) -> Self {
        self.layer = layer.into();
        self
    }
}

/// The result of reading one source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The tree; empty if nothing could be read.
    pub policy: Policy,
    /// The dialect: specified by the caller, or detected from name and shape.
    pub dialect: Option<Dialect>,
    /// The span of the hooks of a settings file, if it has any.
    pub hooks: Option<Span>,
}

/// Reads one source into the tree. Invalid parts are reported and omitted. Only this function
/// detects a dialect for the compiler, and only this function parses the text.
pub fn read(sources: &Sources, input: &Input, vocabulary: &Vocabulary, out: &mut Diagnostics) -> Reading {
    let (name, text) = (sources.name(input.source), sources.text(input.source));
    let dialect = input.dialect.or_else(|| detect::detect(name, text));
    let mut hooks = None;
    let mut policy = match dialect {
        None => {
            out.push(detect::unknown(input.source, name, text));
            Policy::empty(input.source)
        }
        Some(Dialect::Settings) => {
            let (policy, at) = settings::located(name, text, input.source, out);
            hooks = at;
            policy
        }
        Some(dialect) => tree(dialect, (name, text), input.source, vocabulary, out),
    };
    if !matches!(dialect, Some(Dialect::HooksYaml | Dialect::DirectiveXml)) {
        history::unsupported(&policy, out);
    }
    // Only Claude Code reads hooks of skills.
    let of_skill = policy.skill.is_some().then_some(Id::Claude);
    policy.agent = agents::at(name).or(of_skill).map(Id::name);
    Reading { policy, dialect, hooks }
}

/// The tree of a source whose dialect is known.
fn tree(
    dialect: Dialect,
    (name, text): (&str, &str),
    source: SourceId,
    vocabulary: &Vocabulary,
    out: &mut Diagnostics,
) -> Policy {
    match dialect {
        Dialect::HooksYaml => hooks_yaml::read(text, source, out),
        Dialect::DirectiveXml => directive_xml::read((name, text), source, vocabulary, out),
        Dialect::Settings => settings::read(name, text, source, out),
        Dialect::Repository => repository::read(name, text, source, out),
        Dialect::Skill => skill::read(name, text, source, out),
        Dialect::Workflow => workflow::read(name, text, source, out),
        Dialect::Agent(id) => agent::read(id.agent(), (name, text), source, out),
    }
}

/// The value of an agent's settings file: TOML if its name says so, JSON otherwise. `None` after
/// reporting that it is neither.
pub fn settings_value(name: &str, text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Value> {
    if toml::is_named(name) {
        return toml::read(text, source, out);
    }
    json::read(text, source, out).map(|document| document.value)
}

/// Checks the files that the hooks of a policy name and reports missing or unusable ones. `name` is
/// the source's.
pub fn check_files(policy: &Policy, name: &str, files: &dyn Files, out: &mut Diagnostics) {
    repository::check(policy, name, files, out);
    skill::check(policy, files, out);
}
