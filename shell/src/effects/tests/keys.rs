//! An index never leaves out a pattern that matches.

use proptest::prelude::*;

use super::{actions, compiled, guard, texts};
use crate::effects::keys::{Index, StoredKeys};
use crate::effects::pattern::machine::Meter;
use crate::effects::pattern::path::{Object, PathPattern, Roots};
use crate::effects::pattern::reading::Reading;
use crate::effects::{Candidates, Compiled, Guard, Predicate, Scheme, Text, Verb, shipped_sets};

/// Parts of patterns and of paths, so that they meet.
const PARTS: [&str; 22] = [
    "/", "/", "*", "**", "?", "[ab]", "~", ".", "..", "a", "b", "ab", "A", "x.pem", ".env", "id_", "srv",
    "app", "home", "\u{212a}", "k", "env:",
];

fn joined(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PARTS[..]), count).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn a_path_that_matches_has_a_key_of_its_pattern(
        patterns in prop::collection::vec(joined(1..7), 1..6),
        path in joined(1..9),
    ) {
        let patterns: Vec<_> = patterns.iter().filter_map(|pattern| PathPattern::new(pattern).ok()).collect();
        let roots = Roots { project: Some("/srv/app"), cwd: Some("/srv/app/a") };
        let index = Index::new(patterns.iter(), 0);
        for (text, is_tree) in [
            (path.clone(), false),
            (format!("/srv/app/{path}"), false),
            (format!("/home/a/{path}"), false),
            (format!("/srv/app/{path}"), true),
            (path.get(..path.len() / 2).unwrap_or("/srv").to_owned(), true),
        ] {
            let text = Text::literal(&text);
            let mut list = Vec::new();
            let keys = StoredKeys::for_object(Scheme::File, text, is_tree, &mut list).get(&list);
            let object = Object { text, scheme: Scheme::File, is_tree, roots };
            for reading in [Reading::Guard, Reading::May, Reading::Permit, Reading::Exclude] {
                let keys = keys.read(reading);
                for pattern in &patterns {
                    let is_this = |other: &PathPattern| std::ptr::eq(other, pattern);
                    let is_near = index.can_match(keys) && index.find(keys, &patterns, &is_this).is_some();
                    let has = pattern.has(object, reading, &Meter::default());
                    prop_assert!(!has || is_near, "{:?} {:?}", text, reading);
                }
            }
        }
    }
}

/// A pattern is read when a command can match it, so others cannot make a predicate fail.
#[test]
fn a_pattern_that_is_needed_must_be_readable() {
    let predicates = |patterns: &[&str]| {
        let guard = guard("runs", patterns, &[]);
        [Predicate::Guard(guard.clone()), Predicate::Only(vec![guard]), Predicate::Passed(texts(patterns))]
    };
    for (patterns, unread, read) in [
        (&["git push", "rm x | y | z"][..], "git push; ls", "z"),
        (&["git", "rm @nothing"], "git push", "rm x"),
        (&["@nothing x"], "", "ls"),
    ] {
        for predicate in predicates(patterns) {
            assert!(crate::effects::check(&predicate, &[], Default::default()).is_err(), "{predicate:?}");
            let made = Compiled::new(predicate.clone(), &[], Default::default());
            let _ = made.holds(&actions(unread));
            assert!(made.is_readable(), "{predicate:?}");
            let _ = made.holds(&actions(read));
            assert!(!made.is_readable(), "{predicate:?}");
        }
    }
    let unknown =
        Compiled::new(Predicate::Guard(guard("reads", &["@nothing"], &[])), &[], Default::default());
    assert!(!unknown.holds(&actions("echo x > y")) && unknown.is_readable());
    assert!(!unknown.holds(&actions("cat y")) && !unknown.is_readable());
}

/// Without its keys, an event is compared with every pattern.
#[test]
fn an_index_changes_no_answer() {
    let mut guards: Vec<Guard> = Vec::new();
    for set in shipped_sets() {
        let name = format!("@{}", set.name);
        let of: Vec<&str> = std::iter::once(name.as_str()).chain(set.of.iter().copied().take(9)).collect();
        for verb in Verb::ALL {
            for is_possible in [false, true] {
                guards.push(Guard { is_possible, ..guard(verb.plural(), &of, &[]) });
            }
        }
    }
    let valid = |guard: &Guard| {
        crate::effects::check(&Predicate::Guard(guard.clone()), &[], Default::default()).is_ok()
    };
    let guards: Vec<_> = guards
        .into_iter()
        .filter(valid)
        .flat_map(|guard| {
            let only = compiled(&Predicate::Only(vec![Guard { is_possible: false, ..guard.clone() }]), &[]);
            [compiled(&Predicate::Guard(guard), &[]), only]
        })
        .collect();
    assert!(guards.len() > 100, "{}", guards.len());
    let others = [
        Predicate::Unknown,
        Predicate::Mentions(texts(&["/push/"])),
        Predicate::Passed(texts(&["git push", "{rm,cat}"])),
        Predicate::Passed(texts(&["*"])),
        Predicate::Guard(guard("runs", &[], &[])),
        Predicate::Guard(guard("runs", &["g*", "~/bin/git"], &[])),
    ];
    let guards: Vec<Compiled> =
        guards.into_iter().chain(others.iter().map(|predicate| compiled(predicate, &[]))).collect();
    let candidates = Candidates::new(&guards.iter().map(Some).chain([None]).collect::<Vec<_>>());
    let (mut bits, mut left_out, mut count) = (Vec::new(), 0, 0);
    let spelled = [
        "GIT.EXE push -f",
        "python3.12 x.py | SH",
        "pip3 install x",
        "nodejs -e 1",
        "gsed -i s/a/b/ x",
        "npm@9 publish",
        "Rm.Exe -rf /",
        "~/bin/git push",
    ];
    let lines = include_str!("../../../../corpus/shell/policies.ndjson").lines().step_by(7);
    let lines = lines.filter_map(|line| line.split_once("\"line\":\"")?.1.strip_suffix("\"}"));
    for line in lines.chain(spelled) {
        let line = line.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\");
        let (near, mut each) = (actions(&line), actions(&line));
        each.forget_keys();
        candidates.find(&near, &mut bits);
        let is_candidate = |number: usize| bits[number / 64] >> (number % 64) & 1 == 1;
        assert!(is_candidate(guards.len()), "what cannot be read");
        for (number, guard) in guards.iter().enumerate() {
            let holds = guard.holds(&each);
            assert_eq!(guard.holds(&near), holds, "{line}: {:?}", guard.predicate());
            assert!(is_candidate(number) || !holds, "{line}: no candidate: {:?}", guard.predicate());
            left_out += usize::from(!is_candidate(number));
            count += 1;
        }
    }
    assert!(left_out > count / 3, "{left_out} of {count} are left out");
}
