//! Keys that people write in a hook because another tool has them, and what to write here.

use crate::decode::Meant;
use crate::suggest;
use crate::value::{Kind, Value};

/// Characters of a text that is repeated.
const SHOWN: usize = 40;

/// Keys whose value belongs into `when`.
pub(super) const CONDITIONS: &[(&[&str], Meant)] = &[
    (&["matcher", "tool", "tools", "tool_name"], |value| tools(value)),
    (&["match", "matches", "pattern", "regex", "contains"], |_| {
        "write a test: `when: runs('rm -rf')`, `when: reads('.env')` or `when: tool_input.command =~ /.../`"
            .to_owned()
    }),
    (&["path", "paths", "files", "file"], |value| match text(value) {
        Some(path) => {
            format!("write what must not happen to it: `when: changes('{path}')` or `when: reads('{path}')`")
        }
        None => "write what must not happen to them: `when: changes('src/**')`".to_owned(),
    }),
];

/// Keys whose value belongs into `action`.
pub(super) const ACTIONS: &[(&[&str], Meant)] = &[
    (&["reason", "message", "text"], |_| {
        "write it in the action: `action: {type: deny, reason: ...}`".to_owned()
    }),
    (&["decision", "effect", "permission", "verdict", "outcome"], |value| of_word(value)),
    (&["deny", "ask", "allow", "block"], |_| "write `action: {type: deny, reason: ...}`".to_owned()),
    (&["command", "run", "exec", "script", "argv"], |value| match text(value) {
        Some(command) => format!("write `action: {{type: run, command: {command:?}}}`"),
        None => "write `action: {type: run, argv: [...]}`".to_owned(),
    }),
];

/// What to write instead of an action that is a word.
#[must_use]
pub fn of_word(value: &Value) -> String {
    let kinds = ["deny", "ask", "allow", "modify", "inject", "run", "log"];
    let word = value.as_str().unwrap_or_default().to_ascii_lowercase();
    let kind = suggest::nearest(&word, kinds).unwrap_or("deny");
    let more = if matches!(kind, "deny" | "ask") { ", reason: ..." } else { "" };
    format!("write `action: {{type: {kind}{more}}}`")
}

/// A text that is short and plain enough for a help.
fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| text.chars().count() <= SHOWN && !text.contains(['\'', '`', '\n']))
}

fn tools(value: &Value) -> String {
    let names: Vec<&str> = match &value.kind {
        Kind::Seq(items) => items.iter().filter_map(text).collect(),
        _ => text(value).map(|text| text.split('|').map(str::trim).collect()).unwrap_or_default(),
    };
    match names.as_slice() {
        ["" | "*" | ".*"] => "remove it: without `when`, a hook matches every event of its type".to_owned(),
        [name] if name.contains(['*', '.', '^', '$']) => format!("write `when: tool_name =~ '^({name})$'`"),
        [name] => format!("write `when: tool_name == '{name}'`"),
        [] => "write `when: tool_name == 'Bash'`".to_owned(),
        names => format!("write `when: tool_name in ['{}']`", names.join("', '")),
    }
}
