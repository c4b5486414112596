//! Actions that hookc executes itself: `log`, `http`, and where handlers start.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};

use serde_json::{Value, json};

use super::shell::{Shell, tool};
use crate::common;

fn log_lines(shell: &Shell) -> Vec<Value> {
    let text = common::read(&shell.folder, "log.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn log_actions_write_a_line_for_each_agent() {
    let policy = r#"
hooks:
  - {id: l, event: PostToolUse, action: {type: log, message: "${tool_name} ${tool_input.command}"}}
  - {id: w, event: PostToolUse, action: {type: log, level: warn, message: m, fields: {a: "${tool_input.key}"}}}
"#;
    let shell = Shell::new(policy);
    let tool = |name: &str, tool: &str| {
        json!({"hook_event_name": name, "tool_name": tool, "tool_input": {"command": "ls", "key": "s3cret"},
            "tool_response": {}})
    };
    let copilot =
        json!({"toolName": "bash", "toolArgs": {"command": "ls", "key": "s3cret"}, "toolResult": {}});
    let events = [
        ("claude", tool("PostToolUse", "Bash")),
        ("codex", tool("PostToolUse", "Bash")),
        ("gemini", tool("AfterTool", "run_shell_command")),
        ("cursor", tool("postToolUse", "Shell")),
        ("copilot", copilot),
    ];
    for (host, event) in &events {
        let got = shell.run(&["--host", host, "--log", "log.jsonl"], event.to_string().as_bytes(), &[]);
        assert_eq!((got.code, got.out.as_str()), (0, ""), "{host} {got:?}");
    }
    for (line, (host, _)) in log_lines(&shell).iter().zip(&events) {
        let logs: Vec<_> =
            line["hooks"].as_array().unwrap().iter().map(|hook| hook["logs"].clone()).collect();
        assert_eq!(logs, [json!(["Bash ls"]), json!(["warn: m {\"a\":\"s3cret\"}"])], "{host}");
    }
    std::fs::remove_file(shell.folder.path().join("log.jsonl")).unwrap();
    let redacted = ["--host", "claude", "--log", "log.jsonl", "--log-payload", "--redact", "tool_input.key"];
    shell.run(&redacted, events[0].1.to_string().as_bytes(), &[]);
    let text = common::read(&shell.folder, "log.jsonl");
    assert!(!text.contains("s3cret") && text.contains("Bash ls") && text.contains("[redacted]"), "{text}");
}

/// A server that answers requests in turn: each with a status line and a body. Hands over what it received.
fn serve(answers: Vec<(&'static str, String)>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://user:pw@{}/hook/T0KEN?key=T0KEN", listener.local_addr().unwrap());
    let (send, received) = mpsc::channel();
    std::thread::spawn(move || {
        for ((status, body), stream) in answers.into_iter().zip(listener.incoming()) {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line);
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut sent = vec![0; length];
            reader.read_exact(&mut sent).unwrap();
            send.send(format!("{head}{}", String::from_utf8_lossy(&sent))).unwrap();
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, received)
}

#[test]
fn http_actions_are_answered_for_each_agent() {
    let deny =
        r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"by service"}}"#;
    let tool = |name: &str, tool: &str| json!({"hook_event_name": name, "tool_name": tool, "tool_input": {"command": "ls"}});
    let events = [
        ("claude", tool("PreToolUse", "Bash")),
        ("codex", tool("PreToolUse", "Bash")),
        ("gemini", tool("BeforeTool", "run_shell_command")),
        ("cursor", json!({"hook_event_name": "beforeShellExecution", "command": "ls"})),
        ("copilot", json!({"toolName": "bash", "toolArgs": {"command": "ls"}})),
    ];
    let (url, received) = serve(events.iter().map(|_| ("200 OK", deny.to_owned())).collect());
    let shell = Shell::new(&format!(
        "hooks: [{{event: PreToolUse, action: {{type: http, url: '{url}', headers: {{X-Key: 'k $SECRET $OTHER'}}, \
         allowed_env: [SECRET]}}}}]"
    ));
    for (host, event) in &events {
        let env = [("SECRET", "s1"), ("OTHER", "s2")];
        let got = shell.run(&["--host", host], event.to_string().as_bytes(), &env);
        assert!(got.out.contains("by service"), "{host} {got:?}");
        let sent = received.recv().unwrap();
        assert!(sent.starts_with("POST /hook/T0KEN?key=T0KEN ") && sent.contains("k s1 \r\n"), "{sent}");
        assert!(sent.contains("\"command\":\"ls\"") && !sent.contains("s2"), "{host} {sent}");
    }
}

#[test]
fn http_failures_deny_and_name_no_secret() {
    let huge = "x".repeat((1 << 20) + 1);
    let answers = [
        ("500 Oops", "broken".to_owned(), "HTTP status 500: broken"),
        ("302 Found\r\nLocation: http://127.0.0.1:1/", String::new(), "HTTP status 302"),
        ("200 OK", huge, "longer than"),
        ("200 OK", "{\"decision\": \"blo".to_owned(), "not JSON"),
        ("200 OK", "well\n{\"decision\": \"block\"}".to_owned(), "after other text"),
        ("200 OK", "{\"output\": {\"decision\": \"block\"}}".to_owned(), "seems to deny"),
    ];
    let (url, _received) = serve(answers.iter().map(|(status, body, _)| (*status, body.clone())).collect());
    let shell = Shell::new(&format!(
        "hooks: [{{event: PreToolUse, action: {{type: http, url: '{url}', timeout: 5}}}}]"
    ));
    // Each about another use of a tool: a second call about one repeats the first.
    let run = |call: usize| {
        let mut event = tool("PreToolUse", "ls");
        event["tool_use_id"] = format!("call-{call}").into();
        shell.run(&["--host", "claude", "--log", "log.jsonl"], event.to_string().as_bytes(), &[])
    };
    for (call, (_, _, why)) in answers.iter().enumerate() {
        let got = run(call);
        assert!(got.out.contains("\"deny\"") && got.out.contains(why), "{why} {got:?}");
        assert!(!got.out.contains("T0KEN") && !got.out.contains("pw@"), "{got:?}");
    }
    // Nobody listens any more.
    assert!(run(answers.len()).out.contains("\"deny\""));
    let lines = common::read(&shell.folder, "log.jsonl");
    assert!(!lines.contains("T0KEN") && !lines.contains("broken"), "{lines}");
}

#[test]
fn handlers_start_where_the_agent_is() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap();
    std::fs::create_dir(project.join("sub")).unwrap();
    let policy = r#"
hooks:
  - {id: a, event: PreToolUse, when: "tool_input.command == 'here'", action: {type: run, command: "pwd >&2; exit 1"}}
  - {id: b, event: PreToolUse, when: "tool_input.command == 'sub'", action: {type: run, command: "pwd >&2; exit 1", cwd: sub}}
  - {id: c, event: PreToolUse, when: "tool_input.command == 'own'", action: {type: run, argv: [./own.sh]}}
"#;
    let shell = Shell::new(policy);
    common::executable(&shell.folder, "own.sh", "pwd >&2; exit 1");
    let own = shell.folder.path().canonicalize().unwrap();
    for (host, name, bash) in [
        ("claude", "PreToolUse", "Bash"),
        ("codex", "PreToolUse", "Bash"),
        ("gemini", "BeforeTool", "run_shell_command"),
        ("cursor", "preToolUse", "Shell"),
    ] {
        let run = |command: &str, cwd: &str| {
            let event = json!({"hook_event_name": name, "tool_name": bash, "tool_input": {"command": command}, "cwd": cwd});
            let got = shell.run(&["--host", host], event.to_string().as_bytes(), &[]);
            format!("{}{}", got.out, got.err)
        };
        let at = project.to_str().unwrap();
        assert!(run("here", at).contains(&format!("\"{at}\"")), "{host} {}", run("here", at));
        assert!(run("sub", at).contains(&format!("\"{at}/sub\"")), "{host} {}", run("sub", at));
        // The program of the policy, not one of that name where the agent is.
        assert!(run("own", at).contains(&format!("\"{at}\"")), "{host} {}", run("own", at));
        for gone in ["/no/such/directory", "relative", ""] {
            assert!(
                run("here", gone).contains(&format!("\"{}\"", own.display())),
                "{host} {}",
                run("here", gone)
            );
        }
    }
    let event = json!({"toolName": "bash", "toolArgs": {"command": "here"}, "cwd": project});
    let got = shell.run(&["--host", "copilot"], event.to_string().as_bytes(), &[]);
    assert!(got.out.contains(project.to_str().unwrap()), "{got:?}");
}

#[test]
fn a_policy_that_does_not_compile_is_located() {
    let two = "hooks:\n  - {id: a, event: PreToolUse, oops: 1, action: {type: deny, reason: x}}\n  - {event: PreToolUse, action: {type: denny}}\n";
    let shell = Shell::new(two);
    let got = shell.host("claude", &tool("PreToolUse", "ls"));
    let why = "hooks.yaml:2:32: a hook has no key `oops` (and 1 other error); run `hookc check hooks.yaml`";
    assert_eq!((got.code, got.err.as_str()), (2, &*format!("hookc: the policy does not compile: {why}\n")));
    for (host, event) in [
        ("codex", tool("PreToolUse", "ls")),
        ("copilot", json!({"toolName": "bash", "toolArgs": {}})),
        ("gemini", json!({"hook_event_name": "BeforeTool", "tool_name": "x", "tool_input": {}})),
        ("cursor", json!({"hook_event_name": "beforeShellExecution", "command": "ls"})),
    ] {
        let got = shell.host(host, &event);
        assert!(format!("{}{}", got.out, got.err).contains(why), "{host} {got:?}");
    }
}
