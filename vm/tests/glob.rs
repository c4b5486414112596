//! Globs: the language by table, errors, time, and `fast-glob` as a judge.

use std::time::{Duration, Instant};

use crate::common::cases;
use hookc_base::text::Case;
use hookc_vm::text::glob::{check, matches};
use proptest::prelude::*;

#[test]
fn language() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("", &[""], &["a"]),
        ("abc", &["abc"], &["ab", "abcd", "ABC"]),
        ("*", &["", "abc", ".git"], &["a/b", "/"]),
        ("*.rs", &["a.rs", ".rs"], &["a/b.rs", "a.rsx"]),
        ("a*c*e", &["ace", "abcde", "acce"], &["ac/e", "a/ce", "acd"]),
        ("?", &["a", "ß", "😀"], &["", "/", "ab"]),
        ("[a-c_]", &["a", "c", "_"], &["d", "-", ""]),
        ("[!a-c]", &["d", "é"], &["a", "/", ""]),
        ("[^a]", &["a", "^"], &["b"]),
        ("[a-]", &["a", "-"], &["b"]),
        ("[-a]", &["a", "-"], &["b"]),
        ("[\\]\\-x\\!]", &["]", "-", "x", "!"], &["\\"]),
        ("[.-0]", &[".", "0"], &["/"]),
        ("[*?{,}]", &["*", "?", "{", ",", "}"], &["a"]),
        ("**", &["", "a", "a/b/c", "/"], &[]),
        ("**/b", &["b", "a/b", "a/a/b", "/b"], &["ab", "a/ab", "b/"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "axb", "a/xb"]),
        ("a/**", &["a/", "a/b", "a/b/c"], &["a", "ab"]),
        ("a**b", &["ab", "axb", "a/b", "ax/yb"], &["b", "a/bc"]),
        ("a**/b", &["a/b", "ax/b", "ax/y/b"], &["ab", "axb"]),
        ("***/b", &["b", "a/b"], &["ab"]),
        ("**/*.{ts,tsx}", &["a.ts", "x/y/a.tsx", ".tsx"], &["a.tsxx", "a.t"]),
        ("**/a*/**/b", &["a/b", "x/ax/b", "x/a/y/z/b"], &["x/b", "a/xb"]),
        ("{a,b}", &["a", "b"], &["", "{a,b}", "ab"]),
        ("{a,b{c,d}e,}x", &["ax", "bcex", "bdex", "x"], &["bx", "bcx"]),
        ("{{a,b},c}", &["a", "b", "c"], &["d"]),
        ("{}", &[""], &["{}"]),
        ("x{*,**/y}", &["x", "xa", "xa/y"], &["xa/b", "x/z"]),
        ("{**/,}a", &["a", "b/a"], &["ba"]),
        ("{a/,b}**/c", &["a/c", "a/x/c", "b/c"], &["bc"]),
        ("a,b}c]", &["a,b}c]"], &[]),
        ("\\*\\{\\\\\\/", &["*{\\/"], &["x{\\/"]),
        (".*", &[".git", "."], &["git"]),
        ("./a", &["./a"], &["a"]),
    ];
    for (pattern, good, bad) in rows {
        assert_eq!(check(pattern), Ok(()), "{pattern}");
        good.iter().for_each(|text| {
            assert!(matches(pattern, text, Case::Respected), "{pattern} should match {text:?}")
        });
        bad.iter().for_each(|text| {
            assert!(!matches(pattern, text, Case::Respected), "{pattern} should not match {text:?}")
        });
        good.iter().for_each(|text| {
            assert!(matches(pattern, text, Case::Ignored), "{pattern} should match {text:?} folded")
        });
    }
}

#[test]
fn folded() {
    for (pattern, text) in [
        ("readme.*", "README.md"),
        ("[a-z]*", "Kilo"),
        ("[A-Z]", "k"),
        ("[A-Z]", "\u{212a}"),
        ("[\u{212a}]", "k"),
        ("{Ä,ö}*", "ÖX"),
        ("ǅ?", "ǆ1"),
        ("[ſ]{S,}", "ss"),
        ("k", "\u{212a}"),
    ] {
        assert!(matches(pattern, text, Case::Ignored), "{pattern} {text}");
        assert!(!matches(pattern, text, Case::Respected), "{pattern} {text} unfolded");
    }
    assert!(!matches("[!a-z]", "K", Case::Ignored) && !matches("ß", "ss", Case::Ignored));
}

