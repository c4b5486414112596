//! Against repositories that git makes; without git, the tests say that they skip.

use std::io::Write as _;
use std::process::Command;

use super::*;

struct Scratch {
    directory: tempfile::TempDir,
}

impl Scratch {
    fn new() -> Option<Self> {
        let scratch = Self { directory: tempfile::tempdir().unwrap() };
        if Command::new("git").arg("--version").output().is_err() {
            let _ = writeln!(std::io::stderr(), "skipped: there is no git");
            return None;
        }
        scratch.git("init -q -b main");
        Some(scratch)
    }

    fn git(&self, line: &str) {
        let mut command = Command::new("git");
        command.current_dir(self.directory.path()).args(line.split(' '));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let person = [("NAME", "a"), ("EMAIL", "a@example.org")];
        for (name, value) in person {
            command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        let done = command.output().unwrap();
        assert!(done.status.success(), "git {line}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.directory.path().join(name), text).unwrap();
    }

    fn facts(&self) -> (Option<String>, Option<bool>, Option<bool>) {
        let repository = Repository::at(self.directory.path()).unwrap();
        (repository.branch(), repository.is_dirty(), repository.is_staged())
    }
}

/// A file system with coarse times cannot tell a file from its entry: then dirty is unknown.
fn clean(dirty: Option<bool>) -> bool {
    dirty != Some(true)
}

#[test]
fn a_repository_from_its_first_file_to_its_packs() {
    let Some(scratch) = Scratch::new() else { return };
    let main = || Some("main".to_owned());
    assert_eq!(scratch.facts(), (main(), Some(false), Some(false)));
    scratch.write("a", "1\n");
    assert_eq!(scratch.facts(), (main(), Some(false), Some(false)));
    scratch.git("add a");
    assert_eq!(scratch.facts().2, Some(true));
    scratch.git("commit -q -m first");
    let (branch, dirty, staged) = scratch.facts();
    assert!(branch == main() && clean(dirty) && staged == Some(false), "{dirty:?} {staged:?}");
    scratch.write("a", "longer\n");
    assert_eq!(scratch.facts(), (main(), Some(true), Some(false)));
    scratch.git("add a");
    let (_, dirty, staged) = scratch.facts();
    assert!(clean(dirty) && staged == Some(true), "{dirty:?}");
    scratch.git("commit -q -m second");
    scratch.git("gc -q");
    scratch.git("checkout -q -b feature/x");
    let (branch, dirty, staged) = scratch.facts();
    assert_eq!((branch.as_deref(), staged), (Some("feature/x"), Some(false)));
    assert!(clean(dirty));
    std::fs::remove_file(scratch.directory.path().join("a")).unwrap();
    assert_eq!(scratch.facts().1, Some(true));
    scratch.git("checkout -q --detach");
    assert_eq!(scratch.facts().0, None);
}

#[test]
fn a_commit_that_a_hook_refused_is_staged() {
    let Some(scratch) = Scratch::new() else { return };
    scratch.write("a", "1\n");
    scratch.git("add a");
    scratch.git("commit -q -m first");
    scratch.write("a", "22\n");
    scratch.git("add a");
    // What git does before it runs the hook.
    scratch.git("write-tree");
    assert_eq!(scratch.facts().2, Some(true));
}

#[test]
fn linked_working_trees_and_forms_of_the_index() {
    let Some(scratch) = Scratch::new() else { return };
    for name in ["a", "directory-a", "directory-b"] {
        scratch.write(name, name);
    }
    scratch.git("add .");
    scratch.git("commit -q -m first");
    scratch.git("worktree add -q linked -b other");
    let linked = Repository::at(&scratch.directory.path().join("linked")).unwrap();
    assert_eq!((linked.branch().as_deref(), linked.is_staged()), (Some("other"), Some(false)));
    assert!(clean(linked.is_dirty()));
    for version in [2, 3, 4] {
        scratch.git(&format!("update-index --index-version {version}"));
        scratch.write("directory-b", "another length");
        let (_, dirty, staged) = scratch.facts();
        assert_eq!((dirty, staged), (Some(true), Some(false)), "version {version}");
        scratch.git("checkout -q directory-b");
        assert!(clean(scratch.facts().1), "version {version}");
    }
}

#[test]
fn damaged_files_say_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    std::fs::create_dir(root.join(".git")).unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(root.join(".git").join(name), bytes).unwrap();
    let facts = || {
        let repository = Repository::at(root).unwrap();
        (repository.branch(), repository.is_dirty(), repository.is_staged())
    };
    put("HEAD", b"\xff");
    put("index", b"DIRC\0\0\0\x02\0\0\0\x01");
    assert_eq!(facts(), (None, None, None));
    put("HEAD", b"ref: refs/heads/x\n");
    for end in 0..120 {
        let mut index = b"DIRC\0\0\0\x04\0\0\0\x02".to_vec();
        index.extend(std::iter::repeat_n(0xff, end));
        put("index", &index);
        assert_eq!(facts().1, None);
    }
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    assert!(Repository::at(root).is_none());
    std::fs::write(root.join(".git"), "gitdir: /nowhere").unwrap();
    assert_eq!(facts(), (None, None, None));
}
