//! `kill -9` at each step of a session, and then `--resume`: nothing is lost, nothing done twice.

use std::os::unix::process::ExitStatusExt;

use hookc_corpus::effort;
use serde_json::{Value, json};

use super::world::{World, bash, group, lines, run};

/// Ends the agent, once: a handler and a command are its children.
pub(crate) fn once(name: &str) -> String {
    format!("[ -e killed-{name} ] || {{ touch killed-{name}; kill -9 $PPID; sleep 5; }}")
}

/// A session of ten calls. The agent is killed at `event` of call `at`, or within it.
fn world(event: &str, at: usize) -> World {
    let world = World::new();
    let when = format!("grep -q 'step-{at}\"' && {{ {}; }}; true", once("hook"));
    world.hooks(match event {
        "command" => json!({}),
        "SessionStart" | "Stop" | "UserPromptSubmit" | "SessionEnd" => {
            json!({event: [group("", &once("hook"))]})
        }
        _ => json!({event: [group("Bash", &when)]}),
    });
    let step = |n: usize| match (event, n == at) {
        ("command", true) => bash(&format!("echo {n} >> ran; {}; : step-{n}", once("call"))),
        _ => bash(&format!("echo {n} >> ran; : step-{n}")),
    };
    let mut script: Vec<Value> = (1..=10).map(step).collect();
    script.push(json!({"text": "done"}));
    world.script(&script);
    world
}

/// Kills, resumes until it is done, and returns what the commands have done.
fn killed_and_resumed(world: &World) -> (String, String) {
    let first = world.command(&["-p", "go", "--session-id", "s"]).output().unwrap();
    assert_eq!(first.status.signal(), Some(9), "{}", String::from_utf8_lossy(&first.stderr));
    let has_prompt = !world.steps("prompt").is_empty();
    let resumed = match has_prompt {
        true => run(world.command(&["--resume", "s"])),
        // A prompt that the hooks have not accepted yet is not stored.
        false => world.ask("go", &["--resume", "s"]),
    };
    if resumed.code == Some(2) && resumed.err.contains("nothing to continue") {
        return (world.read("project/ran"), "done\n".to_owned());
    }
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    (world.read("project/ran"), resumed.out)
}

#[test]
fn at_each_step_by_a_hook() {
    let text: String = (1..=10).map(|n| format!("{n}\n")).collect();
    for event in ["PreToolUse", "PostToolUse"] {
        for at in (1..=10).step_by(effort(1, 4)) {
            let world = world(event, at);
            let (ran, out) = killed_and_resumed(&world);
            assert_eq!((ran.as_str(), out.as_str()), (text.as_str(), "done\n"), "{event} {at}");
            assert_eq!(world.steps("reply").len(), 11, "{event} {at}");
        }
    }
}

#[test]
fn within_each_command() {
    for at in (1..=10).step_by(effort(1, 4)) {
        let world = world("command", at);
        let (ran, out) = killed_and_resumed(&world);
        let text: String = (1..=10).map(|n| format!("{n}\n")).collect();
        assert_eq!((ran.as_str(), out.as_str()), (text.as_str(), "done\n"), "{at}");
        let unknown = world.steps("tool_posted").into_iter().filter(|step| step["is_error"] == true).count();
        assert_eq!(unknown, 1, "the model learns that the result is not known");
    }
}

#[test]
fn around_the_prompt_and_the_end() {
    let text: String = (1..=10).map(|n| format!("{n}\n")).collect();
    for event in ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"].into_iter().step_by(effort(1, 2))
    {
        let (ran, _) = killed_and_resumed(&world(event, 0));
        assert_eq!(ran, text, "{event}");
    }
}

#[test]
fn within_a_sub_agent() {
    let world = World::new();
    world.hooks(json!({}));
    world.script(&[
        json!({"tool_calls": [{"name": "Agent", "input": {"prompt": "work"}}]}),
        bash("echo 1 >> ran"),
        bash(&format!("echo 2 >> ran; {}", once("call"))),
        json!({"text": "worked"}),
        json!({"text": "done"}),
    ]);
    let (ran, out) = killed_and_resumed(&world);
    assert_eq!((ran.as_str(), out.as_str()), ("1\n2\n", "done\n"));
    let posted = world.steps("tool_posted");
    assert_eq!(posted.last().unwrap()["content"], "worked");
}

#[test]
fn a_session_is_open_once() {
    let world = World::new();
    world.hooks(json!({}));
    let other = format!(
        "{} -p x --resume s --model script:{}",
        env!("CARGO_BIN_EXE_hookc-agent"),
        world.path("script.jsonl").display()
    );
    world.script(&[bash(&format!("{other} 2>&1; true")), json!({"text": "done"})]);
    let run = world.ask("go", &["--session-id", "s", "--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let result = lines(&run.out).into_iter().find(|event| event["type"] == "tool_result").unwrap();
    assert!(
        result["content"].as_str().unwrap().contains("another process has this session open"),
        "{result}"
    );
}

#[test]
fn a_signal_ends_the_commands_and_keeps_the_state() {
    let world = World::new();
    world.hooks(json!({}));
    world.script(&[bash("echo $$ > pid; sleep 60 & echo $! > child; wait"), json!({"text": "done"})]);
    let child = world.command(&["-p", "go", "--session-id", "s"]).spawn().unwrap();
    for _ in 0..200 {
        if !world.read("project/child").is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143), "{}", String::from_utf8_lossy(&ended.stderr));
    std::thread::sleep(std::time::Duration::from_millis(200));
    for name in ["pid", "child"] {
        assert!(!super::world::is_alive(&world.read(&format!("project/{name}"))), "{name}");
    }
    let resumed = run(world.command(&["--resume", "s"]));
    assert_eq!((resumed.code, resumed.out.as_str()), (Some(0), "done\n"), "{}", resumed.err);
}
