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
        facts(self.directory.path())
    }
}

const ALL: Wanted = Wanted { branch: true, dirty: true, staged: true };

/// The facts about the repository around a directory; none if there is no repository.
fn facts(directory: &Path) -> (Option<String>, Option<bool>, Option<bool>) {
    let facts = Repository::around(directory).map(|found| found.facts(ALL)).unwrap_or_default();
    (facts.branch, facts.dirty, facts.staged)
}

/// A repository with this `HEAD`, and nothing in it.
fn made(root: &Path, head: &str) {
    for name in [".git/objects/pack", ".git/refs/heads"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    std::fs::write(root.join(".git/HEAD"), head).unwrap();
}

fn branch(directory: &Path) -> Option<String> {
    facts(directory).0
}

const UNKNOWN: (Option<String>, Option<bool>, Option<bool>) = (None, None, None);
const NAME_OF_COMMIT: &str = "ab7c33e0aa30a4d0fcb1fa4e1b0f35b4c25d9df4";

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
fn objects_with_names_by_sha_256() {
    let Some(scratch) = Scratch::new() else { return };
    std::fs::remove_dir_all(scratch.directory.path().join(".git")).unwrap();
    scratch.git("init -q -b main --object-format=sha256");
    scratch.write("a", "1\n");
    scratch.git("add a");
    scratch.git("commit -q -m first");
    let (branch, dirty, staged) = scratch.facts();
    assert!(
        branch.as_deref() == Some("main") && clean(dirty) && staged == Some(false),
        "{dirty:?} {staged:?}"
    );
    scratch.write("a", "longer\n");
    assert_eq!(scratch.facts().1, Some(true));
    scratch.git("add a");
    assert_eq!(scratch.facts().2, Some(true));
    scratch.git("commit -q -m second");
    scratch.git("gc -q");
    assert_eq!(scratch.facts().2, Some(false));
}

#[test]
fn the_repository_that_variables_name() {
    let Some(scratch) = Scratch::new() else { return };
    scratch.write("a", "1\n");
    scratch.git("add a");
    scratch.git("commit -q -m first");
    let root = scratch.directory.path();
    std::fs::rename(root.join(".git"), root.join("elsewhere")).unwrap();
    std::fs::create_dir(root.join("tree")).unwrap();
    let named = |tree| Repository::named(root, "elsewhere", tree).map(|found| found.facts(ALL)).unwrap();
    assert_eq!(named(None).branch.as_deref(), Some("main"));
    assert!(clean(named(None).dirty));
    assert_eq!(named(Some("tree")).dirty, Some(true));
    assert!(Repository::named(root, "nowhere", None).is_none());
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
    let (branch, dirty, staged) = facts(&scratch.directory.path().join("linked"));
    assert_eq!((branch.as_deref(), staged), (Some("other"), Some(false)));
    assert!(clean(dirty));
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
    made(root, "ref: refs/heads/x\n");
    let put = |name: &str, bytes: &[u8]| std::fs::write(root.join(".git").join(name), bytes).unwrap();
    put("index", b"DIRC\0\0\0\x02\0\0\0\x01");
    assert_eq!(facts(root), (Some("x".to_owned()), None, None));
    for end in 0..120 {
        let mut index = b"DIRC\0\0\0\x04\0\0\0\x02".to_vec();
        index.extend(std::iter::repeat_n(0xff, end));
        put("index", &index);
        assert_eq!(facts(root).1, None);
    }
    put("HEAD", b"\xff");
    assert_eq!(facts(root), UNKNOWN);
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    std::fs::write(root.join(".git"), "gitdir: /nowhere").unwrap();
    assert_eq!(facts(root), UNKNOWN);
}

#[test]
fn a_head_says_what_it_says_to_git() {
    let commit = |tail: &str| format!("{NAME_OF_COMMIT}{tail}");
    for (head, expected) in [
        ("ref: refs/heads/main\n", Some("main")),
        ("ref:refs/heads/main", Some("main")),
        ("ref:\t \n refs/heads/main \t\r\n", Some("main")),
        ("ref: refs/heads/a/b", Some("a/b")),
        ("ref: refs/heads/.invalid\n", None),
        ("ref: refs/heads/../heads/main\n", None),
        ("ref: refs/heads/main\u{b}\n", None),
        ("ref: refs/tags/v1\n", None),
        (commit("\n").as_str(), None),
        (commit("x\n").as_str(), None),
    ] {
        let directory = tempfile::tempdir().unwrap();
        made(directory.path(), head);
        assert_eq!(branch(directory.path()).as_deref(), expected, "{head:?}");
        assert!(Repository::around(directory.path()).is_some(), "{head:?}");
    }
    // What git takes for no repository.
    for head in ["", "refs/heads/main", "ref: heads/main", NAME_OF_COMMIT.split_at(1).1] {
        let directory = tempfile::tempdir().unwrap();
        made(directory.path(), head);
        assert!(Repository::around(directory.path()).is_none(), "{head:?}");
    }
}

#[test]
fn a_ref_can_lead_to_another_one() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    made(root, "");
    let heads = root.join(".git/refs/heads");
    // A link, as git wrote it once.
    std::fs::remove_file(root.join(".git/HEAD")).unwrap();
    std::os::unix::fs::symlink("refs/heads/main", root.join(".git/HEAD")).unwrap();
    assert_eq!(branch(root).as_deref(), Some("main"));
    std::fs::write(heads.join("main"), NAME_OF_COMMIT).unwrap();
    assert_eq!(branch(root).as_deref(), Some("main"));
    std::fs::remove_file(root.join(".git/HEAD")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/1").unwrap();
    let chain = |length: usize| {
        for at in 1..=length {
            let next = if at == length { "main".to_owned() } else { (at + 1).to_string() };
            std::fs::write(heads.join(at.to_string()), format!("ref: refs/heads/{next}\n")).unwrap();
        }
        facts(root)
    };
    for length in 1..5 {
        assert_eq!(chain(length).0.as_deref(), Some("main"), "{length}");
    }
    assert_eq!(chain(5), UNKNOWN);
    std::fs::write(heads.join("1"), "ref: refs/heads/1").unwrap();
    assert_eq!(facts(root), UNKNOWN);
}

#[test]
fn git_follows_refs_as_hookc_does() {
    let Some(scratch) = Scratch::new() else { return };
    scratch.write("a", "1\n");
    scratch.git("add a");
    scratch.git("commit -q -m first");
    scratch.git("symbolic-ref refs/heads/tmp refs/heads/main");
    scratch.git("symbolic-ref HEAD refs/heads/tmp");
    let (branch, _, staged) = scratch.facts();
    assert_eq!((branch.as_deref(), staged), (Some("main"), Some(false)));
    scratch.git("pack-refs --all");
    assert_eq!(scratch.facts().2, Some(false));
}

#[test]
fn the_repository_is_the_one_that_git_finds() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    made(root, "ref: refs/heads/main\n");
    let inner = root.join("docs");
    std::fs::create_dir_all(inner.join(".git")).unwrap();
    assert_eq!(branch(&inner).as_deref(), Some("main"));
    // Also a `HEAD` makes none of it, without objects.
    std::fs::write(inner.join(".git/HEAD"), "ref: refs/heads/x\n").unwrap();
    assert_eq!(branch(&inner).as_deref(), Some("main"));
    made(&inner, "ref: refs/heads/x\n");
    assert_eq!(branch(&inner).as_deref(), Some("x"));
    // A directory of git is one without a working tree.
    assert_eq!(facts(&root.join(".git")), (Some("main".to_owned()), None, None));
    std::os::unix::fs::symlink(root, inner.join("link")).unwrap();
    assert_eq!(branch(&inner.join("link")).as_deref(), Some("main"));
    // Git does not go on from a file that leads to no repository.
    std::fs::create_dir(root.join("broken")).unwrap();
    std::fs::write(root.join("broken/.git"), "gitdir: nowhere\n").unwrap();
    assert_eq!(facts(&root.join("broken")), UNKNOWN);
}

