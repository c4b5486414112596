//! The plan: everything once, reads before folding, canonical constants.

use std::sync::Arc;

use crate::linked;
use hookc_base::text::Case;

use hookc_compiler::codegen;
use hookc_compiler::ir::{CheckedParam, LowCond, ReadPath, Rendered, Test, TestRight};
use hookc_compiler::link::Linked;
use hookc_compiler::plan::{Cond, Plan, Template, plan, print};
use hookc_schema::tree::{Op, Step, ViewKind};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::vocab::{ParamType, Type, TypeSet};
use hookc_schema::{Diagnostics, Span, Spanned};
use hookc_vm::Module;
use linked::{exists, leaf, path, test, value};

fn planned(linked: &Linked) -> Plan {
    let mut out = Diagnostics::new();
    let plan = plan(linked, &mut out);
    assert_eq!(out, []);
    let bytes = codegen::emit(&plan, None).unwrap();
    Module::load(bytes).unwrap_or_else(|error| panic!("{error}\n{}", print(&plan)));
    plan
}

fn of(conds: Vec<LowCond>) -> Plan {
    planned(&linked::linked(conds))
}

fn dotted(plan: &Plan, node: hookc_compiler::plan::NodeId) -> String {
    let step = |step: Step| match step {
        Step::Name(name) => name,
        Step::Index(index) => index.to_string(),
        Step::View(kind) => format!("{kind}()"),
    };
    plan.steps(node).into_iter().map(step).collect::<Vec<_>>().join(".")
}

fn slots(plan: &Plan) -> Vec<String> {
    plan.slots.iter().map(|node| dotted(plan, *node)).collect()
}

fn reads(plan: &Plan) -> Vec<String> {
    let mut all: Vec<String> = plan.events[0].reads.iter().map(|node| dotted(plan, *node)).collect();
    all.sort();
    all
}

fn whole(plan: &Plan) -> Vec<String> {
    plan.events[0].whole.iter().map(|slot| dotted(plan, plan.slots[slot.index()])).collect()
}

fn root(plan: &Plan, rank: usize) -> &Cond {
    &plan.conds[plan.events[0].hooks[rank].cond.index()]
}

fn not(cond: LowCond) -> LowCond {
    LowCond::Not(cond.into())
}

#[test]
fn the_type_paths_come_first() {
    let plan = of(vec![exists("event_type"), exists("event.type"), exists("x")]);
    assert_eq!(slots(&plan), ["event.type", "hook_event_name", "event_type", "x"]);
    assert_eq!(reads(&plan), ["event", "event.type", "event_type", "hook_event_name", "x"]);
}

#[test]
fn merged_fields_have_a_guard_and_two_locations() {
    let plan = of(vec![exists("~f.a"), exists("~f.a"), exists("~g"), exists("event.g")]);
    assert_eq!(slots(&plan)[3..], ["f", "f.a", "event.f.a", "g", "event.g"]);
    assert_eq!(plan.derived.len(), 2);
    assert_eq!(plan.derived[1].guard, plan.derived[1].root);
    assert_eq!(plan.preds.len(), 3);
    let read: Vec<String> = reads(&plan).into_iter().filter(|path| !path.contains("type")).collect();
    assert_eq!(read, ["event", "event.f", "event.f.a", "event.g", "f", "f.a", "g", "hook_event_name"]);
    assert_eq!(whole(&plan), [""; 0]);
}

#[test]
fn indexes_and_the_root_are_nodes_too() {
    let plan = of(vec![exists("a.0"), exists("a.-1"), leaf("b", Op::Eq, TestRight::Path(path("a.0")))]);
    assert_eq!(slots(&plan)[3..], ["a.0", "a.-1", "b"]);
    assert_eq!(whole(&plan), ["a.0", "b"]);
}

