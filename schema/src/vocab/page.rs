//! The vocabulary as a page (`docs/vocabulary.md`).

use std::fmt::Write;

use super::{ActionKind, FieldSchema, ParamType, Vocabulary, roles};
use crate::tree::Family;
use crate::tree::print::json;
use crate::value::Value;

/// All names of a vocabulary as Markdown.
#[must_use]
pub fn markdown(vocabulary: &Vocabulary) -> String {
    let mut out = String::from(
        "# Vocabulary\n\n\
         The names that policies use: event types with their fields, tools, action kinds, operators. A hook names \
         an event type, paths name fields, and an action has a kind:\n\n\
         ```yaml\n\
         hooks:\n  - event: PreToolUse                        # an event type\n    \
         when: tool_input.command contains 'push'  # a field, and an operator\n    \
         action: {type: ask, reason: Push?}        # an action kind with a parameter\n\
         ```\n\n\
         A policy may declare [its own events and actions](language.md#your-own-events-and-actions) in the form of \
         these data files. A known action kind or parameter may only be narrowed. The [glossary](glossary.md) \
         defines the words.\n\n\
         This page is generated from `schema/data/`; `BLESS=1 cargo test -p hookc-schema` refreshes it.\n",
    );
    events(vocabulary, &mut out);
    tools(vocabulary, &mut out);
    roles::page(&mut out);
    actions(vocabulary, &mut out);
    operators(vocabulary, &mut out);
    out
}

fn events(vocabulary: &Vocabulary, out: &mut String) {
    out.push_str("\n## Event types\n\nObjects are open: an event may have fields that are not listed.\n");
    for &family in Family::ALL {
        let _ = write!(out, "\n### {}\n", title(family));
        let common = vocabulary.common.get(&family).cloned().unwrap_or_default();
        if !common.properties.is_empty() {
            out.push_str("\nAll of them have:\n\n| field | type | about |\n|---|---|---|\n");
            fields(&common, None, "", out);
        }
        if let Some(some) = vocabulary.tools.some_agents.get("").filter(|_| family == Family::Agent) {
            out.push_str(
                "\nSome agents also send at every event:\n\n| field | type | about |\n|---|---|---|\n",
            );
            fields(some, None, "", out);
        }
        let mine =
            vocabulary.events.range((family, String::new())..).take_while(|((of, _), _)| *of == family);
        for ((_, name), event) in mine {
            let _ = write!(out, "\n#### `{name}`\n\n");
            let strategy = event.strategy.name();
            let matched = event.matcher.as_ref().map(|matcher| format!(" Matcher: `{}`.", matcher.path));
            let matched = matched.unwrap_or_default();
            let prevents = if event.prevents { " A denial prevents it." } else { "" };
            let _ = writeln!(out, "{} Strategy: `{strategy}`.{matched}{prevents}", event.description);
            let is_own = event.schema.properties.keys().any(|name| !common.properties.contains_key(name));
            if is_own {
                out.push_str("\n| field | type | about |\n|---|---|---|\n");
                fields(&event.schema, Some(&common), "", out);
            }
            let some = vocabulary.tools.some_agents.get(name).filter(|_| family == Family::Agent);
            if let Some(some) = some {
                out.push_str("\nSome agents also send:\n\n| field | type | about |\n|---|---|---|\n");
                fields(some, None, "", out);
            }
        }
    }
}

fn title(family: Family) -> &'static str {
    match family {
        Family::Thread => "Thread policy (`thread`)",
        Family::Agent => "Coding agents (`agent`)",
        Family::Repository => "Repository hooks (`repository`)",
        Family::Skill => "Skills (`skill`)",
        Family::Workflow => "Workflows (`workflow`)",
    }
}

/// A row per field, members of objects below them; not those of `without`.
fn fields(schema: &FieldSchema, without: Option<&FieldSchema>, prefix: &str, out: &mut String) {
    let new = |name: &str| without.is_none_or(|without| without.property(name).is_none());
    for (name, field) in schema.properties.iter().filter(|(name, _)| new(name)) {
        let mut about = field.description.clone();
        if let Some(allowed) = &field.allowed {
            let _ = write!(about, ": {}", values(allowed));
        }
        if let Some(role) = field.role.as_ref().filter(|role| role.node != "data") {
            let _ = write!(about, " · `{}`", role.node);
        }
        let _ = writeln!(out, "| `{prefix}{name}` | {} | {} |", field.types, cell(&about));
        fields(field, None, &format!("{prefix}{name}."), out);
        if let Some(items) = &field.items {
            fields(items, None, &format!("{prefix}{name}[*]."), out);
        }
    }
}

