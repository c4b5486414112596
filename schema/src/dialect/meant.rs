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

/// Keys of a selection whose value belongs into its pattern, or into a comparison.
pub(super) const SELECTIONS: &[(&[&str], Meant)] = &[
    (&["where", "when", "condition", "outcome"], |_| {
        "write it in the pattern: `of: {event: edited, condition: ...}`; `event` can be a fact".to_owned()
    }),
    (&["count", "sum", "distinct", "last", "op", "value", "times", "at_least"], |_| {
        "`formerly` only says whether there is one; to count, write `{path: count(edited within 10m), op: gte, value: 3}`"
            .to_owned()
    }),
];

/// Keys whose value is the id of the hook.
pub(super) const IDS: &[(&[&str], Meant)] =
    &[(&["name", "title", "rule"], |_| "write it as `id`: `id: no_push_to_main`".to_owned())];

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

/// Words that other tools have for kinds of actions.
const KINDS: &[(&str, &[&str])] = &[
    ("deny", &["block", "forbid", "reject", "prevent", "refuse", "prohibit", "disallow", "stop"]),
    ("ask", &["confirm", "prompt", "approve", "review", "require_approval"]),
    ("allow", &["permit", "accept", "pass", "approved"]),
    ("modify", &["rewrite", "replace", "transform", "update", "mutate", "set_input"]),
    ("inject", &["add_context", "context", "remind", "additional_context", "add_message", "system_message"]),
    ("run", &["command", "exec", "execute", "shell", "bash", "hook"]),
    ("log", &["audit", "record", "print", "notify", "warn"]),
];

/// The kind of action that a word of another tool means, or a word that almost is one.
#[must_use]
pub fn action_kind(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase().replace(['-', ' '], "_");
    let listed = KINDS.iter().find(|(kind, words)| *kind == word || words.contains(&word.as_str()));
    listed.map(|(kind, _)| *kind).or_else(|| suggest::nearest(&word, KINDS.iter().map(|(kind, _)| *kind)))
}

/// What to write instead of an action that is a word.
#[must_use]
pub fn of_word(value: &Value) -> String {
    let kind = value.as_str().and_then(action_kind).unwrap_or("deny");
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
