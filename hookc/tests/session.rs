//! Sessions in memory, and what they share.

use std::time::Duration;

use hookc::{DecideOptions, Decision, Engine, Policy, Session, Verdict};
use serde_json::json;

const SHARED: &str = r#"
hooks:
  - id: project
    event: PreToolUse
    when: count(PreToolUse within 1h per project) >= 2
    action: {type: deny}
  - id: user
    event: PreToolUse
    when: count(PreToolUse within 1h per user) >= 4
    action: {type: deny}
"#;

const SESSION: &str = r#"
hooks:
  - id: session
    event: PreToolUse
    when: count(PreToolUse) >= 1
    action: {type: deny}
"#;

fn engine(policy: &str) -> Engine {
    Engine::new(Policy::from_yaml(policy).unwrap())
}

/// The hooks that match, and after `?` those that are unknown.
fn decide(session: &Session, project: &str) -> String {
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "project_dir": project});
    hooks(&session.decide(&event).unwrap())
}

fn hooks(decision: &Decision) -> String {
    let mut hooks: Vec<_> = decision.hooks().iter().map(|hook| hook.id().to_owned()).collect();
    hooks.extend(decision.unknown().map(|(hook, why)| format!("?{}: {why}", hook.id())));
    hooks.join(" ")
}

#[test]
fn sessions_share_the_histories_of_projects_and_of_the_user() {
    let engine = engine(SHARED);
    let (first, second) = (engine.session("1"), engine.session("2"));
    assert_eq!([decide(&first, "/a"), decide(&second, "/a")], ["", ""]);
    assert_eq!(decide(&first, "/a"), "project", "two calls in the project, by two sessions");
    assert_eq!([decide(&second, "/b"), decide(&second, "/b")], ["", ""], "denied calls did not happen");
    assert_eq!(decide(&engine.session("3"), "/c"), "user");
    let unknown = second.decide(r#"{"hook_event_name": "PreToolUse"}"#).unwrap();
    let unknown: Vec<_> = unknown.unknown().map(|(hook, _)| hook.id().to_owned()).collect();
    assert_eq!(unknown, ["project"], "an event without a project");
}

#[test]
fn what_is_shared_can_be_restored_with_the_sessions() {
    let before = engine(SHARED);
    let session = before.session("1");
    assert_eq!([decide(&session, "/a"), decide(&session, "/a")], ["", ""]);
    let (shared, snapshot) = (before.shared_snapshot(), session.snapshot());
    let after = engine(SHARED);
    after.restore_shared(&shared).unwrap();
    let session = after.restore("1", &snapshot).unwrap();
    assert_eq!(decide(&session, "/a"), "project");
    // An engine with sessions of its own cannot compare values with those of another.
    let other = engine(SHARED);
    assert_eq!(decide(&other.session("1"), "/a"), "");
    assert!(
        other.restore_shared(&shared).is_err() && other.restore_shared(&[shared, vec![0]].concat()).is_err()
    );
    let foreign = decide(&other.restore("2", &snapshot).unwrap(), "/a");
    assert!(foreign.contains("?project") && foreign.contains("snapshot of another engine"), "{foreign}");
}

#[test]
fn what_handlers_decide_later_is_shared_too() {
    let engine = engine(&SHARED.replacen("type: deny", "type: prompt, prompt: p", 1));
    let (first, second) = (engine.session("1"), engine.session("2"));
    assert_eq!([decide(&first, "/a"), decide(&first, "/a")], ["", ""]);
    let event = json!({"hook_event_name": "PreToolUse", "project_dir": "/a"});
    let third = first.decide(&event).unwrap();
    assert_eq!(third.hooks()[0].kind(), "prompt");
    assert_eq!(decide(&second, "/b"), "");
    assert_eq!(decide(&second, "/c"), "user", "it has happened");
    assert!(first.settle(third.step().unwrap(), Verdict::Deny));
    assert_eq!(decide(&second, "/c"), "");
}

#[test]
fn a_dropped_session_does_not_begin_again() {
    let engine = engine(SESSION);
    engine.limit_sessions(4, Duration::from_secs(3600));
    for id in ["1", "2", "3", "4", "5"] {
        assert_eq!(decide(&engine.session(id), ""), "", "{id}");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(decide(&engine.session("5"), ""), "session");
    let first = decide(&engine.session("1"), "");
    assert!(first.starts_with("?session"), "it was dropped, and what happened in it is unknown: {first}");
    engine.limit_sessions(100, Duration::ZERO);
    std::thread::sleep(Duration::from_millis(2));
    let idle = decide(&engine.session("5"), "");
    assert!(idle.starts_with("?session"), "it was idle: {idle}");
}

#[test]
fn the_agents_of_a_dropped_session_are_unknown_too() {
    let engine = engine(&SESSION.replace("count(PreToolUse)", "count(PreToolUse per agent)"));
    engine.limit_sessions(4, Duration::from_secs(3600));
    let agent = |session: &str, agent: &str| {
        let event = json!({"hook_event_name": "PreToolUse", "agent_id": agent});
        hooks(&engine.session(session).decide(&event).unwrap())
    };
    assert_eq!([agent("1", "a"), agent("1", "a"), agent("1", "b")], ["", "session", ""]);
    for session in ["2", "3", "4", "5"] {
        assert_eq!(agent(session, "a"), "");
    }
    let before = engine.session("1").snapshot();
    for name in ["a", "b", "c", ""] {
        let unknown = agent("1", name);
        assert!(unknown.starts_with("?session"), "agent {name}: {unknown}");
    }
    // A snapshot says so too, also of a session that is not there.
    for snapshot in [before, engine.session("1").snapshot()] {
        let restored = engine.restore("6", &snapshot).unwrap();
        let event = json!({"hook_event_name": "PreToolUse", "agent_id": "new"});
        let unknown = hooks(&restored.decide(&event).unwrap());
        assert!(unknown.starts_with("?session"), "{unknown}");
    }
}

#[test]
fn what_was_dropped_is_unknown_by_the_clock_of_the_program() {
    let policy = r#"
hooks:
  - {id: session, event: PreToolUse, when: count(PreToolUse within 1s) >= 2, action: {type: deny}}
  - {id: project, event: PreToolUse, when: count(PreToolUse within 1s per project) >= 2, action: {type: deny}}
"#;
    let engine = engine(policy);
    engine.limit_sessions(4, Duration::from_secs(3600));
    let at = |id: &str, time| {
        let event = json!({"hook_event_name": "PreToolUse", "project_dir": format!("/{id}")});
        hooks(&engine.session(id).decide_at(&event, time, &DecideOptions::default()).unwrap())
    };
    for id in ["1", "2", "3", "4", "5"] {
        assert_eq!(at(id, 5_000), "", "{id}");
    }
    let unknown = at("1", 6_000);
    assert!(unknown.contains("?session") && unknown.contains("?project"), "{unknown}");
    assert!(at("1", 7_000).contains('?'));
    assert_eq!([at("1", 8_001), at("1", 8_002), at("1", 8_003)], ["", "", "session project"]);
}

#[test]
fn a_session_begins_with_its_first_event() {
    let engine = engine(SESSION);
    let session = engine.session("1");
    let empty = session.snapshot();
    assert!(!session.settle(1, Verdict::Deny));
    assert_eq!([decide(&session, ""), decide(&session, "")], ["", "session"]);
    assert_eq!(decide(&engine.restore("1", &empty).unwrap(), ""), "");
}

#[test]
fn snapshots_of_sessions_and_of_what_they_share_are_told_apart() {
    let engine = engine(SHARED);
    let session = engine.session("1");
    let empty = engine.shared_snapshot();
    assert_eq!(decide(&session, "/a"), "");
    let (of_session, shared) = (session.snapshot(), engine.shared_snapshot());
    let error = engine.restore_shared(&of_session).unwrap_err();
    assert!(error.to_string().starts_with("the bytes are not a snapshot of what sessions share"), "{error}");
    assert_eq!(engine.shared_snapshot().len(), shared.len(), "nothing has changed");
    for shared in [&shared, &empty] {
        let error = engine.restore("2", shared).unwrap_err();
        assert_eq!(error.to_string(), "the bytes are not a snapshot of a session, or are damaged");
    }
    assert!(engine.restore_shared(&shared).is_ok() && engine.restore("2", &of_session).is_ok());
}

#[test]
fn all_forms_of_an_event_belong_to_the_same_project() {
    let engine = engine(SHARED);
    let session = engine.session("1");
    let start = r#"{"hook_event_name": "PreToolUse", "tool_input": {"cwd": "/b", "project_dir": [{}]}, "#;
    for (member, hook) in [
        (r#""cwd": "/a"}"#, ""),
        (r#""cwd": "/b", "project_dir": "/a"}"#, ""),
        (r#""project\u005fdir": "\/a"}"#, "project"),
        (r#""cwd": "/a", "project_dir": 7, "agent_id": []}"#, "project"),
        (r#""cwd": "/a", "project_dir": ""}"#, "project"),
    ] {
        let event = [start, member].concat();
        assert_eq!(hooks(&session.decide(&event).unwrap()), hook, "{event}");
    }
    let value = json!({"hook_event_name": "PreToolUse", "cwd": "/b", "project_dir": "/a"});
    assert_eq!(hooks(&session.decide(&value).unwrap()), "project");
}

#[test]
fn an_action_that_cannot_be_rendered_waits_for_the_program() {
    let engine = engine(
        r#"
hooks:
  - {id: allow, event: PreToolUse, when: tool_name == 'Edit', action: {type: allow, reason: '${text} ${text} ${text}'}}
  - {id: one, event: PreToolUse, when: count(PreToolUse) >= 1, action: {type: deny}}
"#,
    );
    let session = engine.session("1");
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Edit", "text": "a".repeat(1 << 20)});
    let decision = session.decide(&event).unwrap();
    assert!(decision.hooks()[0].to_json().is_err());
    assert!(session.settle(decision.step().unwrap(), Verdict::Deny));
    assert_eq!(decide(&session, ""), "");
}

#[test]
fn time_goes_on_after_a_restart() {
    let window = SESSION.replace("count(PreToolUse)", "count(PreToolUse within 1s)");
    let before = engine(&window);
    let session = before.session("1");
    assert_eq!([decide(&session, ""), decide(&session, "")], ["", "session"]);
    let restored = engine(&window).restore("1", &session.snapshot()).unwrap();
    assert_eq!(decide(&restored, ""), "session");
    std::thread::sleep(Duration::from_millis(1_100));
    assert_eq!(decide(&restored, ""), "");
    // A clock of the program.
    let separate = engine(&window).session("1");
    let event = r#"{"hook_event_name": "PreToolUse"}"#;
    let at = |time| separate.decide_at(event, time, &DecideOptions::default()).unwrap().hooks().len();
    assert_eq!([at(5_000), at(6_000), at(7_001), at(0)], [0, 1, 0, 1]);
}
