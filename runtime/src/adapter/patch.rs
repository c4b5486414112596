//! A patch as the input of a tool: the files that it touches, and an event for
//! each of them, as if it were changed alone.

use super::failed;
use super::members::Members;
use crate::event::Event;
use crate::host::HostError;

/// Files of one patch.
const MOST: usize = 100;
/// Bytes of all events of one patch, each of which has the whole of it.
const BYTES: usize = 64 << 20;

/// What each kind of section comes to.
const SECTIONS: [(&str, &str); 4] = [
    ("*** Add File: ", "Write"),
    ("*** Update File: ", "Edit"),
    ("*** Delete File: ", "Edit"),
    ("*** Move to: ", "Write"),
];

/// Fields of the tool's input that the agent does not have.
pub(super) const FIELDS: super::Fields = &[("file_path", None)];

/// The files of the patch that the tool's input has in one of `fields`, with the
/// tool that would do the same; none if the tool applies no patch. A patch whose files
/// cannot be told is an error: no guard would look at it.
pub(super) fn paths(members: &Members, fields: &[&str]) -> Result<Vec<(&'static str, String)>, HostError> {
    let native = members.text("host_tool_name").or_else(|| members.text("tool_name"));
    if native.as_deref() != Some("apply_patch") {
        return Ok(Vec::new());
    }
    let unread = |what: &str| failed(format!("the files of a patch cannot be told: {what}"));
    let input = members.get("tool_input").map(|input| input.get()).unwrap_or_default();
    let input = serde_json::from_str::<Members>(input).map_err(|_| unread("its input is no object"))?;
    let mut given = fields.iter().filter(|field| input.has(field));
    let (Some(field), None) = (given.next(), given.next()) else {
        return Err(unread(&format!("its input should have one of `{}`", fields.join("`, `"))));
    };
    let text = input.text(field).ok_or_else(|| unread(&format!("`{field}` is no text")))?;
    let section = |line: &str| {
        SECTIONS.iter().find_map(|(head, tool)| Some((*tool, line.strip_prefix(head)?.trim().to_owned())))
    };
    let paths: Vec<_> = text.lines().filter_map(|line| section(line.trim_start())).collect();
    if paths.is_empty() {
        Err(unread("it has no section such as `*** Update File: PATH`"))
    } else {
        Ok(paths)
    }
}

/// The event about the first file, and those about the others.
pub(super) fn events(
    mut members: Members,
    paths: &[(&str, String)],
) -> Result<(Event, Vec<Event>), HostError> {
    if paths.len() > MOST {
        return Err(failed(format!("the patch has more than {MOST} files: apply it in parts")));
    }
    let input = members.get("tool_input").map(|input| input.get().len()).unwrap_or_default();
    if paths.len() > 1 && paths.len().saturating_mul(input) > BYTES {
        return Err(failed("the patch is too large for its files: apply it in parts"));
    }
    let mut events = Vec::with_capacity(paths.len());
    for (tool, path) in paths {
        members.put("tool_name", *tool);
        members.put("host_tool_name", "apply_patch");
        let input = members.get("tool_input").map(|input| input.get()).unwrap_or_default();
        let mut input = Members::of(input.as_bytes(), "the tool's input")?;
        input.put("file_path", path.as_str());
        members.set("tool_input", input.to_raw()?);
        events.push(members.event()?);
    }
    let mut events = events.into_iter();
    match events.next() {
        Some(first) => Ok((first, events.collect())),
        None => Ok((members.event()?, Vec::new())),
    }
}
