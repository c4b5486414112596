//! When the shipped thread hooks are linked: every verb agrees.

use crate::common::hookc;

const AGENT: &str = "hooks: [{id: a, event: PreToolUse, action: {type: deny, reason: r}}]\n";
const THREAD: &str = "hooks: [{id: t, event: after_step, action: {type: abort}}]\n";
const LIMIT: &str = r#"{"event_type":"limit","limit_code":"spend_exceeded"}"#;

#[test]
fn verbs_agree_on_the_shipped_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let test = |policy: &str, more: &str, expect: &str| {
        format!("policy: {policy}\n{more}tests: [{{event: {LIMIT}, expect: {expect}}}]\n")
    };
    write("agent.yaml", AGENT);
    write("thread.yaml", THREAD);
    write("event.json", LIMIT);
    write("agent.test.yaml", &test("agent.yaml", "", "none"));
    write("thread.test.yaml", &test("thread.yaml", "", "default_limit_escalation"));
    write("always.test.yaml", &test("agent.yaml", "builtin: true\n", "default_limit_escalation"));
    write("never.test.yaml", &test("thread.yaml", "builtin: false\n", "none"));
    let run = |args: &[&str]| hookc(folder.path(), args, b"");
    for (policy, flag, expected) in [
        ("agent.yaml", None, false),
        ("thread.yaml", None, true),
        ("agent.yaml", Some("--builtin"), true),
        ("thread.yaml", Some("--no-builtin"), false),
    ] {
        for verb in [&["list"][..], &["explain"], &["eval"], &["compile", "--emit", "asm"], &["replay"]] {
            let event = matches!(verb[0], "explain" | "eval" | "replay").then_some("event.json");
            let args: Vec<&str> = verb.iter().copied().chain(flag).chain([policy]).chain(event).collect();
            let got = run(&args);
            let found = got.out.contains("default_limit_escalation");
            assert_eq!((got.code, found), (0, expected), "{args:?}:\n{}{}", got.out, got.err);
        }
    }
    let tests = run(&["test", "thread.test.yaml", "always.test.yaml"]);
    assert_eq!(tests.code, 0, "{}{}", tests.out, tests.err);
    for without in ["agent.test.yaml", "never.test.yaml"] {
        let tests = run(&["test", without]);
        let fails = tests.out.contains("no hook of the policy is for `limit`");
        assert!(tests.code == 3 && fails, "{}{}", tests.out, tests.err);
    }
    let both = run(&["check", "--builtin", "--no-builtin", "agent.yaml"]);
    assert_eq!(both.code, 2, "{}", both.err);
    run(&["compile", "agent.yaml", "-o", "agent.hookc"]);
    let module = run(&["eval", "--builtin", "agent.hookc", "event.json"]);
    assert_eq!(module.code, 2, "{}", module.err);
    assert!(module.err.contains("is a module"), "{}", module.err);
}
