//! Paths at an event type: merged fields, members of tools' inputs, and fields that the schema does
//! not declare.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::HashMap;
use hookc_schema::tree::{Leaf, Path, PathKind, Step, ViewKind};
use hookc_schema::vocab::{self, FieldSchema, ToolField, Type, TypeSet};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

pub(super) use hookc_schema::diag::Reported;

use super::event::Scope;
use super::undeclared;
use super::{Cx, children, history, quantified, value, view};
use crate::fields::PATHS;
use crate::ir::{Nodes, ReadPath};
use crate::step_span;
use crate::tools::member::{Member, Missing, member};

/// The path of a command line.
const LINE: &str = "tool_input.command";

/// A path with the declaration at its end.
pub(super) struct Field<'s> {
    /// The path.
    pub(super) path: ReadPath,
    /// The declaration, if there is one.
    pub(super) schema: Option<Cow<'s, FieldSchema>>,
    /// For a path that can select several values, the declaration of each.
    pub(super) nodes: Option<Cow<'s, FieldSchema>>,
}

impl<'s> Field<'s> {
    /// A path to at most one value.
    pub(super) fn one(path: ReadPath, schema: Option<Cow<'s, FieldSchema>>) -> Self {
        Self { path, schema, nodes: None }
    }
}

/// Resolves a path at an event type; `None` after an error.
pub(super) fn resolve<'s>(path: &Path, scope: &'s Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    if let Some(bound) = quantified::resolve(path, scope, cx) {
        return bound.ok();
    }
    match &path.kind {
        PathKind::View(of) => return view::resolve(path, of, scope, cx),
        PathKind::Recall(_) => return history::resolve_template(path, scope, cx),
        PathKind::Short(_) | PathKind::Query(_) => {}
    }
    if history::report_misplaced(path, scope, cx) {
        return None;
    }
    let Some(steps) = path.shared_steps() else { return nodes(path, scope, cx) };
    let Some(root) = scope.declared.as_ref().map(|event| event.schema.as_ref()) else {
        return Some(Field::one(ReadPath::Plain(steps), None));
    };
    let skip = if path.is_query() { None } else { merged(root, &steps) };
    let rest = steps.get(skip.unwrap_or(0)..).unwrap_or(&steps);
    if let (Some(1), Some(Step::Name(field))) = (skip, rest.first()) {
        cx.events.spelled(scope, field, path.span);
    }
    let walk = Walk { path, scope, root, skip: skip.unwrap_or(0), steps: rest, bound: false };
    let schema = walk.run(cx).ok()?;
    let path = match skip {
        Some(0) => ReadPath::Merged(steps),
        Some(_) => ReadPath::Merged(cx.tails.get(&steps)),
        None => ReadPath::Plain(steps),
    };
    Some(Field::one(path, schema))
}

/// Resolves the right path of a leaf: a word that is not a field is text.
pub(super) fn resolve_right<'s>(
    leaf: &Leaf,
    path: &Path,
    scope: &'s Scope,
    cx: &mut Cx<'_>,
) -> Option<Field<'s>> {
    if quantified::bound_steps(path, cx).is_some() {
        return resolve(path, scope, cx);
    }
    match undeclared::bare_word(leaf, path, scope, cx) {
        Some(new) => {
            cx.report_once(new);
            Some(Field::one(ReadPath::Plain(path.shared_steps()?), None))
        }
        None => resolve(path, scope, cx),
    }
}

/// Resolves a path that can select several values: its singular prefix is checked as a path.
fn nodes<'s>(path: &Path, scope: &'s Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    let PathKind::Query(query) = &path.kind else { return None };
    let (steps, rest) = query.prefix();
    let start = match &scope.declared {
        Some(declared) => {
            let root = &declared.schema;
            Walk { path, scope, root, skip: 0, steps: &steps, bound: false }.run(cx).ok()?
        }
        None => None,
    };
    let root = scope.declared.as_ref().map(|event| event.schema.as_ref());
    children::check(path, query, root, start.as_deref(), cx);
    let nodes =
        start.and_then(|start| children::declared(rest, &start).map(|nodes| Cow::Owned(nodes.into_owned())));
    Some(Field { path: ReadPath::Nodes(Nodes::new(query).into()), schema: None, nodes })
}

/// The declaration at the end of a path from a bound node; `None` for any type.
pub(super) fn below_node<'s>(
    path: &Path,
    scope: &Scope,
    root: &FieldSchema,
    steps: &[Step],
    cx: &mut Cx<'_>,
) -> Result<Option<Cow<'s, FieldSchema>>, Reported> {
    let end = Walk { path, scope, root, skip: 1, steps, bound: true }.run(cx)?;
    Ok(end.map(|end| Cow::Owned(end.into_owned())))
}

