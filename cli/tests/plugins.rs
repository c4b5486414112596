//! Agents that load plugins: the plugin that `install` writes denies, changes and fails closed, and each broken set-up is
//! found by `probe` and `doctor`.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{Run, put, read};
use serde_json::{Value, json};

const POLICY: &str = r#"hooks:
  - {event: PreToolUse, when: "tool_input.command contains 'made.txt'", action: {type: deny, reason: files grow on trees}}
  - {event: PreToolUse, when: "tool_input.command contains 'old'", action: {type: modify, input: {command: touch new}}}
  - {event: PreToolUse, when: "tool_input.command contains 'ask'", action: {type: ask, reason: is that so}}
  - {event: PreToolUse, when: "tool_input.command == 'where'", action: {type: deny, reason: "in ${project_dir}"}}
  - {event: UserPromptSubmit, when: "prompt contains 'secret'", action: {type: deny, reason: not today}}
"#;

/// An agent, the directory of its settings, and the place of the plugin in it.
const AGENTS: [(&str, &str, &str); 2] =
    [("opencode", ".opencode", "plugins/hookc.js"), ("pi", ".pi", "extensions/hookc.js")];

/// A project with a policy, in which an agent is installed.
struct Place {
    folder: tempfile::TempDir,
    agent: &'static str,
    settings: String,
    plugin: String,
}

