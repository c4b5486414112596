//! The checker on conditions: paths, operators and their values, patterns,
//! declared types.

use crate::support;
use hookc_schema::Diagnostics;

use hookc_compiler::ir::{LowCond, ReadPath, TestRight};
use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_schema::Code::{self, *};
use hookc_schema::Sources;
use hookc_schema::tree::{Cond, Op, Right, Step};
use serde_json::json;
use support::*;

fn lowered(event: &str, text: &str) -> LowCond {
    let (checked, out) = check(vec![hook(&[event], Some(cond(text)), action("abort", json!({})))]);
    let more: Vec<_> = out.iter().filter(|diagnostic| diagnostic.code != N0606).collect();
    assert_eq!(more, Vec::<&hookc_schema::Diagnostic>::new(), "{text}");
    checked.hooks[0].events[0].cond.clone()
}

fn path_of(event: &str, text: &str) -> ReadPath {
    match lowered(event, text) {
        LowCond::Test(test) => test.node.path.clone(),
        other => panic!("{other:?}"),
    }
}

fn steps(names: &[&str]) -> std::sync::Arc<[Step]> {
    names.iter().map(|name| Step::Name((*name).to_owned())).collect()
}

#[test]
fn merged_fields() {
    let merged = ReadPath::Merged(steps(&["limit_code"]));
    for text in ["exists(limit_code)", "exists(event.limit_code)", "exists(event['limit_code'])"] {
        assert_eq!(path_of("limit", text), merged, "{text}");
    }
    assert_eq!(path_of("limit", "exists(event.cost.spend)"), ReadPath::Merged(steps(&["cost", "spend"])));
    let plain = |names: &[&str]| ReadPath::Plain(steps(names));
    assert_eq!(path_of("limit", "exists($.event.limit_code)"), plain(&["event", "limit_code"]));
    assert_eq!(path_of("limit", "exists(event.type)"), plain(&["event", "type"]));
    assert_eq!(path_of("error", "exists(limit_code)"), plain(&["limit_code"]), "another event type");
    assert_eq!(path_of("limit", "exists(event)"), plain(&["event"]));
}

#[test]
fn spellings_are_noted_once() {
    assert_eq!(codes_of("limit", "exists(limit_code) and exists(limit_max)"), []);
    assert_eq!(codes_of("limit", "exists($.event.limit_code) and exists(event.type)"), []);
    let dotted = "exists(limit_code) and event.limit_code == 'x' and event.limit_max == 1";
    let reported = reported("limit", cond(dotted));
    assert_eq!(codes(&reported), [N0606]);
    assert_eq!(under(dotted, &reported[0]), "event.limit_code");
}

#[test]
fn negations() {
    let LowCond::Not(inner) = lowered("limit", "limit_code != 'x'") else { panic!() };
    let LowCond::Test(test) = &*inner else { panic!() };
    assert_eq!(test.node.op, Op::Eq);
    let mut exists = leaf_value("exists(limit_code)", json!(false));
    let low = |cond| {
        check(vec![hook(&["limit"], Some(cond), action("abort", json!({})))]).0.hooks[0].events[0]
            .cond
            .clone()
    };
    assert!(matches!(low(exists), LowCond::Not(_)));
    exists = leaf_value("exists(limit_code)", json!(true));
    let LowCond::Test(test) = low(exists) else { panic!() };
    assert_eq!((test.node.op, &test.node.right), (Op::Exists, &TestRight::None));
}

#[test]
fn unknown_events() {
    let (checked, out) = check(vec![hook(&["limt"], None, action("abort", json!({})))]);
    assert_eq!(codes(&out), [W0415]);
    assert_eq!(out[0].help.as_deref(), Some("did you mean `limit`?"));
    assert!(checked.hooks[0].events[0].declared.is_none());
    let (checked, out) = check(vec![hook(&["limit", "limit"], None, action("abort", json!({})))]);
    assert_eq!((codes(&out), checked.hooks[0].events.len()), (vec![W0607], 1));
}

