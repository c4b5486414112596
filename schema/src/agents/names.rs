//! The names of all agents together: the vocabulary's name for a name of an agent, and why a policy
//! with that name would never match.
//!
//! The checker uses this to reject a hook for an event, or a condition on a tool, with a name that
//! no translated event has.

use super::{Agent, Event, Id, PATCHED, answered};
use crate::suggest;
use crate::tree::Family;

/// The pairs in which an agent's name differs from the vocabulary's.
fn different(pairs: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    pairs.iter().filter(|(listed, name)| listed != name).map(|(own, name)| (own.as_str(), name.as_str()))
}

/// An agent's names for tools of the vocabulary, including those of its model.
fn tools(agent: &Agent) -> impl Iterator<Item = (&str, &str)> {
    let documented = different(&agent.tools).chain(different(&agent.undocumented_tools));
    let several = agent.protocol.several.iter();
    let several =
        several.flat_map(|one| one.tools.iter().map(|(_, tool)| (one.tool.as_str(), tool.as_str())));
    documented.chain(different(&agent.internal_tools)).chain(several)
}

/// The agents' names for a tool of the vocabulary, each with the agent's label.
#[must_use]
pub fn own_names(tool: &str) -> Vec<(&'static str, &'static str)> {
    let names_of = |agent: &'static Agent| {
        let named = tools(agent).filter(move |(_, name)| *name == tool);
        named.map(move |(listed, _)| (agent.label.as_str(), listed))
    };
    answered().flat_map(names_of).collect()
}

/// The vocabulary's names for a tool that some agent calls by this name, in order.
#[must_use]
pub fn tools_called(native: &str) -> Vec<&'static str> {
    let patches = answered().filter_map(|agent| agent.protocol.patch.as_ref());
    let patched = patches.flat_map(|patch| &patch.tools);
    let patched = patched.flat_map(|tool| PATCHED.map(|name| (tool.as_str(), name)));
    let mut names: Vec<&'static str> = Vec::new();
    for (_, name) in answered().flat_map(tools).chain(patched).filter(|(name, _)| *name == native) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The documented values, of all agents together, of the field that the matchers of an event test.
pub fn matcher_values(event: &str, field: &str) -> impl Iterator<Item = &'static str> {
    let tests = move |known: &&'static Event| known.event == event && known.matcher.as_deref() == Some(field);
    let events = Id::ALL.iter().flat_map(|id| &id.agent().events);
    events.filter(tests).flat_map(|known| known.values.iter().map(String::as_str))
}

/// The event that was intended by a name that no translated event has: the name may be an agent's
/// own, or misspelled.
///
/// `host` is the agent of the policy, if known: its own names are recognized whatever the
/// vocabulary of the hook. `events` are the names of the agent vocabulary.
#[must_use]
pub fn intended_event<'n>(
    family: Family,
    name: &str,
    host: Option<&str>,
    events: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    misnamed(family, name, host).or_else(|| misspelt(family, name, events))
}

/// The event with this name at an agent.
#[must_use]
pub fn misnamed(family: Family, name: &str, host: Option<&str>) -> Option<&'static str> {
    let host = host.and_then(|host| Id::ALL.iter().find(|id| id.name() == host));
    if host.is_some_and(|host| host.marks().events.iter().any(|(_, event)| *event == name)) {
        // The agent sends an event type with the vocabulary's name.
        return None;
    }
    let renamed = |id: &Id| id.marks().renamed(name);
    // Agents' names have capitals; a name without them may belong to a thread or a workflow.
    let agents = family == Family::Agent || name.contains(char::is_uppercase);
    host.and_then(renamed).or_else(|| Id::ANSWERED.iter().filter(|_| agents).find_map(renamed))
}

/// The event of the agent vocabulary that a misspelled name was probably intended for.
fn misspelt<'n>(family: Family, name: &str, events: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let known: Vec<&'n str> = events.collect();
    if !matches!(family, Family::Agent | Family::Thread) || known.contains(&name) {
        return None;
    }
    suggest::slip(name, known)
}

/// The events, of all agents, whose names differ from this one at most in case and separators, each with its agent.
pub fn events_called(name: &str) -> impl Iterator<Item = (&'static Agent, &'static Event)> + use<> {
    let plain = plain_name(name);
    let events_of = |agent: &'static Agent| agent.events.iter().map(move |event| (agent, event));
    super::all().flat_map(events_of).filter(move |(_, event)| plain_name(&event.name) == plain)
}

/// The letters and digits of a name, in lower case.
#[must_use]
pub fn plain_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Why hooks for such an event are rejected, by `check` and by `run`.
#[must_use]
pub fn never_runs(name: &str, meant: &str) -> String {
    format!("no event has the name `{name}`, so its hooks would never run: write `{meant}`")
}

/// Like `never_runs`, for a text with the names of several events.
#[must_use]
pub fn never_runs_as_list(name: &str) -> String {
    format!("no event has the name `{name}`, so its hooks would never run: write a list of names")
}

