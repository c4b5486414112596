//! Reads a patch in a tool's input: the files that it changes, and one event for each of them.
//!
//! Each event has the whole patch. They are built one at a time, from an event with what
//! they have in common ([`Files`]), so that memory does not grow with the number of files.

use std::ops::Range;

use hookc_schema::agents::Patch;
use hookc_shell::patch::{self, Change};
use serde_json::Value;
use serde_json::value::RawValue;

use super::failed;
use super::fields::Field;
use super::members::Members;
use crate::escaped::{content, first, is_text, line, strip_prefix, trim_start, unescape};
use crate::event::{Event, EventError};

/// The maximum number of files in one patch, and of elements of one list.
pub(super) const MOST: usize = 100;
/// The maximum size in bytes of all events of one patch or list, each of which contains the whole input.
pub(super) const BYTES: usize = 64 << 20;

const WRITE: &str = "Write";

/// The tool that would make the same change.
const fn tool_for(change: Change) -> &'static str {
    match change {
        Change::Add | Change::MoveTo => WRITE,
        Change::Update | Change::Delete => "Edit",
    }
}

/// Fields of the tool's input that the agent does not have.
pub(super) const FIELDS: [Field; 4] = [
    Field::added("file_path"),
    Field::added("content"),
    Field::added("old_string"),
    Field::added("new_string"),
];

/// What a tool's input applies: the member with the patch, and what it does to each file.
#[derive(Debug)]
pub(super) struct Applied {
    member: String,
    sections: Vec<Section>,
    /// Whether there are more than are kept.
    many: bool,
}

/// The change to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    tool: &'static str,
    path: String,
    /// Its lines, in the text as JSON writes it.
    body: Range<usize>,
}

/// The changes of the patch in a member of the tool's input, with the tools that would make the
/// same changes; empty if the tool applies no patch. A patch whose files cannot be determined is an
/// error, because no guard would check it.
pub(super) fn applied(members: &Members<'_>, patch: &Patch) -> Result<Option<Applied>, EventError> {
    if tool_of(members, patch).is_none() {
        return Ok(None);
    }
    let unread = |what: &str| failed(format!("cannot determine the files of a patch: {what}"));
    let input = members.get("tool_input").map(RawValue::get).unwrap_or_default();
    let input =
        serde_json::from_str::<Members<'_>>(input).map_err(|_| unread("its input is not an object"))?;
    let fields = &patch.members;
    let mut given = fields.iter().filter(|field| input.has(field));
    let (Some(field), None) = (given.next(), given.next()) else {
        return Err(unread(&format!("its input should have one of `{}`", fields.join("`, `"))));
    };
    let text = input.get(field).and_then(|raw| content(raw.get())).filter(|text| is_text(text));
    let text = text.ok_or_else(|| unread(&format!("`{field}` is not text")))?;
    let (sections, many) = sections(text);
    if sections.is_empty() {
        return Err(unread("it has no section such as `*** Update File: PATH`"));
    }
    Ok(Some(Applied { member: field.clone(), sections, many }))
}

/// The agent's name of the tool, if it applies patches.
fn tool_of<'p>(members: &Members<'_>, patch: &'p Patch) -> Option<&'p str> {
    let native = members.text("host_tool_name").or_else(|| members.text("tool_name"))?;
    patch.tools.iter().map(String::as_str).find(|tool| *tool == native)
}

/// Gives a patch that is the tool's whole input the name of a member; whether it was that.
pub(super) fn wrap(members: &mut Members<'_>, patch: &Patch) -> Result<bool, EventError> {
    let input = members.get("tool_input").map(RawValue::get).filter(|input| input.starts_with('"'));
    let (Some(input), Some(_), Some(name)) = (input, tool_of(members, patch), patch.members.first()) else {
        return Ok(false);
    };
    let object = RawValue::from_string(format!("{{{}:{input}}}", Value::from(name.as_str())));
    members.set("tool_input", object.map_err(|error| failed(error.to_string()))?);
    Ok(true)
}