#[test]
fn numbers_are_shared_by_exact_value() {
    let values =
        ["1", "1.0", "10e-1", "[1.0, {\"b\": 2e0, \"a\": 1}]", "[1, {\"a\": 1.00, \"b\": 2}]", "\"1\""];
    let plan = of(values.map(|value| test("x", Op::Eq, value)).into());
    assert_eq!(plan.preds.len(), 3);
    let texts: Vec<&str> = plan.consts.iter().map(|constant| plan.string(constant.text.unwrap())).collect();
    assert_eq!(texts, ["1", "1", "[1,{\"a\":1,\"b\":2}]"]);
}

#[test]
fn constants_ascend_in_the_modules_order() {
    let values = ["\"b\"", "{}", "10", "true", "9", "[]", "null", "\"a\"", "-3", "false"];
    let plan = of(values.map(|value| test("x", Op::Eq, value)).into());
    let text = print(&plan);
    let constants = text.split_once("constants\n").unwrap().1.split_once("predicates").unwrap().0;
    let shown: Vec<&str> = constants.lines().map(|line| line.split_once(" = ").unwrap().1).collect();
    assert_eq!(shown, ["null", "false", "true", "-3", "9", "10", "\"a\"", "\"b\"", "[]", "{}"]);
}

#[test]
fn lists_are_sets() {
    let lists = ["[3, 1, \"x\", 1.0]", "[\"x\", 1, 3]", "[1, 3]"];
    let mut conds: Vec<LowCond> = lists.map(|list| test("x", Op::In, list)).into();
    conds.push(test("x", Op::Glob, "\"a*\""));
    conds.push(test("x", Op::Glob, "[\"a*\"]"));
    let plan = of(conds);
    assert_eq!((plan.lists.len(), plan.preds.len()), (3, 3));
    assert!(plan.lists.iter().all(|list| list.is_sorted()));
}

#[test]
fn equal_conditions_are_shared_in_any_context() {
    let (a, b) = (|| exists("a"), || exists("b"));
    let all = LowCond::All([a(), b()].into());
    let wrapped = LowCond::All(
        [
            LowCond::Const(true),
            LowCond::Any([LowCond::All([a(), a()].into()), LowCond::Const(false)].into()),
            not(not(b())),
            a(),
        ]
        .into(),
    );
    let plan = of(vec![all, wrapped, LowCond::All([b(), a()].into())]);
    let hooks = &plan.events[0].hooks;
    assert_eq!(hooks[0].cond, hooks[1].cond);
    assert_ne!(hooks[0].cond, hooks[2].cond, "the order written is kept");
    assert_eq!(plan.preds.len(), 2);
}

#[test]
fn removing_duplicates_enables_further_folding() {
    let repeated = |cond: LowCond| LowCond::All([cond.clone(), cond].into());
    let either = |cond: LowCond| LowCond::Any([cond.clone(), cond].into());
    let plan = of(vec![
        not(repeated(not(exists("a")))),
        exists("a"),
        LowCond::Any([repeated(LowCond::Any([exists("a"), exists("b")].into())), exists("c")].into()),
        LowCond::Any([exists("a"), exists("b"), exists("c")].into()),
        LowCond::All([either(LowCond::All([exists("a"), exists("b")].into())), exists("c")].into()),
        LowCond::All([exists("a"), exists("b"), exists("c")].into()),
    ]);
    let hooks = &plan.events[0].hooks;
    for pair in hooks.chunks(2) {
        assert_eq!(pair[0].cond, pair[1].cond, "{}", print(&plan));
    }
}

/// What folding leaves: nothing of the groups that it removed, and constants only at the top.
#[test]
fn folding_leaves_no_rows_that_no_hook_has() {
    let (yes, no) = (LowCond::Const(true), LowCond::Const(false));
    let all = |members: &[&LowCond]| LowCond::All(members.iter().map(|cond| (*cond).clone()).collect());
    let any = |members: &[&LowCond]| LowCond::Any(members.iter().map(|cond| (*cond).clone()).collect());
    let [a, b, c] = ["a", "b", "c"].map(exists);
    let cases = [
        (all(&[]), 1),
        (any(&[&no, &no]), 1),
        (all(&[&yes, &all(&[])]), 1),
        (all(&[&all(&[&a, &b]), &c]), 4),
        (any(&[&c, &any(&[&a, &b])]), 4),
        (any(&[&all(&[&yes, &any(&[&a, &b])]), &c]), 4),
        (not(all(&[&not(a.clone())])), 1),
        (not(all(&[&yes, &yes])), 1),
        (all(&[&any(&[&yes, &a]), &b]), 1),
    ];
    for (cond, conds) in cases {
        let plan = of(vec![cond]);
        assert_eq!(plan.conds.len(), conds, "{}", print(&plan));
    }
    let constant = |cond| root(&of(vec![cond]), 0).clone();
    assert_eq!(constant(all(&[&yes, &yes])), Cond::Const(true));
    assert_eq!(constant(any(&[&no])), Cond::Const(false));
    assert_eq!(constant(not(any(&[]))), Cond::Const(true));
}

