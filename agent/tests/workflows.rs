//! `hookc-agent workflow`: the criteria of the document about workflow hooks, with the scripted
//! model and artifacts that are shell lines.

use serde_json::{Value, json};

use super::world::{Run, World, run};

/// An agent with 10 units; every artifact writes its call to `calls.jsonl` and answers by its name.
const AGENT: &str = r#"
id: builder
current_goal: eat
system_prompt: You decide.
balance: 10
subscribed_artifacts: [handbook]
hooks:
  pre_decision:
    - {artifact_id: search, method: find, args: {query: "{current_goal}"}, inject_as: found}
    - {artifact_id: prompts, method: get, args: {about: "{found}", left: "{balance}"}, inject_as: _prompt}
    - {artifact_id: rules, method: get, inject_as: _system_prompt}
  post_action:
    - {artifact_id: logger, method: log, args: {what: "{last_action}", came: "{last_result}"}, inject_as: null}
  on_error:
    - {artifact_id: rescue, method: go, args: {why: "{error_message}", what: "{failed_action}"}, inject_as: recovery}
artifacts: artifacts.yaml
workflow:
  name: day
  hooks:
    pre_decision:
      - {artifact_id: logger, method: log, args: {level: workflow}}
  steps:
    - name: buy
      prompt: What do you buy?
      hooks:
        post_decision:
          - {artifact_id: validator, method: check, args: {action: "{proposed_action}"}, on_error: fail}
    - {name: rest, prompt: And then?}
"#;

fn artifacts() -> String {
    let each = |name: &str, methods: &str, price: &str, answer: &str| {
        let line = format!("cat >> calls.jsonl; echo >> calls.jsonl; {answer}");
        let command = Value::from(line);
        format!(
            "{name}: {{command: {command}, methods: {methods}, price: {price}, permissions: [builder]}}\n"
        )
    };
    [
        each("handbook", "{read_content: {price: 0}}", "1", "echo 'be brief'"),
        each("search", "{find: }", "0.5", r#"echo '["bread"]'"#),
        each("prompts", "{get: }", "0.25", "echo 'Buy bread?'"),
        each("rules", "{get: }", "0", "echo 'Be kind.'"),
        each("logger", "{log: }", "0.1", ":"),
        each(
            "validator",
            "{check: }",
            "0",
            "tail -n 1 calls.jsonl | grep -q burn && { echo 'no fire' >&2; exit 1; }; :",
        ),
        each("rescue", "{go: }", "0", "echo 'wait a little'"),
        each(
            "shop",
            "{buy: {price: 3}, sell: }",
            "1",
            r#"grep -q cake calls.jsonl && exit 7; echo '{"got": "bread"}'"#,
        ),
    ]
    .concat()
}

fn world(agent: &str, script: &[Value]) -> World {
    let world = World::new();
    world.write("project/agent.yaml", agent);
    world.write("project/artifacts.yaml", &artifacts());
    world.script(script);
    world
}

fn workflow(world: &World, args: &[&str]) -> (Run, Value) {
    let names =
        [&["workflow", "agent.yaml", "--output-format", "json", "--ledger", "ledger.jsonl"], args].concat();
    let ran = run(world.command(&names));
    let summary =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err));
    (ran, summary)
}

fn invoke(artifact: &str, method: &str, args: Value) -> Value {
    json!({"tool_calls": [{"name": "invoke", "input": {"artifact_id": artifact, "method": method, "args": args}}]})
}

