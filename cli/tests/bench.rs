//! `hookc bench`: its JSON is an interface.

use crate::common;

use common::{hookc, put};
use serde_json::Value;

const POLICY: &str = "hooks:\n  - {id: a, event: error, when: error.code == 'x', action: {type: abort}}\n  - {id: \
                      b, event: error, when: error.code == 'y', action: {type: abort}}\n";
const EVENTS: &str =
    "{\"event\":{\"type\":\"error\"},\"error\":{\"code\":\"x\"}}\n{\"event_type\":\"limit\"}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "p.yaml", POLICY);
    put(&folder, "e.ndjson", EVENTS);
    folder
}

#[test]
fn the_json_has_these_keys_in_this_order() {
    let folder = folder();
    let run = hookc(&folder, &["bench", "--no-builtin", "p.yaml", "e.ndjson", "--json"], "");
    assert_eq!((run.code, run.err.as_str(), run.out.lines().count()), (0, "", 1));
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["hooks", "events", "warm", "cycling", "bytes_per_hook", "load_ms"]);
    assert_eq!((&report["hooks"], &report["events"]), (&Value::from(2), &Value::from(2)));
    let number = |path: &str| report.pointer(path).and_then(Value::as_f64).unwrap();
    for mode in ["/warm", "/cycling"] {
        let of = |key: &str| number(&format!("{mode}/{key}"));
        let (p50, p99, floor) = (of("decide_ns/p50"), of("decide_ns/p99"), of("floor_ns/p50"));
        assert!(0.0 < p50 && p50 <= p99 && floor > 0.0, "{report}");
        assert!((of("ratio") - p50 / floor).abs() < 0.02 * of("ratio"), "{report}");
    }
    assert!(number("/bytes_per_hook") > 10.0 && number("/load_ms") > 0.0, "{report}");
}

#[test]
fn a_module_is_measured_as_if_stripped() {
    let folder = folder();
    let bytes = |strip: &[&str]| {
        let compile = [&["compile", "--no-builtin", "p.yaml", "-o", "m.hookc"], strip].concat();
        assert_eq!(hookc(&folder, &compile, "").code, 0);
        let run = hookc(&folder, &["bench", "m.hookc", "-", "--json"], EVENTS);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        serde_json::from_str::<Value>(&run.out).unwrap()["bytes_per_hook"].as_f64().unwrap()
    };
    // Directory entries and padding are all that differs.
    assert!((bytes(&[]) - bytes(&["--strip"])).abs() < 40.0);
}

#[test]
fn people_get_lines() {
    let folder = folder();
    let run = hookc(&folder, &["bench", "p.yaml", "-"], EVENTS);
    let words: Vec<&str> = run.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(words, ["hooks", "events", "warm", "cycling", "Times", "Warm:"], "{}", run.out);
}

#[test]
fn invalid_events_are_reported_by_line() {
    let folder = folder();
    let events = format!("{EVENTS}nonsense\n\n{{\"no\":\"type\"}}\n");
    let run = hookc(&folder, &["bench", "p.yaml", "-", "--json"], &events);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("<stdin>:3: ") && run.err.contains("<stdin>:5: "), "{}", run.err);
    assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap()["events"], 2);
    let named = hookc(&folder, &["bench", "p.yaml", "-", "--json", "--event", "error"], "{\"no\":\"type\"}");
    assert_eq!(named.code, 0, "{}", named.err);
}

#[test]
fn exit_codes() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.yaml"), "hooks:\n  - evnt: error\n").unwrap();
    let cases: &[(&[&str], &str, i32)] = &[
        (&["bench", "bad.yaml", "e.ndjson"], "", 1),
        (&["bench", "p.yaml", "-"], "", 1),
        (&["bench", "p.yaml", "-"], "nonsense", 1),
        (&["bench", "p.yaml", "missing.ndjson"], "", 2),
        (&["bench", "missing.yaml", "e.ndjson"], "", 2),
        (&["bench", "-", "-"], "", 2),
        (&["bench", "p.yaml"], "", 2),
    ];
    for (args, input, code) in cases {
        let run = hookc(&folder, args, input);
        assert_eq!((run.code, run.out.as_str()), (*code, ""), "{args:?} {}", run.err);
        assert!(!run.err.is_empty(), "{args:?} says why");
    }
}
