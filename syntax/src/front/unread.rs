//! Files that an agent does not read, because something in them is wrong: which fault, and what the agent does then
//! (`invalid` in the agents' data).
//!
//! The readers of both formats report what is wrong; this module only decides which reports are faults to the agent.
//! The keys of hookc's language are not.

use hookc_schema::agents::{self, Agent, Fault, Reaction};
use hookc_schema::dialect::settings::TYPED;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};

use super::json::{self, Document};
use super::settings::words;
use super::{agent, settings, toml};

/// Why an agent does not read a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// What is wrong.
    pub fault: Fault,
    /// Whether the agent skips the file or does not start.
    pub reaction: Reaction,
    /// Where.
    pub span: Span,
    /// The agent, what it does, and why.
    pub message: String,
}

/// Why an agent does not read a file; `None` if it does, if that is not known, or if the text cannot be parsed, which
/// other diagnostics say. Spans are those of source 0.
#[must_use]
pub fn unread(agent: &'static Agent, name: &str, text: &str) -> Option<Unread> {
    let (source, mut out) = (SourceId(0), Diagnostics::new());
    let mut document = match toml::is_named(name) {
        true => Document::without_repeats(toml::read(text, source, &mut Diagnostics::new())?),
        false => json::read(text, source, &mut Diagnostics::new())?,
    };
    document.value = agent.under_hooks(name, document.value);
    match &agent.form {
        Some(_) => agent::read(agent, (name, text), source, &mut out),
        None => settings::read(name, text, source, &mut out),
    };
    let faults = faults(agent, toml::is_named(name), &document, &out);
    let mut unread = faults.into_iter().filter_map(|(fault, span, what)| {
        let reaction = *agent.invalid.get(&fault)?;
        let why = agent.rejects(fault)?;
        let message = if what.is_empty() || fault == Fault::Alone { why } else { format!("{why}: {what}") };
        Some(Unread { fault, reaction, span, message })
    });
    unread.next()
}

/// Adds to the diagnostics of a file what its agent does with it.
pub(super) fn note(agent: &Agent, is_toml: bool, document: &Document, out: &mut Diagnostics) {
    if agent.invalid.is_empty() || out.is_empty() {
        return;
    }
    for (fault, span, _) in faults(agent, is_toml, document, out) {
        let Some(note) = agent.rejects(fault) else { continue };
        for new in out.iter_mut().filter(|new| new.span() == Some(span) && !new.notes.contains(&note)) {
            new.notes.push(note.clone());
        }
    }
}

/// A fault, where it is, and what it is, if the fault does not say it.
type Found = (Fault, Span, String);

/// The faults of a file, those of its notation first.
fn faults(agent: &Agent, is_toml: bool, document: &Document, reported: &Diagnostics) -> Vec<Found> {
    if is_toml {
        // The span of a table does not contain those below it, so that a path cannot be found by a position.
        let is_shape = |new: &&Diagnostic| matches!(new.code, Code::E0202 | Code::E0203 | Code::E0204);
        let shape = reported.iter().filter(is_shape);
        return shape.filter_map(|new| Some((Fault::Toml, new.span()?, new.message.clone()))).collect();
    }
    let plain = |(fault, span)| (fault, span, String::new());
    let mut found: Vec<Found> = document.deviations.iter().copied().map(plain).collect();
    found.extend(document.repeats.iter().map(|repeat| plain((Fault::Repeat, repeat.again.span))));
    let root = &document.value;
    found.extend(beside(agent, root));
    found.extend(switches(agent, root));
    found.extend(events(agent, root));
    found.extend(timeouts(agent, root));
    found.extend(
        reported.iter().filter_map(|new| Some((of_shape(new, root)?, new.span()?, new.message.clone()))),
    );
    found
}

/// Keys next to `hooks`.
fn beside(agent: &Agent, root: &Value) -> Vec<Found> {
    let known = |key: &str| {
        let form = agent.form.as_ref().map_or(&agent.beside, |form| &form.beside);
        key == "hooks" || form.iter().any(|name| name == key)
    };
    let other = root.members().iter().filter(|member| !known(&member.key.node));
    let mut found: Vec<Found> =
        other.map(|member| (Fault::Root, member.key.span, format!("`{}`", member.key.node))).collect();
    let version = root.get("version").filter(|value| !is_one(value));
    found.extend(version.map(|value| (Fault::Version, value.span, String::new())));
    found
}

