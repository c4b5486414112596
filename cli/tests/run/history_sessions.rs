//! What continues a session and what begins one anew, policies that change meanwhile, and state that is not ours.

use std::fs;

use serde_json::{Value, json};

use super::history::{bash, done, fetch, is_denied, new_id};
use super::shell::{Shell, prompt};
use crate::common;

/// Counts the fetches of a session.
const FETCHES: &str = r#"
hooks:
  - id: two_fetches
    event: PreToolUse
    when: "tool_name == 'WebFetch' and count(PreToolUse where tool_name == 'WebFetch' within 1h) >= 2"
    action: {type: deny, reason: "Two fetches."}
"#;

/// And asks which files an agent edited.
const WORK: &str = r#"  - id: own_work
    event: PreToolUse
    when: "tool_input.command == 'approve' and formerly(PostToolUse where tool_name == 'Edit' per agent)"
    action: {type: deny, reason: "Somebody else approves."}
"#;

fn start(source: &str) -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "SessionStart", "source": source})
}

/// The event in another session.
fn in_session(id: &str, mut event: Value) -> Value {
    event["session_id"] = json!(id);
    event
}

/// The event of a sub-agent.
fn by_agent(id: &str, mut event: Value) -> Value {
    event["agent_id"] = json!(id);
    event
}

fn edit() -> Value {
    done("Edit", json!({"file_path": "/p/a.rs", "old_string": "a", "new_string": "b"}))
}

#[test]
fn a_session_goes_on_when_it_is_resumed_or_compacted_and_begins_anew_when_it_is_cleared() {
    let shell = Shell::new(FETCHES);
    shell.send(&start("startup"));
    assert_eq!([(); 3].map(|()| shell.denies(&fetch())), [false, false, true]);
    for source in ["resume", "compact"] {
        shell.send(&start(source));
        assert!(shell.denies(&fetch()), "{source}");
    }
    shell.send(
        &json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "PreCompact", "trigger": "auto"}),
    );
    assert!(shell.denies(&fetch()), "a compaction forgets nothing");
    shell.send(&start("clear"));
    assert_eq!([(); 3].map(|()| shell.denies(&fetch())), [false, false, true]);
    assert!(!shell.denies(&in_session("fork", fetch())), "a new id is a new session");
}

#[test]
fn a_session_that_began_elsewhere_is_unknown_when_it_is_resumed() {
    let shell = Shell::new(FETCHES);
    shell.send(&start("resume"));
    let run = shell.send(&fetch());
    assert!(is_denied(&run) && run.out.contains("history"), "{run:?}");
    shell.send(&start("clear"));
    assert!(!shell.denies(&fetch()));
}

#[test]
fn sub_agents_share_the_session_and_have_a_history_of_their_own() {
    let shell = Shell::new(&format!("{FETCHES}{WORK}"));
    shell.send(&start("startup"));
    assert!(!shell.denies(&by_agent("a", fetch())) && !shell.denies(&by_agent("b", fetch())));
    assert!(shell.denies(&fetch()), "the session counts those of both");
    shell.send(&by_agent("a", edit()));
    let approve = bash("approve");
    assert!(shell.denies(&by_agent("a", approve.clone())));
    assert!(!shell.denies(&by_agent("b", approve.clone())) && !shell.denies(&approve));
    shell.send(&edit());
    assert!(shell.denies(&approve) && !shell.denies(&by_agent("b", approve)));
}

/// A conversation whose parent the agent names has the history of the parent.
#[test]
fn a_conversation_of_cursor_has_the_history_of_its_parent() {
    let shell =
        Shell::new("hooks:\n  - {event: PreToolUse, when: 'count(PreToolUse) >= 2', action: {type: deny}}\n");
    let call = |id: &str, parent: Option<&str>| {
        let mut event = json!({"conversation_id": id, "generation_id": new_id(), "hook_event_name": "preToolUse",
            "tool_name": "Shell", "tool_input": {"command": "ls"}, "tool_use_id": new_id(), "workspace_roots": ["/nowhere"]});
        if let Some(parent) = parent {
            event["parent_conversation_id"] = json!(parent);
        }
        let run = shell.host("cursor", &event);
        run.out.contains("deny")
    };
    assert!(!call("p", None) && !call("c1", Some("p")));
    assert!(call("c2", Some("p")) && call("p", None));
    assert!(!call("c2", None), "without a parent it has its own");
}

