//! Decisions: event types, strategies, modes, stepping, errors, traces.

use crate::common;

use common::{Asm, BOUND, amount, decide, ranks, selector};
use hookc_vm::EventError;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Hook, HookTest, NONE, ViewKind};
use hookc_vm::limits::Limits;
use hookc_vm::trace::{Deciding, Verdict};
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};
use hookc_vm::{Family, Layer, Mode, OnError, OnFailure, Strategy};

/// Hooks of `e`: each tests whether a member of its name is there.
fn hooks(strategy: Strategy, hooks: &[(&str, Mode)]) -> Asm {
    let mut asm = Asm::new();
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", strategy);
    for (member, mode) in hooks {
        let slot = asm.slot(member);
        let cond = asm.when(Op::Exists, slot, 0);
        asm.hook(cond, action, *mode);
    }
    asm
}

/// A hook can test a predicate without a condition of its own.
#[test]
fn inline_predicates() {
    let mut asm = hooks(Strategy::All, MIXED);
    let slot = asm.slot("f");
    let pred = asm.pred(Op::Exists, slot, 0);
    let action = asm.action("continue", &[]);
    asm.hook(HookTest::Pred(pred).number(), action, Mode::Enforce);
    let module = asm.module();
    let ask = DecideOptions::default();
    assert_eq!(fired(&module, ALL, &ask).0, [1, 3]);
    let event = r#"{"event_type":"e","b":1,"f":null}"#;
    assert_eq!(fired(&module, event, &ask).0, [1]);
    let event = r#"{"event_type":"e","b":1,"f":0}"#;
    assert_eq!(fired(&module, event, &ask).0, [1, 5]);
    let trace = module.trace(&mut Scratch::new(), event.as_bytes(), &ask).unwrap();
    assert_eq!(trace.hooks().last().and_then(|hook| hook.deciding.as_ref()).map(|d| d.pred), Some(pred));
    let mut scratch = Scratch::new();
    let mut probe = module.probe(&mut scratch, event.as_bytes(), &ask).unwrap();
    assert_eq!(probe.condition(5), Some(HookTest::Pred(pred)));
    assert_eq!((probe.holds(5).unwrap(), probe.deciding(5).unwrap().unwrap().pred), (true, pred));
}

const MIXED: &[(&str, Mode)] =
    &[("a", Mode::Shadow), ("b", Mode::Enforce), ("c", Mode::Warn), ("d", Mode::Enforce), ("e", Mode::Warn)];

const ALL: &str = r#"{"event_type":"e","a":1,"b":1,"c":1,"d":1,"e":1}"#;

fn fired(module: &Module, event: &str, ask: &DecideOptions<'_>) -> (Vec<u32>, Vec<u32>) {
    decide(module, event, ask).unwrap()
}

