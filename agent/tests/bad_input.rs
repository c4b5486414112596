//! Answers that are no answers, and state that is no state.

use serde_json::{Value, json};

use super::server::{HEAD, Turn, serve};
use super::world::{World, bash, lines, run};

/// The events of a session with an endpoint, in each wire, and the status.
fn with(turns: impl Fn() -> Vec<Turn>, more: &[&str]) -> Vec<(Option<i32>, Vec<Value>, World)> {
    ["anthropic:m", "openai:m"]
        .map(|wire| {
            let world = World::new();
            world.hooks(json!({}));
            let server = serve(turns());
            let mut command = world.bare(&["-p", "go", "--model", wire, "--base-url", &server.url]);
            command.args(["--output-format", "stream-json"]).args(more);
            let run = run(command);
            (run.code, lines(&run.out), world)
        })
        .into()
}

fn errors(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["type"] == "error").collect()
}

fn text(text: &str) -> Turn {
    Turn::Line(json!({"text": text}))
}

#[test]
fn a_broken_answer_is_asked_for_again() {
    let broken: [(fn() -> Turn, &str); 4] = [
        (|| Turn::Raw(format!("{HEAD}data: not json at all\n\n")), "invalid_stream"),
        (|| Turn::Raw(format!("{HEAD}data: {{\"type\": \"mess")), "connection_closed"),
        (|| Turn::Raw(String::new()), "connection_"),
        (|| Turn::Line(json!({"text": "half of this", "close": true})), "connection_closed"),
    ];
    for (turn, kind) in broken {
        for (code, events, _) in with(|| vec![turn(), text("ok")], &[]) {
            assert_eq!(code, Some(0), "{events:?}");
            let errors = errors(&events);
            assert_eq!(errors.len(), 1, "{events:?}");
            let found = errors[0]["error"]["type"].as_str().unwrap();
            assert!(found.starts_with(kind), "{found} {kind}");
            assert!(errors[0]["retry_ms"].is_u64());
            assert_eq!(events.last().unwrap()["result"], "ok");
        }
    }
}

#[test]
fn statuses_follow_the_policy() {
    let soon = || {
        let date = std::time::SystemTime::now() + std::time::Duration::from_secs(1);
        httpdate::fmt_http_date(date)
    };
    let limited = || {
        Turn::Line(
            json!({"error": {"status": 429, "retry_after": soon(), "type": "rate_limit_error", "message": "slow"}}),
        )
    };
    for (code, events, _) in with(|| vec![limited(), text("ok")], &[]) {
        assert_eq!(code, Some(0), "{events:?}");
        let wait = errors(&events)[0]["retry_ms"].as_u64().unwrap();
        assert!(wait <= 1000, "{wait}");
    }
    let broken = || {
        Turn::Line(
            json!({"error": {"status": 500, "type": "api_error", "message": "oops", "retry_after": "0"}}),
        )
    };
    for (code, events, _) in with(|| (0..4).map(|_| broken()).collect(), &[]) {
        assert_eq!((code, errors(&events).len()), (Some(1), 4));
        assert_eq!(events.last().unwrap()["subtype"], "error_during_execution");
    }
    let wrong =
        || Turn::Line(json!({"error": {"status": 401, "type": "authentication_error", "message": "no"}}));
    for (code, events, _) in with(|| vec![wrong()], &[]) {
        assert_eq!((code, errors(&events).len()), (Some(1), 1));
    }
    let late =
        || Turn::Line(json!({"error": {"status": 429, "retry_after": "100000", "message": "much later"}}));
    for (code, events, _) in with(|| vec![late()], &[]) {
        assert_eq!(code, Some(1));
        assert!(events.last().unwrap()["result"].as_str().unwrap().contains("more than 600 s"));
    }
}

#[test]
fn endless_and_silent_streams_end() {
    for turn in [|| Turn::Endless, || Turn::Silent] {
        for (code, events, _) in with(|| vec![turn(), text("ok")], &["--model-timeout", "1"]) {
            assert_eq!(code, Some(0), "{events:?}");
            assert_eq!(errors(&events)[0]["error"]["type"], "timeout");
        }
    }
}

