//! Errors of paths, expressions and templates: the code, the exact span, and a part of the help.

use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};
use hookc_syntax::expr::{json, path, template, when};
use hookc_syntax::limits;

pub(crate) type Parse = fn(&Text, Span, &mut Diagnostics) -> bool;

pub(crate) const PATH: Parse = |text, whole, out| path::parse(text, whole, out).is_some();
pub(crate) const WHEN: Parse = |text, whole, out| when::parse(text, whole, out).is_some();
pub(crate) const TEMPLATE: Parse = |text, whole, out| template::parse(text, whole, out).is_some();
const JSON: Parse = |text, whole, out| json::parse(text, whole, out).is_some();

fn diagnostics(parse: Parse, text: &str) -> Diagnostics {
    let mut out = Diagnostics::new();
    let whole = Span::new(SourceId(0), 0..text.len());
    let text = Text { value: text.to_owned(), map: TextMap::Shift(0) };
    assert_eq!(parse(&text, whole, &mut out), !out.iter().any(Diagnostic::is_error), "{}", text.value);
    out
}

/// One error, at the part of the text in `«»`, with `hint` in its help.
pub(crate) fn rejected(parse: Parse, marked: &str, code: Code, hint: &str) {
    let start = marked.find('«').expect("a mark");
    let end = marked.find('»').expect("a mark") - '«'.len_utf8();
    let text = marked.replace(['«', '»'], "");
    let out = diagnostics(parse, &text);
    let [one] = &out[..] else { panic!("{text:?}: {out:?}") };
    assert_eq!((one.code, one.span().unwrap().range()), (code, start..end), "{text:?}: {one:?}");
    let said = format!("{} {}", one.help.clone().unwrap_or_default(), one.notes.join(" "));
    assert!(said.contains(hint), "{text:?}: {one:?}");
    assert!(!one.message.ends_with('.') && !one.message.contains('\n'));
}

#[test]
fn paths() {
    for (marked, hint) in [
        ("«»", "such as"),
        ("« »a", "whitespace"),
        ("a« »", "whitespace"),
        ("«.»a", "remove the dot"),
        ("a«.»", "remove the dot"),
        ("a«..»b", "$..name"),
        ("a.«*»", "$.items[*]"),
        ("a[«*»]", "$.items[*]"),
        ("a[1«:»2]", "JSONPath"),
        ("a[1«,»2]", "JSONPath"),
        ("a[«?»@.b]", "JSONPath"),
        ("a[«»", "['name']"),
        ("a[«]»", "['name']"),
        ("a[«x»]", "['x']"),
        ("a[«'»x", "end it with `'`"),
        ("a['x'«»", ""),
        ("a.«-1»", "[-1]"),
        ("a.«-b»", "['-b']"),
        ("a.«007»", "['007']"),
        ("a[«-0»]", "such as"),
        ("«0».a", "['0']"),
        ("«[0]».a", "['0']"),
        ("a«/»b", "brackets"),
        ("«@».a", "with `$`"),
        ("a.«[»0]", "remove the dot"),
        ("a['«\\d»']", "\\\\d"),
        ("a['«\n»']", "\\n"),
        ("a['«\\ud800»']", "both halves"),
        ("$«.»", ""),
        ("$«..»", ""),
        ("$«a»", "$.a"),
        ("$.«1»", "brackets"),
        ("$[«a»]", "['a']"),
        ("$[«@».a]", "?"),
        ("$[?@.a«=»1]", "=="),
        ("$[?«foo»(@.a)]", "`length`"),
        ("$[?@.a == «foo»]", "@.foo"),
        ("$[?«1»]", "compare"),
        ("$[?«length(@.a)»]", "compare"),
        ("$[?«@.*» == 1]", "count"),
        ("$[?«match(@.a, 'x')» == true]", "alone"),
        ("$[?!@.a «==» 1]", "parentheses"),
        ("$[?count(«1») > 1]", "count(@.*)"),
        ("$[?(@.a«]»", ""),
        ("$[«9007199254740992»]", ""),
    ] {
        rejected(PATH, marked, Code::E0301, hint);
    }
    rejected(PATH, "$[?@.a == «1e10001»]", Code::E0308, "");
}

