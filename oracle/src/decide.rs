//! Which hooks decide.

use hookc_schema::Diagnostics;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use hookc_schema::tree::{Fact, Family, Hook, Layer, Mode, Policy, Section, Step};
use hookc_schema::vocab::{EventType, FieldSchema, Strategy, Vocabulary};

use crate::acts::{Declared, Effects};
use crate::decimal::Decimal;
use crate::effects::{Knowledge, Sets};
use crate::json::{Json, Refusal};
use crate::moment::{Before, Keys, Moment, Record};
use crate::path;
use crate::programs::Programs;
use crate::template::{self, Part};
use crate::truth::Unknown;
use crate::view::ViewOf;

/// A policy, in argument order, the shipped one last.
#[derive(Debug)]
pub struct Source {
    /// Its tree.
    pub policy: Policy,
    /// The layer of its `hooks:`.
    pub layer: Layer,
    /// Whether it is the policy that hookc ships.
    pub shipped: bool,
}

/// Options of the caller for an event.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecideOptions<'a> {
    /// The event's type, whatever the event itself states.
    pub event: Option<&'a str>,
    /// Every hook that matches, whatever the strategy.
    pub all: bool,
    /// Only hooks ranked after this one, and only the first of them.
    pub after: Option<usize>,
    /// What was recorded before the event.
    pub records: &'a [Record],
    /// When the event comes, in milliseconds.
    pub at: u64,
    /// Whose history it looks at; without them all of it is unknown.
    pub keys: Option<&'a Keys>,
}

/// The decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The type of the event.
    pub event: String,
    /// The deciding hooks in rank order.
    pub hooks: Vec<MatchedHook>,
    /// Warn and shadow hooks that match.
    pub reported: Vec<MatchedHook>,
    /// The labels of the hooks that have failed since the history that they read is unknown, in rank order.
    pub unknown: Vec<String>,
}

/// A hook that matched.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedHook {
    /// Its rank.
    pub rank: usize,
    /// Its id or label.
    pub label: String,
    /// Its action as JSON; `None` if it violates its parameters' types.
    pub action: Option<String>,
}

/// Policies ready to judge events.
#[derive(Debug)]
pub struct Oracle {
    events: BTreeMap<String, Event>,
}

#[derive(Debug)]
struct Event {
    strategy: Strategy,
    hooks: Vec<Ranked>,
}

#[derive(Debug)]
pub(crate) struct Ranked {
    label: String,
    pub(crate) hook: Hook,
    layer: Layer,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) schema: Option<Arc<FieldSchema>>,
    pub(crate) family: Family,
    order: (usize, usize),
    pub(crate) view_of: Option<ViewOf>,
    pub(crate) effects: Option<(Arc<Effects>, Arc<Sets>)>,
    pub(crate) declared: Rc<Declared>,
    pub(crate) programs: Arc<Programs>,
    pub(crate) facts: Rc<[Fact]>,
    /// How many events had been recorded when a policy first had the hook: its monitors have not seen them.
    pub(crate) unseen: usize,
    /// The parts of its templates, by their texts.
    parts: RefCell<BTreeMap<String, Rc<[Part]>>>,
}

/// The id of a hook, or its number among the hooks of an event without one.
fn label(hook: &Hook, event: &str, counts: &mut BTreeMap<String, usize>) -> String {
    let count = counts.entry(event.to_owned()).or_default();
    *count += usize::from(hook.id.is_none());
    hook.id.as_ref().map_or_else(|| format!("{event}#{count}"), |id| id.node.clone())
}

