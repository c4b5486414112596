//! Paths at an event type: merged fields (semantics §2) and fields that the
//! schema does not declare (semantics §9).

use hookc_schema::tree::{Path, PathKind, Step};
use hookc_schema::vocab::{FieldSchema, Type, TypeSet};
use hookc_schema::{Code, Diagnostic};

use super::event::Scope;
use super::{Cx, Nodes, ReadPath, children, place, value};

/// A path and what is declared at its end.
pub(super) struct Field<'s> {
    /// The path.
    pub(super) path: ReadPath,
    /// What is declared there, if anything is.
    pub(super) schema: Option<&'s FieldSchema>,
}

/// Resolves a path at an event type; `None` after an error.
pub(super) fn resolve<'s>(path: &Path, scope: &'s Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    let Some(steps) = path.singular() else { return nodes(path, scope, cx) };
    let Some(root) = scope.declared.as_ref().map(|event| event.schema.as_ref()) else {
        return Some(Field { path: ReadPath::Plain(steps), schema: None });
    };
    let skip = if path.is_query() { None } else { merged(root, &steps) };
    let rest = steps.get(skip.unwrap_or(0)..).unwrap_or(&steps);
    if let (Some(1), Some(Step::Name(field))) = (skip, rest.first()) {
        cx.events.spelled(scope, field, path.span);
    }
    let walk = Walk { path, scope, root, skip: skip.unwrap_or(0), steps: rest };
    let schema = walk.run(cx).ok()?;
    let path = match skip {
        Some(_) => ReadPath::Merged(rest.to_vec()),
        None => ReadPath::Plain(steps),
    };
    Some(Field { path, schema })
}

/// Resolves a path that may name several values: its singular beginning is
/// checked as one.
fn nodes<'s>(path: &Path, scope: &'s Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    let PathKind::Query(query) = &path.kind else { return None };
    if let Some(declared) = &scope.declared {
        let (steps, _) = query.prefix();
        Walk { path, scope, root: &declared.schema, skip: 0, steps: &steps }.run(cx).ok()?;
    }
    children::check(path, query, scope.declared.as_ref().map(|event| event.schema.as_ref()), cx);
    Some(Field { path: ReadPath::Nodes(Nodes::new(query.clone())), schema: None })
}

/// The types declared at the end of a path, silently; `None` for anything.
pub(super) fn declared_types(path: &Path, scope: &Scope) -> Option<TypeSet> {
    let root = scope.declared.as_ref()?.schema.as_ref();
    let steps = path.singular()?;
    let skip = if path.is_query() { 0 } else { merged(root, &steps).unwrap_or(0) };
    let end = steps.iter().skip(skip).try_fold(root, |at, step| match step {
        Step::Name(name) => at.property(name),
        Step::Index(_) => at.items.as_deref(),
    });
    end.map(|end| end.types)
}

/// How many steps stand before the name of a merged field: 0 for `f`, 1 for
/// `event.f`.
fn merged(root: &FieldSchema, steps: &[Step]) -> Option<usize> {
    match steps {
        [Step::Name(field), ..] if root.merges(field) => Some(0),
        [Step::Name(event), Step::Name(field), ..] if event == "event" && root.merges(field) => Some(1),
        _ => None,
    }
}

/// An error has been told.
struct Told;

/// The way of a path through a schema.
struct Walk<'w, 's> {
    path: &'w Path,
    scope: &'w Scope,
    root: &'s FieldSchema,
    /// Steps of the path before the first of `steps`.
    skip: usize,
    steps: &'w [Step],
}

