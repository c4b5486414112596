//! Test files: what is read, what is rejected, what runs; inline examples; and the page about them.

use hookc_compiler::testing::{self, Case, Coverage, EventErrorKind, Exercised, Suite};
use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_schema::decode::{Key, YAML};
use hookc_schema::diag::render;
use hookc_schema::dialect::test;
use hookc_schema::{Code, Diagnostics, Sources};

fn read(text: &str) -> (Option<Suite>, String, Vec<Code>) {
    let mut sources = Sources::new();
    let source = sources.add("x.test.yaml", text);
    let mut reported = Diagnostics::new();
    let suite = testing::read(sources.text(source), source, &mut reported);
    let codes = reported.iter().map(|new| new.code).collect();
    (suite, render::short::render(&reported, &sources), codes)
}

fn build(policy: &str, builtin: bool) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", policy);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(
        &mut sources,
        &[input],
        &Options::default().builtin(if builtin { Builtin::Always } else { Builtin::Never }),
    );
    assert!(compiled.module.is_some(), "{}", render::text::render(&compiled.diagnostics, &sources));
    (compiled, sources)
}

/// The failures of the tests, and their reasons, as lines.
fn run(policy: &str, tests: &str) -> String {
    let (compiled, _) = build(policy, false);
    let (suite, reported, _) = read(&format!("policy: hooks.yaml\ntests:\n{tests}"));
    let suite = suite.unwrap_or_else(|| panic!("{reported}"));
    let outcome = testing::run(&compiled, &suite.tests, None, &mut Exercised::default()).unwrap();
    let errors = outcome.diagnostics.iter().map(|new| format!("{}: {}\n", new.code, new.message));
    lines(&outcome.cases) + &errors.collect::<String>()
}

fn lines(cases: &[Case]) -> String {
    let mut out = String::new();
    for case in cases {
        let verdict = if case.passed() { "ok" } else { "failed" };
        out += &format!("{}: {verdict}: {}\n", case.name, case.outcome);
        for failure in &case.failures {
            out += &format!("  {}\n", failure.message);
            failure.because.iter().for_each(|line| out += &format!("    {line}\n"));
        }
    }
    out
}

const POLICY: &str = "
hooks:
  - id: big
    event: limit
    priority: 1
    when: cost.spend > 10 and limit_code != 'turns'
    action: {type: escalate, target: user_approval}
  - {id: seen, event: limit, mode: shadow, priority: 2, when: exists(cost.spend), action: {type: abort}}
  - {id: any, event: limit, action: {type: fail, error_message: '${limit_code}'}}
  - {id: off, event: limit, enabled: false, action: {type: abort}}
  - {event: error, action: {type: retry, max_attempts: '${n}'}}
";

#[test]
fn met_expectations_pass() {
    let tests = r#"
  - {type: limit, event: {cost: {spend: 11}}, expect: big}
  - {type: limit, event: {cost: {spend: 11}}, expect: [big]}
  - {type: limit, event: {cost: {spend: 11}}, expect: {hooks: [{hook: big, action: escalate}], reported: [seen]}}
  - {type: limit, event: {limit_code: x}, expect: {hook: any, action: {type: fail, error_message: x, no_such: null}, reported: []}}
  - {events: [{event: {type: error}, n: 2}, '{"event_type":"error","n":2.0}'], expect: {hook: 'error#1', action: {max_attempts: 2e0}}}
  - {event: {event: {type: error}, n: two}, expect: {hook: 'error#1', action_error: true}}
  - {event: {event: {type: nothing_of_ours}}, expect: none}
  - {event: {event: {type: nothing_of_ours}}, expect: []}
  - {event: {n: 1}, expect: {error: no_type}}
  - {event: '{"event":{"type":"error","type":"limit"}}', expect: {error: duplicate_key}}
  - {event: '{"n":', expect: {error: true}}
"#;
    let lines = run(POLICY, tests);
    assert!(!lines.contains("failed"), "{lines}");
    assert_eq!(lines.lines().count(), 12, "{lines}");
    assert!(lines.contains("test 5 [2]: ok: error#1\n"), "{lines}");
}