/// The sections of a patch, and whether there are more than one patch may have.
fn sections(text: &str) -> (Vec<Section>, bool) {
    let mut sections: Vec<Section> = Vec::new();
    // A moved file is changed at its old path and written at its new path.
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (line, length) = line(rest);
        let after = at.saturating_add(length);
        if let Some((change, path)) = head(line) {
            if sections.len() >= MOST {
                return (sections, true);
            }
            let is_moved = change == Change::MoveTo;
            let next = if is_moved { sections.len().saturating_sub(1) } else { sections.len() };
            for ended in sections.get_mut(from..next).unwrap_or_default() {
                ended.body.end = at;
            }
            from = next;
            sections.push(Section { tool: tool_for(change), path, body: after..text.len() });
        }
        at = after;
    }
    (sections, false)
}

/// A line end as JSON writes it.
const LINE_END: &str = "\\n";

/// The change and the path of a line that is the head of a section.
fn head(line: &str) -> Option<(Change, String)> {
    strip_prefix(trim_start(line), patch::MARKS)?;
    let line = unescape(line)?;
    patch::head(&line).map(|(change, path)| (change, path.to_owned()))
}

/// What the text of a section before the patch, or after it, has of the line at a position: those
/// lines that it changes, with those around them. And where the next line is; `None` at the end.
fn next_line(body: &str, at: usize, is_after: bool) -> Option<(Option<Range<usize>>, usize)> {
    let rest = body.get(at..).filter(|rest| !rest.is_empty())?;
    let (line, length) = line(rest);
    let (end, next) = (at.saturating_add(line.len()), at.saturating_add(length));
    if strip_prefix(trim_start(line), "***").or_else(|| strip_prefix(line, "@@")).is_some() {
        return Some((None, next));
    }
    let (is_in, line) = match first(line) {
        Some(('+', line)) => (is_after, line),
        Some(('-', line)) => (!is_after, line),
        Some((' ', line)) => (true, line),
        _ => (true, line),
    };
    Some((is_in.then(|| end.saturating_sub(line.len())..end), next))
}

/// What differs between the events of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Tool,
    Path,
    /// At the end of the tool's input.
    Texts,
}

/// The files of a patch. The event about one of them is made in place of the event about another:
/// several events would have the whole patch several times.
#[derive(Debug)]
pub(super) struct Files {
    sections: Vec<Section>,
    /// Where the patch is in the event.
    text: Range<usize>,
    /// Where the event has what differs.
    holes: [(Range<usize>, Hole); 3],
}

impl Files {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// The event about one of them, made of that about any other.
    pub(super) fn about(&mut self, event: Event, at: usize) -> Event {
        let Some(section) = self.sections.get(at).cloned() else { return event };
        let mut text = match String::from_utf8(event.into_bytes()) {
            Ok(text) => text,
            Err(error) => return Event::new(error.into_bytes()),
        };
        self.fill(&mut text, Hole::Texts, "");
        self.fill(&mut text, Hole::Tool, &Value::from(section.tool).to_string());
        self.fill(&mut text, Hole::Path, &Value::from(section.path.as_str()).to_string());
        self.add_texts(&mut text, &section);
        Event::new(text)
    }

    /// Replaces a part of the event that differs.
    fn fill(&mut self, text: &mut String, hole: Hole, new: &str) {
        let Some((old, _)) = self.holes.iter().find(|(_, kind)| *kind == hole).cloned() else { return };
        text.replace_range(old.clone(), new);
        self.note(hole, old, new.len());
    }

    /// Notes that a part of the event has another length; what comes after it has moved.
    fn note(&mut self, hole: Hole, old: Range<usize>, new: usize) {
        let shifted = |at: usize| at.saturating_sub(old.len()).saturating_add(new);
        let moved = |range: &Range<usize>| match range.end <= old.start {
            true => range.clone(),
            false => shifted(range.start)..shifted(range.end),
        };
        self.text = moved(&self.text);
        for (range, kind) in &mut self.holes {
            *range = if *kind == hole { old.start..old.start.saturating_add(new) } else { moved(range) };
        }
    }

    /// Adds the texts of a file at the end of the tool's input.
    fn add_texts(&mut self, text: &mut String, section: &Section) {
        let Some((hole, _)) = self.holes.iter().find(|(_, kind)| *kind == Hole::Texts).cloned() else {
            return;
        };
        let body = self.text.start.saturating_add(section.body.start)
            ..self.text.start.saturating_add(section.body.end);
        let size = texts_size(section, text.get(body.clone()).unwrap_or_default());
        let rest = text.split_off(hole.end);
        text.reserve_exact(size.saturating_add(rest.len()));
        for (name, is_after) in fields(section) {
            text.push_str(name);
            let mut at = 0;
            while let Some((line, next)) =
                text.get(body.clone()).and_then(|body| next_line(body, at, is_after))
            {
                if let Some(line) = line {
                    let start = body.start;
                    text.extend_from_within(start.saturating_add(line.start)..start.saturating_add(line.end));
                    text.push_str(LINE_END);
                }
                at = next;
            }
            text.push('"');
        }
        let added = text.len().saturating_sub(hole.start);
        self.note(Hole::Texts, hole, added);
        text.push_str(&rest);
    }

