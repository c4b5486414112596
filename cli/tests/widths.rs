//! What verbs print on a terminal is no wider than the terminal.

use crate::common::{self, put};

const GUARD: &str = "hooks:
  - id: a-long-identifier-of-a-hook
    event: PreToolUse
    when: runs('terraform apply') and (time.hour >= 8 or time.weekday == 'sunday') and not runs('terraform plan')
    action: {type: ask, reason: \"Do you really want to apply this outside of the working hours of the team?\"}
";

/// A policy with a mistake in a long line.
const WRONG: &str = "hooks:
  - event: PreToolUse
    when: may_run('terraform apply') and may_run('terraform destroy') and time.weekday == 'Sun' and may_write('./**')
    action: {type: ask, reason: No one is there}
";

const EVENT: &str = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "terraform apply -auto-approve -var-file=environments/production/eu.tfvars -target=module.network"}}"#;

/// The lines that a verb prints on a terminal of so many columns.
fn lines(folder: &std::path::Path, args: &[&str], columns: u16) -> Option<Vec<String>> {
    let mut python = common::program("python3", folder);
    python
        .env("COLUMNS", columns.to_string())
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", folder.join("state"));
    let (out, _) = common::terminal_with(python, &[], args)?;
    Some(out.lines().skip(1).map(|line| line.trim_start_matches("\r\u{1b}[K").to_owned()).collect())
}

const TESTS: &str = "policy: guard.yaml
tests:
  - name: an apply outside of the working hours of the team is asked about before it happens
    event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: terraform apply -auto-approve}}
    expect: deny
";

/// Whether a line is little more than a text in backticks.
fn is_quoted(line: &str) -> bool {
    let Some((before, rest)) = line.split_once('`') else { return false };
    let Some((_, after)) = rest.rsplit_once('`') else { return false };
    before.split_whitespace().count() <= 1 && !after.contains(' ')
}

#[test]
fn lines_fit_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "guard.yaml", GUARD);
    put(folder.path(), "wrong.yaml", WRONG);
    let mut run = common::command(folder.path());
    run.env("XDG_STATE_HOME", folder.path().join("state")).args(["run", "--host", "claude", "guard.yaml"]);
    common::run(&mut run, EVENT);
    put(folder.path(), "guard.test.yaml", TESTS);
    let explain = ["explain", "guard.yaml", "--event", "PreToolUse", "--tool", "Bash", "--input"];
    let explain = [&explain[..], &["command=terraform apply -auto-approve"]].concat();
    let eval = [&["eval", "--pretty"], &explain[1..]].concat();
    let verbs: [&[&str]; 19] = [
        &["check", "wrong.yaml"],
        &["check", "."],
        &["doctor", "."],
        &["status"],
        &["test", "guard.test.yaml"],
        &explain,
        &["log", "--all"],
        &["vocabulary"],
        &["vocabulary", "PreToolUse"],
        &["vocabulary", "Bash"],
        &["vocabulary", "deny"],
        &["list", "guard.yaml"],
        &["starter", "list"],
        &[
            "effects",
            "terraform apply -auto-approve -var-file=environments/production/eu.tfvars && make deploy",
        ],
        &eval,
        &["check"],
        &["chekc", "guard.yaml"],
        &["test", "--coverage-fail-undr", "3", "guard.test.yaml"],
        &["init", "--no-such-option"],
    ];
    for columns in [40, 80, 120] {
        for verb in verbs {
            let Some(lines) = lines(folder.path(), verb, columns) else { return };
            assert!(!lines.is_empty(), "{verb:?}: {lines:?}");
            for line in &lines {
                // A name alone is not broken, and neither are what is in backticks, a location, and a label.
                let is_word = line.split_whitespace().count() == 1;
                let source = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
                let is_source = source.starts_with("--> ") || source.trim_start().starts_with('|');
                let fits = line.chars().count() <= usize::from(columns);
                assert!(fits || is_word || is_source || is_quoted(line), "{verb:?} at {columns}: {line}");
            }
        }
        let Some(lines) = lines(folder.path(), &["check", "wrong.yaml"], columns) else { return };
        let snippet: Vec<&String> = lines.iter().filter(|line| line.contains(" | ")).collect();
        assert!(snippet.iter().any(|line| line.contains("'Sun'")), "{columns}: {lines:?}");
        // A label is not broken: it may follow the span.
        let source = snippet.iter().filter(|line| !line.contains("^"));
        for line in source {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
    }
}
