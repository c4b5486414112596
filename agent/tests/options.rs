//! Options are saved with a session, and apply when it is resumed.

use serde_json::json;

use super::world::{Run, World, bash, run};

/// A session of which one prompt is done.
fn started(args: &[&str]) -> World {
    let world = World::new();
    world.script(&[json!({"text": "first"}), bash("touch made"), json!({"text": "done"})]);
    let ran = world.ask("go", &[&["--session-id", "s"], args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "first\n"), "{}", ran.err);
    world
}

fn resumed(world: &World, args: &[&str]) -> Run {
    run(world.bare(&[&["-p", "again", "--resume", "s"], args].concat()))
}

fn made(world: &World) -> bool {
    world.path("project/made").exists()
}

#[test]
fn rules_and_the_model_are_restored() {
    let world = started(&["--allow", "Bash(touch *)"]);
    let ran = resumed(&world, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "done\n"), "{}", ran.err);
    assert!(made(&world));
    let world = started(&["--permission-mode", "bypassPermissions", "--deny", "Bash(touch *)"]);
    assert_eq!(resumed(&world, &[]).code, Some(0));
    assert!(!made(&world), "the saved rule denies");
    // What is given again replaces what is saved, and is saved.
    let world = started(&["--permission-mode", "bypassPermissions", "--deny", "Bash(touch *)"]);
    assert_eq!(resumed(&world, &["--deny", "Bash(rm *)"]).code, Some(0));
    assert!(made(&world));
    assert_eq!(world.steps("options").len(), 2);
    let world = started(&["--permission-mode", "bypassPermissions", "--max-turns", "1"]);
    assert_eq!(resumed(&world, &[]).code, Some(1), "the saved limit ends it");
}

/// A policy file of the command line denies in the resumed session too; a changed one is an error.
#[test]
fn files_are_restored_and_must_be_the_same() {
    let policy = "hooks: [{event: PreToolUse, action: {type: deny, reason: never}}]";
    for option in ["--policy", "--settings"] {
        let world = World::new();
        let settings = json!({"permissions": {"deny": ["Bash(touch *)"]}}).to_string();
        let text = if option == "--policy" { policy.to_owned() } else { settings };
        let path = world.write(if option == "--policy" { "more.yaml" } else { "more.json" }, &text);
        let name = path.to_string_lossy().into_owned();
        world.script(&[json!({"text": "first"}), bash("touch made"), json!({"text": "done"})]);
        let args = ["--session-id", "s", "--permission-mode", "bypassPermissions", option, &name];
        assert_eq!(world.ask("go", &args).code, Some(0));
        let ran = resumed(&world, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(!made(&world), "{option}");
        std::fs::write(&path, format!("{text}\n")).unwrap();
        let changed = resumed(&world, &[]);
        assert_eq!(changed.code, Some(2), "{}", changed.err);
        assert!(changed.err.contains("has changed") && changed.err.contains(option), "{}", changed.err);
        std::fs::remove_file(&path).unwrap();
        let gone = resumed(&world, &[]);
        assert_eq!(gone.code, Some(2), "{}", gone.err);
        assert!(gone.err.contains("No such file"), "{}", gone.err);
        let other = world.write("other.yaml", "hooks: []");
        world.write("other.json", "{}");
        let other = if option == "--policy" { other } else { world.path("other.json") };
        world.script(&[json!({"text": ""}), json!({"text": ""}), json!({"text": ""}), json!({"text": "ok"})]);
        let again = resumed(&world, &[option, &other.to_string_lossy()]);
        assert_eq!((again.code, again.out.as_str()), (Some(0), "ok\n"), "{}", again.err);
    }
}

/// The threads of directives have the saved options too.
#[test]
fn directives_restore_their_options() {
    let world = World::new();
    world.write("project/.ai/directives/d.md", "# d\n\n```xml\n<directive name=\"d\"></directive>\n```\n");
    world.write(
        "project/.ai/config/hooks.yaml",
        "hooks: [{event: before_step, when: turn_number == 1, action: {type: suspend, suspend_reason: budget}}]",
    );
    world.script(&[bash("touch made"), json!({"text": "done"})]);
    let ran = run(world.command(&["run", "d", "--session-id", "t", "--allow", "Bash(touch *)"]));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let ran = run(world.bare(&["run", "d", "--resume", "t"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "done\n"), "{}", ran.err);
    assert!(made(&world));
}
