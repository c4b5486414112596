//! Queries in the VM: selection, predicates and templates over nodes, limits, and verifier errors.

use crate::common;

use common::{Asm, T, amount, decide, end, every_query, instr, range, selector, slice};
use hookc_vm::format::Image;
use hookc_vm::format::event::Item;
use hookc_vm::format::op::{Group, Op};
use hookc_vm::format::{NONE, Selector};
use hookc_vm::limits::{EVENT_VALUES, Limits, QUERY_DEPTH, QUERY_STEPS};
use hookc_vm::{DecideError, DecideOptions, Module, RenderError, Scratch};
use hookc_vm::{Family, Mode, Strategy};

const NAME: u8 = 0;
const ALL: u8 = 1;
const INDEX: u8 = 2;
const FILTER: u8 = 4;

/// A hook with the condition, whose action renders the template.
fn finish(mut asm: Asm, cond: u32, template: T) -> Image {
    let action = asm.action("x", &[("v", template, None)]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    asm.finish()
}

/// The rendered result of the module's hook for an event with member `v`; `None` if it does not
/// match.
fn rendered(module: &Module, v: &str) -> Option<Result<String, RenderError>> {
    let event = format!("{{\"event_type\":\"e\",\"v\":{v}}}");
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
    let fired = decision.hooks().next()?;
    let mut out = String::new();
    let result = fired.render(&mut out).map(|()| {
        let value = out.strip_prefix("{\"type\":\"x\",\"v\":").unwrap();
        value.strip_suffix('}').unwrap().to_owned()
    });
    Some(result)
}

/// The nodes of the query from `make`, as a list, for an event's `v`.
fn nodes(make: impl FnOnce(&mut Asm, u32) -> u32, v: &str) -> String {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let query = make(&mut asm, slot);
    let always = asm.always();
    let module = Module::load(finish(asm, always, T::Query(query, None)).encode()).unwrap();
    rendered(&module, v).unwrap().unwrap()
}

/// The nodes of a query of one segment.
fn selected(descendant: bool, selectors: &[Selector], v: &str) -> String {
    nodes(|asm, slot| asm.query(slot, &[(descendant, selectors)]), v)
}

#[test]
fn selectors_select() {
    let items = "[0,[1,{\"k\":2}],\"3\",null]";
    assert_eq!(selected(false, &[selector(ALL, 0)], items), items);
    assert_eq!(selected(false, &[selector(INDEX, -1), selector(INDEX, 0)], items), "[null,0]");
    assert_eq!(selected(false, &[selector(INDEX, 4), selector(INDEX, i64::MIN)], items), "[]");
    assert_eq!(selected(false, &[slice(None, None, -2)], items), "[null,[1,{\"k\":2}]]");
    assert_eq!(selected(false, &[slice(Some(1), Some(3), 1)], items), "[[1,{\"k\":2}],\"3\"]");
    assert_eq!(selected(true, &[selector(INDEX, 0)], items), "[0,1]");
    assert_eq!(selected(true, &[selector(ALL, 0)], "{\"b\":{\"d\":1},\"a\":2}"), "[2,{\"d\":1},1]");
    for text in ["null", "\"abc\"", "7", "true"] {
        let all = [selector(ALL, 0), selector(INDEX, 0), slice(None, None, 1)];
        assert_eq!(selected(true, &all, text), "[]", "{text}");
    }
    let named = |v: &str| nodes(|asm, slot| [asm.name("k")].map(|k| asm.query(slot, &[(true, &[k])]))[0], v);
    assert_eq!(named(items), "[2]");
    assert_eq!(named("{\"\\u006b\":{\"k\":[]}}"), "[{\"k\":[]},[]]");
    // A query without segments is the value itself.
    assert_eq!(nodes(|asm, slot| asm.query(slot, &[]), items), format!("[{items}]"));
}

/// The elements of `v` for which the filter from `make` is true; `make` receives the query of the
/// current node.
fn filtered(make: impl FnOnce(&mut Asm, u32) -> (Op, u32, u32), v: &str) -> String {
    let make = |asm: &mut Asm, slot| {
        let at = asm.query(NONE, &[]);
        let (op, a, b) = make(asm, at);
        let row = asm.filter(op, a, b);
        asm.query(slot, &[(false, &[selector(FILTER, row.into())])])
    };
    nodes(make, v)
}

fn against(op: Op, literal: &'static str) -> impl FnOnce(&mut Asm, u32) -> (Op, u32, u32) {
    move |asm, at| {
        let (at, literal) = (asm.value(Op::Only, at), asm.constant(literal));
        let literal = asm.value(Op::Literal, literal);
        (op, at, literal)
    }
}

#[test]
fn filters_hold() {
    let items = "[1,2.0,10,\"a\",\"b\",null,true,[2],{\"a\":2}]";
    assert_eq!(filtered(against(Op::Same, "2"), items), "[2]");
    assert_eq!(filtered(against(Op::Same, "[2]"), items), "[[2]]");
    assert_eq!(filtered(against(Op::Less, "10"), items), "[1,2]");
    assert_eq!(filtered(against(Op::Less, "\"b\""), items), "[\"a\"]");
    assert_eq!(filtered(against(Op::AtMost, "\"b\""), items), "[\"a\",\"b\"]");
    assert_eq!(filtered(against(Op::AtMost, "null"), items), "[null]", "what has no order is at most itself");
    let length = |asm: &mut Asm, at| {
        let at = asm.value(Op::Only, at);
        let (length, one) = (asm.value(Op::Length, at), asm.constant("1"));
        let one = asm.value(Op::Literal, one);
        (Op::Same, length, one)
    };
    assert_eq!(filtered(length, "[\"é\",\"ab\",[0],{},{\"a\":0},5]"), "[\"é\",[0],{\"a\":0}]");
    let count = |asm: &mut Asm, _| {
        let below = asm.query(NONE, &[(true, &[selector(ALL, 0)])]);
        let (count, two) = (asm.value(Op::Count, below), asm.constant("2"));
        let two = asm.value(Op::Literal, two);
        (Op::Same, count, two)
    };
    assert_eq!(filtered(count, "[[],[1],[[1]],{\"a\":1,\"b\":2},\"ab\"]"), "[[[1]],{\"a\":1,\"b\":2}]");
    let pattern = |asm: &mut Asm, at| (Op::Match, asm.value(Op::Only, at), asm.pattern("^a+$"));
    assert_eq!(filtered(pattern, "[\"aa\",\"ab\",[\"a\"],null]"), "[\"aa\"]");
}

#[test]
fn nothing_is_nothing() {
    // Two queries without nodes are equal; a query without nodes is not less than any.
    for (op, expected) in [(Op::Same, "[1]"), (Op::AtMost, "[1]"), (Op::Less, "[]"), (Op::MatchValue, "[]")] {
        let make = |asm: &mut Asm, _| {
            let k = asm.name("k");
            let none = asm.query(NONE, &[(false, &[k])]);
            let none = asm.value(Op::Only, none);
            let length = asm.value(Op::Length, none);
            (op, none, length)
        };
        assert_eq!(filtered(make, "[1]"), expected, "{}", op.mnemonic());
    }
    // Several nodes are not a value.
    let several = |asm: &mut Asm, _| {
        let all = asm.query(NONE, &[(false, &[selector(ALL, 0)])]);
        let (only, one) = (asm.value(Op::Only, all), asm.constant("1"));
        let one = asm.value(Op::Literal, one);
        (Op::Same, only, one)
    };
    assert_eq!(filtered(several, "[[1],[1,1],[],1]"), "[[1]]");
}

#[test]
fn patterns_out_of_the_event() {
    let make = |whole: Op| {
        move |asm: &mut Asm, at| {
            let pattern = asm.slot("v");
            let last = asm.query(pattern, &[(false, &[selector(INDEX, -1)])]);
            (whole, asm.value(Op::Only, at), asm.value(Op::Only, last))
        }
    };
    assert_eq!(filtered(make(Op::MatchValue), "[\"ab\",\"a\",7,\"a.\"]"), "[\"ab\",\"a.\"]");
    assert_eq!(filtered(make(Op::SearchValue), "[\"xab\",\"b\",\"[a-c]b\"]"), "[\"xab\"]");
    let nonsense = ["\"(\"", "\"\\\\d\"", "5", "null", "\"(((a{99}){99}){99})\""];
    for nonsense in nonsense.into_iter().take(amount(5, 4)) {
        assert_eq!(filtered(make(Op::SearchValue), &format!("[\"1\",\"(\",{nonsense}]")), "[]", "{nonsense}");
    }
}

/// A large pattern costs more per byte of text than a small one.
#[test]
fn patterns_out_of_the_event_are_bounded() {
    let share = amount(1, 256);
    let of = |pattern: &str| {
        let mut asm = Asm::new();
        let slot = asm.slot("v");
        let [text, search] = [0, 1].map(|at| asm.query(slot, &[(false, &[selector(INDEX, at)])]));
        let (text, search) = (asm.value(Op::Only, text), asm.value(Op::Only, search));
        let row = asm.filter(Op::SearchValue, text, search);
        let query = asm.query(slot, &[(false, &[selector(FILTER, row.into())])]);
        let exists = asm.any(query, Op::Exists, 0);
        let cond = asm.cond(&[(Op::IfPred, exists, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]);
        let mut limits = Limits::default();
        limits.query_steps /= amount(1, 2048);
        let module = Module::load_with(finish(asm, cond, T::Const("0")).encode(), limits).unwrap();
        let event =
            format!("{{\"event_type\":\"e\",\"v\":[\"{}\",\"{pattern}\"]}}", "a".repeat((4 << 20) / share));
        decide(&module, &event, &DecideOptions::default())
    };
    assert_eq!(of("aab").unwrap().0, Vec::<u32>::new());
    let (inner, outer) = (amount(90, 30), amount(40, 12));
    assert!(of(&format!("(a{{{inner}}}){{{outer}}}b")).unwrap_err().contains("steps"));
    // Nothing of a long text is parsed.
    let long = "(a|b)*".repeat(50_000 / share);
    let mut error = String::new();
    let taken = allocation_counter::measure(|| error = of(&long).unwrap_err());
    assert!(error.contains("steps") && taken.bytes_max < 48 << 20, "{error}: {} bytes", taken.bytes_max);
}

#[test]
fn any_node_will_do_and_no_node_is_false() {
    let mut asm = Asm::new();
    let (slot, other) = (asm.slot("v"), asm.slot("w"));
    let query = asm.query(slot, &[(false, &[selector(ALL, 0)])]);
    let (two, null, text) = (asm.constant("2"), asm.constant("null"), asm.constant("\"É\""));
    let preds = [
        asm.any(query, Op::Exists, 0),
        asm.any(query, Op::Eq, two),
        asm.any(query, Op::Eq, null),
        asm.any(query, Op::EqFold, text),
        asm.any(query, Op::LtSlot, other),
    ];
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for pred in preds {
        let cond = asm.cond(&[(Op::IfPred, pred, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]);
        asm.hook(cond, action, Mode::Enforce);
    }
    let module = asm.module();
    for (event, hooks) in [
        ("\"v\":[1,2.0]", vec![0, 1]),
        ("\"v\":[null]", vec![2]),
        ("\"v\":[5,\"é\"],\"w\":6", vec![0, 3, 4]),
        ("\"v\":[]", vec![]),
        ("\"v\":null", vec![]),
        ("\"w\":1", vec![]),
        ("\"v\":{\"x\":2}", vec![0, 1]),
    ] {
        let event = format!("{{\"event_type\":\"e\",{event}}}");
        assert_eq!(decide(&module, &event, &DecideOptions::default()).unwrap().0, hooks, "{event}");
    }
    let event = format!("{{\"event_type\":\"e\",\"v\":[{}2]}}", "0,".repeat(20));
    let traced = module.trace(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).unwrap();
    let deciding = traced.hooks()[1].deciding.clone().unwrap();
    assert_eq!((deciding.holds, deciding.nodes), (true, Some(21)));
    assert_eq!(deciding.actual.unwrap(), format!("[{}0]", "0,".repeat(15)), "the first one");
}

/// The nodes of a query in order, for as long as they are asked for.
#[test]
fn the_nodes_of_a_query() {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let query = asm.query(slot, &[(false, &[selector(ALL, 0)])]);
    let always = asm.always();
    let module = Module::load(finish(asm, always, T::Const("0")).encode()).unwrap();
    let event = br#"{"event_type":"e","v":[1.0,"b",{}]}"#;
    for asked in 1..=4 {
        let (mut scratch, mut found) = (Scratch::new(), Vec::new());
        let mut each = |node: Item<'_>| {
            let mut text = String::new();
            node.write_canonical(&mut text);
            found.push(text);
            found.len() < asked
        };
        module.nodes(&mut scratch, event, &DecideOptions::default(), query, &mut each).unwrap();
        assert_eq!(found, ["1", "\"b\"", "{}"][..asked.min(3)]);
    }
}

#[test]
fn templates_list_nodes() {
    let of = |default| {
        let mut asm = Asm::new();
        let slot = asm.slot("v");
        let query = asm.query(slot, &[(false, &[selector(ALL, 0)])]);
        let always = asm.always();
        let list = T::Array(vec![T::Query(query, default), T::Const("0")]);
        Module::load(finish(asm, always, list).encode()).unwrap()
    };
    let (plain, or) = (of(None), of(Some("{\"k\":1}")));
    let list = |module, v| rendered(module, v).unwrap().unwrap();
    assert_eq!(list(&plain, "[1.0, {\"b\":1,\"a\":2}]"), "[[1,{\"a\":2,\"b\":1}],0]");
    assert_eq!((list(&plain, "[]"), list(&or, "[]")), ("[[],0]".into(), "[{\"k\":1},0]".into()));
    assert_eq!(list(&or, "[null]"), "[[null],0]", "a null node is a node");
}

/// `$.v..*..*`: one node per pair of ancestor and descendant.
fn pairs(asm: &mut Asm) -> u32 {
    let slot = asm.slot("v");
    let all: (bool, &[Selector]) = (true, &[selector(ALL, 0)]);
    asm.query(slot, &[all, all, all, all, all])
}

fn deep(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn steps_are_bounded() {
    let asking = || {
        let mut asm = Asm::new();
        let (query, five) = (pairs(&mut asm), asm.constant("5"));
        let any = asm.any(query, Op::Eq, five);
        let cond = asm.cond(&[(Op::IfPred, any, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
        finish(asm, cond, T::Query(query, None))
    };
    let with = |image: Image, steps| {
        let mut limits = Limits::default();
        limits.query_steps = steps;
        Module::load_with(image.encode(), limits).unwrap()
    };
    let event = |v: &str| format!("{{\"event_type\":\"e\",\"v\":{v}}}");
    let (hostile, good) = (event(&deep(120)), event(&deep(8)));
    let bound = amount(hookc_corpus::effort(QUERY_STEPS, 1 << 15), 1 << 14);
    let module = with(asking(), amount(hookc_corpus::effort(usize::MAX, bound), bound));
    let mut scratch = Scratch::new();
    let error = module.decide(&mut scratch, hostile.as_bytes(), &DecideOptions::default()).unwrap_err();
    assert_eq!(error, DecideError::QuerySteps(bound));
    assert!(error.to_string().contains(&bound.to_string()), "{error}");
    // The scratch serves the next event as ever.
    assert!(!module.decide(&mut scratch, good.as_bytes(), &DecideOptions::default()).unwrap().is_empty());
    let lowered = with(asking(), 100);
    assert!(decide(&lowered, &good, &DecideOptions::default()).unwrap_err().contains("more than 100 steps"));
    assert!(lowered.trace(&mut scratch, good.as_bytes(), &DecideOptions::default()).is_err());
    // An action has its own budget of the same size as the decision.
    let (mut few, mut most) = (99, 5000);
    while few + 1 < most {
        let steps = usize::midpoint(few, most);
        let is_enough = decide(&with(asking(), steps), &good, &DecideOptions::default()).is_ok();
        *(if is_enough { &mut most } else { &mut few }) = steps;
    }
    assert!(most < 5000);
    assert!(rendered(&with(asking(), most), &deep(8)).unwrap().is_ok());
    let mut asm = Asm::new();
    let (query, always) = (pairs(&mut asm), asm.always());
    let module = with(finish(asm, always, T::Query(query, None)), most - 1);
    let error = rendered(&module, &deep(8)).unwrap().unwrap_err();
    assert_eq!(error, RenderError::QuerySteps(most - 1));
    assert!(error.to_string().contains("steps"), "{error}");
}

/// The limit of parsed values.
const VALUES: usize = amount(EVENT_VALUES, 1_000);

/// A list of `count` numbers, all visited.
fn listed(count: usize) -> Result<bool, DecideError> {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let query = asm.query(slot, &[(true, &[selector(ALL, 0)])]);
    let five = asm.constant("5");
    let any = asm.any(query, Op::Eq, five);
    let cond = asm.cond(&[(Op::IfPred, any, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let mut limits = Limits::default();
    limits.event_values = VALUES;
    let module = Module::load_with(finish(asm, cond, T::Const("0")).encode(), limits).unwrap();
    let event = format!("{{\"event_type\":\"e\",\"v\":[{}0]}}", "0,".repeat(count - 1));
    let mut scratch = Scratch::new();
    module
        .decide(&mut scratch, event.as_bytes(), &DecideOptions::default())
        .map(|decision| !decision.is_empty())
}

#[test]
fn parsed_values_are_bounded() {
    // The list itself is a value too.
    assert_eq!(listed(VALUES - 1), Ok(true));
    let error = listed(VALUES).unwrap_err();
    assert_eq!(error, DecideError::Values(VALUES));
    assert!(error.to_string().contains(&VALUES.to_string()), "{error}");
}

/// Filters within filters: `$.v[?@[?@[?...]]]`, each a row and a query.
fn nested(depth: usize) -> Image {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let all = asm.query(NONE, &[(false, &[selector(ALL, 0)])]);
    let mut row = asm.filter(Op::Has, all, 0);
    for level in 1..depth {
        row = if level % 2 == 0 {
            let inner = asm.query(NONE, &[(false, &[selector(FILTER, row.into())])]);
            asm.filter(Op::Has, inner, 0)
        } else {
            asm.filter(Op::Not, row, 0)
        };
    }
    let query = asm.query(slot, &[(false, &[selector(FILTER, row.into())])]);
    let exists = asm.any(query, Op::Exists, 0);
    let cond = asm.cond(&[(Op::IfPred, exists, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]);
    finish(asm, cond, T::Const("0"))
}

#[test]
fn depth_is_bounded() {
    let module = Module::load(nested(QUERY_DEPTH).encode()).unwrap();
    let event = format!("{{\"event_type\":\"e\",\"v\":{}}}", deep(127));
    decide(&module, &event, &DecideOptions::default()).unwrap();
    let error = Module::load(nested(QUERY_DEPTH + 1).encode()).unwrap_err().to_string();
    assert_eq!(error, format!("filters row {QUERY_DEPTH}: nested too deep"));
    let mut asm = Asm::new();
    let at = asm.query(NONE, &[]);
    let mut length = asm.value(Op::Only, at);
    for _ in 0..QUERY_DEPTH {
        length = asm.value(Op::Length, length);
    }
    asm.filter(Op::Same, length, length);
    let always = asm.always();
    assert!(Module::load(finish(asm, always, T::Const("0")).encode()).is_err());
}

/// Something of everything: `every_query` tested and rendered.
fn every() -> Image {
    let mut asm = Asm::new();
    let pattern = asm.pattern("a");
    let query = every_query(&mut asm, pattern);
    let exists = asm.any(query, Op::Exists, 0);
    let cond = asm.cond(&[(Op::IfPred, exists, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]);
    finish(asm, cond, T::Query(query, None))
}

#[test]
fn everything_is_there() {
    let image = every();
    let of = |rows: &[hookc_vm::format::Row], group| {
        let all = Op::ALL.iter().filter(|op| op.group() == group);
        all.into_iter().all(|op| rows.iter().any(|row| row.op == *op as u8))
    };
    assert!(of(&image.filters, Group::Filter) && of(&image.values, Group::Value));
    assert!((0..5).all(|tag| image.selectors.iter().any(|selector| selector.tag == tag)));
    Module::load(image.encode()).unwrap();
}

fn filter(image: &mut Image, op: Op) -> &mut hookc_vm::format::Row {
    image.filters.iter_mut().find(|row| row.op == op as u8).unwrap()
}

fn value(image: &mut Image, op: Op) -> &mut hookc_vm::format::Row {
    image.values.iter_mut().find(|row| row.op == op as u8).unwrap()
}

fn select(image: &mut Image, tag: u8) -> &mut Selector {
    image.selectors.iter_mut().find(|selector| selector.tag == tag).unwrap()
}

fn any(image: &mut Image) -> &mut hookc_vm::format::Row {
    image.preds.iter_mut().find(|row| row.op == Op::Any as u8).unwrap()
}

const NOT_ANY: &str = "`any` of a query of the current node, or of a predicate that does not test it";
const NO_SELECTOR: &str = "not a selector, or an operand out of range";
const LATER: &str = "it refers to itself or to a later one";

/// Each check of the verifier: the change that violates it, and the message.
const BREAKS: &[common::Break] = &[
    (|i| i.queries[0].slot = i.slots.into(), "queries row 0: the slot is out of range"),
    (|i| i.queries[1].segments.start = 1000.into(), "queries row 1: segments out of range"),
    (|i| i.queries[1].segments.length = u32::MAX.into(), "queries row 1: segments out of range"),
    (|i| i.segments[0].tag = 2.into(), "segments row 0: an unknown tag"),
    (|i| i.segments[0].selectors.start = 1000.into(), "segments row 0: selectors out of range"),
    (|i| i.segments[0].selectors.length = 1000.into(), "segments row 0: selectors out of range"),
    (|i| i.selectors[0].zero = [0, 1], "selectors row 0: a reserved field is not zero"),
    (|i| i.selectors[0].tag = 5, NO_SELECTOR),
    (|i| select(i, NAME).a = (i.strings.len() as i64).into(), NO_SELECTOR),
    (|i| select(i, NAME).a = (-1).into(), NO_SELECTOR),
    (|i| select(i, NAME).has = 1, NO_SELECTOR),
    (|i| select(i, ALL).a = 1.into(), NO_SELECTOR),
    (|i| select(i, INDEX).b = 1.into(), NO_SELECTOR),
    (|i| select(i, INDEX).c = 1.into(), NO_SELECTOR),
    (|i| select(i, 3).has = 4, NO_SELECTOR),
    (|i| (select(i, 3).has, select(i, 3).a) = (0, 1.into()), NO_SELECTOR),
    (|i| (select(i, 3).has, select(i, 3).b) = (1, 1.into()), NO_SELECTOR),
    (|i| select(i, FILTER).a = (i.filters.len() as i64).into(), NO_SELECTOR),
    (|i| select(i, FILTER).b = 1.into(), NO_SELECTOR),
    (|i| i.values[0].op = 0, "values row 0: not a value"),
    (|i| i.values[0].op = Op::Same as u8, "values row 0: not a value"),
    (|i| value(i, Op::Literal).a = end(&i.consts).into(), "operand a is out of range"),
    (|i| value(i, Op::Literal).b = 1.into(), "operand b is out of range"),
    (|i| value(i, Op::Only).a = end(&i.queries).into(), "operand a is out of range"),
    (|i| value(i, Op::Count).a = end(&i.queries).into(), "operand a is out of range"),
    (|i| value(i, Op::Length).a = 4.into(), "values row 4: operand a is out of range"),
    (|i| i.filters[0].op = Op::Eq as u8, "filters row 0: not a filter"),
    (|i| i.filters[0].op = Op::Only as u8, "filters row 0: not a filter"),
    (|i| filter(i, Op::Has).a = end(&i.queries).into(), "operand a is out of range"),
    (|i| filter(i, Op::Has).b = 1.into(), "operand b is out of range"),
    (|i| filter(i, Op::Same).b = end(&i.values).into(), "operand b is out of range"),
    (|i| filter(i, Op::Match).b = end(&i.patterns).into(), "operand b is out of range"),
    (|i| filter(i, Op::OneOf).b = end(&i.filters).into(), "operand b is out of range"),
    (|i| i.filters[0] = instr(Op::Not, 0, 0), "filters row 0: it refers to itself or to a later one"),
    (|i| filter(i, Op::OneOf).b = 9.into(), LATER),
    (|i| (filter(i, Op::All).a, filter(i, Op::All).b) = (2.into(), 1.into()), LATER),
    // A query of the first row with the last row for a filter.
    (|i| i.queries[1].segments = range(i.segments.len() - 2, 1), "filters row 0: it refers to itself"),
    (|i| any(i).a = end(&i.queries).into(), "operand a is out of range"),
    (|i| any(i).a = 0.into(), NOT_ANY),
    (|i| any(i).b = 1.into(), NOT_ANY),
    (|i| any(i).b = end(&i.preds).into(), "operand b is out of range"),
    (|i| i.preds[0].a = 0.into(), NOT_ANY),
    (|i| i.preds.swap(0, 1), NOT_ANY),
    (|i| i.code[0].a = 0.into(), "code row 0: a test of a node outside a filter"),
    (|i| i.templates[0].a = 0.into(), "templates row 0: not a query of the event"),
    (|i| i.templates[0].a = end(&i.queries).into(), "templates row 0: not a query of the event"),
    (|i| i.templates[0].b = end(&i.consts).into(), "templates row 0: the default is out of range"),
];

#[test]
fn every_check_of_the_verifier() {
    common::refused(every, BREAKS);
}

/// Rows that refer repeatedly to the same rows do not make verification slower than the module's
/// length justifies.
#[test]
fn sharing_is_bounded() {
    let of = |rows: u32| {
        let mut asm = Asm::new();
        let all = asm.query(NONE, &[(false, &[selector(ALL, 0)])]);
        let first = asm.filter(Op::Has, all, 0);
        for row in 1..rows {
            asm.filter(Op::All, first, row - 1);
        }
        let always = asm.always();
        Module::load(finish(asm, always, T::Const("0")).encode())
    };
    assert!(of(100).is_ok());
    assert_eq!(of(400).unwrap_err(), hookc_vm::LoadError::Sharing);
}
