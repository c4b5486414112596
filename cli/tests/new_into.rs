//! `hookc new hook` into existing files: their content stays byte for byte, with a backup next to
//! them.

use crate::common;

use std::path::{Path, PathBuf};

use common::{Run, put, read};
use serde_json::Value;

const SETTINGS: &str = ".claude/settings.json";
const STOP: &[&str] = &["--dialect=settings", "--id=x", "--event=Stop", "--handler=sh"];
const SKILL: &[&str] = &["--dialect=skill", "--id=s", "--event=post_execute"];
const DENY: &[&str] = &["--dialect=hooks-yaml", "--into=h.yaml", "--id=x", "--event=limit", "--action=deny"];

fn new(folder: &tempfile::TempDir, args: &[&str]) -> Run {
    common::hookc(folder, &[&["new", "hook"], args].concat(), "")
}

/// Adds a hook to a file; then twice more, which changes nothing.
fn changed(folder: &tempfile::TempDir, name: &str, args: &[&str]) -> String {
    let before = read(folder, name);
    let got = new(folder, args);
    assert_eq!((got.code, got.err.as_str()), (0, ""), "{}", got.out);
    assert!(got.out.contains(&format!("changed {name} (before: {name}.bak)\n")), "{}", got.out);
    assert_eq!(read(folder, &format!("{name}.bak")), before);
    let after = read(folder, name);
    let all = names(folder.path());
    for _ in 0..2 {
        let again = new(folder, args);
        let told = format!("{name} already has this hook: nothing was written\n");
        assert_eq!((again.code, again.out.as_str(), again.err), (0, "", told));
        assert_eq!((read(folder, name), names(folder.path())), (after.clone(), all.clone()));
    }
    if all.iter().any(|path| path.to_string_lossy().ends_with(".test.yaml")) {
        let test = common::hookc(folder, &["test", "."], "");
        assert_eq!(test.code, 0, "{}{}", test.out, test.err);
    }
    after
}

fn names(folder: &Path) -> Vec<PathBuf> {
    hookc_corpus::files(folder)
}

const BEFORE: &str = r#"{
	"hooks": {
		"Stop": [
			{"hooks": [{"type": "command", "command": "a"}]}
		]
	},
	"model": "m"
}"#;
const AFTER: &str = r#"{
	"hooks": {
		"Stop": [
			{"hooks": [{"type": "command", "command": "a"}]},
			{
				"hooks": [
					{
						"type": "command",
						"command": @
					}
				]
			}
		]
	},
	"model": "m"
}"#;

#[test]
fn settings() {
    let windows = |text: &str| text.replace('\n', "\r\n");
    let line = "{\"model\": \"m\", \"hooks\": {@}}";
    let put_in = "\"Stop\": [ {\"hooks\": [{\"type\": \"command\", \"command\": @}]} ]";
    for (before, after) in
        [(windows(BEFORE), windows(AFTER)), (line.replace('@', ""), line.replace('@', put_in))]
    {
        let folder = tempfile::tempdir().unwrap();
        put(&folder, SETTINGS, before);
        let command = "\"\\\"${CLAUDE_PROJECT_DIR:-.}\\\"/scripts/hooks/x.sh\"";
        assert_eq!(changed(&folder, SETTINGS, STOP), after.replace('@', command));
    }
}

#[test]
fn a_typed_hook_into_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "local.json", "{\n  // mine\n  \"hooks\": {}\n}\n");
    let flags =
        ["--dialect=settings", "--into=local.json", "--id=typed", "--event=PreToolUse", "--action=deny"];
    let more = ["--summary=no", "--when", "tool_input.command contains 'rm -rf'"];
    let got = new(&folder, &[&flags[..], &more[..]].concat());
    assert!(
        got.code == 0 && got.out.contains("hookc run --host claude local.json"),
        "{}{}",
        got.out,
        got.err
    );
    let after = read(&folder, "local.json");
    assert!(after.starts_with("{\n  // mine\n  \"hooks\": {\"PreToolUse\": [\n"), "{after}");
    assert!(read(&folder, "scripts/hooks/typed.test.yaml").contains("policy: ../../local.json\n"));
    assert_eq!(common::hookc(&folder, &["test", "scripts"], "").code, 0);
}

