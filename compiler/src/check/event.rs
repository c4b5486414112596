//! Event names: their vocabulary, and how a file spells merged fields.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::HashMap;
use hookc_schema::agents::{self, Agent};
use hookc_schema::tree::{Family, Policy};
use hookc_schema::vocab::EventType;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};
use hookc_syntax::front::undeclared::undeclared;

use super::Cx;

/// The context for resolving the paths of a hook: one event type.
#[derive(Clone)]
pub(super) struct Scope {
    /// Its number in [`Scopes`].
    pub(super) id: usize,
    /// The vocabulary it belongs to.
    pub(super) family: Family,
    /// The declared type, if anyone declared it.
    pub(super) declared: Option<Arc<EventType>>,
}

/// The event types that one policy names, each looked up once.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    known: HashMap<(Family, &'a str), usize>,
    entries: Vec<Entry<'a>>,
}

impl Scope {
    /// Whether its events are about a tool.
    pub(super) fn has_tools(&self) -> bool {
        self.declared.as_ref().is_some_and(|event| has_tools(event))
    }
}

/// Whether events of a type are about a tool.
pub(super) fn has_tools(event: &EventType) -> bool {
    event.schema.properties.values().any(|field| field.tool.is_some())
}

/// What was certainly intended by the name of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Intended {
    /// Another event.
    Event(String),
    /// Several events.
    List(Vec<String>),
}

struct Entry<'a> {
    scope: Scope,
    name: &'a str,
    meant: Option<Intended>,
    /// The closest declared name.
    near: Option<String>,
    /// The first merged field that the policy spells with `event.`.
    dotted: Option<(String, Span)>,
}

impl<'a> Cx<'a> {
    /// The event type of a name in a hook of `family`; an undeclared name is reported.
    pub(super) fn scope(&mut self, family: Family, name: &'a Spanned<String>) -> Scope {
        let id = match self.events.known.get(&(family, name.node.as_str())) {
            Some(&id) => id,
            None => self.look_up(family, &name.node),
        };
        let Some(entry) = self.events.entries.get(id) else {
            return Scope { id, family, declared: None };
        };
        // An event that one agent has is named where it is read (N0284).
        let is_of_agent = || family == Family::Agent && agents::owners(&name.node).next().is_some();
        let scope = entry.scope.clone();
        if scope.declared.is_none() && !is_of_agent() {
            let new = match &entry.meant {
                Some(meant) => never_runs(name, family, meant, false),
                None => undeclared(name, family, entry.near.as_deref()),
            };
            // The agents of the caller have it for another event.
            if !self.was_reported(Code::E0428, name.span) {
                self.out.push(new);
            }
        }
        scope
    }

    /// The event type of a name that the vocabulary declares.
    pub(super) fn known_scope(&mut self, family: Family, name: &'a str) -> Scope {
        let id = match self.events.known.get(&(family, name)) {
            Some(&id) => id,
            None => self.look_up(family, name),
        };
        let known = self.events.entries.get(id).map(|entry| entry.scope.clone());
        known.unwrap_or(Scope { id, family, declared: None })
    }

    /// The name of the event type of a scope.
    pub(super) fn event_name(&self, scope: &Scope) -> &'a str {
        self.events.entries.get(scope.id).map_or("", |entry| entry.name)
    }

    fn look_up(&mut self, family: Family, name: &'a str) -> usize {
        let vocabulary = self.vocabulary;
        // An agent only sends events of agents.
        let is_of_family = |event: &&EventType| family != Family::Agent || event.family == family;
        let declared = vocabulary.event(family, name).filter(is_of_family);
        let owner = declared.map_or(family, |event| event.family);
        let id = match self.events.known.get(&(owner, name)) {
            Some(&id) => id,
            None => {
                let named = |other: &Family| family != Family::Agent || *other == family;
                let keys = vocabulary.events.keys().filter(|(other, _)| named(other));
                let names = || keys.map(|(_, name)| name.as_str());
                let foreign = || agents::event_like(name).filter(|_| family == Family::Agent);
                let near = || foreign().or_else(|| self.near.find(name, names()));
                let near = if declared.is_none() { near() } else { None };
                let meant = if declared.is_none() { self.meant(family, name) } else { None };
                self.events.add(name, owner, declared, near, meant)
            }
        };
        self.events.known.insert((owner, name), id);
        self.events.known.insert((family, name), id);
        id
    }
}

