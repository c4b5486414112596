//! Which dialect a file is in, by its name and shape.
//!
//! The shape is found without parsing ([`shape`]): the keys at the root of a YAML or JSON text and
//! those below `hooks`, the first tag of an XML text, the front matter and the fences of a Markdown
//! text. It takes at most one pass over the bytes, which ends at the first key that decides.
//!
//! A file that was found in a directory, not named, must also have content about hooks. A list of
//! hooks is parsed up to the first key that only a policy has ([`evidence`]).

mod agent;
mod evidence;
mod markdown;
mod shape;
mod stray;
mod suspect;
mod undetected;

use std::cell::OnceCell;
use std::path::Path;

use hookc_schema::dialect::{repository, workflow};
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use super::{Dialect, toml};
use crate::line_ends::line_feeds;
use shape::{Shape, ValueShape};
pub use undetected::{suspicious, unknown};

/// The dialect of a file, if it can be detected. `name` is its path, as far as known.
#[must_use]
pub fn detect(name: &str, text: &str) -> Option<Dialect> {
    File::new(name, &line_feeds(text)).dialect()
}

/// The role of a file found in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Certainly a policy, with content about hooks.
    Policy(Dialect),
    /// It looks like a policy but matches no dialect, for this reason: skipping it would lose hooks
    /// that the user relies on.
    Suspect(&'static str),
    /// No policy.
    Other,
}

/// The role of a file found in a directory.
#[must_use]
pub fn role(name: &str, text: &str) -> Role {
    let text = line_feeds(text);
    let file = File::new(name, &text);
    match file.dialect().filter(|dialect| file.is_about_hooks(*dialect)) {
        Some(dialect) => Role::Policy(dialect),
        None => suspect::reason(&file).map_or(Role::Other, Role::Suspect),
    }
}

/// Whether a text has the keys of a test file, whatever its name.
#[must_use]
pub fn is_test(text: &str) -> bool {
    let shape = Shape::read(&line_feeds(text));
    shape.has("tests") && (shape.has("policy") || shape.has("layers"))
}

/// Whether a file whose name is not that of a test file has tests: the keys of one, or a name close to it and `tests`.
#[must_use]
pub fn is_misnamed_test(path: &Path, text: &str) -> bool {
    is_test(text) || (test_stem(path).is_some() && Shape::read(&line_feeds(text)).has("tests"))
}

/// What a name like that of a test file is about: `guard` of `guard_test.yaml`.
#[must_use]
pub fn test_stem(path: &Path) -> Option<&str> {
    let stem = path.file_stem()?.to_str()?;
    [".test", "_test", "-test", ".tests", "_tests", "-tests"].iter().find_map(|end| stem.strip_suffix(end))
}

/// A file, whose shape is determined once. Its lines end with line feeds.
struct File<'t> {
    /// Its path, with `/` between directories.
    path: String,
    text: &'t str,
    shape: OnceCell<Shape>,
}

impl<'t> File<'t> {
    fn new(name: &str, text: &'t str) -> Self {
        Self { path: name.replace('\\', "/"), text, shape: OnceCell::new() }
    }

    fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::read(self.text))
    }

    fn has_events(&self) -> bool {
        self.shape().hooks == Some(ValueShape::Mapping)
    }

    fn dialect(&self) -> Option<Dialect> {
        let text = self.text;
        match Name::from_path(&self.path) {
            Name::Xml => Some(Dialect::DirectiveXml),
            // Without such a fence, the front end reports what is missing.
            Name::Markdown => Some(of_markdown(&self.path, text).unwrap_or(Dialect::DirectiveXml)),
            Name::RepositoryHook => Some(Dialect::Repository),
            Name::Settings => Some(Dialect::Settings),
            Name::Agent(dialect) => Some(dialect),
            Name::Plugin => self.by_shape().or(self.has_events().then_some(Dialect::Settings)),
            Name::Hooks if self.has_events() => self.by_shape(),
            Name::Hooks => Some(Dialect::HooksYaml),
            Name::Data => self.by_shape(),
            Name::Other if starts_as_xml(text) => Some(Dialect::DirectiveXml),
            Name::Other => of_markdown(&self.path, text).or_else(|| self.by_shape()),
        }
    }

    fn by_shape(&self) -> Option<Dialect> {
        let (shape, text) = (self.shape(), self.text);
        if shape.flow && shape.hooks == Some(ValueShape::List) && has_groups(text) {
            return Some(Dialect::Settings);
        }
        if shape.is_policy() {
            return Some(Dialect::HooksYaml);
        }
        if shape.is_only(&repository::HOOK) {
            return Some(Dialect::Repository);
        }
        if shape.is_only(&workflow::LEVEL) || (is_workflow(shape) && shape::has_timing(text)) {
            return Some(Dialect::Workflow);
        }
        agent::of_shape(shape, text)
            .or_else(|| is_settings(shape).then_some(Dialect::Settings))
            .or_else(|| shape.legacy.then_some(Dialect::HooksYaml))
    }

    /// Whether the content leaves no doubt that it is a policy of its dialect.
    fn is_about_hooks(&self, dialect: Dialect) -> bool {
        let (path, text, name) = (self.path.as_str(), self.text, Name::from_path(&self.path));
        if toml::is_named(path) {
            return toml::has_hooks(text);
        }
        // Everything under `hooks` in an agent's own file is intended, even if misspelled: errors are
        // reported.
        let agents = matches!(name, Name::Settings | Name::Plugin | Name::Agent(_));
        if agents && self.shape().hooks.is_some() {
            return true;
        }
        match dialect {
            Dialect::DirectiveXml => {
                text.contains("<hook") && (markdown::has_directive(text) || starts_as_xml(text))
            }
            Dialect::Skill => is_skill(path) || markdown::has_hooks(text),
            Dialect::Settings => is_settings(self.shape()),
            Dialect::HooksYaml => name == Name::Hooks || evidence::is_policy(text),
            // Other data may be next to the hooks, in JSON.
            Dialect::Repository if path.ends_with(".json") => {
                let has = |key: &&str| self.shape().has(key) || self.shape().has_misspelt(key);
                self.by_shape().is_some() || ["event_type", "handler"].iter().any(has)
            }
            Dialect::Repository | Dialect::Workflow => true,
            // The name alone does not decide: a policy has one of the agent's events.
            _ => {
                let has_event = |agent: &hookc_schema::agents::Agent| {
                    self.shape().lists().any(|key| agent.event(key).is_some())
                };
                self.shape().hooks.is_some()
                    || text.trim().is_empty()
                    || dialect.agent().is_some_and(has_event)
            }
        }
    }
}

/// Whether a path is that of a skill: a file or a directory in a directory `skills`.
fn is_skill(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    file.eq_ignore_ascii_case("skill.md") || is_in(folder, "skills")
}

/// The meaning of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// `hooks.yaml`, the name of the dialect itself, or a file in a directory `.hooks`.
    Hooks,
    /// `settings.json` and its variants in a directory `.claude`.
    Settings,
    /// `hooks/hooks.json`, the hooks of an agent's plugin.
    Plugin,
    /// The location of another agent's hooks.
    Agent(Dialect),
    /// A file in a directory `.system/hooks`.
    RepositoryHook,
    /// `*.yaml`, `*.yml`, `*.json`
    Data,
    Xml,
    Markdown,
    /// No meaning.
    Other,
}

impl Name {
    fn from_path(path: &str) -> Self {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let file = file.to_ascii_lowercase();
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let settings = file.starts_with("settings") && extension == "json";
        if let Some(dialect) = agent::by_path(path) {
            return Self::Agent(dialect);
        }
        match extension {
            "yaml" | "yml" | "json" if is_in(folder, ".system/hooks") => Self::RepositoryHook,
            "yaml" | "yml" if file.strip_suffix(extension) == Some("hooks.") => Self::Hooks,
            "yaml" | "yml" if is_in(folder, ".hooks") => Self::Hooks,
            "json" if settings && is_in(folder, ".claude") => Self::Settings,
            "json" if file == "hooks.json" && is_in(folder, "hooks") => Self::Plugin,
            "yaml" | "yml" | "json" => Self::Data,
            "xml" => Self::Xml,
            "md" | "markdown" => Self::Markdown,
            _ => Self::Other,
        }
    }
}

