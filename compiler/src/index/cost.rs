//! The probability that an event has a witness, estimated from the number of different values that
//! the policy uses for the slot: one value among many is unlikely.

use foldhash::fast::RandomState;
use hookc_base::ProbeTag;
use hookc_vm::format::op::Op;
use indexmap::IndexMap;

use super::witness::Key;
use crate::plan::{Left, Plan, Right, SlotId};

/// The number of different values that the policy uses for a slot and a kind of probe.
#[derive(Debug, Default)]
pub(super) struct Costs(IndexMap<(SlotId, ProbeTag), u32, RandomState>);

impl Costs {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut named: Vec<(SlotId, ProbeTag, u32)> = Vec::new();
        for pred in &plan.preds {
            let (Left::Slot(slot), Some(kind)) = (pred.left, kind_of(pred.op)) else { continue };
            match pred.right {
                Right::List(list) => {
                    let list = plan.lists.get(list.index()).map_or(&[] as &[_], Vec::as_slice);
                    named.extend(list.iter().map(|id| (slot, kind, id.0)));
                }
                Right::Const(id) => named.push((slot, kind, id.0)),
                Right::Pattern(id) => named.push((slot, kind, id.0)),
                _ => {}
            }
        }
        named.sort_unstable();
        named.dedup();
        let mut costs = Self::default();
        for (slot, kind, _) in named {
            let count = costs.0.entry((slot, kind)).or_default();
            *count = count.saturating_add(1);
        }
        costs
    }

    /// Values that the policy names for a slot.
    pub(super) fn named(&self, slot: SlotId) -> usize {
        self.0.get(&(slot, ProbeTag::Equal)).map_or(0, |named| *named as usize)
    }

    /// The probability that an event has the key; `text` is the length of its text.
    pub(super) fn key(&self, key: Key, text: usize) -> f64 {
        let counted = if matches!(key.kind, ProbeTag::Equal | ProbeTag::EqualFold) {
            ProbeTag::Equal
        } else {
            key.kind
        };
        let rare = self.0.get(&(key.slot, counted)).map_or(0.0, |named| 1.0 / (f64::from(*named) + 1.0));
        let short = match (key.kind, text) {
            (ProbeTag::Equal | ProbeTag::EqualFold | ProbeTag::Present, _) => 0.0,
            (_, 0..=1) => 0.7,
            (_, 2) => 0.3,
            (_, 3) => 0.1,
            (_, 4..=7) => 0.02,
            _ => 0.005,
        };
        rare.max(short)
    }
}

fn kind_of(op: Op) -> Option<ProbeTag> {
    Some(match op {
        Op::Eq | Op::EqFold | Op::In | Op::InFold => ProbeTag::Equal,
        Op::StartsWith => ProbeTag::Begins,
        Op::StartsWithFold => ProbeTag::BeginsFold,
        Op::EndsWith => ProbeTag::Ends,
        Op::EndsWithFold => ProbeTag::EndsFold,
        Op::Contains | Op::Regex | Op::RegexFold => ProbeTag::Has,
        Op::ContainsFold => ProbeTag::HasFold,
        _ => return None,
    })
}
