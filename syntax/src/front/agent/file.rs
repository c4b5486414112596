//! Finds the hooks of a file, and the keys that disable them.

use hookc_schema::agents::{self, Event, Listed, Version};
use hookc_schema::decode::{JSON, short};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::{Cx, Hooks, entry, misplaced};
use crate::front::settings::words;
use crate::front::unread::is_one;

/// The hooks of a file.
pub(super) fn hooks(root: &Value, name: &str, cx: &mut Cx<'_>) -> Hooks {
    let what = format!("a hooks file of {}", cx.agent.label);
    let Some(members) = JSON.mapping(root, &what, cx.out) else { return Hooks::new() };
    switches(root, cx);
    for member in members {
        if let Some(new) = not_in_root(&member.key, cx) {
            cx.emit(new);
        }
    }
    version(root, name, cx);
    let is_list = cx.form.listed.is_some() && root.get("version").and_then(Value::as_str) == Some("v1");
    let mut hooks = Hooks::new();
    for member in members.iter().filter(|member| member.key.node == "hooks") {
        cx.kept.insert(member.key.span);
        hooks.extend(section(&member.value, is_list, cx));
    }
    misplaced::check(root, name, cx);
    hooks
}

/// The error for a root key that makes the agent ignore the whole file.
fn not_in_root(key: &Spanned<String>, cx: &Cx<'_>) -> Option<Diagnostic> {
    let root = cx.form.root.as_ref().filter(|_| !cx.is_toml)?;
    if key.node == "hooks" || root.contains(&key.node) {
        return None;
    }
    let message = format!("{} has no key `{}` next to `hooks`", cx.agent.label, key.node);
    let new = Diagnostic::new(Code::E0201, key.span, message).with_label("unknown key");
    Some(new.help(format!("remove it: the only other key is `{}`", root.join("`, `"))))
}

/// Reports a version that the agent does not read, or its absence. Only a file with hooks alone has
/// such a version, and only under the agent's own names of events: other programs read the file under
/// those of the vocabulary.
fn version(root: &Value, name: &str, cx: &mut Cx<'_>) {
    let read = cx.agent.settings.as_ref().map(|settings| settings.version).unwrap_or_default();
    let Some(version) = read.json() else { return };
    let is_read = |value: &Value| match read {
        Version::V1 => value.as_str() == Some("v1"),
        _ => is_one(value),
    };
    let is_known = |key: &str| key == "hooks" || cx.form.beside.iter().any(|listed| listed == key);
    let alone = root.members().iter().all(|member| is_known(&member.key.node));
    if root.get("hooks").is_none() || !alone || name.contains("settings") {
        return;
    }
    let label = &cx.agent.label;
    let new = match root.get("version") {
        None if read == Version::Required && has_own_event(root, cx) => {
            Diagnostic::new(Code::W0639, short(root), format!("{label} requires a version"))
                .with_label("`version` is missing")
                .note("its documentation requires one")
        }
        Some(value) if !is_read(value) => {
            let message = format!("{label} reads version {} only", version.trim_matches('"'));
            Diagnostic::new(Code::W0639, value.span, message).with_label("another version")
        }
        _ => return,
    };
    cx.emit(new.help(format!("write `\"version\": {version}` next to `hooks`")));
}

/// Whether a file names an event as only this agent does.
fn has_own_event(root: &Value, cx: &Cx<'_>) -> bool {
    let events = root.get("hooks").map(Value::members).unwrap_or_default();
    let is_own = |name: &str| cx.agent.event(name).is_some_and(|known| known.event != name);
    events.iter().any(|member| is_own(&member.key.node))
}

/// Reports the keys that disable all hooks, and records the names of disabled handlers.
fn switches(root: &Value, cx: &mut Cx<'_>) {
    let Some(settings) = &cx.agent.settings else { return };
    for switch in &settings.switches {
        if let Some(value) = switch.disabling(root) {
            cx.emit(switched_off(&switch.key, value.span, cx));
        }
    }
    let names = settings.disabled.iter().filter_map(|key| root.at(key)).flat_map(Value::items);
    cx.disabled.extend(names.filter_map(Value::as_str).map(str::to_owned));
}

fn switched_off(key: &str, span: Span, cx: &Cx<'_>) -> Diagnostic {
    Diagnostic::new(Code::W0239, span, format!("`{key}` disables all hooks"))
        .with_label("disabled here")
        .note(format!("{} runs none of them; hookc compiles them nevertheless", cx.agent.label))
        .help("remove it")
}

