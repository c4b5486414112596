//! Skills: the system prompt, commands, the tool, scripts.

use serde_json::json;

use super::server;
use super::world::{World, run};

fn world() -> World {
    let world = World::new();
    world.write(
        "project/.claude/skills/commit.md",
        "---\nname: commit\ndescription: Create a git commit\ntrigger: /commit\n---\n\n# Commit\n\nWrite a message.\n",
    );
    for name in ["one", "two"] {
        let hooks = "hooks:\n  pre_execute: hooks/log.py\n  post_execute: hooks/log.py\n  pre_context: hooks/log.py\n";
        world.write(
            &format!("project/.claude/skills/{name}/SKILL.md"),
            &format!(
                "---\nname: {name}\ndescription: Number {name}\ntrigger: /{name}\n{hooks}---\n\nDo {name}.\n"
            ),
        );
        world.write(
            &format!("project/.claude/skills/{name}/hooks/log.py"),
            &format!("seen = []\ndef execute(context):\n    seen.append(1)\n    open('log', 'a').write(f'{name} {{context.skill.name}} {{len(seen)}}\\n')\n"),
        );
    }
    world
}

#[test]
fn help_lists_the_commands() {
    let world = world();
    world.script(&[]);
    let run = world.ask("/help", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("/commit  Create a git commit\n"), "{}", run.out);
    let unknown = world.ask("/unknown x", &[]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("/unknown") && unknown.err.contains("/help"), "{}", unknown.err);
}

#[test]
fn a_command_sends_the_instructions() {
    let world = world();
    world.script(&[json!({"text": "ok"})]);
    assert_eq!(world.ask("/commit the parser", &[]).code, Some(0));
    assert_eq!(world.steps("prompt")[0]["content"][0]["text"], "# Commit\n\nWrite a message.\n\nthe parser");
}

#[test]
fn scripts_run_for_their_own_skill() {
    let world = world();
    world.script(&[
        json!({"tool_calls": [{"name": "Skill", "input": {"skill": "two", "args": "now"}}]}),
        json!({"text": "ok"}),
    ]);
    let run = world.ask("/one", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(world.steps("tool_posted")[0]["content"], "Do two.\n\nnow");
    // The context is built for every skill; a script keeps its state between calls.
    let expected = "one one 1\none one 2\ntwo two 1\ntwo two 2\ntwo two 3\none one 3\n";
    let mut log: Vec<String> = world.read("project/log").lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = expected.lines().map(str::to_owned).collect();
    log.sort();
    wanted.sort();
    assert_eq!(log, wanted);
}

/// The identity, the environment, the instructions, the skills, the rules: in this order.
#[test]
fn the_system_prompt_has_its_parts_in_order() {
    let world = world();
    world.write("project/CLAUDE.md", "Tests come first.\n");
    world.settings(json!({"permissions": {"deny": ["Bash(rm *)"]}}));
    let server = server::script(&[json!({"text": "ok"})]);
    let args = ["-p", "go", "--model", "anthropic:m", "--base-url", &server.url];
    let ran = run(world.bare(&[&args[..], &["--append-system-prompt", "Be brief."]].concat()));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let requests = server.requests.lock().unwrap();
    let system = requests[0]["system"].as_str().unwrap();
    let parts = [
        "You are a coding agent",
        "Working directory: ",
        "Tests come first.",
        "# Active Skills",
        "Create a git commit",
        "Permission mode: default",
        "Denied: Bash(rm *)",
        "Be brief.",
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| system.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}\n{system}");
}

/// The run of a command that fails calls `on_error` of its skill, and of no other.
#[test]
fn a_failing_run_is_an_error_of_the_skill() {
    let world = world();
    for name in ["one", "two"] {
        let path = format!("project/.claude/skills/{name}/SKILL.md");
        let text =
            world.read(&path).replace("  post_execute:", "  on_error: hooks/error.py\n  post_execute:");
        world.write(&path, &text);
        world.write(
            &format!("project/.claude/skills/{name}/hooks/error.py"),
            &format!("def execute(context):\n    open('errors', 'a').write('{name}\\n')\n"),
        );
    }
    let error = json!({"error": {"status": 401, "type": "authentication_error", "message": "no"}});
    world.script(&[error]);
    assert_eq!(world.ask("/one", &[]).code, Some(1));
    assert_eq!(world.read("project/errors"), "one\n");
}
