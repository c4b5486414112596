//! Each verb opens each file of a directory once: what the search of the directory read is compiled.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

use crate::common::{hookc, put};

const STOP: &str = "hooks: [{event: Stop, action: {type: allow}}]\n";
const TOOL: &str = "hooks: [{event: PreToolUse, action: {type: deny, reason: stop}}]\n";
const SETTINGS: &str = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
const SKILL: &str = "---\nname: a\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - {type: command, command: 'true'}\n---\n";
const XML: &str =
    r#"<directive name="a"><hooks><hook event="Stop"><action type="allow"/></hook></hooks></directive>"#;
const EVENT: &str = r#"{"hook_event_name": "Stop"}"#;

/// How often a program opened each file of `folder`, by its path below that directory.
fn opened(folder: &Path, work: impl FnOnce()) -> BTreeMap<PathBuf, usize> {
    let watcher = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
    let watch = |path: &PathBuf| {
        (inotify::add_watch(&watcher, folder.join(path), WatchFlags::OPEN).unwrap(), path.clone())
    };
    let paths: BTreeMap<i32, PathBuf> = files(folder).iter().map(watch).collect();
    work();
    let mut count: BTreeMap<PathBuf, usize> = paths.values().map(|path| (path.clone(), 0)).collect();
    let mut buffer = [const { MaybeUninit::uninit() }; 4096];
    let mut reader = inotify::Reader::new(&watcher, &mut buffer);
    loop {
        match reader.next() {
            Ok(event) if event.events().contains(ReadFlags::OPEN) => {
                *count.get_mut(&paths[&event.wd()]).unwrap() += 1;
            }
            Ok(event) => assert!(!event.events().contains(ReadFlags::QUEUE_OVERFLOW)),
            Err(Errno::AGAIN) => return count,
            Err(error) => panic!("{error}"),
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found
}

/// Policies of several dialects, a file without hooks, and files that a search skips by their name.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("d/hooks.yaml", STOP),
        ("d/more/tools.yaml", TOOL),
        ("d/more/a.xml", XML),
        ("d/.claude/settings.json", SETTINGS),
        ("d/.claude/settings.local.json", SETTINGS),
        ("d/.claude/skills/a/SKILL.md", SKILL),
        ("d/README.md", "# no hooks\n"),
        ("d/package.json", "{\"name\": \"x\"}"),
        ("d/notes.txt", "no policy\n"),
    ] {
        put(&folder, name, text);
    }
    folder
}

/// The files of [`project`] that each verb opens; the others are skipped by their name.
const ONCE: [&str; 8] = [
    "d/hooks.yaml",
    "d/more/tools.yaml",
    "d/more/a.xml",
    "d/.claude/settings.json",
    "d/.claude/settings.local.json",
    "d/.claude/skills/a/SKILL.md",
    "d/README.md",
    "d/package.json",
];

#[test]
fn files_of_a_directory_are_opened_once() {
    for args in [
        &["check", "d"][..],
        &["compile", "d", "-o", "/dev/null"],
        &["run", "--host", "claude", "d"],
        &["list", "d"],
        &["eval", "d", "--event", "Stop"],
        &["explain", "d", "--event", "Stop"],
        &["test", "d"],
    ] {
        let folder = project();
        let mut run = None;
        let counts = opened(folder.path(), || run = Some(hookc(&folder, args, EVENT)));
        let (code, _, err) = run.unwrap().parts();
        // There are no tests.
        let most = if args[0] == "test" { 2 } else { 1 };
        assert!(code <= most, "{args:?}: {code} {err}");
        for (path, count) in counts {
            let expected = usize::from(ONCE.iter().any(|one| path == Path::new(one)));
            assert_eq!(count, expected, "{args:?}: {}", path.display());
        }
    }
}

