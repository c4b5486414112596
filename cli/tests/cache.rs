//! The cache of modules: what it saves, and whom it does not trust.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use common::{Run, put};

const EVENT: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}"#;

fn policy(reason: &str) -> String {
    format!("hooks: [{{id: a, event: PreToolUse, action: {{type: deny, reason: {reason}}}}}]\n")
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.at("work")).unwrap();
        put(place.at("work"), "p.yaml", policy("first"));
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn with_state(&self, state: &str, args: &[&str]) -> Run {
        let mut command = common::command(self.at("work"));
        command.args(args).env("XDG_STATE_HOME", self.at(state)).env("HOME", self.at("home"));
        common::run(&mut command, EVENT)
    }

    fn run(&self) -> Run {
        self.with_state("state", &["run", "--host", "claude", "--no-log", "p.yaml"])
    }

    fn entries_of(&self, state: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.at(state).join("hookc/modules")).into_iter().flatten();
        let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        all.sort();
        all
    }

    fn entries(&self) -> Vec<PathBuf> {
        self.entries_of("state")
    }
}

#[test]
fn an_entry_for_each_text_and_each_set_of_options() {
    let place = Place::new();
    assert!(place.run().out.contains("first"));
    let [entry] = &place.entries()[..] else { panic!("{:?}", place.entries()) };
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(entry), mode(&entry.parent().unwrap().to_owned())), (0o600, 0o700));
    let written = fs::metadata(entry).unwrap().modified().unwrap();
    assert!(place.run().out.contains("first"));
    assert_eq!(place.entries().len(), 1);
    assert_eq!(fs::metadata(entry).unwrap().modified().unwrap(), written, "it was not written again");
    put(place.at("work"), "p.yaml", policy("second"));
    assert!(place.run().out.contains("second"));
    assert_eq!(place.entries().len(), 2);
    place.with_state("state", &["run", "--host", "gemini", "--no-log", "p.yaml"]);
    assert_eq!(place.entries().len(), 3);
    let eval = place.with_state("state", &["eval", "p.yaml"]);
    assert!(eval.out.contains("second") && eval.err.is_empty(), "{eval:?}");
    let again = place.with_state("state", &["eval", "p.yaml"]);
    assert_eq!((place.entries().len(), again), (4, eval));
    fs::remove_dir_all(place.at("state/hookc/modules")).unwrap();
    assert!(place.run().out.contains("second"));
    assert_eq!(place.entries().len(), 1);
}

/// The text of a starter is as trustworthy as the program, which has it.
#[test]
fn a_starter_is_compiled_once() {
    let place = Place::new();
    let run = || {
        place.with_state(
            "state",
            &["run", "--host", "claude", "--no-log", "--or-starter", "protected-branches"],
        )
    };
    let first = run();
    assert_eq!((first.code, place.entries().len()), (0, 1), "{first:?}");
    let written = fs::metadata(&place.entries()[0]).unwrap().modified().unwrap();
    assert_eq!(run(), first);
    assert_eq!(
        fs::metadata(&place.entries()[0]).unwrap().modified().unwrap(),
        written,
        "it was not written again"
    );
}

/// The entry of another module decides about nothing, however it came to be there.
#[test]
fn what_is_torn_foreign_or_older_is_compiled_again() {
    let place = Place::new();
    place.run();
    let first = place.entries().remove(0);
    let other = {
        put(place.at("work"), "p.yaml", policy("other"));
        place.run();
        let other = place.entries().into_iter().find(|entry| *entry != first).unwrap();
        fs::read(other).unwrap()
    };
    put(place.at("work"), "p.yaml", policy("first"));
    let good = fs::read(&first).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut older = good.clone();
    older[12] = b'0';
    for (name, bytes) in [
        ("torn", good[..good.len() / 2].to_vec()),
        ("empty", Vec::new()),
        ("changed", flipped),
        ("of another policy", other.clone()),
        ("older", older),
    ] {
        fs::write(&first, bytes).unwrap();
        assert!(place.run().out.contains("first"), "{name}");
        assert_eq!(fs::read(&first).unwrap(), good, "{name}: written again");
    }
    // A copy of another module with a name and a hash that fit, but not of this user alone.
    let mut planted = other;
    planted[14..46].copy_from_slice(&good[14..46]);
    let plant = |mode: u32| {
        let _ = fs::remove_file(&first);
        fs::write(&first, &planted).unwrap();
        fs::set_permissions(&first, fs::Permissions::from_mode(mode)).unwrap();
    };
    for mode in [0o644, 0o620, 0o602] {
        plant(mode);
        assert!(place.run().out.contains("first"), "{mode:o}");
    }
    plant(0o600);
    fs::rename(&first, place.at("elsewhere")).unwrap();
    symlink(place.at("elsewhere"), &first).unwrap();
    assert!(place.run().out.contains("first"), "a link");
    fs::remove_file(&first).unwrap();
    fs::hard_link(place.at("elsewhere"), &first).unwrap();
    assert!(place.run().out.contains("first"), "a hard link");
}

#[test]
fn directories_that_others_fill_are_not_used() {
    let place = Place::new();
    let run = |state: &str| place.with_state(state, &["run", "--host", "claude", "--no-log", "p.yaml"]);
    fs::create_dir_all(place.at("clone/.git")).unwrap();
    for state in ["work/state", "clone/state"] {
        assert!(run(state).out.contains("first"));
        assert_eq!(place.entries_of(state).len(), 0, "{state}");
    }
    fs::create_dir_all(place.at("open/hookc/modules")).unwrap();
    fs::set_permissions(place.at("open/hookc/modules"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::create_dir_all(place.at("linked/hookc")).unwrap();
    fs::create_dir_all(place.at("target")).unwrap();
    symlink(place.at("target"), place.at("linked/hookc/modules")).unwrap();
    for state in ["open", "linked"] {
        assert!(run(state).out.contains("first"));
        assert_eq!(place.entries_of(state).len(), 0, "{state}");
    }
    fs::write(place.at("file"), "").unwrap();
    assert!(run("file").out.contains("first"));
}

#[test]
fn warnings_are_reported_each_time() {
    let place = Place::new();
    let when = "tool_name == 'Bash' and tool_input.command starts_with 'git push'";
    let policy = format!(
        "hooks: [{{id: a, event: PreToolUse, when: \"{when}\", action: {{type: deny, reason: r}}}}]\n"
    );
    put(place.at("work"), "p.yaml", policy);
    let first = place.with_state("state", &["eval", "p.yaml"]);
    assert!(first.err.contains("warning"), "{first:?}");
    assert_eq!(place.with_state("state", &["eval", "p.yaml"]), first);
}

#[test]
fn the_number_of_entries_is_bounded() {
    let place = Place::new();
    place.run();
    let folder = place.entries()[0].parent().unwrap().to_owned();
    for number in 0..200 {
        let path = folder.join(format!("old{number}"));
        fs::write(&path, "x").unwrap();
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
        fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    }
    put(place.at("work"), "p.yaml", policy("new"));
    assert!(place.run().out.contains("new"));
    assert_eq!(place.entries().len(), 64);
    let young = place.entries().iter().filter(|entry| !entry.to_string_lossy().contains("old")).count();
    assert_eq!(young, 2);
}
