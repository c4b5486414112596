//! Variables that commands read and that no agent sets (W0626): `$CLAUDE_TOOL_INPUT`. They are empty,
//! so a guard that searches them lets everything through. So are the parameters of a line without arguments: `$1`.
//! Templates where a command has none (W0618).
//!
//! The names are those that published configurations use by mistake. A name that the command sets
//! itself, or that has a default, is not reported.

use std::ops::Range;

use hookc_base::action::Kind;
use hookc_base::quoting::variables;
use hookc_schema::agents;
use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::syntax::{CommandKind, Expansion, List, Part, PartKind, Word, parse};

use super::foreign_template::hole;
use super::scripts::{commands, find_word};

/// Reports the first such variable of a command.
pub(super) fn check(hook: &Hook, out: &mut Diagnostics) {
    if hook.action.known() != Some(Kind::Run) {
        return;
    }
    let Some(command) = hook.param("command") else { return };
    let Some(text) = command.as_str() else { return };
    let from_event = |new: Diagnostic, path: &str| {
        let new = new.note("agents send the event as JSON on standard input");
        new.help(format!("read it from there, as in `jq -r {path}`"))
    };
    if let Some(range) = template(text, hook.action.templates) {
        let written = text.get(range.clone()).unwrap_or_default();
        let what = format!("`{written}` stays as it is: a command has no templates");
        let new = Diagnostic::new(Code::W0618, command.span_within(range), what).with_label("not filled in");
        let path = written.trim_matches(|c: char| matches!(c, '$' | '{' | '}') || c.is_whitespace());
        out.push(from_event(new, &format!(".{path}")));
    }
    let is_set = |name: &str| hook.param("env").is_some_and(|env| env.get(name).is_some());
    if let Some((range, name, instead)) = find(text).filter(|(_, name, _)| !is_set(name)) {
        let what = format!("no agent sets the variable `{name}`");
        let new = Diagnostic::new(Code::W0626, command.span_within(range), what).with_label("always empty");
        out.push(match instead.starts_with('.') {
            true => from_event(new, instead),
            false => new.help(format!("write `${instead}`")),
        });
    }
    out.extend(parameter(hook, command, text));
}

/// A parameter of a command line without arguments.
fn parameter(hook: &Hook, command: &Value, line: &str) -> Option<Diagnostic> {
    let gives_arguments = matches!(hook.family, Family::Repository | Family::Skill | Family::Workflow);
    if gives_arguments || hook.param("args").is_some() || !line.contains('$') {
        return None;
    }
    let list = parse(line).ok().filter(|list| !sets_parameters(list))?;
    let (name, range) = find_word(&list, &mut |word| {
        let part = word.parts.iter().find(|part| is_parameter(word, part))?;
        Some((word.text.get(part.range.clone())?.to_owned(), word.span.clone()?))
    })?;
    let what = format!("`{name}` is empty: the command line has no arguments");
    let new = Diagnostic::new(Code::W0626, command.span_within(range), what).with_label("always empty");
    let new = new.note("the event is JSON on standard input");
    Some(new.help(match hook.action.templates {
        true => "read it from there, or write `argv: [PROGRAM, --, \"${tool_input.file_path}\"]`",
        false => "read it from there, as in `jq -r .tool_input.file_path`",
    }))
}

/// Whether a part of a word is `$1`, `${2}`, `$@`, `$*` or `$#`, without a default.
fn is_parameter(word: &Word, part: &Part) -> bool {
    let is_expansion = matches!(&part.kind, PartKind::Expansion(expansion) if matches!(**expansion, Expansion::Parameter { .. }));
    let written = word.text.get(part.range.clone()).and_then(|text| text.strip_prefix('$'));
    let name =
        written.map(|text| text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text));
    let is_number =
        |name: &str| name != "0" && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_expansion && name.is_some_and(|name| is_number(name) || matches!(name, "@" | "*" | "#"))
}

/// Whether a line sets its own parameters, or runs code that can.
fn sets_parameters(list: &List) -> bool {
    commands(list).any(|command| match &command.kind {
        CommandKind::Simple { words, .. } => {
            words.first().is_some_and(|word| matches!(word.text.as_str(), "set" | "eval" | "source" | "."))
        }
        _ => super::scripts::lists(command).into_iter().any(sets_parameters),
    })
}

