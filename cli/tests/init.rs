//! `hookc init`: a guard from nothing, and the mistakes of a tired person.
#![cfg(unix)]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{Run, put, read};

/// A repository `r` with settings of Claude Code, and a home.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Self::without_agent();
        fs::create_dir_all(project.at("r/.claude")).unwrap();
        project
    }

    fn without_agent() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for folder in ["r/.git", "r/sub/deep", "home"] {
            fs::create_dir_all(project.at(folder)).unwrap();
        }
        project
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn in_folder(&self, folder: &str, args: &[&str], input: &str) -> Run {
        let mut command = common::command(self.at(folder));
        command.args(args).env("HOME", self.at("home")).env("XDG_STATE_HOME", self.at("home/state"));
        common::run(&mut command, input)
    }

    fn init(&self, args: &[&str]) -> Run {
        self.in_folder("r", &[&["init"], args].concat(), "")
    }

    /// Like `init`, with a small starter in a short run: what the default consists of has hundreds of tests.
    fn small_init(&self, args: &[&str]) -> Run {
        let starter: &[&str] = if hookc_corpus::is_full() { &[] } else { &["--starter", "guard-itself"] };
        self.init(&[args, starter].concat())
    }

    /// All files of the repository, with their texts.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.at("r")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path)
                } else {
                    drop(found.insert(path.clone(), fs::read(&path).unwrap()))
                }
            }
        }
        found
    }
}

#[test]
fn a_guard_from_nothing_and_a_second_time() {
    let project = Project::new();
    let starter: &[&str] = if hookc_corpus::is_full() {
        &[]
    } else {
        &["--starter", "protected-branches", "--starter", "guard-itself"]
    };
    let run = project.in_folder("r/sub/deep", &[&["init", "--yes"], starter].concat(), "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for said in [
        "found Claude Code (.claude/settings.json in this project)",
        "guard.test.yaml: all tests pass",
        "  PreToolUse: ",
        "note: everyone who shares these settings needs `hookc`",
        "again",
        "try it: hookc eval --pretty ",
    ] {
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
    assert!(run.out.contains("+") && run.out.contains("hookc"), "the difference: {}", run.out);
    let settings = read(project.at("r"), ".claude/settings.json");
    assert!(
        settings.contains("run --host claude") && settings.contains("$CLAUDE_PROJECT_DIR/guard.yaml"),
        "{settings}"
    );
    assert!(!project.at("r/sub/deep/guard.yaml").exists() && !project.at("r/sub/deep/.claude").exists());
    let denied = project.in_folder(
        "r",
        &["run", "--host", "claude", "--no-log", "guard.yaml"],
        r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"git push origin main"}}"#,
    );
    assert!(denied.out.contains("\"deny\""), "{denied:?}");
    let before = project.files();
    let again = project.init(&["--yes"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("guard.yaml already exists and stays as it is"), "{}", again.err);
    assert_eq!(before, project.files());
}

#[test]
fn each_agent_gets_what_it_can() {
    for agent in
        ["codex", "claude", "gemini", "cursor", "copilot"].into_iter().take(hookc_corpus::effort(5, 1))
    {
        let project = Project::without_agent();
        let run = project.small_init(&["--yes", "--host", agent]);
        assert_eq!(run.code, 0, "{agent}: {}{}", run.out, run.err);
        assert!(!run.err.contains("warning["), "{agent}: {}", run.err);
        let check = project.in_folder("r", &["check", "--host", agent, "guard.yaml"], "");
        assert_eq!(check.code, 0, "{agent}: {}", check.err);
    }
}

#[test]
fn the_agents_of_the_repository_come_before_those_of_the_person() {
    let project = Project::without_agent();
    let none = project.init(&["--yes"]);
    assert!(none.code == 2 && none.err.contains("none was found here: claude"), "{}", none.err);
    fs::create_dir_all(project.at("home/.gemini")).unwrap();
    let personal = project.small_init(&["--dry-run"]);
    assert!(
        personal.code == 0
            && personal.err.contains("found Gemini CLI")
            && personal.out.contains(".gemini/settings.json"),
        "{personal:?}"
    );
    put(project.at("r"), ".cursor/rules/a.md", "");
    let repository = project.small_init(&["--dry-run"]);
    assert!(!repository.out.contains(".gemini/settings.json"), "{}", repository.out);
    assert!(repository.out.contains(".cursor/hooks.json"), "{}", repository.out);
}

