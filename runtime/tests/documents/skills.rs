//! Skills: their scripts at each event, in order, isolated, and logged when they fail.

use hookc_runtime::EventOutcome;
use hookc_runtime::outcome::Outcome;
use hookc_runtime::skill::{Scripts, SkillRegistry};
use hookc_runtime::{Engine, Event, PolicySet};
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Family};
use serde_json::{Value, json};

use super::{Folder, engine, skill};

fn python() -> bool {
    let python = std::process::Command::new("python3").arg("--version").output();
    let there = python.is_ok_and(|done| done.status.success());
    if !there {
        eprintln!("skipped: there is no python3");
    }
    there
}

#[test]
fn skills_register_run_fail_and_stay_apart() {
    if !python() {
        return;
    }
    let count = "count = 0\ndef execute(context):\n    global count\n    count += 1\n    return [context.skill.title, count]\n";
    let folder = Folder::new()
        .with("skills/a/SKILL.md", &skill("a", "", "hooks:\n  pre_execute: hooks/pre.py\n  on_error: hooks/error.py\n", ""))
        .with("skills/a/hooks/pre.py", "from gptme.lessons.hooks import HookContext\ndef execute(context: HookContext) -> None:\n    raise RuntimeError('a is broken')\n")
        .with("skills/a/hooks/error.py", count)
        .with("skills/b/SKILL.md", &skill("b", "", "hooks:\n  pre_execute: [hooks/one.py, {script: hooks/first.py, priority: 5}]\n", ""))
        .with("skills/b/hooks/one.py", count)
        .with("skills/b/hooks/first.py", "def execute(context):\n    return 'first'\n");
    let shelf = SkillRegistry::read(None, Some(&folder.path().join("skills")));
    let engine = engine(&shelf.policy_set());
    let scripts = Scripts::default();
    let run = |name: &str| {
        let event = Event::from_value(json!({"skill": {"name": "x", "title": "X"}, "message": "m"}));
        let ask = DecideOptions::default().event(name).family(Family::Skill);
        let handled = engine.handle(&event, &ask, &scripts).unwrap();
        handled.effects.into_iter().map(|effect| effect.outcome).collect::<Vec<_>>()
    };
    let outcomes = run("pre_execute");
    assert_eq!(outcomes[0], Outcome::Value(json!("first")));
    assert!(matches!(&outcomes[1], Outcome::Failed(failure) if failure.why.contains("a is broken")));
    assert_eq!(outcomes[2], Outcome::Value(json!(["X", 1])));
    assert_eq!(run("pre_execute")[2], Outcome::Value(json!(["X", 2])));
    assert_eq!(run("on_error"), [Outcome::Value(json!(["X", 1]))]);
    assert!(run("post_context").is_empty());
}

fn handle(engine: &Engine, name: &str, event: &Event, scripts: &Scripts) -> EventOutcome {
    let ask = DecideOptions::default().event(name).family(Family::Skill);
    engine.handle(event, &ask, scripts).unwrap()
}

fn outcomes(handled: EventOutcome) -> Vec<Outcome> {
    handled.effects.into_iter().map(|effect| effect.outcome).collect()
}

/// The five kinds of hooks: each has its own script, which sees the whole context.
#[test]
fn every_event_runs_its_script_with_the_context() {
    if !python() {
        return;
    }
    let events = ["pre_execute", "post_execute", "on_error", "pre_context", "post_context"];
    let hooks: String = events.iter().map(|event| format!("  {event}: hooks/{event}.py\n")).collect();
    let mut folder =
        Folder::new().with("skills/a/SKILL.md", &skill("a", "", &format!("hooks:\n{hooks}"), "# A"));
    for event in events {
        let script = format!(
            "def execute(context):\n    said = [one.content for one in context.conversation or []]\n    return ['{event}', context.skill.title, context.message, said, context.tools, context.config.get('k')]\n"
        );
        folder = folder.with(&format!("skills/a/hooks/{event}.py"), &script);
    }
    let shelf = SkillRegistry::read(None, Some(&folder.path().join("skills")));
    let (engine, scripts) = (engine(&shelf.policy_set()), Scripts::default());
    let whole =
        Event::from_value(json!({"skill": shelf.skills[0].in_event(), "message": "m", "tools": ["shell"],
        "conversation": [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}],
        "config": {"k": 7}}));
    let bare = Event::from_value(json!({"skill": shelf.skills[0].in_event()}));
    for event in events {
        let seen = outcomes(handle(&engine, event, &whole, &scripts));
        assert_eq!(seen, [Outcome::Value(json!([event, "A", "m", ["one", "two"], ["shell"], 7]))]);
        let seen = outcomes(handle(&engine, event, &bare, &scripts));
        assert_eq!(seen, [Outcome::Value(json!([event, "A", null, [], [], null]))]);
    }
}

/// Decision 1: for skills without a priority, the first registered one goes first, whatever their
/// names.
#[test]
fn skills_of_equal_priority_run_as_they_were_registered() {
    if !python() {
        return;
    }
    let script = "import sys\norder = []\ndef execute(context):\n    return context.message + ' NAME'\n";
    let mut folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder = folder
            .with(&format!("{name}/SKILL.md"), &skill(name, "", "hooks:\n  pre_execute: run.py\n", ""))
            .with(&format!("{name}/run.py"), &script.replace("NAME", name));
    }
    for order in [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]] {
        let with = |policies: PolicySet, name: &&str| {
            policies.with(Layer::Project, folder.path().join(name).join("SKILL.md"), None)
        };
        let engine = engine(&order.iter().fold(PolicySet::new(), with));
        let event = Event::from_value(json!({"skill": {"name": "x"}, "message": "ran"}));
        let ran = outcomes(handle(&engine, "pre_execute", &event, &Scripts::default()));
        assert_eq!(ran, order.map(|name| Outcome::Value(json!(format!("ran {name}")))));
    }
}

/// Decision 2: a failure is in the log, with the exception if events are logged too, and the
/// following scripts have run.
#[test]
fn a_script_that_fails_is_in_the_log() {
    if !python() {
        return;
    }
    let folder = Folder::new()
        .with("skills/a/SKILL.md", &skill("a", "", "hooks:\n  pre_execute: run.py\n", ""))
        .with("skills/a/run.py", "def execute(context):\n    raise ValueError('secret')\n")
        .with("skills/b/SKILL.md", &skill("b", "", "hooks:\n  pre_execute: run.py\n", ""))
        .with("skills/b/run.py", "def execute(context):\n    return 1\n");
    let engine = engine(&SkillRegistry::read(None, Some(&folder.path().join("skills"))).policy_set());
    let event = Event::from_value(json!({"skill": {"name": "a"}, "session_id": "s"}));
    let handled = handle(&engine, "pre_execute", &event, &Scripts::default());
    let [bare, whole] = folder.logged(&event, &handled);
    for line in [&bare, &whole] {
        assert_eq!((&line["event"], &line["session"]), (&json!("pre_execute"), &json!("s")));
        let hooks = line["hooks"].as_array().unwrap();
        let words: Vec<&Value> = hooks.iter().map(|hook| &hook["outcome"]).collect();
        assert_eq!((words, &hooks[0]["falls"]), (vec![&json!("failed"), &json!("done")], &json!("open")));
    }
    let error = |line: &Value| line["hooks"][0]["error"].as_str().unwrap().to_owned();
    assert!(error(&whole).contains("Traceback") && error(&whole).ends_with("ValueError: secret"), "{whole}");
    assert!(!bare.to_string().contains("secret") && !error(&bare).is_empty(), "{bare}");
}
