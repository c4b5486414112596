//! Stubs of handlers: each reads the event as JSON and gives a valid, harmless answer.

use hookc_base::action::Kind;
use hookc_runtime::agent::{self, DenialStyle};
use hookc_schema::tree::Family;
use serde_json::{Value, json};

use super::spec::Spec;
use crate::args::Language;

/// The text of the handler.
pub(super) fn handler(spec: &Spec, language: Language) -> String {
    let says = StubAnswer::for_spec(spec);
    let head = head(spec, &says);
    match (spec.action, language) {
        (Kind::Script, _) => script(&head),
        (_, Language::Python) => python(&head, &says),
        (_, Language::Sh) => sh(&head, &says),
        (_, Language::Typescript) => typescript(&head, &says),
    }
}

/// The possible answers of a handler to its event.
struct StubAnswer {
    /// A description of its input and output.
    about: String,
    /// The output of the stub; `None` for no output.
    answer: Option<Value>,
    /// Lines about other possible answers.
    more: Vec<&'static str>,
    /// The answer names the ability of the event.
    ability: bool,
}

/// A placeholder for the ability in an answer.
const ABILITY: &str = "@ABILITY@";

impl StubAnswer {
    fn for_spec(spec: &Spec) -> Self {
        if spec.action == Kind::Script {
            let about = "receives the event as `context`; its members are also attributes".to_owned();
            return Self { about, answer: None, more: Vec::new(), ability: false };
        }
        match spec.family {
            Family::Repository => Self::signals(spec),
            Family::Agent => Self::agent(&spec.event),
            Family::Thread => Self {
                about: "prints a return object with the next action of the thread".to_owned(),
                answer: Some(json!({"action": "CONTINUE"})),
                more: vec!["`action` is RETRY, FAIL, ABORT, CONTINUE, ESCALATE, SUSPEND or CALL."],
                ability: false,
            },
            Family::Skill | Family::Workflow => Self::nothing(vec![
                "Exit status 0 has no effect; any other denies, with standard error as the reason.",
            ]),
        }
    }

    fn nothing(more: Vec<&'static str>) -> Self {
        Self { about: "prints nothing".to_owned(), answer: None, more, ability: false }
    }

    fn signals(spec: &Spec) -> Self {
        let (kind, code, payload) = match spec.event.as_str() {
            "PromptSubmit" => (
                "routing_hint",
                "ROUTE_SUGGESTION",
                json!({"suggested_abilities": [], "suggested_documents": []}),
            ),
            "PreAbilityCall" => ("ability_guard", "ABILITY_ALLOWED", json!({"ability_id": ABILITY})),
            _ => {
                return Self::nothing(vec![
                    "Its output reaches no turn; `{\"logs\": [\"...\"]}` goes to the log.",
                ]);
            }
        };
        let signal = json!({
            "source_event": spec.event, "hook_id": spec.id, "kind": kind, "code": code, "severity": "info",
            "payload": payload,
        });
        let guard = "ABILITY_DENIED needs a `reason`; `require_human` asks a person to decide.";
        let hint = "An ability has an `id`, a document a `path`; both can have a `reason`.";
        let ability = kind == "ability_guard";
        Self {
            about: "prints a HookResult with signals for the model".to_owned(),
            answer: Some(json!({"hook_signals": [signal]})),
            more: vec![if ability { guard } else { hint }],
            ability,
        }
    }

    /// In the format of Claude Code, where it reads any.
    fn agent(event: &str) -> Self {
        let capabilities = agent::capabilities(event);
        let mut specific = serde_json::Map::new();
        specific.insert("hookEventName".to_owned(), event.into());
        let (about, more) = match capabilities.denial {
            DenialStyle::Permission => {
                specific.insert("permissionDecision".to_owned(), "ask".into());
                let why = "a hook that is not written yet";
                specific.insert("permissionDecisionReason".to_owned(), why.into());
                (
                    "prints a decision",
                    "`permissionDecision` is allow, ask or deny; print nothing for no decision.",
                )
            }
            _ if capabilities.context => {
                specific.insert("additionalContext".to_owned(), "".into());
                let refuses = match capabilities.denial {
                    DenialStyle::Decision => "`\"decision\": \"block\"` with a `reason` blocks the event.",
                    _ => "The event cannot be denied.",
                };
                ("prints text for the model", refuses)
            }
            DenialStyle::Request => (
                "prints nothing",
                "`decision: {behavior: allow}` or `deny` in `hookSpecificOutput` answers it.",
            ),
            DenialStyle::Decision => {
                ("prints nothing", "`\"decision\": \"block\"` with a `reason` blocks the event.")
            }
            DenialStyle::Status => {
                ("prints nothing", "Exit status 2 denies, with standard error as the reason.")
            }
            DenialStyle::None => ("prints nothing", "The event cannot be denied."),
        };
        let answer = (specific.len() > 1).then(|| json!({"hookSpecificOutput": specific}));
        Self { about: about.to_owned(), answer, more: vec![more], ability: false }
    }
}

