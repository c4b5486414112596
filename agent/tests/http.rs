//! `http` handlers: the event is sent to a URL, and the answer is read like the output of a program.

use serde_json::{Value, json};

use super::server::{Turn, serve};
use super::world::{World, bash, run};

fn answer(status: &str, body: &str) -> Turn {
    let length = body.len();
    Turn::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"))
}

/// A session with a handler at `event`, which gets these answers.
fn session(event: &str, more: Value, turns: Vec<Turn>) -> (World, super::world::Run, Vec<Value>) {
    let server = serve(turns);
    let world = World::new();
    let mut handler = json!({"type": "http", "url": format!("{}/hook", server.url)});
    handler.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.hooks(json!({event: [{"hooks": [handler]}]}));
    world.script(&[bash("touch made"), json!({"text": "done"})]);
    let mut command = world.command(&["-p", "go", "--output-format", "stream-json"]);
    command.env("HOOK_TOKEN", "t1").env("OTHER", "secret");
    let ran = run(command);
    let requests = server.requests.lock().unwrap().clone();
    (world, ran, requests)
}

#[test]
fn the_event_is_sent_and_the_answer_decides() {
    let deny = r#"{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not here"}}"#;
    let (world, ran, requests) = session("PreToolUse", json!({}), vec![answer("200 OK", deny)]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!world.path("project/made").exists());
    assert!(world.steps("tool_posted")[0]["content"].as_str().unwrap().contains("not here"));
    assert_eq!(
        (&requests[0]["hook_event_name"], &requests[0]["tool_input"]["command"]),
        (&json!("PreToolUse"), &json!("touch made"))
    );
    // No content is no opinion; text is context.
    let (world, ran, _) = session("PreToolUse", json!({}), vec![answer("204 No Content", "")]);
    assert!(ran.code == Some(0) && world.path("project/made").exists(), "{}", ran.err);
    let (world, ran, _) = session("UserPromptSubmit", json!({}), vec![answer("200 OK", "It is late.")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(world.steps("prompt")[0]["content"].to_string().contains("It is late."));
}

#[test]
fn no_answer_is_a_failure() {
    for turn in [
        || answer("500 Odd", "oops"),
        || answer("302 Found", ""),
        || Turn::Raw(String::new()),
        || answer("200 OK", r#"{"hookSpecificOutput": "#),
        || Turn::Silent,
    ] {
        let (world, ran, _) =
            session("PreToolUse", json!({"timeout": 1, "onFailure": "block"}), vec![turn()]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let posted = world.steps("tool_posted")[0].clone();
        assert!(!world.path("project/made").exists() && posted["is_error"] == true, "{posted}");
        // One that may fail does not block.
        let (world, ran, _) =
            session("PostToolUse", json!({"timeout": 1, "onFailure": "continue"}), vec![turn()]);
        assert!(ran.code == Some(0) && world.path("project/made").exists(), "{}", ran.err);
    }
}

/// Header fields have the variables that the handler names.
#[test]
fn header_fields_have_allowed_variables() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        use std::io::{BufRead, Write};
        let (stream, _) = listener.accept().unwrap();
        let mut lines = std::io::BufReader::new(stream);
        let (mut head, mut line) = (String::new(), String::new());
        while lines.read_line(&mut line).unwrap() > 2 {
            head.push_str(&line);
            line.clear();
        }
        lines
            .get_mut()
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .unwrap();
        head
    });
    let world = World::new();
    world.hooks(json!({"SessionStart": [{"hooks": [{"type": "http", "url": url,
        "headers": {"Authorization": "Bearer $HOOK_TOKEN", "X-Other": "a${OTHER}b"},
        "allowedEnvVars": ["HOOK_TOKEN"]}]}]}));
    world.script(&[json!({"text": "done"})]);
    let mut command = world.command(&["-p", "go"]);
    command.env("HOOK_TOKEN", "t1").env("OTHER", "secret");
    assert_eq!(run(command).code, Some(0));
    let head = server.join().unwrap().to_ascii_lowercase();
    assert!(head.contains("authorization: bearer t1\r\n") && head.contains("x-other: ab\r\n"), "{head}");
}

/// A handler of a kind that the agent does not have fails, with the reason.
#[test]
fn mcp_tools_fail_closed() {
    let world = World::new();
    world.hooks(json!({"PreToolUse": [{"hooks": [{"type": "mcp_tool", "server": "s", "tool": "t"}]}]}));
    world.script(&[bash("touch made"), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    let posted = world.steps("tool_posted")[0]["content"].as_str().unwrap().to_owned();
    assert!(!world.path("project/made").exists() && posted.contains("mcp_tool"), "{posted}");
}
