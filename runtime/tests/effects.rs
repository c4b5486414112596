//! What the events of each agent do: as the agent sends them, through its adapter, with the roles of its data.

use hookc_runtime::adapter;
use hookc_schema::vocab;
use hookc_shell::effects::{
    Actions, Effect, Event, Guard, Input, Kind, Predicate, Project, ToolRoles, Tools, Value as Given, Verb,
    compile, gather,
};
use serde_json::{Value, json};

/// The input of a tool, whose members are read by path.
struct Inputs(Value);

impl Input for Inputs {
    fn each(&self, path: &str, see: &mut dyn FnMut(Given<'_>)) {
        let mut values = vec![&self.0];
        for name in path.split('.') {
            let (name, is_list) = name.strip_suffix("[*]").map_or((name, false), |name| (name, true));
            values = values.into_iter().filter_map(|value| value.get(name)).collect();
            if is_list {
                values = values.into_iter().filter_map(Value::as_array).flatten().collect();
            }
        }
        for value in values {
            match value {
                Value::Null => {}
                Value::String(text) => see(Given::Text(text)),
                Value::Array(items) if items.iter().all(Value::is_string) => {
                    see(Given::Words(&mut items.iter().filter_map(Value::as_str)));
                }
                _ => see(Given::Other),
            }
        }
    }
}

fn tools() -> Tools {
    Tools { shipped: hookc_compiler::tool_roles(vocab::roles()), ..Tools::default() }
}

fn shown(effect: &Effect<'_>) -> String {
    let tree = if effect.is_tree { "/**" } else { "" };
    let assumed = if effect.is_assumed { " assumed" } else { "" };
    format!("{} {}{}{tree}{assumed}", effect.kind.as_str(), effect.scheme.prefix(), effect.object.text)
}

/// A tool that a policy declares, with the roles of its inputs.
type Declared<'d> = (&'d str, Option<&'d [(&'d str, &'d str)]>);

/// What an event as an agent sends it does, for each event that its adapter makes of it.
fn gathered(agent: &str, event: &Value, declarations: &[Declared<'_>]) -> Vec<Actions> {
    let tools = Tools {
        declared: declarations.iter().map(|(name, inputs)| declared(name, *inputs)).collect(),
        ..tools()
    };
    let read = adapter::by_name(agent).unwrap().read(event.to_string().into_bytes(), None);
    let mut incoming = read.unwrap_or_else(|error| panic!("{agent}: {event}: {error}"));
    let count = incoming.count();
    let one = |at: usize| {
        incoming.select(at);
        let members: Value = serde_json::from_slice(incoming.event.bytes()).unwrap();
        let text = |name: &str| members[name].as_str();
        let event = Event {
            tool: text("tool_name").unwrap(),
            host_tool: text("host_tool_name"),
            cwd: text("cwd"),
            project: Project::Absent,
            tools: &tools,
            programs: Default::default(),
        };
        let mut actions = Actions::default();
        gather(&event, &Inputs(members["tool_input"].clone()), &mut actions);
        actions
    };
    (0..count).map(one).collect()
}

/// A declaration of a policy; `None` is `unknown`.
fn declared(name: &str, inputs: Option<&[(&str, &str)]>) -> ToolRoles {
    let owned = |(path, role): &(&str, &str)| ((*path).to_owned(), (*role).to_owned());
    ToolRoles { name: name.to_owned(), inputs: inputs.map(|inputs| inputs.iter().map(owned).collect()) }
}

/// The effects of an event, without the programs that it starts; `unknown` is the last, if a part is.
fn effects(agent: &str, event: &Value) -> Vec<String> {
    effects_with(agent, event, &[])
}

/// With the declarations of a policy.
fn effects_with(agent: &str, event: &Value, declarations: &[Declared<'_>]) -> Vec<String> {
    let each = gathered(agent, event, declarations).into_iter().map(|actions| {
        let shown = actions.effects().filter(|effect| effect.kind != Kind::Run).map(|effect| shown(&effect));
        let marks = [(actions.unknown().is_some(), "unknown"), (actions.is_undeclared(), "undeclared")];
        let marks = marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| mark.to_owned());
        shown.chain(marks).collect::<Vec<String>>()
    });
    let mut each: Vec<Vec<String>> = each.collect();
    // Each event of a patch has the effects of all of its files.
    each.dedup();
    assert_eq!(each.len(), 1, "{agent}: {event}: {each:?}");
    each.remove(0)
}

const PATCH: &str = "*** Begin Patch\n*** Add File: a.rs\n+x\n*** Update File: b.rs\n*** Move to: c.rs\n@@\n-x\n+y\n\
                     *** Delete File: .github/workflows/ci.yml\n*** End Patch\n";

/// The effects of [`PATCH`] in `/p`.
const PATCHED: &[&str] = &[
    "write /p/a.rs",
    "use /p/b.rs",
    "write /p/b.rs",
    "write /p/c.rs",
    "delete /p/b.rs",
    "delete /p/.github/workflows/ci.yml",
];

/// A call of a tool as an agent sends it.
fn call(agent: &str, tool: &str, input: Value) -> Value {
    match agent {
        "gemini" => {
            json!({"hook_event_name": "BeforeTool", "cwd": "/p", "tool_name": tool, "tool_input": input})
        }
        "cursor" => {
            json!({"hook_event_name": "preToolUse", "workspace_roots": ["/p"], "tool_name": tool, "tool_input": input})
        }
        "copilot" => json!({"sessionId": "s", "cwd": "/p", "toolName": tool, "toolArgs": input.to_string()}),
        "vscode" => json!({
            "hookEventName": "PreToolUse", "sessionId": "s", "cwd": "/p", "tool_name": tool, "tool_input": input,
        }),
        _ => json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": tool, "tool_input": input}),
    }
}

#[test]
fn calls_of_tools_of_each_agent() {
    let table: &[(&str, &str, Value, &[&str])] = &[
        ("claude", "Bash", json!({"command": "cat .env > x"}), &["read /p/.env", "write /p/x"]),
        ("claude", "Read", json!({"file_path": "/p/.env"}), &["read /p/.env"]),
        ("claude", "Write", json!({"file_path": "/p/a", "content": "x"}), &["write /p/a"]),
        ("claude", "Write", json!({"content": "x"}), &["unknown"]),
        ("claude", "Edit", json!({"file_path": "/p/a", "new_string": "x"}), &["use /p/a", "write /p/a"]),
        (
            "claude",
            "NotebookEdit",
            json!({"notebook_path": "a.ipynb"}),
            &["use /p/a.ipynb", "write /p/a.ipynb"],
        ),
        ("claude", "Grep", json!({"pattern": "x"}), &["read /p/**"]),
        ("claude", "Grep", json!({"pattern": "x", "path": "src"}), &["read /p/src/**"]),
        ("claude", "Glob", json!({"pattern": "*.rs", "path": "src"}), &["list /p/src/**/*.rs"]),
        ("claude", "WebFetch", json!({"url": "https://x.example/a", "prompt": "p"}), &["contact x.example"]),
        ("claude", "PowerShell", json!({"command": "Get-Date"}), &["unknown"]),
        ("claude", "TodoWrite", json!({"todos": []}), &[]),
        (
            "claude",
            "mcp__filesystem__move_file",
            json!({"source": "a", "destination": "b"}),
            &["use /p/a", "delete /p/a", "write /p/b"],
        ),
        (
            "claude",
            "mcp__github__delete_file",
            json!({"path": ".github/workflows/ci.yml", "branch": "main"}),
            &["delete /p/.github/workflows/ci.yml", "push *:main"],
        ),
        ("claude", "mcp__github__merge_pull_request", json!({"pullNumber": 1}), &["unknown"]),
        ("claude", "mcp__github__get_me", json!({}), &[]),
        ("claude", "mcp__fetch__fetch", json!({"url": "http://x.example:80/"}), &["contact x.example"]),
        ("claude", "mcp__playwright__browser_file_upload", json!({"paths": ["/k"]}), &["read /k", "send /k"]),
        (
            "claude",
            "mcp__other__put",
            json!({"path": "a"}),
            &["read /p/a assumed", "write /p/a assumed", "undeclared"],
        ),
        ("codex", "apply_patch", json!({"command": PATCH}), PATCHED),
        ("codex", "Bash", json!({"command": "rm x", "workdir": "/p/sub"}), &["delete /p/sub/x"]),
        ("codex", "Bash", json!({"command": ["rm", "a b"]}), &["delete /p/a b"]),
        ("codex", "view_image", json!({"path": "a.png"}), &["read /p/a.png"]),
        ("gemini", "run_shell_command", json!({"command": "rm x", "dir_path": "sub"}), &["delete /p/sub/x"]),
        ("gemini", "write_file", json!({"file_path": "a", "content": "x"}), &["write /p/a"]),
        ("gemini", "replace", json!({"file_path": "a", "new_string": "x"}), &["use /p/a", "write /p/a"]),
        ("gemini", "read_file", json!({"absolute_path": "/p/.env"}), &["read /p/.env", "read /p/.env"]),
        ("gemini", "search_file_content", json!({"pattern": "x", "dir_path": "src"}), &["read /p/src/**"]),
        ("gemini", "list_directory", json!({"dir_path": "src"}), &["list /p/src"]),
        (
            "gemini",
            "web_fetch",
            json!({"prompt": "compare https://a.example and https://b.example/x"}),
            &["contact a.example", "contact b.example"],
        ),
        ("cursor", "Shell", json!({"command": "rm x", "cwd": ""}), &["delete /p/x"]),
        ("cursor", "Write", json!({"path": "a", "contents": "x"}), &["write /p/a"]),
        ("cursor", "StrReplace", json!({"path": "a", "new_string": "x"}), &["use /p/a", "write /p/a"]),
        ("copilot", "bash", json!({"command": "rm x"}), &["delete /p/x"]),
        ("copilot", "create", json!({"path": "a", "file_text": "x"}), &["write /p/a"]),
        ("copilot", "view", json!({"path": "a"}), &["read /p/a"]),
        (
            "copilot",
            "str_replace_editor",
            json!({"command": "view", "path": "a"}),
            &["use /p/a", "write /p/a", "read /p/a"],
        ),
        ("copilot", "git_apply_patch", json!({"patch": PATCH}), PATCHED),
        (
            "copilot",
            "github-mcp-server-create_or_update_file",
            json!({"path": "a", "branch": "main", "content": "x"}),
            &["write /p/a", "push *:main"],
        ),
        ("copilot", "powershell", json!({"command": "Get-Date"}), &["unknown"]),
        ("vscode", "run_in_terminal", json!({"command": "rm x"}), &["delete /p/x"]),
        ("vscode", "create_file", json!({"filePath": "a", "content": "x"}), &["write /p/a"]),
        (
            "vscode",
            "multi_replace_string_in_file",
            json!({"replacements": [{"filePath": "a", "newString": "x"}, {"filePath": "b", "newString": "y"}]}),
            &["use /p/a", "write /p/a", "use /p/b", "write /p/b"],
        ),
        ("vscode", "apply_patch", json!({"input": PATCH}), PATCHED),
        ("vscode", "run_task", json!({"id": "build"}), &[]),
        ("vscode", "create_and_run_task", json!({"task": {"command": "rm x"}}), &["delete /p/x"]),
        ("vscode", "create_and_run_task", json!({"task": {"command": "rm", "args": ["x"]}}), &["unknown"]),
        (
            "vscode",
            "fetch_webpage",
            json!({"urls": ["https://x.example"]}),
            // In the list, and under the name of the vocabulary.
            &["contact x.example", "contact x.example"],
        ),
        ("vscode", "mcp_filesystem_write_file", json!({"path": "a", "content": "x"}), &["write /p/a"]),
    ];
    let mut wrong = Vec::new();
    for (agent, tool, input, expected) in table {
        let found = effects(agent, &call(agent, tool, input.clone()));
        if found != *expected {
            wrong.push(format!("{agent} {tool} {input}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn events_about_one_tool_and_bare_patches() {
    for (agent, event, expected) in [
        (
            "cursor",
            json!({"hook_event_name": "beforeShellExecution", "command": "rm x", "cwd": "/p/sub"}),
            &["delete /p/sub/x"][..],
        ),
        (
            "cursor",
            json!({"hook_event_name": "beforeReadFile", "workspace_roots": ["/p"], "file_path": "/p/.env"}),
            &["read /p/.env"],
        ),
        (
            "cursor",
            json!({"hook_event_name": "afterFileEdit", "file_path": "/p/a", "edits": [{"new_string": "x"}]}),
            &["use /p/a", "write /p/a"],
        ),
        (
            "copilot",
            json!({"sessionId": "s", "cwd": "/p", "toolName": "apply_patch", "toolArgs": PATCH}),
            PATCHED,
        ),
        (
            "gemini",
            json!({
                "hook_event_name": "BeforeTool", "cwd": "/p", "tool_name": "mcp_filesystem_write_file",
                "tool_input": {"path": "a", "content": "x"},
                "mcp_context": {"server_name": "filesystem", "tool_name": "write_file"},
            }),
            &["write /p/a"],
        ),
    ] {
        assert_eq!(effects(agent, &event), expected, "{event}");
    }
}

/// Each way in which an agent changes a workflow, and one call of the same tool that changes something else.
#[test]
fn one_guard_sees_the_tools_of_all_agents() {
    let guard = |is_possible| Guard { is_possible, of: vec!["@ci".to_owned()], ..Guard::new(Verb::Change) };
    let compiled =
        |is_possible| compile(&Predicate::Guard(guard(is_possible)), &[], Default::default()).unwrap();
    let (certain, possible) = (compiled(false), compiled(true));
    let file = ".github/workflows/ci.yml";
    let patch = |path: &str| {
        format!("*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: {path}\n*** End Patch\n")
    };
    let calls = |path: &str| {
        [
            ("claude", "Bash", json!({"command": format!("cd . && sed -i s/a/b/ {path}")})),
            ("claude", "Write", json!({"file_path": format!("/p/{path}"), "content": "x"})),
            ("claude", "Edit", json!({"file_path": path, "old_string": "x", "new_string": "y"})),
            ("claude", "mcp__filesystem__edit_file", json!({"path": path, "edits": []})),
            (
                "claude",
                "mcp__github__push_files",
                json!({"branch": "b", "files": [{"path": path, "content": "x"}]}),
            ),
            ("claude", "mcp__other__save", json!({"file_path": path})),
            ("codex", "apply_patch", json!({"command": patch(path)})),
            ("codex", "Bash", json!({"command": format!("git rm {path}"), "workdir": "/p"})),
            ("codex", "Bash", json!({"command": ["bash", "-lc", format!("rm {path}")]})),
            ("gemini", "replace", json!({"file_path": path, "old_string": "x", "new_string": "y"})),
            ("gemini", "run_shell_command", json!({"command": format!("rm /p/{path}"), "dir_path": "sub"})),
            ("cursor", "Delete", json!({"path": path})),
            ("cursor", "Shell", json!({"command": format!("echo x > {path}")})),
            ("copilot", "create", json!({"path": path, "file_text": "x"})),
            ("copilot", "git_apply_patch", json!({"patch": patch(path)})),
            ("copilot", "filesystem-write_file", json!({"path": path, "content": "x"})),
            (
                "vscode",
                "multi_replace_string_in_file",
                json!({"replacements": [{"filePath": path, "newString": "x"}]}),
            ),
            ("vscode", "insert_edit_into_file", json!({"filePath": path, "code": "x"})),
            ("vscode", "apply_patch", json!({"input": patch(path)})),
        ]
    };
    for ((agent, tool, input), (.., other)) in calls(file).into_iter().zip(calls("src/a.yml")) {
        let holds = |input: Value| {
            let mut each = gathered(agent, &call(agent, tool, input), &[]).into_iter();
            each.all(|actions| certain.holds(&actions))
        };
        assert!(holds(input.clone()), "{agent} {tool} {input}");
        assert!(!holds(other.clone()), "{agent} {tool} {other}");
    }
    let unread =
        gathered("copilot", &call("copilot", "powershell", json!({"command": format!("rm {file}")})), &[]);
    assert!(unread.iter().all(|actions| possible.holds(actions) && !certain.holds(actions)));
}

#[test]
fn declarations_of_a_policy_win() {
    let gemini = json!({
        "hook_event_name": "BeforeTool", "cwd": "/p", "tool_name": "mcp_files_put",
        "tool_input": {"where": "a", "body": "x"}, "mcp_context": {"server_name": "files", "tool_name": "put"},
    });
    let put = |name: &'static str| [(name, Some(&[("where", "write"), ("body", "text")][..]))];
    assert_eq!(effects("gemini", &gemini), ["undeclared"]);
    assert_eq!(effects_with("gemini", &gemini, &put("mcp__files__put")), ["write /p/a"]);
    assert_eq!(effects_with("gemini", &gemini, &put("mcp__files__*")), ["write /p/a"]);
    let move_file = call("claude", "mcp__filesystem__move_file", json!({"source": "a", "destination": "b"}));
    let closed = [("mcp__*", None), ("mcp__docs__*", Some(&[][..])), ("mcp__docs__write", None)];
    assert_eq!(effects_with("claude", &move_file, &closed), ["unknown"]);
    for (tool, expected) in
        [("mcp__docs__search", &[][..]), ("mcp__docs__write", &["unknown"]), ("Other", &["undeclared"])]
    {
        assert_eq!(effects_with("claude", &call("claude", tool, json!({})), &closed), expected, "{tool}");
    }
    let bash = call("claude", "Bash", json!({"command": "rm x"}));
    assert_eq!(effects_with("claude", &bash, &closed), ["delete /p/x"]);
}
