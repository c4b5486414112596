//! Writes settings: a policy as the settings of a coding agent.
//!
//! A hook that the agent would execute with the same meaning becomes a handler in a group
//! (`handler.rs`), its condition a matcher and a rule (`cond.rs`). All others become typed actions,
//! which hookc reads and the agent ignores, so none is misread. `emit.rs` formats the JSON.

mod cond;
mod emit;
mod handler;

use std::collections::HashMap;
use std::sync::Arc;

use hookc_schema::tree::{Family, Hook, Policy, Section};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Span, Spanned};

use super::hooks_yaml::lower;
use super::part::label;
use super::value::{Map, list, text};
use super::{Loss, Written};
use crate::expr::print;
use crate::limits;

/// Writes a policy, and returns what settings cannot express.
#[must_use]
pub fn write(policy: &Policy) -> (Vec<Written>, Vec<Loss>) {
    let (root, losses) = root(policy);
    (vec![Written { name: None, text: emit::json(&root) }], losses)
}

fn root(policy: &Policy) -> (Value, Vec<Loss>) {
    value(policy, false)
}

/// The settings as a value: `hooks`, which a skill has too.
pub(super) fn root_of_skill(policy: &Policy) -> (Value, Vec<Loss>) {
    value(policy, true)
}

fn value(policy: &Policy, skill: bool) -> (Value, Vec<Loss>) {
    let mut out = Writer {
        skill,
        vocabulary: Vocabulary::builtin(),
        events: Vec::new(),
        places: HashMap::new(),
        losses: Vec::new(),
    };
    out.declarations(policy);
    for hook in &policy.hooks {
        out.hook(hook);
    }
    out.finish()
}

/// Whether the agent executes a hook at one of its events as written.
pub(super) fn is_handler(hook: &Hook, event: &Spanned<String>, skill: bool) -> bool {
    let vocabulary = Vocabulary::builtin();
    let subject = vocabulary.event(hook.family, &event.node).and_then(|known| known.matcher.clone());
    let at = cond::At { event: &event.node, subject: subject.as_ref(), skill };
    handler::handler(hook, &at).is_some()
}

/// An entry of an event.
enum Entry {
    /// Handlers under one matcher.
    Group(Option<String>, Vec<Value>),
    /// Entries without a group.
    Alone(Value),
}

/// An event and its entries.
type Event = (String, Vec<Entry>);

struct Writer {
    vocabulary: Arc<Vocabulary>,
    events: Vec<Event>,
    /// The index of each event in `events`.
    places: HashMap<String, usize>,
    losses: Vec<Loss>,
    /// For the hooks of a skill.
    skill: bool,
}

impl Writer {
    fn lose(&mut self, span: Span, what: impl Into<String>) {
        self.losses.push(Loss { span, what: what.into() });
    }

    fn declarations(&mut self, policy: &Policy) {
        self.losses.extend(super::declared(&policy.declarations, "settings"));
    }

    fn hook(&mut self, hook: &Hook) {
        if hook.section == Section::Builtin {
            return self.lose(hook.span.0, format!("{}: settings have no `builtin_hooks`", label(hook)));
        }
        if lower::cond_levels(hook.condition.as_ref()) + 4 > limits::NESTING {
            let why = format!("{}: its condition needs more than {} levels", label(hook), limits::NESTING);
            return self.lose(hook.span.0, why);
        }
        if let (Some(id), [_, _, ..]) = (&hook.id, hook.events.as_slice()) {
            let why = format!(
                "{}: each of its events becomes a separate hook, and an id names only one",
                label(hook)
            );
            self.lose(id.span, why);
        }
        for event in &hook.events {
            self.at(hook, event);
        }
    }

    /// The hook at one of its events.
    fn at(&mut self, hook: &Hook, event: &Spanned<String>) {
        let known = self.vocabulary.event(hook.family, &event.node);
        let owner = known.map_or(hook.family, |known| known.family);
        if owner != Family::Agent {
            let why = format!("{}: coding agents have no event `{}`", label(hook), event.node);
            return self.lose(event.span, why);
        }
        let subject = known.and_then(|known| known.matcher.clone());
        let at = cond::At { event: &event.node, subject: subject.as_ref(), skill: self.skill };
        let entry = match handler::handler(hook, &at) {
            Some((matcher, value, true)) => Entry::Alone(with_matcher(matcher, value)),
            Some((matcher, value, false)) => Entry::Group(matcher, vec![value]),
            None => Entry::Alone(typed(hook)),
        };
        self.add(&event.node, entry);
    }

    /// Adds an entry; handlers that follow each other share a group.
    fn add(&mut self, event: &str, entry: Entry) {
        let place = *self.places.entry(event.to_owned()).or_insert(self.events.len());
        if place == self.events.len() {
            self.events.push((event.to_owned(), Vec::new()));
        }
        let Some((_, entries)) = self.events.get_mut(place) else { return };
        match (entries.last_mut(), entry) {
            (Some(Entry::Group(last, handlers)), Entry::Group(matcher, more)) if *last == matcher => {
                handlers.extend(more);
            }
            (_, entry) => entries.push(entry),
        }
    }

    fn finish(self) -> (Value, Vec<Loss>) {
        let mut hooks = Map::default();
        for (event, entries) in self.events {
            hooks.put(&event, list(entries.into_iter().map(entry)));
        }
        let mut root = Map::default();
        root.put("hooks", hooks.done());
        (root.done(), self.losses)
    }
}

fn entry(entry: Entry) -> Value {
    match entry {
        Entry::Alone(value) => value,
        Entry::Group(matcher, handlers) => {
            let mut map = Map::default();
            map.maybe("matcher", matcher.map(|matcher| text(&matcher)));
            map.put("hooks", list(handlers));
            map.done()
        }
    }
}

fn with_matcher(matcher: Option<String>, value: Value) -> Value {
    let (Some(matcher), Kind::Map(members)) = (matcher, &value.kind) else { return value };
    let mut map = Map::default();
    map.put("matcher", text(&matcher));
    map.0.extend(members.iter().cloned());
    map.done()
}

/// A hook with its typed action: the keys of a hooks file but the event.
fn typed(hook: &Hook) -> Value {
    let mut whole = Hook { id: hook.id.clone().filter(|_| hook.events.len() == 1), ..hook.clone() };
    let when = whole.condition.as_ref().map(|cond| print::when(cond, print::Operators::Symbols));
    let when = when.filter(|when| when.len() <= limits::EXPRESSION_BYTES);
    if when.is_some() {
        whole.condition = None;
    }
    let Kind::Map(members) = lower::hook(&whole).kind else { return text("") };
    let mut map = Map::default();
    for member in members {
        match member.key.node.as_str() {
            "event" => map.maybe("when", when.as_deref().map(text)),
            _ => map.0.push(member),
        }
    }
    map.done()
}
