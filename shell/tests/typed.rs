//! The commands of lines with their types.

use hookc_shell::{Command, Context, HoleKind, Opaque, RedirectKind, Word, with_commands};

fn context() -> Context<'static> {
    Context { cwd: Some("/r"), ..Context::default() }
}

/// A line with what `show` makes of its last command.
fn last<T>(line: &str, show: impl FnOnce(Command<'_>) -> T) -> T {
    with_commands(line, &context(), |commands| show(commands.iter().last().unwrap())).unwrap()
}

/// A line with what `show` makes of the command with a name.
fn named<T>(line: &str, name: &str, show: impl FnOnce(Command<'_>) -> T) -> T {
    let is = |command: &Command<'_>| command.name() == Some(name);
    with_commands(line, &context(), |commands| show(commands.iter().find(is).unwrap())).unwrap()
}

fn texts<'w>(words: impl Iterator<Item = Word<'w>>) -> String {
    words.map(Word::text).collect::<Vec<_>>().join(" ")
}

fn holes(word: Word<'_>) -> Vec<(String, HoleKind)> {
    word.holes().map(|hole| (hole.text.to_owned(), hole.kind)).collect()
}

#[test]
fn global_flags_are_apart_from_those_of_the_subcommand() {
    let show = |line: &str| {
        last(line, |command| {
            let flags = |global: bool| {
                let flag = |flag: hookc_shell::Flag<'_>| match flag.value() {
                    Some(value) => format!("{}={}", flag.name(), value.text()),
                    None => flag.name().to_owned(),
                };
                if global {
                    command.global_flags().map(flag).collect::<Vec<_>>().join(" ")
                } else {
                    command.flags().map(flag).collect::<Vec<_>>().join(" ")
                }
            };
            (flags(true), command.sub().map_or("", |sub| sub.text()).to_owned(), flags(false))
        })
    };
    let expected = |global: &str, sub: &str, own: &str| (global.to_owned(), sub.to_owned(), own.to_owned());
    assert_eq!(show("git -C x branch -D main"), expected("C=x", "branch", "D"));
    assert_eq!(show("git -c a=b -c c=d push -o x -fo y"), expected("c=a=b c=c=d", "push", "f o=x o=y"));
    assert_eq!(show("docker --context c container run -it i"), expected("context=c", "run", "i t"));
    assert_eq!(show("rm -rf x"), expected("", "", "f r"));
    assert_eq!(show("aws --profile p s3 rm s3://b --recursive"), expected("profile=p", "rm", "recursive"));
}

#[test]
fn a_flag_has_each_of_its_names_and_every_value() {
    last("git -C a -C b push --force -o 1 --push-option=2", |push| {
        assert!(push.has_flag("f") && push.has_flag("force"));
        assert!(!push.has_flag("C") && push.has_global_flag("C"));
        assert_eq!(texts(push.values("o")), "1 2");
        assert_eq!(texts(push.values("push-option")), "1 2");
        assert_eq!(texts(push.global_values("C")), "a b");
        let places: Vec<usize> = push.flags().map(|flag| flag.at()).collect();
        assert_eq!(places.len(), 3, "other names are not flags of their own");
    });
}

#[test]
fn a_subcommand_that_is_unknown_has_its_place() {
    last("git -C x $X y", |git| {
        assert_eq!(git.sub(), None);
        assert_eq!(git.sub_word().map(holes), Some(vec![("$X".to_owned(), HoleKind::Text)]));
        assert!(git.has_global_flag("C"));
        assert_eq!(texts(git.operands()), "y");
    });
    last("ls x", |ls| assert_eq!(ls.sub_word(), None));
}

