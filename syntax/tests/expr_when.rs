//! The trees of expressions, paths and templates, and the spans of their parts.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, PathKind, Right, Step, ViewKind};
use hookc_schema::value::{Kind, Run, Text, TextMap, Value};
use hookc_schema::{Diagnostics, SourceId, Span};
use hookc_syntax::expr::template::Piece;
use hookc_syntax::expr::{path, print, template, when};

pub(crate) fn parse(text: &str) -> Cond {
    let mut out = Diagnostics::new();
    let whole = Span::new(SourceId(0), 0..text.len());
    let text = Text { value: text.to_owned(), map: TextMap::Shift(0) };
    when::parse(&text, whole, &mut out).unwrap_or_else(|| panic!("{}: {out:?}", text.value))
}

/// The tree as nested prefix words, leaves as their paths.
fn shape(cond: &Cond) -> String {
    let list = |items: &[Cond]| items.iter().map(shape).collect::<Vec<_>>().join(" ");
    match &cond.kind {
        CondKind::Const(truth) => truth.to_string(),
        CondKind::All(items) => format!("all({})", list(items)),
        CondKind::Any(items) => format!("any({})", list(items)),
        CondKind::Not(inner) => format!("not({})", shape(inner)),
        CondKind::Leaf(leaf) => print::path(&leaf.path),
        CondKind::Quantified(inner) => {
            let (word, name, path) = (inner.quantifier.name(), &inner.name.node, print::path(&inner.path));
            format!("{word}({name} {path} {})", shape(&inner.cond))
        }
        CondKind::Predicate(predicate) => predicate.name().to_owned(),
        CondKind::Formerly(_) => "formerly".to_owned(),
    }
}

#[test]
fn connectives() {
    for (text, expected) in [
        ("a==1 or b==1 and c==1", "any(a all(b c))"),
        ("a==1||b==1&&!c==1", "any(a all(b not(c)))"),
        ("a==1 and b==1 and c==1", "all(a b c)"),
        ("(a==1 and b==1) and c==1", "all(all(a b) c)"),
        ("((a==1))", "a"),
        ("a==1 and (b==1)", "all(a b)"),
        ("(a==1 or b==1) and c==1", "all(any(a b) c)"),
        ("not a==1 and b==1", "all(not(a) b)"),
        ("not (a==1 and b==1)", "not(all(a b))"),
        ("not not a==1", "not(not(a))"),
        ("!!exists(a)", "not(not(a))"),
        ("all() and any()", "all(all() any())"),
        ("all(a==1)", "all(a)"),
        ("any(a==1, b==1 or c==1, true)", "any(a any(b c) true)"),
        ("true or not false", "any(true not(false))"),
        ("\n a == 1\n and\tb == 1\r\n", "all(a b)"),
    ] {
        assert_eq!(shape(&parse(text)), expected, "{text}");
    }
}

