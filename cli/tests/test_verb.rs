//! `hookc test` and `hookc check --examples` as a user meets them.

use crate::common;

use std::path::Path;

use common::Run;
use serde_json::Value;

/// Runs `hookc` in a directory.
fn hookc(folder: &Path, args: &[&str]) -> Run {
    common::hookc(folder, args, "")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        common::put(&folder, name, text);
    }
    folder
}

const POLICY: &str = "\
hooks:
  - id: big
    event: limit
    when: cost.spend > 10 and limit_code == 'spend'
    action: {type: escalate, target: user_approval}
    examples:
      - {event: {limit_code: spend, cost: {spend: 11}}, matches: true}
      - {event: {limit_code: spend, cost: {spend: 9}}, matches: false}
";
const PASSES: &str = "\
policy: hooks.yaml
tests:
  - {name: large, type: limit, event: {limit_code: spend, cost: {spend: 11}}, expect: big}
";
const FAILS: &str = "\
policy: hooks.yaml
tests:
  - {name: \"small <&> one\", type: limit, event: {limit_code: spend, cost: {spend: 7}}, expect: big}
";

#[test]
fn the_sample_passes_and_is_covered_whole() {
    let root = hookc_corpus::root();
    let run = hookc(&root, &["test", "quickstart", "--coverage-fail-under", "100"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(
        run.out.ends_with("21 passed, 0 failed (21 tests, 0 examples)\ntests exercise all 7 hooks\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("coverage: 36 of 36 outcomes (100%)\n"), "{}", run.out);
    assert!(!run.out.contains("not covered"), "{}", run.out);
}

#[test]
fn a_failing_case_shows_the_leaf_and_its_value() {
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", FAILS), ("b.test.yml", PASSES)]);
    let run = hookc(folder.path(), &["test", "."]);
    assert_eq!((run.code, run.err.as_str()), (3, ""), "{}", run.out);
    let told = "\
test failed: small <&> one
  at a.test.yaml:3:50
  expected `big` to decide, but `default_limit_escalation` does
    `big`: cost.spend > 10 is false: the value is 7
    `default_limit_escalation`: exists(limit_code) is true: the value is \"spend\"

3 passed, 1 failed (2 tests, 2 examples)
";
    assert!(run.out.ends_with(&format!("{told}tests exercise the hook\n")), "{}", run.out);
    let quiet = hookc(folder.path(), &["test", "-q", "."]);
    assert_eq!((quiet.code, quiet.out.as_str()), (3, told));
    let short = hookc(folder.path(), &["test", "--format", "short", "."]);
    let line =
        "a.test.yaml:3:50: small <&> one: expected `big` to decide, but `default_limit_escalation` does\n";
    assert_eq!((short.code, short.out.lines().count()), (3, 3));
    assert!(short.out.starts_with(line), "{}", short.out);
}

#[test]
fn a_filter_selects_by_substring() {
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", FAILS), ("b.test.yaml", PASSES)]);
    let run = hookc(folder.path(), &["test", ".", "--filter", "large"]);
    assert!(run.code == 0 && run.out.contains("1 passed, 0 failed (1 test, 0 examples)"), "{}", run.out);
    let run = hookc(folder.path(), &["test", ".", "--filter", "example 2"]);
    assert!(run.code == 0 && run.out.contains("1 passed, 0 failed (0 tests, 1 example)"), "{}", run.out);
    let run = hookc(folder.path(), &["test", ".", "--filter", "nothing"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no test and no example has `nothing` in its name"), "{}", run.err);
}

#[test]
fn coverage_names_unseen_results() {
    let folder = folder(&[("hooks.yaml", POLICY), ("b.test.yaml", PASSES)]);
    let run = hookc(folder.path(), &["test", "b.test.yaml", "--coverage", "--coverage-fail-under", "51"]);
    assert_eq!(run.code, 3, "{}", run.out);
    let told = "\
not covered:
  hooks.yaml:2:5: `big` always matched
  hooks.yaml:4:11: `cost.spend > 10` always true
  hooks.yaml:4:31: `limit_code == 'spend'` always true

coverage: 3 of 6 outcomes (50%)
";
    assert!(run.out.contains(told), "{}", run.out);
    // Its examples see the rest but one: together they are one policy.
    let run = hookc(folder.path(), &["test", ".", "--coverage-fail-under", "83"]);
    assert!(run.code == 0 && run.out.contains("coverage: 5 of 6 outcomes (83%)"), "{}", run.out);
    let folder = self::folder(&[("hooks.yaml", POLICY), ("c.test.yaml", "policy: hooks.yaml\ntests: []\n")]);
    let run =
        hookc(folder.path(), &["test", "c.test.yaml", "hooks.yaml", "--filter", "example 1", "--coverage"]);
    assert!(run.out.contains("coverage: 3 of 6"), "{}", run.out);
}

#[test]
fn json_is_one_object() {
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", FAILS), ("b.test.yaml", PASSES)]);
    let run = hookc(folder.path(), &["test", ".", "--format", "json", "--coverage"]);
    assert_eq!((run.code, run.out.lines().count()), (3, 1));
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["passed"], &report["failed"]), (&3.into(), &1.into()));
    let case = &report["cases"][0];
    assert_eq!((&case["kind"], &case["source"]), (&"test".into(), &"a.test.yaml:3:50".into()));
    let why = &case["failures"][0]["because"][0];
    assert_eq!(why, "`big`: cost.spend > 10 is false: the value is 7");
    assert_eq!(report["coverage"]["hooks"][0]["leaves"][0]["held"], 2);
    assert_eq!(run.out, hookc(folder.path(), &["test", ".", "--format", "json", "--coverage"]).out);
}

#[test]
fn junit_is_well_formed_and_counts() {
    let odd = "policy: hooks.yaml\ntests:\n  - {name: \"a\\u0001\\n\\\"b\\\" ]]>\", type: limit, event: {limit_code: \"<&\\u0001\"}, expect: big}\n";
    let folder = folder(&[
        ("hooks.yaml", POLICY),
        ("a.test.yaml", FAILS),
        ("b.test.yaml", odd),
        ("c.test.yaml", "test: 1\n"),
    ]);
    let run = hookc(folder.path(), &["test", ".", "--format", "junit"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let document =
        roxmltree::Document::parse(&run.out).unwrap_or_else(|error| panic!("{error}\n{}", run.out));
    let root = document.root_element();
    let totals = ["tests", "failures", "errors"].map(|name| root.attribute(name).unwrap());
    assert_eq!(totals, ["6", "2", "2"], "{}", run.out);
    let count = |name| document.descendants().filter(|node| node.has_tag_name(name)).count();
    let elements = ["testsuite", "testcase", "failure", "error"].map(count);
    assert_eq!(elements, [4, 6, 2, 2], "{}", run.out);
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.text().unwrap().contains("the value is 7"), "{}", run.out);
    let first = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
    assert_eq!((first.attribute("name"), first.attribute("line")), (Some("small <&> one"), Some("3")));
}

#[test]
fn a_test_file_with_errors_is_reported_and_not_run() {
    let bad = "polcy: hooks.yaml\ntests:\n  - {event: {}, expects: big}\n";
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", bad), ("b.test.yaml", PASSES)]);
    let run = hookc(folder.path(), &["test", "."]);
    assert_eq!(run.code, 1);
    for part in ["a.test.yaml:1:1", "did you mean `policy`?", "did you mean `expect`?"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert!(run.out.contains("3 passed, 0 failed (1 test, 2 examples); 2 errors\n"), "{}", run.out);
}

#[test]
fn unreadable_and_invalid_policies_are_reported() {
    let missing = "policy: no.yaml\ntests: []\n";
    let broken = "policy: broken.yaml\ntests:\n  - {event: {}, expect: none}\n";
    let folder = folder(&[
        ("a.test.yaml", "policy: no.yaml\ntests:\n  - {event: {}, expect: none}\n"),
        ("b.test.yaml", broken),
        ("broken.yaml", "hooks:\n  - {event: limit, when: 'a =', action: {type: abort}}\n"),
        ("c.test.yaml", missing),
        ("d/other.yaml", "a: 1\n"),
    ]);
    let run = hookc(folder.path(), &["test", "a.test.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a.test.yaml:1:9: the policy no.yaml cannot be read"), "{}", run.err);
    let run = hookc(folder.path(), &["test", "b.test.yaml"]);
    assert!(run.code == 1 && run.err.contains("broken.yaml:2:"), "{}", run.err);
    assert_eq!(hookc(folder.path(), &["test", "no.test.yaml"]).code, 2);
    assert_eq!(hookc(folder.path(), &["test", "d"]).code, 2, "nothing to test");
    let run = hookc(folder.path(), &["test", "d/other.yaml"]);
    assert!(run.code == 1 && run.err.contains("E0003"), "{}", run.err);
    assert_eq!(hookc(folder.path(), &["test"]).code, 2);
    assert_eq!(hookc(folder.path(), &["check", "--format", "junit", "broken.yaml"]).code, 2);
}

#[test]
fn policies_of_other_folders_and_layers_are_linked() {
    let suite = "\
policy: [../policies/base.yaml]
layers: {managed: ../policies/managed.yaml}
builtin: false
tests:
  - {type: error, event: {}, expect: {hook: base, reported: [watch]}}
";
    let folder = folder(&[
        ("tests/x.test.yaml", suite),
        ("policies/base.yaml", "hooks:\n  - {id: base, event: error, priority: 9, action: {type: abort}}\n"),
        (
            "policies/managed.yaml",
            "hooks:\n  - {id: watch, event: error, mode: warn, action: {type: abort}}\n",
        ),
    ]);
    let run = hookc(folder.path(), &["test", "tests"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
}

#[test]
fn an_event_that_no_agent_sends_is_a_warning() {
    let folder = folder(&[
        (
            "hooks.yaml",
            "hooks:\n  - id: a\n    event: PreToolUse\n    when: tool_input.command == 'x'\n    action: {type: deny, reason: x}\n",
        ),
        (
            "hooks.test.yaml",
            "policy: hooks.yaml\ntests:\n  - {name: t, type: PreToolUse, event: {tool_input: {command: x}}, expect: a}\n",
        ),
    ]);
    let run = hookc(folder.path(), &["test", "hooks.test.yaml"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("warning[W0647]: a `PreToolUse` event without `tool_name`"), "{}", run.err);
}

#[test]
fn a_repeated_test_is_a_warning() {
    let test = |name: &str, command: &str| {
        format!(
            "  - {{name: {name}, type: PreToolUse, event: {{tool_name: Bash, tool_input: {{command: {command}}}}}, expect: none}}\n"
        )
    };
    let tests =
        ["policy: hooks.yaml\ntests:\n", &test("one", "ls"), &test("two", "pwd"), &test("three", "ls")];
    let policy =
        "hooks:\n  - {event: PreToolUse, when: tool_input.command == 'x', action: {type: deny, reason: x}}\n";
    let folder = folder(&[("hooks.yaml", policy), ("hooks.test.yaml", &tests.concat())]);
    let run = hookc(folder.path(), &["test", "--format", "short", "hooks.test.yaml"]);
    let expected = "hooks.test.yaml:5:6: warning[W0647]: this test repeats another one\n";
    assert!(run.err.contains(expected) && run.err.matches("W0647").count() == 1, "{}", run.err);
}

#[test]
fn check_reports_failing_examples() {
    let wrong = POLICY.replace("spend: 9", "spend: 12");
    let folder = folder(&[("good.yaml", POLICY), ("wrong.yaml", &wrong)]);
    assert_eq!(hookc(folder.path(), &["check", "--examples", "good.yaml"]).code, 0);
    assert_eq!(hookc(folder.path(), &["check", "wrong.yaml"]).code, 0);
    let run = hookc(folder.path(), &["check", "--examples", "--format", "short", "wrong.yaml"]);
    let told = "wrong.yaml:8:18: error[E0417]: `big` should not match this `limit` event, but does\n";
    assert_eq!((run.code, run.err.as_str()), (3, told));
}

/// The worked example of the page: its files give its table.
#[test]
fn the_example_of_the_page_is_true() {
    let page = hookc_corpus::root().join("../docs/testing.md");
    let page = std::fs::read_to_string(page).unwrap();
    let fences: Vec<&str> = page.split("\n```").collect();
    let fence = |name: &str| {
        let named = |fence: &&str| fence.starts_with(&format!("# {name}\n"));
        fences.iter().filter_map(|fence| fence.strip_prefix("yaml\n")).find(named).unwrap()
    };
    let folder =
        folder(&[("hooks.yaml", fence("hooks.yaml")), ("hooks.test.yaml", fence("hooks.test.yaml"))]);
    let run = hookc(folder.path(), &["test", "hooks.test.yaml", "hooks.yaml"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert_eq!(format!("{}\n", fences.iter().find_map(|f| f.strip_prefix("text\n")).unwrap()), run.out);
}

const GUARD: &str = "\
hooks:
  - {id: push, event: PreToolUse, when: pushes(), action: {type: ask, reason: A person pushes.}}
  - id: manager
    event: PreToolUse
    when: runs('npm install')
    action: {type: modify, input: {command: pnpm install}}
";

#[test]
fn a_verdict_is_that_of_the_agent() {
    let tests = "\
policy: guard.yaml
tests:
  - name: a push
    host: [claude, codex]
    event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: git push}}
    expect: ask
  - name: another manager
    host: claude
    event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: npm install}}
    expect: {modify: {command: pnpm install}}
  - name: no other input
    event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: npm install}}
    expect: {modify: {command: yarn install}}
  - name: no such tool
    host: codex
    event: {hook_event_name: PreToolUse, tool_name: Read, tool_input: {file_path: /a}}
    expect: none
";
    let folder = folder(&[("guard.yaml", GUARD), ("guard.test.yaml", tests)]);
    let run = hookc(folder.path(), &["test", ".", "-v"]);
    assert_eq!(run.code, 3, "{}", run.out);
    for expected in [
        " ok      a push [claude]",
        " FAILED  a push [codex]",
        "expected the verdict `ask`, but it is `deny` of `push`",
        "`push`: Codex CLI denies instead of `ask`",
        " ok      another manager",
        "expected another input, but no hook makes this one",
        "Codex CLI calls no tool `Read`",
        "2 passed, 3 failed",
    ] {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
    let run = hookc(folder.path(), &["test", "."]);
    assert!(run.out.starts_with("FAILED  guard.test.yaml  3 of 5 tests\n\n"), "{}", run.out);
    let wrong = tests.replace("host: codex", "host: codexx");
    let folder = self::folder(&[("guard.yaml", GUARD), ("guard.test.yaml", &wrong)]);
    let run = hookc(folder.path(), &["test", "."]);
    assert!(run.code == 1 && run.err.contains("did you mean `codex`?"), "{}", run.err);
}

#[test]
fn settings_are_no_hooks_to_test_and_misnamed_tests_are_reported() {
    let settings = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    let tests = "policy: guard.yaml\ntests:\n  - {name: t, type: PreToolUse, event: {tool_name: Bash, tool_input: {command: git push}}, expect: push}\n  - {name: u, type: PreToolUse, event: {tool_name: Bash, tool_input: {command: npm install}}, expect: manager}\n";
    let folder = folder(&[
        ("guard.yaml", GUARD),
        ("guard.test.yaml", tests),
        ("other_test.yaml", "tests: []\n"),
        (".claude/settings.json", settings),
    ]);
    let run = hookc(folder.path(), &["test", "."]);
    assert!(run.code == 0 && run.out.ends_with("tests exercise all 2 hooks\n"), "{}", run.out);
    assert!(run.err.contains("W0008") && run.err.contains("name it `other.test.yaml`"), "{}", run.err);
}

#[test]
fn watched_tests_run_again_after_a_change() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", FAILS)]);
    let mut command = common::command(folder.path());
    let mut child = command
        .args(["test", "a.test.yaml", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until =
        |end: &str| lines.find(|line| line.as_ref().is_ok_and(|line| line.contains(end))).is_some();
    assert!(until("0 passed, 1 failed"));
    // Another length, so that a file system with coarse times shows the change.
    common::put(&folder, "hooks.yaml", POLICY.replace("cost.spend > 10 and", "cost.spend > 1 and"));
    let again = until("1 passed, 0 failed");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(again);
}

#[test]
fn words_and_keys_that_people_guess_lead_to_the_right_ones() {
    let test = |body: &str| {
        let text = format!("policy: guard.yaml\ntests:\n  - {{name: t, {body}}}\n");
        let folder = folder(&[("guard.yaml", GUARD), ("guard.test.yaml", &text)]);
        // Without a path it is this directory.
        let run = hookc(folder.path(), &["test"]);
        (run.code, run.out + &run.err)
    };
    let push = "type: PreToolUse, event: {tool_name: Bash, tool_input: {command: git push}}";
    let bare = "event: {tool_name: Bash, tool_input: {command: git push}}, expect: ask";
    let misplaced = "type: PreToolUse, event: {tool_name: Bash, command: git push}, expect: ask";
    for (body, code, says) in [
        (format!("{push}, expect: asked"), 3, "for the verdict, write `expect: ask`"),
        (format!("{push}, expect: Block"), 3, "for the verdict, write `expect: deny`"),
        (format!("{push}, expect: pass"), 3, "for the verdict, write `expect: none`"),
        (format!("{push}, expect: pusch"), 3, "did you mean `push`?"),
        (format!("{push}, expected: ask"), 1, "did you mean `expect`?"),
        (bare.to_owned(), 3, "write the type in the test: `type: PreToolUse`"),
        (misplaced.to_owned(), 1, "write `tool_input: {command: ...}`"),
    ] {
        let (found, text) = test(&body);
        assert!(found == code && text.contains(says), "{body}: {found} {text}");
    }
    let folder = folder(&[
        ("guard.yaml", GUARD),
        ("a.test.yaml", "policy: gaurd.yaml\ntests:\n  - {type: Stop, event: {}, expect: none}\n"),
    ]);
    let run = hookc(folder.path(), &["test", "."]);
    assert!(run.code == 2 && run.err.contains("did you mean guard.yaml?"), "{run:?}");
    let run = hookc(folder.path(), &["explain", "guard.yaml", "git push"]);
    assert!(run.err.contains("--tool Bash --input command='git push'"), "{run:?}");
    let run =
        hookc(folder.path(), &["explain", "guard.yaml", "--event", "PreToolUse", "--command", "git push"]);
    assert!(run.err.contains("write `--tool Bash --input command='LINE'`"), "{run:?}");
    let run = hookc(folder.path(), &["guide", "lang"]);
    assert!(run.err.contains("did you mean `language`?"), "{run:?}");
}
