//! The index stage: of each hook, what must be true of an event for the hook
//! to match (its *witnesses*), laid out so that the VM finds it from the
//! event's side.
//!
//! `choose` gives each hook the cheapest set of witnesses that its condition
//! implies; `build` groups the hooks of an event type by them; `emit` lays
//! that out as the module's tables. `docs/indexes.md` has the theorem and the
//! reasons.

mod build;
mod choose;
mod cost;
mod dims;
mod emit;
mod globs;
mod grams;
mod keys;
mod ranges;
mod regexes;
mod report;
mod witness;

pub use report::{EventReport, report};

use std::rc::Rc;

use hookc_vm::format::Image;

use crate::plan::{ConstId, Plan, SlotId};
use witness::TextId;

/// When looking up is worth it. The defaults were measured; an index is right
/// whatever they are, and tests go to the extremes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexThresholds {
    /// An event type with so few hooks is looked through: that costs less than
    /// looking anything up.
    pub min_indexed: usize,
    /// A posting with more hooks than that becomes an index of its own, if
    /// their other witnesses tell them apart.
    pub max_posting: usize,
    /// Fewer hooks with texts to look for anywhere in a slot are not worth the
    /// automaton: a look at the whole value costs more than looking at them.
    pub min_grams: usize,
    /// Entries of a group that a dimension must speak of, to cost less than it
    /// saves.
    pub least: usize,
    /// One entry of so many must be spoken of: a set is as long as its group.
    pub share: usize,
}

impl Default for IndexThresholds {
    fn default() -> Self {
        Self { min_indexed: 8, max_posting: 8, min_grams: 8, least: 8, share: 64 }
    }
}

/// Lays the indexes of a plan out in the module's tables, whose events and
/// hooks are those of the plan. Linear in the plan, but for sorting.
pub(crate) fn add(plan: &Plan, thresholds: &IndexThresholds, image: &mut Image) {
    let mut witnesses = witness::Witnesses::new(plan, *thresholds);
    let nodes: Vec<Option<Node>> =
        plan.events.iter().map(|event| build::event(&mut witnesses, event)).collect();
    emit::emit(&nodes, witnesses.texts(), image);
}

/// An index.
#[derive(Debug, Default)]
struct Node {
    probes: Vec<Probe>,
    group: Group,
}

/// A look at a slot.
#[derive(Debug)]
struct Probe {
    slot: SlotId,
    look: ProbeKind,
}

/// What a probe looks for.
#[derive(Debug)]
enum ProbeKind {
    Equal(Vec<(ConstId, Shared)>),
    EqualFold(Vec<(TextId, Shared)>),
    Present(Shared),
    /// Beginnings or endings: the kind says which.
    Affixes(u8, Vec<(TextId, Shared)>),
    /// Grams of texts to have anywhere, folded or not.
    Grams(u8, Vec<(u32, Shared)>),
}

/// A posting, shared by the keys of a place that lead to the same hooks.
type Shared = Rc<Posting>;

/// Where a probe leads.
#[derive(Debug)]
enum Posting {
    /// Ranks, strictly ascending.
    Ranks(Vec<u32>),
    Index(Box<Node>),
}

/// Hooks that are reported apart by sets of bits.
#[derive(Debug, Default)]
struct Group {
    /// The rank of each entry, ascending.
    ranks: Vec<u32>,
    dims: Vec<Dim>,
}

/// What excludes entries of a group.
#[derive(Debug)]
enum Dim {
    /// Entries whose intervals the number is not in.
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
    /// Whether it stays where there is no number.
    elsewhere: bool,
}
