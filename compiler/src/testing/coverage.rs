//! Coverage: which hooks and leaves were both true and false in the cases, and which patterns had events. Every hook of an event's
//! type is counted, including those after the deciding one.

use std::collections::HashSet;
use std::ops::Range;

use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt};
use hookc_schema::Span;
use hookc_schema::tree::{CondKind, CondPart, Family, Quantifier};
use hookc_syntax::expr::print;
use hookc_vm::trace::Probe;
use hookc_vm::{DecideError, Histories, Scratch};
use indexmap::IndexMap;

use super::conditions::{self, Conditions, Draft, Location};
use super::patterns::{self, PatternCoverage};
use super::result::{CannotRun, Outcomes};
use super::session::Sessions;
use crate::Compiled;
use crate::disasm::patterns::Written;
use crate::link::{Linked, LinkedEvent, LinkedHook};

/// The coverage of the hooks of all tested policies.
#[derive(Debug, Default)]
pub struct Coverage {
    hooks: IndexMap<Span, HookCoverage, RandomState>,
}

/// The coverage of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookCoverage {
    /// Its id or label.
    pub label: String,
    /// Its source location.
    pub span: Span,
    /// Whether it matched.
    pub matched: Outcomes,
    /// Whether its condition can be both true and false: not without tests.
    pub conditional: bool,
    /// Its leaves in order of writing.
    pub leaves: Vec<LeafCoverage>,
    /// The patterns of its conditions about the past.
    pub patterns: Vec<PatternCoverage>,
}

/// The coverage of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafCoverage {
    /// The leaf as an expression.
    pub text: String,
    /// Its source location.
    pub span: Span,
    /// Whether it was true, as written.
    pub held: Outcomes,
    /// A leaf that negates its test (`ne`).
    negated: bool,
}

impl HookCoverage {
    /// Results that were seen, and all possible ones, including its leaves and patterns.
    #[must_use]
    pub fn outcomes(&self) -> (usize, usize) {
        let leaves: usize = self.leaves.iter().map(|leaf| leaf.held.seen()).sum();
        let patterns = self.patterns.iter().map(PatternCoverage::outcomes);
        let (happened, wanted) = patterns.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let (seen, possible) = match self.conditional {
            true => (self.matched.seen(), 2),
            false => (usize::from(self.matched.yes > 0), 1),
        };
        (seen + leaves + happened, possible + 2 * self.leaves.len() + wanted)
    }

    /// The leaf `at` of the condition. Hooks written as one can have different leaves: then only
    /// the span identifies them.
    fn leaf(&mut self, at: usize, span: Span) -> Option<&mut LeafCoverage> {
        let same = self.leaves.get(at).is_some_and(|leaf| leaf.span == span);
        let at = if same { Some(at) } else { self.leaves.iter().position(|leaf| leaf.span == span) };
        self.leaves.get_mut(at?)
    }
}

impl Coverage {
    /// Creates an empty coverage.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The hooks in order of their sources and spans.
    #[must_use]
    pub fn hooks(&self) -> Vec<&HookCoverage> {
        let mut hooks: Vec<_> = self.hooks.values().collect();
        hooks.sort_by_key(|hook| hook.span);
        hooks
    }

    /// Results that were seen, and all possible ones.
    #[must_use]
    pub fn outcomes(&self) -> (usize, usize) {
        let add = |(seen, all), hook: &HookCoverage| (seen + hook.outcomes().0, all + hook.outcomes().1);
        self.hooks.values().fold((0, 0), add)
    }

    /// Makes room for the enabled hooks of a compilation; the shipped ones are
    /// not the author's to cover.
    pub(super) fn register(&mut self, compiled: &Compiled) {
        let (texts, past) = (leaf_texts(compiled), Written::of_policies(&compiled.policies));
        for hook in compiled.linked.events.iter().flat_map(|event| &event.hooks) {
            if Some(hook.span.source) != compiled.shipped && !self.hooks.contains_key(&hook.span) {
                self.hooks.insert(hook.span, HookCoverage::new(hook, &texts, &past));
            }
        }
    }