fn tools(vocabulary: &Vocabulary, out: &mut String) {
    out.push_str(
        "\n## Tools\n\n\
         The built-in tools of coding agents, under the names that events have in `tool_name`, with the members of \
         `tool_input` and, if known, of `tool_response`. An agent in parentheses is the only one that has the \
         field. The code after `·` is the role of an input: what the tool does with it. Tools of MCP servers are named `mcp__SERVER__TOOL` and have their own inputs.\n",
    );
    out.push_str("\nAny `tool_response` may have:\n\n| field | type | about |\n|---|---|---|\n");
    fields(&vocabulary.tools.any_response, None, "tool_response.", out);
    for (name, tool) in &vocabulary.tools.by_name {
        let _ = write!(out, "\n### Tool `{name}`\n\n{}\n", tool.description);
        let also = crate::agents::own_names(name);
        if !also.is_empty() {
            let also: Vec<String> =
                also.iter().map(|(agent, listed)| format!("`{listed}` ({agent})")).collect();
            let _ = writeln!(out, "\nAgents call it {}.", also.join(", "));
        }
        let parts = [("tool_input", &tool.input), ("tool_response", &tool.response)];
        let mut rows = String::new();
        for (part, schema) in parts {
            if let Some(schema) = schema {
                let any = Some(&vocabulary.tools.any_response).filter(|_| part == "tool_response");
                fields(schema, any, &format!("{part}."), &mut rows);
            }
        }
        match (&tool.input, rows.is_empty()) {
            (None, _) => out.push_str("\nIts input may be anything.\n"),
            (Some(_), true) => out.push_str("\nIt has no input.\n"),
            (Some(_), false) => {}
        }
        if !rows.is_empty() {
            let _ = write!(out, "\n| field | type | about |\n|---|---|---|\n{rows}");
        }
    }
}

fn actions(vocabulary: &Vocabulary, out: &mut String) {
    out.push_str("\n## Action kinds\n");
    for (name, kind) in &vocabulary.actions {
        let _ = write!(out, "\n### `{name}`\n\n{}\n", kind.description);
        if kind.params.is_empty() {
            continue;
        }
        out.push_str("\n| parameter | type | | about |\n|---|---|---|---|\n");
        for (name, param) in &kind.params {
            let (need, about) = (need(name, param, kind), about(param));
            let _ = writeln!(out, "| `{name}` | {} | {need} | {} |", param.types, cell(&about));
        }
    }
}

/// Whether a parameter is required, and its default if not.
fn need(name: &str, param: &ParamType, kind: &ActionKind) -> String {
    let group = kind.one_of.iter().find(|group| group.iter().any(|one| one == name));
    match (&param.default, &param.required_if, group) {
        _ if param.required => "required".to_owned(),
        (Some(default), ..) => format!("default `{}`", json(default)),
        (_, Some((other, value)), _) => format!("required if `{other}` is `{}`", json(value)),
        (_, _, Some(group)) => format!("one of `{}`", group.join("`, `")),
        _ => String::new(),
    }
}

fn about(param: &ParamType) -> String {
    let mut about = param.description.clone();
    if let Some(allowed) = &param.allowed {
        let _ = write!(about, ": {}", values(allowed));
    }
    if let Some(minimum) = &param.minimum {
        let _ = write!(about, " (at least {})", minimum.text());
    }
    about
}

fn operators(vocabulary: &Vocabulary, out: &mut String) {
    out.push_str("\n## Operators\n\n| operator | for | true when the value at the path |\n|---|---|---|\n");
    for (name, operator) in &vocabulary.operators {
        let _ = writeln!(out, "| `{name}` | {} | {} |", operator.types, cell(&operator.description));
    }
    out.push_str("\n## Combinators\n\n| combinator | written |\n|---|---|\n");
    for (name, key) in &vocabulary.combinators {
        let _ = writeln!(out, "| {name} | `{key}` |");
    }
}

fn values(values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(|value| format!("`{}`", json(value))).collect();
    texts.join(", ")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
