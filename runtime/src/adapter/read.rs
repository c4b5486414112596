//! Reads an event with the names from the agent's data: its type, its members and its tools.

use hookc_schema::agents::{Agent, Event as Listed};
use serde_json::value::{RawValue, to_raw_value};

use super::fields::Field;
use super::members::{Members, sound};
use super::patch::Files;
use super::{Incoming, event_of, failed, fields, patch};
use crate::event::{Event, EventError};

/// The maximum length of an event's name in bytes; a longer name is invalid.
const NAME: usize = 1 << 10;

/// Reads an agent's event; `event` is the name that the caller specifies.
pub(super) fn event(
    agent: &'static Agent,
    bytes: Vec<u8>,
    event: Option<&str>,
) -> Result<Incoming, EventError> {
    let members = Members::read(&bytes)?;
    let native = native(agent, &members, event)?;
    if !agent.protocol.verbatim {
        let Made { name, event, files, fields } = translated(agent, members, &native)?;
        let incoming = Incoming { fields, ..Incoming::new(agent, event_of(event, bytes), name, native) };
        return Ok(incoming.with_files(files));
    }
    let made = named_event(members, &native)?;
    let event = match made {
        Some(made) => event_of(made, bytes),
        None => sound(bytes)?,
    };
    patched(Incoming::new(agent, event, native.clone(), native))
}

/// The agent's name of the event: from the event, otherwise from the caller.
fn native(agent: &Agent, members: &Members<'_>, event: Option<&str>) -> Result<String, EventError> {
    let protocol = &agent.protocol;
    let stated = protocol.names.iter().find_map(|name| members.text(name));
    let fits = || protocol.unnamed.iter().find(|unnamed| unnamed.has.iter().all(|name| members.has(name)));
    let none = match protocol.unnamed.is_empty() {
        true => "the event has no `hook_event_name`",
        false => "the event does not contain its type",
    };
    let named = named(agent, stated, event)?.or_else(|| fits().map(|unnamed| unnamed.is.clone()));
    named.ok_or_else(|| failed(none))
}

/// The name of the event, from the event or from the caller. Both must mean the same event:
/// otherwise no hook would check the real one.
pub(super) fn named(
    agent: &Agent,
    stated: Option<String>,
    event: Option<&str>,
) -> Result<Option<String>, EventError> {
    if stated.as_ref().is_some_and(|stated| stated.len() > NAME) {
        return Err(failed(format!("the event's name is longer than {NAME} bytes")));
    }
    let Some(event) = event else { return Ok(stated) };
    match stated {
        Some(stated) if agent.translated(&stated) != agent.translated(event) => {
            Err(failed(format!("the event is not a `{event}`, as the caller states")))
        }
        _ => Ok(Some(event.to_owned())),
    }
}

/// The event with this name; `None` if it has the name already, so that its bytes pass through and
/// handlers read what the agent sent.
fn named_event(mut members: Members<'_>, name: &String) -> Result<Option<Option<Event>>, EventError> {
    if members.text("hook_event_name").as_ref() == Some(name) {
        return Ok(None);
    }
    if members.has("hook_event_name") {
        return Err(failed(format!("the event is not a `{name}`")));
    }
    members.put("hook_event_name", name.as_str());
    members.event().map(Some)
}

/// An event whose bytes pass through; a patch gives one event per file.
fn patched(mut incoming: Incoming) -> Result<Incoming, EventError> {
    let Some(patch) = &incoming.agent.protocol.patch else { return Ok(incoming) };
    if incoming.event.text("tool_name").as_deref() != Some(patch.tool.as_str()) {
        return Ok(incoming);
    }
    let members = Members::read(incoming.event.bytes())?;
    let Some(applied) = patch::applied(&members, patch)? else { return Ok(incoming) };
    let made = patch::files(members, patch, applied)?;
    incoming.fields = patch::FIELDS.to_vec();
    let Some((common, files)) = made else {
        return Ok(Incoming { event: incoming.event.into_oversized(), ..incoming });
    };
    // Before others are made of it: what was sent may be as long as an event may be.
    incoming.event = common;
    Ok(incoming.with_files(Some(files)))
}