fn calls(world: &World) -> Vec<Value> {
    let text = world.read("project/calls.jsonl");
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(world: &World) -> Vec<String> {
    calls(world).iter().map(|call| call["artifact_id"].as_str().unwrap().to_owned()).collect()
}

/// The calls, failures and cost of a row of the summary, by the artifact in its label or the label.
fn row(summary: &Value, hook: &str) -> Vec<Value> {
    let rows = summary["hooks"].as_array().unwrap();
    let value = rows.iter().find(|row| row["hook"].as_str().unwrap().contains(hook));
    let value = value.unwrap_or_else(|| panic!("no row {hook}: {summary}"));
    ["calls", "failures", "cost"].map(|name| value[name].clone()).to_vec()
}

/// Hooks run at the timing points in the order of the levels, results reach later hooks and the
/// model, and costs are the agent's.
#[test]
fn a_workflow_runs_its_hooks_at_all_points() {
    let world = world(AGENT, &[invoke("shop", "buy", json!({"what": "bread"})), json!({"text": "I rest."})]);
    let (ran, summary) = workflow(&world, &[]);
    assert_eq!((ran.code, &summary["status"]), (Some(0), &json!("done")), "{summary} {}", ran.err);
    let first = ["handbook", "search", "prompts", "rules", "logger", "validator", "shop", "logger"];
    let second = ["handbook", "search", "prompts", "rules", "logger", "logger"];
    assert_eq!(names(&world), [&first[..], &second].concat());
    let values = calls(&world);
    assert_eq!((&values[1]["args"]["query"], &values[1]["caller"]), (&json!("eat"), &json!("builder")));
    // Later hooks see what earlier ones gave, and what is left of the balance.
    assert_eq!((&values[2]["args"]["about"], &values[2]["args"]["left"]), (&json!(["bread"]), &json!(10)));
    assert_eq!(values[5]["args"]["action"]["artifact_id"], "shop");
    assert_eq!(values[7]["args"]["came"], json!({"got": "bread"}));
    assert_eq!(values[7]["args"]["what"]["method"], "buy");
    // Two rounds of search, prompts and logger at two levels, and one of the shop.
    assert_eq!(summary["balance"], json!(10.0 - 2.0 * (0.5 + 0.25 + 0.1 + 0.1) - 3.0));
    let steps = summary["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["result"], &steps[1]["result"]), (&json!({"got": "bread"}), &json!("I rest.")));
    assert_eq!(
        summary["hooks"].as_array().unwrap().iter().map(|row| row["calls"].as_u64().unwrap()).sum::<u64>(),
        14
    );
}

/// The summary by hook, and the same as a table.
#[test]
fn the_summary_has_calls_failures_and_cost_by_hook() {
    let script = [invoke("shop", "buy", json!({"what": "cake"})), json!({"text": "x"})];
    let world = world(AGENT, &script);
    let (ran, summary) = workflow(&world, &[]);
    assert_eq!((ran.code, &summary["status"]), (Some(1), &json!("failed")));
    assert_eq!(row(&summary, "(actions)"), [json!(1), json!(1), json!(3)]);
    assert_eq!(row(&summary, "pre_decision#2"), [json!(2), json!(0), json!(1)], "{summary}");
    let again = world_again(&world, &script);
    assert!(again.out.contains("(actions)") && again.out.contains("balance of builder: "), "{}", again.out);
    // Each hook of the ledger's lines is one of the table.
    let ledger = world.read("project/ledger.jsonl");
    for line in ledger.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let hook = line["hook"].as_str().unwrap_or("(actions)");
        assert!(line["kind"] == "open" || again.out.contains(hook), "{line} {}", again.out);
    }
}

fn world_again(world: &World, script: &[Value]) -> Run {
    world.script(script);
    run(world.command(&["workflow", "agent.yaml", "--ledger", "ledger.jsonl"]))
}

/// An action that fails runs the hooks for errors, whose suggestion the next step sees.
#[test]
fn an_error_hook_recovers() {
    let world = world(AGENT, &[invoke("shop", "buy", json!({"what": "cake"})), json!({"text": "I wait."})]);
    let (_, summary) = workflow(&world, &["--log", "log"]);
    assert_eq!(summary["steps"][0]["error"], "exit status 7");
    let rescue = calls(&world).into_iter().find(|call| call["artifact_id"] == "rescue").unwrap();
    assert_eq!(
        (&rescue["args"]["why"], &rescue["args"]["what"]["args"]["what"]),
        (&json!("exit status 7"), &json!("cake"))
    );
    assert_eq!(summary["steps"][1]["result"], "I wait.");
    // Every point is a line of the log.
    let log = world.read("project/log");
    let events: Vec<Value> =
        log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].clone()).collect();
    let first = ["pre_decision", "post_decision", "on_error", "pre_decision", "post_decision", "post_action"];
    assert_eq!(events, first.map(Value::from));
}

/// A hook with `on_error: fail` blocks the action and aborts the workflow; `skip` goes on.
#[test]
fn a_validator_blocks_the_action() {
    let world = world(AGENT, &[invoke("shop", "buy", json!({"what": "burn"})), json!({"text": "never"})]);
    let (ran, summary) = workflow(&world, &[]);
    assert_eq!((ran.code, &summary["status"]), (Some(1), &json!("aborted")));
    assert!(summary["error"].as_str().unwrap().contains("no fire"), "{summary}");
    assert!(!names(&world).contains(&"shop".to_owned()));
    // A hook that is skipped: a missing artifact is a warning.
    let skipped = AGENT.replace("artifact_id: rules, method: get", "artifact_id: nobody, method: get");
    let world = self::world(&skipped, &[json!({"text": "a"}), json!({"text": "b"})]);
    let (ran, summary) = workflow(&world, &[]);
    assert_eq!(ran.code, Some(0), "{summary}");
    assert!(ran.err.contains("there is no artifact `nobody`"), "{}", ran.err);
}

