//! Workflows: the criteria of success.

use std::collections::BTreeMap;
use std::sync::Mutex;

use hookc_compiler::Dialect;
use hookc_runtime::action::Action;
use hookc_runtime::host::{EventContext, Host, Recorder};
use hookc_runtime::workflow::{Point, Workflow, WorkflowError};
use hookc_runtime::{ActionFailure, Outcome};
use hookc_runtime::{Engine, Event};
use serde_json::{Map, Value, json};

use super::{Folder, map};

const AGENT: &str = r#"
id: builder
subscribed_artifacts: [handbook]
hooks:
  pre_decision:
    - {artifact_id: search, method: find, args: {query: "{current_goal}"}, inject_as: found}
    - {artifact_id: prompts, method: get, args: {about: "{found}"}, inject_as: _prompt}
    - {artifact_id: flaky, method: go}
    - {artifact_id: rules, method: get, inject_as: _system_prompt}
  post_decision:
    - {artifact_id: validator, method: check, args: {action: "{proposed_action}"}, inject_as: valid, on_error: fail}
    - {artifact_id: never, method: go}
  post_action:
    - {artifact_id: logger, method: log, args: {what: "{last_action}", came: "{last_result}"}, inject_as: null}
  on_error:
    - {artifact_id: rescue, method: go, args: {why: "{error_message}"}, inject_as: recovery, on_error: retry}
"#;

