//! Query steps into values without children (W0611): the elements of a list of strings, a node that
//! a filter has compared with a scalar. They select nothing, so the leaf is never true.

use std::borrow::Cow;

use hookc_schema::tree::{Comparable, CompareOp, Filter, Function, Path, Query, Segment, Selector};
use hookc_schema::vocab::{FieldSchema, Type, TypeSet};
use hookc_schema::{Code, Diagnostic};

use super::{Cx, comparison, value, view};

/// The possible types of the current nodes of a query.
#[derive(Clone)]
enum Nodes<'s> {
    /// Any type.
    Any,
    /// Neither an array nor an object; as a person calls it.
    Scalar(String),
    /// Values of one of these schemas.
    Of(Vec<&'s FieldSchema>),
}

/// Reports the first step of a query, or of a query in one of its filters, that never has a node to
/// visit. `end` is the schema at the end of its singular prefix, if that is known. Linear in the query.
pub(super) fn check(
    path: &Path,
    query: &Query,
    root: Option<&FieldSchema>,
    end: Option<&FieldSchema>,
    cx: &mut Cx<'_>,
) {
    let root = root.map_or(Nodes::Any, |root| Nodes::Of(vec![root]));
    // The singular prefix is checked as a separate path.
    let prefix = query.segments.iter().take_while(|segment| is_step(segment)).count();
    let mut walk = Walk::new(root.clone());
    let _ = match end {
        Some(end) => walk.segments(query, Nodes::Of(vec![end]), (prefix, prefix)),
        None => walk.query(query, root, prefix),
    };
    for (schema, name) in std::mem::take(&mut walk.unknown) {
        let new = view::unknown(&name, schema, None, path, cx);
        cx.report_once(new);
    }
    for new in std::mem::take(&mut walk.never) {
        cx.report_once(new.report(path));
    }
    let Some((step, wrong)) = walk.found else { return };
    let what = format!("`{step}` selects {} of {}, which has none", wrong.children, wrong.parent);
    let new = Diagnostic::new(Code::W0611, path.span, what).with_label("never selects anything");
    cx.report(new.help(wrong.help));
}

/// The declaration of the nodes that segments select from a value; of several, their types.
pub(super) fn declared<'s>(segments: &[Segment], start: &'s FieldSchema) -> Option<Cow<'s, FieldSchema>> {
    let at = Nodes::Of(vec![start]);
    let mut walk = Walk::new(Nodes::Any);
    let query = Query { segments: segments.to_vec() };
    match walk.query(&query, at, segments.len()) {
        Nodes::Of(schemas) => match schemas.as_slice() {
            [only] => Some(Cow::Borrowed(only)),
            several => {
                let mut any = FieldSchema::default();
                any.types = several.iter().map(|schema| schema.types).reduce(TypeSet::or)?;
                Some(Cow::Owned(any))
            }
        },
        Nodes::Any | Nodes::Scalar(_) => None,
    }
}

fn is_step(segment: &Segment) -> bool {
    matches!(segment, Segment::Child(selectors)
        if matches!(selectors.as_slice(), [Selector::Name(_) | Selector::Index(_)]))
}

struct Walk<'s> {
    root: Nodes<'s>,
    found: Option<(String, Childless)>,
    /// Members that objects of the view of a command line do not have.
    unknown: Vec<(&'s FieldSchema, String)>,
    /// Comparisons in filters that are never true.
    never: Vec<comparison::Never>,
}

impl<'s> Walk<'s> {
    fn new(root: Nodes<'s>) -> Self {
        Self { root, found: None, unknown: Vec::new(), never: Vec::new() }
    }

