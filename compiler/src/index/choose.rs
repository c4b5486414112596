//! The cheapest set of witnesses of a condition.

use foldhash::fast::RandomState;
use hookc_base::ProbeTag;
use indexmap::{IndexMap, IndexSet};

use super::witness::{ProbeKey, Set, SharedSet, Witness, Witnesses};
use crate::plan::{Cond, CondId};

/// Slots and kinds of probes that are of no use here.
pub(super) type ExcludedProbes = IndexSet<ProbeKey, RandomState>;

/// The sets of conditions with the same excluded slots: equal conditions are shared, so that the
/// choice for many hooks is made once.
#[derive(Debug, Default)]
pub(super) struct ChosenSets(IndexMap<(CondId, bool), SharedSet, RandomState>);

impl Witnesses<'_> {
    /// The cheapest set for a condition, or for its negation. The recursion is
    /// bounded by the nesting of a source; the cost is that of the distinct
    /// conditions.
    pub(super) fn of_cond(
        &mut self,
        cond: CondId,
        negated: bool,
        excluded: &ExcludedProbes,
        chosen: &mut ChosenSets,
    ) -> SharedSet {
        if let Some(known) = chosen.0.get(&(cond, negated)) {
            return SharedSet::clone(known);
        }
        let plan = self.plan;
        let set = match plan.conds.get(cond.index()) {
            Some(Cond::Const(value)) if *value == negated => {
                Set { cost: 0.0, witnesses: Vec::new() }.shared()
            }
            Some(Cond::Pred(pred)) => self.of_pred(*pred, negated, excluded),
            Some(Cond::Not(inner)) => self.of_cond(*inner, !negated, excluded, chosen),
            Some(Cond::All(inner)) if !negated => self.of_all(inner, negated, excluded, chosen),
            Some(Cond::Any(inner)) if negated => self.of_all(inner, negated, excluded, chosen),
            Some(Cond::All(inner) | Cond::Any(inner)) => self.of_any(inner, negated, excluded, chosen),
            Some(Cond::Const(_)) => Set::always().shared(),
            None => {
                self.faults.note("an index of a condition that the plan does not have");
                Set::always().shared()
            }
        };
        chosen.0.insert((cond, negated), SharedSet::clone(&set));
        set
    }

    /// All are true: the set of any one suffices; so does the combination of all that narrow.
    fn of_all(
        &mut self,
        conds: &[CondId],
        negated: bool,
        excluded: &ExcludedProbes,
        chosen: &mut ChosenSets,
    ) -> SharedSet {
        let mut best = Set::always().shared();
        let mut narrow = 1.0;
        let mut bounds = Vec::new();
        for cond in conds {
            let shared = self.of_cond(*cond, negated, excluded, chosen);
            if let [Witness::Narrow(more)] = shared.set.witnesses.as_slice() {
                bounds.extend(more.iter().copied());
                narrow *= shared.set.cost;
            } else if shared.set.cost < best.set.cost {
                best = shared;
            }
        }
        let useful = !bounds.is_empty() && (narrow < best.set.cost || is_wide(&best.set));
        if useful { Set::new(narrow, Witness::Narrow(bounds)).shared() } else { best }
    }

    /// One is true: the union of all sets.
    fn of_any(
        &mut self,
        conds: &[CondId],
        negated: bool,
        excluded: &ExcludedProbes,
        chosen: &mut ChosenSets,
    ) -> SharedSet {
        let mut union = Set { cost: 0.0, witnesses: Vec::new() };
        for cond in conds {
            let shared = self.of_cond(*cond, negated, excluded, chosen);
            if is_wide(&shared.set) {
                return Set::always().shared();
            }
            union.cost += shared.set.cost;
            union.witnesses.extend(shared.set.witnesses.iter().cloned());
        }
        union.cost = union.cost.min(1.0);
        union.shared()
    }
}

/// Whether a set excludes nothing.
fn is_wide(set: &Set) -> bool {
    set.witnesses.iter().any(|witness| matches!(witness, Witness::Narrow(bounds) if bounds.is_empty()))
}

/// The kinds that a slot's equality makes useless beneath it.
pub(super) const EQUALITIES: [ProbeTag; 3] = [ProbeTag::Equal, ProbeTag::EqualFold, ProbeTag::Present];