fn leaf(text: &str) -> Leaf {
    match parse(text).kind {
        CondKind::Leaf(leaf) => Leaf::clone(&leaf),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn operators_in_both_spellings() {
    for op in Op::ALL.iter().copied().filter(|op| *op != Op::Exists) {
        for sign in [op.symbol(), op.as_str()] {
            let leaf = leaf(&format!("a.b {sign} [1]"));
            assert_eq!((leaf.op.node, print::path(&leaf.path)), (op, "a.b".to_owned()));
            assert!(matches!(&leaf.right, Right::Value(value) if matches!(value.kind, Kind::Seq(_))));
        }
    }
    assert_eq!(leaf("exists(a)").right, Right::None);
    assert_eq!(
        leaf("exists(a, false)").right,
        Right::Value(Value::new(Kind::Bool(false), Span::default()).into())
    );
    assert!(leaf("a =~ 'x' nocase").ignore_case.is_some());
    assert!(leaf("a =~ /x/i").ignore_case.is_some() && leaf("a =~ /x/").ignore_case.is_none());
    assert_eq!(leaf("a =~ /x/i"), leaf("a =~ \"x\" nocase"));
    assert!(leaf("a matches {'format': 'date'} assert_format").assert_format.is_some());
    assert!(matches!(leaf("a matches true").right, Right::Value(_)));
}

#[test]
fn right_sides() {
    let right = |text: &str| match leaf(text).right {
        Right::Value(value) => print::json(&value),
        Right::Path(path) => print::path(&path),
        Right::None => String::new(),
    };
    for (text, expected) in [
        (r"a == 'it''s \u00e9\n'", r#""it's \\u00e9\\n""#),
        (r"a == 'C:\'", r#""C:\\""#),
        ("a == ''", r#""""#),
        ("a == ''''", r#""'""#),
        ("a == 'x\ny\t'", r#""x\ny\t""#),
        (r"a =~ '^rm\b.*''-rf'", r#""^rm\\b.*'-rf""#),
        (r"a =~ /^rm\b.*-rf/", r#""^rm\\b.*-rf""#),
        (r"a =~ /a\/b\\/i", r#""a/b\\\\""#),
        ("a =~ //", r#""""#),
        ("a =~/'\"/", r#""'\"""#),
        (r#"a in ['\d', "\\d"]"#, r#"["\\d","\\d"]"#),
        (r#"a == "it's \"\ud83d\ude00\"""#, "\"it's \\\"😀\\\"\""),
        ("a == -0.50E+3", "-0.50E+3"),
        ("a in ['x', \"y\", 1, null, [true]]", r#"["x","y",1,null,[true]]"#),
        ("a matches {\"type\": 'string', 'enum': []}", r#"{"type":"string","enum":[]}"#),
        ("a == b['c'].d[-1]", "b.c.d[-1]"),
        ("a == (['in'])", "in"),
        ("a == ['in']", "[\"in\"]"),
        ("a > $.b['c']", "$.b.c"),
    ] {
        assert_eq!(right(text), expected, "{text}");
    }
}

#[test]
fn paths_in_expressions() {
    for (text, expected) in [
        ("$.a[?@.b == 1 && @['c)'] != 'and'].d in [1]", "$.a[?@.b == 1 && @['c)'] != 'and'].d"),
        ("$ .a ['b'] == 1", "$.a.b"),
        ("['in'].not.or == 1", "in.not.or"),
        ("a-b.c_d.é == 1", "a-b.c_d.é"),
        ("items.0.x == 1", "items[0].x"),
        ("a['retry-after'] == 1", "a.retry-after"),
    ] {
        assert_eq!(print::path(&leaf(text).path), expected, "{text}");
    }
}

#[test]
fn shorthand_steps() {
    let steps = |text: &str| match path::parse(&Text::plain(text), Span::default(), &mut Diagnostics::new()) {
        Some(found) => match found.kind {
            PathKind::Short(steps) => steps.to_vec(),
            PathKind::Query(query) => query.singular().unwrap(),
            PathKind::View(_) | PathKind::Recall(_) => found.singular().unwrap().into_owned(),
        },
        None => panic!("{text}"),
    };
    let name = |name: &str| Step::Name(name.to_owned());
    assert_eq!(
        steps("a.0['0'].b-1[ -2 ]"),
        [name("a"), Step::Index(0), name("0"), name("b-1"), Step::Index(-2)]
    );
    assert_eq!(steps("['x y']['']"), [name("x y"), name("")]);
    assert_eq!(steps("2fa.名前"), [name("2fa"), name("名前")]);
    assert_eq!(steps("$['a'][0].b"), [name("a"), Step::Index(0), name("b")]);
    assert_eq!(steps("$"), []);
}

#[test]
fn spans_of_parts() {
    let text = "a.b == 'x' nocase and not $.c > 10";
    let CondKind::All(items) = parse(text).kind else { panic!() };
    let at = |span: Span| &text[span.range()];
    assert_eq!((at(items[0].span), at(items[1].span)), ("a.b == 'x' nocase", "not $.c > 10"));
    let CondKind::Leaf(leaf) = &items[0].kind else { panic!() };
    let Right::Value(value) = &leaf.right else { panic!() };
    assert_eq!((at(leaf.path.span), at(leaf.op.span), at(value.span)), ("a.b", "==", "'x'"));
    assert_eq!(at(value.span_within(0..1)), "x");
    assert_eq!(at(leaf.ignore_case.unwrap().span), "nocase");
}

#[test]
fn spans_behind_two_layers_of_escapes() {
    // In YAML: `"a =~ '\\d+(''x'"`, decoded to `a =~ '\d+(''x'`, whose string is `\d+('x`.
    let source = r#""a =~ '\\d+(''x'""#;
    let runs = [(0, 1), (7, 9), (15, 17)].map(|(decoded, source)| Run { decoded, source }).to_vec();
    let text = Text { value: r"a =~ '\d+(''x'".to_owned(), map: TextMap::Runs(runs) };
    let whole = Span::new(SourceId(0), 0..source.len());
    let cond = when::parse(&text, whole, &mut Diagnostics::new()).unwrap();
    let CondKind::Leaf(leaf) = cond.kind else { panic!() };
    let Right::Value(value) = &leaf.right else { panic!() };
    assert_eq!(value.as_str(), Some(r"\d+('x"));
    assert_eq!(&source[value.span_within(3..4).range()], "(");
    assert_eq!(&source[value.span_within(1..2).range()], "d");
    assert_eq!(&source[value.span_within(0..1).range()], r"\\");
    assert_eq!(&source[value.span_within(4..5).range()], "''");
    assert_eq!(&source[value.span_within(5..6).range()], "x");
}

#[test]
fn templates() {
    let parse =
        |text: &str| template::parse(&Text::plain(text), Span::default(), &mut Diagnostics::new()).unwrap();
    let shown = |text: &str| {
        let show = |piece: &Piece| match piece {
            Piece::Text(text) => format!("{text:?}"),
            Piece::Hole { path, default } => {
                let default = default.as_ref().map(|value| format!(" ?? {}", print::json(value)));
                format!("<{}{}>", print::path(path), default.unwrap_or_default())
            }
        };
        parse(text).pieces.iter().map(show).collect::<String>()
    };
    for (text, expected) in [
        ("", ""),
        ("plain $ $x {} $$", "\"plain $ $x {} $$\""),
        ("${a.b}", "<a.b>"),
        ("x ${a['}']} y${ c ?? 'it''s' }", "\"x \"<a['}']>\" y\"<c ?? \"it's\">"),
        ("${a ?? {\"b\": [\"}\"]}}", "<a ?? {\"b\":[\"}\"]}>"),
        ("$${a} $$${b}", "\"${a} $${b}\""),
        ("${$.a[?@.b == '}'].c}", "<$.a[?@.b == '}'].c>"),
        ("${a}${b}", "<a><b>"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn quantifiers() {
    assert_eq!(shape(&parse("some(x in a.b: x.c == 1)")), "some(x a.b x.c)");
    assert_eq!(
        shape(&parse("not every ( x in $.a[*] : x == 1 or some(y in x.z:y==x) and c == 2 )")),
        "not(every(x $.a[*] any(x all(some(y x.z y) c))))"
    );
    // Fields of these names.
    assert_eq!(shape(&parse("some == 1 and every.x == some and exists(every)")), "all(some every.x every)");
}

fn leaf_of_effects() -> Vec<Step> {
    leaf("effects().writes[0] == 1").path.singular().unwrap().into_owned()
}

#[test]
fn views_of_command_lines() {
    for (text, printed) in [
        ("shell(tool_input.command).ok == false", "shell(tool_input.command).ok == false"),
        ("exists(shell( $.a[0] ).opaque[0])", "exists(shell($.a[0]).opaque[0])"),
        (
            "shell(['in'].x).commands[*].flags.no-verify == true",
            "shell(in.x).commands[*].flags.no-verify == true",
        ),
        ("shell(a)['ok'] == shell(b) .ok", "shell(a).ok == shell(b).ok"),
        ("some(c in shell(a).commands: c.name == 'rm')", "some(c in shell(a).commands: c.name == 'rm')"),
        (
            "shell(a).commands[?@.flags['no-x'] == true].env..x == 1",
            "shell(a).commands[?@.flags['no-x'] == true].env..x == 1",
        ),
        ("shell.name == 'a'", "shell.name == 'a'"),
        ("effects( ).writes[0] == a", "effects().writes[0] == a"),
        ("some(r in effects().runs: r.name == 'rm')", "some(r in effects().runs: r.name == 'rm')"),
        ("effects.x == 'a'", "effects.x == 'a'"),
    ] {
        let mut out = Diagnostics::new();
        let cond = when::parse(&Text::plain(text), Span::default(), &mut out);
        assert!(out.is_empty(), "{text}: {out:?}");
        assert_eq!(print::when(&cond.unwrap(), print::Operators::Symbols), printed);
    }
    let leaf = leaf("shell(a.b).commands[0].name == 1");
    let steps = leaf.path.singular().unwrap();
    let name = |name: &str| Step::Name(name.to_owned());
    let below = [name("commands"), Step::Index(0), name("name")];
    assert_eq!(*steps, [[name("a"), name("b"), Step::View(ViewKind::Shell)].as_slice(), &below].concat());
    assert_eq!(print::steps(&steps), "shell(a.b).commands[0].name");
    let steps = leaf_of_effects();
    assert_eq!(print::steps(&steps), "effects().writes[0]");
}
