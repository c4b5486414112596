//! The loop: answers, calls, prompts.

use serde_json::json;

use super::world::{World, bash, handler, lines, run, run_with};

#[test]
fn a_prompt_and_its_answer() {
    let world = World::new();
    world.script(&[json!({"text": "Hello."})]);
    let run = world.ask("hi", &[]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "Hello.\n", ""));
}

#[test]
fn tools_work_in_the_project() {
    let world = World::new();
    world.write("project/a.txt", "one\ntwo\n");
    world.write("project/src/b.rs", "fn two() {}\n");
    world.hooks(json!({}));
    world.script(&[
        json!({"text": "I look.", "tool_calls": [
            {"name": "Read", "input": {"file_path": "a.txt"}},
            {"name": "Glob", "input": {"pattern": "*.rs"}},
            {"name": "Grep", "input": {"pattern": "tw.", "output_mode": "content"}},
        ]}),
        json!({"tool_calls": [
            {"name": "Edit", "input": {"file_path": "a.txt", "old_string": "one", "new_string": "1"}},
            {"name": "Write", "input": {"file_path": "new/c.txt", "content": "c"}},
            {"name": "Bash", "input": {"command": "cat a.txt; pwd >&2; exit 3"}},
            {"name": "Edit", "input": {"file_path": "a.txt", "old_string": "absent", "new_string": "1"}},
            {"name": "Nothing", "input": {}},
        ]}),
        json!({"text": "Done."}),
    ]);
    let run = world.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let events = lines(&run.out);
    let results: Vec<(String, bool)> = events
        .iter()
        .filter(|event| event["type"] == "tool_result")
        .map(|event| (event["content"].as_str().unwrap().to_owned(), event["is_error"] == true))
        .collect();
    assert_eq!(results[0], ("     1\tone\n     2\ttwo".to_owned(), false));
    assert_eq!(results[1], ("src/b.rs".to_owned(), false));
    assert_eq!(results[2], ("a.txt:2:two\nsrc/b.rs:1:fn two() {}".to_owned(), false));
    assert!(!results[3].1 && !results[4].1);
    assert!(results[5].0.starts_with("exit status 3\n1\ntwo\n/") && results[5].1, "{:?}", results[5]);
    assert!(results[6].1 && results[7].0.starts_with("there is no tool `Nothing`"), "{results:?}");
    assert_eq!(
        (world.read("project/a.txt").as_str(), world.read("project/new/c.txt").as_str()),
        ("1\ntwo\n", "c")
    );
    assert_eq!(events.last().unwrap()["result"], "Done.");
}

/// A tool opens regular files alone, and never waits for another program.
#[test]
fn a_pipe_is_no_file() {
    let world = World::new();
    world.hooks(json!({}));
    let made = std::process::Command::new("mkfifo").arg(world.path("project/pipe")).status();
    assert!(made.unwrap().success());
    let call = |name: &str, input: serde_json::Value| json!({"name": name, "input": input});
    world.script(&[
        json!({"tool_calls": [
            call("Read", json!({"file_path": "pipe"})),
            call("Edit", json!({"file_path": "pipe", "old_string": "a", "new_string": "b"})),
            call("Write", json!({"file_path": "pipe", "content": "x"})),
            call("Grep", json!({"pattern": "x", "path": "pipe"})),
        ]}),
        json!({"text": "ok"}),
    ]);
    let run = world.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.matches("not a regular file").count() >= 3, "{}", run.out);
}

#[test]
fn a_blocked_tool_is_an_error_for_the_model() {
    let world = World::new();
    world.hooks(
        json!({"PreToolUse": [handler("case \"$TOOL_INPUT\" in *rm*) echo 'no rm' >&2; exit 1;; esac")]}),
    );
    world.script(&[bash("rm -f x; touch ran"), bash("touch allowed"), json!({"text": "ok"})]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!world.path("project/ran").exists() && world.path("project/allowed").exists());
    let posted = world.steps("tool_posted");
    assert_eq!(posted[0]["is_error"], true);
    assert_eq!(posted[0]["content"], "Hook blocked tool execution: no rm");
    assert_eq!(posted[1]["is_error"], false);
}

