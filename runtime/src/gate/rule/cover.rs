//! Whether rules that allow cover a call completely. A rule that denies needs one command that
//! matches; rules that allow need all of them.

use hookc_shell::programs::Programs;
use hookc_shell::{Command, Context, Redirect, with_commands};

use super::forms::Forms;
use super::line;
use super::wild::Pattern;
use super::{BaseDirs, RuleMatch, file, file_fields, judge, names, parse, path, patterns};
use crate::event::Event;

/// Whether rules allow a call: one of them matches, and for a command line each of its commands
/// matches one. What is not certain is not covered: an expansion, an assignment before a command,
/// a redirection that writes a file.
pub(crate) fn covers(rules: &[&str], event: &Event, places: &BaseDirs, programs: &Programs) -> bool {
    let Some(tool) = event.text("tool_name") else { return false };
    let parsed = rules.iter().filter_map(|rule| parse(rule)).filter(|(name, _)| names(name, &tool));
    let inputs: Vec<Option<&str>> = parsed.map(|(_, input)| input).collect();
    if inputs.contains(&None) {
        return true;
    }
    if let Some(fields) = file_fields(&tool) {
        let path = file(event, fields);
        return inputs.iter().flatten().any(|input| path::covers(input, path.as_deref(), places));
    }
    if *tool != *"Bash" {
        return rules.iter().any(|rule| judge(rule, event, places, programs) == RuleMatch::Matches);
    }
    let Some(text) = event.text_in("tool_input", "command") else { return false };
    let patterns: Vec<Pattern> = inputs.iter().flatten().flat_map(|input| patterns(input)).collect();
    !patterns.is_empty() && has_no_side_effects(&text, programs) && all_match(&patterns, &text, programs)
}

/// Whether each command matches a pattern.
fn all_match(patterns: &[Pattern], text: &str, programs: &Programs) -> bool {
    let Ok(line) = line::commands(text, programs) else { return false };
    let covered = |words: &Vec<_>| {
        let mut forms = Forms::default();
        forms.add(words);
        let certain = forms.possible.is_empty();
        let size = forms.known.iter().map(Vec::len).sum();
        let matches = |form: &Vec<_>| {
            patterns.iter().any(|pattern| !pattern.is_too_much(size) && pattern.matches(form))
        };
        certain && forms.known.iter().all(matches)
    };
    !line.is_opaque && !line.commands.is_empty() && line.commands.iter().all(covered)
}

/// Whether no command has variables of its own or writes a file by a redirection.
fn has_no_side_effects(text: &str, programs: &Programs) -> bool {
    let context = Context { programs, ..Context::default() };
    let is_pure =
        |command: Command<'_>| command.env().len() == 0 && !command.redirects().any(Redirect::writes);
    with_commands(text, &context, |commands| commands.iter().all(is_pure)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::BaseDirs;
    use super::covers;
    use crate::event::Event;

    fn allowed(rules: &[&str], line: &str) -> bool {
        let event =
            Event::from_value(json!({"cwd": "/p", "tool_name": "Bash", "tool_input": {"command": line}}));
        covers(rules, &event, &BaseDirs::for_event(&event, |_| None), Default::default())
    }

    #[test]
    fn every_command_must_match() {
        let git = ["Bash(git *)", "Bash(ls)"];
        for line in ["git status", "git log && ls", "git diff 2>/dev/null", "git log 2>&1", "(git x; ls)"] {
            assert!(allowed(&git, line), "{line}");
        }
        for line in [
            "rm x",
            "git status && rm x",
            "git log $(rm x)",
            "git $X",
            "PATH=. git status",
            "git log > /etc/passwd",
            "git log | sh",
            "ls -l",
            "",
            "git 'x",
            "eval git",
        ] {
            assert!(!allowed(&git, line), "{line}");
        }
        let test = ["Bash(test *)"];
        assert!(allowed(&test, "test -f 'a[1]'") && !allowed(&test, "test -v 'a[$(rm x)]'"));
        assert!(allowed(&["Bash"], "anything > x") && !allowed(&["Read"], "ls") && !allowed(&[], "ls"));
    }
}