#[test]
fn a_policy_that_changes_during_a_session_keeps_what_it_still_watches() {
    let limit = |more: u32| {
        format!(
            "hooks:\n  - id: fetches\n    event: PreToolUse\n    when: \"tool_name == 'WebFetch' and count(PreToolUse where \
             tool_name == 'WebFetch' within 1h) >= {more}\"\n    action: {{type: deny, reason: enough}}\n"
        )
    };
    let shell = Shell::new(&limit(3));
    assert_eq!([(); 2].map(|()| shell.denies(&fetch())), [false, false]);
    // A lower limit, another name, and a further hook about something that was not watched.
    let further = "  - {id: ls, event: PreToolUse, when: \"tool_input.command == 'ls' and formerly(PreToolUse where tool_name \
                   == 'Bash')\", action: {type: deny}}\n";
    common::put(&shell.folder, "hooks.yaml", limit(2).replace("id: fetches", "id: renamed") + further);
    assert!(shell.denies(&fetch()), "both were seen");
    assert!(!shell.denies(&bash("ls")), "watched since the change");
    assert!(shell.denies(&bash("ls")));
    // A higher limit: three are kept, and an earlier one may be missing only if it was dropped.
    common::put(&shell.folder, "hooks.yaml", limit(3));
    assert_eq!([(); 2].map(|()| shell.denies(&fetch())), [false, true]);
    // A policy that does not watch it, and the old one again: what happened meanwhile is unknown, so the hook fails.
    common::put(
        &shell.folder,
        "hooks.yaml",
        "hooks:\n  - {event: PreToolUse, when: 'count(PreToolUse) >= 100', action: {type: deny}}\n",
    );
    assert!(!shell.denies(&fetch()));
    common::put(&shell.folder, "hooks.yaml", limit(4));
    let run = shell.send(&fetch());
    assert!(is_denied(&run), "{run:?}");
}

