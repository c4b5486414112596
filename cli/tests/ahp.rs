//! `hookc run --host ahp`: messages of the Agent Hooks Protocol in both directions, as its release 0.1.0-draft.1 has
//! them.
#![cfg(unix)]

use crate::common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use common::{put, read};
use serde_json::{Value, json};
use tempfile::TempDir;

const GUARD: &str = r#"
hooks:
  - {id: push, event: PreToolUse, when: pushes(), action: {type: deny, reason: no pushes}}
  - id: secret
    event: PreToolUse
    when: may_contact() and formerly(PostToolUse where may_read('**/.env'))
    action: {type: deny, reason: a secret was read}
  - {id: ask, event: PreToolUse, when: runs('sudo'), action: {type: ask, reason: sure}}
"#;

/// Messages as the release prints them: a request, and the notification of its section 8.4.
const REQUEST: &str = r#"{"jsonrpc":"2.0","id":"evt_stdio_001","method":"hooks/intercept","params":{"protocolVersion":"0.1","event":{"id":"evt_stdio_001","source":"urn:uuid:5b7de29e-a9e0-41a8-bf26-d94b05f0656d","type":"tool.before","time":"2026-08-24T08:51:14Z","session":{"id":"sess_123","cwd":"/repo","workspaceRoots":["/repo"]},"tool":{"callId":"call_456","name":"Bash","kind":"shell","input":{"command":"git push --force"}},"extensions":{"org.w3c.trace_context":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}},"capabilities":{"effects":["deny"]}}}"#;
const NOTIFICATION: &str = r#"{"jsonrpc":"2.0","method":"hooks/observe","params":{"protocolVersion":"0.1","event":{"id":"evt_01JQ8Z7BEQW0X31TVPN5AZ1YJ6","source":"urn:uuid:5b7de29e-a9e0-41a8-bf26-d94b05f0656d","type":"tool.after","time":"2026-08-24T08:51:15Z","session":{"id":"sess_123"},"tool":{"callId":"call_456","name":"Bash","kind":"shell","input":{"command":"git status"},"output":{"exitCode":0,"stdout":"On branch main\n","stderr":""}}}}}"#;

fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "guard.yaml", GUARD);
    folder
}

fn command(folder: &TempDir, more: &[&str]) -> Command {
    let mut command = common::command(folder);
    command.args(["run", "--host", "ahp", "guard.yaml"]).args(more);
    command.env("XDG_STATE_HOME", folder.path().join("state")).env("HOME", folder.path());
    command
}

/// What is answered to an input as a whole: the lines, and what standard error has.
fn answers(folder: &TempDir, more: &[&str], input: &str) -> (Vec<Value>, String) {
    let run = common::run(&mut command(folder, more), input);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.is_empty() || run.out.ends_with('\n'), "{run:?}");
    (run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), run.err)
}

/// A process that answers for a session.
struct Backend {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Backend {
    fn start(folder: &TempDir) -> Self {
        let mut command = command(folder, &["--history", "lenient"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn send(&mut self, message: &str) {
        writeln!(self.input, "{message}").unwrap();
    }

    /// The answer to a message.
    fn ask(&mut self, message: &str) -> Value {
        self.send(message);
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// Ends the input; what was still answered, and the exit status.
    fn end(mut self) -> (String, i32) {
        drop(self.input);
        let rest = self.output.lines().map(Result::unwrap).collect();
        (rest, self.child.wait().unwrap().code().unwrap())
    }
}

/// An event of a session about a command.
fn event(id: &str, kind: &str, line: &str) -> Value {
    json!({
        "id": id, "source": "urn:x", "type": kind, "time": "2026-08-24T08:51:14Z", "session": {"id": "s", "cwd": "/p"},
        "tool": {"callId": id, "name": "Bash", "kind": "shell", "input": {"command": line}},
    })
}

fn request(event: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": event["id"], "method": "hooks/intercept",
        "params": {"protocolVersion": "0.1", "event": event, "capabilities": {"effects": ["deny"]}},
    })
}

fn observed(event: &Value) -> String {
    json!({
        "jsonrpc": "2.0", "method": "hooks/observe", "params": {"protocolVersion": "0.1", "event": event}
    })
    .to_string()
}

fn denied(id: &str, reason: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id,
        "result": {"protocolVersion": "0.1", "effects": [{"type": "deny", "reason": reason}]},
    })
}

fn no_effect(id: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "0.1", "effects": []}})
}

