//! The cheapest set of witnesses of a condition.

use foldhash::fast::RandomState;
use hookc_vm::index::kind;
use indexmap::IndexSet;

use super::witness::{Set, Witness, Witnesses};
use crate::plan::{Cond, CondId, SlotId};

/// Slots and kinds of probes that are of no use here.
pub(super) type Barred = IndexSet<(SlotId, u8), RandomState>;

impl Witnesses<'_> {
    /// The cheapest set for a condition, or for its negation. The recursion is
    /// bounded by the nesting of a source; the cost is that of the condition
    /// as written.
    pub(super) fn of_cond(&mut self, cond: CondId, negated: bool, barred: &Barred) -> Set {
        let plan = self.plan;
        match plan.conds.get(cond.index()) {
            Some(Cond::Const(value)) if *value == negated => Set { cost: 0.0, witnesses: Vec::new() },
            Some(Cond::Pred(pred)) => self.of_pred(*pred, negated, barred),
            Some(Cond::Not(inner)) => self.of_cond(*inner, !negated, barred),
            Some(Cond::All(inner)) if !negated => self.of_all(inner, negated, barred),
            Some(Cond::Any(inner)) if negated => self.of_all(inner, negated, barred),
            Some(Cond::All(inner) | Cond::Any(inner)) => self.of_any(inner, negated, barred),
            Some(Cond::Const(_)) | None => Set::always(),
        }
    }

    /// All hold: any one's set will do; so will all that narrows, together.
    fn of_all(&mut self, conds: &[CondId], negated: bool, barred: &Barred) -> Set {
        let mut best = Set::always();
        let mut narrow = 1.0;
        let mut bounds = Vec::new();
        for cond in conds {
            let set = self.of_cond(*cond, negated, barred);
            if let [Witness::Narrow(more)] = set.witnesses.as_slice() {
                bounds.extend(more.iter().copied());
                narrow *= set.cost;
            } else if set.cost < best.cost {
                best = set;
            }
        }
        let useful = !bounds.is_empty() && (narrow < best.cost || is_wide(&best));
        if useful { Set::of(narrow, Witness::Narrow(bounds)) } else { best }
    }

    /// One holds: the union of all sets.
    fn of_any(&mut self, conds: &[CondId], negated: bool, barred: &Barred) -> Set {
        let mut union = Set { cost: 0.0, witnesses: Vec::new() };
        for cond in conds {
            let set = self.of_cond(*cond, negated, barred);
            if is_wide(&set) {
                return Set::always();
            }
            union.cost += set.cost;
            union.witnesses.extend(set.witnesses);
        }
        union.cost = union.cost.min(1.0);
        union
    }
}

/// Whether a set excludes nothing.
fn is_wide(set: &Set) -> bool {
    set.witnesses.iter().any(|witness| matches!(witness, Witness::Narrow(bounds) if bounds.is_empty()))
}

/// The kinds that a slot's equality makes useless beneath it.
pub(super) const EQUALITIES: [u8; 3] = [kind::EQUAL, kind::EQUAL_FOLD, kind::PRESENT];
