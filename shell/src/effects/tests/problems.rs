use proptest::prelude::*;

use crate::effects::{Guard, List, Predicate, ProblemKind, Set, Verb, check, compile, shipped_sets};

fn guard(verb: Verb, list: List, patterns: &[&str]) -> Predicate {
    let mut guard = Guard::new(verb);
    let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    match list {
        List::Of => guard.of = patterns,
        List::Except => guard.except = patterns,
        List::By => guard.by = patterns,
        List::NotBy => guard.not_by = patterns,
    }
    Predicate::Guard(guard)
}

fn sets() -> Vec<Set> {
    let set = |name: &str, of: &[&str], except: &[&str]| Set {
        name: name.to_owned(),
        of: of.iter().map(|text| (*text).to_owned()).collect(),
        except: except.iter().map(|text| (*text).to_owned()).collect(),
    };
    vec![
        set("ours", &["@secrets", "*.p12"], &["test/**"]),
        set("round", &["@trip"], &[]),
        set("trip", &["x", "@round"], &[]),
        set("bad", &["x", "foo:y"], &[]),
        set("worse", &["@bad"], &[]),
        set("nothing", &["@nothing2", "@nothing2"], &[]),
        set("production", &["*prod*", "*live*"], &[]),
    ]
}

/// The problem with a predicate, as the part of the pattern, and the message.
fn problem(predicate: &Predicate) -> Option<(String, String)> {
    let problem = check(predicate, &sets(), Default::default()).err()?;
    let (_, _, list) = predicate.lists().find(|(_, list, _)| *list == problem.list).unwrap();
    Some((list[problem.at].get(problem.range.clone()).unwrap().to_owned(), problem.message()))
}

#[test]
fn patterns_are_read() {
    for (verb, list, pattern) in [
        (Verb::Read, List::Of, "@ours"),
        (Verb::Change, List::Of, "ref:@production"),
        (Verb::Run, List::Of, "kubectl --context=@production"),
        (Verb::Run, List::Of, "@fetchers | @interpreters"),
        (Verb::Run, List::Of, "{mongo,mongosh} /\\.drop(Database)?\\(/"),
        (Verb::Run, List::Of, "GIT_*=/x y/ git push !-f !* | sh"),
        (Verb::Run, List::Of, "chmod @world_writable"),
        (Verb::Run, List::Of, "cat @ours"),
        (Verb::Read, List::NotBy, "cut -f=1"),
        (Verb::Contact, List::Except, "@registries"),
        (Verb::Install, List::Of, "\\@types/*"),
    ] {
        assert_eq!(problem(&guard(verb, list, &[pattern])), None, "{pattern}");
    }
    let mentions = Predicate::Mentions(vec!["@keys".to_owned(), "/a b/i".to_owned()]);
    assert_eq!(problem(&mentions), None);
}

