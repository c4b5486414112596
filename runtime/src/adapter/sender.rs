//! Recognizes the agent that sent an event. It can be another one than the call names: agents also run the hooks in
//! the files of other agents, with their own events.
//!
//! The members of an event decide, and names of events that one agent alone has. An event that looks like one of several
//! agents is from the agent that the call names.

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
        Self { adapter: named, named }
    }

    /// The agent that sent an event to a call, and that agent's name of the event that the call states.
    pub(crate) fn recognize(
        named: &'static dyn Adapter,
        bytes: &[u8],
        event: Option<&str>,
    ) -> (Self, Option<String>) {
        let sent = Sent::new(bytes);
        let Some(adapter) = sent.other(named) else {
            return (Self::named(named), event.map(str::to_owned));
        };
        let stated = event.map(|event| named.agent().translated(event));
        let agent = adapter.agent();
        let repeats =
            sent.event(&adapter.id().marks()).is_some_and(|sent| Some(agent.translated(&sent)) == stated);
        let event = stated.filter(|_| !repeats);
        let event =
            event.map(|event| agent.native(event).map_or(event, |known| known.name.as_str()).to_owned());
        (Self { adapter, named }, event)
    }

    /// The agent that the call names, if another one sent the event.
    pub(crate) fn called_as(self) -> Option<&'static str> {
        (self.named.id() != self.adapter.id()).then(|| self.named.name())
    }

    /// The answer for the sender.
    pub(crate) fn answer(self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let answer = self.adapter.answer(incoming, verdict);
        match self.called_as().map(|_| incoming.limited(verdict)) {
            Some(verdict) if verdict.permission == Some(Permission::Deny) => {
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

    /// A denial in the sender's form which the agent that the call names reads too: if that agent did send the event and
    /// has other answers, the exit status denies.
    fn with_status(self, answer: Answer, incoming: &Incoming, reason: &str) -> Answer {
        let alike = |one: &Agent, other: &Agent| {
            one.name == other.name || one.protocol.extends.as_ref() == Some(&other.name)
        };
        let (agent, named) = (self.adapter.agent(), self.named.agent());
        if answer.code != 0
            || alike(agent, named)
            || alike(named, agent)
            || !incoming.denying_exit().denies(2)
        {
            return answer;
        }
        let stderr = format!("{}\n{}", capped(reason), answer.stderr);
        Answer { stderr, code: 2, ..answer }
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

    /// The only agent besides the named one whose event this is.
    fn other(&self, named: &'static dyn Adapter) -> Option<&'static dyn Adapter> {
        let marks = named.id().marks();
        // The event of handlers with data in their environment can have any members.
        if marks.has_variables || self.is_of(named.id(), &marks) {
            return None;
        }
        let is_from = |other: &&'static dyn Adapter| self.is_from(other.id(), &marks);
        let mut others = all().filter(|other| other.id() != named.id()).filter(is_from);
        let (first, second) = (others.next(), others.next());
        first.filter(|_| second.is_none())
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
        // The first agent has the tools of the vocabulary.
        let has_tool = |tool: &str| Id::ALL.first().is_some_and(|id| id.marks().has_tool(tool));
        let is_known = |tool: &str| named.has_tool(tool) || has_tool(tool);
        let is_there = |name: &&str| match (name.strip_prefix('!'), name.strip_prefix('~')) {
            (Some(absent), _) => !self.has(absent),
            (_, Some(tool)) => self.text(tool).is_some_and(|tool| !is_known(&tool)),
            (None, None) => self.has(name),
        };
        id.marks().signatures.iter().any(|set| set.iter().all(is_there)) || self.is_named_by(id)
    }

    /// Whether the name of the event is one that this agent alone has for an event of the vocabulary.
    fn is_named_by(&self, id: Id) -> bool {
        let Some(event) = self.event(&id.marks()) else { return false };
        let mut others = Id::ANSWERED.iter().filter(|other| **other != id);
        id.marks().renamed(&event).is_some() && !others.any(|other| other.marks().event(&event).is_some())
    }
}
