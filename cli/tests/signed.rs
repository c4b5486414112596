//! Signed modules: keys, `compile --sign`, and what `--verify-key` rejects.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, Run, put, read};

const EVENT: &str = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_input": {"command": "ls"}}"#;

/// The module and its signature.
const SIGNED: [&str; 2] = ["guard.hookc", "guard.hookc.minisig"];

struct Place(TempDir);

impl Place {
    /// A folder with a policy and a pair of keys.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.policy("first");
        place.ok(&["keygen", "--no-password", "-o", "team"]);
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn policy(&self, reason: &str) {
        let policy = format!("hooks: [{{event: PreToolUse, action: {{type: deny, reason: {reason}}}}}]\n");
        put(&self.0, "guard.yaml", policy);
    }

    fn hookc(&self, args: &[&str], input: &str) -> Run {
        self.hookc_with(args, input, &[])
    }

    fn hookc_with(&self, args: &[&str], input: &str, set: &[(&str, &str)]) -> Run {
        let mut command = common::command(self.path());
        command.args(args).env("XDG_STATE_HOME", self.path().join("state")).env_remove("HOOKC_KEY_PASSWORD");
        common::run(command.envs(set.iter().copied()), input)
    }

    fn ok(&self, args: &[&str]) {
        let run = self.hookc(args, "");
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    }

    fn sign(&self, more: &[&str]) {
        self.ok(&[&["compile", "guard.yaml", "-o", "guard.hookc", "--sign", "team.key"], more].concat());
    }

    /// The reason of the decision about an event, or why the module was rejected.
    fn eval(&self) -> Result<String, String> {
        let run = self.hookc(&["eval", "--verify-key", "team.pub", "guard.hookc", "-"], EVENT);
        if run.code != 0 {
            return Err(run.err);
        }
        let line: Value = serde_json::from_str(&run.out).unwrap();
        Ok(line["decision"][0]["action"]["reason"].as_str().unwrap().to_owned())
    }

    fn rejected(&self, why: &str) {
        let error = self.eval().unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
        // A call of an agent is denied.
        let args = ["run", "--host", "claude", "--no-log", "--verify-key", "team.pub", "guard.hookc"];
        let run = self.hookc(&args, EVENT);
        assert!(run.code == 2 && run.err.contains(why), "{why}: {} {} {}", run.code, run.out, run.err);
    }

    fn signed_files(&self) -> [Vec<u8>; 2] {
        SIGNED.map(|name| fs::read(self.path().join(name)).unwrap())
    }

    fn put_back(&self, files: [Vec<u8>; 2]) {
        for (name, bytes) in SIGNED.iter().zip(files) {
            put(&self.0, name, bytes);
        }
    }

    /// A signature with this trusted comment, which `compile --sign` would not make.
    fn sign_with(&self, comment: &str) {
        let key = minisign::SecretKeyBox::from_string(&read(self.path(), "team.key")).unwrap();
        let key = key.into_unencrypted_secret_key().unwrap();
        let module = fs::read(self.path().join("guard.hookc")).unwrap();
        let signature = minisign::sign(None, &key, module.as_slice(), Some(comment), None).unwrap();
        put(&self.0, "guard.hookc.minisig", signature.into_string());
    }
}

#[test]
fn a_signed_module_decides() {
    let place = Place::new();
    place.sign(&[]);
    assert_eq!(place.eval().unwrap(), "first");
    let args = ["run", "--host", "claude", "--no-log", "--verify-key", "team.pub", "guard.hookc"];
    let run = place.hookc(&args, EVENT);
    assert!(run.code == 0 && run.out.contains("\"deny\"") && run.out.contains("first"), "{}", run.out);
    // A newer one too.
    place.policy("second");
    place.sign(&["--valid-days", "30"]);
    assert_eq!(place.eval().unwrap(), "second");
    assert!(read(place.path(), "guard.hookc.minisig").contains("expires:"));
}

#[test]
fn what_is_not_signed_is_rejected() {
    let place = Place::new();
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    place.rejected("the module has no signature: there is no guard.hookc.minisig");
    place.sign(&[]);
    place.eval().unwrap();
    // Altered.
    let good = fs::read(place.path().join("guard.hookc")).unwrap();
    place.policy("other");
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    place.rejected("altered after it was signed");
    put(&place.0, "guard.hookc", good);
    place.eval().unwrap();
    // Another key.
    place.ok(&["keygen", "--no-password", "-o", "stranger"]);
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc", "--sign", "stranger.key"]);
    place.rejected("made with another key");
    // Not a signature.
    put(&place.0, "guard.hookc.minisig", [0xff, 0xfe]);
    place.rejected("not one of minisign");
    put(&place.0, "guard.hookc.minisig", "x".repeat(100_000));
    place.rejected("not one of minisign");
}

