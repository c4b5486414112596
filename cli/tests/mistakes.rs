//! Common typing mistakes and hookc's messages: unknown event types, modules and directories
//! instead of sources, files that only look like policies.

mod table;

use std::path::Path;

use crate::common::{self, Run, put};

const POLICY: &str = "hooks:\n  - id: push\n    event: PreToolUse\n    when: tool_name == 'Bash'\n    action: {type: deny}\n  - id: bill\n    event: limit\n    action: {type: abort}\n";

fn hookc(folder: &Path, args: &[&str]) -> Run {
    common::hookc(folder, args, "")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| drop(put(folder.path(), name, text)));
    folder
}

#[test]
fn an_event_type_that_nothing_knows_is_an_error_in_a_test() {
    let tests = "policy: hooks.yaml\ntests:\n  - {type: PreToolUze, event: {}, expect: none}\n  - {event: {hook_event_name: BeforeTol}, expect: none}\n  - {event: '{\"event_type\": \"limits\"}', expect: none}\n  - {type: PreToolUse, event: {tool_name: Edit}, expect: none}\n";
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", tests)]);
    let run = hookc(folder.path(), &["test", "a.test.yaml", "--format", "short"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let places: Vec<&str> =
        run.err.lines().map(|line| line.split(": error[E0004]").next().unwrap()).collect();
    assert_eq!(places, ["a.test.yaml:3:12", "a.test.yaml:4:31", "a.test.yaml:5:13"], "{}", run.err);
    assert!(run.out.contains("1 passed, 0 failed (1 test, 0 examples); 3 errors\n"), "{}", run.out);
    let run = hookc(folder.path(), &["test", "a.test.yaml"]);
    assert!(run.err.contains("did you mean `PreToolUse`?"), "{}", run.err);
    let example = POLICY.replace(
        "    action: {type: abort}\n",
        "    action: {type: abort}\n    examples: [{event: {event: {type: limitz}}, matches: false}]\n",
    );
    put(folder.path(), "example.yaml", example);
    for args in [&["test", "example.yaml"][..], &["check", "--examples", "example.yaml"]] {
        let run = hookc(folder.path(), args);
        assert!(
            run.code == 1 && run.err.contains("E0004") && run.err.contains("example.yaml:9:"),
            "{}",
            run.err
        );
    }
}

#[test]
fn an_unknown_event_type_is_wrong_usage() {
    let events = "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\"}\n{\"hook_event_name\":\"PreToolUze\"}\n{\"hook_event_name\":\"PreToolUze\"}\n";
    let folder =
        folder(&[("hooks.yaml", POLICY), ("e.ndjson", events), ("one.json", "{\"event_type\":\"limitz\"}")]);
    assert_eq!(hookc(folder.path(), &["compile", "hooks.yaml", "-o", "p.hookc"]).code, 0);
    for policy in ["hooks.yaml", "p.hookc"] {
        for verb in ["eval", "replay", "bench", "explain"] {
            let run = hookc(folder.path(), &[verb, policy, "e.ndjson", "--event", "PreToolUze"]);
            assert_eq!(run.code, 2, "{verb}: {}", run.err);
            assert!(
                run.err.contains("`--event PreToolUze`") && run.err.contains("did you mean `PreToolUse`?"),
                "{}",
                run.err
            );
        }
        for verb in ["eval", "replay"] {
            let run = hookc(folder.path(), &[verb, policy, "e.ndjson"]);
            assert_eq!(run.code, 0, "{verb}: {}", run.err);
            assert!(
                run.err.contains("2 events have an unknown type: `PreToolUze` (line 2: did you mean"),
                "{}",
                run.err
            );
        }
        let run = hookc(folder.path(), &["eval", policy, "--event", "Stop", "--set", "a=1"]);
        assert!(
            run.code == 0 && run.err.contains("hookc: the policy has no hook for `Stop`: "),
            "{}",
            run.err
        );
        let run = hookc(folder.path(), &["explain", policy, "one.json"]);
        assert!(run.code == 0 && run.out.contains("no hook handles the event `limitz`"), "{}", run.out);
        assert!(run.err.contains("`limitz` (line 1: did you mean `limit`?)"), "{}", run.err);
    }
}

#[test]
fn low_coverage_names_missing_results() {
    let tests = "policy: hooks.yaml\ntests:\n  - {type: limit, event: {}, expect: bill}\n";
    let folder = folder(&[("hooks.yaml", POLICY), ("a.test.yaml", tests)]);
    for more in [&[][..], &["-q"], &["--format", "json"], &["--format", "junit"], &["--format", "short"]] {
        let args = [&["test", "a.test.yaml", "--coverage-fail-under", "90"][..], more].concat();
        let run = hookc(folder.path(), &args);
        assert_eq!(run.code, 3, "{more:?}");
        assert!(
            run.err.contains("less than 90%") && run.err.contains("`push` was never tested"),
            "{more:?}: {}",
            run.err
        );
    }
    let run = hookc(folder.path(), &["test", "a.test.yaml"]);
    assert!(run.out.ends_with("\nno test exercises 1 of 2 hooks: `push`\n"), "{}", run.out);
    let run = hookc(folder.path(), &["test", "a.test.yaml", "-v"]);
    assert!(
        run.out.ends_with("\nno test exercises 1 of 2 hooks:\n  hooks.yaml:2:5: `push`\n"),
        "{}",
        run.out
    );
    let run = hookc(folder.path(), &["test", "a.test.yaml", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["exercised"]["hooks"], 2);
    assert_eq!(report["exercised"]["missing"][0]["hook"], "push");
    let run = hookc(folder.path(), &["test", "a.test.yaml", "--format", "junit"]);
    assert!(run.out.contains("name=\"hooks.not_exercised\" value=\"1\""), "{}", run.out);
}

#[test]
fn check_counts_checked_and_skipped_files() {
    let folder = folder(&[
        ("hooks.yaml", POLICY),
        ("src/a.py", ""),
        ("src/b.py", ""),
        ("mkdocs.yml", "hooks:\n  - hook.py\n"),
        (".hidden.yaml", POLICY),
        ("a.test.yaml", "policy: hooks.yaml\ntests: []\n"),
        ("node_modules/x/hooks.yaml", "hooks: 1\n"),
    ]);
    let one = hookc(folder.path(), &["check", "hooks.yaml"]);
    assert_eq!(one.parts(), (0, "2 hooks in 1 file, no problems\n".to_owned(), String::new()));
    assert_eq!(hookc(folder.path(), &["check", "-q", "hooks.yaml"]).out, "");
    assert_eq!(
        hookc(folder.path(), &["check", "--format", "json", "hooks.yaml"]).out,
        "{\"dialect\":\"named on the command line\",\"found\":{\"files\":1,\"hooks\":2,\"errors\":0,\"warnings\":0}}\n"
    );
    let all = hookc(folder.path(), &["check", "."]);
    let told = "checked 6 files: 1 with policies, 5 skipped (`-v` shows the reasons)\n2 hooks in 1 file, no problems\n";
    assert!(all.code == 0 && all.out.ends_with(told), "{}{}", all.out, all.err);
    let why = hookc(folder.path(), &["check", "-v", "."]).err;
    for line in [
        ".hidden.yaml: skipped: a hidden file",
        "a.test.yaml: skipped: a test file: `hookc test` runs it",
        "mkdocs.yml: skipped: no known hooks",
        "node_modules: skipped: a directory of other files",
        "src/a.py and 1 other file: skipped: not YAML, JSON, XML or Markdown",
    ] {
        assert!(why.contains(line), "{line}: {why}");
    }
    let json = hookc(folder.path(), &["check", "--format", "json", "."]).out;
    assert!(json.ends_with("{\"looked_at\":6,\"skipped\":5}\n"), "{json}");
}

#[test]
fn unreadable_lookalike_policies_are_errors() {
    for (name, text) in [
        (".hooks/guard.xml", "<rules/>\n"),
        ("ci/guard.yaml", "hooks:\n  PreToolUse:\n    - command: x\n"),
        ("a.yaml", "hooks:\n  - event: eror\n    do: {type: abort}\n"),
        ("a.yaml", "Hooks:\n  - event: error\n    action: {type: abort}\n"),
        ("d.xml", "<directive name='a'><Hooks><Hook event='x'/></Hooks></directive>"),
    ] {
        let folder = folder(&[("good/hooks.yaml", POLICY), (name, text)]);
        for verb in ["check", "list", "compile", "doctor", "test"] {
            let more: &[&str] = if verb == "compile" { &["-o", "-"] } else { &[] };
            let run = hookc(folder.path(), &[&[verb, "."], more].concat());
            let all = format!("{}{}", run.out, run.err);
            assert!(
                run.code == 1 && all.contains(name) && all.contains("looks like a policy"),
                "{verb} {name}: {all}"
            );
        }
    }
    let folder = folder(&[("good/hooks.yaml", POLICY)]);
    std::fs::create_dir(folder.path().join(".hooks")).unwrap();
    std::fs::write(folder.path().join(".hooks/utf16.yaml"), b"\xff\xfeh\0o\0o\0k\0s\0:\0").unwrap();
    let run = hookc(folder.path(), &["check", "."]);
    assert!(run.code == 1 && run.err.contains("E0002"), "{}", run.err);
}

/// A guard that cannot be read must not be skipped next to a policy that can: its calls would pass.
#[test]
fn guards_in_other_encodings_are_not_skipped() {
    let guard = "# caf\u{e9}\nhooks:\n  - event: PreToolUse\n    action: {type: deny, reason: no}\n";
    let latin: Vec<u8> = guard.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let wide = |mark: &[u16], to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.iter().copied().chain(guard.encode_utf16()).flat_map(to).collect()
    };
    let xml = b"<!-- \xe9 --><directive name=\"a\"><hooks><hook event=\"PreToolUse\"/></hooks></directive>";
    let files = [
        ("a.yaml", latin),
        ("a.yaml", wide(&[0xfeff], u16::to_le_bytes)),
        ("a.yml", wide(&[0xfeff], u16::to_be_bytes)),
        ("a.yaml", wide(&[], u16::to_le_bytes)),
        ("a.xml", xml.to_vec()),
        ("plugin/hooks/hooks.json", b"{\"hooks\": {\"Stop\": [\"\xe9\"]}}".to_vec()),
    ];
    for (name, bytes) in files {
        let folder = folder(&[("good.yaml", POLICY)]);
        common::put(&folder, name, &bytes);
        let run = hookc(folder.path(), &["check", "."]);
        assert!(run.code == 1 && run.err.contains(name), "{name} {bytes:?}: {}{}", run.out, run.err);
        let run =
            hookc(folder.path(), &["run", "--host", "claude", "--no-log", ".", "--event", "PreToolUse"]);
        assert_eq!(run.code, 2, "{name} {bytes:?}: {}{}", run.out, run.err);
    }
    let folder = folder(&[("good.yaml", POLICY)]);
    common::put(&folder, "other.yaml", b"name: caf\xe9\n");
    assert_eq!(hookc(folder.path(), &["check", "."]).code, 0, "no words of a policy");
}

#[test]
fn modules_are_listed_and_elsewhere_rejected_with_the_right_words() {
    let folder = folder(&[
        ("hooks.yaml", POLICY),
        ("a.test.yaml", "policy: p.hookc\ntests:\n  - {event: {}, expect: none}\n"),
    ]);
    assert_eq!(hookc(folder.path(), &["compile", "hooks.yaml", "--no-builtin", "-o", "p.hookc"]).code, 0);
    assert_eq!(
        hookc(folder.path(), &["compile", "hooks.yaml", "--no-builtin", "--strip", "-o", "s.hookc"]).code,
        0
    );
    let named = hookc(folder.path(), &["list", "p.hookc"]);
    for part in ["push", "PreToolUse", "deny", "hooks.yaml:2:5", "bill"] {
        assert!(named.code == 0 && named.out.contains(part), "{part}: {}{}", named.out, named.err);
    }
    let stripped = hookc(folder.path(), &["list", "s.hookc"]);
    assert!(
        stripped.code == 0 && stripped.out.contains("rank 0") && stripped.out.contains("deny"),
        "{}",
        stripped.out
    );
    let json = hookc(folder.path(), &["list", "s.hookc", "--format", "json"]).out;
    assert!(json.contains("\"rank\":0") && json.contains("\"matches\":null"), "{json}");
    for args in [
        &["check", "p.hookc"][..],
        &["fmt", "p.hookc"],
        &["convert", "p.hookc", "--to", "settings"],
        &["test", "p.hookc"],
        &["test", "a.test.yaml"],
        &["compile", "p.hookc", "-o", "-"],
    ] {
        let run = hookc(folder.path(), args);
        assert!(
            run.code == 1 && run.err.contains("E0006") && run.err.contains("compiled module"),
            "{args:?}: {}",
            run.err
        );
    }
    for args in [&["fmt", "."][..], &["convert", ".", "--to", "settings"], &["disasm", "."]] {
        let run = hookc(folder.path(), args);
        assert!(run.code == 2 && run.err.contains("directory"), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_kind_of_bad_event_is_reported_once() {
    let bad = "{}\n".repeat(500) + "{\"hook_event_name\":\"PreToolUse\"}\nnot json\n";
    let folder = folder(&[("hooks.yaml", POLICY), ("e.ndjson", &bad)]);
    let run = hookc(folder.path(), &["bench", "hooks.yaml", "e.ndjson"]);
    assert_eq!((run.code, run.err.lines().count()), (1, 2), "{}", run.err);
    assert!(
        run.err.contains("e.ndjson:1: not measured")
            && run.err.contains("(and 499 events more with this error)"),
        "{}",
        run.err
    );
    assert!(run.err.contains("e.ndjson:502: "), "{}", run.err);
}

#[test]
fn the_share_of_a_replay_is_of_all_events() {
    let events = "{\"event_type\":\"limit\"}\n{}\n{}\n{}\n";
    let folder = folder(&[("hooks.yaml", POLICY), ("e.ndjson", events)]);
    let run = hookc(folder.path(), &["replay", "hooks.yaml", "e.ndjson"]);
    assert!(
        run.out.contains("4 events: 1 decided, 0 no opinion, 3 errors") && run.out.contains("25.0 %"),
        "{}",
        run.out
    );
    put(folder.path(), "e.ndjson", "{}\n");
    let run = hookc(folder.path(), &["replay", "hooks.yaml", "e.ndjson"]);
    assert!(run.out.starts_with("1 event: 0 decided, 0 no opinion, 1 error\n"), "{}", run.out);
}

#[test]
fn fmt_names_the_kind_of_unsupported_files() {
    let folder = folder(&[
        (".system/hooks/a.yaml", "id: a\nevent_type: PromptSubmit\nhandler: {kind: script, command: ./a}\n"),
        (".claude/settings.json", "{\"hooks\": {\"Stop\": []}}"),
        ("s/SKILL.md", "---\nname: a\n---\n"),
        ("a.test.yaml", "policy: a\n"),
    ]);
    for (name, what) in [
        (".system/hooks/a.yaml", "a repository hook"),
        (".claude/settings.json", "settings of a coding agent"),
        ("s/SKILL.md", "a skill"),
        ("a.test.yaml", "a test file"),
    ] {
        let run = hookc(folder.path(), &["fmt", name]);
        assert!(run.code == 2 && run.err.contains(what), "{name}: {}", run.err);
    }
}

/// Each mistake, and a part of its message.
#[test]
fn mistakes_have_suggestions() {
    let folder = folder(&[
        ("hooks.yaml", POLICY),
        ("event.json", "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\"}"),
        ("empty.yaml", "# nothing\n"),
        ("empty.ndjson", ""),
        ("a.test.yaml", "policy: hooks.yaml\ntests: []\n"),
        ("bom.ndjson", "\u{feff}{\"event_type\":\"limit\"}\r\n"),
    ]);
    std::fs::create_dir(folder.path().join("dir")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("link.yaml")).unwrap();
    assert_eq!(hookc(folder.path(), &["compile", "hooks.yaml", "-q", "-o", "p.hookc"]).code, 0);
    let module = std::fs::read(folder.path().join("p.hookc")).unwrap();
    put(folder.path(), "cut.hookc", &module[..200]);
    for (args, code, part) in [
        (&["check", "hook.yaml"][..], 2, "hook.yaml: no such file; did you mean hooks.yaml?"),
        (&["check", "link.yaml"], 2, "the symbolic link is broken"),
        (&["check", "no/hooks.yaml"], 2, "no directory no"),
        (&["check", "empty.yaml"], 1, "`empty.yaml` is empty"),
        (&["check", "event.json"], 1, "`event.json` contains events, not a policy"),
        (&["check", "a.test.yaml"], 1, "`a.test.yaml` is a test file, not a policy"),
        (&["check", "--dialect", "yaml", "hooks.yaml"], 2, "did you mean `hooks-yaml`?"),
        (&["check", "--layer", "prject=hooks.yaml"], 2, "did you mean `project`?"),
        (&["compile", "hooks.yaml", "-o", "dir"], 2, "dir: is a directory: name a file"),
        (&["compile", "hooks.yaml", "-o", "no/p.hookc"], 2, "no directory no"),
        (&["convert", "hooks.yaml", "--to", "json"], 2, "did you mean `settings`?"),
        (&["disasm", "hooks.yaml"], 1, "`hookc compile` compiles a policy to a module"),
        (&["disasm", "cut.hookc"], 1, "compile the policy again"),
        (&["eval", "hooks.yaml", "empty.ndjson"], 0, "empty.ndjson: no events"),
        (&["eval", "event.json", "hooks.yaml"], 1, "name the policy first, then the events"),
        (&["lint", "hooks.yaml"], 2, "there is no `lint`: write `hookc check`"),
        (&["validate", "hooks.yaml"], 2, "write `hookc check`"),
        (&["check", "--json", "hooks.yaml"], 2, "there is no `--json`: write `--format json`"),
        (&["check", "--output", "json", "hooks.yaml"], 2, "there is no `--output`: write `--format json`"),
        (
            &["check", "--fail-on=warnings", "hooks.yaml"],
            2,
            "there is no `--fail-on`: write `--deny warnings`",
        ),
        (&["check", "--no-color", "hooks.yaml"], 2, "there is no `--no-color`: write `--color never`"),
        (&["run", "--agent", "claude", "hooks.yaml"], 2, "there is no `--agent`: write `--host`"),
        (&["fmt", "--agent", "claude", "hooks.yaml"], 2, "unexpected argument '--agent'"),
        (&["check", "--tool-input", "a=b", "hooks.yaml"], 2, "unexpected argument '--tool-input'"),
        (&["explain", "E0307"], 2, "`hookc explain-code E0307` shows the page"),
        (&["explain-code", "401"], 2, "did you mean E0401?"),
        (&["explain-code", "E0416"], 2, "did you mean W0416?"),
        (&["fmt", "event.json"], 2, "this is an event"),
        (&["install", "hooks.yaml", "claude"], 2, "name the agent first, then the policy"),
        (&["path", "event.json", "tool_name"], 2, "the path comes first, then the JSON"),
        (&["path", "tool_name", "nope.json"], 2, "nope.json: no such file"),
        (&["replay", "hooks.yaml", "dir"], 2, "name a file of recorded events"),
        (&["test", "hooks.yaml"], 2, "add `examples:` to a hook"),
    ] {
        let run = hookc(folder.path(), args);
        assert!(run.code == code && run.err.contains(part), "{args:?}: {}\n{}", run.code, run.err);
    }
    let run = hookc(folder.path(), &["eval", "--no-builtin", "hooks.yaml", "bom.ndjson"]);
    assert!(run.code == 0 && run.out.contains("\"hook\":\"bill\""), "{}", run.out);
    let run = hookc(folder.path(), &["list", "empty.yaml"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
}
