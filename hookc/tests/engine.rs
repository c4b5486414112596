//! Deciding by a policy that may be replaced.

use hookc::{Action, DecideError, DecideOptions, Engine, Family, Mode, Policy, Strategy};

const STOP: &str = r#"{"hook_event_name": "Stop", "n": 1}"#;

fn engine(yaml: &str) -> Engine {
    Engine::new(Policy::from_yaml(yaml).unwrap())
}

fn kind(engine: &Engine, event: &str) -> Option<String> {
    engine.decide(event).unwrap().hooks().first().map(|hook| hook.kind().to_owned())
}

#[test]
fn can_be_shared() {
    fn shared<T: Clone + Send + Sync + 'static>() {}
    shared::<Engine>();
    shared::<Policy>();
    shared::<hookc::Decision>();
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    error::<hookc::Diagnostics>();
    error::<hookc::PolicyError>();
    error::<hookc::ActionError>();
}

#[test]
fn reports_the_location_and_action_of_a_hook() {
    let engine = engine(
        "hooks:\n  - id: a\n    event: Stop\n    mode: warn\n    action: {type: log, message: \"n is ${n}\"}\n  \
         - event: Stop\n    action: {type: deny}\n",
    );
    let decision = engine.decide(STOP).unwrap();
    let ([warned], [denied]) = (decision.reported(), decision.hooks()) else { panic!("{decision:?}") };
    assert_eq!((decision.event_type(), decision.family()), ("Stop", Some(Family::Agent)));
    assert_eq!((warned.id(), warned.mode(), warned.kind()), ("a", Mode::Warn, "log"));
    assert_eq!(warned.to_value().unwrap()["message"], "n is 1");
    assert!(matches!(denied.action().unwrap(), Action::Deny(_)));
    let location = denied.location().unwrap();
    assert_eq!((location.file.as_str(), location.line, location.column), ("policy.yaml", 6, 5));
}

#[test]
fn a_stripped_hook_is_named_by_its_rank() {
    let source = hookc::Source::new("p.yaml", "hooks: [{id: a, event: Stop, action: {type: deny}}]");
    let policy = Policy::builder().source(source).strip(true).build().unwrap();
    let decision = Engine::new(policy).decide(STOP).unwrap();
    assert_eq!((decision.hooks()[0].id(), decision.hooks()[0].location()), ("rank 0", None));
}

#[test]
fn a_decision_keeps_the_policy_that_it_began_with() {
    let engine = engine("hooks: [{event: Stop, action: {type: deny}}]");
    let before = engine.policy();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let engine = engine.clone();
            std::thread::spawn(move || (0..500).map(|_| kind(&engine, STOP)).collect::<Vec<_>>())
        })
        .collect();
    for n in 0..100 {
        let action = if n % 2 == 0 { "allow" } else { "deny" };
        let yaml = format!("hooks: [{{event: Stop, action: {{type: {action}}}}}]");
        engine.reload(Policy::from_yaml(&yaml).unwrap());
    }
    for thread in threads {
        assert!(thread.join().unwrap().iter().all(|kind| matches!(kind.as_deref(), Some("allow" | "deny"))));
    }
    assert_eq!(kind(&engine, STOP).as_deref(), Some("deny"));
    assert_eq!(kind(&Engine::new(before), STOP).as_deref(), Some("deny"));
}

#[test]
fn reports_why_there_is_no_decision() {
    let engine = engine("hooks: [{event: Stop, when: n > 0, action: {type: deny}}]");
    for event in ["", "[]", "{}", "{\"hook_event_name\": \"Stop\", \"n\": 1, \"n\": 2}"] {
        assert!(matches!(engine.decide(event), Err(DecideError::Event(_))), "{event}");
    }
    assert!(engine.decide("{\"hook_event_name\": \"Start\"}").unwrap().is_empty());
}

#[test]
fn options_reach_the_machine() {
    let engine =
        engine("hooks:\n  - {event: Stop, action: {type: deny}}\n  - {event: Stop, action: {type: allow}}\n");
    let options = DecideOptions::default().strategy(Strategy::All).event("Stop");
    assert_eq!(engine.decide_with("{}", &options).unwrap().hooks().len(), 2);
}

#[test]
fn an_action_that_cannot_be_rendered_has_a_reason() {
    let engine = engine("hooks: [{event: error, action: {type: log, message: m, level: \"${level}\"}}]");
    let event = r#"{"event": {"type": "error"}, "level": "loud"}"#;
    let decision = engine.decide(event).unwrap();
    let error = decision.hooks()[0].action().unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("level"), "{error}: {cause}");
}

#[test]
fn a_decision_is_by_the_policy_that_a_program_took() {
    let policy = |kind: &str| {
        Policy::from_yaml(&format!("hooks: [{{event: Stop, action: {{type: {kind}}}}}]")).unwrap()
    };
    let engine = Engine::new(policy("deny"));
    let taken = engine.policy();
    engine.reload(policy("allow"));
    let kind = |decision: hookc::Decision| decision.hooks()[0].kind().to_owned();
    let stop = r#"{"hook_event_name": "Stop"}"#;
    let options = hookc::DecideOptions::default();
    assert_eq!(kind(engine.decide_by(&taken, stop, &options).unwrap()), "deny");
    assert_eq!(kind(engine.decide_with(stop, &options).unwrap()), "allow");
}