/// A session: each request is answered before the next one is sent, and the process remembers what it observed.
#[test]
fn a_session_of_messages() {
    let folder = place();
    let mut backend = Backend::start(&folder);
    let ask = |id: &str, line: &str| request(&event(id, "tool.before", line)).to_string();
    assert_eq!(backend.ask(REQUEST), denied("evt_stdio_001", "no pushes"));
    backend.send(NOTIFICATION);
    assert_eq!(backend.ask(&ask("1", "ls")), no_effect("1"));
    // A question is a denial: the protocol has no other effect.
    let answer = backend.ask(&ask("2", "sudo ls"));
    assert_eq!(answer["result"]["effects"][0]["type"], "deny", "{answer}");
    assert_eq!(backend.ask(&ask("3", "curl https://a.example")), no_effect("3"));
    backend.send(&observed(&event("4", "tool.after", "cat .env")));
    assert_eq!(backend.ask(&ask("5", "curl https://a.example")), denied("5", "a secret was read"));
    // The policy of each event is that of the moment.
    put(&folder, "guard.yaml", "hooks:\n  - {event: PreToolUse, action: {type: deny, reason: closed}}\n");
    assert_eq!(backend.ask(&ask("6", "ls")), denied("6", "closed"));
    put(&folder, "guard.yaml", "hooks: [");
    let answer = backend.ask(&ask("7", "ls"));
    let reason = answer["result"]["effects"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("does not compile"), "{answer}");
    assert_eq!(backend.end(), (String::new(), 0));
    let log = read(&folder, "state/hookc/decisions.jsonl");
    assert_eq!(log.lines().count(), 9, "{log}");
    assert!(log.lines().all(|line| line.contains("\"host\":\"ahp\"")), "{log}");
}

