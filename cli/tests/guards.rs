//! A guard that cannot be read, or is misspelt, never lets through in silence.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const GUARD: &str = "id: guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\n\
                     handler: {kind: script, command: ./guard.sh}\n";
const DENY: &str = "hooks: [{id: all, event: PreToolUse, action: {type: deny, reason: nothing passes}}]\n";

struct Repository(tempfile::TempDir);

impl Repository {
    /// With an existing guard and one changed by `damage`.
    fn new(damage: impl Fn(&Path)) -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        common::executable(&made.0, "guard.sh", "echo '{\"hook_signals\": []}'");
        let other = GUARD.replace("id: guard", "id: other\nmatch: {ability_scope: 'test_*'}");
        common::put(&made.0, ".system/hooks/other.yaml", other);
        damage(&made.at(".system/hooks/guard.yaml"));
        made
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn hookc(&self, args: &[&str], envs: &[(&str, &str)]) -> (i32, String, String) {
        let mut command = common::command(&self.0);
        common::run(command.args(args).envs(envs.iter().copied()), "").parts()
    }

    fn call(&self, more: &[&str], envs: &[(&str, &str)]) -> (i32, String, String) {
        let mut args = vec!["ability", "run", "--ability", "deploy", "--source", "ci_pipeline"];
        args.extend(more.iter().chain(&["--", "echo", "ran"]));
        self.hookc(&args, envs)
    }
}

fn pipe(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

#[test]
fn one_that_cannot_be_read_leaves_nothing_decided() {
    let nowhere = |at: &Path| std::os::unix::fs::symlink("nowhere", at).unwrap();
    let bytes = |at: &Path| fs::write(at, b"id: guard\nsummary: \xff\n").unwrap();
    let nothing = |at: &Path| fs::write(at, "").unwrap();
    let damages: [&dyn Fn(&Path); 4] = [&nowhere, &pipe, &bytes, &nothing];
    for damage in damages {
        let repository = Repository::new(damage);
        let (code, out, err) = repository.call(&[], &[]);
        assert_eq!((code, out.as_str()), (122, ""), "{err}");
        assert!(err.contains("guard.yaml"), "{err}");
        let (code, _, err) = repository.hookc(&["check", ".", "--no-fs"], &[]);
        assert!(code != 0 && err.contains("guard.yaml"), "{err}");
    }
    let whole = Repository::new(|at| fs::write(at, GUARD).unwrap());
    assert_eq!(whole.call(&[], &[]), (0, "ran\n".into(), String::new()));
}

#[test]
fn one_of_an_event_that_there_is_not_leaves_nothing_decided() {
    let repository =
        Repository::new(|at| fs::write(at, GUARD.replace("PreAbilityCall", "PreAbiltyCall")).unwrap());
    let (code, out, err) = repository.call(&[], &[]);
    assert_eq!((code, out.as_str()), (122, ""));
    assert!(err.contains("W0415") && err.contains("PreAbilityCall"), "{err}");
}

#[test]
fn a_folder_called_target_may_hold_guards() {
    let within = |at: &Path| {
        let folder = at.parent().unwrap().join("target");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("guard.yaml"), GUARD.replace("./guard.sh", "./not-there.sh")).unwrap();
    };
    let repository = Repository::new(within);
    assert_eq!(repository.call(&[], &[]).0, 122);
    // Except one that declares itself a cache.
    let tag = "Signature: 8a477f597d28d172789f06886806bc55\n";
    fs::write(repository.at(".system/hooks/target/CACHEDIR.TAG"), tag).unwrap();
    assert_eq!(repository.call(&[], &[]).0, 0);
}

#[test]
fn a_layer_is_read_whole() {
    let repository = Repository::new(|_| {});
    fs::create_dir(repository.at("managed")).unwrap();
    fs::write(repository.at("managed/README.md"), "# What these are for\n").unwrap();
    fs::write(repository.at("managed/a.yaml"), DENY).unwrap();
    fs::write(repository.at("policy.yaml"), DENY.replace("id: all", "id: own")).unwrap();
    let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#;
    fs::write(repository.at("event.json"), event).unwrap();
    let decide =
        || repository.hookc(&["eval", "--layer", "managed=managed", "policy.yaml", "event.json"], &[]);
    let (code, out, err) = decide();
    assert!(code == 0 && out.contains("managed/a.yaml"), "{out}{err}");
    fs::write(repository.at("managed/b.yaml"), DENY.replace("hooks:", "hoks:")).unwrap();
    let (code, out, err) = decide();
    assert!(code == 1 && out.is_empty() && err.contains("managed/b.yaml"), "{out}{err}");
    fs::remove_file(repository.at("managed/b.yaml")).unwrap();
    std::os::unix::fs::symlink("nowhere", repository.at("managed/b.yaml")).unwrap();
    assert_eq!(decide().0, 2);
}

#[test]
fn hooks_that_are_off_need_not_compile() {
    let repository = Repository::new(|at| fs::write(at, "x: [").unwrap());
    assert_eq!(repository.call(&[], &[]).0, 122);
    let off = "hookc: HOOKC_DISABLE=1: all hooks are disabled\n".to_owned();
    assert_eq!(repository.call(&[], &[("HOOKC_DISABLE", "1")]), (0, "ran\n".into(), off));
}

#[test]
fn an_ability_has_a_name_and_a_layer_its_own_dialect() {
    let repository = Repository::new(|at| fs::write(at, GUARD).unwrap());
    let unset = ["ability", "run", "--ability", "", "--source", "manual_cli", "--", "echo", "ran"];
    assert_eq!(repository.hookc(&unset, &[]).0, 2);
    let deny = DENY.replace("PreToolUse", "PreAbilityCall");
    fs::write(repository.at("managed.yaml"), deny).unwrap();
    let (code, out, err) = repository.call(&["--layer", "managed=managed.yaml"], &[]);
    assert_eq!((code, out.as_str()), (120, ""), "{err}");
}

#[test]
fn a_policy_may_come_through_a_pipe() {
    let repository = Repository::new(|_| {});
    fs::write(repository.at("p.yaml"), DENY).unwrap();
    let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#;
    fs::write(repository.at("event.json"), event).unwrap();
    assert_eq!(repository.hookc(&["compile", "p.yaml", "-o", "p.hookc"], &[]).0, 0);
    for policy in ["p.yaml", "p.hookc"] {
        pipe(&repository.at("pipe"));
        let (from, to) = (repository.at(policy), repository.at("pipe"));
        let feeder = std::thread::spawn(move || fs::write(to, fs::read(from).unwrap()).unwrap());
        let (code, out, err) = repository.hookc(&["eval", "pipe", "event.json"], &[]);
        feeder.join().unwrap();
        fs::remove_file(repository.at("pipe")).unwrap();
        assert!(code == 0 && out.contains("\"hook\":\"all\""), "{out}{err}");
    }
}