/// A condition that several hooks share folds like one that is written for each.
#[test]
fn shared_constants_fold() {
    let shared = LowCond::Any([LowCond::Const(true), exists("a")].into());
    let plan = of(vec![
        LowCond::All([shared.clone(), exists("b")].into()),
        exists("b"),
        LowCond::Any([not(shared.clone()), exists("b")].into()),
        shared,
    ]);
    let hooks = &plan.events[0].hooks;
    assert!(hooks[..3].iter().all(|hook| hook.cond == hooks[1].cond), "{}", print(&plan));
    assert_eq!(root(&plan, 3), &Cond::Const(true));
}

/// Short groups are taken over by a group of the same kind around them. A long one stays: many hooks can have it.
#[test]
fn long_groups_stay_conditions() {
    for all in [true, false] {
        let group = |members: Vec<LowCond>| match all {
            true => LowCond::All(members.into()),
            false => LowCond::Any(members.into()),
        };
        let many = |count: usize| group((0..count).map(|at| exists(&format!("m{at}"))).collect());
        for (count, members) in [(2, 3), (16, 17), (17, 2), (100, 2)] {
            let plan = of(vec![group(vec![many(count), exists("x")]), many(count)]);
            let (Cond::All(found) | Cond::Any(found)) = root(&plan, 0) else { panic!("a group") };
            assert_eq!(found.len(), members, "{count}");
            assert_eq!(found[0] == plan.events[0].hooks[1].cond, members == 2, "{count}");
        }
    }
}

#[test]
fn folded_conditions_are_still_read() {
    let gone = |cond| LowCond::Any([cond, LowCond::Const(true)].into());
    let plan = of(vec![gone(exists("a.b")), gone(test("c", Op::Eq, "{}"))]);
    assert_eq!(root(&plan, 0), &Cond::Const(true));
    assert!(plan.preds.is_empty() && plan.consts.is_empty());
    assert!(["a", "a.b", "c"].iter().all(|path| reads(&plan).contains(&(*path).to_owned())));
    assert_eq!(whole(&plan), ["c"]);
    assert_eq!(slots(&plan)[3..], ["c"]);
}

#[test]
fn contents_matter_to_deep_equality_only() {
    let right = |path_| TestRight::Path(path(path_));
    let plan = of(vec![
        test("a", Op::Eq, "[1]"),
        test("b", Op::In, "[1, {}]"),
        test("~c.d", Op::Eq, "{}"),
        leaf("e", Op::Contains, right("f")),
        leaf("g", Op::In, right("~h")),
        test("n1", Op::Eq, "1"),
        test("n2", Op::In, "[1, \"x\"]"),
        test("n3", Op::Contains, "1"),
        leaf("n4", Op::Gt, right("n5")),
        leaf("n6", Op::StartsWith, right("n7")),
        test("n8", Op::Regex, "\"x\""),
    ]);
    assert_eq!(whole(&plan), ["a", "b", "c.d", "event.c.d", "e", "f", "g", "h", "event.h"]);
}

