//! Files that hooks name: handlers of repository hooks, scripts of skills.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use common::put;

fn check(folder: &Path, args: &[&str]) -> (i32, String) {
    let run = common::hookc(folder, &[&["check"], args].concat(), "");
    (run.code, run.err)
}

#[test]
fn a_handler_must_be_there_and_executable() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let hook = "id: tests\nevent_type: SessionStop\nenabled: true\nblocking: false\n\
                handler: {kind: script, command: ./scripts/tests.sh}\n";
    put(root, "repo/.system/hooks/tests.yaml", hook);
    let args = ["--dialect", "repository", "repo/.system/hooks/tests.yaml"];
    let (code, told) = check(root, &args);
    assert!(code == 1 && told.contains("E0258") && told.contains("repo/scripts/tests.sh"), "{told}");
    assert_eq!(check(root, &[&args[..], &["--no-fs"]].concat()), (0, String::new()));
    put(root, "repo/scripts/tests.sh", "#!/bin/sh\n");
    let (code, told) = check(root, &args);
    assert!(code == 1 && told.contains("chmod +x repo/scripts/tests.sh"), "{told}");
    let script = root.join("repo/scripts/tests.sh");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(check(root, &args), (0, String::new()));
}

#[test]
fn a_script_stays_in_the_folder_of_its_skill() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let skill = "---\nname: deploy\ndescription: d\nhooks:\n  pre_execute: hooks/pre.py\n---\n";
    put(root, "skills/deploy/SKILL.md", skill);
    put(root, "skills/shared/pre.py", "def execute(context): pass\n");
    let args = ["--dialect", "skill", "skills/deploy/SKILL.md"];
    assert!(check(root, &args).1.contains("E0258"));
    fs::create_dir(root.join("skills/deploy/hooks")).unwrap();
    let inside = root.join("skills/deploy/hooks/pre.py");
    symlink(root.join("skills/shared/pre.py"), &inside).unwrap();
    let (code, told) = check(root, &args);
    assert!(code == 1 && told.contains("E0264") && told.contains("a symbolic link points to"), "{told}");
    fs::remove_file(&inside).unwrap();
    put(root, "skills/deploy/hooks/pre.py", "def execute(context): pass\n");
    assert_eq!(check(root, &args), (0, String::new()));
}
