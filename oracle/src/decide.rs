//! Which hooks decide, and what their actions render to.

use hookc_schema::Diagnostics;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use hookc_schema::tree::{
    Cond, CondKind, Family, Hook, Layer, Leaf, Mode, Op, Path, PathKind, Policy, Quantified, Quantifier,
    Right, Section, Step, View, ViewKind,
};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{EventType, FieldSchema, ParamType, Strategy, Type, Vocabulary, Wrapper};

use crate::acts::{self, Declared, Effects};
use crate::decimal::Decimal;
use crate::effects::Sets;
use crate::file;
use crate::json::{Json, Refusal};
use crate::repeated::{self, Place};
use crate::view::{self, ViewOf};
use crate::{leaf, path, query, template};

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
struct Ranked {
    label: String,
    hook: Hook,
    layer: Layer,
    vocabulary: Arc<Vocabulary>,
    schema: Option<Arc<FieldSchema>>,
    family: Family,
    order: (usize, usize),
    view_of: Option<ViewOf>,
    effects: Option<(Arc<Effects>, Arc<Sets>)>,
    declared: Rc<Declared>,
    wrappers: Arc<[Wrapper]>,
}

impl Oracle {
    /// Layers and orders the hooks of checked policies.
    #[must_use]
    pub fn new(sources: Vec<Source>) -> Self {
        let (mut all, mut strategies) = (Vec::new(), BTreeMap::new());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut vocabularies: Vec<Arc<Vocabulary>> = Vec::new();
        for (number, source) in sources.into_iter().enumerate() {
            let vocabulary =
                Vocabulary::builtin().with_declarations(&source.policy.declarations, &mut Diagnostics::new());
            let vocabulary = Arc::new(vocabulary);
            vocabularies.push(Arc::clone(&vocabulary));
            let declared = Rc::new(Declared::new(&source.policy.declarations));
            for (at, hook) in source.policy.hooks.into_iter().enumerate() {
                let layer = if hook.section == Section::Builtin { Layer::Builtin } else { source.layer };
                let context = (Arc::clone(&vocabulary), Rc::clone(&declared));
                all.push((layer, source.shipped, (number, at), hook, context));
            }
        }
        let kept = keep(&all);
        let wrappers: Arc<[Wrapper]> = view::declared(vocabularies.iter().map(|own| &**own)).into();
        let mut events: BTreeMap<String, Vec<Ranked>> = BTreeMap::new();
        for ((layer, _, order, hook, (vocabulary, declared)), kept) in all.into_iter().zip(kept) {
            for name in &hook.events {
                let known = vocabulary.event(hook.family, &name.node);
                let count = counts.entry(name.node.clone()).or_default();
                *count += usize::from(hook.id.is_none());
                let label =
                    hook.id.as_ref().map_or_else(|| format!("{}#{count}", name.node), |id| id.node.clone());
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
                    wrappers: Arc::clone(&wrappers),
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
        for ranked in self.events.values_mut().flat_map(|event| &mut event.hooks) {
            ranked.effects = Some((Arc::clone(effects), ranked.declared.sets(effects)));
        }
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
        let own = || {
            types.iter().find_map(|steps| match path::walk(&json, steps) {
                Some(Json::Str(name)) => Some(name.clone()),
                _ => None,
            })
        };
        let name = ask.event.map(str::to_owned).or_else(own).ok_or(Refusal::NoType)?;
        let mut decision = Decision { event: name, hooks: Vec::new(), reported: Vec::new() };
        if let Some(event) = self.events.get(&decision.event) {
            if event.hooks.iter().any(|ranked| ranked.reads_twice(&json)) {
                return Err(Refusal::Duplicate);
            }
            event.decide(&json, ask, &mut decision);
        }
        Ok(decision)
    }
}

fn type_paths() -> [Vec<Step>; 3] {
    let name = |name: &str| Step::Name(name.to_owned());
    [vec![name("event"), name("type")], vec![name("hook_event_name")], vec![name("event_type")]]
}

/// A hook as written: its layer, whether it is shipped, and its position in source order.
type Written = (Layer, bool, (usize, usize), Hook, (Arc<Vocabulary>, Rc<Declared>));

/// Which hooks are left after replacement by id.
fn keep(all: &[Written]) -> Vec<bool> {
    let mut nearest: BTreeMap<&str, (Layer, bool)> = BTreeMap::new();
    for (layer, shipped, _, hook, _) in all {
        if let Some(id) = &hook.id {
            let own = (*layer, *shipped);
            let near = nearest.entry(id.node.as_str()).or_insert(own);
            *near = own.min(*near);
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
        for (rank, ranked) in self.hooks.iter().enumerate() {
            if ask.after.is_some_and(|after| rank <= after) || !ranked.matches(json) {
                continue;
            }
            let fired = MatchedHook { rank, label: ranked.label.clone(), action: ranked.action(json) };
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

    fn places(&self, path: &Path) -> Option<path::Places> {
        path::places(path, self.schema.as_deref())
    }

    fn find(&self, path: &Path, json: &Json) -> Option<Json> {
        match &path.kind {
            PathKind::View(view) => path::walk(&self.view(view, json)?, &view.rest.singular()?).cloned(),
            _ => self.places(path)?.find(json).cloned(),
        }
    }

    fn view(&self, view: &View, json: &Json) -> Option<Json> {
        let source = self.find(&view.source, json)?;
        match view.kind {
            ViewKind::Shell => view::view(&source, json, (self.view_of?, &self.wrappers)),
            ViewKind::File => file::view(&source, json, None),
            ViewKind::Effects => None,
        }
    }

    /// The nodes of a path that can select several values.
    fn nodes(&self, path: &Path, json: &Json) -> Option<Vec<Json>> {
        match &path.kind {
            PathKind::View(view) if !path.is_singular() => {
                let below = |root| query::nodes_below(&view.rest, root, json);
                Some(self.view(view, json).map(below).unwrap_or_default())
            }
            _ => path::several(path).map(|query| query::nodes(query, json)),
        }
    }

    /// The value of a placeholder: a value, or the list of nodes if there are any.
    fn filling(&self, path: &Path, json: &Json) -> Option<Json> {
        match self.nodes(path, json) {
            Some(nodes) => Some(nodes).filter(|nodes| !nodes.is_empty()).map(Json::Arr),
            None => self.find(path, json),
        }
    }

    fn matches(&self, json: &Json) -> bool {
        let place = Place { allows: self.hook.action.kind.node == "allow", negated: false };
        self.hook.condition.as_ref().is_none_or(|cond| self.holds(cond, place, json, &mut Vec::new()))
    }

    fn holds(&self, cond: &Cond, place: Place, json: &Json, bound: &mut Bound) -> bool {
        match &cond.kind {
            CondKind::Const(truth) => *truth,
            CondKind::All(conds) => conds.iter().all(|cond| self.holds(cond, place, json, bound)),
            CondKind::Any(conds) => conds.iter().any(|cond| self.holds(cond, place, json, bound)),
            CondKind::Not(cond) => !self.holds(cond, place.not(), json, bound),
            CondKind::Leaf(leaf) => self.leaf(leaf, place, json, bound),
            CondKind::Predicate(predicate) => {
                let Some((effects, sets)) = &self.effects else { unreachable!("an oracle with effects") };
                let (declared, wrappers, schema) = (&self.declared, &self.wrappers, self.schema.as_deref());
                acts::Test { effects, declared, sets, wrappers, schema }.holds(predicate, json)
            }
            CondKind::Quantified(inner) => {
                let mut nodes = self.bindable(inner, json, bound).into_iter();
                let mut holds = |node| {
                    bound.push((inner.name.node.clone(), node));
                    let holds = self.holds(&inner.cond, place, json, bound);
                    bound.pop();
                    holds
                };
                match inner.quantifier {
                    Quantifier::Some => nodes.any(&mut holds),
                    Quantifier::Every => nodes.all(&mut holds),
                }
            }
        }
    }

    /// The nodes of a quantifier: those of a path that can select several values, otherwise the
    /// elements or members of the value.
    fn bindable(&self, inner: &Quantified, json: &Json, bound: &Bound) -> Vec<Json> {
        if let Some(nodes) = self.nodes(&inner.path, json) {
            return nodes;
        }
        match self.value(&inner.path, json, bound) {
            Some(Json::Arr(items)) => items,
            Some(Json::Obj(members)) => members.into_iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        }
    }

    /// The value of a path that selects one at most.
    fn value(&self, path: &Path, json: &Json, bound: &Bound) -> Option<Json> {
        match below(path, bound.iter().map(|(name, _)| name.as_str())) {
            Some((at, steps)) => path::walk(&bound.get(at)?.1, steps).cloned(),
            None => self.find(path, json),
        }
    }

    fn leaf(&self, leaf: &Leaf, place: Place, json: &Json, bound: &Bound) -> bool {
        let op = leaf.op.node;
        if op == Op::Ne {
            let eq = hookc_schema::Spanned::new(Op::Eq, leaf.op.span);
            return !self.leaf(&Leaf { op: eq, ..leaf.clone() }, place.not(), json, bound);
        }
        let right = match &leaf.right {
            Right::None => Json::Bool(true),
            Right::Value(value) => Json::from_value(value),
            Right::Path(path) => match self.value(path, json, bound) {
                Some(right) if leaf::takes(op, &right) => right,
                _ => return false,
            },
        };
        let held = match (self.nodes(&leaf.path, json), self.value(&leaf.path, json, bound)) {
            (Some(nodes), _) => nodes.iter().any(|actual| present(leaf, actual, &right)),
            (None, Some(actual)) => present(leaf, &actual, &right),
            (None, None) => leaf::holds_absent(op, &right),
        };
        let values = if op == Op::Exists { None } else { self.repeated(&leaf.path, json, bound) };
        let held = match values {
            Some(values) if place.one_suffices() => {
                held || values.iter().any(|value| present(leaf, value, &right))
            }
            Some(values) => held && values.iter().all(|value| present(leaf, value, &right)),
            None => held,
        };
        held != (op == Op::Exists && matches!(right, Json::Bool(false)))
    }

    /// All values of the option that a path leads to, if it has several.
    fn repeated(&self, path: &Path, json: &Json, bound: &Bound) -> Option<Vec<Json>> {
        if let Some((at, steps)) = below(path, bound.iter().map(|(name, _)| name.as_str())) {
            return repeated::values(&bound.get(at)?.1, steps);
        }
        let PathKind::View(view) = &path.kind else { return None };
        match view.rest.singular() {
            Some(steps) => repeated::values(&self.view(view, json)?, &steps),
            None => Some(query::nodes_below(&repeated::query(&view.rest)?, self.view(view, json)?, json)),
        }
    }

    /// Whether a path that is read meets a duplicate key.
    fn reads_twice(&self, json: &Json) -> bool {
        let in_condition =
            self.hook.condition.as_ref().is_some_and(|cond| self.cond_twice(cond, json, &mut Vec::new()));
        in_condition || self.hook.action.params.iter().any(|(_, value)| self.value_twice(value, json))
    }

    fn twice(&self, path: &Path, whole: bool, json: &Json) -> bool {
        if let PathKind::View(view) = &path.kind {
            return self.twice(&view.source, false, json)
                || view::settings_twice(view.kind, json)
                || query::filters_have_duplicates(&view.rest, json);
        }
        match path::several(path) {
            Some(query) => query::has_duplicates(query, json),
            None => self.places(path).is_some_and(|places| places.has_duplicates(json, whole)),
        }
    }

    fn cond_twice<'c>(&self, cond: &'c Cond, json: &Json, names: &mut Vec<&'c str>) -> bool {
        match &cond.kind {
            CondKind::Const(_) => false,
            CondKind::Predicate(predicate) => {
                acts::reads_twice(predicate, self.schema.as_deref(), json, self.declared.has_project())
            }
            CondKind::All(conds) | CondKind::Any(conds) => {
                conds.iter().any(|cond| self.cond_twice(cond, json, names))
            }
            CondKind::Not(cond) => self.cond_twice(cond, json, names),
            CondKind::Leaf(leaf) => {
                let whole = uses_whole(leaf);
                let twice = |path: &Path| is_root(path, names) && self.twice(path, whole, json);
                matches!(&leaf.right, Right::Path(path) if twice(path)) || twice(&leaf.path)
            }
            // The nodes are used as a whole, whatever the condition reads of them.
            CondKind::Quantified(inner) => {
                let nodes = is_root(&inner.path, names) && self.twice(&inner.path, true, json);
                names.push(&inner.name.node);
                let twice = nodes || self.cond_twice(&inner.cond, json, names);
                names.pop();
                twice
            }
        }
    }

    fn value_twice(&self, value: &Value, json: &Json) -> bool {
        match &value.kind {
            Kind::Str(text) if self.hook.action.templates => {
                let parts = template::parts(&text.value).unwrap_or_default();
                parts
                    .iter()
                    .any(|part| matches!(part, template::Part::Hole(path, _) if self.twice(path, true, json)))
            }
            Kind::Seq(items) => items.iter().any(|item| self.value_twice(item, json)),
            Kind::Map(members) => members.iter().any(|member| self.value_twice(&member.value, json)),
            _ => false,
        }
    }

    /// The action with templates filled and defaults added, as JSON.
    fn action(&self, json: &Json) -> Option<String> {
        let action = &self.hook.action;
        let kind = self.vocabulary.actions.get(&action.kind.node);
        let mut params: Vec<(String, Json)> = Vec::new();
        for (key, value) in &action.params {
            let filled = self.fill(value, json);
            let declared = kind.and_then(|kind| kind.params.get(&key.node));
            if declared.is_some_and(|declared| !conforms(&filled, declared)) {
                return None;
            }
            params.push((key.node.clone(), filled));
        }
        for (name, declared) in kind.iter().flat_map(|kind| &kind.params) {
            if let Some(default) = &declared.default
                && !params.iter().any(|(key, _)| key == name)
            {
                // Handlers of repositories print signals.
                let signals = self.family == Family::Repository
                    && (action.kind.node.as_str(), name.as_str()) == ("run", "result")
                    && default.as_str() == Some("status");
                let default =
                    if signals { Json::Str("signals".to_owned()) } else { Json::from_value(default) };
                params.push((name.clone(), default));
            }
        }
        let body = Json::Obj(params).canonical();
        let kind = Json::Str(action.kind.node.clone()).canonical();
        let comma = if body == "{}" { "" } else { "," };
        Some(format!("{{\"type\":{kind}{comma}{}", body.strip_prefix('{').unwrap_or_default()))
    }

    fn fill(&self, value: &Value, json: &Json) -> Json {
        match &value.kind {
            Kind::Str(text) if self.hook.action.templates => {
                let parts = template::parts(&text.value).unwrap_or_default();
                template::fill(&parts, &|path| self.filling(path, json))
            }
            Kind::Seq(items) => Json::Arr(items.iter().map(|item| self.fill(item, json)).collect()),
            Kind::Map(members) => {
                Json::Obj(members.iter().map(|m| (m.key.node.clone(), self.fill(&m.value, json))).collect())
            }
            _ => Json::from_value(value),
        }
    }
}

/// The nodes of the quantifiers around a condition, by name, the innermost last.
type Bound = Vec<(String, Json)>;

/// Which of the names a path starts with, the innermost first, and its steps from that node.
fn below<'p, 'n>(path: &'p Path, names: impl Iterator<Item = &'n str>) -> Option<(usize, &'p [Step])> {
    let PathKind::Short(steps) = &path.kind else { return None };
    let (Step::Name(first), rest) = steps.split_first()? else { return None };
    let names: Vec<&str> = names.collect();
    Some((names.iter().rposition(|name| name == first)?, rest))
}

fn is_root(path: &Path, names: &[&str]) -> bool {
    below(path, names.iter().copied()).is_none()
}

/// Whether the result of a leaf can depend on the content of an object.
fn uses_whole(leaf: &Leaf) -> bool {
    let container = |value: &Value| matches!(value.kind, Kind::Seq(_) | Kind::Map(_));
    match (&leaf.right, leaf.op.node) {
        (_, Op::Matches) => true,
        (Right::Path(_), Op::Eq | Op::Ne | Op::In | Op::Contains) => true,
        (Right::Value(value), Op::Eq | Op::Ne) => container(value),
        (Right::Value(value), Op::In) => match &value.kind {
            Kind::Seq(items) => items.iter().any(container),
            _ => false,
        },
        _ => false,
    }
}

fn conforms(value: &Json, declared: &ParamType) -> bool {
    let kind = match value {
        Json::Null => Type::Null,
        Json::Bool(_) => Type::Boolean,
        Json::Num(number) if number.0.is_integer() => Type::Integer,
        Json::Num(_) => Type::Number,
        Json::Str(_) => Type::String,
        Json::Arr(_) => Type::Array,
        Json::Obj(_) => Type::Object,
    };
    let allowed = |all: &Vec<Value>| all.iter().any(|one| Json::from_value(one).same(value));
    let least = declared.minimum.as_ref().and_then(|least| Decimal::parse(&least.0));
    let enough = match (value, least) {
        (Json::Num(number), Some(least)) => number.0 >= least,
        _ => true,
    };
    declared.types.has(kind) && declared.allowed.as_ref().is_none_or(allowed) && enough
}

/// Whether a leaf is true for a present value.
fn present(leaf: &Leaf, actual: &Json, right: &Json) -> bool {
    match leaf.op.node {
        Op::Matches => leaf::matches(actual, right, leaf.assert_format.is_some()),
        op => leaf::holds(actual, op, right, leaf.ignore_case.is_some()),
    }
}