#[test]
fn older_and_expired_modules_are_rejected() {
    let place = Place::new();
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    place.sign_with("timestamp:2000\tfile:guard.hookc\thashed");
    place.eval().unwrap();
    place.sign_with("timestamp:1999\tfile:guard.hookc\thashed");
    place.rejected("older than the last one: signed at 1999, the other at 2000");
    place.sign_with("timestamp:2000\tfile:guard.hookc\thashed");
    place.eval().unwrap();
    place.sign_with("timestamp:3000\tfile:guard.hookc\texpires:4000");
    place.rejected("expired at 4000");
    // It was rejected, so it is not the last one.
    place.sign_with("timestamp:2500\tfile:guard.hookc\thashed");
    place.eval().unwrap();
    place.sign_with("timestamp:5000\tfile:other.hookc\thashed");
    place.rejected("signed under the name `other.hookc`, and the file is `guard.hookc`");
    place.sign_with("trust me");
    place.rejected("the trusted comment");
}

#[test]
fn a_link_to_an_older_module_is_rejected() {
    let place = Place::new();
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    let old = place.path().join("old");
    fs::create_dir(&old).unwrap();
    place.sign_with("timestamp:1000\tfile:guard.hookc\thashed");
    for name in SIGNED {
        fs::copy(place.path().join(name), old.join(name)).unwrap();
    }
    place.sign_with("timestamp:2000\tfile:guard.hookc\thashed");
    place.eval().unwrap();
    let new = place.signed_files();
    for name in SIGNED {
        fs::remove_file(place.path().join(name)).unwrap();
        std::os::unix::fs::symlink(old.join(name), place.path().join(name)).unwrap();
    }
    place.rejected("older than the last one: signed at 1000, the other at 2000");
    SIGNED.iter().for_each(|name| fs::remove_file(place.path().join(name)).unwrap());
    place.put_back(new);
    place.eval().unwrap();
}

#[test]
fn what_cannot_be_loaded_is_not_remembered() {
    let place = Place::new();
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    place.sign_with("timestamp:1000\tfile:guard.hookc\thashed");
    let good = place.signed_files();
    put(&place.0, "guard.hookc", "not a module");
    place.sign_with("timestamp:2000\tfile:guard.hookc\thashed");
    place.rejected("not a hookc module");
    place.put_back(good);
    place.eval().unwrap();
}

#[test]
fn a_lock_on_the_state_is_waited_for_a_second() {
    let place = Place::new();
    place.sign(&[]);
    place.eval().unwrap();
    let records: Vec<_> = fs::read_dir(place.path().join("state/hookc/signed"))
        .unwrap()
        .map(|record| fs::File::open(record.unwrap().path()).unwrap())
        .collect();
    assert!(!records.is_empty());
    records.iter().for_each(|record| record.lock().unwrap());
    place.rejected("another program keeps it locked");
    drop(records);
    place.eval().unwrap();
}

#[test]
fn without_the_state_nothing_is_accepted() {
    let place = Place::new();
    place.sign(&[]);
    place.eval().unwrap();
    let records: Vec<_> = fs::read_dir(place.path().join("state/hookc/signed")).unwrap().flatten().collect();
    let [record] = &records[..] else { panic!("{records:?}") };
    fs::write(record.path(), "soon").unwrap();
    place.rejected("it has no time; remove it to start again");
    fs::remove_file(record.path()).unwrap();
    fs::create_dir(record.path()).unwrap();
    place.rejected("cannot read or write when the last module was signed");
}

#[test]
fn a_policy_in_source_is_not_signed() {
    let place = Place::new();
    for args in [
        &["eval", "--verify-key", "team.pub", "guard.yaml", "-"][..],
        &["explain", "--verify-key", "team.pub", "guard.yaml", "-"],
        &["check", "--verify-key", "team.pub", "guard.yaml"],
        &["run", "--host", "claude", "--no-log", "--verify-key", "team.pub", "guard.yaml"],
    ] {
        let run = place.hookc(args, EVENT);
        assert!(
            run.code == 2 && run.err.contains("accepts a signed module"),
            "{args:?}: {} {}",
            run.code,
            run.err
        );
    }
    let run = place.hookc(&["compile", "guard.yaml", "-o", "guard.hookc", "--sign", "team.pub"], "");
    assert!(run.code == 2 && run.err.contains("it is the public key"), "{}", run.err);
    for (key, why) in
        [("nowhere.pub", "nowhere.pub"), ("team.key", "not a public key"), ("guard.yaml", "not a public key")]
    {
        place.sign(&[]);
        let run = place.hookc(&["eval", "--verify-key", key, "guard.hookc", "-"], EVENT);
        assert!(run.code != 0 && run.err.contains(why), "{key}: {}", run.err);
    }
}

