//! Files of a directory that look like policies but match no dialect. Skipping them would lose
//! hooks that the user relies on.

use hookc_schema::dialect::HOOKS;
use hookc_schema::suggest;
use hookc_schema::vocab::Vocabulary;

use super::shape::{Shape, ValueShape};
use super::{File, Name, is_in, markdown, stray};

/// The reason for a hook that is in no list of hooks.
const STRAY: &str =
    "it has a hook (`event` or `when`, and `action`) that is not in a list `hooks` at its root";

/// Members `event` that are read: a file of hooks has one early.
const EVENTS: usize = 100;

/// Why a file that is no policy still looks like one; `None` for a file without such signs.
pub(super) fn reason(whole: &File<'_>) -> Option<&'static str> {
    let (path, text) = (whole.path.as_str(), whole.text);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let data = matches!(extension.as_deref(), Some("yaml" | "yml" | "json" | "jsonc"));
    let layer = matches!(extension.as_deref(), Some("yaml" | "yml" | "xml"));
    if layer && is_in_policies(folder) {
        return Some("it is in a directory of policies");
    }
    match extension.as_deref() {
        Some("xml") => is_hooks(text).then_some("it has hook elements but is not a directive"),
        Some("md" | "markdown") if markdown::has_misspelt_hooks(text) => {
            Some("its front matter has a misspelled key `hooks`")
        }
        Some("md" | "markdown") => markdown::front_matter(text).is_some_and(stray::has_hook).then_some(STRAY),
        Some("toml") => has_events(text).then_some("it has hooks as Codex has them, and is not in `.codex`"),
        _ if data => of_shape(path, whole.shape(), text),
        _ => None,
    }
}

/// Whether a directory, or one of its parents, has a name for policies.
pub(super) fn is_in_policies(folder: &str) -> bool {
    let has_policies = |folder: &str| is_in(folder, ".hooks") || is_in(folder, ".system/hooks");
    folder.match_indices('/').any(|(at, _)| has_policies(folder.get(..at).unwrap_or_default()))
        || has_policies(folder)
}

fn of_shape(path: &str, shape: &Shape, text: &str) -> Option<&'static str> {
    let has = |word: &str| has_key(text, word);
    match shape.hooks {
        Some(ValueShape::List | ValueShape::Mapping) if Name::from_path(path) == Name::Hooks => {
            Some("its name is `hooks.yaml`")
        }
        // Settings of other programs have hooks of their own: these name an event.
        Some(ValueShape::Mapping) if shape.below.iter().any(|key| is_event(key)) => {
            Some("`hooks` at its root has an event of an agent")
        }
        Some(ValueShape::List) if names_event(text) => {
            Some("`hooks` at its root has hooks for a known event")
        }
        None if of_agent(path) && shape.has_misspelt(HOOKS) => {
            Some("it has a misspelled key `hooks` at its root")
        }
        None if shape.has_legacy_key() && has("event") && has("action") => {
            Some("its hooks in legacy syntax are not a list")
        }
        None if shape.has_misspelt("hooks") && has("event") && has("action") => {
            Some("it has a misspelled key `hooks` at its root")
        }
        None if has("event") && has("action") && text.lines().any(|line| line.trim_end() == HOOKS) => {
            Some("its key `hooks` has no colon")
        }
        _ => stray::has_hook(text).then_some(STRAY),
    }
}

/// Whether a file is where an agent keeps its hooks.
fn of_agent(path: &str) -> bool {
    matches!(Name::from_path(path), Name::Settings | Name::Plugin | Name::Agent(_))
}

/// Whether a text in TOML has a table `hooks.EVENT`.
fn has_events(text: &str) -> bool {
    let tables = text.lines().filter_map(|line| line.trim().trim_start_matches('[').strip_prefix("hooks."));
    let names = tables.filter_map(|name| name.split([']', '.']).next());
    names.take(EVENTS).any(|name| is_event(name.trim_matches(['"', '\''])))
}

/// An event type of any vocabulary, possibly misspelled.
fn is_event(key: &str) -> bool {
    let vocabulary = Vocabulary::builtin();
    suggest::slip(key, vocabulary.events.keys().map(|(_, name)| name.as_str())).is_some()
}

/// Whether a text has the key, in block or flow style.
fn has_key(text: &str, key: &str) -> bool {
    values(text, key).next().is_some()
}

/// Whether a text has a known event, possibly misspelled.
fn names_event(text: &str) -> bool {
    let name = |value: &&str| {
        let value = value.trim_start_matches([' ', '[', '"', '\'']);
        let end = value.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(value.len());
        value.get(..end).is_some_and(|name| !name.is_empty() && is_event(name))
    };
    values(text, "event").chain(values(text, "event_type")).take(EVENTS).any(|value| name(&value))
}

/// The text after each member of that name, in block or flow style.
fn values<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(key).filter_map(move |(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + key.len()..).unwrap_or_default();
        let after = after.trim_start_matches(['"', '\'']).trim_start();
        let is_key = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        after.strip_prefix(':').filter(|_| is_key)
    })
}

