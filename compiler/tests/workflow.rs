//! Workflow files: levels, subscriptions, names between braces, diagnostics, and
//! the writer.

use crate::built;

use std::fmt::Write as _;

use hookc_compiler::{Compiled, Dialect};
use hookc_schema::tree::{Policy, print};
use hookc_schema::{Code, Diagnostics, SourceId};
use hookc_syntax::front::workflow;
use hookc_syntax::write;
use hookc_vm::{DecideOptions, Module, Scratch};
use proptest::prelude::*;

fn read(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = workflow::read("agent.yaml", text, SourceId(0), &mut out);
    built::inside(text, &out);
    (policy, out)
}

/// The tree of a text without diagnostics.
fn tree(text: &str) -> String {
    let (policy, out) = read(text);
    assert_eq!(out, [], "{text}");
    print::policy(&policy)
}

fn built(text: &str, dialect: Dialect) -> (Compiled, String) {
    built::built(&[("policy", text)], dialect, None)
}

fn module(text: &str, dialect: Dialect) -> Vec<u8> {
    built::module("policy", text, dialect)
}

/// The actions that an event gets, one a line.
fn decide(text: &str, event: &str) -> String {
    let module = Module::load(module(text, Dialect::Workflow)).unwrap();
    let mut scratch = Scratch::default();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
    let mut out = String::new();
    for fired in decision.hooks() {
        let mut action = String::new();
        fired.render(&mut action).unwrap();
        let _ = writeln!(out, "{action}");
    }
    out
}

const ALL_KEYS: &str = r#"
id: trader
hooks:
  pre_decision:
    - artifact_id: search
      method: find
      args: {query: "{current_goal}", deep: {list: ["{balance}", 3, true, null]}}
      inject_as: found
      on_error: retry
      max_retries: 5
      condition: {path: balance, op: gt, value: 1}
      when: "agent_id == 'trader'"
  on_error:
    - artifact_id: log
      inject_as: null
"#;

#[test]
fn every_key() {
    let expected = r#"policy
  hook
    event workflow "pre_decision"
    condition
      all
        balance gt 1
        agent_id eq "trader"
    action "invoke"
      "args" {"deep":{"list":["${balance ?? '{balance}'}",3,true,null]},"query":"${current_goal ?? '{current_goal}'}"}
      "artifact" "search"
      "inject_as" "found"
      "max_retries" 5
      "method" "find"
    on_error retry
  hook
    event workflow "on_error"
    action "invoke"
      "artifact" "log"
      "inject_as" null
"#;
    assert_eq!(tree(ALL_KEYS), expected);
    assert_eq!(tree(&ALL_KEYS.replace("inject_as: null", "inject_as: 'null'")), expected);
}

#[test]
fn json_is_read_too() {
    let json = r#"{"hooks": {"post_action": [{"artifact_id": "log", "args": {"a": "{last_action}"}}]}}"#;
    let yaml = "hooks:\n  post_action:\n  - artifact_id: log\n    args:\n      a: '{last_action}'\n";
    assert_eq!(tree(json), tree(yaml));
}

