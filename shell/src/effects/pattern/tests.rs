use proptest::prelude::*;

use super::glob::{Case, Glob, Syntax};
use super::machine::{Match, Meter};
use super::name::NamePattern;
use super::path::{Object, PathPattern, Roots};
use super::reading::Reading::{self, Exclude, Guard, May, Permit};
use crate::HoleKind;
use crate::effects::{Gap, PatternKind, Scheme, Text};

const ROOTS: Roots<'static> = Roots { project: Some("/srv/app"), cwd: Some("/srv/app/web") };

/// `$` is any text, `*` any name, `?` a character.
fn holes(text: &str) -> Vec<Gap> {
    let kind = |byte| match byte {
        b'$' => Some(HoleKind::Text),
        b'*' => Some(HoleKind::Name),
        b'?' => Some(HoleKind::Char),
        _ => None,
    };
    let gap = |(at, byte)| {
        let from = u32::try_from(at).unwrap();
        Some(Gap { from, to: from + 1, kind: kind(byte)? })
    };
    text.bytes().enumerate().filter_map(gap).collect()
}

fn has(pattern: &str, text: &str, is_tree: bool, scheme: Scheme, roots: Roots<'_>, reading: Reading) -> bool {
    let holes = holes(text);
    let object = Object { text: Text { text, holes: &holes }, scheme, is_tree, roots };
    PathPattern::new(pattern).unwrap().has(object, reading, &Meter::default())
}

/// For which readers an object is in a pattern.
fn readers(pattern: &str, text: &str, is_tree: bool) -> Vec<Reading> {
    let (scheme, text) = match text.split_once(':') {
        Some(("env", name)) => (Scheme::Variable, name),
        Some(("ref", name)) => (Scheme::Ref, name),
        _ => (Scheme::File, text),
    };
    let readings = [Guard, May, Permit, Exclude];
    readings.into_iter().filter(|reading| has(pattern, text, is_tree, scheme, ROOTS, *reading)).collect()
}

const ALL: &[Reading] = &[Guard, May, Permit, Exclude];
/// Widely only: another case, another home, from the working directory.
const WIDE: &[Reading] = &[Guard, May, Exclude];
const MAYBE: &[Reading] = &[May, Exclude];
const NONE: &[Reading] = &[];

#[test]
fn paths() {
    let cases: &[(&str, &str, &[Reading])] = &[
        // A name is anywhere.
        (".env", "/srv/app/.env", ALL),
        (".env", "~/.env", ALL),
        (".env", ".env", ALL),
        (".env", "/srv/app/.envrc", NONE),
        (".env", "/srv/.env/x", NONE),
        ("*.pem", "/a/b.PEM", WIDE),
        ("**/x", "/a/x", ALL),
        ("id_{rsa}", "/a/id_{rsa}", ALL),
        // The project, and for guards the working directory.
        ("./src/**", "/srv/app/src/a/b", ALL),
        ("src/**", "/srv/app/src", ALL),
        ("src/**", "/srv/app/srcx", NONE),
        ("src/**", "/srv/app/web/src/a", WIDE),
        ("src/**", "/SRV/app/SRC/a", WIDE),
        (".", "/srv/app", ALL),
        (".", "/srv/app/x", NONE),
        (".", "/srv/application", NONE),
        ("./**", "/srv/app/x/y", ALL),
        ("./**", "/srv/app", ALL),
        ("./**", "/srv/application", NONE),
        ("../lib/*", "/srv/lib/x", ALL),
        ("..", "/srv", ALL),
        ("./a/../b/", "/srv/app/b", ALL),
        // Stars stay within a name.
        ("/etc/*", "/etc/passwd", ALL),
        ("/etc/*", "/etc/a/b", NONE),
        ("/etc/*", "/etc", NONE),
        ("**/.ssh/**", "/home/me/.ssh/id", ALL),
        ("**/.ssh/**", "~/.ssh", ALL),
        ("/a/**/b", "/a/b", ALL),
        ("/a/**/b", "/a/x/y/b", ALL),
        ("/a/**/**/b", "/a/b", ALL),
        ("/a/**/b", "/a/xb", NONE),
        ("/**", "/", ALL),
        ("/**", "~/x", NONE),
        ("**", "~/x", ALL),
        ("/", "/", ALL),
        // Classes and escapes.
        ("/x[0-9]", "/x5", ALL),
        ("/x[!0-9]", "/x5", NONE),
        ("/x[]a]", "/x]", ALL),
        ("/x[a", "/x[a", ALL),
        ("/x[A-C]", "/xb", WIDE),
        (r"/\*", "/x", NONE),
        (r"\*", "/*x", NONE),
        ("/ÄB", "/äb", WIDE),
        // Homes.
        ("~/.npmrc", "~/.npmrc", ALL),
        ("~/.npmrc", "/home/me/.npmrc", WIDE),
        ("~/.npmrc", "/home/.npmrc", NONE),
        ("~/**", "/root/x", WIDE),
        ("~", "/Users/a", WIDE),
        // Schemes.
        ("env:*TOKEN", "env:API_TOKEN", ALL),
        ("env:*token", "env:API_TOKEN", WIDE),
        ("env:*", "ref:main", NONE),
        ("**", "env:X", NONE),
        ("*", "ref:x", NONE),
        ("ref:release/*", "ref:release/a/b", ALL),
        ("env:*", "/env:X", NONE),
    ];
    for (pattern, object, expected) in cases {
        assert_eq!(readers(pattern, object, false), *expected, "{pattern} {object}");
    }
}

