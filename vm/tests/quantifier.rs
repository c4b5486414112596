//! Quantifiers in the VM: bound nodes, the budget, and verifier errors.

use crate::common;

use common::{Asm, BOUND, amount, decide, end, quantified, selector};
use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::op::Op;
use hookc_vm::format::{INLINE, Image, NONE};
use hookc_vm::limits::{Limits, MODULE_DEPTH};
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

fn finish(mut asm: Asm, pred: u32) -> Image {
    let cond = asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    asm.one_hook(cond)
}

fn every() -> Image {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let text = asm.constant("\"t\"");
    let pred = quantified(&mut asm, slot, text);
    finish(asm, pred)
}

fn matches(module: &Module, v: &str) -> bool {
    let event = format!("{{\"event_type\":\"e\",\"v\":{v}}}");
    !decide(module, &event, &DecideOptions::default()).unwrap().0.is_empty()
}

/// `x` is not `{k: t}` and no child of `x` equals `x` or `v`.
#[test]
fn each_node_in_turn() {
    let module = Module::load(every().encode()).unwrap();
    for (v, expected) in [
        ("[]", false),
        ("3", false),
        ("{}", false),
        ("[{\"k\":\"t\"}]", false),
        ("[{\"k\":\"u\"}]", true),
        ("[{\"k\":\"t\"},{\"k\":\"t\"},1]", true),
        ("{\"a\":{\"k\":\"t\"},\"b\":2}", true),
        ("[[1]]", true),
    ] {
        assert_eq!(matches(&module, v), expected, "{v}");
    }
    assert!(
        !decide(&module, "{\"event_type\":\"e\"}", &DecideOptions::default()).unwrap().0.iter().any(|_| true)
    );
}

/// A trace lists the nodes that match, and says nothing where none does.
#[test]
fn a_trace_lists_the_nodes_that_match() {
    let module = Module::load(every().encode()).unwrap();
    for (v, nodes, matching) in [
        ("[]", 0, None),
        ("[{\"k\":\"t\"}]", 1, None),
        ("[{\"k\":\"t\"},{\"k\":\"u\"}]", 2, Some("[{\"k\":\"u\"}]")),
    ] {
        let event = format!("{{\"event_type\":\"e\",\"v\":{v}}}");
        let traced = module.trace(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).unwrap();
        let deciding = traced.hooks()[0].deciding.clone().unwrap();
        assert_eq!((deciding.nodes, deciding.matching.as_deref()), (Some(nodes), matching), "{v}");
        assert_eq!(deciding.holds, matching.is_some(), "{v}");
    }
}

/// Conditions and predicates within a quantifier that do not read its node: `some(x in v: CODE)`.
#[test]
fn closed_tests_inside() {
    for (op, with_w, without_w) in [
        (Op::IfCond, false, true),
        (Op::UnlessCond, true, false),
        (Op::IfPred, false, true),
        (Op::UnlessPred, true, false),
    ] {
        let mut asm = Asm::new();
        let (v, w) = (asm.slot("v"), asm.slot("w"));
        let outer = asm.query(v, &[(false, &[selector(1, 0)])]);
        let node = asm.query(NONE, &[]);
        let (nodes, x) = (asm.bound(NONE, outer), asm.bound(0, node));
        let (exists, same) = (asm.pred(Op::Exists, w, 0), asm.pred(Op::EqSlot, BOUND + x, v));
        let closed = asm.when(Op::Exists, w, 0);
        let tested = if matches!(op, Op::IfCond | Op::UnlessCond) { closed } else { exists };
        // No element equals the list that it is in.
        let rows = [(Op::IfBound, same, 2), (op, tested, 3), (Op::Yes, 0, 0), (Op::No, 0, 0)];
        let body = asm.cond(&rows);
        let pred = asm.pred(Op::Some, nodes, body);
        let module = Module::load(finish(asm, pred).encode()).unwrap();
        for (members, expected) in
            [("\"v\":[1],\"w\":1", with_w), ("\"v\":[1]", without_w), ("\"w\":1", false)]
        {
            let event = format!("{{\"event_type\":\"e\",{members}}}");
            let found = !decide(&module, &event, &DecideOptions::default()).unwrap().0.is_empty();
            assert_eq!(found, expected, "{op:?} of {event}");
        }
    }
}

