//! Modules that are opened: each event type is verified before the first decision about it.

use crate::common;

use common::{Asm, T, amount, exercise, opened, ranks, rich, selector};
use hookc_vm::format::op::Op;
use hookc_vm::format::{INLINE, Image, NONE, U32};
use hookc_vm::limits::MODULE_DEPTH;
use zerocopy::IntoBytes;

use hookc_vm::{DecideError, DecideOptions, Family, LoadError, Mode, Module, Scratch, Strategy};

#[test]
fn opened_modules_decide_as_loaded_ones() {
    for image in [rich(), Image::minimal()] {
        assert_eq!(opened(&image.encode()), Ok(()));
        let [opened, loaded] = [Module::open(image.encode()).unwrap(), Module::load(image.encode()).unwrap()];
        exercise(&opened, &mut Scratch::new());
        let (mut one, mut two) = (Scratch::new(), Scratch::new());
        for event in common::EVENTS.iter().step_by(amount(1, 4)) {
            for kind in loaded.events() {
                let ask = DecideOptions::default().event(kind.name).family(kind.family);
                let shown = |module: &Module, scratch: &mut Scratch| {
                    module.decide(scratch, event.as_bytes(), &ask).map(|decision| {
                        let mut json = String::new();
                        decision.write_json(&mut json);
                        json
                    })
                };
                assert_eq!(shown(&opened, &mut one), shown(&loaded, &mut two), "{} {event}", kind.name);
            }
        }
        assert_eq!(opened.verify(), Ok(()));
        assert_eq!(format!("{:?}", opened.tables().unwrap()), format!("{:?}", loaded.tables().unwrap()));
        assert_eq!(opened.is_stripped(), loaded.is_stripped());
    }
}

/// Two event types, each with a hook that tests a path of its own and renders it.
fn two() -> Image {
    let mut asm = Asm::new();
    for name in ["a", "b"] {
        let slot = asm.slot(name);
        let cond = asm.when(Op::Exists, slot, 0);
        let action = asm.action("x", &[(name, T::Slot(slot), None)]);
        asm.event(Family::Thread, name, Strategy::First);
        asm.hook(cond, action, Mode::Enforce);
    }
    asm.finish()
}

#[test]
fn a_fault_of_one_type_leaves_the_others() {
    const EVENT: &[u8] = br#"{"a": 1, "b": 2}"#;
    let faults: [fn(&mut Image); 5] = [
        |image| image.hooks[1].modes = 3,
        |image| image.code.last_mut().unwrap().op = 0xff,
        |image| image.preds[1].a = 1000.into(),
        |image| image.actions[1].kind = 1000.into(),
        |image| image.templates[1].a = 1000.into(),
    ];
    for fault in faults {
        let mut image = two();
        fault(&mut image);
        let refused = Module::load(image.encode()).unwrap_err();
        let module = Module::open(image.encode()).unwrap();
        let mut scratch = Scratch::new();
        for _ in 0..2 {
            let sound = module.decide(&mut scratch, EVENT, &DecideOptions::default().event("a")).unwrap();
            assert_eq!(ranks(&sound), (vec![0], vec![]));
            let error = module.decide(&mut scratch, EVENT, &DecideOptions::default().event("b")).unwrap_err();
            assert_eq!(error, DecideError::Module(refused.clone()));
            assert_eq!((error.code(), refused.code()), ("damaged", "damaged"));
            assert!(error.to_string().starts_with("the module is damaged: "), "{error}");
            let ask = DecideOptions::default().event("b");
            assert!(module.trace(&mut scratch, EVENT, &ask).is_err());
            assert!(module.probe(&mut scratch, EVENT, &ask).is_err());
            let value = serde_json::from_slice(EVENT).unwrap();
            assert!(module.decide_value(&mut scratch, &value, &ask).is_err());
        }
        assert_eq!(module.verify(), Err(refused.clone()));
        assert_eq!(module.tables().err(), Some(refused), "nothing unverified is listed");
        assert_eq!(module.events().len(), 2, "event types are verified when a module is opened");
    }
}

/// What two types share is marked as seen when the first of them fails, so the second one fails too.
#[test]
fn a_fault_that_types_share_is_one_of_each() {
    const EVENT: &[u8] = br#"{"a": 1, "b": 2}"#;
    let mut image = two();
    image.hooks[0].action = image.hooks[1].action;
    image.templates[1].a = 1000.into();
    for types in [["a", "b"], ["b", "a"]] {
        let module = Module::open(image.encode()).unwrap();
        for name in types.iter().chain(&types) {
            let mut scratch = Scratch::new();
            let decided = module.decide(&mut scratch, EVENT, &DecideOptions::default().event(*name));
            assert!(matches!(decided, Err(DecideError::Module(_))), "{name} of {types:?}");
        }
    }
}

