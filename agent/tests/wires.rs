//! The two wires: the same session gives the same transcript.

use serde_json::{Value, json};

use super::server;
use super::world::{Run, World, handler, lines, run};

fn session() -> Vec<Value> {
    let usage = json!({"input_tokens": 11, "output_tokens": 7});
    vec![
        json!({"text": "Grüße, I look.", "usage": usage, "tool_calls": [
            {"name": "Bash", "input": {"command": "echo one"}},
            {"name": "Read", "input": {"file_path": "a.txt"}},
        ]}),
        json!({"tool_calls": [{"name": "Agent", "input": {"prompt": "help"}}], "usage": usage}),
        json!({"text": "from the sub-agent", "usage": usage}),
        json!({"text": "All done.", "usage": usage}),
    ]
}

fn ask(world: &World, wire: &str, url: &str, more: &[&str]) -> Run {
    let mut command = world.bare(&["-p", "go", "--model", wire, "--base-url", url]);
    command.args(more);
    run(command)
}

/// The events without what differs from run to run.
fn transcript(out: &str) -> Vec<Value> {
    let mut values = lines(out);
    for event in &mut values {
        for name in ["session_id", "id", "duration_ms", "cwd"] {
            event.as_object_mut().unwrap().remove(name);
        }
    }
    values
}

#[test]
fn both_wires_give_the_same_transcript() {
    let mut exchanges = Vec::new();
    for wire in ["anthropic:m", "openai:m"] {
        let world = World::new();
        world.write("project/a.txt", "content\n");
        world.hooks(json!({"PreToolUse": [handler("true")]}));
        let server = server::script(&session());
        let run = ask(&world, wire, &server.url, &["--output-format", "stream-json"]);
        assert_eq!(run.code, Some(0), "{wire}: {}", run.err);
        let journal: Vec<Value> = world.journal().into_iter().skip(2).collect();
        exchanges.push((transcript(&run.out), journal));
        let requests = server.requests.lock().unwrap();
        assert_eq!(requests.len(), 4);
        let text = requests[1].to_string();
        assert!(text.contains("echo one") && text.contains("content"), "{text}");
    }
    assert_eq!(exchanges[0].1, exchanges[1].1);
    assert_eq!(exchanges[0].0, exchanges[1].0);
    assert_eq!(exchanges[0].0.last().unwrap()["usage"], json!({"input_tokens": 44, "output_tokens": 28}));
}

#[test]
fn requests_have_the_form_of_their_wire() {
    for wire in ["anthropic", "openai"] {
        let world = World::new();
        world.hooks(json!({}));
        let server = server::script(&[
            json!({"tool_calls": [{"name": "Bash", "input": {"command": "exit 3"}}]}),
            json!({"text": "ok"}),
        ]);
        let run = ask(&world, &format!("{wire}:m"), &format!("{}/v1/", server.url), &[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let requests = server.requests.lock().unwrap();
        let (first, second) = (&requests[0], &requests[1]);
        assert_eq!((&first["model"], &first["stream"]), (&json!("m"), &json!(true)));
        if wire == "anthropic" {
            assert!(first["system"].is_string() && first["tools"][0]["input_schema"].is_object());
            assert_eq!(second["messages"][2]["content"][0]["is_error"], true);
            assert_eq!(second["messages"][2]["content"][0]["tool_use_id"], "call_1_0");
        } else {
            assert_eq!(first["messages"][0]["role"], "system");
            assert_eq!(first["tools"][0]["function"]["name"], "Read");
            assert_eq!(
                second["messages"][2]["tool_calls"][0]["function"]["arguments"],
                "{\"command\":\"exit 3\"}"
            );
            assert_eq!(
                (&second["messages"][3]["role"], &second["messages"][3]["content"]),
                (&json!("tool"), &json!("Error: exit status 3"))
            );
        }
    }
}

#[test]
fn a_key_is_needed_for_the_usual_endpoint() {
    for (model, key) in [("anthropic:m", "ANTHROPIC_API_KEY"), ("openai:m", "OPENAI_API_KEY")] {
        let run = run(World::new().bare(&["-p", "go", "--model", model]));
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(key), "{}", run.err);
    }
}

/// Some servers answer with one object although a stream was asked for.
#[test]
fn an_answer_can_be_whole() {
    let anthropic = |content: Value, reason: &str| {
        json!({"type": "message", "id": "m1", "model": "m", "role": "assistant", "content": content,
            "stop_reason": reason, "usage": {"input_tokens": 5, "output_tokens": 3}})
    };
    let openai = |message: Value, reason: &str| {
        json!({"id": "m1", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 3}})
    };
    let call = json!({"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": "{\"command\": \"touch made\"}"}});
    let use_tool =
        json!([{"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "touch made"}}]);
    for (wire, answers) in [
        (
            "anthropic:m",
            [
                anthropic(use_tool, "tool_use"),
                anthropic(json!([{"type": "text", "text": "done"}]), "end_turn"),
            ],
        ),
        (
            "openai:m",
            [
                openai(json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls"),
                openai(json!({"role": "assistant", "content": "done"}), "stop"),
            ],
        ),
    ] {
        let world = World::new();
        world.hooks(json!({}));
        let turn = |answer: &Value| {
            let body = answer.to_string();
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close";
            server::Turn::Raw(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
        };
        let server = server::serve(answers.iter().map(turn).collect());
        let run = ask(&world, wire, &server.url, &["--output-format", "json"]);
        assert_eq!(run.code, Some(0), "{wire}: {} {}", run.out, run.err);
        assert!(world.path("project/made").exists(), "{wire}");
        let value = &lines(&run.out)[0];
        assert_eq!(
            (&value["content"][0]["text"], &value["usage"]["output_tokens"]),
            (&json!("done"), &json!(6))
        );
    }
}