/// The value of `hooks`, which must be a list in versions that have one.
fn section(value: &Value, is_list: bool, cx: &mut Cx<'_>) -> Hooks {
    if value.as_str().is_some() {
        let new = Diagnostic::new(Code::W0242, short(value), "the hooks are in another file");
        cx.emit(new.with_label("named here").help("pass that file to hookc too"));
        return Hooks::new();
    }
    if is_list && JSON.list(value, "`hooks` of this version", cx.out).is_none() {
        return Hooks::new();
    }
    if let (Kind::Seq(items), Some(listed)) = (&value.kind, &cx.form.listed) {
        return items.iter().flat_map(|item| in_list(item, listed, cx)).collect();
    }
    let members = JSON.mapping(value, "`hooks`", cx.out).unwrap_or_default();
    members.iter().flat_map(|member| event(member, cx)).collect()
}

/// A hook of a list: its event and its handler are members.
fn in_list(item: &Value, listed: &Listed, cx: &mut Cx<'_>) -> Hooks {
    let Some(members) = JSON.mapping(item, "a hook", cx.out) else { return Hooks::new() };
    let find = |name: &str| members.iter().rev().find(|member| member.key.node == name);
    let Some(event) = find(&listed.event) else {
        let message = format!("a hook of {} needs `{}`", cx.agent.label, listed.event);
        let new = Diagnostic::new(Code::E0202, short(item), message).with_label("missing");
        cx.emit(new.help(format!("add `\"{}\": \"...\"`, the name of its event", listed.event)));
        return Hooks::new();
    };
    let what = format!("`{}`", listed.event);
    let Some(name) = JSON.string(&event.value, &what, cx.out) else { return Hooks::new() };
    let Some(known) = cx.agent.event(&name.node) else {
        cx.emit(no_event(&name, cx.agent));
        return Hooks::new();
    };
    let handler = find(&listed.handler).map(|member| member.value.members()).unwrap_or_default();
    let is_own =
        |member: &&Member| ![&listed.event, &listed.handler, &listed.enabled].contains(&&member.key.node);
    let joined = handler.iter().chain(members.iter().filter(is_own)).cloned().collect();
    let mut hooks = entry::entry(&at(&name, known), &Value::new(Kind::Map(joined), item.span), cx);
    if let Some(off) = find(&listed.enabled).filter(|member| member.value.kind == Kind::Bool(false)) {
        hooks.iter_mut().for_each(|hook| hook.enabled = Some(Spanned::new(false, off.value.span)));
    }
    hooks
}

/// An event with its entries.
fn event(member: &Member, cx: &mut Cx<'_>) -> Hooks {
    let name = &member.key.node;
    if words::is_comment(name) || cx.form.beside.contains(name) {
        return Hooks::new();
    }
    let Some(known) = cx.agent.event(name) else {
        cx.emit(no_event(&member.key, cx.agent));
        return Hooks::new();
    };
    let Some(items) = JSON.list(&member.value, &format!("`{name}`"), cx.out) else { return Hooks::new() };
    cx.kept.insert(member.key.span);
    if known.event == *name && !agents::owners(name).any(|owner| owner.name == "claude") {
        cx.emit(foreign(&member.key, cx));
    }
    items.iter().flat_map(|item| entry::entry(&at(&member.key, known), item, cx)).collect()
}

/// An event whose entries are read.
pub(super) struct At<'f> {
    /// The event in the agent's data.
    pub(super) known: &'static Event,
    /// Its name as written.
    pub(super) key: &'f Spanned<String>,
    /// Its name in the vocabulary.
    pub(super) event: Spanned<String>,
}

fn at<'f>(key: &'f Spanned<String>, known: &'static Event) -> At<'f> {
    At { known, key, event: Spanned::new(known.event.clone(), key.span) }
}

/// The diagnostic for an event that this agent does not send; its handlers are omitted.
fn no_event(key: &Spanned<String>, agent: &'static agents::Agent) -> Diagnostic {
    let name = &key.node;
    let new = Diagnostic::new(Code::W0283, key.span, format!("{} has no event `{name}`", agent.label));
    let new = new.with_label("its handlers are ignored");
    let native_name = |event: &str| -> Option<&'static str> {
        agent.events.iter().find(|known| known.event == event).map(|own| own.name.as_str())
    };
    // The event may have its name from the vocabulary or from another agent; otherwise it may be
    // misspelled.
    let others = agents::all().filter_map(|other| other.event(name));
    let same = native_name(name).or_else(|| others.filter_map(|other| native_name(&other.event)).next());
    let names = || agent.events.iter().map(|event| event.name.as_str());
    match same.or_else(|| hookc_schema::suggest::nearest(name, names())) {
        Some(near) => new.did_you_mean(Some(near), key.span),
        None => new.help(format!("its events are `{}`", names().collect::<Vec<_>>().join("`, `"))),
    }
}

/// The diagnostic for an event that the vocabulary does not have.
fn foreign(key: &Spanned<String>, cx: &Cx<'_>) -> Diagnostic {
    let message = format!("`{}` is an event of {} only", key.node, cx.agent.label);
    let new = Diagnostic::new(Code::N0284, key.span, message).with_label("kept under its own name");
    new.note("the agent vocabulary does not have this event: its fields are not checked")
}
