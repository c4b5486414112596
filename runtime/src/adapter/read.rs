//! Reads an event with the names from the agent's data: its type, its members and its tools.

use std::borrow::Cow;
use std::ops::Range;

use hookc_schema::agents::{Agent, Event as Listed, Id, Mcp};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::edit::Edits;
use super::fields::Translated;
use super::list::{List, Several};
use super::members::{Members, sound};
use super::{Incoming, edit, event_of, failed, fields, patch};
use crate::escaped;
use crate::event::{Event, EventError, members_of, without_mark};

/// The maximum length of an event's name in bytes; a longer name is invalid.
const NAME: usize = 1 << 10;

/// Reads an agent's event; `event` is the name that the caller specifies.
pub(super) fn event(
    agent: &'static Agent,
    bytes: Vec<u8>,
    event: Option<&str>,
) -> Result<Incoming, EventError> {
    // A longer event is cut off, so that its end would be the fault.
    if bytes.len() > hookc_vm::limits::EVENT_BYTES {
        return Err(failed(hookc_vm::EventError::TooLarge(hookc_vm::limits::EVENT_BYTES).to_string()));
    }
    let bytes = unmarked(bytes)?;
    if !agent.protocol.verbatim {
        return translated(agent, bytes, event);
    }
    let mut members = Members::read(&bytes)?;
    let native = native(agent, &members, event)?;
    let event = if is_named(&members, &native)? {
        let place = |(name, value): (&str, &RawValue)| Some((name.to_owned(), edit::within(&bytes, value)?));
        match members.iter().map(place).collect() {
            Some(places) => Event::with_members(bytes, places).map_err(failed)?,
            None => sound(bytes)?,
        }
    } else {
        members.put("hook_event_name", native.as_str());
        let made = members.event()?;
        event_of(made, bytes)
    };
    patched(Incoming::new(agent, event, native.clone(), native))
}

/// The bytes of an event without the byte order mark of UTF-8, which shells of Windows write.
pub(super) fn unmarked(bytes: Vec<u8>) -> Result<Vec<u8>, EventError> {
    match bytes.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => {
            Err(failed("the event is UTF-16 text: expected UTF-8"))
        }
        _ => Ok(without_mark(bytes)),
    }
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
        // Of several events of one type, the agent knows which one it sent.
        Some(stated) if agent.event(&stated).is_some() => Ok(Some(stated)),
        _ => Ok(Some(event.to_owned())),
    }
}

/// Whether the event has this name already, so that its bytes pass through and handlers read what the agent sent.
fn is_named(members: &Members<'_>, name: &String) -> Result<bool, EventError> {
    match members.text("hook_event_name") {
        Some(stated) if stated == *name => Ok(true),
        _ if members.has("hook_event_name") => Err(failed(format!("the event is not a `{name}`"))),
        _ => Ok(false),
    }
}