#[test]
fn files_of_a_layer_and_named_files_are_opened_once() {
    for args in [
        &["check", "a.yaml", "b.yaml"][..],
        &["check", "a.yaml", "d"],
        &["compile", "a.yaml", "--layer", "user=d", "-o", "/dev/null"],
        &["run", "--host", "claude", "a.yaml", "--layer", "managed=d"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(&folder, "a.yaml", STOP);
        put(&folder, "b.yaml", TOOL);
        put(&folder, "d/c.yaml", TOOL);
        put(&folder, "d/s/settings.json", SETTINGS);
        let mut run = None;
        let counts = opened(folder.path(), || run = Some(hookc(&folder, args, EVENT)));
        let (code, _, err) = run.unwrap().parts();
        assert_eq!(code, 0, "{args:?}: {err}");
        for (path, count) in counts {
            let named = args.iter().any(|arg| path == Path::new(arg));
            let found = path.starts_with("d") && !args.contains(&"b.yaml");
            assert_eq!(count, usize::from(named || found), "{args:?}: {}", path.display());
        }
    }
}

#[test]
fn a_suspect_is_opened_once() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "d/ok.yaml", STOP);
    put(&folder, "d/.hooks/a.yaml", [0xff, 0xfe, b'h']);
    for verb in ["check", "list"] {
        let mut run = None;
        let counts = opened(folder.path(), || run = Some(hookc(&folder, &[verb, "d"], "")));
        assert_eq!(run.unwrap().parts().0, 1, "{verb}");
        assert!(counts.values().all(|count| *count == 1), "{verb}: {counts:?}");
    }
}

#[test]
fn a_pipe_beside_a_directory_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "d/c.yaml", TOOL);
    // The linked policies are checked, too, after each alone.
    let (code, out, err) = hookc(&folder, &["check", "-", "d"], STOP).parts();
    assert!(code == 0 && out.contains("2 hooks in 2 files, no problems"), "{out} {err}");
}

#[test]
fn a_file_that_is_named_twice_is_opened_once() {
    for args in [
        &["check", "d", "d"][..],
        &["check", "d/c.yaml", "d"],
        &["check", "d/c.yaml", "d/c.yaml"],
        &["compile", "d", "d/s", "-o", "/dev/null"],
        &["compile", "d/c.yaml", "--layer", "user=d", "-o", "/dev/null"],
        &["eval", "d", "d/c.yaml", "--event", "Stop"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(&folder, "d/c.yaml", TOOL);
        put(&folder, "d/s/b.yaml", STOP);
        let mut run = None;
        let counts = opened(folder.path(), || run = Some(hookc(&folder, args, EVENT)));
        let (code, _, err) = run.unwrap().parts();
        assert!(code <= 1, "{args:?}: {code} {err}");
        for (path, count) in counts {
            let expected =
                usize::from(path.ends_with("c.yaml") || args.contains(&"d") || args.contains(&"user=d"));
            assert_eq!(count, expected, "{args:?}: {}", path.display());
        }
    }
}

#[test]
fn doctor_opens_each_file_once() {
    let group = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}, "disableAllHooks": false}"#;
    for args in
        [&["doctor"][..], &["doctor", "."], &["doctor", ".claude/settings.json", ".gemini/settings.json"]]
    {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("hooks.yaml", STOP),
            (".claude/settings.json", group),
            (".claude/settings.local.json", "{\"model\": \"m\"}"),
            (".claude/hooks/hooks.json", group),
            (
                ".gemini/settings.json",
                r#"{"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#,
            ),
            (".codex/hooks.json", group),
            (".cursor/hooks.json", r#"{"version": 1, "hooks": {"stop": [{"command": "true"}]}}"#),
            (".github/hooks/a.json", r#"{"version": 1, "hooks": {"agentStop": [{"bash": "true"}]}}"#),
        ] {
            put(&folder, name, text);
        }
        let mut run = None;
        let counts = opened(folder.path(), || run = Some(hookc(&folder, args, "")));
        let (code, _, err) = run.unwrap().parts();
        assert!(code <= 1, "{args:?}: {code} {err}");
        for (path, count) in counts {
            let all = args.len() < 3;
            let expected =
                if all || path.starts_with(".claude") || path.starts_with(".gemini") { 1 } else { 0 };
            let governed = path.ends_with("hooks.json") && !all;
            assert_eq!(count, if governed { 0 } else { expected }, "{args:?}: {}", path.display());
        }
    }
}
