//! What single agents send and read that others do not.

use hookc_compiler::{Input, Options, compile};
use hookc_runtime::adapter::{self, Answer};
use hookc_runtime::bridge::{Invocation, run};
use hookc_vm::Module;
use serde_json::{Value, json};

/// The event of an agent under the names of the vocabulary.
fn read(agent: &str, event: &Value) -> Result<Value, String> {
    let incoming = adapter::by_name(agent).unwrap().read(event.to_string().into_bytes(), None);
    let incoming = incoming.map_err(|error| error.to_string())?;
    Ok(serde_json::from_slice(incoming.event.bytes()).unwrap())
}

fn cline(tool: &str, parameters: &Value) -> Value {
    json!({"clineVersion": "3", "hookName": "PreToolUse", "taskId": "t", "workspaceRoots": ["/"],
        "preToolUse": {"toolName": tool, "parameters": parameters}})
}

fn decided(agent: &str, policy: &str, event: &Value) -> Answer {
    let mut sources = hookc_schema::Sources::new();
    let input = Input::new(sources.add("hooks.yaml", policy));
    let module = compile(&mut sources, &[input], &Options::default()).module.unwrap();
    run(Invocation::new(adapter::by_name(agent).unwrap()), event.to_string().into_bytes(), || {
        Module::load(module)
    })
}

#[test]
fn a_tool_that_calls_those_of_mcp_servers_is_the_one_that_it_calls() {
    let call = |arguments: Value| {
        let parameters =
            json!({"server_name": "git hub", "tool_name": "create_issue", "arguments": arguments});
        read("cline", &cline("use_mcp_tool", &parameters))
    };
    for arguments in [json!({"title": "x"}), json!("{\"title\": \"x\"}")] {
        let event = call(arguments).unwrap();
        assert_eq!(event["tool_name"], "mcp__git_hub__create_issue");
        assert_eq!(event["host_tool_name"], "use_mcp_tool");
        assert_eq!(event["tool_input"], json!({"title": "x"}));
    }
    assert!(call(json!("{title: x}")).unwrap_err().contains("not JSON"));
    // Another tool with such inputs is not one that calls others.
    let other = read("cline", &cline("other", &json!({"server_name": "a", "tool_name": "b"}))).unwrap();
    assert_eq!(other["tool_name"], "other");
    let policy = "hooks: [{event: PreToolUse, when: \"mcp_server.name == 'github' and tool_input.title == 'x'\", action: {type: deny, reason: no}}]";
    let parameters =
        json!({"server_name": "github", "tool_name": "create_issue", "arguments": "{\"title\": \"x\"}"});
    let answer = decided("cline", policy, &cline("use_mcp_tool", &parameters));
    assert!(answer.stdout.to_string().contains("\"cancel\":true"), "{answer:?}");
    // What is no object is not what a guard could check.
    let parameters = json!({"server_name": "github", "tool_name": "create_issue", "arguments": "title"});
    let answer = decided("cline", policy, &cline("use_mcp_tool", &parameters));
    assert!(answer.stdout.to_string().contains("\"cancel\":true") && answer.code == 2, "{answer:?}");
}

/// An event of the command line of Cline.
fn tool_call(tool: &str, input: &Value) -> Value {
    json!({"clineVersion": "", "hookName": "tool_call", "taskId": "t",
        "tool_call": {"id": "c", "name": tool, "input": input}, "preToolUse": {"toolName": tool}})
}

/// What a guard reads under a name of the vocabulary in the events about the elements of a list.
fn elements(tool: &str, input: &Value, name: &str) -> Result<Vec<Value>, String> {
    let event = tool_call(tool, input).to_string().into_bytes();
    let mut incoming =
        adapter::by_name("cline").unwrap().read(event, None).map_err(|error| error.to_string())?;
    assert_eq!(incoming.has_several(), incoming.count() > 1);
    // In any order, and the first without being selected.
    let mut read = vec![Value::Null; incoming.count()];
    read[0] = incoming.event.value()["tool_input"][name].clone();
    for at in (0..incoming.count()).rev().chain(0..incoming.count()) {
        incoming.select(at);
        let event = incoming.event.value();
        let mut sent = event["tool_input"].clone();
        assert!(at > 0 || sent[name] == read[0]);
        read[at] = sent.as_object_mut().unwrap().remove(name).unwrap_or_default();
        let mut input = input.clone();
        input.as_object_mut().unwrap().remove(name);
        assert_eq!(sent, input, "the rest is as sent");
    }
    Ok(read)
}

