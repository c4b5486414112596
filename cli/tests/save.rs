//! Settings that are changed while others look or write: modes, owners, races, full
//! disks.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use common::{Run, put, read};

const POLICY: &str = "hooks:\n  - {id: a, event: PreToolUse, action: {type: deny, reason: no}}\n";
const SETTINGS: &str = ".claude/settings.json";

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "hooks.yaml", POLICY);
    folder
}

fn hookc(root: &Path, args: &[&str]) -> Run {
    let mut command = common::command(root);
    command.args(args).env("HOME", root.join("home"));
    common::run(&mut command, "")
}

fn install(root: &Path) -> Run {
    hookc(root, &["install", "claude", "hooks.yaml"])
}

fn uninstall(root: &Path) -> Run {
    hookc(root, &["uninstall", "claude"])
}

/// The files of the settings' directory.
fn names(root: &Path) -> Vec<String> {
    let all = fs::read_dir(root.join(".claude")).unwrap();
    let mut all: Vec<_> = all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

fn mode(path: PathBuf) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_blank_file_comes_back_to_the_byte() {
    for blank in ["", "\n", " \n\n", "\u{feff}"] {
        for (host, file) in
            [("claude", SETTINGS), ("cursor", ".cursor/hooks.json"), ("gemini", ".gemini/settings.json")]
        {
            let project = project();
            put(&project, file, blank);
            assert_eq!(hookc(project.path(), &["install", host, "hooks.yaml"]).code, 0);
            assert_eq!(hookc(project.path(), &["uninstall", host]).code, 0);
            assert_eq!(read(&project, file), blank, "{host}");
        }
    }
    let project = project();
    put(&project, SETTINGS, "");
    put(&project, ".claude/settings.json.bak2", "{}");
    install(project.path());
    put(&project, SETTINGS, "{}");
    install(project.path());
    uninstall(project.path());
    assert_eq!(read(&project, SETTINGS), "{}");
}

#[test]
fn copies_are_as_private_from_the_beginning() {
    let project = project();
    let root = project.path();
    put(root, SETTINGS, "{}\n");
    fs::set_permissions(root.join(SETTINGS), fs::Permissions::from_mode(0o600)).unwrap();
    let script = "umask 0; for i in $(seq 15); do \"$0\" -q install claude hooks.yaml; \"$0\" -q uninstall claude; \
                  rm -f .claude/*.bak*; done";
    let done = AtomicBool::new(false);
    let open = std::thread::scope(|scope| {
        let look = scope.spawn(|| {
            let mut open = Vec::new();
            while !done.load(Ordering::SeqCst) {
                for entry in fs::read_dir(root.join(".claude")).unwrap().flatten() {
                    let found = entry.metadata().map_or(0, |found| found.permissions().mode() & 0o077);
                    if found != 0 {
                        open.push(entry.path());
                    }
                }
            }
            open
        });
        let mut shell = common::program("sh", root);
        shell.args(["-c", script, common::HOOKC]).env("HOME", root.join("home"));
        let run = common::run(&mut shell, "");
        done.store(true, Ordering::SeqCst);
        assert_eq!(run.code, 0, "{}", run.err);
        look.join().unwrap()
    });
    assert_eq!(open, Vec::<PathBuf>::new());
    install(root);
    assert_eq!(mode(root.join(SETTINGS)), 0o600);
    assert_eq!(mode(root.join(".claude/settings.json.bak")), 0o600);
    assert_eq!(names(root), ["settings.json", "settings.json.bak"]);
}

#[test]
fn files_of_other_users_are_unchanged() {
    let project = project();
    let root = project.path();
    put(root, SETTINGS, "{}\n");
    fs::hard_link(root.join(SETTINGS), root.join("other.json")).unwrap();
    let run = install(root);
    assert!(run.code == 2 && run.err.contains("hard links"), "{}", run.err);
    assert_eq!(names(root), ["settings.json"]);
    fs::remove_file(root.join("other.json")).unwrap();
    if !rustix_is_root(root) {
        return;
    }
    for (name, what) in
        [(SETTINGS, "it belongs to user 12345"), (".claude", "its directory belongs to user 12345")]
    {
        std::os::unix::fs::chown(root.join(name), Some(12345), None).unwrap();
        for args in [&["install", "claude", "hooks.yaml"][..], &["uninstall", "claude"]] {
            let run = hookc(root, args);
            assert!(run.code == 2 && run.err.contains(what), "{args:?} {}", run.err);
        }
        std::os::unix::fs::chown(root.join(name), Some(0), None).unwrap();
        assert_eq!((read(root, SETTINGS).as_str(), names(root).len()), ("{}\n", 1));
    }
    put(root, "real.json", "{}\n");
    fs::remove_file(root.join(SETTINGS)).unwrap();
    symlink(root.join("real.json"), root.join(SETTINGS)).unwrap();
    std::os::unix::fs::lchown(root.join(SETTINGS), Some(12345), None).unwrap();
    let run = install(root);
    assert!(
        run.code == 2 && run.err.contains("the link") && read(root, "real.json") == "{}\n",
        "{}",
        run.err
    );
}

fn rustix_is_root(root: &Path) -> bool {
    fs::metadata(root).unwrap().uid() == 0
}

#[test]
fn a_symbolic_link_is_kept_and_resolved() {
    let project = project();
    let root = project.path();
    put(root, "dots/hooks.json", "{\"version\": 1}\n");
    fs::create_dir_all(root.join(".cursor")).unwrap();
    symlink("../dots/hooks.json", root.join(".cursor/hooks.json")).unwrap();
    assert_eq!(hookc(root, &["install", "cursor", "hooks.yaml"]).code, 0);
    assert!(read(root, "dots/hooks.json").contains("hookc"));
    assert_eq!(hookc(root, &["uninstall", "cursor"]).code, 0);
    assert!(root.join(".cursor/hooks.json").is_symlink());
    assert_eq!(read(root, "dots/hooks.json"), "{\"version\": 1}\n");
}

/// The number that an editor saved last, and whether it still exists.
fn last_save(root: &Path, save: fn(&Path, &str)) {
    put(root, SETTINGS, "{\"n\": 0}\n");
    let path = root.join(SETTINGS);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..8 {
                install(root);
                uninstall(root);
            }
            done.store(true, Ordering::SeqCst);
        });
        let mut number = 0;
        while !done.load(Ordering::SeqCst) {
            number += 1;
            save(&path, &format!("{{\"n\": {number}}}\n"));
            std::thread::sleep(std::time::Duration::from_micros(number % 7 * 700));
            let text = fs::read_to_string(&path).unwrap_or_default();
            // Until the next save no other program may remove this one.
            let there =
                || fs::read_to_string(&path).unwrap_or_default().contains(&format!("\"n\": {number}"));
            let late = std::time::Instant::now();
            while !there() && late.elapsed().as_secs() < 10 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            assert!(there(), "{number} is lost: {text}");
        }
    });
}