/// Each mistake has its message, and nothing is half written.
#[test]
fn mistakes_of_a_tired_person() {
    type Prepare = fn(&Project);
    let cases: [(&str, Prepare, &str, &[&str], &str); 9] = [
        ("an unknown starter", |_| (), "r", &["--yes", "--starter", "secret"], "did you mean `secrets`?"),
        ("an unknown agent", |_| (), "r", &["--yes", "--host", "cluade"], "did you mean `claude`?"),
        ("no terminal", |_| (), "r", &[], "`hookc init --yes` takes the defaults"),
        ("in the home", |_| (), "home", &["--yes"], "is not a project"),
        (
            "settings that cannot be read",
            |project| drop(put(project.at("r"), ".claude/settings.json", "{\"hooks\": [}")),
            "r",
            &["--yes"],
            ".claude/settings.json:1:",
        ),
        (
            "a policy with an error",
            |project| {
                drop(put(
                    project.at("r"),
                    "guard.yaml",
                    "hooks: [{event: PreToolUs, action: {type: deny}}]\n",
                ))
            },
            "r",
            &["--yes"],
            "guard.yaml:1:",
        ),
        (
            "starters for an existing policy",
            |project| drop(put(project.at("r"), "guard.yaml", "hooks: []\n")),
            "r",
            &["--yes", "--starter", "network"],
            "`hookc starter add NAME` writes a starter to another file",
        ),
        (
            "tests without a policy",
            |project| drop(put(project.at("r"), "guard.test.yaml", "tests: []\n")),
            "r",
            &["--yes"],
            "choose another name with `--into`",
        ),
        (
            "a test that fails",
            |project| {
                put(
                    project.at("r"),
                    "guard.yaml",
                    "hooks: [{id: a, event: PreToolUse, when: pushes('x'), action: {type: deny, reason: r}}]\n",
                );
                let test = "policy: guard.yaml\ntests: [{type: PreToolUse, event: {tool_name: Bash, tool_input: {command: ls}}, expect: deny}]\n";
                put(project.at("r"), "guard.test.yaml", test);
            },
            "r",
            &["--yes"],
            "nothing was installed",
        ),
    ];
    for (name, prepare, folder, args, said) in cases {
        let project = Project::new();
        prepare(&project);
        let before = project.files();
        let run = project.in_folder(folder, &[&["init"], args].concat(), "");
        assert!(run.code != 0 && run.err.contains(said), "{name}: {run:?}");
        assert_eq!(before, project.files(), "{name}");
    }
}

#[test]
fn without_a_repository_and_with_hooks_of_others() {
    let project = Project::new();
    fs::remove_dir(project.at("r/.git")).unwrap();
    let theirs = "{\n  // mine\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./mine.sh\"}]}]}\n}\n";
    put(project.at("r"), ".claude/settings.json", theirs);
    let piped = project.in_folder("r", &["init"], "y\ny\ny\n");
    assert!(piped.code == 2 && !project.at("r/guard.yaml").exists(), "{}", piped.err);
    let run = project.small_init(&["--yes"]);
    assert!(run.code == 0 && run.err.contains("no repository contains"), "{}", run.err);
    let settings = read(project.at("r"), ".claude/settings.json");
    assert!(
        settings.contains("./mine.sh") && settings.contains("// mine") && settings.contains("hookc"),
        "{settings}"
    );
}

#[test]
fn a_directory_that_cannot_be_written() {
    let project = Project::new();
    fs::set_permissions(project.at("r"), fs::Permissions::from_mode(0o555)).unwrap();
    let run = if fs::write(project.at("r/probe"), "").is_ok() {
        // For root, a place where no one can write.
        fs::remove_file(project.at("r/probe")).unwrap();
        let mut command =
            common::command(Path::new("/proc/self/fd").canonicalize().unwrap_or_else(|_| "/proc".into()));
        command
            .args(["init", "--yes", "--host", "claude", "--starter", "guard-itself"])
            .env("HOME", project.at("home"));
        common::run(&mut command, "")
    } else {
        project.small_init(&["--yes"])
    };
    fs::set_permissions(project.at("r"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(run.code == 2 && run.err.contains("guard.yaml: "), "{run:?}");
    assert!(!project.at("r/guard.yaml").exists());
}

#[test]
fn questions_and_answers() {
    let project = Project::new();
    let at = |steps: &[(&str, &str)]| common::terminal(project.at("r"), steps, &["init"]);
    let before = project.files();
    let Some((ended, err)) = at(&[
        ("Which agents", "claude\n"),
        ("What to guard", "secrets,nework\n"),
        ("did you mean `network`?", "secrets,network\n"),
        ("answer its questions", "no\n"),
        ("Write the policy", "no\n"),
    ]) else {
        return;
    };
    assert!(ended.starts_with("0\n") && ended.contains("nothing was written"), "{ended}{err}");
    assert_eq!(before, project.files());
    // Ctrl-C at a question.
    let (ended, err) = at(&[("Which agents", "\u{3}")]).unwrap();
    assert!(!ended.starts_with("0\n"), "{ended}{err}");
    assert_eq!(before, project.files());
    let (ended, err) = at(&[
        ("Which agents", "\n"),
        ("What to guard", "network\n"),
        ("answer its", "no\n"),
        ("Write", "\n"),
    ])
    .unwrap();
    assert!(ended.starts_with("0\n") && ended.contains("try it: "), "{ended}{err}");
    assert!(read(project.at("r"), ".claude/settings.json").contains("--ask deny"), "{ended}");
    assert!(!read(project.at("r"), "guard.yaml").contains("guard_changed"));
}
