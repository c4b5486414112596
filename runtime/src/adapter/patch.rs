//! A patch as the input of a tool: the files that it touches, and an event for
//! each of them, as if it were changed alone.

use hookc_schema::agents::Patch;

use super::failed;
use super::fields::Field;
use super::members::Members;
use crate::event::Event;
use crate::event::EventError;

/// Files of one patch.
const MOST: usize = 100;
/// Bytes of all events of one patch, each of which has the whole of it.
const BYTES: usize = 64 << 20;

/// What each kind of section comes to.
const SECTIONS: [(&str, &str); 4] = [
    ("*** Add File: ", "Write"),
    ("*** Update File: ", "Edit"),
    ("*** Delete File: ", "Edit"),
    (MOVE, "Write"),
];

const MOVE: &str = "*** Move to: ";

/// Fields of the tool's input that the agent does not have.
pub(super) const FIELDS: [Field; 4] = [
    Field::added("file_path"),
    Field::added("content"),
    Field::added("old_string"),
    Field::added("new_string"),
];

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    tool: &'static str,
    path: String,
    /// The lines before and after, with those around them, as an edit has them.
    old: String,
    new: String,
}

/// What the patch does that the tool's input has in one of its members, with the
/// tools that would do the same; nothing if the tool applies no patch. A patch whose
/// files cannot be told is an error: no guard would look at it.
pub(super) fn changes(members: &Members<'_>, patch: &Patch) -> Result<Vec<Change>, EventError> {
    let native = members.text("host_tool_name").or_else(|| members.text("tool_name"));
    if native.as_deref() != Some(patch.tool.as_str()) {
        return Ok(Vec::new());
    }
    let unread = |what: &str| failed(format!("cannot determine the files of a patch: {what}"));
    let input = members.get("tool_input").map(|input| input.get()).unwrap_or_default();
    let input =
        serde_json::from_str::<Members<'_>>(input).map_err(|_| unread("its input is not an object"))?;
    let fields = &patch.members;
    let mut given = fields.iter().filter(|field| input.has(field));
    let (Some(field), None) = (given.next(), given.next()) else {
        return Err(unread(&format!("its input should have one of `{}`", fields.join("`, `"))));
    };
    let text = input.text(field).ok_or_else(|| unread(&format!("`{field}` is not text")))?;
    let changes = read(&text);
    if changes.is_empty() {
        Err(unread("it has no section such as `*** Update File: PATH`"))
    } else {
        Ok(changes)
    }
}

fn read(text: &str) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    // A file that is moved is changed where it was and written where it comes to.
    let mut from = 0;
    for line in text.lines() {
        let head = line.trim_start();
        let section =
            SECTIONS.iter().find_map(|(begin, tool)| Some((*tool, *begin, head.strip_prefix(begin)?)));
        if let Some((tool, begin, path)) = section {
            from = if begin == MOVE { all.len().saturating_sub(1) } else { all.len() };
            let path = path.trim().to_owned();
            all.push(Change { tool, path, old: String::new(), new: String::new() });
            continue;
        }
        if head.starts_with("***") || line.starts_with("@@") {
            continue;
        }
        let (old, new) = match line.split_at_checked(1) {
            Some(("+", line)) => (None, Some(line)),
            Some(("-", line)) => (Some(line), None),
            Some((" ", line)) => (Some(line), Some(line)),
            _ => (Some(line), Some(line)),
        };
        for change in all.get_mut(from..).unwrap_or_default() {
            for (text, line) in [(&mut change.old, old), (&mut change.new, new)] {
                if let Some(line) = line {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    all
}

/// The event about the first file, and those about the others; `None` if one of them
/// would be larger than an event may be.
pub(super) fn events(
    mut members: Members<'_>,
    patch: &Patch,
    changes: Vec<Change>,
) -> Result<Option<(Event, Vec<Event>)>, EventError> {
    if changes.len() > MOST {
        return Err(failed(format!("the patch has more than {MOST} files: apply it in parts")));
    }
    let input = members.get("tool_input").map(|input| input.get().len()).unwrap_or_default();
    if changes.len() > 1 && changes.len().saturating_mul(input) > BYTES {
        return Err(failed("the patch is too large for its files: apply it in parts"));
    }
    let text = |change: &Change| change.old.len().max(change.new.len());
    let longest = changes.iter().map(text).max().unwrap_or_default();
    if input.saturating_add(longest) > hookc_vm::limits::EVENT_BYTES {
        return Ok(None);
    }
    let mut events = Vec::with_capacity(changes.len());
    for Change { tool, path, old, new } in changes {
        members.put("tool_name", tool);
        members.put("host_tool_name", patch.tool.as_str());
        let input = members.get("tool_input").map(|input| input.get()).unwrap_or_default();
        let mut input = Members::of(input.as_bytes(), "the tool's input")?;
        for name in ["content", "old_string", "new_string"] {
            input.take(name);
        }
        input.put("file_path", path.as_str());
        if tool == "Write" {
            input.put("content", new);
        } else {
            input.put("old_string", old);
            input.put("new_string", new);
        }
        let input = input.to_raw()?;
        members.set_object("tool_input", input);
        let Some(event) = members.event()? else { return Ok(None) };
        events.push(event);
    }
    let mut events = events.into_iter();
    match events.next() {
        Some(first) => Ok(Some((first, events.collect()))),
        None => Ok(members.event()?.map(|event| (event, Vec::new()))),
    }
}