impl Cx<'_> {
    /// The event of agents that an unknown name was intended for. A settings file of another agent
    /// contains that agent's own names.
    fn meant(&mut self, family: Family, name: &str) -> Option<Intended> {
        if self.own_names && agents::misnamed(family, name, None).is_some() {
            return None;
        }
        let known = self.vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
        let known = known.map(|(_, name)| name.as_str());
        let intended = agents::intended_event(family, name, None, known);
        intended
            .map(|event| Intended::Event(event.to_owned()))
            .or_else(|| self.listed(family, name).map(Intended::List))
    }

    /// The list that was intended by several names in one text, in a notation that has lists.
    fn listed(&self, family: Family, name: &str) -> Option<Vec<String>> {
        let names: Vec<&str> = name.split([',', '|']).map(str::trim).collect();
        let is_known = |name: &&str| self.vocabulary.event(family, name).is_some();
        let are = family == Family::Thread && names.len() > 1 && names.iter().all(is_known);
        are.then(|| names.into_iter().map(str::to_owned).collect())
    }
}

/// Whether the hooks belong to a settings file of another agent: they use its own names of events,
/// and none of the vocabulary that the agent calls differently. A file at the location of an
/// agent's settings has no names of others.
pub(super) fn has_own_names(policy: &Policy) -> bool {
    let hooks = policy.hooks.iter().filter(|hook| hook.family == Family::Agent);
    let names: HashSet<&str> = hooks.flat_map(|hook| &hook.events).map(|event| event.node.as_str()).collect();
    let uses = |agent: &Agent| {
        let has_native = agent.renamed().any(|event| names.contains(event.name.as_str()));
        has_native && !agent.renamed().any(|event| names.contains(event.event.as_str()))
    };
    match policy.agent.and_then(agents::by_name) {
        Some(agent) => uses(agent),
        None => agents::answered().any(uses),
    }
}

/// The error for an event under a name that agents never send, whether or not the policy declares it.
pub(super) fn never_runs(
    name: &Spanned<String>,
    family: Family,
    meant: &Intended,
    declared: bool,
) -> Diagnostic {
    let what = match meant {
        Intended::Event(event) => agents::never_runs(&name.node, event),
        Intended::List(_) => agents::never_runs_as_list(&name.node),
    };
    let new = Diagnostic::new(Code::E0428, name.span, what);
    let new = new.with_label("no event has this name after translation");
    let new = match family {
        Family::Thread if !declared => new.note("if the event is your own, declare it under `events:`"),
        _ => new,
    };
    match meant {
        Intended::Event(event) => new.did_you_mean(Some(event), name.span),
        // Where the name is a list already, and in XML, another edit would be right.
        Intended::List(names) => new.help(format!(
            "write a list: `[{}]`, or in XML `event=\"{}\"`",
            names.iter().map(|name| in_list(name)).collect::<Vec<_>>().join(", "),
            names.join(", ")
        )),
    }
}

/// The name of an event in a list of YAML or JSON.
fn in_list(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if is_plain { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}

impl<'a> Scopes<'a> {
    fn add(
        &mut self,
        name: &'a str,
        family: Family,
        event: Option<&EventType>,
        near: Option<&str>,
        meant: Option<Intended>,
    ) -> usize {
        let id = self.entries.len();
        let scope = Scope { id, family, declared: event.cloned().map(Arc::new) };
        let near = near.map(str::to_owned);
        self.entries.push(Entry { scope, name, meant, near, dotted: None });
        id
    }

    /// Records that merged field `field` was written after `event.`.
    pub(super) fn spelled(&mut self, scope: &Scope, field: &str, span: Span) {
        if let Some(entry) = self.entries.get_mut(scope.id) {
            entry.dotted.get_or_insert_with(|| (field.to_owned(), span));
        }
    }

    /// Notes, once per event type, that a field written with `event.` is the same as the event's
    /// own. A file that never writes `event.` gets no note: nothing in it could be misread.
    pub(super) fn report_spellings(&self, out: &mut Diagnostics) {
        for entry in &self.entries {
            let Some((field, span)) = &entry.dotted else { continue };
            let what = format!("`{field}` and `event.{field}` are one field of event `{}`", entry.name);
            let rule = format!(
                "the value is the event's `{field}` if present, otherwise the `{field}` inside \
                         `event`"
            );
            out.push(Diagnostic::new(Code::N0606, *span, what).note(rule));
        }
    }
}