#[test]
fn unknown_parts() {
    let cases: &[(&str, &str, &[Reading])] = &[
        (".env", "/srv/app/$", MAYBE),
        ("/etc/**", "/etc/$", &[Guard, May, Exclude]),
        ("/etc/*", "/etc/$", MAYBE),
        ("/etc/*", "/etc/*", ALL),
        // Any text can be `..`.
        ("./**", "/srv/app/$", &[Guard, May, Exclude]),
        ("./**", "/srv/app/.*", &[Guard, May, Exclude]),
        ("./**", "/srv/app/.?", &[Guard, May, Exclude]),
        ("./**", "/srv/app/.*x", ALL),
        ("**", "/srv/app/$", ALL),
        ("./**", "/srv/app/*.rs", ALL),
        ("*.rs", "/srv/app/*.rs", ALL),
        ("*.rs", "/srv/app/$.rs", &[Guard, May, Exclude]),
        ("/?x", "/?x", ALL),
        ("/a/b", "/*", NONE),
        ("/a/b", "/$", MAYBE),
        // What cannot be matched is excluded all the same, if unknown text can lead anywhere.
        ("/a/b/c", "/x$", &[Exclude]),
        ("src/**", "$/x", MAYBE),
        ("./**", "/srv/$", MAYBE),
        ("./**", "/srv/ap?/x", MAYBE),
        // A wildcard of a shell matches no dot at the start of a name.
        (".env", "/a/*", NONE),
        (".env", "/a/*env", NONE),
        (".env", "/a/.*", &[Guard, May, Exclude]),
        (".env", "/a/x/?env", NONE),
        (".env", "/a/$env", MAYBE),
        // Files that are meant: a literal place, or the same first character.
        ("/etc/passwd", "/etc/*", &[Guard, May, Exclude]),
        ("/etc/passwd", "/et?/passwd", MAYBE),
        ("Cargo.lock", "/a/C*", &[Guard, May, Exclude]),
        ("*.lock", "/a/C*", MAYBE),
        ("env:*TOKEN", "env:$", MAYBE),
    ];
    for (pattern, object, expected) in cases {
        assert_eq!(readers(pattern, object, false), *expected, "{pattern} {object}");
    }
}

