//! Finds hooks on event names that no event has when it is decided, and events that the agent of a call does not send.

use std::error::Error;
use std::fmt;

use hookc_schema::agents::{self, Agent};
use hookc_vm::Module;

use super::{Adapter, Incoming};
use crate::event::Event;

/// A policy hooks an event under a name that no event has when it is decided about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MisnamedEvent {
    /// The name in the policy, which is an agent's own.
    pub name: String,
    /// The name of the vocabulary.
    pub meant: &'static str,
}

impl fmt::Display for MisnamedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&agents::never_runs(&self.name, self.meant))
    }
}

impl Error for MisnamedEvent {}

/// The first event that a policy hooks under a name which agents have for it: such a policy would
/// be silent. Misspelt names are errors when compiling.
#[must_use]
pub fn misnamed(module: &Module, host: &dyn Adapter) -> Option<MisnamedEvent> {
    module.events().find_map(|event| {
        let meant = agents::misnamed(event.family, event.name, Some(host.name()))?;
        Some(MisnamedEvent { name: event.name.to_owned(), meant })
    })
}

/// An event that differs from those of the agent that the call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unexpected {
    /// Another agent sends it under this name. No hook of the policy for `meant`, its type in the vocabulary, would run.
    Foreign {
        /// Its type in the agent vocabulary.
        meant: &'static str,
        /// The problem, and what to write.
        why: String,
    },
    /// A member that most guards are about is missing, or has another type than the agent sends, so that conditions about
    /// it would be false.
    Member(String),
    /// Neither the policy nor the agent's data has it: agents add events.
    New(String),
}

/// What is unexpected about an event of this agent, for this policy.
pub(crate) fn unexpected(module: &Module, host: &dyn Adapter, incoming: &Incoming) -> Option<Unexpected> {
    let agent = host.agent();
    let hooks = |name: &str| module.events().any(|event| event.name == name && event.hooks > 0);
    let listed = agent.event(&incoming.native);
    // The flat format has any text as the input, and any event of the vocabulary.
    let is_flat = agent.protocol.variables.iter().any(|variable| variable.member == "tool_input");
    if hooks(&incoming.name)
        && let Some((member, kind)) = mistyped(listed, &incoming.event, is_flat)
    {
        return Some(Unexpected::Member(format!(
            "`{member}` of the event `{}` is not {kind}, as {} sends it: check what calls `hookc run --host {}`",
            incoming.native, agent.label, agent.name
        )));
    }
    if is_flat || listed.is_some() {
        return None;
    }
    foreign(agent, incoming, hooks).or_else(|| {
        let is_known = module.events().any(|event| event.name == incoming.name);
        let new = || {
            // Any other text of an event stays out of messages and of the log.
            let shown = Some(&incoming.native).filter(|name| crate::log::is_name(name));
            let event =
                shown.map_or_else(|| "event of this name".to_owned(), |name| format!("known event `{name}`"));
            format!("{} has no {event}, and the policy has no hooks for it", agent.label)
        };
        (!is_known).then(|| Unexpected::New(new()))
    })
}

/// A member that guards are about and that the agent always sends with this type, if the event has none of the type. A
/// tool may have no input.
fn mistyped(
    listed: Option<&agents::Event>,
    event: &Event,
    is_flat: bool,
) -> Option<(&'static str, &'static str)> {
    let text = listed.and_then(|listed| match (listed.matcher.as_deref(), listed.event.as_str()) {
        (Some("tool_name"), _) => Some("tool_name"),
        (_, "UserPromptSubmit") => Some("prompt"),
        _ => None,
    });
    if let Some(member) = text.filter(|member| event.text(member).is_none()) {
        return Some((member, "a string"));
    }
    let is_object = |input: &str| input.starts_with('{') || input == "null";
    let input = event.raw("tool_input").filter(|input| !is_flat && !is_object(input));
    input.map(|_| ("tool_input", "an object"))
}

/// Whether the event is one that this agent sends under another name, and the policy has hooks for it.
fn foreign(agent: &Agent, incoming: &Incoming, hooks: impl Fn(&str) -> bool) -> Option<Unexpected> {
    let native = incoming.native.as_str();
    let renamed = |event: &agents::Event| agent.native(&event.event).filter(|own| own.name != native);
    let found: Vec<_> = agents::events_called(native).filter(|(_, event)| renamed(event).is_some()).collect();
    let (_, event) = found.iter().find(|(_, event)| hooks(&event.event))?;
    let (meant, name) = (event.event.as_str(), renamed(event)?.name.as_str());
    let senders = found.iter().filter(|(sender, event)| event.name == native && sender.name != agent.name);
    let senders: Vec<&Agent> = senders.map(|(sender, _)| *sender).collect();
    let labels: Vec<&str> = senders.iter().map(|sender| sender.label.as_str()).collect();
    let write: Vec<String> = senders
        .iter()
        .filter(|sender| sender.answered)
        .map(|sender| format!("`--host {}`", sender.name))
        .collect();
    let sent = match labels.is_empty() {
        true => String::new(),
        false => format!(", but {} sends it", labels.join(" or ")),
    };
    let write = match write.is_empty() {
        true => format!("the event is `{name}` at {}", agent.label),
        false => format!("write {}", write.join(" or ")),
    };
    let why = format!(
        "the call names `--host {}`, and {} has no event `{native}`{sent}, so that the hooks for `{meant}` would not \
         run: {write}",
        agent.name, agent.label
    );
    Some(Unexpected::Foreign { meant, why })
}
