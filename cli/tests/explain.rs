//! `explain` as a tree, and events by flags.

use crate::common;

use common::{Run, hookc, put};
use serde_json::{Value, json};

const POLICY: &str = r#"
hooks:
  - id: push
    event: PreToolUse
    when: tool_name == 'Bash' and (tool_input.command =~ /\bpush\b/ or tool_input.run_in_background == true) and cwd != '/tmp'
    action: {type: deny, reason: "No pushes."}
  - id: both
    event: PreToolUse
    when: tool_input.offset >= tool_input.limit
    action: {type: ask, reason: "Large."}
  - id: nodes
    event: PreToolUse
    when: $.tool_input.paths[*] ends_with '.pem'
    action: {type: ask, reason: "Keys."}
  - {id: always, event: PreToolUse, action: {type: log, message: seen}}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "p.yaml", POLICY);
    folder
}

fn explain(folder: &tempfile::TempDir, args: &[&str], input: &str) -> Run {
    hookc(folder, &[&["explain", "p.yaml"], args].concat(), input)
}

const PUSH: &[&str] = &["--event", "PreToolUse", "--tool", "Bash", "--input", "command=git push"];

#[test]
fn the_condition_is_a_tree_of_outcomes() {
    let folder = folder();
    let run = explain(&folder, PUSH, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let expected = "\
push: decides
    ✓ all of
        ✓ tool_name == 'Bash': the value is \"Bash\"
        ✓ any of
            ✓ tool_input.command =~ '\\bpush\\b': the value is \"git push\"
            – tool_input.run_in_background == true: not evaluated
        ✓ cwd != '/tmp': the value is absent
    at p.yaml:3:5

both: no match
    ✗ tool_input.offset >= tool_input.limit: the value is absent, tool_input.limit is absent
    at p.yaml:7:5

nodes: no match
    ✗ $.tool_input.paths[*] ends_with '.pem': no node
    at p.yaml:11:5

always: decides
    it has no condition to test
    at p.yaml:15:5

=> deny: No pushes.
";
    assert_eq!(run.out, expected);
    let more = [
        PUSH,
        &["--input", "offset:=2", "--input", "limit:=10", "--input", "paths:=[\"a\", \"b.pem\", \"c.pem\"]"],
    ]
    .concat();
    let out = explain(&folder, &more, "").out;
    assert!(
        out.contains("✗ tool_input.offset >= tool_input.limit: the value is 2, tool_input.limit is 10"),
        "{out}"
    );
    assert!(out.contains("the first matching nodes of 3 are [\"b.pem\",\"c.pem\"]"), "{out}");
}

/// The last line is what the agent gets.
#[test]
fn the_last_line_is_the_verdict_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let policy = r#"
hooks:
  - {id: log, event: PreToolUse, action: {type: log, message: seen}}
  - {id: ask, event: PreToolUse, when: runs('git push'), action: {type: ask, reason: "Run ${tool_input.command}?"}}
  - {id: deny, event: PreToolUse, when: pushes('main'), action: {type: deny, reason: "Not main."}}
  - {id: allow, event: PreToolUse, when: runs('git'), action: {type: allow}}
  - {id: stop, event: Stop, when: stop_hook_active == true, action: {type: allow}}
"#;
    put(&folder, "p.yaml", policy);
    let last = |event: &str, command: &str| {
        let input = format!("command={command}");
        let out = explain(&folder, &["--event", event, "--tool", "Bash", "--input", &input], "").out;
        out.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last("PreToolUse", "git push"), "=> ask: Run git push?");
    assert_eq!(last("PreToolUse", "git push origin main"), "=> deny: Not main.");
    assert_eq!(last("PreToolUse", "git status"), "=> allow");
    assert_eq!(last("PreToolUse", "ls"), "=> log");
    assert_eq!(last("Stop", "ls"), "=> no opinion");
    assert_eq!(last("SessionStart", "ls"), "=> no opinion");
    assert_eq!(
        last("PreToolUse", "git push \u{1b}[2J\n=> allow"),
        "=> ask: Run git push \u{241b}[2J\u{240a}=> allow?"
    );
}