#[test]
fn trees() {
    let cases: &[(&str, &str, &[Reading])] = &[
        ("./**", "/srv/app/src", ALL),
        ("src/*", "/srv/app/src", WIDE),
        (".env", "/srv/app", MAYBE),
        ("**/.env", "/", MAYBE),
        ("/etc/shadow", "/etc", WIDE),
        ("/etc/shadow", "/usr", NONE),
        ("/etc/shadow", "/", WIDE),
        ("/etc/shadow", "/et", NONE),
        ("/etc/ssl/*.pem", "/etc", WIDE),
        ("/etc/*.pem", "/etc", WIDE),
        ("~/.ssh/**", "/home", WIDE),
        ("~/.ssh/**", "~", WIDE),
        ("src/a", "/srv", WIDE),
        ("src/a", "/srv/app", WIDE),
        ("./**", "/srv", WIDE),
        ("./**", "/srv/ap", NONE),
        ("**", "/", ALL),
        ("/x", "/x", WIDE),
    ];
    for (pattern, object, expected) in cases {
        assert_eq!(readers(pattern, object, true), *expected, "{pattern} {object}");
    }
}

#[test]
fn unknown_directories() {
    let unknown = Roots { project: Some(""), cwd: Some("") };
    let matches = |pattern, text, roots, reading| has(pattern, text, false, Scheme::File, roots, reading);
    assert!(matches("./src/**", "src/x", unknown, Permit) && matches("./**", "x", unknown, Permit));
    assert!(!matches("./**", "../x", unknown, Guard) && !matches("./**", "/x", unknown, Guard));
    // What is above an unknown directory.
    for (pattern, path, is_in) in [
        ("../**", "../x", true),
        ("../**", "x", true),
        ("../**", "", true),
        ("../**", "../../x", false),
        ("../**", "/x", false),
        ("../*", "../x", true),
        ("../*", "x/y", false),
        ("../*/x", "x", true),
        ("../../a", "../../a", true),
        ("../a", "../../a", false),
    ] {
        assert_eq!(matches(pattern, path, unknown, Guard), is_in, "{pattern} {path}");
    }
    assert!(!matches("./**", "$/x", unknown, Guard) && matches("./**", "$/x", unknown, May));
    let nowhere = Roots { project: None, cwd: Some("/srv") };
    assert!(!matches("./**", "/srv/x", nowhere, Permit) && matches("./**", "/srv/x", nowhere, Guard));
}

#[test]
fn pipes_are_unknown_files() {
    let pipe = |pattern, reading| has(pattern, "-", false, Scheme::Pipe, ROOTS, reading);
    assert!(pipe("**", Guard) && !pipe(".env", Guard) && pipe(".env", May) && pipe(".env", Exclude));
}

#[test]
fn names() {
    let has = |pattern, text, kind, reading| {
        let holes = holes(text);
        NamePattern::new(pattern, kind).unwrap().has(Text { text, holes: &holes }, reading, &Meter::default())
    };
    for (pattern, text, kind) in [
        ("*.internal", "wiki.internal", PatternKind::Host),
        ("registry:*", "registry:npm", PatternKind::Host),
        (r"\@configured", "@configured", PatternKind::Host),
        ("left-pad", "npm:left-pad", PatternKind::Package),
        ("npm:*", "npm:left-pad", PatternKind::Package),
        ("*://*", "pip:git+https://h/x", PatternKind::Package),
        ("main", "origin:main", PatternKind::Branch),
        ("release/*", "origin:release/a/b", PatternKind::Branch),
        ("origin:*", "origin:x", PatternKind::Branch),
        ("main", "https://h/x:main", PatternKind::Branch),
        ("main", "$:main", PatternKind::Branch),
    ] {
        assert!(has(pattern, text, kind, Permit), "{pattern} {text}");
    }
    assert!(
        !has("main", "main:x", PatternKind::Branch, May) && has("main", "origin:$", PatternKind::Branch, May)
    );
    assert!(
        has("MAIN", "o:main", PatternKind::Branch, Guard)
            && !has("MAIN", "o:main", PatternKind::Branch, Permit)
    );
    assert!(
        !has("*.example", "$.example", PatternKind::Host, Guard) && has("a", "$.b", PatternKind::Host, May)
    );
    assert!(!has("main", "main:x", PatternKind::Package, May));
}

