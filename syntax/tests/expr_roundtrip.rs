//! Print, then parse: the identity for every condition, path, value and
//! template that can be written.

use std::sync::Arc;

use hookc_schema::span::Spanned;
use hookc_schema::tree::{
    Comparable, CompareOp, Cond, CondKind, Filter, Function, Leaf, Op, Path, PathKind, Quantified,
    Quantifier, Query, Right, Segment, Selector, Step, View, ViewKind,
};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_syntax::expr::template::{self, Piece, Template};
use hookc_syntax::expr::{json, path, print, when};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const WORDS: &[&str] = &[
    "in",
    "and",
    "OR",
    "Not",
    "true",
    "NULL",
    "null",
    "exists",
    "all",
    "any",
    "nocase",
    "assert_format",
    "glob",
    "eq",
    "matches",
    "within",
    "since",
    "per",
    "including",
    "where",
    "of",
    "now",
    "count",
    "last",
    "formerly",
    "denied",
    "2fa",
    "10",
    "1e5",
    "-1",
    "-a",
    "",
    " ",
    "a b",
    "a.b",
    "it's",
    "\"q\"",
    "[0]",
    "$",
    "@",
    "é",
    "名前",
    "☺",
    "\u{0}",
    "\n",
    "\t",
    "\\",
    "\u{7f}",
    "\u{2028}",
    "\u{feff}",
    "\u{ffff}",
    "\u{10ffff}",
    "<&>\"'",
    "}",
    "${",
    "²",
    "a\u{301}",
];

const OPS: &[CompareOp] =
    &[CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Lte, CompareOp::Gt, CompareOp::Gte];

fn span<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z_][a-z0-9_-]{0,6}",
        3 => select(WORDS).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn pattern() -> BoxedStrategy<String> {
    const PATTERNS: &[&str] =
        &["@secrets", "@", "@a b", "/a b/", "/a/i", "/a\\/", "//", "/a/b/", "git push -f", "'"];
    prop_oneof![2 => select(PATTERNS).prop_map(str::to_owned), 1 => text()].boxed()
}

fn number() -> impl Strategy<Value = Number> {
    "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,4})?".prop_map(Number)
}

fn index() -> impl Strategy<Value = i64> {
    let most = (1i64 << 53) - 1;
    prop_oneof![-3i64..5, Just(most), Just(-most)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![3 => text().prop_map(Step::Name), 1 => index().prop_map(Step::Index)]
}

fn function(query: BoxedStrategy<Query>) -> impl Strategy<Value = Function> {
    let side = || comparable(query.clone(), 0);
    prop_oneof![
        side().prop_map(Function::Length),
        (any::<bool>(), query.clone()).prop_map(|(root, query)| Function::Count(root, query)),
        (any::<bool>(), query.clone()).prop_map(|(root, query)| Function::Value(root, query)),
        (side(), side()).prop_map(|(text, pattern)| Function::Match(text, pattern)),
        (side(), side()).prop_map(|(text, pattern)| Function::Search(text, pattern)),
    ]
}

fn singular() -> impl Strategy<Value = Query> {
    let selector = prop_oneof![text().prop_map(Selector::Name), index().prop_map(Selector::Index)];
    vec(selector.prop_map(|one| Segment::Child(vec![one])), 0..3).prop_map(|segments| Query { segments })
}

fn comparable(query: BoxedStrategy<Query>, calls: u32) -> BoxedStrategy<Comparable> {
    let plain = prop_oneof![
        Just(Comparable::Null),
        any::<bool>().prop_map(Comparable::Bool),
        number().prop_map(Comparable::Num),
        text().prop_map(Comparable::Str),
        (any::<bool>(), singular()).prop_map(|(root, query)| Comparable::Query(root, query)),
    ];
    if calls == 0 {
        return plain.boxed();
    }
    let valued =
        function(query).prop_filter("a value", |f| !matches!(f, Function::Match(..) | Function::Search(..)));
    prop_oneof![4 => plain, 1 => valued.prop_map(|f| Comparable::Call(Box::new(f)))].boxed()
}

// A group of one operator is read as a part of the list around it.
fn or_parts(filter: Filter) -> Vec<Filter> {
    if let Filter::Or(parts) = filter { parts } else { vec![filter] }
}

fn and_parts(filter: Filter) -> Vec<Filter> {
    if let Filter::And(parts) = filter { parts } else { vec![filter] }
}

fn filter(query: BoxedStrategy<Query>) -> impl Strategy<Value = Filter> {
    let side = || comparable(query.clone(), 1);
    let logical = function(query.clone())
        .prop_filter("a truth", |f| matches!(f, Function::Match(..) | Function::Search(..)));
    let leaf = prop_oneof![
        (side(), select(OPS), side()).prop_map(|(l, op, r)| Filter::Compare(l, op, r)),
        (any::<bool>(), query.clone()).prop_map(|(root, query)| Filter::Exists(root, query)),
        logical.prop_map(Filter::Call),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4)
                .prop_map(|parts| Filter::Or(parts.into_iter().flat_map(or_parts).collect())),
            vec(inner.clone(), 2..4)
                .prop_map(|parts| Filter::And(parts.into_iter().flat_map(and_parts).collect())),
            inner.prop_map(|one| Filter::Not(Box::new(one))),
        ]
    })
}

