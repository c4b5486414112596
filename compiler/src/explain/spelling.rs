//! Tests as their author spelled them. A module has no names for the nodes of quantifiers, and quotes all texts alike.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hookc_base::row_number;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, PathKind, Policy, Quantified, Right, Step};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr::{print, when};

use crate::disasm::quantifier;

/// The spellings of the tests of policies, by the text that a module has for each.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    texts: HashMap<String, String>,
}

impl Spelling {
    /// The spellings in these policies.
    pub fn of_policies<'p>(policies: impl IntoIterator<Item = &'p Policy>) -> Self {
        let mut spelling = Self::default();
        for hook in policies.into_iter().flat_map(|policy| &policy.hooks) {
            if let Some(cond) = &hook.condition {
                spelling.add(cond, &mut Vec::new());
            }
        }
        spelling
    }

    /// Adds the tests of a condition in quantifiers whose nodes have these names.
    fn add<'c>(&mut self, cond: &'c Cond, names: &mut Vec<&'c str>) {
        let is_test =
            |cond: &Cond| !matches!(cond.kind, CondKind::All(_) | CondKind::Any(_) | CondKind::Not(_));
        let negated = match &cond.kind {
            CondKind::Not(part) => Some(&**part),
            _ => None,
        };
        if is_test(cond) || negated.is_some_and(is_test) {
            let key = print::when(&canonical(cond, names), print::Operators::Symbols);
            self.texts.entry(key).or_insert_with(|| print::when(cond, print::Operators::Symbols));
        }
        match &cond.kind {
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().for_each(|part| self.add(part, names))
            }
            CondKind::Not(part) => self.add(part, names),
            CondKind::Quantified(inner) => {
                names.push(&inner.name.node);
                self.add(&inner.cond, names);
                names.pop();
            }
            CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => {}
        }
    }

    /// The spelling of a test; the text itself if no policy has such a test.
    pub(super) fn spell<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let read = || when::parse(&Text::plain(text), Span::default(), &mut Diagnostics::new());
        let found = if self.texts.is_empty() { None } else { read() };
        let found = found.and_then(|cond| {
            self.texts.get(&print::when(&canonical(&cond, &mut Vec::new()), print::Operators::Symbols))
        });
        found.map_or(Cow::Borrowed(text), |found| Cow::Owned(found.clone()))
    }
}

/// A condition with the names of a module for nodes, and its lists in one order: a module sorts them.
fn canonical<'c>(cond: &'c Cond, names: &mut Vec<&'c str>) -> Cond {
    let mut each = |parts: &'c [Cond]| parts.iter().map(|part| canonical(part, names)).collect();
    let kind = match &cond.kind {
        CondKind::All(parts) => CondKind::All(each(parts)),
        CondKind::Any(parts) => CondKind::Any(each(parts)),
        CondKind::Not(part) => CondKind::Not(Arc::new(canonical(part, names))),
        CondKind::Leaf(leaf) => {
            let right = match &leaf.right {
                Right::Path(path) => Right::Path(renamed_path(path, names)),
                Right::Value(value) if matches!(leaf.op.node, Op::In | Op::Glob) => {
                    Right::Value(sorted(value))
                }
                other => other.clone(),
            };
            CondKind::Leaf(Arc::new(Leaf {
                path: renamed_path(&leaf.path, names),
                right,
                ..Leaf::clone(leaf)
            }))
        }
        CondKind::Quantified(inner) => {
            let path = renamed_path(&inner.path, names);
            let mut name = inner.name.clone();
            name.node = quantifier::name(row_number(names.len()));
            names.push(&inner.name.node);
            let cond = canonical(&inner.cond, names);
            names.pop();
            CondKind::Quantified(Arc::new(Quantified { quantifier: inner.quantifier, name, path, cond }))
        }
        other @ (CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Formerly(_)) => other.clone(),
    };
    Cond { kind, ..cond.clone() }
}

/// A list without repeats, in the order of its texts.
fn sorted(value: &Arc<Value>) -> Arc<Value> {
    let Kind::Seq(items) = &value.kind else { return Arc::clone(value) };
    let items: BTreeMap<String, &Value> = items.iter().map(|item| (print::json(item), item)).collect();
    Arc::new(Value { kind: Kind::Seq(items.into_values().cloned().collect()), ..Value::clone(value) })
}

fn renamed_path(path: &Path, names: &[&str]) -> Path {
    let PathKind::Short(steps) = &path.kind else { return path.clone() };
    let Some((Step::Name(first), rest)) = steps.split_first() else { return path.clone() };
    let Some(depth) = names.iter().rposition(|name| name == first) else { return path.clone() };
    let steps = std::iter::once(Step::Name(quantifier::name(row_number(depth)))).chain(rest.iter().cloned());
    Path { kind: PathKind::Short(steps.collect()), ..path.clone() }
}