#[test]
fn unknown_fields() {
    let text = "limit_cod == 'x'";
    let reported = reported("limit", cond(text));
    assert_eq!(codes(&reported), [W0416]);
    assert_eq!(reported[0].help.as_deref(), Some("did you mean `limit_code`?"));
    assert_eq!(reported[0].fix.as_ref().unwrap().span, span(0..9));
    for (event, text, code, near) in [
        ("limit", "event.limit_cod == 'x'", W0416, Some("limit_code")),
        ("limit", "thread_id == 'x'", W0416, Some("event.thread_id")),
        ("error", "classification.categry == 'x'", W0416, Some("category")),
        ("error", "error.message.text == 'x'", W0416, None),
        ("error", "error[0] == 'x'", W0416, None),
        ("gate", "nme == 'x'", E0410, Some("name")),
        ("gate", "zzz == 'x'", E0410, None),
        ("gate", "event.zzz == 'x'", E0410, None),
        ("gate", "event.nme == 'x'", E0410, Some("name")),
        ("gate", "tags[0].lable == 'x'", W0416, Some("label")),
        ("gate", "$.tags[-1].lable == 'x'", W0416, Some("label")),
    ] {
        let reported = support::reported(event, cond(text));
        assert_eq!(codes(&reported), [code], "{text}");
        let help = near.map(|near| format!("did you mean `{near}`?"));
        assert_eq!(reported[0].help, help, "{text}");
    }
    for text in ["error.headers['retry-after'] == 'x'", "nothing_like_it == 1", "error.cause.categry == 1"] {
        assert_eq!(codes_of("error", text), [], "{text}");
    }
    // A field of `event` is meant only where its prefix can be missing.
    assert_eq!(codes_of("error", "$.thread_id == 'x'"), []);
    // Of an event without declared fields, only `event` is known.
    let reported = support::reported("thread_started", cond("evnt.type == 'x'"));
    assert_eq!(reported[0].help.as_deref(), Some("did you mean `event`?"));
    assert_eq!(codes_of("thread_started", "thread_id == 'x'"), []);
}

/// Suggestions end after so many comparisons of names.
#[test]
fn suggestions_end_for_all_hooks_of_a_policy() {
    let compared = hookc_syntax::limits::SUGGESTIONS;
    let (members, leaves) = (compared / 800, 4);
    let mut policy = "events:\n  wide:\n    schema:\n      type: object\n      properties:\n".to_owned();
    policy.push_str("        amount: {type: integer}\n        members:\n          type: object\n");
    policy.push_str("          properties:\n");
    for at in 0..members {
        policy.push_str(&format!("            declared_member_{at}: {{}}\n"));
    }
    policy.push_str("hooks:\n");
    let mut hook = |when: &str| {
        policy.push_str(&format!("  - {{event: wide, when: \"{when}\", action: {{type: continue}}}}\n"));
    };
    hook("amoun == 1");
    for at in 0..=compared / members / leaves {
        // The last names differ in length, so that they cost nothing but the comparison.
        let leaf = |leaf| format!("members.q{at}_{leaf} == 1");
        hook(&(0..leaves).map(leaf).collect::<Vec<_>>().join(" or "));
    }
    hook("amuont == 2");
    let mut sources = Sources::new();
    let source = sources.add("policy.yaml", policy);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default().builtin(Builtin::Never));
    let unknown = compiled.diagnostics.iter().filter(|one| one.code == W0416);
    let help: Vec<Option<&str>> = unknown.map(|one| one.help.as_deref()).collect();
    assert_eq!(help, [Some("did you mean `amount`?"), None]);
}

/// No part of the compiler reads a hook with an error.
#[test]
fn hooks_with_an_error_are_left_out() {
    let marked = || Some(hookc_schema::Spanned::new((), span(0..1)));
    let of = |cond: Cond| vec![hook(&["gate"], Some(cond), action("abort", json!({})))];
    let template = json!({"event_type": "t", "payload": {"x": "${$.tags[?match(@, 'a\\u0001')]}"}});
    for (hooks, code) in [
        (of(leaf("count > 1", |leaf| leaf.ignore_case = marked())), E0405),
        (of(leaf("name == 'a'", |leaf| leaf.assert_format = marked())), E0403),
        (of(leaf("name == 'a'", |leaf| leaf.right = Right::None)), E0403),
        (of(leaf_value("count > 1", json!("10"))), E0402),
        (of(cond("exists($.tags[?match(@, 'a\\u0001')])")), E0309),
        (of(cond("not (count > 1 and name =~ 'a(')")), E0404),
        (vec![hook(&["gate"], None, action("emit_event", template))], E0309),
    ] {
        let (checked, out) = check(hooks);
        assert_eq!(codes(&out), [code]);
        assert!(checked.hooks.is_empty(), "{code}");
    }
}