#[test]
fn installed_calls_verify_the_module() {
    let place = Place::new();
    let settings = || read(place.path(), ".claude/settings.json");
    let install = |more: &[&str]| place.hookc(&[&["install", "claude", "guard.hookc"], more].concat(), "");
    place.ok(&["compile", "guard.yaml", "-o", "guard.hookc"]);
    let run = install(&["--verify-key", "team.pub"]);
    assert!(run.code == 1 && run.err.contains("no signature"), "{} {}", run.code, run.err);
    assert!(!place.path().join(".claude").exists());
    place.sign(&[]);
    assert_eq!(install(&[]).code, 0);
    assert!(!settings().contains("--verify-key"));
    // A call without the key is replaced, one with it stays.
    let run = install(&["--verify-key", "team.pub"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let verified = settings();
    assert_eq!(verified.matches("run --host").count(), 1);
    assert!(
        verified
            .contains(r#"--verify-key \"$CLAUDE_PROJECT_DIR/team.pub\" \"$CLAUDE_PROJECT_DIR/guard.hookc\""#),
        "{verified}"
    );
    for more in [&[][..], &["--verify-key", "team.pub"]] {
        assert_eq!(install(more).code, 0);
        assert_eq!(settings(), verified);
    }
    let doctor = || place.hookc(&["doctor", ".claude/settings.json"], "").out;
    assert!(!doctor().contains("broken-policy") && !doctor().contains("missing-key"), "{}", doctor());
    fs::rename(place.path().join("team.pub"), place.path().join("moved.pub")).unwrap();
    assert!(doctor().contains("the key `$CLAUDE_PROJECT_DIR/team.pub` does not exist"), "{}", doctor());
    fs::rename(place.path().join("moved.pub"), place.path().join("team.pub")).unwrap();
    fs::remove_file(place.path().join("guard.hookc.minisig")).unwrap();
    assert!(doctor().contains("no signature"), "{}", doctor());
}

#[test]
fn keys_are_private_and_never_replaced() {
    let place = Place::new();
    let mode = fs::metadata(place.path().join("team.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let before = read(place.path(), "team.key");
    let run = place.hookc(&["keygen", "--no-password", "-o", "team"], "");
    assert!(run.code == 2 && run.err.contains("is not replaced"), "{}", run.err);
    assert_eq!(read(place.path(), "team.key"), before);
    // Without a terminal the password must be in the environment.
    let run = place.hookc(&["keygen", "-o", "locked"], "");
    assert!(run.code == 2 && run.err.contains("HOOKC_KEY_PASSWORD"), "{}", run.err);
    assert!(!place.path().join("locked.key").exists());
}

#[test]
fn an_encrypted_key_needs_its_password() {
    let place = Place::new();
    let with = |password: &'static str, args: &[&str]| {
        place.hookc_with(args, "", &[("HOOKC_KEY_PASSWORD", password)])
    };
    assert_eq!(with("right", &["keygen", "-o", "locked"]).code, 0);
    let sign = ["compile", "guard.yaml", "-o", "guard.hookc", "--sign", "locked.key"];
    let run = with("wrong", &sign);
    assert!(run.code == 2 && run.err.contains("Wrong password"), "{}", run.err);
    assert!(!place.path().join("guard.hookc").exists());
    assert_eq!(with("right", &sign).code, 0);
    let run = place.hookc(&["eval", "--verify-key", "locked.pub", "guard.hookc", "-"], EVENT);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn only_a_module_in_a_file_is_signed() {
    let place = Place::new();
    for more in [&["-o", "-"][..], &["-o", "x", "--emit", "plan"], &["--emit", "tree"]] {
        let run = place.hookc(&[&["compile", "guard.yaml", "--sign", "team.key"], more].concat(), "");
        assert!(run.code == 2 && run.err.contains("signs a module in a file"), "{more:?}: {}", run.err);
    }
    for key in ["team.pub", "guard.yaml", "nowhere"] {
        let run = place.hookc(&["compile", "guard.yaml", "-o", "guard.hookc", "--sign", key], "");
        assert!(run.code == 2 && run.err.contains(key), "{key}: {}", run.err);
    }
    let run = place.hookc(&["compile", "guard.yaml", "-o", "x", "--valid-days", "3"], "");
    assert!(run.code == 2 && run.err.contains("--sign"), "{}", run.err);
}
