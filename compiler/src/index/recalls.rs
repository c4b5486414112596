//! Witnesses in the history: a monitor that has seen an event with the key of this one.

use hookc_base::{ConstTag, ProbeTag};
use hookc_schema::tree::Op;
use hookc_vm::format::PartitionTag;

use super::witness::{Key, Set, Witness, Witnesses};
use crate::plan::{Compared, ConstId, Recall, RecallId, RecallKind, SlotId, TieId, TieValue};
use crate::rows::partition;

/// How many partitions a row of ties has.
const PARTITIONS: u32 = PartitionTag::ALL.len() as u32;

/// The probability that a monitor has seen the key of an event, and that one without a tie has seen anything.
const SEEN: f64 = 0.3;
const FED: f64 = 0.5;

/// The slot of the key for a row of ties, or for none, in a partition.
pub(super) fn tied_slot(tie: Option<TieId>, key: PartitionTag) -> SlotId {
    let row = tie.map_or(0, |tie| tie.0.saturating_add(1));
    SlotId(row.saturating_mul(PARTITIONS).saturating_add(u32::from(key.number())))
}

/// The row of ties and the number of the partition of a slot that [`tied_slot`] made.
pub(super) fn tie_of(slot: SlotId) -> (Option<u32>, u8) {
    let (row, key) = (slot.0.checked_div(PARTITIONS), slot.0.checked_rem(PARTITIONS));
    (row.and_then(|row| row.checked_sub(1)), key.and_then(|key| u8::try_from(key).ok()).unwrap_or(0))
}

impl Witnesses<'_> {
    /// The set of a read that is true only if an event is in its selection: its monitor has seen one.
    pub(super) fn recalled(&self, id: RecallId) -> Set {
        let known = self.plan.recalls.get(id.index()).filter(|recall| self.needs_an_event(recall));
        let cell = known.and_then(|recall| Some((recall, self.plan.cells.get(recall.cell)?)));
        let Some((recall, cell)) = cell else { return Set::always() };
        let Ok(value) = u32::try_from(recall.cell) else { return Set::always() };
        let slot = tied_slot(recall.tie, partition(cell.partition));
        let cost = if recall.tie.is_some() { SEEN } else { FED };
        Set::new(cost, Witness::Key(Key { slot, kind: ProbeTag::Tied, value }))
    }

    /// Whether a read is false of a selection without events, and reads nothing of the current event but its tie.
    fn needs_an_event(&self, recall: &Recall) -> bool {
        let is_of_event = |tie: TieId| {
            let values = self.plan.ties.get(tie.index()).map(|row| row.values.as_slice());
            values.is_some_and(|values| values.iter().all(|value| !matches!(value, TieValue::Bound(_))))
        };
        if !recall.now.is_empty() || !recall.tie.is_none_or(is_of_event) {
            return false;
        }
        match (recall.operator, recall.relation) {
            (RecallKind::Formerly, None) => true,
            (RecallKind::Count | RecallKind::Sum | RecallKind::Distinct, Some((op, Compared::Const(id)))) => {
                self.is_above_zero(op, id)
            }
            _ => false,
        }
    }

    /// Whether zero is not in a relation to a constant.
    fn is_above_zero(&self, op: Op, id: ConstId) -> bool {
        let text = self.constant_text(id).filter(|_| self.kind_of(id) == ConstTag::Number);
        let number = text.filter(|text| !text.starts_with('-')).and_then(|text| text.parse::<f64>().ok());
        match op {
            Op::Gt => number.is_some(),
            Op::Gte | Op::Eq => number.is_some_and(|number| number > 0.0),
            _ => false,
        }
    }
}