#[test]
fn skills() {
    let name = ".claude/skills/s/SKILL.md";
    let own = "---\nname: s # mine\ndescription: |\n  d\nhooks:\n    # first\n    pre_execute: hooks/a.py\n\ntrigger: /s\n---\n\n# S\n";
    for (before, after) in [
        (own, own.replace("a.py\n", "a.py\n    post_execute: hooks/post_execute.py\n")),
        (
            &own.replace("pre_", "post_"),
            own.replace("pre_execute: hooks/a.py", "post_execute: [hooks/a.py, hooks/post_execute.py]"),
        ),
        ("---\nname: s\ndescription: d\n---\nb", "---\nname: s\ndescription: d\nhooks:\n  post_execute: hooks/post_execute.py\n---\nb".to_owned()),
        ("", "---\nname: s\ndescription: Describe the skill here.\nhooks:\n  post_execute: hooks/post_execute.py\n---\n\n# s\n\nDescribe the skill here.\n".to_owned()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(&folder, name, before);
        put(&folder, ".claude/skills/s/hooks/a.py", "def execute(context): pass\n");
        assert_eq!(changed(&folder, name, SKILL), after);
    }
    let folder = tempfile::tempdir().unwrap();
    put(&folder, name, "\u{feff}# S\r\n");
    let got = new(&folder, &[SKILL, &["--summary=d"]].concat());
    assert_eq!(got.code, 0, "{}", got.err);
    let matter =
        "---\r\nname: s\r\ndescription: d\r\nhooks:\r\n  post_execute: hooks/post_execute.py\r\n---\r\n\r\n";
    assert_eq!(read(&folder, name), format!("\u{feff}{matter}# S\r\n"));
}

#[test]
fn hooks_yaml_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let before =
        "hooks:\n- id: a  # mine\n  event: error\n  action: {type: abort}\n\nschema_version: \"1.0.0\"\n";
    put(&folder, "h.yaml", before);
    let item = "- id: x\n  event: limit\n  action:\n    type: deny\n";
    assert_eq!(changed(&folder, "h.yaml", DENY), before.replace("abort}\n", &format!("abort}}\n{item}")));
    // A missing file is created.
    let got = new(&folder, &[&["--into=deep/h.yaml", "--id=y", DENY[0]], &DENY[3..]].concat());
    assert!(got.code == 0 && got.out.contains("created deep/h.yaml\n"), "{}{}", got.out, got.err);
    assert!(read(&folder, ".hooks/y.test.yaml").contains("policy: ../deep/h.yaml\n"));
}

#[test]
fn missing_files_are_created_again() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, SETTINGS, "{}\n");
    changed(&folder, SETTINGS, STOP);
    std::fs::remove_file(folder.path().join("scripts/hooks/x.test.yaml")).unwrap();
    put(&folder, "scripts/hooks/x.sh", "mine");
    let got = new(&folder, STOP);
    assert_eq!((got.code, got.err.as_str()), (0, ".claude/settings.json already has this hook\n"));
    assert!(got.out.starts_with("created scripts/hooks/x.test.yaml (its test)\n\ntry it:\n"), "{}", got.out);
    assert_eq!(read(&folder, "scripts/hooks/x.sh"), "mine");
}

#[test]
fn a_dry_run_shows_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, SETTINGS, "{\n  \"model\": \"m\"\n}\n");
    let got = new(&folder, &[STOP, &["--dry-run"]].concat());
    let shown = "--- .claude/settings.json\n+++ .claude/settings.json\n@@ -1,3 +1,";
    assert!(
        got.code == 0 && got.out.contains(shown) && got.out.contains("--- scripts/hooks/x.sh\n"),
        "{}",
        got.out
    );
    let got = new(&folder, &[STOP, &["--dry-run", "--format=json"]].concat());
    let told: Value = serde_json::from_str(&got.out).unwrap();
    assert!(told["changed"]["text"].as_str().unwrap().contains("scripts/hooks/x.sh"), "{told}");
    assert_eq!(names(folder.path()).len(), 1);
    let got = new(&folder, &[STOP, &["--format=json"]].concat());
    let told: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!(told["changed"]["before"], ".claude/settings.json.bak");
}