#[test]
fn workflow_criteria() {
    let folder = Folder::new().with("agent.yaml", AGENT);
    let engine = folder.engine("agent.yaml", Dialect::Workflow);
    let workflow = Workflow::new(&engine);
    let run = |point, context: Value, host: &Recorder| workflow.run(point, map(context), 0, host).unwrap();
    let called = |host: &Recorder| {
        let invoked = host.asked().into_iter().filter(|one| one.kind == "invoke");
        invoked.map(|one| one.params["artifact"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    // Results reach the context, later hooks and the prompts; a subscription is a hook; a failing
    // one without `on_error` is ignored.
    let host = Recorder::new()
        .with_reply("invoke", json!("the handbook"))
        .with_reply("invoke", json!(["a", "b"]))
        .with_reply("invoke", json!("say it well"))
        .failing("invoke", "out of order")
        .with_reply("invoke", json!("be kind"));
    let ran = run(Point::PreDecision, json!({"current_goal": "eat", "agent_id": "builder"}), &host);
    assert_eq!(called(&host), ["handbook", "search", "prompts", "flaky", "rules"]);
    let invoked: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoke").collect();
    assert_eq!(
        (&invoked[0].params["method"], &invoked[1].params["args"]["query"]),
        (&json!("read_content"), &json!("eat"))
    );
    assert_eq!(invoked[2].params["args"]["about"], json!(["a", "b"]));
    assert_eq!(
        (&ran.context["subscribed_handbook"], &ran.context["found"]),
        (&json!("the handbook"), &json!(["a", "b"]))
    );
    assert_eq!((ran.prompt.as_deref(), ran.system_prompt.as_deref()), (Some("say it well"), Some("be kind")));
    assert!(ran.failed.is_none() && ran.warnings[0].contains("out of order"), "{:?}", ran.warnings);

    // Every call is reported with the agent that pays.
    let recorded: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoked").collect();
    assert!(recorded.len() == 5 && recorded.iter().all(|one| one.params["caller"] == "builder"));
    assert!(recorded[3].params.contains_key("error"));

    // A required one ends the step, and nothing runs after it.
    let host = Recorder::new().failing("invoke", "not allowed");
    let ran = run(Point::PostDecision, json!({"proposed_action": "burn"}), &host);
    assert!(ran.failed.is_some_and(|why| why.contains("not allowed")));
    assert_eq!(called(&host), ["validator"]);

    // A pure side effect injects nothing.
    let host = Recorder::new().with_reply("invoke", json!("ignored"));
    let before = json!({"last_action": "buy", "last_result": {"ok": true}});
    assert_eq!(run(Point::PostAction, before.clone(), &host).context, map(before));

    // Retried, and then there.
    let host = Recorder::new().failing("invoke", "busy").with_reply("invoke", json!("wait a little"));
    let ran = run(Point::OnError, json!({"error_message": "boom"}), &host);
    assert_eq!((&ran.context["recovery"], ran.effects[0].tries), (&json!("wait a little"), 2));
    let recorded: Vec<_> = host.asked().into_iter().filter(|one| one.kind == "invoked").collect();
    assert_eq!(
        (&recorded[0].params["error"], &recorded[1].params["reply"]),
        (&json!("busy"), &json!("wait a little"))
    );

    // Hooks that lead to hooks end somewhere.
    let deep = |depth| workflow.run(Point::PostAction, Map::new(), depth, &Recorder::new());
    assert!(deep(4).is_ok());
    assert_eq!(deep(5).unwrap_err(), WorkflowError::Depth(5));
}

/// Artifacts with prices: the calls with their arguments, and the cost per agent.
#[derive(Default)]
struct Market {
    calls: Mutex<Vec<(String, Value)>>,
    paid: Mutex<BTreeMap<String, u64>>,
}

impl Market {
    fn called(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().map(|(name, _)| name.clone()).collect()
    }

    /// The arguments of the last call of an artifact.
    fn args(&self, name: &str) -> Value {
        let calls = self.calls.lock().unwrap();
        calls.iter().rev().find(|(listed, _)| listed == name).unwrap().1.clone()
    }
}

impl Host for Market {
    fn perform(&self, action: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Action::Invoke(call) = action else { panic!("{action:?}") };
        let (name, args) = (call.artifact.clone(), Value::Object(call.args.clone()));
        let mut calls = self.calls.lock().unwrap();
        let before = calls.iter().filter(|(listed, _)| *listed == name).count();
        calls.push((name.clone(), args));
        match name.as_str() {
            "flaky" if before == 0 => Err(ActionFailure::failed("busy")),
            "broken" => Err(ActionFailure::failed("out of order")),
            _ => Ok(json!({"from": name, "cost": 3}).into()),
        }
    }

    /// A call that fails costs one.
    fn invoked(&self, _: &Action, _: &EventContext<'_>, caller: &str, reply: Result<&Value, &str>) {
        let cost = reply.map_or(1, |value| value["cost"].as_u64().unwrap());
        *self.paid.lock().unwrap().entry(caller.to_owned()).or_default() += cost;
    }
}

fn engine_of(text: &str) -> Engine {
    Folder::new().with("agent.yaml", text).engine("agent.yaml", Dialect::Workflow)
}

const LEVELS: &str = r#"
id: builder
workflow:
  name: build
  steps:
    - name: buy
      hooks:
        pre_decision: [{artifact_id: step, args: {plan: "{plan.from}", balance: "{balance}"}, inject_as: checked}]
        post_action: [{artifact_id: receipt}]
    - name: rest
      hooks:
        pre_decision: [{artifact_id: sleep}]
  hooks:
    pre_decision: [{artifact_id: workflow, args: {seen: "{found.from}"}, inject_as: plan}]
hooks:
  pre_decision: [{artifact_id: agent, inject_as: found}]
  post_action: [{artifact_id: logger}]
"#;

/// Scope and inheritance: hooks of the agent, the workflow and the step all run, in
/// this order wherever they are written, each with what the ones before brought.
#[test]
fn hooks_of_all_levels_run_from_the_outermost() {
    let engine = engine_of(LEVELS);
    let run = |point, step: &str| {
        let market = Market::default();
        let context = map(json!({"agent_id": "builder", "step": step, "balance": 12.5}));
        let ran = Workflow::new(&engine).run(point, context, 0, &market).unwrap();
        assert!(ran.failed.is_none() && ran.warnings.is_empty(), "{ran:?}");
        (market, ran)
    };
    let (market, ran) = run(Point::PreDecision, "buy");
    assert_eq!(market.called(), ["agent", "workflow", "step"]);
    assert_eq!(market.args("workflow"), json!({"seen": "agent"}));
    // Numbers stay numbers.
    assert_eq!(market.args("step"), json!({"plan": "workflow", "balance": 12.5}));
    assert_eq!(ran.context["checked"]["from"], "step");
    assert_eq!(run(Point::PreDecision, "rest").0.called(), ["agent", "workflow", "sleep"]);
    assert_eq!(run(Point::PreDecision, "other").0.called(), ["agent", "workflow"]);
    assert_eq!(run(Point::PostAction, "buy").0.called(), ["logger", "receipt"]);
    assert_eq!(run(Point::PostAction, "rest").0.called(), ["logger"]);
}

/// Subscriptions are read before the agent's own hooks, which see them.
#[test]
fn subscriptions_are_read_in_order_and_seen() {
    let engine = engine_of(
        "id: a\nsubscribed_artifacts: [handbook, rules]\nhooks:\n  pre_decision: [{artifact_id: own, args: {h: '{subscribed_handbook.from}', r: '{subscribed_rules.from}'}}]\n",
    );
    let market = Market::default();
    let ran =
        Workflow::new(&engine).run(Point::PreDecision, map(json!({"agent_id": "a"})), 0, &market).unwrap();
    assert_eq!(market.called(), ["handbook", "rules", "own"]);
    assert_eq!(market.args("own"), json!({"h": "handbook", "r": "rules"}));
    assert_eq!(ran.context["subscribed_rules"]["from"], "rules");
}

/// Recovery: the handler of an error receives the error and its action.
#[test]
fn recovery_hears_of_the_error_and_the_action() {
    let engine = engine_of(
        "id: a\nhooks:\n  on_error: [{artifact_id: rescue, args: {error: '{error_message}', action: '{failed_action}', text: 'did {failed_action.kind}, {nothing}'}, inject_as: recovery}]\n",
    );
    let market = Market::default();
    let context =
        json!({"agent_id": "a", "error_message": "no room", "failed_action": {"kind": "buy", "what": 3}});
    let ran = Workflow::new(&engine).run(Point::OnError, map(context), 0, &market).unwrap();
    let expected =
        json!({"error": "no room", "action": {"kind": "buy", "what": 3}, "text": "did buy, {nothing}"});
    assert_eq!(market.args("rescue"), expected);
    assert_eq!(ran.context["recovery"]["from"], "rescue");
}

/// Costs: each call is charged to the agent that owns the hooks, including failed attempts, and not
/// to another agent.
#[test]
fn the_agent_pays_what_its_hooks_cost() {
    let engine = engine_of(
        "id: a\nhooks:\n  pre_decision: [{artifact_id: search, inject_as: found}, {artifact_id: flaky, on_error: retry}, {artifact_id: broken, on_error: skip}]\n  post_action: [{artifact_id: logger}]\n",
    );
    let market = Market::default();
    let run = |point, agent: &str| {
        Workflow::new(&engine).run(point, map(json!({"agent_id": agent})), 0, &market).unwrap()
    };
    run(Point::PreDecision, "one");
    assert_eq!(market.called(), ["search", "flaky", "flaky", "broken"]);
    run(Point::PostAction, "two");
    run(Point::PostAction, "one");
    let paid = market.paid.lock().unwrap().clone();
    assert_eq!(paid, BTreeMap::from([("one".to_owned(), 3 + 1 + 3 + 1 + 3), ("two".to_owned(), 3)]));
}

/// An artifact that makes its own decision, with its own hooks.
struct Deciding<'e> {
    engine: &'e Engine,
    depth: u32,
    calls: &'e Mutex<Vec<u32>>,
}

impl Host for Deciding<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        self.calls.lock().unwrap().push(self.depth);
        let next = Deciding { depth: self.depth + 1, ..*self };
        let context = context.event.value().as_object().unwrap().clone();
        let ran = Workflow::new(self.engine).run(Point::PreDecision, context, next.depth, &next);
        let failed = ran.map_err(|error| error.to_string()).map(|ran| ran.failed);
        match failed {
            Ok(None) => Ok(Outcome::nothing()),
            Ok(Some(why)) | Err(why) => Err(ActionFailure::failed(why)),
        }
    }
}

