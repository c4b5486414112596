//! A path on any JSON value (`hookc path`), by the machinery of policies: the
//! path is compiled to a module, and the VM finds the nodes.

use hookc_base::row_number;
use hookc_schema::Span;
use hookc_schema::tree::{
    Comparable, Filter, Function, Path, PathKind, Query, Segment, Selector, Step, ViewKind,
};
use hookc_shell::programs::Programs;
use hookc_vm::EventError;
use hookc_vm::format::event::Item;
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

use crate::ir::{Nodes, ReadPath};
use crate::{check, codegen, plan};

/// The member that contains the value, so that any value becomes an event.
const HOLDER: &str = "v";

/// Calls `each` with the nodes at `path`, in order, as canonical JSON, until it returns `false`.
/// The root can be any JSON value. A singular path is linear in the text; other paths are subject
/// to the limits of queries.
///
/// # Errors
/// If the text is not JSON within the VM's limits, has a duplicate key on the path, or the path
/// needs too many steps. The error is the VM's message, with offsets from the first byte of the
/// value.
pub fn lookup(path: &Path, json: &[u8], each: &mut dyn FnMut(&str) -> bool) -> Result<(), DecideError> {
    lookup_with(path, json, &Programs::SHIPPED, each)
}

/// Like [`lookup`], with the programs that policies describe, for views of command lines.
///
/// # Errors
/// As [`lookup`].
pub fn lookup_with(
    path: &Path,
    json: &[u8],
    programs: &Programs,
    each: &mut dyn FnMut(&str) -> bool,
) -> Result<(), DecideError> {
    let (mut start, query) = match &path.kind {
        // The reader of paths takes none of a history.
        PathKind::Recall(_) => return Ok(()),
        PathKind::Short(steps) => (steps.to_vec(), Query::default()),
        PathKind::Query(query) => (Vec::new(), query.clone()),
        PathKind::View(view) => (view.start().unwrap_or_default(), view.rest.clone()),
    };
    let is_effects = start.first() == Some(&Step::View(ViewKind::Effects));
    if !is_effects {
        start.insert(0, Step::Name(HOLDER.to_owned()));
    }
    let query = held(query);
    let (steps, rest) = query.prefix();
    start.extend(steps);
    let rest = Query { segments: rest.to_vec() };
    let start = match is_effects {
        true => ReadPath::Declared(check::shipped_scope(), Box::new(ReadPath::Plain(start.into()))),
        false => ReadPath::Plain(start.into()),
    };
    let module = module(&Nodes::below(start, rest), programs)?;
    let event = [b"{\"v\":", json, b"}"].concat();
    let number = row_number(module.tables()?.queries.len().saturating_sub(1));
    let mut text = String::new();
    let ask = DecideOptions::default().event("");
    let found = module.nodes(&mut Scratch::new(), &event, &ask, number, &mut |node: Item<'_>| {
        text.clear();
        node.write_canonical(&mut text);
        each(&text)
    });
    found.map_err(|error| match error {
        DecideError::Event(error) => DecideError::Event(shift(error, 5)),
        error => error,
    })
}

/// The node at the end of `steps`, as canonical JSON; `None` if there is none or the text is not
/// JSON.
pub(crate) fn one(steps: Vec<Step>, json: &str) -> Option<String> {
    let path = Path { span: Span::default(), text: "".into(), kind: PathKind::Short(steps.into()) };
    let mut found = None;
    let looked = lookup(&path, json.as_bytes(), &mut |node| {
        found = Some(node.to_owned());
        false
    });
    looked.ok().and(found)
}

/// If the VM rejects the text of a path, a pattern is too large: everything else has been checked.
fn module(nodes: &Nodes, programs: &Programs) -> Result<Module, DecideError> {
    let unfit = |why: String| DecideError::Pattern { pattern: String::new(), why };
    let plan = plan::of_nodes(nodes, &[Step::Name(HOLDER.to_owned())], programs)
        .map_err(|problem| unfit(problem.message))?;
    let bytes = codegen::emit(&plan, None).map_err(|fault| unfit(fault.to_string()))?;
    Module::load(bytes).map_err(|error| unfit(error.to_string()))
}

fn shift(error: EventError, by: usize) -> EventError {
    match error {
        EventError::Syntax(at, what) => EventError::Syntax(at.saturating_sub(by), what),
        EventError::Surrogate(at) => EventError::Surrogate(at.saturating_sub(by)),
        EventError::Exponent(at) => EventError::Exponent(at.saturating_sub(by)),
        EventError::Utf8(at) => EventError::Utf8(at.saturating_sub(by)),
        EventError::Duplicate(path) => {
            let rest = path.strip_prefix(HOLDER).unwrap_or(&path);
            EventError::Duplicate(rest.strip_prefix('.').unwrap_or(rest).to_owned())
        }
        other => other,
    }
}

/// The query in which every `$` of a filter starts at the holder's member.
fn held(mut query: Query) -> Query {
    root(false, &mut query);
    query
}

fn root(from_root: bool, query: &mut Query) {
    for segment in &mut query.segments {
        let (Segment::Child(selectors) | Segment::Descendant(selectors)) = segment;
        for selector in selectors {
            if let Selector::Filter(filter) = selector {
                in_filter(&mut filter.node);
            }
        }
    }
    if from_root {
        query.segments.insert(0, Segment::Child(vec![Selector::Name(HOLDER.to_owned())]));
    }
}

fn in_filter(filter: &mut Filter) {
    match filter {
        Filter::Or(parts) | Filter::And(parts) => parts.iter_mut().for_each(in_filter),
        Filter::Not(part) => in_filter(part),
        Filter::Exists(from_root, query) => root(*from_root, query),
        Filter::Call(function) => in_function(function),
        Filter::Compare(left, _, right) => {
            in_operand(left);
            in_operand(right);
        }
    }
}

fn in_operand(operand: &mut Comparable) {
    match operand {
        Comparable::Null | Comparable::Bool(_) | Comparable::Num(_) | Comparable::Str(_) => {}
        Comparable::Query(from_root, query) => root(*from_root, query),
        Comparable::Call(function) => in_function(function),
    }
}

fn in_function(function: &mut Function) {
    match function {
        Function::Length(one) => in_operand(one),
        Function::Count(from_root, query) | Function::Value(from_root, query) => root(*from_root, query),
        Function::Match(text, pattern) | Function::Search(text, pattern) => {
            in_operand(text);
            in_operand(pattern);
        }
    }
}
