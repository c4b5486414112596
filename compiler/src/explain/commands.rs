//! The commands of a command line, as `explain` shows them.

use std::fmt::Write;

use serde_json::Value;

use crate::disasm::describe;

/// Commands that are shown at most.
const SHOWN: usize = 16;

/// A line for each command of a view, or one with the reason why no command is known:
/// `rm: flags r f; operands build; via sudo`.
pub(super) fn lines(view: &str) -> Vec<String> {
    let view: Value = serde_json::from_str(view).unwrap_or_default();
    if let Some(reason) = view.get("reason").and_then(Value::as_str) {
        return vec![format!("the command line cannot be read: {reason}")];
    }
    let commands = view.get("commands").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut lines: Vec<String> = commands.iter().take(SHOWN).map(command).collect();
    if commands.is_empty() {
        lines.push("the command line starts no command".to_owned());
    }
    if let Some(more) = commands.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push(format!("and {more} more commands"));
    }
    let opaque = words(view.get("opaque"));
    if !opaque.is_empty() {
        lines.push(format!("what else runs is unknown: {opaque}"));
    }
    lines
}

/// A node of a quantifier: a command as in the lines of its view, another value as JSON.
pub(super) fn label(node: &Value) -> String {
    match node.get("args") {
        Some(_) => command(node),
        None => describe::short(&node.to_string()),
    }
}

fn command(command: &Value) -> String {
    let name = command.get("name").and_then(Value::as_str);
    let mut line = format!("{}:", name.unwrap_or("(unknown program)"));
    let mut separator = "";
    for member in ["sub", "flags", "operands", "via"] {
        let words = words(command.get(member));
        if !words.is_empty() {
            let _ = write!(line, "{separator} {member} {words}");
            separator = ";";
        }
    }
    line.trim_end_matches(':').to_owned()
}

/// The words of a member; of flags with values, `name=value`.
fn words(member: Option<&Value>) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pair = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => name.clone(),
        value => format!("{name}={}", text(value)),
    };
    let words: Vec<String> = match member {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(Value::Object(members)) => members.iter().map(pair).collect(),
        Some(other) => vec![text(other)],
    };
    words.join(" ")
}