/// Two of `x.p`, `x.q` and `x.r`, by every instruction for bound nodes.
#[test]
fn code_about_bound_nodes() {
    let mut asm = Asm::new();
    let v = asm.slot("v");
    let outer = asm.query(v, &[(false, &[selector(1, 0)])]);
    let nodes = asm.bound(NONE, outer);
    let [p, q, r] = ["p", "q", "r"].map(|name| {
        let name = asm.name(name);
        let member = asm.query(NONE, &[(false, &[name])]);
        let member = asm.bound(0, member);
        asm.pred(Op::Exists, BOUND + member, 0)
    });
    let both = asm.cond(&[(Op::UnlessBound, p, 3), (Op::UnlessBound, q, 3), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let either = asm.cond(&[
        (Op::IfBound, p, 3),
        (Op::UnlessBound, q, 4),
        (Op::Jump, 0, 3),
        (Op::Yes, 0, 0),
        (Op::No, 0, 0),
    ]);
    let body = asm.cond(&[
        (Op::IfBoundCond, both, 3),
        (Op::UnlessBound, r, 4),
        (Op::UnlessBoundCond, either, 4),
        (Op::Yes, 0, 0),
        (Op::No, 0, 0),
    ]);
    let pred = asm.pred(Op::Some, nodes, body);
    let module = Module::load(finish(asm, pred).encode()).unwrap();
    for bits in 0_u32..8 {
        let there = ["p", "q", "r"].into_iter().enumerate().filter(|(at, _)| bits & 1 << at != 0);
        let members: Vec<String> = there.map(|(_, name)| format!("\"{name}\":1")).collect();
        let v = format!("[{{}},{{{}}}]", members.join(","));
        assert_eq!(matches(&module, &v), bits.count_ones() >= 2, "{v}");
    }
}

/// What `matches` knows about the value of a slot is not about the next node.
#[test]
fn a_schema_reads_each_node() {
    let mut asm = Asm::new();
    let v = asm.slot("v");
    let integer = asm.schema(&[(Keyword::Type, 4, 0, 0)]);
    let outer = asm.query(v, &[(false, &[selector(1, 0)])]);
    let node = asm.query(NONE, &[]);
    let (x, nodes) = (asm.bound(0, node), asm.bound(NONE, outer));
    let valid = asm.pred(Op::Matches, BOUND + x, integer);
    let body = asm.cond(&[(Op::UnlessBound, valid, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let pred = asm.pred(Op::Some, nodes, body);
    let module = Module::load(finish(asm, pred).encode()).unwrap();
    for (v, expected) in [("[\"a\",1]", true), ("[[1],{},1]", true), ("[\"a\",1.5]", false), ("[]", false)] {
        assert_eq!(matches(&module, v), expected, "{v}");
    }
}

/// `some(x in v: x == text)`.
fn an_element_is_the_text() -> Vec<u8> {
    let mut asm = Asm::new();
    let (v, text) = (asm.slot("v"), asm.slot("text"));
    let outer = asm.query(v, &[(false, &[selector(1, 0)])]);
    let node = asm.query(NONE, &[]);
    let (nodes, x) = (asm.bound(NONE, outer), asm.bound(0, node));
    let same = asm.pred(Op::EqSlot, BOUND + x, text);
    let body = asm.cond(&[(Op::UnlessBound, same, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let pred = asm.pred(Op::Some, nodes, body);
    finish(asm, pred).encode()
}

/// A long text next to many nodes costs steps by its length, far from the budget.
#[test]
fn long_texts_are_within_the_budget() {
    let module = Module::load(an_element_is_the_text()).unwrap();
    let (v, text) = (vec!["1"; amount(1000, 50)].join(","), "x".repeat(amount(100_000, 5_000)));
    let event = format!("{{\"event_type\":\"e\",\"v\":[{v}],\"text\":\"{text}\"}}");
    assert!(decide(&module, &event, &DecideOptions::default()).unwrap().0.is_empty());
}

/// Each comparison costs a step per sixteen bytes of text.
#[test]
fn the_budget_bounds_long_texts() {
    let mut limits = Limits::default();
    limits.query_steps = 1000;
    let module = Module::load_with(an_element_is_the_text(), limits).unwrap();
    for (length, within) in
        [(15, true), (16 * 50 - 1, true), (16 * 200 - 1, false), (amount(100_000, 5_000), false)]
    {
        let event =
            format!("{{\"event_type\":\"e\",\"v\":[1,2,3,4,5,6,7,8,9],\"text\":\"{}\"}}", "x".repeat(length));
        let mut scratch = Scratch::new();
        let decided = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).err();
        assert_eq!(decided, (!within).then_some(DecideError::QuerySteps(1000)), "{length}");
    }
}

/// `some(x in v: some(y in v: some(z in v: x == z and false)))`: a power of the length.
#[test]
fn the_budget_bounds_nested_quantifiers() {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let outer = asm.query(slot, &[(false, &[selector(1, 0)])]);
    let node = asm.query(NONE, &[]);
    let nodes = asm.bound(NONE, outer);
    let (z, x) = (asm.bound(0, node), asm.bound(2, node));
    let mut pred = asm.pred(Op::EqSlot, BOUND + x, BOUND + z);
    let mut cond = asm.cond(&[(Op::UnlessBound, pred, 1), (Op::No, 0, 0)]);
    for op in [Op::UnlessBound, Op::UnlessBound, Op::UnlessPred] {
        pred = asm.pred(Op::Some, nodes, cond);
        cond = asm.cond(&[(op, pred, 1), (Op::No, 0, 0)]);
    }
    let image = asm.one_hook(cond);
    let mut limits = Limits::default();
    limits.query_steps = amount(1 << 20, 1 << 15);
    let module = Module::load_with(image.encode(), limits).unwrap();
    let mut scratch = Scratch::new();
    let mut of = |length: usize| {
        let v = vec!["1"; length].join(",");
        let event = format!("{{\"event_type\":\"e\",\"v\":[{v}]}}");
        module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).map(|d| d.hooks().len())
    };
    assert!(matches!(of(10), Ok(0)));
    assert!(matches!(of(1000), Err(DecideError::QuerySteps(_))));
    assert!(matches!(of(10), Ok(0)), "the next decision starts anew");
}

fn some(image: &mut Image, nth: usize) -> &mut hookc_vm::format::Row {
    image.preds.iter_mut().filter(|row| row.op == Op::Some as u8).nth(nth).unwrap()
}

fn code(image: &mut Image, op: Op) -> &mut hookc_vm::format::Row {
    image.code.iter_mut().find(|row| row.op == op as u8).unwrap()
}

const MARK: &str = "a test of a bound node is not marked, or another is";
const OUT: &str = "operand a is out of range";

/// Each check of the verifier: the change that violates it, and the message.
const BREAKS: &[common::Break] = &[
    (|i| i.bounds[0].query = end(&i.queries).into(), "bounds row 0: the query is out of range"),
    (|i| i.bounds[0].query = 1.into(), "bounds row 0: the query starts at no slot"),
    (|i| i.bounds[1].query = 0.into(), "bounds row 1: the query starts at a slot"),
    (|i| i.bounds[1].up = (MODULE_DEPTH as u32).into(), "bounds row 1: starts too far out"),
    (|i| i.segments[1].tag = 1.into(), "a segment that is not one step"),
    (|i| some(i, 0).a = end(&i.bounds).into(), OUT),
    (|i| some(i, 0).b = end(&i.conds).into(), "operand b is out of range"),
    // The children of a node are several values.
    (|i| i.preds[0].a = (i.slots + 3).into(), OUT),
    (|i| i.preds[0].b = (i.slots + 3).into(), "operand b is out of range"),
    (|i| i.preds[0].a = (i.slots + 1000).into(), OUT),
    (|i| code(i, Op::IfBound).op = Op::IfPred as u8, MARK),
    (|i| code(i, Op::IfBoundCond).op = Op::IfCond as u8, MARK),
    (|i| code(i, Op::UnlessPred).op = Op::UnlessBound as u8, MARK),
    (|i| i.bounds[4].up = 2.into(), MARK),
    (|i| i.hooks[0].cond = 0.into(), "hooks row 0: the condition reads a bound node"),
    (|i| i.hooks[0].cond = INLINE.into(), "hooks row 0: the condition reads a bound node"),
    // The condition of the inner one tests the outer one.
    (|i| code(i, Op::IfBound).a = 4.into(), "a quantifier's condition tests it before it"),
    (|i| some(i, 0).b = 2.into(), "a quantifier's condition tests it before it"),
];

#[test]
fn every_check_of_the_verifier() {
    common::refused(every, BREAKS);
}
