//! Listings and descriptions of a module.

use std::sync::Arc;

use crate::linked;

use hookc_compiler::disasm::{describe, print};
use hookc_compiler::ir::{CheckedParam, LowCond, Rendered, TestRight};
use hookc_compiler::link::Linked;
use hookc_compiler::{codegen, plan};
use hookc_schema::tree::{Mode, Op};
use hookc_schema::vocab::{ParamType, Type, TypeSet};
use hookc_schema::{Diagnostics, Sources, Span};
use hookc_vm::Module;
use linked::{exists, leaf, path, test, value};

fn policy() -> (Linked, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", "hooks:\n  - one\n  - two\n");
    let first = LowCond::All(
        [
            test("error.code", Op::Eq, "\"x\""),
            LowCond::Any([test("~limit_code", Op::In, "[\"spend\", 3]"), exists("items.-1")].into()),
        ]
        .into(),
    );
    let second = LowCond::Not(Arc::new(leaf("a", Op::Contains, TestRight::Path(path("b")))));
    let mut linked = linked::linked(vec![first, second]);
    let hooks = &mut linked.events[0].hooks;
    hooks[0].span = Span::new(source, 9..14);
    hooks[1].span = Span::new(source, 17..22);
    hooks[1].mode = Mode::Shadow;
    let integer =
        ParamType { types: TypeSet::only(Type::Integer), minimum: Some(number("0")), ..ParamType::default() };
    let text = Rendered::Text(vec![
        Rendered::Const(value("\"at ${x} by \"")),
        Rendered::Slot(path("error.code"), Some(value("\"?\""))),
    ]);
    hooks[0].action.params = vec![
        (
            "delay".to_owned(),
            CheckedParam { value: Rendered::Slot(path("n"), None), declared: Some(integer.into()) },
        ),
        ("note".to_owned(), CheckedParam { value: text, declared: None }),
    ];
    (linked, sources)
}

fn number(text: &str) -> hookc_schema::value::Number {
    hookc_schema::value::Number(text.to_owned())
}

fn module(strip: bool) -> Module {
    let (linked, sources) = policy();
    let mut out = Diagnostics::new();
    let plan = plan::plan(&linked, &mut out);
    Module::load(codegen::emit(&plan, Some(&sources).filter(|_| !strip)).unwrap()).unwrap()
}

const LISTING: &str = r#"
; hookc module, format 5

strings
  x0 "event"
  x1 "type"
  x2 "hook_event_name"
  x3 "event_type"
  x4 "error"
  x5 "code"
  x6 "limit_code"
  x7 "items"
  x8 "n"
  x9 "x"
  x10 "spend"
  x11 "3"
  x12 "abort"
  x13 "delay"
  x14 "0"
  x15 "note"
  x16 "at ${x} by "
  x17 "?"
  x18 "a"
  x19 "b"

constants
  k0 null
  k1 0 ; x14
  k2 3 ; x11
  k3 "?" ; x17
  k4 "at ${x} by " ; x16
  k5 "spend" ; x10
  k6 "x" ; x9

lists
  l0 [k2, k5] ; [3, "spend"]

slots
  s0 = event.type
  s1 = hook_event_name
  s2 = event_type
  s3 = n
  s4 = error.code
  s5 = limit_code
  s6 = event.limit_code
  s7 = items[-1]
  s8 = a
  s9 = b
  s10 = limit_code | event.limit_code ; s5 ? s5 : s6

predicates
  p0 eq s4 k6 ; error.code == "x"
  p1 in s10 l0 ; limit_code in [3, "spend"]
  p2 exists s7 ; exists(items[-1])
  p3 contains_slot s8 s9 ; a contains b

conditions
  c0
    @0 unless p0 no ; error.code == "x"
    @1 if p1 yes ; limit_code in [3, "spend"]
    @2 unless p2 no ; exists(items[-1])
  c1
    @0 if p3 no ; a contains b

templates
  t0 slot s3 ; "${n}"
  t1 const k4 ; "at $${x} by "
  t2 slot s4 ?? k3 ; "${error.code ?? "?"}"
  t3 text t1, t2 ; "at $${x} by ${error.code ?? "?"}"

checks
  h0 integer >= k1

actions
  a0 abort
    delay = t0 h0 ; "${n}"
    note = t3 ; "at $${x} by ${error.code ?? "?"}"
  a1 abort

events
  thread "error" first
    reads event, event.type, hook_event_name, event_type, error, error.code, limit_code, event.limit_code, items, items[-1], n, a, b
    whole s3, s4, s8, s9
    0 "error#0" c0 a0 enforce directive ; hooks.yaml:2:3
    1 "error#1" c1 a1 shadow directive ; hooks.yaml:3:3
"#;

#[test]
fn the_listing_shows_every_table() {
    let module = module(false);
    assert_eq!(print(&module.tables().unwrap()), LISTING.trim_start());
}

#[test]
fn a_stripped_listing_names_no_hook() {
    let text = print(&module(true).tables().unwrap());
    assert!(text.contains("\n    0 c0 a0 enforce\n"), "{text}");
    assert!(!text.contains("hooks.yaml") && !text.contains("error#"));
}

#[test]
fn predicates_and_slots_read_as_written() {
    let module = module(true);
    let tables = module.tables().unwrap();
    let preds: Vec<String> = (0..4).map(|pred| describe::predicate(&tables, pred)).collect();
    let expected =
        ["error.code == \"x\"", "limit_code in [3, \"spend\"]", "exists(items[-1])", "a contains b"];
    assert_eq!(preds, expected);
    let last = tables.slots - 1;
    assert_eq!(describe::slot(&tables, last), "limit_code");
    assert_eq!(describe::Names::new(tables).slot_paths(last), "limit_code | event.limit_code");
    assert_eq!(describe::predicate(&tables, 99), "p99");
    assert_eq!(describe::slot(&tables, 99), "s99");
}

#[test]
fn long_constants_are_cut_in_listings_only() {
    let long = format!("\"{}\"", "é".repeat(1000));
    let linked = linked::linked(vec![test("a", Op::Eq, &long)]);
    let plan = plan::plan(&linked, &mut Diagnostics::new());
    let module = Module::load(codegen::emit(&plan, None).unwrap()).unwrap();
    assert_eq!(describe::predicate(&module.tables().unwrap(), 0), format!("a == {long}"));
    assert_eq!(print(&module.tables().unwrap()).matches(&long).count(), 1, "in the table of strings");
}

#[test]
fn the_plan_prints_its_content() {
    let (linked, _) = policy();
    let text = plan::print(&plan::plan(&linked, &mut Diagnostics::new()));
    for line in [
        "event thread error first\n",
        "  s10 = limit_code | event.limit_code ; s5 ? s5 : s6\n",
        "  c4 = all(c0, c3)\n",
        "  1 \"error#1\" directive shadow c6 a1\n",
        "text(t1, t2)\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
}