const GUARD: &str = "
hooks:
  - {id: no_push, event: PreToolUse, when: pushes('main'), action: {type: deny, reason: 'no: ${because}'}}
  - {id: where, event: PreToolUse, when: may_push('main'), action: {type: ask, reason: where to?}}
  - {id: note, event: PreToolUse, when: runs('git'), action: {type: inject, text: git}}
";

#[test]
fn verdicts_are_the_strictest_action() {
    let event = |command: &str| {
        format!("type: PreToolUse, event: {{tool_name: Bash, tool_input: {{command: {command}}}}}")
    };
    let (main, bare, status) = (event("git push origin main"), event("git push"), event("git status"));
    let tests = format!(
        "
  - {{{main}, expect: deny}}
  - {{{main}, expect: {{deny: pushes origin:main}}}}
  - {{{main}, expect: {{deny: 'no', hooks: [no_push, where, note]}}}}
  - {{{bare}, expect: ask}}
  - {{{main}, expect: ask}}
  - {{{main}, expect: {{deny: nein}}}}
  - {{{bare}, expect: deny}}
  - {{{status}, expect: allow}}
"
    );
    let expected = "\
test 1: ok: no_push, where, note
test 2: ok: no_push, where, note
test 3: ok: no_push, where, note
test 4: ok: where, note
test 5: failed: no_push, where, note
  expected the verdict `ask`, but it is `deny` of `no_push`
    `no_push`: pushes('main') is true: git pushes origin:main, which matches `main`
test 6: failed: no_push, where, note
  expected a reason with \"nein\", but it is \"no: git pushes origin:main, which matches `main`\"
test 7: failed: where, note
  expected the verdict `deny`, but it is `ask` of `where`
    `no_push`: pushes('main') is false: git pushes {@{push}}:{HEAD}, git contacts @configured
    `where`: may_push('main') is true: git pushes {@{push}}:{HEAD}, which may match `main`
test 8: failed: note
  expected the verdict `allow`, but no hook has one
";
    assert_eq!(run(GUARD, &tests), expected);
}