    /// Follows a query from `at`; steps before `from` are not reported.
    fn query(&mut self, query: &Query, at: Nodes<'s>, from: usize) -> Nodes<'s> {
        self.segments(query, at, (0, from))
    }

    /// Like `query`, for one whose first steps lead to `at`.
    fn segments(&mut self, query: &Query, mut at: Nodes<'s>, (start, from): (usize, usize)) -> Nodes<'s> {
        for (index, segment) in query.segments.iter().enumerate().skip(start) {
            if let Some(wrong) = scalar(&at).or_else(|| childless(&at, segment)) {
                if index >= from && self.found.is_none() {
                    self.found = Some((shown(segment), wrong));
                }
                return Nodes::Any;
            }
            let (selectors, deep) = match segment {
                Segment::Child(selectors) => (selectors, false),
                Segment::Descendant(selectors) => (selectors, true),
            };
            let at_depth = if deep { Nodes::Any } else { at };
            let mut next: Option<Nodes<'s>> = None;
            for selector in selectors {
                let selected = self.select(selector, &at_depth);
                next = Some(match next {
                    None => selected,
                    Some(before) => either(before, selected),
                });
            }
            at = next.unwrap_or(Nodes::Any);
        }
        at
    }

    fn select(&mut self, selector: &Selector, at: &Nodes<'s>) -> Nodes<'s> {
        match selector {
            Selector::Name(name) => {
                if let Nodes::Of(schemas) = at {
                    let without =
                        schemas.iter().find(|schema| schema.view && schema.property(name).is_none());
                    self.unknown.extend(without.map(|schema| (*schema, name.clone())));
                }
                one(at, |schema| schema.child(name).map(|child| vec![child]))
            }
            Selector::Index(_) | Selector::Slice { .. } => {
                one(at, |schema| Some(vec![schema.items.as_deref()?]))
            }
            Selector::Wildcard => one(at, children),
            Selector::Filter(filter) => {
                let child = one(at, children);
                self.filter(&filter.node, &child);
                if compares_scalar(&filter.node) { Nodes::Scalar("a scalar".to_owned()) } else { child }
            }
        }
    }

    fn filter(&mut self, filter: &Filter, node: &Nodes<'s>) {
        match filter {
            Filter::Or(parts) | Filter::And(parts) => parts.iter().for_each(|part| self.filter(part, node)),
            Filter::Not(part) => self.filter(part, node),
            Filter::Exists(absolute, query) => {
                self.inner(*absolute, query, node);
            }
            Filter::Call(function) => self.call(function, node),
            Filter::Compare(left, op, right) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Nodes::Of(schemas) = self.side(one, node)
                        && let [schema] = schemas.as_slice()
                    {
                        self.never.extend(comparison::check(one, *op, other, schema));
                    }
                }
            }
        }
    }

    /// What a side of a comparison is, if it is a query.
    fn side(&mut self, side: &Comparable, node: &Nodes<'s>) -> Nodes<'s> {
        match side {
            Comparable::Query(absolute, query) => return self.inner(*absolute, query, node),
            Comparable::Call(function) => self.call(function, node),
            _ => {}
        }
        Nodes::Any
    }

    fn call(&mut self, function: &Function, node: &Nodes<'s>) {
        match function {
            Function::Length(one) => {
                self.side(one, node);
            }
            Function::Match(one, other) | Function::Search(one, other) => {
                self.side(one, node);
                self.side(other, node);
            }
            Function::Count(absolute, query) | Function::Value(absolute, query) => {
                self.inner(*absolute, query, node);
            }
        }
    }

    fn inner(&mut self, absolute: bool, query: &Query, node: &Nodes<'s>) -> Nodes<'s> {
        let from = if absolute { self.root.clone() } else { node.clone() };
        self.query(query, from, 0)
    }
}

/// Why a step selects nothing.
struct Childless {
    /// What the step selects.
    children: &'static str,
    /// The noun of the nodes.
    parent: String,
    help: &'static str,
}

/// Nodes without children.
fn scalar(at: &Nodes<'_>) -> Option<Childless> {
    let parent = match at {
        Nodes::Any => return None,
        Nodes::Scalar(what) => what.clone(),
        Nodes::Of(schemas) => {
            let types = types(schemas);
            let holds = types.has(Type::Array) || types.has(Type::Object);
            (!holds && !schemas.is_empty()).then(|| value::describe(types))?
        }
    };
    let help = "strings, numbers and booleans have no children: compare the node itself, as in `[?@ == 'x']`, one step earlier";
    Some(Childless { children: "children", parent, help })
}

/// Nodes without the children of a segment: names in arrays, positions in objects.
fn childless(at: &Nodes<'_>, segment: &Segment) -> Option<Childless> {
    let (Nodes::Of(schemas), Segment::Child(selectors)) = (at, segment) else { return None };
    let types = types(schemas);
    let (holder, children, help) = if selectors.iter().all(|one| matches!(one, Selector::Name(_))) {
        (Type::Object, "members", "select the elements of the list before the name, as in `$.edits[*].name`")
    } else if selectors.iter().all(|one| matches!(one, Selector::Index(_) | Selector::Slice { .. })) {
        (
            Type::Array,
            "elements",
            "an object has names instead of positions: write a name, as in `$.edit.name`",
        )
    } else {
        return None;
    };
    let parent = value::describe(types);
    (!types.has(holder) && !schemas.is_empty()).then_some(Childless { children, parent, help })
}

fn types(schemas: &[&FieldSchema]) -> TypeSet {
    schemas.iter().map(|schema| schema.types).reduce(TypeSet::or).unwrap_or_default()
}

fn either<'s>(one: Nodes<'s>, other: Nodes<'s>) -> Nodes<'s> {
    match (one, other) {
        (Nodes::Of(mut one), Nodes::Of(other)) => {
            one.extend(other);
            Nodes::Of(distinct(one))
        }
        (Nodes::Scalar(what), Nodes::Scalar(_)) => Nodes::Scalar(what),
        _ => Nodes::Any,
    }
}

/// The schemas that a step leads to from each schema; any, if one of them does not declare it.
fn one<'s>(at: &Nodes<'s>, step: impl Fn(&'s FieldSchema) -> Option<Vec<&'s FieldSchema>>) -> Nodes<'s> {
    let Nodes::Of(schemas) = at else { return Nodes::Any };
    let mut next = Vec::new();
    for schema in schemas {
        match step(schema) {
            Some(found) => next.extend(found),
            None => return Nodes::Any,
        }
    }
    if next.is_empty() { Nodes::Any } else { Nodes::Of(distinct(next)) }
}

/// Each schema once, so that repeated selectors do not multiply them.
fn distinct(mut schemas: Vec<&FieldSchema>) -> Vec<&FieldSchema> {
    schemas.sort_by_key(|schema| std::ptr::from_ref(*schema));
    schemas.dedup_by_key(|schema| std::ptr::from_ref(*schema));
    schemas
}

/// All children that a schema declares; `None` if there may be others.
fn children(schema: &FieldSchema) -> Option<Vec<&FieldSchema>> {
    let mut schemas = Vec::new();
    if schema.types.has(Type::Array) {
        schemas.push(schema.items.as_deref()?);
    }
    if schema.types.has(Type::Object) {
        if !schema.closed {
            return None;
        }
        schemas.extend(schema.properties.values());
    }
    Some(schemas)
}

/// Whether only scalars can pass a filter: it compares the node itself with one.
fn compares_scalar(filter: &Filter) -> bool {
    let is_node =
        |side: &Comparable| matches!(side, Comparable::Query(false, query) if query.segments.is_empty());
    let is_scalar = |side: &Comparable| {
        matches!(side, Comparable::Str(_) | Comparable::Num(_) | Comparable::Bool(_) | Comparable::Null)
    };
    match filter {
        Filter::And(parts) => parts.iter().any(compares_scalar),
        Filter::Or(parts) => !parts.is_empty() && parts.iter().all(compares_scalar),
        Filter::Compare(left, CompareOp::Eq, right) => {
            (is_node(left) && is_scalar(right)) || (is_scalar(left) && is_node(right))
        }
        Filter::Call(Function::Match(one, _) | Function::Search(one, _)) => is_node(one),
        _ => false,
    }
}

fn shown(segment: &Segment) -> String {
    let (selectors, deep) = match segment {
        Segment::Child(selectors) => (selectors, ""),
        Segment::Descendant(selectors) => (selectors, ".."),
    };
    let inner = match selectors.as_slice() {
        [Selector::Name(name)] => format!("'{name}'"),
        [Selector::Index(index)] => index.to_string(),
        [Selector::Wildcard] => "*".to_owned(),
        [Selector::Slice { start, end, step }] => {
            let text = |bound: &Option<i64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
            let step = step.map(|step| format!(":{step}")).unwrap_or_default();
            format!("{}:{}{step}", text(start), text(end))
        }
        [Selector::Filter(_)] => "?...".to_owned(),
        _ => "...".to_owned(),
    };
    format!("{deep}[{inner}]")
}