/// Whether a function ends: opening a pipe would wait for a writer.
fn ends<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(work()));
    receive.recv_timeout(std::time::Duration::from_secs(20)).expect("it waits for a writer")
}

#[test]
fn pipes_are_not_waited_for() {
    let (directory, file) = NAME_OF_COMMIT.split_at(2);
    let object = format!(".git/objects/{directory}/{file}");
    let index = ".git/index";
    for name in [
        ".git",
        ".git/HEAD",
        ".git/commondir",
        index,
        ".git/packed-refs",
        ".git/refs/heads/main",
        &object,
        ".git/objects/pack/a.idx",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().to_owned();
        let at = root.join(name);
        if name != ".git" {
            made(&root, "ref: refs/heads/main\n");
            if name.contains("objects") {
                std::fs::write(root.join(".git/refs/heads/main"), NAME_OF_COMMIT).unwrap();
            }
            if name != index {
                std::fs::write(root.join(index), index_with_tree()).unwrap();
            }
        }
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&at);
        assert!(Command::new("mkfifo").arg(&at).status().unwrap().success());
        let found = ends(move || facts(&root));
        assert_eq!(found.2, None, "{name}");
    }
}

/// An index without files whose tree was written.
fn index_with_tree() -> Vec<u8> {
    let mut index = b"DIRC\0\0\0\x02\0\0\0\0TREE\0\0\0\x19\x000 0\n".to_vec();
    index.extend([7; SHA1]);
    index.extend([0; SHA1]);
    index
}

#[test]
fn long_names_in_an_index_end_it() {
    let entry = |name: &[u8], removed: u8| {
        let mut entry = vec![0; 60];
        entry.extend([0, 0, removed]);
        entry.extend(name);
        entry.push(0);
        entry
    };
    let read = |length: usize, count: u32| {
        let mut bytes = b"DIRC\0\0\0\x04".to_vec();
        bytes.extend(count.to_be_bytes());
        bytes.extend(entry(&vec![b'a'; length], 0));
        for _ in 1..count {
            bytes.extend(entry(b"b", 1));
        }
        bytes.extend([0; SHA1]);
        Index::read(&bytes, SHA1, None).map(|index| index.count)
    };
    assert_eq!(read(4096, 50_000), Some(50_000));
    assert_eq!(read(4097, 2), None);
    assert_eq!(read(10 << 20, 50_000), None);
}

#[test]
fn the_index_of_a_pack_is_searched_and_not_believed() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    made(root, "ref: refs/heads/main\n");
    std::fs::write(root.join(".git/refs/heads/main"), NAME_OF_COMMIT).unwrap();
    std::fs::write(root.join(".git/index"), index_with_tree()).unwrap();
    let mut pack = b"\xfftOc\0\0\0\x02".to_vec();
    pack.extend([0xff; 1024]);
    pack.extend(vec![0; 1 << 20]);
    for at in 0..100 {
        std::fs::write(root.join(format!(".git/objects/pack/{at}.idx")), &pack).unwrap();
    }
    let start = std::time::Instant::now();
    assert_eq!(facts(root).2, None);
    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
}
