//! The skills of a user and a project, and their slash commands.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use hookc_compiler::Dialect;
use hookc_schema::tree::Layer;
use hookc_schema::{Diagnostic, Diagnostics, Sources};
use hookc_syntax::front::skill::{self, discover};
use serde_json::{Value, json};

use crate::disk::Disk;
use crate::open;
use crate::policies::PolicySet;

/// A skill that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: Option<String>,
    /// Its slash command, `/` included.
    pub trigger: Option<String>,
    /// The text after its front matter: the instructions for the model.
    pub body: String,
    /// Its file.
    pub path: String,
    /// `user` or `project`.
    pub layer: Layer,
}

impl Skill {
    /// Its heading: the first one of its body, otherwise its name.
    #[must_use]
    pub fn title(&self) -> &str {
        let title = self.body.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
        title.filter(|title| !title.is_empty()).unwrap_or(&self.name)
    }

    fn in_system_prompt(&self) -> String {
        let command = self.trigger.as_ref().map(|trigger| format!(" ({trigger})")).unwrap_or_default();
        let heading = format!("## {}{command}", self.name);
        paragraphs([&heading, self.description.as_deref().unwrap_or_default(), &self.body])
    }

    /// The value of `skill` in its events.
    #[must_use]
    pub fn in_event(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "title": self.title(),
            "path": self.path,
        })
    }
}

/// All skills of two directories.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SkillRegistry {
    /// The user's, then the project's, each by name.
    pub skills: Vec<Skill>,
    /// The diagnostics of their front matter.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that `diagnostics` refers to.
    pub sources: Sources,
    /// Files that could not be read, with the reason.
    pub unread: Vec<String>,
}

impl SkillRegistry {
    /// Reads the skills of the user's directory (`~/.claude/skills`) and of the project's
    /// (`.claude/skills`). A missing directory has none; a project's skill replaces the user's of
    /// the same name, whether the path or the front matter gives the name.
    #[must_use]
    pub fn read(user: Option<&Path>, project: Option<&Path>) -> Self {
        let name = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned());
        let (user, project) = (name(user), name(project));
        let mut registry = Self::default();
        for found in discover::discover(&Disk, user.as_deref(), project.as_deref()) {
            match text(Path::new(&found.path)) {
                Ok(text) => registry.add(found, text),
                Err(error) => registry.unread.push(format!("{}: {error}", found.path)),
            }
        }
        let of_project = registry.skills.iter().filter(|skill| skill.layer == Layer::Project);
        let nearer: HashSet<String> = of_project.map(|skill| skill.name.clone()).collect();
        registry.skills.retain(|skill| skill.layer == Layer::Project || !nearer.contains(&skill.name));
        registry
    }

    fn add(&mut self, found: discover::Found, text: String) {
        let source = self.sources.add(found.path.clone(), text);
        let text = self.sources.text(source);
        let mut reported = Diagnostics::new();
        let policy = skill::read(&found.path, text, source, &mut reported);
        self.diagnostics.extend(reported);
        let Some(skill) = policy.skill else {
            let name = found.name;
            let body = text.to_owned();
            let (description, trigger) = (None, None);
            let known = Skill { name, description, trigger, body, path: found.path, layer: found.layer };
            return self.skills.push(known);
        };
        self.skills.push(Skill {
            name: skill.name.node,
            description: skill.description.map(|text| text.node),
            trigger: skill.trigger.map(|text| text.node),
            body: skill.body.node,
            path: found.path,
            layer: found.layer,
        });
    }

    /// The slash commands, each with its skill; for equal names the project's wins, then the later
    /// one.
    pub fn commands(&self) -> impl Iterator<Item = (&str, &Skill)> {
        let is_own = |skill: &&Skill| skill.trigger.is_some();
        let matching = self.skills.iter().filter(is_own);
        matching
            .filter_map(|skill| Some((skill.trigger.as_deref()?, skill)))
            .filter(|(trigger, skill)| self.skill(trigger).is_some_and(|counts| std::ptr::eq(counts, *skill)))
    }

    /// The skill whose slash command starts a user's message.
    #[must_use]
    pub fn command(&self, message: &str) -> Option<&Skill> {
        self.skill(message.split_whitespace().next()?)
    }

    /// The text that replaces a message with a slash command: the instructions of its skill and,
    /// after an empty line, the rest of the message.
    #[must_use]
    pub fn prompt(&self, message: &str) -> Option<String> {
        let skill = self.command(message)?;
        let (_, rest) = message.trim().split_once(char::is_whitespace).unwrap_or_default();
        Some(paragraphs([&skill.body, rest]))
    }

    /// The part of a system prompt that describes all skills, each with its name, slash command,
    /// description and instructions; empty without skills.
    #[must_use]
    pub fn system_prompt(&self) -> Option<String> {
        let diagnostics: Vec<_> = self.skills.iter().map(Skill::in_system_prompt).collect();
        (!diagnostics.is_empty()).then(|| format!("# Active Skills\n\n{}\n", diagnostics.join("\n\n")))
    }

    fn skill(&self, trigger: &str) -> Option<&Skill> {
        self.skills.iter().rev().find(|skill| skill.trigger.as_deref() == Some(trigger))
    }

    /// Their files, as layers of a policy.
    #[must_use]
    pub fn policy_set(&self) -> PolicySet {
        let with = |policies: PolicySet, skill: &Skill| {
            policies.with(skill.layer, &skill.path, Some(Dialect::Skill))
        };
        self.skills.iter().fold(PolicySet::new(), with)
    }
}

/// The text of a file.
fn text(path: &Path) -> io::Result<String> {
    let limit = hookc_syntax::limits::SOURCE_BYTES;
    let bytes = open::read(path, limit)?;
    if bytes.len() > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The non-empty texts, separated by empty lines.
fn paragraphs<const N: usize>(texts: [&str; N]) -> String {
    let texts: Vec<_> = texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}