#[test]
fn actions_are_shared_and_checked_when_rendered() {
    let integer = ParamType { types: TypeSet::only(Type::Integer), ..ParamType::default() };
    let declared = || Some(integer.clone());
    let slot = || Rendered::Slot(path("a.b"), Some(value("3.0")));
    let params = |text: &str| {
        let text = Rendered::Text(vec![Rendered::Const(value(text)), slot()]);
        let map = Rendered::Map(vec![("k".into(), text), ("l".into(), Rendered::Seq(vec![slot()]))]);
        vec![
            ("delay".to_owned(), CheckedParam { value: slot(), declared: declared().map(Box::new) }),
            (
                "fixed".to_owned(),
                CheckedParam { value: Rendered::Const(value("3")), declared: declared().map(Box::new) },
            ),
            ("payload".to_owned(), CheckedParam { value: map, declared: Some(Box::default()) }),
        ]
    };
    let mut linked = linked::linked(vec![exists("x"), exists("y"), exists("z")]);
    let hooks = &mut linked.events[0].hooks;
    hooks[0].action.params = params("\"n = \"");
    hooks[1].action.params = params("\"n = \"");
    hooks[2].action.params = params("\"m = \"");
    let plan = planned(&linked);
    let hooks = &plan.events[0].hooks;
    assert_eq!(hooks[0].action, hooks[1].action);
    assert_ne!(hooks[0].action, hooks[2].action);
    assert_eq!((plan.checks.len(), plan.checks[0].types), (1, 4));
    let checks: Vec<bool> = plan.actions[0].params.iter().map(|param| param.check.is_some()).collect();
    assert_eq!(checks, [true, false, false]);
    assert_eq!(whole(&plan), ["a.b"]);
    let slots = plan.templates.iter().filter(|node| matches!(node, Template::Slot(..)));
    assert_eq!(slots.count(), 1);
}

/// Paths from an element of the root have no shorthand.
#[test]
fn paths_are_printed_as_they_would_be_written() {
    let plain = |steps: &[Step]| {
        let test = Test {
            path: ReadPath::Plain(steps.into()),
            op: Op::Exists,
            right: TestRight::None,
            case: Case::Respected,
            never_list: false,
        };
        LowCond::Test(Arc::new(Spanned::new(test, Span::default())))
    };
    let name = |name: &str| Step::Name(name.to_owned());
    let plan = of(vec![
        plain(&[]),
        plain(&[name("a"), name("b c"), Step::Index(-1)]),
        plain(&[Step::Index(0), name("a\"b")]),
        plain(&[Step::Index(1), Step::View(ViewKind::Shell), name("ok")]),
    ]);
    let text = print(&plan);
    for slot in ["$", "a['b c'][-1]", "$[0][\"a\\\"b\"]", "$[1]", "shell($[1]).ok"] {
        assert!(text.lines().any(|line| line.ends_with(&format!(" = {slot}"))), "{slot}\n{text}");
    }
}

#[test]
fn planning_errors_are_reported() {
    let reported = |cond: LowCond| {
        let mut out = Diagnostics::new();
        plan(&linked::linked(vec![cond]), &mut out);
        out.iter().map(|d| (d.code.name(), d.message.to_string())).collect::<Vec<_>>()
    };
    // The checker lets none of them through: a value of the wrong type, a schema that was read, a number.
    for (op, value) in [
        (Op::Gt, "\"x\""),
        (Op::Lte, "[1]"),
        (Op::Regex, "1"),
        (Op::In, "\"x\""),
        (Op::Glob, "1"),
        (Op::StartsWith, "1"),
        (Op::EndsWith, "null"),
        (Op::Matches, "{}"),
    ] {
        let message = format!("a value that `{}` does not accept", op.name());
        assert_eq!(reported(test("a", op, value)), [("E0402", message)]);
    }
    for (number, message) in [
        ("1e99999999999999999999", "a number with an exponent beyond the limit"),
        ("0x1", "not a JSON number"),
    ] {
        let number = Value::new(Kind::Num(Number(number.into())), Span::default());
        let list = Value::new(Kind::Seq(vec![number.clone()]), Span::default());
        for value in [number, list] {
            let cond = leaf("a", Op::Eq, TestRight::Value(value.into()));
            assert_eq!(reported(cond), [("E0308", message.to_owned())]);
        }
    }
}