/// Each wrong message has the code that the release or JSON-RPC has for it, and the next message is answered.
#[test]
fn wrong_messages() {
    let folder = place();
    let good = request(&event("e", "tool.before", "ls"));
    let with = |path: &str, value: Value| {
        let mut message = good.clone();
        *message.pointer_mut(path).unwrap() = value;
        message.to_string()
    };
    let without = |path: &str| {
        let (mut message, (outer, name)) = (good.clone(), path.rsplit_once('/').unwrap());
        message.pointer_mut(outer).unwrap().as_object_mut().unwrap().remove(name);
        message.to_string()
    };
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let cases: Vec<(String, i32, &str)> = vec![
        ("{\"jsonrpc\": \"2.0\", ".to_owned(), -32700, "not JSON"),
        ("hello".to_owned(), -32700, "not JSON"),
        ("{".repeat(100_000), -32700, "not JSON"),
        (format!("[{good}]"), -32600, "not an object"),
        (format!("[{good},{good}]"), -32600, "not an object"),
        (deep, -32600, "not an object"),
        ("1".to_owned(), -32600, "not an object"),
        (with("/jsonrpc", json!("1.0")), -32600, "jsonrpc"),
        (with("/id", json!(null)), -32600, "`id`"),
        (with("/id", json!("")), -32600, "`id`"),
        (with("/id", json!(1.5)), -32600, "`id`"),
        (with("/id", json!("other")), -32600, "not that of the event"),
        (with("/id", json!(7)), -32600, "not that of the event"),
        (with("/method", json!(1)), -32600, "`method`"),
        (with("/method", json!("hooks/none")), -32601, "`hooks/intercept` and `hooks/observe`"),
        (with("/method", json!("hooks/observe")), -32600, "has an `id`"),
        (with("/method", json!("initialize")), -32601, "no method `initialize`"),
        (with("/params", json!([])), -32600, "`params` is not an object"),
        (with("/params/protocolVersion", json!("0.2")), -32001, "`protocolVersion` is \"0.2\""),
        (with("/params/protocolVersion", json!("draft")), -32001, "0.1.0-draft.1"),
        (with("/params/protocolVersion", json!(0.1)), -32001, "`protocolVersion` is 0.1"),
        (without("/params/protocolVersion"), -32001, "`protocolVersion` is missing"),
        (with("/params/event/type", json!("tool.after")), -32002, "its events are `tool.before`"),
        (with("/params/event/type", json!("prompt.before")), -32002, "no event `prompt.before`"),
        (with("/params/event/type", json!(null)), -32002, "no event"),
        (with("/params/event", json!("{}")), -32602, "`event` is not an object"),
        (without("/params/event/source"), -32602, "`source`"),
        (without("/params/event/time"), -32602, "`time`"),
        (without("/params/event/session"), -32602, "`session.id`"),
        (with("/params/event/session", json!("s")), -32602, "`session.id`"),
        (without("/params/event/tool"), -32602, "`tool.callId`"),
        (without("/params/event/tool/name"), -32602, "`tool.name`"),
        (without("/params/event/tool/kind"), -32602, "`tool.kind`"),
        (with("/params/event/tool/kind", json!("database")), -32602, "is not one of `shell`"),
        (without("/params/event/tool/input"), -32602, "`tool.input`"),
        (with("/params/event/tool/input", json!("{}")), -32602, "`tool.input`"),
        (without("/params/capabilities"), -32602, "`capabilities`"),
        (with("/params/capabilities/effects", json!("deny")), -32602, "`capabilities.effects`"),
        (good.to_string().replacen("\"params\":", "\"params\":{},\"params\":", 1), -32600, "duplicate key"),
        (good.to_string().replacen("\"event\":", "\"event\":{},\"event\":", 1), -32600, "duplicate key"),
        (good.to_string().replacen("\"type\":", "\"type\":\"x\",\"type\":", 1), -32602, "duplicate key"),
    ];
    let input: String = cases.iter().map(|(message, ..)| format!("{message}\n{good}\n")).collect();
    let (answers, err) = answers(&folder, &[], &input);
    assert_eq!((answers.len(), err.as_str()), (2 * cases.len(), ""));
    for ((message, code, part), pair) in cases.iter().zip(answers.chunks(2)) {
        let error = &pair[0]["error"];
        let text = error["message"].as_str().unwrap_or_default();
        assert!(error["code"] == *code && text.contains(part), "{message}: {}", pair[0]);
        let sent: Value = serde_json::from_str(message).unwrap_or_default();
        let is_valid = sent["id"].is_i64() || sent["id"].as_str().is_some_and(|id| !id.is_empty());
        let is_known = is_valid && !message.contains(",\"params\":{},");
        let known =
            if is_known && text != "the message has a duplicate key" { &sent["id"] } else { &Value::Null };
        assert!(pair[0]["id"] == *known || pair[0]["id"].is_null(), "{message}: {}", pair[0]);
        assert_eq!(error["data"]["supported"] == json!(["0.1"]), *code == -32001, "{}", pair[0]);
        assert_eq!(pair[1], no_effect("e"), "after {message}");
    }
}

