//! Quantifiers in the VM: bound nodes, the budget, and verifier errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests"
)]

use crate::common;

use common::{Asm, BOUND, decide, quantified, selector};
use hookc_vm::format::op::Op;
use hookc_vm::format::{INLINE, Image, NONE};
use hookc_vm::limits::Limits;
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};
use hookc_vm::{Family, Mode, Strategy};

fn finish(mut asm: Asm, pred: u32) -> Image {
    let cond = asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    asm.finish()
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
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    let image = asm.finish();
    let mut limits = Limits::default();
    limits.query_steps = 1 << 20;
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
    (|i| i.bounds[0].query = 1000.into(), "bounds row 0: the query is out of range"),
    (|i| i.bounds[0].query = 1.into(), "bounds row 0: the query starts at no slot"),
    (|i| i.bounds[1].query = 0.into(), "bounds row 1: the query starts at a slot"),
    (|i| i.bounds[1].up = 1000.into(), "bounds row 1: starts too far out"),
    (|i| i.segments[1].tag = 1.into(), "a segment that is not one step"),
    (|i| some(i, 0).a = 1000.into(), OUT),
    (|i| some(i, 0).b = 1000.into(), "operand b is out of range"),
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