#[test]
fn levels_hold_in_order_wherever_they_are_written() {
    let text = "
workflow:
  steps:
    - name: think
      prompt: \"{not ours}\"
    - name: buy
      hooks:
        post_decision: [{artifact_id: step}]
  hooks:
    post_decision: [{artifact_id: flow}]
hooks:
  post_decision: [{artifact_id: agent}, {artifact_id: agent2, when: balance > 1}]
";
    let event = |step: &str| format!(r#"{{"event_type": "post_decision", "step": "{step}", "balance": 1}}"#);
    let artifacts = |step: &str| {
        decide(text, &event(step))
            .lines()
            .map(|line| {
                let at = line.find("\"artifact\":\"").unwrap() + 12;
                line[at..].split('"').next().unwrap().to_owned()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(artifacts("buy"), ["agent", "flow", "step"]);
    assert_eq!(artifacts("think"), ["agent", "flow"]);
}

#[test]
fn a_step_with_a_condition() {
    let text =
        "steps: [{name: buy, hooks: {on_error: [{artifact_id: a, when: balance > 1 and step != 'x'}]}}]";
    let expected = "policy
  hook
    event workflow \"on_error\"
    condition
      all
        step eq \"buy\"
        all
          balance gt 1
          step ne \"x\"
    action \"invoke\"
      \"artifact\" \"a\"
";
    assert_eq!(tree(text), expected);
}

#[test]
fn steps_and_workflows_by_key_or_by_name() {
    let step = "hooks: {on_error: [{artifact_id: a}]}";
    for (text, condition) in [
        (format!("steps: {{buy: {{{step}}}}}"), "step eq \"buy\""),
        (format!("steps: [{{id: buy, {step}}}]"), "step eq \"buy\""),
        (format!("workflow: {{steps: {{buy: {{{step}}}}}}}"), "step eq \"buy\""),
        (format!("workflows: {{one: {{steps: {{buy: {{{step}}}}}}}}}"), "step eq \"buy\""),
        (format!("workflows: {{one: {{{step}}}, two: {{}}}}"), "workflow eq \"one\""),
        (format!("workflows: [{{name: one, {step}}}, {{name: two}}]"), "workflow eq \"one\""),
    ] {
        let tree = tree(&text);
        assert!(tree.contains(&format!("condition\n      {condition}\n")), "{text}\n{tree}");
    }
    let both = tree(&format!("workflows: {{one: {{steps: [{{name: buy, {step}}}]}}, two: {{}}}}"));
    assert!(both.contains("all\n        workflow eq \"one\"\n        step eq \"buy\"\n"), "{both}");
}

#[test]
fn subscriptions_come_first() {
    let sugar = "subscribed_artifacts: [handbook, '${x}']\nhooks: {pre_decision: [{artifact_id: a}]}";
    let written = "hooks:
  pre_decision:
    - {artifact_id: handbook, method: read_content, inject_as: subscribed_handbook}
    - {artifact_id: '${x}', method: read_content, inject_as: 'subscribed_${x}'}
    - {artifact_id: a}
";
    assert_eq!(tree(sugar), tree(written));
    let step = tree("steps: [{name: s, subscribed_artifacts: [b]}]");
    assert!(step.contains("step eq \"s\"") && step.contains("\"subscribed_b\""), "{step}");
    for none in ["subscribed_artifacts:", "hooks:", "", "enabled: true", "steps: []"] {
        assert_eq!(tree(none), "policy\n", "{none}");
    }
    for empty in ["hooks: {pre_decision: }", "hooks: {}"] {
        let (policy, out) = read(empty);
        assert!(policy.hooks.is_empty());
        assert_eq!(out.iter().map(|reported| reported.code).collect::<Vec<_>>(), [Code::W0612], "{empty}");
    }
}

#[test]
fn missing_values_leave_the_template_unchanged() {
    let text = "hooks: {post_action: [{artifact_id: log, args: {a: 'x {last_action} {last_result.id} ${n} {}', \
                b: '{last_action}', c: '{balance}!'}}]}";
    let decided = decide(text, r#"{"event_type": "post_action", "last_result": {"id": 7}, "balance": 1.50}"#);
    let args = r#""args":{"a":"x {last_action} 7 ${n} {}","b":"{last_action}","c":"1.5!"}"#;
    assert!(decided.contains(args), "{decided}");
    let typed = decide(text, r#"{"event_type": "post_action", "last_action": {"k": [1]}}"#);
    assert!(typed.contains(r#""a":"x {\"k\":[1]} {last_result.id}"#), "{typed}");
    assert!(typed.contains(r#""b":{"k":[1]}"#), "{typed}");
}

#[test]
fn defined_names_are_not_reported() {
    for text in [
        "hooks: {pre_decision: [{artifact_id: a, inject_as: x}, {artifact_id: b, args: {q: '{x.y}'}}]}",
        "hooks: {post_action: [{artifact_id: b, args: {q: '{x}'}}], pre_decision: [{artifact_id: a, inject_as: x}]}",
        "hooks: {on_error: [{artifact_id: b, args: {q: '{error_message} {failed_action} {agent_id}'}}]}",
        "subscribed_artifacts: [sop]\nhooks: {pre_decision: [{artifact_id: b, args: {q: '{subscribed_sop}'}}]}",
        "hooks: {post_action: [{artifact_id: b, args: {q: '{plan} {risky}'}}]}\nworkflow: {steps: [{name: p, \
         output_key: plan}, {name: c, type: code, code: 'risky = balance < 5'}]}",
    ] {
        tree(text);
    }
}

#[test]
fn mistakes_are_reported_at_their_location() {
    let hook = |inner: &str| format!("hooks: {{pre_decision: [{{{inner}}}]}}");
    for (text, code, place, words) in [
        ("- a".to_owned(), Code::E0203, "-", "write `hooks:`"),
        ("hooks: [{event: error}]".to_owned(), Code::E0203, "[", "--dialect hooks-yaml"),
        ("hooks: [a]".to_owned(), Code::E0203, "[", "timing point"),
        ("hooks: x".to_owned(), Code::E0203, "x", "timing point"),
        ("hooks: {pre_decsion: []}".to_owned(), Code::E0275, "pre_decsion", "`pre_decision`?"),
        ("hooks: {on_start: []}".to_owned(), Code::E0275, "on_start", "the timing points are"),
        ("hooks: {pre_decision: {artifact_id: a}}".to_owned(), Code::E0203, "{", "put `- `"),
        ("hooks: {pre_decision: 3}".to_owned(), Code::E0203, "3", "start each item"),
        ("hooks: {pre_decision: [log]}".to_owned(), Code::E0203, "log", "artifact_id: name"),
        (hook("method: m"), Code::E0202, "method", "write `artifact_id:`"),
        (hook("artifact: m"), Code::E0201, "artifact", "did you mean `artifact_id`?"),
        (hook("artifact_id: 3"), Code::E0203, "3", "put it in quotes"),
        (hook("artifact_id: ''"), Code::E0203, "''", "write a name"),
        (hook("artifact_id: a, arguments: {}"), Code::E0201, "arguments", "did you mean `args`?"),
        (hook("artifact_id: a, id: b"), Code::E0201, "id", "its keys are"),
        (hook("artifact_id: a, args: [b]"), Code::E0203, "[", "named arguments"),
        (hook("artifact_id: a, method: [b]"), Code::E0203, "[", "write a string"),
        (hook("artifact_id: a, inject_as: 3"), Code::E0203, "3", "put it in quotes"),
        (hook("artifact_id: a, inject_as: _promt"), Code::W0278, "_promt", "`_prompt`?"),
        (hook("artifact_id: a, inject_as: _systemprompt"), Code::W0278, "_systemprompt", "`_system_prompt`?"),
        (hook("artifact_id: a, inject_as: None"), Code::W0278, "None", "`null`?"),
        (hook("artifact_id: a, on_error: retri"), Code::E0204, "retri", "`retry`?"),
        (hook("artifact_id: a, on_error: retry, max_retries: 1.5"), Code::E0203, "1.5", "a whole number"),
        (hook("artifact_id: a, on_error: retry, max_retries: '3'"), Code::E0203, "'3'", "remove the quotes"),
        (hook("artifact_id: a, max_retries: 3"), Code::W0281, "max_retries", "on_error: retry"),
        (hook("artifact_id: a, when: ''"), Code::E0302, "", ""),
        (hook("artifact_id: a, condition: "), Code::E0206, "", "remove the key"),
        (hook("artifact_id: a, condition: balance > 3"), Code::N0274, "balance > 3", "write `when:`"),
        (hook("artifact_id: a, artifact_id: b"), Code::E0102, "artifact_id", "remove one"),
        (hook("artifact_id: a, args: {q: '{wish}'}"), Code::W0277, "{wish}", "inject_as"),
        (hook("artifact_id: a, args: {q: 'x ${balance}'}"), Code::W0279, "${balance}", "write `{balance}`"),
        (hook("artifact_id: a, args: {q: 'x {{balance}}'}"), Code::W0279, "{{balance}}", "write `{balance}`"),
        ("subscribed_artifacts: a".to_owned(), Code::E0203, "a", "start each item"),
        ("subscribed_artifacts: [3]".to_owned(), Code::E0203, "3", "put it in quotes"),
        ("subscribed_artifacts: [a, a]".to_owned(), Code::W0607, "a", "remove one"),
        (
            "subscribed_artifact: [a]".to_owned(),
            Code::W0282,
            "subscribed_artifact",
            "`subscribed_artifacts`?",
        ),
        ("a: {hooks: {on_error: []}}".to_owned(), Code::W0282, "hooks", "top level"),
        (
            "agent: {subscribed_artifacts: [a]}".to_owned(),
            Code::W0282,
            "subscribed_artifacts",
            "put subscriptions at the top level",
        ),
        (
            "steps: [{steps: [{name: s, hooks: {on_error: []}}]}]".to_owned(),
            Code::W0282,
            "hooks",
            "top level",
        ),
        (
            "workflows: [{steps: [{name: s, hooks: {}}]}, {name: b}]".to_owned(),
            Code::E0202,
            "steps",
            "write `name:`",
        ),
        ("steps: [{hooks: {}}]".to_owned(), Code::E0202, "hooks", "write `name:`"),
        ("steps: [{name: 3, hooks: {}}]".to_owned(), Code::E0203, "3", "put it in quotes"),
        ("steps: [{name: s, hook: {}}]".to_owned(), Code::W0282, "hook", "`hooks`?"),
        ("workflows: [{hooks: {}}, {name: b}]".to_owned(), Code::E0202, "hooks", "write `name:`"),
    ] {
        let (_, out) = read(&text);
        let reported =
            out.iter().find(|reported| reported.code == code).unwrap_or_else(|| panic!("{text}: {out:#?}"));
        assert_eq!(&text[reported.span().unwrap().range()], place, "{text}");
        let help = reported.help.as_deref().unwrap_or("");
        assert!(help.contains(words), "{text}: {help}");
        assert_eq!(out.len(), 1, "{text}: {out:#?}");
    }
}

#[test]
fn steps_without_hooks_are_somebody_elses() {
    for text in [
        "steps: [{steps: [{run: a}]}]",
        "workflow: {steps: [{steps: [{run: a}]}]}",
        "workflows: [{steps: [{run: a}]}, {steps: []}]",
        "workflows: [{name: 3, steps: [{run: a}]}, {name: b}]",
        "a: {subscribed_artifacts: 3}",
    ] {
        assert_eq!(tree(text), tree("a: 1"), "{text}");
    }
}

#[test]
fn a_near_name_of_a_field_is_reported_once() {
    let text = "hooks: {pre_decision: [{artifact_id: a, args: {q: '{curent_goal}'}}]}";
    let (compiled, _) = built(text, Dialect::Workflow);
    let [reported] = compiled.diagnostics.as_slice() else { panic!("{:#?}", compiled.diagnostics) };
    assert_eq!((reported.code, &text[reported.span().unwrap().range()]), (Code::W0416, "curent_goal"));
}

#[test]
fn a_name_injected_later_is_reported_with_its_span() {
    let text = "hooks: {pre_decision: [{artifact_id: a, args: {q: '{x}'}}, {artifact_id: b, inject_as: x}]}";
    let (_, out) = read(text);
    let [reported] = &out[..] else { panic!("{out:#?}") };
    let places: Vec<_> = reported.labels.iter().map(|label| &text[label.span.range()]).collect();
    assert_eq!((reported.code, places), (Code::W0277, vec!["{x}", "x"]));
}

#[test]
fn hooks_keep_to_their_dialect_in_large_files() {
    let mut text = "hooks:\n  pre_decision:\n".to_owned();
    for n in 0..20_000 {
        let _ =
            writeln!(text, "    - {{artifact_id: a{n}, args: {{q: \"{{x{n}}} {{{{{{\"}}, inject_as: x{n}}}");
    }
    let (policy, out) = read(&text);
    assert_eq!((policy.hooks.len(), out.reported()), (20_000, 20_000));
}

/// The policy written as a workflow file.
fn written(policy: &Policy) -> (String, Vec<String>) {
    let (mut files, losses) = write::write(policy, Dialect::Workflow);
    (files.remove(0).text, losses.into_iter().map(|loss| loss.what).collect())
}

#[test]
fn written_text_reads_back() {
    for text in [
        ALL_KEYS,
        "subscribed_artifacts: [a]\nsteps: [{name: s, hooks: {on_error: [{artifact_id: b}]}}]",
        "hooks: {post_action: [{artifact_id: l, args: {a: 'x {last_action} ${n} {} {{balance}} {last_result.0.k}'}}]}",
        "",
    ] {
        built::round_trip(text, Dialect::Workflow, read);
    }
}

/// The losses of a hooks file.
fn losses(yaml: &str) -> Vec<String> {
    let mut out = Diagnostics::new();
    let policy = hookc_syntax::front::hooks_yaml::read(yaml, SourceId(0), &mut out);
    assert_eq!(out, [], "{yaml}");
    written(&policy).1
}

#[test]
fn losses_are_reported_by_name() {
    let hook = |keys: &str| {
        format!("hooks:\n  - {{event: pre_decision, action: {{type: invoke, artifact: a}}, {keys}}}")
    };
    let action = |keys: &str| format!("hooks:\n  - {{event: pre_decision, action: {{{keys}}}}}");
    for (yaml, words) in [
        (hook("id: x"), "hook `x`: a workflow's hooks have no `id`"),
        (hook("description: x"), "no `description`"),
        (hook("examples: [{event: {}, matches: true}]"), "no `examples`"),
        (hook("priority: 2"), "no `priority`"),
        (hook("enabled: false"), "no `enabled: false`"),
        (hook("mode: warn"), "no `mode`"),
        (hook("on_failure: open"), "no `on_failure`"),
        (
            "builtin_hooks:\n  - {event: pre_decision, action: {type: invoke, artifact: a}}".into(),
            "no `builtin_hooks`",
        ),
        (
            "hooks:\n  - {event: error, action: {type: invoke, artifact: a}}".into(),
            "`error` is not a timing point",
        ),
        ("events: [x]".into(), "`events:` cannot be declared in a workflow file"),
        (action("type: retry"), "it has no action `retry`"),
        (action("type: invoke, artifact: '${a}'"), "only arguments can contain templates"),
        (action("type: invoke, artifact: a, inject_as: 'null'"), "cannot have the name `null`"),
        (action("type: invoke, artifact: a, args: {q: '${a}'}"), "`${a}` is not equivalent to `{name}`"),
        (
            action("type: invoke, artifact: a, args: {q: \"${a ?? 'b'}\"}"),
            "`${a}` is not equivalent to `{name}`",
        ),
        (action("type: invoke, artifact: a, args: {q: '{a}'}"), "a name in braces would be substituted"),
        (action("type: invoke, artifact: a, max_retries: -1"), "its `max_retries` is a number"),
    ] {
        let reported = losses(&yaml);
        assert_eq!(reported.len(), 1, "{yaml}: {reported:?}");
        assert!(reported[0].contains(words), "{yaml}: {reported:?}");
    }
    assert_eq!(losses(&hook("enabled: true, priority: 0, mode: enforce")), [] as [String; 0]);
    let equal = r#"hooks: [{event: [pre_decision, post_action], action: {type: invoke, artifact: a, args: {q: "$${x ${b['c']} ${d ?? '{d}'}"}}}]"#;
    assert_eq!(losses(equal).len(), 1);
    assert_eq!(losses(&equal.replace(" ${b['c']}", "")), [] as [String; 0]);
}

#[test]
fn a_workflow_written_as_hooks_yaml_and_back_is_the_same_module() {
    let text = "hooks:
  pre_decision:
    - {artifact_id: s, args: {q: '{current_goal} ${x}'}, inject_as: found, on_error: fail}
  post_action:
    - {artifact_id: l, args: {all: ['{last_action}', '{found.0}']}, inject_as: null, when: 'balance > 3'}
steps:
  - name: buy
    hooks: {post_decision: [{artifact_id: v, on_error: retry, max_retries: 2}]}
";
    let first = module(text, Dialect::Workflow);
    let (policy, _) = read(text);
    for target in [Dialect::HooksYaml, Dialect::DirectiveXml, Dialect::Workflow] {
        let (files, losses) = write::write(&policy, target);
        assert_eq!(losses, [], "{target:?}");
        assert!(module(&files[0].text, target) == first, "{target:?}:\n{}", files[0].text);
    }
    let on_error = read("hooks: {on_error: [{artifact_id: a}]}").0;
    let (_, losses) = write::write(&on_error, Dialect::HooksYaml);
    assert_eq!(losses.len(), 1, "of a skill there, by its name");
}

proptest! {
    /// Any text of an argument is read, and written back unchanged.
    #[test]
    fn any_text_of_an_argument(text in "[{}$a-c0._ \\-\"'é\\\\]{0,24}") {
        let json = serde_json::json!({"hooks": {"post_action": [{"artifact_id": "a", "args": {"q": text}}]}});
        let (policy, _) = read(&json.to_string());
        let (compiled, _) = built(&json.to_string(), Dialect::Workflow);
        prop_assert!(!compiled.failed(), "{:?}", compiled.diagnostics);
        let (again, losses) = written(&policy);
        prop_assert!(losses.is_empty(), "{losses:?}");
        prop_assert_eq!(read(&again).0.hooks, policy.hooks);
    }
}