/// Whether a directory on the path has this name.
fn is_in(folder: &str, name: &str) -> bool {
    folder.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// A skill, or a directive in a fence.
fn of_markdown(path: &str, text: &str) -> Option<Dialect> {
    if path.rsplit('/').next().is_some_and(|file| file.eq_ignore_ascii_case("skill.md")) {
        return Some(Dialect::Skill);
    }
    if markdown::has_directive(text) {
        return Some(Dialect::DirectiveXml);
    }
    markdown::has_front_matter(text).then_some(Dialect::Skill)
}

fn is_workflow(shape: &Shape) -> bool {
    shape.hooks == Some(ValueShape::Mapping) || shape.has("workflow") || shape.has("steps")
}

/// Agent settings in JSON: events below `hooks`, or at the root of a plugin's file.
fn is_settings(shape: &Shape) -> bool {
    // The vocabulary is loaded only for possible settings, whose events are checked.
    let event = |name: &String| Vocabulary::builtin().event(Family::Agent, name).map(|event| event.family);
    let known = |name: &String| event(name) == Some(Family::Agent);
    match shape.hooks {
        Some(ValueShape::Mapping) => shape.flow && (shape.below.is_empty() || shape.below.iter().any(known)),
        Some(_) => false,
        None => shape.flow && shape.lists().any(known),
    }
}

/// Whether a list of hooks has groups of handlers, as settings have them: no policy has `hooks` in a hook.
fn has_groups(text: &str) -> bool {
    text.matches("\"hooks\"").count() > 1 && text.contains("\"type\"") && !text.contains("\"action\"")
}

fn starts_as_xml(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, rest)| rest.trim_start());
    }
    rest.starts_with("<directive") || rest.starts_with("<?xml")
}

#[cfg(test)]
mod tests {
    use hookc_schema::agents::Id;

    use super::*;

    const A: Option<Dialect> = Some(Dialect::HooksYaml);
    const B: Option<Dialect> = Some(Dialect::DirectiveXml);
    const C: Option<Dialect> = Some(Dialect::Settings);
    const D: Option<Dialect> = Some(Dialect::Repository);
    const E: Option<Dialect> = Some(Dialect::Skill);
    const F: Option<Dialect> = Some(Dialect::Workflow);

    #[test]
    fn names_and_shapes_determine_the_dialect() {
        let fence = "# title\n\n````md\n```xml\n<x/>\n```\n````\n\n```xml\n<directive name=\"a\"/>\n```\n";
        let table = [
            ("hooks.yaml", "", A),
            ("a/hooks.yaml", "hook:\n- event: x\n", A),
            ("hooks.yaml", "hooks:\n  PreToolUse:\n    - x\n", None),
            ("x.yaml", "\u{feff}# c\n---\nhooks: # list\n\n  # c\n  - event: x\n", A),
            ("x.yml", "hooks:\n- event: x\n", A),
            ("x.yml", "a: 1\nhooks: []\n", A),
            ("x.yml", "hooks:\nother: 1\n", A),
            ("x.yml", "hooks: &x\n  - a\n", A),
            ("x.yml", "a: 1\n", None),
            ("x.yml", "schema_version: \"1.0.0\"\npatterns: []\n", None),
            ("x.yml", "- a\n", None),
            ("x.yml", "a:\n  hooks:\n    - x\n", None),
            ("x.yml", "hooks: {PreToolUse: []}\n", None),
            ("x.yml", "'schema_version': \"1.0.0\"\nhooks: {}\n", A),
            ("x.json", "{\"a\": {\"hooks\": []}, \"b\\\"\": [\"hooks\"], \"hooks\" : [ ]}", A),
            ("x.json", "{\"a\": {\"hooks\": []}}", None),
            ("x.xml", "nothing", B),
            ("x.md", fence, B),
            ("x.md", "# hooks\n", B),
            ("-", "# hooks\n\nwords\n", None),
            ("-", "  <directive name='x'/>", B),
            ("-", "<!-- c --><?xml version='1.0'?>", B),
            ("-", fence, B),
            ("-", "hooks:\n  - event: x\n", A),
            ("-", "hello: 1", None),
            ("-", "", None),
        ];
        for (name, text, dialect) in table {
            for text in with_all_line_ends(text) {
                assert_eq!(detect(name, &text), dialect, "{name} {text:?}");
            }
        }
    }

    fn with_all_line_ends(text: &str) -> [String; 3] {
        ["\n", "\r\n", "\r"].map(|end| text.replace('\n', end))
    }

