//! The YAML front end: scalars, places, errors.

use hookc_schema::value::{Kind, Member, Text, TextMap, Value};
use hookc_schema::{Code, Diagnostics, SourceId};
use hookc_syntax::front::yaml::read;
use proptest::prelude::*;

fn yaml(text: &str) -> (Option<Value>, Diagnostics) {
    let mut out = Diagnostics::new();
    let value = read(text, SourceId(0), &mut out);
    (value, out)
}

fn good(text: &str) -> Value {
    let (value, out) = yaml(text);
    assert!(out.is_empty(), "{text:?}: {out:#?}");
    value.unwrap()
}

fn json(value: &Value) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    match &value.kind {
        Kind::Null => "null".into(),
        Kind::Bool(b) => b.to_string(),
        Kind::Num(n) => n.0.clone(),
        Kind::Str(t) => quoted(&t.value),
        Kind::Seq(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(",")),
        Kind::Map(members) => {
            let member = |m: &Member| format!("{}:{}", quoted(&m.key.node), json(&m.value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn scalars_follow_the_core_schema() {
    let table = [
        ("no", r#""no""#),
        ("on", r#""on""#),
        ("y", r#""y""#),
        ("", "null"),
        ("~", "null"),
        ("Null", "null"),
        ("nULL", r#""nULL""#),
        ("TRUE", "true"),
        ("False", "false"),
        ("tRUE", r#""tRUE""#),
        ("+1", "1"),
        ("007", "7"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("0x1F", "31"),
        ("1_000", r#""1_000""#),
        ("1:30", r#""1:30""#),
        ("2001-01-01", r#""2001-01-01""#),
        ("'1'", r#""1""#),
        ("\"true\"", r#""true""#),
        ("!!str 12", r#""12""#),
        ("! 12", r#""12""#),
        ("!!int '12'", "12"),
        ("!!float 1", "1"),
        ("!!null ''", "null"),
        ("!!bool true", "true"),
        ("!!str", r#""""#),
        ("!!seq [1]", "[1]"),
        ("!!map {a: 1}", r#"{"a":1}"#),
        ("{1: a, true: b, null: c, 0x1: d}", r#"{"1":"a","true":"b","null":"c","0x1":"d"}"#),
        ("{\"\": 1, '<<': 2}", r#"{"":1,"<<":2}"#),
        ("[a, b: c]", r#"["a",{"b":"c"}]"#),
        ("\"\\ud83d\\ude00\\/\"", "\"😀/\""),
        ("|\n a\n  b\n", "\"a\\n b\\n\""),
        (">-\n a\n b\n\n c\n", "\"a b\\nc\""),
    ];
    for (text, expected) in table {
        assert_eq!(json(&good(text)), expected, "{text:?}");
    }
}

#[test]
fn values_outside_json_are_rejected() {
    let texts = [
        ".nan",
        "-.inf",
        "!!binary aGk=",
        "!!set {a, b}",
        "!!timestamp 2001-01-01",
        "!x 1",
        "!!int 1.5",
        "!!bool yes",
        "!!str [1]",
        "{? [a] : b}",
        "{: a}",
    ];
    for text in texts {
        let (value, out) = yaml(text);
        assert_eq!(out.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::E0105], "{text:?}");
        assert!(value.is_some());
    }
    assert_eq!(yaml("1e10001").1[0].code, Code::E0308);
}

#[test]
fn aliases_and_merge_keys_expand() {
    let text = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [{z: 0, x: 9}, *a]}\nd: *a\n&k k: 1\n*k : 2\n";
    let (value, out) = yaml(text);
    let value = value.unwrap();
    assert_eq!(json(value.get("b").unwrap()), r#"{"y":3,"x":1}"#);
    assert_eq!(json(value.get("c").unwrap()), r#"{"z":0,"x":9,"y":2}"#);
    assert_eq!(json(value.get("d").unwrap()), r#"{"x":1,"y":2}"#);
    assert_eq!(out.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::E0102], "the key k again");
    let d = value.get("d").unwrap();
    assert_eq!(&text[d.span.range()], "*a");
    assert_eq!(&text[d.get("x").unwrap().span.range()], "1");
}

#[test]
fn expansion_and_nesting_are_bounded() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..30 {
        let item = format!("*a{}", n - 1);
        bomb += &format!("a{n}: &a{n} [{}]\n", vec![item; 10].join(", "));
    }
    assert_eq!(yaml(&bomb).1[0].code, Code::E0104);
    // What a small text may expand to is small.
    let doubled = |at: usize| format!("- &a{at} {{all: [*a{0}, *a{0}]}}\n", at - 1);
    let doubled =
        |lines: usize| "- &a0 {path: tool_name}\n".to_owned() + &(1..lines).map(doubled).collect::<String>();
    assert_eq!(yaml(&doubled(16)).1[0].code, Code::E0104);
    assert!(yaml(&doubled(10)).1.is_empty());
    let mut deep = String::from("a0: &a0 [x]\n");
    for n in 1..200 {
        deep += &format!("a{n}: &a{n} [*a{}]\n", n - 1);
    }
    assert_eq!(yaml(&deep).1[0].code, Code::E0103);
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
        let nest = |n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        assert!(yaml(&nest(128)).1.is_empty(), "{open}");
        assert_eq!(yaml(&nest(129)).1[0].code, Code::E0103, "{open}");
        assert_eq!(yaml(&nest(20_000)).1[0].code, Code::E0103, "{open}");
    }
}

#[test]
fn problems_have_codes_and_spans() {
    let table = [
        ("a: 1\nb: 2\na: 3\n", Code::E0102, "a"),
        ("a: 1\n\"a\": 3\n", Code::E0102, "\"a\""),
        ("a: *.rs\n", Code::E0106, "*.rs"),
        ("a: &x [*x]\n", Code::E0106, "*x"),
        ("a: 1\n<<: 2\n", Code::E0106, "2"),
        ("--- 1\n--- 2\n", Code::E0107, "---"),
        ("a: !foo 1", Code::E0105, "!foo"),
        ("a: b: c", Code::E0101, ":"),
        ("a:\n\t- b", Code::E0101, "\t"),
        ("a: @x", Code::E0101, "@"),
        ("a: `x`", Code::E0101, "`"),
        ("a: %x", Code::E0101, "%"),
        ("a: 'x' y", Code::E0101, "y"),
        ("a: \"\\d+\"", Code::E0101, "\\"),
        ("a: [1, 2\nb: 3\n", Code::E0101, ":"),
        ("a: [1, 2", Code::E0101, "["),
        ("a: \"x\nb: 1\n", Code::E0101, "b"),
        ("a: \"x", Code::E0101, "\""),
        ("a: x\n b: 1\n", Code::E0101, ":"),
        ("a: - b", Code::E0101, "-"),
        ("a:\n  - 1\n  b: 2\n", Code::E0101, "b"),
        ("\"\u{7f}\"", Code::E0101, "\u{7f}"),
    ];
    for (text, code, place) in table {
        let (_, out) = yaml(text);
        assert_eq!(out.len(), 1, "{text:?}: {out:#?}");
        assert_eq!(out[0].code, code, "{text:?}");
        assert_eq!(&text[out[0].span().unwrap().range()], place, "{text:?}: {out:#?}");
        assert!(out[0].help.is_some(), "{text:?}");
    }
}

/// A pair in a list needs no braces, so it is not what is open.
#[test]
fn what_is_open_is_a_bracket_or_a_brace() {
    let mut wrong = Vec::new();
    for (text, open) in [
        ("a: [1, 2, 3, x: b\nc: d\n", "["),
        ("a: [xxx x: b: 0}]", "["),
        ("a: [\u{2401}\u{2400} x: b: 0}]", "["),
        ("a: [{x: [], y: b: 0}]", "{"),
        ("a: [x: {y: z, v: b: 0}]", "{"),
    ] {
        let (_, out) = yaml(text);
        let label = out[0].labels.iter().find(|label| label.text == "still open");
        let place = label.and_then(|label| text.get(label.span.range()));
        if place != Some(open) {
            wrong.push(format!("{text:?}: {place:?} {:?}", out[0]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_and_keys_have_spans() {
    let text = "\u{feff}a: {b: 'x''y', c: [1, 2]}\r\nd: >- # > |\r\n   foo\r\n   bar\r\n\r\ne:\r\n- f: 1\r\n  g: \
                &x!y\r\n   - h\r\nz:\r\n";
    let value = good(text);
    let at = |value: &Value| &text[value.span.range()];
    assert_eq!(at(value.get("a").unwrap()), "{b: 'x''y', c: [1, 2]}");
    assert_eq!(at(value.get("a").unwrap().get("b").unwrap()), "'x''y'");
    assert_eq!(at(value.get("d").unwrap()), ">- # > |\r\n   foo\r\n   bar");
    assert_eq!(at(value.get("e").unwrap()), "- f: 1\r\n  g: &x!y\r\n   - h");
    assert_eq!(at(value.get("z").unwrap()), "");
    let Kind::Map(members) = &value.kind else { panic!() };
    let keys: Vec<_> = members.iter().map(|m| &text[m.key.span.range()]).collect();
    assert_eq!(keys, ["a", "d", "e", "z"]);
    let text = "a:\n  - x\n  -\n  - ''\n  - {}\n";
    let value = good(text);
    let Some(Kind::Seq(items)) = value.get("a").map(|v| &v.kind) else { panic!() };
    let places: Vec<_> = items.iter().map(|v| &text[v.span.range()]).collect();
    assert_eq!(places, ["x", "", "''", "{}"]);
}

/// The position of a character contains it, or an escape or a fold that decodes to it.
fn check_places(text: &str, value: &Value) {
    let Kind::Str(Text { map, value: string }) = &value.kind else { return };
    assert!(!matches!(map, TextMap::Whole), "{text:?} {string:?}");
    let mut last = 0;
    for (at, c) in string.char_indices() {
        let range = value.span_within(at..at + c.len_utf8()).range();
        let place = &text[range.clone()];
        let folded = matches!(c, ' ' | '\n') && place.contains(['\n', '\r', ' ']);
        let escape = place.starts_with('\\') || (c == '\'' && place == "''");
        assert!(place.starts_with(c) || folded || escape, "{text:?} {at} {c:?} {place:?} {map:?}");
        assert!(range.start >= last, "{text:?} {at}");
        last = range.start;
    }
}

#[test]
fn strings_map_to_their_bytes() {
    let cases = [
        "plain",
        "a plain\n  folded\n\n  scalar",
        "'it''s'",
        "'a\n  b\n\n\n  c'",
        "\"tab\\t \\u00e9 é \\ud83d\\ude00 \\x41\\U0001F600 x\"",
        "\"fold \\\n   ed\n  here\n\n  and \\\n\n  there \\  end\"",
        "|\n  lit\n\n   eral\n  x\n",
        "|+2\n    lit\n   eral\n\n\n",
        ">-\n  a when\n  expression ==\n\n  1\n   more\n   less\n\n  end\n",
        ">\r\n  crlf\r\n  folded\r\n\r\n  x\r\n",
        "\"crlf\r\n  folded\r\n\r\n  x\"",
        "# comment\n--- # c\n>2-\n   x\n  y\n",
    ];
    for text in cases {
        check_places(text, &good(text));
        let inner = text.trim_start_matches("# comment\n--- # c\n").replace('\n', "\n    ");
        let nested = format!("k:\n  - {inner}\n");
        let value = good(&nested);
        let Some(Kind::Seq(items)) = value.get("k").map(|k| &k.kind) else { panic!("{nested:?}") };
        check_places(&nested, &items[0]);
    }
    let text = "when: >-\n  a ==\n  bad\n";
    let value = good(text);
    let when = value.get("when").unwrap();
    let at = when.as_str().unwrap().find("bad").unwrap();
    assert_eq!(&text[when.span_within(at..at + 3).range()], "bad");
}

fn arbitrary_json() -> impl Strategy<Value = serde_json::Value> {
    // What YAML calls printable: JSON also allows U+007F to U+009F and some
    // non-characters bare in strings, which the parser rejects.
    let string = "[ -~\\t\\n\\r\"\\\\é😀#:,'&*!\\[\\]{}\u{2028}]{0,12}";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Into::into),
        string.prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::vec((string, inner), 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// That text with tabs for indentation and CRLF line ends.
fn tabbed(text: &str) -> String {
    let line = |line: &str| {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        format!("{}{}", "\t".repeat(spaces / 2), &line[spaces..])
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\r\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn json_reads_as_json(value in arbitrary_json()) {
        let compact = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(json(&good(&compact)), compact.clone());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(json(&good(&pretty)), compact.clone());
        prop_assert_eq!(json(&good(&tabbed(&pretty))), compact);
    }

    #[test]
    fn any_text_is_survived(text in "[a-c:\\- \\n\\t\\[\\]{},&*!|>'\"%@`#?<\\\\é0-9.~\\r]{0,60}") {
        let (_, out) = yaml(&text);
        for d in out {
            for label in &d.labels {
                prop_assert!(text.get(label.span.range()).is_some(), "{:?}", d);
            }
        }
    }

    #[test]
    fn spans_contain_their_characters(text in "[a-c \\n'\"\\\\nt:\\-#]{1,30}", style in 0..4_u8) {
        let body = text.replace('\n', "\n  ");
        let doc = match style {
            0 => format!("k: '{}'\n", body.replace('\'', "''")),
            1 => format!("k: \"{}\"\n", body.replace('\\', "\\t").replace('"', "\\\"")),
            2 => format!("k: |\n  {body}\n"),
            _ => format!("k: >-\n  {body}\n"),
        };
        let (value, out) = yaml(&doc);
        if let (Some(value), []) = (value, &out[..]) {
            let k = value.get("k").unwrap();
            if !k.as_str().unwrap().trim().is_empty() {
                check_places(&doc, k);
            }
        }
    }
}