/// The declared types at the end of a path, without diagnostics; `None` for any type.
pub(super) fn declared_types(path: &Path, scope: &Scope, cx: &Cx<'_>) -> Option<TypeSet> {
    if let PathKind::View(of) = &path.kind {
        return view::declared(of).map(|end| end.types);
    }
    let root = scope.declared.as_ref()?.schema.as_ref();
    let steps = path.singular()?;
    let skip = if path.is_query() { 0 } else { merged(root, &steps).unwrap_or(0) };
    let end = steps.iter().skip(skip).try_fold(Cow::Borrowed(root), |at, step| match (step, at.tool) {
        (Step::Name(name), Some(part)) => match member(&cx.tools, cx.here, part, name) {
            Member::Declared(union) => Some(Cow::Owned(*union)),
            Member::Open | Member::Elsewhere(_) | Member::Nowhere => None,
        },
        (Step::Name(name), None) => below(at, |at| at.child(name)),
        (Step::Index(_), _) => below(at, |at| at.items.as_deref()),
        (Step::View(_), _) => None,
    });
    end.map(|end| end.types)
}

fn below<'s>(
    at: Cow<'s, FieldSchema>,
    step: impl Fn(&FieldSchema) -> Option<&FieldSchema>,
) -> Option<Cow<'s, FieldSchema>> {
    match at {
        Cow::Borrowed(at) => step(at).map(Cow::Borrowed),
        Cow::Owned(at) => step(&at).cloned().map(Cow::Owned),
    }
}

/// The number of steps before the name of a merged field: 0 for `f`, 1 for `event.f`.
fn merged(root: &FieldSchema, steps: &[Step]) -> Option<usize> {
    match steps {
        [Step::Name(field), ..] if root.merges(field) => Some(0),
        [Step::Name(event), Step::Name(field), ..] if event == "event" && root.merges(field) => Some(1),
        _ => None,
    }
}

/// What follows the first step of paths: equal paths share it.
#[derive(Debug, Default)]
pub(super) struct Tails(HashMap<Arc<[Step]>, Arc<[Step]>>);

impl Tails {
    fn get(&mut self, steps: &Arc<[Step]>) -> Arc<[Step]> {
        if let Some(tail) = self.0.get(steps) {
            return Arc::clone(tail);
        }
        let tail: Arc<[Step]> = steps.get(1..).unwrap_or_default().into();
        self.0.insert(Arc::clone(steps), Arc::clone(&tail));
        tail
    }
}

/// The way of a path through a schema.
pub(super) struct Walk<'w, 's> {
    pub(super) path: &'w Path,
    pub(super) scope: &'w Scope,
    pub(super) root: &'s FieldSchema,
    /// Steps of the path before the first of `steps`.
    pub(super) skip: usize,
    pub(super) steps: &'w [Step],
    /// Whether it starts at a node that a quantifier binds.
    pub(super) bound: bool,
}

