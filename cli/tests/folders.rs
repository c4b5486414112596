//! The content of directories: misspelled policies, links, large files, skills of two layers.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use common::put;

/// Exit code, standard output, standard error.
fn hookc(folder: &Path, args: &[&str]) -> (i32, String, String) {
    common::hookc(folder, args, "").parts()
}

const SKILL: &str = "---\nname: g\ndescription: d\nhooks:\n  pre_execute: a.py\n---\n";

#[test]
fn settings_of_misspelt_events_are_read() {
    for (name, text) in [
        (
            ".claude/settings.json",
            "{\"hooks\": {\"PreToolUze\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
        ),
        (
            "p/hooks/hooks.json",
            "{\"hooks\": {\"beforeTool\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), name, text);
        let (_, table, told) = hookc(folder.path(), &["check", "."]);
        assert!(table.contains("settings") && told.contains("PreToolU"), "{table}{told}");
    }
}

#[test]
fn links_to_folders_are_followed_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "elsewhere/g/SKILL.md", SKILL);
    put(root, "elsewhere/g/a.py", "def execute(context): pass\n");
    fs::create_dir_all(root.join("repo/.claude/skills")).unwrap();
    for (to, link) in [
        ("elsewhere/g", "repo/.claude/skills/g"),
        ("elsewhere", "repo/again"),
        ("repo", "repo/.claude/itself"),
        ("", "repo/up"),
        ("nowhere", "repo/dangling"),
    ] {
        symlink(root.join(to), root.join(link)).unwrap();
    }
    let (code, listed, told) = hookc(root, &["list", "repo", "--format", "json"]);
    assert_eq!((code, listed.lines().count()), (0, 1), "{listed}{told}");
}

#[test]
fn a_large_file_is_a_policy_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let large = format!("hooks:\n  - {{event: error, action: {{type: abort}}}}\n{}", "#\n".repeat(9 << 20));
    put(folder.path(), "hooks.yaml", &large);
    put(folder.path(), "data.yaml", &large);
    let (_, table, told) = hookc(folder.path(), &["check", "."]);
    assert!(table.contains("hooks-yaml") || told.contains("hooks.yaml"), "{table}{told}");
    assert!(!told.contains("data.yaml"), "{told}");
}

#[test]
fn a_project_skill_replaces_the_users() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for whose in ["u", "p"] {
        put(root, &format!("{whose}/.claude/skills/g/SKILL.md"), SKILL);
        put(root, &format!("{whose}/.claude/skills/g/a.py"), "def execute(context): pass\n");
    }
    let (u, p) = ("u/.claude/skills", "p/.claude/skills");
    let emit = ["--emit", "asm", "--no-builtin"];
    let (code, both, told) = hookc(root, &[&["compile", u, p][..], &emit].concat());
    assert!(code == 0 && told.contains("W0267") && told.contains("both run"), "{told}");
    assert!(told.contains("2 independent policies"), "{told}");
    assert!(both.contains("u/.claude") && both.contains("p/.claude"), "{both}");
    let layers = ["compile", "--layer", "user=u/.claude/skills", "--layer", "project=p/.claude/skills"];
    let (code, one, told) = hookc(root, &[&layers[..], &emit].concat());
    assert!(code == 0 && told.contains("nearer layer"), "{told}");
    assert!(!one.contains("u/.claude/skills/g/a.py") && one.contains("p/.claude/skills/g/a.py"), "{one}");
}