#[test]
fn calls_with_broken_json_do_not_run() {
    let call = |input: Value| Turn::Line(json!({"tool_calls": [{"name": "Bash", "input": input}]}));
    let broken = || {
        vec![
            call(json!("{\"command\": \"touch a")),
            call(json!("[1]")),
            call(json!({"command": 7})),
            text("ok"),
        ]
    };
    for (code, events, world) in with(broken, &[]) {
        assert_eq!(code, Some(0), "{events:?}");
        let results: Vec<_> = events.iter().filter(|event| event["type"] == "tool_result").collect();
        assert!(results.len() == 3 && results.iter().all(|result| result["is_error"] == true), "{results:?}");
        assert!(results[0]["content"].as_str().unwrap().contains("not JSON"), "{results:?}");
        assert!(results[1]["content"].as_str().unwrap().contains("not an object"), "{results:?}");
        assert!(!world.path("project/a").exists());
    }
}

#[test]
fn an_endpoint_that_does_not_exist() {
    let world = World::new();
    world.write("project/.ai/config/hooks.yaml", "hooks: [{event: error, action: {type: fail}}]");
    let run = run(world.bare(&[
        "-p",
        "go",
        "--model",
        "openai:m",
        "--base-url",
        "http://127.0.0.1:1",
        "--output-format",
        "json",
    ]));
    assert_eq!(run.code, Some(1));
    assert_eq!(lines(&run.out)[0]["error"]["type"], "error_during_execution");
    assert!(run.err.contains("connection_failed"), "{}", run.err);
}

#[test]
fn a_script_that_ends_early_says_so() {
    let world = World::new();
    world.hooks(json!({}));
    world.script(&[bash("true")]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("the script ends after 1 answers"), "{}", run.err);
    world.write("script.jsonl", "{\"txt\": 1}\n");
    let wrong = world.ask("go", &[]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("script.jsonl:1"), "{}", wrong.err);
}

#[test]
fn failures_are_objects_in_the_formats_for_programs() {
    for (format, kind) in [("json", "error"), ("stream-json", "result")] {
        let world = World::new();
        world.script(&[]);
        let run = world.ask("go", &["--resume", "none", "--output-format", format]);
        let [value] = &lines(&run.out)[..] else { panic!("{}", run.out) };
        assert_eq!((run.code, &value["type"]), (Some(2), &json!(kind)));
        assert!(value.to_string().contains("no such session"), "{value}");
    }
}

#[test]
fn damaged_state_is_reported_and_not_used() {
    let journal = |world: &World| world.path("state/s.jsonl");
    let saved = || {
        let world = World::new();
        world.hooks(json!({}));
        world.script(&[bash("echo 1 >> ran"), json!({"text": "done"}), json!({"text": "more"})]);
        assert_eq!(world.ask("go", &["--session-id", "s"]).code, Some(0));
        let text = std::fs::read_to_string(journal(&world)).unwrap();
        (world, text)
    };
    let resume = |world: &World| world.ask("again", &["--resume", "s"]);
    let (world, text) = saved();
    std::fs::write(journal(&world), text.replacen("echo 1", "echo 2", 1)).unwrap();
    let damaged = resume(&world);
    assert_eq!(damaged.code, Some(2));
    assert!(damaged.err.contains("damaged") && damaged.err.contains("s.jsonl:"), "{}", damaged.err);

    let (world, text) = saved();
    std::fs::write(journal(&world), text.replacen("\"version\":3", "\"version\":9", 1)).unwrap();
    let other = resume(&world);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("format 9, expected 3"), "{}", other.err);

    // Lines that are missing, doubled or in another order.
    let (world, text) = saved();
    let lines: Vec<&str> = text.lines().collect();
    let (mut missing, mut doubled, mut swapped) = (lines.clone(), lines.clone(), lines);
    missing.remove(2);
    doubled.insert(2, doubled[2]);
    swapped.swap(2, 3);
    for changed in [missing, doubled, swapped] {
        std::fs::write(journal(&world), changed.join("\n") + "\n").unwrap();
        let damaged = resume(&world);
        assert_eq!(damaged.code, Some(2), "{}", damaged.err);
        assert!(damaged.err.contains("its hash does not match"), "{}", damaged.err);
    }

    let (world, text) = saved();
    std::fs::write(journal(&world), &text[..text.len() - 5]).unwrap();
    let torn = resume(&world);
    assert_eq!(torn.code, Some(0), "{}", torn.err);
    assert!(torn.err.contains("the last line is incomplete"), "{}", torn.err);
    assert_eq!(world.read("project/ran"), "1\n");

    let (world, _) = saved();
    let missing = world.ask("again", &["--resume", "t"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("no such session"), "{}", missing.err);
}
