//! Finds the hooks of a file: under `hooks`, or at the root of a hooks file without that key.

use std::sync::Arc;

use hookc_schema::decode::{JSON, short};
use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Span, Spanned, agents};

use super::{Cx, agent, group, words};

/// The hooks of a file and their span. `hooks: null` means no hooks.
pub(super) fn hooks(name: &str, root: &Value, cx: &mut Cx<'_>) -> (Vec<Hook>, Option<Span>) {
    let Some(members) = JSON.mapping(root, "a settings file", cx.out) else { return (Vec::new(), None) };
    let mut hooks = Vec::new();
    for member in members {
        match member.key.node.as_str() {
            "hooks" => {
                cx.kept.insert(member.key.span);
                // A named manifest of a plugin may have no hooks.
                let manifest = members.iter().any(|member| member.key.node == "name");
                if !(manifest && matches!(&member.value.kind, Kind::Seq(items) if items.is_empty())) {
                    hooks.extend(section(&member.value, cx));
                }
            }
            "disableAllHooks" if member.value.kind == Kind::Bool(true) => {
                cx.report(hooks_disabled(&member.key))
            }
            _ => {}
        }
    }
    let form = Form::from_members(members, &cx.vocabulary);
    if let Form::Root(at) = form {
        if words::is_settings(name) {
            let new = Diagnostic::new(Code::W0232, at, "settings have no events at their root");
            let new = new.with_label("the agent does not read this");
            cx.report(
                new.help("put the events in an object `hooks`: `{\"hooks\": {\"PreToolUse\": [...]}}`"),
            );
        }
        return (members.iter().flat_map(|member| event(member, true, cx)).collect(), Some(at));
    }
    let before = cx.out.reported();
    for member in members {
        beside(member, form, cx);
    }
    let reported = cx.out.reported() > before;
    if form == Form::Neither && !reported && !words::is_settings(name) && !members.is_empty() {
        cx.report(nothing(root));
    }
    let last = members.iter().rev().find(|member| member.key.node == "hooks");
    (hooks, last.filter(|hooks| hooks.value.kind != Kind::Null).map(|hooks| hooks.key.span))
}

/// The location of the hooks in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Under the key `hooks` with this span.
    Under(Span),
    /// At the root, starting at this key.
    Root(Span),
    /// The file has no hooks.
    Neither,
}

impl Form {
    /// The form of a file with these members.
    pub(super) fn from_members(members: &[Member], vocabulary: &Vocabulary) -> Self {
        let under = members.iter().rev().find(|member| member.key.node == "hooks");
        let event = |member: &&Member| is_event(&member.key.node, vocabulary) || is_list(&member.value);
        match (under, members.iter().find(event)) {
            (Some(hooks), _) => Self::Under(hooks.key.span),
            (None, Some(event)) => Self::Root(event.key.span),
            (None, None) => Self::Neither,
        }
    }
}

/// Whether a root value is a list of handlers or of groups.
fn is_list(value: &Value) -> bool {
    let Kind::Seq(items) = &value.kind else { return false };
    items.iter().any(|item| is_group(item) || is_handler(item))
}

fn is_group(item: &Value) -> bool {
    item.get("hooks").is_some_and(|hooks| matches!(hooks.kind, Kind::Seq(_)))
}

fn is_handler(item: &Value) -> bool {
    let named = item.get("type").and_then(Value::as_str);
    named.is_some_and(|name| agent::types().iter().any(|one| one.name() == name))
        || item.get("action").is_some_and(|action| matches!(action.kind, Kind::Map(_)))
}

fn is_event(name: &str, vocabulary: &Vocabulary) -> bool {
    vocabulary.events.contains_key(&(Family::Agent, name.to_owned()))
}

/// Warns of `disableAllHooks`.
fn hooks_disabled(key: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(Code::W0239, key.span, "`disableAllHooks` disables all hooks")
        .with_label("enabled here")
        .note("Claude Code runs none of them; hookc compiles them nevertheless")
        .help("remove it")
}

fn nothing(root: &Value) -> Diagnostic {
    Diagnostic::new(Code::W0246, short(root), "the file has neither `hooks` nor events")
        .with_label("no hooks here")
        .help("write its groups under their events: `{\"hooks\": {\"PreToolUse\": [...]}}`")
}

/// Reports a root key that looks like misplaced or misspelled hooks; other keys are ignored.
fn beside(member: &Member, form: Form, cx: &mut Cx<'_>) {
    let (name, span) = (&member.key.node, member.key.span);
    if name == "hooks" || !is_data(&member.value) {
        return;
    }
    let has = form != Form::Neither;
    if has && (is_list(&member.value) || is_event(name, &cx.vocabulary) || near(name, cx).is_some()) {
        let message = match is_event(name, &cx.vocabulary) {
            true => format!("the event `{name}` is next to `hooks`"),
            false => format!("`{name}` is next to `hooks`"),
        };
        let new = Diagnostic::new(Code::W0232, span, message).with_label("not read here");
        cx.report(new.help("move it into `hooks`"));
    } else if cx.near(name, &["hooks"]).is_some() {
        let message = format!("settings have no key `{name}`");
        let new = Diagnostic::new(Code::W0232, span, message).with_label("not read");
        cx.report(match has {
            true => new.help("move its content into `hooks`"),
            false => new.did_you_mean(Some("hooks"), span),
        });
    } else if let Some(hooks) = within(&member.value, &cx.vocabulary) {
        let message = format!("`hooks` is inside `{name}`");
        let new = Diagnostic::new(Code::W0232, hooks.span, message).with_label("not read here");
        cx.report(new.help("move it to the root of the file"));
    } else {
        no_event(member, true, cx);
    }
}

