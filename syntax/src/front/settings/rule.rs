//! Lowers `if` rules, the agent's permission rules (`Bash(git *)`, `Edit(*.ts)`, `Read`), to
//! conditions on the tool and its input, as far as a condition can express them.

use hookc_schema::tree::{Cond, CondKind, Op};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use super::matcher::leaf;

/// The meaning of a rule.
#[derive(Debug)]
pub(crate) struct LoweredRule {
    /// The condition that must be true.
    pub(crate) cond: Cond,
    /// Whether the condition expresses the whole rule; otherwise the runtime checks the rest.
    pub(crate) whole: bool,
}

/// A rule in its two parts.
struct Rule<'r> {
    tool: &'r str,
    input: Option<&'r str>,
}

/// Tools with a file in their input, and the field with its path.
const FILES: &[(&str, &str)] = &[
    ("Edit", "tool_input.file_path"),
    ("MultiEdit", "tool_input.file_path"),
    ("NotebookEdit", "tool_input.notebook_path"),
    ("Read", "tool_input.file_path"),
    ("Write", "tool_input.file_path"),
];

/// The tool that starts a sub-agent, and its former name.
const AGENT: [&str; 2] = ["Agent", "Task"];

/// Lowers a rule; `None` after an invalid rule was reported.
pub(crate) fn lower(text: &Text, span: Span, out: &mut Diagnostics) -> Option<LoweredRule> {
    let Some(rule) = parse(&text.value) else {
        let message = format!("`{}` is not a permission rule", text.value);
        let new = Diagnostic::new(Code::E0204, span, message).with_label("expected one rule");
        out.push(new.help(
            "write `Tool` or `Tool(pattern)`, such as `Bash(git *)`; write other conditions \
                           as `when`",
        ));
        return None;
    };
    let tool = tool(rule.tool, span)?;
    let Some(input) = rule.input else { return Some(LoweredRule { cond: tool, whole: true }) };
    match self::input(rule.tool, input, span) {
        Some(input) => {
            let cond = Cond { span, kind: CondKind::All([tool, input].into()) };
            Some(LoweredRule { cond, whole: true })
        }
        None => Some(LoweredRule { cond: tool, whole: false }),
    }
}

/// The condition on the tool that a permission rule has; `None` if the text is not a rule.
#[must_use]
pub fn permission_rule(text: &str, span: Span) -> Option<Cond> {
    tool(parse(text)?.tool, span)
}

/// Whether the input of a rule contains the start of a second rule: `Bash(a) Read(b)`.
fn contains_rule(input: &str) -> bool {
    input.match_indices(')').any(|(at, _)| {
        let rest = input.get(at + 1..).unwrap_or_default();
        let name = rest.trim_start_matches([' ', ',', '|']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let named = name.starts_with(|c: char| c.is_ascii_uppercase()) && end > 3;
        named && name.len() < rest.len() && name.get(end..).is_some_and(|rest| rest.starts_with('('))
    })
}

fn parse(text: &str) -> Option<Rule<'_>> {
    let text = text.trim();
    let (tool, input) = match text.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?.trim())),
        None => (text, None),
    };
    if input.is_some_and(contains_rule) {
        return None;
    }
    let name = tool.strip_suffix('*').filter(|_| tool.starts_with("mcp__")).unwrap_or(tool);
    let is_name_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let sound = !name.is_empty() && name.chars().all(is_name_char);
    sound.then_some(Rule { tool, input: input.filter(|input| !matches!(*input, "" | "*")) })
}

fn tool(name: &str, span: Span) -> Option<Cond> {
    let text = |name: &str| Value::string(name, span);
    if let Some(prefix) = name.strip_suffix('*') {
        return leaf("tool_name", Op::StartsWith, text(prefix), span);
    }
    if is_server(name) {
        return leaf("tool_name", Op::StartsWith, text(&format!("{name}__")), span);
    }
    if AGENT.contains(&name) {
        let both = AGENT.iter().map(|name| text(name)).collect();
        return leaf("tool_name", Op::In, Value::new(Kind::Seq(both), span), span);
    }
    leaf("tool_name", Op::Eq, text(name), span)
}

/// Whether a name is that of a server, which matches all of its tools.
fn is_server(name: &str) -> bool {
    name.strip_prefix("mcp__").is_some_and(|server| !server.is_empty() && !server.contains("__"))
}

/// The condition on the input that is equivalent to a pattern, if there is one.
fn input(tool: &str, pattern: &str, span: Span) -> Option<Cond> {
    let text = |text: &str| Value::string(text, span);
    let special = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '!' | '\\' | '/' | ':');
    if AGENT.contains(&tool) && !pattern.contains(special) {
        return leaf("tool_input.subagent_type", Op::Eq, text(pattern), span);
    }
    let (_, path) = FILES.iter().find(|(name, _)| *name == tool)?;
    let suffix = pattern.strip_prefix('*').filter(|suffix| suffix.starts_with('.'))?;
    if suffix.contains(special) {
        return None;
    }
    leaf(path, Op::EndsWith, text(suffix), span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::tree::print;

    #[test]
    fn as_far_as_conditions_go() {
        let table = [
            ("Read", Some(true), "tool_name eq \"Read\""),
            ("Bash(*)", Some(true), "tool_name eq \"Bash\""),
            ("Bash(git *)", Some(false), "tool_name eq \"Bash\""),
            (
                "Edit(*.ts)",
                Some(true),
                "all;  tool_name eq \"Edit\";  tool_input.file_path ends_with \".ts\"",
            ),
            ("Edit(src/**/*.ts)", Some(false), "tool_name eq \"Edit\""),
            ("mcp__a__*", Some(true), "tool_name starts_with \"mcp__a__\""),
            ("mcp__a", Some(true), "tool_name starts_with \"mcp__a__\""),
            ("mcp__a__b", Some(true), "tool_name eq \"mcp__a__b\""),
            ("Bash && Read", None, ""),
            ("Bash(git", None, ""),
            ("Bash(a) Read(b)", None, ""),
            ("Bash(a),Read(b)", None, ""),
            ("Bash(f() { x; })", Some(false), "tool_name eq \"Bash\""),
            ("", None, ""),
        ];
        for (rule, whole, cond) in table {
            let mut out = Diagnostics::new();
            let lowered = lower(&Text::plain(rule), Span::default(), &mut out);
            assert_eq!(lowered.as_ref().map(|lowered| lowered.whole), whole, "{rule}");
            assert_eq!(out.is_empty(), whole.is_some(), "{rule}");
            let Some(lowered) = lowered else { continue };
            assert_eq!(print::condition(&lowered.cond).trim().replace('\n', ";"), cond, "{rule}");
        }
    }
}