/// Keys that turn hooks off, with another value than `true` and `false`.
fn switches(agent: &Agent, root: &Value) -> Vec<Found> {
    let keys = agent.settings.iter().flat_map(|settings| &settings.switches).map(|switch| &switch.key);
    let found = keys.filter_map(|key| {
        let value = root.at(key)?;
        (!matches!(value.kind, Kind::Bool(_))).then(|| (Fault::Switch, value.span, format!("`{key}`")))
    });
    found.collect()
}

/// Handlers with a timeout of 0.
fn timeouts(agent: &Agent, root: &Value) -> Vec<Found> {
    let handlers = agents::entries(root).flat_map(|(_, entry)| agents::handlers(entry));
    let zero = handlers.filter(|handler| agent.own_timeout(handler) == Some(0.0));
    let (key, _) = agent.timeout_key();
    zero.map(|handler| (Fault::Timeout, handler.get(key).unwrap_or(handler).span, String::new())).collect()
}

/// Whether a version is the only one that agents read.
pub(super) fn is_one(value: &Value) -> bool {
    matches!(&value.kind, Kind::Num(number) if number.0 == "1")
}

/// Keys of `hooks` that are not events of the agent.
fn events(agent: &Agent, root: &Value) -> Vec<Found> {
    let known = |key: &str| {
        agent.event(key).is_some()
            || agent.form.as_ref().is_some_and(|form| form.beside.iter().any(|name| name == key))
    };
    let keys = root.get("hooks").map(Value::members).unwrap_or_default().iter().map(|member| &member.key);
    keys.filter(|key| !known(&key.node))
        .map(|key| (Fault::Event, key.span, format!("`{}`", key.node)))
        .collect()
}

/// The fault that a diagnostic reports.
fn of_shape(new: &Diagnostic, root: &Value) -> Option<Fault> {
    let path = path(root, new.span()?.start);
    let keys: Vec<&str> = path.iter().map(|(key, _)| *key).collect();
    let last = keys.last().copied().unwrap_or_default();
    match new.code {
        Code::W0238 => Some(Fault::Alone),
        // Of an entry that is a group, the command is missing.
        Code::W0285 if last == "hooks" => Some(Fault::Entry),
        Code::W0285 if keys.len() > 2 => Some(Fault::Alone),
        Code::E0202 | Code::E0203 | Code::E0204 if keys.first() == Some(&"hooks") => {
            let of_agent = new.code == Code::E0202 || last != "if" && TYPED.names().all(|key| key != last);
            let is_list = || path.get(1).is_some_and(|(_, value)| matches!(value.kind, Kind::Seq(_)));
            match keys.len() {
                0 | 1 => Some(Fault::Hooks),
                2 if !is_list() => Some(Fault::Hooks),
                _ => of_agent.then_some(Fault::Entry),
            }
        }
        _ => None,
    }
}

/// The members that contain a position, from the root on.
fn path(root: &Value, at: u32) -> Vec<(&str, &Value)> {
    let (mut found, mut value) = (Vec::new(), Some(root));
    while let Some(here) = value {
        value = match &here.kind {
            Kind::Map(members) => {
                let holds = |key: Span, value: Span| key.start <= at && at < value.end.max(key.end);
                let member = members.iter().find(|member| holds(member.key.span, member.value.span));
                found.extend(member.map(|member| (member.key.node.as_str(), &member.value)));
                member.map(|member| &member.value)
            }
            Kind::Seq(items) => items.iter().find(|item| item.span.start <= at && at < item.span.end),
            _ => None,
        };
    }
    found
}

/// Whether a file in Claude Code's format is where that agent reads it, by its path.
pub(super) fn is_of_claude(path: &str) -> bool {
    words::is_settings(path) || path.ends_with("hooks.json")
}
