//! The skills for agents: their structure, and that what they show is true.

use std::fs;
use std::path::PathBuf;

use crate::common::{self, hookc};

fn skills() -> Vec<PathBuf> {
    let entries = fs::read_dir(common::project().join("skills")).unwrap();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The blocks of a language in a page.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// As agentskills.io specifies them.
#[test]
fn skills_have_the_required_structure() {
    assert_eq!(skills().len(), 2);
    for skill in skills() {
        let name = skill.file_name().unwrap().to_str().unwrap();
        let page = fs::read_to_string(skill.join("SKILL.md")).unwrap();
        let (head, body) = page.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        let field = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
            line.unwrap_or_else(|| panic!("{name}: no {key}"))
        };
        assert_eq!(field("name"), name);
        assert!(name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        let description = field("description");
        assert!((200..=1_024).contains(&description.len()), "{name}: {} bytes", description.len());
        assert!(!head.contains(['<', '>']), "{name}: the head has an angle bracket");
        assert!(description.contains("Use it"), "{name}: the description does not say when to use it");
        assert_eq!(field("license"), "MIT OR Apache-2.0");
        assert_eq!(head.lines().count(), 3, "{name}: {head}");
        assert!(body.lines().count() <= 200, "{name} is long");
    }
}

/// Each verb that a skill names exists, each policy compiles without a warning, and its tests pass.
#[test]
fn what_a_skill_shows_is_true() {
    let mut verbs = 0;
    for skill in skills() {
        let page = fs::read_to_string(skill.join("SKILL.md")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for block in blocks(&page, "yaml") {
            let name = if block.starts_with("policy:") { "guard.test.yaml" } else { "guard.yaml" };
            common::put(folder.path(), name, block);
        }
        for command in page.split("hookc ").skip(1) {
            let verb = command.split([' ', '`', '\n']).next().unwrap();
            if page.contains(&format!("`hookc {verb}")) && !verb.starts_with('-') {
                let run = hookc(folder.path(), &[verb, "--help"], "");
                assert_eq!(run.code, 0, "{}: {verb}", skill.display());
                verbs += 1;
            }
        }
        if !blocks(&page, "yaml").is_empty() {
            let check =
                hookc(folder.path(), &["check", "guard.yaml", "--host", "claude", "--deny", "warnings"], "");
            assert_eq!((check.code, check.err.as_str()), (0, ""));
            let test = hookc(folder.path(), &["test", ".", "--coverage"], "");
            assert_eq!((test.code, test.err.as_str()), (0, ""), "{}", test.out);
        }
    }
    assert!(verbs > 10, "{verbs}");
}

/// Each command block runs in a project with the policy of the first skill.
#[test]
fn the_commands_of_skills_run() {
    let folder = tempfile::tempdir().unwrap();
    let policies = fs::read_to_string(common::project().join("skills/hookc-policies/SKILL.md")).unwrap();
    let yaml = blocks(&policies, "yaml");
    common::put(folder.path(), "guard.yaml", yaml[0]);
    common::put(folder.path(), "guard.test.yaml", yaml[1]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let programs = std::path::Path::new(common::HOOKC).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut commands = 0;
    for skill in skills() {
        let page = fs::read_to_string(skill.join("SKILL.md")).unwrap();
        for line in blocks(&page, "sh").into_iter().flat_map(str::lines) {
            let mut shell = common::program("sh", folder.path());
            shell.args(["-c", line]).env("PATH", &path).env("HOME", folder.path());
            let run = common::run(shell.env("XDG_STATE_HOME", folder.path().join("state")), "");
            // `status` exits with 1 where no call is installed.
            assert!(run.code == 0 || line == "hookc status", "{line}\n{}{}", run.out, run.err);
            commands += 1;
        }
    }
    assert!(commands >= 5, "{commands}");
    let explained = hookc(
        folder.path(),
        &[
            "explain",
            "guard.yaml",
            "--event",
            "PreToolUse",
            "--tool",
            "Bash",
            "--input",
            "command=git push origin main",
        ],
        "",
    );
    assert!(explained.out.ends_with("\n=> deny: Open a pull request.\n"), "{}", explained.out);
}
