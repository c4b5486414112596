//! Whether a hook matches an event.

use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, Path, PathKind, Quantified, Quantifier, Right, Step, View, ViewKind,
};
use hookc_schema::vocab::FieldSchema;

use crate::acts::Test;
use crate::decide::Ranked;
use crate::json::Json;
use crate::moment::{Bound, Moment, below_now};
use crate::repeated::{self, Place};
use crate::truth::{self, Truth, Unknown};
use crate::{file, history, leaf, path, query, size, view};

/// What a path reads.
enum Found {
    /// The nodes of a path that can select several.
    Nodes(Vec<Json>),
    /// At most one value.
    Value(Option<Json>),
}

impl Found {
    fn values(self) -> Vec<Json> {
        match self {
            Self::Nodes(nodes) => nodes,
            Self::Value(value) => value.into_iter().collect(),
        }
    }
}

impl Ranked {
    fn find(&self, path: &Path, moment: &Moment<'_>) -> Option<Json> {
        match &path.kind {
            PathKind::View(view) => path::walk(&self.view(view, moment)?, &view.rest.singular()?).cloned(),
            _ => path::places(path, moment.schema)?.find(moment.json).cloned(),
        }
    }

    fn view(&self, view: &View, moment: &Moment<'_>) -> Option<Json> {
        let source = self.find(&view.source, moment)?;
        match view.kind {
            ViewKind::Shell => view::view(&source, moment.json, (self.view_of?, &self.programs)),
            ViewKind::File => file::view(&source, moment.json, self.declared.project()),
            ViewKind::Effects => self.test(moment.schema).view(moment.json),
            ViewKind::Size => size::view(&source),
        }
    }

    /// The nodes of a path that can select several values.
    fn nodes(&self, path: &Path, moment: &Moment<'_>) -> Option<Vec<Json>> {
        match &path.kind {
            PathKind::View(view) if !path.is_singular() => {
                let below = |root| query::nodes_below(&view.rest, root, moment.json);
                Some(self.view(view, moment).map(below).unwrap_or_default())
            }
            _ => path::several(path).map(|query| query::nodes(query, moment.json)),
        }
    }

    /// The value of a placeholder: a value, or the list of nodes if there are any. Unknown values are absent.
    pub(crate) fn filling(&self, path: &Path, moment: &Moment<'_>) -> Option<Json> {
        match self.read(path, moment, &mut Vec::new()).ok()? {
            Found::Nodes(nodes) => Some(nodes).filter(|nodes| !nodes.is_empty()).map(Json::Arr),
            Found::Value(value) => value,
        }
    }

    /// Where the condition of the hook is.
    pub(crate) fn place(&self) -> Place {
        Place { allows: self.hook.action.kind.node == "allow", negated: false }
    }

    /// Predicates about effects, for this hook and an event with this schema.
    pub(crate) fn test<'a>(&'a self, schema: Option<&'a FieldSchema>) -> Test<'a> {
        let Some((effects, sets)) = &self.effects else { unreachable!("an oracle with effects") };
        let (declared, programs) = (&self.declared, &self.programs);
        Test { effects, declared, sets, programs, schema }
    }

    pub(crate) fn matches(&self, moment: &Moment<'_>) -> Truth {
        let condition = self.hook.condition.as_ref();
        condition.map_or(Ok(true), |cond| self.holds(cond, self.place(), moment, &mut Vec::new()))
    }

    pub(crate) fn holds(&self, cond: &Cond, place: Place, moment: &Moment<'_>, bound: &mut Bound) -> Truth {
        match &cond.kind {
            CondKind::Const(truth) => Ok(*truth),
            CondKind::All(conds) => {
                truth::every(conds.iter().map(|cond| self.holds(cond, place, moment, bound)))
            }
            CondKind::Any(conds) => {
                truth::some(conds.iter().map(|cond| self.holds(cond, place, moment, bound)))
            }
            CondKind::Not(cond) => self.holds(cond, place.not(), moment, bound).map(|truth| !truth),
            CondKind::Leaf(leaf) => self.leaf(leaf, place, moment, bound),
            CondKind::Predicate(predicate) => Ok(self.test(moment.schema).holds(predicate, moment.json)),
            CondKind::Formerly(selection) => self.formerly(selection, moment, bound),
            CondKind::Quantified(inner) => {
                let nodes = self.bindable(inner, moment, bound)?.into_iter();
                let holds = |node| {
                    bound.push((inner.name.node.clone(), node));
                    let holds = self.holds(&inner.cond, place, moment, bound);
                    bound.pop();
                    holds
                };
                match inner.quantifier {
                    Quantifier::Some => truth::some(nodes.map(holds)),
                    Quantifier::Every => truth::every(nodes.map(holds)),
                }
            }
        }
    }

    /// The nodes of a quantifier: those of a path that can select several values, otherwise the
    /// elements or members of the value.
    fn bindable(
        &self,
        inner: &Quantified,
        moment: &Moment<'_>,
        bound: &mut Bound,
    ) -> Result<Vec<Json>, Unknown> {
        Ok(match self.read(&inner.path, moment, bound)? {
            Found::Nodes(nodes) => nodes,
            Found::Value(Some(Json::Arr(items))) => items,
            Found::Value(Some(Json::Obj(members))) => members.into_iter().map(|(_, value)| value).collect(),
            Found::Value(_) => Vec::new(),
        })
    }