#[test]
fn each_element_of_a_list_is_decided_about() {
    let commands = |input: Value| elements("run_commands", &input, "command");
    let long = "x".repeat(5000);
    for list in [json!(["ls"]), json!(["a", "", "\u{e9}\"'\n# \\", long, "rm"])] {
        assert_eq!(json!(commands(json!({"commands": list})).unwrap()), list);
        assert_eq!(json!(commands(json!({"commands": list.to_string()})).unwrap()), list);
    }
    for (input, read) in [
        (json!({"commands": "ls"}), json!(["ls"])),
        (json!({"commands": "[ -f a ] && rm a"}), json!(["[ -f a ] && rm a"])),
        (json!({"cmd": "ls"}), json!(["ls"])),
        (json!({"command": "ls"}), json!(["ls"])),
        (json!({"command": "ls", "commands": ["ls"]}), json!(["ls"])),
        (json!({"commands": []}), json!([null])),
        (json!({"commands": null}), json!([null])),
    ] {
        assert_eq!(commands(input.clone()).map(|read| json!(read)), Ok(read), "{input}");
    }
    let unread = "cannot determine the `command` of each element of `commands` of the tool's input";
    for (input, why) in [
        (json!({"commands": ["ls", 1]}), unread),
        (json!({"commands": ["ls", {"command": "rm", "args": ["-rf", "/"]}]}), unread),
        (json!({"commands": [["ls"]]}), unread),
        (json!({"commands": 1}), unread),
        (json!({"commands": {"command": "ls"}}), unread),
        (
            json!({"commands": vec!["ls"; 101]}),
            "`commands` of the tool's input has more than 100 elements: send them in parts",
        ),
        (
            json!({"commands": vec!["x".repeat(50_000); 40]}),
            "the tool's input is too large for its elements: send them in parts",
        ),
        (
            json!({"command": "ls", "commands": ["ls", "rm"]}),
            "the tool's input has two texts, as `commands` and as `command`",
        ),
    ] {
        let error = commands(input).unwrap_err();
        assert_eq!(error, why);
    }
    let files = |input: Value| elements("read_files", &input, "file_path");
    let mixed =
        json!({"files": [{"path": "/a", "start_line": 1}, {"file_path": "/b"}, {"filePath": "/c"}, "/d"]});
    assert_eq!(files(mixed), Ok(["/a", "/b", "/c", "/d"].map(Value::from).to_vec()));
    assert_eq!(files(json!({"paths": {"path": "/a"}})), Ok(vec![json!("/a")]));
    for input in [
        json!({"files": [{"path": "/a", "filePath": "/b"}]}),
        json!({"files": [{"start_line": 1}]}),
        json!({"files": [{"path": []}]}),
        json!({"files": [{"path": ["/a", 1]}]}),
        json!({"files": [{"path": "/a"}], "paths": ["/b"]}),
        json!({"path": "/a", "files": [{"path": "/b"}]}),
    ] {
        let error = files(input).unwrap_err();
        assert!(error.contains("cannot determine") || error.contains("names two files"), "{error}");
    }
}

#[test]
fn a_denied_element_of_a_list_denies_the_call() {
    let policy = "hooks: [{event: PreToolUse, when: \"tool_input.command contains 'rm -rf'\", action: {type: deny, reason: no}}]";
    let denies = |tool: &str, input: Value| {
        let answer = decided("cline", policy, &tool_call(tool, &input));
        answer.stdout.to_string().contains("\"cancel\":true")
    };
    assert!(!denies("run_commands", json!({"commands": ["ls", "date"]})));
    for input in [
        json!({"commands": ["rm -rf /"]}),
        json!({"commands": ["echo '", "rm -rf /", "'"]}),
        json!({"commands": ["exit", "rm -rf /"]}),
        json!({"commands": [{"command": "rm", "args": ["-rf", "/"]}]}),
        json!(["rm -rf /"]),
        json!("rm -rf /"),
    ] {
        assert!(denies("run_commands", input.clone()), "{input}");
    }
}

