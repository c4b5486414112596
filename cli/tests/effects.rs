//! `hookc effects`: what lines and events do.

use crate::common;

use common::{Run, hookc, put};
use serde_json::{Value, json};

fn effects(args: &[&str], input: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    hookc(&folder, &[&["effects"], args].concat(), input)
}

#[test]
fn each_effect_of_a_line_is_shown_in_order() {
    let run = effects(&["--cwd", "/p", "cd api && rm -r build; git push origin HEAD:main; cat $X.txt"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let expected = "\
run      cd api
run      rm -r build
  delete   /p/api/build  (and everything below)  by rm
run      git push origin HEAD:main
  push     origin:main  by git
  contact  @configured  (by itself)  by git
run      cat {$X}.txt
  read     {$X}.txt  by cat
";
    assert_eq!(run.out, expected);
}

#[test]
fn events_are_read_from_files_standard_input_and_flags() {
    let folder = tempfile::tempdir().unwrap();
    let event = json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Write",
        "tool_input": {"file_path": "src/a", "content": "x"}});
    put(&folder, "event.json", event.to_string());
    let expected = "  write    /p/src/a\n";
    assert_eq!(hookc(&folder, &["effects", "event.json"], "").out, expected);
    assert_eq!(effects(&["-"], &event.to_string()).out, expected);
    assert_eq!(effects(&[], &event.to_string()).out, expected);
    let flags = [
        "--event",
        "PreToolUse",
        "--tool",
        "Write",
        "--input",
        "file_path=src/a",
        "--input",
        "content=x",
        "--set",
        "cwd=/p",
    ];
    assert_eq!(effects(&flags, "").out, expected);
    let both = effects(&["ls", "--event", "PreToolUse", "--tool", "Bash"], "");
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    assert!(both.err.contains("remove one"), "{}", both.err);
}

#[test]
fn what_is_unknown_is_said() {
    assert!(
        effects(&["$X y"], "").out.contains("unknown  the command line does not say which program starts\n")
    );
    assert!(
        effects(&["echo 'x"], "")
            .out
            .contains("unknown  the command line cannot be read: a quote without its end\n")
    );
    let undeclared = json!({"tool_name": "mcp__other__x", "tool_input": {"path": "/a"}});
    let run = effects(&["-"], &undeclared.to_string());
    assert!(run.out.contains("the inputs of this tool are not declared"), "{}", run.out);
    let none = json!({"tool_name": "TodoWrite", "tool_input": {}});
    assert_eq!(effects(&["-"], &none.to_string()).out, "no effects\n");
}

/// `effects --format json`, `hookc path` and policies have one form.
#[test]
fn the_view_for_programs() {
    let run = effects(&["--format", "json", "--cwd", "/p", "cat x x > y"], "");
    let view: Value = serde_json::from_str(&run.out).unwrap();
    let effect = |kind: &str, object: &str| {
        json!({"kind": kind, "object": object, "known": true, "tree": false, "implied": false, "assumed": false,
            "by": "cat", "command": 0})
    };
    let none = json!([]);
    let expected = json!({
        "all": [effect("run", "cat"), effect("read", "/p/x"), effect("write", "/p/y")],
        "runs": [{"name": "cat", "sub": null, "words": ["cat", "x", "x"], "plain": true}],
        "reads": ["/p/x"], "writes": ["/p/y"], "uses": none, "lists": none, "deletes": none, "sends": none,
        "contacts": none, "installs": none, "pushes": none, "code": none, "unknown": null, "declared": true,
    });
    assert_eq!(view, expected);
    let event =
        json!({"cwd": "/p", "tool_name": "Bash", "tool_input": {"command": "cat x x > y"}}).to_string();
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(hookc(&folder, &["path", "effects()", &event], "").out, run.out);
    assert_eq!(hookc(&folder, &["path", "effects().writes[0]", &event], "").out, "\"/p/y\"\n");
    assert_eq!(
        hookc(&folder, &["path", "effects().all[?@.kind == 'read'].object", &event], "").out,
        "\"/p/x\"\n"
    );
}

#[test]
fn a_terminal_gets_no_sequences_of_the_line() {
    let run = effects(&["--cwd", "/p", "cat a\u{1b}[31mb"], "");
    assert!(!run.out.contains('\u{1b}'), "{:?}", run.out);
}
