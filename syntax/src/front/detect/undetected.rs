//! Diagnostics for a file that matches no dialect.

use hookc_schema::dialect::HOOKS;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};

use super::shape::{Shape, ValueShape};
use super::stray;
use crate::Dialect;
use crate::front::hooks_yaml::draft;
use crate::front::yaml;
use crate::line_ends::line_feeds;

/// The diagnostic for a file that fits none: lists what was tried.
#[must_use]
pub fn unknown(source: SourceId, name: &str, text: &str) -> Diagnostic {
    let names: Vec<_> = Dialect::all().map(|one| format!("`{}`", one.name())).collect();
    let text = line_feeds(text);
    if let Some(new) = other_file(source, name, &text) {
        return new;
    }
    let what = format!("the name and the content of `{name}` match no dialect");
    if let Some(written) = Shape::read(&text).misspelt(HOOKS) {
        let start = text.find(written).unwrap_or_default();
        let place = Span::new(source, start..start + written.len());
        return Diagnostic::new(Code::E0003, place, what).did_you_mean(Some(HOOKS), place);
    }
    let mut new = Diagnostic::new(Code::E0003, Span { source, start: 0, end: 0 }, what);
    let shape = Shape::read(&text);
    let value = || yaml::read(&text, source, &mut Diagnostics::new());
    let draft = if shape.mapping && !shape.flow { value().as_ref().and_then(draft::hook) } else { None };
    let draft =
        draft.map(|draft| format!("what is understood of the first hook, in the right form:\n\n{draft}\n"));
    if shape.hooks == Some(ValueShape::Mapping) && !shape.flow {
        let first = shape.below.first().map_or("no-sudo", String::as_str);
        new.message = format!("`hooks` of `{name}` is a mapping, and a policy has a list of hooks");
        let is_event = Vocabulary::builtin().event(Family::Agent, first).is_some();
        let key = if is_event { "event" } else { "id" };
        new.notes.extend(draft);
        return new.help(format!("write `- {key}: {first}` for each hook, and its other keys below `{key}`"));
    }
    if stray::has_hook(&text) {
        new.message = format!("`{name}` has a hook that is not in a list `hooks`");
        new.notes.extend(draft);
        return new.help(
            "write `hooks:` in the first line, and the hooks as a list below it: `  - event: PreToolUse`",
        );
    }
    if let Some(draft) = draft {
        new.message = format!("`{name}` is not a policy: it has no list `hooks`");
        return new.note(draft).help("write the list `hooks`; `hookc guide` shows the keys");
    }
    new.notes = tried(&text);
    new.help(format!("name the dialect with `--dialect`: {}", names.join(", ")))
}

/// The dialects that were tried, and why they do not match.
fn tried(text: &str) -> Vec<String> {
    let shape = Shape::read(text);
    let note = |dialect: Dialect| format!("not {}: {}", dialect.name(), why(dialect, &shape));
    let agents = Dialect::all().filter(|one| one.agent().is_some()).map(|one| one.name());
    let agents = agents.collect::<Vec<_>>().join(", ");
    let agents = format!("not {agents}: none of their events under `hooks`");
    Dialect::written().map(note).chain([agents]).collect()
}

/// A report about a file that is clearly something else: empty, a test file, or events.
fn other_file(source: SourceId, name: &str, text: &str) -> Option<Diagnostic> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let content = |line: &str| !matches!(line.trim().bytes().next(), None | Some(b'#'));
    let shape = Shape::read(text);
    let event = shape.flow && ["hook_event_name", "event_type", "event"].iter().any(|key| shape.has(key));
    let (what, help) = match () {
        () if !text.trim_start_matches('\u{feff}').lines().any(content) => {
            ("is empty", "a policy needs hooks: `hookc new hook` creates one")
        }
        () if file.ends_with(".test.yaml") || file.ends_with(".test.yml") => {
            ("is a test file, not a policy", "`hookc test` runs it")
        }
        () if event => (
            "contains events, not a policy",
            "name the policy first, then the events: `hookc eval POLICY EVENTS`",
        ),
        () => return None,
    };
    let place = Span { source, start: 0, end: 0 };
    Some(Diagnostic::new(Code::E0003, place, format!("`{name}` {what}")).help(help))
}

/// The diagnostic for a file of a directory that looks like a policy but matches no dialect.
#[must_use]
pub fn suspicious(source: SourceId, name: &str, text: &str, looks: &str) -> Diagnostic {
    let message = format!("`{name}` looks like a policy but cannot be read as one: {looks}");
    let mut new = Diagnostic::new(Code::E0005, Span { source, start: 0, end: 0 }, message);
    new.notes = tried(&line_feeds(text));
    new.help("correct the file, name its dialect with `--dialect`, or move it out of the directory")
}

fn why(dialect: Dialect, shape: &Shape) -> String {
    let text = match dialect {
        Dialect::HooksYaml => return policy(shape).to_owned(),
        Dialect::DirectiveXml => "neither the text nor a fence in it starts with `<directive` or `<?xml`",
        Dialect::Settings => return settings(shape),
        Dialect::Repository => "no `event_type` and `handler` at the root",
        Dialect::Skill => "the text does not start with front matter between two lines of `---`",
        Dialect::Workflow => {
            "neither `subscribed_artifacts` nor `pre_decision`, `post_decision`, `post_action` or \
             `on_error` under `hooks`, `steps` or `workflow`"
        }
        _ => "no event of this agent under `hooks`",
    };
    text.to_owned()
}

fn policy(shape: &Shape) -> &'static str {
    match shape.hooks {
        _ if !shape.mapping => "the text is not a mapping",
        Some(ValueShape::Mapping) => "`hooks` is a mapping, but a policy has a list of hooks",
        Some(_) => "`hooks` is not a list",
        None => "neither `hooks` nor `builtin_hooks` at the root",
    }
}

fn settings(shape: &Shape) -> String {
    match shape.hooks {
        Some(ValueShape::Mapping) if !shape.flow => "the text is not JSON".to_owned(),
        Some(ValueShape::Mapping) => {
            let names: Vec<_> = shape.below.iter().take(3).map(|name| format!("`{name}`")).collect();
            format!("`hooks` contains no event of a coding agent, but {}", names.join(", "))
        }
        Some(_) => "`hooks` is not a mapping of events".to_owned(),
        None => "neither `hooks` nor an event of a coding agent at the root".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmatched_files_have_a_reason() {
        let new = unknown(SourceId(0), "x.json", "{\"hooks\": {\"preToolUze\": []}}");
        assert_eq!(new.notes.len(), Dialect::written().count() + 1);
        assert!(new.notes.iter().any(|note| note.contains("but `preToolUze`")), "{new:?}");
        assert!(new.help.is_some_and(|help| help.contains("`--dialect`: `hooks-yaml`")));
    }
}