/// The ledger debits before each call, keeps the balance between runs, and refuses when it is
/// empty; a call that is refused is not made.
#[test]
fn an_empty_ledger_refuses() {
    let poor = AGENT.replace("balance: 10", "balance: 1");
    let world = world(&poor, &[invoke("shop", "buy", json!({"what": "bread"})), json!({"text": "x"})]);
    let (_, summary) = workflow(&world, &[]);
    let error = summary["steps"][0]["error"].as_str().unwrap();
    assert_eq!(error, "the balance of `builder` is 0.15, and `shop.buy` costs 3: it was not called");
    assert!(!names(&world).contains(&"shop".to_owned()));
    assert_eq!(row(&summary, "(actions)"), [json!(1), json!(1), json!(0)]);
    let left = summary["balance"].clone();
    // The opening balance is for an agent that the ledger does not know.
    world.script(&[json!({"text": "x"}), json!({"text": "y"})]);
    let (_, summary) = workflow(&world, &[]);
    assert!(summary["balance"].as_f64().unwrap() <= left.as_f64().unwrap(), "{left} {summary}");
    // What is not a ledger is an error, and nothing runs.
    world.write("project/ledger.jsonl", "{}\n");
    let ran = run(world.command(&["workflow", "agent.yaml", "--ledger", "ledger.jsonl"]));
    assert!(ran.code == Some(2) && ran.err.contains("line 1: it is not a ledger"), "{}", ran.err);
}

/// Permissions and methods of artifacts are checked for hooks and actions alike.
#[test]
fn permissions_of_artifacts() {
    let other = AGENT.replace("id: builder", "id: stranger");
    let world = world(&other, &[invoke("shop", "buy", json!({})), json!({"text": "x"})]);
    let (ran, summary) = workflow(&world, &[]);
    assert!(ran.code == Some(1) && names(&world).is_empty(), "{summary}");
    assert!(ran.err.contains("`stranger` has no permission to call `search`"), "{}", ran.err);
    let script = [invoke("shop", "steal", json!({})), json!({"text": "x"})];
    let unguarded = AGENT.replace("on_error: fail", "on_error: skip");
    let world = self::world(&unguarded, &script);
    let (_, summary) = workflow(&world, &[]);
    assert_eq!(summary["steps"][0]["error"], "`shop` has no method `steal` (known: buy, sell)");
}

/// A workflow that an artifact runs has its own hooks, one level deeper, at the caller's expense; a
/// circle ends with a clear error.
#[test]
fn depth_is_limited_and_configurable() {
    let deep = |limit: &str| {
        format!(
            "id: builder\nbalance: 1\n{limit}hooks:\n  pre_decision:\n    - {{artifact_id: again, method: run, on_error: fail}}\nartifacts:\n  again: {{workflow: agent.yaml, methods: {{run: }}, price: 0.01, permissions: '*'}}\nworkflow:\n  steps: [{{name: a, prompt: x}}]\n"
        )
    };
    for (limit, text, levels) in [("", 5, 5), ("max_hook_depth: 2\n", 2, 2)] {
        let world = world(&deep(limit), &[]);
        let (ran, summary) = workflow(&world, &[]);
        let error = summary["error"].as_str().unwrap();
        assert!(ran.code == Some(1) && error.contains(&format!("more than {text} levels deep")), "{error}");
        assert_eq!(summary["balance"], json!(1.0 - 0.01 * f64::from(levels)), "{summary}");
    }
}

/// A hook can replace the proposed action.
#[test]
fn a_hook_transforms_the_action() {
    let agent = r#"
id: builder
hooks:
  post_decision:
    - {artifact_id: tame, method: run, args: {action: "{proposed_action}"}, inject_as: proposed_action, on_error: fail}
artifacts:
  tame: {command: "echo '{\"type\": \"answer\", \"text\": \"tamed\"}'", methods: {run: }, permissions: "*"}
workflow:
  steps: [{name: a, prompt: x}]
"#;
    let world = world(agent, &[json!({"text": "wild"})]);
    assert_eq!(workflow(&world, &[]).1["steps"][0]["result"], "tamed");
}

/// What is wrong in a file is reported before anything runs.
#[test]
fn wrong_files_are_reported() {
    for (from, to, why) in [
        ("current_goal", "current_gaol", "unknown field `current_gaol`"),
        ("balance: 10", "balance: -1", "not negative"),
        ("name: buy", "nam: buy", "unknown field `nam`"),
        ("inject_as: found", "inject_az: found", "inject_az"),
        ("artifacts: artifacts.yaml", "artifacts: absent.yaml", "No such file"),
        ("artifacts: artifacts.yaml", "artifacts: {a: {methods: {b: }}}", "missing field `permissions`"),
        ("artifacts: artifacts.yaml", "artifacts: {a: {methods: {b: }, permissions: '*'}}", "needs one of"),
    ] {
        let world = world(&AGENT.replace(from, to), &[]);
        let ran = run(world.command(&["workflow", "agent.yaml"]));
        assert!(ran.code == Some(2) && ran.err.contains(why), "{to}: {:?} {}", ran.code, ran.err);
    }
}