impl Oracle {
    /// Layers and orders the hooks of checked policies.
    #[must_use]
    pub fn new(sources: Vec<Source>) -> Self {
        let (mut all, mut strategies) = (Vec::new(), BTreeMap::new());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let vocabulary = |source: &Source| {
            let declarations = &source.policy.declarations;
            Arc::new(Vocabulary::builtin().with_declarations(declarations, &mut Diagnostics::new()))
        };
        let vocabularies: Vec<Arc<Vocabulary>> = sources.iter().map(vocabulary).collect();
        let policies = sources.iter().map(|source| &source.policy);
        let programs = Arc::new(Programs::new(vocabularies.iter().map(|one| &**one).zip(policies)));
        for (number, (source, vocabulary)) in sources.into_iter().zip(vocabularies).enumerate() {
            let declared = Rc::new(Declared::new(&source.policy.declarations));
            let facts: Rc<[Fact]> = source.policy.facts.into();
            for (at, hook) in source.policy.hooks.into_iter().enumerate() {
                let layer = if hook.section == Section::Builtin { Layer::Builtin } else { source.layer };
                let context = (Arc::clone(&vocabulary), Rc::clone(&declared), Rc::clone(&facts));
                all.push((layer, source.shipped, (number, at), hook, context));
            }
        }
        let kept = keep(&all);
        let mut events: BTreeMap<String, Vec<Ranked>> = BTreeMap::new();
        for ((layer, _, order, hook, (vocabulary, declared, facts)), kept) in all.into_iter().zip(kept) {
            for name in &hook.events {
                let known = vocabulary.event(hook.family, &name.node);
                let label = label(&hook, &name.node, &mut counts);
                strategies.insert(name.node.clone(), known.map_or(Strategy::First, |event| event.strategy));
                let schema = known.map(|event: &EventType| Arc::clone(&event.schema));
                let family = known.map_or(hook.family, |event| event.family);
                let vocabulary = Arc::clone(&vocabulary);
                let hook = hook.clone();
                let ranked = Ranked {
                    label,
                    hook,
                    layer,
                    vocabulary,
                    schema,
                    family,
                    order,
                    view_of: None,
                    effects: None,
                    declared: Rc::clone(&declared),
                    programs: Arc::clone(&programs),
                    facts: Rc::clone(&facts),
                    unseen: 0,
                    parts: RefCell::default(),
                };
                if kept && ranked.hook.enabled.as_ref().is_none_or(|enabled| enabled.node) {
                    events.entry(name.node.clone()).or_default().push(ranked);
                }
            }
        }
        let finish = |(name, mut hooks): (String, Vec<Ranked>)| {
            hooks.sort_by(Ranked::before);
            let strategy = strategies.get(&name).copied().unwrap_or_default();
            (name, Event { strategy, hooks })
        };
        Self { events: events.into_iter().map(finish).collect() }
    }

    /// The oracle for policies with paths into views of command lines. Without it, views are absent.
    #[must_use]
    pub fn with_views(mut self, view_of: ViewOf) -> Self {
        for ranked in self.events.values_mut().flat_map(|event| &mut event.hooks) {
            ranked.view_of = Some(view_of);
        }
        self
    }

    /// The oracle for policies with predicates about effects.
    #[must_use]
    pub fn with_effects(mut self, effects: &Arc<Effects>) -> Self {
        let mut hooks = self.events.values().flat_map(|event| &event.hooks);
        let added = hooks.next().map(|first| first.programs.added_to(&effects.knowledge.rows));
        let rows = added.unwrap_or_default();
        let knowledge = Knowledge { rows, ..effects.knowledge.clone() };
        let effects = Arc::new(Effects { knowledge, ..Effects::clone(effects) });
        for ranked in self.events.values_mut().flat_map(|event| &mut event.hooks) {
            ranked.effects = Some((Arc::clone(&effects), ranked.declared.sets(&effects)));
        }
        self
    }

    /// The oracle for policies with hooks that are new, by label, since a number of events was recorded.
    #[must_use]
    pub fn with_new_hooks(mut self, is_new: impl Fn(&str) -> bool, recorded: usize) -> Self {
        let hooks = self.events.values_mut().flat_map(|event| &mut event.hooks);
        hooks.filter(|ranked| is_new(&ranked.label)).for_each(|ranked| ranked.unseen = recorded);
        self
    }

    /// Decides about an event.
    ///
    /// # Errors
    /// Why the event is invalid.
    pub fn decide(&self, bytes: &[u8], ask: &DecideOptions<'_>) -> Result<Decision, Refusal> {
        let json = Json::parse(bytes)?;
        if !matches!(json, Json::Obj(_)) {
            return Err(Refusal::Malformed);
        }
        let types = type_paths();
        if types.iter().any(|steps| path::twice(&json, steps, false)) {
            return Err(Refusal::Duplicate);
        }
        let stated_name = || {
            types.iter().find_map(|steps| match path::walk(&json, steps) {
                Some(Json::Str(name)) => Some(name.clone()),
                _ => None,
            })
        };
        let name = ask.event.map(str::to_owned).or_else(stated_name).ok_or(Refusal::NoType)?;
        let mut decision =
            Decision { event: name, hooks: Vec::new(), reported: Vec::new(), unknown: Vec::new() };
        let mut observers = self.events.values().flat_map(|event| &event.hooks);
        if observers.any(|ranked| ranked.observes_twice(&decision.event, &json)) {
            return Err(Refusal::Duplicate);
        }
        if let Some(event) = self.events.get(&decision.event) {
            event.hooks.iter().for_each(|ranked| ranked.declared.forget());
            if event.hooks.iter().any(|ranked| ranked.reads_twice(&json)) {
                return Err(Refusal::Duplicate);
            }
            event.decide(&json, ask, &mut decision);
        }
        Ok(decision)
    }

