//! Workflows: the effects of a hook's result and of its failure.

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_runtime::ActionFailure;
use hookc_runtime::Engine;
use hookc_runtime::action::Action;
use hookc_runtime::host::{EventContext, Host, Recorder};
use hookc_runtime::outcome::Outcome;
use hookc_runtime::workflow::{Point, PointOutcome, Workflow};
use hookc_schema::Sources;
use hookc_vm::Module;
use hookc_vm::OnFailure;
use serde_json::{Map, Value, json};

fn engine(text: &str, dialect: Dialect) -> Engine {
    let mut sources = Sources::new();
    let source = sources.add("agent.yaml", text.to_owned());
    let inputs = [Input::new(source).with_dialect(dialect)];
    let compiled = compile(&mut sources, &inputs, &Options::default());
    let messages: Vec<_> = compiled.diagnostics.iter().map(|one| one.message.clone()).collect();
    Engine::new(Module::load(compiled.module.unwrap_or_else(|| panic!("{messages:?}"))).unwrap())
}

/// The hooks of `pre_decision`, a line each.
fn agent(hooks: &[&str]) -> Engine {
    let hooks: String = hooks.iter().map(|hook| format!("    - {{{hook}}}\n")).collect();
    engine(&format!("id: a\nhooks:\n  pre_decision:\n{hooks}"), Dialect::Workflow)
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn run(engine: &Engine, host: &dyn Host) -> PointOutcome {
    let context = map(json!({"agent_id": "a", "current_goal": "eat"}));
    Workflow::new(engine).run(Point::PreDecision, context, 0, host).unwrap()
}

fn giving(values: &[Value]) -> Recorder {
    values.iter().fold(Recorder::new(), |host, value| host.with_reply("invoke", value.clone()))
}

fn told(host: &Recorder) -> Vec<Map<String, Value>> {
    host.asked().into_iter().filter(|one| one.kind == "invoked").map(|one| one.params).collect()
}

#[test]
fn every_try_is_heard_of() {
    let engine = agent(&["artifact_id: x, method: go, on_error: retry, inject_as: y"]);
    let host =
        Recorder::new().failing("invoke", "busy").failing("invoke", "no").with_reply("invoke", json!(1));
    let ran = run(&engine, &host);
    assert_eq!((ran.effects[0].tries, &ran.context["y"]), (3, &json!(1)));
    let heard = [
        json!({"caller": "a", "error": "busy"}),
        json!({"caller": "a", "error": "no"}),
        json!({"caller": "a", "reply": 1}),
    ];
    assert_eq!(told(&host), heard.map(map));
}

struct Panicking;

impl Host for Panicking {
    fn perform(&self, _: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        Ok(json!("done").into())
    }
    fn invoked(&self, _: &Action, _: &EventContext<'_>, _: &str, _: Result<&Value, &str>) {
        panic!("a test panics");
    }
}

#[test]
fn a_host_that_panics_when_it_hears_of_a_call_stops_nothing() {
    let engine = agent(&["artifact_id: x, method: go, inject_as: y", "artifact_id: x, method: go"]);
    let ran = run(&engine, &Panicking);
    assert_eq!((&ran.context["y"], ran.effects.len()), (&json!("done"), 2));
    assert!(ran.effects[0].remarks[0].contains("panicked"), "{:?}", ran.effects[0].remarks);
}

#[test]
fn an_empty_result_replaces_no_prompt() {
    let engine = agent(&[
        "artifact_id: x, method: go, inject_as: _prompt",
        "artifact_id: x, method: go, inject_as: _system_prompt",
        "artifact_id: x, method: go, inject_as: plain",
    ]);
    let ran = run(&engine, &giving(&[Value::Null]));
    assert_eq!((ran.prompt, ran.system_prompt, &ran.context["plain"]), (None, None, &Value::Null));
    assert!(ran.warnings[0].contains("has no value for `_prompt`"), "{:?}", ran.warnings);
    assert!(ran.warnings.len() == 2 && ran.warnings[1].contains("`_system_prompt`"), "{:?}", ran.warnings);

    let ran = run(&engine, &giving(&[json!("p"), Value::Null]));
    assert_eq!((ran.prompt.as_deref(), ran.system_prompt), (Some("p"), None));
}

#[test]
fn injected_prompts_reach_later_hooks() {
    let engine = agent(&[
        "artifact_id: x, method: go, inject_as: _prompt",
        "artifact_id: x, method: go, inject_as: _system_prompt, args: {p: '{_prompt}'}",
        "artifact_id: x, method: go, inject_as: _system_prompt, args: {p: '{_system_prompt}'}",
        "artifact_id: x, method: go, inject_as: _prompt, args: {p: '{_system_prompt}'}",
    ]);
    let host = giving(&[json!("one"), json!("be kind"), json!({"be": "brief"}), json!("two")]);
    let ran = run(&engine, &host);
    let seen: Vec<_> = host.asked().into_iter().filter_map(|one| one.params.get("args").cloned()).collect();
    let both = "be kind\n{\"be\":\"brief\"}";
    assert_eq!(seen, [json!({}), json!({"p": "one"}), json!({"p": "be kind"}), json!({"p": both})]);
    assert_eq!((ran.prompt.as_deref(), ran.system_prompt.as_deref()), (Some("two"), Some(both)));
    assert_eq!(ran.warnings, ["two hooks inject `_prompt`: the last one wins"]);
    assert_eq!(ran.context, map(json!({"agent_id": "a", "current_goal": "eat"})));
}

#[test]
fn a_result_cannot_change_the_agent() {
    let engine = agent(&["artifact_id: x, method: go, inject_as: agent_id", "artifact_id: x, method: go"]);
    let host = giving(&[json!("rich"), json!(1)]);
    let ran = run(&engine, &host);
    assert!(told(&host).len() == 2 && told(&host).iter().all(|one| one["caller"] == "a"));
    assert!(ran.context["agent_id"] == "a" && ran.warnings[0].contains("which cannot change the agent"));
}

#[test]
fn failure_modes_of_hooks_win_over_the_engines() {
    let table = [
        ("on_error: skip", [false, false, false]),
        ("on_error: fail", [true, true, true]),
        ("on_error: retry", [false, false, true]),
        ("method: go", [false, false, true]),
    ];
    for (key, fails) in table {
        let polarities = [None, Some(OnFailure::Open), Some(OnFailure::Closed)];
        for (polarity, fails) in polarities.into_iter().zip(fails) {
            let engine = agent(&[&format!("artifact_id: x, {key}"), "artifact_id: y, on_error: skip"])
                .default_failure_mode(polarity);
            let host = Recorder::new().failing("invoke", "out of order");
            let ran = run(&engine, &host);
            assert_eq!((ran.failed.is_some(), ran.effects.len()), (fails, 2 - usize::from(fails)), "{key}");
            assert!(
                ran.failed.iter().chain(&ran.warnings).any(|text| text.contains("out of order")),
                "{key}"
            );
        }
    }
}

const MIXED: &str = "
hooks:
  - {id: told, event: pre_decision, mode: warn, action: {type: deny, reason: no}}
  - {id: first, event: pre_decision, action: {type: inject, value: 1, as: seen}}
  - {id: later, event: pre_decision, mode: shadow, condition: {path: seen, op: eq, value: 1}, action: {type: log, message: x}}
  - {id: mute, event: pre_decision, action: {type: inject, text: nobody}}
  - {id: none, event: pre_decision, mode: warn, condition: {path: seen, op: eq, value: 2}, action: {type: log, message: x}}
";

#[test]
fn hooks_that_only_warn_are_reported_once() {
    let engine = engine(MIXED, Dialect::HooksYaml);
    let ran = run(&engine, &Recorder::new());
    let labels: Vec<_> = ran.reported.iter().map(|due| due.hook.label.as_str()).collect();
    assert_eq!((labels, ran.effects.len(), ran.failed), (vec!["told", "later"], 2, None));
    assert!(matches!(ran.effects[0].outcome, Outcome::Verdict(_)) && ran.context["seen"] == 1);
    assert_eq!(
        ran.warnings,
        ["hook told (warn) would deny: no", "hook mute injects without `as`, so its text is lost"]
    );
}

/// Leads back to the hooks that it is called for.
struct Nested<'e> {
    engine: &'e Engine,
    depth: u32,
}

