use super::{actions, compiled, guard};
use crate::effects::pattern::braces;
use crate::effects::{ALTERNATIVES, PatternKind, Predicate, ShippedSet, shipped_sets};

/// A text that a glob matches.
fn example(glob: &str) -> String {
    glob.replace("**", "a").replace(['*', '?'], "x").replace('\\', "")
}

/// A command line that a pattern of commands matches.
fn line(pattern: &str) -> Option<String> {
    let words = pattern.split(' ').filter(|word| !word.starts_with('!'));
    let words: Vec<String> =
        words.map(|word| if word.starts_with('@') { "sh".to_owned() } else { example(word) }).collect();
    let is_regex = words.iter().skip(1).any(|word| word.starts_with('/') && word.ends_with('/'));
    (!is_regex).then(|| words.join(" "))
}

/// Lines of which a guard with one pattern of a set is true.
fn lines(set: &ShippedSet, alternative: &str) -> Vec<String> {
    let path = example(alternative);
    match set.kind {
        PatternKind::Path => match path.split_once(':') {
            Some(("env", name)) => vec![format!("echo ${name}")],
            _ => {
                let word = path.replace(' ', "\\ ");
                vec![format!("cat {word}"), format!("ls {word}")]
            }
        },
        PatternKind::Host if path.contains(':') => vec![format!("curl 'http://[{path}]/'")],
        PatternKind::Host => vec![format!("curl http://{path}/")],
        PatternKind::Command => line(alternative).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn holds(set: &ShippedSet, pattern: &str, line: &str) -> bool {
    let predicate = match set.kind {
        PatternKind::Path => Predicate::Guard(guard("reads", &[pattern], &[])),
        PatternKind::Host => Predicate::Guard(guard("contacts", &[pattern], &[])),
        PatternKind::Command => Predicate::Guard(guard("runs", &[pattern], &[])),
        PatternKind::Text => Predicate::Mentions(vec![pattern.to_owned()]),
        _ => Predicate::Guard(guard("runs", &[&format!("* {pattern}")], &[])),
    };
    compiled(&predicate, &[]).holds(&actions(line))
}

#[test]
fn each_pattern_of_a_set_is_true_of_a_line() {
    let mut wrong = Vec::new();
    for set in shipped_sets().iter().filter(|set| !matches!(set.name, "configured" | "registries")) {
        let given = |pattern: &str| set.lines.iter().any(|line| holds(set, pattern, line));
        for pattern in set.of {
            for alternative in braces::expand(pattern, ALTERNATIVES).unwrap() {
                let lines = lines(set, &alternative);
                let is_true = lines.iter().any(|line| holds(set, pattern, line)) || given(pattern);
                if !is_true && !matches!(set.kind, PatternKind::Word) {
                    wrong.push(format!("@{} {alternative}: {lines:?}", set.name));
                }
            }
        }
        wrong.extend(
            set.lines
                .iter()
                .filter(|line| !holds(set, &format!("@{}", set.name), line))
                .map(|line| format!("@{}: {line}", set.name)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_set_leaves_out_is_not_in_it() {
    for set in shipped_sets() {
        for pattern in set.except {
            for alternative in braces::expand(pattern, ALTERNATIVES).unwrap() {
                let line = format!("cat {}", example(&alternative));
                assert!(!holds(set, &format!("@{}", set.name), &line), "@{}: {line}", set.name);
            }
        }
    }
}

#[test]
fn directories_of_the_sets() {
    use crate::effects::below_directory;
    let cases = [
        ("~/.ssh", Some("~/.ssh/**")),
        (".ssh", Some("**/.ssh/**")),
        ("**/.git", Some("**/.git/**")),
        (".github/workflows", Some(".github/workflows/**")),
        ("/etc", Some("/etc/**")),
        ("/ETC/", Some("/ETC/**")),
        ("~/.{aws,bashrc}", Some("~/.{aws,bashrc}/**")),
        (".", Some("./**")),
        ("./", Some("./**")),
        ("~", Some("~/**")),
        ("/", Some("/**")),
        ("src/..", Some("src/../**")),
        ("~/.ssh/**", None),
        ("~/.ssh/id_rsa", None),
        (".env", None),
        ("log", None),
        ("**/bin", None),
        ("config/secrets", None),
        ("src", None),
        ("", None),
    ];
    for (pattern, below) in cases {
        assert_eq!(below_directory(pattern).as_deref(), below, "{pattern}");
    }
}