fn is_data(value: &Value) -> bool {
    matches!(value.kind, Kind::Map(_) | Kind::Seq(_))
}

/// The key `hooks` of an object whose `hooks` contains events.
fn within<'v>(value: &'v Value, vocabulary: &Vocabulary) -> Option<&'v Spanned<String>> {
    let Kind::Map(members) = &value.kind else { return None };
    let hooks = members.iter().rev().find(|member| member.key.node == "hooks")?;
    let Kind::Map(events) = &hooks.value.kind else { return None };
    matches!(Form::from_members(events, vocabulary), Form::Root(_)).then_some(&hooks.key)
}

/// The closest event, as a suggestion.
fn near(name: &str, cx: &mut Cx<'_>) -> Option<String> {
    let vocabulary = Arc::clone(&cx.vocabulary);
    let names = agent::events(&vocabulary);
    agents::event_like(name).or_else(|| cx.near(name, &names)).map(str::to_owned)
}

/// Reads the value of `hooks`: events, or the names of files with hooks.
fn section(value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    let names = match &value.kind {
        Kind::Str(_) => true,
        Kind::Seq(items) => !items.is_empty() && items.iter().all(|item| item.as_str().is_some()),
        _ => false,
    };
    if names {
        let message = "the hooks are in another file";
        let new = Diagnostic::new(Code::W0242, short(value), message).with_label("named here");
        cx.report(new.help("pass that file to hookc too"));
        return Vec::new();
    }
    events(value, cx)
}

/// Reads a mapping of events to their entries.
pub(super) fn events(value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    if let Kind::Seq(items) = &value.kind {
        if items.is_empty() {
            let new =
                Diagnostic::new(Code::W0290, value.span, "`hooks` is an empty list, not an object of events");
            let new = new.with_label("no hooks here").note("coding agents expect an object");
            cx.report(new.help("write `\"hooks\": {}`, or groups under their events"));
            return Vec::new();
        }
        let new = JSON.wrong(value, "`hooks`", "an object of events");
        let named = items.iter().any(|item| item.get("event").is_some());
        cx.report(match named {
            true => new.help("the agent reads an object of events; a list of hooks is a policy of hookc, in a file such as `.hooks/hooks.yaml`"),
            false => new.help("write its groups under their events: `{\"PreToolUse\": [...]}`"),
        });
        return Vec::new();
    }
    let members = JSON.mapping(value, "`hooks`", cx.out).unwrap_or_default();
    let is_empty = |member: &Member| matches!(&member.value.kind, Kind::Seq(items) if items.is_empty());
    if let Some(first) = members.first().filter(|_| members.iter().all(is_empty)) {
        let new = Diagnostic::new(Code::W0290, first.value.span, "no event of `hooks` has handlers");
        let new = new.with_label("an empty list").note("the agent calls nothing");
        cx.report(new.help("write groups with handlers, or `\"hooks\": {}`"));
    }
    members.iter().flat_map(|member| event(member, false, cx)).collect()
}

/// Reads an event with its groups. At the root of a file, other keys are ignored.
fn event(member: &Member, root: bool, cx: &mut Cx<'_>) -> Vec<Hook> {
    let name = &member.key.node;
    if words::is_comment(name) {
        cx.comment(&member.key);
        return Vec::new();
    }
    let known = is_event(name, &cx.vocabulary);
    let Kind::Seq(items) = &member.value.kind else {
        if known {
            JSON.list(&member.value, &format!("`{name}`"), cx.out);
        } else if !agent::is_beside(name) {
            no_event(member, root, cx);
        }
        return Vec::new();
    };
    if !known && (items.is_empty() || root && !is_list(&member.value)) {
        no_event(member, root, cx);
        return Vec::new();
    }
    cx.kept.insert(member.key.span);
    items.iter().flat_map(|item| group::entry(&member.key, item, cx)).collect()
}

/// Reports an omitted key. At the root of a file, only a possible event is reported.
fn no_event(member: &Member, root: bool, cx: &mut Cx<'_>) {
    let (name, span) = (&member.key.node, member.key.span);
    if root && !is_data(&member.value) {
        return;
    }
    let near = near(name, cx);
    if root && near.is_none() {
        return;
    }
    let new = Diagnostic::new(Code::W0245, span, format!("`{name}` is not an event of coding agents"));
    let new = new.with_label("ignored").help("`hooks` maps events to arrays of groups");
    cx.report(new.did_you_mean(near.as_deref(), span));
}
