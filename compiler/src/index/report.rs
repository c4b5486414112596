//! The hooks that an index does not separate from the others, and why: `compile -v`.

use super::IndexThresholds;
use super::build;
use super::choose::{ChosenSets, ExcludedProbes};
use super::witness::{Witness, Witnesses};
use crate::plan::{Cond, CondId, Event, Plan};

/// The hooks of an event type as its index has them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventReport {
    /// The event type's name.
    pub name: String,
    /// Its hooks.
    pub hooks: usize,
    /// Whether it has an index; without one, every hook is evaluated.
    pub indexed: bool,
    /// Hooks that are evaluated for every event of the type, in rank order: label and reason.
    pub always: Vec<(String, &'static str)>,
}

/// The hooks that the indexes of a plan's module do not cover.
#[must_use]
pub fn report(plan: &Plan, thresholds: &IndexThresholds) -> Vec<EventReport> {
    let mut witnesses = Witnesses::new(plan, *thresholds);
    plan.events.iter().map(|event| of_event(&mut witnesses, event)).collect()
}

fn of_event(witnesses: &mut Witnesses<'_>, event: &Event) -> EventReport {
    let plan = witnesses.plan;
    let indexed = build::event(witnesses, event).is_some();
    let mut always = Vec::new();
    let mut chosen = ChosenSets::default();
    for hook in event.hooks.iter().filter(|_| indexed) {
        let shared = witnesses.of_cond(hook.cond, false, &ExcludedProbes::default(), &mut chosen);
        let wide = |witness: &Witness| matches!(witness, Witness::Narrow(bounds) if bounds.is_empty());
        if shared.set.witnesses.iter().any(wide) {
            always.push((hook.label.clone(), why(plan, hook.cond)));
        }
    }
    EventReport { name: plan.string(event.name).to_owned(), hooks: event.hooks.len(), indexed, always }
}

/// Why a condition has no lookup.
fn why(plan: &Plan, cond: CondId) -> &'static str {
    match plan.conds.get(cond.index()) {
        Some(Cond::Const(_)) => "it matches every event",
        Some(Cond::Not(_)) => "a negation is true for most events",
        Some(Cond::Any(_)) => "one of its alternatives is true for most events",
        Some(Cond::All(_)) => "each of its parts is true for most events",
        Some(Cond::Pred(_)) | None => "its test cannot be indexed",
    }
}
