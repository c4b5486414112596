//! Indexes in the VM, row by row: a search finds the hooks that its keys lead to.

use hookc_base::{DimTag, ProbeTag};
use hookc_vm::format::index::hash;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Dim, Group, INLINE_RANK, Image, Index, Key, NONE, Posting, Probe, U32, tag};
use hookc_vm::{DecideOptions, Family, Mode, Module, Strategy};

use crate::common::{Asm, decide, range};

/// Hooks 0 and 1 are found by a value of `v`, and 2 and 3 are a group, without 3 for a value of `w`.
fn indexed() -> Image {
    let mut asm = Asm::new();
    let (v, w) = (asm.slot("v"), asm.slot("w"));
    let a = asm.constant("\"a\"");
    asm.constant("\"c\"");
    let conds = [asm.when(Op::Eq, v, a), asm.when(Op::Eq, v, a), asm.always(), asm.always()];
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for cond in conds {
        asm.hook(cond, action, Mode::Enforce);
    }
    let mut image = asm.finish();
    let none = range(0, 0);
    // The constants are "a" and "c".
    let key = |owner: u32, text: &str, posting: u32| {
        let hash = hash::low_half(hash::scalar(owner, tag::STRING, text.as_bytes()));
        Key { owner: owner.into(), hash: hash.into(), value: owner.into(), posting: posting.into() }
    };
    let found = range(image.indices.len(), 2);
    let grouped = range(image.indices.len() + 2, 2);
    image.indices.extend([0, 1, 2, 3].map(U32::new));
    image.postings.push(Posting { ranks: found, index: NONE.into() });
    image.keys = vec![key(0, "a", 0), key(1, "c", INLINE_RANK | 1)];
    image.buckets = vec![0.into(), 2.into()];
    let (kind, least) = (ProbeTag::Equal.number(), 0.into());
    image.probes.push(Probe { kind, step: 0, low: 0, high: 0, slot: v.into(), least, rows: none });
    let kind = DimTag::Value.number();
    let (step, words) = (0.into(), none);
    image.dims.push(Dim { kind, zero: [0; 3], slot: w.into(), points: none, toggles: none, step, words });
    image.groups.push(Group { ranks: grouped, dims: range(0, 1) });
    image.indexes.push(Index { probes: range(0, 1), group: 0.into() });
    image.events[0].index = 0.into();
    image
}

#[test]
fn keys_lead_to_hooks() {
    let module = Module::load(indexed().encode()).unwrap();
    for (members, hooks) in [
        ("", vec![2, 3]),
        (",\"v\":\"a\"", vec![0, 1, 2, 3]),
        (",\"v\":\"b\",\"w\":\"d\"", vec![2, 3]),
        (",\"v\":\"a\",\"w\":\"c\"", vec![0, 1, 2]),
    ] {
        let event = format!("{{\"event_type\":\"e\"{members}}}");
        assert_eq!(decide(&module, &event, &DecideOptions::default()).unwrap().0, hooks, "{event}");
    }
}