    /// The length of the event about a file, `event` being one about any of them.
    fn size(&self, event: &Event, section: &Section) -> usize {
        let body = event.bytes().get(self.text.clone()).and_then(|text| text.get(section.body.clone()));
        let body = body.and_then(|body| std::str::from_utf8(body).ok()).unwrap_or_default();
        let old: usize = self.holes.iter().map(|(range, _)| range.len()).sum();
        let names = [section.tool, section.path.as_str()].map(|name| Value::from(name).to_string().len());
        let common = event.bytes().len().saturating_sub(old);
        common.saturating_add(names.iter().sum()).saturating_add(texts_size(section, body))
    }
}

/// The bytes of the texts of a file.
fn texts_size(section: &Section, body: &str) -> usize {
    let mut size: usize = 0;
    for (name, is_after) in fields(section) {
        size = size.saturating_add(name.len()).saturating_add(1);
        let mut at = 0;
        while let Some((line, next)) = next_line(body, at, is_after) {
            size = size.saturating_add(line.map_or(0, |line| line.len().saturating_add(LINE_END.len())));
            at = next;
        }
    }
    size
}

/// The start of each member with a text of the file, and whether it is that after the patch.
fn fields(section: &Section) -> impl Iterator<Item = (&'static str, bool)> {
    let fields: &[_] = match section.tool {
        WRITE => &[(r#","content":""#, true)],
        _ => &[(r#","old_string":""#, false), (r#","new_string":""#, true)],
    };
    fields.iter().copied()
}

/// The event that those about the files are made of, and the files; `None` if one of them
/// would be larger than an event may be.
pub(super) fn files(
    mut members: Members<'_>,
    patch: &Patch,
    applied: Applied,
) -> Result<Option<(Event, Files)>, EventError> {
    let Applied { member, sections, many } = applied;
    if many {
        return Err(failed(format!("the patch has more than {MOST} files: apply it in parts")));
    }
    let input = members.get("tool_input").map(|input| input.get().len()).unwrap_or_default();
    if sections.len() > 1 && sections.len().saturating_mul(input) > BYTES {
        return Err(failed("the patch is too large for its files: apply it in parts"));
    }
    let Some(common) = common(&mut members, patch, sections.first())? else { return Ok(None) };
    let place = |outer: &str, inner: &str| common.range_in(outer, inner);
    let outer = common.range("tool_name").zip(common.range("tool_input"));
    let inner = place("tool_input", "file_path").zip(place("tool_input", &member));
    let (Some((tool, input)), Some((path, text))) = (outer, inner) else {
        return Err(failed("the tool's input has a duplicate key"));
    };
    let end = input.end.saturating_sub(1);
    let mut holes = [(tool, Hole::Tool), (path, Hole::Path), (end..end, Hole::Texts)];
    holes.sort_by_key(|(range, _)| range.start);
    let text = text.start.saturating_add(1)..text.end.saturating_sub(1);
    let files = Files { sections, text, holes };
    let fits = |section| files.size(&common, section) <= hookc_vm::limits::EVENT_BYTES;
    let is_whole = files.sections.iter().all(fits);
    Ok(is_whole.then_some((common, files)))
}

fn common(
    members: &mut Members<'_>,
    patch: &Patch,
    first: Option<&Section>,
) -> Result<Option<Event>, EventError> {
    let Some(Section { tool, path, .. }) = first else { return Ok(None) };
    let native = tool_of(members, patch);
    members.put("tool_name", tool);
    if let Some(native) = native {
        members.put("host_tool_name", native);
    }
    let input = members.get("tool_input").map(RawValue::get).unwrap_or_default();
    let mut input = Members::read_as(input.as_bytes(), "the tool's input")?;
    for name in ["content", "old_string", "new_string"] {
        input.take(name);
    }
    input.put("file_path", path.as_str());
    members.event_with("tool_input", &input)
}