/// Event names of other systems with a similar event in the vocabulary.
const LIKE: &[(&str, &str)] = &[
    ("PostAbilityCall", "PostToolUse"),
    ("PreAbilityCall", "PreToolUse"),
    ("PromptSubmit", "UserPromptSubmit"),
    ("SessionStop", "Stop"),
    ("afterAgentResponse", "Stop"),
];

/// The event of the vocabulary that is similar to an event of another agent or system.
#[must_use]
pub fn event_like(name: &str) -> Option<&'static str> {
    let renamed = super::all().flat_map(Agent::renamed).map(|event| (event.name.as_str(), &*event.event));
    renamed.chain(LIKE.iter().copied()).find(|(listed, _)| *listed == name).map(|(_, event)| event)
}

/// Pairs of another name and the vocabulary's.
type Names = [(&'static str, &'static str)];

/// Common wrong names for fields of the vocabulary. If a name has several meanings, the first one
/// that an event has is used.
const FIELDS: &Names = &[
    ("tool", "tool_name"),
    ("tool_args", "tool_input"),
    ("input", "tool_input"),
    ("args", "tool_input"),
    ("response", "tool_response"),
    ("result", "tool_response"),
    ("subagent_type", "agent_type"),
    ("notificationType", "notification_type"),
    ("message", "prompt"),
    ("user_message", "prompt"),
    ("user_prompt", "prompt"),
];

/// Like `FIELDS` for the inputs of tools.
const INPUTS: &Names = &[
    ("path", "notebook_path"),
    ("file_path", "notebook_path"),
    ("file", "file_path"),
    ("filename", "file_path"),
    ("cmd", "command"),
    ("script", "command"),
    ("text", "content"),
    ("old", "old_string"),
    ("new", "new_string"),
    ("old_text", "old_string"),
    ("new_text", "new_string"),
    ("uri", "url"),
    ("regex", "pattern"),
];

/// Members of events under the names of agents, and those of the vocabulary.
pub fn member_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let members = |agent: &'static Agent| {
        let protocol = &agent.protocol;
        let names = protocol.names.iter().map(|name| (name.as_str(), "hook_event_name"));
        let outputs = agent.events.iter().filter_map(|event| event.output.as_deref());
        let outputs = outputs.map(|output| (output, "tool_response"));
        different(&protocol.members).chain(names).chain(outputs).filter(|(listed, name)| listed != name)
    };
    answered().flat_map(members)
}

/// Members of agents' events that contain what the vocabulary has elsewhere: the path there, and the
/// member. Of a list, the vocabulary has the first element.
pub fn moved_members() -> impl Iterator<Item = (Vec<&'static str>, &'static str)> {
    let first = answered().flat_map(|agent| different(&agent.protocol.first));
    let inputs = answered().flat_map(|agent| &agent.events).flat_map(|event| &event.input);
    // Every event has `cwd`, which is not moved.
    let inputs = inputs.map(String::as_str).filter(|input| *input != "cwd");
    let inputs = inputs.map(|input| (vec!["tool_input", input], input));
    member_names().chain(first).map(|(listed, name)| (vec![name], listed)).chain(inputs)
}

/// The agents' names for inputs of tools, with those of the vocabulary, each pair once. An input can have several
/// names of the vocabulary.
#[must_use]
pub fn input_names() -> Vec<(&'static str, &'static str)> {
    let mut found: Vec<(&'static str, &'static str)> = Vec::new();
    for agent in answered() {
        let named = agent.inputs_of.values().flatten().map(|(listed, name)| (listed.as_str(), name.as_str()));
        let lists = agent.lists.values().flatten().map(|(listed, list)| (listed.as_str(), list.is.as_str()));
        for pair in different(&agent.inputs).chain(named).chain(lists) {
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
    }
    found
}

/// The tools that apply patches.
pub fn patch_tools() -> impl Iterator<Item = &'static str> {
    let patches = answered().filter_map(|agent| agent.protocol.patch.as_ref());
    patches.flat_map(|patch| &patch.tools).map(String::as_str)
}

/// Members of a tool's input that can contain a patch.
pub fn patch_members() -> impl Iterator<Item = &'static str> {
    let patches = answered().filter_map(|agent| agent.protocol.patch.as_ref());
    patches.flat_map(|patch| &patch.members).map(String::as_str)
}

/// Fields of events that a wrong name may have been intended for.
pub fn fields_meant(name: &str) -> impl Iterator<Item = &'static str> {
    meant(FIELDS.iter().copied().chain(member_names()), name)
}

/// Inputs of tools that a wrong name may have been intended for.
pub fn inputs_meant(name: &str) -> impl Iterator<Item = &'static str> {
    meant(INPUTS.iter().copied().chain(input_names()), name)
}

fn meant<'n>(
    names: impl Iterator<Item = (&'static str, &'static str)> + 'n,
    name: &'n str,
) -> impl Iterator<Item = &'static str> + 'n {
    names.filter(move |(other, _)| *other == name).map(|(_, field)| field)
}