/// The first variable that nothing sets: its range, its name, and what to use.
fn find(text: &str) -> Option<(Range<usize>, &str, &'static str)> {
    // A name that the line sets is looked for once.
    let mut set: Vec<&str> = Vec::new();
    variables(text).find_map(|found| {
        if set.contains(&found.name) {
            return None;
        }
        let (name, instead) = (found.name, agents::instead_of_variable(found.name)?);
        let escaped = text.get(..found.range.start)?.ends_with('\\');
        let default = found.is_braced && found.after.starts_with([':', '-', '+', '=', '?']);
        // Code that another program prints can set any variable.
        let has_code = || ["eval ", "source ", ". "].iter().any(|code| text.contains(code));
        let printed = !escaped && !default && !name.starts_with("CLAUDE_") && has_code();
        let is_set = !escaped && !default && (printed || is_set(text, name));
        if is_set {
            set.push(name);
        }
        let is_empty = !(escaped || default || is_set);
        is_empty.then_some((found.range, name, instead))
    })
}

/// Fields of events that people write as templates.
const FIELDS: [&str; 4] = ["tool_input.", "tool_name", "tool_response.", "tool_output."];

/// The first `{{tool_input.x}}` of a command, or `${tool_input.x}` where that is not a template of a
/// policy: a shell cannot expand it.
fn template(text: &str, templates: bool) -> Option<Range<usize>> {
    let notations: &[_] = if templates { &[("{{", "}}")] } else { &[("{{", "}}"), ("${", "}")] };
    let is_field = |path: &str| FIELDS.iter().any(|field| path.starts_with(field));
    hole(text, notations, is_field).map(|(range, _)| range)
}

/// Whether the command assigns the variable, or reads a value into it.
fn is_set(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        let whole = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '{'));
        whole
            && (after.starts_with('=')
                || before.trim_end().ends_with("read")
                || before.trim_end().ends_with("read -r"))
    })
}

#[cfg(test)]
mod tests {
    use super::{find, template};

    #[test]
    fn templates_of_commands() {
        let found =
            |text: &str| template(text, false).map(|range| text.get(range).unwrap_or_default().to_owned());
        assert_eq!(found("x {{ tool_input.file_path }} y").as_deref(), Some("{{ tool_input.file_path }}"));
        assert_eq!(found("x ${tool_input.file_path}").as_deref(), Some("${tool_input.file_path}"));
        for text in
            ["docker inspect --format '{{.Name}}'", "${TOOL_INPUT}", "{{tool_input.x", "jq .tool_input.x"]
        {
            assert_eq!(found(text), None, "{text}");
        }
        assert_eq!(template("${tool_name}", true), None);
    }

    #[test]
    fn variables_that_nothing_sets() {
        for (text, name) in [
            ("echo $CLAUDE_TOOL_INPUT | jq .", "CLAUDE_TOOL_INPUT"),
            ("prettier ${CLAUDE_FILE_PATHS}", "CLAUDE_FILE_PATHS"),
            ("x \"$CLAUDE_PROJECT_ROOT/a\"", "CLAUDE_PROJECT_ROOT"),
            ("echo \"$TOOL_INPUT\" | grep rm", "TOOL_INPUT"),
        ] {
            assert_eq!(find(text).map(|(_, name, _)| name), Some(name), "{text}");
        }
        for text in [
            "$CLAUDE_PROJECT_DIR/x $CLAUDE_ENV_FILE",
            "echo ${CLAUDE_TOOL_NAME:-none}",
            "CLAUDE_FILE_PATH=$(jq -r .x); cat $CLAUDE_FILE_PATH",
            "read -r CLAUDE_TOOL; echo $CLAUDE_TOOL",
            "echo '\\$CLAUDE_TOOL'",
            "$CLAUDE_TOOLS",
            "eval \"$(jq -r .x)\"; echo $FILE_PATH",
            "FILE_PATH=$(jq -r .x) && prettier \"$FILE_PATH\"",
            "CLAUDE_TOOL_INPUT",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
