//! Every instruction, each operator by the table of the language.

use crate::common;

use std::collections::BTreeSet;

use common::{Asm, amount, decide};
use hookc_vm::format::Image;
use hookc_vm::format::op::{Group, Op, Operand};
use hookc_vm::limits::Limits;
use hookc_vm::{DecideOptions, Module, Scratch};
use hookc_vm::{Family, Mode, Strategy};

/// A module with one hook that tests slot `a` by `op`. The right operand is JSON: an array for a
/// list or a pattern; for a slot, the value of `b`.
fn module(op: Op, right: &str) -> Module {
    Module::load(image(op, right).encode()).unwrap()
}

fn image(op: Op, right: &str) -> Image {
    let mut asm = Asm::new();
    let a = asm.slot("a");
    let elements: Vec<String> = match serde_json::from_str(right) {
        Ok(serde_json::Value::Array(all)) => all.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    let elements: Vec<&str> = elements.iter().map(String::as_str).collect();
    let b = match op.operands().1 {
        Operand::Const => asm.constant(right),
        Operand::List => asm.list(&elements),
        Operand::Pattern => asm.pattern(&serde_json::from_str::<String>(right).unwrap()),
        Operand::Slot => asm.slot("b"),
        _ => 0,
    };
    let cond = asm.when(op, a, b);
    asm.one_hook(cond)
}

/// An event whose members are JSON; `-` is an absent member.
fn event(a: &str, b: &str) -> String {
    let member = |name: &str, json: &str| match json {
        "-" => String::new(),
        json => format!(",\"{name}\":{json}"),
    };
    format!("{{\"event_type\":\"e\"{}{}}}", member("a", a), member("b", b))
}

const BIG: &str = "9007199254740993";

/// Operation, right operand, values of `a` for which it is true, and those for which it is false.
type Case = (Op, &'static str, &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (Op::Exists, "", &["0", "\"\"", "false", "[]", "{}"], &["-", "null"]),
    (Op::Eq, "null", &["-", "null"], &["0", "\"\"", "false", "[]", "{}"]),
    (Op::Eq, "1", &["1", "1.0", "1e0", "10e-1", "0.1e1"], &["-", "true", "\"1\"", "2", "0", "-1", "[1]"]),
    (Op::Eq, BIG, &[BIG, "9007199254740993.0"], &["9007199254740992", "9007199254740992.0"]),
    (Op::Eq, "true", &["true"], &["1", "\"true\"", "false", "-"]),
    (Op::Eq, "false", &["false"], &["0", "true", "-"]),
    (Op::Eq, "\"aé\"", &["\"aé\"", "\"\\u0061\\u00e9\""], &["\"AÉ\"", "\"a\"", "-", "[\"aé\"]"]),
    (Op::Eq, "[1,{\"a\":2,\"b\":[]}]", &["[1.0, {\"b\":[ ],\"a\":2e0}]"], &["[1]", "[{\"a\":2,\"b\":[]},1]"]),
    (
        Op::Eq,
        "{\"x\":1}",
        &["{\"x\":1}", "{ \"\\u0078\" : 1.0 }"],
        &["{}", "{\"x\":2}", "{\"x\":1,\"y\":null}"],
    ),
    (Op::Gt, "10", &["10.5", "11", "1e2"], &["10", "10.0", "9", "\"11\"", "-", "null", "true", "[11]"]),
    (Op::Gte, "10", &["10", "10.0", "11"], &["9.99", "\"10\"", "-", "null"]),
    // Equal after rounding to binary64.
    (Op::Lt, "0.10000000000000000001", &["0.1", "0"], &["0.2"]),
    (Op::Lt, "10", &["9", "-1e9", "9.999999999999999999999"], &["10", "11", "\"9\"", "-", "null", "false"]),
    (Op::Lte, "10", &["10", "1e1", "0"], &["10.0000000000000000000001", "\"1\"", "-", "null"]),
    (
        Op::In,
        "[null,1,\"a\",[1],{\"b\":1}]",
        &["-", "null", "1.0", "\"a\"", "[1]", "{\"b\":1}"],
        &["\"1\"", "2", "true", "[]", "\"A\""],
    ),
    (Op::In, "[]", &[], &["-", "null", "1"]),
    (
        Op::In,
        "[\"a\",\"b\",\"c\",\"d\",\"e\"]",
        &["\"a\"", "\"c\"", "\"e\""],
        &["\"\"", "\"f\"", "\"cc\"", "-"],
    ),
    (
        Op::Contains,
        "\"0\"",
        &["\"a0\"", "10", "1e1", "[\"0\"]"],
        &["true", "[0]", "[\"10\"]", "{\"0\":0}", "-", "null"],
    ),
    (Op::Contains, "10", &["10", "110", "\"a10\"", "[10]", "[1e1]"], &["1", "[\"10\"]", "-"]),
    (Op::Contains, "true", &["true", "\"untrue\"", "[1,true]"], &["false", "[\"true\"]"]),
    (Op::Contains, "null", &["[null]", "[1,null]"], &["null", "-", "\"null\"", "[]", "[[null]]"]),
    (Op::Contains, "\"\"", &["\"\"", "\"a\"", "0", "[\"\"]"], &["[]", "[\"a\"]", "{}", "-"]),
    (Op::StartsWith, "\"1\"", &["\"1a\"", "1", "10", "1e3"], &["21", "\"a1\"", "[\"1\"]", "-", "null"]),
    (Op::StartsWith, "\"t\"", &["true", "\"tt\""], &["false", "\"T\""]),
    (Op::EndsWith, "\"0\"", &["\"a0\"", "1e3", "10"], &["1", "[0]", "-", "null"]),
    (Op::EndsWith, "\"e\"", &["true", "false", "\"e\""], &["\"E\"", "\"ea\""]),
    (Op::Regex, "\"^[a-c]+$\"", &["\"abc\""], &["\"abd\"", "\"ABC\"", "-", "null", "[\"abc\"]"]),
    (Op::Regex, "\"^1000$|^true$\"", &["1e3", "1000.0", "true"], &["100", "false", "{}"]),
    (
        Op::Glob,
        "[\"*.rs\",\"src/**\"]",
        &["\"a.rs\"", "\"src/a/b\""],
        &["\"a/b.rs\"", "\"A.RS\"", "1", "-", "[\"a.rs\"]"],
    ),
    (Op::Glob, "[\"1\"]", &["\"1\""], &["1"]),
    (Op::Glob, "[]", &[], &["\"\"", "-"]),
    (Op::EqFold, "\"Straße\"", &["\"sTRAßE\"", "\"STRAẞE\""], &["\"STRASSE\"", "-"]),
    (Op::EqFold, "[\"A\"]", &["[\"A\"]"], &["[\"a\"]"]),
    (Op::EqFold, "1", &["1.0"], &["\"1\""]),
    (Op::EqFold, "null", &["-", "null"], &["\"\""]),
    (Op::InFold, "[null,\"Ab\",1,[\"X\"]]", &["\"aB\"", "-", "1", "[\"X\"]"], &["[\"x\"]", "\"a\"", "\"1\""]),
    (Op::ContainsFold, "\"Ab\"", &["\"xaBx\"", "[\"x\",\"AB\"]"], &["[\"xab\"]", "[[\"ab\"]]", "\"a\"", "-"]),
    (Op::ContainsFold, "true", &["true", "\"untrue\"", "[true]"], &["\"TRUE\"", "[\"true\"]"]),
    (Op::ContainsFold, "\"E+2\"", &["\"1e+21\""], &["1e21", "1E+21"]),
    (Op::ContainsFold, "null", &["[null]"], &["null", "\"NULL\""]),
    (Op::StartsWithFold, "\"AbÉ\"", &["\"aBéx\""], &["\"xab\"", "\"ab\"", "-"]),
    (Op::StartsWithFold, "\"T\"", &["\"true\""], &["true"]),
    (Op::EndsWithFold, "\"É\"", &["\"xé\"", "\"É\""], &["\"éx\"", "-"]),
    (Op::EndsWithFold, "\"E\"", &["\"E\"", "\"e\""], &["true"]),
    (Op::RegexFold, "\"^true$|^É$\"", &["\"TRUE\"", "true", "\"é\""], &["\"x\"", "-"]),
    (Op::RegexFold, "\"^TRUE$|^1E\\\\+21$\"", &["\"true\"", "\"1e+21\""], &["true", "1e21"]),
    (Op::GlobFold, "[\"*.RS\"]", &["\"a.rs\""], &["\"a.r\"", "1", "-"]),
];

#[test]
fn as_the_table_says() {
    for (op, right, holds, fails) in CASES {
        let module = module(*op, right);
        for (values, expected) in [(holds, true), (fails, false)] {
            for a in values.iter().step_by(amount(1, 3)) {
                let (hooks, _) = decide(&module, &event(a, "-"), &DecideOptions::default()).unwrap();
                assert_eq!(!hooks.is_empty(), expected, "{a} {} {right}", op.mnemonic());
            }
        }
    }
}

/// Operation, pairs of values for which it is true, and those for which it is false.
type SlotCase = (Op, &'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)]);

const SLOT_CASES: &[SlotCase] = &[
    (
        Op::EqSlot,
        &[
            ("1", "1.0"),
            ("-", "null"),
            ("null", "null"),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
            ("[]", "[ ]"),
        ],
        &[
            ("-", "-"),
            ("null", "-"),
            ("1", "-"),
            ("1", "\"1\""),
            ("\"a\"", "\"A\""),
            ("[1]", "[2]"),
            ("true", "false"),
        ],
    ),
    (
        Op::GtSlot,
        &[("2", "1")],
        &[("1", "1.0"), ("1", "2"), ("\"2\"", "1"), ("2", "\"1\""), ("2", "-"), ("-", "-")],
    ),
    (Op::GteSlot, &[("2", "1"), ("1", "1.0")], &[("1", "2"), ("-", "-"), ("null", "null")]),
    (Op::LtSlot, &[("1", "2")], &[("1", "1"), ("2", "1"), ("1", "\"2\""), ("-", "1"), ("1", "-")]),
    (Op::LteSlot, &[("1", "2"), ("1.0", "1")], &[("2", "1"), ("\"a\"", "\"a\"")]),
    (
        Op::InSlot,
        &[("1", "[2,1.0]"), ("-", "[null]"), ("null", "[null]"), ("[1]", "[[1.0]]"), ("\"a\"", "[\"a\"]")],
        &[
            ("1", "1"),
            ("1", "[]"),
            ("-", "-"),
            ("\"a\"", "\"abc\""),
            ("\"a\"", "{\"a\":1}"),
            ("\"A\"", "[\"a\"]"),
        ],
    ),
    (
        Op::ContainsSlot,
        &[("\"abc\"", "\"b\""), ("10", "0"), ("[1,null]", "null"), ("[true]", "true"), ("\"a1\"", "1")],
        &[
            ("[[1]]", "[1]"),
            ("\"null\"", "null"),
            ("\"a\"", "-"),
            ("[null]", "-"),
            ("-", "\"a\""),
            ("{}", "\"\""),
        ],
    ),
    (
        Op::StartsWithSlot,
        &[("\"ab\"", "\"a\""), ("10", "\"1\"")],
        &[("10", "1"), ("\"ab\"", "-"), ("-", "\"\""), ("\"ab\"", "\"A\"")],
    ),
    (
        Op::EndsWithSlot,
        &[("\"ab\"", "\"b\""), ("true", "\"e\"")],
        &[("10", "0"), ("\"ab\"", "null"), ("\"ab\"", "\"B\"")],
    ),
    (
        Op::EqSlotFold,
        &[("\"A\"", "\"a\""), ("1", "1")],
        &[("-", "-"), ("[\"A\"]", "[\"a\"]"), ("\"a\"", "-")],
    ),
    (
        Op::InSlotFold,
        &[("\"A\"", "[\"a\"]"), ("-", "[null]")],
        &[("[\"A\"]", "[[\"a\"]]"), ("\"A\"", "\"a\"")],
    ),
    (
        Op::ContainsSlotFold,
        &[("\"xAx\"", "\"a\""), ("[\"A\"]", "\"a\""), ("true", "\"t\"")],
        &[("true", "\"T\""), ("\"a\"", "-"), ("[[\"A\"]]", "\"a\"")],
    ),
    (Op::StartsWithSlotFold, &[("\"Ab\"", "\"aB\"")], &[("true", "\"T\""), ("\"a\"", "\"ab\"")]),
    (Op::EndsWithSlotFold, &[("\"xAb\"", "\"aB\"")], &[("true", "\"E\""), ("\"b\"", "\"ab\"")]),
];

#[test]
fn two_slots() {
    for (op, holds, fails) in SLOT_CASES {
        let module = module(*op, "");
        for (pairs, expected) in [(holds, true), (fails, false)] {
            for (a, b) in *pairs {
                let (hooks, _) = decide(&module, &event(a, b), &DecideOptions::default()).unwrap();
                assert_eq!(!hooks.is_empty(), expected, "{a} {} {b}", op.mnemonic());
            }
        }
    }
}

/// A JSON string with every character as an escape; other values as they are.
fn escaped(json: &str) -> String {
    match serde_json::from_str::<String>(json) {
        Ok(text) => {
            format!("\"{}\"", text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>())
        }
        Err(_) => json.to_owned(),
    }
}

/// Long strings with escapes are decoded late, or compared as they are written.
#[test]
fn two_slots_with_late_strings() {
    let mut limits = Limits::default();
    limits.late_bytes = 1;
    let more: &[SlotCase] = &[
        (Op::ContainsSlot, &[("\"xx needle yy\"", "\"needle\"")], &[("\"xx needl yy\"", "\"needle\"")]),
        (Op::ContainsSlotFold, &[("\"xx NEEdle\"", "\"needLE\"")], &[("\"\"", "\"n\"")]),
    ];
    for (op, holds, fails) in SLOT_CASES.iter().chain(more) {
        let module = Module::load_with(image(*op, "").encode(), limits).unwrap();
        for (pairs, expected) in [(holds, true), (fails, false)] {
            for (a, b) in pairs.iter().step_by(amount(1, 2)) {
                let event = event(&escaped(a), &escaped(b));
                let (hooks, _) = decide(&module, &event, &DecideOptions::default()).unwrap();
                assert_eq!(!hooks.is_empty(), expected, "{a} {} {b}", op.mnemonic());
            }
        }
    }
}

/// The only node of a query without steps is the value itself, also if that is decoded late.
#[test]
fn late_strings_as_nodes() {
    let mut limits = Limits::default();
    limits.late_bytes = 1;
    let mut asm = Asm::new();
    let (a, needle) = (asm.slot("a"), asm.constant("\"needle\""));
    let itself = asm.query(a, &[]);
    let pred = asm.any(itself, Op::Contains, needle);
    let cond = asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let module = Module::load_with(asm.one_hook(cond).encode(), limits).unwrap();
    for (a, expected) in [("\"a needle\"", true), ("\"a noodle\"", false)] {
        let (hooks, _) = decide(&module, &event(&escaped(a), "-"), &DecideOptions::default()).unwrap();
        assert_eq!(!hooks.is_empty(), expected, "{a}");
    }
}

/// A buffer that is used again knows nothing of the event before: a string decoded late, an array written as text.
#[test]
fn a_buffer_forgets_the_event_before() {
    let mut limits = Limits::default();
    limits.late_bytes = 1;
    for (op, right, events) in [
        (Op::Eq, "\"ab\"", [("\"ab\"", true), ("\"cd\"", false), ("\"ab\"", true)]),
        (Op::In, "[[1]]", [("[1]", true), ("[2]", false), ("[1]", true)]),
    ] {
        let module = Module::load_with(image(op, right).encode(), limits).unwrap();
        let (mut scratch, ask) = (Scratch::new(), DecideOptions::default());
        for (a, expected) in events {
            let event = event(&escaped(a), "-");
            let decision = module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
            assert_eq!(!decision.is_empty(), expected, "{event}");
        }
        for (a, expected) in events {
            let event = serde_json::from_str(&event(a, "-")).unwrap();
            let decision = module.decide_value(&mut scratch, &event, &ask).unwrap();
            assert_eq!(!decision.is_empty(), expected, "{event}");
        }
    }
}

/// `any` has its cases in `query.rs`, `matches` in `schema.rs`, `some` in `quantifier.rs`, `acts` in
/// `compiler/tests/effects.rs`, `past` and `recalled` in `history.rs`.
#[test]
fn every_predicate_has_cases() {
    let tested: BTreeSet<Op> =
        CASES.iter().map(|case| case.0).chain(SLOT_CASES.iter().map(|case| case.0)).collect();
    let elsewhere = [Op::Any, Op::Matches, Op::Some, Op::Acts, Op::Past, Op::Recalled];
    let here = |op: &Op| op.group() == Group::Pred && !elsewhere.contains(op);
    assert_eq!(tested, Op::ALL.iter().copied().filter(here).collect());
}

/// `(p and not q) or (r and (p or q))`, by every residual instruction.
#[test]
fn residual_code() {
    let mut asm = Asm::new();
    let bit = |asm: &mut Asm, name: &str| {
        let slot = asm.slot(name);
        asm.pred(Op::Exists, slot, 0)
    };
    let (p, q, r) = (bit(&mut asm, "p"), bit(&mut asm, "q"), bit(&mut asm, "r"));
    let either = asm.cond(&[
        (Op::IfPred, p, 3),
        (Op::UnlessPred, q, 4),
        (Op::Jump, 0, 3),
        (Op::Yes, 0, 0),
        (Op::No, 0, 0),
    ]);
    let never = asm.cond(&[(Op::No, 0, 0)]);
    let whole = asm.cond(&[
        (Op::IfCond, never, 5),
        (Op::UnlessPred, p, 3),
        (Op::UnlessPred, q, 5),
        (Op::UnlessPred, r, 6),
        (Op::UnlessCond, either, 6),
        (Op::Yes, 0, 0),
        (Op::No, 0, 0),
    ]);
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(whole, action, Mode::Enforce);
    let used: BTreeSet<Op> = asm.image.code.iter().map(|row| Op::from_number(row.op).unwrap()).collect();
    // `quantifier.rs` has the cases of those for bound nodes.
    let open = [Op::IfBound, Op::UnlessBound, Op::IfBoundCond, Op::UnlessBoundCond];
    let here = |op: &Op| op.group() == Group::Code && !open.contains(op);
    let all: BTreeSet<Op> = Op::ALL.iter().copied().filter(here).collect();
    assert_eq!(used, all);
    let module = asm.module();
    for bits in 0..8 {
        let (p, q, r) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        let member = |name: &str, there: bool| if there { format!(",\"{name}\":1") } else { String::new() };
        let event = format!("{{\"event_type\":\"e\"{}{}{}}}", member("p", p), member("q", q), member("r", r));
        let (hooks, _) = decide(&module, &event, &DecideOptions::default()).unwrap();
        assert_eq!(!hooks.is_empty(), if q { r } else { p }, "{event}");
    }
}

#[test]
fn the_table_is_well_formed() {
    for pair in Op::ALL.windows(2) {
        assert!((pair[0] as u8) < pair[1] as u8, "ascending numbers");
    }
    let names: BTreeSet<&str> = Op::ALL.iter().map(|op| op.mnemonic()).collect();
    assert_eq!(names.len(), Op::ALL.len(), "a mnemonic each");
    for op in Op::ALL {
        assert_eq!(Op::from_number(*op as u8), Some(*op));
        assert!(op.cost() > 0 && !op.meaning().is_empty());
        let (a, b) = op.operands();
        for operand in [a, b] {
            let fits = match operand {
                Operand::None | Operand::Const | Operand::Pattern | Operand::Query => {
                    op.group() != Group::Code
                }
                Operand::Slot | Operand::List | Operand::Schema => op.group() == Group::Pred,
                Operand::Filter => op.group() == Group::Filter,
                Operand::Value => matches!(op.group(), Group::Filter | Group::Value),
                Operand::Pred => op.group() == Group::Code || matches!(op, Op::Any | Op::Recalled),
                Operand::Cond => op.group() == Group::Code || *op == Op::Some,
                Operand::Addr => op.group() == Group::Code,
                Operand::Bound => *op == Op::Some,
                Operand::Effect => *op == Op::Acts,
                Operand::Recall => *op == Op::Past,
            };
            assert!(fits || operand == Operand::None, "{}: {operand:?}", op.mnemonic());
        }
    }
}
