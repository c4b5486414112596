//! The text that a tool writes has one name for guards, whatever the agent names it.

use crate::common;

use hookc_runtime::adapter::{self, Incoming};
use hookc_runtime::host::NoopHost;
use hookc_runtime::log::Redaction;
use hookc_runtime::verdict::{Change, Permission};
use hookc_runtime::{Engine, Verdict};
use hookc_vm::DecideOptions;
use serde_json::{Value, json};

/// In two parts, so that a search for lost words does not find it here.
fn key() -> String {
    ["AKIA", "QWERTYUIOPASDFGH"].concat()
}

/// Calls of tools that write a text, as each agent sends them.
fn writes(text: &str) -> Vec<(&'static str, Value)> {
    let event = |name: &str, tool: &str, input: Value| json!({"hook_event_name": name, "tool_name": tool, "tool_input": input, "session_id": "s"});
    let claude = |tool: &str, input: Value| ("claude", event("PreToolUse", tool, input));
    let gemini = |tool: &str, input: Value| ("gemini", event("BeforeTool", tool, input));
    let cursor = |tool: &str, input: Value| ("cursor", event("preToolUse", tool, input));
    let copilot = |tool: &str, input: Value| {
        ("copilot", json!({"sessionId": "s", "cwd": "/", "toolName": tool, "toolArgs": input.to_string()}))
    };
    let request = |tool: &str, input: Value| {
        ("copilot", json!({"hookName": "permissionRequest", "toolName": tool, "toolInput": input}))
    };
    let bare =
        |patch: String| ("copilot", json!({"sessionId": "s", "toolName": "apply_patch", "toolArgs": patch}));
    let patch =
        |head: &str| format!("*** Begin Patch\n{head}\n@@ fn main\n keep\n-old\n+{text}\n*** End Patch\n");
    vec![
        claude("Write", json!({"file_path": "/a", "content": text})),
        claude(
            "Edit",
            json!({"file_path": "/a", "old_string": "x", "new_string": text, "replace_all": false}),
        ),
        claude("MultiEdit", json!({"file_path": "/a", "edits": [{"old_string": "x", "new_string": text}]})),
        claude("NotebookEdit", json!({"notebook_path": "/a.ipynb", "new_source": text, "cell_id": "1"})),
        gemini("write_file", json!({"file_path": "/a", "content": text})),
        gemini(
            "replace",
            json!({"file_path": "/a", "instruction": "i", "old_string": "x", "new_string": text}),
        ),
        cursor("Write", json!({"path": "/a", "contents": text})),
        cursor("Write", json!({"file_path": "/a", "content": text})),
        cursor("StrReplace", json!({"path": "/a", "old_string": "x", "new_string": text})),
        cursor(
            "EditNotebook",
            json!({"target_notebook": "/a", "cell_idx": 0, "old_string": "", "new_string": text}),
        ),
        copilot("create", json!({"path": "/a", "file_text": text})),
        copilot("edit", json!({"path": "/a", "old_str": "x", "new_str": text})),
        copilot("str_replace_editor", json!({"command": "create", "path": "/a", "file_text": text})),
        copilot(
            "str_replace_editor",
            json!({"command": "str_replace", "path": "/a", "old_str": "x", "new_str": text}),
        ),
        copilot(
            "str_replace_editor",
            json!({"command": "insert", "path": "/a", "insert_line": 1, "new_str": text}),
        ),
        copilot("str_replace", json!({"path": "/a", "old_str": "x", "new_str": text})),
        copilot("insert", json!({"path": "/a", "insert_line": 1, "new_str": text})),
        copilot("git_apply_patch", json!({"input": patch("*** Update File: a")})),
        bare(patch("*** Update File: a")),
        bare(patch("***  Update File:a")),
        request("create", json!({"path": "/a", "file_text": text})),
        copilot("apply_patch", json!({"input": patch("*** Add File: a")})),
        copilot("apply_patch", json!({"patch": patch("*** Update File: a")})),
        ("codex", event("PreToolUse", "apply_patch", json!({"command": patch("*** Add File: a")}))),
        (
            "codex",
            event(
                "PreToolUse",
                "apply_patch",
                json!({"command": patch("*** Update File: b\n*** Move to: a")}),
            ),
        ),
        (
            "vscode",
            event(
                "PreToolUse",
                "edit_notebook_file",
                json!({"filePath": "/a.ipynb", "cellId": "1", "newCode": text}),
            ),
        ),
        ("flat", event("PreToolUse", "Write", json!({"file_path": "/a", "content": text}))),
    ]
}