#[test]
fn values_that_an_operator_does_not_take() {
    for (text, value, code) in [
        ("count > 1", json!("1"), E0402),
        ("count > 1", json!(null), E0402),
        ("name in ['a']", json!("a"), E0402),
        ("name in ['a']", json!({"a": 1}), E0402),
        ("name contains 'a'", json!(["a"]), E0402),
        ("name contains 'a'", json!({}), E0402),
        ("name starts_with 'a'", json!(1), E0402),
        ("name ends_with 'a'", json!(null), E0402),
        ("name =~ 'a.'", json!(["a"]), E0402),
        ("name glob 'a'", json!(["a", 1]), E0402),
        ("exists(name)", json!("yes"), E0402),
        ("name matches {}", json!([]), E0402),
        ("name matches {}", json!({"typo": 1}), E0419),
        ("name matches {}", json!({"type": "sting"}), E0420),
        ("name matches {}", json!({"$ref": "elsewhere"}), E0421),
    ] {
        let reported = reported("gate", leaf_value(text, value.clone()));
        assert!(codes(&reported).contains(&code), "{text} with {value}: {reported:?}");
    }
    let reported = reported("gate", leaf_value("count > 1", json!("10")));
    assert_eq!(reported[0].help.as_deref(), Some("remove the quotes: `10`"));
}

#[test]
fn keys_next_to_hooks() {
    let fold = |text| leaf(text, |leaf| leaf.ignore_case = Some(hookc_schema::Spanned::new((), span(0..1))));
    assert_eq!(codes(&reported("gate", fold("count > 1"))), [E0405]);
    assert_eq!(codes(&reported("gate", fold("exists(name)"))), [E0405]);
    assert_eq!(codes(&reported("gate", fold("name == 'a'"))), []);
    let format =
        |text| leaf(text, |leaf| leaf.assert_format = Some(hookc_schema::Spanned::new((), span(0..1))));
    assert_eq!(codes(&reported("gate", format("name == 'a'"))), [E0403]);
    let none = |text| leaf(text, |leaf| leaf.right = Right::None);
    assert_eq!(codes(&reported("gate", none("name == 'a'"))), [E0403]);
    assert_eq!(codes(&reported("gate", none("name glob 'a'"))), [E0403]);
    let CondPath(path) = CondPath::parse("name == $..x");
    let other = |text: &str| {
        let path = path.clone();
        leaf(text, move |leaf| leaf.right = Right::Path(path))
    };
    assert_eq!(codes(&reported("gate", other("name == 'a'"))), [E0402], "several values");
    assert_eq!(codes_of("gate", "name == detail.other"), []);
    let CondPath(path) = CondPath::parse("name == detail.other");
    for text in ["name =~ 'a.'", "name glob 'a'", "exists(name)"] {
        let path = path.clone();
        let cond = leaf(text, move |leaf| leaf.right = Right::Path(path));
        assert_eq!(codes(&reported("gate", cond)), [E0402], "{text}");
    }
}

/// The path of the right operand of a leaf.
struct CondPath(hookc_schema::tree::Path);

impl CondPath {
    fn parse(text: &str) -> Self {
        use hookc_schema::value::{Text, TextMap};
        let text = text.split(" == ").nth(1).unwrap();
        let source = Text { value: text.to_owned(), map: TextMap::Shift(0) };
        let path = hookc_syntax::expr::path::parse(&source, span(0..text.len()), &mut Diagnostics::new());
        Self(path.unwrap())
    }
}

#[test]
fn paths_with_several_results() {
    assert_eq!(codes_of("error", "$..message == 'x'"), []);
    assert_eq!(codes_of("error", "exists($.items[*])"), []);
    // The prefix of such a path is checked as a separate path.
    assert_eq!(codes_of("error", "$.eror[*] == 'x'"), [W0416]);
    assert_eq!(codes_of("gate", "exists($.zzz..x)"), [E0410]);
    // It selects several values, each of which can satisfy a leaf.
    assert_eq!(codes_of("error", "$.items[*] == 1 and $.items[*] == 2"), []);
    assert_eq!(codes_of("error", "$.items[*] == 1 and not ($.items[*] == 1)"), [W0604]);
    assert_eq!(codes_of("error", "exists($.items[?match(@, '\\\\d+')])"), [W0601]);
    assert_eq!(codes_of("error", "exists($.items[?search(@, '[9-0]')])"), [W0601]);
    assert_eq!(codes_of("error", "exists($.items[?search(@, '[0-9]')])"), []);
    assert_eq!(codes_of("error", "cost.spend > $.items[*]"), [E0402]);
    assert_eq!(codes_of("error", "exists($)"), []);
}