fn query_over(inner: Option<BoxedStrategy<Query>>) -> BoxedStrategy<Query> {
    let bound = || option::of(index());
    let plain = prop_oneof![
        4 => text().prop_map(Selector::Name),
        1 => Just(Selector::Wildcard),
        2 => index().prop_map(Selector::Index),
        1 => (bound(), bound(), bound()).prop_map(|(start, end, step)| Selector::Slice { start, end, step }),
    ];
    let selector = match inner {
        None => plain.boxed(),
        Some(inner) => {
            let filter = filter(inner).prop_map(|f| Selector::Filter(span(f)));
            prop_oneof![4 => plain, 1 => filter].boxed()
        }
    };
    let segment = prop_oneof![
        3 => vec(selector.clone(), 1..3).prop_map(Segment::Child),
        1 => vec(selector, 1..3).prop_map(Segment::Descendant),
    ];
    vec(segment, 0..4).prop_map(|segments| Query { segments }).boxed()
}

fn query() -> BoxedStrategy<Query> {
    query_over(Some(query_over(Some(query_over(None)))))
}

fn a_path() -> impl Strategy<Value = Path> {
    let short = (text(), vec(step(), 0..4))
        .prop_map(|(first, rest)| PathKind::Short(std::iter::once(Step::Name(first)).chain(rest).collect()));
    let kind = prop_oneof![3 => short, 1 => query().prop_map(PathKind::Query), 1 => a_view()];
    kind.prop_map(|kind| Path { span: Span::default(), text: "".into(), kind })
}

fn a_view() -> impl Strategy<Value = PathKind> {
    let short = (text(), vec(step(), 0..4))
        .prop_map(|(first, rest)| PathKind::Short(std::iter::once(Step::Name(first)).chain(rest).collect()));
    let source = prop_oneof![3 => short, 1 => singular().prop_map(PathKind::Query)];
    (select(ViewKind::ALL), source, query()).prop_map(|(kind, path, rest)| {
        let root = PathKind::Query(Query::default());
        let kind_of_source = if kind.reads_text() { path } else { root };
        let source = Path { span: Span::default(), text: "".into(), kind: kind_of_source };
        // `size(a)` is `size(a).length`.
        let length = || Query { segments: vec![Segment::Child(vec![Selector::Name("length".to_owned())])] };
        let is_short = kind == ViewKind::Size && rest.segments.is_empty();
        let rest = if is_short { length() } else { rest };
        PathKind::View(Box::new(View { kind, source, rest }))
    })
}

fn scalar() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Bool),
        number().prop_map(Kind::Num),
        text().prop_map(|text| Kind::Str(Text::plain(text))),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = scalar().prop_map(|kind| Value::new(kind, Span::default()));
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members = vec((text(), inner.clone()), 0..4).prop_map(|members| {
            let mut seen = std::collections::HashSet::new();
            let once = members.into_iter().filter(|(key, _)| seen.insert(key.clone()));
            Kind::Map(once.map(|(key, value)| Member { key: span(key), value }).collect())
        });
        let kind = prop_oneof![vec(inner, 0..4).prop_map(Kind::Seq), members];
        kind.prop_map(|kind| Value::new(kind, Span::default()))
    })
}

fn leaf() -> impl Strategy<Value = Leaf> {
    let parts = (a_path(), select(Op::ALL), value(), option::of(a_path()), any::<[bool; 3]>());
    parts.prop_map(|(path, op, value, other, [ignore_case, assert_format, bare])| {
        let right = match other {
            // Readers drop a `true`.
            _ if op == Op::Exists && (bare || value.kind == Kind::Bool(true)) => Right::None,
            Some(other) if op.takes_path() => Right::Path(other),
            _ => Right::Value(value.into()),
        };
        let mark = |there: bool| there.then(|| span(()));
        let assert_format = mark(assert_format);
        Leaf { path, op: span(op), right, ignore_case: mark(ignore_case), assert_format }
    })
}

