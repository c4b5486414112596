use hookc_corpus::shared;

use super::{actions, compiled, guard, only};
use crate::effects::{Guard, Predicate};

fn reads() -> Guard {
    guard("reads", &["./**"], &[])
}

#[test]
fn what_is_listed() {
    let runs = |patterns: &[&str]| guard("runs", patterns, &[]);
    let cases: &[(&[Guard], &str, bool)] = &[
        (&[], "echo hi", true),
        (&[], "cat x", false),
        (&[reads()], "cat x", true),
        (&[reads()], "cat X; cat /y", false),
        (&[guard("reads", &["./**"], &["@secrets"])], "cat .env", false),
        (&[guard("reads", &["./**"], &["@secrets"])], "cat .env$X", false),
        (&[guard("reads", &["./SRC/**"], &[])], "cat src/x", false),
        // Names of programs respect case, and their paths are listed.
        (&[runs(&["make"])], "make", true),
        (&[runs(&["MAKE"])], "make", false),
        (&[runs(&["make"])], "./make", false),
        (&[runs(&["./check.sh"])], "./check.sh", true),
        (&[runs(&["./check.sh"])], "cd /tmp && ./check.sh", false),
        // Words that the pattern does not have.
        (&[runs(&["npm run lint"])], "npm run lint", true),
        (&[runs(&["npm run lint"])], "npm run evil lint", false),
        (&[runs(&["make"])], "make $X", false),
        (&[runs(&["make *"]), guard("reads", &["env:*"], &[])], "make $X", true),
        (&[runs(&["make *"])], "make $X", false),
        (&[runs(&["unheard a"])], "unheard a", true),
        (&[runs(&["unheard a"])], "unheard a b", false),
        (&[runs(&["unheard a *"])], "unheard a b", true),
        (&[guard("runs", &["make"], &["make -f"])], "make -f x", false),
        // What a listed command does elsewhere.
        (&[runs(&["make"])], "make > /tmp/x", false),
        (&[runs(&["make"]), guard("writes", &["/tmp/**"], &[])], "make > /tmp/x", true),
        (&[runs(&["make"]), guard("writes", &["/tmp/*"], &["/tmp/x*"])], "make > /tmp/x$Y", false),
        (&[runs(&["make"])], "cd /tmp && make", false),
        // Variables.
        (&[runs(&["make"])], "LANG=C make", true),
        (&[runs(&["make"])], "CC=x make", false),
        (&[runs(&["make"])], "x=1; make", true),
        (&[runs(&["make"])], "export x=1; make", false),
        (&[runs(&["make"])], "path=/x; make", false),
        (&[runs(&["make"])], "unreadable '", false),
    ];
    for (guards, line, expected) in cases {
        assert_eq!(only(guards, line), *expected, "{guards:?}: {line}");
    }
}

/// Lines written for and against `only`.
#[allow(clippy::disallowed_methods, reason = "a test reads its cases")]
#[test]
fn shared_cases() {
    let Some(path) = shared().map(|shared| shared.join("effects/only_cases.json")) else { return };
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let cases: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let programs = guard("runs", &["git status", "cargo test", "npm run lint", "./check.sh"], &[]);
    let predicates = [
        ("only(reads('./**'))", vec![reads()]),
        (
            "only(runs('git status', 'cargo test', 'npm run lint', './check.sh'), reads('./**'))",
            vec![programs, reads()],
        ),
        (
            "only(contacts('docs.rs', '*.github.com'))",
            vec![guard("contacts", &["docs.rs", "*.github.com"], &[])],
        ),
    ];
    let mut wrong = Vec::new();
    for (key, lines) in cases {
        let (is_true, key) = key.strip_prefix("NOT ").map_or((true, key.as_str()), |key| (false, key));
        let (_, guards) = predicates.iter().find(|(text, _)| *text == key).unwrap();
        let predicate = compiled(&Predicate::Only(guards.clone()), &[]);
        for line in lines.as_array().unwrap().iter().filter_map(serde_json::Value::as_str) {
            let actions = actions(line);
            if predicate.holds(&actions) != is_true {
                wrong.push(format!("{line}: {:?}", predicate.uncovered(&actions)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