#[test]
fn errors() {
    for (pattern, at, what) in [
        ("ab[c", 2, "not closed"),
        ("[", 0, "not closed"),
        ("[a\\", 0, "not closed"),
        ("[!", 0, "not closed"),
        ("x[]a]", 1, "empty class"),
        ("[!]", 0, "empty class"),
        ("[az-b]", 2, "range"),
        ("é{a,{b}", 2, "not closed"),
        ("{a", 0, "not closed"),
        ("a\\", 1, "at the end"),
    ] {
        let error = check(pattern).unwrap_err();
        assert!(error.at == at && error.what.contains(what), "{pattern}: {error}");
        for text in ["", pattern, "a", "xa]"] {
            assert!(!matches(pattern, text, Case::Respected), "{pattern} {text}");
        }
    }
    let nested = |depth| "{".repeat(depth) + &"}".repeat(depth);
    assert!(check(&nested(16)).is_ok());
    assert_eq!(check(&nested(17)).unwrap_err().at, 16);
    assert!(check(&"a".repeat(64 << 10)).is_ok() && check(&"a".repeat((64 << 10) + 1)).is_err());
    let long = "a".repeat((64 << 10) + 1);
    assert!(!matches(&long, &long, Case::Respected));
}

#[test]
#[cfg_attr(miri, ignore = "a measurement of time")]
fn time_is_bounded() {
    let start = Instant::now();
    let text = "a".repeat(1_000);
    for pattern in ["*a", "**a", "**/a*a*a*", "{a,*a}", "{*,**}"].map(|part| part.repeat(80)) {
        for end in ["b", "b*", "{b,c}"] {
            let _ = matches(&format!("{pattern}{end}"), &text, Case::Respected);
            let _ = matches(&format!("{pattern}{end}"), &text.replace("aaaa", "aaa/"), Case::Ignored);
        }
    }
    let long = "a".repeat(1 << 18);
    for pattern in ["**a*b", "**a*", "**a*/", "**/a*b", "**aa*{b,c}", "**ab*"] {
        let _ = matches(pattern, &long, Case::Respected);
        let _ = matches(pattern, &format!("{long}/"), Case::Ignored);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// The obvious matcher: expands braces and tries every star at every position.
fn naive(pattern: &str, text: &str) -> bool {
    expand(pattern).iter().any(|pattern| {
        let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
        obvious(&pattern, &text, true)
    })
}

/// Expands the braces of a pattern without escapes and classes.
fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let (mut depth, mut from, mut parts) = (0, open + 1, Vec::new());
    for (at, c) in pattern.char_indices().skip(open) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 1 && c == ',' || depth == 0 {
            parts.push(&pattern[from..at]);
            from = at + 1;
        }
        if depth == 0 {
            let whole = |part| format!("{}{part}{}", &pattern[..open], &pattern[at + 1..]);
            return parts.into_iter().map(whole).flat_map(|pattern| expand(&pattern)).collect();
        }
    }
    unreachable!("closed");
}

fn obvious(pattern: &[char], text: &[char], fresh: bool) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', '*', '/', rest @ ..] => {
            fresh && obvious(rest, text, true)
                || (0..text.len()).any(|i| text[i] == '/' && obvious(rest, &text[i + 1..], true))
        }
        ['*', '*', rest @ ..] if rest.first() == Some(&'*') => obvious(&pattern[1..], text, fresh),
        ['*', '*', rest @ ..] => (0..=text.len())
            .any(|i| obvious(rest, &text[i..], if i == 0 { fresh } else { text[i - 1] == '/' })),
        ['*', rest @ ..] => {
            let end = text.iter().position(|c| *c == '/').unwrap_or(text.len());
            (0..=end).any(|i| obvious(rest, &text[i..], fresh && i == 0))
        }
        [c, rest @ ..] => match text {
            [t, text @ ..] if c == t || *c == '?' && *t != '/' => obvious(rest, text, *t == '/'),
            _ => false,
        },
    }
}