/// An event whose bytes pass through; a patch gives one event per file.
fn patched(mut incoming: Incoming) -> Result<Incoming, EventError> {
    let Some(patch) = &incoming.agent.protocol.patch else { return Ok(incoming) };
    let tool = incoming.event.text("tool_name");
    if !tool.is_some_and(|tool| patch.tools.iter().any(|name| *name == tool)) {
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
    Ok(incoming.with_several(Some(Several::Files(files))))
}

/// An event with the vocabulary's names; the agent's own names are kept.
fn translated(agent: &'static Agent, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
    let bytes = if agent.protocol.text_input { unfolded(bytes) } else { bytes };
    let mut members = Members::read(&bytes)?;
    let native = native(agent, &members, event)?;
    let name = agent.translated(&native).to_owned();
    let string = rename(&mut members, agent, &native, &bytes)?;
    if let Some(patch) = &agent.protocol.patch {
        let is_bare = patch::wrap(&mut members, patch)?;
        if let Some(applied) = patch::applied(&members, patch)? {
            // The agent did not send an event about a file of a patch.
            for (native, _) in agent.protocol.members.iter().filter(|(_, member)| *member == "tool_input") {
                members.take(native);
            }
            let (event, files) = patch::files(members, patch, applied)?.unzip();
            let incoming = Incoming::new(agent, event_of(event, bytes), name, native);
            let fields = patch::FIELDS.to_vec();
            return Ok(Incoming { fields, is_bare, ..incoming }.with_several(files.map(Several::Files)));
        }
    }
    let (input, fields, list) = match fields::translate(&members, agent)? {
        Some(Translated { input, fields, list }) => (Some(input), fields, list),
        None => (None, Vec::new(), None),
    };
    let edits = Edits::new(&bytes, &members, input.as_ref(), string).filter(|_| !members.is_oversized());
    let copy = match (&edits, &input) {
        (Some(_), _) => None,
        (None, Some(input)) => members.event_with("tool_input", input)?,
        (None, None) => members.event()?,
    };
    let event = match edits {
        Some(edits) if edits.size(bytes.len()) <= hookc_vm::limits::EVENT_BYTES => {
            sound(edits.apply(bytes).ok_or_else(|| failed("the event cannot be translated"))?)?
        }
        _ => event_of(copy, bytes),
    };
    let list = list.filter(|_| !event.is_oversized());
    list.iter().try_for_each(|list| list.check_size(&event))?;
    let incoming = Incoming::new(agent, event, name, native);
    let list = list.filter(List::has_several).map(Several::List);
    Ok(Incoming { fields, ..incoming }.with_several(list))
}

/// Gives the members of an event the vocabulary's names. If the tool's input is a string that says
/// JSON, it is that JSON, and the place of the string in `bytes` is returned.
fn rename(
    members: &mut Members<'_>,
    agent: &'static Agent,
    native: &str,
    bytes: &[u8],
) -> Result<Option<Range<usize>>, EventError> {
    let protocol = &agent.protocol;
    let name = agent.translated(native);
    members.put("hook_event_name", name);
    if native != name {
        members.put("host_event_name", native);
    }
    for (native, member) in &protocol.members {
        let Some(value) = value_at(members, native) else { continue };
        one_value(members, (native, &value), member)?;
        if !members.has(member) {
            members.add(member, value);
        }
    }
    if let Some(listed) = agent.event(native) {
        tool(members, listed)?;
    }
    let string = if protocol.text_input { parse_input(members, bytes)? } else { None };
    rename_tool(members, agent)?;
    for (list, member) in &protocol.first {
        let element = members.get(list).and_then(first).filter(|_| !members.has(member));
        if let Some(element) = element {
            members.set(member, element);
        }
    }
    Ok(string)
}

/// The value at a path: `a.b` is the member `b` of the object `a`.
pub(super) fn value_at<'m>(members: &Members<'m>, path: &str) -> Option<Cow<'m, RawValue>> {
    let mut names = path.split('.');
    let value = members.value(names.next()?)?;
    names.try_fold(value, inside)
}

/// The member of an object that is a member itself.
fn inside<'m>(object: Cow<'m, RawValue>, name: &str) -> Option<Cow<'m, RawValue>> {
    match object {
        Cow::Borrowed(object) => Members::last(object.get()).value(name),
        Cow::Owned(object) => Some(Cow::Owned(Members::last(object.get()).get(name)?.to_owned())),
    }
}

/// A tool and its input have one value each: guards would check one, and the agent could use the other.
fn one_value(
    members: &Members<'_>,
    (native, value): (&str, &RawValue),
    member: &str,
) -> Result<(), EventError> {
    let is_guarded = matches!(member, "tool_name" | "tool_input") && native != member;
    match members.get(member) {
        Some(other) if is_guarded && value.get() != other.get() && !is_copy(value, other) => {
            Err(failed(format!("the event has two values, as `{native}` and as `{member}`")))
        }
        _ => Ok(()),
    }
}

/// Whether a tool's input is another one with texts in place of values that are not texts: `"[1]"` for `[1]`.
fn is_copy(copy: &RawValue, input: &RawValue) -> bool {
    let [copy, input] = [copy, input].map(|raw| serde_json::from_str::<Map<String, Value>>(raw.get()));
    let (Ok(copy), Ok(input)) = (copy, input) else { return false };
    let alike = |value: &Value, other: &Value| match (value, other) {
        (Value::String(_), Value::String(_)) => value == other,
        (Value::String(text), _) => serde_json::from_str::<Value>(text).is_ok_and(|value| value == *other),
        _ => value == other,
    };
    copy.len() == input.len()
        && copy.iter().all(|(name, value)| input.get(name).is_some_and(|other| alike(value, other)))
}

/// The first element of a list.
fn first(list: &RawValue) -> Option<Box<RawValue>> {
    let elements = serde_json::from_str::<Vec<&RawValue>>(list.get()).ok()?;
    elements.first().map(|first| (*first).to_owned())
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
    } else if let Some(name) = listed.tool.as_ref().filter(|_| !members.has("tool_name")) {
        members.put("tool_name", name.as_str());
    }
    let output = listed.output.as_ref().and_then(|output| members.value(output));
    if let Some(output) = output.filter(|output| output.get() != "null") {
        members.add("tool_response", output);
    }
    Ok(())
}

/// `mcp__SERVER__TOOL`, if the event is about a tool of an MCP server. As in that name, other characters
/// than letters, digits, `_` and `-` are underscores.
fn mcp_name(members: &Members<'_>, mcp: &Mcp) -> Option<String> {
    let context = Members::last(members.get(&mcp.member)?.get());
    let name = |key: &str| {
        let text = context.text(key).filter(|text| !text.is_empty())?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        Some(text.chars().map(|c| if plain(c) { c } else { '_' }).collect::<String>())
    };
    Some(format!("mcp__{}__{}", name(&mcp.server)?, name(&mcp.tool)?))
}

