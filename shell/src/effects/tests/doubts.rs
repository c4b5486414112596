use crate::effects::{doubts, shipped_sets};

/// The doubts of a pattern: the word, and what it may mean.
fn found(pattern: &str) -> Vec<(String, Option<String>)> {
    let doubts = doubts(pattern, Default::default());
    for doubt in &doubts {
        assert!(pattern.get(doubt.range.clone()).is_some_and(|text| text.contains(&doubt.word)), "{doubt:?}");
    }
    doubts.into_iter().map(|doubt| (doubt.word, doubt.closest)).collect()
}

#[test]
fn slips_have_a_suggestion() {
    for (pattern, word, closest) in [
        ("git psuh", "psuh", Some("push")),
        ("git push --forse", "--forse", Some("--force")),
        ("git push -force", "-force", Some("--force")),
        ("git push !--dry-runn", "--dry-runn", Some("--dry-run")),
        ("git push -fz", "-fz", None),
        ("head -n5", "-n5", Some("-n=5")),
        ("sort -k2 -n", "-k2", Some("-k=2")),
        ("git {push,pul}", "pul", None),
        ("git {psuh,pull}", "psuh", Some("push")),
        ("git remote ad x", "ad", Some("add")),
        ("git worktree add --forse", "--forse", Some("--force")),
        ("terraform destory", "destory", Some("destroy")),
        ("{terraform,tofu} frobnicate", "frobnicate", None),
        ("npm pubilsh", "pubilsh", Some("publish")),
        ("kubectl delte --all", "delte", Some("delete")),
        ("docker comit", "comit", Some("commit")),
        ("curl | git psuh", "psuh", Some("push")),
        ("GIT_DIR=* git psuh", "psuh", Some("push")),
    ] {
        let expected: Vec<_> = match word {
            // Three letters are no slip of others, and git has aliases.
            "pul" => Vec::new(),
            _ => vec![(word.to_owned(), closest.map(str::to_owned))],
        };
        assert_eq!(found(pattern), expected, "{pattern}");
    }
}

#[test]
fn what_a_program_may_have_is_not_doubted() {
    for pattern in [
        "git push",
        "git push -f",
        "git push --no-force",
        "git push -4f",
        "git lg",
        "git co",
        "git st",
        "git help",
        "git -C=x push",
        "git push --help",
        "git stash anything",
        "git push *--x",
        "git p*",
        "git @verbs",
        "git --forse",
        "cargo xyz",
        "cargo nextest",
        "kubectl plugin",
        "kubectl neat",
        "oc new-app",
        "gh dash",
        "docker scout",
        "npm run frobnicate",
        "yarn lint",
        "make tset",
        "frobnicate psuh",
        "{git,frobnicate} psuh",
        "git {psuh,*}",
        "terraform state rm",
        "docker compose dwon",
        "aws s4",
        "git checkout .",
        "go test -run=x",
        "systemctl restart x",
        "pip install x",
        "*",
        "@shells",
        "git $X",
        "git /psuh/",
        "git log -5",
    ] {
        assert_eq!(found(pattern), Vec::new(), "{pattern}");
    }
}

#[test]
fn shipped_sets_have_no_doubts() {
    for set in shipped_sets() {
        for pattern in set.of.iter().chain(set.except) {
            assert_eq!(found(pattern), Vec::new(), "@{}: {pattern}", set.name);
        }
    }
}
