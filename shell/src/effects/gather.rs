//! Gathers what an event does.

use super::{Actions, Event, Input, Project, UnknownCause};

/// Gathers what an event does. `out` is cleared first.
pub fn gather(event: &Event<'_>, input: &dyn Input, out: &mut Actions) {
    let _ = input;
    out.clear();
    let cwd = out.store.literal(event.cwd.unwrap_or_default());
    out.cwd = Some(cwd);
    out.project = match event.project {
        Project::At(path) => Some(out.store.literal(path)),
        Project::Nowhere => None,
        Project::Absent => Some(cwd),
    };
    match event.tools.find(event.tool, event.host_tool) {
        Some(tool) if tool.inputs.is_none() => out.unknown = Some(UnknownCause::Tool),
        Some(_) => {}
        None => out.is_undeclared = true,
    }
}
