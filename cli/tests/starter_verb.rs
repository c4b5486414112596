//! `hookc starter`, `hookc new --recipe` and `hookc run --or-starter`.

use crate::common;

use std::fs;

use common::{hookc, put, read};

const EVENT: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"git push origin main"}}"#;

/// The starters that can be part of a guard.
const PARTS: [&str; 6] = [
    "secrets",
    "destructive-commands",
    "protected-branches",
    "guard-itself",
    "network",
    "publish-and-deploy",
];

#[test]
fn the_list_has_starters_and_recipes() {
    let folder = tempfile::tempdir().unwrap();
    let list = hookc(&folder, &["starter", "list"], "");
    assert_eq!(list.code, 0, "{}", list.err);
    for name in ["guard", "secrets", "rate-limits", "protected-branch", "tests-before-stop"] {
        assert!(list.out.contains(&format!("  {name} ")), "{name}: {}", list.out);
    }
    let json = hookc(&folder, &["starter", "list", "--format", "json"], "");
    let kinds: Vec<serde_json::Value> =
        json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(kinds.iter().any(|one| one["kind"] == "recipe" && one["name"] == "budgets"), "{}", json.out);
}

/// Each starter and each recipe is written with its tests, compiles without a warning and passes them.
#[test]
fn what_is_written_passes_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    let list = hookc(&folder, &["starter", "list", "--format", "json"], "").out;
    for line in list.lines().step_by(hookc_corpus::effort(1, 6)) {
        let one: serde_json::Value = serde_json::from_str(line).unwrap();
        let (kind, name) = (one["kind"].as_str().unwrap(), one["name"].as_str().unwrap());
        let file = format!("{kind}s/{name}.yaml");
        let args = match kind {
            "starter" => ["starter", "add", name, "--into", &file],
            _ => ["new", "--recipe", name, "--into", &file],
        };
        let dry = hookc(&folder, &[&args[..], &["--dry-run"]].concat(), "");
        assert!(dry.code == 0 && dry.out.contains("+hooks:"), "{}", dry.err);
        assert!(!folder.path().join(&file).exists());
        let added = hookc(&folder, &args, "");
        assert!(added.code == 0 && added.err.contains("next: `hookc test"), "{added:?}");
        let again = hookc(&folder, &args, "");
        assert!(again.code == 0 && again.err.contains("there already"), "{again:?}");
        put(&folder, &file, read(&folder, &file) + "# mine\n");
        let kept = hookc(&folder, &args, "");
        assert!(kept.code == 2 && kept.err.contains("already exists: nothing was written"), "{kept:?}");
        let check = hookc(&folder, &["check", "--no-fs", "--deny", "warnings", &file], "");
        assert_eq!(check.code, 0, "{name}: {}", check.err);
        let test = hookc(&folder, &["test", &file.replace(".yaml", ".test.yaml")], "");
        assert_eq!(test.code, 0, "{name}: {}{}", test.out, test.err);
    }
    for (args, why) in [
        (&["starter", "show", "gaurd"][..], "did you mean `guard`?"),
        (&["starter", "add", "protected-branch"], "hookc new --recipe protected-branch"),
        (&["new", "--recipe", "network"], "hookc starter add network"),
        (&["new"], "--recipe"),
        (&["new", "--into", "x.yaml"], "--recipe"),
        (&["starter", "add", "guard", "--into", "x.json"], "ends with `.yaml`"),
        (&["starter", "add", "guard", "--into", "x.test.yaml"], "ends with `.yaml`"),
    ] {
        let wrong = hookc(&folder, args, "");
        assert!(wrong.code == 2 && (wrong.err.clone() + &wrong.out).contains(why), "{args:?}: {wrong:?}");
    }
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

/// The policy of several starters has all their hooks. Since an event has the same verdict in all of them together, it
/// has it in each selection.
#[test]
fn a_guard_of_all_parts_decides_as_they_do() {
    let folder = tempfile::tempdir().unwrap();
    let parts = &PARTS[..hookc_corpus::effort(PARTS.len(), 2)];
    let args: Vec<&str> = parts.iter().flat_map(|part| ["--starter", part]).collect();
    fs::create_dir_all(folder.path().join(".claude")).unwrap();
    let mut command = common::command(&folder);
    command.args(["init", "--yes", "--host", "claude"]).args(&args).env("HOME", folder.path().join("home"));
    let run = common::run(&mut command, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let hooks = |text: &str| text.matches("\n  - id: ").count();
    let starters = parts.iter().map(|part| hooks(&hookc(&folder, &["starter", "show", part], "").out));
    let guard = read(&folder, "guard.yaml");
    assert_eq!(hooks(&guard), starters.sum::<usize>());
    let test = hookc(&folder, &["test", "guard.test.yaml"], "");
    assert_eq!(test.code, 0, "{}", test.out);
    assert!(test.out.contains(&format!("tests exercise all {} hooks", hooks(&guard))), "{}", test.out);
}

#[test]
fn without_a_policy_the_starter_decides() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("r");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir_all(root.join("sub")).unwrap();
    let decide = |place: &str, more: &[&str]| {
        let mut command = common::command(folder.path().join(place));
        let args = ["run", "--host", "claude", "--or-starter", "guard"];
        command.args(args).args(more).env("HOME", folder.path().join("home"));
        common::run(&mut command, EVENT)
    };
    let log = folder.path().join("log");
    let log = ["--log", log.to_str().unwrap()];
    let starter = decide("r/sub", &log);
    assert!(starter.out.contains("\"deny\"") && starter.out.contains("reviewed work"), "{starter:?}");
    assert!(read(&folder, "log").contains("\"starter:guard\""), "{}", read(&folder, "log"));
    // Broken settings of the policy deny, as ever.
    let policy = "hooks: [{id: a, event: PreToolUse, action: {type: ask, reason: of the project}}]\n";
    for name in ["r/guard.yaml", "r/hooks.yaml", "r/.hooks/p.yaml", "r/sub/mine.yaml"] {
        put(&folder, name, policy);
        let more: &[&str] =
            if name.ends_with("mine.yaml") { &["mine.yaml", "--no-log"] } else { &["--no-log"] };
        let decided = decide("r/sub", more);
        assert!(decided.out.contains("of the project"), "{name}: {decided:?}");
        put(&folder, name, "hooks: [{");
        let broken = decide("r/sub", more);
        assert!(broken.out.contains("\"deny\"") || broken.code == 2, "{name}: {broken:?}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    fs::remove_dir(root.join(".hooks")).unwrap();
    let unknown = hookc(&root, &["run", "--host", "claude", "--or-starter", "gaurd"], EVENT);
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `guard`?"), "{unknown:?}");
    // Settings that call hookc decide alone.
    put(&folder, "r/p.yaml", policy);
    let call = |line: &str| {
        let entry =
            serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": line}]}]}});
        put(&folder, "r/.claude/settings.json", entry.to_string());
    };
    call("hookc run --host claude \"$CLAUDE_PROJECT_DIR/p.yaml\"");
    let silent = decide("r", &["--no-log"]);
    assert_eq!((silent.code, silent.out.as_str(), silent.err.as_str()), (0, "", ""));
    // The call itself is no reason to be silent.
    call("hookc run --host claude --or-starter guard");
    assert!(decide("r", &["--no-log"]).out.contains("\"deny\""));
}
