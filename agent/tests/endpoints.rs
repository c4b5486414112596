//! Independent servers that speak both wires. They are not part of the build: a variable names an
//! installed one, and the test reports that it was skipped without it.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::world::{World, lines, run};

/// A server that ends with the test.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(mut command: Command, port: u16) -> Server {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = Server { child, url: format!("http://127.0.0.1:{port}") };
    for _ in 0..300 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return server;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the server does not answer on port {port}");
}

fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A call of a tool and then a text, in both wires. Each has a server of its own, since servers count
/// requests.
fn a_call_and_a_text(server: impl Fn() -> Server) {
    for model in ["anthropic:test", "openai:test"] {
        let server = server();
        let world = World::new();
        world.hooks(json!({"PreToolUse": [{"hooks": [{"type": "command", "command": "cat > event.json"}]}]}));
        world.write("project/a.txt", "the content\n");
        let mut command = world.bare(&["-p", "please read", "--model", model, "--base-url", &server.url]);
        command.args(["--output-format", "stream-json", "--max-turns", "3"]);
        command.env("ANTHROPIC_API_KEY", "k").env("OPENAI_API_KEY", "k");
        let ran = run(command);
        assert_eq!(ran.code, Some(0), "{model}: {} {}", ran.out, ran.err);
        let events = lines(&ran.out);
        let result = events.iter().find(|event| event["type"] == "tool_result");
        let result = result.unwrap_or_else(|| panic!("{model}: no call: {}", ran.out));
        assert!(result["content"].as_str().unwrap().contains("the content"), "{model}: {result}");
        assert_eq!(events.last().unwrap()["result"], "All was read.", "{model}");
        assert!(world.read("project/event.json").contains("\"tool_name\":\"Read\""), "{model}");
    }
}

/// `pip install fakellm` and `npm install @copilotkit/llmock`, each named by a variable.
#[test]
fn independent_servers_work() {
    let directory = tempfile::tempdir().unwrap();
    let mut tried = Vec::new();
    if let Ok(program) = std::env::var("HOOKC_FAKELLM") {
        let rules = "version: 1\nrules:\n  - name: after\n    when: {messages_contain: the content}\n    respond: {content: All was read.}\n  - name: first\n    when: {tools_include: Read}\n    respond:\n      tool_calls:\n        - {name: Read, arguments: {file_path: a.txt}}\n";
        let path = directory.path().join("fakellm.yaml");
        std::fs::write(&path, rules).unwrap();
        a_call_and_a_text(|| {
            let port = port();
            let mut command = Command::new(&program);
            command.args(["serve", "--port", &port.to_string(), "--config"]).arg(&path);
            start(command, port)
        });
        tried.push("fakellm");
    }
    if let Ok(program) = std::env::var("HOOKC_LLMOCK") {
        let fixtures = json!({"fixtures": [
            {"match": {"userMessage": "please read", "sequenceIndex": 0},
                "response": {"toolCalls": [{"name": "Read", "arguments": "{\"file_path\": \"a.txt\"}"}]}},
            {"match": {"userMessage": "please read", "sequenceIndex": 1}, "response": {"content": "All was read."}},
        ]});
        let path = directory.path().join("fixtures.json");
        std::fs::write(&path, fixtures.to_string()).unwrap();
        a_call_and_a_text(|| {
            let port = port();
            let mut command = Command::new(&program);
            command.args(["--port", &port.to_string(), "--fixtures"]).arg(&path);
            start(command, port)
        });
        tried.push("llmock");
    }
    if tried.is_empty() {
        eprintln!("skipped: HOOKC_FAKELLM and HOOKC_LLMOCK name no server");
    }
}
