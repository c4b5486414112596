//! Code generation: the code of a condition tree has its meaning.

use std::sync::Arc;

use crate::linked;

use hookc_compiler::ir::LowCond;
use hookc_compiler::plan::{Cond, CondId, ConstId, Left, ListId, Plan, Right, plan};
use hookc_compiler::{codegen, link::Linked};
use hookc_schema::tree::Op as TreeOp;
use hookc_schema::{Code, Diagnostics, Sources};
use hookc_vm::Module;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Hook, HookTest, Image, Row};
use linked::{exists, test};
use proptest::prelude::*;

/// Leaves are `exists` of these; truth is a bit each.
const LEAVES: u32 = 6;

fn tree() -> impl Strategy<Value = LowCond> {
    let leaf = prop_oneof![
        8 => (0..LEAVES).prop_map(|leaf| exists(&format!("f{leaf}"))),
        1 => any::<bool>().prop_map(LowCond::Const),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| LowCond::All(parts.into())),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| LowCond::Any(parts.into())),
            inner.prop_map(|cond| LowCond::Not(cond.into())),
        ]
    })
}

/// The tree, evaluated the obvious way.
fn holds(cond: &LowCond, truth: &dyn Fn(&LowCond) -> bool) -> bool {
    match cond {
        LowCond::Const(value) => *value,
        LowCond::All(conds) => conds.iter().all(|cond| holds(cond, truth)),
        LowCond::Any(conds) => conds.iter().any(|cond| holds(cond, truth)),
        LowCond::Not(cond) => !holds(cond, truth),
        leaf => truth(leaf),
    }
}

/// The code, run the obvious way.
fn run(image: &Image, cond: u32, truth: &dyn Fn(u32) -> bool) -> bool {
    let range = image.conds[cond as usize];
    let (start, length) = (range.start.get() as usize, range.length.get() as usize);
    let block = &image.code[start..start + length];
    let mut at = 0;
    loop {
        if at >= block.len() {
            return at == block.len();
        }
        let Row { op, a, b, .. } = block[at];
        let (a, target) = (a.get(), b.get() as usize);
        let jumps = match Op::from_number(op).unwrap() {
            Op::Yes => return true,
            Op::No => return false,
            Op::Jump => true,
            Op::IfPred => truth(a),
            Op::UnlessPred => !truth(a),
            Op::IfCond | Op::UnlessCond if a >= cond => panic!("c{cond} refers to c{a}"),
            Op::IfCond => run(image, a, truth),
            Op::UnlessCond => !run(image, a, truth),
            other => panic!("{other:?} in code"),
        };
        if jumps {
            assert!(target > at, "a jump backward");
        }
        at = if jumps { target } else { at + 1 };
    }
}

/// The truth of the leaf `f<n>` is bit n.
fn bit(path: &str, bits: u32) -> bool {
    let leaf: u32 = path.trim_start_matches('f').parse().unwrap();
    bits >> leaf & 1 == 1
}

fn leaf_truth(cond: &LowCond, bits: u32) -> bool {
    let LowCond::Test(test) = cond else { panic!("not a leaf") };
    let hookc_compiler::ir::ReadPath::Plain(steps) = &test.node.path else { panic!("merged") };
    let hookc_schema::tree::Step::Name(name) = &steps[0] else { panic!("an index") };
    bit(name, bits)
}

fn pred_truth(plan: &Plan, pred: u32, bits: u32) -> bool {
    let pred = plan.preds[pred as usize];
    assert_eq!(pred.right, Right::None);
    let Left::Slot(slot) = pred.left else { panic!("not of a slot") };
    let steps = plan.steps(plan.slots[slot.index()]);
    let hookc_schema::tree::Step::Name(name) = &steps[0] else { panic!("an index") };
    bit(name, bits)
}

fn built(linked: &Linked) -> (Plan, Image) {
    let mut out = Diagnostics::new();
    let plan = plan(linked, &mut out);
    assert_eq!(out, []);
    let image = codegen::image(&plan, Some(&Sources::new())).unwrap();
    (plan, image)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(hookc_corpus::effort(400, 100) as u32))]

    #[test]
    fn code_has_the_meaning_of_the_trees(trees in prop::collection::vec(tree(), 1..5), bits in any::<u32>()) {
        let linked = linked::linked(trees.clone());
        let (plan, image) = built(&linked);
        for (tree, hook) in trees.iter().zip(&image.hooks) {
            let expected = holds(tree, &|leaf| leaf_truth(leaf, bits));
            let truth = |pred| pred_truth(&plan, pred, bits);
            let actual = match hook.test() {
                HookTest::Cond(cond) => run(&image, cond, &truth),
                HookTest::Pred(pred) => truth(pred),
            };
            prop_assert_eq!(actual, expected);
        }
    }

    #[test]
    fn every_module_loads_and_is_the_same_twice(trees in prop::collection::vec(tree(), 1..5)) {
        let linked = linked::linked(trees);
        let (plan, image) = built(&linked);
        let bytes = codegen::emit(&plan, Some(&Sources::new())).unwrap();
        prop_assert_eq!(&bytes, &image.encode());
        prop_assert_eq!(&bytes, &built(&linked).1.encode());
        prop_assert!(Module::load(bytes).is_ok());
    }
}

fn code(image: &Image, cond: u32) -> Vec<String> {
    let range = image.conds[cond as usize];
    let start = range.start.get() as usize;
    let rows = &image.code[start..start + range.length.get() as usize];
    rows.iter()
        .map(|row| format!("{} {} {}", Op::from_number(row.op).unwrap().mnemonic(), row.a, row.b))
        .collect()
}

