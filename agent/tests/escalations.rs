//! Escalations: who is asked, who is notified, and how a waiting thread continues.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::world::{World, bash, group, run};

fn agent(prompt: &str, background: bool) -> Value {
    let input = json!({"prompt": prompt, "run_in_background": background});
    json!({"tool_calls": [{"name": "Agent", "input": input}]})
}

/// A policy that escalates at the third error of any agent: sub-agents' errors here.
const NOTIFIES: &str = "
hooks:
  - id: help
    event: error
    when: error.type == 'odd'
    action: {type: escalate, target: parent_notification, timeout_seconds: 7200}
";

/// A sub-agent escalates: the agent above it is notified, and the session waits. Resumed with an
/// answer, the sub-agent continues, and the model above reads the notification.
#[test]
fn a_sub_agent_notifies_the_agent_above() {
    for target in ["parent_notification", "both", "user_approval"] {
        let world = World::new();
        world.hooks(json!({}));
        world.write("project/.ai/config/hooks.yaml", &NOTIFIES.replace("parent_notification", target));
        let strange = json!({"error": {"type": "odd", "message": "strange"}});
        world.script(&[agent("work", false), strange, json!({"text": "worked"}), json!({"text": "done"})]);
        let first = world.ask("go", &["--session-id", "s"]);
        assert_eq!(first.code, Some(3), "{target}: {}", first.err);
        assert_eq!(run(world.bare(&["answer", "s", "yes"])).code, Some(0));
        world.script(&[json!({"text": ""}), json!({"text": "worked"}), json!({"text": "done"})]);
        let resumed = run(world.command(&["--resume", "s"]));
        assert_eq!((resumed.code, resumed.out.as_str()), (Some(0), "done\n"), "{target}: {}", resumed.err);
        let delivered = world.steps("delivered");
        let expected = usize::from(target != "user_approval");
        assert_eq!(delivered.len(), expected, "{target}");
        if let Some(message) = delivered.first() {
            let text = message["text"].as_str().unwrap();
            assert!(text.contains("agent-1 waits for an approval (hook help)"), "{text}");
        }
    }
}

/// A background sub-agent's escalation reaches the model above while it works.
#[test]
fn a_notification_arrives_while_the_parent_works() {
    let world = World::new();
    world.hooks(json!({}));
    // The agent above asks its model after the one in the background.
    let slow = "  - {event: before_step, when: turn_number == 2, action: {type: run, command: sleep 1}}\n";
    world.write("project/.ai/config/hooks.yaml", &format!("{NOTIFIES}{slow}"));
    let value = json!({"error": {"type": "odd", "message": "strange"}});
    world.script(&[
        agent("work", true),
        value,
        bash("true"),
        json!({"text": "done"}),
        json!({"text": "done"}),
    ]);
    let ran = world.ask("go", &["--session-id", "s"]);
    assert!(ran.code.is_some(), "{}", ran.err);
    let delivered = world.steps("delivered");
    assert_eq!(delivered.len(), 1, "{:?} {}", world.journal(), ran.err);
}

const BACKOFF: &str = r#"<hook event="error" when="classification.category == 'rate_limited'"><directive>ops/ask</directive></hook>"#;

fn directive(name: &str, hooks: &str) -> String {
    format!("# {name}\n\n```xml\n<directive name=\"{name}\">\n  <hooks>{hooks}</hooks>\n</directive>\n```\n")
}

/// The thread that a hook starts escalates: its caller is notified and waits. Answered, the thread
/// continues when the caller is resumed, and its result decides.
#[test]
fn a_child_thread_notifies_its_caller_and_continues() {
    for (answer, code) in [("yes", 0), ("no", 1)] {
        let world = World::new();
        world.hooks(json!({}));
        let asks = "<hook event=\"error\" when=\"error.type == 'odd'\"><action type=\"escalate\" target=\"both\"/></hook>";
        world.write("project/.ai/directives/tidy.md", &directive("tidy", BACKOFF));
        world.write("project/.ai/directives/ops/ask.md", &directive("ask", asks));
        let limited = json!({"error": {"status": 429, "type": "rate_limit_error", "message": "slow"}});
        let value = json!({"error": {"type": "odd", "message": "strange"}});
        let retry = json!({"text": "{\"action\": \"RETRY\", \"backoff_policy\": \"fixed\", \"delay\": 0}"});
        let script = [limited, bash("echo c >> ran"), value, retry, json!({"text": "done"})];
        world.script(&script);
        let args = ["run", "tidy", "--session-id", "t", "--transcript", "transcript"];
        let ran = run(world.command(&args));
        assert_eq!(ran.code, Some(3), "{} {}", ran.out, ran.err);
        let transcript = super::world::lines(&world.read("project/transcript"));
        let escalation = transcript.iter().find(|line| line["event_type"] == "escalation").unwrap();
        let child = escalation["thread_id"].as_str().unwrap();
        let again = ["run", "tidy", "--resume", "t", "--transcript", "transcript"];
        let still = run(world.command(&again));
        assert_eq!(still.code, Some(3), "nobody has answered: {}", still.err);
        assert_eq!(run(world.bare(&["answer", child, answer])).code, Some(0));
        let ran = run(world.command(&again));
        assert_eq!(ran.code, Some(code), "{answer}: {} {}", ran.out, ran.err);
        assert_eq!(world.read("project/ran"), "c\n", "the thread was continued, not started again");
        let journal = world.read("state/t.jsonl");
        assert!(journal.contains("the directive `ops/ask` waits for an approval"), "{journal}");
        if answer == "yes" {
            assert_eq!(ran.out, "done\n");
            assert!(journal.contains("\"type\":\"delivered\""), "{journal}");
        }
    }
}