    /// Whether events of a type are recorded: a pattern of a hook means them.
    #[must_use]
    pub fn observes(&self, event: &str) -> bool {
        self.events.values().flat_map(|event| &event.hooks).any(|ranked| ranked.observes(event))
    }
}

fn type_paths() -> [Vec<Step>; 3] {
    let name = |name: &str| Step::Name(name.to_owned());
    [vec![name("event"), name("type")], vec![name("hook_event_name")], vec![name("event_type")]]
}

/// A hook as written: its layer, whether it is shipped, and its position in source order.
type Written = (Layer, bool, (usize, usize), Hook, (Arc<Vocabulary>, Rc<Declared>, Rc<[Fact]>));

/// Which hooks are left after replacement by id.
fn keep(all: &[Written]) -> Vec<bool> {
    let mut nearest: BTreeMap<&str, (Layer, bool)> = BTreeMap::new();
    for (layer, shipped, _, hook, _) in all {
        if let Some(id) = &hook.id {
            let rank = (*layer, *shipped);
            let near = nearest.entry(id.node.as_str()).or_insert(rank);
            *near = rank.min(*near);
        }
    }
    all.iter()
        .map(|(layer, shipped, _, hook, _)| {
            hook.id.as_ref().is_none_or(|id| nearest.get(id.node.as_str()) == Some(&(*layer, *shipped)))
        })
        .collect()
}

impl Event {
    fn decide(&self, json: &Json, ask: &DecideOptions<'_>, decision: &mut Decision) {
        let first = ask.after.is_some() || (self.strategy == Strategy::First && !ask.all);
        let nobody = Keys::default();
        let keys = ask.keys.unwrap_or(&nobody);
        let event = decision.event.clone();
        let before = Before { event: &event, records: ask.records, at: ask.at, keys };
        for (rank, ranked) in self.hooks.iter().enumerate() {
            if ask.after.is_some_and(|after| rank <= after) {
                continue;
            }
            let moment = Moment { json, schema: ranked.schema.as_deref(), before, now: None };
            match ranked.matches(&moment) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Unknown) => {
                    decision.unknown.push(ranked.label.clone());
                    continue;
                }
            }
            let fired = MatchedHook { rank, label: ranked.label.clone(), action: ranked.action(&moment) };
            let enforce = ranked.hook.mode.as_ref().is_none_or(|mode| mode.node == Mode::Enforce);
            if !enforce {
                decision.reported.push(fired);
                continue;
            }
            decision.hooks.push(fired);
            if first {
                break;
            }
        }
    }
}

impl Ranked {
    /// The parts of a template of its action, read once.
    pub(crate) fn parts(&self, text: &str) -> Rc<[Part]> {
        if let Some(parts) = self.parts.borrow().get(text) {
            return Rc::clone(parts);
        }
        let parts: Rc<[Part]> = template::parts(text).unwrap_or_default().into();
        self.parts.borrow_mut().insert(text.to_owned(), Rc::clone(&parts));
        parts
    }

    fn priority(&self) -> Option<Decimal> {
        let text = self.hook.priority.as_ref().map_or("0", |priority| &priority.node.0);
        Decimal::parse(text)
    }

    /// The order within an event.
    fn before(&self, other: &Self) -> std::cmp::Ordering {
        let managed = |ranked: &Self| ranked.layer != Layer::Managed;
        managed(self)
            .cmp(&managed(other))
            .then_with(|| other.priority().cmp(&self.priority()))
            .then_with(|| self.layer.cmp(&other.layer))
            .then_with(|| self.order.cmp(&other.order))
    }
}
