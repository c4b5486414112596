use super::*;
use hookc_schema::value::TextMap;

fn text(json: &str) -> Text {
    Text { value: json.to_owned(), map: TextMap::Shift(0) }
}

fn whole(json: &str) -> Span {
    Span::new(hookc_schema::SourceId(0), 0..json.len())
}

fn reads(json: &str) -> std::result::Result<Value, Box<Diagnostic>> {
    read(&text(json), whole(json))
}

fn plain(value: &Value) -> serde_json::Value {
    use serde_json::Value as V;
    match &value.kind {
        Kind::Null => V::Null,
        Kind::Bool(b) => V::Bool(*b),
        Kind::Num(n) => serde_json::from_str(&n.0).unwrap(),
        Kind::Str(s) => V::String(s.value.clone()),
        Kind::Seq(all) => V::Array(all.iter().map(plain).collect()),
        Kind::Map(all) => V::Object(all.iter().map(|m| (m.key.node.clone(), plain(&m.value))).collect()),
    }
}

#[test]
fn values_and_places() {
    let json = r#" {"a\n": [1, -0.5e+3, "x\ud83d\ude00y"], "b": {"c": null, "d": [ ], "e": {}}} "#;
    let value = reads(json).unwrap();
    assert_eq!(plain(&value), serde_json::from_str::<serde_json::Value>(json).unwrap());
    let list = value.get("a\n").unwrap();
    assert_eq!(json.get(list.span.range()).unwrap(), r#"[1, -0.5e+3, "x\ud83d\ude00y"]"#);
    let Kind::Seq(all) = &list.kind else { panic!() };
    assert_eq!(json.get(all[1].span.range()).unwrap(), "-0.5e+3");
    assert_eq!(json.get(all[2].span_within(1..5).range()).unwrap(), r"\ud83d\ude00");
    assert_eq!(json.get(all[2].span_within(5..6).range()).unwrap(), "y");
}

#[test]
fn errors_at_their_places() {
    for (json, code, part) in [
        ("", Code::E0203, ""),
        ("[1,]", Code::E0203, "]"),
        ("{a: 1}", Code::E0203, "a"),
        ("{\"a\" 1}", Code::E0203, "1"),
        ("{\"a\":1 \"b\"}", Code::E0203, "\""),
        ("[01]", Code::E0203, "1"),
        ("[1] x", Code::E0203, "x"),
        ("\"a\\x\"", Code::E0203, "x"),
        ("\"\\ud800\"", Code::E0203, "\\ud800"),
        ("\"\\ud800\\u0041\"", Code::E0203, "\\ud800"),
        ("\"\\u12\"", Code::E0203, "\\u"),
        ("\"a\nb\"", Code::E0203, "\n"),
        ("\"abc", Code::E0203, "\""),
        ("-", Code::E0203, "-"),
        ("{\"a\":1,\"a\":2}", Code::E0102, "\"a\""),
        ("[tru]", Code::E0203, "t"),
    ] {
        let error = reads(json).unwrap_err();
        assert_eq!(error.code, code, "{json}");
        assert_eq!(json.get(error.span().unwrap().range()), Some(part), "{json}");
    }
    let deep = "[".repeat(200);
    assert_eq!(reads(&deep).unwrap_err().code, Code::E0103);
    assert_eq!(reads(&format!("{}{}", "[".repeat(128), "]".repeat(128))).unwrap().noun(), "an array");
}

#[test]
fn scalars_are_exact() {
    for (written, noun) in [
        ("null", "null"),
        ("true", "a boolean"),
        ("-0", "a number"),
        ("1e5", "a number"),
        ("10.50", "a number"),
        ("\"5\"", "a string"),
    ] {
        assert_eq!(scalar(&text(written), whole(written)).unwrap().unwrap().noun(), noun, "{written}");
    }
    for written in [
        "", " 1", "1 ", "01", "+1", ".5", "1.", "1e", "True", "NaN", "0x1", "\"", "\"a", "\"a\" ", "[1]",
        "{}", "--",
    ] {
        assert!(scalar(&text(written), whole(written)).unwrap().is_none(), "{written}");
    }
}

proptest::proptest! {
    #[test]
    fn agrees_with_serde_json(json in r#"[\[\]{},: \t"\\a-cu0-9eE.+\-ntrufls]{0,24}"#) {
        let ours = reads(&json);
        let theirs = serde_json::from_str::<serde_json::Value>(&json);
        match (&ours, &theirs) {
            (Ok(value), Ok(theirs)) => proptest::prop_assert_eq!(&plain(value), theirs),
            // A key twice, or a number that an f64 cannot say.
            (Err(error), Ok(_)) => proptest::prop_assert!(matches!(error.code, Code::E0102 | Code::E0308)),
            (Ok(_), Err(error)) => proptest::prop_assert!(error.to_string().contains("out of range")),
            (Err(_), Err(_)) => {}
        }
    }
}