/// Whether an XML text is hooks without a directive, a directive with a misspelled name or hooks in wrong case, or has a
/// hook for a known event in another element.
fn is_hooks(text: &str) -> bool {
    let begins = |found: &str, name: &str| {
        found.get(..name.len()).is_some_and(|listed| listed.eq_ignore_ascii_case(name))
    };
    let mut elements = text.match_indices('<').filter_map(|(at, _)| text.get(at + 1..));
    let root = elements.clone().find(|found| found.starts_with(|c: char| c.is_ascii_alphabetic()));
    let name = root.and_then(|root| root.split(|c: char| !c.is_ascii_alphanumeric()).next());
    let directive = name.is_some_and(|name| suggest::slip(name, ["directive"]).is_some());
    let starts = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    starts
        && (root.is_some_and(|root| begins(root, "hook"))
            || elements.any(|found| begins(found, "hook") && (directive || has_event(found))))
}

/// Whether the element at the start of the text has an attribute `event` with a known event.
fn has_event(element: &str) -> bool {
    let tag = element.split('>').next().unwrap_or_default();
    let value = tag.split_once(" event").and_then(|(_, rest)| rest.trim_start().strip_prefix('='));
    let value = value.and_then(|value| value.trim_start().strip_prefix(['"', '\'']));
    value.and_then(|value| value.split(['"', '\'']).next()).is_some_and(is_event)
}

#[cfg(test)]
mod tests {
    use crate::front::detect::{Role, role};

    #[test]
    fn files_that_look_like_policies() {
        let table = [
            (".hooks/a.xml", "<rules/>", true),
            (".claude/settings.json", "{\"Hooks\": {}}", true),
            (".claude/settings.json", "{\"hook\": {}}", true),
            ("x/hooks.toml", "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n", true),
            ("x/app.toml", "[hooks]\n[hooks.post_build]\ncommand = \"x\"\n", false),
            ("settings/webhooks.json", "{\"hook\": {}}", false),
            ("x/.hooks/deep/a.yml", "rules: []\n", true),
            (".hooks/README.md", "# words\n", false),
            (".hooks/event.json", "{\"a\": 1}", false),
            ("a.yaml", "hooks:\n  PreToolUse:\n    - command: x\n", true),
            ("a.yaml", "hooks:\n  preToolUze:\n    - command: x\n", true),
            ("hooks.yaml", "hooks:\n  pre_edit:\n    - command: x\n", true),
            ("azure.yaml", "hooks:\n  preprovision:\n    shell: sh\n", false),
            ("mkdocs.yml", "hooks:\n  - my_hooks.py\n", false),
            ("a.yaml", "hooks:\n  - event: eror\n    do: {type: abort}\n", true),
            ("a.yaml", "hooks:\n  - event: error\n    acton: {type: abort}\n", false),
            ("a.yaml", "hoooks:\n  - event: error\n    action: {type: abort}\n", true),
            ("a.yaml", "Hooks:\n  - event: error\n    action: {type: abort}\n", true),
            ("a.yaml", "hooks:\n  - event: error\n    action: {type: abort}\n", false),
            ("a.yaml", "repos:\n  - hooks:\n      - id: x\n", false),
            ("a.xml", "<directive name='a'><Hooks><Hook event='x'/></Hooks></directive>", true),
            ("a.xml", "<hooks><hook event='x'/></hooks>", true),
            ("a.xml", "<directve name='a'><hooks><hook event='x'/></hooks></directve>", true),
            ("a.xml", "<directve name='a'/>", false),
            ("a.yaml", "hooks\n  - event: error\n    action: {type: abort}\n", true),
            ("a.yaml", "infra_hooks:\n  a:\n    event: error\n    action: {type: abort}\n", true),
            ("a.yaml", "infra_hooks:\n  a:\n    name: b\n", false),
            ("a.yaml", "hooks\n", false),
            ("a.xml", "<project/>", false),
            ("a.xml", "<project><hook/></project>", false),
            ("a.json", "{\"hooks\": [{\"event\": \"on_file_edit\", \"command\": \"x\"}]}", false),
            ("a.json", "{\"hooks\": [{\"event\": \"PreToolUze\", \"command\": \"x\"}]}", true),
            ("a.md", "---\nname: a\nHooks:\n  pre_execute: a.py\n---\n", true),
            ("a.md", "---\nname: a\n---\n", false),
            ("a.yaml", "hooks:\n  event: PreToolUse\n  action: {type: deny}\n", true),
            ("a.yaml", "- event: PreToolUse\n  action: {type: deny}\n", true),
            ("a.yaml", "rules:\n  - event: PreToolUse\n    action: {type: deny}\n", true),
            ("a.yaml", "policy:\n  hooks:\n    - event: PreToolUse\n      action: {type: deny}\n", true),
            ("a.json", "[{\"event\": \"PreToolUse\", \"action\": {\"type\": \"deny\"}}]", true),
            ("a.json", "{\"event\": \"push\", \"action\": \"opened\"}", false),
            ("a.xml", "<policy><hooks><hook event='PreToolUse'/></hooks></policy>", true),
            ("a.xml", "<policy><hook a='b' event = \"on_build\"/></policy>", false),
            ("a.md", "---\npolicy:\n  - event: Stop\n    action: {type: deny}\n---\n", true),
            ("package.json", "{\"husky\": {\"hooks\": {\"Stop\": 1}}}", false),
            ("plugin.json", "{\"hooks\": \"./hooks/hooks.json\"}", false),
        ];
        for (name, text, expected) in table {
            for end in ["\n", "\r\n", "\r"] {
                let text = text.replace('\n', end);
                assert_eq!(matches!(role(name, &text), Role::Suspect(_)), expected, "{name} {text:?}");
            }
        }
    }
}