impl Host for Nested<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let depth = self.depth + 1;
        let (workflow, next) =
            (Workflow::new(self.engine).with_depth(3), Nested { engine: self.engine, depth });
        let ran = workflow.run(Point::PreDecision, map(context.event.value().clone()), depth, &next);
        let failed = match ran {
            Ok(ran) => ran.failed,
            Err(error) => Some(error.to_string()),
        };
        Err(ActionFailure::failed(failed.unwrap_or_default()))
    }
}

#[test]
fn hooks_that_lead_to_themselves_end() {
    let engine = agent(&["artifact_id: x, method: go, on_error: fail"]);
    let failed = run(&engine, &Nested { engine: &engine, depth: 0 }).failed.unwrap();
    assert_eq!(failed.matches("hook pre_decision#1 failed").count(), 3);
    assert!(failed.ends_with("hooks trigger hooks more than 3 levels deep"), "{failed}");
}

#[test]
fn a_result_beyond_the_event_limits_fails_the_step() {
    let engine = agent(&["artifact_id: x, method: go, inject_as: y", "artifact_id: z, method: go"]);
    let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
    let ran = run(&engine, &giving(&[deep]));
    let failed = ran.failed.unwrap();
    assert!(failed.contains("no decision after hook pre_decision#1"), "{failed}");
    assert_eq!(ran.effects.len(), 1);
}