/// Gives the tool the vocabulary's name, and a tool that calls those of MCP servers the input of theirs; the agent's own
/// name is kept.
fn rename_tool(members: &mut Members<'_>, agent: &'static Agent) -> Result<(), EventError> {
    let Some(native) = members.text("tool_name") else { return Ok(()) };
    let mcp = agent.protocol.mcp.as_ref().filter(|mcp| mcp.by.as_ref().is_none_or(|by| *by == native));
    let mcp = mcp.and_then(|mcp| Some((mcp_name(members, mcp)?, mcp)));
    if let Some((member, input)) = mcp.as_ref().and_then(|(_, mcp)| Some((&mcp.member, mcp.input.as_ref()?)))
    {
        let input = members.value(member).and_then(|outer| inside(outer, input));
        let input = match input.as_deref().map(|input| (input, escaped::decoded(input.get()))) {
            Some((_, Some(text))) => Cow::Owned(parsed(text)?),
            Some((input, None)) => Cow::Owned(input.to_owned()),
            None => Cow::Owned(parsed("{}".to_owned())?),
        };
        members.add("tool_input", input);
    }
    let mcp = mcp.map(|(name, _)| name);
    let by_work = by_input(members, agent, &native).or_else(|| by_kind(members, agent, &native));
    let name = mcp.as_deref().or(by_work).unwrap_or_else(|| agent.tool(&native));
    if name != native {
        members.put("tool_name", name);
        members.put("host_tool_name", native);
    }
    Ok(())
}

/// The vocabulary's tool for a tool of the agent that does what one of its inputs says.
fn by_input(members: &Members<'_>, agent: &'static Agent, native: &str) -> Option<&'static str> {
    let several = agent.protocol.several.iter().find(|several| several.tool == native)?;
    let value = Members::last(members.get("tool_input")?.get()).text(&several.input)?;
    several.tools.iter().find(|(listed, _)| *listed == value).map(|(_, tool)| tool.as_str())
}

/// The vocabulary's tool for one whose name it does not have, by the kind that the event names.
fn by_kind(members: &Members<'_>, agent: &'static Agent, native: &str) -> Option<&'static str> {
    let kinds = agent.protocol.kinds.as_ref()?;
    let is_known = Id::ALL.first().is_some_and(|id| id.marks().has_tool(native));
    let kind = members.text(&kinds.member).filter(|_| !is_known)?;
    kinds.tools.iter().find(|(listed, _)| *listed == kind).map(|(_, tool)| tool.as_str())
}

/// A tool's input that the agent sent as a JSON string; the place of that string's content.
fn parse_input(members: &mut Members<'_>, bytes: &[u8]) -> Result<Option<Range<usize>>, EventError> {
    let Some(text) = members.text("tool_input") else { return Ok(None) };
    let place = members.get("tool_input").and_then(|raw| edit::within(bytes, raw));
    if !json(&text)? {
        return Ok(None);
    }
    // Not a copy: it can be as long as an event.
    let value = RawValue::from_string(text).map_err(|error| failed(error.to_string()))?;
    members.set("tool_input", value);
    Ok(place.map(|place| place.start.saturating_add(1)..place.end.saturating_sub(1)))
}

/// The event with the tool's input in the place of the string that says it.
fn unfolded(mut bytes: Vec<u8>) -> Vec<u8> {
    let place = members_of(&bytes).into_iter().rev().find(|(name, _)| name == "tool_input");
    let Some((_, place)) = place else { return bytes };
    let text = bytes.get(place.clone()).and_then(|raw| std::str::from_utf8(raw).ok());
    let text = text.and_then(escaped::decoded).filter(|text| json(text).is_ok_and(|json| json));
    let Some(length) = text.map(|text| text.len()) else { return bytes };
    let string = place.start.saturating_add(1)..place.end.saturating_sub(1);
    if escaped::decode_within(&mut bytes, string, place.start, length).is_some() {
        bytes.drain(place.start.saturating_add(length)..place.end);
    }
    bytes
}

/// The value of a text that may be JSON.
pub(super) fn parsed(text: String) -> Result<Box<RawValue>, EventError> {
    match json(&text)? {
        true => RawValue::from_string(text),
        false => to_raw_value(&text),
    }
    .map_err(|error| failed(error.to_string()))
}

/// Whether a text is JSON. Text that starts as an object or an array and is invalid is an error: no
/// hook would match it as a string.
fn json(text: &str) -> Result<bool, EventError> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => Ok(true),
        Err(error) if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) => {
            Err(failed(format!("the tool's input is not JSON: {error}")))
        }
        Err(_) => Ok(false),
    }
}
