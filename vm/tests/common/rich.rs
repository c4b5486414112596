//! A module with something of everything, and events that reach into all of it.

use std::sync::LazyLock;

use hookc_corpus::amount;
use hookc_vm::format::keyword::{Keyword, Shape};
use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{Const, Image, NONE, Pattern, Query};
use hookc_vm::{DecideOptions, Family, Mode, Module, Scratch, Strategy};
use serde_json::Value;

use super::asm::{Asm, BOUND, T, selector, slice};

/// An image with every operation, every kind of template, merged fields,
/// several event types, names: something of everything.
pub fn rich() -> Image {
    static RICH: LazyLock<Image> = LazyLock::new(assemble);
    RICH.clone()
}

fn assemble() -> Image {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b.c.-1"));
    (asm.cwd, asm.tool) = (Some(asm.merged("cwd")), Some(asm.slot("tool_name")));
    let (ok, commands) = (asm.slot("a.shell().ok"), asm.slot("a.shell().commands"));
    let merged = asm.merged("limit.value");
    let (text, number) = (asm.constant("\"ab\""), asm.constant("10"));
    let list = asm.list(&["null", "1", "\"ab\"", "[1,2]", "{\"k\":1}"]);
    let globs = asm.list(&["\"*.rs\"", "\"{a,b}/**\""]);
    let pattern = asm.pattern("^a.*b$");
    let schema = every_keyword(&mut asm, list, pattern);
    let mut preds = Vec::new();
    for op in Op::ALL.iter().copied().filter(|op| op.operands().0 == Operand::Slot) {
        let right = match (op, op.operands().1) {
            (Op::Glob | Op::GlobFold, _) => globs,
            (Op::Gt | Op::Gte | Op::Lt | Op::Lte, _) => number,
            (_, Operand::Const) => text,
            (_, Operand::List) => list,
            (_, Operand::Pattern) => pattern,
            (_, Operand::Slot) => merged,
            (_, Operand::Schema) => schema,
            _ => 0,
        };
        preds.push(asm.pred(op, if preds.len() % 2 == 0 { a } else { b }, right));
    }
    let nodes = every_query(&mut asm, pattern);
    preds.extend([asm.any(nodes, Op::Contains, text), asm.any(nodes, Op::GteSlot, merged)]);
    let names = {
        let (name, whole) = (asm.name("name"), asm.slot("b.c.-1.shell()"));
        let commands_of = asm.name("commands");
        [
            asm.query(commands, &[(false, &[selector(1, 0)]), (false, &[name])]),
            asm.query(whole, &[(false, &[commands_of])]),
        ]
    };
    preds.extend([
        asm.pred(Op::Exists, ok, 0),
        asm.any(names[0], Op::Eq, text),
        asm.any(names[1], Op::Exists, 0),
    ]);
    let always = asm.always();
    let mut conds = vec![always];
    for pair in preds.chunks(2) {
        let before = *conds.last().unwrap();
        let other = pair.last().copied().unwrap();
        conds.push(asm.cond(&[
            (Op::IfPred, pair[0], 4),
            (Op::UnlessCond, before, 5),
            (Op::IfCond, always, 4),
            (Op::Jump, 0, 5),
            (Op::UnlessPred, other, 6),
            (Op::No, 0, 0),
            (Op::Yes, 0, 0),
        ]));
    }
    let some = quantified(&mut asm, a, text);
    conds.push(asm.cond(&[(Op::IfPred, some, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]));
    let check = asm.check(4 | 16, Some(&["1", "\"ab\""]), Some("0"));
    let typed = asm.check(127, None, None);
    let object =
        T::Object(vec![("x", T::Slot(a)), ("y", T::Array(vec![T::Or(merged, "[1,2]"), T::Const("null")]))]);
    let rich = [
        ("at", T::Text(vec![T::Const("\"at \""), T::Slot(b), T::Or(a, "\"none\"")]), Some(typed)),
        ("nodes", T::Query(nodes, Some("[]")), Some(typed)),
        ("object", object, None),
        ("value", T::Slot(a), Some(check)),
    ];
    let actions = [asm.action("retry", &rich), asm.action("continue", &[])];
    let types = [
        (Family::Thread, "e", Strategy::First),
        (Family::Thread, "f", Strategy::All),
        (Family::Skill, "g", Strategy::All),
    ];
    for (family, name, strategy) in types {
        asm.event(family, name, strategy);
        for (at, cond) in conds.iter().enumerate() {
            let mode = Mode::ALL[at % 3];
            asm.hook(*cond, actions[at % 2], mode);
        }
    }
    let mut image = asm.finish();
    Asm::named(&mut image);
    image
}

/// A query from a slot with every segment, selector, filter and value.
pub fn every_query(asm: &mut Asm, pattern: u32) -> u32 {
    let (b, whole) = (asm.slot("b"), asm.slot(""));
    let k = asm.name("k");
    let at = asm.query(NONE, &[]);
    let all = asm.query(NONE, &[(false, &[selector(1, 0)])]);
    let below = asm.query(whole, &[(true, &[k])]);
    let one = asm.constant("1");
    let (one, text) = (asm.value(Op::Literal, one), asm.value(Op::Only, at));
    let (count, only) = (asm.value(Op::Count, all), asm.value(Op::Only, below));
    let length = asm.value(Op::Length, text);
    let rows = [
        (Op::Has, all, 0),
        (Op::Same, count, one),
        (Op::Less, text, one),
        (Op::AtMost, length, one),
        (Op::Match, text, pattern),
        (Op::MatchValue, text, only),
        (Op::SearchValue, text, only),
    ];
    let rows: Vec<u32> = rows.into_iter().map(|(op, a, b)| asm.filter(op, a, b)).collect();
    let some = asm.filter(Op::OneOf, rows[1], rows[6]);
    let not = asm.filter(Op::Not, rows[0], 0);
    let whole = asm.filter(Op::All, some, not);
    let nested = asm.query(NONE, &[(false, &[selector(4, whole.into())])]);
    let has = asm.filter(Op::Has, nested, 0);
    let either = asm.filter(Op::OneOf, whole, has);
    let selectors = [k, selector(2, -1), slice(Some(-2), None, -1), selector(4, either.into())];
    asm.query(b, &[(true, &selectors), (false, &[slice(None, Some(5), 2), selector(1, 0)])])
}

/// A schema with every keyword, of itself and of others.
pub fn every_keyword(asm: &mut Asm, list: u32, pattern: u32) -> u32 {
    use hookc_vm::format::keyword::Format;
    let never = asm.schema(&[(Keyword::Never, 0, 0, 0)]);
    let format = asm.schema(&[(Keyword::Type, 16, 0, 0), (Keyword::Format, Format::Uuid as u32, 0, 0)]);
    let own = format + 1;
    let (a, k, other) = (asm.string("a"), asm.string("k"), asm.string("other"));
    let number = asm.constant("2.5");
    let rows = Keyword::ALL.iter().filter(|keyword| **keyword != Keyword::Never).map(|keyword| {
        let mut ranged = |numbers: &[u32]| (asm.pick(numbers), numbers.len() as u32, 0);
        let (a, b, c) = match keyword.shape() {
            Shape::None => (0, 0, 0),
            Shape::Types => (127, 0, 0),
            Shape::List => (list, 0, 0),
            Shape::Number | Shape::Divisor => (number, 0, 0),
            Shape::Count => (if keyword.mnemonic().starts_with("min") { 0 } else { 9 }, 0, 0),
            Shape::Pattern => (pattern, 0, 0),
            Shape::Format => (Format::Regex as u32, 0, 0),
            Shape::Names => ranged(&[k]),
            Shape::NamePairs => ranged(&[other, k]),
            Shape::Child => (own, 0, 0),
            Shape::ChildFrom => (own, 1, 0),
            Shape::Children => ranged(&[own, format]),
            Shape::Contains => (own, 0, NONE),
            Shape::NamedChildren => ranged(&[a, own, k, format]),
            Shape::PatternChildren => ranged(&[pattern, own]),
            Shape::Inner => (never, 0, 0),
            Shape::Inners => ranged(&[format, never]),
            Shape::Branch => (format, never, NONE),
            Shape::NamedInners => ranged(&[a, format]),
        };
        (*keyword, a, b, c)
    });
    let rows: Vec<_> = rows.collect();
    asm.schema(&rows)
}

/// Events that reach into all of [`rich`].
pub const EVENTS: &[&str] = &[
    r#"{"event_type":"e"}"#,
    r#"{"event_type":"f","a":"ab","b":{"c":[1,"AB"]},"limit":{"value":"ab"}}"#,
    r#"{"event_type":"f","a":10,"b":{"c":[12]},"event":{"limit":{"value":[10,12]}}}"#,
    r#"{"event_type":"g","a":["ab",[1,2],{"k":1}],"b":{"c":[[1.0,2]]},"limit":{"value":null}}"#,
    r#"{"event":{"type":"e","limit":{"value":1}},"a":1e3,"b":{"c":[true,{"k":1e0}]}}"#,
    r#"{"hook_event_name":"g","a":"src/x.rs","b":{"c":["a/b"]},"limit":{"value":"A"}}"#,
    r#"{"event_type":"nothing of it","a":{}}"#,
    r#"{"event_type":"e","a":"sudo rm -rf \"$x\" | sh","cwd":"/r","b":{"c":["ls","x\\","\u0061 >b"]}}"#,
    r#"{"event_type":"f","a":["echo","it's"],"event":{"cwd":"/r"},"b":{"c":["echo '"]}}"#,
    r#"{"event_type":"g","a":"dir","tool_name":"PowerShell","b":{"c":[7]}}"#,
];

/// Exercises every operation of a module.
pub fn exercise(module: &Module, scratch: &mut Scratch) {
    let _ = (module.hash(), module.is_stripped(), module.events().count(), format!("{module:?}"));
    for event in EVENTS.iter().step_by(amount(1, 4)) {
        let all = DecideOptions::default().strategy(Strategy::All);
        let step = DecideOptions::default().after(Some(2)).event("f").family(Family::Thread);
        for ask in [DecideOptions::default(), all, step] {
            if let Ok(decision) = module.decide(scratch, event.as_bytes(), &ask) {
                for fired in decision.hooks().chain(decision.reported()) {
                    let mut out = String::new();
                    let rendered = fired.render(&mut out);
                    if rendered.is_ok() {
                        serde_json::from_str::<Value>(&out).expect("an action is JSON");
                    }
                    let _ = format!("{fired:?} {rendered:?}");
                }
            }
        }
        let _ = module
            .trace(scratch, event.as_bytes(), &DecideOptions::default())
            .map(|trace| format!("{trace:?}"));
    }
}

/// A quantifier in a quantifier, with every instruction for bound nodes.
///
/// `some(x in slot: not (x.k == text or some(y in x: y == x or y == slot)) or x == slot)`
pub fn quantified(asm: &mut Asm, slot: u32, text: u32) -> u32 {
    let k = asm.name("k");
    let all = selector(1, 0);
    let outer = asm.query(slot, &[(false, &[all])]);
    let (node, member, children) =
        (asm.query(NONE, &[]), asm.query(NONE, &[(false, &[k])]), asm.query(NONE, &[(false, &[all])]));
    let nodes = asm.bound(NONE, outer);
    let (x, x_k, of_x) = (asm.bound(0, node), asm.bound(0, member), asm.bound(0, children));
    let x_out = asm.bound(1, node);
    let (same, is_slot) =
        (asm.pred(Op::EqSlot, BOUND + x, BOUND + x_out), asm.pred(Op::EqSlot, BOUND + x, slot));
    let ends = |asm: &mut Asm, rows: &[(Op, u32, u32)]| {
        let rows: Vec<_> = rows.iter().copied().chain([(Op::Yes, 0, 0), (Op::No, 0, 0)]).collect();
        asm.cond(&rows)
    };
    let inner = ends(asm, &[(Op::IfBound, same, 2), (Op::UnlessBound, is_slot, 3)]);
    let inner = asm.pred(Op::Some, of_x, inner);
    let is_text = asm.pred(Op::Eq, BOUND + x_k, text);
    let group = ends(asm, &[(Op::IfBound, is_text, 2), (Op::UnlessBound, inner, 3)]);
    let body = ends(
        asm,
        &[(Op::UnlessBoundCond, group, 3), (Op::UnlessBound, is_slot, 4), (Op::IfBoundCond, group, 3)],
    );
    asm.pred(Op::Some, nodes, body)
}
