//! Neutral rules: what every engine of a comparison can express.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

/// A condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cond {
    /// All of them are true.
    All(Vec<Cond>),
    /// One of them is true.
    Any(Vec<Cond>),
    /// It is false.
    Not(Box<Cond>),
    /// A test of one value.
    #[serde(untagged)]
    Leaf(Leaf),
}

/// A test of the value at a path: hookc's operators; the operand of `exists` is always `true`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leaf {
    /// Names with dots between them.
    pub path: String,
    /// The operator's name.
    pub op: &'static str,
    /// The operand.
    pub value: Value,
}

/// A hook: its condition and its position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// The event type that it is for.
    pub event: &'static str,
    /// Higher ones come first, then the order of writing decides.
    pub priority: u32,
    /// When it applies.
    pub when: Cond,
}

/// A leaf.
pub fn leaf(path: impl Into<String>, op: &'static str, value: impl Into<Value>) -> Cond {
    Cond::Leaf(Leaf { path: path.into(), op, value: value.into() })
}

/// The negation.
#[must_use]
pub fn not(cond: Cond) -> Cond {
    Cond::Not(Box::new(cond))
}

impl Cond {
    /// Leaves in it.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::All(conds) | Self::Any(conds) => conds.iter().map(Self::leaves).sum(),
            Self::Not(inner) => inner.leaves(),
            Self::Leaf(_) => 1,
        }
    }

    /// Conditions within one another, a leaf being 1.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::All(conds) | Self::Any(conds) => 1 + conds.iter().map(Self::depth).max().unwrap_or(0),
            Self::Not(inner) => 1 + inner.depth(),
            Self::Leaf(_) => 1,
        }
    }
}

/// The rules as a hooks file of dialect `hooks-yaml`.
#[must_use]
pub fn yaml(rules: &[Rule]) -> String {
    let mut text = String::from("schema_version: \"1.0.0\"\n");
    declare(rules, &mut text);
    text.push_str("hooks:\n");
    for rule in rules {
        let Rule { id, event, priority, when } = rule;
        let _ = write!(text, "  - id: {id}\n    event: {event}\n");
        if *priority > 0 {
            let _ = writeln!(text, "    priority: {priority}");
        }
        block(when, &mut text);
        let _ = writeln!(text, "    action: {{type: fail, error_message: \"{id} stopped it\"}}");
    }
    text
}

/// Event types that are not built in.
const DECLARED: &[&str] = &["tool_call", "tool_result", "message"];

fn declare(rules: &[Rule], text: &mut String) {
    let used = |name: &&&str| rules.iter().any(|rule| rule.event == **name);
    let names: Vec<&&str> = DECLARED.iter().filter(used).collect();
    if !names.is_empty() {
        text.push_str("events:\n");
    }
    for name in names {
        let _ = writeln!(text, "  {name}: {{strategy: first}}");
    }
}

/// The root on separate lines, its content in flow style.
fn block(cond: &Cond, text: &mut String) {
    text.push_str("    condition:");
    let (word, conds) = match cond {
        Cond::All(conds) => ("all", conds),
        Cond::Any(conds) => ("any", conds),
        other => {
            text.push(' ');
            flow(other, text);
            text.push('\n');
            return;
        }
    };
    let _ = write!(text, "\n      {word}:\n");
    for one in conds {
        text.push_str("        - ");
        flow(one, text);
        text.push('\n');
    }
}

fn flow(cond: &Cond, text: &mut String) {
    match cond {
        Cond::All(conds) => list("all", conds, text),
        Cond::Any(conds) => list("any", conds, text),
        Cond::Not(inner) => {
            text.push_str("{not: ");
            flow(inner, text);
            text.push('}');
        }
        Cond::Leaf(Leaf { path, op, value }) => {
            let _ = write!(text, "{{path: {path}, op: {op}, value: {value}}}");
        }
    }
}

fn list(word: &str, conds: &[Cond], text: &mut String) {
    let _ = write!(text, "{{{word}: [");
    for (n, one) in conds.iter().enumerate() {
        text.push_str(if n == 0 { "" } else { ", " });
        flow(one, text);
    }
    text.push_str("]}");
}

/// The rules as JSON, in the order in which they decide: for an event of its type, the first one
/// whose condition is true.
#[must_use]
pub fn neutral(rules: &[Rule]) -> Value {
    let ranked = |rule: &&Rule| json!({"id": rule.id, "event": rule.event, "when": rule.when});
    Value::Array(ranked_rules(rules).iter().map(ranked).collect())
}

/// The rules in the order in which they decide.
#[must_use]
pub fn ranked_rules(rules: &[Rule]) -> Vec<&Rule> {
    let mut ranked: Vec<&Rule> = rules.iter().collect();
    ranked.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
    ranked
}