#[test]
fn failures_are_explained_by_the_deciding_leaf() {
    let tests = r#"
  - {type: limit, event: {cost: {spend: 7}}, expect: big}
  - {type: limit, event: {cost: {spend: 11}, limit_code: turns}, expect: big}
  - {type: limit, event: {cost: {spend: 11}}, expect: any}
  - {type: limit, event: {cost: {spend: 11}}, expect: none}
  - {type: limit, event: {cost: {spend: 11}}, expect: seen}
  - {type: limit, event: {}, expect: off}
  - {type: limit, event: {}, expect: anny}
  - {type: limit, event: {}, expect: 'error#1'}
  - {type: limit, event: {cost: {spend: 11}}, expect: {reported: []}}
  - {type: limit, event: {limit_code: y}, expect: {hook: any, action: {error_message: x, colour: red}}}
  - {type: error, event: {}, expect: 'error#1'}
  - {type: error, event: {n: 1}, expect: {hook: 'error#1', action_error: true}}
  - {event: {}, expect: any}
  - {event: {}, expect: {error: duplicate_key}}
  - {type: limit, event: {}, expect: {error: true}}
"#;
    let expected = "\
test 1: failed: any
  expected `big` to decide, but `any` does
    `big`: cost.spend > 10 is false: the value is 7
    `any` has no condition to test
test 2: failed: any
  expected `big` to decide, but `any` does
    `big`: limit_code == \"turns\" is true: the value is \"turns\"
    `any` has no condition to test
test 3: failed: big
  expected `any` to decide, but `big` does
    `any` also matches, but `big` comes first
    `big`: limit_code == \"turns\" is false: the value is absent
test 4: failed: big
  expected no hook to decide, but `big` does
    `big`: limit_code == \"turns\" is false: the value is absent
test 5: failed: big
  expected `seen` to decide, but `big` does
    `seen` matches, but its mode is `shadow`: it never decides
    `big`: limit_code == \"turns\" is false: the value is absent
test 6: failed: any
  expected `off` to decide, but `any` does
    `off` is disabled
    `any` has no condition to test
test 7: failed: any
  expected `anny` to decide, but `any` does
    the policy has no hook `anny`; did you mean `any`?
    `any` has no condition to test
test 8: failed: any
  expected `error#1` to decide, but `any` does
    `error#1` handles `error`, not `limit`
    `any` has no condition to test
test 9: failed: big
  expected no hook to be reported, but `seen` is
    `seen`: exists(cost.spend) is true: the value is 11
test 10: failed: any
  expected `error_message` of the action of `any` to be \"x\"
    `error_message` is \"y\"
  expected `colour` of the action of `any` to be \"red\"
    the action has no `colour`: {\"type\":\"fail\",\"error_message\":\"y\"}
test 11: failed: error#1
  the action of `error#1` fails
    parameter `max_attempts` must be integer of at least 1, found null
test 12: failed: error#1
  expected the action of `error#1` to fail, but it does not
test 13: failed: error: no_type
  the event has no decision
    the event has no type: expected `event.type`, `hook_event_name` or `event_type`
    write the type in the test: `type: PreToolUse`
test 14: failed: error: no_type
  expected the error `duplicate_key`, but it is `no_type`
    the event has no type: expected `event.type`, `hook_event_name` or `event_type`
test 15: failed: any
  expected an error, but the event has a decision
";
    let lines = run(POLICY, tests);
    assert_eq!(lines, expected, "\n{lines}");
}

#[test]
fn nodes_are_counted() {
    let policy = "hooks: [{id: a, event: error, when: \"$.items[*].n > 7\", action: {type: abort}}]";
    let tests = r#"
  - {type: error, event: {items: [{n: 1}, {n: x}]}, expect: a}
  - {type: error, event: {}, expect: a}
  - {type: error, event: {items: [{n: 8}]}, expect: none}
"#;
    let lines = run(policy, tests);
    for expected in [
        "`a`: $.items[*].n > 7 is false: the 2 nodes are [1,\"x\"]",
        "`a`: $.items[*].n > 7 is false: no node",
        "`a`: $.items[*].n > 7 is true: the only node is 8",
    ] {
        assert!(lines.contains(expected), "{lines}");
    }
}

#[test]
fn all_errors_of_a_test_file_are_reported_at_their_span() {
    let text = "\
polcy: hooks.yaml
builtin: maybe
layers: {projekt: a.yaml, user: 1}
tests:
  - {name: 1, event: {}, expect: x}
  - {evnt: {}, expect: none}
  - {event: {}, events: [{}], expect: none}
  - {event: {}}
  - {event: 1, expect: none}
  - {event: {}, expect: {hok: x}}
  - {event: {}, expect: {error: no_tpye}}
  - {event: {}, expect: {error: no_type, hook: x}}
  - {event: {}, expect: {action: abort}}
  - {event: {}, expect: [none, {action: x}]}
  - {events: [], expect: {}}
  - {event: {}, expect: {hook: a, hooks: [b]}}
  - {event: {}, expect: 7}
  - x
";
    let expected = "\
x.test.yaml:1:1: error[E0201]: a test file has no key `polcy`
x.test.yaml:2:10: error[E0203]: `builtin` must be `true` or `false`, not a string
x.test.yaml:3:10: error[E0204]: a layer cannot be `projekt`
x.test.yaml:3:33: error[E0203]: a layer must be a file or a list of files, not a number
x.test.yaml:5:12: error[E0203]: `name` must be a string, not a number
x.test.yaml:6:6: error[E0201]: a test has no key `evnt`
x.test.yaml:7:17: error[E0201]: a test with `event` has no key `events`
x.test.yaml:8:6: error[E0202]: a test needs `expect`
x.test.yaml:9:13: error[E0203]: an event must be a mapping, or its JSON as a string, not a number
x.test.yaml:10:26: error[E0201]: `expect` has no key `hok`
x.test.yaml:11:33: error[E0204]: `error` cannot be `no_tpye`
x.test.yaml:12:26: error[E0201]: `expect` with `error` allows no other key: the event has no decision
x.test.yaml:13:26: error[E0202]: `expect` with `action` needs `hook`
x.test.yaml:14:26: error[E0204]: a list of hooks cannot contain `none`
x.test.yaml:14:33: error[E0202]: an expected hook needs `hook`
x.test.yaml:15:14: error[E0203]: `events` is empty
x.test.yaml:15:26: error[E0202]: `expect` is empty
x.test.yaml:16:35: error[E0201]: `expect` with `hook` has no key `hooks`
x.test.yaml:17:25: error[E0203]: `expect` must be a verdict, a hook, `none`, a list of hooks, or a mapping, not a number
x.test.yaml:18:5: error[E0203]: a test must be a mapping, not a string
";
    let (suite, reported, _) = read(text);
    assert!(suite.is_none());
    assert_eq!(reported, expected, "\n{reported}");
}

#[test]
fn missing_keys_of_a_test_file_are_reported() {
    for text in ["", "{}", "tests: []", "policy: a.yaml", "- policy: a"] {
        let (suite, reported, codes) = read(text);
        assert!(suite.is_none() && !codes.is_empty(), "{text:?}: {reported}");
        assert!(codes.iter().all(|code| matches!(code, Code::E0202 | Code::E0203)), "{text:?}: {reported}");
    }
    let (suite, reported, _) =
        read("layers: {project: [a.yaml, b.yaml], user: c.yaml}\nbuiltin: false\ntests: []\n");
    let suite = suite.unwrap_or_else(|| panic!("{reported}"));
    assert_eq!((suite.policies.len(), suite.builtin, suite.tests.len()), (3, Builtin::Never, 0));
}

const EXAMPLES: &str = "
hooks:
  - id: two
    event: [error, limit]
    when: cost.spend > 10 or error.code != 'a'
    action: {type: abort}
    examples:
      - {event: {cost: {spend: 11}}, matches: true}
      - {event: {event: {type: limit}, error: {code: a}}, matches: true}
      - {event: {event: {type: after_step}, cost: {spend: 11}}, matches: true}
      - {event: {event: {type: after_step}, cost: {spend: 11}}, matches: false}
  - id: off
    event: error
    enabled: false
    action: {type: abort}
    examples: [{event: {a: 1}, matches: false}]
";

#[test]
fn examples_test_only_their_hook() {
    let (compiled, _) = build(EXAMPLES, true);
    let mut coverage = Coverage::new();
    let cases = testing::examples(&compiled, &|_| true, Some(&mut coverage), &mut Exercised::default())
        .unwrap()
        .cases;
    let expected = "\
two, example 1: ok: matches
two, example 2: failed: does not match
  `two` should match this `limit` event, but does not
    error.code == \"a\" is true: the value is \"a\"
two, example 3: failed: does not match
  `two` should match this `after_step` event, but does not
    the example has the type `after_step`; the hook handles `error`, `limit`
two, example 4: ok: does not match
off, example 1: failed: matches
  `off` should not match this `error` event, but does
    it has no condition to test
";
    assert_eq!(lines(&cases), expected);
    let reported = testing::diagnostics(&cases);
    assert!(reported.iter().all(|new| new.code == Code::E0417) && reported.len() == 3);
    // One hook takes part: matched twice (at both its events), not once.
    let hooks = coverage.hooks();
    assert_eq!(hooks.len(), 1);
    assert_eq!((hooks[0].matched.yes, hooks[0].matched.no), (2, 1));
    let leaves: Vec<_> = hooks[0].leaves.iter().map(|l| (l.text.as_str(), l.held.yes, l.held.no)).collect();
    assert_eq!(leaves, [("cost.spend > 10", 2, 1), ("error.code != 'a'", 2, 1)]);
    assert_eq!(coverage.outcomes(), (6, 6));
}

/// What happened before an example counts, with its time and its outcome; the coverage names patterns without events.
#[test]
fn examples_have_a_history() {
    let policy = "
facts:
  edited: {event: PostToolUse, when: \"tool_name == 'Edit'\"}
  tested: {event: PostToolUse, when: \"tool_name == 'Test'\"}
hooks:
  - id: recent
    event: PreToolUse
    when: formerly(edited within 10m since tested)
    action: {type: deny, reason: r}
    examples:
      - event: {tool_name: Bash}
        matches: true
        history: [{event: {hook_event_name: PostToolUse, tool_name: Edit}}]
      - event: {tool_name: Bash}
        matches: true
        history: [{event: {hook_event_name: PostToolUse, tool_name: Edit}, at: 1m}]
        at: 11m
      - event: {tool_name: Bash}
        matches: false
        history: [{event: {hook_event_name: PostToolUse, tool_name: Edit}, at: 1m}]
        at: 12m
      - {event: {tool_name: Bash}, matches: true, history: [{event: {hook_event_name: PostToolUse, tool_name: Test}}]}
  - id: once
    event: Stop
    when: not formerly(denied Stop)
    action: {type: deny, reason: r}
    examples:
      - {event: {}, matches: true, history: [{event: {hook_event_name: Stop}, outcome: allowed}]}
      - {event: {}, matches: false, history: [{event: {hook_event_name: Stop}}]}
      - {event: {}, matches: true, history: [{event: {tool_name: Bash}}]}
";
    let (compiled, _) = build(policy, false);
    let mut coverage = Coverage::new();
    let found =
        testing::examples(&compiled, &|_| true, Some(&mut coverage), &mut Exercised::default()).unwrap();
    let expected = "\
recent, example 1: ok: matches
recent, example 2: ok: matches
recent, example 3: ok: does not match
recent, example 4: failed: does not match
  `recent` should match this `PreToolUse` event, but does not
    formerly(edited within 10m since tested) is false: no such event is recorded
once, example 1: ok: matches
once, example 2: ok: does not match
once, example 3: failed: matches
  an event in the `history` of the example is not an event
    the event has no type: expected `event.type`, `hook_event_name` or `event_type`
";
    assert_eq!(lines(&found.cases), expected);
    let hooks = coverage.hooks();
    let pattern = |hook: usize, at: usize| {
        let pattern = &hooks[hook].patterns[at];
        (pattern.text.as_str(), pattern.is_anchor, pattern.happened.yes, pattern.happened.no)
    };
    assert_eq!(pattern(0, 0), ("edited", false, 3, 1));
    assert_eq!(pattern(0, 1), ("tested", true, 1, 3));
    assert_eq!(pattern(1, 0), ("denied Stop", false, 1, 1));
    assert_eq!((hooks[0].patterns.len(), hooks[1].patterns.len()), (2, 1));
    assert_eq!(coverage.outcomes(), (12, 12));
}

#[test]
fn many_examples_cost_linear_time() {
    let mut policy = "hooks:\n".to_owned();
    for n in 0..3000 {
        policy += &format!(
            "  - {{event: error, when: 'a{n}.b == {n}', action: {{type: abort}}, examples: [{{event: {{a{n}: {{b: {n}}}}}, matches: true}}]}}\n"
        );
    }
    let (compiled, _) = build(&policy, true);
    let cases = testing::examples(&compiled, &|_| true, None, &mut Exercised::default()).unwrap().cases;
    assert_eq!(cases.len(), 3000);
    assert!(cases.iter().all(Case::passed));
}

/// Steps have one history: what hooks deny has not happened, and time passes between them.
#[test]
fn steps_have_one_history() {
    let policy = "
facts:
  edited: {event: PostToolUse, when: \"tool_name == 'Edit'\"}
hooks:
  - {id: many, event: PreToolUse, when: count(PreToolUse within 1m) >= 2, action: {type: deny, reason: slowly}}
  - {id: twice, event: PreToolUse, when: formerly(denied PreToolUse within 1m), action: {type: log, message: m}}
  - {id: after, event: Stop, when: formerly(edited), action: {type: deny, reason: '${count(edited)} edits'}}
";
    let call = "event: {hook_event_name: PreToolUse, tool_name: Bash, tool_input: {command: ls}}";
    let tests = format!(
        "
  - name: calls
    steps:
      - {{{call}, expect: none}}
      - {{{call}, expect: none}}
      - {{{call}, expect: {{deny: slowly}}}}
      - {{{call}, expect: [many, twice]}}
      - {{{call}, at: 62s, expect: twice}}
      - {{{call}, at: 63s, outcome: denied, expect: twice}}
      - {{{call}, at: 10m, expect: none}}
  - name: sessions
    steps:
      - event: {{hook_event_name: PostToolUse, session_id: a, tool_name: Edit}}
      - {{event: {{hook_event_name: Stop, session_id: b}}, expect: none}}
      - {{event: {{hook_event_name: Stop, session_id: a}}, expect: {{deny: 1 edits}}}}
  - name: alone
    events: [{{hook_event_name: Stop, session_id: a}}]
    expect: none
"
    );
    let expected = "calls [1]: ok: no hook
calls [2]: ok: no hook
calls [3]: ok: many
calls [4]: ok: many, twice
calls [5]: ok: twice
calls [6]: ok: twice
calls [7]: ok: no hook
sessions [2]: ok: no hook
sessions [3]: ok: after
alone: ok: no hook
";
    assert_eq!(run(policy, &tests), expected);
}

/// Steps without an expectation test nothing, and `at` is an offset or a time.
#[test]
fn steps_are_checked() {
    let codes = |steps: &str| read(&format!("policy: p.yaml\ntests:\n  - {{{steps}}}\n")).2;
    assert_eq!(codes("steps: [{event: {a: 1}}]"), [Code::E0202]);
    assert_eq!(codes("steps: []"), [Code::E0203]);
    assert_eq!(codes("steps: [{event: {a: 1}, at: soon, expect: none}]"), [Code::E0204]);
    assert_eq!(codes("steps: [{event: {a: 1}, outcome: deny, expect: none}]"), [Code::E0204]);
    assert_eq!(codes("steps: [{event: {a: 1}, expect: none}], expect: none"), [Code::E0201]);
    assert_eq!(codes("steps: [{event: {a: 1}, at: 1h, outcome: denied, expect: none}]"), []);
}

/// The page lists every key and every kind of error as in the tables.
#[test]
fn the_page_lists_every_key() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/testing.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut tables: Vec<String> = Vec::new();
    for object in [&test::FILE, &test::TEST, &test::STEP, &test::EXPECTED_HOOK, &test::EXPECT] {
        let row = |key: &Key| {
            let needed = if key.needed.is_some() { ", required" } else { "" };
            format!(
                "| `{}` | {}{needed} | {} |\n",
                key.name,
                YAML.takes(key),
                key.about.trim_end_matches('.')
            )
        };
        let rows: String = object.keys.iter().map(row).collect();
        tables.push(format!("| key | takes | meaning |\n|---|---|---|\n{rows}\n"));
    }
    let rows =
        EventErrorKind::CHOICES.iter().map(|(name, kind)| format!("| `{name}` | {} |\n", kind.meaning()));
    tables.push(format!("| error | when |\n|---|---|\n{}\n", rows.collect::<String>()));
    for table in tables {
        assert!(page.contains(&table), "docs/testing.md lacks this table:\n{table}");
    }
}

/// A denied event did not happen, and the explanation names it.
#[test]
fn an_event_that_matched_but_for_its_outcome_is_explained() {
    let policy = "\
hooks:
  - id: untied
    event: PreToolUse
    when: formerly(PreToolUse where tool_name == 'Read')
    action: {type: deny, reason: r}
    examples:
      - event: {tool_name: Write}
        matches: true
        history: [{event: {hook_event_name: PreToolUse, tool_name: Read}, outcome: denied}]
  - id: tied
    event: PreToolUse
    when: formerly(PreToolUse where tool_input.file_path == now.tool_input.file_path)
    action: {type: deny, reason: r}
    examples:
      - event: {tool_name: Edit, tool_input: {file_path: /b}}
        matches: true
        history: [{event: {hook_event_name: PreToolUse, tool_name: Read, tool_input: {file_path: /a}}, outcome: denied}]
  - id: denied
    event: PreToolUse
    when: formerly(denied PreToolUse where tool_name == 'Bash')
    action: {type: deny, reason: r}
    examples:
      - event: {tool_name: Glob}
        matches: true
        history: [{event: {hook_event_name: PreToolUse, tool_name: Bash}, outcome: asked}]
      - event: {tool_name: Glob}
        matches: true
        history: [{event: {hook_event_name: PreToolUse, tool_name: Bash}}]
";
    let (compiled, _) = build(policy, false);
    let found = testing::examples(&compiled, &|_| true, None, &mut Exercised::default()).unwrap();
    let shown = lines(&found.cases);
    let read: Vec<&str> =
        shown.lines().filter_map(|line| line.split_once("is recorded; ")).map(|(_, why)| why).collect();
    let expected = [
        "one that matches was denied 1 second ago (step 1)",
        "one that matches, with these or other values, was denied 1 second ago (step 1)",
        "one that matches was asked about 1 second ago (step 1)",
        "one that matches got no answer 1 second ago (step 1)",
    ];
    assert_eq!(read, expected, "{shown}");
}

#[test]
fn a_comparison_with_an_earlier_value_shows_both_sides() {
    let policy = "\
hooks:
  - id: same
    event: PreToolUse
    when: last(PreToolUse).tool_input == tool_input
    action: {type: deny, reason: r}
    examples:
      - {event: {tool_input: {command: ls}}, matches: true}
      - event: {tool_input: {command: ls}}
        matches: false
        history: [{event: {hook_event_name: PreToolUse, tool_input: {command: ls}}}]
  - id: kept
    event: Stop
    when: last(Stop).turns > turns
    action: {type: deny, reason: r}
    examples:
      - {event: {turns: 3}, matches: true, history: [{event: {hook_event_name: Stop, turns: 2}, outcome: allowed}]}
      - {event: {}, matches: true, history: [{event: {hook_event_name: Stop, turns: 2}, outcome: allowed}]}
";
    let (compiled, _) = build(policy, false);
    let found = testing::examples(&compiled, &|_| true, None, &mut Exercised::default()).unwrap();
    let shown = lines(&found.cases);
    let read: Vec<&str> = shown.lines().filter(|line| line.starts_with("    ")).map(str::trim).collect();
    let expected = [
        "last(PreToolUse).tool_input == tool_input is false: no such event is recorded, or it has no value there, \
         tool_input is {\"command\":\"ls\"}",
        "last(PreToolUse).tool_input == tool_input is true: of the earlier value only a hash is kept, tool_input is \
         {\"command\":\"ls\"}",
        "last(Stop).turns > turns is false: the value is 2, turns is 3",
        "last(Stop).turns > turns is false: the value is 2, turns is absent",
    ];
    assert_eq!(read, expected);
}
