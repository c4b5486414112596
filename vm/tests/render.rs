//! Actions: templates, checks, limits.

use crate::common;

use common::{Asm, T, amount};
use hookc_vm::format::op::Op;
use hookc_vm::limits::Limits;
use hookc_vm::{DecideOptions, EventError, Module, RenderError, Scratch};
use hookc_vm::{Family, Mode, Strategy};

type Params<'a> = &'a [(&'a str, T, Option<u32>)];

/// A module whose only hook always matches and has the action.
fn module(mut asm: Asm, params: Params<'_>, limits: Limits) -> Module {
    let (cond, action) = (asm.always(), asm.action("emit_event", params));
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    Module::load_with(asm.finish().encode(), limits).expect("the module loads")
}

fn render(module: &Module, event: &str) -> Result<String, RenderError> {
    let mut scratch = Scratch::new();
    let ask = DecideOptions::default().event("e");
    let decision = module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
    let mut out = String::from("kept");
    let done = decision.hooks().next().unwrap().render(&mut out);
    if done.is_err() {
        assert_eq!(out, "kept", "as before after an error");
    }
    done.map(|()| out.strip_prefix("kept").unwrap().to_owned())
}

#[test]
fn templates() {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b.0"));
    let text =
        T::Text(vec![T::Const("\"<\""), T::Slot(a), T::Const("\"|\""), T::Or(b, "[1]"), T::Const("\">\"")]);
    let nested = T::Object(vec![
        ("k", T::Array(vec![T::Slot(a), T::Const("{\"c\":[1,\"\\n\"]}")])),
        ("z\"", T::Object(vec![])),
    ]);
    let params = [
        ("alone", T::Slot(a), None),
        ("const", T::Const("\"é\""), None),
        ("nested", nested, None),
        ("or", T::Or(b, "{\"d\":null}"), None),
        ("text", text, None),
    ];
    let module = module(asm, &params, Limits::default());
    for (event, alone, or, text) in [
        ("{}", "null", "{\"d\":null}", "<|[1]>"),
        (r#"{"a":null,"b":[null]}"#, "null", "{\"d\":null}", "<|[1]>"),
        (r#"{"a":1e3,"b":[false]}"#, "1000", "false", "<1000|false>"),
        (r#"{"a":"x\"\u00e9","b":[""]}"#, "\"x\\\"é\"", "\"\"", "<x\\\"é|>"),
        (
            r#"{"a":{"b":[1.0, {}],"a":"\u0007/"},"b":[[1 ,2]]}"#,
            "{\"a\":\"\\u0007/\",\"b\":[1,{}]}",
            "[1,2]",
            "<{\\\"a\\\":\\\"\\\\u0007/\\\",\\\"b\\\":[1,{}]}|[1,2]>",
        ),
        (r#"{"a":"${a}","b":["${b}"]}"#, "\"${a}\"", "\"${b}\"", "<${a}|${b}>"),
    ] {
        let expected = format!(
            "{{\"type\":\"emit_event\",\"alone\":{alone},\"const\":\"é\",\"nested\":{{\"k\":[{alone},{{\"c\":[1,\"\\n\"]}}],\"z\\\"\":{{}}}},\"or\":{or},\"text\":\"{text}\"}}"
        );
        assert_eq!(render(&module, event).unwrap(), expected, "{event}");
        serde_json::from_str::<serde_json::Value>(&expected).expect("it is JSON");
    }
}

/// A `${NAME}` without U+0000 is the author's: text of the event is marked next to the author's, and after each `$`.
#[test]
fn marked_text_of_the_event() {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b"));
    let params = [
        ("alone", T::Slot(a), None),
        ("list", T::Array(vec![T::Slot(b), T::Const("\"$c\"")]), None),
        ("text", T::Text(vec![T::Const("\"${HOME}/\""), T::Slot(a), T::Const("\" $x\""), T::Slot(b)]), None),
    ];
    let module = module(asm, &params, Limits::default());
    let mut scratch = Scratch::new();
    let event = br#"{"event_type":"e","a":"${A}$","b":["$","y"]}"#;
    let decision = module.decide(&mut scratch, event, &DecideOptions::default()).unwrap();
    let mut out = "kept".to_owned();
    decision.hooks().next().unwrap().render_marked(&mut out).unwrap();
    let read: serde_json::Value = serde_json::from_str(out.strip_prefix("kept").unwrap()).unwrap();
    assert_eq!(read["type"], "emit_event");
    assert_eq!(read["alone"], "$\0{A}$\0");
    assert_eq!(read["list"], serde_json::json!([["$\0", "y"], "$c"]));
    assert_eq!(read["text"], "${HOME}/\0$\0{A}$\0\0 $x\0[\"$\0\",\"y\"]\0");
}

#[test]
fn no_parameters() {
    let module = module(Asm::new(), &[], Limits::default());
    assert_eq!(render(&module, "{}").unwrap(), r#"{"type":"emit_event"}"#);
}

const NULL: u32 = 1;
const BOOLEAN: u32 = 2;
const INTEGER: u32 = 4;
const NUMBER: u32 = 8;
const STRING: u32 = 16;
const ARRAY: u32 = 32;
const OBJECT: u32 = 64;

/// Types, allowed values, minimum; a value; what should have been instead.
type CheckCase =
    (u32, Option<&'static [&'static str]>, Option<&'static str>, &'static str, Option<&'static str>);

const CHECKS: &[CheckCase] = &[
    (0, None, None, "{\"x\":1}", None),
    (NULL, None, None, "null", None),
    (BOOLEAN | NULL, None, None, "true", None),
    (BOOLEAN | NULL, None, None, "0", Some("null or boolean")),
    (INTEGER, None, None, "3.0", None),
    (INTEGER, None, None, "3.5", Some("integer")),
    (INTEGER, None, Some("1"), "0", Some("integer of at least 1")),
    (INTEGER, None, Some("1"), "1e0", None),
    (NUMBER, None, None, "3.5", None),
    (NUMBER, None, None, "3", None),
    (NUMBER, None, Some("-0.5"), "-0.50000000000000000001", Some("number of at least -0.5")),
    (STRING, None, Some("5"), "\"0\"", None),
    (STRING, None, None, "null", Some("string")),
    (STRING, None, None, "5", Some("string")),
    (ARRAY, None, None, "[]", None),
    (ARRAY | OBJECT, None, None, "{}", None),
    (ARRAY | OBJECT, None, None, "\"[]\"", Some("array or object")),
    (STRING, Some(&["\"both\"", "\"\\n\""]), None, "\"\\n\"", None),
    (STRING, Some(&["\"a\"", "\"b\""]), None, "\"c\"", Some("one of \"a\", \"b\"")),
    (0, Some(&["1", "[true]"]), None, "1.0", None),
    (0, Some(&["1", "[true]"]), None, "[ true ]", None),
    (0, Some(&["1", "[true]"]), None, "true", Some("one of 1, [true]")),
];

#[test]
fn checks() {
    for (types, allowed, minimum, value, expected) in CHECKS {
        let mut asm = Asm::new();
        let (a, check) = (asm.slot("a"), asm.check(*types, *allowed, *minimum));
        let module = module(asm, &[("p", T::Slot(a), Some(check))], Limits::default());
        let found = match render(&module, &format!("{{\"a\":{value}}}")) {
            Ok(_) => None,
            Err(RenderError::Param { name, expected, .. }) => {
                assert_eq!(name, "p");
                Some(expected)
            }
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found.as_deref(), *expected, "{types} {allowed:?} {minimum:?} {value}");
    }
}

#[test]
fn errors_name_the_type_of_a_value_and_not_the_value() {
    let mut asm = Asm::new();
    let (a, check) = (asm.slot("a"), asm.check(INTEGER, None, Some("0")));
    let module = module(asm, &[("delay", T::Slot(a), Some(check))], Limits::default());
    for (value, found) in [
        (r#""secret""#, "a string"),
        ("-1", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
        ("[0]", "an array"),
        (r#"{"b":0}"#, "an object"),
    ] {
        let error = render(&module, &format!("{{\"a\":{value}}}")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("parameter `delay` must be integer of at least 0, found {found}")
        );
    }
}

#[test]
fn too_large() {
    let mut limits = Limits::default();
    limits.rendered_bytes = 100;
    let mut asm = Asm::new();
    let a = asm.slot("a");
    let whole = module(asm, &[("p", T::Slot(a), None)], limits);
    let event = |n: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(n));
    let room = 100 - r#"{"type":"emit_event","p":""}"#.len();
    assert_eq!(render(&whole, &event(room)).unwrap().len(), 100);
    assert_eq!(render(&whole, &event(room + 1)), Err(RenderError::TooLarge(100)));
    let mut asm = Asm::new();
    let a = asm.slot("a");
    let parts = module(asm, &[("p", T::Text(vec![T::Slot(a), T::Slot(a)]), None)], limits);
    assert_eq!(render(&parts, &event(room)), Err(RenderError::TooLarge(100)));
    assert!(render(&parts, &event(room / 2)).is_ok());
}

/// Templates that share parts double with each level: rendering ends at the limit, even if all
/// parts are empty.
#[test]
fn shared_templates_end() {
    for leaf in [T::Array(vec![]), T::Text(vec![])] {
        let mut asm = Asm::new();
        let mut node = asm.template(&leaf);
        for _ in 0..200 {
            let start = asm.image.indices.len() as u32;
            asm.image.indices.extend([node, node].map(zerocopy::little_endian::U32::new));
            let row = hookc_vm::format::Template { tag: 3.into(), a: start.into(), b: 2.into() };
            asm.image.templates.push(row);
            node = asm.image.templates.len() as u32 - 1;
        }
        let (cond, action) = (asm.always(), asm.action("x", &[("p", T::Const("1"), None)]));
        asm.image.arguments[0].node = node.into();
        asm.event(Family::Thread, "e", Strategy::First);
        asm.hook(cond, action, Mode::Enforce);
        let mut limits = Limits::default();
        limits.rendered_bytes = amount(limits.rendered_bytes, 1_000);
        let module = Module::load_with(asm.finish().encode(), limits).expect("the module loads");
        assert!(matches!(render(&module, "{}"), Err(RenderError::TooLarge(_))));
    }
}

/// Limits of a parsed event apply to what the decision or the action reads.
#[test]
fn a_parsed_event_beyond_a_limit_fails_the_action_that_reads_it() {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b"));
    let cond = asm.when(Op::Exists, b, 0);
    let action = asm.action("x", &[("value", T::Slot(a), None)]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    let mut limits = Limits::default();
    limits.event_depth = 3;
    let module = Module::load_with(asm.finish().encode(), limits).unwrap();
    let mut scratch = Scratch::new();
    for (a, error) in [("[[1]]", None), ("[[[1]]]", Some(RenderError::Event(EventError::TooDeep(3))))] {
        let event = format!(r#"{{"event_type":"e","a":{a},"b":1}}"#).parse().unwrap();
        let decision = module.decide_value(&mut scratch, &event, &DecideOptions::default()).unwrap();
        let mut out = "before".to_owned();
        let rendered = decision.hooks().next().unwrap().render(&mut out);
        assert_eq!(rendered.err(), error);
        assert!(error.is_none() || out == "before", "{out}");
    }
}
