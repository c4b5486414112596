//! The index stage: for each hook, what must be true for an event if the hook matches (its
//! *witnesses*), in a form that the VM can look up from the event.
//!
//! `choose` gives each hook the cheapest set of witnesses implied by its condition; `build` groups
//! the hooks of an event type by them; `emit` writes the module's tables. `docs/indexes.md`
//! contains the theorem and the reasons.

mod build;
mod choose;
mod cost;
mod dims;
mod emit;
mod globs;
mod grams;
mod keys;
mod ranges;
mod recalls;
mod regexes;
mod report;
mod views;
mod witness;

pub use report::{EventReport, report};

use std::rc::Rc;

use hookc_base::ProbeTag;
use hookc_vm::format::Image;

use crate::fault::Fault;
use crate::plan::{ConstId, Plan, SlotId};
use witness::TextId;

/// When a lookup is worth its cost. The defaults were measured; an index is correct for any values,
/// and tests use the extremes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexThresholds {
    /// An event type with fewer hooks has no index: evaluating all costs less than a lookup.
    pub min_indexed: usize,
    /// A posting with more hooks becomes a nested index, if their other witnesses separate them.
    pub max_posting: usize,
    /// Fewer hooks with substrings in a slot do not justify the gram index: reading the whole value
    /// costs more than evaluating them. Half as many do if the search passes over most of the value.
    pub min_grams: usize,
    /// Entries of a group that a dimension must speak of, to cost less than it
    /// saves.
    pub least: usize,
    /// One entry of so many must be spoken of: a set is as long as its group.
    pub share: usize,
}

impl Default for IndexThresholds {
    fn default() -> Self {
        Self { min_indexed: 8, max_posting: 4, min_grams: 8, least: 2, share: 64 }
    }
}

/// Writes the indexes of a plan into the module's tables, which have the events and hooks of the
/// plan. Linear in the plan, except for sorting.
pub(crate) fn add(plan: &Plan, thresholds: &IndexThresholds, image: &mut Image) -> Result<(), Fault> {
    let mut witnesses = witness::Witnesses::new(plan, *thresholds);
    let index = |event| EventIndex {
        hooks: build::event(&mut witnesses, event),
        watches: build::watches(&mut witnesses, event),
    };
    let nodes: Vec<EventIndex> = plan.events.iter().map(index).collect();
    emit::emit(&nodes, (witnesses.texts(), &witnesses.grams), image, &witnesses.faults);
    witnesses.faults.check(())
}

/// The indexes of an event type.
#[derive(Debug)]
struct EventIndex {
    hooks: Option<Node>,
    /// Of what is recorded of its events.
    watches: Option<Node>,
}

/// An index.
#[derive(Debug, Default)]
struct Node {
    probes: Vec<Probe>,
    group: Group,
}

/// A lookup in a slot.
#[derive(Debug)]
struct Probe {
    slot: SlotId,
    look: ProbeKind,
}

/// What a probe searches for.
#[derive(Debug)]
enum ProbeKind {
    Equal(Vec<(ConstId, Shared)>),
    EqualFold(Vec<(TextId, Shared)>),
    /// The slot is present, or the predicate about effects of its number can be true.
    Fact(ProbeTag, Shared),
    /// Prefixes or suffixes, depending on the kind.
    Affixes(ProbeTag, Vec<(TextId, Shared)>),
    /// Monitors that have seen the key of the event, and the hooks of all of them.
    Tied(Vec<(u32, Shared)>, Shared),
    /// Texts to have anywhere, folded or not.
    Grams(ProbeTag, Vec<(TextId, Shared)>),
}

/// A posting, shared by the keys of a slot that lead to the same hooks.
type Shared = Rc<Posting>;

/// The target of a probe.
#[derive(Debug)]
enum Posting {
    /// Ranks, strictly ascending.
    Ranks(Vec<u32>),
    Index(Box<Node>),
}

impl Posting {
    /// Its ranks, unless it is an index.
    fn ranks(&self) -> &[u32] {
        match self {
            Self::Ranks(ranks) => ranks,
            Self::Index(_) => &[],
        }
    }
}

/// Hooks that are separated by bit sets.
#[derive(Debug, Default)]
struct Group {
    /// The rank of each entry, ascending.
    ranks: Vec<u32>,
    dims: Vec<Dim>,
}

/// What excludes entries of a group.
#[derive(Debug)]
enum Dim {
    /// Entries whose intervals do not contain the number.
    Range { slot: SlotId, intervals: Vec<Interval> },
    /// Entries under the value's key.
    Value { slot: SlotId, keys: Vec<(ConstId, Vec<u32>)> },
}

/// The numbers, both ends included, for which an entry stays.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    entry: u32,
    low: f64,
    high: f64,
    /// Whether it stays if the value is not a number.
    elsewhere: bool,
}