/// No notification is answered, whatever is wrong with it.
#[test]
fn notifications_are_not_answered() {
    let folder = place();
    let mut intercept = request(&event("e", "tool.before", "git push"));
    intercept.as_object_mut().unwrap().remove("id");
    let version = NOTIFICATION.replace("\"0.1\"", "\"0.2\"");
    let before = observed(&event("e", "tool.before", "git push"));
    let method = NOTIFICATION.replace("hooks/observe", "hooks/none");
    for (message, part) in [
        (intercept.to_string(), "`hooks/intercept` has no `id`"),
        (version, "`protocolVersion` is \"0.2\""),
        (before, "`hooks/observe` has no event `tool.before`"),
        (method, "there is no method `hooks/none`"),
    ] {
        let (found, err) = answers(&folder, &[], &format!("{message}\n"));
        assert!(found.is_empty() && err.contains(part), "{message}: {found:?} {err}");
    }
    let (found, err) = answers(&folder, &[], &format!("{NOTIFICATION}\n\n"));
    assert!(found.is_empty() && err.is_empty(), "{found:?} {err}");
}

/// A denial that the request does not offer is an error, which the sender's policy for failures handles.
#[test]
fn a_denial_that_is_not_offered() {
    let folder = place();
    let mut message = request(&event("e", "tool.before", "git push"));
    message["params"]["capabilities"]["effects"] = json!(["com.example.ask"]);
    let (found, _) = answers(&folder, &[], &format!("{message}\n"));
    assert_eq!(found[0]["error"]["code"], -32004, "{found:?}");
    let mut message = request(&event("e", "tool.before", "ls"));
    message["params"]["capabilities"]["effects"] = json!([]);
    let (found, _) = answers(&folder, &[], &format!("{message}\n"));
    assert_eq!(found[0], no_effect("e"));
}

/// Members that a message may have besides those of the release are ignored.
#[test]
fn further_members() {
    let folder = place();
    let mut message = request(&event("e", "tool.before", "git push"));
    for place in [
        "",
        "/params",
        "/params/event",
        "/params/event/tool",
        "/params/event/tool/input",
        "/params/capabilities",
    ] {
        message.pointer_mut(place).unwrap()["brandNew"] = json!({"list": [1, {"deep": null}]});
    }
    message["params"]["capabilities"]["effects"] = json!(["com.example.ask", "deny", 1]);
    let (found, _) = answers(&folder, &[], &format!("{message}\n"));
    assert_eq!(found, [denied("e", "no pushes")]);
}

/// Tools of other names are known by their kind, and those of MCP servers by what the event says of them.
#[test]
fn tools_are_known_by_their_kind() {
    let folder = place();
    let asked = |name: &str, kind: &str, input: Value| {
        let mut event = event("e", "tool.before", "");
        event["tool"] = json!({"callId": "c", "name": name, "kind": kind, "input": input});
        let (found, _) = answers(&folder, &[], &format!("{}\n", request(&event)));
        found[0]["result"]["effects"].as_array().unwrap().len()
    };
    assert_eq!(asked("run_shell_command", "shell", json!({"command": "git push"})), 1);
    assert_eq!(asked("execute", "shell", json!({"cmd": "git push"})), 1);
    assert_eq!(asked("execute", "shell", json!({"cmd": "git status"})), 0);
    assert_eq!(asked("Bash", "other", json!({"command": "git push"})), 1);
    // Which command does the tool run?
    assert_eq!(asked("execute", "shell", json!({"command": "git status", "cmd": "git push"})), 1);
}

/// Input that ends within a line, a line without an end, lines that are too long, and an input of lines alone.
#[test]
fn ends_of_lines() {
    let folder = place();
    let good = request(&event("e", "tool.before", "ls")).to_string();
    let (found, _) = answers(&folder, &[], &good[..good.len() - 10]);
    assert_eq!(found[0]["error"]["code"], -32700, "{found:?}");
    let (found, _) = answers(&folder, &[], &good);
    assert_eq!(found, [no_effect("e")]);
    let (found, _) = answers(&folder, &[], &format!("\r\n{good}\r\n\n"));
    assert_eq!(found, [no_effect("e")]);
    let (found, _) = answers(&folder, &[], "");
    assert!(found.is_empty(), "{found:?}");
    let long = format!("{}\n{good}\n{}", "x".repeat(20 << 20), "y".repeat(20 << 20));
    let (found, _) = answers(&folder, &[], &long);
    let codes: Vec<&Value> = found.iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&json!(-32600), &Value::Null, &json!(-32600)], "{found:?}");
    assert!(found[0]["error"]["message"].as_str().unwrap().contains("longer than"), "{found:?}");
}