#[test]
fn strategies_and_modes() {
    let first = hooks(Strategy::First, MIXED).module();
    let all = hooks(Strategy::All, MIXED).module();
    let ask = DecideOptions::default();
    assert_eq!(fired(&first, ALL, &ask), (vec![1], vec![0]));
    assert_eq!(fired(&all, ALL, &ask), (vec![1, 3], vec![0, 2, 4]));
    let without_b = r#"{"event_type":"e","a":1,"c":1,"d":1,"e":1}"#;
    assert_eq!(fired(&first, without_b, &ask), (vec![3], vec![0, 2]));
    assert_eq!(fired(&first, r#"{"event_type":"e","e":1}"#, &ask), (vec![], vec![4]));
    assert_eq!(fired(&first, r#"{"event_type":"e"}"#, &ask), (vec![], vec![]));
    let over = |strategy| DecideOptions::default().strategy(strategy);
    for (module, ask, strategy) in [
        (&first, &ask, Strategy::First),
        (&all, &ask, Strategy::All),
        (&first, &over(Strategy::All), Strategy::All),
    ] {
        let mut scratch = Scratch::new();
        assert_eq!(module.decide(&mut scratch, ALL.as_bytes(), ask).unwrap().strategy(), strategy);
    }
    assert_eq!(fired(&first, ALL, &over(Strategy::All)), (vec![1, 3], vec![0, 2, 4]));
    assert_eq!(fired(&all, ALL, &over(Strategy::First)), (vec![1], vec![0]));
}

#[test]
fn stepping_reports_everything_once() {
    for strategy in [Strategy::First, Strategy::All] {
        let module = hooks(strategy, MIXED).module();
        let mut ask = DecideOptions::default().strategy(Strategy::First);
        assert_eq!(fired(&module, ALL, &ask), (vec![1], vec![0]));
        ask = DecideOptions::default().after(Some(1));
        assert_eq!(fired(&module, ALL, &ask), (vec![3], vec![2]));
        ask.after = Some(3);
        assert_eq!(fired(&module, ALL, &ask), (vec![], vec![4]));
        for end in [4, 5, u32::MAX] {
            ask.after = Some(end);
            assert_eq!(fired(&module, ALL, &ask), (vec![], vec![]));
        }
        let rest = DecideOptions::default().after(Some(1)).strategy(Strategy::All);
        assert_eq!(fired(&module, ALL, &rest), (vec![3], vec![2, 4]));
    }
}

#[test]
fn the_type_is_the_first_stated_one() {
    let module = hooks(Strategy::First, &[("a", Mode::Enforce)]).module();
    let ask = DecideOptions::default();
    let mut scratch = Scratch::new();
    for (event, name) in [
        (r#"{"event":{"type":"e"},"hook_event_name":"x","a":1}"#, "e"),
        (r#"{"event":{"type":1},"hook_event_name":"e","event_type":"x","a":1}"#, "e"),
        (r#"{"event":"x","hook_event_name":null,"event_type":"e","a":1}"#, "e"),
        (r#"{"event_type":"\u0065","a":1}"#, "e"),
        (r#"{"event_type":"other","a":1}"#, "other"),
    ] {
        let decision = module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
        assert_eq!(decision.event(), name, "{event}");
        assert_eq!(decision.is_empty(), name != "e");
        assert_eq!(decision.family().is_some(), name == "e");
    }
    let named = DecideOptions::default().event("e");
    assert_eq!(fired(&module, r#"{"event_type":"x","a":1}"#, &named), (vec![0], vec![]));
    assert_eq!(fired(&module, r#"{"a":1}"#, &named), (vec![0], vec![]));
    let error = module.decide(&mut scratch, br#"{"a":1}"#, &ask).unwrap_err();
    assert_eq!(error, DecideError::Event(EventError::NoType));
}

#[test]
fn names_of_several_families() {
    let mut asm = hooks(Strategy::First, &[("a", Mode::Enforce)]);
    asm.event(Family::Agent, "e", Strategy::All);
    let (cond, action) = (asm.always(), asm.action("deny", &[]));
    asm.hook(cond, action, Mode::Enforce);
    let module = asm.module();
    let mut scratch = Scratch::new();
    let event = br#"{"event_type":"e"}"#;
    let error = module.decide(&mut scratch, event, &DecideOptions::default()).unwrap_err();
    assert_eq!(error, DecideError::Event(EventError::AmbiguousType("e".into())));
    let kind = |family, scratch: &mut Scratch| {
        let ask = DecideOptions::default().family(family);
        let decision = module.decide(scratch, event, &ask).unwrap();
        (decision.family(), decision.hooks().map(|f| f.kind().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(kind(Family::Thread, &mut scratch), (Some(Family::Thread), vec![]));
    assert_eq!(kind(Family::Agent, &mut scratch), (Some(Family::Agent), vec!["deny".to_owned()]));
    assert_eq!(kind(Family::Skill, &mut scratch), (None, vec![]));
    let events: Vec<_> = module.events().map(|e| (e.family, e.name, e.strategy, e.hooks)).collect();
    assert_eq!(events, [(Family::Thread, "e", Strategy::First, 1), (Family::Agent, "e", Strategy::All, 1)]);
}

#[test]
fn duplicates_are_rejected_where_they_are_read() {
    let module = hooks(Strategy::First, &[("a", Mode::Enforce)]).module();
    let refused = |event: &str, ask: &DecideOptions<'_>| {
        let mut scratch = Scratch::new();
        let result = module.decide(&mut scratch, event.as_bytes(), ask);
        matches!(result, Err(DecideError::Event(EventError::Duplicate(_))))
    };
    let named = DecideOptions::default().event("other");
    for (event, ask, expected) in [
        (r#"{"event_type":"e","a":1,"a":1}"#, DecideOptions::default(), true),
        (r#"{"event_type":"e","a":1,"\u0061":1}"#, DecideOptions::default(), true),
        (r#"{"event_type":"e","a":{"x":1,"x":2}}"#, DecideOptions::default(), true),
        (r#"{"event_type":"e","z":1,"z":2}"#, DecideOptions::default(), false),
        // An event type without hooks only reads its type.
        (r#"{"event_type":"other","a":1,"a":1}"#, DecideOptions::default(), false),
        (r#"{"event_type":"other","event_type":"other"}"#, DecideOptions::default(), true),
        (r#"{"event":{"type":"other","type":"e"}}"#, DecideOptions::default(), true),
        (r#"{"event":{},"event":{"type":"other"}}"#, DecideOptions::default(), true),
        (r#"{"event_type":"e","hook_event_name":1,"hook_event_name":1}"#, named, true),
        (r#"{"event_type":"e","a":1,"a":1}"#, named, false),
    ] {
        assert_eq!(refused(event, &ask), expected, "{event}");
    }
}

#[test]
fn no_event_without_all_of_it() {
    let module = hooks(Strategy::First, &[("a", Mode::Enforce)]).module();
    let mut scratch = Scratch::new();
    for event in
        ["", "{", "[]", "null", "{} x", r#"{"event_type":"other","z":tru}"#, r#"{"event_type":"other"}}"#]
    {
        assert!(module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).is_err(), "{event}");
    }
    let after = module.decide(&mut scratch, ALL.as_bytes(), &DecideOptions::default()).unwrap();
    assert_eq!(ranks(&after), (vec![0], vec![]));
}

/// After a module with more paths, one with longer paths: duplicates in these are found too.
#[test]
fn one_scratch_for_longer_paths() {
    let wide: Vec<String> = (0..20).map(|n| format!("f{n}")).collect();
    let wide: Vec<(&str, Mode)> = wide.iter().map(|path| (path.as_str(), Mode::Enforce)).collect();
    let long = vec!["a"; 40].join(".");
    let (wide, long) =
        (hooks(Strategy::All, &wide).module(), hooks(Strategy::All, &[(&long, Mode::Enforce)]));
    let long = long.module();
    let nested =
        |inner: &str| format!("{{\"event_type\":\"e\",{}{inner}{}}}", "\"a\":{".repeat(39), "}".repeat(39));
    let mut scratch = Scratch::new();
    assert_eq!(module_ranks(&wide, &mut scratch, r#"{"event_type":"e","f19":1}"#).0, [19]);
    assert_eq!(module_ranks(&long, &mut scratch, &nested("\"a\":1")).0, [0]);
    let twice = nested("\"a\":1,\"a\":1");
    let result = long.decide(&mut scratch, twice.as_bytes(), &DecideOptions::default());
    assert!(matches!(result, Err(DecideError::Event(EventError::Duplicate(_)))));
}

#[test]
fn one_scratch_for_all_modules() {
    let (a, b) = (hooks(Strategy::All, MIXED).module(), hooks(Strategy::First, &MIXED[3..]).module());
    let mut scratch = Scratch::new();
    for _ in 0..3 {
        let one = module_ranks(&a, &mut scratch, r#"{"event_type":"e","b":1}"#);
        assert_eq!(one, (vec![1], vec![]));
        assert_eq!(module_ranks(&b, &mut scratch, ALL), (vec![0], vec![]));
        assert_eq!(module_ranks(&b, &mut scratch, r#"{"event_type":"e"}"#), (vec![], vec![]));
        assert_eq!(module_ranks(&a, &mut scratch, r#"{"event_type":"e"}"#), (vec![], vec![]));
    }
}

fn module_ranks(module: &Module, scratch: &mut Scratch, event: &str) -> (Vec<u32>, Vec<u32>) {
    ranks(&module.decide(scratch, event.as_bytes(), &DecideOptions::default()).unwrap())
}

#[test]
fn merged_fields() {
    let mut asm = Asm::new();
    let slot = asm.merged("f.x");
    let one = asm.constant("1");
    let (cond, action) = (asm.when(Op::Eq, slot, one), asm.action("continue", &[]));
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    let module = asm.module();
    for (event, holds) in [
        (r#"{"event_type":"e","f":{"x":1}}"#, true),
        (r#"{"event_type":"e","event":{"f":{"x":1}}}"#, true),
        (r#"{"event_type":"e","f":null,"event":{"f":{"x":1}}}"#, false),
        (r#"{"event_type":"e","f":{},"event":{"f":{"x":1}}}"#, false),
        (r#"{"event_type":"e"}"#, false),
    ] {
        assert_eq!(fired(&module, event, &DecideOptions::default()).0.len(), usize::from(holds), "{event}");
    }
}

#[test]
fn patterns_are_built_when_needed_and_within_limits() {
    let wide = format!(r"\w{{{}}}", amount(10, 1));
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b"));
    let (bad, large) = (asm.pattern("("), asm.pattern(&wide));
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for (slot, pattern) in [(a, bad), (b, large)] {
        let cond = asm.when(Op::Regex, slot, pattern);
        asm.hook(cond, action, Mode::Enforce);
    }
    let mut image = asm.finish();
    Asm::named(&mut image);
    let mut limits = Limits::default();
    limits.regex_bytes = 10_000;
    let module = Module::load_with(image.encode(), limits).unwrap();
    let mut scratch = Scratch::new();
    let mut pattern =
        |event: &str| match module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()) {
            Err(DecideError::Pattern { pattern, .. }) => Some(pattern),
            Ok(_) => None,
            Err(error) => panic!("{error}"),
        };
    assert_eq!(pattern(r#"{"event_type":"e"}"#), None, "nothing to match, nothing built");
    assert_eq!(pattern(r#"{"event_type":"e","a":"x"}"#).as_deref(), Some("("));
    assert_eq!(pattern(r#"{"event_type":"e","b":"x"}"#).as_deref(), Some(wide.as_str()));
    let roomy = Module::load(image.encode()).unwrap();
    assert!(roomy.decide(&mut scratch, br#"{"event_type":"e","b":"x"}"#, &DecideOptions::default()).is_ok());
}

#[test]
fn hooks_have_names() {
    let mut image = hooks(Strategy::First, MIXED).finish();
    image.hooks[1].modes = Hook::modes(Mode::Enforce, Some(OnError::Retry), Some(OnFailure::Closed));
    let stripped = Module::load(image.encode()).unwrap();
    Asm::named(&mut image);
    let module = Module::load(image.encode()).unwrap();
    let (mut one, mut two) = (Scratch::new(), Scratch::new());
    let named = module.decide(&mut one, ALL.as_bytes(), &DecideOptions::default()).unwrap();
    let fired = named.hooks().next().unwrap();
    assert_eq!((fired.label(), fired.layer()), (Some("h1"), Some(Layer::Project)));
    assert_eq!(fired.location(), Some(("f.yaml", 2, 3)));
    assert_eq!((fired.on_error(), fired.on_failure()), (Some(OnError::Retry), Some(OnFailure::Closed)));
    assert_eq!((fired.mode(), fired.kind()), (Mode::Enforce, "continue"));
    assert_eq!(named.reported().next().unwrap().mode(), Mode::Shadow);
    assert!(!module.is_stripped() && stripped.is_stripped());
    assert_ne!(module.hash(), stripped.hash());
    let bare = stripped.decide(&mut two, ALL.as_bytes(), &DecideOptions::default()).unwrap();
    assert_eq!(ranks(&bare), ranks(&named));
    let fired = bare.hooks().next().unwrap();
    assert_eq!((fired.label(), fired.layer(), fired.location()), (None, None, None));
    assert!(format!("{named:?} {fired:?} {module:?}").contains("h1"));
}

#[test]
fn traces() {
    let mut asm = hooks(Strategy::First, MIXED);
    let (a, b, ten) = (asm.slot("a"), asm.slot("b.c"), asm.constant("10"));
    let (gt, lt) = (asm.pred(Op::Gt, a, ten), asm.pred(Op::LtSlot, a, b));
    let inner = asm.cond(&[(Op::UnlessPred, gt, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let always = asm.always();
    let outer = asm.cond(&[
        (Op::UnlessCond, inner, 4),
        (Op::UnlessPred, lt, 4),
        (Op::UnlessCond, always, 4),
        (Op::Yes, 0, 0),
        (Op::No, 0, 0),
    ]);
    asm.hook(outer, 0, Mode::Enforce);
    asm.hook(always, 0, Mode::Enforce);
    let module = asm.module();
    let mut scratch = Scratch::new();
    let event = br#"{"event_type":"e","a":11.0,"d":[1, 2],"e":{},"b":{"c":12}}"#;
    let trace = module.trace(&mut scratch, event, &DecideOptions::default()).unwrap();
    assert_eq!(trace.event(), "e");
    let verdicts: Vec<_> = trace.hooks().iter().map(|hook| hook.verdict).collect();
    use Verdict::{Decides, NoMatch, Reported, Shadowed};
    assert_eq!(verdicts, [Reported, Decides, NoMatch, Shadowed, Shadowed, Shadowed, Shadowed]);
    let actual = |rank: usize| trace.hooks()[rank].deciding.as_ref().and_then(|d| d.actual.as_deref());
    assert_eq!((actual(0), actual(2), actual(3)), (Some("11"), None, Some("[1,2]")));
    assert!(!trace.hooks()[2].deciding.as_ref().unwrap().holds);
    assert_eq!(trace.hooks()[3].shadowed_by.as_deref(), Some("h1"));
    let last = trace.hooks()[5].deciding.as_ref().unwrap();
    assert_eq!((last.pred, last.holds, last.other.as_deref()), (lt, true, Some("12")));
    assert_eq!(trace.hooks()[6].deciding, None);
    let mut probe = module.probe(&mut scratch, event, &DecideOptions::default()).unwrap();
    assert_eq!((probe.event(), probe.hooks()), ("e", 7));
    for hook in trace.hooks().iter().rev() {
        assert_eq!(probe.holds(hook.rank).unwrap(), hook.verdict != NoMatch);
        assert_eq!(probe.deciding(hook.rank).unwrap(), hook.deciding);
    }
    assert_eq!((probe.holds(7).unwrap(), probe.deciding(7).unwrap()), (false, None));
    let all = DecideOptions::default().strategy(Strategy::All).after(Some(3));
    let trace = module.trace(&mut scratch, event, &all).unwrap();
    let verdicts: Vec<_> = trace.hooks().iter().map(|hook| (hook.rank, hook.verdict)).collect();
    assert_eq!(verdicts, [(4, Reported), (5, Decides), (6, Decides)]);
    let none = module.trace(&mut scratch, br#"{"event_type":"x"}"#, &DecideOptions::default()).unwrap();
    assert_eq!((none.event(), none.hooks().len()), ("x", 0));
}

#[test]
fn verdicts_have_names() {
    let all = [Verdict::Decides, Verdict::Reported, Verdict::Shadowed, Verdict::NoMatch];
    assert_eq!(all.map(Verdict::as_str), ["decides", "reported", "shadowed", "no match"]);
}

/// A trace and a probe write a whole value as compact JSON, however long it is.
#[test]
fn a_trace_says_which_value_was_read() {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b"));
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    let pred = asm.pred(Op::EqSlot, a, b);
    asm.hook(HookTest::Pred(pred).number(), action, Mode::Enforce);
    let module = asm.module();
    let text = "x".repeat(amount(200_000, 2_000));
    let (late, plain) = (format!("\"\\u0041{text}\""), format!("\"A{text}\""));
    for (a, b, holds, actual, other) in [
        ("1.0", "1e0", true, Some("1"), Some("1")),
        ("null", "[ {\"b\": 1, \"a\": 2.50} ]", false, Some("null"), Some(r#"[{"a":2.5,"b":1}]"#)),
        (&*late, "false", false, Some(&*plain), Some("false")),
        (&*late, &*plain, true, Some(&*plain), Some(&*plain)),
        ("", "1", false, None, Some("1")),
        ("\"\"", "", false, Some("\"\""), None),
    ] {
        let member = |name: &str, json: &str| match json {
            "" => String::new(),
            json => format!(",\"{name}\":{json}"),
        };
        let event = format!("{{\"event_type\":\"e\"{}{}}}", member("a", a), member("b", b));
        let mut scratch = Scratch::new();
        let trace = module.trace(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        let traced = trace.hooks()[0].deciding.clone().unwrap();
        assert_eq!((traced.pred, traced.holds), (pred, holds));
        assert_eq!((traced.actual.as_deref(), traced.other.as_deref()), (actual, other));
        assert_eq!((traced.nodes, traced.matching.as_deref()), (None, None));
        let mut probe = module.probe(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        assert_eq!(probe.test(pred).unwrap(), Some(traced.clone()));
        assert_eq!(probe.deciding(0).unwrap(), Some(traced));
        assert_eq!(probe.test(pred + 1).unwrap(), None);
    }
}

/// About the nodes of a query and of a quantifier: their number, the first ones, and the first of those for which
/// the condition is true.
#[test]
fn a_trace_lists_the_first_nodes_and_the_first_that_match() {
    let mut asm = Asm::new();
    let (v, nine) = (asm.slot("v"), asm.constant("9"));
    let each = asm.query(v, &[(false, &[selector(1, 0)])]);
    let any = asm.any(each, Op::Gt, nine);
    let itself = asm.query(NONE, &[]);
    let (nodes, x) = (asm.bound(NONE, each), asm.bound(0, itself));
    let larger = asm.pred(Op::Gt, BOUND + x, nine);
    let body = asm.cond(&[(Op::UnlessBound, larger, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let some = asm.pred(Op::Some, nodes, body);
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for pred in [any, some] {
        asm.hook(HookTest::Pred(pred).number(), action, Mode::Enforce);
    }
    let module = asm.module();
    let list = |from: usize, to: usize| {
        format!("[{}]", (from..to).map(|n| n.to_string()).collect::<Vec<_>>().join(","))
    };
    let most = Deciding::MAX_NODES;
    for (from, to, matching) in [
        (0, 0, None),
        (5, 6, None),
        (0, 10, None),
        (9, 11, Some(list(10, 11))),
        (8, 12, Some(list(10, 12))),
        (0, most, Some(list(10, most))),
        (10, 10 + most, Some(list(10, 10 + most))),
        (10, 11 + most, Some(list(10, 10 + most))),
        (0, 100, Some(list(10, 10 + most))),
    ] {
        let event = format!("{{\"event_type\":\"e\",\"v\":{}}}", list(from, to));
        let trace = module.trace(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).unwrap();
        for (hook, pred) in trace.hooks().iter().zip([any, some]) {
            let deciding = hook.deciding.clone().unwrap();
            assert_eq!((deciding.pred, deciding.holds), (pred, matching.is_some()), "{event}");
            assert_eq!(deciding.nodes, Some(to - from), "{event}");
            assert_eq!(deciding.actual, Some(list(from, to.min(from + most))), "{event}");
            assert_eq!(deciding.matching, matching, "{event}");
            assert_eq!(deciding.other, None);
        }
    }
}

/// A probe shows the whole view of the command line that a slot is a part of, also members that no hook reads.
#[test]
fn a_probe_shows_views_of_command_lines() {
    let mut asm = Asm::new();
    (asm.cwd, asm.tool) = (Some(asm.merged("cwd")), Some(asm.merged("tool_name")));
    let merged = asm.image.derived.len();
    let ok = asm.merged("tool_input.command.shell().ok");
    let name = asm.slot("c.shell().commands.0.name");
    let c = asm.slot("c");
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for slot in [ok, name] {
        let cond = asm.when(Op::Exists, slot, 0);
        asm.hook(cond, action, Mode::Enforce);
    }
    let mut image = asm.finish();
    Asm::named(&mut image);
    let ok = image.slots - image.derived.len() as u32 + merged as u32;
    let module = Module::load(image.encode()).unwrap();
    let mut scratch = Scratch::new();
    let mut views = |event: &str, slots: [u32; 2]| {
        let probe = module.probe(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        assert_eq!(format!("{probe:?}"), format!("Probe {{ event: \"e\", hooks: {} }}", probe.hooks()));
        slots.map(|slot| {
            let (kind, view) = probe.view(slot)?;
            let view: serde_json::Value = serde_json::from_str(&view).unwrap();
            assert_eq!((kind, &view["ok"]), (ViewKind::Shell, &true.into()), "{event}");
            let command = &view["commands"][0];
            Some(format!("{} {}", command["name"].as_str().unwrap(), command["args"]))
        })
    };
    let text = |text: &str| Some(text.to_owned());
    let root = r#"{"event_type":"e","tool_input":{"command":"ls a"},"c":"cp b"}"#;
    assert_eq!(views(root, [ok, name]), [text(r#"ls ["a"]"#), text(r#"cp ["b"]"#)]);
    let nested = r#"{"event_type":"e","event":{"tool_input":{"command":"pwd -P"}}}"#;
    assert_eq!(views(nested, [ok, name]), [text(r#"pwd ["-P"]"#), None], "in `event`");
    let both = r#"{"event_type":"e","tool_input":{},"event":{"tool_input":{"command":"pwd"}}}"#;
    assert_eq!(views(both, [ok, name]), [None, None], "the member at the root wins");
    assert_eq!(views(root, [c, image.slots]), [None, None], "a slot of the event, and no slot");
}

#[test]
fn modules_are_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    let module = hooks(Strategy::First, MIXED).module();
    shared(&module);
    let copies: Vec<_> = (0..4).map(|_| module.clone()).collect();
    let threads = copies
        .into_iter()
        .map(|module| std::thread::spawn(move || fired(&module, ALL, &DecideOptions::default())));
    for thread in threads.collect::<Vec<_>>() {
        assert_eq!(thread.join().unwrap(), (vec![1], vec![0]));
    }
}