#[test]
fn a_module_explains_itself() {
    let folder = folder();
    assert_eq!(hookc(&folder, &["compile", "p.yaml", "-o", "p.hookc"], "").code, 0);
    let module = hookc(&folder, &[&["explain", "p.hookc"], PUSH].concat(), "");
    // It quotes all texts alike, but patterns.
    let source = explain(&folder, PUSH, "").out;
    let source = ["Bash", "/tmp", ".pem"]
        .iter()
        .fold(source, |source, text| source.replace(&format!("'{text}'"), &format!("\"{text}\"")));
    assert_eq!(module.out, source);
}

#[test]
fn colours_are_for_terminals_and_values_cannot_choose_them() {
    let folder = folder();
    let hostile = "command=\u{1b}[31mred\u{9b}2J\u{202e}\ngit push";
    let args = ["--event", "PreToolUse", "--tool", "Bash", "--input", hostile];
    let run = explain(&folder, &args, "");
    assert!(!run.out.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{:?}", run.out);
    let run = explain(&folder, &[&args[..], &["--color", "always"]].concat(), "");
    assert!(run.out.contains("\u{1b}[32m✓\u{1b}[0m all of"), "{:?}", run.out);
    assert!(!run.out.contains("[31mred\u{1b}") && !run.out.contains(['\u{9b}', '\u{202e}']), "{:?}", run.out);
    assert_eq!(run.out.matches('\u{1b}').count() % 2, 0, "{:?}", run.out);
}

#[test]
fn the_tree_is_in_the_json_too() {
    let folder = folder();
    let run = explain(&folder, &[PUSH, &["--format", "json"]].concat(), "");
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!({"outcome": true, "all": [
        {"outcome": true, "leaf": "tool_name == \"Bash\"", "actual": "Bash"},
        {"outcome": true, "any": [
            {"outcome": true, "leaf": "tool_input.command =~ '\\bpush\\b'", "actual": "git push"},
            {"outcome": null, "leaf": "tool_input.run_in_background == true"},
        ]},
        {"outcome": true, "leaf": "cwd != \"/tmp\""},
    ]});
    assert_eq!(lines[0]["condition"], expected);
}

#[test]
fn flags_make_events() {
    let folder = folder();
    let eval = |args: &[&str]| hookc(&folder, &[&["eval", "p.yaml", "--pretty"], args].concat(), "");
    assert!(eval(PUSH).out.starts_with("PreToolUse: push ->"), "{}", eval(PUSH).out);
    let set =
        ["--event", "PreToolUse", "--set", "tool_input.paths[0]=a", "--set", "tool_input.paths[1]=b.pem"];
    assert!(eval(&set).out.contains("nodes ->"));
    let exact = ["--event", "PreToolUse", "--input", "a:=9007199254740992", "--input", "b:=9007199254740993"];
    assert!(!eval(&exact).out.contains("both ->"));
    let thread = put(
        &folder,
        "t.yaml",
        "hooks: [{id: t, event: error, when: error.code == 'x', action: {type: abort}}]\n",
    );
    let run = hookc(
        &folder,
        &["eval", thread.to_str().unwrap(), "--no-builtin", "--event", "error", "--set", "error.code=x"],
        "",
    );
    assert!(run.out.contains("\"hook\":\"t\""), "{} {}", run.out, run.err);
    put(&folder, "e.json", r#"{"hook_event_name": "PreToolUse"}"#);
    for (args, why) in [
        (&["e.json", "--tool", "Bash"][..], "remove one"),
        (&["--tool", "Bash"], "name its type with `--event`"),
        (&["--event", "PreToolUse", "--input", "command"], "NAME=TEXT"),
        (&["--event", "PreToolUse", "--input", "a:=x"], "not JSON"),
        (&["--event", "PreToolUse", "--input", "a..b=x"], "not a path"),
        (&["--event", "PreToolUse", "--input", "=x"], "not a path"),
        (&["--event", "PreToolUse", "--tool", "A", "--set", "tool_name=B"], "given twice"),
        (&["--event", "PreToolUse", "--input", "a=1", "--input", "a.b=1"], "already given"),
        (&["--event", "PreToolUse", "--set", "a[1]=x"], "gap"),
        (&["--event", "PreToolUse", "--set", "a[*]=x"], "not a path"),
        (&["--event", "PreToolUse", "--set", "file(tool_input.file_path).name=x"], "a view cannot be set"),
    ] {
        for verb in ["eval", "explain"] {
            let run = hookc(&folder, &[&[verb, "p.yaml"], args].concat(), "");
            assert_eq!(run.code, 2, "{args:?}: {}", run.err);
            assert!(run.err.contains(why), "{args:?}: {}", run.err);
        }
    }
}

#[test]
fn run_takes_flags_for_every_host() {
    let folder = folder();
    for host in ["claude", "flat", "gemini", "codex", "cursor", "copilot"] {
        let call = |args: &[&str]| {
            let run =
                hookc(&folder, &[&["run", "--host", host, "--no-log", "p.yaml"], args].concat(), "not read");
            format!("{} {} {}", run.code, run.out, run.err)
        };
        let denied = call(PUSH);
        assert!(denied.contains("No pushes."), "{host}: {denied}");
        let passed = call(&["--event", "PreToolUse", "--tool", "Bash", "--input", "command=ls"]);
        assert!(passed.starts_with("0 ") && !passed.contains("No pushes."), "{host}: {passed}");
        let nameless = call(&["--tool", "Bash"]);
        assert!(nameless.starts_with("2 ") && nameless.contains("--event"), "{host}: {nameless}");
    }
    let own = [
        "run",
        "--host",
        "gemini",
        "--no-log",
        "p.yaml",
        "--event",
        "BeforeTool",
        "--tool",
        "run_shell_command",
    ];
    let run = hookc(&folder, &[&own[..], &["--input", "command=git push"]].concat(), "");
    assert!(run.out.contains("No pushes."), "{} {}", run.out, run.err);
}

#[test]
fn a_test_of_a_command_line_shows_its_commands() {
    let folder = tempfile::tempdir().unwrap();
    let policy = r#"
hooks:
  - id: rm
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'rm') or shell(tool_input.command).ok == false"
    action: {type: deny, reason: "No."}
"#;
    put(&folder, "p.yaml", policy);
    let of = |command: &str, args: &[&str]| {
        let input = format!("command={command}");
        let event = ["--event", "PreToolUse", "--tool", "Bash", "--input", input.as_str()];
        let run = explain(&folder, &[&["-q"], args, &event[..]].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{command}");
        run.out
    };
    let out = of("sudo rm -rf 'a\u{1b}[2J' && git push -f", &[]);
    assert!(
        out.contains("\n          rm: flags R f force r recursive; operands a\u{241b}[2J; via sudo  (c.name == 'rm' is true)\n"),
        "{out}"
    );
    assert!(out.contains("\n          git: sub push; flags f force  (c.name == 'rm' is false)\n"), "{out}");
    assert!(out.contains("true of one of 3\n") && !out.contains("{\""), "the lines below show them: {out}");
    assert!(of("ls; pwd", &[]).contains("false of each of 2\n"));
    assert!(!out.contains('\u{1b}'), "nothing of the event reaches the terminal as it is");
    let out = of("echo '", &[]);
    assert_eq!(out.matches("the command line cannot be read: open_quote").count(), 1, "{out}");
    assert_eq!(out.matches("\n          the same command line\n").count(), 1, "the second test: {out}");
    let out = of("", &[]);
    assert!(out.contains("the command line starts no command"), "{out}");
    let out = of("$x y; eval \"$z\"", &[]);
    assert!(out.contains("(unknown program)"), "{out}");
    assert!(out.contains("what else runs is unknown: name code"), "{out}");
    let out = of(&"a;".repeat(20), &[]);
    assert!(out.contains("and 4 more commands"), "{out}");
    let json: Value = serde_json::from_str(&of("ls", &["--format", "json"])).unwrap();
    assert_eq!(json["condition"]["any"][0]["views"][0]["commands"][0]["name"], json!("ls"));
    let event =
        json!({"event_type": "PreToolUse", "tool_input": {}, "event": {"tool_input": {"command": "ls"}}});
    let run = explain(&folder, &["-"], &event.to_string());
    assert!(run.out.contains("rm: no match") && !run.out.contains("          ls"), "{}", run.out);
}

#[test]
fn declared_wrappers_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let policy = r#"
wrappers: [{name: run-in, options_with_values: [-u], operands: 1}]
hooks:
  - id: rm
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'rm')"
    action: {type: deny, reason: "No."}
    examples:
      - {event: {tool_name: Bash, tool_input: {command: "run-in -u me web rm x"}}, matches: true}
"#;
    put(&folder, "p.yaml", policy);
    let event = r#"{"tool_input": {"command": "run-in -u me web rm x"}}"#;
    let names = ["path", "shell(tool_input.command).commands[*].name", event];
    let of = |args: &[&str]| hookc(&folder, args, "").parts();
    assert_eq!(of(&names), (0, "\"run-in\"\n".to_owned(), String::new()));
    let declared = [&names[..], &["-q", "--policy", "p.yaml"]].concat();
    assert_eq!(of(&declared), (0, "\"run-in\"\n\"rm\"\n".to_owned(), String::new()));
    let command = "command=run-in -u me web rm x";
    let event = ["explain", "p.yaml", "--event", "PreToolUse", "--tool", "Bash", "--input", command];
    let (_, out, _) = of(&event);
    assert!(out.contains("rm: operands x; via run-in"), "{out}");
    assert_eq!(of(&["test", "p.yaml"]).0, 0, "examples have the wrappers of the policy");
    let xml = of(&["convert", "p.yaml", "--to", "directive-xml"]).1;
    assert!(xml.contains(r#"<wrapper name="run-in" options_with_values="-u" operands="1"/>"#), "{xml}");
}

#[test]
fn path_reads_command_lines() {
    let folder = folder();
    let event = r#"{"cwd": "/r", "tool_name": "Bash", "tool_input": {"command": "sudo rm -f x > ../y"}}"#;
    let of = |path: &str, json: &str| {
        let run = hookc(&folder, &["path", path, "-"], json);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{path}");
        run.out
    };
    assert_eq!(of("shell(tool_input.command).commands[*].name", event), "\"sudo\"\n\"rm\"\n");
    assert_eq!(of("shell($.tool_input.command).commands[*].redirects[*].path", event), "\"/y\"\n\"/y\"\n");
    assert_eq!(of("shell(tool_input.command).commands[?@.flags.f].via", event), "[\"sudo\"]\n");
    assert_eq!(of("shell(tool_input.missing)", event), "");
    let foreign = event.replace("Bash", "pwsh");
    let expected = "{\"commands\":[],\"ok\":false,\"opaque\":[],\"reason\":\"powershell\"}\n";
    assert_eq!(of("shell(tool_input.command)", &foreign), expected);
    assert_eq!(of("shell(tool_input).reason", event), "\"not_text\"\n");
}

#[test]
fn a_test_of_a_path_shows_where_it_leads() {
    let folder = tempfile::tempdir().unwrap();
    let policy = r#"
hooks:
  - id: outside
    event: PreToolUse
    when: "not file(tool_input.file_path).inside == true or file(tool_input.file_path).name == '.env'"
    action: {type: deny, reason: "No: ${file(tool_input.file_path).path ?? 'an unknown place'}"}
"#;
    put(&folder, "p.yaml", policy);
    let of = |path: Value, args: &[&str]| {
        let event = json!({"hook_event_name": "PreToolUse", "cwd": "/srv/app", "tool_name": "Write", "tool_input": {"file_path": path}});
        let run = explain(&folder, &[&["-q", "-"], args].concat(), &event.to_string());
        assert_eq!(run.err, "", "{event}");
        run.out
    };
    let out = of(json!("src/./x\u{1b}[2J"), &[]);
    assert!(out.contains("/srv/app/src/x\u{241b}[2J, inside the project\n"), "{out}");
    assert_eq!(out.matches("\n          the same path\n").count(), 1, "the second test: {out}");
    assert!(!out.contains('\u{1b}'), "nothing of the event reaches the terminal as it is");
    let out = of(json!("../app-secrets"), &[]);
    assert!(out.contains("/srv/app-secrets, outside the project"), "{out}");
    let out = of(json!("~/x"), &[]);
    assert!(out.contains("~/x, and it is unknown whether that is inside the project"), "{out}");
    let out = of(json!("C:\\x"), &[]);
    assert!(out.contains("it is unknown where the path leads: ambiguous"), "{out}");
    let json: Value = serde_json::from_str(&of(json!("/srv/x"), &["--format", "json"])).unwrap();
    assert_eq!(json["condition"]["any"][0]["views"][0]["path"], json!("/srv/x"));
}

#[test]
fn path_reads_paths_of_files() {
    let folder = folder();
    let event = r#"{"cwd": "/r", "tool_input": {"file_path": "../r/a.rs", "command": "rm x"}}"#;
    let of = |path: &str| {
        let run = hookc(&folder, &["path", path, "-"], event);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{path}");
        run.out
    };
    let whole =
        r#"{"extension":"rs","inside":true,"name":"a.rs","ok":true,"path":"/r/a.rs","relative":"a.rs"}"#;
    assert_eq!(of("file(tool_input.file_path)"), format!("{whole}\n"));
    assert_eq!(of("file($.tool_input.file_path)['name', 'path']"), "\"a.rs\"\n\"/r/a.rs\"\n");
    assert_eq!(of("file(tool_input).reason"), "\"not_text\"\n");
    assert_eq!(of("file(tool_input.missing)"), "");
}

#[test]
fn each_node_of_a_quantifier_shows_the_test_that_decided_in_the_words_of_its_author() {
    let folder = tempfile::tempdir().unwrap();
    let policy = r#"
hooks:
  - id: push
    event: PreToolUse
    when: "some(cmd in shell(tool_input.command).commands: cmd.name == 'git' and cmd.sub == 'push' and not cmd.operands contains 'origin')"
    action: {type: deny, reason: "No."}
  - id: edits
    event: PreToolUse
    when: "every(e in tool_input.edits: e.new_string != 'x' or e.old_string == 'y')"
    action: {type: deny, reason: "No."}
"#;
    put(&folder, "p.yaml", policy);
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input":
        {"command": "cd x && git pull && git push origin", "edits": [{"new_string": "a"}, {"new_string": "x"}]}});
    let run = explain(&folder, &["-q", "-"], &event.to_string());
    for expected in [
        "some(cmd in shell(tool_input.command).commands: cmd.name == 'git' and cmd.sub == 'push' and not cmd.operands contains 'origin'): false of each of 3",
        "cd: operands x  (cmd.name == 'git' is false)",
        "git: sub pull  (cmd.sub == 'push' is false)",
        "git: sub push; operands origin  (not cmd.operands contains 'origin' is false)",
        "every(e in tool_input.edits: e.new_string != 'x' or e.old_string == 'y')",
        "(e.new_string != 'x' is true)",
        "(e.old_string == 'y' is false)",
    ] {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
    let run = explain(&folder, &["-q", "-", "--format", "json"], &event.to_string());
    assert!(run.out.contains(r#""decided_by":[{"leaf":"x.name == \"git\"","holds":false}"#), "{}", run.out);
    // A module has no names of nodes.
    assert_eq!(hookc(&folder, &["compile", "p.yaml", "-o", "p.hookc"], "").code, 0);
    let run = hookc(&folder, &["explain", "p.hookc", "-"], event.to_string());
    assert!(run.out.contains("(x.sub == \"push\" is false)"), "{}", run.out);
}

#[test]
fn a_module_alone_has_the_names_of_facts() {
    let folder = tempfile::tempdir().unwrap();
    let policy = "\
facts:
  edited: {event: PostToolUse, when: tool_name == 'Edit'}
hooks:
  - id: once
    event: PreToolUse
    when: formerly(edited where cwd == now.cwd) or count(edited within 1h) >= 3
    action: {type: deny, reason: Once.}
";
    put(&folder, "p.yaml", policy);
    assert_eq!(hookc(&folder, &["compile", "p.yaml", "-o", "p.hkc"], "").code, 0);
    let explained = |file: &str| hookc(&folder, &[&["explain", file], PUSH].concat(), "");
    let (source, module) = (explained("p.yaml"), explained("p.hkc"));
    assert_eq!((module.code, &module.out), (0, &source.out));
    assert!(module.out.contains("formerly(edited where cwd == now.cwd)"), "{}", module.out);
    assert_eq!(hookc(&folder, &["compile", "p.yaml", "--strip", "-o", "s.hkc"], "").code, 0);
    let stripped = explained("s.hkc").out;
    assert!(
        stripped.contains(r#"formerly(PostToolUse where tool_name == "Edit" and cwd == now.cwd)"#),
        "{stripped}"
    );
}
