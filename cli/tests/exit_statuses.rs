//! The exit status of each verb: 0 done, 1 the input has errors, 2 wrong usage or a file that cannot be read, 3 a test
//! failed. Verbs that answer an agent have statuses of their own.

use std::collections::BTreeSet;

use crate::common;

/// A call in a directory with `g.yaml` (a policy), `bad.yaml` and `bad.json` (neither can be read as such), `empty.json`
/// and `fails.test.yaml`, and its status.
const CALLS: &[(&str, i32)] = &[
    ("check", 2),
    ("check nope.yaml", 2),
    ("check bad.yaml", 1),
    ("check g.yaml", 0),
    ("compile g.yaml", 2),
    ("compile nope.yaml -o m.hookc", 2),
    ("compile bad.yaml -o m.hookc", 1),
    ("keygen", 2),
    ("eval", 2),
    ("eval g.yaml nope.json", 2),
    ("eval g.yaml bad.json", 1),
    ("eval bad.yaml event.json", 1),
    ("eval g.yaml event.json", 0),
    ("explain", 2),
    ("explain g.yaml", 2),
    ("explain g.yaml nope.json", 2),
    ("explain g.yaml .", 2),
    ("explain g.yaml empty.json", 1),
    ("explain g.yaml bad.json", 1),
    ("explain g.yaml event.json", 0),
    ("effects", 2),
    ("effects nope.json", 2),
    ("effects empty.json", 1),
    ("effects bad.json", 1),
    ("effects --tool Bash --input", 2),
    ("effects ls", 0),
    ("test nope", 2),
    ("test bad.yaml", 1),
    ("test fails.test.yaml", 3),
    ("convert g.yaml --to nope", 2),
    ("convert nope.yaml --to settings", 2),
    ("convert bad.yaml --to settings", 1),
    ("fmt nope.yaml", 2),
    ("fmt bad.yaml", 1),
    ("list nope.yaml", 2),
    ("list bad.yaml", 1),
    ("new", 2),
    ("new --recipe nope", 2),
    ("starter show nope", 2),
    ("starter add nope", 2),
    ("replay g.yaml", 2),
    ("replay g.yaml nope.jsonl", 2),
    ("replay g.yaml empty.json", 0),
    ("replay bad.yaml event.json", 1),
    ("disasm nope.hkc", 2),
    ("disasm g.yaml", 1),
    ("bench g.yaml nope.json", 2),
    ("bench g.yaml bad.json", 1),
    ("bench g.yaml empty.json", 1),
    ("path", 2),
    ("path a nope.json", 2),
    ("path a bad.json", 1),
    ("path a[ event.json", 1),
    ("init nope", 2),
    ("install", 2),
    ("install nope g.yaml", 2),
    ("install claude nope.yaml", 2),
    ("install claude bad.yaml", 1),
    ("uninstall nope", 2),
    ("status nope", 2),
    ("log nope.jsonl", 2),
    ("log --since x", 2),
    ("history show nope", 2),
    ("doctor nope", 2),
    ("probe nope", 2),
    ("pause nope", 2),
    ("emit", 2),
    ("ability", 2),
    ("guide nope", 2),
    ("vocabulary nope", 2),
    ("schema nope", 2),
    ("explain-code E9999", 2),
    ("completions nope", 2),
    ("man nope", 2),
    ("run", 2),
    ("run --host nope g.yaml", 2),
    ("nope", 2),
    ("help", 0),
];

#[test]
fn of_each_verb() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "g.yaml",
            "hooks:\n  - event: PreToolUse\n    when: runs('x')\n    action: {type: deny, reason: Never}\n",
        ),
        ("bad.yaml", "hooks:\n  - event: [\n"),
        ("bad.json", "{\n"),
        ("empty.json", ""),
        (
            "event.json",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        ),
        (
            "fails.test.yaml",
            "policy: g.yaml\ntests:\n  - name: fails\n    event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: ls}}\n    expect: deny\n",
        ),
    ];
    for (name, text) in files {
        common::put(folder.path(), name, text);
    }
    let mut wrong = Vec::new();
    for (call, status) in CALLS {
        let words: Vec<&str> = call.split(' ').collect();
        let run = common::hookc(folder.path(), &words, "");
        if run.code != *status {
            wrong.push(format!("{call}: {} instead of {status}\n{}", run.code, run.err));
        }
        if run.code == 2 {
            assert!(!run.err.is_empty(), "{call}: nothing says what is wrong");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn of_every_verb_that_help_lists() {
    let help = common::hookc(".", &["--help"], "").out;
    let section = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let verbs: BTreeSet<&str> =
        section.lines().filter(is_name).filter_map(|line| line.split_whitespace().next()).collect();
    let tried: BTreeSet<&str> = CALLS.iter().filter_map(|(call, _)| call.split(' ').next()).collect();
    let missing: Vec<&&str> = verbs.difference(&tried).collect();
    assert!(verbs.len() > 20 && missing.is_empty(), "{missing:?}");
}
