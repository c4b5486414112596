//! Which dialect a file is in, by its name and shape.
//!
//! The shape is found without parsing ([`shape`]): the keys at the root of a YAML or JSON text and
//! those below `hooks`, the first tag of an XML text, the front matter and the fences of a Markdown
//! text. It takes at most one pass over the bytes, which ends at the first key that decides.

mod agent;
mod markdown;
mod shape;
mod suspect;
mod unknown;

use hookc_schema::dialect::{repository, workflow};
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use super::{Dialect, toml};
use shape::{Shape, ValueShape};
pub use suspect::suspect;
pub use unknown::{suspicious, unknown};

/// The dialect of a file, if it can be detected. `name` is its path, as far as known.
#[must_use]
pub fn detect(name: &str, text: &str) -> Option<Dialect> {
    let path = name.replace('\\', "/");
    match Name::of(&path) {
        Name::Xml => Some(Dialect::DirectiveXml),
        // Without such a fence, the front end reports what is missing.
        Name::Markdown => Some(of_markdown(&path, text).unwrap_or(Dialect::DirectiveXml)),
        Name::RepositoryHook => Some(Dialect::Repository),
        Name::Settings => Some(of_settings(text)),
        Name::Agent(dialect) if toml::is_named(&path) => Some(dialect),
        Name::Agent(dialect) => Some(agent::of_named(dialect, text)),
        Name::Plugin => {
            let shape = Shape::of(text);
            let events = shape.hooks == Some(ValueShape::Mapping);
            of_shape(&shape, text).or(events.then_some(Dialect::Settings))
        }
        Name::Hooks => match Shape::of(text) {
            shape if shape.hooks == Some(ValueShape::Mapping) => of_shape(&shape, text),
            _ => Some(Dialect::HooksYaml),
        },
        Name::Data => of_shape(&Shape::of(text), text),
        Name::Other if starts_as_xml(text) => Some(Dialect::DirectiveXml),
        Name::Other => of_markdown(&path, text).or_else(|| of_shape(&Shape::of(text), text)),
    }
}

/// The dialect of a file found in a directory. Only files that are certainly policies, with content
/// about hooks, have one.
#[must_use]
pub fn discover(name: &str, text: &str) -> Option<Dialect> {
    let dialect = detect(name, text)?;
    let path = name.replace('\\', "/");
    if toml::is_named(&path) {
        return toml::has_hooks(text).then_some(dialect);
    }
    // Everything under `hooks` in an agent's own file is intended, even if misspelled: errors are
    // reported.
    let named = matches!(Name::of(&path), Name::Settings | Name::Plugin | Name::Agent(_));
    let says = match dialect {
        _ if named && Shape::of(text).hooks.is_some() => true,
        Dialect::DirectiveXml => {
            text.contains("<hook") && (markdown::has_directive(text) || starts_as_xml(text))
        }
        Dialect::Skill => is_skill(&path) || markdown::has_hooks(text),
        Dialect::Settings => is_settings(&Shape::of(text)),
        // Other programs' files also have lists of hooks; these have actions. A hook with a
        // misspelled action is still an intended guard.
        Dialect::HooksYaml => Name::of(&path) == Name::Hooks || text.contains("action") || has_events(text),
        Dialect::Repository | Dialect::Workflow => true,
        // The name alone does not decide: a policy has one of the agent's events.
        _ => Shape::of(text).hooks.is_some() || text.trim().is_empty(),
    };
    says.then_some(dialect)
}