fn incoming(host: &str, event: &Value) -> Incoming {
    adapter::by_name(host).unwrap().read(event.to_string().into_bytes(), None).unwrap()
}

/// What the hooks of a policy say of all that an event is about.
fn verdict(engine: &Engine, incoming: &mut Incoming) -> Verdict {
    let name = incoming.name.clone();
    let ask = DecideOptions::default().event(name.as_str());
    let handled = (0..incoming.count()).map(|at| {
        incoming.select(at);
        engine.handle(&incoming.event, &ask, &NoopHost).unwrap()
    });
    let outcome = handled.reduce(|mut all, one| {
        all.add(&one);
        all
    });
    outcome.unwrap().verdict().0
}

#[test]
fn a_written_secret_is_seen_for_every_agent() {
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/starters/secrets/hooks.yaml");
    // The guard of what is written alone: patches have other words in them.
    let engine = common::engine(&std::fs::read_to_string(starter).unwrap());
    let share = hookc_corpus::effort(1, 3);
    for (host, event) in writes(&format!("key = \"{}\"", key())).into_iter().step_by(share) {
        let mut incoming = incoming(host, &event);
        incoming.name = "PreToolUse".to_owned();
        let said = verdict(&engine, &mut incoming);
        assert_eq!(said.permission, Some(Permission::Deny), "{host} {event}");
        assert!(said.reasons[0].contains("key in this text"), "{host} {said:?}");
    }
    for (host, event) in writes("key = os.environ['KEY']").into_iter().step_by(share) {
        assert_eq!(verdict(&engine, &mut incoming(host, &event)).permission, None, "{host} {event}");
    }
}

#[test]
fn one_guard_on_the_names_of_the_vocabulary_sees_all_agents() {
    let policy = r#"hooks:
- {event: [PreToolUse, PermissionRequest], action: {type: deny, reason: r}, when: "(tool_input.content contains 'canary' or tool_input.new_string contains 'canary' or tool_input.new_source contains 'canary' or $.tool_input.edits[*].new_string contains 'canary') and exists($.tool_input['file_path', 'notebook_path'])"}
"#;
    let engine = common::engine(policy);
    for (host, event) in writes("a canary") {
        let said = verdict(&engine, &mut incoming(host, &event));
        assert_eq!(said.permission, Some(Permission::Deny), "{host} {event}");
    }
}

#[test]
fn a_patch_is_read_file_by_file() {
    let patch = "*** Begin Patch\n*** Add File: new\n+one\n+\n+two\n*** Update File: old\n*** Move to: moved\n@@\n \
                 around\n-gone\n+come\n*** Delete File: dead\n*** End Patch";
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch",
        "tool_input": {"command": patch, "content": "made up", "new_string": "made up"}});
    let mut incoming = incoming("codex", &event);
    let values: Vec<Value> = (0..incoming.count())
        .map(|at| {
            incoming.select(at);
            let value = incoming.event.value();
            let input = &value["tool_input"];
            json!([
                value["tool_name"],
                input["file_path"],
                input["content"],
                input["old_string"],
                input["new_string"]
            ])
        })
        .collect();
    assert_eq!(
        json!(values),
        json!([
            ["Write", "new", "one\n\ntwo\n", null, null],
            ["Edit", "old", null, "around\ngone\n", "around\ncome\n"],
            ["Write", "moved", "around\ncome\n", null, null],
            ["Edit", "dead", null, "", ""],
        ])
    );
}