#[test]
fn holes_are_what_a_running_shell_knows() {
    let of = |word: &str| last(&format!("x {word}"), |x| holes(x.words().nth(1).unwrap()));
    let hole = |text: &str, kind| (text.to_owned(), kind);
    assert_eq!(of("a$B/${C:-d}"), [hole("$B", HoleKind::Text), hole("d", HoleKind::Text)]);
    assert!(of("'a$B*'").is_empty() && of("a[b").is_empty());
    assert_eq!(of("src/*.r?"), [hole("*", HoleKind::Name), hole("?", HoleKind::Char)]);
    assert_eq!(of("a[!]x]b"), [hole("[!]x]", HoleKind::Char)]);
    assert_eq!(of("a[b/c]"), [hole("[b/c]", HoleKind::Text)]);
    assert_eq!(of("\"$(date)\"x"), [hole("$(date)", HoleKind::Text)]);
    last("y=z; x a$y", |x| assert_eq!(x.words().nth(1).unwrap().literal(), Some("az")));
    last("x $A \"$B\" *", |x| {
        let splits: Vec<bool> = x.words().map(Word::can_split).collect();
        assert_eq!(splits, [false, true, false, true]);
    });
    let variable = |word: &str| {
        last(&format!("x \"{word}\""), |x| {
            let word = x.words().nth(1).unwrap();
            word.holes().next().unwrap().variable().map(str::to_owned)
        })
    };
    assert_eq!(variable("$API_TOKEN"), Some("API_TOKEN".to_owned()));
    assert_eq!(variable("${A}b"), Some("A".to_owned()));
    assert_eq!(variable("${A%x}"), Some("A".to_owned()));
    assert_eq!(variable("$(date)"), None);
    assert_eq!(variable("${#A}"), None);
}

#[test]
fn words_of_the_line_have_their_range_in_it() {
    let spans = |line: &str| {
        last(line, |x| {
            let text = |word: Word<'_>| word.span().map_or("", |span| &line[span]);
            x.words().map(text).collect::<Vec<_>>().join("|")
        })
    };
    assert_eq!(spans("y; x 'a b' \"c\" d\\ e \"$f\"g {h,i}"), "x|'a b'|\"c\"|d\\ e|\"$f\"g|{h,i}|{h,i}");
    assert_eq!(spans("A=b; x $A 'c'"), "x|$A|'c'");
    assert_eq!(spans("sudo x ''"), "x|''");
    assert_eq!(spans("eval 'x y'"), "|");
    assert_eq!(spans("echo $(x \"a\"'b')"), "echo|$(x \"a\"'b')");
    named("x --flag='a b' -ofile", "x", |x| {
        let spans: Vec<_> = x.flags().filter_map(|flag| flag.value()?.span()).collect();
        assert!(matches!(&spans[..], [span] if *span == (2..14)), "{spans:?}");
    });
}

#[test]
fn a_command_names_the_one_that_starts_it() {
    let starter = |line: &str, name: &str| {
        named(line, name, |command| command.starter().and_then(|starter| starter.name().map(str::to_owned)))
    };
    for (line, name, expected) in [
        ("sudo -u x rm y", "rm", "sudo"),
        ("find . -exec rm {} +", "rm", "find"),
        ("ls | xargs rm", "rm", "xargs"),
        ("sudo sh -c 'rm y'", "rm", "sh"),
        ("eval 'rm y'", "rm", "eval"),
        ("git -c alias.x='!rm y' x", "rm", "git"),
        ("echo 'rm y' | bash", "rm", "bash"),
    ] {
        assert_eq!(starter(line, name).as_deref(), Some(expected), "{line}");
    }
    assert_eq!(starter("echo $(rm y)", "rm"), None);
    named("sudo sh -c 'rm y'", "rm", |rm| assert_eq!(rm.via().collect::<Vec<_>>(), ["sh -c", "sudo"]));
}

#[test]
fn output_that_a_substitution_takes_is_captured() {
    for (line, captured) in [
        ("x", false),
        ("echo $(x)", true),
        ("echo `x`", true),
        ("diff <(x) y", true),
        ("y > >(x)", false),
        ("echo $(y | x)", true),
        ("A=$(sh -c x)", true),
    ] {
        assert_eq!(named(line, "x", |x| x.is_captured()), captured, "{line}");
    }
    named("echo $(x)", "echo", |echo| assert!(!echo.is_captured()));
}