    /// Counts the results of a condition and its leaves for a probed event.
    pub(super) fn count(
        &mut self,
        hook: Span,
        place: &Location,
        probe: &mut Probe<'_>,
        sessions: &Sessions,
    ) -> Result<(), DecideError> {
        let Some(hook) = self.hooks.get_mut(&hook) else { return Ok(()) };
        // What the history does not decide is neither.
        let truth = |found| match found {
            Err(DecideError::History(_)) => Ok(None),
            found => found.map(Some),
        };
        if let Some(held) = truth(probe.holds(place.rank))? {
            hook.matched.count(held);
        }
        for (at, span) in place.leaves.iter().enumerate() {
            let Some(truth) = truth(probe.holds(place.leaf(at)))? else { continue };
            if let Some(leaf) = hook.leaf(at, *span) {
                leaf.held.count(truth != leaf.negated);
            }
        }
        hook.patterns.iter_mut().for_each(|pattern| pattern.count(sessions));
        Ok(())
    }
}

/// A leaf's text, and whether it negates its test.
type Texts = HashMap<Span, (String, bool)>;

impl HookCoverage {
    fn new(hook: &LinkedHook, texts: &Texts, past: &Written) -> Self {
        let mut tests = Vec::new();
        conditions::leaves(&hook.cond, &mut tests);
        let leaf = |(span, _): &(Span, _)| {
            let (text, negated) = texts.get(span).cloned().unwrap_or_default();
            LeafCoverage { text, span: *span, held: Outcomes::default(), negated }
        };
        Self {
            label: hook.label.clone(),
            span: hook.span,
            matched: Outcomes::default(),
            conditional: !tests.is_empty(),
            leaves: tests.iter().map(leaf).collect(),
            patterns: patterns::patterns(&hook.cond, past),
        }
    }
}

fn leaf_texts(compiled: &Compiled) -> Texts {
    let (mut texts, mut shared) = (Texts::new(), HashSet::new());
    let hooks = compiled.policies.iter().flat_map(|policy| &policy.hooks);
    for cond in hooks.filter_map(|hook| hook.condition.as_ref()) {
        let mut is_new = |part: CondPart<'_>| part.cond.shared().is_none_or(|id| shared.insert(id));
        // The condition of a quantifier is a part of its text.
        for part in cond.whole().walk(|part| !part.is_bound && is_new(part)) {
            let is_negation = match &part.cond.kind {
                CondKind::Leaf(leaf) => leaf.is_negated(),
                CondKind::Predicate(_) | CondKind::Formerly(_) => false,
                CondKind::Quantified(inner) => inner.quantifier == Quantifier::Every,
                CondKind::Const(_) | CondKind::All(_) | CondKind::Any(_) | CondKind::Not(_) => continue,
            };
            let text = || (print::when(part.cond, print::Operators::Symbols), is_negation);
            texts.entry(part.cond.span).or_insert_with(text);
        }
    }
    texts
}

/// The conditions of a compilation's hooks, to be counted event by event.
#[derive(Debug)]
pub(super) struct Counter {
    conditions: Conditions,
    /// By the module's condition, its hook.
    hooks: Vec<Span>,
    /// By event type, its conditions.
    events: HashMap<(Family, String), Range<usize>>,
}

impl Counter {
    pub(super) fn new(linked: &Linked) -> Result<Self, CannotRun> {
        let (mut draft, mut hooks, mut events) = (Draft::new(linked), Vec::new(), HashMap::new());
        for event in &linked.events {
            let first = hooks.len();
            for hook in &event.hooks {
                draft.add(event.family, &event.name, &hook.cond);
                hooks.push(hook.span);
            }
            events.insert((event.family, event.name.clone()), first..hooks.len());
        }
        Ok(Self { conditions: draft.finish()?, hooks, events })
    }

    /// Counts an event of a type for all hooks of the type.
    pub(super) fn count(
        &self,
        event: &LinkedEvent,
        json: &str,
        sessions: (&Sessions, &Histories<'_>),
        scratch: &mut Scratch,
        coverage: &mut Coverage,
    ) -> Result<(), DecideError> {
        let range = self.events.get(&(event.family, event.name.clone())).cloned().unwrap_or_default();
        let places = self.conditions.places.get(range.clone()).unwrap_or_default();
        let Some(first) = places.first() else { return Ok(()) };
        let mut probe = self.conditions.probe(scratch, json.as_bytes(), first, sessions.1)?;
        for (place, hook) in places.iter().zip(self.hooks.get(range).unwrap_or_default()) {
            coverage.count(*hook, place, &mut probe, sessions.0)?;
        }
        Ok(())
    }
}