impl Place {
    fn new((agent, directory, plugin): (&'static str, &str, &str)) -> Self {
        let (settings, plugin) = (format!("{directory}/hookc.json"), format!("{directory}/{plugin}"));
        let place = Self { folder: tempfile::tempdir().unwrap(), agent, settings, plugin };
        fs::create_dir_all(place.folder.path().join("home")).unwrap();
        put(place.root(), "guard.yaml", POLICY);
        let installed = place.hookc(&["install", agent, "guard.yaml"]);
        assert_eq!(installed.code, 0, "{agent}: {}", installed.err);
        place
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("a b")
    }

    fn prepared(&self, mut command: std::process::Command) -> std::process::Command {
        command.env("HOME", self.folder.path().join("home"));
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        command
    }

    fn run(&self, args: &[&str], variables: &[(&str, &str)]) -> Run {
        let mut command = self.prepared(common::command(self.root()));
        common::run(command.args(args).envs(variables.iter().copied()), "")
    }

    fn hookc(&self, args: &[&str]) -> Run {
        self.run(args, &[])
    }

    /// What the plugin answers to calls of a shell, and to a message of the user; `None` without a program that runs it.
    fn answers(&self, calls: &[&str], prompt: &str) -> Option<Vec<String>> {
        self.play(&self.root().join(&self.plugin), &self.root(), json!({"calls": calls, "prompt": prompt}))
    }

    /// What a plugin answers in a session in a directory.
    fn play(&self, plugin: &Path, directory: &Path, mut play: Value) -> Option<Vec<String>> {
        put(plugin.parent().unwrap(), "package.json", r#"{"type": "module"}"#);
        let script = put(self.folder.path(), "play.mjs", include_str!("plugins/play.mjs"));
        play["agent"] = json!(self.agent);
        let mut command = self.prepared(common::program("node", directory));
        command.arg(script).arg(plugin).arg(play.to_string());
        if std::process::Command::new("node").arg("--version").output().is_err() {
            return None;
        }
        let done = common::run(&mut command, "");
        assert_eq!(done.code, 0, "{}: {}", self.agent, done.err);
        Some(serde_json::from_str(&done.out).unwrap())
    }
}

#[test]
fn the_plugin_answers_as_the_policy_says() {
    for agent in AGENTS {
        let place = Place::new(agent);
        let calls = ["touch made.txt", "touch old", "ask", "ls"];
        let Some(answers) = place.answers(&calls, "a secret") else { continue };
        assert!(answers[0].contains("denied: files grow on trees"), "{answers:?}");
        assert_eq!(answers[1], "runs: touch new");
        assert!(answers[2].starts_with("denied: is that so"), "{answers:?}");
        assert_eq!(answers[3], "runs: ls");
        assert!(answers[4].contains("not today"), "{answers:?}");
        let passes = place.answers(&[], "hello").unwrap();
        assert_eq!(passes, ["runs: hello"]);
    }
}

/// A command that a user types is denied, changed and asked about as one of the model.
#[test]
fn a_command_that_a_user_types_follows_the_policy() {
    let place = Place::new(AGENTS[1]);
    let typed = ["touch made.txt", "touch old", "ls"];
    let play = json!({"calls": [], "prompt": "hello", "typed": typed});
    let Some(answers) = place.play(&place.root().join(&place.plugin), &place.root(), play) else { return };
    assert!(answers[0].contains("denied: files grow on trees"), "{answers:?}");
    assert_eq!(answers[1], "0: before\n", "{answers:?}");
    assert_eq!(answers[2], "runs: ls");
    assert!(place.root().join("new").exists() && !place.root().join("old").exists());
}

/// The calls of a user are about the project of the session, those of a project about that.
#[test]
fn each_scope_has_its_project() {
    for (agent, user) in AGENTS.into_iter().zip([".config/opencode/plugins", ".pi/agent/extensions"]) {
        let place = Place::new(agent);
        let other = place.folder.path().canonicalize().unwrap().join("other");
        for directory in [".git/objects", ".git/refs", "sub"] {
            fs::create_dir_all(other.join(directory)).unwrap();
        }
        put(&other, ".git/HEAD", "ref: refs/heads/main\n");
        let asked = json!({"calls": ["where"], "prompt": "hello", "typed": []});
        let said = place.play(&place.root().join(&place.plugin), &other.join("sub"), asked.clone());
        let Some(said) = said else { continue };
        assert!(said[0].contains(&format!("in {}", place.root().display())), "{said:?}");
        let installed = place.hookc(&["install", agent.0, "guard.yaml", "--scope", "user"]);
        assert_eq!(installed.code, 0, "{}", installed.err);
        let plugin = place.folder.path().join("home").join(user).join("hookc.js");
        let answers = place.play(&plugin, &other.join("sub"), asked).unwrap();
        assert!(answers[0].contains(&format!("in {}", other.display())), "{answers:?}");
    }
}

#[test]
fn whatever_fails_denies() {
    for agent in AGENTS {
        for (broken, reason) in
            [("settings", "cannot decide"), ("program", "denied: "), ("policy", "denied: ")]
        {
            let place = Place::new(agent);
            match broken {
                "settings" => fs::remove_file(place.root().join(&place.settings)).unwrap(),
                "policy" => fs::remove_file(place.root().join("guard.yaml")).unwrap(),
                _ => {
                    let gone = read(place.root(), &place.settings).replace(" run --host", "-gone run --host");
                    put(place.root(), &place.settings, gone);
                }
            }
            let Some(answers) = place.answers(&["ls"], "hello") else { continue };
            assert!(answers.iter().all(|answer| answer.contains(reason)), "{broken} {answers:?}");
        }
    }
}

/// A call for another agent is reported; where the plugin can be played, it still does not let the action through.
#[test]
fn a_call_for_another_agent() {
    for agent in AGENTS {
        let place = Place::new(agent);
        let text = read(place.root(), &place.settings);
        put(place.root(), &place.settings, text.replace(&format!("--host {}", agent.0), "--host claude"));
        let doctor = place.hookc(&["doctor", "."]);
        assert!(doctor.out.contains("odd[wrong-host]"), "{doctor:?}");
        assert!(doctor.out.contains(&format!("write `--host {}`", agent.0)), "{doctor:?}");
        let Some(answers) = place.answers(&["touch made.txt"], "hello") else { continue };
        assert!(answers[0].contains("denied"), "{answers:?}");
    }
}

/// Changes the JSON of a settings file.
fn changed(place: &Place, change: impl Fn(&mut Value)) {
    let mut settings: Value = serde_json::from_str(&read(place.root(), &place.settings)).unwrap();
    change(&mut settings);
    put(place.root(), &place.settings, settings.to_string());
}

fn break_set_up(place: &Place, how: &str) {
    let (settings, plugin) = (place.root().join(&place.settings), place.root().join(&place.plugin));
    match how {
        "no plugin" => fs::remove_file(plugin).unwrap(),
        "another plugin" => fs::write(plugin, "export const Hookc = async () => ({});\n").unwrap(),
        "an older plugin" => {
            fs::write(&plugin, format!("{}\n", fs::read_to_string(&plugin).unwrap())).unwrap()
        }
        "a pipe" => {
            fs::remove_file(&plugin).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(plugin).status().unwrap().success());
        }
        "a huge file" => fs::OpenOptions::new().write(true).open(plugin).unwrap().set_len(1 << 40).unwrap(),
        "no settings" => fs::remove_file(settings).unwrap(),
        "no JSON" => fs::write(settings, "{\"hooks\": ").unwrap(),
        "a misspelt event" => changed(place, |root| {
            let calls = root["hooks"]["PreToolUse"].take();
            root["hooks"] =
                json!({"PreTolUse": calls, "UserPromptSubmit": root["hooks"]["UserPromptSubmit"]});
        }),
        "no hooks" => changed(place, |root| *root = root["hooks"].take()),
        "no policy" => fs::remove_file(place.root().join("guard.yaml")).unwrap(),
        "a broken policy" => {
            fs::write(place.root().join("guard.yaml"), "hooks: [{event: PreToolUse, acton: x}]").unwrap()
        }
        "no program" => {
            let gone = read(place.root(), &place.settings).replace(" run --host", "-gone run --host");
            put(place.root(), &place.settings, gone);
        }
        "disabled" => {}
        other => panic!("{other}"),
    }
}

#[test]
fn broken_set_ups_are_found() {
    for agent in AGENTS {
        let healthy = Place::new(agent);
        for verb in [&["probe", agent.0][..], &["doctor"]] {
            let found = healthy.hookc(verb);
            assert_eq!(found.code, 0, "{} {verb:?}: {}{}", agent.0, found.out, found.err);
        }
        let broken = [
            "no plugin",
            "another plugin",
            "an older plugin",
            "a pipe",
            "a huge file",
            "no settings",
            "no JSON",
            "a misspelt event",
            "no hooks",
            "no policy",
            "a broken policy",
            "no program",
            "disabled",
        ];
        for how in broken.into_iter().step_by(hookc_corpus::effort(1, 4)) {
            let place = Place::new(agent);
            break_set_up(&place, how);
            let variables = if how == "disabled" { &[("HOOKC_DISABLE", "1")][..] } else { &[] };
            for verb in [&["probe", agent.0][..], &["doctor"]] {
                let found = place.run(verb, variables);
                assert_eq!(found.code, 1, "{} {how}: {verb:?} {}{}", agent.0, found.out, found.err);
            }
        }
    }
}

/// Scripts, one for each event, have no settings: `doctor` reads each of them.
#[test]
fn scripts_are_examined_too() {
    for (how, what) in
        [("", ""), ("mode", "not-executable"), ("policy", "missing-policy"), ("program", "missing-file")]
    {
        let place = Place::new(("cline", ".clinerules", ""));
        let script = place.root().join(".clinerules/hooks/PreToolUse");
        match how {
            "mode" => fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap(),
            "policy" => fs::remove_file(place.root().join("guard.yaml")).unwrap(),
            "program" => {
                let gone = fs::read_to_string(&script).unwrap().replace(" run --host", "-gone run --host");
                fs::write(&script, gone).unwrap();
            }
            _ => {}
        }
        let found = place.hookc(&["doctor"]);
        assert_eq!(found.code, i32::from(!how.is_empty()), "{how}: {}{}", found.out, found.err);
        assert!(found.out.contains(what), "{how}: {}", found.out);
    }
}

/// Why the second file of an agent cannot be written.
fn obstacles(file: &Path, how: &str) {
    let directory = file.parent().unwrap();
    match how {
        "directory" => fs::create_dir_all(file).unwrap(),
        "link" => {
            fs::create_dir_all(directory.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink("/tmp", directory).unwrap();
        }
        "file above" => {
            drop(put(directory.parent().unwrap(), directory.file_name().unwrap().to_str().unwrap(), ""))
        }
        "not text" => drop(put(directory, file.file_name().unwrap().to_str().unwrap(), b"\xff\xfe")),
        _ => {
            let old = put(directory, file.file_name().unwrap().to_str().unwrap(), " ");
            fs::set_permissions(old, fs::Permissions::from_mode(0o444)).unwrap();
        }
    }
}

#[test]
fn what_cannot_be_written_whole_is_not_begun() {
    let scripts = ("cline", ".clinerules/hooks/PostToolUse", ".clinerules/hooks/PreToolUse");
    let plugins = [
        ("opencode", ".opencode/hookc.json", ".opencode/plugins/hookc.js"),
        ("pi", ".pi/hookc.json", ".pi/extensions/hookc.js"),
    ];
    for (agent, first, second) in plugins.into_iter().chain([scripts]) {
        for (how, code, why) in [
            ("directory", 2, "is a directory"),
            ("link", 2, "leads out of the project"),
            ("file above", 2, "Not a directory"),
            ("not text", 1, "is not UTF-8"),
            ("read-only", 2, "it is read-only"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            put(
                &folder,
                "guard.yaml",
                "hooks: [{event: PreToolUse, action: {type: deny, reason: not now}}, {event: PostToolUse, action: {type: run, command: 'true'}}]",
            );
            obstacles(&folder.path().join(second), how);
            let installed = common::hookc(&folder, &["install", agent, "guard.yaml"], "");
            assert_eq!(installed.code, code, "{agent} {how}: {installed:?}");
            let place = Path::new(second).parent().unwrap().to_str().unwrap();
            assert!(
                installed.err.contains(place) && installed.err.contains(why),
                "{agent} {how}: {installed:?}"
            );
            assert!(!folder.path().join(first).exists(), "{agent} {how}: {installed:?}");
        }
    }
}

/// A link of the project to an empty file elsewhere is not written through.
#[test]
fn scripts_are_written_in_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let outside = put(&folder, "outside", "");
    put(&folder, "p/guard.yaml", POLICY);
    fs::create_dir_all(folder.path().join("p/.clinerules/hooks")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.path().join("p/.clinerules/hooks/PreToolUse")).unwrap();
    let installed = common::hookc(folder.path().join("p"), &["install", "cline", "guard.yaml"], "");
    assert!(installed.code == 2 && installed.err.contains("leads out of the project"), "{installed:?}");
    assert_eq!(read(&folder, "outside"), "");
}

#[test]
fn uninstall_removes_all_files_or_none() {
    for agent in AGENTS {
        let place = Place::new(agent);
        let settings = place.root().join(&place.settings);
        fs::set_permissions(&settings, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(place.hookc(&["uninstall", agent.0]).code, 2);
        assert!(settings.exists() && place.root().join(&place.plugin).exists());
    }
}

#[test]
fn install_and_uninstall_are_about_both_files() {
    for agent in AGENTS {
        let place = Place::new(agent);
        assert!(place.hookc(&["status"]).out.contains(agent.0));
        let again = place.hookc(&["install", agent.0, "guard.yaml"]);
        assert!(again.code == 0 && again.err.contains("already"), "{}", again.err);
        put(place.root(), &place.plugin, "// An older one.\n");
        assert_eq!(place.hookc(&["install", agent.0, "guard.yaml"]).code, 0);
        assert!(read(place.root(), &place.plugin).contains("spawn"));
        assert_eq!(place.hookc(&["uninstall", agent.0]).code, 0);
        for file in [&place.settings, &place.plugin] {
            assert!(!Path::new(&place.root().join(file)).exists(), "{file}");
        }
    }
}