impl<'s> Walk<'_, 's> {
    /// What is declared at the end; `Ok(None)` for anything.
    fn run(&self, cx: &mut Cx<'_>) -> Result<Option<&'s FieldSchema>, Told> {
        let mut at = self.root;
        for (depth, step) in self.steps.iter().enumerate() {
            let (holder, next) = match step {
                Step::Name(name) => (Type::Object, at.property(name)),
                Step::Index(_) => (Type::Array, at.items.as_deref()),
            };
            if !at.types.has(holder) {
                cx.tell(self.no_holder(depth, step, at));
                return Ok(None);
            }
            at = match (next, step) {
                (Some(next), _) => next,
                (None, Step::Index(_)) => return Ok(None),
                (None, Step::Name(name)) => return self.undeclared(depth, name, at, cx).map(|()| None),
            };
        }
        Ok(Some(at))
    }

    /// A step into something that has no members, or no elements.
    fn no_holder(&self, depth: usize, step: &Step, at: &FieldSchema) -> Diagnostic {
        let what = match step {
            Step::Name(name) => format!("{} has no field `{name}`", self.owner(depth)),
            Step::Index(_) => format!("{} has no elements", self.owner(depth)),
        };
        let span = place::step(self.path, depth + self.skip).unwrap_or(self.path.span);
        Diagnostic::new(Code::W0416, span, what).saying("nothing is ever there").note(format!(
            "{} is declared as {}",
            self.owner(depth),
            value::describe(at.types)
        ))
    }

    /// A member that an object does not declare: in an open object it is told
    /// only when a declared name is near.
    fn undeclared(&self, depth: usize, name: &str, at: &FieldSchema, cx: &mut Cx<'_>) -> Result<(), Told> {
        let near = self.near(depth, name, at, cx);
        if near.is_none() && !at.closed {
            return Ok(());
        }
        let code = if at.closed { Code::E0410 } else { Code::W0416 };
        let exact = place::step(self.path, depth + self.skip);
        let what = format!("{} does not declare a field `{name}`", self.owner(depth));
        let mut new = Diagnostic::new(code, exact.unwrap_or(self.path.span), what).saying("not declared");
        if let Some(near) = &near {
            // An edit only where it would fall on the name alone.
            let fix = exact.filter(|_| plain(near) && self.path.text.get(..1) != Some("$"));
            new = match fix {
                Some(span) => new.did_you_mean(Some(near), span),
                None => new.help(format!("did you mean `{near}`?")),
            };
        } else if let Some(names) = some_names(at) {
            new = new.note(format!("the declared ones are {names}"));
        }
        cx.tell(new);
        if at.closed { Err(Told) } else { Ok(()) }
    }

    /// The declared name that may have been meant. In the shorthand, a merged
    /// field may stand behind `event.`, and a field of `event` is easily
    /// written without it.
    fn near(&self, depth: usize, name: &str, at: &FieldSchema, cx: &mut Cx<'_>) -> Option<String> {
        let short = !self.path.is_query();
        if short && depth == 0 && self.event().is_some_and(|event| event.property(name).is_some()) {
            return Some(format!("event.{name}"));
        }
        let in_event = short && depth == 1 && self.event().is_some_and(|event| std::ptr::eq(event, at));
        let merged = self.root.properties.keys().filter(|field| in_event && self.root.merges(field));
        let names = at.properties.keys().chain(merged).map(String::as_str);
        cx.near.find_spelling(name, names).map(str::to_owned)
    }

    fn event(&self) -> Option<&'s FieldSchema> {
        self.root.property("event")
    }

    /// What the step at `depth` is taken from, in words.
    fn owner(&self, depth: usize) -> String {
        let name = || self.scope.declared.as_ref().map_or("", |event| event.name.as_str());
        match self.steps.get(..depth) {
            None | Some([]) => format!("event `{}`", name()),
            Some(steps) => format!("`{}`", text(steps)),
        }
    }
}

/// Steps as a person reads them.
fn text(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) if plain(name) => {
                let dot = if text.is_empty() { "" } else { "." };
                text.extend([dot, name.as_str()]);
            }
            Step::Name(name) => text.extend(["['", name.as_str(), "']"]),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

fn plain(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !name.is_empty() && name.chars().all(letter)
}

/// Up to eight declared names; `None` when there is none.
fn some_names(at: &FieldSchema) -> Option<String> {
    let mut names: Vec<String> = at.properties.keys().take(8).map(|name| format!("`{name}`")).collect();
    if at.properties.len() > names.len() {
        names.push(format!("{} more", at.properties.len() - names.len()));
    }
    (!names.is_empty()).then(|| names.join(", "))
}