/// What the members of an event become under the names of the vocabulary.
struct Made {
    name: String,
    /// None if it would be larger than an event may be.
    event: Option<Event>,
    /// The files of its patch, if it is about one.
    files: Option<Files>,
    fields: Vec<Field>,
}

/// An event with the vocabulary's names; the agent's own names are kept.
fn translated(agent: &'static Agent, mut members: Members<'_>, native: &str) -> Result<Made, EventError> {
    let protocol = &agent.protocol;
    let name = agent.translated(native).to_owned();
    members.put("hook_event_name", name.as_str());
    if native != name {
        members.put("host_event_name", native);
    }
    for (own, member) in &protocol.members {
        members.copy(own, member);
    }
    if let Some(listed) = agent.event(native) {
        tool(&mut members, listed)?;
    }
    if protocol.text_input {
        parse_input(&mut members)?;
    }
    rename_tool(&mut members, agent);
    for (list, member) in &protocol.first {
        let element = members.get(list).and_then(first).filter(|_| !members.has(member));
        if let Some(element) = element {
            members.set(member, element);
        }
    }
    let applied = match &protocol.patch {
        Some(patch) => patch::applied(&members, patch)?.map(|applied| (patch, applied)),
        None => None,
    };
    let Some((patch, applied)) = applied else {
        let (event, fields) = match fields::translate(&members)? {
            Some((input, fields)) => (members.event_with("tool_input", &input)?, fields),
            None => (members.event()?, Vec::new()),
        };
        return Ok(Made { name, event, files: None, fields });
    };
    let (event, files) = patch::files(members, patch, applied)?.unzip();
    Ok(Made { name, event, files, fields: patch::FIELDS.to_vec() })
}

/// The first element of a list.
fn first(list: &RawValue) -> Option<Box<RawValue>> {
    let all = serde_json::from_str::<Vec<&RawValue>>(list.get()).ok()?;
    all.first().map(|first| (*first).to_owned())
}

/// Converts the event of one specific tool to the event of any tool: the tool, its input and its
/// response.
fn tool(members: &mut Members<'_>, listed: &Listed) -> Result<(), EventError> {
    if let Some(name) = listed.tool.as_ref().filter(|_| !listed.input.is_empty()) {
        let mut input = Members::default();
        for field in &listed.input {
            input.copy_from(field, members);
        }
        members.put("tool_name", name.as_str());
        let input = input.to_raw()?;
        members.set_object("tool_input", input);
    }
    let output = listed.output.as_ref().and_then(|output| members.value(output));
    if let Some(output) = output.filter(|output| output.get() != "null") {
        members.add("tool_response", output);
    }
    Ok(())
}

/// Gives the tool the vocabulary's name; the agent's own name is kept.
fn rename_tool(members: &mut Members<'_>, agent: &Agent) {
    let Some(native) = members.text("tool_name") else { return };
    let name = agent.tool(&native);
    if name != native {
        members.put("tool_name", name);
        members.put("host_tool_name", native);
    }
}

/// A tool's input that the agent sent as a JSON string.
fn parse_input(members: &mut Members<'_>) -> Result<(), EventError> {
    if let Some(text) = members.text("tool_input") {
        members.set("tool_input", parsed(text)?);
    }
    Ok(())
}

/// The value of a text that may be JSON. Text that starts as an object or an array and is invalid
/// is an error: no hook would match it as a string.
pub(super) fn parsed(text: String) -> Result<Box<RawValue>, EventError> {
    match serde_json::from_str::<&RawValue>(&text) {
        // Not a copy: it can be as long as an event.
        Ok(_) => RawValue::from_string(text).map_err(|error| failed(error.to_string())),
        Err(error) if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) => {
            Err(failed(format!("the tool's input is not JSON: {error}")))
        }
        Err(_) => to_raw_value(&text).map_err(|error| failed(error.to_string())),
    }
}