/// The files of a patch, from its decoded text: tool, path, the text before and after.
fn files_of(text: &str) -> Vec<(&'static str, String, String, String)> {
    let heads =
        [("Add File", "Write"), ("Update File", "Edit"), ("Delete File", "Edit"), ("Move to", "Write")];
    let mut all: Vec<(&str, String, String, String)> = Vec::new();
    let mut from = 0;
    for line in text.lines() {
        let head = line.trim_start();
        let path = |name: &str| head.strip_prefix(&format!("*** {name}: "));
        if let Some((tool, name, path)) =
            heads.iter().find_map(|(name, tool)| Some((tool, name, path(name)?)))
        {
            from = if *name == "Move to" { all.len().saturating_sub(1) } else { all.len() };
            all.push((tool, path.trim().to_owned(), String::new(), String::new()));
        } else if !head.starts_with("***") && !line.starts_with("@@") {
            for (_, _, old, new) in &mut all[from..] {
                let (sign, rest) = line.split_at_checked(1).unwrap_or(("", line));
                for (text, other) in [(old, "+"), (new, "-")] {
                    if sign != other {
                        text.push_str(if ["+", "-", " "].contains(&sign) { rest } else { line });
                        text.push('\n');
                    }
                }
            }
        }
    }
    all
}

#[test]
fn the_events_of_any_patch_have_the_text_of_its_lines() {
    let lines = [
        "*** Update File: a",
        "  *** Update File: \u{e9} b ",
        "*** Add File: c\t",
        "*** Delete File: d",
        "*** Move to: e",
        "*** Move to:",
        "*** End Patch",
        "@@ fn x",
        " @@",
        "+",
        "-",
        " ",
        "",
        "+a\\b\"c",
        "-\u{2028}x",
        " \u{1f600}",
        "plain",
        "\r",
        "+x\r",
        "\u{3000}*** Add File: f",
        "+*** Add File: no",
        "\u{1}y",
        "é",
    ];
    let mut seed: u64 = 7;
    for round in 0..3000 {
        let mut next = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % most
        };
        let mut text = "*** Update File: first\n".to_owned();
        for _ in 0..next(12) {
            text.push_str(lines[next(lines.len())]);
            text.push_str(["\n", "\n", "\r\n", "\n\n"][next(4)]);
        }
        let member = if next(2) == 0 {
            json!({"command": text})
        } else {
            json!({"z": 1, "command": text, "file_path": "/"})
        };
        let event =
            json!({"tool_input": member, "hook_event_name": "PreToolUse", "tool_name": "apply_patch"});
        let (host, sent) = match round % 3 {
            0 => (
                "copilot",
                json!({"toolName": "apply_patch", "toolArgs": json!({"patch": text}).to_string()})
                    .to_string(),
            ),
            1 => ("codex", event.to_string().replace('+', "\\u002b").replace("\\n", "\\u000A")),
            _ => ("codex", event.to_string()),
        };
        let mut incoming = adapter::by_name(host).unwrap().read(sent.into_bytes(), None).unwrap();
        let files = files_of(&text);
        assert_eq!(incoming.has_several(), files.len() > 1);
        assert_eq!(incoming.count(), files.len());
        // The event about a file does not depend on that before it.
        let order: Vec<usize> = (0..files.len()).chain((0..files.len()).rev()).collect();
        for at in order {
            incoming.select(at);
            let (event, (tool, path, old, new)) = (&incoming.event, files[at].clone());
            let input = &event.value()["tool_input"];
            let texts = [&input["content"], &input["old_string"], &input["new_string"]];
            assert_eq!((event.text("tool_name").as_deref(), &input["file_path"]), (Some(tool), &json!(path)));
            match tool {
                "Write" => assert_eq!(texts, [&json!(new), &Value::Null, &Value::Null], "{text:?}"),
                _ => assert_eq!(texts, [&Value::Null, &json!(old), &json!(new)], "{text:?}"),
            }
        }
    }
}

