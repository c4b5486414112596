//! `kill -9` at each step of a directive's thread and of the thread that its hook starts, and then
//! `--resume`: nothing is lost, nothing done twice.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use hookc_corpus::effort;
use serde_json::{Value, json};

use super::kill::once;
use super::world::{World, bash, group, lines, run};

/// What the commands of the threads have done.
const ALL: &str = "1\n2\nc1\nc2\n3\n";

/// A thread of three commands. After the second one the model is limited, and a hook starts a thread
/// of two commands that says how to continue.
fn world(command: impl Fn(&str) -> String) -> World {
    let world = World::new();
    world.hooks(json!({}));
    let calls = r#"<hook event="error" when="classification.category == 'rate_limited'"><directive>ops/back_off</directive></hook>"#;
    let directive = |name: &str, hooks: &str| {
        format!(
            "# {name}\n\n```xml\n<directive name=\"{name}\">\n  <hooks>{hooks}</hooks>\n</directive>\n```\n\nWork.\n"
        )
    };
    world.write("project/.ai/directives/tidy.md", &directive("tidy", calls));
    world.write("project/.ai/directives/ops/back_off.md", &directive("back_off", ""));
    world.script(&[
        bash(&command("1")),
        bash(&command("2")),
        json!({"error": {"status": 429, "type": "rate_limit_error", "message": "slow"}}),
        bash(&command("c1")),
        bash(&command("c2")),
        json!({"text": "{\"action\": \"RETRY\", \"backoff_policy\": \"fixed\", \"delay\": 0}"}),
        bash(&command("3")),
        json!({"text": "done"}),
    ]);
    world
}

fn plain(name: &str) -> String {
    format!("echo {name} >> ran")
}

const START: [&str; 6] = ["run", "tidy", "--session-id", "t", "--transcript", "transcript"];
const RESUME: [&str; 6] = ["run", "tidy", "--resume", "t", "--transcript", "transcript"];

/// Kills, resumes, and checks that everything was done once.
fn killed_and_resumed(world: &World, when: &str) {
    let first = world.command(&START).output().unwrap();
    let text = String::from_utf8_lossy(&first.stderr).into_owned();
    assert_eq!(first.status.signal(), Some(9), "{when}: {text}");
    let resumed = run(world.command(&RESUME));
    assert_eq!((resumed.code, resumed.out.as_str()), (Some(0), "done\n"), "{when}: {}", resumed.err);
    assert_eq!(world.read("project/ran"), ALL, "{when}");
    // One thread was started by the hook, and continued.
    let transcript = lines(&world.read("project/transcript"));
    let threads: std::collections::BTreeSet<String> = transcript
        .iter()
        .filter(|line| line["directive"] == "ops/back_off")
        .map(|line| line["thread_id"].to_string())
        .collect();
    assert_eq!(threads.len(), 1, "{when}: {transcript:?}");
}

#[test]
fn within_each_command() {
    for at in ["1", "2", "c1", "c2", "3"].into_iter().step_by(effort(1, 2)) {
        let world = world(|name| match name == at {
            true => format!("{}; {}", plain(name), once("call")),
            false => plain(name),
        });
        killed_and_resumed(&world, at);
    }
}

#[test]
fn at_each_step_by_a_hook() {
    for event in ["before_step", "after_step"] {
        for (directive, turns) in [("tidy", 4), ("ops/back_off", 3)] {
            for turn in (1..=turns).step_by(effort(1, 3)) {
                let when = format!(
                    "cat > ev; grep -q '\"directive\":\"{directive}\"' ev && grep -q '\"turn_number\":{turn}[,}}]' ev && {{ {}; }}; true",
                    once("hook")
                );
                let world = world(plain);
                let hooks = json!({"hooks": [{"event": event, "action": {"type": "run", "command": when}}]});
                world.write("project/.ai/config/hooks.yaml", &hooks.to_string());
                killed_and_resumed(&world, &format!("{event} {directive} {turn}"));
            }
        }
    }
}