    #[test]
    fn unrelated_files_of_a_directory_are_skipped() {
        let hooks = "<directive name='a'><hooks><hook event='x'/></hooks></directive>";
        let table = [
            ("README.md", "# words\n", None),
            ("a.md", "---\nname: a\n---\n", None),
            ("a.md", "---\nname: a\nhooks:\n  on_error: a.py\n---\n", E),
            (".claude/skills/a.md", "---\nname: a\n---\n", E),
            ("skills/a/SKILL.md", "", E),
            ("a.xml", "<project/>", None),
            ("a.xml", "<directive name='a'/>", None),
            ("a.xml", hooks, B),
            (".claude/settings.json", "{\"model\": \"x\"}", None),
            (".claude/settings.json", "{\"hooks\": {\"Stop\": []}}", C),
            (".claude/settings.json", "{\"hooks\": {\"PreToolUze\": []}}", C),
            (".claude/settings.json", "{\"hooks\": [{\"event\": \"e\"}]}", C),
            ("p/hooks/hooks.json", "{\"hooks\": {\"beforeTool\": []}}", C),
            ("p/hooks/hooks.json", "{\"hooks\": {}}", C),
            ("p/hooks/hooks.json", "{\"name\": \"x\"}", None),
            (".other/hooks.json", "{\"hooks\": {\"beforeTool\": []}}", None),
            ("a/hooks.yaml", "hook: []", A),
            ("a.yaml", "hooks:\n  - event: e\n    action: {type: abort}\n", A),
            ("a.yaml", "hooks:\n  - name: a\n    command: b\n", None),
            ("a.yaml", "hooks:\n  - event: PreToolUse\n    acton: {type: deny}\n", A),
            ("a.yaml", "hooks:\n  - event: eror\n    acton: {type: deny}\n", A),
            ("a.yaml", "builtin_hooks: []\n", A),
            ("a.yaml", "hooks:\n  - name: a # an action\n    command: b\n", None),
            ("a.yaml", "hooks:\n  - {event: PreToolUse, acton: {type: deny}}\n", A),
            ("a.yaml", "hooks:\n  - event: deploy\n    script: x\n", None),
            (".hooks/a.yaml", "hook: []", A),
            ("a.yaml", "infra_hooks:\n  - event: e\n    action: {primary: execute, item_id: a}\n", A),
            ("a.yaml", "context_hooks:\n  - Stop\n", None),
            ("a.yaml", "context_hooks:\n  - event: Stop\n", A),
            ("a.yaml", "config:\n  hooks:\n    - event: Stop\n      do: x\n", A),
            ("a.yaml", "config:\n  hooks:\n    - event: e\n      action: {item_id: a}\n", A),
            ("a.yaml", "config:\n  hooks:\n    - name: a\n      command: b\n", None),
            ("a.yaml", "other:\n  hooks:\n    - event: Stop\n", None),
            (".system/hooks/a.json", "{\"hooks\": {\"Stop\": []}}", D),
            (".system/hooks/hooks.json", "{\"hooks\": {}}", D),
            (".system/hooks/a.json", "{\"evnt_type\": \"PromptSubmit\"}", D),
            (".system/hooks/a.json", "{\"a\": 1}", None),
            ("a.yaml", " hooks:\n  - event: error\n    action: {type: abort}\n", A),
            ("a.yaml", "---\n  hooks:\n  - event: error\n    action: {type: abort}\n", A),
            ("a.yaml", "- a: 1\n  hooks:\n    - event: error\n      action: {type: abort}\n", None),
            ("a.yaml", "# c\na:\n  hooks:\n    - event: error\n      action: {type: abort}\n", None),
        ];
        for (name, text, dialect) in table {
            for text in with_all_line_ends(text) {
                let found = match role(name, &text) {
                    Role::Policy(dialect) => Some(dialect),
                    Role::Suspect(_) | Role::Other => None,
                };
                assert_eq!(found, dialect, "{name} {text:?}");
            }
        }
    }