#[test]
fn problems_have_a_place() {
    let cases = [
        (Verb::Read, List::Of, "x/@secret", "@secret", "there is no set `@secret`"),
        (
            Verb::Contact,
            List::Of,
            "@secrets",
            "@secrets",
            "`@secrets` has patterns of paths, but this is a list of hosts",
        ),
        (Verb::Read, List::Of, "@round", "@round", "the set `@round` contains itself"),
        (
            Verb::Read,
            List::Of,
            "foo:x",
            "foo:x",
            "the pattern cannot be read: `foo:` is not a scheme: write `env:`, `ref:` or `store:`, or `./` in front of a file",
        ),
        (Verb::Read, List::By, "a | b | c", "|", "the pattern cannot be read: it has more than one ` | `"),
        (Verb::Run, List::Of, "", "", "the pattern cannot be read: it has no program"),
        (Verb::Run, List::Of, "A=b", "A=b", "the pattern cannot be read: it has no program"),
        (
            Verb::Run,
            List::Of,
            "{A,B}=x make",
            "{A,B}=x",
            "the pattern cannot be read: the name of a variable before a program has letters, digits, `_`, `*` and `?`; write a pattern for each name",
        ),
        (
            Verb::Run,
            List::Of,
            "rm {-f,x}",
            "{-f,x}",
            "the pattern cannot be read: a word is a flag or an operand, not both",
        ),
        (Verb::Run, List::Of, "rm @lost -f", "@lost", "there is no set `@lost`"),
        (Verb::Run, List::Of, "rm ~me/x", "~me/x", "the pattern cannot be read: only `~` itself is a home"),
        (Verb::Run, List::By, "git", "git", "`by` is not possible in `runs`, which names commands itself"),
        (Verb::Run, List::Of, "x /(/", "x /(/", "the pattern cannot be read: unclosed group"),
    ];
    for (verb, list, pattern, part, message) in cases {
        let found = problem(&guard(verb, list, &["ok", pattern][usize::from(list == List::By)..]));
        assert_eq!(found, Some((part.to_owned(), message.to_owned())), "{pattern}");
    }
    let many = "{a,b}".repeat(11);
    assert_eq!(
        problem(&guard(Verb::Read, List::Of, &[&many])).unwrap().1,
        "the pattern has more than 1024 alternatives"
    );
    let text = Predicate::Mentions(vec!["key".to_owned()]);
    assert!(problem(&text).unwrap().1.contains("between slashes"));
}

#[test]
fn problems_name_the_set_of_the_policy() {
    let found = check(&guard(Verb::Read, List::Of, &["@worse"]), &sets(), Default::default()).unwrap_err();
    let inner = found.in_set.clone().unwrap();
    assert_eq!((inner.name.as_str(), inner.at, inner.range.clone(), found.range), ("bad", 1, 0..5, 0..6));
    let found = check(&guard(Verb::Read, List::Of, &["@secret"]), &sets(), Default::default()).unwrap_err();
    assert_eq!(found.help().unwrap(), "did you mean `@secrets`?");
}

#[test]
fn sets_within_sets_end() {
    let set = |number: usize| Set {
        name: format!("s{number}"),
        of: vec![format!("@s{}", number + 1), format!("@s{}", number + 1)],
        except: Vec::new(),
    };
    let mut sets: Vec<Set> = (0..60).map(set).collect();
    sets.push(Set { name: "s60".to_owned(), ..Set::default() });
    let found = compile(&guard(Verb::Read, List::Of, &["@s0"]), &sets, Default::default()).unwrap_err();
    assert_eq!(found.kind, ProblemKind::TooMany);
}

#[test]
fn shipped_sets_are_valid() {
    for set in shipped_sets() {
        let (verb, name) = match set.kind {
            crate::effects::PatternKind::Path => (Verb::Read, format!("@{}", set.name)),
            crate::effects::PatternKind::Host => (Verb::Contact, format!("@{}", set.name)),
            crate::effects::PatternKind::Command => (Verb::Run, format!("@{}", set.name)),
            crate::effects::PatternKind::Text => {
                assert_eq!(
                    problem(&Predicate::Mentions(vec![format!("@{}", set.name)])),
                    None,
                    "{}",
                    set.name
                );
                continue;
            }
            _ => (Verb::Run, format!("x @{}", set.name)),
        };
        assert_eq!(problem(&guard(verb, List::Of, &[&name])), None, "{name}");
    }
}

proptest! {
    #[test]
    fn any_pattern_is_read_or_is_a_problem(pattern in "[a-z@{},.*?!|^$/ =\\[\\]\\\\~:-]{0,30}") {
        for verb in Verb::ALL {
            for list in List::ALL.iter().copied() {
                let predicate = guard(*verb, list, &[&pattern]);
                if let Err(problem) = check(&predicate, &sets(), Default::default()) {
                    prop_assert!(pattern.get(problem.range.clone()).is_some(), "{:?}", problem);
                    prop_assert!(!problem.message().is_empty());
                }
            }
        }
    }
}
