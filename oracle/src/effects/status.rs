//! Which commands have succeeded if their line has.

use super::commands::Parsed;
use super::model::Act;
use super::rows::Row;

/// What the exit status of a command says, by its row.
pub(super) fn from_row(row: &Row, parsed: &Parsed<'_>) -> String {
    let status = row.texts.get("status").cloned().unwrap_or_default();
    let is_other = parsed.arguments.given.iter().any(|given| {
        let is_named = |name: &String| matches!(name.as_str(), "help" | "version");
        let is_dry = |attribute: &String| attribute == "dry";
        let attributes = given.options.iter().flat_map(|options| &options.attributes);
        super::commands::flag(given).is_unlisted
            || given.names.iter().any(is_named)
            || attributes.into_iter().any(is_dry)
    });
    if status == "command" && (is_other || row.is("dry")) { String::new() } else { status }
}

/// The success of a command follows from that of the line if it follows from that of what starts it, and so on up to the line.
pub(super) fn settle(acts: &mut [Act], first: usize) {
    let ends = |act: &Act| act.program.is_some() && (act.name.is_none() || act.status == "shell");
    let is_ended = acts.iter().any(ends);
    for at in 0..acts.len() {
        let starter = acts.get(at).and_then(|act| act.starter).and_then(|starter| starter.checked_sub(first));
        let outer = starter.and_then(|starter| acts.get(starter));
        let is_passed = outer.is_none_or(|outer| outer.is_required && outer.status == "command");
        if let Some(act) = acts.get_mut(at) {
            act.is_required &= is_passed && !is_ended;
        }
    }
}