/// `--wait`: the process itself waits for the answer.
#[test]
fn an_escalation_can_be_waited_for() {
    for (answer, code) in [(Some("yes"), 0), (Some("no"), 1), (None, 1)] {
        let world = World::new();
        world.hooks(json!({}));
        let seconds = if answer.is_some() { 60 } else { 2 };
        world.write(
            "project/.ai/config/hooks.yaml",
            &format!("hooks: [{{event: limit, action: {{type: escalate, target: user_approval, timeout_seconds: {seconds}}}}}]"),
        );
        world.script(&[bash("true"), json!({"text": "done"})]);
        let args = ["-p", "go", "--max-turns", "1", "--session-id", "s", "--wait"];
        let child = world.command(&args).spawn().unwrap();
        if let Some(answer) = answer {
            let answered = || run(world.bare(&["answer", "s", answer])).code == Some(0);
            let mut tries = 0..100;
            while !answered() {
                assert!(tries.next().is_some(), "no question was asked");
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        let ended = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{answer:?}: {text}");
        assert!(text.contains("waits for `hookc-agent answer s yes`"), "{text}");
    }
}

/// The clock is set back after the question: a late answer does not count, because it is unknown whether the
/// time for it is over.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_clock_that_was_set_back_does_not_extend_an_approval() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("shift.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/clock/shift.c");
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
    assert!(made.unwrap().success());
    for (moved, code) in [(0, 0), (-3_600, 1), (70, 1)] {
        let world = World::new();
        world.hooks(json!({}));
        world.write(
            "project/.ai/config/hooks.yaml",
            "hooks: [{event: limit, action: {type: escalate, target: user_approval, timeout_seconds: 60}}]",
        );
        world.script(&[bash("true"), json!({"text": "done"})]);
        let args = ["-p", "go", "--max-turns", "1", "--session-id", "s"];
        let asked = run(world.command(&args));
        assert_eq!(asked.code, Some(3), "{}", asked.err);
        assert_eq!(run(world.bare(&["answer", "s", "yes"])).code, Some(0));
        let mut resume = world.command(&["--resume", "s"]);
        resume.env("LD_PRELOAD", &library).env("HOOKC_TEST_CLOCK", world.write("clock", &moved.to_string()));
        let resumed = run(resume);
        assert_eq!(resumed.code, Some(code), "{moved}: {} {}", resumed.out, resumed.err);
    }
}

/// A suspension ends when the thread is resumed: the hook does not suspend it again at the same step.
#[test]
fn a_suspension_is_over_when_the_session_is_resumed() {
    for event in ["before_step", "after_step"] {
        let world = World::new();
        world.hooks(json!({"PreToolUse": [group("", "true")]}));
        let hooks =
            json!({"hooks": [{"event": event, "action": {"type": "suspend", "suspend_reason": "budget"}}]});
        world.write("project/.ai/config/hooks.yaml", &hooks.to_string());
        world.script(&[bash("echo 1 >> ran"), json!({"text": "done"})]);
        let mut ran = world.ask("go", &["--session-id", "s"]);
        let mut resumed = 0;
        while ran.code == Some(3) && resumed < 9 {
            resumed += 1;
            ran = run(world.command(&["--resume", "s"]));
        }
        // Two steps, each with one suspension.
        assert_eq!((ran.code, resumed, ran.out.as_str()), (Some(0), 2, "done\n"), "{event}: {}", ran.err);
        assert_eq!(world.read("project/ran"), "1\n");
    }
}
