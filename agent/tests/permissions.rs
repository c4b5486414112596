//! Permission rules, modes, and hooks of `PermissionRequest`.

use serde_json::json;

use super::world::{World, bash, group, handler};

/// Whether the project has these files after a script with these permissions.
fn files(world: &World, names: &[&str]) -> Vec<bool> {
    names.iter().map(|name| world.path(&format!("project/{name}")).exists()).collect()
}

#[test]
fn rules_allow_deny_and_ask() {
    let world = World::new();
    world.settings(json!({"permissions": {
        "allow": ["Bash(touch *)", "Write(*.md)"], "deny": ["Bash(* secret*)"], "ask": ["Bash(touch asked)"]}}));
    world.script(&[
        bash("touch allowed"),
        bash("touch secret1"),
        bash("touch x; mkdir y"),
        bash("touch asked"),
        json!({"tool_calls": [{"name": "Write", "input": {"file_path": "a.md", "content": ""}},
            {"name": "Write", "input": {"file_path": "a.rs", "content": ""}}]}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &["--output-format", "json", "--compat", "claude"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let there = files(&world, &["allowed", "secret1", "y", "asked", "a.md", "a.rs"]);
    assert_eq!(there, [true, false, false, false, true, false]);
    let denials = super::world::lines(&run.out)[0]["permission_denials"].as_array().unwrap().len();
    assert_eq!(denials, 4);
    let posted = world.steps("tool_posted");
    assert!(
        posted[1]["content"].as_str().unwrap().contains("the rule `Bash(* secret*)` denies it"),
        "{posted:?}"
    );
    assert!(posted[2]["content"].as_str().unwrap().contains("no terminal to ask on"), "{posted:?}");
}

#[test]
fn modes() {
    let table = [
        (None, [false, false]),
        (Some("acceptEdits"), [true, false]),
        (Some("plan"), [false, false]),
        (Some("bypassPermissions"), [true, true]),
    ];
    for (mode, expected) in table {
        let world = World::new();
        world.write("project/read.txt", "content");
        world.script(&[
            json!({"tool_calls": [{"name": "Read", "input": {"file_path": "read.txt"}},
                {"name": "Write", "input": {"file_path": "w", "content": ""}},
                {"name": "Bash", "input": {"command": "touch b"}}]}),
            json!({"text": "done"}),
        ]);
        let args: Vec<&str> = mode.iter().flat_map(|mode| ["--permission-mode", mode]).collect();
        assert_eq!(world.ask("go", &args).code, Some(0));
        assert_eq!(files(&world, &["w", "b"]), expected, "{mode:?}");
        assert_eq!(world.steps("tool_posted")[0]["is_error"], false);
    }
}

#[test]
fn edits_of_the_policy_are_asked_about() {
    let world = World::new();
    world.settings(json!({"permissions": {"defaultMode": "acceptEdits"}}));
    std::os::unix::fs::symlink(world.path("project/.claude"), world.path("project/other")).unwrap();
    let write = |path: &str| json!({"name": "Write", "input": {"file_path": path, "content": "{}"}});
    let paths = [
        ".claude/settings.json",
        "other/settings.json",
        "src/../.claude/settings.json",
        ".system/hooks/x.yaml",
    ];
    world.script(&[json!({"tool_calls": paths.map(write)}), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    assert!(world.steps("tool_posted").iter().all(|step| step["is_error"] == true));
    assert!(!world.path("project/.system").exists() && !world.path("project/src").exists());
}

/// The files of agents, of Git and of hookc in any directory, in every spelling that some disk takes for them.
#[test]
fn edits_of_hooks_anywhere_are_asked_about() {
    let world = World::new();
    world.settings(json!({"permissions": {"defaultMode": "acceptEdits"}}));
    for file in ["sub/.git/config", "bare/HEAD", "bare/objects/x", "bare/refs/x", "src/a"] {
        world.write(&format!("project/{file}"), "old");
    }
    std::os::unix::fs::symlink(world.path("project/sub/.git"), world.path("project/link")).unwrap();
    let asked = [
        "sub/.git/hooks/x",
        "sub/.git/config",
        "sub/new/.git",
        "src/../sub/.git/config",
        "link/config",
        ".Git/config",
        ".CLAUDE/settings.json",
        "sub/.claude/settings.json",
        "a/b/.codex/hooks.json",
        ".gemini/settings.json",
        "sub/.Cursor/hooks.json",
        ".github/hooks/x.json",
        "sub/.GitHub/Hooks/x.json",
        ".kiro/hooks/x.json",
        ".hooks/policy.yaml",
        ".vscode/tasks.json",
        "sub/.VSCode/settings.json",
        ".idea/workspace.xml",
        ".husky/pre-commit",
        "sub/.ai/config/hooks.yaml",
        ".git./config",
        ".git . /config",
        ".git::$INDEX_ALLOCATION/config",
        "GIT~1/config",
        "claude~1/settings.json",
        ".g\u{200c}it/config",
        "bare/hooks/x",
        "bare/config",
        "other/HEAD",
    ];
    let accepted =
        ["src/a", ".gitignore", "git/x", ".github/README.md", "sub/.gitattributes", "heading", "hooks/x"];
    let write = |path: &&str| json!({"name": "Write", "input": {"file_path": path, "content": "new"}});
    let calls: Vec<_> = asked.iter().chain(&accepted).map(write).collect();
    world.script(&[json!({"tool_calls": calls}), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    let posted = world.steps("tool_posted");
    let wrong = asked.iter().chain(&accepted).zip(&posted).enumerate();
    let wrong = wrong.filter(|(at, (_, step))| (step["is_error"] == true) != (*at < asked.len()));
    let wrong: Vec<_> = wrong.map(|(_, (path, _))| path).collect();
    assert!(wrong.is_empty() && posted.len() == calls.len(), "{wrong:?}");
}

#[test]
fn files_outside_of_the_project_need_a_rule() {
    let world = World::new();
    world.write("outside.txt", "far");
    std::os::unix::fs::symlink(world.path("outside.txt"), world.path("project/link")).unwrap();
    world.script(&[
        json!({"tool_calls": [{"name": "Read", "input": {"file_path": "../outside.txt"}},
            {"name": "Read", "input": {"file_path": "link"}},
            {"name": "Write", "input": {"file_path": "../new", "content": ""}}]}),
        json!({"text": "done"}),
    ]);
    assert_eq!(world.ask("go", &["--permission-mode", "acceptEdits"]).code, Some(0));
    assert!(world.steps("tool_posted").iter().all(|step| step["is_error"] == true));
    assert!(!world.path("new").exists());
}

#[test]
fn directories_of_the_policy_need_not_exist() {
    let world = World::new();
    world.write("project/src/a", "");
    let write = |path: &str| json!({"name": "Write", "input": {"file_path": path, "content": "{}"}});
    let paths = ["src/../.claude/settings.local.json", "src/../.system/hooks/x.yaml", "src/../.ai/x"];
    world.script(&[json!({"tool_calls": paths.map(write)}), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &["--permission-mode", "acceptEdits"]).code, Some(0));
    let posted = world.steps("tool_posted");
    assert_eq!(posted.len(), 3);
    assert!(posted.iter().all(|step| step["is_error"] == true), "{posted:?}");
}

#[test]
fn rules_for_edit_and_read_are_about_all_tools_for_files() {
    let world = World::new();
    world.write("project/secret/f", "KEEP");
    world.write("project/open/f", "KEEP");
    world.settings(json!({"permissions": {
        "deny": ["Edit(secret/**)", "Read(secret/**)"], "defaultMode": "bypassPermissions"}}));
    let grep = |path: &str| {
        let input = json!({"pattern": "KEEP", "path": path, "output_mode": "content"});
        json!({"name": "Grep", "input": input})
    };
    let glob = json!({"name": "Glob", "input": {"pattern": "**/f"}});
    let write = json!({"name": "Write", "input": {"file_path": "secret/f", "content": "x"}});
    let calls = [write, grep("secret/f"), grep("secret"), grep("."), glob];
    world.script(&[json!({"tool_calls": calls}), json!({"text": "done"})]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(world.read("project/secret/f"), "KEEP");
    let posted = world.steps("tool_posted");
    let errors: Vec<bool> = posted.iter().map(|step| step["is_error"] == true).collect();
    assert_eq!(errors, [true, true, false, false, false], "{posted:?}");
    for step in posted.iter().skip(2) {
        let content = step["content"].as_str().unwrap();
        assert!(!content.contains("secret/f"), "{content}");
        assert!(content.contains("left out by permission rules: 1"), "{content}");
    }
    assert!(posted[3]["content"].as_str().unwrap().contains("open/f:1:KEEP"), "{posted:?}");
}

#[test]
fn a_changed_input_is_checked_again() {
    let world = World::new();
    let answer = json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
        "decision": {"behavior": "allow", "updatedInput": {"command": "touch changed"}}}});
    world.write("project/allow.json", &answer.to_string());
    for (deny, expected) in [(json!([]), true), (json!(["Bash(touch *)"]), false)] {
        let _ = std::fs::remove_file(world.path("project/changed"));
        world.settings(json!({"permissions": {"deny": deny},
            "hooks": {"PermissionRequest": [group("Bash", "cat allow.json")]}}));
        world.script(&[bash("mkdir x"), json!({"text": "done"})]);
        let run = world.ask("go", &[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(files(&world, &["changed"]), [expected]);
    }
}

#[test]
fn hooks_of_permission_requests_decide() {
    let world = World::new();
    let answer = |behavior: &str| {
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
            "decision": {"behavior": behavior, "message": "by a hook"}}})
    };
    world.write("project/allow.json", &answer("allow").to_string());
    world.write("project/deny.json", &answer("deny").to_string());
    world.settings(json!({"hooks": {
        "PermissionRequest": [group("Bash", "cat allow.json"), group("Write", "cat deny.json")],
        "PermissionDenied": [handler("echo \"$TOOL_NAME\" >> denied")],
    }}));
    world.script(&[
        bash("touch a"),
        json!({"tool_calls": [{"name": "Write", "input": {"file_path": "b", "content": ""}}]}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(files(&world, &["a", "b"]), [true, false]);
    assert_eq!(world.steps("tool_posted")[1]["content"], "denied: by a hook");
    assert_eq!(world.read("project/denied"), "Write\n");
}

#[test]
fn a_flat_handler_observes_and_overrides_the_request() {
    let world = World::new();
    world.settings(json!({"hooks": {"PermissionRequest": [handler("echo \"$TOOL_NAME\" >> seen")]}}));
    world.script(&[bash("touch a"), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    assert_eq!((world.read("project/seen").as_str(), world.path("project/a").exists()), ("Bash\n", false));
}

/// `script` (util-linux) runs a command on a terminal.
#[test]
fn a_terminal_is_asked() {
    if !std::process::Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success()) {
        eprintln!("skipped: there is no `script`");
        return;
    }
    for (answer, there) in [("y", true), ("n", false)] {
        let world = World::new();
        world.script(&[bash("touch a"), json!({"text": "done"})]);
        let model = format!("script:{}", world.path("script.jsonl").display());
        let line = format!("{} -p go --model {model}", env!("CARGO_BIN_EXE_hookc-agent"));
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(world.path("project"));
        command.env("HOME", world.path("home")).env("HOOKC_AGENT_STATE", world.path("state"));
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let run = super::world::run_with(command, &format!("{answer}\n"));
        assert!(run.out.contains("Allow? [y/N]"), "{}", run.out);
        assert_eq!(files(&world, &["a"]), [there], "{answer}");
    }
}

#[test]
fn wrong_rules_are_reported() {
    for (permissions, expected) in [
        (json!({"deny": ["Bash(rm *"]}), "`Bash(rm *` is not a permission rule"),
        (
            json!({"deny": ["bash(rm *)"]}),
            "`bash(rm *)` is not a permission rule: expected the name of a tool",
        ),
        (json!({"denny": ["Bash"]}), "unknown `permissions.denny`"),
        (json!(["Bash"]), "`permissions` is not an object"),
        (json!({"disableBypassPermissionsMode": "disable"}), "forbids the mode"),
    ] {
        let world = World::new();
        world.settings(json!({"permissions": permissions}));
        world.script(&[json!({"text": "never"})]);
        let run = world.ask("go", &["--permission-mode", "bypassPermissions"]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{permissions}");
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

#[test]
fn settings_that_are_a_link_to_nowhere_start_no_session() {
    let world = World::new();
    std::fs::create_dir(world.path("project/.claude")).unwrap();
    std::os::unix::fs::symlink("nowhere", world.path("project/.claude/settings.json")).unwrap();
    world.script(&[json!({"text": "never"})]);
    let run = world.ask("go", &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(run.err.contains("settings.json"), "{}", run.err);
}

/// A program with its directory is the program for rules that deny or ask, and never for rules that
/// allow.
#[test]
fn directories_of_programs_do_not_hide_them() {
    let world = World::new();
    world.write("project/x", "");
    world.write("project/y", "");
    world.settings(json!({"permissions": {"defaultMode": "bypassPermissions",
        "deny": ["Bash(rm *)"], "ask": ["Bash(rmdir *)"]}}));
    world.script(&[
        bash("/bin/rm x"),
        bash("ls; ../../../bin/rm y"),
        bash("/bin/rmdir z"),
        json!({"text": "done"}),
    ]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    assert_eq!(files(&world, &["x", "y"]), [true, true]);
    let posted = world.steps("tool_posted");
    assert!(posted[0]["content"].as_str().unwrap().contains("the rule `Bash(rm *)` denies it"), "{posted:?}");
    assert!(posted[2]["content"].as_str().unwrap().contains("no terminal to ask on"), "{posted:?}");
    let world = World::new();
    world.settings(json!({"permissions": {"allow": ["Bash(touch *)"]}}));
    world.script(&[bash("touch a"), bash("/bin/touch b"), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    assert_eq!(files(&world, &["a", "b"]), [true, false]);
}
