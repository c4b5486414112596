//! The command line as a user meets it: verbs, output, exit codes.

use crate::common;

use common::Run;
use serde_json::{Value, json};

/// Runs `hookc` in the directory of the project.
fn hookc(args: &[&str], input: &str) -> Run {
    common::hookc(common::project(), args, input)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &tempfile::TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    common::put(folder, name, bytes).to_str().unwrap().to_owned()
}

const POLICY: &str = "hooks:\n  - id: stop\n    event: error\n    when: error.code == 'x'\n    action: {type: fail, \
                      error_message: \"${error.message ?? 'no message'}\"}\n";
const EVENT: &str = r#"{"event":{"type":"error"},"error":{"code":"x","message":"m"}}"#;

#[test]
fn the_sample_of_the_readme_decides() {
    let run = hookc(&["eval", "corpus/quickstart/hooks.yaml", "corpus/quickstart/events.ndjson"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    hookc_corpus::expect(&hookc_corpus::root().join("quickstart/decisions.ndjson"), &run.out).unwrap();
}

#[test]
fn a_decision_is_a_json_line() {
    let folder = folder();
    let policy = write(&folder, "p.yaml", POLICY);
    let run = hookc(&["eval", "--no-builtin", &policy], EVENT);
    let source = format!("{policy}:2:5");
    let expected = format!(
        r#"{{"event":"error","decision":[{{"hook":"stop","source":"{source}","mode":"enforce","action":{{"type":"fail","error_message":"m"}}}}]}}"#
    );
    assert_eq!((run.code, run.out.as_str()), (0, format!("{expected}\n").as_str()));
    let none = hookc(&["eval", "--no-builtin", &policy, "-"], r#"{"event_type":"other"}"#);
    assert_eq!(none.out, "{\"event\":\"other\",\"decision\":[]}\n");
}

#[test]
fn an_invalid_event_line_does_not_stop_the_rest() {
    let folder = folder();
    let policy = write(&folder, "p.yaml", POLICY);
    let events = write(&folder, "e.ndjson", format!("{EVENT}\n\nnonsense\n{{}}\n{EVENT}\n"));
    let run = hookc(&["eval", &policy, &events], "");
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(run.code, 1);
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[1]["line"], lines[1]["error"].is_string()), (&Value::from(3), true));
    assert!(lines[2]["error"].as_str().unwrap().contains("type"), "{}", lines[2]);
    assert_eq!(lines[3]["decision"][0]["hook"], "stop");
}

#[test]
fn events_come_as_one_value_an_array_or_lines() {
    let folder = folder();
    let policy = write(&folder, "p.yaml", POLICY);
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(EVENT).unwrap()).unwrap();
    for (text, count) in [(pretty, 1), (format!("[{EVENT}, {EVENT}]"), 2), (format!("{EVENT}\n{EVENT}\n"), 2)]
    {
        let events = write(&folder, "e.json", &text);
        let run = hookc(&["eval", &policy, &events], "");
        assert_eq!((run.code, run.out.lines().count()), (0, count), "{text}");
    }
}

