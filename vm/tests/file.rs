//! The view of the path of a file.

use hookc_vm::format::file::{Cause, MEMBERS, view};
use hookc_vm::format::op::Op;
use hookc_vm::limits::FILE_PATH_BYTES;
use hookc_vm::{DecideError, DecideOptions, EventError, Family, Mode, Module, Scratch, Strategy};
use serde_json::{Value, json};

use crate::common::{Asm, ranks};

fn seen(text: &str, cwd: Option<&str>) -> Value {
    let own = view(text, cwd);
    let value: Value = serde_json::from_str(&own).unwrap();
    assert_eq!(value.to_string(), own, "canonical: {text:?}");
    let members: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(members.iter().all(|name| MEMBERS.contains(name)), "{own}");
    assert_eq!(value["ok"] == true, !value["path"].is_null(), "{own}");
    assert_eq!(value["ok"] == false, value.get("reason").is_some(), "{own}");
    assert_eq!(value["inside"] == true, !value["relative"].is_null(), "{own}");
    value
}

/// A path, and where it leads: the path, whether it is inside, what is relative, the name and the extension.
type Row = (&'static str, Known, Option<bool>, Known, Known, Known);

type Known = Option<&'static str>;

/// Below `/srv/app`.
#[test]
fn where_paths_lead() {
    let rows: &[Row] = &[
        ("/srv/app/x.rs", Some("/srv/app/x.rs"), Some(true), Some("x.rs"), Some("x.rs"), Some("rs")),
        ("x.rs", Some("/srv/app/x.rs"), Some(true), Some("x.rs"), Some("x.rs"), Some("rs")),
        (
            "./src//./x.tar.gz",
            Some("/srv/app/src/x.tar.gz"),
            Some(true),
            Some("src/x.tar.gz"),
            Some("x.tar.gz"),
            Some("gz"),
        ),
        ("//srv//app//x", Some("/srv/app/x"), Some(true), Some("x"), Some("x"), None),
        ("/srv/app", Some("/srv/app"), Some(true), Some("."), Some("app"), None),
        ("", Some("/srv/app"), Some(true), Some("."), Some("app"), None),
        (".", Some("/srv/app"), Some(true), Some("."), Some("app"), None),
        ("x/..", Some("/srv/app"), Some(true), Some("."), Some("app"), None),
        ("src/", Some("/srv/app/src"), Some(true), Some("src"), Some("src"), None),
        ("src/.", Some("/srv/app/src"), Some(true), Some("src"), Some("src"), None),
        ("/srv/app-secrets/x", Some("/srv/app-secrets/x"), Some(false), None, Some("x"), None),
        ("/srv/app/../x", Some("/srv/x"), Some(false), None, Some("x"), None),
        ("../app/x", Some("/srv/app/x"), Some(true), Some("x"), Some("x"), None),
        ("../app-secrets", Some("/srv/app-secrets"), Some(false), None, Some("app-secrets"), None),
        ("../../../../../etc/passwd", Some("/etc/passwd"), Some(false), None, Some("passwd"), None),
        ("/../../srv/app/x", Some("/srv/app/x"), Some(true), Some("x"), Some("x"), None),
        ("..", Some("/srv"), Some(false), None, Some("srv"), None),
        ("/", Some("/"), Some(false), None, None, None),
        ("/srv", Some("/srv"), Some(false), None, Some("srv"), None),
        ("/SRV/APP/x", Some("/SRV/APP/x"), Some(false), None, Some("x"), None),
        ("...", Some("/srv/app/..."), Some(true), Some("..."), Some("..."), None),
        ("..x", Some("/srv/app/..x"), Some(true), Some("..x"), Some("..x"), Some("x")),
        (
            "a b\"\n.c",
            Some("/srv/app/a b\"\n.c"),
            Some(true),
            Some("a b\"\n.c"),
            Some("a b\"\n.c"),
            Some("c"),
        ),
        (
            "\u{e9}/\u{1f600}.\u{fc}",
            Some("/srv/app/\u{e9}/\u{1f600}.\u{fc}"),
            Some(true),
            Some("\u{e9}/\u{1f600}.\u{fc}"),
            Some("\u{1f600}.\u{fc}"),
            Some("\u{fc}"),
        ),
        (".env", Some("/srv/app/.env"), Some(true), Some(".env"), Some(".env"), None),
        (
            ".env.local",
            Some("/srv/app/.env.local"),
            Some(true),
            Some(".env.local"),
            Some(".env.local"),
            Some("local"),
        ),
        ("x.", Some("/srv/app/x."), Some(true), Some("x."), Some("x."), None),
        ("$HOME/x", Some("/srv/app/$HOME/x"), Some(true), Some("$HOME/x"), Some("x"), None),
        ("a/~/x", Some("/srv/app/a/~/x"), Some(true), Some("a/~/x"), Some("x"), None),
        ("~", Some("~"), None, None, None, None),
        ("~/x.rs", Some("~/x.rs"), None, None, Some("x.rs"), Some("rs")),
        ("~/a/../x", Some("~/x"), None, None, Some("x"), None),
        ("std::x", Some("/srv/app/std::x"), Some(true), Some("std::x"), Some("std::x"), None),
    ];
    for (text, path, inside, relative, name, extension) in rows {
        let expected = json!({"path": path, "inside": inside, "relative": relative, "name": name, "extension": extension, "ok": true});
        assert_eq!(seen(text, Some("/srv/app")), expected, "{text:?}");
        assert_eq!(
            seen(text, Some("/srv/./x/../app//")),
            expected,
            "a directory that is not resolved: {text:?}"
        );
    }
}

#[test]
fn where_paths_lead_is_unknown() {
    let rows: &[(&str, Cause, Option<&str>)] = &[
        ("~root/x.rs", Cause::UnknownHome, Some("x.rs")),
        ("~root", Cause::UnknownHome, None),
        ("~/..", Cause::UnknownHome, None),
        ("~/../x", Cause::UnknownHome, Some("x")),
        ("C:\\app\\.env", Cause::Ambiguous, Some(".env")),
        ("C:/app/.env", Cause::Ambiguous, Some(".env")),
        ("C:.env", Cause::Ambiguous, Some(".env")),
        ("C:", Cause::Ambiguous, None),
        ("\\\\?\\C:\\app\\x", Cause::Ambiguous, Some("x")),
        ("\\\\server\\share\\x", Cause::Ambiguous, Some("x")),
        ("..\\..\\x", Cause::Ambiguous, Some("x")),
        ("src\\..", Cause::Ambiguous, None),
        ("/srv/app/a\\b", Cause::Ambiguous, Some("b")),
        ("file:///etc/passwd", Cause::Ambiguous, Some("passwd")),
        ("file:", Cause::Ambiguous, None),
        (" /etc/passwd", Cause::Ambiguous, Some("passwd")),
        ("/srv/app/.. ", Cause::Ambiguous, Some("srv")),
        ("\u{feff}/etc/.env", Cause::Ambiguous, Some(".env")),
        (".env\u{a0}", Cause::Ambiguous, Some(".env")),
        ("x\0", Cause::Nul, None),
    ];
    for (text, cause, name) in rows {
        let own = seen(text, Some("/srv/app"));
        assert_eq!(own["reason"], cause.as_str(), "{text:?}");
        assert_eq!(own["name"], json!(name), "{text:?}");
        assert!(own["path"].is_null() && own["inside"].is_null(), "{text:?}");
        assert!(!cause.to_string().is_empty());
    }
    assert_eq!(Cause::ALL.len(), 6);
}

/// Without a directory that is known, nothing is inside, and relative paths lead to unknown places.
#[test]
fn directories_that_are_unknown() {
    let long = format!("/{}", "a".repeat(FILE_PATH_BYTES));
    let unknown = [
        None,
        Some(""),
        Some("src"),
        Some("./x"),
        Some(".."),
        Some("C:\\app"),
        Some("~me"),
        Some("~/.."),
        Some("/a\0"),
        Some(" /a"),
        Some(long.as_str()),
    ];
    for cwd in unknown {
        let relative = seen("src/.env", cwd);
        assert_eq!(
            (&relative["reason"], &relative["name"]),
            (&json!("unknown_cwd"), &json!(".env")),
            "{cwd:?}"
        );
        let absolute = seen("/a/x", cwd);
        assert_eq!((&absolute["path"], &absolute["inside"]), (&json!("/a/x"), &Value::Null), "{cwd:?}");
        assert_eq!(seen("..", cwd)["name"], Value::Null);
    }
    for (cwd, text, inside, relative) in [
        ("/", "/", Some(true), Some(".")),
        ("/", "/etc/x", Some(true), Some("etc/x")),
        ("/", "../x", Some(true), Some("x")),
        ("/", "~/x", None, None),
        ("~", "x", Some(true), Some("x")),
        ("~/app", "~/app/x", Some(true), Some("x")),
        ("~/app", "~/x", Some(false), None),
        ("~/app", "../../x", None, None),
        ("~/app", "/x", None, None),
    ] {
        let own = seen(text, Some(cwd));
        assert_eq!((&own["inside"], &own["relative"]), (&json!(inside), &json!(relative)), "{text} in {cwd}");
    }
}

#[test]
fn long_paths() {
    let path = |size: usize| format!("/{}", "a/".repeat(size / 2))[..size].to_owned();
    assert_eq!(seen(&path(FILE_PATH_BYTES), Some("/"))["ok"], true);
    assert_eq!(seen(&path(FILE_PATH_BYTES + 1), Some("/"))["reason"], "too_long");
    assert_eq!(seen(&"../".repeat(1 << 18), Some("/srv"))["reason"], "too_long");
    let up = seen(&"../".repeat(FILE_PATH_BYTES / 3), Some(&path(FILE_PATH_BYTES)));
    assert_eq!(up["ok"], true);
    let most = "\u{1}".repeat(FILE_PATH_BYTES - 1);
    let size = view(&format!("{most}x"), Some(&format!("/{most}"))).len();
    assert!(size < 64 * FILE_PATH_BYTES, "{size} bytes");
}

/// Hooks for members of the view of `tool_input.file_path`, a merged field.
fn module() -> Module {
    let mut asm = Asm::new();
    asm.cwd = Some(asm.merged("cwd"));
    let rows = [
        (".inside", "true"),
        (".inside", "false"),
        (".inside", "null"),
        (".path", "\"/r/a\\\"\\nb\""),
        (".ok", "false"),
        (".reason", "\"not_text\""),
    ];
    let conds = rows.map(|(member, constant)| {
        let slot = asm.merged(&format!("tool_input.file_path.file(){member}"));
        let constant = asm.constant(constant);
        asm.when(Op::Eq, slot, constant)
    });
    let whole = asm.merged("tool_input.file_path.file()");
    let there = asm.when(Op::Exists, whole, 0);
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    conds.into_iter().chain([there]).for_each(|cond| asm.hook(cond, action, Mode::Enforce));
    asm.module()
}

#[test]
fn a_member_of_the_view_of_a_path_is_a_member_of_the_event() {
    let module = module();
    let mut scratch = Scratch::new();
    let input = |path: Value| json!({"event_type": "e", "cwd": "/r", "tool_input": {"file_path": path}});
    let rows: &[(Value, &[u32])] = &[
        (input(json!("x")), &[0, 6]),
        (input(json!("a\"\nb")), &[0, 3, 6]),
        (input(json!("../x")), &[1, 6]),
        (input(json!("~/x")), &[2, 6]),
        (input(json!(7)), &[2, 4, 5, 6]),
        (input(json!(["x"])), &[2, 4, 5, 6]),
        (input(json!({"a": 1})), &[2, 4, 5, 6]),
        (input(json!(true)), &[2, 4, 5, 6]),
        (input(Value::Null), &[2]),
        (json!({"event_type": "e"}), &[2]),
        (json!({"hook_event_name": "e", "event": {"cwd": "/r", "tool_input": {"file_path": "x"}}}), &[0, 6]),
        (
            json!({"event_type": "e", "tool_input": {}, "event": {"cwd": "/r", "tool_input": {"file_path": "x"}}}),
            &[2],
        ),
        (json!({"event_type": "e", "cwd": 7, "tool_input": {"file_path": "/x"}}), &[2, 6]),
        (
            json!({"event_type": "e", "tool_name": "PowerShell", "cwd": "/r", "tool_input": {"file_path": "x"}}),
            &[0, 6],
        ),
    ];
    for (event, expected) in rows {
        let text = event.to_string();
        let decision = module.decide(&mut scratch, text.as_bytes(), &DecideOptions::default()).unwrap();
        assert_eq!(ranks(&decision).0, *expected, "{event}");
        let decision = module.decide_value(&mut scratch, event, &DecideOptions::default()).unwrap();
        assert_eq!(ranks(&decision).0, *expected, "the value: {event}");
    }
    let twice = r#"{"event_type":"e","cwd":"/r","cwd":"/s","tool_input":{"file_path":"x"}}"#;
    let error = module.decide(&mut scratch, twice.as_bytes(), &DecideOptions::default()).unwrap_err();
    assert!(matches!(error, DecideError::Event(EventError::Duplicate(_))), "{error:?}");
}