/// The subset with the same meaning in both. Excluded, because they differ:
/// - `**` that is not a whole segment (fast-glob: a `*`; here it crosses `/`), and `**` next to
///   braces, where the alternative determines the segment;
/// - `^` in classes (there a negation), `]` as the first member of a class, a `!` at the start of
///   the pattern (there it negates the whole);
/// - texts with empty segments, and an empty text (there `a/**` and similar patterns have special
///   rules);
/// - braces deeper than 10, or more than 10 of them (there a limit).
fn common() -> impl Strategy<Value = String> {
    let segment = "([ab.]|\\*|\\?|\\[[ab]\\]|\\[!a\\]|\\[a-c\\]|\\\\a|\\{a,b\\}|\\{a,b?\\}){1,4}";
    let part =
        prop_oneof![4 => segment.prop_filter("two stars", |s| !s.contains("**")), 1 => Just("**".to_owned())];
    proptest::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 40_000, ..cases(2_000) })]

    #[test]
    fn agrees_with_fast_glob(pattern in common(), text in "[abc.]{1,3}(/[abc.]{1,3}){0,3}") {
        prop_assert_eq!(check(&pattern), Ok(()));
        prop_assert_eq!(matches(&pattern, &text, Case::Respected), fast_glob::glob_match(&pattern, &text), "{} {}", pattern, text);
    }

    #[test]
    fn agrees_with_the_obvious(pattern in "([ab/?]|\\*|\\*\\*|\\*\\*/){0,8}", text in "[ab/]{0,8}") {
        prop_assert_eq!(matches(&pattern, &text, Case::Respected), naive(&pattern, &text), "{} {}", pattern, text);
    }

    /// Empty braces change only the engine; from two pairs on, the general one is used.
    #[test]
    fn both_engines_agree(pattern in "([abß?]|\\*|\\*\\*|\\*\\*/|/|\\[a-c\\]|\\[!b\\]){0,9}", text in "[abBcß/]{0,10}", is_folded: bool) {
        let braces = format!("{pattern}{{}}{{}}");
        prop_assert_eq!(matches(&pattern, &text, Case::ignored_if(is_folded)), matches(&braces, &text, Case::ignored_if(is_folded)), "{} {}", pattern, text);
    }

    #[test]
    fn both_engines_agree_about_braces(
        before in "([ab/]|\\*|\\*\\*/?){0,3}",
        inside in "([ab/?,]|\\*|\\*\\*/|\\[,}b\\]|\\\\,){0,6}",
        after in "([ab/},]|\\*|\\*\\*/?){0,3}",
        text in "[ab/,}]{0,8}",
    ) {
        let pattern = format!("{before}{{{inside}}}{after}");
        let braces = format!("{pattern}{{}}{{}}");
        prop_assert_eq!(matches(&pattern, &text, Case::Respected), matches(&braces, &text, Case::Respected), "{} {}", pattern, text);
    }

    #[test]
    fn braces_agree_with_expansion(
        parts in proptest::collection::vec("([ab*?/]|\\{[ab*/]{0,3},[ab?]{0,2}(,\\{a,b/\\})?\\}|\\*\\*/){0,3}", 0..4),
        text in "[ab/]{0,7}",
    ) {
        let pattern = parts.join("");
        // An alternative's end and what follows must not join to new stars.
        let joined = expand(&pattern).iter().any(|p| p.contains("***") || p.matches("**").count() != p.matches("**/").count());
        prop_assume!(!joined && !pattern.contains("*{") && !pattern.contains("}*") && !pattern.contains("*}") && !pattern.contains("*,"));
        prop_assert_eq!(matches(&pattern, &text, Case::Respected), naive(&pattern, &text), "{} {}", pattern, text);
    }

    #[test]
    fn any_pattern_is_safe(pattern in "[ab\\[\\]{},!*?/\\\\^-]{0,12}", text in "[ab/{}!]{0,8}", is_folded: bool) {
        let matched = matches(&pattern, &text, Case::ignored_if(is_folded));
        prop_assert!(!matched || check(&pattern).is_ok(), "{} {}", pattern, text);
    }
}