#[test]
fn constants_have_blocks_and_a_bare_predicate_needs_none() {
    let conds = vec![exists("f0"), LowCond::Const(true), LowCond::Const(false), exists("f0")];
    let (_, image) = built(&linked::linked(conds));
    let tests: Vec<HookTest> = image.hooks.iter().map(Hook::test).collect();
    assert_eq!(tests, [HookTest::Pred(0), HookTest::Cond(0), HookTest::Cond(1), HookTest::Pred(0)]);
    assert_eq!(image.conds.len(), 2);
    assert_eq!(code(&image, 0), [""; 0]);
    assert_eq!(code(&image, 1), ["jump 0 2"]);
}

#[test]
fn shared_conditions_have_their_own_block() {
    let shared = || LowCond::Any([exists("f0"), exists("f1")].into());
    let first = LowCond::All([exists("f2"), shared()].into());
    let second = LowCond::All([exists("f3"), LowCond::Not(Arc::new(shared()))].into());
    let (_, image) = built(&linked::linked(vec![first, second]));
    assert_eq!(image.conds.len(), 3);
    assert_eq!(code(&image, 0), ["if 1 2", "unless 2 3"]);
    assert_eq!(code(&image, 1), ["unless 0 3", "unless_cond 0 3"]);
    assert_eq!(code(&image, 2), ["unless 3 3", "if_cond 0 3"]);
}

type Change = fn(&mut Plan);

/// Plans of which one stage would have lost something: an error of hookc, never a module.
#[test]
fn a_plan_that_contradicts_itself_has_no_module() {
    let conds = (0..20).map(|at| test("a", TreeOp::Eq, &at.to_string())).collect();
    let (good, _) = built(&linked::linked(conds));
    let broken: [(&str, Change); 6] = [
        ("a condition that the plan does not have", |plan| plan.events[0].hooks[7].cond = CondId(1000)),
        ("a condition that the plan does not have", |plan| plan.conds.push(Cond::All(vec![CondId(1000)]))),
        ("a predicate that the plan does not have", |plan| plan.preds.truncate(3)),
        ("a constant that the plan does not have", |plan| plan.preds[3].right = Right::Const(ConstId(1000))),
        ("a list that the plan does not have", |plan| {
            (plan.preds[3].op, plan.preds[3].right) = (Op::In, Right::List(ListId(1000)));
        }),
        ("a constant without a text", |plan| {
            plan.preds[3].op = Op::StartsWith;
            plan.strings.truncate(3);
        }),
    ];
    for (what, change) in broken {
        let mut plan = good.clone();
        change(&mut plan);
        let fault = codegen::emit(&plan, None).unwrap_err();
        assert!(fault.to_string().contains(what), "{fault}");
        assert_eq!(fault.diagnostic().code, Code::E0999);
    }
    assert!(codegen::emit(&good, None).is_ok());
}

#[test]
fn stripped_modules_have_no_names() {
    let mut one = linked::linked(vec![exists("f0")]);
    let mut sources = Sources::new();
    let source = sources.add("a.yaml", "one\ntwo");
    one.events[0].hooks[0].span = hookc_schema::Span::new(source, 4..7);
    let mut other = one.clone();
    other.events[0].hooks[0].label = "another".into();
    other.events[0].hooks[0].span = hookc_schema::Span::default();
    let emit = |linked: &Linked, strip: bool| {
        let mut out = Diagnostics::new();
        codegen::emit(&plan(linked, &mut out), Some(&sources).filter(|_| !strip)).unwrap()
    };
    assert_eq!(emit(&one, true), emit(&other, true));
    assert_ne!(emit(&one, false), emit(&other, false));
    let module = Module::load(emit(&one, false)).unwrap();
    let tables = module.tables().unwrap();
    let (label, place) = (tables.labels[0], tables.locations[0]);
    assert_eq!((tables.name(label.name), tables.name(place.file)), ("error#0", "a.yaml"));
    assert_eq!((place.line.get(), place.column.get()), (2, 1));
    assert!(Module::load(emit(&one, true)).unwrap().is_stripped());
}

#[test]
fn the_summary_adds_up() {
    let (_, image) = built(&linked::linked(vec![exists("f0"), exists("f1")]));
    let module = Module::load(image.encode()).unwrap();
    let summary = codegen::summary(&module).unwrap();
    assert_eq!((summary.hooks, summary.events[0].hooks), (2, 2));
    let sum: usize = summary.sections.iter().map(|section| section.bytes).sum();
    assert!(sum <= summary.bytes && summary.bytes < sum + 8 * summary.sections.len());
}

#[test]
fn many_hooks_are_quick() {
    let cond = |at: usize| {
        LowCond::All(
            [
                test("error.code", TreeOp::Eq, &format!("\"c{at}\"")),
                test("~cost.spend", TreeOp::Gt, &at.to_string()),
                LowCond::Any([exists("a"), exists("b")].into()),
            ]
            .into(),
        )
    };
    let (_, image) = built(&linked::linked((0..hookc_corpus::effort(50_000, 2_000)).map(cond).collect()));
    assert!(Module::load(image.encode()).is_ok());
}

#[test]
fn the_deepest_tree_loads() {
    let deep = (0..120).fold(exists("f0"), |inner, at| {
        let pair = vec![exists(&format!("f{}", at % 6)), inner];
        if at % 2 == 0 { LowCond::All(pair.into()) } else { LowCond::Any(pair.into()) }
    });
    // Twice, with a difference at the top: all but the top is shared.
    let other = LowCond::All([exists("g"), LowCond::Not(Arc::new(deep.clone()))].into());
    let (_, image) = built(&linked::linked(vec![deep, other]));
    assert!(Module::load(image.encode()).is_ok());
}