impl<'s> Walk<'_, 's> {
    /// The declaration at the end; `Ok(None)` for any type.
    pub(super) fn run(&self, cx: &mut Cx<'_>) -> Result<Option<Cow<'s, FieldSchema>>, Reported> {
        self.follow(0, self.root, cx)
    }

    /// The declaration at the end, from the step at `from` on.
    fn follow<'f>(
        &self,
        from: usize,
        mut at: &'f FieldSchema,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Cow<'f, FieldSchema>>, Reported> {
        let mut is_flags = false;
        for (depth, step) in self.steps.iter().enumerate().skip(from) {
            if let Step::Name(name) = step
                && is_flags
            {
                view::check_flag(self, depth, name, cx);
            }
            is_flags = at.view && matches!(step, Step::Name(name) if name == "flags");
            let (holder, next) = match step {
                Step::Name(name) => (Type::Object, at.child(name)),
                Step::Index(_) => (Type::Array, at.items.as_deref()),
                Step::View(_) => return Ok(None),
            };
            if !at.types.has(holder) {
                cx.report(self.no_holder(depth, step, at));
                return Ok(None);
            }
            at = match (next, step) {
                (Some(next), _) => next,
                (None, Step::Index(_) | Step::View(_)) => return Ok(None),
                (None, Step::Name(name)) => {
                    return match at.tool {
                        Some(part) => self.of_tool(depth, name, part, cx),
                        None if at.view => {
                            view::undeclared(self, depth, name, at, cx);
                            Ok(None)
                        }
                        None => undeclared::undeclared(self, depth, name, at, cx).map(|()| None),
                    };
                }
            };
        }
        Ok(Some(Cow::Borrowed(at)))
    }

    /// A member of a tool's input or response, and the values below it.
    fn of_tool<'f>(
        &self,
        depth: usize,
        name: &str,
        part: ToolField,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Cow<'f, FieldSchema>>, Reported> {
        let elsewhere = match member(&cx.tools, cx.here, part, name) {
            Member::Open => return Ok(None),
            Member::Declared(union) => {
                let end = self.follow(depth + 1, &union, cx)?;
                return Ok(end.map(|end| Cow::Owned(end.into_owned())));
            }
            Member::Elsewhere(tools) => tools,
            Member::Nowhere => Vec::new(),
        };
        let exact = step_span::step(self.path, depth + self.skip);
        let editable = exact.is_some() && !self.path.is_query();
        let span = exact.unwrap_or(self.path.span);
        let missing = Missing { name, part, set: cx.here, span, is_name: editable };
        if let Some(new) = missing.report(&elsewhere, &cx.tools, &mut cx.near) {
            cx.report_once(new);
        }
        Ok(None)
    }

    /// A step into something that has no members, or no elements.
    fn no_holder(&self, depth: usize, step: &Step, at: &FieldSchema) -> Diagnostic {
        let what = match step {
            Step::Name(name) => format!("{} has no field `{name}`", self.owner(depth)),
            Step::Index(_) | Step::View(_) => format!("{} has no elements", self.owner(depth)),
        };
        let span = step_span::step(self.path, depth + self.skip).unwrap_or(self.path.span);
        let new = Diagnostic::new(Code::W0416, span, what).with_label("never present");
        let owner = self.owner(depth);
        let new = new.note(format!("{owner} is declared as {}", value::describe(at.types)));
        match self.instead(owner.trim_matches('`'), step, at) {
            Some(help) => new.help(help),
            None => new,
        }
    }

    /// What to write in place of a step into a list or a text, `owner`.
    fn instead(&self, owner: &str, step: &Step, at: &FieldSchema) -> Option<String> {
        let is_from_event = !self.bound && !matches!(self.path.kind, PathKind::View(_));
        let field = owner.rsplit('.').next().unwrap_or(owner);
        let is_list = at.types == TypeSet::only(Type::Array);
        match (step, at.items.as_deref()) {
            (Step::Name(name), items)
                if is_list && items.is_none_or(|items| items.types.has(Type::Object)) =>
            {
                let is_declared = items.is_none_or(|items| !items.closed || items.property(name).is_some());
                is_declared
                    .then(|| format!("test a member of each element: `some(x in {owner}: x.{name} == 'x')`"))
            }
            (Step::Name(_), Some(_)) => Some(format!("its elements are texts: write `{owner} contains 'x'`")),
            (_, None) if is_from_event && owner == LINE => {
                Some("write what the line runs, as in `runs('git push')`".to_owned())
            }
            (Step::Name(name), None) if is_from_event && PATHS.contains(&field) => {
                vocab::view(ViewKind::File).property(name)?;
                Some(format!("write `file({owner}).{name}`"))
            }
            _ => None,
        }
    }

    /// The parent of the step at `depth`, as text.
    pub(super) fn owner(&self, depth: usize) -> String {
        let name = || self.scope.declared.as_ref().map_or("", |event| event.name.as_str());
        let view = match &self.path.kind {
            PathKind::View(view) => Some(view),
            PathKind::Short(_) | PathKind::Query(_) | PathKind::Recall(_) => None,
        };
        match (self.steps.get(..depth), view) {
            (Some(steps), _) if self.bound => {
                let first = self.path.singular().and_then(|steps| steps.first().cloned());
                format!("`{}`", text(&first.into_iter().chain(steps.iter().cloned()).collect::<Vec<_>>()))
            }
            (Some(steps), Some(view)) => {
                let mut start = view.start().unwrap_or_default();
                start.extend(steps.iter().cloned());
                format!("`{}`", print::steps(&start))
            }
            (None | Some([]), _) => format!("event `{}`", name()),
            (Some(steps), None) => format!("`{}`", text(steps)),
        }
    }
}

/// Steps as a person reads them.
fn text(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) if undeclared::plain(name) => {
                let dot = if text.is_empty() { "" } else { "." };
                text.extend([dot, name.as_str()]);
            }
            Step::Name(name) => text.extend(["['", name.as_str(), "']"]),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::View(_) => {}
        }
    }
    text
}