/// The state of other programs, other calls, other versions and other systems: unknown, and said; never wrong.
#[test]
fn state_that_is_not_ours_is_unknown() {
    use std::os::unix::fs::symlink;
    let twice = |shell: &Shell| (0..2).for_each(|_| assert!(!shell.denies(&fetch())));
    type Damage<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
    let changes: [(&str, Damage<'_>); 6] = [
        ("the history is damaged", &|bytes| [&bytes[..bytes.len() / 2], &[7; 4096]].concat()),
        ("the history is damaged", &|_| b"SQLite format 3\0".repeat(64)),
        ("the history is damaged", &|_| vec![0; 4096]),
        ("the history is damaged", &|_| b"{\"sessions\": []}\n".to_vec()),
        ("newer", &|bytes| [&bytes[..8], &[9, 0, 0, 0], &bytes[12..]].concat()),
        ("the history is damaged", &|bytes| [bytes, bytes].concat()),
    ];
    for (index, (word, change)) in changes.iter().enumerate() {
        let shell = Shell::new(FETCHES);
        twice(&shell);
        let [file] = &shell.partitions()[..] else { panic!("one partition") };
        fs::write(file, change(&fs::read(file).unwrap())).unwrap();
        let before = fs::read(file).unwrap();
        let run = shell.send(&fetch());
        assert!(is_denied(&run) && run.out.contains(word), "{index}: {run:?}");
        assert_eq!(fs::read(file).unwrap(), before, "{index}: it is not touched");
        assert!(!shell.denies(&bash("ls")), "{index}: other hooks go on");
    }
    // The whole file of another session: its secret is the same, its content is valid, and it says whose it is.
    let shell = Shell::new(FETCHES);
    twice(&shell);
    let [other] = &shell.partitions()[..] else { panic!("one partition") };
    shell.send(&in_session("t", fetch()));
    let files = shell.partitions();
    let file = files.iter().find(|file| *file != other).unwrap();
    fs::copy(other, file).unwrap();
    let run = shell.send(&in_session("t", fetch()));
    assert!(is_denied(&run) && run.out.contains("that of something else"), "{run:?}");
    assert!(shell.denies(&fetch()), "the one that was copied is still read");
    let verify = |file: &std::path::Path| {
        common::hookc(shell.folder.path(), &["history", "verify", file.to_str().unwrap()], "")
    };
    let (good, bad) = (verify(other), verify(file));
    assert!(good.code == 0 && good.err.contains("is valid"), "{good:?}");
    assert!(bad.code == 1 && bad.err.contains("renamed or copied"), "{bad:?}");
    // A link, a directory, a pipe.
    for kind in ["link", "directory", "pipe"] {
        let shell = Shell::new(FETCHES);
        twice(&shell);
        let [file] = &shell.partitions()[..] else { panic!("one partition") };
        let moved = shell.folder.path().join("moved");
        fs::rename(file, &moved).unwrap();
        match kind {
            "link" => symlink(&moved, file).unwrap(),
            "directory" => fs::create_dir(file).unwrap(),
            _ => rustix::fs::mknodat(
                rustix::fs::CWD,
                file,
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RUSR,
                0,
            )
            .unwrap(),
        }
        let run = shell.send(&fetch());
        assert!(is_denied(&run) && run.out.contains("history"), "{kind}: {run:?}");
    }
}

#[test]
fn two_policies_with_the_same_fact_names_do_not_meet() {
    let policy = |tool: &str| {
        format!(
            "facts:\n  used: {{event: PreToolUse, when: \"tool_name == '{tool}'\"}}\nhooks:\n  - {{id: {tool}, event: PreToolUse, \
             when: \"tool_input.command == 'go' and formerly(used)\", action: {{type: deny, reason: after {tool}}}}}\n"
        )
    };
    let shell = Shell::new(&policy("WebFetch"));
    common::put(&shell.folder, "managed.yaml", policy("WebSearch"));
    let send = |event: &Value| {
        let mut event = event.clone();
        event["tool_use_id"] = new_id().into();
        shell.run(&["--host", "claude", "--layer", "managed=managed.yaml"], event.to_string().as_bytes(), &[])
    };
    assert!(!is_denied(&send(&bash("go"))));
    send(&fetch());
    let run = send(&bash("go"));
    assert!(run.out.contains("after WebFetch") && !run.out.contains("after WebSearch"), "{run:?}");
    send(&super::history::event("PreToolUse", "WebSearch", json!({"query": "q"})));
    let run = send(&bash("go"));
    assert!(run.out.contains("after WebFetch") && run.out.contains("after WebSearch"), "{run:?}");
}

#[test]
fn ids_of_sessions_are_any_text() {
    let shell = Shell::new(FETCHES);
    let ids = [
        "",
        "../../etc",
        "a\u{0}b",
        "a",
        "\u{1f600}\u{301}",
        "e\u{301}",
        "\u{e9}",
        "line\nbreak",
        "*",
        &"x".repeat(100_000),
    ];
    for id in ids {
        let run = shell.send(&in_session(id, fetch()));
        assert_eq!(is_denied(&run), id.is_empty(), "{id:?}: {run:?}");
    }
    let folder = shell.folder.path().join("state/hookc/history");
    let calls = fs::read_dir(&folder).unwrap().count();
    assert_eq!((calls, shell.partitions().len()), (1, ids.len() - 1), "each has a file, and none elsewhere");
    // Without an id, or with one that is no text, nothing is known.
    for id in [json!(7), json!(null), json!(["s"]), json!({"s": 1})] {
        let mut event = fetch();
        event["session_id"] = id.clone();
        let run = shell.send(&event);
        assert!(is_denied(&run) && run.out.contains("does not say which session"), "{id}: {run:?}");
    }
    // The escapes of JSON are no part of an id, and half a surrogate pair is one.
    let raw =
        |id: &str| fetch().to_string().replace("\"session_id\":\"s\"", &format!("\"session_id\":\"{id}\""));
    let call = |id: &str| {
        let text = raw(id);
        shell.run(&["--host", "claude"], text.as_bytes(), &[])
    };
    assert!(!is_denied(&call("\\u0061")) && is_denied(&call("a")), "\\u0061 is a, which has fetched before");
    let halves = ["\\ud800", "\\ud800", "\\ud800", "\\udc00"].map(call);
    for half in halves {
        assert!(half.code == 0 || half.code == 2, "{half:?}");
    }
    shell.send(&prompt("go"));
}
