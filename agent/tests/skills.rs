//! Skills: the system prompt, commands, the tool, scripts.

use serde_json::json;

use super::world::World;

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
