//! Reads a patch in a tool's input: the files that it changes, and one event for each of them.
//!
//! Each event has the whole patch. They are built one at a time, from an event with what
//! they have in common ([`Files`]), so that memory does not grow with the number of files.

use std::ops::Range;

use hookc_schema::agents::Patch;
use serde_json::Value;
use serde_json::value::RawValue;

use super::failed;
use super::fields::Field;
use super::members::Members;
use crate::escaped::{content, first, is_text, line, strip_prefix, trim_start, unescape};
use crate::event::{Event, EventError};

/// The maximum number of files in one patch.
const MOST: usize = 100;
/// The maximum size in bytes of all events of one patch, each of which contains the whole patch.
const BYTES: usize = 64 << 20;

/// The meaning of each kind of section.
const SECTIONS: [(&str, &str); 4] =
    [("*** Add File: ", WRITE), ("*** Update File: ", "Edit"), ("*** Delete File: ", "Edit"), (MOVE, WRITE)];

const MOVE: &str = "*** Move to: ";
const WRITE: &str = "Write";

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
    let native = members.text("host_tool_name").or_else(|| members.text("tool_name"));
    if native.as_deref() != Some(patch.tool.as_str()) {
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

/// The sections of a patch, and whether there are more than one patch may have.
fn sections(text: &str) -> (Vec<Section>, bool) {
    let mut all: Vec<Section> = Vec::new();
    // A moved file is changed at its old path and written at its new path.
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (line, length) = line(rest);
        let after = at.saturating_add(length);
        let head = trim_start(line);
        let section =
            SECTIONS.iter().find_map(|(begin, tool)| Some((*tool, *begin, strip_prefix(head, begin)?)));
        if let Some((tool, begin, path)) = section {
            if all.len() >= MOST {
                return (all, true);
            }
            let next = if begin == MOVE { all.len().saturating_sub(1) } else { all.len() };
            for ended in all.get_mut(from..next).unwrap_or_default() {
                ended.body.end = at;
            }
            from = next;
            let path = unescape(path).unwrap_or_default().trim().to_owned();
            all.push(Section { tool, path, body: after..text.len() });
        }
        at = after;
    }
    (all, false)
}

/// The text of a section before the patch, or after it, as an edit has it: the lines that
/// it changes, with those around them.
fn text(body: &str, is_after: bool, out: &mut dyn FnMut(&str)) {
    let mut at = 0;
    while let Some((line, next)) = next_line(body, at, is_after) {
        if let Some(line) = line.and_then(|line| body.get(line)) {
            out(line);
            out(LINE_END);
        }
        at = next;
    }
}

/// A line end as JSON writes it.
const LINE_END: &str = "\\n";

/// What a text has of the line at a position, and where the next line is; `None` at the end.
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

/// What differs between the events of a patch, and where.
#[derive(Clone, Copy, Debug)]
enum Hole {
    Tool,
    Path,
    /// At the end of the tool's input.
    Texts,
}

/// The files of a patch. Its events are made of one that has what they have in common: it
/// is about the first file, without the text before and after.
#[derive(Debug)]
pub(super) struct Files {
    sections: Vec<Section>,
    /// Where the patch is in the common event.
    text: Range<usize>,
    holes: [(Range<usize>, Hole); 3],
}

impl Files {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// The event about one of them.
    pub(super) fn event(&self, common: &Event, at: usize) -> Option<Event> {
        let section = self.sections.get(at)?;
        let mut bytes = Vec::with_capacity(self.size(common, section));
        self.write(common, section, &mut |text| bytes.extend_from_slice(text));
        Some(Event::new(bytes))
    }

    /// The event about the only file: the common event, which is about it, with its texts added in
    /// place.
    pub(super) fn into_only(self, common: Event) -> Event {
        let [section] = self.sections.as_slice() else { return common };
        let end = self.holes.iter().find(|(_, hole)| matches!(hole, Hole::Texts)).map(|(range, _)| range.end);
        let size = self.size(&common, section);
        let mut bytes = common.into_bytes();
        let rest = bytes.split_off(end.unwrap_or(bytes.len()).min(bytes.len()));
        bytes.reserve_exact(size.saturating_sub(bytes.len()));
        let mut event = match String::from_utf8(bytes) {
            Ok(event) => event,
            Err(error) => return Event::new([error.into_bytes(), rest].concat()),
        };
        let body = self.text.start.saturating_add(section.body.start)
            ..self.text.start.saturating_add(section.body.end);
        for (name, is_after) in fields(section) {
            event.push_str(name);
            let mut at = 0;
            while let Some((line, next)) =
                event.get(body.clone()).and_then(|body| next_line(body, at, is_after))
            {
                if let Some(line) = line {
                    let start = body.start;
                    event
                        .extend_from_within(start.saturating_add(line.start)..start.saturating_add(line.end));
                    event.push_str(LINE_END);
                }
                at = next;
            }
            event.push('"');
        }
        let mut bytes = event.into_bytes();
        bytes.extend_from_slice(&rest);
        Event::new(bytes)
    }

    fn size(&self, common: &Event, section: &Section) -> usize {
        let mut size: usize = 0;
        self.write(common, section, &mut |text| size = size.saturating_add(text.len()));
        size
    }

    fn write(&self, common: &Event, section: &Section, out: &mut dyn FnMut(&[u8])) {
        let (common, mut at) = (common.bytes(), 0);
        for (range, hole) in &self.holes {
            out(common.get(at..range.start).unwrap_or_default());
            at = range.end;
            match hole {
                Hole::Tool => out(Value::from(section.tool).to_string().as_bytes()),
                Hole::Path => out(Value::from(section.path.as_str()).to_string().as_bytes()),
                Hole::Texts => self.write_texts(common, section, out),
            }
        }
        out(common.get(at..).unwrap_or_default());
    }

    fn write_texts(&self, common: &[u8], section: &Section, out: &mut dyn FnMut(&[u8])) {
        let patch = common.get(self.text.clone()).and_then(|text| text.get(section.body.clone()));
        let body = patch.and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
        for (name, is_after) in fields(section) {
            out(name.as_bytes());
            text(body, is_after, &mut |text| out(text.as_bytes()));
            out(b"\"");
        }
    }
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
    let all = files.sections.iter().all(fits);
    Ok(all.then_some((common, files)))
}

fn common(
    members: &mut Members<'_>,
    patch: &Patch,
    first: Option<&Section>,
) -> Result<Option<Event>, EventError> {
    let Some(Section { tool, path, .. }) = first else { return Ok(None) };
    members.put("tool_name", tool);
    members.put("host_tool_name", patch.tool.as_str());
    let input = members.get("tool_input").map(RawValue::get).unwrap_or_default();
    let mut input = Members::of(input.as_bytes(), "the tool's input")?;
    for name in ["content", "old_string", "new_string"] {
        input.take(name);
    }
    input.put("file_path", path.as_str());
    members.event_with("tool_input", &input)
}