#[test]
fn expressions() {
    for (marked, hint) in [
        ("«»", "remove `when`"),
        ("a «not» in [1]", "not a in ..."),
        ("a «!»in [1]", "not a in ..."),
        ("a «exists»", "exists(a)"),
        ("a == b «AND» c == 1", "and"),
        ("a == 1 «&» b == 2", "&&"),
        ("«NOT» exists(a)", "`not`"),
        ("a == «True»", "`true`"),
        ("«in» == 1", "['in']"),
        ("«all».x == 1", "['all']"),
        ("«not».x == 1", "['not']"),
        ("«true».x == 1", "['true']"),
        ("«exists» == 1", "['exists']"),
        ("«'x'» == a", "path first"),
        ("«10» < a", "path first"),
        ("«2»fa == 1", "['2fa']"),
        ("a == ['in']«.»x", "parentheses"),
        ("a == «in»", "(['in'])"),
        ("a == «null».b", "(['null'])"),
        ("a in («1», 2)", "brackets"),
        ("a =~ \"«\\d»+\"", "single quotes"),
        ("a =~ «/»x", "end it with `/`"),
        ("a =~ /usr/«bin»/x", "written `\\/`"),
        ("a =~ /x/«g»", "remove it"),
        ("a =~ /x/«im»", "(?m)"),
        ("a =~ /x/«ii»", "one `i` is enough"),
        ("a =~ /x/i «nocase»", ""),
        ("a == «/»x/", "follows `=~`"),
        ("a in [«/»x/]", "follows `=~`"),
        ("a == 'it«\\'»s'", "`''`"),
        ("a == 'it«\\'»s' and b == 'x'", "`''`"),
        ("a in ['it«\\'»s', 'b']", "`''`"),
        ("a == 'it«\\'»'", "`''`"),
        ("a == 'it«'»s'", "`''`"),
        ("a == \"it«\"»s\"", "`\\\"`"),
        ("a == \"it«\\'»s\"", "without a backslash"),
        ("a == 'x«\u{8}»'", "double quotes"),
        ("a > «+»5", "`+`"),
        ("a > «.»5", "0.5"),
        ("a > 10«m»s", "quotes"),
        ("a > «01»", "zero"),
        ("a == «'»x", "end it"),
        ("a == {«a»: 1}", "keys are quoted strings"),
        ("a in [1, 2«»", ""),
        ("a in [1«,»]", "remove it"),
        ("a in [«foo»]", "quotes"),
        ("(a == 1«»", ""),
        ("a == 1«)»", "remove it"),
        ("a == 1«,» b == 2", "and"),
        ("a == 1 «b» == 2", "and"),
        ("a == 1 «==» 2", "one operator"),
        ("exists(a) «==» true", "one operator"),
        ("«exists» a", "exists(path)"),
        ("exists(«'»a')", "without quotes"),
        ("«all» a", "all(a == 1"),
        ("(a == 1) «nocase»", "single leaf"),
        ("a == 1 nocase «nocase»", ""),
        ("a matches true assert_format «assert_format»", ""),
        ("«len»(a) > 1", "`size`"),
        ("«matches»(a, 'x')", "between"),
        ("a.startsWith«(»'x')", "between"),
        ("a == «lower»(b)", "nocase"),
        ("a ==«»", "a string in quotes"),
        ("a == 1 and«»", "a path"),
        ("«and» a == 1", "a path"),
    ] {
        rejected(WHEN, marked, Code::E0302, hint);
    }
    for (marked, code, hint) in [
        ("«a»", Code::E0303, "`exists(a)`"),
        ("not «a.b»", Code::E0303, "`a.b == true`"),
        ("a «=» 1", Code::E0401, "=="),
        ("a «===» 1", Code::E0401, "=="),
        ("a «<>» 1", Code::E0401, "!="),
        ("a «~=» 'x'", Code::E0401, "=~"),
        ("a «is» 1", Code::E0401, "=="),
        ("a «!~» 'x'", Code::E0401, "`not a =~ ...`"),
        ("a «gte» 1", Code::E0401, "ge"),
        ("a «startsWith» 'x'", Code::E0401, "starts_with"),
        ("a «whatever» 'x'", Code::E0401, "the operators are"),
        ("a =~ «b»", Code::E0402, "=~ '"),
        ("a matches «$.b»", Code::E0402, "matches {"),
        ("a > «1e99999»", Code::E0308, ""),
        ("a == {\"b\": 1, «\"b\"»: 2}", Code::E0102, "one of them"),
        ("a«..»b == 1", Code::E0301, "$..name"),
        ("a.« »== 1", Code::E0301, "dot"),
        ("$.a[?@.b «=» 1] == 1", Code::E0301, "=="),
    ] {
        rejected(WHEN, marked, code, hint);
    }
}

/// One warning, at the part in `«»`; the expression is sound.
fn warned(marked: &str, code: Code, hint: &str) {
    let start = marked.find('«').expect("a mark");
    let end = marked.find('»').expect("a mark") - '«'.len_utf8();
    let out = diagnostics(WHEN, &marked.replace(['«', '»'], ""));
    let [one] = &out[..] else { panic!("{marked:?}: {out:?}") };
    assert_eq!((one.code, one.span().unwrap().range()), (code, start..end), "{marked:?}");
    assert!(!one.is_error() && one.help.as_ref().is_some_and(|help| help.contains(hint)), "{one:?}");
}

