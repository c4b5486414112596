//! For which tools each part of a condition matters. Linear in the condition, and in the conditions
//! that hooks share.

use std::rc::Rc;

use foldhash::HashMap;
use hookc_schema::tree::{Cond, CondKind, CondPart, Fold, Path, SharedId};

use super::set::ToolSet;
use super::{Table, leaf};
use crate::fields::is_tool_name;

/// What a condition determines about the tool.
#[derive(Clone, Default)]
pub(crate) struct Narrowed(Option<Rc<ToolsByResult>>);

impl Narrowed {
    /// The tools for which the whole condition is true.
    pub(crate) fn whole(&self) -> ToolSet {
        self.0.as_ref().map_or(ToolSet::ALL, |says| says.when_true())
    }

    /// The whole condition: it matters for every tool.
    pub(crate) fn place(&self) -> Place<'_> {
        Place { tools: ToolSet::ALL, says: self.0.as_deref() }
    }
}

/// A part of a condition: the tools for which it matters, and what it determines about the tool if
/// the condition tests one.
#[derive(Clone, Copy)]
pub(crate) struct Place<'n> {
    tools: ToolSet,
    says: Option<&'n ToolsByResult>,
}

impl<'n> Place<'n> {
    /// The tools for which it matters.
    pub(crate) fn tools(self) -> ToolSet {
        self.tools
    }

    /// This position in an event of one of these tools.
    pub(crate) fn within(self, tools: ToolSet) -> Self {
        Self { tools: self.tools.and(tools), ..self }
    }

    /// The part of a negation or of a quantifier.
    pub(crate) fn inner(self) -> Self {
        Self { says: self.says.and_then(|says| says.parts.first()).map(Rc::as_ref), ..self }
    }

    /// The parts of a group, all or any of which must be true. Each matters where all others are on
    /// their neutral side.
    pub(crate) fn parts(self, is_all: bool, count: usize) -> Vec<Self> {
        let Some(says) = self.says else { return vec![self; count] };
        let neutral = |says: &ToolsByResult| if is_all { says.when_true() } else { says.when_false() };
        let mut after = vec![ToolSet::ALL];
        for part in says.parts.iter().skip(1).rev() {
            let last = after.last().copied().unwrap_or(ToolSet::ALL);
            after.push(last.and(neutral(part)));
        }
        let mut before = self.tools;
        let part = |(says, after): (&'n Rc<ToolsByResult>, &ToolSet)| {
            let tools = before.and(*after);
            before = before.and(neutral(says));
            Self { tools, says: Some(says) }
        };
        says.parts.iter().zip(after.iter().rev()).map(part).collect()
    }
}

/// What is known about shared conditions: whether they test the tool, and what they determine.
#[derive(Default)]
pub(crate) struct SharedResults {
    tests: Fold<bool>,
    says: HashMap<SharedId, Rc<ToolsByResult>>,
}

/// Reads a condition.
pub(crate) fn narrow(cond: Option<&Cond>, table: &mut Table<'_>) -> Narrowed {
    let tests = &mut table.shared.tests;
    let tests_tool = |cond: &&Cond| {
        tests.value(cond.whole(), &mut |part, parts| {
            part.leaf().is_some_and(|leaf| is_tool_name(&leaf.path)) || parts.contains(&true)
        })
    };
    let cond = cond.filter(tests_tool);
    Narrowed(cond.map(|cond| tools_by_result(cond, table)))
}

/// The first of the tests and quantifiers of a condition for which `look` finds something, with the tools for which it
/// matters; not those in a quantifier. The recursion depth is the nesting.
pub(crate) fn find<'c, T>(
    part: CondPart<'c>,
    place: Place<'_>,
    look: &impl Fn(CondPart<'c>, &'c Path, ToolSet) -> Option<T>,
) -> Option<T> {
    if let Some(path) = part.path() {
        return look(part, path, place.tools());
    }
    let parts: Vec<_> = part.parts().collect();
    let places = match part.cond.kind {
        CondKind::All(_) => place.parts(true, parts.len()),
        CondKind::Any(_) => place.parts(false, parts.len()),
        _ => vec![place.inner(); parts.len()],
    };
    parts.into_iter().zip(places).find_map(|(part, place)| find(part, place, look))
}

/// The tools for which a condition is false and true, and the same for its parts.
struct ToolsByResult {
    when: [ToolSet; 2],
    parts: Vec<Rc<ToolsByResult>>,
}

impl ToolsByResult {
    fn when_false(&self) -> ToolSet {
        let [when_false, _] = self.when;
        when_false
    }

    fn when_true(&self) -> ToolSet {
        let [_, when_true] = self.when;
        when_true
    }
}

fn tools_by_result(cond: &Cond, table: &mut Table<'_>) -> Rc<ToolsByResult> {
    let id = cond.shared();
    if let Some(known) = id.and_then(|id| table.shared.says.get(&id)) {
        return Rc::clone(known);
    }
    let says = Rc::new(contents(cond, table));
    table.shared.says.extend(id.map(|id| (id, Rc::clone(&says))));
    says
}

fn contents(cond: &Cond, table: &mut Table<'_>) -> ToolsByResult {
    let leaf = |when| ToolsByResult { when, parts: Vec::new() };
    let (parts, is_all): (&[Cond], _) = match &cond.kind {
        CondKind::Const(true) => return leaf([ToolSet::NONE, ToolSet::ALL]),
        CondKind::Const(false) => return leaf([ToolSet::ALL, ToolSet::NONE]),
        CondKind::Leaf(test) => return leaf(leaf::tools_by_result(test, table)),
        CondKind::Predicate(_) | CondKind::Formerly(_) => return leaf([ToolSet::ALL; 2]),
        // Which nodes there are decides, whatever the tool.
        CondKind::Quantified(inner) => {
            let parts = vec![tools_by_result(&inner.cond, table)];
            return ToolsByResult { when: [ToolSet::ALL; 2], parts };
        }
        CondKind::Not(part) => {
            let part = tools_by_result(part, table);
            return ToolsByResult { when: [part.when_true(), part.when_false()], parts: vec![part] };
        }
        CondKind::All(parts) => (parts, true),
        CondKind::Any(parts) => (parts, false),
    };
    let parts: Vec<Rc<ToolsByResult>> = parts.iter().map(|part| tools_by_result(part, table)).collect();
    let sides = |side: fn(&ToolsByResult) -> ToolSet| parts.iter().map(move |part| side(part));
    let both = |side| sides(side).fold(ToolSet::ALL, ToolSet::and);
    let either = |side| sides(side).fold(ToolSet::NONE, ToolSet::or);
    let when = match is_all {
        true => [either(ToolsByResult::when_false), both(ToolsByResult::when_true)],
        false => [both(ToolsByResult::when_false), either(ToolsByResult::when_true)],
    };
    ToolsByResult { when, parts }
}