#[test]
fn a_rejected_prompt_is_nowhere() {
    let world = World::new();
    world.hooks(json!({"UserPromptSubmit": [
        handler("case \"$USER_MESSAGE\" in *secret*) echo 'no secrets' >&2; exit 2;; esac"),
    ]}));
    world.script(&[json!({"text": "never"})]);
    let run = world.ask("my secret-word", &["--output-format", "json"]);
    assert_eq!(run.code, Some(1));
    let value = &lines(&run.out)[0];
    assert_eq!((value["type"].as_str(), value["error"]["type"].as_str()), (Some("error"), Some("rejected")));
    assert!(run.err.contains("no secrets"));
    assert!(world.steps("prompt").is_empty());
    assert!(!format!("{:?}", world.journal()).contains("secret-word"));
}

#[test]
fn hooks_replace_the_prompt_and_add_context() {
    let world = World::new();
    world.hooks(json!({
        "UserPromptSubmit": [handler("echo \"context: $USER_MESSAGE\"")],
        "SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "echo from the start"}]}],
    }));
    world.script(&[json!({"text": "ok"})]);
    assert_eq!(world.ask("hi", &[]).code, Some(0));
    let prompt = &world.steps("prompt")[0]["content"];
    assert_eq!(prompt[0]["text"], "from the start");
    assert_eq!(prompt[1]["text"], "context: hi");
}

#[test]
fn stop_hooks_send_the_agent_on_with_a_guard() {
    let world = World::new();
    world.hooks(json!({"Stop": [{"hooks": [{"type": "command", "command":
        "grep -q '\"stop_hook_active\":true' && exit 0; echo 'run the tests' >&2; exit 2"}]}]}));
    world.script(&[json!({"text": "one"}), json!({"text": "two"})]);
    let run = world.ask("go", &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "one\ntwo\n"), "{}", run.err);
    assert_eq!(world.steps("continue")[0]["text"], "run the tests");
}

#[test]
fn a_stop_hook_that_always_denies_ends_too() {
    let world = World::new();
    world.hooks(json!({"Stop": [{"hooks": [{"type": "command", "command": "echo again >&2; exit 2"}]}]}));
    world.script(&vec![json!({"text": "x"}); 40]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0));
    assert_eq!(world.steps("reply").len(), 26);
    assert!(run.err.contains("25 times"), "{}", run.err);
}

#[test]
fn standard_input_is_joined_with_the_prompt() {
    let world = World::new();
    world.script(&[json!({"text": "ok"})]);
    let both = run_with(world.command(&["-p", "review this"]), "fn main() {}\n");
    assert_eq!(both.code, Some(0), "{}", both.err);
    assert_eq!(world.steps("prompt")[0]["content"][0]["text"], "review this\n\nfn main() {}");
    let world = World::new();
    world.script(&[json!({"text": "ok"})]);
    let alone = run_with(world.command(&["-p", "--output-format", "json"]), "hello\n");
    assert_eq!(lines(&alone.out)[0]["content"][0]["text"], "ok", "{}", alone.err);
    assert_eq!(world.steps("prompt")[0]["content"][0]["text"], "hello");
    let none = run(world.command(&["-p"]));
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("no prompt"), "{}", none.err);
}

#[test]
fn a_session_continues() {
    let world = World::new();
    world.script(&[json!({"text": "first"}), json!({"text": "second"})]);
    assert_eq!(world.ask("one", &["--session-id", "s1"]).code, Some(0));
    let again = world.ask("one", &["--session-id", "s1"]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("--resume"), "{}", again.err);
    let next = world.ask("two", &["--resume", "s1"]);
    assert_eq!((next.code, next.out.as_str()), (Some(0), "second\n"), "{}", next.err);
    let nothing = run(world.command(&["--resume", "s1"]));
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("nothing to continue"), "{}", nothing.err);
}