#[test]
fn modules_are_self_contained_and_strippable() {
    let folder = folder();
    let policy = write(&folder, "p.yaml", POLICY);
    let module = folder.path().join("p.hookc").to_str().unwrap().to_owned();
    let compiled = hookc(&["compile", &policy, "-o", &module], "");
    assert_eq!((compiled.code, compiled.out.as_str()), (0, ""));
    assert!(compiled.err.contains("4 hooks"), "{}", compiled.err);
    let whole = hookc(&["eval", &module], EVENT);
    assert_eq!(whole.out, hookc(&["eval", &policy], EVENT).out);
    assert_eq!(hookc(&["disasm", &module], "").out, hookc(&["compile", &policy, "--emit", "asm"], "").out);
    hookc(&["compile", &policy, "--strip", "-o", &module], "");
    let stripped = hookc(&["eval", &module], EVENT);
    assert!(stripped.out.contains(r#"[{"rank":0,"mode":"enforce""#), "{}", stripped.out);
    assert!(!stripped.out.contains("source"));
    assert_eq!(hookc(&["eval", &module, &policy, "-"], EVENT).code, 2);
}

#[test]
fn exit_codes() {
    let folder = folder();
    let good = write(&folder, "good.yaml", POLICY);
    let bad = write(&folder, "bad.yaml", "hooks:\n  - evnt: error\n    action: {type: abort}\n");
    let warned = write(&folder, "warned.yaml", "hooks:\n  - event: eror\n    action: {type: abort}\n");
    let binary = write(&folder, "binary.yaml", [0xff, 0xfe, 0, 1]);
    let missing = folder.path().join("missing.yaml").to_str().unwrap().to_owned();
    let here = folder.path().to_str().unwrap().to_owned();
    let none = tempfile::tempdir().unwrap();
    let empty = none.path().to_str().unwrap().to_owned();
    let cases: &[(&[&str], i32)] = &[
        (&["check", &good], 0),
        (&["check", &bad], 1),
        (&["check", &good, &bad], 1),
        (&["check", &warned], 0),
        (&["check", &warned, "--deny", "warnings"], 1),
        (&["check", &warned, "--strict"], 1),
        (&["check", &binary], 1),
        (&["check", &missing], 2),
        (&["check", &here], 1),
        (&["check", &empty], 2),
        (&["check"], 2),
        (&["chekc"], 2),
        (&["check", &good, "--dialect", "yaml"], 2),
        (&["check", "--layer", "near=x"], 2),
        (&["compile", &good], 2),
        (&["compile", &bad, "-o", "-"], 1),
        (&["eval", &bad, "-"], 1),
        (&["disasm", &good], 1),
        (&["explain", &good], 2),
        (&["path", "a..b", "{}"], 1),
        (&["path", "a.b", "{"], 1),
        (&["convert", &good, "--to", "toml"], 2),
        (&["explain-code", "E9999"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
    ];
    for (args, code) in cases {
        let run = hookc(args, "");
        assert_eq!(run.code, *code, "{args:?}\n{}{}", run.out, run.err);
        assert!(run.code == 0 || !run.err.is_empty(), "{args:?} says why");
    }
}

#[test]
fn a_misspelling_is_reported_with_span_code_and_suggestion() {
    let folder = folder();
    let cases = [
        (
            "hooks:\n  - event: error\n    conditon: true\n    action: {type: abort}\n",
            "E0201",
            ":3:5",
            "condition",
        ),
        ("hooks:\n  - event: eror\n    action: {type: abort}\n", "W0415", ":2:12", "error"),
        (
            "hooks:\n  - event: error\n    condition: {path: error.code, op: neq, value: 1}\n    action: {type: abort}\n",
            "E0401",
            ":3:39",
            "ne",
        ),
        (
            "hooks:\n  - event: error\n    when: eror.code == 'x'\n    action: {type: abort}\n",
            "W0416",
            ":3:11",
            "error",
        ),
        (
            "hooks:\n  - event: error\n    action: {type: retry, max_atempts: 3}\n",
            "E0407",
            ":3:27",
            "max_attempts",
        ),
        ("hooks:\n  - event: error\n    action: {type: retri}\n", "E0406", ":3:20", "retry"),
    ];
    for (text, code, place, near) in cases {
        let policy = write(&folder, "p.yaml", text);
        let short = hookc(&["check", &policy, "--format", "short"], "").err;
        assert!(short.contains(code) && short.contains(&format!("{policy}{place}")), "{text}{short}");
        let long = hookc(&["check", &policy], "").err;
        assert!(long.contains(&format!("did you mean `{near}`?")), "{text}{long}");
        let json: Value = serde_json::from_str(
            hookc(&["check", &policy, "--format", "json"], "").out.lines().next().unwrap(),
        )
        .unwrap();
        assert_eq!(json["code"], code, "{json}");
    }
}

#[test]
fn explain_names_the_leaf_and_the_value() {
    let folder = folder();
    let policy = write(&folder, "p.yaml", POLICY);
    let run = hookc(
        &["explain", "--no-builtin", &policy, "-"],
        r#"{"event":{"type":"error"},"error":{"code":"y"}}"#,
    );
    assert_eq!(run.code, 0);
    assert!(run.out.contains("stop: no match"), "{}", run.out);
    assert!(run.out.contains("✗ error.code == 'x': the value is \"y\""), "{}", run.out);
}

#[test]
fn explain_counts_the_nodes() {
    let folder = folder();
    let policy = write(
        &folder,
        "p.yaml",
        "events: {t: {}}\nhooks: [{id: x, event: t, when: \"$.items[*].n > 7\", action: {type: abort}}]\n",
    );
    let explain = |event: &str, more: &[&str]| {
        let run = hookc(&[&["explain", "--no-builtin", &policy, "-"], more].concat(), event);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let many: Vec<String> = (0..20).map(|n| format!("{{\"n\":{n}}}")).collect();
    for (items, expected) in [
        ("", "✗ $.items[*].n > 7: no node"),
        ("{\"n\":\"8\"}", "✗ $.items[*].n > 7: the only node is \"8\""),
        ("{\"n\":1},{\"n\":8}", "✓ $.items[*].n > 7: the first matching nodes of 2 are [8]"),
        ("{\"n\":1},{\"n\":2}", "✗ $.items[*].n > 7: the 2 nodes are [1,2]"),
        (&many.join(","), "the first matching nodes of 20 are [8,9,10,11,12,13,14,15,16,17,18,19]"),
    ] {
        let event = format!("{{\"event_type\":\"t\",\"items\":[{items}]}}");
        let out = explain(&event, &[]);
        assert!(out.contains(expected), "{out}");
    }
    let event = r#"{"event_type":"t","items":[{"n":1},{"n":8}]}"#;
    let line: Value = serde_json::from_str(&explain(event, &["--format", "json"])).unwrap();
    assert_eq!((&line["nodes"], &line["actual"]), (&2.into(), &serde_json::json!([1, 8])));
    assert_eq!(line["leaf"], "$.items[*].n > 7");
}

/// A sample of the compliance suite through the program; the compiler's tests run all of it through
/// the library.
#[test]
fn a_sample_of_the_jsonpath_suite() {
    let Some(tests) = hookc_corpus::jsonpath_suite() else { return };
    for test in tests.iter().step_by(step()) {
        let (name, selector) = (&test["name"], test["selector"].as_str().unwrap());
        // Process arguments cannot contain it; `lookup` has its own test.
        if selector.contains('\0') {
            continue;
        }
        let run = hookc(&["path", "--", selector, "-"], &test["document"].to_string());
        if test["invalid_selector"] == true {
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{name}");
            assert!(run.err.contains("error[E0301]") && run.err.contains("<path>:1:"), "{name}: {}", run.err);
            continue;
        }
        let nodes: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let nodes = exact(&Value::Array(nodes));
        let results = test.get("results").and_then(Value::as_array);
        let right = match results {
            Some(all) => all.iter().any(|result| exact(result) == nodes),
            None => exact(&test["result"]) == nodes,
        };
        assert!(run.code == 0 && right, "{name}: {selector}: {nodes}{}", run.err);
    }
}

/// Every so many tests are run; `HOOKC_SUITE=all` runs all of them.
fn step() -> usize {
    if std::env::var("HOOKC_SUITE").is_ok_and(|all| all == "all") { 1 } else { 23 }
}

/// Numbers spelled alike: the suite's `1.0` is `1` in canonical JSON.
fn exact(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.iter().map(exact).collect(),
        Value::Object(all) => all.iter().map(|(key, value)| (key.clone(), exact(value))).collect(),
        other => other.clone(),
    }
}

#[test]
fn conversion_keeps_the_meaning() {
    let folder = folder();
    let xml = hookc_corpus::root().join("parity/all-keys/b.xml").to_str().unwrap().to_owned();
    let yaml = folder.path().join("c.yaml").to_str().unwrap().to_owned();
    let back = folder.path().join("c.xml").to_str().unwrap().to_owned();
    assert_eq!(hookc(&["convert", &xml, "--to", "hooks-yaml", "-o", &yaml], "").code, 0);
    assert_eq!(hookc(&["convert", &yaml, "--to", "directive-xml", "-o", &back], "").code, 0);
    let module = |file: &str| {
        let out = folder.path().join("m.hookc").to_str().unwrap().to_owned();
        assert_eq!(hookc(&["compile", file, "--strip", "-o", &out], "").code, 0, "{file}");
        std::fs::read(out).unwrap()
    };
    assert!(module(&xml) == module(&yaml) && module(&xml) == module(&back));
}

#[test]
fn losses_of_a_target_are_reported() {
    let folder = folder();
    let policy = write(
        &folder,
        "p.yaml",
        "builtin_hooks:\n  - {id: mine, event: error, action: {type: abort}}\nhooks:\n  - {event: error, action: {type: abort}}\n",
    );
    let run = hookc(&["convert", &policy, "--to", "directive-xml"], "");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("E0801") && run.err.contains("mine"), "{}", run.err);
    let lossy = hookc(&["convert", &policy, "--to", "directive-xml", "--lossy"], "");
    assert_eq!(lossy.code, 0);
    assert!(lossy.out.contains("<hook event=\"error\"") && lossy.err.contains("E0801"), "{}", lossy.err);
}

#[test]
fn layers_come_from_the_command_line() {
    let folder = folder();
    let near = write(&folder, "near.yaml", "hooks:\n  - {id: a, event: error, action: {type: abort}}\n");
    let far = write(&folder, "far.yaml", "hooks:\n  - {id: a, event: error, action: {type: continue}}\n");
    assert_eq!(hookc(&["check", &near, &far], "").code, 1, "one id twice in a layer");
    for (layer, kind) in [("project", "abort"), ("user", "abort"), ("builtin", "abort")] {
        let run = hookc(&["eval", &near, "--layer", &format!("{layer}={far}")], EVENT);
        assert!(run.out.contains(&format!("{{\"type\":\"{kind}\"}}")), "{layer}: {}{}", run.out, run.err);
    }
    let managed = hookc(&["check", &near, "--layer", &format!("managed={far}")], "");
    assert!(managed.code == 1 && managed.err.contains("E0502"), "{}", managed.err);
}

#[test]
fn every_hook_can_be_turned_off() {
    let mut command = common::command(common::project());
    command.args(["eval", "corpus/quickstart/hooks.yaml", "-"]).env("HOOKC_DISABLE", "1");
    let run = common::run(&mut command, EVENT);
    assert_eq!(run.out, "{\"event\":\"error\",\"decision\":[]}\n");
    assert!(run.err.contains("HOOKC_DISABLE"));
}

#[test]
fn paths_are_evaluated() {
    let cases = [
        ("a.b[-1]", r#"{"a":{"b":[1,{"z":1.0,"a":2}]}}"#, "{\"a\":2,\"z\":1}\n"),
        ("$['a']", r#"{"a":null}"#, "null\n"),
        ("$", "[1, 2]", "[1,2]\n"),
        ("$[1]", "[1, 2]", "2\n"),
        ("a", "[1]", ""),
    ];
    for (path, json, out) in cases {
        let run = hookc(&["path", path, "-"], json);
        assert_eq!((run.code, run.out.as_str()), (0, out), "{path}: {}", run.err);
        assert_eq!(hookc(&["path", path, json], "").out, out);
    }
}

#[test]
fn hooks_are_listed() {
    let run = hookc(&["list", "corpus/quickstart/hooks.yaml", "--format", "json"], "");
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[1]["priority"], 10);
    assert_eq!(rows[3]["mode"], "shadow");
    assert_eq!(rows[5]["layer"], "builtin");
    assert!(hookc(&["list", "corpus/quickstart/hooks.yaml"], "").out.contains("back_off_when_rate_limited"));
}

#[test]
fn hooks_are_listed_with_what_they_start() {
    let folder = folder();
    let policy = "hooks:\n  - {id: a, event: Stop, action: {type: run, command: \"make  check | tee log\"}}\n  \
                  - {id: b, event: Stop, action: {type: run, argv: [./x, a b]}}\n  \
                  - {id: c, event: Stop, action: {type: run, command: ./y, args: [-v]}}\n  \
                  - {id: d, event: Stop, action: {type: http, url: \"https://example.com/h\"}}\n  \
                  - {id: e, event: Stop, action: {type: deny, reason: no}}\n";
    let file = write(&folder, "commands.yaml", policy);
    let args = ["list", "--no-builtin", "--no-fs", &file];
    let rows = hookc(&[&args[..], &["--format", "json"]].concat(), "").out;
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let commands: Vec<&Value> = rows.iter().map(|row| &row["command"]).collect();
    let expected = [
        json!("make  check | tee log"),
        json!(["./x", "a b"]),
        json!(["./y", "-v"]),
        json!("https://example.com/h"),
        Value::Null,
    ];
    assert_eq!(commands, expected.iter().collect::<Vec<_>>());
    let shown = hookc(&[&args[..], &["-v"]].concat(), "").out;
    for command in ["make  check | tee log", "./x 'a b'", "./y -v", "https://example.com/h"] {
        assert!(shown.contains(command), "{command}\n{shown}");
    }
    assert!(!hookc(&args, "").out.contains("tee log"));
}

#[test]
fn hookc_describes_itself() {
    assert!(hookc(&["completions", "bash"], "").out.contains("_hookc"));
    assert!(hookc(&["man"], "").out.contains(".TH"));
    assert!(hookc(&["explain-code", "e0205"], "").out.starts_with("# E0205"));
    assert!(hookc(&["explain-code"], "").out.lines().count() > 50);
}

#[test]
fn colour_and_quiet() {
    let folder = folder();
    let bad = write(&folder, "bad.yaml", "hooks:\n  - evnt: \u{202e}error\n    action: {type: abort}\n");
    assert!(hookc(&["check", &bad, "--color", "always"], "").err.contains("\u{1b}["));
    let plain = hookc(&["check", &bad], "").err;
    assert!(!plain.contains('\u{1b}') && !plain.contains('\u{202e}'), "{plain}");
    let warned = write(&folder, "warned.yaml", "hooks:\n  - event: eror\n    action: {type: abort}\n");
    assert_eq!(hookc(&["check", "-q", &warned], "").err, "");
}

#[test]
fn a_folder_is_all_policies_in_it() {
    let folder = folder();
    let policy = "hooks:\n  - {id: a, event: error, action: {type: abort}}\n";
    let hooks = ["hooks.yaml", "b/hooks.yaml"].map(|name| write(&folder, name, policy));
    write(&folder, "notes.md", "# words\n");
    write(&folder, "node_modules/hooks.yaml", policy);
    write(&folder, "data.json", "{\"a\": 1}");
    let here = folder.path().to_str().unwrap();
    let checked = hookc(&["check", here], "");
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "one id in two independent files");
    let cells: Vec<&str> = checked.out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells, ["hooks-yaml", "2", "2", "0", "0"]);
    let listed = hookc(&["list", here, "--format", "json"], "");
    assert_eq!(listed.out.lines().count(), 2, "{}", listed.out);
    let both = hookc(&["list", &hooks[0], &hooks[1]], "");
    assert!(both.code == 1 && both.err.contains("E0501"), "named together they are one policy: {}", both.err);
    write(&folder, "b/hooks.yaml", [0xff, 0xfe]);
    assert_eq!(hookc(&["check", here], "").code, 1, "no text, but a policy by its name");
}

/// A repository with hooks of every kind: all are found without diagnostics.
#[test]
fn a_repository_with_every_kind_of_hook() {
    let expected = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/workspace/expected.list");
    let checked = hookc(&["check", "corpus/workspace", "--deny", "warnings"], "");
    assert_eq!((checked.code, checked.err.as_str()), (0, ""));
    let loud = hookc(&["check", "-v", "corpus/workspace/agents/builder.yaml"], "");
    assert!(loud.err.starts_with("corpus/workspace/agents/builder.yaml: read as workflow\n"), "{}", loud.err);
    let listed = hookc(&["list", "corpus/workspace"], "").out;
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(expected, &listed).unwrap();
    }
    assert_eq!(listed, std::fs::read_to_string(expected).unwrap(), "BLESS=1 refreshes it");
    let whole = hookc(&["compile", "corpus/workspace", "--emit", "asm"], "");
    assert_eq!(whole.code, 0, "all together are one policy too: {}", whole.err);
}
