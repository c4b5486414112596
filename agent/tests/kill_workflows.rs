//! `kill -9` at each call of a workflow, and then `--resume`: nothing is lost, nothing is done or paid
//! twice.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use serde_json::{Value, json};

use super::world::{Run, World, run};

const AGENT: &str = r#"
id: builder
balance: 100
hooks:
  pre_decision:
    - {artifact_id: search, args: {about: "{step}"}, inject_as: found}
  post_decision:
    - {artifact_id: validator, args: {action: "{proposed_action}", had: "{balance}", about: "{step}"}}
  post_action:
    - {artifact_id: logger, args: {came: "{last_result}", about: "{step}"}}
  on_error:
    - {artifact_id: logger, args: {came: "{error_message}", about: "{step}"}}
artifacts: artifacts.yaml
workflow:
  steps:
    - {name: one, prompt: First.}
    - {name: two, prompt: Second.}
    - {name: three, prompt: Third.}
"#;

/// Each artifact counts its calls; `more` runs with the number in `n`.
fn world(more: &str) -> World {
    let world = World::new();
    world.write("project/agent.yaml", AGENT);
    let artifact = |name: &str, price: &str| {
        let count = "n=$(($(cat n 2>/dev/null || echo 0)+1)); echo $n > n";
        let line = format!("{count}; echo {name} $n >> made; {more}; echo '{{\"from\": \"{name}\"}}'");
        format!(
            "{name}: {{command: {}, methods: {{run: }}, price: {price}, permissions: '*'}}\n",
            json!(line)
        )
    };
    let inner = "inner: {workflow: inner.yaml, methods: {run: }, price: 0.5, permissions: '*'}\n";
    let artifacts = [
        artifact("search", "1"),
        artifact("validator", "0.25"),
        artifact("logger", "0"),
        artifact("shop", "10"),
    ];
    world.write("project/artifacts.yaml", &(artifacts.concat() + inner));
    let nested = "id: builder\nhooks:\n  pre_decision:\n    - {artifact_id: search, args: {about: inner}}\nartifacts: artifacts.yaml\nworkflow:\n  steps: [{name: deep, prompt: Deep.}]\n";
    world.write("project/inner.yaml", nested);
    let invoke = |artifact: &str| {
        let input = json!({"artifact_id": artifact, "method": "run", "args": {}});
        json!({"tool_calls": [{"name": "invoke", "input": input}]})
    };
    world.script(&[
        invoke("shop"),
        invoke("inner"),
        json!({"text": "deep"}),
        json!({"tool_calls": [invoke("shop")["tool_calls"][0], invoke("shop")["tool_calls"][0]]}),
    ]);
    world
}

const ARGS: [&str; 6] = ["workflow", "agent.yaml", "--output-format", "json", "--session-id", "w"];
const RESUME: [&str; 6] = ["workflow", "agent.yaml", "--output-format", "json", "--resume", "w"];

fn summary(ran: &Run) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err))
}

#[test]
fn at_each_call() {
    let whole = world(":");
    let ran = run(whole.command(&ARGS));
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let (made, expected) = (whole.read("project/made"), summary(&ran));
    let calls = made.lines().count();
    assert_eq!(calls, 15, "{made}");
    for at in (1..=calls).step_by(hookc_corpus::effort(1, 5)) {
        let kill = format!("[ $n = {at} ] && {{ kill -9 $PPID; sleep 5; }}");
        let world = world(&kill);
        let first = world.command(&ARGS).output().unwrap();
        assert_eq!(first.status.signal(), Some(9), "{at}: {}", String::from_utf8_lossy(&first.stderr));
        let resumed = run(world.command(&RESUME));
        let report = summary(&resumed);
        // The call that was interrupted has an unknown result, and is not made again.
        assert_eq!(world.read("project/made"), made, "{at}: {report}");
        assert_eq!(report["balance"], expected["balance"], "{at}: {report}");
        let is_action = made.lines().nth(at - 1).unwrap().starts_with("shop");
        let failed = report["steps"].to_string().contains("whether it took effect is not known");
        assert_eq!((failed, resumed.code), (is_action, Some(i32::from(is_action))), "{at}: {report}");
        let count = |report: &Value, name: &str| -> u64 {
            report["hooks"].as_array().unwrap().iter().map(|row| row[name].as_u64().unwrap()).sum()
        };
        assert_eq!(
            (count(&report, "calls"), count(&report, "failures")),
            (count(&expected, "calls"), 1),
            "{at}: {report}"
        );
    }
}

