//! `hookc-agent run`: directives as threads, with the hooks of the document about thread policies.

use serde_json::{Value, json};

use super::world::{Run, World, lines, run};

/// A directive with these hooks, in Markdown.
fn directive(hooks: &str) -> String {
    format!(
        "# Tidy\n\n```xml\n<directive name=\"tidy\">\n  <hooks>\n{hooks}\n  </hooks>\n</directive>\n```\n\nTidy up.\n"
    )
}

fn world(hooks: &str, script: &[Value]) -> World {
    let world = World::new();
    world.write("project/.ai/directives/tidy.md", &directive(hooks));
    world.script(script);
    world
}

fn start(world: &World, args: &[&str]) -> Run {
    run(world.command(&[&["run", "tidy", "--session-id", "t", "--transcript", "transcript"], args].concat()))
}

/// The events of the transcript: thread, type and payload.
fn transcript(world: &World) -> Vec<Value> {
    lines(&world.read("project/transcript"))
}

fn event(world: &World, event_type: &str) -> Value {
    let values = transcript(world);
    let value = values.iter().find(|line| line["event_type"] == event_type);
    value.unwrap_or_else(|| panic!("no {event_type}: {values:?}")).clone()
}

/// An error of the model.
fn error(status: u16, kind: &str) -> Value {
    json!({"error": {"status": status, "type": kind, "message": "as scripted"}})
}

const NOTIFY: &str = r#"<hook event="error" when="classification.category == 'authentication'">
  <action type="emit_event" event_type="app/error_notification">
    <param name="payload"><param name="error_type">${error.type}</param><param name="message">${error.message}</param>
    <param name="directive">${event.directive}</param><param name="thread">${event.thread_id}</param></param>
  </action>
</hook>"#;