#[test]
fn a_tool_has_one_name_and_one_input_wherever_they_are() {
    let antigravity = |more: Value| {
        let mut event = json!({"conversationId": "c", "workspacePaths": ["/p"],
            "toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}}});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read("antigravity", &event)
    };
    assert!(antigravity(json!({"tool_name": "run_command"})).is_ok());
    for more in [json!({"tool_name": "view_file"}), json!({"tool_input": {"CommandLine": "rm"}})] {
        assert!(antigravity(more).unwrap_err().contains("two values, as `toolCall."));
    }
    let mut event = cline("read_file", &json!({"path": "/p/a"}));
    event["preToolUse"]["tool"] = json!("read_file");
    assert_eq!(read("cline", &event).unwrap()["tool_name"], "Read");
    event["preToolUse"]["tool"] = json!("execute_command");
    assert!(read("cline", &event).unwrap_err().contains("two values"));
    // The command line of Cline sends the input again, with texts for its values.
    let again = |parameters: Value| {
        let event = json!({"clineVersion": "", "hookName": "tool_call", "taskId": "t",
            "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": ["ls"], "text": "[1]"}},
            "preToolUse": {"toolName": "run_commands", "parameters": parameters}});
        read("cline", &event).map(|event| event["tool_input"].clone())
    };
    let input = json!({"commands": ["ls"], "text": "[1]"});
    let read_input = Ok(json!({"commands": ["ls"], "text": "[1]", "command": "ls"}));
    assert_eq!(again(json!({"commands": "[\"ls\"]", "text": "[1]"})), read_input);
    assert_eq!(again(input), read_input);
    for other in [
        json!({"commands": "[\"rm\"]", "text": "[1]"}),
        json!({"commands": "ls", "text": "[1]"}),
        json!({"commands": ["ls"], "text": [1]}),
        json!({"commands": ["ls"]}),
        json!({"commands": ["ls"], "text": "[1]", "more": 1}),
        json!("{}"),
    ] {
        assert!(again(other).unwrap_err().contains("two values"));
    }
}

#[test]
fn an_agent_that_denies_by_any_status_gets_the_answer_too() {
    let event = cline("execute_command", &json!({"command": "ls"}));
    let broken = |mode| {
        let mut invocation = Invocation::new(adapter::by_name("cline").unwrap());
        invocation.failure_mode = Some(mode);
        run(invocation, event.to_string().into_bytes(), || Err::<Module, _>("no policy"))
    };
    let closed = broken(hookc_base::OnFailure::Closed);
    assert!(closed.code == 2 && closed.stdout.to_string().contains("\"cancel\":true"), "{closed:?}");
    let open = broken(hookc_base::OnFailure::Open);
    assert!(open.code == 0 && open.stderr.contains("no policy"), "{open:?}");
    // Which statuses of a policy's handlers deny does not depend on the agent.
    let policy = |status: u8| {
        format!(
            "hooks: [{{event: PreToolUse, action: {{type: run, command: 'echo no >&2; exit {status}', result: agent}}, on_failure: open}}]"
        )
    };
    for agent in ["cline", "claude", "antigravity", "copilot"] {
        let event = match agent {
            "cline" => event.clone(),
            "antigravity" => {
                json!({"conversationId": "c", "toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}}})
            }
            "copilot" => {
                json!({"sessionId": "s", "timestamp": 1, "cwd": "/", "toolName": "bash", "toolArgs": {"command": "ls"}})
            }
            _ => {
                json!({"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Bash", "tool_input": {"command": "ls"}})
            }
        };
        let denies = |status| {
            let answer = decided(agent, &policy(status), &event);
            let text = answer.stdout.to_string();
            text.contains("\"cancel\":true") || text.contains("\"deny\"")
        };
        assert!(denies(2), "{agent}: {:?}", decided(agent, &policy(2), &event));
        assert!(!denies(1), "{agent}");
    }
}