/// Answers these requests one after the other; gives their bodies.
fn serve(answers: &'static [(&'static str, &'static str)]) -> (String, std::sync::mpsc::Receiver<Value>) {
    use std::io::{BufRead, BufReader, Read, Write};
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/call", server.local_addr().unwrap());
    let (send, bodies) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for (status, answer) in answers {
            let (stream, _) = server.accept().unwrap();
            let mut lines = BufReader::new(stream);
            let (mut length, mut line) = (0, String::new());
            while lines.read_line(&mut line).unwrap() > 2 {
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            lines.read_exact(&mut body).unwrap();
            send.send(serde_json::from_slice(&body).unwrap()).unwrap();
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", answer.len());
            lines.get_mut().write_all(format!("{head}{answer}").as_bytes()).unwrap();
        }
    });
    (url, bodies)
}

/// An artifact at a URL: the call is the body of the request.
#[test]
fn an_artifact_can_be_an_endpoint() {
    let (url, bodies) = serve(&[("200 OK", "[1, 2]"), ("500 Oops", "broken")]);
    let agent = format!(
        "id: builder\nbalance: 1\nartifacts:\n  far: {{url: '{url}', methods: {{get: {{price: 0.3}}}}, permissions: '*'}}\nworkflow:\n  steps: [{{name: a, prompt: x}}, {{name: b, prompt: y}}]\n"
    );
    let call = || invoke("far", "get", json!({"n": 7}));
    let world = world(&agent, &[call(), call()]);
    let (ran, summary) = workflow(&world, &[]);
    assert_eq!(
        (ran.code, &summary["steps"][0]["result"]),
        (Some(1), &json!([1, 2])),
        "{summary} {}",
        ran.err
    );
    assert_eq!(summary["steps"][1]["error"], "HTTP status 500: broken");
    let expected = json!({"artifact_id": "far", "method": "get", "args": {"n": 7}, "caller": "builder"});
    assert_eq!(bodies.recv().unwrap(), expected);
    // A call that fails costs too.
    assert_eq!(summary["balance"], json!(0.4));
}

/// An incomplete answer, a wrong tool or an error of the model aborts the workflow; the output stays
/// one JSON object.
#[test]
fn a_model_that_answers_nonsense() {
    for (line, why) in [
        (json!({"tool_calls": [{"name": "invoke", "input": "{\"artifact_id\": "}]}), "not JSON"),
        (json!({"tool_calls": [{"name": "Bash", "input": {}}]}), "which does not exist"),
        (json!({"tool_calls": [{"name": "invoke", "input": {"artifact_id": 7}}]}), "has no `artifact_id`"),
        (
            json!({"tool_calls": [{"name": "invoke", "input": {"artifact_id": "shop", "args": [1]}}]}),
            "is not an object",
        ),
        (json!({"error": {"status": 500, "type": "api_error", "message": "down"}}), "down"),
        (json!({"close": true, "text": "hal"}), "connection closed"),
    ] {
        let world = world(AGENT, &[line.clone(), json!({"text": "x"})]);
        let (ran, summary) = workflow(&world, &[]);
        assert!(ran.code == Some(1) && summary["error"].as_str().unwrap().contains(why), "{line}: {summary}");
    }
}

/// `on_error: retry` calls again, at most `max_retries` times in all; each call is paid.
#[test]
fn a_failed_hook_is_called_again() {
    for (most, calls) in [(3, 3), (2, 2)] {
        let agent = format!(
            r#"
id: builder
balance: 10
hooks:
  pre_decision:
    - {{artifact_id: flaky, inject_as: found, on_error: retry, max_retries: {most}}}
artifacts:
  flaky: {{command: "echo x >> tries; [ $(wc -l < tries) -ge 3 ] && echo there", methods: {{run: }}, price: 1, permissions: "*"}}
workflow:
  steps: [{{name: a, prompt: x}}]
"#
        );
        let world = world(&agent, &[json!({"text": "done"})]);
        let (ran, summary) = workflow(&world, &[]);
        assert_eq!(world.read("project/tries").lines().count(), calls, "{summary}");
        assert_eq!(summary["balance"], json!(10 - calls), "{summary}");
        // One that fails in the end is skipped, with a warning.
        assert_eq!(
            (ran.code, ran.err.contains("failed: exit status 1")),
            (Some(0), most == 2),
            "{}",
            ran.err
        );
    }
}