/// Every change of a bit in the rows of one type: the other one decides as before.
#[test]
fn any_change_of_one_type_leaves_the_others() {
    const EVENT: &[u8] = br#"{"a": 1, "b": 2}"#;
    let (mut faults, mut sound) = (0, 0);
    let mut check = |image: &Image| {
        let module = Module::open(image.encode()).unwrap();
        let mut scratch = Scratch::new();
        let ask = DecideOptions::default().event("a");
        let mut json = String::new();
        module.decide(&mut scratch, EVENT, &ask).unwrap().write_json(&mut json);
        assert!(json.contains(r#""action":{"type":"x","a":1}"#), "{json}");
        let other = module.decide(&mut scratch, EVENT, &DecideOptions::default().event("b"));
        let found = matches!(other, Err(DecideError::Module(_)));
        assert_eq!(found, Module::load(image.encode()).is_err());
        *(if found { &mut faults } else { &mut sound }) += 1;
    };
    macro_rules! rows {
        ($($table:ident $from:literal),*) => {$(
            for row in $from..two().$table.len() {
                for bit in (0..8 * size_of_val(&two().$table[row])).step_by(amount(1, 37)) {
                    let mut image = two();
                    image.$table[row].as_mut_bytes()[bit / 8] ^= 1 << (bit % 8);
                    check(&image);
                }
            }
        )*};
    }
    rows!(hooks 1, preds 1, code 3, actions 1, arguments 1, templates 1);
    assert!(faults > amount(200, 5) && sound > amount(10, 0), "{faults} {sound}");
}

/// The predicate of another type is not evaluated before that type is verified.
#[test]
fn probes_test_verified_predicates() {
    let module = Module::open(two().encode()).unwrap();
    let mut scratch = Scratch::new();
    let ask = DecideOptions::default().event("a");
    let mut probe = module.probe(&mut scratch, br#"{"a": 1}"#, &ask).unwrap();
    assert!(probe.test(0).unwrap().is_some());
    assert!(probe.test(1).unwrap().is_none());
    module.verify().unwrap();
    let mut probe = module.probe(&mut scratch, br#"{"a": 1}"#, &ask).unwrap();
    assert!(probe.test(1).unwrap().is_some());
}

/// Lists that share long texts with a common prefix: comparing them pair by pair would be quadratic.
#[test]
fn lists_that_share_long_texts() {
    let mut asm = Asm::new();
    let texts = ["x", "y"].map(|end| format!("\"{}{end}\"", "k".repeat(amount(10_000, 200))));
    let list = asm.list(&texts.each_ref().map(String::as_str));
    let slot = asm.slot("a");
    let range = asm.image.lists[list as usize];
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for _ in 0..amount(400, 20) {
        asm.image.lists.push(range);
        let number = asm.image.lists.len() as u32 - 1;
        let cond = asm.when(Op::In, slot, number);
        asm.hook(cond, action, Mode::Enforce);
    }
    let bytes = asm.finish().encode();
    assert_eq!(Module::load(bytes.clone()).map(drop), Ok(()));
    assert_eq!(opened(&bytes), Ok(()));
}

/// What a template reads of a command line is in the view of an opened module, too.
#[test]
fn templates_read_views() {
    let mut asm = Asm::new();
    let (commands, name) = (asm.slot("line.shell().commands"), asm.name("name"));
    let query = asm.query(commands, &[(false, &[selector(1, 0)]), (false, &[name])]);
    let (always, action) = (asm.always(), asm.action("x", &[("names", T::Query(query, None), None)]));
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(always, action, Mode::Enforce);
    let bytes = asm.finish().encode();
    let event = br#"{"event_type":"e","line":"rm a; ls"}"#;
    for module in [Module::open(bytes.clone()).unwrap(), Module::load(bytes).unwrap()] {
        let (mut scratch, mut out) = (Scratch::new(), String::new());
        let decision = module.decide(&mut scratch, event, &DecideOptions::default()).unwrap();
        decision.hooks().next().unwrap().render(&mut out).unwrap();
        assert_eq!(out, r#"{"type":"x","names":["rm","ls"]}"#);
    }
}

/// Each condition tests the one before it twice: verified again for each test, they would never end.
#[test]
fn shared_conditions_are_verified_once() {
    let mut asm = Asm::new();
    let mut cond = asm.always();
    for _ in 0..100 {
        cond = asm.cond(&[(Op::IfCond, cond, 2), (Op::UnlessCond, cond, 3), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    }
    assert_eq!(opened(&asm.one_hook(cond).encode()), Ok(()));
}

/// The nesting of a quantifier's condition counts wherever the quantifier is tested.
#[test]
fn the_nesting_of_shared_quantifiers_is_bounded() {
    let nested = |depth: usize| {
        let mut asm = Asm::new();
        let slot = asm.slot("v");
        let all = asm.query(slot, &[(false, &[selector(1, 0)])]);
        let nodes = asm.bound(NONE, all);
        let mut cond = asm.always();
        for _ in 1..depth {
            cond = asm.cond(&[(Op::UnlessCond, cond, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
        }
        let some = asm.pred(Op::Some, nodes, cond);
        let around = asm.cond(&[(Op::UnlessPred, some, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
        let action = asm.action("x", &[]);
        asm.event(Family::Thread, "e", Strategy::All);
        asm.hook(INLINE | some, action, Mode::Enforce);
        asm.hook(around, action, Mode::Enforce);
        asm.finish().encode()
    };
    let deepest = nested(MODULE_DEPTH - 1);
    assert_eq!(Module::load(deepest.clone()).map(drop), Ok(()));
    assert_eq!(opened(&deepest), Ok(()));
    let error = opened(&nested(MODULE_DEPTH)).unwrap_err();
    assert!(error.to_string().ends_with("nested too deep"), "{error}");
    assert_eq!(Module::load(nested(MODULE_DEPTH)).map(drop), Err(error));
}

#[test]
fn damaged_bytes_are_not_opened() {
    assert_eq!(Module::open(*b"hooks: []").unwrap_err(), LoadError::NotAModule);
    let mut bytes = two().encode();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(Module::open(bytes).unwrap_err(), LoadError::Hash);
    let mut image = two();
    image.strings.push(U32::MAX_VALUE);
    assert!(matches!(Module::open(image.encode()), Err(LoadError::Row { .. })));
}
