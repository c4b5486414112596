//! Witnesses: what conditions imply.
//!
//! A set of witnesses means "at least one of these": for a conjunction the set of any operand
//! suffices, for a disjunction the union of all, for a predicate its own implications, for a
//! negation those of its negated operand. Hooks with the same condition share its set.

use std::rc::Rc;

use foldhash::fast::RandomState;
use hookc_base::text::Case;
use hookc_base::{ConstTag, ProbeTag, row_number};
use hookc_vm::format::op::Op;
use indexmap::{IndexMap, IndexSet};

use super::IndexThresholds;
use super::cost::Costs;
use super::grams::Grams;
use crate::fault::Faults;
use crate::plan::{ConstId, Constant, EffectId, Plan, PredId, Right, SlotId, StrId};

/// A text of an index, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TextId(pub(super) u32);

/// What the key of a probe searches for: a constant for [`ProbeTag::Equal`], nothing for
/// [`ProbeTag::Present`], otherwise a text. For [`ProbeTag::Acts`] the slot is the number of a predicate
/// about effects. For [`ProbeTag::Tied`] it is a row of ties in a partition, and the value is a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) slot: SlotId,
    pub(super) kind: ProbeTag,
    pub(super) value: u32,
}

/// A requirement whose absence excludes a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// A number at least so large; with `true`, or no number at all.
    Low(SlotId, f64, bool),
    /// A number at most so large; with `true`, or no number at all.
    High(SlotId, f64, bool),
    /// Not this value, a scalar; absent is null.
    Not(SlotId, ConstId),
}

/// One witness.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Witness {
    Key(Key),
    /// All of these; the empty list is always true.
    Narrow(Vec<Bound>),
}

/// A set of witnesses with its cost: the probability that an event has one of them.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) cost: f64,
    pub(super) witnesses: Vec<Witness>,
}

impl Set {
    /// A witness of every event.
    pub(super) fn always() -> Self {
        Self { cost: 1.0, witnesses: vec![Witness::Narrow(Vec::new())] }
    }

    pub(super) fn new(cost: f64, witness: Witness) -> Self {
        Self { cost, witnesses: vec![witness] }
    }

    /// The shared set, with the counted slots of its keys.
    pub(super) fn shared(self) -> SharedSet {
        let mut places: Vec<(ProbeKey, usize)> = Vec::new();
        for witness in &self.witnesses {
            let Witness::Key(key) = witness else { continue };
            let place = (key.slot, key.kind);
            // Few: a predicate has one slot and kind, or two if case is folded.
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => places.push((place, 1)),
            }
        }
        Rc::new(PlacedSet { set: self, places })
    }
}

/// Where a key is looked up: a slot and a kind of probe.
pub(super) type ProbeKey = (SlotId, ProbeTag);

/// A set shared by the hooks with the same condition.
pub(super) type SharedSet = Rc<PlacedSet>;

/// A set, with the number of its keys by slot and kind.
#[derive(Debug)]
pub(super) struct PlacedSet {
    pub(super) set: Set,
    pub(super) places: Vec<(ProbeKey, usize)>,
}

/// Texts of indexes, each once.
pub(super) type Texts = IndexSet<String, RandomState>;

/// The source of witnesses.
#[derive(Debug)]
pub(super) struct Witnesses<'p> {
    pub(super) plan: &'p Plan,
    pub(super) thresholds: IndexThresholds,
    pub(super) costs: Costs,
    pub(super) grams: Grams,
    pub(super) texts: Texts,
    /// By pattern and case folding, the sets of texts required by its matches.
    pub(super) required: Vec<[Option<Rc<[Required]>>; 2]>,
    /// How many patterns require a text.
    pub(super) common: IndexMap<(ProbeTag, String), u32, RandomState>,
    /// By predicate and negation, its set without excluded slots.
    pub(super) of_preds: IndexMap<(PredId, bool), SharedSet, RandomState>,
    /// What the plan refers to and does not have: an index without it could drop a hook.
    pub(super) faults: Faults,
}

/// Texts, one of which a match contains: the kind of probe (unfolded), and the text.
pub(super) type Required = Vec<(ProbeTag, String)>;

impl<'p> Witnesses<'p> {
    pub(super) fn new(plan: &'p Plan, thresholds: IndexThresholds) -> Self {
        let mut witnesses = Self {
            plan,
            thresholds,
            costs: Costs::new(plan),
            grams: Grams::new(plan),
            texts: Texts::default(),
            required: vec![[None, None]; plan.patterns.len()],
            common: IndexMap::default(),
            of_preds: IndexMap::default(),
            faults: Faults::default(),
        };
        witnesses.count_patterns();
        witnesses
    }

    /// Texts from patterns count when the rarest gram is chosen.
    fn count_patterns(&mut self) {
        for pred in &self.plan.preds {
            let Right::Pattern(id) = pred.right else { continue };
            for (kind, text) in self.required(id, Case::ignored_if(pred.op == Op::RegexFold)).concat() {
                if kind == ProbeTag::Has {
                    self.grams.add(&text);
                }
                let count = self.common.entry((kind, text)).or_default();
                *count = count.saturating_add(1);
            }
        }
    }

    pub(super) fn texts(&self) -> &Texts {
        &self.texts
    }

    pub(super) fn text(&mut self, text: &str) -> u32 {
        let at = match self.texts.get_index_of(text) {
            Some(at) => at,
            None => self.texts.insert_full(text.to_owned()).0,
        };
        row_number(at)
    }

    /// The text of a constant, as text operators see it; `None` for null and
    /// containers.
    pub(super) fn constant_text(&self, id: ConstId) -> Option<&'p str> {
        let constant = self.constant(id);
        match constant.kind {
            ConstTag::True => Some("true"),
            ConstTag::False => Some("false"),
            ConstTag::Number | ConstTag::String => {
                let text = constant.text.and_then(|text| self.string(text));
                Some(self.faults.known(text, "", "a constant without a text"))
            }
            ConstTag::Null | ConstTag::Array | ConstTag::Object => None,
        }
    }

    fn constant(&self, id: ConstId) -> Constant {
        let null = Constant { kind: ConstTag::Null, text: None };
        let found = self.plan.consts.get(id.index()).copied();
        self.faults.known(found, null, "a predicate refers to a constant that the plan does not have")
    }

    /// A string of the plan.
    pub(super) fn string(&self, id: StrId) -> Option<&'p str> {
        self.plan.strings.get(id.index()).map(String::as_str)
    }

    pub(super) fn kind_of(&self, id: ConstId) -> ConstTag {
        self.constant(id).kind
    }

    /// A predicate about effects is among those that can be true of an event.
    pub(super) fn acts(effect: EffectId) -> Set {
        let key = Key { slot: SlotId(effect.0), kind: ProbeTag::Acts, value: 0 };
        Set::new(0.1, Witness::Key(key))
    }

    pub(super) fn present(slot: SlotId) -> Set {
        Set::new(0.6, Witness::Key(Key { slot, kind: ProbeTag::Present, value: 0 }))
    }
}
