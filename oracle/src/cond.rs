//! Whether a hook matches an event.

use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, Path, PathKind, Quantified, Quantifier, Right, Step, View, ViewKind,
};

use crate::acts::Test;
use crate::decide::Ranked;
use crate::json::Json;
use crate::repeated::{self, Place};
use crate::{file, leaf, path, query, size, view};

impl Ranked {
    pub(crate) fn places(&self, path: &Path) -> Option<path::Places> {
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
            ViewKind::Shell => view::view(&source, json, (self.view_of?, &self.programs)),
            ViewKind::File => file::view(&source, json, self.declared.project()),
            ViewKind::Effects => self.test().view(json),
            ViewKind::Size => size::view(&source),
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
    pub(crate) fn filling(&self, path: &Path, json: &Json) -> Option<Json> {
        match self.nodes(path, json) {
            Some(nodes) => Some(nodes).filter(|nodes| !nodes.is_empty()).map(Json::Arr),
            None => self.find(path, json),
        }
    }

    /// Where the condition of the hook is.
    pub(crate) fn place(&self) -> Place {
        Place { allows: self.hook.action.kind.node == "allow", negated: false }
    }

    /// Predicates about effects, for this hook.
    pub(crate) fn test(&self) -> Test<'_> {
        let Some((effects, sets)) = &self.effects else { unreachable!("an oracle with effects") };
        let (declared, programs, schema) = (&self.declared, &self.programs, self.schema.as_deref());
        Test { effects, declared, sets, programs, schema }
    }

    pub(crate) fn matches(&self, json: &Json) -> bool {
        self.hook.condition.as_ref().is_none_or(|cond| self.holds(cond, self.place(), json, &mut Vec::new()))
    }

    pub(crate) fn holds(&self, cond: &Cond, place: Place, json: &Json, bound: &mut Bound) -> bool {
        match &cond.kind {
            CondKind::Const(truth) => *truth,
            CondKind::All(conds) => conds.iter().all(|cond| self.holds(cond, place, json, bound)),
            CondKind::Any(conds) => conds.iter().any(|cond| self.holds(cond, place, json, bound)),
            CondKind::Not(cond) => !self.holds(cond, place.not(), json, bound),
            CondKind::Leaf(leaf) => self.leaf(leaf, place, json, bound),
            CondKind::Predicate(predicate) => self.test().holds(predicate, json),
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
}

/// The nodes of the quantifiers around a condition, by name, the innermost last.
pub(crate) type Bound = Vec<(String, Json)>;

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