#[test]
fn exponents() {
    use hookc_schema::value::{Kind, Number};
    let huge = |text| {
        leaf(text, |leaf| {
            let number = hookc_schema::value::Value::new(Kind::Num(Number("1e10001".into())), span(0..1));
            leaf.right = hookc_schema::tree::Right::Value(number.into());
        })
    };
    assert_eq!(codes(&reported("error", huge("x > 1"))), [E0308]);
    assert_eq!(codes(&reported("error", huge("x == 1"))), [E0308]);
}

#[test]
fn patterns() {
    let regex = |pattern: &str| reported("gate", leaf_value("name =~ 'x'", json!(pattern)));
    for (pattern, at, what) in [
        (r"ab(?=c)", 2..5, "look-ahead"),
        (r"é(?!c)", 2..5, "negative look-ahead"),
        (r"(?<=c)x", 0..4, "look-behind"),
        (r"(?<!c)x", 0..4, "negative look-behind"),
        (r"(a)\1", 3..5, "back-reference"),
        (r"(?P<x>a)\k<x>", 8..10, "back-reference"),
        (r"a(?>b)", 3..4, "atomic group"),
        (r"a[b", 1..2, "unclosed character class"),
        (r"a)", 1..2, "unopened group"),
        (r"\p{Nope}", 0..8, "property"),
    ] {
        let reported = regex(pattern);
        assert_eq!(codes(&reported), [E0404], "{pattern}");
        assert!(reported[0].message.contains(what), "{pattern}: {}", reported[0].message);
        assert_eq!(reported[0].span(), Some(span(at)), "{pattern}");
    }
    assert!(regex(r"é(?!c)")[0].message.ends_with("at column 2 of the pattern"));
    let large = regex(r"(\w{200}){20}");
    assert_eq!(codes(&large), [E0404]);
    assert!(large[0].message.contains("1024 KiB"), "{}", large[0].message);
    let globs = reported("gate", leaf_value("name glob 'x'", json!(["*.rs", "a[b"])));
    assert_eq!(codes(&globs), [E0411]);
    assert_eq!(codes(&reported("gate", leaf_value("name glob 'x'", json!([])))), [W0601]);
}

/// Longer patterns hardly match everything.
#[test]
fn patterns_of_256_bytes_are_read_for_whether_they_match_everything() {
    for (pattern, bytes, expected) in
        [("(x*)".repeat(64), 256, &[W0610][..]), (format!("{}(x*|)", "(x*)".repeat(63)), 257, &[])]
    {
        assert_eq!(pattern.len(), bytes);
        assert_eq!(codes(&reported("gate", leaf_value("name =~ 'x'", json!(pattern)))), expected, "{bytes}");
    }
}

#[test]
fn plain_regular_expressions() {
    for (pattern, op) in [
        ("a.b", None),
        ("ab", Some("contains")),
        ("^ab", Some("starts_with")),
        (r"a\.$", Some("ends_with")),
        ("^ab$", Some("==")),
    ] {
        let reported = reported("gate", leaf_value("name =~ 'x'", json!(pattern)));
        match op {
            None => assert_eq!(reported, []),
            Some(op) => {
                assert_eq!(codes(&reported), [W0603]);
                assert!(reported[0].help.as_ref().unwrap().contains(&format!("`name {op} '")), "{pattern}");
            }
        }
    }
    assert_eq!(codes_of("error", "x =~ '^5$'"), [], "a number's text may be meant");
    assert_eq!(codes_of("error", "x =~ '^-5$'"), [], "a number's text may be meant");
    assert_eq!(codes_of("error", "x =~ '^5'"), [W0603], "as text, a number has a start too");
    assert_eq!(codes_of("error", "x =~ '^ab$'"), [W0603], "the text of no number");
    assert_eq!(codes_of("gate", "name =~ '^5$'"), [W0603]);
    let fix = reported("gate", cond("name=~'ab'"))[0].fix.clone().unwrap();
    assert_eq!((fix.replacement.as_str(), fix.safe), (" contains ", true));
    assert_eq!(reported("gate", cond("name =~ /ab/"))[0].fix, None, "slashes stand right of `=~` alone");
    assert_eq!(codes_of("error", "x =~ 'ab'"), [], "an array contains its elements");
}