#[test]
fn redirections_have_kinds_and_paths() {
    let kinds = |line: &str| {
        last(line, |command| command.redirects().map(|redirect| redirect.kind()).collect::<Vec<_>>())
    };
    assert_eq!(
        kinds("x <a >b >>c 2>&1"),
        [RedirectKind::Read, RedirectKind::Write, RedirectKind::Append, RedirectKind::Duplicate]
    );
    assert_eq!(
        kinds("x <<< a <>b &>c"),
        [RedirectKind::HereString, RedirectKind::ReadWrite, RedirectKind::Write]
    );
    last("cat <<E\na $B\nE", |cat| {
        let document = cat.redirects().next().unwrap();
        assert_eq!(document.kind(), RedirectKind::HereDocument);
        assert_eq!(document.body().map(Word::text), Some("a $B\n"));
        assert_eq!(document.body().map(holes), Some(vec![("$B".to_owned(), HoleKind::Text)]));
    });
    last("cd a/../b && x > ../c", |x| {
        let mut path = String::new();
        assert_eq!(x.redirects().next().unwrap().resolve(&mut path), Some(()));
        assert_eq!((x.cwd().path(), path.as_str()), (Some("/r/b"), "/r/c"));
    });
    let writes = |line: &str| last(line, |x| x.redirects().map(|own| own.writes()).collect::<Vec<_>>());
    assert_eq!(writes("x <a >b >$B 2>&1 2>/dev/null >&c"), [false, true, true, false, false, true]);
}

#[test]
fn a_directory_that_can_be_two_is_both() {
    let paths = |line: &str| {
        named(line, "x", |x| x.cwd().paths().map(|path| path.map(str::to_owned)).collect::<Vec<_>>())
    };
    let known = |path: &str| Some(path.to_owned());
    assert_eq!(paths("cd a && x"), [known("/r/a")]);
    assert_eq!(paths("cd a; x"), [known("/r/a"), known("/r")]);
    assert_eq!(paths("cd $A && x"), [None]);
    assert_eq!(paths("x"), [known("/r")]);
    let line = |cwd| {
        with_commands("cd a && x", &Context { cwd, ..Context::default() }, |commands| {
            commands.iter().last().unwrap().cwd().path().map(str::to_owned)
        })
    };
    assert_eq!((line(None).unwrap(), line(Some("~/b")).unwrap()), (None, known("~/b/a")));
}

#[test]
fn every_variable_that_the_line_sets_is_there() {
    let sets = |line: &str| {
        with_commands(line, &context(), |commands| {
            let show = |own: &hookc_shell::Variable<'_>| {
                format!("{}{}", if own.is_exported { "export " } else { "" }, own.name)
            };
            commands.variables().iter().map(show).collect::<Vec<_>>().join(", ")
        })
        .unwrap()
    };
    assert_eq!(sets("A=1; export B=2; read C; for D in x; do E=3; done"), "A, export B, C, D, E");
    assert_eq!(sets("(A=1); (y && B=2 || C=3) & x=$(D=4; y)"), "A, B, C, D, x");
    assert_eq!(sets("f() { local A=1; B=2; }; f"), "A, B");
    assert_eq!(sets("f() { A=1; }"), "A");
    assert_eq!(sets("A=1 x; env B=2 y"), "");
    assert_eq!(sets("A=1; unset A; export A"), "export A");
    assert_eq!(sets("a | while read L; do x; done"), "L");
    assert_eq!(sets("sh -c 'A=1; x'"), "A");
}

#[test]
fn commands_are_related() {
    with_commands("curl u | tee f | sh; x", &context(), |commands| {
        let names = |of: &mut dyn Iterator<Item = Command<'_>>| {
            of.filter_map(|command| command.name()).collect::<Vec<_>>().join(" ")
        };
        let curl = commands.get(0).unwrap();
        assert_eq!(names(&mut curl.pipes_to()), "tee sh");
        let sh = commands.get(2).unwrap();
        assert_eq!(names(&mut sh.runs()), "curl tee");
        assert!(sh.runs().any(|command| command == curl));
        assert_eq!(commands.opaque().collect::<Vec<_>>(), [Opaque::Input]);
        assert_eq!((commands.len(), commands.is_empty()), (4, false));
    })
    .unwrap();
    assert!(with_commands("'", &context(), |_| ()).is_err());
    last("A=1 env B=2 x", |x| {
        let settings: Vec<(&str, &str)> = x.env().map(|own| (own.name.text(), own.value.text())).collect();
        assert_eq!(settings, [("B", "2")]);
    });
}