pub(crate) fn cond() -> impl Strategy<Value = Cond> {
    let kind = prop_oneof![
        1 => any::<bool>().prop_map(CondKind::Const),
        6 => leaf().prop_map(|leaf| CondKind::Leaf(leaf.into())),
        2 => super::predicates::predicate(pattern()),
    ];
    let leaf = kind.prop_map(|kind| Cond { span: Span::default(), kind });
    leaf.prop_recursive(5, 24, 4, |inner| {
        let kind = prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|parts| CondKind::All(parts.into())),
            vec(inner.clone(), 0..4).prop_map(|parts| CondKind::Any(parts.into())),
            inner.clone().prop_map(|one| CondKind::Not(one.into())),
            super::history::condition(
                text().boxed(),
                a_path().boxed(),
                inner.clone().boxed(),
                inner.clone().boxed()
            ),
            (any::<bool>(), "[a-z_]{1,2}[0-9]", a_path(), inner).prop_map(|(some, name, path, cond)| {
                let quantifier = if some { Quantifier::Some } else { Quantifier::Every };
                CondKind::Quantified(Arc::new(Quantified { quantifier, name: span(name), path, cond }))
            }),
        ];
        kind.prop_map(|kind| Cond { span: Span::default(), kind })
    })
}

fn a_template() -> impl Strategy<Value = Template> {
    let chunk = prop_oneof![
        3 => text(),
        2 => select(&["$", "${", "$${", "$$", "{", "}", "a ${b} c", "??"][..]).prop_map(str::to_owned),
    ];
    let short = || (text(), vec(step(), 0..3));
    let hole = (short(), option::of(value())).prop_map(|((first, rest), default)| {
        let kind = PathKind::Short(std::iter::once(Step::Name(first)).chain(rest).collect());
        Piece::Hole { path: Path { span: Span::default(), text: "".into(), kind }, default }
    });
    let piece = prop_oneof![vec(chunk, 1..4).prop_map(|all| Piece::Text(all.concat())), hole];
    vec(piece, 0..5).prop_map(|pieces| Template { pieces: normal(pieces) })
}

/// Texts joined, none empty, none that ends in `$` before a hole.
fn normal(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (out.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (Some(Piece::Text(last)), hole) => {
                if last.ends_with('$') {
                    last.push(' ');
                }
                out.push(hole);
            }
            (_, piece) => out.push(piece),
        }
    }
    out
}

fn whole(text: &str) -> (Text, Span) {
    (Text::plain(text), Span::new(Default::default(), 0..text.len()))
}

fn parse_when(text: &str) -> Result<Cond, String> {
    let (text, span) = whole(text);
    let mut out = Diagnostics::new();
    when::parse(&text, span, &mut out).ok_or_else(|| format!("{}: {:?}", text.value, out[0]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: hookc_corpus::effort(1500, 200) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_condition(cond in cond()) {
        for operators in [print::Operators::Symbols, print::Operators::Words] {
            let printed = print::when(&cond, operators);
            let again = parse_when(&printed).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&again, &cond, "{}", printed);
            prop_assert_eq!(print::when(&again, operators), printed);
        }
    }

    #[test]
    fn words_stand_in_an_attribute_as_they_are(leaf in leaf()) {
        let is_filter = |path: &Path| path.is_query() && print::path(path).contains('?');
        let of_right = |right: &Right| matches!(right, Right::Path(path) if is_filter(path));
        prop_assume!(!is_filter(&leaf.path) && !of_right(&leaf.right));
        let cond = Cond { span: Span::default(), kind: CondKind::Leaf(leaf.into()) };
        let printed = print::when(&cond, print::Operators::Words);
        prop_assert!(!printed.chars().any(char::is_control));
    }

    #[test]
    fn paths(written in a_path()) {
        let printed = print::path(&written);
        let (text, span) = whole(&printed);
        let mut out = Diagnostics::new();
        let again = path::parse(&text, span, &mut out);
        prop_assert!(out.is_empty(), "{} {:?}", printed, out);
        prop_assert_eq!(again, Some(written));
    }

    #[test]
    fn values(value in value()) {
        let printed = print::json(&value);
        let (text, span) = whole(&printed);
        let mut out = Diagnostics::new();
        prop_assert_eq!(json::parse(&text, span, &mut out), Some(value), "{} {:?}", printed, out);
    }

    #[test]
    fn templates(template in a_template()) {
        let printed = template::print(&template);
        let (text, span) = whole(&printed);
        let mut out = Diagnostics::new();
        let again = template::parse(&text, span, &mut out);
        prop_assert_eq!(again, Some(template), "{:?} {:?}", printed, out);
    }

    #[test]
    fn no_text_at_all_panics(text in any::<String>(), seed in "[a-c$.'\"\\[\\](){}?!=<>&|, 0-9@*:\\\\u~-]{0,40}") {
        for text in [text, seed] {
            let (text, span) = whole(&text);
            let mut out = Diagnostics::new();
            let cond = when::parse(&text, span, &mut out);
            prop_assert_eq!(cond.is_none(), out.iter().any(Diagnostic::is_error));
            let mut out = Diagnostics::new();
            prop_assert_eq!(path::parse(&text, span, &mut out).is_none(), !out.is_empty());
            let mut out = Diagnostics::new();
            prop_assert_eq!(json::parse(&text, span, &mut out).is_none(), !out.is_empty());
            let mut out = Diagnostics::new();
            prop_assert_eq!(template::parse(&text, span, &mut out).is_none(), !out.is_empty());
        }
    }
}