#[test]
fn an_editor_that_saves_all_the_time_loses_nothing() {
    let in_place = project();
    last_save(in_place.path(), |path, text| fs::write(path, text).unwrap());
    let renamed = project();
    last_save(renamed.path(), |path, text| {
        let beside = path.with_file_name("editor.tmp");
        fs::write(&beside, text).unwrap();
        fs::rename(beside, path).unwrap();
    });
}

#[test]
fn two_at_once() {
    let project = project();
    let root = project.path();
    put(root, SETTINGS, "{\"model\": \"x\"}\n");
    let script = "for i in 1 2 3 4 5 6; do \"$0\" -q install claude hooks.yaml & done; wait";
    let mut shell = common::program("sh", root);
    shell.args(["-c", script, common::HOOKC]).env("HOME", root.join("home"));
    let run = common::run(&mut shell, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(read(root, SETTINGS).matches("hookc run").count(), 1);
    uninstall(root);
    assert_eq!(read(root, SETTINGS), "{\"model\": \"x\"}\n");
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let project = project();
    let root = project.path();
    let before = format!("{{\"model\": \"{}\"}}\n", "x".repeat(3000));
    put(root, SETTINGS, &before);
    // Files are limited to 1 KiB: neither the backup nor the new text can be written.
    let script = "ulimit -f 1 2>/dev/null; \"$0\" install claude hooks.yaml";
    let mut shell = common::program("bash", root);
    shell.args(["-c", script, common::HOOKC]).env("HOME", root.join("home"));
    let _ = shell.output().unwrap();
    assert_eq!(read(root, SETTINGS), before);
    assert!(!root.join(".claude/settings.json.bak").exists(), "{:?}", names(root));
    assert_eq!(install(root).code, 0);
    assert_eq!(read(root, ".claude/settings.json.bak"), before);
    let run = hookc(root, &["compile", "hooks.yaml", "-o", "/dev/full"]);
    assert!(run.code == 2 && run.err.contains("/dev/full"), "{}", run.err);
}

#[test]
fn killed_at_any_moment() {
    let project = project();
    let root = project.path();
    put(root, SETTINGS, "{\"model\": \"x\"}\n");
    for wait in (0..25_u64).step_by(hookc_corpus::effort(1, 4)) {
        for args in [&["install", "claude", "hooks.yaml"][..], &["uninstall", "claude"]] {
            let mut command = common::command(root);
            command.args(args).env("HOME", root.join("home")).stderr(std::process::Stdio::null());
            let mut child = command.spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_micros(wait * 1500));
            let _ = child.kill();
            child.wait().unwrap();
            let text = read(root, SETTINGS);
            assert!(
                serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| value["model"] == "x"),
                "{text}"
            );
        }
    }
    // The file of a killed call has no final name yet.
    let copies = |name: &&String| name.contains(".bak") && !name.contains(".hookc-");
    for name in names(root).iter().filter(copies) {
        let text = read(root.join(".claude"), name);
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{name}: {text}");
    }
}