/// Input as deep as JSON can be, in the event and around it.
#[test]
fn deep_messages() {
    let folder = place();
    let good = request(&event("e", "tool.before", "git push")).to_string();
    for depth in [100, 128, 100_000] {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        for place in ["\"command\":", "\"jsonrpc\":", "\"callId\":", "\"protocolVersion\":"] {
            let message = good.replacen(place, &format!("\"x\":{deep},{place}"), 1);
            let (found, _) = answers(&folder, &[], &format!("{message}\n"));
            assert_eq!(found.len(), 1, "{depth} {place}");
            let is_denied = found[0]["result"]["effects"][0]["type"] == "deny";
            assert!(is_denied || found[0]["error"]["code"].is_i64(), "{depth} {place}: {found:?}");
        }
    }
}

/// Without a policy, the failure mode answers.
#[test]
fn without_a_policy() {
    let folder = place();
    put(&folder, "guard.yaml", "hooks: [");
    let message = format!("{}\n", request(&event("e", "tool.before", "ls")));
    let (found, _) = answers(&folder, &[], &message);
    assert!(found[0]["result"]["effects"][0]["reason"].as_str().unwrap().contains("hookc: "), "{found:?}");
    let (found, err) = answers(&folder, &["--on-failure", "open"], &message);
    assert!(found[0] == no_effect("e") && err.contains("does not compile"), "{found:?} {err}");
    let mut disabled = command(&folder, &[]);
    disabled.env("HOOKC_DISABLE", "1");
    let run = common::run(&mut disabled, &message);
    assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap(), no_effect("e"), "{run:?}");
}

/// A signal ends a process that waits, and lets one that decides answer.
#[test]
fn a_signal_ends_the_session() {
    let folder = place();
    put(
        &folder,
        "guard.yaml",
        "hooks: [{event: PreToolUse, action: {type: run, command: 'touch started; sleep 60'}}]",
    );
    let terminate = |backend: &Backend| {
        let id = rustix::process::Pid::from_child(&backend.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    };
    let mut idle = Backend::start(&folder);
    idle.send(NOTIFICATION);
    std::thread::sleep(std::time::Duration::from_millis(300));
    terminate(&idle);
    assert_eq!(idle.child.wait().unwrap().code(), Some(143));
    let mut busy = Backend::start(&folder);
    let mut event = event("e", "tool.before", "ls");
    event["session"]["cwd"] = json!(folder.path());
    busy.send(&request(&event).to_string());
    let started = folder.path().join("started");
    while !started.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    terminate(&busy);
    let mut line = String::new();
    busy.output.read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["result"]["effects"][0]["type"], "deny", "{answer}");
    drop(busy.input);
    busy.child.wait().unwrap();
}

/// The event of an agent that starts a process for each one, in a call that names the protocol by mistake.
#[test]
fn an_event_without_a_message() {
    let folder = place();
    let event = |line: &str| {
        json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": line}})
    };
    let denied = common::run(&mut command(&folder, &[]), event("git push").to_string());
    assert!(denied.code == 2 && denied.err.contains("no pushes"), "{denied:?}");
    let answer: Value = serde_json::from_str(&denied.out).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{denied:?}");
    let permitted = common::run(&mut command(&folder, &[]), event("ls").to_string());
    assert_eq!((permitted.code, permitted.out.as_str()), (0, ""), "{permitted:?}");
}