#[test]
fn backslashes_of_patterns() {
    for (text, escape) in [
        (r#"name =~ "\bpush\b""#, r"'\bpush\b'"),
        ("name =~ '\u{8}a'", r"'\ba'"),
        ("name =~ /\u{8}a/", r"'\ba'"),
        (r#"name =~ "a\tb""#, r"'a\tb'"),
        (r#"name =~ "[\b]""#, r"'[\x08]'"),
        (r#"name =~ "it's\u001b""#, r"'it''s\x1b'"),
    ] {
        let reported = reported("gate", cond(text));
        assert_eq!(codes(&reported), [E0309], "{text:?}");
        let help = reported[0].help.as_ref().unwrap();
        assert!(help.contains(escape) && !help.contains(char::is_control), "{text:?}: {help}");
    }
    assert_eq!(codes_of("gate", "name =~ '(?x) a+\n b'"), []);
    assert_eq!(codes_of("gate", "name =~ 'a\n'"), [E0309]);
    assert_eq!(codes_of("gate", r#"name matches {"pattern": "\bx"}"#), [E0309]);
    for (text, code) in [
        (r"name =~ '^git\\s+push'", W0608),
        (r"name =~ /\\.env$/", W0608),
        (r#"name =~ "\\\\bpush\\\\b""#, W0608),
        (r"name matches {'pattern': '^\\d+$'}", W0608),
    ] {
        assert_eq!(codes_of("gate", text), [code], "{text}");
    }
    let fixed = reported("gate", cond(r"name =~ '^git\\s+\\w+'"))[0].fix.clone().unwrap();
    assert_eq!((fixed.replacement.as_str(), fixed.span.range()), (r"\s+\", 13..19));
    let doubled = reported("gate", cond(r#"name =~ "^git\\\\s""#))[0].clone();
    assert_eq!(doubled.fix.unwrap().replacement, r"\\");
    assert_eq!(codes_of("gate", r"name =~ 'x\\(y'"), [E0404]);
}

#[test]
fn leaves_that_the_declared_type_excludes() {
    let table: &[(&str, &[Code])] = &[
        ("name > 1", &[W0601]),
        ("count > 1", &[]),
        ("count > detail.retry_after", &[]),
        ("count > name", &[W0601]),
        ("on contains 'ru'", &[]),
        ("on contains 'x'", &[W0601]),
        ("on starts_with 'fal'", &[]),
        ("count starts_with 'a'", &[W0601]),
        ("count starts_with '4'", &[]),
        ("count contains true", &[W0601]),
        ("on starts_with 'rue'", &[W0601]),
        ("on ends_with 'tru'", &[W0601]),
        ("tags =~ 'ab'", &[W0601]),
        ("tags contains null", &[]),
        ("name contains null", &[W0601]),
        ("detail contains 'x'", &[W0601]),
        ("detail =~ 'x.'", &[W0601]),
        ("count glob '4*'", &[W0601]),
        ("name == 5", &[W0601]),
        ("name != 5", &[W0604]),
        ("name == null", &[]),
        ("count == 1.5", &[W0601]),
        ("count == 2.0", &[]),
        ("name == count", &[W0601]),
        ("name == detail.retry_after", &[]),
        ("name in [1, 2]", &[W0601]),
        ("name in [1, 'a']", &[W0605]),
        ("name in []", &[W0601]),
        ("name in tags", &[]),
        ("name in count", &[W0601]),
        ("name contains count", &[]),
        ("name contains detail", &[W0601]),
        ("name contains detail.retry_after", &[]),
        ("color == 'gren'", &[W0605]),
        ("color == 'RED'", &[W0605]),
        ("color == 'RED' nocase", &[]),
        ("color in ['red', 'blue']", &[W0605]),
        ("color != 'blue'", &[W0605]),
        ("exists(color)", &[]),
        ("detail.retry_after == null", &[]),
        ("detail.retry_after contains 'x'", &[W0601]),
    ];
    for (text, expected) in table {
        assert_eq!(codes_of("gate", text), *expected, "{text}");
    }
    let reported = reported("gate", cond("color == 'gren'"));
    assert_eq!(reported[0].help.as_deref(), Some("did you mean `green`?"));
}

#[test]
fn all_problems_are_reported() {
    let text = "count > 1 and $..x == 1 and name =~ '(?=x)' and nme == 1 and zzz == 1";
    assert_eq!(codes_of("gate", text), [E0404, E0410, E0410]);
}
