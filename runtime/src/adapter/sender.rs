//! Recognizes the agent that sent an event. It can be another one than the call names: agents also run the hooks in
//! the files of other agents, with their own events.
//!
//! The members of an event decide, and names of events that one agent alone has. An event that looks like one of several
//! agents is from the agent that the call names, unless that agent lacks the event or its tool: then it is from the first
//! agent that has both.

use std::collections::BTreeMap;
use std::fmt;

use hookc_schema::agents::{Agent, Id, Marks};
use serde_json::value::RawValue;

use super::{Adapter, Answer, Incoming, all, capped};
use crate::escaped;
use crate::event::chosen;
use crate::verdict::{Permission, Verdict};

/// The agent that sent an event.
#[derive(Clone, Copy)]
pub(crate) struct Sender {
    /// Its adapter.
    pub(crate) adapter: &'static dyn Adapter,
    /// The agent that the call names.
    named: &'static dyn Adapter,
    /// Whether the agents with Claude Code's answers could have sent the event too.
    is_common: bool,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (adapter, named) = (self.adapter.name(), self.named.name());
        f.debug_struct("Sender").field("adapter", &adapter).field("named", &named).finish()
    }
}

impl Sender {
    /// The agent that the call names.
    pub(crate) fn named(named: &'static dyn Adapter) -> Self {
        Self { adapter: named, named, is_common: false }
    }

    /// The agent that sent an event to a call, and that agent's name of the event that the call states.
    pub(crate) fn recognize(
        named: &'static dyn Adapter,
        bytes: &[u8],
        event: Option<&str>,
    ) -> (Self, Option<String>) {
        let sent = Sent::new(bytes);
        let Some(adapter) = sent.other(named) else {
            let is_common = sent.is_common(named);
            return (Self { is_common, ..Self::named(named) }, event.map(str::to_owned));
        };
        let stated = event.map(|event| named.agent().translated(event));
        let agent = adapter.agent();
        let repeats =
            sent.event(&adapter.id().marks()).is_some_and(|sent| Some(agent.translated(&sent)) == stated);
        let event = stated.filter(|_| !repeats);
        let event =
            event.map(|event| agent.native(event).map_or(event, |known| known.name.as_str()).to_owned());
        (Self { is_common: false, ..Self { adapter, ..Self::named(named) } }, event)
    }

    /// The agent that the call names, if another one sent the event.
    pub(crate) fn called_as(self) -> Option<&'static str> {
        (self.named.id() != self.adapter.id()).then(|| self.named.name())
    }

    /// Whether all agents that may have sent the event read the sender's form.
    fn is_certain(self) -> bool {
        let alike = |one: &Agent, other: &Agent| {
            one.name == other.name || one.protocol.extends.as_ref() == Some(&other.name)
        };
        let (agent, named) = (self.adapter.agent(), self.named.agent());
        !self.is_common && (alike(agent, named) || alike(named, agent))
    }

    /// The answer for the sender.
    pub(crate) fn answer(self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let answer = self.adapter.answer(incoming, verdict);
        if self.is_certain() {
            return answer;
        }
        let verdict = incoming.limited(verdict);
        match verdict.permission {
            Some(Permission::Deny) => {
                self.with_status(answer, incoming, &verdict.reason().unwrap_or_default())
            }
            _ => answer,
        }
    }

    /// Denies an event without a decision, in the sender's form.
    pub(crate) fn refuse(self, incoming: &Incoming, reason: &str) -> Answer {
        let answer = self.adapter.refuse(Some(incoming), reason);
        let is_denied = incoming.capabilities.can_deny() && !incoming.event.stops_again(&incoming.name);
        if is_denied { self.with_status(answer, incoming, reason) } else { answer }
    }

    /// A denial in the sender's form which other agents that may have sent the event read too: the exit status denies.
    fn with_status(self, answer: Answer, incoming: &Incoming, reason: &str) -> Answer {
        if self.is_certain() || !incoming.denying_exit().denies(2) {
            return answer;
        }
        match answer.code {
            0 => Answer { stderr: format!("{}\n{}", capped(reason), answer.stderr), code: 2, ..answer },
            // A denial of the flat format.
            1 if self.is_common => Answer { code: 2, ..answer },
            _ => answer,
        }
    }
}

/// What an agent sent: the members of the event by which agents are recognized.
struct Sent<'b>(BTreeMap<String, &'b RawValue>);