/// Comment lines.
fn head(spec: &Spec, says: &StubAnswer) -> String {
    let mut out = String::new();
    if !spec.summary.is_empty() {
        out.push_str(&format!("# {}\n#\n", spec.summary));
    }
    let reads = if spec.action == Kind::Script { "" } else { "reads the event as JSON and " };
    out.push_str(&format!("# {}: {reads}{}.\n", spec.event, says.about));
    says.more.iter().for_each(|line| out.push_str(&format!("# {line}\n")));
    out
}

fn script(head: &str) -> String {
    format!("{head}\n\ndef execute(context):\n    return None\n")
}

fn python(head: &str, says: &StubAnswer) -> String {
    let answer = match &says.answer {
        None => "    return None".to_owned(),
        Some(answer) => {
            let text = literal(answer, 1).replace(&format!("\"{ABILITY}\""), "event[\"ability_id\"]");
            format!("    return {text}")
        }
    };
    format!(
        "#!/usr/bin/env python3\n{head}import json\nimport sys\n\n\ndef answer(event):\n{answer}\n\n\n\
         def main():\n    said = answer(json.load(sys.stdin))\n    if said is not None:\n        \
         json.dump(said, sys.stdout)\n\n\nif __name__ == \"__main__\":\n    main()\n"
    )
}

/// A value as a Python literal in the style of formatters.
fn literal(value: &Value, depth: usize) -> String {
    let (inner, outer) = ("    ".repeat(depth + 1), "    ".repeat(depth));
    match value {
        Value::Object(members) if !members.is_empty() => {
            let line = |(key, value): (&String, &Value)| {
                format!("{inner}{}: {},\n", Value::from(key.as_str()), literal(value, depth + 1))
            };
            format!("{{\n{}{outer}}}", members.iter().map(line).collect::<String>())
        }
        Value::Array(items) if !items.is_empty() => {
            let line = |value: &Value| format!("{inner}{},\n", literal(value, depth + 1));
            format!("[\n{}{outer}]", items.iter().map(line).collect::<String>())
        }
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}

/// With types that can be erased, which Node.js, Deno and Bun run as they are.
fn typescript(head: &str, says: &StubAnswer) -> String {
    let comment = |line: &str| match line.strip_prefix('#') {
        Some(rest) => format!("//{rest}\n"),
        None => format!("{line}\n"),
    };
    let head: String = head.lines().map(comment).collect();
    let answer = match &says.answer {
        None => "null".to_owned(),
        Some(answer) => {
            let text = format!("{answer:#}").replace('\n', "\n  ");
            text.replace(&format!("\"{ABILITY}\""), "event.ability_id")
        }
    };
    format!(
        "#!/usr/bin/env node\n{head}//\n// Runs as it is with Node.js 22.18 or later, Deno and Bun.\n\
         import {{ readFileSync }} from \"node:fs\";\n\n\
         type Event = Record<string, unknown>;\n\n\
         function answer(event: Event): object | null {{\n  return {answer};\n}}\n\n\
         const said = answer(JSON.parse(readFileSync(0, \"utf8\")) as Event);\n\
         if (said !== null) {{\n  process.stdout.write(JSON.stringify(said));\n}}\n"
    )
}

/// The ability's name in the event. Quotes inside strings are escaped, so they do not match the
/// member.
const FIND: &str = r#"# A plain search, without tools that may not be there; `jq -r .ability_id` reads it exactly.
event=$(cat)
ability=$(printf '%s\n' "$event" | sed -n 's/.*"ability_id" *: *"\([^"\\]*\)".*/\1/p' | head -n 1)
if [ -z "$ability" ]; then
    echo "the event has no ability_id" >&2
    exit 1
fi
"#;

fn sh(head: &str, says: &StubAnswer) -> String {
    let body = match &says.answer {
        None => "cat >/dev/null\n".to_owned(),
        Some(answer) if says.ability => {
            let text = format!("{answer:#}").replace(ABILITY, "$ability");
            format!("{FIND}cat <<END\n{text}\nEND\n")
        }
        Some(answer) => format!("cat >/dev/null\ncat <<'END'\n{answer:#}\nEND\n"),
    };
    format!("#!/bin/sh\n{head}set -eu\n{body}")
}