#[test]
fn at_any_moment() {
    let slow = world("sleep 0.02");
    let mut wait = 10;
    for _ in 0..80 {
        let args = if slow.read("state/w.jsonl").contains("\"start\"") { RESUME } else { ARGS };
        if args == ARGS {
            let _ = std::fs::remove_file(slow.path("state/w.jsonl"));
        }
        let mut child = slow.command(&args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        wait += 10;
        if child.try_wait().unwrap().is_some() {
            let ended = child.wait_with_output().unwrap();
            // It may have ended just before it was killed.
            let is_over = String::from_utf8_lossy(&ended.stderr).contains("there is nothing to continue");
            assert!(is_over || ended.status.code().is_some_and(|code| code < 2), "{ended:?}");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        std::thread::sleep(Duration::from_millis(60));
    }
    let journal = slow.read("state/w.jsonl");
    assert!(journal.contains("\"ended\""), "{journal}");
    // Each call was made at most once: an interrupted one is not repeated.
    let made = slow.read("project/made");
    assert!(made.lines().count() <= 15, "{made}");
    let ledger = slow.read("state/ledger.jsonl");
    let ids: Vec<Value> = ledger
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| line.get("id").cloned())
        .collect();
    let unique: std::collections::BTreeSet<String> = ids.iter().map(Value::to_string).collect();
    assert_eq!((ids.len(), unique.len()), (16, 16), "{ledger}");
}

/// A failed request and a signal leave a run, which then continues; an end is an end.
#[test]
fn a_run_that_was_left_continues() {
    let world = world(":");
    let script = world.read("script.jsonl");
    let mut lines: Vec<Value> = super::world::lines(&script);
    lines.insert(1, json!({"error": {"status": 500, "type": "api_error", "message": "down"}}));
    world.script(&lines);
    let ran = run(world.command(&ARGS));
    assert_eq!((ran.code, &summary(&ran)["status"]), (Some(1), &json!("left")), "{}", ran.err);
    assert!(ran.err.contains("workflow agent.yaml --resume w"), "{}", ran.err);
    world.script(&super::world::lines(&script));
    let resumed = run(world.command(&[&RESUME[..4], &["--resume", "w", "--verbose"]].concat()));
    assert_eq!((resumed.code, &summary(&resumed)["status"]), (Some(0), &json!("done")), "{}", resumed.err);
    assert_eq!(world.read("project/made").lines().count(), 15);
    let again = run(world.command(&RESUME));
    assert!(again.code == Some(2) && again.err.contains("has ended (done)"), "{}", again.err);
    for (args, why) in [
        (vec!["workflow", "agent.yaml", "--resume", "nobody"], "there is no such session"),
        (vec!["workflow", "inner.yaml", "--resume", "w"], "has ended"),
        (vec!["--resume", "w"], "workflow FILE --resume w"),
        (vec!["workflow", "agent.yaml", "--session-id", "w"], "a session of this id exists"),
    ] {
        let ran = run(world.command(&args));
        assert!(ran.code == Some(2) && ran.err.contains(why), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_workflow_that_has_changed_does_not_continue() {
    let kill = "[ $n = 3 ] && { kill -9 $PPID; sleep 5; }";
    for (name, from, to) in [("agent.yaml", "First.", "Other."), ("artifacts.yaml", "price: 10", "price: 1")]
    {
        let world = world(kill);
        assert_eq!(world.command(&ARGS).output().unwrap().status.signal(), Some(9));
        let path = format!("project/{name}");
        world.write(&path, &world.read(&path).replace(from, to));
        let ran = run(world.command(&RESUME));
        assert!(ran.code == Some(2) && ran.err.contains("have changed since"), "{}", ran.err);
    }
    // A workflow within it is checked when it is reached.
    let world = world("[ $n = 7 ] && { kill -9 $PPID; sleep 5; }");
    assert_eq!(world.command(&ARGS).output().unwrap().status.signal(), Some(9));
    world.write("project/inner.yaml", &world.read("project/inner.yaml").replace("Deep.", "Other."));
    let ran = run(world.command(&RESUME));
    assert!(ran.code == Some(1) && ran.out.contains("inner.yaml has changed"), "{} {}", ran.out, ran.err);
}

#[test]
fn damaged_state_is_not_used() {
    let kill = "[ $n = 3 ] && { kill -9 $PPID; sleep 5; }";
    let world = world(kill);
    assert_eq!(world.command(&ARGS).output().unwrap().status.signal(), Some(9));
    let text = world.read("state/w.jsonl");
    world.write("state/w.jsonl", &text.replacen("\"effect\":1", "\"effect\":2", 1));
    let damaged = run(world.command(&RESUME));
    assert!(damaged.code == Some(2) && damaged.err.contains("its hash does not match"), "{}", damaged.err);
    // An incomplete last line is a step that was not done.
    world.write("state/w.jsonl", &format!("{text}{{\"hash\":\"12"));
    let torn = run(world.command(&RESUME));
    assert!(torn.code.is_some_and(|code| code < 2) && torn.err.contains("incomplete"), "{}", torn.err);
}