impl<'b> Sent<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let marks = || Id::ANSWERED.iter().map(|id| id.marks());
        let names = marks().flat_map(|marks| marks.names);
        let signatures = marks().flat_map(|marks| marks.signatures.iter().copied().flatten());
        let names: Vec<&str> =
            names.chain(signatures).map(|name| name.trim_start_matches(['!', '~'])).collect();
        Self(chosen(bytes, &|name| names.contains(&name)))
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn text(&self, name: &str) -> Option<String> {
        escaped::decoded(self.0.get(name)?.get())
    }

    /// The name of the event, where an agent has it.
    fn event(&self, agent: &Marks) -> Option<String> {
        agent.names.iter().find_map(|name| self.text(name))
    }

    /// The agent besides the named one whose event this is.
    fn other(&self, named: &'static dyn Adapter) -> Option<&'static dyn Adapter> {
        let marks = named.id().marks();
        // The event of handlers with data in their environment can have any members.
        if is_in_environment(named, &marks) || self.is_of(named.id(), &marks) {
            return None;
        }
        let is_from = |other: &&'static dyn Adapter| self.is_from(other.id(), &marks);
        let mut others = all().filter(|other| other.id() != named.id()).filter(is_from);
        match (others.next(), others.next()) {
            (None, _) => self.by_names(named.id(), &marks),
            (first, None) => first,
            (Some(_), Some(_)) => None,
        }
    }

    /// The agent that has the event and its tool, if the named agent lacks one of them: the first one whose events have no
    /// marks, because those of others are known by them. If no agent has the tool, it is the first one with the event.
    fn by_names(&self, named: Id, marks: &Marks) -> Option<&'static dyn Adapter> {
        let tool = self.text("tool_name");
        let has_tool = |id: Id| tool.as_deref().is_some_and(|tool| id.marks().has_tool(tool));
        let is_known_tool = tool.is_none() || [Some(named), first()].into_iter().flatten().any(has_tool);
        // A plugin marks each event.
        let is_known_event = self.is_event_of(marks) && named.plugin().is_none();
        if is_known_event && is_known_tool {
            return None;
        }
        let is_other = |id: Id| id != named && !id.marks().has_variables && self.is_event_of(&id.marks());
        let others = |has_marks: bool| {
            all().filter(move |other| {
                is_other(other.id()) && other.id().marks().signatures.is_empty() != has_marks
            })
        };
        let others = || others(false).chain(others(true));
        let by_tool = others().find(|other| has_tool(other.id()));
        by_tool.or_else(|| others().next().filter(|_| !is_known_event))
    }

    /// Whether an agent has an event of this name, or of this form.
    fn is_event_of(&self, agent: &Marks) -> bool {
        self.event(agent).is_some_and(|event| agent.event(&event).is_some())
    }

    /// Whether the event may also be from an agent with Claude Code's answers, which the named agent does not have.
    fn is_common(&self, named: &'static dyn Adapter) -> bool {
        let Some(common) = first() else { return false };
        let (marks, agent) = (named.id().marks(), named.agent());
        let shares = named.id() == common || agent.protocol.extends.as_deref() == Some(common.name());
        let is_marked = |set: &&[&str]| set.iter().all(|name| name.starts_with('~') || self.fits(name));
        // If the agent sends such events too, the members that it never sends distinguish them.
        let sends = |event: &str| {
            marks.has_variables || marks.events.iter().any(|(name, kind)| *kind == event && *name != event)
        };
        let is_own = self.event(&marks).is_some_and(|event| sends(&event)) && !self.has("transcript_path");
        !shares
            && !is_own
            && self.is_event_of(&common.marks())
            && !is_in_environment(named, &marks)
            && !marks.signatures.iter().any(is_marked)
            && !self.is_named_by(named.id())
    }

    /// Whether the event is one of an agent, and not one of the named agent by its name. It has one name, even if it has
    /// several members for that.
    fn is_from(&self, id: Id, named: &Marks) -> bool {
        let agent = id.marks();
        let Some(event) = self.event(&agent) else { return self.is_of(id, named) };
        fn kind<'n>(agent: &Marks, name: &'n str) -> &'n str {
            agent.event(name).unwrap_or(name)
        }
        let is_same = |other: String| other == event || kind(named, &other) == kind(&agent, &event);
        let fits = agent.event(&event).is_some() || named.event(&event).is_none();
        fits && self.event(named).is_none_or(is_same) && self.is_of(id, named)
    }

    /// Whether an agent alone sends such events, and not the named one.
    fn is_of(&self, id: Id, named: &Marks) -> bool {
        let marks = id.marks();
        let is_shared = |tool: &str| first().is_some_and(|first| first.marks().has_tool(tool));
        let is_foreign = |tool: &str| !is_shared(tool) && !named.has_tool(tool);
        let is_there = |name: &&str| match name.strip_prefix('~') {
            Some(tool) => self.text(tool).is_some_and(|tool| is_foreign(&tool)),
            None => self.fits(name),
        };
        marks.signatures.iter().any(|set| set.iter().all(is_there)) || self.is_named_by(id)
    }

    /// Whether the event has a member, or does not have one after `!`.
    fn fits(&self, name: &str) -> bool {
        name.strip_prefix('!').map_or_else(|| self.has(name), |absent| !self.has(absent))
    }

    /// Whether the name of the event is one that this agent alone has for an event of the vocabulary.
    fn is_named_by(&self, id: Id) -> bool {
        let Some(event) = self.event(&id.marks()) else { return false };
        let mut others = Id::ANSWERED.iter().filter(|other| **other != id);
        id.marks().renamed(&event).is_some() && !others.any(|other| other.marks().event(&event).is_some())
    }
}

/// Whether another agent than the named one sent this event.
#[must_use]
pub fn is_of_another(named: &'static dyn Adapter, event: &[u8]) -> bool {
    Sent::new(event).other(named).is_some()
}

/// The agent with the events, tools and answers that others share: those of the vocabulary.
fn first() -> Option<Id> {
    Id::ALL.first().copied()
}

/// Whether the event of an agent is in the environment.
fn is_in_environment(agent: &'static dyn Adapter, marks: &Marks) -> bool {
    let is_set =
        || agent.agent().protocol.variables.iter().any(|variable| std::env::var_os(&variable.name).is_some());
    marks.has_variables && is_set()
}
