//! Predicates about effects: their trees, spans and errors, and any predicate for the tests of printers.

use std::sync::Arc;

use hookc_schema::tree::{
    Cond, CondKind, Guard, Pattern, Predicate, PredicateName, UncomparedSpan, Verb, print as tree,
};
use hookc_schema::value::Text;
use hookc_schema::{Code, Span, Spanned};
use hookc_syntax::expr::print;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::expr_errors::{WHEN, rejected};
use super::expr_when::parse;

/// Any predicate with such patterns.
pub(crate) fn predicate(
    text: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = CondKind> {
    let pattern = text.prop_map(|text| Spanned::new(Text::plain(text), Span::default()));
    let some = move || vec(pattern.clone(), 0..3);
    let lists = (some(), some(), some(), any::<bool>());
    let guard =
        (select(Verb::ALL), any::<bool>(), lists).prop_map(|(verb, is_possible, (of, except, by, not))| {
            let (by, not_by) = if not { (Vec::new(), by) } else { (by, Vec::new()) };
            Guard { span: UncomparedSpan::default(), verb, is_possible, of, except, by, not_by }
        });
    let certain = guard.clone().prop_map(|guard| Guard { is_possible: false, ..guard });
    let kind = prop_oneof![
        4 => guard.prop_map(Predicate::Guard),
        2 => vec(certain, 0..4).prop_map(Predicate::Only),
        1 => Just(Predicate::Unknown),
        1 => some().prop_map(Predicate::Mentions),
        1 => some().prop_map(Predicate::Passed),
    ];
    kind.prop_map(|predicate| CondKind::Predicate(Arc::new(predicate)))
}

/// The printed tree of an expression, without its last line break.
fn printed(text: &str) -> String {
    tree::condition(&parse(text)).trim_end().replace('\n', ";")
}

#[test]
fn trees() {
    for (text, expected) in [
        ("reads()", "reads"),
        ("reads('a', @secrets)", r#"reads "a" "@secrets""#),
        ("reads ( 'a' )", r#"reads "a""#),
        ("may_change(except './**', '/tmp/**')", r#"may_change except "./**" "/tmp/**""#),
        ("writes('a' except 'b' by 'git checkout')", r#"writes "a" except "b" by "git checkout""#),
        ("sends(not by 'curl', 'wget')", r#"sends not by "curl" "wget""#),
        ("only()", "only"),
        ("only(reads('./**'), runs('cargo test'))", r#"only;  reads "./**";  runs "cargo test""#),
        ("unknown()", "unknown"),
        ("mentions(/a\\/b/i, @keys, '/c/')", r#"mentions "/a/b/i" "@keys" "/c/""#),
        ("passed('cargo test !--no-run')", r#"passed "cargo test !--no-run""#),
        ("not runs('it''s')", r#"not;  runs "it's""#),
        // A name is a predicate only before a parenthesis.
        ("runs == 1 and only.a == 2 and except == 3", r#"all;  runs eq 1;  only.a eq 2;  except eq 3"#),
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn printed_as_people_write_them() {
    for text in [
        "reads('./**' except @secrets, 'a b')",
        "runs('git push --force' except @publish)",
        "only(reads('./**'), runs('cargo test', 'npm run lint')) and not unknown()",
        "mentions(/AKIA[0-9A-Z]{16}/, @keys) or changes('*.lock' not by 'npm')",
    ] {
        assert_eq!(print::when(&parse(text), print::Operators::Symbols), text);
    }
    assert_eq!(
        print::when(&parse("mentions('/a/b/', /c\\/d/)"), print::Operators::Symbols),
        "mentions('/a/b/', '/c/d/')"
    );
}

/// Patterns have the spans of their texts.
#[test]
fn spans() {
    let text = "reads('a''b', @set by \"c\")";
    let Cond { kind: CondKind::Predicate(predicate), .. } = parse(text) else { panic!() };
    let within = |pattern: &Pattern, part: &str| {
        let start = pattern.node.value.find(part).unwrap();
        let span = pattern.node.map.span(pattern.span, start..start + part.len());
        text[span.range()].to_owned()
    };
    let patterns: Vec<&Pattern> = predicate.patterns().collect();
    let [quoted, set, by] = patterns.as_slice() else { panic!() };
    assert_eq!(
        (within(quoted, "b"), within(set, "set"), within(by, "c")),
        ("b".into(), "set".into(), "c".into())
    );
    assert_eq!(&text[quoted.span.range()], "'a''b'");
    assert_eq!(&text[set.span.range()], "@set");
    assert_eq!(&text[predicate.guards()[0].span.0.range()], text);
}

#[test]
fn errors() {
    for (marked, hint) in [
        ("reads(«src»)", "'src'"),
        ("reads(«[»'a'])", "without brackets"),
        ("reads(«/»etc/passwd)", "'/tmp/**'"),
        ("reads('a' «'»b')", ""),
        ("reads('a' «expect» 'b')", "except"),
        ("reads('a' except«)»", "@secrets"),
        ("reads('a' not «in» 'b')", ""),
        ("reads('a' by 'b' «except» 'c')", "the order"),
        ("reads('a' by 'b' «not» by 'c')", "either"),
        ("reads(@ «x»)", "@secrets"),
        ("only(«may_read»('a'))", "reads"),
        ("only(«unknown»())", "guards"),
        ("unknown(«'»x')", "no patterns"),
        ("passed(«/»x/)", "mentions"),
        ("«read»('a')", "reads"),
        ("«may_runs»('a')", "may_run"),
        ("«mention»('a')", "mentions"),
    ] {
        rejected(WHEN, marked, Code::E0302, hint);
    }
}

#[test]
fn every_name_is_a_predicate() {
    let names: Vec<&str> = PredicateName::all().map(PredicateName::as_str).collect();
    assert_eq!(names.len(), 22);
    for name in names {
        assert_eq!(PredicateName::from_name(name).map(PredicateName::as_str), Some(name));
        let _ = parse(&format!("{name}()"));
    }
}
