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

#[test]
fn lines_fit_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "guard.yaml", GUARD);
    put(folder.path(), "wrong.yaml", WRONG);
    let mut run = common::command(folder.path());
    run.env("XDG_STATE_HOME", folder.path().join("state")).args(["run", "--host", "claude", "guard.yaml"]);
    common::run(&mut run, EVENT);
    let verbs: [&[&str]; 7] = [
        &["log", "--all"],
        &["vocabulary"],
        &["vocabulary", "PreToolUse"],
        &["vocabulary", "Bash"],
        &["vocabulary", "deny"],
        &["list", "guard.yaml"],
        &["starter", "list"],
    ];
    for columns in [80, 120] {
        for verb in verbs {
            let Some(lines) = lines(folder.path(), verb, columns) else { return };
            assert!(lines.len() > 1, "{verb:?}: {lines:?}");
            for line in &lines {
                // A name alone is not broken.
                let is_word = line.split_whitespace().count() == 1;
                let fits = line.chars().count() <= usize::from(columns);
                assert!(fits || is_word, "{verb:?} at {columns}: {line}");
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
