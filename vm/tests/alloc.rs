//! The allocations of a decision once its scratch has grown: none.

use crate::common;

use std::collections::BTreeMap;

use common::{Asm, amount, range};
use hookc_vm::format::op::Op;
use hookc_vm::{DecideOptions, Module, Scratch};
use hookc_vm::{Family, Mode, Strategy};
use serde_json::Value;

/// Hooks over strings and numbers: equalities, ranges, lists, substrings.
fn module(strategy: Strategy) -> Module {
    let mut asm = Asm::new();
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "error", strategy);
    let (directive, spend, code) =
        (asm.slot("event.directive"), asm.slot("cost.spend"), asm.slot("error.code"));
    let turn = asm.merged("turn");
    for n in 0..amount(50, 13) {
        let name = asm.constant(&format!("\"team/directive_{n}\""));
        let limit = asm.constant(&format!("{n}.25"));
        let codes = asm.list(&[&format!("\"http_{n}\""), "\"closed\"", "503"]);
        let tests = [
            (Op::Eq, directive, name),
            (Op::StartsWith, directive, name),
            (Op::Contains, code, name),
            (Op::Gt, spend, limit),
            (Op::Lte, turn, limit),
            (Op::In, code, codes),
            (Op::Exists, code, 0),
        ];
        for (op, a, b) in tests {
            let cond = asm.when(op, a, b);
            asm.hook(cond, action, Mode::Enforce);
        }
    }
    let mut image = asm.finish();
    // No value is used as a whole: searching it for duplicate keys would sort its keys.
    image.events.iter_mut().for_each(|event| event.whole = range(0, 0));
    Module::load(image.encode()).unwrap()
}

const EVENTS: &[&str] = &[
    r#"{"event":{"type":"error","directive":"team/directive_7"},"error":{"code":"http_12"},"cost":{"spend":3.5},"turn":9}"#,
    r#"{"event":{"type":"error","directive":"team\/directive_41","turn":3},"cost":{"spend":1e2,"other":[1,{"x":"\n"}]}}"#,
    r#"{ "ev\u0065nt": {"type": "error"}, "error": {"code": "closed"}, "turn": -0.50, "unread": ["\u00e9", {}, []] }"#,
    r#"{"event":{"type":"other"},"error":{"code":503},"cost":7}"#,
];

#[test]
fn a_decision_allocates_nothing() {
    for strategy in [Strategy::First, Strategy::All] {
        let module = module(strategy);
        let mut scratch = Scratch::new();
        same_hits(&mut |event| {
            let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
            decision.hooks().count()
        });
    }
}

#[test]
fn a_decision_about_a_value_allocates_nothing() {
    for strategy in [Strategy::First, Strategy::All] {
        let module = module(strategy);
        let mut scratch = Scratch::new();
        let values: BTreeMap<&str, Value> =
            EVENTS.iter().map(|event| (*event, serde_json::from_str(event).unwrap())).collect();
        same_hits(&mut |event| {
            let decision =
                module.decide_value(&mut scratch, &values[event], &DecideOptions::default()).unwrap();
            decision.hooks().count()
        });
    }
}

/// The second decision about each event allocates nothing, and is as the first.
fn same_hits(hits: &mut dyn FnMut(&'static str) -> usize) {
    let known: Vec<usize> = EVENTS.iter().map(|event| hits(event)).collect();
    assert!(known[..3].iter().all(|hits| *hits > 0), "{known:?}");
    for (event, known) in EVENTS.iter().zip(known) {
        let mut again = 0;
        let info = allocation_counter::measure(|| again = hits(event));
        assert_eq!((info.count_total, again), (0, known), "{event}");
    }
}

/// A loaded module with one hook, and its buffers after an event of a kilobyte.
#[test]
fn a_small_policy_takes_little_memory() {
    let mut asm = Asm::new();
    let action = asm.action("continue", &[]);
    asm.event(Family::Thread, "error", Strategy::First);
    let (slot, name) = (asm.slot("event.directive"), asm.constant("\"team/directive_7\""));
    let cond = asm.when(Op::Eq, slot, name);
    asm.hook(cond, action, Mode::Enforce);
    let bytes = asm.finish().encode();
    let event = EVENTS[0].replace("\"turn\"", &format!("\"text\":\"{}\",\"turn\"", "x".repeat(1000)));
    let info = allocation_counter::measure(|| {
        let module = Module::load(bytes).unwrap();
        let mut scratch = Scratch::new();
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        assert_eq!(decision.hooks().count(), 1);
    });
    assert!(info.bytes_max < 64 << 10, "{info:?}");
}

#[test]
fn allocations_are_counted() {
    assert!(allocation_counter::measure(|| drop(std::hint::black_box(vec![0_u8; 100]))).count_total > 0);
}

/// What the header states is compared with the bytes that are there, before room is made for it.
#[test]
fn a_count_of_the_header_allocates_nothing() {
    for slots in [1 << 20, u32::MAX] {
        let mut image = common::rich();
        image.slots = slots;
        let bytes = image.encode();
        let length = bytes.len() as u64;
        let seen = allocation_counter::measure(|| {
            let error = Module::load(bytes).unwrap_err().to_string();
            assert!(error.contains("fewer nodes than slots"), "{error}");
        });
        assert!(seen.bytes_max < 16 * length, "{} for {length} bytes", seen.bytes_max);
    }
}