/// A file that cannot be edited exactly is unchanged.
#[test]
fn rejected_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |before: &str, name: &str, args: &[&str], code: i32, told: &str| {
        put(&folder, name, before);
        let count = names(folder.path()).len();
        let got = new(&folder, args);
        assert!(got.code == code && got.err.contains(told), "{before}: {}{}", got.out, got.err);
        assert_eq!((read(&folder, name).as_str(), names(folder.path()).len()), (before, count));
    };
    refused("{\"hooks\": [", SETTINGS, STOP, 1, "already has errors: nothing was written");
    refused("{\"hooks\": []}", SETTINGS, STOP, 1, "nothing was written");
    refused("hooks: [{id: a, event: limit}]\n", "h.yaml", DENY, 1, "error[E0202]");
    let same = "hooks:\n  - {id: x, event: limit, action: {type: abort}}\n";
    refused(same, "h.yaml", DENY, 1, "the file with the hook does not compile: nothing was written");
    refused("---\nname: s\n", ".claude/skills/s/SKILL.md", SKILL, 1, "error[E0261]");
    refused("a: 1\n", "h.yaml", &["--dialect=repository", "--into=h.yaml"], 2, "has its own file");
    put(&folder, SETTINGS, "{}");
    put(&folder, "scripts/hooks/x.sh", "mine");
    refused("{}", SETTINGS, STOP, 2, "scripts/hooks/x.sh already exists: nothing was written");
    // If the edit is ambiguous, the text to add is shown.
    let anchored = "builtin_hooks: &all\n  - {event: limit, action: {type: abort}}\nhooks: *all\n";
    put(&folder, "h.yaml", anchored);
    let got = new(&folder, DENY);
    assert_eq!((got.code, read(&folder, "h.yaml").as_str()), (0, anchored), "{}", got.err);
    assert!(
        got.out.contains("add this to h.yaml, which already exists:\n\nhooks:\n  - id: x\n"),
        "{}",
        got.out
    );
    assert!(!folder.path().join(".hooks/x.test.yaml").exists());
}

/// Published files accept the hook, or nothing is written.
#[test]
fn wild_files() {
    let Some(shared) = hookc_corpus::shared() else { return };
    let skill = ".claude/skills/s/SKILL.md";
    for (kind, name, args, least) in [("claude", SETTINGS, STOP, 90), ("skills/plain", skill, SKILL, 10)] {
        let mut put_in = 0;
        let short = hookc_corpus::effort(1, 5);
        for path in hookc_corpus::files(&shared.join("wild").join(kind)).into_iter().step_by(short) {
            let Ok(before) = std::fs::read_to_string(&path) else { continue };
            let folder = tempfile::tempdir().unwrap();
            put(&folder, name, &before);
            let got = new(&folder, args);
            let after = read(&folder, name);
            if got.code != 0 {
                assert!(
                    got.code == 1 && got.err.contains("nothing was written"),
                    "{}: {}",
                    path.display(),
                    got.err
                );
                assert_eq!((after, names(folder.path()).len()), (before, 1));
                continue;
            }
            if after != before {
                assert_eq!(read(&folder, &format!("{name}.bak")), before);
                assert_eq!(
                    hooks(&folder, name),
                    hooks(&folder, &format!("{name}.bak")) + 1,
                    "{}",
                    path.display()
                );
                put_in += 1;
            }
        }
        assert!(put_in >= least / short, "{kind}: {put_in}");
    }
}

fn hooks(folder: &tempfile::TempDir, name: &str) -> usize {
    let dialect = if name.contains("SKILL") { "skill" } else { "settings" };
    let args = ["list", "--no-builtin", "--no-fs", "--format", "json", "--dialect", dialect, name];
    common::hookc(folder, &args, "").out.lines().count()
}