/// Whether an item of a list names an event of the vocabulary.
fn has_events(text: &str) -> bool {
    let named = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '-', '{', '"']);
        let name = line.strip_prefix("event")?.trim_start_matches('"').strip_prefix(':')?;
        let name = name.split([',', '}', '#']).next()?.trim().trim_matches(['"', '\'', '[', ']']);
        Vocabulary::builtin().event(Family::Thread, name).map(|_| ())
    };
    text.lines().any(|line| named(line).is_some())
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
    fn of(path: &str) -> Self {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let file = file.to_ascii_lowercase();
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let settings = file.starts_with("settings") && extension == "json";
        if let Some(dialect) = agent::by_path(path) {
            return Self::Agent(dialect);
        }
        match extension {
            "yaml" | "yml" if is_in(folder, ".system/hooks") => Self::RepositoryHook,
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

/// Settings by name can still contain a list of hooks.
fn of_settings(text: &str) -> Dialect {
    let shape = Shape::of(text);
    if shape.hooks == Some(ValueShape::List) && shape.is_policy() {
        Dialect::HooksYaml
    } else {
        Dialect::Settings
    }
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

fn of_shape(shape: &Shape, text: &str) -> Option<Dialect> {
    if shape.is_policy() {
        return Some(Dialect::HooksYaml);
    }
    if shape.is_only(&repository::HOOK) {
        return Some(Dialect::Repository);
    }
    if shape.is_only(&workflow::LEVEL) || (is_workflow(shape) && shape::has_timing(text)) {
        return Some(Dialect::Workflow);
    }
    agent::of_shape(shape, text).or_else(|| is_settings(shape).then_some(Dialect::Settings))
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

fn starts_as_xml(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, rest)| rest.trim_start());
    }
    rest.starts_with("<directive") || rest.starts_with("<?xml")
}

#[cfg(test)]
mod tests {
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
            assert_eq!(detect(name, text), dialect, "{name} {text:?}");
        }
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
            (".claude/settings.json", "{\"hooks\": [{\"event\": \"e\"}]}", A),
            ("p/hooks/hooks.json", "{\"hooks\": {\"beforeTool\": []}}", C),
            ("p/hooks/hooks.json", "{\"hooks\": {}}", C),
            ("p/hooks/hooks.json", "{\"name\": \"x\"}", None),
            (".other/hooks.json", "{\"hooks\": {\"beforeTool\": []}}", None),
            ("a/hooks.yaml", "hook: []", A),
            ("a.yaml", "hooks:\n  - event: e\n    action: {type: abort}\n", A),
            ("a.yaml", "hooks:\n  - name: a\n    command: b\n", None),
            ("a.yaml", "hooks:\n  - event: PreToolUse\n    acton: {type: deny}\n", A),
            ("a.yaml", "hooks:\n  - {event: PreToolUse, acton: {type: deny}}\n", A),
            ("a.yaml", "hooks:\n  - event: deploy\n    script: x\n", None),
            (".hooks/a.yaml", "hook: []", A),
        ];
        for (name, text, dialect) in table {
            assert_eq!(discover(name, text), dialect, "{name} {text:?}");
        }
    }

    #[test]
    fn the_other_dialects_too() {
        let plugin = "{\n  // ours, isn't it {\n  \"description\": \"x\",\n  \"Stop\": [ ]\n}";
        let table = [
            ("x.json", "{\"hooks\": {\"Stop\": []}}", C),
            ("x.json", "{\"hooks\": {}}", C),
            ("x.json", "{\"hooks\": {\"Stopp\": []}}", None),
            (".claude/settings.json", "{\"hooks\": {\"Stopp\": []}}", C),
            ("a/.claude/settings.local.json", "{", C),
            ("settings.json", "{\"editor.tabSize\": 2}", None),
            ("x.json", "{\"version\": 1, \"hooks\": {\"preToolUse\": []}}", Some(Dialect::Cursor)),
            ("x.json", "{\"hooks\": {\"preToolUse\": [{\"bash\": \"x\"}]}}", Some(Dialect::Copilot)),
            ("x.json", "{\"hooks\": {\"sessionStart\": [], \"agentStop\": []}}", Some(Dialect::Copilot)),
            ("x.json", "{\"hooks\": {\"BeforeTool\": []}}", Some(Dialect::Gemini)),
            ("x.json", "{\"hooks\": {\"pre_run_command\": []}}", Some(Dialect::Windsurf)),
            (".gemini/settings.json", "{\"hooks\": {\"SessionStart\": []}}", Some(Dialect::Gemini)),
            (".codex/hooks.json", "{\"hooks\": {\"Stop\": []}}", Some(Dialect::Codex)),
            ("a/.github/hooks/x.json", "{\"hooks\": {\"Stop\": []}}", Some(Dialect::Copilot)),
            (".cursor/hooks.json", "{\"hooks\": [{\"event\": \"e\"}]}", A),
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