#[test]
fn escapes_in_raw_strings() {
    warned(r"a contains '«\n»'", Code::W0310, "double quotes");
    warned(r"a == 'x«\t» y'", Code::W0310, "double quotes");
    warned(r"a == '«\u00e9»'", Code::W0310, "double quotes");
    warned(r"a == 'a«\\»b'", Code::W0310, "one backslash");
    warned(r"a in ['x', 'a«\\»b']", Code::W0310, "one backslash");
    for plain in [
        r"a == 'C:\new'",
        r"a == 'C:\\Users\\x'",
        r"a starts_with '\\server\share'",
        r"a == 'src\new'",
        r"a glob 'a\\b'",
        r"a =~ 'a\\n'",
        r#"a == "\n""#,
        r"a contains '\'",
    ] {
        assert!(diagnostics(WHEN, plain).is_empty(), "{plain}");
    }
}

#[test]
fn several_errors_of_one_expression() {
    let out = diagnostics(WHEN, "(a or b = 1) and c == 'x' d and $.e[?@.f && (@.g)] gte 2 or h");
    let places: Vec<_> = out.iter().map(|one| (one.code, one.span().unwrap().start)).collect();
    let expected =
        [(Code::E0303, 1), (Code::E0401, 8), (Code::E0302, 26), (Code::E0401, 51), (Code::E0303, 60)];
    assert_eq!(places, expected);
}

#[test]
fn templates() {
    for (marked, hint) in [
        ("x «${»", "$${"),
        ("x «${}»", "$${"),
        ("x «${»a", "end it with `}`"),
        ("${a«:»-x}", "${a ?? 'none'}"),
        ("${a ?? «}»", "for example"),
        ("${a ?? «x»}", "quotes"),
        ("${a ?? «\"»x}", "end it"),
        ("${a ?? 1 «b»}", ""),
        ("${a ?? 'it«\\'»s'}", "`''`"),
    ] {
        rejected(TEMPLATE, marked, Code::E0304, hint);
    }
    rejected(TEMPLATE, "x ${a«..»b}", Code::E0301, "$${");
    rejected(TEMPLATE, "x ${«$.a[*]»}", Code::E0305, "alone");
    assert!(diagnostics(TEMPLATE, "${$.a[*]}").is_empty());
    assert_eq!(diagnostics(TEMPLATE, "${a.} ${b!} ${c} ${d").len(), 3);
}

#[test]
fn json_values() {
    for (marked, hint) in [
        ("«»", ""),
        ("«'»a'", "\""),
        ("«True»", "true"),
        ("[1 «2»]", ""),
        ("{\"a\" «1»}", ""),
        ("1 «2»", ""),
        ("«01»", ""),
    ] {
        rejected(JSON, marked, Code::E0108, hint);
    }
    rejected(JSON, "{\"a\": 1, «\"\\u0061\"»: 2}", Code::E0102, "");
}

#[test]
fn limits_name_themselves() {
    let long = format!("a == '{}'", "x".repeat(limits::EXPRESSION_BYTES));
    let long_template = format!("${{a}}{}", "x".repeat(limits::EXPRESSION_BYTES));
    for (parse, text) in [(WHEN, &long), (PATH, &long), (TEMPLATE, &long_template)] {
        assert_eq!(diagnostics(parse, text)[0].code, Code::E0306);
    }
    assert!(diagnostics(TEMPLATE, &long).is_empty(), "plain text is no expression");
    let deep = |open: &str, inner: &str, close: &str, by: usize| {
        format!("{}{inner}{}", open.repeat(by), close.repeat(by))
    };
    for (parse, open, inner, close) in [
        (WHEN, "(", "a == 1", ")"),
        (WHEN, "not ", "a == 1", ""),
        (WHEN, "all(", "", ")"),
        (JSON, "[", "", "]"),
        (JSON, "{\"a\":", "1", "}"),
    ] {
        assert!(diagnostics(parse, &deep(open, inner, close, limits::NESTING)).is_empty(), "{open}");
        let out = diagnostics(parse, &deep(open, inner, close, limits::NESTING + 1));
        assert_eq!((out.len(), out[0].code), (1, Code::E0103), "{open}");
        assert_eq!(diagnostics(parse, &deep(open, inner, close, 8000))[0].code, Code::E0103);
    }
    let filters = |by| format!("$[?{}]", deep("(", "@.a", ")", by));
    assert!(diagnostics(PATH, &filters(limits::NESTING - 1)).is_empty());
    assert_eq!(diagnostics(PATH, &filters(limits::NESTING))[0].code, Code::E0103);
    let nested = format!("${}{}", "[?@".repeat(10_000), "]".repeat(10_000));
    assert_eq!(diagnostics(PATH, &nested)[0].code, Code::E0103);
}