#[test]
fn a_directive_is_a_thread() {
    let world = world("", &[json!({"text": "Tidy."})]);
    let ran = start(&world, &["--param", "where=src", "--param", "depth:=2"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Tidy.\n"), "{}", ran.err);
    let started = event(&world, "thread_started");
    assert_eq!((&started["thread_id"], &started["directive"]), (&json!("t"), &json!("tidy")));
    assert_eq!(started["payload"]["parameters"], json!({"where": "src", "depth": 2}));
    assert_eq!(event(&world, "thread_ended")["payload"], json!({"status": "success", "text": "Tidy."}));
    let prompt = world.read("state/t.jsonl");
    assert!(prompt.contains("Tidy up.") && prompt.contains("\\\"where\\\": \\\"src\\\""), "{prompt}");
    let ran = run(world.command(&["run", "nothing"]));
    assert!(ran.code == Some(2) && ran.err.contains("no directive `nothing`"), "{}", ran.err);
    let ran = run(world.command(&["run", "../tidy"]));
    assert!(ran.code == Some(2) && ran.err.contains("not the name of a directive"), "{}", ran.err);
}

/// The notification of the document: the fields of the event are filled, and the record is in the
/// transcript.
#[test]
fn an_error_is_classified_and_emitted() {
    let world = world(NOTIFY, &[error(401, "authentication_error")]);
    let ran = start(&world, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let line = event(&world, "app/error_notification");
    let payload = json!({"error_type": "authentication_error", "message": "as scripted", "directive": "tidy",
        "thread": "t"});
    assert_eq!(line["payload"], payload);
    assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
}

const BACKOFF: &str = r#"<hook event="error" when="classification.category == 'rate_limited'">
  <directive>ops/back_off</directive>
</hook>"#;

/// The XML example of the document: a rate limit calls a directive, which is a thread of its own, and
/// its return object is what happens.
#[test]
fn a_hook_calls_a_directive() {
    let returns = |text: &str, more: &[Value]| {
        let script = [&[error(429, "rate_limit_error"), json!({"text": text})], more].concat();
        let world = world(BACKOFF, &script);
        world.write("project/.ai/directives/ops/back_off.md", &directive("").replace("Tidy up", "Back off"));
        let ran = start(&world, &["--output-format", "json"]);
        (ran, world)
    };
    let (ran, world) = returns("{\"action\": \"FAIL\", \"error_message\": \"enough\"}", &[]);
    assert!(ran.code == Some(1) && ran.out.contains("enough"), "{} {}", ran.out, ran.err);
    let started: Vec<Value> = transcript(&world)
        .iter()
        .filter(|line| line["event_type"] == "thread_started")
        .map(|line| line["directive"].clone())
        .collect();
    assert_eq!(started, ["tidy", "ops/back_off"]);
    // One object: the thread of the hook writes nothing.
    assert_eq!(lines(&ran.out).len(), 1);
    let (ran, _) = returns(
        "```json\n{\"action\": \"RETRY\", \"backoff_policy\": \"fixed\", \"delay\": 0}\n```",
        &[json!({"text": "Done."})],
    );
    assert!(ran.code == Some(0) && ran.out.contains("Done."), "{} {}", ran.out, ran.err);
    let (ran, _) = returns("{\"action\": \"ABORT\"}", &[]);
    assert!(ran.code == Some(1) && ran.out.contains("aborts"), "{}", ran.out);
    let suspend =
        "{\"action\": \"SUSPEND\", \"suspend\": {\"reason\": \"budget\", \"resume_hint\": \"tomorrow\"}}";
    let (ran, _) = returns(suspend, &[]);
    assert!(ran.code == Some(3) && ran.out.contains("budget"), "{}", ran.out);
    // What is no return object fails, and a missing directive does.
    let (ran, _) = returns("I would retry.", &[]);
    assert!(ran.code == Some(1) && ran.out.contains("not a return object"), "{}", ran.out);
    let missing = self::world(BACKOFF, &[error(429, "rate_limit_error")]);
    let ran = start(&missing, &[]);
    assert!(
        ran.code == Some(1) && format!("{}{}", ran.out, ran.err).contains("no directive `ops/back_off`"),
        "{}",
        ran.out
    );
}

/// Directives that call directives end at the limit of depth.
#[test]
fn directives_are_not_nested_without_end() {
    let renamed = BACKOFF.replace("ops/back_off", "tidy");
    let script: Vec<Value> = (0..9).map(|_| error(429, "rate_limit_error")).collect();
    let world = world(&renamed, &script);
    let ran = start(&world, &["--max-depth", "2"]);
    assert_eq!(ran.code, Some(1));
    let values = transcript(&world);
    assert_eq!(values.iter().filter(|line| line["event_type"] == "thread_started").count(), 3);
    assert!(
        values.iter().any(|line| line["payload"]["text"]
            .as_str()
            .is_some_and(|text| text.contains("more than 2 levels"))),
        "{values:?}"
    );
}

/// The budget alert of the document: without a terminal the thread waits for `answer`.
const ALERT: &str = r#"<hook event="limit" id="budget">
  <condition path="limit_code" op="eq" value="turns_exceeded"/>
  <action type="escalate" target="user_approval" timeout_seconds="7200"/>
</hook>"#;

#[test]
fn an_escalation_waits_for_an_answer() {
    let turn = json!({"tool_calls": [{"name": "Glob", "input": {"pattern": "*.md"}}]});
    for (answer, code) in [("yes", 0), ("no", 1)] {
        let world = world(ALERT, &[turn.clone(), json!({"text": "Done."})]);
        let ran = start(&world, &["--max-turns", "1"]);
        assert_eq!(ran.code, Some(3), "{} {}", ran.out, ran.err);
        assert_eq!(event(&world, "escalation")["payload"]["timeout_seconds"], 7200);
        let again = ["run", "tidy", "--resume", "t", "--transcript", "transcript", "--max-turns", "1"];
        assert_eq!(run(world.command(&again)).code, Some(3));
        let ran = run(world.bare(&["answer", "t", answer]));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let ran = run(world.command(&again));
        assert_eq!(ran.code, Some(code), "{answer}: {} {}", ran.out, ran.err);
        assert_eq!(ran.out.contains("Done."), answer == "yes");
    }
}

/// The shipped hooks: a transient error is tried again three times, then the thread fails.
#[test]
fn the_shipped_hooks_apply() {
    let script = [error(500, "api_error"), json!({"text": "Done."})];
    let world = world("", &script);
    let ran = start(&world, &[]);
    assert!(ran.code == Some(0) && ran.out.contains("Done."), "{} {}", ran.out, ran.err);
}

/// The hooks of a directive are its own: a thread that a hook starts has others.
#[test]
fn hooks_belong_to_their_directive() {
    let hooks = format!("{NOTIFY}\n{BACKOFF}");
    let world = world(&hooks, &[error(429, "rate_limit_error"), error(401, "authentication_error")]);
    world.write("project/.ai/directives/ops/back_off.md", &directive(""));
    let ran = start(&world, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(transcript(&world).iter().all(|line| line["event_type"] != "app/error_notification"));
}

/// The project's hooks file applies to directives too, in YAML: all operators' forms come from the
/// language; here a combination of the document.
#[test]
fn hooks_of_the_project_apply() {
    let world = world("", &[error(400, "invalid_request_error")]);
    let hooks = "hooks:\n  - event: error\n    condition:\n      all:\n        - {path: classification.retryable, op: eq, value: false}\n        - not: {path: error.code, op: starts_with, value: '5'}\n    action: {type: fail, error_message: 'gave up: ${error.message}'}\n";
    world.write("project/.ai/config/hooks.yaml", hooks);
    let ran = start(&world, &["--output-format", "json"]);
    assert!(ran.code == Some(1) && ran.out.contains("gave up: as scripted"), "{} {}", ran.out, ran.err);
}

/// The smart compaction of the document: a directive summarizes, and its compaction is applied to
/// the conversation. CALL leads to another directive.
#[test]
fn a_directive_compacts_the_context() {
    let hooks = r#"<hook event="context_window_pressure" when="pressure_ratio &gt; 0.85">
      <directive>app/smart_summarizer</directive>
      <parameters><ratio>${pressure_ratio}</ratio></parameters>
    </hook>"#;
    let turn = json!({"tool_calls": [{"name": "Glob", "input": {"pattern": "*.md"}}],
        "usage": {"input_tokens": 900, "output_tokens": 50}});
    let call = json!({"text": "{\"action\": \"CALL\", \"call\": {\"directive\": \"app/second\", \"parameters\": {\"a\": 1}}}"});
    let summary =
        json!({"text": "{\"compaction\": {\"summary\": \"all is tidy\", \"prune_before_turn\": 1}}"});
    let world = world(hooks, &[turn, call, summary, json!({"text": "Done."})]);
    for name in ["smart_summarizer", "second"] {
        world.write(&format!("project/.ai/directives/app/{name}.md"), &directive(""));
    }
    let ran = start(&world, &["--context-window", "1000"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{}", ran.err);
    let started: Vec<Value> =
        transcript(&world).into_iter().filter(|line| line["event_type"] == "thread_started").collect();
    assert_eq!(started[1]["payload"]["parameters"]["ratio"], json!(0.95), "{started:?}");
    assert_eq!(
        (&started[2]["directive"], &started[2]["payload"]["parameters"]),
        (&json!("app/second"), &json!({"a": 1}))
    );
    let journal = world.read("state/t.jsonl");
    assert!(journal.contains("\"type\":\"compacted\",\"summary\":\"all is tidy\""), "{journal}");
}

/// A child that waits for an approval suspends its caller, with a hint that names the child.
#[test]
fn a_waiting_child_suspends_its_caller() {
    let world = world(BACKOFF, &[error(429, "rate_limit_error"), error(401, "authentication_error")]);
    let asks = "<hook event=\"error\"><action type=\"escalate\" target=\"both\"/></hook>";
    world.write("project/.ai/directives/ops/back_off.md", &directive(asks));
    let ran = start(&world, &["--output-format", "json"]);
    assert_eq!(ran.code, Some(3), "{} {}", ran.out, ran.err);
    let escalation = event(&world, "escalation");
    assert_eq!(
        (&escalation["directive"], &escalation["payload"]["target"]),
        (&json!("ops/back_off"), &json!("both"))
    );
    let child = escalation["thread_id"].as_str().unwrap();
    assert_eq!(run(world.bare(&["answer", child, "no"])).code, Some(0));
    // The rejection ends the thread that asked, and its caller, which has no result.
    let ran = run(world.command(&["run", "tidy", "--resume", "t", "--transcript", "transcript"]));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("ended without a result"), "{}", ran.err);
}

/// The actions that end or pause a thread, and the return object that escalates.
#[test]
fn actions_end_or_pause_a_thread() {
    for (action, code, text) in [
        ("{type: abort}", 1, "aborts"),
        ("{type: fail, error_message: enough}", 1, "enough"),
        ("{type: suspend, suspend_reason: budget}", 3, "budget"),
        (
            "{type: run, result: return, command: \"echo '{\\\"action\\\": \\\"ESCALATE\\\", \\\"escalation\\\": {\\\"target\\\": \\\"user_approval\\\", \\\"message\\\": \\\"may I?\\\"}}'\"}",
            3,
            "approval",
        ),
        (
            "{type: run, result: return, command: \"echo '{\\\"action\\\": \\\"NONSENSE\\\"}'\"}",
            1,
            "not a return object",
        ),
    ] {
        let world = world("", &[error(400, "invalid_request_error")]);
        let hooks = format!("hooks:\n  - event: error\n    action: {action}\n");
        world.write("project/.ai/config/hooks.yaml", &hooks);
        let ran = start(&world, &["--output-format", "json"]);
        assert!(
            ran.code == Some(code) && ran.out.contains(text),
            "{action}: {:?} {} {}",
            ran.code,
            ran.out,
            ran.err
        );
    }
}

/// The events around each step, and the first match by priority.
#[test]
fn steps_are_events_and_the_highest_priority_decides() {
    let world = world("", &[json!({"text": "Done."})]);
    let record = |event: &str, n: u8| {
        format!(
            "  - event: {event}\n    priority: {n}\n    action: {{type: emit_event, event_type: app/{event}_{n}, payload: {{turn: '${{turn_number}}', cost: '${{cost.turns}}'}}}}\n"
        )
    };
    let hooks =
        ["hooks:\n".to_owned(), record("before_step", 1), record("before_step", 2), record("after_step", 3)]
            .concat();
    world.write("project/.ai/config/hooks.yaml", &hooks);
    let ran = start(&world, &[]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let types: Vec<Value> = transcript(&world).iter().map(|line| line["event_type"].clone()).collect();
    let expected = ["thread_started", "app/before_step_2", "app/after_step_3", "thread_ended"];
    assert_eq!(types, expected.map(Value::from));
    assert_eq!(event(&world, "app/before_step_2")["payload"]["turn"], json!(1));
}

/// `inherit_token: false`: the thread of a hook lacks the rights of the command line.
#[test]
fn rights_are_inherited_unless_a_hook_says_otherwise() {
    for (inherit, allowed) in [("true", true), ("false", false)] {
        let hooks = format!(
            "<hook event=\"error\"><action type=\"call_directive\" directive=\"ops/back_off\" inherit_token=\"{inherit}\"/></hook>"
        );
        let bash = json!({"tool_calls": [{"name": "Bash", "input": {"command": "touch made"}}]});
        let world = world(&hooks, &[error(400, "x"), bash, json!({"text": "{\"action\": \"ABORT\"}"})]);
        world.write("project/.ai/directives/ops/back_off.md", &directive(""));
        let ran = start(&world, &["--allow", "Bash(touch *)"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert_eq!(world.path("project/made").exists(), allowed, "{inherit}: {}", ran.err);
    }
}

/// The fields of every event of the document, as a hook sees them.
#[test]
fn events_have_the_fields_of_the_document() {
    let usage = json!({"input_tokens": 900, "output_tokens": 50});
    let turn = json!({"tool_calls": [{"name": "Glob", "input": {"pattern": "*.md"}}], "usage": usage});
    let limited =
        json!({"error": {"status": 429, "type": "rate_limit_error", "message": "slow", "retry_after": 0}});
    let script = [turn, limited, json!({"text": "Done."})];
    // Each hook copies its event, and continues.
    let events = ["error", "limit", "context_window_pressure", "before_step", "after_step"];
    let hook = |event: &&str| json!({"event": event, "action": {"type": "run", "command": "cat >> events.jsonl; echo >> events.jsonl"}});
    let hooks: Vec<Value> = events.iter().map(hook).collect();
    let mut values = Vec::new();
    for limits in [&[][..], &["--max-tokens", "900"]] {
        let world = world("", &script);
        world.write("project/.ai/config/hooks.yaml", &json!({"hooks": hooks}).to_string());
        let ran = start(&world, &[&["--context-window", "1000", "--price", "3/15"], limits].concat());
        assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
        values.extend(lines(&world.read("project/events.jsonl")));
    }
    for event in events {
        let found = values.iter().find(|one| one["event"]["type"] == event);
        let found = found.unwrap_or_else(|| panic!("no {event}: {values:?}"));
        assert_eq!(
            (&found["event"]["thread_id"], &found["event"]["directive"]),
            (&json!("t"), &json!("tidy"))
        );
        assert!(found["event"]["timestamp"].as_str().unwrap().ends_with('Z'), "{found}");
        assert!(found["cost"]["spend"].is_number() && found["cost"]["tokens"].is_u64(), "{found}");
        for (name, kind) in match event {
            "error" => &[("error", 'o'), ("classification", 'o')][..],
            "limit" => &[("limit_code", 's'), ("limit_value", 'n'), ("limit_max", 'n')],
            "context_window_pressure" => {
                &[("tokens_used", 'n'), ("max_tokens", 'n'), ("pressure_ratio", 'n')]
            }
            _ => &[("turn_number", 'n')],
        } {
            let value = &found[name];
            let is_right = match kind {
                'o' => value.is_object(),
                's' => value.is_string(),
                _ => value.is_number(),
            };
            assert!(is_right && found["event"][name] == *value, "{event} {name}: {found}");
        }
    }
    let found = values.iter().find(|one| one["event"]["type"] == "error").unwrap();
    let error = ["type", "message", "code"].map(|name| found["error"][name].clone());
    assert_eq!(error, ["rate_limit_error", "slow", "429"].map(Value::from));
    let class = &found["classification"];
    assert_eq!((&class["category"], &class["retryable"]), (&json!("rate_limited"), &json!(true)));
    assert!(class["retry_policy"]["type"].is_string(), "{found}");
}