/// Depth: hooks that trigger themselves end after five levels, with a reason; their first step
/// continues or fails as its hook declares.
#[test]
fn hooks_that_lead_to_themselves_end_after_five() {
    for (on_error, fails) in [("skip", false), ("fail", true)] {
        let text = format!("id: a\nhooks:\n  pre_decision: [{{artifact_id: again, on_error: {on_error}}}]\n");
        let (engine, calls) = (engine_of(&text), Mutex::default());
        let host = Deciding { engine: &engine, depth: 0, calls: &calls };
        let ran = Workflow::new(&engine).run(Point::PreDecision, Map::new(), 0, &host).unwrap();
        assert_eq!(*calls.lock().unwrap(), [0, 1, 2, 3, 4]);
        let why = ran.failed.as_deref().unwrap_or_default();
        assert_eq!(
            (fails, ran.warnings.len()),
            (why.ends_with("hooks trigger hooks more than 5 levels deep"), 0),
            "{why}"
        );
    }
}

/// Logging: one line per point, each hook with its outcome and agent, and why a step failed; also
/// for a point without hooks.
#[test]
fn every_hook_of_a_workflow_is_in_the_log() {
    let folder = Folder::new().with(
        "agent.yaml",
        "id: a\nhooks:\n  pre_decision: [{artifact_id: search}, {artifact_id: broken, on_error: skip}, {artifact_id: flaky, on_error: retry}]\n  post_decision: [{artifact_id: broken, on_error: fail}, {artifact_id: never}]\n",
    );
    let engine = folder.engine("agent.yaml", Dialect::Workflow);
    let log = |point| {
        let context = map(json!({"agent_id": "a", "thread_id": "t"}));
        let event = Event::from_value(Value::Object(context.clone()));
        let ran = Workflow::new(&engine).run(point, context, 0, &Market::default()).unwrap();
        folder.logged(&event, &ran.to_event_outcome())
    };
    let words = |line: &Value| -> Vec<String> {
        let hooks = line["hooks"].as_array().unwrap().iter();
        hooks
            .map(|hook| format!("{} {}", hook["hook"].as_str().unwrap(), hook["outcome"].as_str().unwrap()))
            .collect()
    };
    let [line, whole] = log(Point::PreDecision);
    assert_eq!(
        (&line["event"], &line["agent"], &line["session"]),
        (&json!("pre_decision"), &json!("a"), &json!("t"))
    );
    let expected = ["pre_decision#1 done", "pre_decision#2 failed", "pre_decision#3 done"];
    assert_eq!(
        (words(&line), words(&whole)),
        (expected.map(str::to_owned).into(), expected.map(str::to_owned).into())
    );
    assert_eq!(
        (&whole["hooks"][1]["error"], &whole["hooks"][1]["falls"]),
        (&json!("out of order"), &json!("open"))
    );
    let [line, _] = log(Point::PostDecision);
    assert_eq!(
        (words(&line), &line["outcome"]),
        (vec!["post_decision#1 failed".to_owned()], &json!("failed"))
    );
    let [line, _] = log(Point::PostAction);
    assert_eq!((words(&line).len(), &line["outcome"]), (0, &json!("no opinion")));
    assert_eq!(line["module"].as_str().unwrap().len(), 64);
}