    /// What a path reads: of a bound node, of the history, of the current event in a `where`, else of the event.
    fn read(&self, path: &Path, moment: &Moment<'_>, bound: &mut Bound) -> Result<Found, Unknown> {
        if let PathKind::Recall(recall) = &path.kind {
            return Ok(Found::Value(self.recall(recall, moment, bound)?));
        }
        if let Some((at, steps)) = below(path, bound.iter().map(|(name, _)| name.as_str())) {
            return Ok(Found::Value(bound.get(at).and_then(|(_, node)| path::walk(node, steps).cloned())));
        }
        let of_now = moment.now.and_then(|(now, _)| Some((now, below_now(path)?)));
        let (moment, path) = of_now.as_ref().map_or((moment, path), |(now, path)| (*now, path));
        Ok(match self.nodes(path, moment) {
            Some(nodes) => Found::Nodes(nodes),
            None => Found::Value(self.find(path, moment)),
        })
    }

    /// The values at a path of an event, whatever the names of quantifiers.
    pub(crate) fn values(&self, path: &Path, moment: &Moment<'_>) -> Vec<Json> {
        self.read(path, moment, &mut Vec::new()).map(Found::values).unwrap_or_default()
    }

    fn leaf(&self, leaf: &Leaf, place: Place, moment: &Moment<'_>, bound: &mut Bound) -> Truth {
        let op = leaf.op.node;
        if op == Op::Ne {
            let eq = hookc_schema::Spanned::new(Op::Eq, leaf.op.span);
            let eq = Leaf { op: eq, ..leaf.clone() };
            return self.leaf(&eq, place.not(), moment, bound).map(|truth| !truth);
        }
        let actual = self.read(&leaf.path, moment, bound)?;
        let is_recalled = matches!(leaf.path.kind, PathKind::Recall(_));
        if let Right::Path(right) = &leaf.right
            && op == Op::Eq
            && is_current(&leaf.path, moment, bound) != is_current(right, moment, bound)
        {
            let right = self.read(right, moment, bound)?.values();
            return Ok(actual.values().iter().any(|a| right.iter().any(|right| present(leaf, a, right))));
        }
        let right = match &leaf.right {
            Right::None => Json::Bool(true),
            Right::Value(value) => Json::from_value(value),
            Right::Path(path) => match self.read(path, moment, bound)? {
                Found::Value(Some(right)) if leaf::takes(op, &right) => right,
                _ => return Ok(false),
            },
        };
        let held = match actual {
            Found::Value(Some(Json::Str(text)))
                if is_recalled && reads_text(op) && text.len() > history::KEPT =>
            {
                leaf::holds_absent(op, &right)
            }
            Found::Nodes(nodes) => nodes.iter().any(|actual| present(leaf, actual, &right)),
            Found::Value(Some(actual)) => present(leaf, &actual, &right),
            Found::Value(None) => leaf::holds_absent(op, &right),
        };
        let values = if op == Op::Exists { None } else { self.repeated(&leaf.path, moment, bound) };
        let held = match values {
            Some(values) if place.one_suffices() => {
                held || values.iter().any(|value| present(leaf, value, &right))
            }
            Some(values) => held && values.iter().all(|value| present(leaf, value, &right)),
            None => held,
        };
        Ok(held != (op == Op::Exists && matches!(right, Json::Bool(false))))
    }

    /// All values of the option that a path leads to, if it has several.
    fn repeated(&self, path: &Path, moment: &Moment<'_>, bound: &Bound) -> Option<Vec<Json>> {
        if let Some((at, steps)) = below(path, bound.iter().map(|(name, _)| name.as_str())) {
            return repeated::values(&bound.get(at)?.1, steps);
        }
        let PathKind::View(view) = &path.kind else { return None };
        let root = || self.view(view, moment);
        match view.rest.singular() {
            Some(steps) => repeated::values(&root()?, &steps),
            None => Some(query::nodes_below(&repeated::query(&view.rest)?, root()?, moment.json)),
        }
    }
}

/// Whether an operator reads the text of a value, which the history keeps only if it is short.
fn reads_text(op: Op) -> bool {
    !matches!(op, Op::Eq | Op::Ne | Op::In | Op::Exists)
}

/// Whether a path in a `where` reads the event whose condition looks back.
fn is_current(path: &Path, moment: &Moment<'_>, bound: &Bound) -> bool {
    let Some((_, outer)) = moment.now else { return false };
    match below(path, bound.iter().map(|(name, _)| name.as_str())) {
        Some((at, _)) => at < outer,
        None => below_now(path).is_some(),
    }
}

/// Which of the names a path starts with, the innermost first, and its steps from that node.
fn below<'p, 'n>(path: &'p Path, names: impl Iterator<Item = &'n str>) -> Option<(usize, &'p [Step])> {
    let PathKind::Short(steps) = &path.kind else { return None };
    let (Step::Name(first), rest) = steps.split_first()? else { return None };
    let names: Vec<&str> = names.collect();
    Some((names.iter().rposition(|name| name == first)?, rest))
}

pub(crate) fn is_root(path: &Path, names: &[&str]) -> bool {
    below(path, names.iter().copied()).is_none()
}

/// Whether a leaf is true for a present value.
fn present(leaf: &Leaf, actual: &Json, right: &Json) -> bool {
    match leaf.op.node {
        Op::Matches => leaf::matches(actual, right, leaf.assert_format.is_some()),
        op => leaf::holds(actual, op, right, leaf.ignore_case.is_some()),
    }
}