#[test]
fn a_new_input_has_the_names_of_the_agent() {
    let answer = |host: &str, event: &Value, fields: Value| {
        let incoming = incoming(host, event);
        let mut verdict = Verdict::default();
        verdict.change = Some(Change::of_fields(fields.as_object().unwrap().clone()));
        adapter::by_name(host).unwrap().answer(&incoming, &verdict).stdout.to_string()
    };
    let tool = |tool: &str, input: Value| json!({"hook_event_name": "preToolUse", "tool_name": tool, "tool_input": input});
    let write = tool("Write", json!({"path": "/a", "contents": "x"}));
    assert_eq!(
        answer("cursor", &write, json!({"content": "y"})),
        "{\"updated_input\":{\"path\":\"/a\",\"contents\":\"y\"}}\n"
    );
    // Sent under both names: both are the new one.
    let both = tool("Write", json!({"path": "/a", "file_path": "/a", "content": "x"}));
    assert_eq!(
        answer("cursor", &both, json!({"file_path": "/b"})),
        "{\"updated_input\":{\"path\":\"/b\",\"file_path\":\"/b\",\"content\":\"x\"}}\n"
    );
    let edit = json!({"toolName": "edit", "toolArgs": {"path": "/a", "old_str": "x", "new_str": "y"}});
    assert_eq!(
        answer("copilot", &edit, json!({"new_string": "z"})),
        "{\"modifiedArgs\":{\"path\":\"/a\",\"old_str\":\"x\",\"new_str\":\"z\"}}\n"
    );
    let gemini = json!({"hook_event_name": "BeforeTool", "tool_name": "read_file", "tool_input": {"absolute_path": "/a"}});
    let said = answer("gemini", &gemini, json!({"file_path": "/b"}));
    assert!(said.contains(r#""tool_input":{"absolute_path":"/b"}"#), "{said}");
    // What a patch has no place for is no change that is lost.
    let patch = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch",
        "tool_input": {"command": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}});
    let said = answer("codex", &patch, json!({"content": "y"}));
    assert!(said.contains(r#""permissionDecision":"deny""#), "{said}");
}

#[test]
fn tools_of_mcp_servers_have_the_name_of_the_vocabulary() {
    let event = |context: Value| {
        json!({"hook_event_name": "BeforeTool", "tool_name": "mcp_my_server_push", "tool_input": {},
            "mcp_context": context})
    };
    for (context, name) in [
        (json!({"server_name": "my_server", "tool_name": "push", "command": "x"}), "mcp__my_server__push"),
        (json!({"server_name": "my server", "tool_name": "p.\u{e4}-1"}), "mcp__my_server__p__-1"),
        (json!({"server_name": "s", "tool_name": ""}), "mcp_my_server_push"),
        (json!({"server_name": "s"}), "mcp_my_server_push"),
        (json!(["server_name"]), "mcp_my_server_push"),
        (json!(null), "mcp_my_server_push"),
    ] {
        let incoming = incoming("gemini", &event(context));
        let event = incoming.event.value();
        assert_eq!(event["tool_name"], name);
        let sent = event.get("host_tool_name").and_then(Value::as_str);
        assert_eq!(sent, (name != "mcp_my_server_push").then_some("mcp_my_server_push"));
    }
}

#[test]
fn conflicting_names_are_an_invalid_input() {
    let read = |input: Value| {
        let event = json!({"hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": input});
        adapter::by_name("cursor")
            .unwrap()
            .read(event.to_string().into_bytes(), None)
            .map(drop)
            .map_err(|e| e.to_string())
    };
    let files = "the tool's input names two files, as `path` and as `file_path`";
    assert_eq!(read(json!({"path": "/a", "file_path": "/b"})), Err(files.to_owned()));
    let texts = "the tool's input has two texts, as `contents` and as `content`";
    assert_eq!(read(json!({"path": "/a", "contents": "x", "content": "y"})), Err(texts.to_owned()));
    assert_eq!(read(json!({"path": "/a", "file_path": "/a"})), Ok(()));
}

#[test]
fn redaction_covers_every_name() {
    for (host, event) in writes("a canary") {
        let mut incoming = incoming(host, &event);
        for at in 0..incoming.count() {
            incoming.select(at);
            let event = &incoming.event;
            let paths =
                ["tool_input.content", "tool_input.new_string", "tool_input.new_source", "tool_input.edits"];
            let hidden = Redaction::new(paths).apply(event.value().clone()).to_string();
            assert!(!hidden.contains("canary"), "{host} {hidden}");
        }
    }
}