#[test]
fn at_the_events_of_the_session() {
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
    for event in events.into_iter().step_by(effort(1, 2)) {
        // The first such event is the outer thread's, a later one the inner's.
        for at in [1, 2, 3] {
            let count = format!("n=$(($(cat n-{event} 2>/dev/null || echo 0)+1)); echo $n > n-{event}; ");
            let line = format!("{count} [ $n = {at} ] && {{ {}; }}; true", once("hook"));
            let world = world(plain);
            world.hooks(json!({event: [group("", &line)]}));
            let has_third = !matches!(event, "SessionStart" | "UserPromptSubmit" | "Stop");
            if at < 3 || has_third {
                killed_and_resumed(&world, &format!("{event} {at}"));
            }
        }
    }
}

/// From outside, at moments that nobody chose.
#[test]
fn at_any_moment() {
    let world = world(|name| format!("sleep 0.02; {}; sleep 0.02", plain(name)));
    let mut wait = 15;
    let mut started = false;
    for _ in 0..60 {
        let journal = world.read("state/t.jsonl");
        if journal.contains("\"type\":\"finished\"") {
            // It was killed between its last line and its exit.
            break;
        }
        started |= journal.contains('\n');
        if !started {
            let _ = std::fs::remove_file(world.path("state/t.jsonl"));
        }
        let mut child = world.command(if started { &RESUME } else { &START }).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        wait += 15;
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0), "{:?}", child.wait_with_output());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // What a killed agent had started may still write.
        std::thread::sleep(Duration::from_millis(60));
    }
    let ended = world.read("state/t.jsonl");
    assert!(ended.contains("\"type\":\"finished\""), "{ended}");
    // A command that was interrupted is not repeated: each ran at most once, in order.
    let ran = world.read("project/ran");
    let mut rest = ALL.lines();
    assert!(ran.lines().all(|line| rest.any(|listed| listed == line)), "{ran}");
}

#[test]
fn a_thread_is_resumed_as_it_was_started() {
    let world = world(|name| format!("{}; {}", plain(name), once("call")));
    assert_eq!(world.command(&START).output().unwrap().status.signal(), Some(9));
    let resume = |args: &[&str]| run(world.command(args));
    let other = resume(&["run", "ops/back_off", "--resume", "t"]);
    assert!(other.code == Some(2) && other.err.contains("follows the directive `tidy`"), "{}", other.err);
    let chat = resume(&["--resume", "t"]);
    assert!(chat.code == Some(2) && chat.err.contains("run DIRECTIVE --resume t"), "{}", chat.err);
    let text = world.read("project/.ai/directives/tidy.md");
    world.write("project/.ai/directives/tidy.md", &text.replace("Work.", "Rest."));
    let changed = resume(&RESUME);
    assert!(changed.code == Some(2) && changed.err.contains("`tidy` has changed"), "{}", changed.err);
    world.write("project/.ai/directives/tidy.md", &text);
    assert_eq!(resume(&RESUME).code, Some(0));
    let ended = resume(&RESUME);
    assert!(ended.code == Some(2) && ended.err.contains("has ended"), "{}", ended.err);
}

/// The tokens of a thread that a hook starts are counted once, however often it is continued.
#[test]
fn tokens_are_counted_once() {
    let spent = |kills: bool| {
        let world = world(plain);
        let usage = json!({"input_tokens": 10, "output_tokens": 1});
        let script: Vec<Value> = lines(&world.read("script.jsonl"))
            .into_iter()
            .map(|mut line| {
                if line.get("error").is_none() {
                    line["usage"] = usage.clone();
                }
                line
            })
            .collect();
        world.script(&script);
        if kills {
            let line = format!("cat > ev; grep -q c2 ev && {{ {}; }}; true", once("hook"));
            world.hooks(json!({"PostToolUse": [group("", &line)]}));
            assert_eq!(world.command(&START).output().unwrap().status.signal(), Some(9));
        }
        let args = if kills { RESUME } else { START };
        let ran = run(world.command(&[&args[..], &["--output-format", "json"]].concat()));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        lines(&ran.out)[0]["usage"].clone()
    };
    let usage = spent(false);
    assert_eq!(usage, json!({"input_tokens": 70, "output_tokens": 7}));
    assert_eq!(spent(true), usage);
}