#[test]
fn packages_with_a_version() {
    let has = |pattern, text, reading| {
        let holes = holes(text);
        let pattern = NamePattern::new(pattern, PatternKind::Package).unwrap();
        pattern.has(Text { text, holes: &holes }, reading, &Meter::default())
    };
    for (pattern, text) in [
        ("left-pad", "npm:left-pad@1.3.0"),
        ("npm:left-pad", "npm:left-pad@latest"),
        ("left-pad", "npm:left-pad@$"),
        ("@types/node", "npm:@types/node@20"),
        ("requests", "pypi:requests==2.0"),
        ("requests", "pypi:requests >= 2"),
        ("flask", "pypi:flask[async]==3"),
        ("h/x", "go:h/x@latest"),
        ("left-pad@1.3.0", "npm:left-pad@1.3.0"),
    ] {
        assert!(has(pattern, text, Guard), "{pattern} {text}");
        assert_eq!(has(pattern, text, Permit), pattern.contains("@1"), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("left", "npm:left-pad@1"),
        ("types", "npm:@types/node"),
        ("npm", "npm:@types/node@20"),
        ("pypi:git+https://me", "pypi:git+https://me@h/x"),
        ("left-pad@1", "npm:left-pad@2"),
        ("left-pad", "npm:left-pad$"),
    ] {
        assert!(!has(pattern, text, Guard), "{pattern} {text}");
    }
}

#[test]
fn patterns_that_cannot_be_read() {
    for pattern in ["", "foo:x", "~me/x"] {
        assert!(PathPattern::new(pattern).is_err(), "{pattern}");
    }
    for pattern in ["c:x", "./foo:x", "~me", "a:b:c"] {
        assert!(PathPattern::new(pattern).is_ok(), "{pattern}");
    }
}

#[test]
fn hostile_patterns_end_soon() {
    let text = "a".repeat(5_000);
    let meter = Meter::default();
    let glob = Glob::new(&"*a".repeat(2_000), Syntax::Text);
    assert!(!glob.matches(Text::literal(&text), Match::Certain, Case::Ignored, &meter));
    assert!(glob.matches(Text::literal(&text), Match::Possible, Case::Ignored, &meter));
    let text = "$a*".repeat(500);
    let holes = holes(&text);
    let glob = Glob::new(&"[a-f]*[!b]?".repeat(100), Syntax::Path);
    for _ in 0..100 {
        glob.matches(Text { text: &text, holes: &holes }, Match::Possible, Case::Ignored, &meter);
    }
    assert!(!meter.has_left());
}

/// Every text of at most three characters that a text with holes can be.
fn values(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    for next in text.chars() {
        let alphabet: &[char] = if next == '$' { &['a', 'b', '.', '/'] } else { &['a', 'b', '.'] };
        let grow = |values: &[String]| -> Vec<String> {
            let grown = |value: &String| {
                alphabet.iter().map(move |next| format!("{value}{next}")).collect::<Vec<_>>()
            };
            values.iter().flat_map(grown).collect()
        };
        let added = match next {
            '?' => grow(&[String::new()]),
            '$' | '*' => {
                let once = grow(&[String::new()]);
                let twice = grow(&once);
                [vec![String::new()], once, twice].concat()
            }
            other => vec![other.to_string()],
        };
        values = values
            .iter()
            .flat_map(|value| added.iter().map(move |added| (value, added)))
            .filter(|(value, added)| {
                // A wildcard matches no dot at the start of a name.
                let is_start = value.is_empty() || value.ends_with('/');
                !(matches!(next, '*' | '?') && is_start && added.starts_with('.'))
            })
            .map(|(value, added)| format!("{value}{added}"))
            .collect();
    }
    values
}

proptest! {
    #[test]
    fn the_ends_of_a_text_tell_the_truth(
        pattern in prop::collection::vec(prop::sample::select(&["a", "B", "/", "*", "**", "?", "[ab]", "."][..]), 0..6),
        text in "[aAb/.]{0,2}[$*?ab/.]{0,4}",
        is_text: bool,
        is_root: bool,
    ) {
        let holes = holes(&text);
        let text = Text { text: &text, holes: &holes };
        let glob = Glob::new(&pattern.concat(), if is_text { Syntax::Text } else { Syntax::Path });
        let glob = if is_root { glob.anywhere() } else { glob };
        for how in [Match::Certain, Match::Possible] {
            for case in [Case::Respected, Case::Ignored] {
                let meter = Meter::default();
                prop_assert_eq!(glob.matches(text, how, case, &meter), glob.compare_text(text, false, how, case, &meter));
                prop_assert_eq!(glob.matches_below(text, how, case, &meter), glob.compare_text(text, true, how, case, &meter));
            }
        }
    }

    #[test]
    fn holes_are_all_their_values(pattern in "[ab*?.]{0,4}", text in "[ab]{0,1}[$ab?]{0,3}") {
        let holes = holes(&text);
        let holed = Text { text: &text, holes: &holes };
        let glob = Glob::new(&pattern, Syntax::Text);
        let meter = Meter::default();
        let matches = |text, how| glob.matches(text, how, Case::Respected, &meter);
        let values = values(&text);
        let matched = values.iter().filter(|value| matches(Text::literal(value), Match::Certain)).count();
        if matches(holed, Match::Certain) {
            prop_assert_eq!(matched, values.len());
        }
        if matched > 0 {
            prop_assert!(matches(holed, Match::Possible));
        }
        if matched < values.len() {
            prop_assert!(!matches(holed, Match::Certain));
        }
    }

    #[test]
    fn names_with_wildcards_start_with_no_dot(pattern in "[ab*.]{0,4}", text in "[ab.]{0,1}[*ab?.]{1,3}") {
        let holes = holes(&text);
        let holed = Text { text: &text, holes: &holes };
        let glob = Glob::new(&pattern, Syntax::Path);
        let meter = Meter::default();
        let matches = |text, how| glob.matches(text, how, Case::Respected, &meter);
        let values = values(&text).into_iter().filter(|value| {
            !value.starts_with('.') || text.starts_with('.')
        }).collect::<Vec<_>>();
        let matched = values.iter().filter(|value| matches(Text::literal(value), Match::Certain)).count();
        if matched > 0 {
            prop_assert!(matches(holed, Match::Possible), "{:?}", values);
        }
        if matched < values.len() {
            prop_assert!(!matches(holed, Match::Certain), "{:?}", values);
        }
    }

    #[test]
    fn what_is_certain_is_possible(pattern in "(\\./|/|~/|\\*\\*/)?[ab*./]{1,8}", text in "(/srv/app|~|)/[ab*$?./]{0,6}", is_tree: bool) {
        let Ok(pattern) = PathPattern::new(&pattern) else { return Ok(()) };
        let holes = holes(&text);
        let object = Object { text: Text { text: &text, holes: &holes }, scheme: Scheme::File, is_tree, roots: ROOTS };
        let meter = Meter::default();
        let matches = |reading| pattern.has(object, reading, &meter);
        prop_assert!(!matches(Guard) || matches(May));
        prop_assert!(!matches(Permit) || matches(Guard) && matches(Exclude));
        if holes.is_empty() && !is_tree {
            prop_assert_eq!(matches(Guard), matches(May));
            prop_assert_eq!(matches(Guard), matches(Exclude));
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_a_problem(pattern in "\\PC{0,40}", text in "\\PC{0,40}") {
        let holes = holes(&text);
        let object = Object { text: Text { text: &text, holes: &holes }, scheme: Scheme::File, is_tree: true, roots: ROOTS };
        if let Ok(pattern) = PathPattern::new(&pattern) {
            for reading in ALL {
                pattern.has(object, *reading, &Meter::default());
            }
        }
        let _ = super::braces::expand(&pattern, 100);
        if let Some(regex) = super::regex::RegexPattern::new(&pattern) {
            let _ = regex.check();
        }
    }
}