    #[test]
    fn the_other_dialects_too() {
        let plugin = "{\n  // ours, isn't it {\n  \"description\": \"x\",\n  \"Stop\": [ ]\n}";
        // A key of Codex CLI does not make another agent's file one of Codex CLI.
        let limited = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"additionalContextLimit\": 9}]}]}}";
        // Its plugins have this variable; those of Claude Code have another one.
        let of_codex = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"${PLUGIN_ROOT}/x\"}]}]}}";
        let table = [
            ("x.json", "{\"hooks\": {\"Stop\": []}}", C),
            ("x.json", "{\"hooks\": {}}", C),
            ("x.json", "{\"hooks\": {\"Stopp\": []}}", None),
            (".claude/settings.json", "{\"hooks\": {\"Stopp\": []}}", C),
            ("a/.claude/settings.local.json", "{", C),
            ("settings.json", "{\"editor.tabSize\": 2}", None),
            ("x.json", "{\"version\": 1, \"hooks\": {\"preToolUse\": []}}", Some(Dialect::Agent(Id::Cursor))),
            (
                "x.json",
                "{\"hooks\": {\"preToolUse\": [{\"bash\": \"x\"}]}}",
                Some(Dialect::Agent(Id::Copilot)),
            ),
            (
                "x.json",
                "{\"hooks\": {\"sessionStart\": [], \"agentStop\": []}}",
                Some(Dialect::Agent(Id::Copilot)),
            ),
            ("x.json", "{\"hooks\": {\"BeforeTool\": []}}", Some(Dialect::Agent(Id::Gemini))),
            ("x.json", "{\"hooks\": {\"pre_run_command\": []}}", Some(Dialect::Agent(Id::Windsurf))),
            (
                ".gemini/settings.json",
                "{\"hooks\": {\"SessionStart\": []}}",
                Some(Dialect::Agent(Id::Gemini)),
            ),
            (".codex/hooks.json", "{\"hooks\": {\"Stop\": []}}", Some(Dialect::Agent(Id::Codex))),
            ("hooks/hooks.json", limited, C),
            ("hooks/hooks.json", of_codex, Some(Dialect::Agent(Id::Codex))),
            (".codex/hooks.json", limited, Some(Dialect::Agent(Id::Codex))),
            ("a/.github/hooks/x.json", "{\"hooks\": {\"Stop\": []}}", Some(Dialect::Agent(Id::Copilot))),
            (".cursor/hooks.json", "{\"hooks\": [{\"event\": \"e\"}]}", Some(Dialect::Agent(Id::Cursor))),
            ("hooks/hooks.json", plugin, C),
            ("-", plugin, C),
            ("x.yaml", "id: a\nevent_type: PromptSubmit\nhandler:\n  kind: script\n", D),
            ("x.json", "{\"event_type\": \"SessionStop\", \"blocking\": true}", D),
            ("a/.system/hooks/x.yaml", "", D),
            (".system\\hooks\\x.yml", "a: 1", D),
            ("a.system/hooks/x.yml", "a: 1", None),
            ("-", "---\nname: a\ndescription: b\n---\n\n# A\n", E),
            ("a/SKILL.md", "# A\n", E),
            ("a.md", "\u{feff}---\r\nname: a\r\n---\r\ntext", E),
            ("a.md", "---\n\ntext\n\n---\n", B),
            ("-", "---\nhooks:\n  - event: x\n", A),
            ("x.yaml", "a: 1\ncontext_hooks:\n  - event: e\n", A),
            ("x.json", "{\"infra_hooks\": [{\"event\": \"e\"}]}", A),
            ("x.yaml", "infra_hooks: {a: 1}\n", None),
            ("x.yaml", "config:\n  start: a\n  hooks:\n  - event: e\n  nodes: []\n", A),
            ("x.json", "{\"config\": {\"nodes\": {\"hooks\": 1}, \"hooks\": []}}", A),
            ("x.yaml", "config:\n  hooks:\n    PreToolUse: []\n", None),
            ("x.yaml", "config:\n  a:\n    hooks: []\n", None),
            ("x.json", "{\"config\": {\"hooks\": []}, \"hooks\": {\"Stop\": []}}", C),
            ("a/.system/hooks/x.json", "{\"hooks\": {\"Stop\": []}}", D),
            ("a/.system/hooks/hooks.json", "{\"hooks\": {}}", D),
            ("a/.system/hooks/x.json", "", D),
            ("x.yaml", "hooks:\n  pre_decision:\n    - artifact_id: a\n", F),
            ("hooks.yaml", "hooks:\n  on_error:\n    - artifact_id: a\n", F),
            ("x.yaml", "id: a\nsubscribed_artifacts: [b]\n", F),
            ("x.yaml", "workflow:\n  steps:\n    - hooks: {post_action: []}\n", F),
            ("x.json", "{\"steps\": [{\"hooks\": {\"post_decision\" : []}}]}", F),
            ("x.yaml", "steps:\n  - run: pre_decision\n", None),
        ];
        for (name, text, dialect) in table {
            assert_eq!(detect(name, text), dialect, "{name} {text:?}");
        }
    }
}
