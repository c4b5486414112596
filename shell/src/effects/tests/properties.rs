use proptest::prelude::*;

use super::{actions, compiled, guard, texts};
use crate::effects::{Guard, Predicate, Verb};

/// Words of lines and of patterns, so that they meet.
const WORDS: [&str; 24] = [
    "git",
    "push",
    "-f",
    "--force",
    "origin",
    "main",
    "cat",
    "rm",
    "-rf",
    ".env",
    "/etc/passwd",
    "$X",
    "x*",
    "../y",
    "./x",
    "curl",
    "https://a.example",
    "|",
    ";",
    "&&",
    "sh",
    "'a b'",
    ">",
    "npm",
];

const PATTERNS: [&str; 16] = [
    "**",
    "./**",
    ".env",
    "*.pem",
    "/etc/**",
    "~/**",
    "x*",
    "main",
    "*",
    "git push",
    "rm -rf",
    "@secrets",
    "* --force",
    "curl | sh",
    "cat .env",
    "https://*",
];

/// Verbs about files.
const FILES: [Verb; 4] = [Verb::Read, Verb::Write, Verb::Delete, Verb::Change];

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..8).prop_map(|words| words.join(" "))
}

fn patterns(verb: Verb, picked: &[prop::sample::Index]) -> Vec<String> {
    let fits = |pattern: &&&str| {
        let mut guard = Guard::new(verb);
        guard.of = texts(&[pattern]);
        crate::effects::check(&Predicate::Guard(guard), &[], Default::default()).is_ok()
    };
    let fitting: Vec<&&str> = PATTERNS.iter().filter(fits).collect();
    picked.iter().map(|index| (**index.get(&fitting)).to_owned()).collect()
}

fn guards() -> impl Strategy<Value = Guard> {
    guards_of(Verb::ALL)
}

fn guards_of(verbs: &'static [Verb]) -> impl Strategy<Value = Guard> {
    let lists = prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    (prop::sample::select(verbs), lists.clone(), lists).prop_map(|(verb, of, except)| Guard {
        of: patterns(verb, &of),
        except: patterns(verb, &except),
        ..Guard::new(verb)
    })
}

fn may(guard: &Guard) -> Guard {
    Guard { is_possible: true, ..guard.clone() }
}

proptest! {
    #[test]
    fn what_is_certain_is_possible(line in line(), guard in guards()) {
        let actions = actions(&line);
        let is_true = |guard: &Guard| compiled(&Predicate::Guard(guard.clone()), &[]).holds(&actions);
        prop_assert!(!is_true(&guard) || is_true(&may(&guard)));
    }

    #[test]
    fn what_only_permits_does_nothing_else(line in line(), mut guard in guards_of(&FILES)) {
        guard.except.clear();
        prop_assume!(!guard.of.is_empty());
        let actions = actions(&line);
        let only = compiled(&Predicate::Only(vec![guard.clone()]), &[]).holds(&actions);
        guard.except = std::mem::take(&mut guard.of);
        let other = compiled(&Predicate::Guard(may(&guard)), &[]).holds(&actions);
        prop_assert!(!(only && other));
    }

    #[test]
    fn a_further_command_makes_no_guard_false(line in line(), more in line(), guard in guards(), is_possible: bool) {
        let guard = Predicate::Guard(Guard { is_possible, ..guard });
        let (first, both) = (actions(&line), actions(&format!("{line}\n{more}")));
        prop_assume!(first.unknown().is_none() && both.unknown().is_none());
        let guard = compiled(&guard, &[]);
        prop_assert!(!guard.holds(&first) || guard.holds(&both));
    }

    #[test]
    fn what_is_true_has_a_reason(line in line(), guard in guards(), is_possible: bool) {
        let guard = compiled(&Predicate::Guard(Guard { is_possible, ..guard }), &[]);
        let actions = actions(&line);
        prop_assert_eq!(guard.holds(&actions), guard.because(&actions).is_some());
    }

    #[test]
    fn a_false_only_has_a_reason(line in line()) {
        let only = compiled(&Predicate::Only(vec![guard("reads", &["./**"], &[])]), &[]);
        let actions = actions(&line);
        prop_assert_ne!(only.holds(&actions), only.uncovered(&actions).is_some());
    }
}
